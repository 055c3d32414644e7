// How fast game text becomes a checked game: the generated game of large_game.h, read and expanded
// (front) and compiled to the end. Counters give MB/s of source text.
#include "spec/spec.h"

#include <benchmark/benchmark.h>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "large_game.h"
#include "spec/front.h"

namespace {

using parlor::bench::large_game;
using parlor::bench::large_game_bytes;
using parlor::spec::FileLoader;

FileLoader loader() {
  return [](std::string_view path) -> std::optional<std::string> {
    const auto found = large_game().find(std::string{path});
    if (found == large_game().end()) return std::nullopt;
    return found->second;
  };
}

void report(benchmark::State& state, bool errors) {
  if (errors) state.SkipWithError("the generated game has errors");
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                          static_cast<std::int64_t>(large_game_bytes()));
  state.counters["MB"] = static_cast<double>(large_game_bytes()) / 1e6;
  state.counters["files"] = static_cast<double>(large_game().size());
}

void read_and_expand(benchmark::State& state) {
  bool errors = false;
  for (auto _ : state) {
    const parlor::spec::FrontResult result = parlor::spec::read_game("game.md", loader());
    errors = errors || result.diagnostics.has_errors();
  }
  report(state, errors);
}
BENCHMARK(read_and_expand)->Unit(benchmark::kMillisecond);

void compile_to_the_end(benchmark::State& state) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / "parlor-bench-spec";
  fs::create_directories(folder);
  for (const auto& [name, text] : large_game())
    std::ofstream{folder / name, std::ios::binary} << text;
  bool errors = false;
  for (auto _ : state) {
    const parlor::spec::CompileResult result = parlor::spec::compile_file(folder / "game.md");
    if (!result.game && !errors)
      std::cerr << parlor::render(result.diagnostics, result.texts, parlor::Colour::never);
    errors = errors || !result.game;
  }
  report(state, errors);
  fs::remove_all(folder);
}
BENCHMARK(compile_to_the_end)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
