# make help lists the targets. Each target sets up what it needs first.
SHELL := /bin/bash
SETUP := scripts/setup
# Those that take long first.
TEST_PROGRAMS := test_play test_fuzz test_kernel test_cli test_spec test_chess test_rules test_open test_host test_wire test_server test_table_pg test_table test_game test_base

.DEFAULT_GOAL := help
.PHONY: help run serve test wasm web web-test python python-wheel consumer headers debian abi build bench fuzz soak broken lint format asan tsan clang clean setup

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-13s %s\n", $$1, $$2}'

setup: ## install missing Debian packages (quick when nothing is missing)
	@$(SETUP)

build: setup ## build the program and its manual page; leaves build/parlor
	@scripts/build release parlor pages

run: build ## compile a shipped game, let bots play it, report
	@scripts/run

serve: build ## host games at http://127.0.0.1:8080, tables in parlor.db (after `make web` with the page)
	@build/parlor serve

python: setup ## build the Python package into build/python and test it
	@scripts/python

python-wheel: setup ## leave a wheel of the Python package in dist, tried out in a fresh environment
	@scripts/wheel

consumer: setup ## install into a folder and build somebody else's program against it
	@scripts/consumer

headers: setup ## compile every public header alone, and all together with both compilers and standards
	@scripts/headers

debian: setup ## build the Debian packages; as root also install, run and purge them in a clean root
	@scripts/setup debhelper dh-python lintian mmdebstrap && scripts/debian

abi: setup ## compare the shared libraries with those of the last release
	@scripts/setup abigail-tools && scripts/abi

wasm: setup ## build the engine for browsers (WebAssembly)
	@scripts/wasm

web: build ## build the page into web/dist
	@scripts/web build

web-test: build ## play every shipped game in the page, in Chromium
	@scripts/wasm && scripts/setup chromium && scripts/web test full

test: ## build and run all tests in release, and all but long play under the sanitizers
	@$(SETUP) chromium && scripts/test

bench: setup ## measure; prints one table
	@scripts/build release parlor && scripts/bench

fuzz: setup ## feed everything that reads from outside with damaged inputs (FUZZ_SECONDS=10 each)
	@scripts/fuzz

soak: setup ## the long runs: fuzzers, slow tests, sanitizers, statistics (SOAK_SECONDS=300 each)
	@scripts/soak

broken: setup ## accept what the compiler says about tests/spec/broken, then read the difference
	@scripts/build release test_spec && PARLOR_REGENERATE=1 build/tests/test_spec --gtest_filter='*Broken*:GameDefSchemaFile*'

lint: setup ## format, length of functions and files, clang-tidy, without changing anything
	@scripts/lint

format: setup ## bring all sources into the house style
	@git ls-files '*.h' '*.cpp' | xargs clang-format-16 -i

asan: setup ## every test under the address and undefined-behaviour sanitizers
	@scripts/sanitize debug $(TEST_PROGRAMS) test_games

tsan: setup ## tests under the thread sanitizer, all but long play in one thread
	@scripts/sanitize tsan $(TEST_PROGRAMS)

clang: setup ## everything with clang 16
	@scripts/build clang

clean: ## remove everything that was built
	@rm -rf build
