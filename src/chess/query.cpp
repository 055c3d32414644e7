// The move query: royal set, moves per piece, self-check filter, legal filter. See engine.h.
#include <algorithm>
#include <cassert>
#include <fmt/core.h>
#include <mutex>
#include <set>

#include "chess/engine.h"
#include "chess/self_check.h"

namespace parlor::chess::inline PARLOR_BOARD {
namespace {

// How a FIDE pawn goes: also the general path's, where no rule says otherwise.
const Reach& plain_pawn(Side side) {
  static const std::array<Reach, 2> pawns{Reach(fide_ways(pawn), false, white),
                                          Reach(fide_ways(pawn), false, black)};
  return pawns[side];
}

// Squares within so many king's steps, the square itself left out. Found when the program starts: a
// compiler that is allowed to work them out takes seconds for it.
constexpr int longest_side = std::max(board_files, board_ranks);
std::array<BySquare<Bitboard>, longest_side> find_neighbourhoods() {
  std::array<BySquare<Bitboard>, longest_side> out{};
  for (Square a = 0; a < board_squares; ++a)
    for (Square b = 0; b < board_squares; ++b) {
      const int distance =
          std::max(std::abs(file_of(a) - file_of(b)), std::abs(rank_of(a) - rank_of(b)));
      for (int radius = std::max(distance, 1); radius < longest_side; ++radius)
        if (a != b) out[static_cast<std::size_t>(radius)][a] |= bit(b);
    }
  return out;
}
const auto neighbourhoods = find_neighbourhoods();

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
    if (has(promoting(), to)) {
      for (int type = max_types - 1; type > 0; --type)
        if (includes(promotions, static_cast<PieceType>(type)))
          out.add({from, to, MoveKind::normal, static_cast<PieceType>(type)});
      if (has(last_rank, to)) continue;
    }
    out.add({from, to, has(double_steps & quiet, to) ? MoveKind::double_step : MoveKind::normal});
  }
  for (std::uint8_t i = 0; i < special_count; ++i) out.add(special[i]);
}

std::size_t MoveSet::count() const {
  const Bitboard raised = (quiet | capture) & ~simple();
  return static_cast<std::size_t>(chess::count(simple()) +
                                  chess::count(raised) * std::popcount(promotions) +
                                  chess::count(raised & may_promote)) +
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

const MovementSet* Engine::moving() const {
  const std::uint64_t key = ruled_ ? position_->dispatch.movement : 0;
  if (key == 0 && !board().has_foreign_types()) return nullptr;
  if (movements_ == nullptr || movements_key_ != key) {
    movements_ = &book_->movements(key);
    movements_key_ = key;
  }
  return movements_;
}

const Reach* Engine::reach_of(Side side, PieceType type) const {
  const MovementSet* set = moving();
  return set != nullptr ? set->of(side, type) : nullptr;
}

Targets Engine::type_targets(const Piece& piece) const {
  const Board& b = board();
  const Bitboard enemies = b.of(other(piece.side));
  if (const Reach* reach = reach_of(piece.side, piece.type))
    return reach->targets(piece.square, b.occupied(), enemies);
  if (piece.type == pawn)
    return plain_pawn(piece.side).targets(piece.square, b.occupied(), enemies);
  if (piece.type <= king) {
    const Bitboard reach = piece_attacks(piece.type, piece.square, b.occupied());
    return {reach & ~b.occupied(), reach & enemies};
  }
  return book_->type(piece.type).targets(b, piece.square, piece.side);
}

void Engine::add_pawn_moves(const Piece& piece, MoveSet& out) const {
  const Board& b = board();
  const Reach* changed = reach_of(piece.side, pawn);
  const Reach& reach = changed != nullptr ? *changed : plain_pawn(piece.side);
  // A capture onto the empty en-passant square is one of the pawn that passed it.
  if (en_passant_open(b, piece.side) && has(reach.forward_captures(piece.square), b.ep))
    out.add_special(en_passant_move(b, piece.square));
  out.double_steps = reach.double_steps(piece.square);
  out.promotions = ruled_ ? position_->dispatch.promotions[piece.side] : fide_promotions;
  out.last_rank = rank_bb(last_rank(piece.side));
}

void Engine::add_castling(const Piece& piece, MoveSet& out) const {
  const Board& b = board();
  if (b.castle_king[piece.side] != piece.square) return;
  for (const Wing wing : {Wing::king_side, Wing::queen_side})
    if (const auto castling = open_castling(b, piece.side, wing)) out.add_special(castling->move());
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
  MoveSet out = unfiltered_moves(piece);
  ask(Hook::filter_moves, piece.side, [&](const Hooks& hooks) {
    hooks.filter_moves(*this, piece, out);
    return false;
  });
  return out;
}

MoveSet Engine::unfiltered_moves(const Piece& piece) const {
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
    if (piece.type == pawn) add_pawn_moves(piece, out);
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
  return out;
}

// ---- Attacks come from step 2 as well. Types no hook shapes are looked up in tables; of those
// only real attackers are asked about filters, which can but take moves away.

Bitboard Engine::shaped_pieces(Side side) const {
  const Board& b = board();
  const MovementSet* set = moving();
  if (set == nullptr && (!ruled_ || position_->dispatch.shaped[side] == 0)) return 0;
  TypeSet shaped = ruled_ ? position_->dispatch.shaped[side] : TypeSet{0};
  if (set != nullptr) shaped |= static_cast<TypeSet>(~(fide_types | set->moved[side]) & all_types);
  return b.of(side, shaped);
}

// Those that could strike the square at all.
Bitboard Engine::nearby_shaped(Square square, Side by) const {
  const Bitboard shaped = shaped_pieces(by);
  if (shaped == 0 || board().has_foreign_types()) return shaped;
  return shaped & neighbourhoods[position_->dispatch.reach[by]][square];
}

bool Engine::strikes(Square square, Side by, Bitboard occupied, Bitboard theirs) const {
  const Board& b = board();
  const MovementSet* set = moving();
  if (set == nullptr) return chess::attacked(b, square, by, occupied, theirs);
  Bitboard others = theirs;
  for (unsigned left = set->moved[by]; left != 0; left &= left - 1) {
    const auto type = static_cast<PieceType>(std::countr_zero(left));
    const Bitboard pieces = b.of(type) & theirs;
    if (pieces == 0) continue;
    others &= ~pieces;
    const Reach& reach = *set->of(by, type);
    for (const Square from : squares_of(pieces & reach.origins(square)))
      if (reach.attacks(from, square, occupied)) return true;
  }
  return others != 0 && chess::attacked(b, square, by, occupied, others);
}

// Which of them do, as things stand.
Bitboard Engine::strikers(Square square, Side by, Bitboard theirs) const {
  const Board& b = board();
  const Bitboard plain = attackers(b, square, by, b.occupied());
  const MovementSet* set = moving();
  if (set == nullptr) return plain & theirs;
  Bitboard out = plain & theirs;
  for (unsigned left = set->moved[by]; left != 0; left &= left - 1) {
    const auto type = static_cast<PieceType>(std::countr_zero(left));
    const Bitboard pieces = b.of(type) & theirs;
    if (pieces == 0) continue;
    out &= ~pieces;
    const Reach& reach = *set->of(by, type);
    for (const Square from : squares_of(pieces & reach.origins(square)))
      if (reach.attacks(from, square, b.occupied())) out |= bit(from);
  }
  return out;
}

bool Engine::attacked(Square square, Side by) const {
  const Board& b = board();
  const Bitboard shaped = shaped_pieces(by);
  if (asked(Hook::filter_moves, by) == 0) {
    if (strikes(square, by, b.occupied(), b.of(by) & ~shaped)) return true;
  } else {
    for (const Square from : squares_of(strikers(square, by, b.of(by) & ~shaped)))
      if (has(piece_moves(piece_at(from)).capture, square)) return true;
  }
  if (shaped == 0) return false;
  for (const Square from : squares_of(nearby_shaped(square, by))) {
    const MoveSet moves = piece_moves(piece_at(from));
    if (has(moves.capture, square)) return true;
    for (std::uint8_t i = 0; i < moves.special_count; ++i)
      if (moves.special[i].kind() == MoveKind::en_passant && moves.special[i].victim() == square)
        return true;
  }
  return false;
}

bool Engine::in_check(Side side) const {
  // Without house rules nobody need be asked: looking ahead wants to know this everywhere.
  if (!ruled_ && !board().has_foreign_types()) {
    for (const Square square : squares_of(board().of(side, king)))
      if (chess::attacked(board(), square, other(side), board().occupied())) return true;
    return false;
  }
  for (const Square square : squares_of(royals(side)))
    if (attacked(square, other(side))) return true;
  return false;
}

// ---- The whole query

bool Engine::direct() const {
  if (board().has_foreign_types()) return false;
  if (!ruled_) return true;
  if (position_->dispatch.movement != 0) return false;
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
  bool tried = disturbed();  // whether moves have to be tried out to see what they lead to
  for (const Hook hook : {Hook::on_before_capture, Hook::on_damage})
    tried = tried || (asked(hook, white) | asked(hook, black)) != 0;
  return !tried || !self_check_filter(turn());
}

const PlainRules& Engine::plain_rules(PlainRules&& own) const {
  static constexpr PlainRules fide;
  if (!ruled_) return fide;
  const Dispatch& dispatch = position_->dispatch;
  for (const Side side : both_sides) {
    if (dispatch.royalty_declared[side] != 0) own.royal_types[side] = dispatch.royal_types[side];
    own.promotions[side] = dispatch.promotions[side];
    own.royals_safe[side] = self_check_filter(side);
    own.castle_freely[side] = dispatch.castle_freely[side] != 0;
  }
  return own;
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

// Steps 1 to 3.
void Engine::movable_moves(MoveList& out) const {
  if (direct())
    chess::legal_moves(board(), plain_rules(), out);
  else
    general_moves(out);
  if (asked(Hook::offer_moves, turn()) != 0) add_offered(out);
}

void Engine::add_offered(MoveList& out) const {
  const Side us = turn();
  MoveList offered;
  ask(Hook::offer_moves, us, [&](const Hooks& hooks) {
    hooks.offer_moves(*this, us, offered);
    return false;
  });
  if (offered.empty()) return;
  SelfCheck check(*this, us, royals(us));
  const bool checked = self_check_filter(us) && check.needed();
  for (const Move move : offered)
    if (!checked || check.safe(move)) out.add(move);
}

void Engine::legal_moves(MoveList& out) const {
  if (position_->result != Result::ongoing) return;
  movable_moves(out);
  if (ruled_) filter_offered(out);
}

void Engine::noisy_moves(MoveList& out) const {
  if (!board_only() || !direct()) return legal_moves(out);
  if (position_->result == Result::ongoing) chess::noisy_moves(board(), plain_rules(), out);
}

std::size_t Engine::count_legal_moves() const {
  if (position_->result != Result::ongoing) return 0;
  const Side us = turn();
  if ((asked(Hook::filter_legal_moves, us) | asked(Hook::on_before_move, us) |
       asked(Hook::offer_moves, us)) == 0)
    return direct() ? chess::count_legal_moves(board(), plain_rules()) : count_general();
  MoveList moves;
  legal_moves(moves);
  return moves.size();
}

std::optional<std::string_view> Engine::forbidding_rule(Move move) const {
  std::optional<std::string_view> rule;
  const Piece piece = piece_at(move.from());
  MoveSet moves = unfiltered_moves(piece);
  const auto gone = [&](const MoveList& left) {
    if (!left.contains(move)) rule = self_id();
    return rule.has_value();
  };
  ask(Hook::filter_moves, piece.side, [&](const Hooks& hooks) {
    hooks.filter_moves(*this, piece, moves);
    MoveList left;
    moves.list(left);
    return gone(left);
  });
  if (rule) return rule;
  MoveList left;
  movable_moves(left);
  if (!left.contains(move)) return std::nullopt;  // the royals' safety forbids it, not a rule
  ask(Hook::filter_legal_moves, turn(), [&](const Hooks& hooks) {
    hooks.filter_legal_moves(*this, turn(), left);
    return gone(left);
  });
  return rule;
}

std::optional<CancelAnswer> Engine::cancelled(Move move) const {
  const Side us = turn();
  if (asked(Hook::on_before_move, us) == 0) return std::nullopt;
  Position copy;
  copy_position(copy);
  Engine engine(*book_, copy, ruled_);
  std::optional<CancelAnswer> found;
  engine.ask(Hook::on_before_move, us, [&](const Hooks& hooks) {
    CancelAnswer answer = hooks.on_before_move(engine, move);
    if (!answer.cancel) return false;
    answer.rule = engine.self_id();
    found = std::move(answer);
    return true;
  });
  return found;
}

}  // namespace parlor::chess::inline PARLOR_BOARD
