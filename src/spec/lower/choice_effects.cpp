// Effects that ask somebody: a player, or chance.
#include <fmt/core.h>

#include "spec/lower/effects.h"

namespace parlor::spec::lower {
namespace {

Type read_options(Context& cx, Fields& fields, Query& out) {
  Type item;
  fields.need("options", [&](const Node& n) {
    TypedQuery query = read_query(cx, n);
    item = query.item;
    out = std::move(query.query);
    if (item.kind == Kind::row)
      cx.error(Code::TYPE_MISMATCH, n, "table rows cannot be chosen").suggestion =
          "choose a value of a field and look the row up afterwards";
  });
  return item;
}

// A choice of more things than there are can never be made.
void check_number(Context& cx, const Node& number, const Query& options) {
  const auto* listed = std::get_if<EnumsQuery>(&options.node);
  if (listed == nullptr || !number.is_integer() ||
      number.integer <= static_cast<Int>(listed->values.size()))
    return;
  cx.error(Code::NUMBER_RANGE, number,
           fmt::format("{} things cannot be chosen: there are {}", number.integer,
                       listed->values.size()));
}

}  // namespace

EffectNode read_choose_one(Context& cx, const Node& node) {
  ChooseOne out;
  Fields fields{cx, node, "chooseOne"};
  const Type item = read_options(cx, fields, out.options);
  fields.maybe("chooser", [&](const Node& n) { out.chooser = read_player(cx, n); });
  fields.need("bind", [&](const Node& n) { out.bind = declare_choice(cx, n, item); });
  return out;
}

EffectNode read_choose_n(Context& cx, const Node& node) {
  ChooseN out;
  Fields fields{cx, node, "chooseN"};
  const Type item = read_options(cx, fields, out.options);
  const Node* n = fields.optional("n");
  const Node* max = fields.optional("max");
  const Node* min = fields.optional("min");
  if (n == nullptr) fields.required("max");
  if (n != nullptr && (max != nullptr || min != nullptr))
    cx.error(Code::KEYS_EXCLUSIVE, *n, "chooseN takes either `n` or `min` and `max`, not both");
  fields.maybe("n", [&](const Node& value) {
    out.min = out.max = read_number(cx, value);
    if (value.is_integer() && value.integer < 0)
      cx.error(Code::NUMBER_RANGE, value, "n must not be negative");
    check_number(cx, value, out.options);
  });
  fields.maybe("max", [&](const Node& value) { out.max = read_number(cx, value); });
  fields.maybe("min", [&](const Node& value) {
    out.min = read_number(cx, value);
    check_number(cx, value, out.options);
    if (max && value.is_integer() && max->is_integer() && value.integer > max->integer)
      cx.error(Code::BOUNDS_REVERSED, value,
               fmt::format("min {} is greater than max {}", value.integer, max->integer));
  });
  fields.maybe("ordered",
               [&](const Node& value) { out.ordered = read_bool(cx, value, "ordered"); });
  fields.maybe("chooser", [&](const Node& value) { out.chooser = read_player(cx, value); });
  fields.need("bind", [&](const Node& b) { out.bind = declare_choice(cx, b, list_of(item)); });
  return out;
}

EffectNode read_roll_random(Context& cx, const Node& node) {
  RollRandom out;
  Fields fields{cx, node, "rollRandom"};
  const Node* min = fields.optional("min");
  fields.need("min", [&](const Node& n) { out.min = read_number(cx, n); });
  fields.need("max", [&](const Node& n) {
    out.max = read_number(cx, n);
    if (min && min->is_integer() && n.is_integer() && min->integer > n.integer)
      cx.error(Code::BOUNDS_REVERSED, n,
               fmt::format("min {} is greater than max {}", min->integer, n.integer));
  });
  const std::size_t mark = cx.scope.mark();
  fields.need("bind",
              [&](const Node& n) { out.bind = declare_binding(cx, n, plain(Kind::integer)); });
  // Without `in` the name was meant for the effects that follow.
  if (fields.need("in", [&](const Node& n) { out.in = read_effects(cx, n); }))
    cx.scope.forget(mark, "it exists only in the `in` of its rollRandom");
  return out;
}

}  // namespace parlor::spec::lower
