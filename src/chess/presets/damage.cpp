// Pieces that survive, heal, tire, burst and split.
#include <algorithm>
#include <fmt/core.h>

#include "chess/presets/presets.h"

namespace parlor::chess::inline PARLOR_BOARD::presets {
namespace {

constexpr int most_hp = 9;
const Attribute hp{"Hp", 0, most_hp};
const Attribute shield{"Shield", 0, 1};
const Attribute stamina_attribute{"Stamina", 0, 2};

// Gives every piece in scope its first value, now and when it is born.
// What another rule has given it already stays, whatever their order.
template <class Value>
void seed(Preset& preset, Value value) {
  const auto give = [value](Engine& engine, const Piece& piece) {
    const std::size_t column = engine.own_attribute(0);
    if (engine.in_scope(piece.side) && !engine.has_attribute(piece, column))
      engine.set_attribute(piece, column, value(engine));
  };
  preset.hooks.on_activate = [give](Engine& engine) {
    for (const Square square : squares_of(engine.board().occupied()))
      give(engine, engine.piece_at(square));
  };
  preset.hooks.on_piece_spawn = give;
}

// What is left of the damage once the shield has taken its point.
int absorb_with_shield(Engine& engine, const Piece& target, int amount) {
  const auto column = engine.book().find_attribute(shield.name);
  if (!column || engine.attribute(target, *column) == 0) return amount;
  engine.set_attribute(target, *column, 0);
  if (engine.watched())
    engine.emit_effect({"shield", target.square, 2, nullptr,
                        fmt::format("the shield on {} breaks", square_name(target.square))});
  return amount - 1;
}

// What pieces that lack points are worth less, and those that have more of them more; `usual`
// points make a whole piece.
void appraise_points(Preset& preset, int usual, int percent) {
  preset.appraisal.bonus = [usual, percent](const Engine& engine, Side side) {
    const std::size_t column = engine.own_attribute(0);
    int out = 0;
    for (const Square square : squares_of(engine.pieces(side))) {
      const Piece piece = engine.piece_at(square);
      if (engine.has_attribute(piece, column))
        out += engine.book().type(piece.type).value * (engine.attribute(piece, column) - usual) *
               percent / 100;
    }
    return out;
  };
}

Preset piece_hp() {
  Preset preset = describe(
      "piece-hp", "Hit points", "damage",
      "Pieces have 2 hit points and fall at 0; a side without kings loses, check binds nobody.");
  preset.attributes = {hp};
  preset.parameters = {
      {"points", Parameter::Kind::number, 2, 1, most_hp, "hit points at the beginning"}};
  seed(preset,
       [](const Engine& engine) { return static_cast<int>(engine.state("points").value_or(2)); });
  appraise_points(preset, 2, 40);
  // The shield goes first, wherever piece-shield stands in the list.
  preset.hooks.on_damage = [](Engine& engine, const Damage& damage) {
    const int amount = absorb_with_shield(engine, damage.target, damage.amount);
    if (amount <= 0) return DamageAnswer::survived();
    const std::size_t column = engine.own_attribute(0);
    const int left = engine.attribute(damage.target, column, 0) - amount;
    engine.set_attribute(damage.target, column, left);
    if (engine.watched())
      engine.emit_effect({"damage", damage.target.square, 2, Json{{"hp", std::max(left, 0)}}});
    return left <= 0 ? DamageAnswer::killed() : DamageAnswer::survived();
  };
  preset.hooks.should_filter_self_check = [](const Engine&, Side) { return false; };
  preset.hooks.on_check_game_result = [](const Engine& engine) {
    for (const Side side : {engine.turn(), other(engine.turn())})
      if ((engine.position().had_royals >> side & 1) != 0 && engine.royals(side) == 0)
        return Verdict::win(other(side), "king-fell");
    return Verdict::ongoing();
  };
  preset.hooks.describe_move_effect = [](const Engine& engine,
                                         const MoveEvent& event) -> std::string {
    if (!event.is_capture() || event.target_died) return "";
    const Piece target = engine.now(event.target);
    return fmt::format("{} holds with {} hp", square_name(target.square),
                       engine.attribute(target, engine.own_attribute(0)));
  };
  return preset;
}

Preset piece_shield() {
  Preset preset = describe("piece-shield", "Shields", "damage",
                           "Every piece has a shield that absorbs one point of damage.");
  preset.attributes = {shield};
  seed(preset, [](const Engine&) { return 1; });
  appraise_points(preset, 0, 30);
  preset.hooks.on_damage = [](Engine& engine, const Damage& damage) {
    return DamageAnswer::pass(absorb_with_shield(engine, damage.target, damage.amount));
  };
  return preset;
}

Preset king_heals() {
  Preset preset = describe(
      "king-heals", "Kings heal", "damage",
      "After each move the other side's king gains a hit point, up to 3, unless in check.");
  preset.module.requires_ids = {"piece-hp"};
  preset.attributes = {hp};
  preset.disturbs = false;
  preset.module.order = 1;  // it heals what is left when poison has done its work
  preset.hooks.on_after_move = [](Engine& engine, const MoveEvent& event) {
    const Side side = other(event.mover);
    if (!engine.in_scope(side)) return;
    for (const Square square : squares_of(engine.board().of(side, king))) {
      if (engine.attacked(square, event.mover)) continue;
      const Piece piece = engine.piece_at(square);
      const std::size_t column = engine.own_attribute(0);
      if (engine.has_attribute(piece, column) && engine.attribute(piece, column) < 3)
        engine.set_attribute(piece, column, engine.attribute(piece, column) + 1);
    }
  };
  return preset;
}

Preset poisoned_squares() {
  Preset preset =
      describe("poisoned-squares", "Poisoned squares", "damage",
               "After every move pieces on d4, e4, d5 and e5 take one point of poison.");
  preset.module.requires_ids = {"piece-hp"};
  preset.hooks.on_after_move = [](Engine& engine, const MoveEvent&) {
    for (const Square square : squares_of(centre_squares))
      if (const Piece piece = engine.piece_at(square); piece && engine.in_scope(piece.side)) {
        engine.emit_effect({"poison", square, 1});  // what it does is said by the damage
        engine.deal_damage(piece, 1, "poison");
      }
  };
  return preset;
}

// Everything within two squares along rank and file of the target, except target and rook.
Bitboard blast(Square centre) {
  Bitboard out = 0;
  for (int distance = -2; distance <= 2; ++distance) {
    if (on_board(file_of(centre) + distance, rank_of(centre)))
      out |= bit(square_at(file_of(centre) + distance, rank_of(centre)));
    if (on_board(file_of(centre), rank_of(centre) + distance))
      out |= bit(square_at(file_of(centre), rank_of(centre) + distance));
  }
  return out & ~bit(centre);
}

Preset explosive_rook() {
  Preset preset = describe(
      "explosive-rook", "Explosive rooks", "damage",
      "A rook's capture hits everything within two squares along the target's rank and file.");
  preset.hooks.on_before_capture = [](Engine& engine, const Capture& capture) {
    if (capture.attacker.type != rook) return false;
    const Square centre = capture.target.square;
    const bool died = engine.deal_damage(capture.target, 1, "capture", capture.attacker);
    // Who stands there now is hit once; what that causes does not explode again.
    for (const Square square : squares_of(blast(centre) & engine.board().occupied())) {
      const Piece piece = engine.piece_at(square);
      if (piece && piece.id != capture.attacker.id)
        engine.deal_damage(piece, 1, "explosion", capture.attacker);
    }
    if (engine.watched())
      engine.emit_effect({"explosion", centre, 2, nullptr,
                          fmt::format("an explosion on {}", square_name(centre))});
    if (died) engine.move_piece(capture.attacker, centre);
    return true;
  };
  preset.hooks.describe_move_effect = [](const Engine& engine,
                                         const MoveEvent& event) -> std::string {
    const bool burst =
        event.is_capture() && event.piece.type == rook && engine.in_scope(event.mover);
    return burst ? fmt::format("explosion at {}", square_name(event.target.square)) : "";
  };
  return preset;
}

Preset queen_splits() {
  Preset preset =
      describe("queen-splits", "Splitting queens", "damage",
               "A capturing queen becomes a rook on the target and a bishop where it came from.");
  preset.hooks.on_before_capture = [](Engine& engine, const Capture& capture) {
    if (capture.attacker.type != queen) return false;
    if (!engine.deal_damage(capture.target, 1, "capture", capture.attacker)) return true;
    const Piece attacker = engine.now(capture.attacker);
    if (!attacker || !engine.board().empty(capture.move.to())) return true;
    engine.remove_piece(attacker);
    std::ignore = engine.spawn_piece(rook, attacker.side, capture.move.to());
    std::ignore = engine.spawn_piece(bishop, attacker.side, attacker.square);
    return true;
  };
  preset.hooks.describe_move_effect = [](const Engine& engine,
                                         const MoveEvent& event) -> std::string {
    const bool split = event.is_capture() && event.target_died && event.piece.type == queen &&
                       engine.in_scope(event.mover);
    return split ? "queen splits" : "";
  };
  return preset;
}

Preset stamina() {
  Preset preset =
      describe("stamina", "Stamina", "damage",
               "A move costs a piece one of its two points of stamina; its turn gives one back.");
  preset.attributes = {stamina_attribute};
  preset.disturbs = false;
  seed(preset, [](const Engine&) { return 2; });
  preset.hooks.filter_moves = [](const Engine& engine, const Piece& piece, MoveSet& moves) {
    if (engine.attribute(piece, engine.own_attribute(0), 1) > 0) return;
    moves.quiet = moves.capture = 0;
    moves.special_count = 0;
  };
  preset.hooks.on_after_move = [](Engine& engine, const MoveEvent& event) {
    const std::size_t column = engine.own_attribute(0);
    if (event.move.kind() == MoveKind::pass) return;
    if (const Piece piece = engine.now(event.piece); piece && engine.has_attribute(piece, column))
      engine.set_attribute(piece, column, engine.attribute(piece, column) - 1);
  };
  preset.hooks.on_turn_start = [](Engine& engine, Side side) {
    const std::size_t column = engine.own_attribute(0);
    for (const Square square : squares_of(engine.pieces(side)))
      if (const Piece piece = engine.piece_at(square); engine.has_attribute(piece, column))
        engine.set_attribute(piece, column, std::min(engine.attribute(piece, column) + 1, 2));
  };
  return preset;
}

}  // namespace

void damage(std::vector<Preset>& out) {
  out.push_back(piece_hp());
  out.push_back(piece_shield());
  out.push_back(king_heals());
  out.push_back(poisoned_squares());
  out.push_back(explosive_rook());
  out.push_back(queen_splits());
  out.push_back(stamina());
}

}  // namespace parlor::chess::inline PARLOR_BOARD::presets
