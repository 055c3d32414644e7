// The hand-written baselines by themselves.
#include <benchmark/benchmark.h>

#include "baselines.h"

namespace {

template <class Plain>
void random_play(benchmark::State& state) {
  std::uint64_t seed = 1;
  double moves = 0;
  for (auto _ : state) {
    const auto speed = parlor::bench::measure_baseline<Plain>(0.01, seed++);
    moves += static_cast<double>(speed.moves);
    benchmark::DoNotOptimize(speed.checksum);
  }
  state.counters["moves/s"] = benchmark::Counter(moves, benchmark::Counter::kIsRate);
}

}  // namespace

BENCHMARK(random_play<parlor::bench::PlainTicTacToe>)->Name("tic-tac-toe");
BENCHMARK(random_play<parlor::bench::PlainConnectFour>)->Name("connect-four");
BENCHMARK_MAIN();
