// How large the board is. Everything in src/chess is written for a board of `board_files` times
// `board_ranks` squares, known when it is compiled: a second board is a second compilation
// (CMakeLists.txt lists them), in an inline namespace of its own, so that several live in one
// program and 8×8 pays for none of the others. boards.h picks the one a game is played on.
#pragma once

#include <cstdint>
#include <type_traits>

#ifndef PARLOR_BOARD
#define PARLOR_BOARD board_8x8
#define PARLOR_BOARD_FILES 8
#define PARLOR_BOARD_RANKS 8
#endif

namespace parlor::chess::inline PARLOR_BOARD {

inline constexpr int board_files = PARLOR_BOARD_FILES;
inline constexpr int board_ranks = PARLOR_BOARD_RANKS;
inline constexpr int board_squares = board_files * board_ranks;
static_assert(board_files >= 4 && board_files <= 16 && board_ranks >= 4 && board_ranks <= 16);

// a1 is 0, b1 is 1, and so on along the ranks.
using Square = std::conditional_t<(board_squares < 256), std::uint8_t, std::uint16_t>;
inline constexpr Square no_square = board_squares;

constexpr int file_of(Square square) {
  return static_cast<int>(static_cast<unsigned>(square) % unsigned{board_files});
}
constexpr int rank_of(Square square) {
  return static_cast<int>(static_cast<unsigned>(square) / unsigned{board_files});
}
constexpr Square square_at(int file, int rank) {
  return static_cast<Square>(rank * board_files + file);
}
constexpr bool on_board(int file, int rank) {
  return file >= 0 && file < board_files && rank >= 0 && rank < board_ranks;
}

}  // namespace parlor::chess::inline PARLOR_BOARD
