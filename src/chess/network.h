// A small neural network that knows what the evaluation cannot say in words (evaluate.h), for chess
// as FIDE has it, on 8×8. Each side sees the board from its own edge: every piece adds its column
// of numbers to what is seen. That is bounded and squared, and a weighted sum of both views says
// how much better the side to move stands than it seems. A move changes few columns, so whoever
// looks ahead takes over what was seen before it (Sight). The numbers are learnt
// (bench/chess_fit.cpp) and stand in network_numbers.cpp as text. Whole numbers only: every machine
// says the same.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "chess/board.h"

namespace parlor::chess::inline PARLOR_BOARD {

struct Network {
  static constexpr std::size_t inputs = 768;  // own or not, six types, 64 squares
  static constexpr std::size_t width = 32;    // of one view
  static constexpr std::size_t stages = 8;    // of a game, by how many pieces are left
  // What 1 is written as: of what is seen, whose square fits into 16 bits, and of the last layer.
  static constexpr int seen_unit = 181;
  static constexpr int worth_unit = 64;
  static constexpr int pawn_unit = 400;  // hundredths of a pawn that 1 means in the end

  using View = std::array<std::int16_t, width>;
  alignas(64) std::array<View, inputs> column{};
  alignas(64) View before{};                                    // what is seen of an empty board
  alignas(64) std::array<std::array<View, 2>, stages> worth{};  // of the own view and of the other
  std::array<std::int32_t, stages> base{};

  static std::size_t stage_of(int pieces) {
    return static_cast<std::size_t>(pieces - 1) * stages / 32;
  }
  // The column of a piece for a side that looks at the board from its own edge, and from the
  // other wing if its king stands on the right: which wing that is makes no difference otherwise.
  static std::size_t column_of(PieceCode code, Square square, Side viewer, bool turned) {
    const unsigned seen = square ^ (viewer == black ? 56u : 0u) ^ (turned ? 7u : 0u);
    const unsigned whose = side_of(code) == viewer ? 0 : 6;
    return (whose + type_of(code) - 1) * 64 + seen;
  }
  static bool turns(Square king_square) { return file_of(king_square) >= board_files / 2; }
};

// As it was learnt; filled once before main.
extern const Network learnt_network;

// What both sides see of a board on which each has one king and FIDE pieces.
class Sight {
 public:
  void look(const Board& board);
  // The same, by what is different on a board that was looked at before.
  void look(const Board& board, const Board& before, const Sight& seen_before);
  // In hundredths of a pawn, for the side to move.
  int judge(const Board& board) const;

 private:
  void look_for(Side viewer, const Board& board);

  alignas(64) std::array<Network::View, 2> seen_;  // by side
  std::array<bool, 2> turned_{};
  int pieces_ = 0;
};

// Numbers from -2048 to 2047 as text, two characters each.
std::string_view network_numbers();

}  // namespace parlor::chess::inline PARLOR_BOARD
