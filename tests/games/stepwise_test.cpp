// Actions that are too many for a table of numbers, chosen parameter by parameter (P-03).
#include "game/stepwise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "counting_new.h"
#include "game/conformance.h"
#include "games/shipped.h"
#include "play/vector.h"

namespace parlor::games {
namespace {

std::shared_ptr<const Game> whole_arrows() {
  return open_shipped("../tests/games/large/arrows");
}

TEST(Stepwise, LargeActionsHaveANumberForEachStep_P03) {
  const auto game = whole_arrows();
  EXPECT_EQ(game->action_space().kind, ActionSpace::Kind::factored);
  EXPECT_EQ(game->action_space().size, 1u + 3 * 49 + 1);  // move and its cells; giving up
  EXPECT_EQ(game->action_steps(), 4u);
  EXPECT_EQ(game->action_name(0), "move");
  EXPECT_EQ(game->action_name(1 + 49), "move $to cell_0_0");
  std::set<std::string> names;
  for (std::size_t i = 0; i < game->action_space().size; ++i) {
    EXPECT_EQ(game->action_named(game->action_name(i)), std::optional(i));
    EXPECT_TRUE(names.insert(game->action_name(i)).second) << game->action_name(i);
  }
}

TEST(Stepwise, GamesWithATableOfTheirOwnStayAsTheyAre) {
  const auto game = open_shipped("tic-tac-toe");
  EXPECT_EQ(stepwise(game), game);
  EXPECT_EQ(&behind_steps(*game), game.get());
}

TEST(Stepwise, AGameInStepsKeepsEveryPromise_P03) {
  const auto whole = whole_arrows();
  const auto game = stepwise(whole);
  ASSERT_NE(game, whole);
  EXPECT_EQ(&behind_steps(*game), whole.get());
  ConformanceOptions options;
  options.games = 3;
  options.max_decisions = 80;
  options.deep_states = 6;
  options.max_options = 8;
  options.allocations = [] { return test::allocation_count; };
  EXPECT_THAT(check_conformance(*game, options), testing::IsEmpty());
}

// Hashes of what every whole action leads to, by way of single steps.
void walk(const State& state, const State& before, std::multiset<std::uint64_t>& reached) {
  OptionList options;
  state.list_options(options);
  for (const Option option : options) {
    State next = state;
    ASSERT_TRUE(next.apply(option).has_value());
    if (next.decision().kind == DecisionKind::choose_one)
      walk(next, before, reached);
    else
      reached.insert(next.hash());
  }
}

TEST(Stepwise, StepsLeadExactlyWhereWholeActionsDo_P03) {
  const auto whole = whole_arrows();
  const auto game = stepwise(whole);
  State one = start(*whole), other = start(*game);
  std::multiset<std::uint64_t> expected, reached;
  OptionList options;
  one.list_options(options);
  for (const Option option : options) {
    State next = one;
    ASSERT_TRUE(next.apply(option).has_value());
    expected.insert(next.hash());
  }
  walk(other, other, reached);
  EXPECT_EQ(reached, expected);
  EXPECT_GT(expected.size(), 100u);
}

TEST(Stepwise, OnlyTheDeciderKnowsWhatIsChosenSoFar) {
  const auto game = stepwise(whole_arrows());
  State state = start(*game);
  OptionList options;
  state.list_options(options);
  ASSERT_EQ(options.size(), 2u);
  const State before = state;
  ASSERT_TRUE(state.apply(options[0]).has_value());
  EXPECT_FALSE(state == before);
  EXPECT_NE(state.hash(), before.hash());
  const Viewer decider = Viewer::player(PlayerId{0}), other = Viewer::player(PlayerId{1});
  EXPECT_NE(state.view(decider), before.view(decider));
  EXPECT_EQ(state.view(other), before.view(other));
  EXPECT_EQ(game->decision_told(state.block(), other).starts_move, true);
  EXPECT_EQ(state.decision().starts_move, false);
  const std::size_t size = tensor_size(*game);
  std::vector<float> own(size), strangers(size), earlier(size);
  game->observe(state.block(), PlayerId{0}, own);
  game->observe(before.block(), PlayerId{1}, earlier);
  game->observe(state.block(), PlayerId{1}, strangers);
  EXPECT_EQ(own[size - game->action_space().size], 1);
  EXPECT_EQ(strangers, earlier);
  const auto again = game->load(state.save());
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(*again, state);
  Json damaged = state.save();
  damaged["state"]["steps"] = {77};
  damaged["check"] = save_check(damaged["state"]);
  EXPECT_FALSE(game->load(damaged).has_value());
}

TEST(Stepwise, ManyGamesAreLearntFromInSteps_P03_P30) {
  play::VectorOptions options;
  options.rows = 8;
  auto made = play::VectorTable::make(whole_arrows(), options);
  ASSERT_TRUE(made.has_value());
  play::VectorTable& table = **made;
  EXPECT_EQ(table.actions(), 149u);
  table.rollout(2000, 1);
  EXPECT_GT(table.episode[0], 0);
}

}  // namespace
}  // namespace parlor::games
