#include "chess/evaluate.h"

#include <algorithm>

#include "chess/weights.h"

namespace parlor::chess::inline PARLOR_BOARD {
namespace {

constexpr std::array<int, 7> phase_of{0, 0, 1, 1, 2, 4, 0};
constexpr int full_phase = 24;

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
            type <= king ? weights.piece[type] + weights.rank[type][rank] + weights.file[type][file]
                         : Worth{3 * centre, 3 * centre};
      }
  return out;
}
constexpr auto standing_worth = make_standing_worth();

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
  Bitboard pawn_strikes = 0;
  Bitboard minor_strikes = 0;
  Bitboard strikes = 0;
  Square king = no_square;  // if there is just one
};

class Survey {
 public:
  Survey(const Engine& engine, const Outlook& outlook)
      : engine_(engine), board_(engine.board()), outlook_(outlook) {
    for (const Side side : both_sides) {
      Camp& camp = camps_[side];
      const Bitboard pawns = board_.of(side, pawn);
      const Bitboard ahead = side == white ? north(pawns) : south(pawns);
      camp.pawn_strikes = camp.strikes = east(ahead) | west(ahead);
      const Bitboard kings = board_.of(side, king);
      for (const Square square : squares_of(kings)) camp.strikes |= king_attacks(square);
      if (kings != 0 && !several(kings) && outlook.royals_guarded) camp.king = first(kings);
    }
  }

  int balance() {
    for (const Side side : both_sides) material(side);
    if (outlook_.material > 0) {
      for (const Side side : both_sides) {
        officers(side);
        pawns(side);
        shelter(side);
      }
      for (const Side side : both_sides) threats(side);
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
    for (const Square square : squares_of(board_.of(side))) {
      const PieceCode code = board_.piece_on[square];
      const PieceType type = type_of(code);
      camp.worth += standing_worth[code][square];
      if (type <= king) {
        camp.phase += phase_of[type];
        if (type != pawn && type != king) camp.officers += weights.piece[type].mid;
      } else {
        const int value = engine_.book().type(type).value;
        camp.worth += {value, value};
        camp.phase += value / 300;
        camp.officers += value;
      }
    }
    if (several(board_.of(side, bishop))) camp.worth += weights.bishop_pair;
    if (side == board_.turn) camp.worth += weights.to_move;
  }

  // What they reach, and how they press on the other king.
  void officers(Side side) {
    Camp& camp = camps_[side];
    const Camp& others = camps_[other(side)];
    const Bitboard free = ~board_.of(side) & ~others.pawn_strikes;
    const Bitboard zone =
        others.king == no_square ? 0 : king_attacks(others.king) | bit(others.king);
    constexpr std::array<int, 8> together{0, 0, 50, 75, 88, 94, 97, 99};  // percent
    std::size_t attackers = 0;
    Worth pressure;
    for (const PieceType type : {knight, bishop, rook, queen})
      for (const Square square : squares_of(board_.of(side, type))) {
        const Bitboard reach = piece_attacks(type, square, board_.occupied());
        camp.strikes |= reach;
        if (type <= bishop) camp.minor_strikes |= reach;
        camp.worth += weights.room[type] * count(reach & free);
        if (const int hits = count(reach & zone & ~others.pawn_strikes); hits != 0) {
          ++attackers;
          pressure += weights.press[type] * hits;
        }
        if (type == rook) rook_file(side, square);
        if (type == knight && has(camp.pawn_strikes, square) && safe_from_pawns(side, square))
          camp.worth += weights.outpost;
      }
    const int percent = together[std::min<std::size_t>(attackers, 7)];
    camp.worth += {pressure.mid * percent / 100, pressure.end * percent / 100};
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
    camp.worth += weights.struck_by_pawn * count(ours & others.pawn_strikes);
    const Bitboard heavy = board_.of(rook) | board_.of(queen);
    camp.worth += weights.struck_by_minor * count(ours & heavy & others.minor_strikes);
    const Bitboard anybody = board_.of(side) & ~board_.of(king);
    camp.worth += weights.hanging * count(anybody & others.strikes & ~camp.strikes);
  }

  void pawns(Side side) {
    const Bitboard ours = board_.of(side, pawn);
    const Bitboard theirs = board_.of(other(side), pawn);
    Camp& camp = camps_[side];
    for (const Square square : squares_of(ours)) {
      const int file = file_of(square);
      if ((beside(file) & ours) == 0) camp.worth += weights.isolated;
      if ((file_bb(file) & ahead(side, square) & ours) != 0) camp.worth += weights.doubled;
      if (has(camp.pawn_strikes, square)) camp.worth += weights.backed;
      if (((file_bb(file) | beside(file)) & ahead(side, square) & theirs) == 0)
        passed(side, square);
    }
  }
  void passed(Side side, Square square) {
    const auto rank = static_cast<std::size_t>(own_rank(side, square));
    Camp& camp = camps_[side];
    camp.worth += weights.passed[rank];
    if (rank == 7) return;
    const Square next = step_ahead(side, square);
    if (!board_.empty(next)) camp.worth += weights.passed_stopped[rank];
    const Square ours = camp.king;
    const Square theirs = camps_[other(side)].king;
    if (rank < 3 || ours == no_square || theirs == no_square) return;
    const int beyond = static_cast<int>(rank) - 2;
    camp.worth += weights.passed_their_king * (beyond * king_distance(theirs, next));
    camp.worth += weights.passed_our_king * (beyond * king_distance(ours, next));
  }

  // Pawns in front of the king, and those that come for it.
  void shelter(Side side) {
    const Square square = camps_[side].king;
    if (square == no_square || own_rank(side, square) > 2) return;
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
      camps_[side].worth += weights.shelter[cover];
      if (theirs < 5) camps_[side].worth += weights.storm[theirs <= 1 ? 0 : theirs - 1];
    }
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
           count(bishops & board_.of(white)) == 1 && count(bishops & board_.of(black)) == 1 &&
           count(bishops & light_squares) == 1;
  }

  const Engine& engine_;
  const Board& board_;
  const Outlook& outlook_;
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

int evaluate(const Engine& engine, const Outlook& outlook) {
  int balance = Survey(engine, outlook).balance();
  if (engine.ruled()) balance += bonuses(engine);
  return engine.turn() == white ? balance : -balance;
}

bool exchange_holds(const Board& board, Move capture) {
  constexpr std::array<int, 7> price{0, 100, 320, 330, 500, 950, 10'000};
  const Square to = capture.to();
  Bitboard occupied = board.occupied() & ~bit(capture.from());
  const bool passing = capture.kind() == MoveKind::en_passant;
  if (passing) occupied &= ~bit(capture.victim());
  const int taken = passing ? price[pawn] : price[board.type_on(to)];
  int stands = price[board.type_on(capture.from())];
  if (stands <= taken) return true;
  // gains[n]: what the one who captures n-th is ahead if nobody answers.
  std::array<int, 34> gains{taken};
  std::size_t depth = 0;
  Side side = other(board.turn);
  while (depth + 1 < gains.size()) {
    const Bitboard ours = attackers(board, to, side, occupied);
    if (ours == 0) break;
    PieceType least = pawn;
    while ((ours & board.of(least)) == 0) least = static_cast<PieceType>(least + 1);
    const bool defended = attackers(board, to, other(side), occupied) != 0;
    if (least == king && defended) break;  // it would be taken
    ++depth;
    gains[depth] = stands - gains[depth - 1];
    stands = price[least];
    occupied &= ~bit(first(ours & board.of(least)));
    side = other(side);
  }
  for (; depth > 0; --depth) gains[depth - 1] = -std::max(-gains[depth - 1], gains[depth]);
  return gains[0] >= 0;
}

}  // namespace parlor::chess::inline PARLOR_BOARD
