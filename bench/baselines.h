// Tic-tac-toe and connect four as anybody would write them first: plain arrays, no bitboards, no
// interface. They are the yardstick for games that run through the public interface: both are
// measured in the same run, in moves of uniform random play per second of processor time.
#pragma once

#include <array>
#include <cstdint>
#include <ctime>
#include <string_view>

#include "base/rng.h"

namespace parlor::bench {

struct PlainTicTacToe {
  static constexpr int lines[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6},
                                      {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};
  std::array<int, 9> cells{};  // 0 empty, otherwise the player's number, 1 or 2
  int player = 1;
  int winner = 0;
  int moves_made = 0;

  int list(std::array<int, 9>& moves) const {
    int count = 0;
    for (int cell = 0; cell < 9; ++cell)
      if (cells[cell] == 0) moves[count++] = cell;
    return count;
  }
  void apply(int cell) {
    cells[cell] = player;
    ++moves_made;
    for (const auto& line : lines)
      if (cells[line[0]] == player && cells[line[1]] == player && cells[line[2]] == player)
        winner = player;
    player = 3 - player;
  }
  bool finished() const { return winner != 0 || moves_made == 9; }
};

struct PlainConnectFour {
  static constexpr int columns = 7, rows = 6;
  int cells[rows][columns]{};
  std::array<int, columns> heights{};
  int player = 1;
  int winner = 0;
  int moves_made = 0;

  int list(std::array<int, 9>& moves) const {
    int count = 0;
    for (int column = 0; column < columns; ++column)
      if (heights[column] < rows) moves[count++] = column;
    return count;
  }
  int run(int row, int column, int row_step, int column_step) const {
    int length = 0;
    for (row += row_step, column += column_step;
         row >= 0 && row < rows && column >= 0 && column < columns && cells[row][column] == player;
         row += row_step, column += column_step)
      ++length;
    return length;
  }
  void apply(int column) {
    const int row = heights[column]++;
    cells[row][column] = player;
    ++moves_made;
    constexpr int directions[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    for (const auto& [rise, side] : directions)
      if (run(row, column, rise, side) + run(row, column, -rise, -side) >= 3) winner = player;
    player = 3 - player;
  }
  bool finished() const { return winner != 0 || moves_made == rows * columns; }
};

inline double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Speed {
  std::uint64_t games = 0;
  std::uint64_t moves = 0;
  double seconds = 0;
  std::uint64_t checksum = 0;  // of all winners: keeps the work from being optimised away
  Speed& operator+=(const Speed& more) {
    games += more.games;
    moves += more.moves;
    seconds += more.seconds;
    checksum = checksum * 3 + more.checksum;
    return *this;
  }
  double moves_per_second() const { return static_cast<double>(moves) / seconds; }
};

// Plays random games for about `seconds` of processor time.
template <class Plain>
Speed measure_baseline(double seconds, std::uint64_t seed = 1) {
  Speed speed;
  Rng rng(seed);
  std::array<int, 9> moves{};
  const double begin = cpu_seconds();
  do {
    for (int batch = 0; batch < 1000; ++batch) {
      Plain position;
      while (!position.finished()) {
        const int count = position.list(moves);
        position.apply(moves[rng.below(static_cast<std::size_t>(count))]);
        ++speed.moves;
      }
      ++speed.games;
      speed.checksum = speed.checksum * 3 + static_cast<std::uint64_t>(position.winner);
    }
    speed.seconds = cpu_seconds() - begin;
  } while (speed.seconds < seconds);
  return speed;
}

}  // namespace parlor::bench
