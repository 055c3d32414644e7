// Every shipped game keeps every promise of the Game interface.
#include "game/conformance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "counting_new.h"
#include "games/hidden_games.h"
#include "games/shipped.h"
#include "play/vector.h"
#include "rounds.h"

namespace parlor::games {
namespace {

class ShippedConformance : public testing::TestWithParam<std::string> {};

// Economical: the games have hundreds of zones, and every check of a state looks at all of them.
// `make soak` looks closely at more states of more games.
ConformanceOptions few_states() {
  ConformanceOptions options;
  options.games = test::thorough(2);
  options.max_decisions = 60;
  options.deep_states = test::thorough(5);
  options.max_options = 6;
  options.allocations = [] { return test::allocation_count; };
  return options;
}

TEST_P(ShippedConformance, KeepsEveryPromise) {
  EXPECT_THAT(check_conformance(*open_shipped(GetParam()), few_states()), testing::IsEmpty());
}

TEST_P(ShippedConformance, KeepsEveryPromiseWithExplicitChance) {
  if (!has_explicit_form(GetParam())) GTEST_SKIP() << "players may pick from shuffled zones";
  OpenOptions options;
  options.explicit_chance = true;
  const auto game = open_shipped(GetParam(), options);
  if (!game->info().has_chance) GTEST_SKIP() << "no chance in " << GetParam();
  ConformanceOptions one_game = few_states();
  one_game.deep_states = 6;  // chance comes first, and nothing is hidden before it
  EXPECT_THAT(check_conformance(*game, one_game), testing::IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Games, ShippedConformance, testing::ValuesIn(shipped_with_modules()),
                         [](const auto& info) {
                           std::string name = info.param;
                           for (char& c : name)
                             if (c == '-' || c == '+') c = '_';
                           return name;
                         });

// Of games side by side: apply, chance, list, mask, observe, reset. Lists grow until they are as
// long as any was, so the same games are played twice.
TEST(SideBySide, AllocatesNothingTheSecondTime_P33) {
  for (const char* name :
       {"tic-tac-toe", "connect-four", "breakthrough", "reversi", "kuhn-poker", "pig"})
    for (const play::Autoreset autoreset :
         {play::Autoreset::same_step, play::Autoreset::next_step}) {
      play::VectorOptions options;
      options.rows = 8;
      options.autoreset = autoreset;
      options.observed = play::Observed::everybody;
      const auto made = play::VectorTable::make(open_shipped(name), options);
      ASSERT_TRUE(made.has_value()) << name;
      play::VectorTable& table = **made;
      table.rollout(1000, 1);
      table.restart(options.seed);
      const std::size_t before = test::allocation_count;
      table.rollout(1000, 1);
      EXPECT_EQ(test::allocation_count, before) << name;
      EXPECT_GT(table.episode[0], 1) << name << ": no game ended meanwhile";
    }
}

}  // namespace
}  // namespace parlor::games
