#include "chess/generate.h"

namespace parlor::chess::inline PARLOR_BOARD {
namespace {

struct Counter {
  static constexpr bool noisy_only = false;
  std::size_t total = 0;
  void moves(Square, Bitboard targets) { total += static_cast<std::size_t>(count(targets)); }
  void pawns(int, Bitboard targets, MoveKind) { total += static_cast<std::size_t>(count(targets)); }
  void one(Move) { ++total; }
  void promotions(Square, Square, TypeSet set) {
    total += static_cast<std::size_t>(std::popcount(set));
  }
};

template <bool noisy>
struct Lister {
  static constexpr bool noisy_only = noisy;  // captures and promotions
  MoveList& out;
  void moves(Square from, Bitboard targets) {
    for (const Square to : squares_of(targets)) out.add({from, to});
  }
  void pawns(int step, Bitboard targets, MoveKind kind) {
    for (const Square to : squares_of(targets)) out.add({static_cast<Square>(to - step), to, kind});
  }
  void one(Move move) { out.add(move); }
  void promotions(Square from, Square to, TypeSet set) {
    for (int type = max_types - 1; type > pawn; --type)
      if (includes(set, static_cast<PieceType>(type)))
        out.add({from, to, MoveKind::normal, static_cast<PieceType>(type)});
  }
};

template <Side us>
Guard guard(const Board& board, Square square, Bitboard theirs) {
  const Bitboard occupied = board.occupied();
  const Bitboard queens = board.of(queen);
  Bitboard checkers =
      ((knight_attacks(square) & board.of(knight)) | (king_attacks(square) & board.of(king)) |
       (pawn_attacks(us, square) & board.of(pawn))) &
      theirs;
  Bitboard answers = checkers;
  Bitboard pinned = 0;
  Bitboard snipers = ((rook_attacks(square, theirs) & (board.of(rook) | queens)) |
                      (bishop_attacks(square, theirs) & (board.of(bishop) | queens))) &
                     theirs;
  while (snipers != 0) {
    const Square sniper = pop(snipers);
    const Bitboard blockers = between(square, sniper) & occupied;
    if (blockers == 0) {
      checkers |= bit(sniper);
      answers |= bit(sniper) | between(square, sniper);
    } else if (!several(blockers)) {
      pinned |= blockers;
    }
  }
  if (checkers == 0) return {square, ~Bitboard{0}, pinned};
  return {square, several(checkers) ? 0 : answers, pinned};
}

// All squares a side strikes at, its own included. Who stands on a square does not matter for being
// struck there.
template <Side by>
Bitboard attacks_of(const Board& board, Bitboard occupied) {
  const Bitboard pawns = board.of(by, pawn);
  const Bitboard ahead = by == white ? north(pawns) : south(pawns);
  Bitboard out = east(ahead) | west(ahead);
  const Bitboard theirs = board.of(by);
  const Bitboard queens = board.of(queen);
  for (const Square square : squares_of(board.of(knight) & theirs)) out |= knight_attacks(square);
  for (const Square square : squares_of(board.of(king) & theirs)) out |= king_attacks(square);
  for (const Square square : squares_of((board.of(bishop) | queens) & theirs))
    out |= bishop_attacks(square, occupied);
  for (const Square square : squares_of((board.of(rook) | queens) & theirs))
    out |= rook_attacks(square, occupied);
  return out;
}

// One query. `known`: how many royals there are to guard, if one or two, as nearly every position
// has; 0 means any number.
template <Side us, int known, class Sink>
class Generator {
 public:
  Generator(const Board& board, const PlainRules& rules, Bitboard royals, Bitboard untouchable,
            Sink& sink)
      : board_(board),
        rules_(rules),
        sink_(sink),
        royals_(royals),
        occupied_(board.occupied()),
        targets_((Sink::noisy_only ? board.of(them) : ~board.of(us)) & ~untouchable) {
    std::size_t index = 0;
    for (const Square square : squares_of(royals)) {
      const Guard& g = guards_[index++] = guard<us>(board, square, board.of(them));
      answers_ &= g.answers;
      pinned_ |= g.pinned;
      if constexpr (known == 1) break;
    }
    if constexpr (known == 0) guard_count_ = index;
  }

  void run() {
    royal_moves();
    if (!single || answers_ != 0) {
      pawn_moves();
      officers();
    }
    if (!Sink::noisy_only && rules_.castling && board_.rights != 0) {
      castling(Wing::king_side);
      castling(Wing::queen_side);
    }
  }

 private:
  static constexpr Side them = other(us);
  static constexpr bool single = known == 1;
  static constexpr int up = up_for(us);

  std::size_t guard_count() const { return known == 0 ? guard_count_ : known; }

  // Looking at one or two squares each is cheaper than at the whole board.
  static bool many(const Bitboard& set) { return several(without_first(set)); }

  // Where a piece that is not royal may go for the sake of all royals.
  Bitboard allowed(Square from) const {
    if (!has(pinned_, from)) return answers_;
    Bitboard mask = answers_;
    for (std::size_t i = 0; i < guard_count(); ++i)
      if (single || has(guards_[i].pinned, from)) mask &= line(guards_[i].square, from);
    return mask;
  }
  // Where a royal may go for the sake of the others.
  Bitboard allowed_royal(std::size_t index) const {
    const Square from = guards_[index].square;
    Bitboard mask = ~Bitboard{0};
    for (std::size_t i = 0; i < guard_count(); ++i) {
      if (i == index) continue;
      mask &= guards_[i].answers;
      if (has(guards_[i].pinned, from)) mask &= line(guards_[i].square, from);
    }
    return mask;
  }

  void royal_moves() {
    for (std::size_t i = 0; i < guard_count(); ++i) {
      const Square from = guards_[i].square;
      const PieceType type = board_.type_on(from);
      // Whoever does not leap and has no room next to it goes nowhere.
      if (type != knight && (king_attacks(from) & targets_) == 0) continue;
      // Nearly every royal is a king, and a processor foresees a plain question best.
      Bitboard reach = type == king ? king_attacks(from) : piece_attacks(type, from, occupied_);
      reach &= targets_;
      if constexpr (!single) reach &= allowed_royal(i);
      if (reach != 0) royal_moves(from, reach);
    }
  }
  void royal_moves(Square from, Bitboard reach) {
    const Bitboard without = occupied_ & ~bit(from);
    if (many(reach)) return sink_.moves(from, reach & ~attacks_of<them>(board_, without));
    Bitboard safe = 0;
    for (const Square to : squares_of(reach))
      if (!attacked_beyond(to, without)) safe |= bit(to);
    sink_.moves(from, safe);
  }
  // Attacked once a piece stands there; what was captured there attacks no more.
  bool attacked_beyond(Square to, Bitboard occupied) const {
    return attacked(board_, to, them, occupied & ~bit(to));
  }

  void officers() {
    const Bitboard ours = board_.of(us) & ~royals_;
    const Bitboard reach = targets_;
    // A pinned knight never moves on its pin line, but only if all pins are straight lines to it.
    for (Bitboard left = ours & board_.of(knight); left != 0;) {
      const Square from = pop(left);
      sink_.moves(from, knight_attacks(from) & reach & allowed(from));
    }
    for (Bitboard left = ours & (board_.of(bishop) | board_.of(queen)); left != 0;) {
      const Square from = pop(left);
      Bitboard moves = bishop_attacks(from, occupied_);
      if (has(board_.of(queen), from)) moves |= rook_attacks(from, occupied_);
      sink_.moves(from, moves & reach & allowed(from));
    }
    for (Bitboard left = ours & board_.of(rook); left != 0;) {
      const Square from = pop(left);
      sink_.moves(from, rook_attacks(from, occupied_) & reach & allowed(from));
    }
    for (Bitboard left = ours & board_.of(king); left != 0;) {
      const Square from = pop(left);
      sink_.moves(from, king_attacks(from) & reach & allowed(from));
    }
  }

  void pawn_moves() {
    const Bitboard pawns = board_.of(us, pawn);
    pawn_moves(pawns & ~pinned_, answers_);
    for (Bitboard left = pawns & pinned_; left != 0;) {
      const Square from = pop(left);
      pawn_moves(bit(from), allowed(from));
    }
    if (board_.ep != no_square) en_passant();
  }
  static Bitboard forward(Bitboard set) { return us == white ? north(set) : south(set); }

  void pawn_moves(Bitboard pawns, Bitboard mask) {
    constexpr Bitboard last = rank_bb(last_rank(us));
    constexpr Bitboard third = rank_bb(pawn_rank(us) + (us == white ? 1 : -1));
    const Bitboard empty = ~occupied_;
    const Bitboard enemies = board_.of(them) & targets_ & mask;
    const Bitboard single_step = forward(pawns) & empty;
    [[maybe_unused]] const Bitboard double_step = forward(single_step & third) & empty & mask;
    const Bitboard pushes = single_step & mask;
    const Bitboard west_takes = forward(west(pawns)) & enemies;
    const Bitboard east_takes = forward(east(pawns)) & enemies;
    if constexpr (!Sink::noisy_only) {
      sink_.pawns(up, pushes & ~last, MoveKind::normal);
      sink_.pawns(2 * up, double_step, MoveKind::double_step);
    }
    sink_.pawns(up - 1, west_takes & ~last, MoveKind::normal);
    sink_.pawns(up + 1, east_takes & ~last, MoveKind::normal);
    if (((pushes | west_takes | east_takes) & last) != 0) {
      promotions(up, pushes & last);
      promotions(up - 1, west_takes & last);
      promotions(up + 1, east_takes & last);
    }
  }
  void promotions(int step, Bitboard targets) {
    for (const Square to : squares_of(targets)) {
      const auto from = static_cast<Square>(to - step);
      TypeSet set = rules_.promotions[us];
      // A new royal must not appear on an attacked square.
      if (const TypeSet royal = set & rules_.royal_types[us]; royal != 0 && rules_.royals_safe[us])
        if (attacked_beyond(to, occupied_ & ~bit(from))) set &= static_cast<TypeSet>(~royal);
      sink_.promotions(from, to, set);
    }
  }

  void en_passant() {
    if (board_.side_on(board_.ep_victim) == us) return;
    for (const Square from : squares_of(en_passant_takers(board_, us))) {
      const Bitboard after = (occupied_ | bit(board_.ep)) & ~bit(from) & ~bit(board_.ep_victim);
      if (!any_royal_attacked(royals_, after)) sink_.one(en_passant_move(board_, from));
    }
  }
  bool any_royal_attacked(Bitboard royals, Bitboard occupied) const {
    for (const Square square : squares_of(royals))
      if (attacked(board_, square, them, occupied)) return true;
    return false;
  }

  void castling(Wing wing) {
    const auto castling = open_castling(board_, us, wing);
    if (!castling) return;
    if (has(royals_, castling->king) && !rules_.castle_freely[us] &&
        !castling_way_safe(*castling, [&](Square square, bool king_left) {
          return attacked(board_, square, them,
                          king_left ? occupied_ & ~bit(castling->king) : occupied_);
        }))
      return;
    if (!any_royal_attacked(castling->royals_after(royals_), castling->occupied_after(occupied_)))
      sink_.one(castling->move());
  }

  const Board& board_;
  const PlainRules& rules_;
  Sink& sink_;
  Bitboard royals_;
  Bitboard occupied_;
  Bitboard targets_;
  Bitboard answers_ = ~Bitboard{0};
  Bitboard pinned_ = 0;
  std::size_t guard_count_ = 0;
  std::array<Guard, known == 0 ? board_squares : known> guards_;
};

template <Side us, class Sink>
void generate(const Board& board, const PlainRules& rules, Sink& sink) {
  constexpr Side them = other(us);
  const Bitboard ours = board.of(rules.royal_types[us]);
  const Bitboard theirs =
      rules.royal_types[them] == rules.royal_types[us] ? ours : board.of(rules.royal_types[them]);
  const Bitboard royals = rules.royals_safe[us] ? ours & board.of(us) : 0;
  const Bitboard untouchable = rules.royals_safe[them] ? theirs & board.of(them) : 0;
  const Bitboard others = without_first(royals);
  if (royals != 0 && others == 0)
    Generator<us, 1, Sink>(board, rules, royals, untouchable, sink).run();
  else if (royals != 0 && !several(others))
    Generator<us, 2, Sink>(board, rules, royals, untouchable, sink).run();
  else
    Generator<us, 0, Sink>(board, rules, royals, untouchable, sink).run();
}

template <class Sink>
void generate(const Board& board, const PlainRules& rules, Sink& sink) {
  if (board.turn == white)
    generate<white>(board, rules, sink);
  else
    generate<black>(board, rules, sink);
}

}  // namespace

void legal_moves(const Board& board, const PlainRules& rules, MoveList& out) {
  Lister<false> lister{out};
  generate(board, rules, lister);
}

void noisy_moves(const Board& board, const PlainRules& rules, MoveList& out) {
  Lister<true> lister{out};
  generate(board, rules, lister);
}

std::size_t count_legal_moves(const Board& board, const PlainRules& rules) {
  Counter counter;
  generate(board, rules, counter);
  return counter.total;
}

Guard guard_of(const Board& board, Square square, Side us, Bitboard theirs) {
  return us == white ? guard<white>(board, square, theirs) : guard<black>(board, square, theirs);
}

bool attacked(const Board& board, Square square, Side by, Bitboard occupied) {
  return attacked(board, square, by, occupied, board.of(by) & occupied);
}

bool attacked(const Board& board, Square square, Side by, Bitboard occupied, Bitboard theirs) {
  if ((knight_attacks(square) & board.of(knight) & theirs) != 0) return true;
  if ((pawn_attacks(other(by), square) & board.of(pawn) & theirs) != 0) return true;
  if ((king_attacks(square) & board.of(king) & theirs) != 0) return true;
  const Bitboard queens = board.of(queen);
  if ((bishop_attacks(square, occupied) & (board.of(bishop) | queens) & theirs) != 0) return true;
  return (rook_attacks(square, occupied) & (board.of(rook) | queens) & theirs) != 0;
}

Bitboard attackers(const Board& board, Square square, Side by, Bitboard occupied) {
  const Bitboard queens = board.of(queen);
  const Bitboard any = (knight_attacks(square) & board.of(knight)) |
                       (king_attacks(square) & board.of(king)) |
                       (pawn_attacks(other(by), square) & board.of(pawn)) |
                       (bishop_attacks(square, occupied) & (board.of(bishop) | queens)) |
                       (rook_attacks(square, occupied) & (board.of(rook) | queens));
  return any & board.of(by) & occupied;
}

Bitboard piece_attacks(PieceType type, Square from, Bitboard occupied) {
  switch (type) {
    case knight:
      return knight_attacks(from);
    case bishop:
      return bishop_attacks(from, occupied);
    case rook:
      return rook_attacks(from, occupied);
    case queen:
      return queen_attacks(from, occupied);
    case king:
      return king_attacks(from);
    default:
      return 0;
  }
}

std::uint64_t perft(const Board& board, const PlainRules& rules, int depth) {
  if (depth <= 0) return 1;
  if (depth == 1) return count_legal_moves(board, rules);
  MoveList moves;
  legal_moves(board, rules, moves);
  std::uint64_t nodes = 0;
  for (const Move move : moves) {
    Board child = board;
    make_move_lightly(child, move);
    nodes += perft(child, rules, depth - 1);
  }
  return nodes;
}

bool insufficient_material(const Board& board) {
  if ((board.of(pawn) | board.of(rook) | board.of(queen)) != 0) return false;
  if (board.has_foreign_types()) return false;
  const Bitboard kings = board.of(king);
  if (count(kings & board.of(white)) != 1 || count(kings & board.of(black)) != 1) return false;
  const Bitboard others = board.occupied() & ~kings;
  if (others == 0) return true;
  if (!several(others)) return (others & (board.of(knight) | board.of(bishop))) != 0;
  if ((others & ~board.of(bishop)) != 0) return false;
  return (others & light_squares) == 0 || (others & ~light_squares) == 0;
}

}  // namespace parlor::chess::inline PARLOR_BOARD
