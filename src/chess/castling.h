// The rules of castling, here and nowhere else: whose right it is, what must be empty, which
// squares must not be attacked, where king and rook end up. They are chess960's, of which the
// classic set-up is a case, and hold for every board and under every preset; who attacks what is
// for the caller to say. On the move, `from` is the king's square and `to` the rook's.
#pragma once

#include <optional>

#include "chess/board.h"

namespace parlor::chess::inline PARLOR_BOARD {

// Where king and rook stand afterwards: on the third file from the left and next to it, or on the
// second from the right and next to it.
constexpr Square castled_king(Side side, Wing wing) {
  return square_at(wing == Wing::king_side ? board_files - 2 : 2, first_rank_of(side));
}
constexpr Square castled_rook(Side side, Wing wing) {
  return square_at(wing == Wing::king_side ? board_files - 3 : 3, first_rank_of(side));
}
constexpr Wing wing_of(Move castling) {
  return file_of(castling.to()) > file_of(castling.from()) ? Wing::king_side : Wing::queen_side;
}

struct Castling {
  Square king, rook;        // where they are
  Square king_to, rook_to;  // where they go

  Castling(Side side, Wing wing, Square king_square, Square rook_square)
      : king(king_square),
        rook(rook_square),
        king_to(castled_king(side, wing)),
        rook_to(castled_rook(side, wing)) {}
  Castling(Side side, Move move) : Castling(side, wing_of(move), move.from(), move.to()) {}

  Move move() const { return {king, rook, MoveKind::castling}; }
  Bitboard movers() const { return bit(king) | bit(rook); }
  // What the king crosses, and the square it comes to.
  Bitboard king_way() const { return between(king, king_to) | bit(king_to); }
  // What must be empty, but for the two themselves.
  Bitboard needed() const {
    return (king_way() | between(rook, rook_to) | bit(rook_to)) & ~movers();
  }
  Bitboard occupied_after(const Bitboard& occupied) const {
    return (occupied & ~movers()) | bit(king_to) | bit(rook_to);
  }
  // The squares of royals afterwards, whichever of the two are royal.
  Bitboard royals_after(const Bitboard& royals) const {
    Bitboard out = royals & ~movers();
    if (has(royals, king)) out |= bit(king_to);
    if (has(royals, rook)) out |= bit(rook_to);
    return out;
  }
};

// The right is there, and nothing stands in the way.
inline std::optional<Castling> open_castling(const Board& board, Side side, Wing wing) {
  if (!board.can_castle(side, wing)) return std::nullopt;
  const Castling out(side, wing, board.castle_king[side],
                     board.castle_rook[castle_index(side, wing)]);
  if ((out.needed() & board.occupied()) != 0) return std::nullopt;
  return out;
}

// Not out of check, and not over a square that is attacked while the king is on its way, the one it
// comes to included. `attacked(square, king_left)` says whether a square is, with the king on its
// own square or gone from it; the rook is still where it was. Whether somebody royal is attacked in
// the end has to be asked besides.
template <class Attacked>
bool castling_way_safe(const Castling& castling, Attacked attacked) {
  if (attacked(castling.king, false)) return false;
  for (const Square square : squares_of(castling.king_way() & ~bit(castling.king)))
    if (attacked(square, true)) return false;
  return true;
}

}  // namespace parlor::chess::inline PARLOR_BOARD
