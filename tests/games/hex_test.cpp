// In Hex somebody always wins, and never both.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "games/shipped.h"

namespace parlor::games {
namespace {

// Whether a player's stones join their two sides: red top and bottom, blue left and right.
bool joined(const std::string& cells, int size, char player) {
  std::vector<int> open;
  std::vector<bool> seen(cells.size());
  const auto is_mine = [&](int at) { return cells[static_cast<std::size_t>(at)] == player; };
  const auto visit = [&](int at) {
    if (is_mine(at) && !seen[static_cast<std::size_t>(at)]) {
      seen[static_cast<std::size_t>(at)] = true;
      open.push_back(at);
    }
  };
  for (int i = 0; i < size; ++i) visit(player == 'r' ? i : i * size);
  while (!open.empty()) {
    const int at = open.back();
    open.pop_back();
    const int row = at / size, column = at % size;
    if ((player == 'r' ? row : column) == size - 1) return true;
    constexpr int steps[6][2] = {{0, 1}, {0, -1}, {1, 0}, {-1, 0}, {1, -1}, {-1, 1}};
    for (const auto& [down, right] : steps)
      if (row + down >= 0 && row + down < size && column + right >= 0 && column + right < size)
        visit((row + down) * size + column + right);
  }
  return false;
}

// Cells row by row; the board names them by column first.
std::string cells_of(const State& state, int size) {
  const Board board = board_of(state);
  std::string out;
  for (int row = 0; row < size; ++row)
    for (int column = 0; column < size; ++column) {
      const auto& there = board.at(fmt::format("cell_{}_{}", column, row));
      out += there.empty() ? '.' : by_owner('r', 'b')(there.front());
    }
  return out;
}

void check_games(int size, int games) {
  OpenOptions options;
  options.constants["size"] = std::to_string(size);
  const auto game = open_shipped("hex", options);
  for (int seed = 1; seed <= games; ++seed) {
    const State end = play_randomly(*game, static_cast<Seed>(seed), [&](const State& state) {
      const std::string cells = cells_of(state, size);
      EXPECT_FALSE(joined(cells, size, 'r') || joined(cells, size, 'b')) << cells;
    });
    const std::string cells = cells_of(end, size);
    const Outcome outcome = end.outcome();
    ASSERT_EQ(outcome.winners.size(), 1u);
    const bool red = outcome.winners[0].value == 0;
    EXPECT_EQ(joined(cells, size, 'r'), red) << cells;
    EXPECT_EQ(joined(cells, size, 'b'), !red) << cells;
  }
}

TEST(Hex, EveryRandomGameHasExactlyOneWinner) {
  check_games(3, 40);
  check_games(5, 15);
}
TEST(SlowHex, EveryRandomGameHasExactlyOneWinnerOnTheFullBoard) {
  check_games(11, 40);
}

}  // namespace
}  // namespace parlor::games
