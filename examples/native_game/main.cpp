// A game written as data, compiled into a program (V-14): `parlor native connect-four` printed
// connect_four.cpp, which has the rules and their code; nothing is read while this runs.
#include <cstdio>
#include <cstdlib>
#include <memory>

#if __has_include(<parlor/kernel/kernel.h>)
#include <parlor/kernel/kernel.h>
#else
#include "kernel/kernel.h"
#endif

namespace parlor_games::connect_four {
std::shared_ptr<const parlor::Game> open(const parlor::kernel::NativeModules& modules = {});
}

int main() {
  const auto game = parlor_games::connect_four::open();
  if (game == nullptr) return std::puts("the rules do not open"), EXIT_FAILURE;
  const auto* data = dynamic_cast<const parlor::kernel::KernelGame*>(game.get());
  if (data == nullptr || !data->runs_printed_code())
    return std::puts("printed by another Parlor: print it again"), EXIT_FAILURE;
  int wins[2] = {0, 0}, draws = 0;
  parlor::Rng rng(1);
  parlor::OptionList options;
  for (parlor::Seed seed = 0; seed < 1000; ++seed) {
    parlor::State state = game->start(seed).value();
    while (!state.finished()) {
      state.list_options(options);
      if (!state.apply(options[rng.below(options.size())])) return EXIT_FAILURE;
    }
    const parlor::Outcome outcome = state.outcome();
    if (outcome.winners.size() == 1)
      ++wins[outcome.winners[0].index()];
    else
      ++draws;
  }
  std::printf("%s: 1000 random games, first %d, second %d, drawn %d\n", game->info().name.c_str(),
              wins[0], wins[1], draws);
  return EXIT_SUCCESS;
}
