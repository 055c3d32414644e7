// Variants that many people play: other goals, explosions, pieces that change sides.
#include <algorithm>
#include <fmt/core.h>

#include "chess/presets/presets.h"

namespace parlor::chess::inline PARLOR_BOARD::presets {
namespace {

// Whether `good` is true of the position a move leads to.
template <class Good>
bool leads_to(const Engine& engine, Move move, Good good) {
  Position after;
  engine.copy_position(after);
  Engine then(engine.book(), after, engine.ruled());
  return then.apply(move, nullptr, Engine::Purpose::probing).has_value() && good(then);
}

// ---- King of the hill

Preset king_of_the_hill() {
  Preset preset = describe("king-of-the-hill", "King of the hill", "objective",
                           "Whoever's king reaches d4, e4, d5 or e5 wins.");
  preset.hooks.on_check_game_result = [](const Engine& engine) {
    for (const Side side : {other(engine.turn()), engine.turn()})
      if (engine.in_scope(side) && (engine.royals(side) & centre_squares) != 0)
        return Verdict::win(side, "king-of-the-hill");
    return Verdict::no_opinion();
  };
  preset.appraisal.bonus = [](const Engine& engine, Side side) {
    if (!engine.in_scope(side)) return 0;
    int nearest = 4;
    for (const Square square : squares_of(engine.royals(side))) {
      const int file =
          std::max({0, (board_files - 1) / 2 - file_of(square), file_of(square) - board_files / 2});
      const int rank =
          std::max({0, (board_ranks - 1) / 2 - rank_of(square), rank_of(square) - board_ranks / 2});
      nearest = std::min(nearest, std::max(file, rank));
    }
    return 35 * (4 - nearest);
  };
  return preset;
}

// ---- Three checks

int checks_to_win(const Engine& engine) {
  return static_cast<int>(engine.state("checks").value_or(3));
}

int checks_given(const Engine& engine, Side side) {
  return static_cast<int>(engine.state(side_name(side)).value_or(0));
}

// "3+2": how many each side still has to give, as in other programs' FEN.
std::string checks_left(const Engine& engine) {
  return fmt::format("{}+{}", checks_to_win(engine) - checks_given(engine, white),
                     checks_to_win(engine) - checks_given(engine, black));
}

bool read_checks_left(Engine& engine, std::string_view text) {
  if (text.size() != 3 || text[1] != '+') return false;
  for (const Side side : both_sides) {
    const int left = text[side == white ? 0 : 2] - '0';
    if (left < 0 || left > checks_to_win(engine)) return false;
    engine.set_state(side_name(side), checks_to_win(engine) - left);
  }
  return true;
}

Preset three_check() {
  Preset preset = describe("three-check", "Three checks", "objective",
                           "Whoever gives check for the third time wins.");
  preset.parameters = {{"checks", Parameter::Kind::number, 3, 1, 9, "how many win"}};
  preset.disturbs = false;
  preset.module.order = 2;  // what other rules do after a move decides who is in check
  preset.hooks.on_after_move = [](Engine& engine, const MoveEvent& event) {
    if (engine.in_scope(event.mover) && engine.in_check(other(event.mover)))
      engine.set_state(side_name(event.mover), checks_given(engine, event.mover) + 1);
  };
  preset.hooks.on_check_game_result = [](const Engine& engine) {
    for (const Side side : {other(engine.turn()), engine.turn()})
      if (checks_given(engine, side) >= checks_to_win(engine))
        return Verdict::win(side, "three-checks");
    return Verdict::no_opinion();
  };
  preset.appraisal.bonus = [](const Engine& engine, Side side) {
    constexpr std::array<int, 4> worth{0, 450, 140, 0};  // by checks still to give
    const int left = checks_to_win(engine) - checks_given(engine, side);
    return worth[static_cast<std::size_t>(std::clamp(left, 0, 3))];
  };
  preset.fen = {FenPart::Where::before_clock, checks_left, read_checks_left};
  return preset;
}

// ---- Racing kings

bool can_get_home(const Engine& engine) {
  const Bitboard kings = engine.royals(engine.turn());
  MoveList moves;
  engine.legal_moves(moves);
  return std::ranges::any_of(moves, [&](Move move) {
    return has(kings, move.from()) && rank_of(move.to()) == board_ranks - 1;
  });
}

Preset racing_kings() {
  Preset preset = describe("racing-kings", "Racing kings", "objective",
                           "Nobody may give check; the first king on the eighth rank wins, but "
                           "Black may still draw level.");
  preset.layout = "racing-kings";
  preset.hooks.filter_legal_moves = [](const Engine& engine, Side side, MoveList& moves) {
    moves.remove_if([&](Move move) {
      return !leads_to(engine, move,
                       [&](const Engine& then) { return !then.in_check(other(side)); });
    });
  };
  preset.hooks.on_check_game_result = [](const Engine& engine) {
    const bool white_home = (engine.royals(white) & rank_bb(board_ranks - 1)) != 0;
    const bool black_home = (engine.royals(black) & rank_bb(board_ranks - 1)) != 0;
    if (engine.turn() == black && !black_home)  // one move is left to draw level
      return white_home && !can_get_home(engine) ? Verdict::win(white, "king-is-home")
                                                 : Verdict::no_opinion();
    if (white_home && black_home) return Verdict::draw("both-kings-home");
    if (white_home || black_home) return Verdict::win(white_home ? white : black, "king-is-home");
    return Verdict::no_opinion();
  };
  preset.appraisal.bonus = [](const Engine& engine, Side side) {
    int furthest = 0;
    for (const Square square : squares_of(engine.royals(side)))
      furthest = std::max(furthest, rank_of(square));
    return 80 * furthest;
  };
  return preset;
}

// ---- Horde

Preset horde() {
  Preset preset =
      describe("horde", "Horde", "objective",
               "A side without pieces loses; pawns on the first rank may go two steps.");
  preset.layout = "horde";
  preset.shapes = types(pawn);
  preset.reach = 1;
  preset.hooks.get_extra_moves = [](const Engine& engine, const Piece& piece, MoveSet& moves) {
    if (piece.type != pawn || rank_for(piece.side, piece.square) != 0) return;
    const int up = up_for(piece.side);
    const auto one = static_cast<Square>(piece.square + up);
    const auto two = static_cast<Square>(one + up);
    if (engine.board().empty(one) && engine.board().empty(two)) moves.quiet |= bit(two);
  };
  preset.hooks.on_check_game_result = [](const Engine& engine) {
    for (const Side side : both_sides)
      if (engine.in_scope(side) && engine.pieces(side) == 0)
        return Verdict::win(other(side), "horde-captured");
    return Verdict::no_opinion();
  };
  return preset;
}

// ---- Atomic

bool kings_touch(const Engine& engine) {
  for (const Square square : squares_of(engine.board().of(white, king)))
    if ((king_attacks(square) & engine.board().of(black, king)) != 0) return true;
  return false;
}

// Whoever captures a king that stands next to the own one loses both: nobody does.
bool king_in_danger(const Engine& engine, Side side) {
  if (kings_touch(engine)) return false;
  for (const Square square : squares_of(engine.board().of(side, king)))
    if (engine.attacked(square, other(side))) return true;
  return false;
}

bool castling_path_in_danger(const Engine& engine, Move move, Side side) {
  const Castling castling(side, move);
  return !castling_way_safe(castling, [&](Square square, bool king_left) {
    if (!king_left) return king_in_danger(engine, side);
    // The rook leaves its square, and what comes of the last step is looked at as a whole.
    if (square == castling.rook || square == castling.king_to) return false;
    Position halfway;
    engine.copy_position(halfway);
    Engine then(engine.book(), halfway, engine.ruled());
    then.move_piece(then.piece_at(castling.king), square);
    return king_in_danger(then, side);
  });
}

void explode(Engine& engine, const Capture& capture) {
  const Square centre = capture.move.to();
  if (engine.watched())
    engine.emit_effect(
        {"explosion", centre, 2, nullptr, fmt::format("an explosion on {}", square_name(centre))});
  engine.deal_damage(capture.target, 1, "capture", capture.attacker);
  const Bitboard near = king_attacks(centre) & ~engine.board().of(pawn);
  for (const Square square : squares_of(near & engine.board().occupied()))
    if (const Piece piece = engine.piece_at(square); piece && piece.id != capture.attacker.id)
      engine.deal_damage(piece, 1, "explosion", capture.attacker);
  if (const Piece attacker = engine.now(capture.attacker))
    engine.deal_damage(attacker, 1, "explosion", attacker);
}

Preset atomic() {
  Preset preset = describe("atomic", "Atomic", "damage",
                           "A capture blows up both pieces and everything but pawns around the "
                           "square; kings cannot capture, and a king that goes is a game lost.");
  preset.hooks.filter_moves = [](const Engine&, const Piece& piece, MoveSet& moves) {
    if (piece.type == king) moves.capture = 0;
  };
  preset.hooks.on_before_capture = [](Engine& engine, const Capture& capture) {
    explode(engine, capture);
    return true;
  };
  preset.hooks.should_filter_self_check = [](const Engine&, Side) { return false; };
  // Instead: the own king must survive and be safe, unless the other one is gone.
  preset.hooks.filter_legal_moves = [](const Engine& engine, Side side, MoveList& moves) {
    if (!engine.in_scope(side) || engine.board().of(side, king) == 0) return;
    moves.remove_if([&](Move move) {
      if (move.kind() == MoveKind::castling && castling_path_in_danger(engine, move, side))
        return true;
      return !leads_to(engine, move, [&](const Engine& then) {
        if (then.board().of(side, king) == 0) return false;
        return then.board().of(other(side), king) == 0 || !king_in_danger(then, side);
      });
    });
  };
  // Without a move and next to the other king nobody is mated.
  preset.hooks.on_check_game_result = [](const Engine& engine) {
    return kings_touch(engine) && !engine.has_legal_move() ? Verdict::draw("stalemate")
                                                           : Verdict::no_opinion();
  };
  preset.hooks.describe_move_effect = [](const Engine& engine,
                                         const MoveEvent& event) -> std::string {
    return event.is_capture() && engine.in_scope(event.mover)
               ? fmt::format("explosion at {}", square_name(event.move.to()))
               : "";
  };
  return preset;
}

// ---- Crazyhouse

// What a side has in hand: five bits for each type. Kept as one number.
struct Pocket {
  std::int64_t bits = 0;
  static int place(PieceType type) { return 5 * (type - 1); }
  int count(PieceType type) const { return static_cast<int>(bits >> place(type) & 31); }
  void add(PieceType type, int change) {
    const int now = std::clamp(count(type) + change, 0, 31);
    bits = (bits & ~(std::int64_t{31} << place(type))) | std::int64_t{now} << place(type);
  }
  static constexpr PieceType last = static_cast<PieceType>(12);
};

Pocket pocket_of(const Engine& engine, Side side) {
  return {engine.state(side_name(side)).value_or(0)};
}
void put_into_pocket(Engine& engine, Side side, PieceType type, int change) {
  Pocket pocket = pocket_of(engine, side);
  pocket.add(type, change);
  if (pocket.bits != 0)
    engine.set_state(side_name(side), pocket.bits);
  else
    engine.delete_state(side_name(side));
}

void offer_drops(const Engine& engine, Side side, MoveList& out) {
  const Pocket pocket = pocket_of(engine, side);
  if (pocket.bits == 0) return;
  for (PieceType type = pawn; type <= Pocket::last; type = static_cast<PieceType>(type + 1)) {
    if (pocket.count(type) == 0) continue;
    Bitboard free = ~engine.board().occupied();
    if (type == pawn) free &= ~(rank_bb(0) | rank_bb(board_ranks - 1));
    for (const Square square : squares_of(free)) out.add({square, square, MoveKind::drop, type});
  }
}

// "QNp": Black's pieces are small.
std::string holdings(const Engine& engine) {
  std::string out;
  for (const Side side : both_sides)
    for (int number = Pocket::last; number >= pawn; --number) {
      const auto type = static_cast<PieceType>(number);
      const int held = number < static_cast<int>(engine.book().type_count())
                           ? pocket_of(engine, side).count(type)
                           : 0;
      const char letter = held > 0 ? engine.book().type(type).letter : ' ';
      out.append(static_cast<std::size_t>(held),
                 side == white ? letter : static_cast<char>(letter - 'A' + 'a'));
    }
  return out;
}

bool read_holdings(Engine& engine, std::string_view text) {
  for (const char c : text) {
    const PieceType type = engine.book().type_by_letter(c);
    if (type == no_type || type > Pocket::last || type == king) return false;
    put_into_pocket(engine, c >= 'a' ? black : white, type, 1);
  }
  return true;
}

Preset crazyhouse() {
  Preset preset = describe("crazyhouse", "Crazyhouse", "pieces",
                           "Captured pieces change sides: instead of a move one may be put on an "
                           "empty square, pawns not on the first or last rank.");
  preset.attributes = {Attribute{std::string(promoted_attribute), 0, 1}};
  preset.disturbs = false;
  preset.hooks.offer_moves = offer_drops;
  // What was promoted falls as a pawn.
  preset.hooks.on_piece_retract = [](Engine& engine, const Retraction& gone) {
    if (gone.kind != "capture" || !gone.attacker || !engine.in_scope(gone.attacker.side)) return;
    if (gone.piece.type == king || gone.piece.type > Pocket::last ||
        gone.piece.side == gone.attacker.side)
      return;
    const bool raised = engine.has_attribute(gone.piece, engine.own_attribute(0));
    put_into_pocket(engine, gone.attacker.side, raised ? pawn : gone.piece.type, 1);
  };
  preset.hooks.on_after_move = [](Engine& engine, const MoveEvent& event) {
    if (event.move.kind() == MoveKind::drop)
      put_into_pocket(engine, event.mover, event.move.promotion(), -1);
    if (event.promoted) engine.set_attribute(engine.now(event.piece), engine.own_attribute(0), 1);
  };
  preset.appraisal.bonus = [](const Engine& engine, Side side) {
    const Pocket pocket = pocket_of(engine, side);
    int out = 0;
    for (std::size_t type = pawn; type < engine.book().type_count() && type <= Pocket::last; ++type)
      out += pocket.count(static_cast<PieceType>(type)) *
             engine.book().type(static_cast<PieceType>(type)).value * 11 / 10;
    return out;
  };
  preset.fen = {FenPart::Where::holdings, holdings, read_holdings};
  return preset;
}

}  // namespace

void variants(std::vector<Preset>& out) {
  out.push_back(king_of_the_hill());
  out.push_back(three_check());
  out.push_back(racing_kings());
  out.push_back(horde());
  out.push_back(atomic());
  out.push_back(crazyhouse());
}

}  // namespace parlor::chess::inline PARLOR_BOARD::presets
