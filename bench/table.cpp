// What sessions cost: acting, taking back, and being made again from what was kept. Go after 255
// moves, where a state is large and applying a move is slow.
//
//   build/bench/bench_table
#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include "open/open.h"
#include "table/store.h"

namespace parlor::table {
namespace {

constexpr int moves = 255;

struct Evening {
  Catalog catalog = open::catalog();
  std::unique_ptr<Store> store = memory_store();
  Table table{catalog, *store, [] { return Time{5}; }};
  Session session = table.open({.id = "s", .game = "go", .allow_undo = true}).value();
  int sent = 0;

  void send(PlayerId actor, Deed deed, Json content) {
    const auto answer = table.act(session, {.session = "s",
                                            .action_id = fmt::format("{}", ++sent),
                                            .actor = actor,
                                            .deed = deed,
                                            .content = std::move(content)});
    if (!answer) throw std::runtime_error(answer.error().message);
  }
  // Any move but a pass, which would soon end the game.
  void move(Rng& rng) {
    OptionList options;
    session.state().list_options(options);
    std::size_t index = rng.below(options.size());
    if (session.state().option_text(options[index]) == "pass") index = (index + 1) % options.size();
    send(session.state().decision().player, Deed::act, Json{{"index", index}});
  }
  Evening() {
    Rng rng{Seed{4}};
    for (int i = 0; i < moves; ++i) move(rng);
  }
  void undo() { send(PlayerId{0}, Deed::undo, Json{{"agreed", {0, 1}}}); }
  void redo() { send(PlayerId{0}, Deed::redo, Json{{"agreed", {0, 1}}}); }
};

void undo_once(benchmark::State& state) {
  Evening evening;
  for (auto _ : state) {
    evening.undo();
    state.PauseTiming();
    evening.redo();
    state.ResumeTiming();
  }
}
BENCHMARK(undo_once)->Unit(benchmark::kMillisecond)->Iterations(20);

void undo_two_hundred(benchmark::State& state) {
  for (auto _ : state) {
    state.PauseTiming();
    Evening evening;
    state.ResumeTiming();
    for (int i = 0; i < 200; ++i) evening.undo();
  }
}
BENCHMARK(undo_two_hundred)->Unit(benchmark::kMillisecond)->Iterations(1);

void restore_after_two_hundred_undos(benchmark::State& state) {
  Evening evening;
  for (int i = 0; i < 200; ++i) evening.undo();
  const Trust trust = state.range(0) != 0 ? Trust::snapshots : Trust::nothing;
  for (auto _ : state)
    if (!evening.table.resume("s", trust)) throw std::runtime_error("cannot be resumed");
}
BENCHMARK(restore_after_two_hundred_undos)
    ->ArgName("snapshots")
    ->Arg(0)
    ->Arg(1)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(3);

void restore(benchmark::State& state) {
  Evening evening;
  for (auto _ : state)
    if (!evening.table.resume("s")) throw std::runtime_error("cannot be resumed");
}
BENCHMARK(restore)->Unit(benchmark::kMillisecond)->Iterations(3);

}  // namespace
}  // namespace parlor::table

BENCHMARK_MAIN();
