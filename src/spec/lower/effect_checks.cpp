// What the declarations of effects leave to code: checks of the whole, and `if`, whose branches
// remember what the same question made before.
#include <fmt/core.h>

#include "spec/lower/construct.h"
#include "spec/lower/sections.h"

namespace parlor::spec::lower {
namespace {

const VarDef* variable_of(const Context& cx, const VarCell& cell) {
  if (cell.var.kind != Name::Kind::literal) return nullptr;
  const auto& vars = cell.scope == VarCell::Scope::global       ? cx.game.global_vars
                     : cell.scope == VarCell::Scope::per_player ? cx.game.per_player_vars
                                                                : cx.game.zone_vars;
  const auto found = std::ranges::find(vars, cell.var.text, &VarDef::name);
  return found == vars.end() ? nullptr : &*found;
}

// What a variable of declared texts keeps of a text: its place among them.
Value place_among(Context& cx, const Node& node, const VarDef& var, Value text) {
  if (const EnumRead same = enum_read(cx, text);
      same.var != nullptr && same.var->values == var.values)
    return *same.place;
  if (const auto* literal = std::get_if<std::string>(&text.node)) {
    const auto found = std::ranges::find(var.values, *literal);
    if (found == var.values.end()) report_text_of(cx, node, var);
    return Value{Int{found == var.values.end() ? 0 : found - var.values.begin()}};
  }
  Value out{Int{static_cast<Int>(var.values.size()) - 1}};
  for (std::size_t left = var.values.size(); left > 1; --left)
    out = Value{IfValue{Condition{Compare{CompareOp::equal, text, Value{var.values[left - 2]}}},
                        Value{static_cast<Int>(left) - 2}, std::move(out)}};
  return out;
}

// What a variable of zones or tokens keeps of its new value.
Value number_of_thing(Context& cx, const Node& node, const VarDef& var, Value thing) {
  const std::string_view none = var.type == VarType::zone ? "nowhere" : "nothing";
  if (auto* text = std::get_if<std::string>(&thing.node)) {
    if (*text == none) return Value{Int{-1}};
    const std::string base = text->substr(0, text->find(':'));
    const ZoneInfo* zone = find_in(cx.symbols.zones, base);
    if (var.type == VarType::token || zone == nullptr)
      cx.error(Code::TYPE_MISMATCH, node,
               fmt::format("`{}` holds {} or `{}`, and `{}` is neither", var.name,
                           describe(plain(var.type == VarType::zone ? Kind::zone : Kind::token)),
                           none, *text));
    else if (text->size() == base.size() && zone->owner == ZoneOwner::none)
      *text += ":none";
  }
  return Value{NumberOf{std::move(thing)}};
}

void check_literal(Context& cx, const Node& node, const VarCell& cell) {
  const VarDef* found = node.is_integer() ? variable_of(cx, cell) : nullptr;
  if (found == nullptr || found->type != VarType::integer) return;
  if (node.integer >= found->min && node.integer <= found->max) return;
  cx.warning(Code::NUMBER_RANGE, node,
             fmt::format("`{}` lies between {} and {}, so it becomes {}", found->name, found->min,
                         found->max, std::clamp(Int{node.integer}, found->min, found->max)))
      .suggestion = "correct the number, or the variable's min and max";
}

const Node* find_binding(const Node& node) {
  if (node.is_string() && node.text.starts_with('$')) return &node;
  for (const Node& item : node.items)
    if (const Node* found = find_binding(item)) return found;
  for (const Entry& entry : node.entries)
    if (const Node* found = find_binding(entry.value)) return found;
  return nullptr;
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

void no_rows(Reading& r) {
  if (r.type("options").kind != Kind::row) return;
  r.at("options", [&](const Node& n) {
    r.cx.error(Code::TYPE_MISMATCH, n, "table rows cannot be chosen").suggestion =
        "choose a value of a field and look the row up afterwards";
  });
}

// Whose turn comes can be changed only where the rules do not fix it.
void needs_order(Reading& r, bool by_seats) {
  const std::string_view order = turn_order_word(r.cx);
  if (order == "roundRobin" || (!by_seats && order == "fixedOrder")) return;
  r.cx.error(Code::TURN_ORDER_GIVEN, r.node(),
             fmt::format("`turnOrder: {}` says whose turn comes, so {} cannot", order,
                         r.construct.tag.key))
      .suggestion = by_seats ? "use `turnOrder: {type: roundRobin}`, or setActivePlayer"
                             : "use another turnOrder";
}

}  // namespace

void check_bounds_order(Reading& r, std::string_view key, std::string_view consequence) {
  const Node* min = r.given("min");
  const Node* max = r.given("max");
  if (!min || !max || !min->is_integer() || !max->is_integer() || min->integer <= max->integer)
    return;
  r.at(key, [&](const Node& n) {
    r.cx.error(
        Code::BOUNDS_REVERSED, n,
        fmt::format("min {} is greater than max {}{}", min->integer, max->integer, consequence));
  });
}

void check(Reading& r, SetVar& out) {
  r.at("value", [&](const Node& n) {
    check_literal(r.cx, n, out.cell);
    const VarDef* var = variable_of(r.cx, out.cell);
    if (var != nullptr && var->type == VarType::enumeration)
      out.value = place_among(r.cx, n, *var, std::move(out.value));
    if (var != nullptr && (var->type == VarType::zone || var->type == VarType::token))
      out.value = number_of_thing(r.cx, n, *var, std::move(out.value));
  });
}

void check(Reading& r, AddVar&) {
  needs_number(r.cx, r.node(), r.type("var"));
}

void check(Reading&, CreateToken& out) {
  std::ranges::sort(out.props, {}, &PropValue::prop);
}

// {row, tableId}: every property that the table has a field for, except those given themselves.
void read_key(Reading& r, const Node& node, const FieldInfo&, CreateToken& out) {
  Context& cx = r.cx;
  const PropsFrom from = read_record<PropsFrom>(cx, node);
  const TableInfo* table = find_in(cx.symbols.tables, from.table);
  const TokenTypeInfo* type = find_in(cx.symbols.token_types, out.type);
  if (table == nullptr || type == nullptr) return;
  for (const auto& [prop, wanted] : type->props) {
    const Kind* kind = find_in(table->fields, prop);
    const bool given = std::ranges::find(out.props, prop, &PropValue::prop) != out.props.end();
    if (kind == nullptr || given) continue;
    if (*kind != wanted)
      cx.error(Code::TYPE_MISMATCH, node,
               fmt::format("the property `{}` is {}, but the table's field is {}", prop,
                           describe(plain(wanted)), describe(plain(*kind))));
    out.props.push_back({prop, Value{AssetFieldRef{from.row, from.table, prop}, cx.place(node)}});
  }
}

void check(Reading& r, SetTokenProp& out) {
  const Node* value = r.given("value");
  if (value == nullptr) return;
  const auto* text = std::get_if<std::string>(&out.value.node);
  r.cx.note_prop_value(out.prop, text ? Node::of_string(*text, value->origin) : *value);
}

void check(Reading& r, Reveal& out) {
  const Node* filter = r.node().find("filter");
  if (const Node* binding = out.lasting && filter ? find_binding(*filter) : nullptr)
    r.cx.error(Code::LASTING_FILTER_BINDING, *binding,
               "a lasting reveal asks its filter when a token arrives; no binding is left then")
        .suggestion = "compare with a fixed value, or reveal the tokens as they come";
}

void check(Reading& r, ForEach&) {
  const Node* count = r.given("countBind");
  const Node* in = r.given("in");
  if ((count == nullptr) == (in == nullptr)) return;
  r.cx.error(Code::COUNT_WITHOUT_IN, count ? *count : *in, "`countBind` and `in` belong together")
      .suggestion = count ? "add `in` with the effects that use the count" : "add `countBind`";
}

void check(Reading& r, Reduce& out) {
  if (!out.item_bind.empty() &&
      (out.item_bind == out.acc_bind || out.item_bind == out.result_bind ||
       out.acc_bind == out.result_bind))
    r.cx.error(Code::BINDING_NAME, r.node(), "itemBind, accBind and resultBind must be different");
}

void check(Reading& r, ChooseOne&) {
  no_rows(r);
}

void read_key(Reading& r, const Node& node, const FieldInfo&, ChooseN& out) {
  out.min = out.max = read_number(r.cx, node);
  if (node.is_integer() && node.integer < 0)
    r.cx.error(Code::NUMBER_RANGE, node, "n must not be negative");
  check_number(r.cx, node, out.options);
}

void check(Reading& r, ChooseN& out) {
  no_rows(r);
  const Node* n = r.given("n");
  if (n == nullptr) r.fields.required("max");
  if (n != nullptr && (r.given("max") != nullptr || r.given("min") != nullptr))
    r.cx.error(Code::KEYS_EXCLUSIVE, *n, "chooseN takes either `n` or `min` and `max`, not both");
  r.at("min", [&](const Node& min) { check_number(r.cx, min, out.options); });
  check_bounds_order(r, "min", "");
}

void check(Reading& r, RollRandom&) {
  check_bounds_order(r, "max", "");
}

void check(Reading& r, FlipGlobalMarker&) {
  r.at("stateB", [&](const Node& n) {
    if (n.is_string() && n.text == r.text("stateA"))
      r.cx.error(Code::MARKER_STATE_UNKNOWN, n, "stateA and stateB must be different");
  });
}

void check(Reading& r, GotoPhaseExact& out) {
  Context& cx = r.cx;
  if (std::ranges::find(cx.symbols.interrupts, out.phase) == cx.symbols.interrupts.end()) return;
  r.at("phase", [&](const Node& n) {
    cx.error(Code::PHASE_UNKNOWN, n, fmt::format("`{}` is an interrupt phase", out.phase))
        .suggestion = "enter it with pushInterruptPhase";
  });
  cx.pushed_interrupts.insert(out.phase);
}

void check(Reading& r, PushInterruptPhase& out) {
  r.cx.pushed_interrupts.insert(out.phase);
}

void check(Reading& r, EndRound&) {
  needs_order(r, false);
}
void check(Reading& r, ExtraTurn&) {
  needs_order(r, false);
}
void check(Reading& r, SkipTurn&) {
  needs_order(r, false);
}
void check(Reading& r, SetStartPlayer&) {
  needs_order(r, true);
}
void check(Reading& r, SetTurnOrder&) {
  needs_order(r, true);
}

void read_by_hand(Reading& r, If& out) {
  Context& cx = r.cx;
  const Node* when = r.given("when");
  read_field(r, "when", &out);
  const auto branch = [&](std::string_view key) {
    const std::size_t mark = cx.scope.mark();
    cx.scope.enter_branch(when ? *when : r.node(), key == "then");
    read_field(r, key, &out);
    cx.scope.leave_branch();
    return cx.scope.leave(mark);
  };
  std::vector<Binding> then = branch("then");
  std::vector<Binding> otherwise = branch("else");
  cx.scope.join(when ? *when : r.node(), std::move(then), std::move(otherwise));
}

}  // namespace parlor::spec::lower
