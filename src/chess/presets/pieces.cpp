// New kinds of pieces.
#include "chess/presets/presets.h"

namespace parlor::chess::inline PARLOR_BOARD::presets {
namespace {

// Moves as a rook; captures the next piece behind exactly one other.
Ways cannon_ways() {
  Ways out = slides(1, 0, Way::Mode::quiet);
  for (Way way : slides(1, 0, Way::Mode::capture)) {
    way.hops = true;
    out.push_back(way);
  }
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
  preset.disturbs = false;
  preset.sleeps = true;
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
  preset.hooks.offer_moves = [](const Engine& engine, Side side, MoveList& moves) {
    const auto again = engine.state("again");
    if (!again) return;
    const Piece piece = engine.piece(static_cast<EntityId>(*again));
    if (piece && piece.side == side) moves.add({piece.square, piece.square, MoveKind::pass});
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

TypeInfo type_info(std::string id, std::string name, char letter,
                   std::array<std::string, 2> symbols, int value, Ways ways) {
  TypeInfo out;
  out.ways = std::move(ways);
  out.assets = {"pieces/white-" + id + ".svg", "pieces/black-" + id + ".svg"};
  out.id = std::move(id);
  out.name = std::move(name);
  out.letter = letter;
  out.symbols = std::move(symbols);
  out.value = value;
  return out;
}

void pieces(Rulebook& book, std::vector<Preset>& out) {
  // On larger boards C is the chancellor, as everywhere.
  constexpr char cannon_letter = one_word ? 'C' : 'O';
  const std::array<std::string, 2> cannon_symbols =
      one_word ? std::array<std::string, 2>{"C", "c"} : std::array<std::string, 2>{"O", "o"};
  const PieceType cannon_type = *book.add_type(
      type_info("cannon", "Cannon", cannon_letter, cannon_symbols, 450, cannon_ways()));
  const PieceType berserker_type = *book.add_type(type_info(
      "berserker", "Berserker", 'Z', {"Z", "z"}, 850, leaps(1, 1) + leaps(1, 0) + leaps(1, 2)));

  Preset cannons =
      describe("cannon", "Cannons", "pieces",
               "Knights become cannons, which move as rooks and capture over exactly one piece.");
  replace_type(cannons, knight, cannon_type);
  out.push_back(std::move(cannons));
  out.push_back(berserker_preset(berserker_type));
}

}  // namespace parlor::chess::inline PARLOR_BOARD::presets
