// Counts of move sequences that others have published, for every shipped board game.
#include <fstream>
#include <gtest/gtest.h>
#include <set>

#include "games/shipped.h"
#include "source_dir.h"

namespace parlor::games {
namespace {

struct Published {
  std::string game;
  std::vector<std::uint64_t> counts;  // by depth, from 1; 0: not published
  std::size_t quick;                  // depths that every run checks
  std::size_t slow;                   // depths that slow runs check
  // Moves of one decision can be counted without making the last one: much faster.
  Counting slow_counting = Counting::whole_moves;
};

const Published table[] = {
    {"tic-tac-toe", {9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872}, 6, 9},
    {"connect-four",
     {7, 49, 343, 2401, 16807, 117649, 823536, 5673234, 39394572},
     5,
     9,
     Counting::decisions},
    {"reversi", {4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288}, 5, 9},
    {"english-draughts", {7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680}, 5, 9},
    {"breakthrough", {22, 484, 11132, 256036, 6182818, 149264638}, 3, 6, Counting::decisions},
    {"amazons", {2176, 4307152}, 1, 2},
    {"hex", {121, 121 * 120, 121 * 120 * 119}, 2, 3},
    {"gomoku", {225, 225 * 224, 225 * 224 * 223}, 2, 2},
    {"nine-mens-morris", {24, 552, 12144, 255024, 5140800}, 3, 4},
    {"kalah", {6, 0, 0, 0, 0, 0, 114430}, 1, 7},  // L-40
    {"quoridor", {131, 16677}, 1, 2},             // L-40
};

void check(const Published& published, std::size_t from, std::size_t to,
           Counting counting = Counting::whole_moves) {
  const auto game = open_shipped(published.game);
  ASSERT_TRUE(game);
  const State state = start(*game);
  for (std::size_t depth = from; depth <= to; ++depth) {
    if (published.counts[depth - 1] == 0) continue;
    EXPECT_EQ(perft(state, static_cast<int>(depth), counting), published.counts[depth - 1])
        << published.game << " at depth " << depth;
  }
}

std::string test_name(const ::testing::TestParamInfo<Published>& info) {
  std::string name = info.param.game;
  std::erase(name, '-');
  return name;
}

class Perft : public ::testing::TestWithParam<Published> {};
class SlowPerft : public ::testing::TestWithParam<Published> {};

TEST_P(Perft, MatchesPublishedCounts) {
  check(GetParam(), 1, GetParam().quick);
}
TEST_P(SlowPerft, MatchesPublishedCountsDeeper) {
  check(GetParam(), GetParam().quick + 1, GetParam().slow, GetParam().slow_counting);
}
INSTANTIATE_TEST_SUITE_P(Games, Perft, ::testing::ValuesIn(table), test_name);
// A prefix of its own, so that the suite's name begins with Slow.
INSTANTIATE_TEST_SUITE_P(SlowGames, SlowPerft, ::testing::ValuesIn(table), test_name);

TEST(Hex, PerftIsFallingFactorialOnAnySize) {
  OpenOptions options;
  options.constants["size"] = "5";
  const auto game = open_shipped("hex", options);
  EXPECT_EQ(perft(start(*game), 1), 25u);
  EXPECT_EQ(perft(start(*game), 3), 25u * 24 * 23);
}

// A newcomer reads it in a minute.
TEST(TicTacToe, TheWholeFileIsUnderSixtyLines) {
  std::ifstream file(test::source_dir() + "/games/tic-tac-toe.md");
  int lines = 0;
  for (std::string line; std::getline(file, line);) ++lines;
  EXPECT_GT(lines, 20);
  EXPECT_LT(lines, 60);
}

// Walks the whole tree once: 255168 games through 5478 different boards.
struct Tree {
  std::set<std::string> boards;
  std::uint64_t games = 0;
  void walk(const State& state) {
    boards.insert(text_of(board_of(state), "cell", 3, 3, by_owner('x', 'o')));
    if (state.finished()) {
      ++games;
      return;
    }
    for (const State& next : whole_moves(state)) walk(next);
  }
};
TEST(SlowTicTacToe, Has255168GamesAnd5478Positions) {
  const auto game = open_shipped("tic-tac-toe");
  Tree tree;
  tree.walk(start(*game));
  EXPECT_EQ(tree.games, 255168u);
  EXPECT_EQ(tree.boards.size(), 5478u);
}

}  // namespace
}  // namespace parlor::games
