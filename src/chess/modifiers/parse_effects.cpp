// What each effect says besides `on`, `do` and `target`.
#include <algorithm>
#include <fmt/core.h>

#include "chess/modifiers/parser.h"

namespace parlor::chess::inline PARLOR_BOARD::modifiers {

void Parser::effect(Fields& fields, int depth, Primitive& out) {
  switch (out.effect) {
    case EffectKind::seed_attribute:
    case EffectKind::add_to_attribute:
    case EffectKind::multiply_attribute:
    case EffectKind::absorb_damage:
    case EffectKind::deal_damage:
    case EffectKind::heal:
      return numbers_of(fields, out);
    case EffectKind::add_aura:
      return aura(fields, depth, out);
    case EffectKind::spawn_piece:
      fields.maybe("square", [&](const Node& n) { out.square = square(n); });
      out.to_enemies = word<bool>(fields, "side", {{"own", false}, {"enemy", true}});
      [[fallthrough]];
    case EffectKind::set_type:
      fields.need("pieceType", [&](const Node& n) { out.type = type(n); });
      return;
    case EffectKind::move_piece:
      fields.need("square", [&](const Node& n) { out.square = square(n); });
      return;
    case EffectKind::emit_effect:
      out.text = text(fields, "kind");
      out.limit = number(fields, "ttl", 1, 999, 1);
      return;
    case EffectKind::grant_move_pattern:
      return pattern(fields, out);
    case EffectKind::conditional:
      return branches(fields, depth, out);
    case EffectKind::freeze:
      out.amount = number(fields, "turns", 1, 90, 1);
      return need_frozen_attribute();
    case EffectKind::forbid_moves:
      move_mode(fields, out);
      fields.maybe("if", [&](const Node& n) { out.condition = condition(n); });
      return;
    case EffectKind::remove_piece:
    case EffectKind::extra_turn:
    case EffectKind::win:
    case EffectKind::lose:
    case EffectKind::draw:
      return;
  }
}

void Parser::numbers_of(Fields& fields, Primitive& out) {
  if (out.effect == EffectKind::heal)
    attribute(fields, out, "Hp");
  else if (out.effect != EffectKind::deal_damage)
    attribute(fields, out);
  switch (out.effect) {
    case EffectKind::seed_attribute:
      return seeded_value(fields, out);
    case EffectKind::add_to_attribute:
      out.amount = number(fields, "amount", -9999, 9999, std::nullopt);
      return;
    case EffectKind::multiply_attribute:
      out.amount = number(fields, "numerator", -999, 999, std::nullopt);
      out.divisor = number(fields, "denominator", 1, 999, 1);
      return;
    case EffectKind::deal_damage:
      out.amount = number(fields, "amount", 1, 999, 1);
      out.text = text(fields, "kind", "modifier");
      return;
    case EffectKind::heal:
      out.amount = number(fields, "amount", 1, 999, 1);
      out.limit = number(fields, "max", 1, 9999, 9999);
      return;
    default:
      return;
  }
}

// An attribute of the descriptor, or one that rules of the book have, which is then used with them.
bool Parser::known_attribute(const std::string& name) {
  if (std::ranges::find(descriptor_->attributes, name, &Attribute::name) !=
      descriptor_->attributes.end())
    return true;
  const auto column = book().find_attribute(name);
  if (column) descriptor_->attributes.push_back(book().attributes()[*column]);
  return column.has_value();
}

void Parser::attribute(Fields& fields, Primitive& out, std::optional<std::string> otherwise) {
  out.attribute = text(fields, "attribute", std::move(otherwise));
  if (out.attribute.empty() || known_attribute(out.attribute)) return;
  if (out.effect == EffectKind::seed_attribute) {
    descriptor_->attributes.push_back({out.attribute, 0, 999});
    return;
  }
  const Node* written = fields.node().find("attribute");
  const auto step = cx().step("attribute");
  problem(Code::MODIFIER_INVALID, written != nullptr ? *written : fields.node(),
          fmt::format("no attribute `{}` is declared or seeded before", out.attribute));
}

// A value beyond the bounds would be cut off in silence.
void Parser::seeded_value(Fields& fields, Primitive& out) {
  int low = -9999;
  int high = 9999;
  for (const Attribute& attribute : descriptor_->attributes)
    if (attribute.name == out.attribute) {
      low = attribute.low;
      high = attribute.high;
    }
  out.amount = number(fields, "value", low, high, std::nullopt);
}

void Parser::need_frozen_attribute() {
  if (std::ranges::find(descriptor_->attributes, frozen_attribute, &Attribute::name) ==
      descriptor_->attributes.end())
    descriptor_->attributes.push_back({std::string(frozen_attribute), 0, 99});
}

void Parser::branches(Fields& fields, int depth, Primitive& out) {
  fields.need("if", [&](const Node& n) { out.condition = condition(n); });
  if (!out.condition) out.condition = Condition{};
  fields.maybe("then", [&](const Node& n) { out.then = list(n, depth + 1, out.trigger); });
  fields.maybe("else", [&](const Node& n) { out.otherwise = list(n, depth + 1, out.trigger); });
}

void Parser::aura(Fields& fields, int depth, Primitive& out) {
  out.limit = number(fields, "radius", 1, 7, std::nullopt);
  out.to_enemies = word<bool>(fields, "relation", {{"ally", false}, {"enemy", true}});
  const bool outer = std::exchange(in_aura_, true);
  fields.need("effects", [&](const Node& n) { out.then = list(n, depth + 1, Trigger::always); });
  in_aura_ = outer;
}

void Parser::add_steps(Fields& fields, std::string_view key, Way::Mode mode, int most, Ways& out) {
  fields.maybe(key, [&](const Node& list) {
    spec::lower::each_item(cx(), list, "a list of steps", [&](const Node& step) {
      const auto inside = [](const Node& n) {
        return n.is_integer() && n.integer >= -7 && n.integer <= 7;
      };
      if (!step.is_list() || step.items.size() != 2 || !inside(step.items[0]) ||
          !inside(step.items[1]) || (step.items[0].integer == 0 && step.items[1].integer == 0)) {
        spec::lower::wrong_shape(cx(), step, "a step").suggestion =
            "a step is [files, ranks], each from -7 to 7 and not both 0";
        return;
      }
      Way way;
      way.file = static_cast<std::int8_t>(step.items[0].integer);
      way.rank = static_cast<std::int8_t>(step.items[1].integer);
      way.most = static_cast<std::uint8_t>(most);
      way.mode = mode;
      out.push_back(way);
    });
  });
}

void Parser::add_betza(const Node& node, Ways& out) {
  const std::string written = spec::lower::read_string(cx(), node, "a text in Betza's notation");
  if (!node.is_string()) return;
  if (const auto ways = betza_ways(written))
    out = std::move(out) + *ways;
  else
    problem(Code::MODIFIER_INVALID, node, ways.error());
}

void Parser::pattern(Fields& fields, Primitive& out) {
  move_mode(fields, out);
  const auto mode = out.pattern.quiet && out.pattern.capture ? Way::Mode::both
                    : out.pattern.quiet                      ? Way::Mode::quiet
                                                             : Way::Mode::capture;
  const int range = number(fields, "range", 1, 7, 7);
  const std::size_t before = cx().errors();
  add_steps(fields, "leaps", mode, 1, out.pattern.ways);
  add_steps(fields, "slides", mode, range, out.pattern.ways);
  fields.maybe("betza", [&](const Node& n) { add_betza(n, out.pattern.ways); });
  if (out.pattern.ways.empty() && cx().errors() == before)
    problem(Code::MODIFIER_INVALID, fields.node(), "grantMovePattern needs leaps, slides or betza");
}

void Parser::move_mode(Fields& fields, Primitive& out) {
  enum class Mode { both, quiet, capture };
  const Mode mode = word<Mode>(
      fields, "mode", {{"both", Mode::both}, {"quiet", Mode::quiet}, {"capture", Mode::capture}});
  out.pattern.quiet = mode != Mode::capture;
  out.pattern.capture = mode != Mode::quiet;
}

}  // namespace parlor::chess::inline PARLOR_BOARD::modifiers
