// Backgammon turns against a plain program.
#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "games/naive_backgammon.h"
#include "games/shipped.h"

namespace parlor::games {
namespace {

// The position from the side of the player who has just moved.
naive::Backgammon backgammon_of(const State& state, int player) {
  naive::Backgammon out;
  const Board board = board_of(state);
  for (int point = 0; point <= 25; ++point) {
    const auto at = static_cast<std::size_t>(player == 0 ? point : 25 - point);
    for (const Token& token : board.at(fmt::format("point_0_{}", point)))
      ++(token.props.at("owner") == player ? out.mine : out.theirs)[at];
  }
  return out;
}

std::vector<int> dice_of(const State& state) {
  const Board board = board_of(state);
  std::vector<int> out;
  for (const Token& die : board.at("dice")) out.push_back(die.props.at("pips").get<int>());
  return out;
}

// Where the turn may lead, compared; dice and player come from the state.
void compare_backgammon(const State& state) {
  const int player = state.decision().player.value;
  const std::vector<int> dice = dice_of(state);
  ASSERT_TRUE(dice.size() == 2 || dice.size() == 4);
  std::set<naive::Backgammon> found;
  for (const State& next : whole_moves(state)) found.insert(backgammon_of(next, player));
  EXPECT_EQ(found, backgammon_of(state, player).turns(dice[0], dice[1])) << state.describe();
}

// Every state after the chance decisions that lie ahead.
void after_chance(const State& state, std::vector<State>& out) {
  if (state.decision().kind != DecisionKind::chance) {
    out.push_back(state);
    return;
  }
  OptionList options;
  state.list_options(options);
  for (const Option option : options) {
    State next = state;
    ASSERT_TRUE(next.apply(option));
    after_chance(next, out);
  }
}

TEST(Backgammon, OpeningRollsHaveTheKnownNumberOfPlays) {
  OpenOptions options;
  options.explicit_chance = true;
  const auto game = open_shipped("backgammon", options);
  std::vector<State> openings;
  after_chance(start(*game), openings);
  ASSERT_EQ(openings.size(), 30u);  // 15 rolls, and each may be White's or Black's
  const std::map<std::pair<int, int>, std::size_t> known = {
      {{2, 1}, 15}, {{3, 1}, 16}, {{3, 2}, 17}, {{4, 1}, 14}, {{4, 2}, 18},
      {{4, 3}, 17}, {{5, 1}, 8},  {{5, 2}, 8},  {{5, 3}, 9},  {{5, 4}, 9},
      {{6, 1}, 10}, {{6, 2}, 14}, {{6, 3}, 14}, {{6, 4}, 14}, {{6, 5}, 7}};
  std::map<std::pair<int, int>, int> seen;
  for (const State& state : openings) {
    std::vector<int> dice = dice_of(state);
    ASSERT_EQ(dice.size(), 2u);
    std::ranges::sort(dice);
    const int player = state.decision().player.value;
    std::set<naive::Backgammon> plays;
    for (const State& next : whole_moves(state)) plays.insert(backgammon_of(next, player));
    EXPECT_EQ(plays.size(), known.at({dice[1], dice[0]})) << dice[1] << dice[0];
    ++seen[{dice[1], dice[0]}];
  }
  EXPECT_EQ(seen.size(), 15u);
}

TEST(Backgammon, TurnsAgreeWithThePlainProgram) {
  OpenOptions options;
  options.explicit_chance = true;
  const auto game = open_shipped("backgammon", options);
  for (Seed seed = 1; seed <= 2 && !HasFailure(); ++seed)
    play_randomly(*game, seed, compare_backgammon);
}

TEST(Backgammon, RandomGamesEndWithFifteenCheckersOff) {
  const auto game = open_shipped("backgammon");
  for (Seed seed = 1; seed <= 5; ++seed) {
    const State end = play_randomly(*game, seed);
    ASSERT_EQ(end.outcome().winners.size(), 1u);
    const int winner = end.outcome().winners[0].value;
    EXPECT_EQ(backgammon_of(end, winner).mine[0], 15);
    EXPECT_LT(backgammon_of(end, 1 - winner).mine[0], 15);
  }
}

}  // namespace
}  // namespace parlor::games
