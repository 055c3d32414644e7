#include "chess/self_check.h"

namespace parlor::chess::inline PARLOR_BOARD {

SelfCheck::SelfCheck(const Engine& engine, Side us, Bitboard royals)
    : us_(us),
      them_(other(us)),
      engine_(engine),
      royals_(royals),
      damage_((engine.asked(Hook::on_before_capture, us) | engine.asked(Hook::on_damage, white) |
               engine.asked(Hook::on_damage, black)) != 0),
      disturbed_(engine.disturbed() && !engine.probing_),
      filters_(engine.asked(Hook::filter_moves, them_) != 0),
      inner_(*engine.book_, scratch_, engine.ruled_) {
  inner_.probing_ = true;
  const bool royals_known = engine.asked(Hook::get_royal_pieces, us) == 0;
  lines_help_ = royals_known && !disturbed_ && !damage_ &&
                static_cast<std::size_t>(count(royals)) <= guards_.size();
  if (lines_help_) find_dangers();
  lines_only_ = lines_help_ && !filters_ && engine.shaped_pieces(them_) == 0;
}

bool SelfCheck::needed() const {
  return royals_ != 0 || engine_.asked(Hook::get_royal_pieces, us_) != 0 ||
         engine_.may_raise_royals(us_);
}

// ---- Lines

void SelfCheck::find_dangers() {
  const Board& board = engine_.board();
  const MovementSet* set = engine_.moving();
  const TypeSet moved = set != nullptr ? set->moved[them_] : TypeSet{0};
  const Bitboard theirs = board.of(them_) & ~engine_.shaped_pieces(them_);
  const Bitboard plain = moved != 0 ? theirs & ~board.of(moved) : theirs;
  for (const Square square : squares_of(royals_)) {
    const Guard guard = guards_[guard_count_++] = guard_of(board, square, us_, plain);
    answers_ &= guard.answers;
    pinned_ |= guard.pinned;
    if (engine_.nearby_shaped(square, them_) != 0) strangers_near_ = true;
    for (unsigned left = moved; left != 0; left &= left - 1) {
      const auto type = static_cast<PieceType>(std::countr_zero(left));
      const Reach& reach = *set->of(them_, type);
      for (const Square from : squares_of(board.of(type) & theirs & reach.origins(square)))
        for (const Line& line : reach.lines(from, square)) add_danger(from, line);
    }
  }
}

void SelfCheck::add_danger(Square origin, const Line& line) {
  const int blockers = count(line.between & engine_.board().occupied());
  if (blockers > (line.hops ? 2 : 1)) return;
  if (danger_count_ < dangers_.size())
    dangers_[danger_count_++] = {origin, line, blockers};
  else
    lines_help_ = false;
}

Bitboard SelfCheck::Danger::allowed(Square from, Bitboard occupied) const {
  const bool on_line = has(line.between, from);
  const Bitboard everywhere = ~Bitboard{0};
  const Bitboard taking = bit(origin);
  if (!line.hops) return blockers == 0 || on_line ? line.between | taking : everywhere;
  // Struck over exactly one piece: step in between, or be the one that leaves.
  if (blockers == 0) return ~line.between;
  if (blockers == 1) return on_line ? ~line.between : (line.between & ~occupied) | taking;
  return on_line ? (line.between & ~occupied) | taking : everywhere;
}

namespace {

// Where a piece pinned to a royal may go: up to whoever pins it, and not beyond, which only pieces
// that leap in strange ways could do.
Bitboard pin_line(const Board& board, Square royal, Square from, Side them) {
  const Bitboard seen =
      queen_attacks(royal, board.occupied() & ~bit(from)) & line(royal, from) & board.of(them);
  for (const Square sniper : squares_of(seen))
    if (has(between(royal, sniper), from)) return between(royal, sniper) | bit(sniper);
  return ~Bitboard{0};
}

}  // namespace

Bitboard SelfCheck::allowed(Square from) const {
  Bitboard mask = answers_;
  if (has(pinned_, from))
    for (std::size_t i = 0; i < guard_count_; ++i)
      if (has(guards_[i].pinned, from))
        mask &= pin_line(engine_.board(), guards_[i].square, from, them_);
  const Bitboard occupied = engine_.board().occupied();
  for (std::size_t i = 0; i < danger_count_; ++i) mask &= dangers_[i].allowed(from, occupied);
  return mask;
}

int SelfCheck::settled(Move move) const {
  // A drop answers a check or is none of its business; only pieces that need something to hop over
  // mind it.
  if (move.kind() == MoveKind::drop && danger_count_ == 0 && !strangers_near_ && !filters_ &&
      !engine_.royal_type(us_, move.promotion()))
    return has(answers_, move.to()) ? 1 : -1;
  if (move.kind() > MoveKind::double_step || has(royals_, move.from())) return 0;
  if (move.promotion() != no_type && engine_.royal_type(us_, move.promotion())) return 0;
  if (has(allowed(move.from()), move.to())) return strangers_near_ ? 0 : 1;
  return filters_ ? 0 : -1;
}

bool SelfCheck::safe_by_lines(Move move) const {
  if (move.kind() == MoveKind::castling) return castling_safe_by_lines(move);
  const Board& board = engine_.board();
  Bitboard occupied = board.occupied();
  Bitboard theirs = board.of(them_);
  Bitboard royals = royals_;
  if (move.kind() != MoveKind::pass) {
    const Square victim = move.kind() == MoveKind::en_passant ? move.victim() : move.to();
    theirs &= ~bit(victim);
    occupied = (occupied & ~bit(victim) & ~bit(move.from())) | bit(move.to());
    const bool royal = move.promotion() != no_type ? engine_.royal_type(us_, move.promotion())
                                                   : has(royals, move.from());
    royals &= ~bit(move.from());
    if (royal) royals |= bit(move.to());
  }
  for (const Square square : squares_of(royals))
    if (engine_.strikes(square, them_, occupied, theirs)) return false;
  return true;
}

bool SelfCheck::castling_safe_by_lines(Move move) const {
  const Board& board = engine_.board();
  const Bitboard theirs = board.of(them_);
  const Castling castling(us_, move);
  const auto struck = [&](Square square, bool king_left) {
    Bitboard occupied = board.occupied();
    if (king_left) occupied = (occupied & ~bit(castling.king)) | bit(square);
    return engine_.strikes(square, them_, occupied, theirs);
  };
  if (has(royals_, castling.king) && !engine_.castles_freely(us_) &&
      !castling_way_safe(castling, struck))
    return false;
  const Bitboard occupied = castling.occupied_after(board.occupied());
  for (const Square square : squares_of(castling.royals_after(royals_)))
    if (engine_.strikes(square, them_, occupied, theirs)) return false;
  return true;
}

// ---- Both

std::size_t SelfCheck::count_safe(MoveSet moves) {
  std::size_t total = 0;
  if (lines_help_ && !has(royals_, moves.from)) {
    const Bitboard mask = allowed(moves.from);
    const Bitboard simple = moves.simple();
    const Bitboard sure = strangers_near_ ? 0 : simple & mask;
    const Bitboard lost = filters_ ? 0 : simple & ~mask;
    total = static_cast<std::size_t>(count(sure));
    moves.quiet &= ~(sure | lost);
    moves.capture &= ~(sure | lost);
  }
  if ((moves.quiet | moves.capture) == 0 && moves.special_count == 0) return total;
  MoveList left;
  moves.list(left);
  for (const Move move : left)
    if (safe(move)) ++total;
  return total;
}

bool SelfCheck::safe(Move move) {
  if (lines_help_) {
    if (const int answer = settled(move); answer != 0) return answer > 0;
    if (lines_only_) return safe_by_lines(move);
  }
  if (!copied_) engine_.copy_position(scratch_);
  copied_ = true;
  if (move.kind() == MoveKind::castling && !castling_path_safe(move)) return false;
  if (disturbed_) return safe_with_hooks(move);
  return move.kind() == MoveKind::castling ? castled_safe(move) : safe_when_played(move);
}

// ---- Trying moves out

bool SelfCheck::safe_when_played(Move move) {
  const Board& board = scratch_.board;
  const bool takes = move.kind() == MoveKind::en_passant || !board.empty(move.to());
  if (damage_ && takes) return safe_with_hooks(move);
  const Board saved = board;
  const auto slots = scratch_.slot_on;
  const auto squares = scratch_.square_of;
  play(move);
  const bool ok = !inner_.in_check(us_);
  scratch_.board = saved;
  scratch_.slot_on = slots;
  scratch_.square_of = squares;
  return ok;
}

void SelfCheck::play(Move move) {
  if (move.kind() == MoveKind::pass) return;
  Board& board = scratch_.board;
  if (move.kind() == MoveKind::drop) return board.put(move.to(), move.promotion(), us_);
  if (move.kind() == MoveKind::en_passant)
    remove(move.victim());
  else if (!board.empty(move.to()))
    remove(move.to());
  shift(move.from(), move.to());
  if (move.promotion() != no_type) {
    board.remove(move.to());
    board.put(move.to(), move.promotion(), us_);
  }
  board.ep = no_square;
}

void SelfCheck::remove(Square square) {
  scratch_.board.remove(square);
  scratch_.slot_on[square] = 0;
}

void SelfCheck::shift(Square from, Square to) {
  scratch_.board.shift(from, to);
  scratch_.slot_on[to] = scratch_.slot_on[from];
  scratch_.slot_on[from] = 0;
  scratch_.square_of[scratch_.slot_on[to]] = to;
}

void SelfCheck::place(Square square, PieceType type, Slot slot) {
  scratch_.board.put(square, type, us_);
  scratch_.slot_on[square] = slot;
  scratch_.square_of[slot] = square;
}

// Captures may do anything when presets deal with damage, and any move when they act after it: run
// the real thing on a second copy.
bool SelfCheck::safe_with_hooks(Move move) {
  Position after;
  inner_.copy_position(after);
  Engine engine(*inner_.book_, after, inner_.ruled_);
  engine.probing_ = true;
  MoveEvent event = engine.begin_event(move);
  if (disturbed_) {
    // A move a rule cancels is for others to judge.
    if (!engine.apply(move, nullptr, Engine::Purpose::probing)) return true;
  } else {
    engine.resolve(move, event);
  }
  for (const Square square : squares_of(royals_)) {
    const EntityId id = scratch_.id_of[scratch_.slot_on[square]];
    if (id != event.piece.id && !engine.piece(id)) return false;  // the move killed an own royal
  }
  const Bitboard left = engine.royals(us_);
  if (left == 0 && royals_ != 0) return false;
  return !engine.in_check(us_);
}

// The king walks the way on the copy; where the rook stands it is enough that it is gone.
bool SelfCheck::castling_path_safe(Move move) {
  if (!has(royals_, move.from()) || engine_.castles_freely(us_)) return true;
  const Castling castling(us_, move);
  const Board saved = scratch_.board;
  const auto slots = scratch_.slot_on;
  const auto squares = scratch_.square_of;
  Square at = castling.king;
  const bool ok = castling_way_safe(castling, [&](Square square, bool) {
    if (square == castling.rook) {
      const Board before = scratch_.board;
      scratch_.board.remove(at);
      const bool hit = inner_.attacked(square, them_);
      scratch_.board = before;
      return hit;
    }
    if (square != at) shift(at, square);
    at = square;
    return inner_.attacked(square, them_);
  });
  scratch_.board = saved;
  scratch_.slot_on = slots;
  scratch_.square_of = squares;
  return ok;
}

// And not into check.
bool SelfCheck::castled_safe(Move move) {
  const Castling castling(us_, move);
  const Board saved = scratch_.board;
  const auto slots = scratch_.slot_on;
  const auto squares = scratch_.square_of;
  const Slot king_slot = scratch_.slot_on[castling.king];
  const Slot rook_slot = scratch_.slot_on[castling.rook];
  const PieceType king_type = scratch_.board.type_on(castling.king);
  const PieceType rook_type = scratch_.board.type_on(castling.rook);
  remove(castling.king);
  remove(castling.rook);
  place(castling.king_to, king_type, king_slot);
  place(castling.rook_to, rook_type, rook_slot);
  const bool ok = !inner_.in_check(us_);
  scratch_.board = saved;
  scratch_.slot_on = slots;
  scratch_.square_of = squares;
  return ok;
}

}  // namespace parlor::chess::inline PARLOR_BOARD
