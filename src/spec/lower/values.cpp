// Values: literals, references, arithmetic, aggregates, concat, if.
#include <fmt/core.h>

#include "spec/lower/construct.h"
#include "spec/lower/names.h"
#include "spec/slips.h"

namespace parlor::spec::lower {
namespace {

TypedValue literal_list(Context& cx, const Node& node) {
  ListLiteral out;
  Type item;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const auto step = cx.step(i);
    const Node& entry = node.items[i];
    const auto scalar = read_scalar(cx, entry, "a plain number, text, true or false");
    if (!scalar) continue;
    const Kind kinds[] = {Kind::integer, Kind::boolean, Kind::string};
    const Type type{kinds[scalar->index()], Kind::unknown, {}};
    if (!out.items.empty() && scalar->index() != out.items.front().index())
      cx.error(Code::LIST_MIXED, entry, "the items of a list must all be of one kind").suggestion =
          fmt::format("the first item is {}, this one is {}", describe(item), describe(type));
    else
      out.items.push_back(*scalar);
    if (!item.known()) item = type;
  }
  return {{std::move(out), {}}, list_of(item)};
}

bool divides(ArithOp op) {
  return op == ArithOp::divide || op == ArithOp::floor_div || op == ArithOp::ceil_div ||
         op == ArithOp::modulo;
}

// {key: name, …} or {name: {…}}: read as declared.
TypedValue read_declared(Context& cx, const Node& node, std::string_view what,
                         const ShapeReader& shape) {
  Fields fields{cx, node, what};
  Reading reading{cx, fields, *shape.construct};
  Value value{read_shape<Value>(reading, shape)};
  return {std::move(value), reading.gives()};
}

TypedValue arithmetic(Context& cx, const Node& node) {
  const Node* op = node.find("op");
  const auto* shape = op->is_string() ? find_shape(Family::value, "op", op->text) : nullptr;
  return read_declared(cx, node, "arithmetic",
                       shape ? *shape : *find_shape(Family::value, "op", "+"));
}

TypedValue concatenation(Context& cx, const Node& node) {
  ConcatValue out;
  bool lists = false, scalars = false;
  Type item;
  each_item(cx, node, "a list of values for concat", [&](const Node& part) {
    TypedValue value = read_value(cx, part);
    if (value.type.kind == Kind::list) {
      item = lists ? either(item, item_of(value.type)) : item_of(value.type);
      lists = true;
    } else if (value.type.known()) {
      scalars = true;
    }
    if (value.type.kind == Kind::row || value.type.kind == Kind::record)
      cx.error(Code::TYPE_MISMATCH, part, fmt::format("{} cannot be joined", describe(value.type)));
    out.parts.push_back(std::move(value.value));
  });
  if (lists && scalars)
    cx.error(Code::TYPE_MISMATCH, node, "concat joins either texts or lists, not both");
  const Type type = lists                          ? list_of(item)
                    : scalars || out.parts.empty() ? plain(Kind::string)
                                                   : Type{};
  return {{std::move(out), {}}, type};
}

// {gvar: pot} or {"+": [1, 2]}: the kind of value as a key.
void explain_value_key(const Entry& entry, Diagnostic& d) {
  const std::vector<std::string> words = construct_names(Family::value, "op");
  std::string op = meant_among(SlipOf::arithmetic, entry.key, words);
  if (op.empty() && std::ranges::find(words, entry.key) != words.end()) op = entry.key;
  if (!op.empty())
    d.suggestion = fmt::format("write {{op: \"{}\", left: …, right: …}}", op);
  else if (entry.key == "gvar" && entry.value.is_string())
    d.suggestion = fmt::format("write {{ref: gvar, var: {}}}", entry.value.text);
  else if (entry.key == "pvar" && entry.value.is_string())
    d.suggestion = fmt::format("write {{ref: pvar, player: actor, var: {}}}", entry.value.text);
  else if ((entry.key == "count" || entry.key == "size") && entry.value.is_string())
    d.suggestion = fmt::format("write {{zoneCount: {}}}", entry.value.text);
  else if ((entry.key == "binding" || entry.key == "constant") && entry.value.is_string())
    d.suggestion = fmt::format("write {{ref: {}, name: {}}}", entry.key, entry.value.text);
}

TypedValue no_value(Context& cx, const Node& node) {
  Diagnostic& d = wrong_shape(cx, node, "a value");
  d.suggestion =
      "a value is a number, text, true/false, a list of those, {ref: …}, {op: …, left, right}, "
      "{aggregate: …}, {concat: […]}, {if: …} or {zoneCount: …}";
  if (node.has("query"))
    d.suggestion = "count its results with {aggregate: {op: count, query: …}}";
  else if (const auto var = node.find_string("var"))
    d.suggestion = cx.symbols.per_player_vars.contains(*var)
                       ? fmt::format("write {{ref: pvar, player: actor, var: {}}}", *var)
                       : fmt::format("write {{ref: gvar, var: {}}}", *var);
  else if (node.is_map() && !node.entries.empty())
    explain_value_key(node.entries.front(), d);
  return {};
}

// {aggregate: {...}}: the mapping has that key only.
template <class Read>
TypedValue wrapped(Context& cx, const Node& node, std::string_view key, Read read) {
  TypedValue out;
  Fields fields{cx, node, "a value"};
  if (node.entries.size() > 1 && node.find(key)->is_scalar()) {
    // {aggregate: sum, query: …}: the keys stand beside it, not inside.
    fields.give_up();
    wrong_shape(cx, *node.find(key), fmt::format("a mapping for {}", key)).suggestion =
        fmt::format("put the other keys inside: {{{}: {{…}}}}", key);
    return out;
  }
  fields.need(key, [&](const Node& inner) { out = read(cx, inner); });
  return out;
}

// {ref: namedSet, name}: the texts of the set, written out.
TypedValue named_set(Context& cx, Fields& fields) {
  ListLiteral out;
  fields.need("name", [&](const Node& n) {
    const std::string name = read_id(cx, n, "the name of a set");
    if (const auto* set = find_in(cx.symbols.named_sets, name))
      out.items.assign(set->begin(), set->end());
    else if (!name.empty())
      cx.unknown(Code::NAMED_SET_UNKNOWN, n, "named set", name, names_of(cx.symbols.named_sets));
  });
  return {{std::move(out), {}}, list_of(plain(Kind::string))};
}

// A variable that holds one of declared texts keeps their place: its value is the text there.
// One that holds a zone or a token keeps its number.
Value as_thing(const Context& cx, Value reference, Type& type) {
  const VarDef* var = variable_read(cx, reference);
  if (var == nullptr) return reference;
  if (var->type == VarType::zone) return Value{ZoneAt{std::move(reference)}};
  if (var->type == VarType::token) return Value{TokenAt{std::move(reference)}};
  if (var->type != VarType::enumeration) return reference;
  type = one_of(var->values);
  Value place{Arith{ArithOp::add, std::move(reference), Value{Int{1}}}};
  return Value{ItemOf{Query{EnumsQuery{var->values}}, std::move(place)}};
}

// {ref: …}: what a value may read from the state of the game.
TypedValue read_reference(Context& cx, const Node& node) {
  const Node* kind = node.find("ref");
  const std::string what = kind->is_string() ? fmt::format("`{}`", kind->text) : "a reference";
  Fields fields{cx, node, what};
  fields.allow({"ref"});
  const Node* prop = kind->is("tokenProp") ? node.find("prop") : nullptr;
  const std::string name = prop != nullptr && prop->is_map() ? "computedProp" : kind->text;
  if (const auto* shape = kind->is_string() ? find_shape(Family::value, "ref", name) : nullptr) {
    Reading reading{cx, fields, *shape->construct};
    Value value{read_shape<Value>(reading, *shape)};
    Type type = reading.gives();
    Value thing = as_thing(cx, std::move(value), type);
    return {std::move(thing), std::move(type)};
  }
  if (kind->is("namedSet")) return named_set(cx, fields);
  fields.give_up();
  if (kind->is("unknown") && node.entries.size() == 1) return {};  // a word that was reported
  const auto step_ref = cx.step("ref");
  if (!kind->is_string()) {
    wrong_shape(cx, *kind, "the kind of reference");
    return {};
  }
  const std::vector<std::string> names = construct_names(Family::value, "ref");
  Diagnostic& d = cx.unknown(Code::REFERENCE_UNKNOWN, *kind, "reference", kind->text, names);
  correct_slip(d, SlipOf::reference, kind->text, names);
  if (kind->text.starts_with('$'))
    d.suggestion = fmt::format("write {{ref: binding, name: \"{}\"}}", kind->text);
  return {};
}

auto declared(std::string_view name) {
  return [name](Context& cx, const Node& node) {
    return read_declared(cx, node, name, *find_shape(Family::value, {}, name));
  };
}

TypedValue read_map_value(Context& cx, const Node& node) {
  if (is_word(node)) return read_value(cx, settle(cx, node));
  if (node.has("ref")) return read_reference(cx, node);
  if (node.has("op")) return arithmetic(cx, node);
  for (const char* tag :
       {"aggregate", "item", "rank", "numberOf", "zoneAt", "tokenAt", "longestPath"})
    if (node.has(tag)) return wrapped(cx, node, tag, declared(tag));
  if (node.has("concat")) return wrapped(cx, node, "concat", concatenation);
  if (node.has("if")) return wrapped(cx, node, "if", declared("if"));
  // A constant list as it stands in a compiled game (R-06).
  if (node.has("scalarArray"))
    return wrapped(cx, node, "scalarArray", [](Context& c, const Node& list) {
      if (list.is_list()) return literal_list(c, list);
      not_a_list(c, list, "a list of plain values");
      return TypedValue{};
    });
  if (node.has("zoneCount"))
    return wrapped(cx, node, "zoneCount", [](Context& c, const Node& zone) {
      return TypedValue{{ZoneCountRef{read_zone(c, zone)}, {}}, plain(Kind::integer)};
    });
  // A misspelt key of a mapping with one key is worth naming.
  static const std::vector<std::string> keys{
      "ref", "aggregate", "item",     "rank",   "concat",  "if",         "zoneCount",
      "op",  "distance",  "numberOf", "zoneAt", "tokenAt", "longestPath"};
  if (!node.entries.empty()) {
    const auto near = did_you_mean(node.entries.front().key, keys, 1);
    if (!near.empty()) {
      const Entry& entry = node.entries.front();
      cx.error_at(Code::KEY_UNKNOWN, {entry.key_place, node.origin.expansion}, cx.path(),
                  fmt::format("a value has no key `{}`", entry.key))
          .alternatives = near;
      return {};
    }
  }
  return no_value(cx, node);
}

}  // namespace

TypedValue read_value(Context& cx, const Node& node) {
  TypedValue out;
  switch (node.kind) {
    case Node::Kind::integer:
      out = {{read_int(cx, node, "a number"), {}}, plain(Kind::integer)};
      break;
    case Node::Kind::boolean:
      out = {{node.boolean, {}}, plain(Kind::boolean)};
      break;
    case Node::Kind::string:
      out = {{node.text, {}}, plain(Kind::string)};
      break;
    case Node::Kind::list:
      out = literal_list(cx, node);
      break;
    case Node::Kind::map:
      out = read_map_value(cx, node);
      break;
    case Node::Kind::real:
      wrong_shape(cx, node, "a value").suggestion = "only whole numbers exist in rules";
      break;
    case Node::Kind::null:
      no_value(cx, node);
      break;
  }
  if (node.is_map()) out.value.at = cx.place(node);  // literals keep no place in JSON
  return out;
}

namespace {

// `{{ coins }}`, `${x}`, `{x}`: what other languages put around a name.
std::string without_braces(std::string_view text) {
  const std::size_t first = text.find_first_not_of("${ ");
  const std::size_t last = text.find_last_not_of("} ");
  if (first == std::string_view::npos || last < first) return std::string{text};
  return std::string{text.substr(first, last - first + 1)};
}

// "pot + 1": the operator, if the text is a formula.
std::string_view formula_operator(std::string_view text) {
  for (const std::string_view op : {" + ", " - ", " * ", " / "})
    if (text.find(op) != std::string_view::npos) return op.substr(1, 1);
  return {};
}

}  // namespace

void explain_text(Context& cx, const Node& node, Diagnostic& d) {
  if (!node.is_string()) return;
  std::string text = node.text;
  if (const std::size_t colon = text.find(':');
      colon != std::string::npos && cx.symbols.per_player_vars.contains(text.substr(colon + 1))) {
    d.suggestion = fmt::format("what belongs to a player is read with a dot: `{}.{}`",
                               text.substr(0, colon), text.substr(colon + 1));
    return;
  }
  if (text.starts_with('{') || text.starts_with("${")) text = without_braces(text);
  const bool variable =
      cx.symbols.global_vars.contains(text) || cx.symbols.per_player_vars.contains(text);
  if (std::string dollar = fmt::format("${}", text); !variable && cx.scope.find(dollar) != nullptr)
    text = std::move(dollar);
  const Node* constants = cx.doc.find(Section::constants);
  const bool in_macro =
      cx.doc.source.expansion(node.origin.expansion).kind == ExpansionKind::effect_macro;
  const std::size_t dot = text.find('.');
  if (text.starts_with('$') && dot != std::string::npos &&
      cx.scope.find(text.substr(0, dot)) != nullptr)
    d.suggestion = fmt::format("write {{ref: tokenProp, token: {}, prop: {}}}", text.substr(0, dot),
                               text.substr(dot + 1));
  else if (text.starts_with('$') && cx.scope.find(text) != nullptr)
    d.suggestion = fmt::format("write {{ref: binding, name: \"{}\"}}", text);
  else if (text.starts_with('$') && in_macro)
    d.suggestion = fmt::format("a macro's parameter is written {{param: {}}}", text.substr(1));
  else if (cx.symbols.global_vars.contains(text))
    d.suggestion = fmt::format("write {{ref: gvar, var: {}}}", text);
  else if (cx.symbols.per_player_vars.contains(text))
    d.suggestion = fmt::format("write {{ref: pvar, player: actor, var: {}}}", text);
  else if (constants != nullptr && constants->has(text))
    d.suggestion = fmt::format("write {{ref: constant, name: {}}}", text);
  else if (text == "true" || text == "false" ||
           (!text.empty() &&
            text.find_first_not_of("0123456789", text.front() == '-' ? 1 : 0) == std::string::npos))
    d.suggestion = fmt::format("drop the quotes: {}", text);
  else if (const std::string_view op = formula_operator(text); !op.empty())
    d.suggestion = fmt::format("formulas are written {{op: \"{}\", left: …, right: …}}", op);
}

Value read_typed(Context& cx, const Node& node, const Type& wanted) {
  if (is_word(node)) return read_typed(cx, settle(cx, node, wanted), wanted);
  TypedValue out = read_value(cx, node);
  if (!compatible(out.type, wanted)) {
    Diagnostic& d = cx.error(
        Code::TYPE_MISMATCH, node,
        fmt::format("{} is needed here, but this is {}", describe(wanted), describe(out.type)));
    explain_text(cx, node, d);
  }
  return std::move(out.value);
}

Value read_number(Context& cx, const Node& node) {
  return read_typed(cx, node, plain(Kind::integer));
}

// `active`, `left` and the like, which are words for players where nothing else is wanted.
static std::string_view player_word_of(const Node& node) {
  const Node* ref = node.find("ref");
  if (ref == nullptr) return {};
  if (ref->is("activePlayer")) return "active";
  return ref->is("player") ? node.find_string("player").value_or("") : std::string_view{};
}

Value read_marker_state(Context& cx, const Node& node, std::string_view marker, bool global) {
  if (is_word(node))
    return read_marker_state(cx, settle(cx, node, plain(Kind::string)), marker, global);
  const MarkerInfo* info = find_in(global ? cx.symbols.global_markers : cx.symbols.markers, marker);
  if (const std::string_view word = player_word_of(node);
      info != nullptr && std::ranges::find(info->states, word) != info->states.end())
    return read_marker_state(cx, Node::of_string(std::string{word}, node.origin), marker, global);
  if (info != nullptr && node.is_string() &&
      std::ranges::find(info->states, node.text) == info->states.end())
    cx.unknown(Code::MARKER_STATE_UNKNOWN, node, fmt::format("state of `{}` called", marker),
               node.text, info->states);
  return read_typed(cx, node, plain(Kind::string));
}

// ---- What the declarations of values leave to code

void read_by_hand(Reading& r, Arith& out) {
  Context& cx = r.cx;
  r.fields.need("op", [&](const Node& op) {
    if (const auto known = op.is_string() ? enum_from_name<ArithOp>(op.text) : std::nullopt) {
      out.op = *known;
      return;
    }
    r.result = Type{};
    const std::string name = op.is_string() ? op.text : to_text(op);
    const std::vector<std::string> words = construct_names(Family::value, "op");
    Diagnostic& d = cx.unknown(Code::OPERATOR_UNKNOWN, op, "arithmetic", name, words);
    correct_slip(d, SlipOf::arithmetic, name, words);
    for (const std::string_view logic :
         {"==", "!=", "<", "<=", ">", ">=", "and", "or", "not", "in"})
      if (name == logic) {
        d.suggestion = "this is a condition; as a value write {if: {when: …, then: 1, else: 0}}";
        d.alternatives.clear();
        r.fields.allow({"args", "arg", "item", "set"});
        r.fields.give_up();
      }
  });
  read_field(r, "left", &out);
  read_field(r, "right", &out);
  r.at("right", [&](const Node& n) {
    if (divides(out.op) && n.is_integer() && n.integer == 0)
      cx.error(Code::DIVISION_BY_ZERO, n, "division by zero");
  });
}

void check(Reading& r, IfValue&) {
  r.result = either(r.type("then"), r.type("else"));
}

// The properties a computed name can mean; what they hold in common is what it gives.
void check(Reading& r, ComputedPropRef& out) {
  Context& cx = r.cx;
  const Type name = r.type("prop");
  r.at("prop", [&](const Node& n) {
    if (!is_text(name))
      cx.error(Code::TYPE_MISMATCH, n,
               fmt::format("the name of a token property is needed, not {}", describe(name)));
    check_computed(cx, n, name, Code::TOKEN_PROP_UNKNOWN, "token property",
                   names_of(cx.symbols.props));
  });
  if (r.given("among") == nullptr)
    out.among = name.texts != nullptr ? *name.texts : names_of(cx.symbols.props);
  std::optional<Kind> common;
  for (const std::string& prop : out.among) {
    const Kind* kind = find_in(cx.symbols.props, prop);
    if (kind != nullptr) common = !common || *common == *kind ? *kind : Kind::unknown;
  }
  r.result = plain(common.value_or(Kind::unknown));
}

void check(Reading& r, ClockRef& out) {
  if (out.field == "roundStartPlayer") r.result = plain(Kind::player);
}

void check(Reading& r, StepRef& out) {
  if (r.given("count") == nullptr) out.count = Value{Int{1}, {}};
  if (out.direction.kind == DirectionSel::Kind::all || out.direction.names.size() > 1)
    r.at("direction", [&](const Node& n) {
      r.cx.error(Code::DIRECTION_SEVERAL, n, "a step goes in one direction").suggestion =
          "use the query {query: step, zone, directions} for several";
    });
}

}  // namespace parlor::spec::lower
