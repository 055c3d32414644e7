// Quoridor as plainly as possible: two pawns on 81 squares, and for each of the 64 crossings how a
// wall lies there.
#pragma once

#include <array>
#include <deque>
#include <set>

#include "games/side_by_side.h"

namespace parlor::plain {

struct Quoridor {
  struct Square {
    int row, col;
    auto operator<=>(const Square&) const = default;
    Square operator+(Square by) const { return {row + by.row, col + by.col}; }
    bool on_board() const { return row >= 0 && row < 9 && col >= 0 && col < 9; }
  };
  static constexpr std::array<Square, 4> ways{{{-1, 0}, {1, 0}, {0, -1}, {0, 1}}};

  std::array<Square, 2> pawns{{{8, 4}, {0, 4}}};
  std::array<int, 2> left{10, 10};
  std::array<std::array<char, 8>, 8> walls{};  // 'h', 'v' or 0; the crossing south-east of a square
  int turn = 0;

  static Quoridor begin(const State&) { return {}; }
  int player() const { return turn; }
  char wall(int row, int col) const {
    return row < 0 || row > 7 || col < 0 || col > 7
               ? '\0'
               : walls[static_cast<std::size_t>(row)][static_cast<std::size_t>(col)];
  }
  // Whether one can go one square that way, as far as the edge and walls are concerned.
  bool can_go(Square from, Square way) const {
    if (!(from + way).on_board()) return false;
    if (way.col == 0) {  // north or south
      const int row = way.row < 0 ? from.row - 1 : from.row;
      return wall(row, from.col) != 'h' && wall(row, from.col - 1) != 'h';
    }
    const int col = way.col < 0 ? from.col - 1 : from.col;
    return wall(from.row, col) != 'v' && wall(from.row - 1, col) != 'v';
  }
  bool can_finish(int who) const {
    const int goal = who == 0 ? 0 : 8;
    std::set<Square> seen{pawns[static_cast<std::size_t>(who)]};
    std::deque<Square> open(seen.begin(), seen.end());
    for (; !open.empty(); open.pop_front()) {
      if (open.front().row == goal) return true;
      for (const Square way : ways)
        if (can_go(open.front(), way) && seen.insert(open.front() + way).second)
          open.push_back(open.front() + way);
    }
    return false;
  }
  std::set<Square> goals() const {
    std::set<Square> out;
    const Square from = pawns[static_cast<std::size_t>(turn)];
    const Square other = pawns[static_cast<std::size_t>(1 - turn)];
    for (const Square way : ways) {
      if (!can_go(from, way)) continue;
      if (from + way != other) {
        out.insert(from + way);
      } else if (can_go(other, way)) {
        out.insert(other + way);
      } else {
        for (const Square side : {Square{way.col, way.row}, Square{-way.col, -way.row}})
          if (can_go(other, side)) out.insert(other + side);
      }
    }
    return out;
  }
  static std::string place(Square s) { return fmt::format("place_{}_{}", 2 * s.row, 2 * s.col); }
  games::Texts options() const {
    games::Texts out;
    for (const Square to : goals()) out.push_back(fmt::format("move {}", place(to)));
    if (left[static_cast<std::size_t>(turn)] == 0) return out;
    for (int row = 0; row < 8; ++row)
      for (int col = 0; col < 8; ++col) {
        if (wall(row, col) != '\0') continue;
        for (const char lie : {'h', 'v'}) {
          const bool touches = lie == 'h' ? wall(row, col - 1) == 'h' || wall(row, col + 1) == 'h'
                                          : wall(row - 1, col) == 'v' || wall(row + 1, col) == 'v';
          if (touches) continue;
          Quoridor next = *this;
          next.walls[static_cast<std::size_t>(row)][static_cast<std::size_t>(col)] = lie;
          if (next.can_finish(0) && next.can_finish(1))
            out.push_back(fmt::format("{}-wall place_{}_{}", lie == 'h' ? "horizontal" : "vertical",
                                      2 * row + 1, 2 * col + 1));
        }
      }
    return out;
  }
  void apply(const std::string& option, const State&) {
    const auto words = games::words_of(option);
    int row = 0, col = 0;
    std::sscanf(words.back().c_str(), "place_%d_%d", &row, &col);
    if (words[0] == "move") {
      pawns[static_cast<std::size_t>(turn)] = {row / 2, col / 2};
    } else {
      walls[static_cast<std::size_t>(row / 2)][static_cast<std::size_t>(col / 2)] = words[0][0];
      --left[static_cast<std::size_t>(turn)];
    }
    turn = 1 - turn;
  }
  bool over() const { return pawns[0].row == 0 || pawns[1].row == 8; }
  std::vector<int> winners() const { return {pawns[0].row == 0 ? 0 : 1}; }
  std::string text() const {
    std::string board(17 * 17, '.');
    const auto put = [&](int r, int c, char letter) {
      board[static_cast<std::size_t>(17 * r + c)] = letter;
    };
    for (int row = 0; row < 8; ++row)
      for (int col = 0; col < 8; ++col)
        for (int k = -1; wall(row, col) != '\0' && k <= 1; ++k)
          put(2 * row + 1 + (wall(row, col) == 'v' ? k : 0),
              2 * col + 1 + (wall(row, col) == 'h' ? k : 0), '#');
    put(2 * pawns[0].row, 2 * pawns[0].col, 'w');
    put(2 * pawns[1].row, 2 * pawns[1].col, 'b');
    return fmt::format("{} {} {}", board, left[0], left[1]);
  }
  static std::string text_of(const State& state) {
    const Json view = state.view();
    const std::string board =
        games::text_of(games::board_of(state), "place", 17, 17, [](const games::Token& token) {
          return token.type == "wall" ? '#' : games::by_owner('w', 'b')(token);
        });
    return fmt::format("{} {} {}", board, view["players"][0]["wallsLeft"].get<int>(),
                       view["players"][1]["wallsLeft"].get<int>());
  }
};

}  // namespace parlor::plain
