#include <fmt/core.h>

#include "spec/lower/construct.h"
#include "spec/lower/names.h"
#include "spec/slips.h"

namespace parlor::spec::lower {
namespace {

// The bounds of the variable that a value reads, if that is all it does.
std::optional<std::pair<Int, Int>> bounds_of(const Context& cx, const Value& value) {
  const VarDef* var = variable_read(cx, value);
  if (var != nullptr && var->type == VarType::integer) return std::pair{var->min, var->max};
  return std::nullopt;
}

// A variable compared with a number outside its bounds: the answer never changes.
void check_bounds(Context& cx, const Node& node, const Compare& compare) {
  const auto* left = std::get_if<Int>(&compare.left.node);
  const auto* right = std::get_if<Int>(&compare.right.node);
  const auto bounds = bounds_of(cx, right ? compare.left : compare.right);
  if ((left == nullptr) == (right == nullptr) || !bounds) return;
  const Int literal = right ? *right : *left;
  const auto at = [&](Int value) {
    return right ? holds(compare.op, value, literal) : holds(compare.op, literal, value);
  };
  const bool outside = literal < bounds->first || literal > bounds->second;
  const bool answer = at(bounds->first);
  const bool equality = compare.op == CompareOp::equal || compare.op == CompareOp::not_equal;
  const Node* number = node.find(right ? "right" : "left");
  if (number == nullptr) return;  // it was not given, which is reported
  const auto step = cx.step(right ? "right" : "left");
  // `season > 8` where 8 is the most: what never holds is a mistake, what always does may be
  // caution. A macro may be used with any number.
  if (!outside) {
    if (equality || answer || at(bounds->second) || node.origin.expansion != 0) return;
    cx.warning(Code::COMPARISON_CONSTANT, *number,
               fmt::format("this is never true: the variable lies between {} and {}", bounds->first,
                           bounds->second))
        .suggestion = "correct the number, or the variable's min and max";
    return;
  }
  cx.warning(Code::NUMBER_RANGE, *number,
             fmt::format("this is always {}: the variable lies between {} and {}", answer,
                         bounds->first, bounds->second))
      .suggestion = "correct the number, or the variable's min and max";
}

// Ids of zones without an owner are the same with and without `:none`; a text that is no zone's id
// is never equal to one.
void settle_zone(Context& cx, const Node& node, std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string base = text.substr(0, colon);
  const ZoneInfo* zone = find_in(cx.symbols.zones, base);
  const bool owned = zone != nullptr && zone->owner == ZoneOwner::player;
  // `{$name}` is filled in when a grant is issued.
  if ((zone != nullptr && zone->broken) || text.find('{') != std::string::npos) return;
  if (zone != nullptr && !owned && colon == std::string::npos) text += ":none";
  if (zone != nullptr && (owned ? colon != std::string::npos : text == base + ":none")) return;
  Diagnostic& d = cx.warning(Code::COMPARISON_ZONE, node,
                             fmt::format("no zone is called `{}`, so this is never equal", text));
  d.alternatives =
      owned ? std::vector{base + ":0"} : did_you_mean(base, names_of(cx.symbols.zones));
  if (owned) d.suggestion = "the id of a player's zone has the number of the player";
}

void check_text(Context& cx, const Node& node, Value& value, const Type& other) {
  auto* text = std::get_if<std::string>(&value.node);
  if (text == nullptr) return;
  if (text->starts_with('$') && cx.scope.find(*text) != nullptr)
    cx.warning(
          Code::BINDING_AS_TEXT, node,
          fmt::format("this compares with the letters `{}`, not with what is bound to it", *text))
        .suggestion = fmt::format("write {{ref: binding, name: {}}}", *text);
  else if (other.kind == Kind::zone)
    settle_zone(cx, node, *text);
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

void unknown_operator(Context& cx, const Node& op) {
  const auto step = cx.step("op");
  if (!op.is_string()) {
    wrong_shape(cx, op, "an operator");
    return;
  }
  const std::vector<std::string> names = construct_names(Family::condition);
  Diagnostic& d = cx.unknown(Code::OPERATOR_UNKNOWN, op, "condition", op.text, names);
  correct_slip(d, SlipOf::condition, op.text, names);
  for (const std::string_view arithmetic : {"+", "-", "*", "/", "floorDiv", "ceilDiv", "mod"})
    if (op.text == arithmetic) d.suggestion = "this is a value; compare it with something";
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
  if (node.has("prop") && node.has("value") &&
      find_construct(Family::condition, op.text) == nullptr) {
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
  const std::vector<std::string> names = construct_names(Family::condition);
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
  if (const auto* shape =
          op->is_string() ? find_shape(Family::condition, "op", op->text) : nullptr) {
    Reading reading{cx, fields, *shape->construct};
    return read_shape<Condition>(reading, *shape);
  }
  fields.give_up();
  unknown_operator(cx, *op);
  return true;
}

}  // namespace

// {when: CONDITION, reason: TEXT}: what people are told when it does not hold (L-14).
static Condition read_reasoned(Context& cx, const Node& node) {
  Reasoned said = read_record<Reasoned>(cx, node);
  const Node* when = node.find("when");
  if (said.when.at.index == 0 && when != nullptr) said.when.at = cx.place(*when);
  if (said.when.at.index != 0) cx.game.places[said.when.at.index].reason = std::move(said.reason);
  return std::move(said.when);
}

Condition read_condition(Context& cx, const Node& node) {
  if (node.is_map() && node.has("reason") && !node.has("op")) return read_reasoned(cx, node);
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

// ---- What the declarations of conditions leave to code

// A variable of declared texts is compared by the place of the text among them.
void compare_places(Reading& r, Compare& out) {
  const EnumRead left = enum_read(r.cx, out.left), right = enum_read(r.cx, out.right);
  if (left.var != nullptr && right.var != nullptr) {
    if (left.var->values != right.var->values) return;
    out = {out.op, Value{*left.place}, Value{*right.place}};
    return;
  }
  const VarDef* var = left.var != nullptr ? left.var : right.var;
  Value& other = left.var != nullptr ? out.right : out.left;
  const auto* text = std::get_if<std::string>(&other.node);
  if (var == nullptr || text == nullptr) return;
  const auto found = std::ranges::find(var->values, *text);
  if (found == var->values.end()) {
    r.at(left.var != nullptr ? "right" : "left",
         [&](const Node& n) { report_text_of(r.cx, n, *var); });
    return;
  }
  Value place{*(left.var != nullptr ? left.place : right.place)};
  out = {out.op, std::move(place), Value{Int{found - var->values.begin()}}};
}

// `target == nowhere`, `marked == nothing`: whether the variable holds a zone or token.
bool compare_none(Compare& out) {
  for (const bool first : {true, false}) {
    Value& thing = first ? out.left : out.right;
    const auto* text = std::get_if<std::string>(&(first ? out.right : out.left).node);
    const auto* zone = std::get_if<ZoneAt>(&thing.node);
    const auto* token = std::get_if<TokenAt>(&thing.node);
    if (text == nullptr || (zone == nullptr && token == nullptr)) continue;
    if (*text != (zone != nullptr ? "nowhere" : "nothing")) continue;
    if (zone != nullptr) {
      Value number = *zone->number;
      out = {out.op, std::move(number), Value{Int{-1}}};
    }
    return true;
  }
  return false;
}

// Equality compares anything, order numbers only.
void read_by_hand(Reading& r, Compare& out) {
  out.op = *enum_from_name<CompareOp>(r.construct.name());
  if (out.op != CompareOp::equal && out.op != CompareOp::not_equal) {
    r.fields.need("left", [&](const Node& n) { out.left = read_number(r.cx, n); });
    r.fields.need("right", [&](const Node& n) { out.right = read_number(r.cx, n); });
  } else {
    // A word is whatever can be equal to the other side.
    const Node* given[] = {r.given("left"), r.given("right")};
    const bool word_first =
        given[0] != nullptr && given[1] != nullptr && is_word(*given[0]) && !is_word(*given[1]);
    Type left, right;
    const auto read = [&](std::string_view key, Value& to, Type& type, const Type& wanted) {
      const bool second = key == (word_first ? "left" : "right");
      r.fields.need(key, [&](const Node& n) {
        if (second) r.cx.compared_with = enum_read(r.cx, word_first ? out.right : out.left).var;
        const Settled settled = settle(r.cx, n, wanted);
        r.cx.compared_with = nullptr;
        TypedValue value = read_value(r.cx, settled);
        to = std::move(value.value);
        type = std::move(value.type);
      });
    };
    if (word_first) read("right", out.right, right, {});
    read("left", out.left, left, right);
    if (!word_first) read("right", out.right, right, left);
    if (compare_none(out)) return;
    if (!compatible(left, right)) warn_of_kinds(r.cx, r.node(), left, right);
    r.at("left", [&](const Node& n) { check_text(r.cx, n, out.left, right); });
    r.at("right", [&](const Node& n) { check_text(r.cx, n, out.right, left); });
    compare_places(r, out);
  }
  check_bounds(r.cx, r.node(), out);
}

void check(Reading& r, In& out) {
  const Type& item = r.type("item");
  if (auto* list = std::get_if<ListLiteral>(&out.set.node);
      list != nullptr && item.kind == Kind::zone)
    r.at("set", [&](const Node& n) {
      for (Scalar& one : list->items)
        if (auto* text = std::get_if<std::string>(&one)) settle_zone(r.cx, n, *text);
    });
  const Type& set = r.type("set");
  if (item.kind == Kind::list)
    r.at("item", [&](const Node& n) {
      r.cx.error(Code::TYPE_MISMATCH, n, "`item` must be one thing, but this is a list");
    });
  r.at("set", [&](const Node& n) {
    if (set.known() && set.kind != Kind::list)
      r.cx.error(Code::TYPE_MISMATCH, n,
                 fmt::format("`set` must be a list, but this is {}", describe(set)));
    else if (item.kind != Kind::list && !compatible(item, item_of(set)))
      r.cx.error(Code::TYPE_MISMATCH, n,
                 fmt::format("{} can never be in {}", describe(item), describe(set)));
  });
}

void check(Reading& r, LineOf&) {
  if (r.cx.game.directions.empty())
    r.cx.error(Code::DIRECTION_UNKNOWN, r.node(), "the board has no directions, so it has no lines")
        .suggestion = "use the grid or hex board, or give zones `directions`";
}

}  // namespace parlor::spec::lower
