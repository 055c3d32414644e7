// Legal moves of FIDE pieces, straight from bitboards: the path every position takes in which no
// house rule changes how pieces move. Which pieces are royal is a parameter, so chess, chess
// without kings and chess with five of them are the same code.
#pragma once

#include "chess/castling.h"
#include "chess/pawns.h"

namespace parlor::chess::inline PARLOR_BOARD {

// What may differ from FIDE without leaving this path.
struct PlainRules {
  std::array<TypeSet, 2> royal_types{types(king), types(king)};
  std::array<TypeSet, 2> promotions{fide_promotions, fide_promotions};
  std::array<bool, 2> royals_safe{true, true};  // a side must not leave its royals attacked
  bool castling = true;
  std::array<bool, 2> castle_freely{};  // out of check and through it, if not into it

  friend bool operator==(const PlainRules&, const PlainRules&) = default;
};

void legal_moves(const Board& board, const PlainRules& rules, MoveList& out);
// Of those only captures and promotions.
void noisy_moves(const Board& board, const PlainRules& rules, MoveList& out);
std::size_t count_legal_moves(const Board& board, const PlainRules& rules);

// What keeps one royal piece safe: where a check can be answered, and who is pinned to it.
struct Guard {
  Square square;
  Bitboard answers;  // everything while not in check
  Bitboard pinned;
};
// Against the FIDE pieces of the other side that stand on `theirs`.
Guard guard_of(const Board& board, Square square, Side us, Bitboard theirs);

// Whether a FIDE piece of `by` attacks the square, given what is occupied; pieces on squares
// outside `occupied` are ignored.
bool attacked(const Board& board, Square square, Side by, Bitboard occupied);
// The same for some of its pieces only.
bool attacked(const Board& board, Square square, Side by, Bitboard occupied, Bitboard theirs);
// The FIDE pieces of `by` that do.
Bitboard attackers(const Board& board, Square square, Side by, Bitboard occupied);
// What a FIDE piece other than a pawn attacks.
Bitboard piece_attacks(PieceType type, Square from, Bitboard occupied);

// The number of sequences of `depth` moves; draws that nobody's lack of moves makes do not end
// them.
std::uint64_t perft(const Board& board, const PlainRules& rules, int depth);

// Neither side can ever mate: bare kings, one minor piece, or only bishops of one square colour.
bool insufficient_material(const Board& board);

}  // namespace parlor::chess::inline PARLOR_BOARD
