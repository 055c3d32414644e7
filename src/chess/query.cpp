// The move query: royal set, moves per piece, self-check filter, legal filter. See engine.h.
#include <algorithm>
#include <cassert>
#include <fmt/core.h>
#include <mutex>
#include <set>

#include "chess/engine.h"

namespace parlor::chess {
namespace {

// Squares within so many king's steps, the square itself left out.
const auto neighbourhoods = [] {
  std::array<std::array<Bitboard, 64>, 8> out{};
  for (Square a = 0; a < 64; ++a)
    for (Square b = 0; b < 64; ++b) {
      const int distance =
          std::max(std::abs(file_of(a) - file_of(b)), std::abs(rank_of(a) - rank_of(b)));
      for (int radius = std::max(distance, 1); radius < 8; ++radius)
        if (a != b) out[static_cast<std::size_t>(radius)][a] |= bit(b);
    }
  return out;
}();

Targets pawn_targets(const Board& board, Square from, Side side) {
  const Bitboard empty = ~board.occupied();
  const auto forward = [side](Bitboard set) { return side == white ? north(set) : south(set); };
  Targets out;
  out.quiet = forward(bit(from)) & empty;
  if (rank_of(from) == pawn_rank(side)) out.quiet |= forward(out.quiet) & empty;
  Bitboard prey = board.of(other(side));
  if (board.ep != no_square && has(prey, board.ep_victim)) prey |= bit(board.ep);
  out.capture = pawn_attacks(side, from) & prey;
  return out;
}

#ifndef NDEBUG
// Each pair of presets that both override a piece is reported once.
void warn_once(std::string_view winner, std::string_view loser) {
  static std::mutex guard;
  static std::set<std::pair<std::string, std::string>> reported;
  const std::lock_guard lock(guard);
  if (reported.emplace(winner, loser).second)
    fmt::print(stderr,
               "warning: presets `{}` and `{}` both override the moves of one piece; the first one "
               "counts\n",
               winner, loser);
}
#endif

}  // namespace

void MoveSet::list(MoveList& out) const {
  for (const Square to : squares_of(quiet | capture)) {
    if (promotions != 0 && has(last_rank, to)) {
      for (int type = max_types - 1; type > 0; --type)
        if (includes(promotions, static_cast<PieceType>(type)))
          out.add({from, to, MoveKind::normal, static_cast<PieceType>(type)});
    } else {
      out.add({from, to, has(double_steps & quiet, to) ? MoveKind::double_step : MoveKind::normal});
    }
  }
  for (std::uint8_t i = 0; i < special_count; ++i) out.add(special[i]);
}

std::size_t MoveSet::count() const {
  const Bitboard raised = (quiet | capture) & ~simple();
  return static_cast<std::size_t>(chess::count(simple()) +
                                  chess::count(raised) * std::popcount(promotions)) +
         special_count;
}

// ---- Step 1

Bitboard Engine::royals(Side side) const {
  if (!ruled_) return board().of(side, king);
  bool contributed = position_->dispatch.royalty_declared[side] != 0;
  Bitboard out = contributed ? board().of(side, position_->dispatch.royal_types[side]) : 0;
  ask(Hook::get_royal_pieces, side, [&](const Hooks& hooks) {
    if (const auto answer = hooks.get_royal_pieces(*this, side)) {
      contributed = true;
      out |= *answer & board().of(side);
    }
    return false;
  });
  return contributed ? out : board().of(side, king);
}

bool Engine::self_check_filter(Side side) const {
  return !ask(Hook::should_filter_self_check, side,
              [&](const Hooks& hooks) { return !hooks.should_filter_self_check(*this, side); });
}

// ---- Step 2

Targets Engine::type_targets(const Piece& piece) const {
  if (piece.type == pawn) return pawn_targets(board(), piece.square, piece.side);
  if (piece.type <= king) {
    const Bitboard reach = piece_attacks(piece.type, piece.square, board().occupied());
    return {reach & ~board().occupied(), reach & board().of(other(piece.side))};
  }
  return book_->type(piece.type).targets(board(), piece.square, piece.side);
}

void Engine::add_pawn_moves(const Piece& piece, Targets targets, MoveSet& out) const {
  const Board& b = board();
  // A capture onto the empty en-passant square is one of the pawn that passed it.
  if (b.ep != no_square && has(targets.capture, b.ep) && b.empty(b.ep) && !b.empty(b.ep_victim) &&
      b.side_on(b.ep_victim) != piece.side)
    out.add_special({piece.square, b.ep, MoveKind::en_passant, no_type, b.ep_victim});
  for (const Square to : squares_of(targets.quiet))
    if (std::abs(rank_of(to) - rank_of(piece.square)) == 2) out.double_steps |= bit(to);
  out.promotions = ruled_ ? position_->dispatch.promotions[piece.side] : fide_promotions;
  out.last_rank = rank_bb(last_rank(piece.side));
}

void Engine::add_castling(const Piece& piece, MoveSet& out) const {
  const Board& b = board();
  if (b.castle_king[piece.side] != piece.square) return;
  for (const Wing wing : {Wing::king_side, Wing::queen_side}) {
    if (!b.can_castle(piece.side, wing)) continue;
    const Square tower = b.castle_rook[castle_index(piece.side, wing)];
    const Square king_to = castled_king(piece.side, wing);
    const Square rook_to = castled_rook(piece.side, wing);
    const Bitboard path =
        between(piece.square, king_to) | bit(king_to) | between(tower, rook_to) | bit(rook_to);
    if ((path & b.occupied() & ~bit(piece.square) & ~bit(tower)) == 0)
      out.add_special({piece.square, tower, MoveKind::castling});
  }
}

// In debug builds later presets are asked too, only to tell authors about a clash.
std::optional<MoveSet> Engine::overridden_moves(const Piece& piece) const {
  std::optional<MoveSet> out;
  [[maybe_unused]] std::string_view winner;
  ask(Hook::override_piece_moves, piece.side, [&](const Hooks& hooks) {
    auto answer = hooks.override_piece_moves(*this, piece);
    if (!answer) return false;
#ifndef NDEBUG
    if (out) {
      warn_once(winner, self_id());
      return true;
    }
    winner = self_id();
    out = answer;
    return false;
#else
    out = answer;
    return true;
#endif
  });
  return out;
}

MoveSet Engine::piece_moves(const Piece& piece) const {
  const bool shaped = ruled_ && includes(position_->dispatch.shaped[piece.side], piece.type);
  const auto answer = shaped && asked(Hook::override_piece_moves, piece.side) != 0
                          ? overridden_moves(piece)
                          : std::nullopt;
  MoveSet out = answer.value_or(MoveSet{});
  out.from = piece.square;
  if (!answer) {
    Targets targets = type_targets(piece);
    if (shaped)
      ask(Hook::transform_move_generator, piece.side, [&](const Hooks& hooks) {
        targets = hooks.transform_move_generator(*this, piece, targets);
        return false;
      });
    if (piece.type == pawn) add_pawn_moves(piece, targets, out);
    add_castling(piece, out);
    out.quiet = targets.quiet;
    out.capture = targets.capture;
    if (shaped)
      ask(Hook::get_extra_moves, piece.side, [&](const Hooks& hooks) {
        hooks.get_extra_moves(*this, piece, out);
        return false;
      });
  }
  out.quiet &= ~board().occupied();
  out.capture &= board().of(other(piece.side));
  ask(Hook::filter_moves, piece.side, [&](const Hooks& hooks) {
    hooks.filter_moves(*this, piece, out);
    return false;
  });
  return out;
}

// ---- Attacks come from step 2 as well. Types no hook shapes are looked up in reverse; of those
// only real attackers are asked about filters, which can but take moves away.

Bitboard Engine::shaped_pieces(Side side) const {
  const Board& b = board();
  Bitboard out = b.of(side) & ~(b.of(pawn) | b.of(knight) | b.of(bishop) | b.of(rook) |
                                b.of(queen) | b.of(king));
  if (ruled_ && position_->dispatch.shaped[side] != 0)
    out |= b.of(side, position_->dispatch.shaped[side]);
  return out;
}

// Those that could strike the square at all.
Bitboard Engine::nearby_shaped(Square square, Side by) const {
  const Bitboard shaped = shaped_pieces(by);
  if (shaped == 0 || board().has_foreign_types()) return shaped;
  return shaped & neighbourhoods[position_->dispatch.reach[by]][square];
}

bool Engine::attacked(Square square, Side by) const {
  const Bitboard shaped = shaped_pieces(by);
  Bitboard direct = attackers(board(), square, by, board().occupied()) & ~shaped;
  if (asked(Hook::filter_moves, by) == 0) {
    if (direct != 0) return true;
  } else {
    for (const Square from : squares_of(direct))
      if (has(piece_moves(piece_at(from)).capture, square)) return true;
  }
  if (shaped == 0) return false;
  for (const Square from : squares_of(nearby_shaped(square, by))) {
    const Piece piece = piece_at(from);
    const bool plain = piece.type > king &&
                       (!ruled_ || !includes(position_->dispatch.shaped[by], piece.type)) &&
                       asked(Hook::filter_moves, by) == 0;
    if (plain && book_->type(piece.type).attacks) {
      if (book_->type(piece.type).attacks(board(), from, square, by)) return true;
      continue;
    }
    const MoveSet moves = piece_moves(piece);
    if (has(moves.capture, square)) return true;
    for (std::uint8_t i = 0; i < moves.special_count; ++i)
      if (moves.special[i].kind() == MoveKind::en_passant && moves.special[i].victim() == square)
        return true;
  }
  return false;
}

bool Engine::in_check(Side side) const {
  for (const Square square : squares_of(royals(side)))
    if (attacked(square, other(side))) return true;
  return false;
}

// ---- Step 3: plays each move on a copy and looks whether the mover's royals are safe. Moves whose
// answer is plain from pins and checks are not played.

class SelfCheck {
 public:
  SelfCheck(const Engine& engine, Side us, Bitboard royals)
      : us_(us),
        engine_(engine),
        inner_(*engine.book_, scratch_, engine.ruled_),
        royals_(royals),
        damage_(engine.asked(Hook::on_before_capture, us) | engine.asked(Hook::on_damage, white) |
                engine.asked(Hook::on_damage, black)),
        filters_(engine.asked(Hook::filter_moves, other(us)) != 0) {
    screened_ = engine.asked(Hook::get_royal_pieces, us) == 0;
    if (screened_) screen();
  }

  bool needed() const { return royals_ != 0 || !screened_; }

  // How many of the moves are safe. Most are settled by pins and checks alone, many at a time.
  std::size_t count_safe(MoveSet moves) {
    std::size_t total = 0;
    if (screened_ && damage_ == 0 && !has(royals_ | pinned_, moves.from)) {
      const Bitboard sure = shaped_near_ ? 0 : moves.simple() & answers_;
      const Bitboard lost = filters_ ? 0 : moves.simple() & ~answers_;
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

  bool safe(Move move) {
    if (screened_ && damage_ == 0) {
      const int answer = screen(move);
      if (answer != 0) return answer > 0;
    }
    if (!copied_) engine_.copy_position(scratch_);
    copied_ = true;
    return move.kind() == MoveKind::castling ? castling_safe(move) : safe_when_played(move);
  }

 private:
  // Checks and pins by pieces that move as FIDE has it, and whether others are near.
  void screen() {
    const Board& board = engine_.board();
    const Side them = other(us_);
    const Bitboard plain = board.of(them) & ~engine_.shaped_pieces(them);
    for (const Square square : squares_of(royals_)) {
      const Guard guard = guard_of(board, square, us_, plain);
      answers_ &= guard.answers;
      pinned_ |= guard.pinned;
      if (engine_.nearby_shaped(square, them) != 0) shaped_near_ = true;
    }
  }
  // 1 safe, -1 not safe, 0 cannot tell.
  int screen(Move move) const {
    if (move.kind() > MoveKind::double_step || has(royals_, move.from()) ||
        has(pinned_, move.from()))
      return 0;
    if (move.promotion() != no_type) return 0;
    if (has(answers_, move.to())) return shaped_near_ ? 0 : 1;
    return filters_ ? 0 : -1;
  }

  bool safe_when_played(Move move) {
    const Board& board = scratch_.board;
    const bool takes = move.kind() == MoveKind::en_passant || !board.empty(move.to());
    if (damage_ != 0 && takes) return safe_with_hooks(move);
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

  void play(Move move) {
    if (move.kind() == MoveKind::pass) return;
    Board& board = scratch_.board;
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
  void remove(Square square) {
    scratch_.board.remove(square);
    scratch_.slot_on[square] = 0;
  }
  void shift(Square from, Square to) {
    scratch_.board.shift(from, to);
    scratch_.slot_on[to] = scratch_.slot_on[from];
    scratch_.slot_on[from] = 0;
    scratch_.square_of[scratch_.slot_on[to]] = to;
  }

  // Captures may do anything when presets deal with damage: run the real thing on a second copy.
  bool safe_with_hooks(Move move) {
    Position after;
    inner_.copy_position(after);
    Engine engine(*inner_.book_, after, inner_.ruled_);
    MoveEvent event;
    event.move = move;
    event.mover = us_;
    event.piece = engine.piece_at(move.from());
    engine.resolve(move, event);
    for (const Square square : squares_of(royals_)) {
      const EntityId id = scratch_.id_of[scratch_.slot_on[square]];
      if (id != event.piece.id && !engine.piece(id)) return false;  // the move killed an own royal
    }
    const Bitboard left = engine.royals(us_);
    if (left == 0 && royals_ != 0) return false;
    return !engine.in_check(us_);
  }

  // Not out of check, not through an attacked square, not into check.
  bool castling_safe(Move move) {
    const Side them = other(us_);
    const Wing wing = wing_of(move);
    const Square king_to = castled_king(us_, wing);
    const Square rook_to = castled_rook(us_, wing);
    const Board saved = scratch_.board;
    const auto slots = scratch_.slot_on;
    const auto squares = scratch_.square_of;
    bool ok = true;
    if (has(royals_, move.from())) {
      ok = !inner_.attacked(move.from(), them);
      Square at = move.from();
      for (Bitboard left = between(move.from(), king_to); ok && left != 0;) {
        const Square step = pop(left);
        if (step == move.to()) continue;  // the rook leaves this square at the same time
        shift(at, step);
        at = step;
        ok = !inner_.attacked(step, them);
      }
      if (at != move.from()) shift(at, move.from());
    }
    if (ok) {
      const Slot king_slot = scratch_.slot_on[move.from()];
      const Slot rook_slot = scratch_.slot_on[move.to()];
      const PieceType king_type = scratch_.board.type_on(move.from());
      const PieceType rook_type = scratch_.board.type_on(move.to());
      remove(move.from());
      remove(move.to());
      place(king_to, king_type, king_slot);
      place(rook_to, rook_type, rook_slot);
      ok = !inner_.in_check(us_);
    }
    scratch_.board = saved;
    scratch_.slot_on = slots;
    scratch_.square_of = squares;
    return ok;
  }
  void place(Square square, PieceType type, Slot slot) {
    scratch_.board.put(square, type, us_);
    scratch_.slot_on[square] = slot;
    scratch_.square_of[slot] = square;
  }

  Side us_;
  const Engine& engine_;
  union {
    Position scratch_;  // where moves are tried; filled when the first one has to be
  };
  bool copied_ = false;
  Engine inner_;
  Bitboard royals_;
  std::uint32_t damage_;
  bool filters_;
  bool screened_ = false;
  bool shaped_near_ = false;
  Bitboard answers_ = ~Bitboard{0};
  Bitboard pinned_ = 0;
};

// ---- The whole query

bool Engine::direct() const {
  if (board().has_foreign_types()) return false;
  if (!ruled_) return true;
  // A royal pawn would have to look before every step: that is for the general path.
  if (includes(position_->dispatch.royal_types[white] | position_->dispatch.royal_types[black],
               pawn))
    return false;
  const auto& lists = position_->dispatch.lists;
  for (const Hook hook : {Hook::override_piece_moves, Hook::transform_move_generator,
                          Hook::get_extra_moves, Hook::filter_moves, Hook::get_royal_pieces})
    if ((lists[static_cast<std::size_t>(hook)][white] |
         lists[static_cast<std::size_t>(hook)][black]) != 0)
      return false;
  for (const Hook hook : {Hook::on_before_capture, Hook::on_damage})
    if ((asked(hook, white) | asked(hook, black)) != 0) return !self_check_filter(turn());
  return true;
}

PlainRules Engine::plain_rules() const {
  PlainRules out;
  if (!ruled_) return out;
  const Dispatch& dispatch = position_->dispatch;
  out.dead_draws = position_->active_count == 0;
  for (const Side side : both_sides) {
    if (dispatch.royalty_declared[side] != 0) out.royal_types[side] = dispatch.royal_types[side];
    out.promotions[side] = dispatch.promotions[side];
    out.royals_safe[side] = self_check_filter(side);
  }
  return out;
}

// Steps 1 and 2, and of step 3 that royals of a side that must guard them cannot be taken.
void Engine::movable(MoveSets& out) const {
  const Side us = turn();
  const Side them = other(us);
  const Bitboard theirs = royals(them);
  for (const Square square : squares_of(board().of(us))) out.add(piece_moves(piece_at(square)));
  if (theirs == 0 || !self_check_filter(them)) return;
  for (MoveSet& set : out) {
    set.capture &= ~theirs;
    std::uint8_t kept = 0;
    for (std::uint8_t i = 0; i < set.special_count; ++i)
      if (set.special[i].kind() != MoveKind::en_passant || !has(theirs, set.special[i].victim()))
        set.special[kept++] = set.special[i];
    set.special_count = kept;
  }
}

void Engine::general_moves(MoveList& out) const {
  const Side us = turn();
  const Bitboard ours = royals(us);
  MoveSets sets;
  movable(sets);
  for (const MoveSet& set : sets) set.list(out);
  if (!self_check_filter(us)) return;
  SelfCheck check(*this, us, ours);
  if (check.needed()) out.remove_if([&](Move move) { return !check.safe(move); });
}

std::size_t Engine::count_general() const {
  const Side us = turn();
  const Bitboard ours = royals(us);
  MoveSets sets;
  movable(sets);
  std::size_t total = 0;
  SelfCheck check(*this, us, ours);
  const bool checked = self_check_filter(us) && check.needed();
  for (const MoveSet& set : sets) total += checked ? check.count_safe(set) : set.count();
  return total;
}

void Engine::filter_offered(MoveList& out) const {
  const Side us = turn();
  ask(Hook::filter_legal_moves, us, [&](const Hooks& hooks) {
#ifndef NDEBUG
    const MoveList before = out;
    hooks.filter_legal_moves(*this, us, out);
    for ([[maybe_unused]] const Move move : out)
      assert(before.contains(move) && "filter_legal_moves must return a subset");
#else
    hooks.filter_legal_moves(*this, us, out);
#endif
    return false;
  });
  if (asked(Hook::on_before_move, us) != 0)
    out.remove_if([&](Move move) { return cancelled(move).has_value(); });
}

void Engine::legal_moves(MoveList& out) const {
  if (position_->result != Result::ongoing) return;
  if (direct())
    chess::legal_moves(board(), plain_rules(), out);
  else
    general_moves(out);
  if (ruled_) filter_offered(out);
}

std::size_t Engine::count_legal_moves() const {
  if (position_->result != Result::ongoing) return 0;
  const Side us = turn();
  if ((asked(Hook::filter_legal_moves, us) | asked(Hook::on_before_move, us)) == 0)
    return direct() ? chess::count_legal_moves(board(), plain_rules()) : count_general();
  MoveList moves;
  legal_moves(moves);
  return moves.size();
}

std::optional<std::string> Engine::cancelled(Move move) const {
  const Side us = turn();
  if (asked(Hook::on_before_move, us) == 0) return std::nullopt;
  Position copy;
  copy_position(copy);
  Engine engine(*book_, copy, ruled_);
  std::optional<std::string> reason;
  engine.ask(Hook::on_before_move, us, [&](const Hooks& hooks) {
    CancelAnswer answer = hooks.on_before_move(engine, move);
    if (answer.cancel) reason = std::move(answer.reason);
    return answer.cancel;
  });
  return reason;
}

}  // namespace parlor::chess
