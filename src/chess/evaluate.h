// Who stands better, by the rules in force: material, where pieces stand and what they reach,
// pawns, the safety of kings; whatever presets say about their own goals (Preset::appraisal); and
// in plain chess what a network has learnt beyond that.
#pragma once

#include "chess/engine.h"
#include "chess/weights.h"

namespace parlor::chess::inline PARLOR_BOARD {

// What the rules in force mean for whoever looks ahead.
struct Outlook {
  bool plain = true;   // no rule but those of FIDE
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

// What can be said in words, in hundredths of a pawn, for the side to move.
int known_worth(const Engine& engine, const Outlook& outlook, PawnTable* seen = nullptr);

// Whether the network (network.h) adds what it has learnt: that is chess as FIDE has it. Without
// pawns, or against a bare king, what can be won and how is known better than learnt.
bool network_knows(const Engine& engine, const Outlook& outlook);

// Both together.
int evaluate(const Engine& engine, const Outlook& outlook);
inline int evaluate(const Engine& engine) {
  return evaluate(engine, outlook_of(engine));
}

// Whether the exchange that a move begins on its square brings the mover at least so much, if
// everybody captures with the least first. For FIDE pieces; not for castling.
bool exchange_holds(const Board& board, Move move, int least = 0);

}  // namespace parlor::chess::inline PARLOR_BOARD
