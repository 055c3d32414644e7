// Tic-tac-toe, connect four and breakthrough (6 x 6) for testing agents.
#pragma once

#include <fmt/format.h>

#include "play/native_game.h"

namespace parlor::play::games {

struct TicTacToe {
  std::int8_t cells[9];  // 0 empty, 1, 2
  std::int8_t moves;
  std::int8_t winner;  // 0 none yet, 1, 2

  static GameInfo info() {
    GameInfo info;
    info.id = "native-tic-tac-toe";
    info.actions = {"place"};
    return info;
  }
  void start(Rng&) {}
  Decision decision() const {
    if (winner != 0 || moves == 9) return {};
    return turn_of(moves % 2);
  }
  void list(OptionList& out) const {
    if (winner != 0) return;
    for (int cell = 0; cell < 9; ++cell)
      if (cells[cell] == 0) out.add(Option{static_cast<std::uint64_t>(cell)});
  }
  void apply(std::uint64_t cell) {
    constexpr int lines[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6},
                                 {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};
    const auto mark = static_cast<std::int8_t>(moves % 2 + 1);
    cells[cell] = mark;
    ++moves;
    for (const auto& line : lines)
      if (cells[line[0]] == mark && cells[line[1]] == mark && cells[line[2]] == mark) winner = mark;
  }
  Outcome outcome() const { return two_player_outcome(winner - 1, winner ? "line" : "full"); }
  void returns(std::span<std::int64_t> out) const { two_player_returns(winner - 1, out); }
  Json view(const Viewer&) const { return {{"cells", cells}, {"active", moves % 2}}; }
  std::string text(std::uint64_t cell) const { return fmt::format("place {}", cell); }
};

struct ConnectFour {
  static constexpr int columns = 7, rows = 6;
  std::int8_t cells[rows][columns];
  std::int8_t heights[columns];
  std::int8_t moves;
  std::int8_t winner;

  static GameInfo info() {
    GameInfo info;
    info.id = "native-connect-four";
    info.actions = {"drop"};
    return info;
  }
  void start(Rng&) {}
  Decision decision() const {
    if (winner != 0 || moves == rows * columns) return {};
    return turn_of(moves % 2);
  }
  void list(OptionList& out) const {
    if (winner != 0) return;
    for (int column = 0; column < columns; ++column)
      if (heights[column] < rows) out.add(Option{static_cast<std::uint64_t>(column)});
  }
  int run(int row, int column, int rise, int side) const {
    const auto mark = cells[row][column];
    int length = 0;
    for (row += rise, column += side;
         row >= 0 && row < rows && column >= 0 && column < columns && cells[row][column] == mark;
         row += rise, column += side)
      ++length;
    return length;
  }
  void apply(std::uint64_t column) {
    const int row = heights[column]++;
    const int at = static_cast<int>(column);
    cells[row][at] = static_cast<std::int8_t>(moves % 2 + 1);
    constexpr int directions[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    for (const auto& [rise, side] : directions)
      if (run(row, at, rise, side) + run(row, at, -rise, -side) >= 3) winner = cells[row][at];
    ++moves;
  }
  Outcome outcome() const { return two_player_outcome(winner - 1, winner ? "line" : "full"); }
  void returns(std::span<std::int64_t> out) const { two_player_returns(winner - 1, out); }
  Json view(const Viewer&) const { return {{"cells", cells}, {"active", moves % 2}}; }
  std::string text(std::uint64_t column) const { return fmt::format("drop {}", column); }
};

// Pawns step or slant forwards, capture slantwise; reaching the far row wins.
struct Breakthrough {
  static constexpr int side = 6;
  std::int8_t cells[side * side];  // 0 empty, 1 first player (moves up), 2 second
  std::int16_t moves;
  std::int8_t winner;
  std::int8_t pieces[2];

  static GameInfo info() {
    GameInfo info;
    info.id = "native-breakthrough";
    info.actions = {"move"};
    return info;
  }
  void start(Rng&) {
    for (int i = 0; i < 2 * side; ++i) {
      cells[i] = 1;
      cells[side * side - 1 - i] = 2;
    }
    pieces[0] = pieces[1] = 2 * side;
  }
  Decision decision() const { return winner != 0 ? Decision{} : turn_of(moves % 2); }
  void list(OptionList& out) const {
    if (winner != 0) return;
    const int mine = moves % 2 + 1;
    const int step = mine == 1 ? side : -side;
    for (int from = 0; from < side * side; ++from) {
      if (cells[from] != mine) continue;
      for (int slant = -1; slant <= 1; ++slant) {
        const int column = from % side + slant;
        const int to = from + step + slant;
        if (column < 0 || column >= side || cells[to] == mine) continue;
        if (slant == 0 && cells[to] != 0) continue;
        out.add(Option{static_cast<std::uint64_t>(from * 64 + to)});
      }
    }
  }
  void apply(std::uint64_t move) {
    const auto from = static_cast<int>(move / 64);
    const auto to = static_cast<int>(move % 64);
    const int mine = moves % 2 + 1;
    if (cells[to] != 0) --pieces[2 - mine];
    cells[to] = static_cast<std::int8_t>(mine);
    cells[from] = 0;
    ++moves;
    if (to / side == (mine == 1 ? side - 1 : 0) || pieces[2 - mine] == 0)
      winner = static_cast<std::int8_t>(mine);
  }
  Outcome outcome() const { return two_player_outcome(winner - 1, "breakthrough"); }
  void returns(std::span<std::int64_t> out) const { two_player_returns(winner - 1, out); }
  bool standing(std::span<std::int64_t> out) const {
    out[0] = pieces[0] - pieces[1];
    out[1] = -out[0];
    return true;
  }
  Json view(const Viewer&) const { return {{"cells", cells}, {"active", moves % 2}}; }
  std::string text(std::uint64_t move) const {
    return fmt::format("move {}-{}", move / 64, move % 64);
  }
};

}  // namespace parlor::play::games
