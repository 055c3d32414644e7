// The rules of pawns that are not a way of moving (movement.h has those), here and nowhere else:
// where pawns begin and end, and en passant. They hold for every board and under every preset.
#pragma once

#include "chess/board.h"

namespace parlor::chess::inline PARLOR_BOARD {

// On boards of ten ranks there is one more between officers and pawns.
constexpr int pawn_rank(Side side) {
  constexpr int ahead = board_ranks > 8 ? 2 : 1;
  return side == white ? ahead : board_ranks - 1 - ahead;
}
// Where they are promoted.
constexpr int last_rank(Side side) {
  return first_rank_of(other(side));
}

// The square a pawn passes with a double step, around the edge too.
constexpr Square passed_square(Square from, Square to) {
  int sideways = file_of(to) - file_of(from);
  if (sideways > 2) sideways -= board_files;
  if (sideways < -2) sideways += board_files;
  return square_at((file_of(from) + sideways / 2 + board_files) % board_files,
                   (rank_of(from) + rank_of(to)) / 2);
}
// The rank of such squares, for the side that takes there.
constexpr int passed_rank(Side taker) {
  return pawn_rank(other(taker)) + (taker == white ? -1 : 1);
}

// Somebody of the other side has just passed a square, which is empty.
inline bool en_passant_open(const Board& board, Side taker) {
  return board.ep != no_square && board.empty(board.ep) && !board.empty(board.ep_victim) &&
         board.side_on(board.ep_victim) != taker;
}
// The FIDE pawns that could take there. Without one the right is void and must not tell positions
// apart (FIDE 9.2.3).
inline Bitboard en_passant_takers(const Board& board, Side taker) {
  return pawn_attacks(other(taker), board.ep) & board.of(taker, pawn);
}
inline Move en_passant_move(const Board& board, Square from) {
  return {from, board.ep, MoveKind::en_passant, no_type, board.ep_victim};
}

}  // namespace parlor::chess::inline PARLOR_BOARD
