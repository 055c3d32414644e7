// T-10: two worlds a viewer cannot tell apart tell that viewer the same, byte for byte, in every
// game, for every seat and a spectator, along random play.
#include "game/secrecy.h"

#include <gtest/gtest.h>
#include <set>

#include "game/conformance.h"
#include "games/hidden_games.h"
#include "kernel/kernel.h"
#include "rounds.h"

namespace parlor::games {
namespace {

class Secrecy : public testing::TestWithParam<std::string> {};

// Looks at states of random games, more rarely as they go on.
void look_along(const Game& game, Seed seed, int most,
                const std::function<void(const State&)>& look) {
  State state = start(game, seed);
  Rng rng(seed);
  OptionList options;
  for (int n = 0; n < most; ++n) {
    if (n < 12 || n % 7 == 0 || state.finished()) look(state);
    if (state.finished()) return;
    state.list_options(options);
    ASSERT_FALSE(options.empty());
    ASSERT_TRUE(state.apply(options[draw_option(options, rng)]));
  }
}

// Everything that is ever told openly is still to be seen later: in games made for tests, and in
// the smaller pokers.
bool remembers_all(const Game& game) {
  // Cups that are lifted and filled again, bids that are read out, hands that are shown at the end
  // of a round: nothing keeps them.
  const std::set<std::string> forgetful{"market", "texas-holdem", "liars-dice", "love-letter",
                                        "auction"};
  return !forgetful.contains(game.info().id);
}

void look_for_leaks(const Game& game, Seed seeds, int decisions) {
  Rng rng(std::uint64_t{11});
  for (Seed seed = 1; seed <= seeds; ++seed)
    look_along(game, seed, decisions, [&](const State& state) {
      for (const Viewer& viewer : viewers_of(game)) {
        const auto leak = find_leak(state, viewer, rng, {.others_moves = remembers_all(game)});
        if (leak)
          FAIL() << "seed " << seed << ", " << viewer_name(viewer) << ", " << leak->where << ": "
                 << leak->message;
      }
    });
}

TEST_P(Secrecy, WorldsThatAViewerCannotTellApartTellTheSame) {
  const auto game = open_shipped(GetParam());
  const bool hides = game->info().hidden_information;
  look_for_leaks(*game, hides ? test::thorough(4) : 1, hides ? 40 : test::thorough(40));
}

TEST_P(Secrecy, HoldsWithExplicitChance) {
  if (!has_explicit_form(GetParam())) GTEST_SKIP() << "players pick from shuffled zones";
  OpenOptions options;
  options.explicit_chance = true;
  const auto game = open_shipped(GetParam(), options);
  if (!game->info().hidden_information) GTEST_SKIP() << "nothing is hidden";
  look_for_leaks(*game, test::thorough(2), 60);
}

TEST_P(Secrecy, WorldsThatFitAreFound) {
  const auto game = open_shipped(GetParam());
  const auto& kernel = dynamic_cast<const kernel::KernelGame&>(*game);
  Rng rng(std::uint64_t{3});
  for (Seed seed = 1; seed <= test::thorough<Seed>(6); ++seed)
    look_along(*game, seed, 40, [&](const State& state) {
      for (const Viewer& viewer : viewers_of(*game)) {
        State world = state;
        game->resample_hidden(world.block(), viewer, rng);
        ASSERT_TRUE(kernel.consistent(world.block()));
      }
    });
  EXPECT_EQ(kernel.worlds_given_up(), 0U);
}

INSTANTIATE_TEST_SUITE_P(Games, Secrecy, testing::ValuesIn(all_games()),
                         [](const auto& info) { return file_name(info.param); });

class HidingConformance : public testing::TestWithParam<std::string> {};

TEST_P(HidingConformance, KeepsEveryPromise) {
  ConformanceOptions options;
  options.games = 3;
  options.max_decisions = 60;
  options.deep_states = 10;
  for (const bool explicit_chance : {false, true}) {
    OpenOptions open;
    open.explicit_chance = explicit_chance;
    if (explicit_chance && !has_explicit_form(GetParam())) continue;
    std::ostringstream found;
    for (const Violation& violation : check_conformance(*open_shipped(GetParam(), open), options))
      found << violation << '\n';
    EXPECT_EQ(found.str(), "") << (explicit_chance ? "with explicit chance" : "");
  }
}

INSTANTIATE_TEST_SUITE_P(Games, HidingConformance, testing::ValuesIn(hidden_test_games()),
                         [](const auto& info) { return file_name(info.param); });

}  // namespace
}  // namespace parlor::games
