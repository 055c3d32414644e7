// Step 3 of the move query: a side must not leave its royals attacked. Most moves are settled by
// lines, many at a time: who strikes a royal, and who would if something moved out of the way or in
// between. Where presets have a say in what a move does or who attacks, the others are tried out.
#pragma once

#include "chess/engine.h"

namespace parlor::chess::inline PARLOR_BOARD {

class SelfCheck {
 public:
  SelfCheck(const Engine& engine, Side us, Bitboard royals);

  // Whether there is anybody to guard, or may be after a move.
  bool needed() const;
  // How many of the moves are safe.
  std::size_t count_safe(MoveSet moves);
  bool safe(Move move);

 private:
  // A line of an enemy piece to a royal.
  struct Danger {
    Square origin;
    Line line;
    int blockers;
    // Where a piece that is not that royal may go for its sake.
    Bitboard allowed(Square from, Bitboard occupied) const;
  };
  void find_dangers();
  void add_danger(Square origin, const Line& line);
  Bitboard allowed(Square from) const;
  // What the lines say about a move: 1 safe, -1 not safe, 0 nothing.
  int settled(Move move) const;

  bool safe_by_lines(Move move) const;
  bool castling_safe_by_lines(Move move) const;

  bool safe_when_played(Move move);
  bool safe_with_hooks(Move move);
  bool castling_path_safe(Move move);
  bool castled_safe(Move move);
  void play(Move move);
  void remove(Square square);
  void shift(Square from, Square to);
  void place(Square square, PieceType type, Slot slot);

  const Side us_;
  const Side them_;
  const Engine& engine_;
  const Bitboard royals_;
  const bool damage_;            // presets deal with captures and damage
  const bool disturbed_;         // what a move sets off can change who stands where
  const bool filters_;           // presets take captures away from the other side
  bool lines_only_;              // nobody has to be asked: lines say everything
  bool lines_help_;              // they say something
  bool strangers_near_ = false;  // pieces shaped by hooks may strike a royal
  std::array<Guard, 8> guards_;
  std::size_t guard_count_ = 0;
  Bitboard answers_ = ~Bitboard{0};
  Bitboard pinned_ = 0;
  std::array<Danger, 48> dangers_;
  std::size_t danger_count_ = 0;

  union {
    Position scratch_;  // where moves are tried; filled when the first one has to be
  };
  bool copied_ = false;
  Engine inner_;
};

}  // namespace parlor::chess::inline PARLOR_BOARD
