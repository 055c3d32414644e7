// Custom modifiers: presets as data. A descriptor attaches primitives to piece types or to single
// pieces; a primitive is an effect and the trigger that sets it off. docs/house-rules.md shows the
// format. Everything that can be wrong is found when the file is read.
//
// The order in which triggers are dispatched for one move, written down here and nowhere else:
//
//   onDamaged, onCapture, onCaptured, (the piece leaves), onMove, onMovedOntoSquare,
//   onPromotion, auras, onCheckDelivered, onCheckReceived, onTurnEnd, onTurnStart
//
// Within one trigger: descriptors in file order, then attachments, then primitives.
#pragma once

#include "chess/engine.h"

namespace parlor::chess::inline PARLOR_BOARD::modifiers {

enum class Trigger : std::uint8_t {
  always,  // seeds, auras and move patterns: no moment of their own
  on_damaged,
  on_capture,
  on_captured,
  on_move,
  on_moved_onto_square,
  on_promotion,
  on_check_delivered,
  on_check_received,
  on_turn_end,
  on_turn_start
};

enum class EffectKind : std::uint8_t {
  seed_attribute,
  add_to_attribute,
  multiply_attribute,
  absorb_damage,
  deal_damage,
  heal,
  add_aura,
  set_type,
  spawn_piece,
  remove_piece,
  move_piece,
  extra_turn,
  emit_effect,
  grant_move_pattern,
  conditional,
  win,
  lose,
  draw,
  freeze,
  forbid_moves
};

// Whom an effect concerns. One resolver (run.cpp) answers for every primitive.
struct Target {
  enum class Kind : std::uint8_t {
    self,
    attacker,
    defender,
    squares,
    around  // by relation and place
  } kind = Kind::self;
  Bitboard squares = 0;
  TypeSet filter = all_types;
  std::array<bool, 2> sides{true, true};  // by colour
  bool allies = true;
  bool enemies = true;
  enum class Where : std::uint8_t {
    anywhere,
    neighbours,
    in_front,
    same_file
  } where = Where::anywhere;
};

enum class Comparison : std::uint8_t { equal, not_equal, less, less_equal, greater, greater_equal };

// One side of a comparison: a number, or one that belongs to the piece.
struct Operand {
  enum class Kind : std::uint8_t { number, attribute, rank, file } kind = Kind::number;
  int number = 0;
  std::string attribute = {};
};

struct Condition {
  enum class Kind : std::uint8_t {
    compare,
    type,
    side,
    on_squares,
    all,
    any,
    negation
  } kind = Kind::all;
  Comparison op = Comparison::equal;
  Operand left = {};
  Operand right = {};
  TypeSet types = 0;
  Bitboard squares = 0;
  Side side = white;
  std::vector<Condition> parts = {};
};

struct MovePattern {
  Ways ways = {};
  bool quiet = true;  // of forbidMoves: which
  bool capture = true;
};

struct Primitive {
  Trigger trigger = Trigger::always;
  EffectKind effect = EffectKind::emit_effect;
  Target target = {};
  Bitboard squares = 0;             // of onMovedOntoSquare
  std::optional<Side> colour = {};  // of onTurnEnd and onTurnStart
  std::string attribute = {};
  std::string text = {};  // kind of damage or visual effect
  int amount = 0;
  int divisor = 1;
  int limit = 0;            // of heal: up to; of auras: radius; of visual effects: ttl
  bool to_enemies = false;  // of auras; of spawned pieces: they belong to the enemy
  PieceType type = no_type;
  Square square = no_square;  // where to; no_square: where the event took place
  MovePattern pattern = {};
  std::optional<Condition> condition = {};  // of conditional, and perhaps of forbidMoves
  std::vector<Primitive> then = {};
  std::vector<Primitive> otherwise = {};
};

struct Attachment {
  TypeSet types = 0;     // to all pieces of these types ...
  Bitboard squares = 0;  // ... or to the pieces that stand there when the rule begins
  std::array<bool, 2> sides{true, true};
  std::vector<Primitive> primitives = {};
};

struct Descriptor {
  std::string name;
  std::string description = {};
  std::vector<Attribute> attributes = {};
  std::vector<Attachment> attachments = {};
  bool castle_freely = false;  // out of check and through it
  int passes = 0;              // how often each side may pass
};

// How many of its own turns a piece cannot move: the attribute `freeze` uses.
inline constexpr std::string_view frozen_attribute = "Frozen";

inline constexpr std::size_t max_primitives = 50;
inline constexpr int max_depth = 3;
inline constexpr int max_single_pieces = 16;  // in a file: each is remembered in the state

// One descriptor or a list of them, from YAML or JSON text. What was read in an older spelling is
// a warning.
struct Parsed {
  std::vector<Descriptor> descriptors;
  std::shared_ptr<Rulebook> book;  // the one given, with the kinds of pieces the file brings
  Json data;
  Diagnostics diagnostics;
};
Parsed parse(const std::string& text, const std::string& file, const Rulebook& book);

// The text as data, without looking at what it means.
tl::expected<Json, Diagnostics> read_data(const std::string& text, const std::string& file);

// The descriptors as one preset.
Preset make_preset(std::vector<Descriptor> descriptors, std::string id);

// A rulebook with the file's modifiers added as one rule of this id, or everything that is wrong
// with it. What could be written better is told in `hints`.
tl::expected<std::shared_ptr<const Rulebook>, Diagnostics> with_modifiers(
    const Rulebook& book, const std::string& text, const std::string& file,
    const std::string& id = "modifiers", Diagnostics* hints = nullptr);

}  // namespace parlor::chess::inline PARLOR_BOARD::modifiers
