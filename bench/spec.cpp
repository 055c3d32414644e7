// How fast game text becomes a checked game: a generated game of 16 files and 1.6 MB, read and
// expanded (front) and compiled to the end. Counters give MB/s of source text.
#include "spec/spec.h"

#include <benchmark/benchmark.h>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <map>
#include <string>

#include "spec/front.h"

namespace {

using parlor::spec::FileLoader;

constexpr int part_count = 15;
constexpr std::size_t part_bytes = 100'000;

std::string one_action(int part, int n) {
  return fmt::format(R"(  - id: act-{0}-{1}
    actor: active
    executor: actor
    phase: [main]
    params:
      - name: $where
        domain: {{ query: zones, filter: {{ condition: {{ op: ">", left: {{ ref: zoneCount, zone: $zone }}, right: 0 }} }} }}
    pre: {{ op: and, args: [{{ conditionMacro: rich, args: {{ amount: {2} }} }}, {{ op: "<", left: {{ ref: gvar, var: turns }}, right: 50 }}] }}
    cost:
      - addVar: {{ scope: pvar, player: actor, var: coins, delta: -{2} }}
    effects:
      - if:
          when: {{ op: ">=", left: {{ ref: pvar, player: actor, var: coins }}, right: {2} }}
          then:
            - setVar: {{ scope: global, var: turns, value: {{ op: "+", left: {{ ref: gvar, var: turns }}, right: 1 }} }}
            - {{ macro: gain, args: {{ who: actor, amount: {2} }} }}
          else:
            - forEach:
                bind: $t
                over: {{ query: tokensInZone, zone: $where }}
                effects:
                  - setTokenProp: {{ token: $t, prop: strength, value: {2} }}
    limits: []
)",
                     part, n, n % 7 + 1);
}

// The files of the game by name; `game.md` is the entry.
const std::map<std::string, std::string>& large_game() {
  static const auto files = [] {
    std::map<std::string, std::string> out;
    std::string imports;
    for (int part = 0; part < part_count; ++part) {
      std::string& text = out[fmt::format("part{}.md", part)];
      text = fmt::format("# Part {}\n\n```yaml\nactions:\n", part);
      for (int n = 0; text.size() < part_bytes; ++n) text += one_action(part, n);
      text += "```\n";
      imports += fmt::format("  - part{}.md\n", part);
    }
    out["game.md"] = fmt::format(R"(# A large game

```yaml
metadata: {{ id: large, players: {{ min: 2, max: 4 }} }}
imports:
{}globalVars:
  - {{ name: turns, type: int, init: 0, min: 0, max: 1000 }}
perPlayerVars:
  - {{ name: coins, type: int, init: 10, min: 0, max: 100 }}
zones:
  - {{ macro: grid, args: [10, 10] }}
tokenTypes:
  - {{ id: piece, props: {{ strength: int }} }}
conditionMacros:
  - id: rich
    params: [{{ name: amount }}]
    condition: {{ op: ">=", left: {{ ref: pvar, player: actor, var: coins }}, right: {{ param: amount }} }}
effectMacros:
  - id: gain
    params: [{{ name: who, type: playerSelector }}, {{ name: amount, type: number }}]
    exports: []
    effects:
      - let:
          bind: $sum
          value: {{ op: "+", left: {{ ref: pvar, player: {{ param: who }}, var: coins }}, right: {{ param: amount }} }}
          in:
            - setVar: {{ scope: pvar, player: {{ param: who }}, var: coins, value: {{ ref: binding, name: $sum }} }}
turnStructure:
  phases: [{{ id: main }}]
terminal:
  conditions:
    - {{ when: {{ op: ">", left: {{ ref: gvar, var: turns }}, right: 40 }}, result: {{ type: draw }} }}
```
)",
                                 imports);
    return out;
  }();
  return files;
}

std::size_t large_game_bytes() {
  std::size_t out = 0;
  for (const auto& [name, text] : large_game()) out += text.size();
  return out;
}

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
    errors = errors || !result.game;
  }
  report(state, errors);
  fs::remove_all(folder);
}
BENCHMARK(compile_to_the_end)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
