#include "chess/evaluate.h"

#include <algorithm>

#include "chess/network.h"

namespace parlor::chess::inline PARLOR_BOARD {
namespace {

constexpr std::array<int, 7> phase_of{0, 0, 1, 1, 2, 4, 0};
constexpr int full_phase = 24;
// What exchanges are counted in, and how much force there is on the board.
constexpr std::array<int, 7> price_of{0, 100, 320, 330, 500, 950, 10'000};
constexpr std::array<int, 6> press_of{0, 0, 2, 2, 3, 5};

constexpr int from_edge(int line, int length) {
  return line < length / 2 ? line : length - 1 - line;
}
// Where a line of another length lies on one of eight: the outer lines are the outer ones.
constexpr int as_of_eight(int line, int length) {
  return length == 8 ? line : (line * 7 + (length - 1) / 2) / (length - 1);
}

// How near the middle a square is, up to 6 on 8×8.
constexpr int middle(Square square) {
  return from_edge(file_of(square), board_files) + from_edge(rank_of(square), board_ranks);
}

// Value and place together, by piece code and square.
constexpr auto make_standing_worth() {
  std::array<BySquare<Worth>, 32> out{};
  for (const Side side : both_sides)
    for (std::size_t type = pawn; type < max_types; ++type)
      for (Square square = 0; square < board_squares; ++square) {
        const auto rank =
            static_cast<std::size_t>(as_of_eight(rank_for(side, square), board_ranks));
        const auto file =
            static_cast<std::size_t>(from_edge(as_of_eight(file_of(square), board_files), 8));
        const int centre = middle(square);
        out[code_of(static_cast<PieceType>(type), side)][square] =
            type <= king ? weights.piece[type] + weights.place[type][4 * rank + file]
                         : Worth{3 * centre, 3 * centre};
      }
  return out;
}
constexpr auto standing_worth = make_standing_worth();

// As `count`, but in place: there is much to be counted here, and not every machine that this is
// compiled for has an instruction for it.
[[maybe_unused]] int how_many(std::uint64_t set) {  // sets of larger boards count themselves
#ifdef __POPCNT__
  return std::popcount(set);
#else
  set -= set >> 1 & 0x5555555555555555;
  set = (set & 0x3333333333333333) + (set >> 2 & 0x3333333333333333);
  return static_cast<int>(((set + (set >> 4)) & 0x0f0f0f0f0f0f0f0f) * 0x0101010101010101 >> 56);
#endif
}
template <int squares>
int how_many(const WideSet<squares>& set) {
  return set.count();
}

constexpr Bitboard beside(int file) {
  return (file > 0 ? file_bb(file - 1) : Bitboard{0}) |
         (file < board_files - 1 ? file_bb(file + 1) : Bitboard{0});
}
// The ranks ahead of a square.
constexpr Bitboard ahead(Side side, Square square) {
  const int rank = rank_of(square);
  if (side == white)
    return rank == board_ranks - 1 ? Bitboard{0} : ~Bitboard{0} << (board_files * (rank + 1));
  return rank == 0 ? Bitboard{0} : ~Bitboard{0} >> (board_files * (board_ranks - rank));
}
// As the weights count ranks.
constexpr int own_rank(Side side, Square square) {
  return as_of_eight(rank_for(side, square), board_ranks);
}
constexpr Square step_ahead(Side side, Square square) {
  return static_cast<Square>(square + up_for(side));
}
int king_distance(Square a, Square b) {
  return std::max(std::abs(file_of(a) - file_of(b)), std::abs(rank_of(a) - rank_of(b)));
}

// What one side has on the board.
struct Camp {
  Worth worth;
  int phase = 0;
  int officers = 0;  // what pieces other than pawns and kings are worth
  Bitboard strikes = 0;
  std::array<Bitboard, 6> strikes_by{};  // pawns to queens
  int pressure = 0;                      // on the other king, by those who strike next to it
  Square king = no_square;               // if there is just one
};

class Survey {
 public:
  Survey(const Engine& engine, const Outlook& outlook, PawnTable* seen)
      : engine_(engine), board_(engine.board()), outlook_(outlook), seen_(seen) {
    for (const Side side : both_sides) {
      Camp& camp = camps_[side];
      const Bitboard pawns = board_.of(side, pawn);
      const Bitboard ahead = side == white ? north(pawns) : south(pawns);
      camp.strikes_by[pawn] = camp.strikes = east(ahead) | west(ahead);
      const Bitboard kings = board_.of(side, king);
      for (const Square square : squares_of(kings)) camp.strikes |= king_attacks(square);
      if (kings != 0 && !several(kings) && outlook.royals_guarded) camp.king = first(kings);
    }
  }

  int balance() {
    for (const Side side : both_sides) material(side);
    if (outlook_.material > 0) {
      for (const Side side : both_sides) officers(side);
      look_at_pawns();
      for (const Side side : both_sides) {
        threats(side);
        press(side);
      }
    }
    const Camp& w = camps_[white];
    const Camp& b = camps_[black];
    const int phase = std::min(w.phase + b.phase, full_phase);
    const int mid = w.worth.mid - b.worth.mid;
    const int end = w.worth.end - b.worth.end;
    int out = (mid * phase + end * (full_phase - phase)) / full_phase;
    if (outlook_.material > 0 && outlook_.royals_guarded) out = ending(out);
    return out * outlook_.material / 100;
  }

 private:
  void material(Side side) {
    Camp& camp = camps_[side];
    for (const PieceType type : {pawn, knight, bishop, rook, queen, king}) {
      const auto& worth = standing_worth[code_of(type, side)];
      const Bitboard pieces = board_.of(side, type);
      for (const Square square : squares_of(pieces)) camp.worth += worth[square];
      if (type == pawn || type == king) continue;
      const int number = how_many(pieces);
      camp.phase += phase_of[type] * number;
      camp.officers += price_of[type] * number;
    }
    if (board_.has_foreign_types()) strangers(side);
    if (several(board_.of(side, bishop))) camp.worth += weights.bishop_pair;
    if (side == board_.turn) camp.worth += weights.to_move;
  }
  void strangers(Side side) {
    Camp& camp = camps_[side];
    for (const Square square : squares_of(board_.of(side))) {
      const PieceCode code = board_.piece_on[square];
      if (type_of(code) <= king) continue;
      const int value = engine_.book().type(type_of(code)).value;
      camp.worth += standing_worth[code][square];
      camp.worth += {value, value};
      camp.phase += value / 300;
      camp.officers += value;
    }
  }

  // What they reach.
  void officers(Side side) {
    officers<knight>(side);
    officers<bishop>(side);
    officers<rook>(side);
    officers<queen>(side);
  }
  template <PieceType type>
  void officers(Side side) {
    Camp& camp = camps_[side];
    const Camp& others = camps_[other(side)];
    const Bitboard free = ~board_.of(side) & ~others.strikes_by[pawn];
    const Bitboard zone =
        others.king == no_square
            ? 0
            : (king_attacks(others.king) | bit(others.king)) & ~others.strikes_by[pawn];
    for (const Square square : squares_of(board_.of(side, type))) {
      const Bitboard reach = reach_of<type>(square);
      camp.strikes_by[type] |= reach;
      camp.worth +=
          weights.room[type][static_cast<std::size_t>(std::min(how_many(reach & free), 27))];
      if (const Bitboard hit = reach & zone; hit != 0)
        camp.pressure += press_of[type] + how_many(hit);
      if (type == rook) rook_file(side, square);
      if (type <= bishop) minor(side, type, square);
    }
    camp.strikes |= camp.strikes_by[type];
  }
  template <PieceType type>
  Bitboard reach_of(Square square) const {
    if constexpr (type == knight) return knight_attacks(square);
    if constexpr (type == bishop) return bishop_attacks(square, board_.occupied());
    if constexpr (type == rook) return rook_attacks(square, board_.occupied());
    return queen_attacks(square, board_.occupied());
  }
  void minor(Side side, PieceType type, Square square) {
    Camp& camp = camps_[side];
    if (has(camp.strikes_by[pawn], square) && safe_from_pawns(side, square))
      camp.worth += weights.outpost[type];
    if (type == knight) return;
    const Bitboard alike = has(light_squares, square) ? light_squares : ~light_squares;
    camp.worth += weights.own_pawn_in_the_way * how_many(alike & board_.of(side, pawn));
  }
  // The danger for the other king grows faster than the number of those who bring it.
  void press(Side side) {
    Camp& camp = camps_[side];
    const Camp& others = camps_[other(side)];
    if (others.king == no_square) return;
    const Bitboard safe = ~board_.of(side) & ~others.strikes;
    const Bitboard straight = rook_attacks(others.king, board_.occupied()) & safe;
    const Bitboard slanted = bishop_attacks(others.king, board_.occupied()) & safe;
    int index = camp.pressure;
    if ((camp.strikes_by[knight] & knight_attacks(others.king) & safe) != 0) index += 2;
    if ((camp.strikes_by[bishop] & slanted) != 0) index += 2;
    if ((camp.strikes_by[rook] & straight) != 0) index += 3;
    if ((camp.strikes_by[queen] & (straight | slanted)) != 0) index += 3;
    camp.worth += weights.danger[static_cast<std::size_t>(std::min(index / 2, 15))];
  }
  void rook_file(Side side, Square square) {
    const Bitboard file = file_bb(file_of(square)) & board_.of(pawn);
    if ((file & board_.of(side)) != 0) return;
    camps_[side].worth += file == 0 ? weights.open_file : weights.half_open_file;
  }
  bool safe_from_pawns(Side side, Square square) const {
    return own_rank(side, square) >= 3 &&
           (beside(file_of(square)) & ahead(side, square) & board_.of(other(side), pawn)) == 0;
  }

  // Whoever is struck by less than it is worth, or by anybody without being backed.
  void threats(Side side) {
    Camp& camp = camps_[side];
    const Camp& others = camps_[other(side)];
    const Bitboard ours = board_.of(side) & ~board_.of(pawn) & ~board_.of(king);
    camp.worth += weights.struck_by_pawn * how_many(ours & others.strikes_by[pawn]);
    const Bitboard heavy = board_.of(rook) | board_.of(queen);
    const Bitboard minors = others.strikes_by[knight] | others.strikes_by[bishop];
    camp.worth += weights.struck_by_minor * how_many(ours & heavy & minors);
    camp.worth +=
        weights.struck_by_rook * how_many(ours & board_.of(queen) & others.strikes_by[rook]);
    const Bitboard anybody = board_.of(side) & ~board_.of(king);
    camp.worth += weights.hanging * how_many(anybody & others.strikes & ~camp.strikes);
  }

  void look_at_pawns() {
    PawnView fresh;
    PawnView* view = &fresh;
    if (one_word && seen_ != nullptr) {
      fresh.key = pawn_key();
      view = &(*seen_)[fresh.key >> 52];
    }
    if (view == &fresh || view->key != fresh.key) {
      *view = fresh;
      for (const Side side : both_sides) {
        Worth worth = pawns(side, view->passed);
        worth += shelter(side);
        view->worth += side == white ? worth : worth * -1;
      }
    }
    camps_[white].worth += view->worth;
    for (const Side side : both_sides)
      for (const Square square : squares_of(view->passed & board_.of(side))) passed(side, square);
  }
  // Of everything that `pawns` and `shelter` look at.
  std::uint64_t pawn_key() const {
    std::uint64_t out = 0;
    for (const Bitboard& set : {board_.of(white, pawn), board_.of(black, pawn)})
      out = (out ^ low_word(set)) * 0x9e3779b97f4a7c15;
    const auto kings = std::uint64_t{camps_[white].king} << 8 | camps_[black].king;
    out = (out ^ out >> 32 ^ kings) * 0xd6e8feb86659fd93;
    return (out ^ out >> 29) * 0x9e3779b97f4a7c15 | 1;
  }
  static std::uint64_t low_word(std::uint64_t set) { return set; }
  template <int squares>
  static std::uint64_t low_word(const WideSet<squares>& set) {
    return set.word[0];
  }

  Worth pawns(Side side, Bitboard& passed) const {
    const Bitboard ours = board_.of(side, pawn);
    const Bitboard theirs = board_.of(other(side), pawn);
    Worth out;
    for (const Square square : squares_of(ours)) {
      const int file = file_of(square);
      const auto rank = static_cast<std::size_t>(own_rank(side, square));
      if ((beside(file) & ours) == 0)
        out += weights.isolated;
      else if (rank != 7 && (beside(file) & ~ahead(side, square) & ours) == 0 &&
               has(camps_[other(side)].strikes_by[pawn], step_ahead(side, square)))
        out += weights.backward;
      if ((file_bb(file) & ahead(side, square) & ours) != 0) out += weights.doubled;
      if (has(camps_[side].strikes_by[pawn], square)) out += weights.backed[rank];
      if ((east(bit(square)) & ours) != 0) out += weights.abreast[rank];
      if (((file_bb(file) | beside(file)) & ahead(side, square) & theirs) == 0) {
        passed |= bit(square);
        out += passed_worth(side, square);
      }
    }
    return out;
  }
  Worth passed_worth(Side side, Square square) const {
    const auto rank = static_cast<std::size_t>(own_rank(side, square));
    Worth out = weights.passed[rank];
    const Square ours = camps_[side].king;
    const Square theirs = camps_[other(side)].king;
    if (rank < 3 || rank == 7 || ours == no_square || theirs == no_square) return out;
    const Square next = step_ahead(side, square);
    const int beyond = static_cast<int>(rank) - 2;
    out += weights.passed_their_king * (beyond * king_distance(theirs, next));
    out += weights.passed_our_king * (beyond * king_distance(ours, next));
    return out;
  }
  // What stands in the way of a passed pawn, or could.
  void passed(Side side, Square square) {
    const auto rank = static_cast<std::size_t>(own_rank(side, square));
    if (rank == 7) return;
    const Bitboard way = file_bb(file_of(square)) & ahead(side, square);
    if (!board_.empty(step_ahead(side, square)))
      camps_[side].worth += weights.passed_stopped[rank];
    else if ((way & (board_.occupied() | camps_[other(side)].strikes)) == 0)
      camps_[side].worth += weights.passed_free[rank];
  }

  // Pawns in front of the king, and those that come for it.
  Worth shelter(Side side) const {
    Worth out;
    const Square square = camps_[side].king;
    if (square == no_square || own_rank(side, square) > 2) return out;
    const Bitboard before = ahead(side, square) | rank_bb(rank_of(square));
    const int centre = std::clamp(file_of(square), 1, board_files - 2);
    for (int file = centre - 1; file <= centre + 1; ++file) {
      const Bitboard pawns = file_bb(file) & before & board_.of(pawn);
      const auto ours = static_cast<std::size_t>(nearest(side, pawns & board_.of(side), square));
      const auto theirs =
          static_cast<std::size_t>(nearest(side, pawns & board_.of(other(side)), square));
      const std::size_t cover = ours < 3     ? (ours == 0 ? 0 : ours - 1)
                                : ours < 8   ? 2
                                : theirs < 8 ? 3
                                             : 4;
      out += weights.shelter[cover];
      if (theirs < 5) out += weights.storm[theirs <= 1 ? 0 : theirs - 1];
    }
    return out;
  }
  // Ranks ahead to the nearest of the pawns; 8 if there is none.
  static int nearest(Side side, Bitboard pawns, Square from) {
    if (pawns == 0) return 8;
    const int rank = rank_of(side == white ? first(pawns) : last(pawns));
    return std::abs(rank - rank_of(from));
  }

  // Endings that cannot be won count for little; those that can lead to the edge of the board.
  int ending(int balance) const {
    const Side strong = balance >= 0 ? white : black;
    const Camp& s = camps_[strong];
    const Camp& w = camps_[other(strong)];
    if (board_.has_foreign_types()) return balance;
    if (board_.of(strong, pawn) == 0 && s.officers - w.officers < 400) return balance / 4;
    if (w.officers == 0 && board_.of(other(strong), pawn) == 0 && s.king != no_square &&
        w.king != no_square && s.officers >= 400) {
      const int centre = middle(w.king);
      const int lead = 20 * (6 - centre) + 8 * (7 - king_distance(s.king, w.king));
      return balance + (strong == white ? lead : -lead);
    }
    if (opposite_bishops()) return balance * 5 / 8;
    return balance;
  }
  bool opposite_bishops() const {
    const Bitboard bishops = board_.of(bishop);
    return (board_.of(knight) | board_.of(rook) | board_.of(queen)) == 0 &&
           how_many(bishops & board_.of(white)) == 1 && how_many(bishops & board_.of(black)) == 1 &&
           how_many(bishops & light_squares) == 1;
  }

  const Engine& engine_;
  const Board& board_;
  const Outlook& outlook_;
  PawnTable* seen_;
  std::array<Camp, 2> camps_;
};

int bonuses(const Engine& engine) {
  int out = 0;
  engine.each_active([&](const Preset& preset) {
    if (preset.appraisal.bonus)
      out += preset.appraisal.bonus(engine, white) - preset.appraisal.bonus(engine, black);
  });
  return out;
}

}  // namespace

Outlook outlook_of(const Engine& engine) {
  Outlook out;
  out.plain = engine.by_fide_alone();
  engine.each_active([&](const Preset& preset) {
    out.material = std::min(out.material, preset.appraisal.material);
    out.captures_forced = out.captures_forced || preset.appraisal.captures_forced;
    if (preset.hooks.should_advance_turn) out.one_move_each = false;
    if (!preset.movement.empty() || preset.hooks.override_piece_moves ||
        preset.hooks.transform_move_generator || preset.hooks.get_extra_moves ||
        preset.hooks.filter_moves || preset.hooks.on_before_capture || preset.hooks.on_damage ||
        preset.hooks.on_piece_retract)
      out.fide_captures = false;
  });
  if (engine.board().has_foreign_types() || out.captures_forced || out.material <= 0)
    out.fide_captures = false;
  for (const Side side : both_sides)
    if (!engine.self_check_filter(side) || engine.royals(side) == 0) out.royals_guarded = false;
  return out;
}

bool network_knows(const Engine& engine, const Outlook& outlook) {
  if (!one_word || !outlook.plain) return false;
  const Board& board = engine.board();
  for (const Side side : both_sides)
    if (const Bitboard kings = board.of(side, king);
        kings == 0 || several(kings) || kings == board.of(side))
      return false;
  return board.of(pawn) != 0 && !board.has_foreign_types();
}

int known_worth(const Engine& engine, const Outlook& outlook, PawnTable* seen) {
  int balance = Survey(engine, outlook, seen).balance();
  if (engine.ruled()) balance += bonuses(engine);
  return engine.turn() == white ? balance : -balance;
}

int evaluate(const Engine& engine, const Outlook& outlook) {
  int out = known_worth(engine, outlook);
  if (network_knows(engine, outlook)) {
    Sight sight;
    sight.look(engine.board());
    out += sight.judge(engine.board());
  }
  return out;
}

bool exchange_holds(const Board& board, Move move, int least) {
  const Square to = move.to();
  Bitboard occupied = board.occupied() & ~bit(move.from());
  const bool passing = move.kind() == MoveKind::en_passant;
  if (passing) occupied &= ~bit(move.victim());
  const int taken = passing ? price_of[pawn] : price_of[board.type_on(to)];
  int stands = price_of[board.type_on(move.from())];
  if (taken - stands >= least) return true;
  if (taken < least) return false;
  // gains[n]: what the one who captures n-th is ahead if nobody answers.
  std::array<int, 34> gains{taken};
  std::size_t depth = 0;
  Side side = other(board.turn);
  while (depth + 1 < gains.size()) {
    const Bitboard ours = attackers(board, to, side, occupied);
    if (ours == 0) break;
    PieceType taker = pawn;
    while ((ours & board.of(taker)) == 0) taker = static_cast<PieceType>(taker + 1);
    if (taker == king && attackers(board, to, other(side), occupied) != 0)
      break;  // it would be taken
    ++depth;
    gains[depth] = stands - gains[depth - 1];
    stands = price_of[taker];
    occupied &= ~bit(first(ours & board.of(taker)));
    side = other(side);
  }
  for (; depth > 0; --depth) gains[depth - 1] = -std::max(-gains[depth - 1], gains[depth]);
  return gains[0] >= least;
}

}  // namespace parlor::chess::inline PARLOR_BOARD
