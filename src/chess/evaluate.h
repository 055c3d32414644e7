// Who stands better, by the rules in force: material, where pieces stand and what they reach,
// pawns, the safety of kings; and whatever presets say about their own goals (Preset::appraisal).
#pragma once

#include "chess/engine.h"
#include "chess/weights.h"

namespace parlor::chess::inline PARLOR_BOARD {

// What the rules in force mean for whoever looks ahead.
struct Outlook {
  int material = 100;  // what a piece is worth, in percent; below 0: better to be rid of it
  bool captures_forced = false;  // whoever can capture must
  bool one_move_each = true;     // turns are one move long
  bool fide_captures = true;     // captures are made and answered as FIDE has it
  bool royals_guarded = true;    // both sides keep a royal piece safe
};
Outlook outlook_of(const Engine& engine);

// What pawns and kings alone decide. Whoever looks at many positions of a game keeps it: pawns
// seldom move.
struct PawnView {
  std::uint64_t key = 0;
  Worth worth;          // White's less Black's
  Bitboard passed = 0;  // of both
};
using PawnTable = std::array<PawnView, 4096>;

// In hundredths of a pawn, for the side to move.
int evaluate(const Engine& engine, const Outlook& outlook, PawnTable* seen = nullptr);
inline int evaluate(const Engine& engine) {
  return evaluate(engine, outlook_of(engine));
}

// Whether the exchange that a move begins on its square brings the mover at least so much, if
// everybody captures with the least first. For FIDE pieces; not for castling.
bool exchange_holds(const Board& board, Move move, int least = 0);

}  // namespace parlor::chess::inline PARLOR_BOARD
