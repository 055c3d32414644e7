#include <algorithm>
#include <fmt/core.h>

#include "chess/modifiers/parser.h"

namespace parlor::chess::inline PARLOR_BOARD::modifiers {
namespace {

// Of UTF-8 text.
std::ptrdiff_t characters(const std::string& text) {
  return std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; });
}

}  // namespace

// ---- The document

Descriptor Parser::descriptor(const Node& node) {
  Descriptor out;
  descriptor_ = &out;
  count_ = 0;
  Fields fields{cx(), node, "a descriptor"};
  fields.need("version", [&](const Node& n) {
    if (!n.is_integer() || n.integer != 1)
      problem(Code::MODIFIER_VERSION, n, "`version` must be 1");
  });
  fields.need("name", [&](const Node& n) {
    out.name = spec::lower::read_string(cx(), n, "a text for `name`");
    if (n.is_string() && (out.name.empty() || characters(out.name) > 40))
      problem(Code::MODIFIER_INVALID, n, "a name has 1 to 40 characters");
  });
  fields.maybe("description", [&](const Node& n) {
    out.description = spec::lower::read_string(cx(), n, "a text for `description`");
    if (characters(out.description) > 200)
      problem(Code::MODIFIER_INVALID, n, "a description has at most 200 characters");
  });
  fields.maybe("attributes", [&](const Node& list) {
    spec::lower::each_item(cx(), list, "a list of attributes",
                           [&](const Node& n) { attribute_declaration(n); });
  });
  out.castle_freely = word<bool>(fields, "castling", {{"usual", false}, {"throughCheck", true}});
  out.passes = number(fields, "passes", 0, 99, 0);
  fields.allow({"pieces"});
  const auto attach = [&](const Node& list) {
    spec::lower::each_item(cx(), list, "a list of attachments",
                           [&](const Node& n) { out.attachments.push_back(attachment(n)); });
    if (list.is_list() && list.items.empty())
      problem(Code::LIST_EMPTY, list, "`attach` needs at least one attachment");
    if (count_ > max_primitives)
      problem(Code::MODIFIER_TOO_MANY, list,
              fmt::format("{} primitives, at most {} are allowed", count_, max_primitives));
  };
  if (out.castle_freely || out.passes > 0 || node.has("pieces"))
    fields.maybe("attach", attach);
  else
    fields.need("attach", attach);
  descriptor_ = nullptr;
  return out;
}

void Parser::attribute_declaration(const Node& node) {
  Fields fields{cx(), node, "an attribute"};
  Attribute attribute{text(fields, "name")};
  attribute.low = static_cast<std::int16_t>(number(fields, "low", -9999, 9999, 0));
  attribute.high = static_cast<std::int16_t>(number(fields, "high", attribute.low, 9999, 999));
  descriptor_->attributes.push_back(std::move(attribute));
}

void Parser::add_pieces(const Node& node, Rulebook& book) {
  const Node* pieces = node.find("pieces");
  if (pieces == nullptr) return;
  const auto step = cx().step("pieces");
  spec::lower::each_item(cx(), *pieces, "a list of pieces",
                         [&](const Node& piece) { add_piece(piece, book); });
}

void Parser::add_piece(const Node& node, Rulebook& book) {
  const std::size_t before = cx().errors();
  TypeInfo type;
  {
    Fields fields{cx(), node, "a piece"};
    type.id = text(fields, "id");
    type.name = text(fields, "name", type.id);
    type.value = number(fields, "value", 1, 5000, 300);
    fields.need("betza", [&](const Node& n) { add_betza(n, type.ways); });
    fields.need("letter", [&](const Node& n) {
      if (n.is_string() && n.text.size() == 1 && n.text[0] >= 'A' && n.text[0] <= 'Z')
        type.letter = n.text[0];
      else
        spec::lower::wrong_shape(cx(), n, "one letter from A to Z");
    });
  }
  if (cx().errors() != before) return;
  type.symbols = {std::string(1, type.letter),
                  std::string(1, static_cast<char>(type.letter - 'A' + 'a'))};
  type.assets = {"", ""};
  if (!book.add_type(std::move(type)))
    problem(Code::MODIFIER_INVALID, node,
            "the id or letter is taken, or there are too many kinds of pieces");
}

// ---- Who

Attachment Parser::attachment(const Node& node) {
  Attachment out;
  Fields fields{cx(), node, "an attachment"};
  fields.need("to", [&](const Node& to) { attached_to(to, out); });
  fields.need("primitives", [&](const Node& n) { out.primitives = list(n, 1, Trigger::always); });
  return out;
}

void Parser::attached_to(const Node& node, Attachment& out) {
  const std::size_t before = cx().errors();
  {
    Fields fields{cx(), node, "`to`"};
    fields.maybe("pieceType", [&](const Node& n) { out.types |= type_set(n); });
    fields.maybe("pieceTypes", [&](const Node& n) { out.types |= type_set(n); });
    fields.maybe("squares", [&](const Node& n) { out.squares = squares(n); });
    fields.maybe("colour", [&](const Node& n) {
      if (const auto side = colour(n)) out.sides[other(*side)] = false;
    });
  }
  if (out.types == 0 && out.squares == 0 && cx().errors() == before)
    problem(Code::MODIFIER_INVALID, node, "`to` names no piece").suggestion =
        "write {pieceType: …}, {pieceTypes: […]} or {squares: […]}";
}

// ---- What and when

std::vector<Primitive> Parser::list(const Node& node, int depth, Trigger inherited) {
  std::vector<Primitive> out;
  if (depth > max_depth) {
    problem(Code::MODIFIER_TOO_DEEP, node,
            fmt::format("primitives are nested {} deep, at most {} are allowed", depth, max_depth));
    return out;
  }
  spec::lower::each_item(cx(), node, "a list of primitives",
                         [&](const Node& n) { out.push_back(primitive(n, depth, inherited)); });
  return out;
}

Primitive Parser::primitive(const Node& node, int depth, Trigger inherited) {
  ++count_;
  Primitive out;
  out.trigger = inherited;
  Fields fields{cx(), node, "a primitive"};
  bool known = true;
  if (depth == 1) fields.maybe("on", [&](const Node& on) { known = trigger(on, out); });
  const bool named_effect = fields.need("do", [&](const Node& n) {
    const auto found = n.is_string() ? named(n, n.text, effects, Code::MODIFIER_EFFECT_UNKNOWN,
                                             "effect of a modifier")
                                     : std::nullopt;
    if (!n.is_string()) spec::lower::wrong_shape(cx(), n, "the name of an effect");
    known = known && found.has_value();
    out.effect = found.value_or(EffectKind::emit_effect);
  });
  if (!known || !named_effect) {
    if (!known) fields.give_up();
    return out;
  }
  check_moment(node, out);
  fields.maybe("target", [&](const Node& n) { out.target = target(n, out.trigger); });
  effect(fields, depth, out);
  return out;
}

// `onMove`, `onTurnStart: white`, `onMovedOntoSquare: {squares: […]}`. False: there is none.
bool Parser::trigger(const Node& node, Primitive& out) {
  const Node* details = nullptr;
  std::string_view name;
  if (node.is_string()) {
    name = node.text;
  } else if (node.is_map() && node.entries.size() == 1) {
    name = node.entries.front().key;
    details = &node.entries.front().value;
  } else {
    spec::lower::wrong_shape(cx(), node, "a trigger");
    return false;
  }
  const auto found = named(node, name, triggers, Code::MODIFIER_TRIGGER_UNKNOWN, "trigger");
  if (!found) return false;
  out.trigger = *found;
  const auto step = cx().step(name);
  const bool turn = *found == Trigger::on_turn_end || *found == Trigger::on_turn_start;
  if (*found == Trigger::on_moved_onto_square) {
    moved_onto(details, node, out);
  } else if (details == nullptr) {
    return true;
  } else if (turn && details->is_string()) {
    out.colour = colour(*details);
  } else if (turn) {
    Fields fields{cx(), *details, "a turn"};
    fields.need("colour", [&](const Node& n) { out.colour = colour(n); });
  } else {
    problem(Code::MODIFIER_INVALID, *details, fmt::format("`{}` has no details", name));
  }
  return true;
}

void Parser::moved_onto(const Node* details, const Node& on, Primitive& out) {
  const std::size_t before = cx().errors();
  std::optional<Bitboard> place;
  if (details != nullptr) {
    Fields fields{cx(), *details, "`onMovedOntoSquare`"};
    place = area(fields);
  }
  out.squares = place.value_or(0);
  if (!place && cx().errors() == before)
    problem(Code::MODIFIER_INVALID, on, "`onMovedOntoSquare` needs a place").suggestion =
        "write {onMovedOntoSquare: {squares: […]}}, or {predicate: …}, {rank: …}, {file: …}";
}

// Which effects make sense at which moment.
void Parser::check_moment(const Node& node, const Primitive& p) {
  const bool timeless =
      p.effect == EffectKind::seed_attribute || p.effect == EffectKind::add_aura ||
      p.effect == EffectKind::grant_move_pattern || p.effect == EffectKind::forbid_moves;
  if (p.effect == EffectKind::absorb_damage && p.trigger != Trigger::on_damaged)
    problem(Code::MODIFIER_INVALID, node, "absorbDamageWithAttribute belongs to onDamaged");
  if (!timeless && p.trigger == Trigger::always && !in_aura_)
    problem(Code::MODIFIER_INVALID, node, "this effect needs a trigger: on: ...");
  if (timeless && (p.trigger != Trigger::always || in_aura_))
    problem(Code::MODIFIER_INVALID, node, "this effect is always in force and has no trigger");
}

Target Parser::target(const Node& node, Trigger moment) {
  Target out;
  const bool capture_moment = moment == Trigger::on_capture || moment == Trigger::on_captured ||
                              moment == Trigger::on_damaged;
  if (node.is("self")) return out;
  if (node.is("attacker") || node.is("defender")) {
    out.kind = node.is("attacker") ? Target::Kind::attacker : Target::Kind::defender;
    if (!capture_moment)
      problem(Code::MODIFIER_TARGET_INVALID, node,
              fmt::format("there is no {} here: only captures and damage have one", node.text));
    return out;
  }
  if (node.is_map() && node.has("squares")) {
    Fields fields{cx(), node, "a target"};
    out.kind = Target::Kind::squares;
    fields.need("squares", [&](const Node& n) { out.squares = squares(n); });
    return out;
  }
  if (node.is_map()) {
    around(node, out);
    return out;
  }
  problem(Code::MODIFIER_TARGET_INVALID, node, fmt::format("{} is no target", spec::describe(node)))
      .suggestion =
      "a target is self, attacker, defender, {squares: […]} or {relation: ally|enemy|any, where?, "
      "filter?}";
  return out;
}

void Parser::around(const Node& node, Target& out) {
  enum class Relation { any, ally, enemy };
  Fields fields{cx(), node, "a target"};
  out.kind = Target::Kind::around;
  if (!node.has("relation") && !node.has("where")) fields.required("relation");
  const Relation relation = word<Relation>(
      fields, "relation",
      {{"any", Relation::any}, {"ally", Relation::ally}, {"enemy", Relation::enemy}});
  out.allies = relation != Relation::enemy;
  out.enemies = relation != Relation::ally;
  out.where = word<Target::Where>(fields, "where",
                                  {{"anywhere", Target::Where::anywhere},
                                   {"neighbours", Target::Where::neighbours},
                                   {"inFront", Target::Where::in_front},
                                   {"sameFile", Target::Where::same_file}});
  fields.maybe("filter", [&](const Node& n) {
    Fields filter{cx(), n, "a filter of targets"};
    filter.maybe("pieceType", [&](const Node& type) { out.filter = type_set(type); });
    filter.maybe("colour", [&](const Node& name) {
      if (const auto side = colour(name)) out.sides[other(*side)] = false;
    });
    if (n.is_map() && n.entries.empty())
      problem(Code::MODIFIER_TARGET_INVALID, n, "a filter is {pieceType?, colour?}");
  });
}

// ---- From text

tl::expected<Json, Diagnostics> read_data(const std::string& text, const std::string& file) {
  Diagnostics problems;
  const auto document = ModifierDocument::read(text, file, problems);
  if (!document) return tl::unexpected(std::move(problems));
  return spec::lower::read_data(document->root);
}

Parsed parse(const std::string& text, const std::string& file, const Rulebook& book) {
  Parsed out;
  out.book = std::make_shared<Rulebook>(book);
  const auto document = ModifierDocument::read(text, file, out.diagnostics);
  if (!document) return out;
  const Node& root = document->root;
  out.data = spec::lower::read_data(root);
  spec::lower::Context cx(document->doc, document->nothing, out.diagnostics);
  Parser parser(cx, *out.book);
  const auto each = [&](const auto& visit) {
    if (!root.is_list()) return visit(root);
    spec::lower::each_item(cx, root, "a list of descriptors", visit);
  };
  each([&](const Node& node) { parser.add_pieces(node, *out.book); });
  each([&](const Node& node) { out.descriptors.push_back(parser.descriptor(node)); });
  int single = 0;
  for (const Descriptor& descriptor : out.descriptors)
    for (const Attachment& attachment : descriptor.attachments) single += count(attachment.squares);
  if (single > max_single_pieces)
    cx.error(Code::MODIFIER_INVALID, root,
             fmt::format("{} single pieces in `to: {{squares}}`, at most {} are allowed", single,
                         max_single_pieces));
  return out;
}

}  // namespace parlor::chess::inline PARLOR_BOARD::modifiers
