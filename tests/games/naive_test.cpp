// The shipped games against plain programs that know nothing of the language: in every position of
// random games both must lead to exactly the same boards.
#include <algorithm>
#include <gtest/gtest.h>

#include "games/naive_draughts.h"
#include "games/naive_morris.h"
#include "games/shipped.h"

namespace parlor::games {
namespace {

// ---- English draughts

std::string draughts_text(const State& state) {
  return text_of(board_of(state), "cell", 8, 8, [](const Token& token) {
    const bool king = token.props.at("king").get<bool>();
    if (token.props.at("owner") == 0) return king ? 'B' : 'b';
    return king ? 'W' : 'w';
  });
}

void compare_draughts(const State& state) {
  naive::Draughts reference;
  reference.board = draughts_text(state);
  reference.player = state.decision().player.value == 0 ? 'b' : 'w';
  Texts expected;
  for (const naive::Draughts& next : reference.moves()) expected.push_back(next.board);
  std::ranges::sort(expected);
  ASSERT_EQ(results(state, draughts_text), expected) << reference.board;
}

TEST(EnglishDraughts, HasTheMovesOfThePlainProgram) {
  const auto game = open_shipped("english-draughts");
  for (Seed seed = 1; seed <= 6; ++seed) play_randomly(*game, seed, compare_draughts);
}

TEST(EnglishDraughts, RandomGamesEnd) {
  const auto game = open_shipped("english-draughts");
  for (Seed seed = 1; seed <= 30; ++seed) {
    const State end = play_randomly(*game, seed);
    const std::string reason = end.outcome().reason;
    EXPECT_TRUE(reason == "cannot-move" || reason == "no-progress") << reason;
  }
}

// ---- Nine men's morris

std::string morris_text(const State& state) {
  const Board board = board_of(state);
  std::string out;
  for (const char* name : naive::Morris::names) {
    const auto& there = board.at(name);
    out += there.empty() ? '.' : by_owner('w', 'b')(there.front());
  }
  return out;
}

void compare_morris(const State& state) {
  const Board board = board_of(state);
  naive::Morris reference;
  reference.board = morris_text(state);
  reference.player = state.decision().player.value == 0 ? 'w' : 'b';
  reference.white_hand = static_cast<int>(board.at("hand:0").size());
  reference.black_hand = static_cast<int>(board.at("hand:1").size());
  Texts expected;
  for (const naive::Morris& next : reference.moves()) expected.push_back(next.board);
  std::ranges::sort(expected);
  ASSERT_EQ(results(state, morris_text), expected) << reference.board;
}

TEST(NineMensMorris, HasTheMovesOfThePlainProgram) {
  const auto game = open_shipped("nine-mens-morris");
  for (Seed seed = 1; seed <= 6; ++seed) play_randomly(*game, seed, compare_morris);
}

TEST(NineMensMorris, RandomGamesEnd) {
  const auto game = open_shipped("nine-mens-morris");
  std::map<std::string, int> reasons;
  for (Seed seed = 1; seed <= 60; ++seed) ++reasons[play_randomly(*game, seed).outcome().reason];
  EXPECT_GT(reasons["two-men-left"], 0);
  EXPECT_GT(reasons["cannot-move"] + reasons["third-time"] + reasons["nothing-taken"], 0);
}

// Both players move one man to and fro: the position comes back every fourth move.
TEST(NineMensMorris, TheThirdRepetitionIsADraw) {
  const auto game = open_shipped("nine-mens-morris");
  State state = start(*game);
  const auto place = [&](const std::vector<std::string>& points) {
    for (const std::string& point : points) take(state, "place " + point);
  };
  // No three in a line for anybody, and room to move.
  place({"a7", "d7", "g7", "a4", "g4", "a1", "d1", "g1", "b6", "d6", "f6", "b4", "f4", "b2", "d2",
         "f2", "c5", "e3"});
  const std::vector<std::string> to_and_fro{"move c5 c4", "move e3 e4", "move c4 c5", "move e4 e3"};
  for (int i = 0; i < 8; ++i) {
    ASSERT_FALSE(state.finished()) << i;
    take(state, to_and_fro[static_cast<std::size_t>(i % 4)]);
  }
  ASSERT_TRUE(state.finished());  // the beginning, and twice more
  EXPECT_EQ(state.outcome().reason, "third-time");
  EXPECT_TRUE(state.outcome().winners.empty());
}

}  // namespace
}  // namespace parlor::games
