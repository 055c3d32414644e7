// Kernel games under uniform random play through the public interface, next to plain-array
// baselines in the same run: moves per second of processor time, and the ratios the project
// promises.
#include "kernel/kernel.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "../tests/kernel/builder.h"
#include "baselines.h"
#include "game/game.h"

namespace parlor::bench {
namespace {

Speed measure(const Game& game, double seconds) {
  Speed speed;
  Rng rng(std::uint64_t{1});
  OptionList options;
  const State first = game.start(1).value();
  State state = first;
  std::vector<std::int64_t> returns(game.info().players);
  const double begin = cpu_seconds();
  do {
    for (int batch = 0; batch < 100; ++batch) {
      state = first;
      while (!state.finished()) {
        state.list_options(options);
        if (!state.apply(options[rng.below(options.size())])) std::abort();
        ++speed.moves;
      }
      ++speed.games;
      game.returns(state.block(), returns);
      speed.checksum = speed.checksum * 3 + static_cast<std::uint64_t>(returns[0] + 1);
    }
    speed.seconds = cpu_seconds() - begin;
  } while (speed.seconds < seconds);
  return speed;
}

void line(const char* name, const Speed& speed, double yardstick, double wanted) {
  std::printf("%-22s %10.0f moves/s %7.1f ns/move  x%.3f of its yardstick (wanted %.2f)\n", name,
              speed.moves_per_second(), 1e9 / speed.moves_per_second(),
              speed.moves_per_second() / yardstick, wanted);
}

}  // namespace
}  // namespace parlor::bench

int main(int argc, char** argv) {
  using namespace parlor;
  using namespace parlor::bench;
  const double seconds = argc > 1 ? std::atof(argv[1]) : 1.0;
  const Speed plain_ttt = measure_baseline<PlainTicTacToe>(seconds);
  const Speed plain_c4 = measure_baseline<PlainConnectFour>(seconds);
  std::printf("%-22s %10.0f moves/s\n%-22s %10.0f moves/s\n", "plain tic-tac-toe",
              plain_ttt.moves_per_second(), "plain connect four", plain_c4.moves_per_second());
  const auto ttt = kernel::build::open(kernel::build::n_in_a_row("ttt", 3, 3, 3));
  const auto c4 = kernel::build::open(kernel::build::n_in_a_row("c4", 6, 7, 4, true));
  line("kernel tic-tac-toe", measure(*ttt, seconds), plain_ttt.moves_per_second(), 0.30);
  line("kernel connect four", measure(*c4, seconds), plain_c4.moves_per_second(), 0.25);
  std::printf("bytes per state: tic-tac-toe %zu, connect four %zu\n", ttt->start(1)->block().size(),
              c4->start(1)->block().size());
  return 0;
}
