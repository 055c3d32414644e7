// New kinds of pieces.
#include "chess/presets/presets.h"

namespace parlor::chess::presets {
namespace {

// Moves as a rook; captures the next piece behind exactly one other.
Targets cannon_targets(const Board& board, Square from, Side side) {
  const Bitboard occupied = board.occupied();
  const Bitboard open = rook_attacks(from, occupied);
  const Bitboard screens = open & occupied;
  // Looking through the screens shows what stands behind them.
  const Bitboard behind = rook_attacks(from, occupied & ~screens) & ~open;
  return {open & ~occupied, behind & board.of(other(side))};
}

bool cannon_attacks(const Board& board, Square from, Square target, Side) {
  if (file_of(from) != file_of(target) && rank_of(from) != rank_of(target)) return false;
  return count(between(from, target) & board.occupied()) == 1;
}

Targets berserker_targets(const Board& board, Square from, Side side) {
  const Bitboard reach = king_attacks(from) | knight_attacks(from);
  return {reach & ~board.occupied(), reach & board.of(other(side))};
}

bool berserker_attacks(const Board&, Square from, Square target, Side) {
  return has(king_attacks(from) | knight_attacks(from), target);
}

TypeInfo type_info(std::string id, std::string name, char letter,
                   std::array<std::string, 2> symbols, int value) {
  TypeInfo out;
  out.assets = {"pieces/white-" + id + ".svg", "pieces/black-" + id + ".svg"};
  out.id = std::move(id);
  out.name = std::move(name);
  out.letter = letter;
  out.symbols = std::move(symbols);
  out.value = value;
  return out;
}

// On activation all pieces of one type (of the sides in scope) become another; so do promotions.
void replace_type(Preset& preset, PieceType old_type, PieceType new_type) {
  preset.promotes_also = types(new_type);
  preset.promotes_not = types(old_type);
  preset.hooks.on_activate = [old_type, new_type](Engine& engine) {
    for (const Square square : squares_of(engine.board().of(old_type)))
      if (const Piece piece = engine.piece_at(square); engine.in_scope(piece.side))
        engine.set_type(piece, new_type);
  };
}

Preset berserker_preset(PieceType berserker) {
  Preset preset = describe(
      "berserker", "Berserkers", "pieces",
      "Queens become berserkers: king and knight in one, free to move once more after capturing.");
  replace_type(preset, queen, berserker);
  preset.shapes = types(berserker);
  // `again` holds the berserker that has the extra move.
  preset.hooks.should_advance_turn = [berserker](const Engine& engine, const MoveEvent& event,
                                                 int half_moves) {
    const bool again = event.piece.type == berserker && event.is_capture() && event.target_died &&
                       half_moves == 1 && engine.in_scope(event.mover) && engine.now(event.piece);
    return !again;
  };
  preset.hooks.on_after_move = [berserker](Engine& engine, const MoveEvent& event) {
    if (!event.turn_passed && event.piece.type == berserker && event.is_capture() &&
        event.target_died)
      engine.set_state("again", event.piece.id);
    else
      engine.delete_state("again");
  };
  preset.hooks.get_extra_moves = [](const Engine& engine, const Piece& piece, MoveSet& moves) {
    if (engine.state("again") == piece.id && engine.turn() == piece.side)
      moves.add_special({piece.square, piece.square, MoveKind::pass});
  };
  preset.hooks.filter_legal_moves = [](const Engine& engine, Side, MoveList& moves) {
    const auto again = engine.state("again");
    if (!again) return;
    const Square square = engine.piece(static_cast<EntityId>(*again)).square;
    moves.remove_if([&](Move move) { return move.from() != square; });
  };
  preset.hooks.on_turn_start = [](Engine& engine, Side) { engine.delete_state("again"); };
  return preset;
}

}  // namespace

void pieces(Rulebook& book, std::vector<Preset>& out) {
  TypeInfo cannon = type_info("cannon", "Cannon", 'C', {"C", "c"}, 450);
  cannon.targets = cannon_targets;
  cannon.attacks = cannon_attacks;
  const PieceType cannon_type = *book.add_type(std::move(cannon));
  TypeInfo berserker = type_info("berserker", "Berserker", 'Z', {"Z", "z"}, 850);
  berserker.targets = berserker_targets;
  berserker.attacks = berserker_attacks;
  const PieceType berserker_type = *book.add_type(std::move(berserker));

  Preset cannons =
      describe("cannon", "Cannons", "pieces",
               "Knights become cannons, which move as rooks and capture over exactly one piece.");
  replace_type(cannons, knight, cannon_type);
  out.push_back(std::move(cannons));
  out.push_back(berserker_preset(berserker_type));
}

}  // namespace parlor::chess::presets
