#include <algorithm>
#include <array>
#include <fmt/core.h>

#include "spec/lower/names.h"
#include "spec/lower/readers.h"
#include "spec/slips.h"

namespace parlor::spec::lower {
namespace {

std::vector<Condition> arguments(Context& cx, Fields& fields, std::string_view op) {
  std::vector<Condition> out;
  fields.need("args", [&](const Node& args) {
    each_item(cx, args, "a list of conditions",
              [&](const Node& arg) { out.push_back(read_condition(cx, arg)); });
    if (args.is_list() && args.items.empty())
      cx.error(Code::LIST_EMPTY, args, fmt::format("`{}` needs at least one condition", op));
  });
  return out;
}

ConditionNode all_of(Context& cx, Fields& fields) {
  return AllOf{arguments(cx, fields, "and")};
}
ConditionNode any_of(Context& cx, Fields& fields) {
  return AnyOf{arguments(cx, fields, "or")};
}

ConditionNode negation(Context& cx, Fields& fields) {
  Not out;
  fields.need("arg", [&](const Node& n) { out.arg = read_condition(cx, n); });
  return out;
}

// The bounds of the variable that a value reads, if that is all it does.
std::optional<std::pair<Int, Int>> bounds_of(const Context& cx, const Value& value) {
  const auto find = [](const std::vector<VarDef>& vars,
                       const Name& name) -> std::optional<std::pair<Int, Int>> {
    if (name.kind != Name::Kind::literal) return std::nullopt;
    const auto found = std::ranges::find(vars, name.text, &VarDef::name);
    if (found == vars.end() || found->type != VarType::integer) return std::nullopt;
    return std::pair{found->min, found->max};
  };
  if (const auto* ref = std::get_if<GvarRef>(&value.node))
    return find(cx.game.global_vars, ref->var);
  if (const auto* ref = std::get_if<PvarRef>(&value.node))
    return find(cx.game.per_player_vars, ref->var);
  if (const auto* ref = std::get_if<ZoneVarRef>(&value.node))
    return find(cx.game.zone_vars, ref->var);
  return std::nullopt;
}

bool holds(CompareOp op, Int left, Int right) {
  switch (op) {
    case CompareOp::equal:
      return left == right;
    case CompareOp::not_equal:
      return left != right;
    case CompareOp::less:
      return left < right;
    case CompareOp::less_equal:
      return left <= right;
    case CompareOp::greater:
      return left > right;
    case CompareOp::greater_equal:
      return left >= right;
  }
  return false;
}

// A variable compared with a number outside its bounds: the answer never changes.
void check_bounds(Context& cx, const Node& node, const Compare& compare) {
  const auto* left = std::get_if<Int>(&compare.left.node);
  const auto* right = std::get_if<Int>(&compare.right.node);
  const auto bounds = bounds_of(cx, right ? compare.left : compare.right);
  if ((left == nullptr) == (right == nullptr) || !bounds) return;
  const Int literal = right ? *right : *left;
  if (literal >= bounds->first && literal <= bounds->second) return;
  const bool answer =
      right ? holds(compare.op, bounds->first, literal) : holds(compare.op, literal, bounds->first);
  const Node* number = node.find(right ? "right" : "left");
  if (number == nullptr) return;  // it was not given, which is reported
  const auto step = cx.step(right ? "right" : "left");
  cx.warning(Code::NUMBER_RANGE, *number,
             fmt::format("this is always {}: the variable lies between {} and {}", answer,
                         bounds->first, bounds->second))
      .suggestion = "correct the number, or the variable's min and max";
}

// A text that stands alone is the likelier mistake: the name of a variable, or a number in quotes.
void warn_of_kinds(Context& cx, const Node& node, const Type& left, const Type& right) {
  const bool right_is_text = node.find("right")->is_string();
  const std::string_view side = !right_is_text && node.find("left")->is_string() ? "left" : "right";
  const Node& blamed = *node.find(side);
  const auto step = cx.step(side);
  Diagnostic& d =
      cx.warning(Code::COMPARISON_KINDS, blamed,
                 fmt::format("{} is never equal to {}", describe(left), describe(right)));
  explain_text(cx, blamed, d);
}

template <CompareOp Op>
ConditionNode compare(Context& cx, Fields& fields) {
  constexpr bool equality = Op == CompareOp::equal || Op == CompareOp::not_equal;
  Compare out;
  out.op = Op;
  if (!equality) {
    fields.need("left", [&](const Node& n) { out.left = read_number(cx, n); });
    fields.need("right", [&](const Node& n) { out.right = read_number(cx, n); });
    check_bounds(cx, fields.node(), out);
    return out;
  }
  // A word is whatever can be equal to the other side.
  const Node* other = fields.optional("right");
  const bool word_first = other != nullptr && fields.node().find("left") != nullptr &&
                          is_word(*fields.node().find("left")) && !is_word(*other);
  TypedValue left, right;
  const auto read = [&](std::string_view key, TypedValue& out, const Type& wanted) {
    fields.need(key, [&](const Node& n) { out = read_value(cx, settle(cx, n, wanted)); });
  };
  if (word_first) {
    read("right", right, {});
    read("left", left, right.type);
  } else {
    read("left", left, {});
    read("right", right, left.type);
  }
  if (!compatible(left.type, right.type)) warn_of_kinds(cx, fields.node(), left.type, right.type);
  out.left = std::move(left.value);
  out.right = std::move(right.value);
  check_bounds(cx, fields.node(), out);
  return out;
}

ConditionNode in(Context& cx, Fields& fields) {
  In out;
  Type item;
  fields.need("item", [&](const Node& n) {
    TypedValue value = read_value(cx, n);
    item = value.type;
    if (item.kind == Kind::list)
      cx.error(Code::TYPE_MISMATCH, n, "`item` must be one thing, but this is a list");
    out.item = std::move(value.value);
  });
  fields.need("set", [&](const Node& n) {
    TypedValue value = read_value(cx, n);
    if (value.type.known() && value.type.kind != Kind::list) {
      cx.error(Code::TYPE_MISMATCH, n,
               fmt::format("`set` must be a list, but this is {}", describe(value.type)));
    } else if (item.kind != Kind::list && !compatible(item, item_of(value.type))) {
      cx.error(Code::TYPE_MISMATCH, n,
               fmt::format("{} can never be in {}", describe(item), describe(value.type)));
    }
    out.set = std::move(value.value);
  });
  return out;
}

ConditionNode adjacent(Context& cx, Fields& fields) {
  Adjacent out;
  fields.need("left", [&](const Node& n) { out.left = read_zone(cx, n); });
  fields.need("right", [&](const Node& n) { out.right = read_zone(cx, n); });
  return out;
}

ConditionNode connected(Context& cx, Fields& fields) {
  Connected out;
  fields.need("from", [&](const Node& n) { out.from = read_zone(cx, n); });
  fields.need("to", [&](const Node& n) { out.to = read_zone(cx, n); });
  fields.maybe("via", [&](const Node& n) {
    out.via.push_back(read_condition_with(cx, n, "$zone", plain(Kind::zone)));
  });
  fields.maybe("allowTargetOutsideVia", [&](const Node& n) {
    out.allow_target_outside_via = read_bool(cx, n, "allowTargetOutsideVia");
  });
  fields.maybe("maxDepth", [&](const Node& n) { out.max_depth = read_int(cx, n, "maxDepth", 0); });
  return out;
}

ConditionNode zone_prop_includes(Context& cx, Fields& fields) {
  ZonePropIncludes out;
  fields.need("zone", [&](const Node& n) { out.zone = read_space(cx, n); });
  fields.need("prop", [&](const Node& n) {
    out.prop = read_id(cx, n, "the name of a zone attribute");
    const Kind* kind = find_in(cx.symbols.attributes, out.prop);
    if (out.prop.empty()) return;
    if (kind == nullptr)
      cx.unknown(Code::ZONE_ATTRIBUTE_UNKNOWN, n, "zone attribute", out.prop,
                 names_of(cx.symbols.attributes));
    else if (*kind != Kind::list && *kind != Kind::unknown)
      cx.error(Code::TYPE_MISMATCH, n, fmt::format("the attribute `{}` is no list", out.prop))
          .suggestion = "compare it with {op: \"==\", left: {ref: zoneProp, zone, prop}, right: …}";
  });
  fields.need("value", [&](const Node& n) { out.value = read_typed(cx, n, plain(Kind::string)); });
  return out;
}

ConditionNode marker_state_allowed(Context& cx, Fields& fields) {
  MarkerStateAllowed out;
  fields.need("space", [&](const Node& n) { out.space = read_space(cx, n); });
  fields.need("marker", [&](const Node& n) { out.marker = read_marker(cx, n, false); });
  fields.need("state",
              [&](const Node& n) { out.state = read_marker_state(cx, n, out.marker, false); });
  return out;
}

ConditionNode marker_shift_allowed(Context& cx, Fields& fields) {
  MarkerShiftAllowed out;
  fields.need("space", [&](const Node& n) { out.space = read_space(cx, n); });
  fields.need("marker", [&](const Node& n) { out.marker = read_marker(cx, n, false); });
  fields.need("delta", [&](const Node& n) { out.delta = read_number(cx, n); });
  return out;
}

ConditionNode line_of(Context& cx, Fields& fields) {
  LineOf out;
  if (cx.game.directions.empty())
    cx.error(Code::DIRECTION_UNKNOWN, fields.node(),
             "the board has no directions, so it has no lines")
        .suggestion = "use the grid or hex board, or give zones `directions`";
  fields.maybe("zone", [&](const Node& n) { out.zone.push_back(read_zone(cx, n)); });
  fields.maybe("directions", [&](const Node& n) { out.directions = read_directions(cx, n); });
  fields.need("length", [&](const Node& n) {
    out.length = read_number(cx, n);
    if (n.is_integer() && n.integer < 1)
      cx.error(Code::NUMBER_RANGE, n, "a line has at least one zone");
  });
  fields.need("where", [&](const Node& n) {
    out.where = read_condition_with(cx, n, "$zone", plain(Kind::zone));
  });
  return out;
}

constexpr std::string_view condition_end = "it exists only inside the condition";

ConditionNode exists(Context& cx, Fields& fields) {
  Exists out;
  TypedQuery query = need_query(cx, fields, "query");
  out.query = std::move(query.query);
  BoundCondition each =
      read_bound_condition(cx, fields, query.item, Presence::optional, condition_end);
  out.bind = std::move(each.bind);
  if (each.where) out.where.push_back(std::move(*each.where));
  return out;
}

ConditionNode for_all(Context& cx, Fields& fields) {
  ForAll out;
  TypedQuery query = need_query(cx, fields, "query");
  out.query = std::move(query.query);
  BoundCondition each =
      read_bound_condition(cx, fields, query.item, Presence::required, condition_end);
  out.bind = std::move(each.bind);
  if (each.where) out.where = std::move(*each.where);
  return out;
}

using ReadCondition = ConditionNode (*)(Context&, Fields&);
struct ConditionKind {
  std::string_view op;
  ReadCondition read;
};
constexpr std::array condition_kinds{
    ConditionKind{"and", all_of},
    ConditionKind{"or", any_of},
    ConditionKind{"not", negation},
    ConditionKind{"==", compare<CompareOp::equal>},
    ConditionKind{"!=", compare<CompareOp::not_equal>},
    ConditionKind{"<", compare<CompareOp::less>},
    ConditionKind{"<=", compare<CompareOp::less_equal>},
    ConditionKind{">", compare<CompareOp::greater>},
    ConditionKind{">=", compare<CompareOp::greater_equal>},
    ConditionKind{"in", in},
    ConditionKind{"adjacent", adjacent},
    ConditionKind{"connected", connected},
    ConditionKind{"zonePropIncludes", zone_prop_includes},
    ConditionKind{"markerStateAllowed", marker_state_allowed},
    ConditionKind{"markerShiftAllowed", marker_shift_allowed},
    ConditionKind{"lineOf", line_of},
    ConditionKind{"exists", exists},
    ConditionKind{"forAll", for_all},
};

std::vector<std::string> condition_names() {
  std::vector<std::string> out;
  for (const auto& entry : condition_kinds) out.emplace_back(entry.op);
  return out;
}

void unknown_operator(Context& cx, const Node& op) {
  const auto step = cx.step("op");
  if (!op.is_string()) {
    wrong_shape(cx, op, "an operator");
    return;
  }
  const std::vector<std::string> names = condition_names();
  Diagnostic& d = cx.unknown(Code::OPERATOR_UNKNOWN, op, "condition", op.text, names);
  correct_slip(d, SlipOf::condition, op.text, names);
  for (const std::string_view arithmetic : {"+", "-", "*", "/", "floorDiv", "ceilDiv", "mod"})
    if (op.text == arithmetic) d.suggestion = "this is a value; compare it with something";
}

bool is_condition_kind(const Node& op) {
  return std::ranges::any_of(condition_kinds, [&](const auto& kind) { return op.is(kind.op); });
}

// `left`/`right` on `in`, `item`/`set` on a comparison: one error instead of four.
bool swapped_keys(Context& cx, const Node& node, const Node& op) {
  const bool is_in = op.is("in");
  const bool is_compare = op.is_string() && op.text.find_first_of("=<>!") == 0;
  const bool left_right = node.has("left") || node.has("right");
  const bool item_set = node.has("item") || node.has("set");
  if (is_in && left_right && !item_set) {
    cx.error(Code::KEYS_SWAPPED, node, "`in` takes `item` and `set`, not `left` and `right`")
        .suggestion = "write {op: in, item: …, set: …}";
    return true;
  }
  if (is_compare && item_set && !left_right) {
    cx.error(Code::KEYS_SWAPPED, node,
             fmt::format("`{}` takes `left` and `right`, not `item` and `set`", op.text))
        .suggestion = fmt::format("write {{op: \"{}\", left: …, right: …}}", op.text);
    return true;
  }
  if (node.has("prop") && node.has("value") && !is_condition_kind(op)) {
    wrong_shape(cx, node, "a condition").suggestion =
        "this is a token filter; a condition is {op: \"==\", left: {ref: …, prop: …}, right: …}";
    return true;
  }
  if ((op.is("and") || op.is("or")) && left_right && !node.has("args")) {
    cx.error(Code::KEY_UNKNOWN, node, fmt::format("`{}` takes a list of conditions", op.text))
        .suggestion = fmt::format("write {{op: {}, args: [left, right]}}", op.text);
    return true;
  }
  return false;
}

// "pot > 3": the operator, if there is one to be seen.
std::string_view written_operator(std::string_view text) {
  for (const std::string_view op : {"==", "!=", "<=", ">=", "<", ">", "="})
    if (text.find(op) != std::string_view::npos) return op;
  return {};
}

// {gt: [a, b]}: the operator as a key.
void explain_operator_key(const std::string& key, Diagnostic& d) {
  const std::vector<std::string> names = condition_names();
  std::string op = meant_among(SlipOf::condition, key, names);
  if (op.empty() && std::ranges::find(names, key) != names.end()) op = key;
  if (op == "and" || op == "or")
    d.suggestion = fmt::format("write {{op: {}, args: […]}}", op);
  else if (op == "not")
    d.suggestion = "write {op: not, arg: …}";
  else if (op == "in")
    d.suggestion = "write {op: in, item: …, set: …}";
  else if (op.find_first_of("=<>!") == 0)
    d.suggestion = fmt::format("write {{op: \"{}\", left: …, right: …}}", op);
  else if (!op.empty())
    d.suggestion = fmt::format("write {{op: {}, …}}", op);
}

void no_condition(Context& cx, const Node& node) {
  Diagnostic& d = wrong_shape(cx, node, "a condition");
  d.suggestion = "a condition is true, false or {op: …}";
  if (node.has("ref"))
    d.suggestion = "compare it: {op: \"==\", left: {ref: …}, right: true}";
  else if (node.has("query"))
    d.suggestion = "ask whether it finds anything: {op: exists, query: …}";
  else if (node.is_string() && (node.text == "yes" || node.text == "no"))
    d.suggestion = "`yes` and `no` are text in YAML 1.2; write `true` or `false`";
  else if (node.is_list())
    d.suggestion = "join several conditions with {op: and, args: […]}";
  else if (node.has("left") && node.has("right"))
    d.suggestion = "say how they are compared: add `op: \"==\"`";
  else if (const std::string_view op = node.is_string() ? written_operator(node.text) : "";
           !op.empty())
    d.suggestion = fmt::format("write {{op: \"{}\", left: …, right: …}}", op == "=" ? "==" : op);
  if (node.is_map() && !node.entries.empty()) explain_operator_key(node.entries.front().key, d);
}

// `open`, `$flag`, `$card.face`: true or false by itself.
ConditionNode truth(Context& cx, const Node& node) {
  if (const auto tokens = asked_of_tokens(cx, node)) return read_condition(cx, *tokens).node;
  TypedValue value = read_value(cx, settle(cx, node, plain(Kind::boolean)));
  if (value.type.known() && value.type.kind != Kind::boolean)
    cx.error(Code::TYPE_MISMATCH, node,
             fmt::format("a condition is needed here, but this is {}", describe(value.type)))
        .suggestion = "compare it with something: `x > 0`, `x == y`";
  Compare out;
  out.left = std::move(value.value);
  out.right = Value{true, {}};
  return out;
}

bool is_truth(const Node& node) {
  const Node* ref = node.find("ref");
  return ref != nullptr && ref->is_string() && !node.has("op");
}

ConditionNode read_condition_node(Context& cx, const Node& node) {
  if (node.is_boolean()) return node.boolean;
  if (is_truth(node)) return truth(cx, node);
  const Node* op = node.find("op");
  if (op != nullptr && (node.has("left") || node.has("item")))
    if (const auto tokens = asked_of_tokens(cx, node)) return read_condition(cx, *tokens).node;
  if (op == nullptr) {
    no_condition(cx, node);
    return true;
  }
  if (swapped_keys(cx, node, *op)) return true;
  const std::string what = op->is_string() ? fmt::format("`{}`", op->text) : "a condition";
  Fields fields{cx, node, what};
  fields.allow({"op"});
  for (const auto& entry : condition_kinds)
    if (op->is(entry.op)) return entry.read(cx, fields);
  fields.give_up();
  unknown_operator(cx, *op);
  return true;
}

}  // namespace

Condition read_condition(Context& cx, const Node& node) {
  Condition out;
  out.node = read_condition_node(cx, node);
  if (node.is_map()) out.at = cx.place(node);
  return out;
}

Condition read_condition_with(Context& cx, const Node& node, std::string_view bind,
                              const Type& type) {
  const std::size_t mark = cx.scope.mark();
  cx.scope.declare({std::string{bind}, type, {}});
  Condition out = read_condition(cx, node);
  cx.scope.leave(mark);
  return out;
}

BoundCondition read_bound_condition(Context& cx, Fields& fields, const Type& item,
                                    Presence presence, std::string_view ended) {
  BoundCondition out;
  const auto bind = [&](const Node& n) { out.bind = declare_binding(cx, n, item); };
  const auto where = [&](const Node& n) { out.where = read_condition(cx, n); };
  const std::size_t mark = cx.scope.mark();
  if (presence == Presence::required) {
    fields.need("bind", bind);
    fields.need("where", where);
  } else {
    fields.maybe("bind", bind);
    fields.maybe("where", where);
  }
  cx.scope.forget(mark, ended);
  return out;
}

}  // namespace parlor::spec::lower
