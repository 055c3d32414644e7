// What may stand in a field: one function per kind of member, by what the declaration expects.
#include <fmt/core.h>

#include "spec/lower/assignments.h"
#include "spec/lower/construct.h"
#include "spec/lower/events.h"
#include "spec/lower/names.h"
#include "spec/lower/sections.h"

namespace parlor::spec::lower {
namespace {

// moveAll's filter is a condition, other filters of tokens are not.
bool filter_for_condition(Reading& r, const Node& node, const FieldInfo& field) {
  if (field.spec.implicit_kind != Kind::token || !node.has("prop") || node.has("left"))
    return false;
  wrong_shape(r.cx, node, "a condition").suggestion = fmt::format(
      "{}'s {} is a condition on `{}`: {{op: \"==\", left: {{ref: tokenProp, token: \"{}\", prop: "
      "…}}, right: …}}",
      r.construct.name(), field.key, field.spec.implicit, field.spec.implicit);
  return true;
}

std::string read_binder(Reading& r, const Node& node, const FieldInfo& field) {
  const FieldSpec& spec = field.spec;
  Type type = spec.like.empty() ? plain(spec.wanted) : r.type(spec.like);
  if (spec.list) type = list_of(type);
  return spec.expects == Expects::choice ? declare_choice(r.cx, node, type)
                                         : declare_binding(r.cx, node, type);
}

// The binding a value reads.
std::string read_mention(Reading& r, const Node& node, const FieldInfo& field) {
  Context& cx = r.cx;
  std::string out = read_id(cx, node, "the name of a binding");
  if (out.empty()) return out;
  Type type = use_binding(cx, node, out, Strictness::strict);
  if (type.kind == Kind::row || type.kind == Kind::record) {
    cx.error(Code::BINDING_KIND, node,
             fmt::format("`{}` holds {}, which is no value", out, describe(type)))
        .suggestion = type.kind == Kind::row
                          ? "read one of its fields with {ref: assetField, row, tableId, field}"
                          : "use the event's own bindings, such as $zone or $newValue";
    type = {};
  }
  r.set_type(field, type);
  return out;
}

// The binding whose items a query gives.
std::string read_list_mention(Reading& r, const Node& node, const FieldInfo& field) {
  std::string out = read_id(r.cx, node, "the name of a binding");
  if (out.empty()) return out;
  const Type type = use_binding(r.cx, node, out, Strictness::lenient);
  r.set_type(field, item_of(type));
  if (type.known() && type.kind != Kind::list)
    r.cx.error(Code::BINDING_KIND, node,
               fmt::format("`{}` holds {}, but a list is needed", out, describe(type)));
  return out;
}

// A property of tokens; `beside` are names that can be read as well.
std::string read_prop(Reading& r, const Node& node, const FieldInfo& field,
                      std::initializer_list<std::string_view> beside) {
  std::string out = read_id(r.cx, node, "the name of a token property");
  if (const Kind* kind = find_in(r.cx.symbols.props, out)) {
    r.set_type(field, plain(*kind));
  } else if (out.empty() || std::ranges::find(beside, out) != beside.end()) {
    if (beside.size() > 0) r.set_type(field, plain(Kind::string));
  } else {
    auto names = names_of(r.cx.symbols.props);
    names.insert(names.end(), beside.begin(), beside.end());
    r.cx.unknown(Code::TOKEN_PROP_UNKNOWN, node, "token property", out, names);
  }
  return out;
}

std::string read_zone_prop(Reading& r, const Node& node, const FieldInfo& field) {
  Context& cx = r.cx;
  std::string out = read_id(cx, node, "the name of a zone attribute");
  const Kind* kind = find_in(cx.symbols.attributes, out);
  if (out == "id") {
    r.set_type(field, plain(Kind::zone));
  } else if (out == "category" || out.empty()) {
    r.set_type(field, plain(Kind::string));
  } else if (kind == nullptr) {
    auto names = names_of(cx.symbols.attributes);
    names.insert(names.end(), {"id", "category"});
    cx.unknown(Code::ZONE_ATTRIBUTE_UNKNOWN, node, "zone attribute", out, names);
  } else if (*kind == Kind::list) {
    cx.error(Code::TYPE_MISMATCH, node, fmt::format("the attribute `{}` is a list", out))
        .suggestion = "ask for one of its items with {op: zonePropIncludes, zone, prop, value}";
  } else {
    r.set_type(field, plain(*kind));
  }
  return out;
}

std::string read_zone_list_prop(Context& cx, const Node& node) {
  std::string out = read_id(cx, node, "the name of a zone attribute");
  const Kind* kind = find_in(cx.symbols.attributes, out);
  if (out.empty()) return out;
  if (kind == nullptr)
    cx.unknown(Code::ZONE_ATTRIBUTE_UNKNOWN, node, "zone attribute", out,
               names_of(cx.symbols.attributes));
  else if (*kind != Kind::list && *kind != Kind::unknown)
    cx.error(Code::TYPE_MISMATCH, node, fmt::format("the attribute `{}` is no list", out))
        .suggestion = "compare it with {op: \"==\", left: {ref: zoneProp, zone, prop}, right: …}";
  return out;
}

std::string read_table_field(Reading& r, const Node& node, const FieldInfo& field) {
  Context& cx = r.cx;
  std::string out = read_id(cx, node, "the name of a table field");
  const TableInfo* table = find_in(cx.symbols.tables, r.type(field.spec.like).table);
  if (table == nullptr || out.empty()) return out;
  if (const Kind* kind = find_in(table->fields, out))
    r.set_type(field, plain(*kind));
  else
    cx.unknown(Code::TABLE_FIELD_UNKNOWN, node, "field", out, names_of(table->fields));
  if (table->optional.contains(out))
    cx.warning(Code::TABLE_FIELD_OPTIONAL, node, fmt::format("some rows lack `{}`", out))
        .suggestion = "give every row a value: without one it reads as 0, false or empty text";
  return out;
}

std::string read_plain_text(Reading& r, const Node& node, const FieldInfo& field, Expects expects) {
  const std::string_view noun = field.spec.noun;
  switch (expects) {
    case Expects::token:
      return read_token(r.cx, node);
    case Expects::row:
      return read_row(r.cx, node, r.type(field.spec.like).table);
    case Expects::marker_state: {
      const std::string state = read_id(r.cx, node, "the name of a state");
      read_marker_state(r.cx, node, r.text(field.spec.like), false);
      return state;
    }
    case Expects::zone_id:
      return read_zone_id(r.cx, node);
    case Expects::seat:  // or a word that stands for one
      for (const std::string_view word : field.words)
        if (node.is(word)) return std::string{word};
      return read_seat(r.cx, node);
    case Expects::text:
      return read_string(r.cx, node,
                         noun.empty() || field.spec.expects == Expects::texts ? "text" : noun);
    case Expects::word:
      if (const auto word = read_enumerator(r, node, field)) return std::string{*word};
      return std::string{field.words.front()};
    case Expects::id:
    case Expects::key:
      return read_id(r.cx, node, noun);
    default:
      return read_declared(r.cx, node, expects);
  }
}

// What the items of a list of names are.
Expects item_of_list(Expects list) {
  switch (list) {
    case Expects::seats:
      return Expects::seat;
    case Expects::actions:
      return Expects::action;
    case Expects::phases:
      return Expects::phase;
    case Expects::zone_ids:
      return Expects::zone_id;
    case Expects::token_types:
      return Expects::token_type;
    case Expects::variables:
      return Expects::variable;
    default:
      return Expects::text;
  }
}

// {name} in an announcement: a binding, a variable, or a player, who is told by name.
Value read_spoken_name(Context& cx, const Node& text, const std::string& name) {
  const auto reference = [&](std::string_view kind, std::string_view key) {
    Node out = Node::of_map(text.origin);
    out.set("ref", Node::of_string(std::string{kind}, text.origin));
    if (kind == "pvar") out.set("player", Node::of_string("actor", text.origin));
    out.set(key, Node::of_string(name, text.origin));
    return read_value(cx, out).value;
  };
  const Binding* binding = cx.scope.find(name);
  if (name.starts_with('$') && (binding == nullptr || binding->type.kind != Kind::player))
    return reference("binding", "name");
  if (cx.symbols.global_vars.contains(name)) return reference("gvar", "var");
  if (cx.symbols.per_player_vars.contains(name)) return reference("pvar", "var");
  constexpr std::string_view words[] = {"actor", "active",   "left",    "right",
                                        "next",  "previous", "opponent"};
  const bool player = std::ranges::find(words, name) != std::end(words) ||
                      std::ranges::find(cx.symbols.seats, name) != cx.symbols.seats.end() ||
                      binding != nullptr || name.find_first_not_of("0123456789") == name.npos;
  if (player) return reference("player", "player");
  Diagnostic& d = cx.error(
      Code::NAME_UNKNOWN, text,
      fmt::format("between braces stands a player, a binding or a variable; `{}` is none of them",
                  name));
  std::vector<std::string> known = names_of(cx.symbols.global_vars);
  for (const std::string& other : names_of(cx.symbols.per_player_vars)) known.push_back(other);
  d.alternatives = did_you_mean(name, known);
  d.suggestion =
      fmt::format("give a value a name first: `- let $value = {}`, then `{{$value}}`", name);
  return Value{Int{0}};
}

// A text with names in braces, or a list of such texts and of values.
void read_spoken(Context& cx, const Node& node, std::vector<Value>& out) {
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const auto step = cx.step(i);
    const Node& part = node.items[i];
    if (part.is_map())
      out.push_back(read_value(cx, part).value);
    else
      read_spoken(cx, part, out);
  }
  if (node.is_list()) return;
  std::string_view rest = node.text;
  if (!node.is_string()) read_string(cx, node, "what is said");
  while (!rest.empty()) {
    const std::size_t open = std::min(rest.find('{'), rest.size());
    if (open > 0) out.push_back(Value{std::string{rest.substr(0, open)}});
    rest.remove_prefix(open);
    if (rest.empty()) return;
    const std::size_t close = rest.find('}');
    if (close == std::string_view::npos) {
      cx.error(Code::SHAPE_WRONG, node, "a `}` is missing").suggestion =
          "write {actor}, {$binding} or the name of a variable between braces";
      return;
    }
    out.push_back(read_spoken_name(cx, node, std::string{rest.substr(1, close - 1)}));
    rest.remove_prefix(close + 1);
  }
}

}  // namespace

std::string read_table(Context& cx, const Node& node, Type* row) {
  std::string out = read_id(cx, node, "the id of a table");
  if (cx.symbols.tables.contains(out))
    row->table = out;
  else if (!out.empty())
    cx.unknown(Code::TABLE_REFERENCE, node, "table", out, names_of(cx.symbols.tables));
  return out;
}

std::optional<std::string_view> read_enumerator(Reading& r, const Node& node,
                                                const FieldInfo& field) {
  const auto found = std::ranges::find_if(field.words, [&](auto word) { return node.is(word); });
  if (found != field.words.end())
    return field.meant.empty() ? *found
                               : field.meant[static_cast<std::size_t>(found - field.words.begin())];
  report_word(r.cx, node, field.spec.noun, {field.words.begin(), field.words.end()});
  return std::nullopt;
}

void read_into(Reading& r, const Node& node, const FieldInfo& field, Value& out) {
  const FieldSpec& spec = field.spec;
  const bool global = spec.expects == Expects::global_marker_state;
  if (global || spec.expects == Expects::marker_state) {
    out = read_marker_state(r.cx, node, r.text(spec.like), global);
  } else if (spec.expects == Expects::global_marker) {
    if (node.is_string()) read_declared(r.cx, node, Expects::global_marker);
    out = read_typed(r.cx, node, plain(Kind::string));
  } else if (!spec.like.empty()) {
    out = read_typed(r.cx, node, r.type(spec.like));
  } else if (spec.wanted != Kind::unknown) {
    out = read_typed(r.cx, node, plain(spec.wanted));
  } else {
    TypedValue value = read_value(r.cx, node);
    r.set_type(field, value.type);
    out = std::move(value.value);
  }
}

void read_into(Reading& r, const Node& node, const FieldInfo& field, Condition& out) {
  const FieldSpec& spec = field.spec;
  if (spec.move_to_come)
    out = read_filter_of_move_to_come(r.cx, node);
  else if (spec.implicit.empty())
    out = read_condition(r.cx, node);
  else if (!filter_for_condition(r, node, field))
    out = read_condition_with(r.cx, node, spec.implicit, plain(spec.implicit_kind));
}

void read_into(Reading& r, const Node& node, const FieldInfo& field, Query& out) {
  if (field.spec.expects == Expects::token_query) {
    out = read_token_query(r.cx, node);
    return;
  }
  TypedQuery query = read_query(r.cx, node);
  r.set_type(field, query.item);
  out = std::move(query.query);
}

void read_into(Reading& r, const Node& node, const FieldInfo&, Effects& out) {
  out = read_effects(r.cx, node);
}
void read_into(Reading& r, const Node& node, const FieldInfo& field, ZoneSel& out) {
  out = field.spec.expects == Expects::space ? read_space(r.cx, node) : read_zone(r.cx, node);
}
void read_into(Reading& r, const Node& node, const FieldInfo& field, PlayerSel& out) {
  out = read_player(r.cx, node, field.spec.expects == Expects::players ? Many::yes : Many::no);
}
void read_into(Reading& r, const Node& node, const FieldInfo&, DirectionSel& out) {
  out = read_directions(r.cx, node);
}
void read_into(Reading& r, const Node& node, const FieldInfo&, TokenFilter& out) {
  out = read_token_filter(r.cx, node);
}
void read_into(Reading& r, const Node& node, const FieldInfo& field, GrantDef& out) {
  out =
      field.spec.expects == Expects::grant ? read_grant(r.cx, node) : read_event_grant(r.cx, node);
}

void read_into(Reading& r, const Node& node, const FieldInfo& field, Name& out) {
  const Symbols& symbols = r.cx.symbols;
  std::optional<VarType> type;
  switch (field.spec.expects) {
    case Expects::key:
      out = read_key(r.cx, node);
      return;
    case Expects::player_var:
      out = read_var_name(r.cx, node, symbols.per_player_vars, "player variable", &type);
      break;
    case Expects::zone_var:
      out = read_var_name(r.cx, node, symbols.zone_vars, "zone variable", &type);
      break;
    default:
      out = read_var_name(r.cx, node, symbols.global_vars, "global variable", &type);
  }
  r.set_type(field, type_of_var(type));
}

void read_into(Reading& r, const Node& node, const FieldInfo& field, VarCell& out) {
  const Node* from = field.key == "to" ? r.given("from") : nullptr;
  const auto cell = node.has("ref") ? endpoint_cell(r.cx, node, from) : std::optional{node};
  if (cell) read_record(r.cx, *cell, form_of<VarCell>(), &out);
}

void read_into(Reading& r, const Node& node, const FieldInfo& field, std::string& out) {
  switch (field.spec.expects) {
    case Expects::binder:
    case Expects::choice:
      out = read_binder(r, node, field);
      return;
    case Expects::mention:
      out = read_mention(r, node, field);
      return;
    case Expects::list_mention:
      out = read_list_mention(r, node, field);
      return;
    case Expects::token_prop:
      out = read_prop(r, node, field, {});
      return;
    case Expects::readable_prop:
      out = read_prop(r, node, field, {"id", "type"});
      return;
    case Expects::zone_prop:
      out = read_zone_prop(r, node, field);
      return;
    case Expects::zone_list_prop:
      out = read_zone_list_prop(r.cx, node);
      return;
    case Expects::table: {
      Type row = plain(Kind::row);
      out = read_table(r.cx, node, &row);
      r.set_type(field, row);
      return;
    }
    case Expects::table_field:
      out = read_table_field(r, node, field);
      return;
    default:
      out = read_plain_text(r, node, field, field.spec.expects);
  }
}

void read_into(Reading& r, const Node& node, const FieldInfo& field, bool& out) {
  if (field.spec.expects != Expects::word)
    out = read_bool(r.cx, node, field.key);
  else if (const auto word = read_enumerator(r, node, field))
    out = *word == field.spec.yes;
}
void read_into(Reading& r, const Node& node, const FieldInfo& field, Int& out) {
  out = read_int(r.cx, node, field.key, std::max(field.spec.least, -max_int),
                 std::min(field.spec.most, max_int));
}
void read_into(Reading& r, const Node& node, const FieldInfo&, Scalar& out) {
  if (auto value = read_scalar(r.cx, node, "a number, text, true or false")) out = *value;
}
// A place on a picture.
void read_into(Reading& r, const Node& node, const FieldInfo&, std::vector<Int>& out) {
  const bool list = each_item(r.cx, node, "two whole numbers", [&](const Node& n) {
    out.push_back(read_int(r.cx, n, "a number of thousandths of a cell", -1'000'000, 1'000'000));
  });
  if (list && out.size() != 2) wrong_shape(r.cx, node, "two whole numbers, e.g. [1500, 2000]");
}
void read_into(Reading& r, const Node& node, const FieldInfo& field,
               std::vector<std::string>& out) {
  const Expects item = item_of_list(field.spec.expects);
  const std::string what = fmt::format("a {}", expects_name(field.spec.expects));
  UniqueIds ids{r.cx, field.spec.unique};
  each_item(r.cx, node, field.spec.noun.empty() ? what : field.spec.noun, [&](const Node& n) {
    std::string name = item == Expects::text && !field.spec.unique.empty()
                           ? read_id(r.cx, n, fmt::format("a {}", field.spec.unique))
                           : read_plain_text(r, n, field, item);
    if (field.spec.unique.empty() || ids.add(name, n)) out.push_back(std::move(name));
  });
}
void read_into(Reading& r, const Node& node, const FieldInfo& field, nlohmann::json& out) {
  if (node.is_map())
    out = read_data(node);
  else
    wrong_shape(r.cx, node, fmt::format("a mapping for {}", field.key));
}
void read_into(Reading& r, const Node& node, const FieldInfo&, std::vector<bool>& out) {
  each_item(r.cx, node, "a list of true and false",
            [&](const Node& item) { out.push_back(read_bool(r.cx, item, "a value")); });
}

void read_into(Reading& r, const Node& node, const FieldInfo& field, std::vector<Value>& out) {
  if (field.spec.expects == Expects::spoken) return read_spoken(r.cx, node, out);
  if (field.spec.expects != Expects::numbers) return read_into(r, node, field, out.emplace_back());
  each_item(r.cx, node, "a list of numbers",
            [&](const Node& item) { out.push_back(read_number(r.cx, item)); });
}

void read_into(Reading& r, const Node& node, const FieldInfo& field, std::vector<Condition>& out) {
  if (field.spec.expects != Expects::conditions)
    return read_into(r, node, field, out.emplace_back());
  each_item(r.cx, node, "a list of conditions",
            [&](const Node& item) { out.push_back(read_condition(r.cx, item)); });
}

// Several queries one after the other; all must give the same kind of thing.
void read_into(Reading& r, const Node& node, const FieldInfo& field, std::vector<Query>& out) {
  Type item;
  each_item(r.cx, node, "a list of queries", [&](const Node& n) {
    TypedQuery part = read_query(r.cx, n);
    if (!out.empty() && !compatible(item, part.item))
      r.cx.error(Code::QUERY_ITEMS_MIXED, n,
                 fmt::format("this gives {}, but the query before it gives {}", describe(part.item),
                             describe(item)));
    item = out.empty() ? part.item : either(item, part.item);
    out.push_back(std::move(part.query));
  });
  r.set_type(field, item);
}

void read_into(Reading& r, const Node& node, const FieldInfo& field, std::vector<RowTest>& out) {
  out = read_row_filter(r.cx, node, r.text(field.spec.like));
}

void read_into(Reading& r, const Node& node, const FieldInfo&, std::vector<PropValue>& out) {
  Context& cx = r.cx;
  if (!node.is_map()) {
    wrong_shape(cx, node, "a mapping from properties to values");
    return;
  }
  const TokenTypeInfo* type = find_in(cx.symbols.token_types, r.text("type"));
  for (const Entry& entry : node.entries) {
    const auto step = cx.step(entry.key);
    const Kind* kind = type != nullptr ? find_in(type->props, entry.key) : nullptr;
    if (type != nullptr && kind == nullptr && !entry.key.empty())
      cx.unknown(Code::TOKEN_PROP_UNKNOWN,
                 Node::of_string(entry.key, {entry.key_place, node.origin.expansion}),
                 "token property", entry.key, names_of(type->props));
    const Type wanted = kind ? plain(*kind) : Type{};
    const Settled value = settle(cx, entry.value, wanted);
    cx.note_prop_value(entry.key, value);
    out.push_back({entry.key, read_typed(cx, value, wanted)});
  }
}

}  // namespace parlor::spec::lower
