// metadata, constants, seats, variables, tables, token types.
#include <algorithm>
#include <fmt/core.h>
#include <set>

#include "spec/lower/construct.h"
#include "spec/lower/sections.h"

namespace parlor::spec::lower {

bool UniqueIds::add(const std::string& id, const Node& node, std::string_view key) {
  if (id.empty()) return false;
  const auto [at, fresh] = seen_.emplace(id, node.origin);
  if (fresh) return true;
  const std::string path = cx_.path();
  Diagnostic& d = cx_.error_at(Code::DUPLICATE_ID, node.origin,
                               key.empty() ? path : fmt::format("{}.{}", path, key),
                               fmt::format("there are two {}s called `{}`", what_, id));
  d.suggestion = "rename or remove one of them";
  d.related.push_back({"the first one", cx_.doc.source.span(at->second.place)});
  return false;
}

// ---- metadata and constants

namespace {

std::string trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return std::string{text};
}

void read_named_sets(Context& cx, const Node& node) {
  if (!node.is_map()) {
    wrong_shape(cx, node, "a mapping from names to lists of texts");
    return;
  }
  for (const Entry& entry : node.entries) {
    const auto step = cx.step(entry.key);
    const std::string name = trimmed(entry.key);
    auto values = read_strings(cx, entry.value, "a list of texts");
    if (!cx.symbols.named_sets.emplace(name, std::move(values)).second)
      cx.error_at(Code::DUPLICATE_ID, {entry.key_place, node.origin.expansion}, cx.path(),
                  fmt::format("there are two named sets called `{}`", name));
  }
  cx.game.sections["namedSets"] = cx.symbols.named_sets;
}

void read_constants(Context& cx) {
  const Node* constants = cx.doc.find(Section::constants);
  if (constants == nullptr) return;
  const auto step = cx.step("constants");
  for (const Entry& entry : constants->entries) {
    const auto inner = cx.step(entry.key);
    if (entry.value.is_scalar() && !entry.value.is_null())
      cx.game.constants[entry.key] = read_data(entry.value);
    else
      wrong_shape(cx, entry.value, "a number");
  }
  for (const auto& [name, range] : cx.doc.constant_ranges)
    cx.game.constant_ranges[name] = {range.min, range.max};
}

}  // namespace

void read_key(Reading& r, const Node& node, const FieldInfo&, Metadata&) {
  read_named_sets(r.cx, node);
}

void check(Reading& r, Metadata& out) {
  if (out.max_players < out.min_players && r.said("maxPlayers") != nullptr) {
    const auto step = r.cx.step("players.max");
    r.cx.error(Code::BOUNDS_REVERSED, *r.said("maxPlayers"),
               fmt::format("max {} is less than min {}", out.max_players, out.min_players));
    out.max_players = out.min_players;
  }
  r.cx.symbols.max_players = out.max_players;
}

void lower_metadata(Context& cx) {
  cx.game.seats = cx.symbols.seats = cx.doc.derived.seats;
  read_constants(cx);
  read_section(cx, Section::metadata);
}

// ---- teams

void lower_teams(Context& cx) {
  const Node* teams = cx.doc.find(Section::teams);
  if (teams == nullptr) return;
  const auto step = cx.step("teams");
  std::set<Int> taken;
  for (const Entry& entry : teams->entries) {
    const auto inner = cx.step(entry.key);
    TeamDef team{entry.key, {}};
    each_item(cx, entry.value, "a list of seats", [&](const Node& seat) {
      const PlayerSel player = seat.is_integer()
                                   ? PlayerSel{PlayerSel::Kind::id, Int{seat.integer}, {}}
                                   : read_player(cx, seat);
      if (player.kind != PlayerSel::Kind::id)
        cx.error(Code::TEAM_INVALID, seat, "a team is made of seats").suggestion =
            "write the ids of seats, or numbers of players";
      else if (!taken.insert(player.id).second)
        cx.error(Code::TEAM_INVALID, seat, "this player is in a team already");
      else
        team.players.push_back(player.id);
    });
    if (team.players.empty() && entry.value.is_list() && entry.value.items.empty())
      cx.error(Code::TEAM_INVALID, entry.value,
               fmt::format("nobody is in the team `{}`", entry.key));
    cx.game.teams.push_back(std::move(team));
  }
}

// ---- variables

namespace {

// Whether it is one of these variables.
bool is_of(const std::vector<VarDef>& vars, const VarDef& var) {
  return !vars.empty() && &vars.back() == &var;
}

// More zones or tokens than a game can have.
constexpr Int most_things = 32'000;

// `nobody`, a seat or a number.
Int read_first_player(Context& cx, const Node& node) {
  if (node.is("nobody")) return -1;
  const auto seat =
      node.is_string() ? std::ranges::find(cx.symbols.seats, node.text) : cx.symbols.seats.end();
  if (seat != cx.symbols.seats.end()) return seat - cx.symbols.seats.begin();
  return read_int(cx, node, "`nobody`, a seat or the number of a player", -1,
                  cx.symbols.max_players - 1);
}

// Who is told the value. The game itself is nobody's: its variables have no owner.
void read_visibility(Reading& r, const Node& node, const FieldInfo& field, VarDef& out) {
  if (is_of(r.cx.game.global_vars, out) && node.is("owner"))
    r.cx.error(Code::VISIBILITY_WITHOUT_OWNER, node, "a variable of the game has no owner")
        .suggestion = "write `hidden`, or make it a variable of the players";
  else if (out.type == VarType::token && !node.is("public"))
    r.cx.error(Code::TYPE_MISMATCH, node, "a variable that holds a token cannot be secret")
        .suggestion =
        "leave `visibility` out: who does not see the token is told nothing but its place";
  else
    read_plainly(r, node, field, out.visibility);
}

void read_type(Reading& r, const Node& node, const FieldInfo& field, VarDef& out) {
  if (node.is_integer() || (node.is_string() && node.text.find_first_of("0123456789") == 0)) {
    r.cx.error(Code::WORD_UNKNOWN, node,
               fmt::format("{} does not say what the variable can be", describe(node)))
        .suggestion =
        "write the least and the greatest number, and where it begins if not there: `0..100`, "
        "`0..100 = 5`";
    return;
  }
  read_plainly(r, node, field, out.type);
  if (out.type == VarType::boolean && is_of(r.cx.game.zone_vars, out))
    r.cx.error(Code::TYPE_MISMATCH, node, "variables of zones cannot be of type boolean")
        .suggestion = "write `0..1`";
  if (out.type == VarType::player || out.type == VarType::zone || out.type == VarType::token)
    out.min = out.init = -1;
  if (out.type == VarType::zone || out.type == VarType::token) out.max = most_things;
  if (out.type == VarType::player) out.max = r.cx.symbols.max_players - 1;
}

void read_init(Reading& r, const Node& node, VarDef& out) {
  Context& cx = r.cx;
  if (out.type == VarType::boolean) {
    out.init = read_bool(cx, node, "init") ? 1 : 0;
  } else if (out.type == VarType::player) {
    out.init = read_first_player(cx, node);
  } else if (out.type == VarType::enumeration) {  // the first one unless something else is said
    const auto found = std::ranges::find(out.values, read_string(cx, node, "init"));
    if (found != out.values.end())
      out.init = found - out.values.begin();
    else if (node.is_string())
      report_word(cx, node, "value", out.values);
  } else {
    out.init = read_int(cx, node, "init");
    if (!r.broken() && out.max >= out.min && (out.init < out.min || out.init > out.max) &&
        r.given("min") != nullptr && r.given("max") != nullptr)
      cx.error(Code::INIT_OUTSIDE, node,
               fmt::format("init {} is outside {}..{}", out.init, out.min, out.max));
  }
}

}  // namespace

void read_key(Reading& r, const Node& node, const FieldInfo& field, VarDef& out) {
  if (field.name == "type")
    read_type(r, node, field, out);
  else if (field.name == "init")
    read_init(r, node, out);
  else
    read_visibility(r, node, field, out);
}

void check(Reading& r, VarDef& out) {
  const std::string_view type = r.text("type");
  if (!enum_from_name<VarType>(type)) {  // nothing is known of its values
    out.min = -max_int;
    out.max = max_int;
  }
  if (type == "int" || type == "boolean") r.fields.required("init");
  if (type == "enum") out.max = std::max<Int>(static_cast<Int>(out.values.size()) - 1, 0);
  const Node *min = r.given("min"), *max = r.given("max");
  if (type == "int" && min != nullptr && min->is_integer() && max != nullptr && max->is_integer() &&
      out.max < out.min)
    r.at("max", [&](const Node& n) {
      r.cx.error(Code::BOUNDS_REVERSED, n,
                 fmt::format("max {} is less than min {}", out.max, out.min));
    });
}

void lower_variables(Context& cx) {
  const auto read = [&](Section section, const std::vector<VarDef>& vars, Table<VarType>& names) {
    read_section(cx, section);
    for (const VarDef& var : vars) names.emplace(var.name, var.type);
  };
  read(Section::globalVars, cx.game.global_vars, cx.symbols.global_vars);
  read(Section::perPlayerVars, cx.game.per_player_vars, cx.symbols.per_player_vars);
  read(Section::zoneVars, cx.game.zone_vars, cx.symbols.zone_vars);
}

// ---- token types

namespace {

Kind kind_of(PropType type) {
  switch (type) {
    case PropType::integer:
      return Kind::integer;
    case PropType::boolean:
      return Kind::boolean;
    case PropType::string:
      break;
  }
  return Kind::string;
}

// A word, or the texts that the property can have.
PropType read_prop_type(Reading& r, const Entry& entry, const FieldInfo& field) {
  Context& cx = r.cx;
  const Node& node = entry.value;
  if (!node.is_list()) {
    const auto word = read_enumerator(r, node, field);
    return word ? *enum_from_name<PropType>(*word) : PropType::string;
  }
  if (node.items.empty() || !std::ranges::all_of(node.items, &Node::is_string)) {
    wrong_shape(cx, node, "`int`, `string`, `boolean`, or a list of the texts it can be")
        .suggestion =
        fmt::format("write `{0}: int` for numbers, `{0}: [small, large]` for texts", entry.key);
    return PropType::string;
  }
  std::vector<std::string>& declared = cx.vocabulary[entry.key].declared;
  for (const Node& text : node.items)
    if (std::ranges::find(declared, text.text) == declared.end()) declared.push_back(text.text);
  return PropType::string;
}

}  // namespace

void read_key(Reading& r, const Node& node, const FieldInfo& field, TokenTypeDef& out) {
  Context& cx = r.cx;
  if (!node.is_map()) {
    Diagnostic& d = wrong_shape(cx, node, "a mapping from property names to types");
    if (node.is_list() && !node.items.empty() && node.items.front().is_string())
      d.suggestion = fmt::format("say of what type each is: {{{}: int}}", node.items.front().text);
    return;
  }
  for (const Entry& entry : node.entries) {
    const auto step = cx.step(entry.key);
    const PropType type = read_prop_type(r, entry, field);
    if (entry.key == "id")  // `type` may be one: then it means the property
      cx.error_at(Code::NAME_RESERVED, {entry.key_place, node.origin.expansion}, cx.path(),
                  fmt::format("every token has `{}` already", entry.key))
          .suggestion = "choose another name for the property";
    out.props.push_back({entry.key, type});
  }
  std::ranges::sort(out.props, {}, &PropDef::name);
}

void check(Reading& r, ZoneEntryRule& out) {
  r.at("set", [&](const Node& set) {
    for (const Entry& entry : set.entries) {
      const auto step = r.cx.step(entry.key);
      r.cx.note_prop_value(entry.key, entry.value);
    }
  });
  // Properties this type does not have are skipped: catalogs share their rules.
  const auto& props = r.in<TokenTypeDef>()->props;
  std::erase_if(out.set, [&](const PropAssign& one) {
    return std::ranges::find(props, one.prop, &PropDef::name) == props.end();
  });
}

void check(Reading& r, TokenTypeDef& out) {
  Symbols& symbols = r.cx.symbols;
  TokenTypeInfo info;
  for (const PropDef& prop : out.props) {
    info.props.emplace(prop.name, kind_of(prop.type));
    const auto [at, fresh] = symbols.props.emplace(prop.name, kind_of(prop.type));
    if (!fresh && at->second != kind_of(prop.type)) at->second = Kind::unknown;
  }
  symbols.token_types.emplace(out.id, std::move(info));
}

void lower_token_types(Context& cx) {
  read_section(cx, Section::tokenTypes);
  // Where tokens of some type may have any text in a property, it has no declared ones.
  each_of_section(cx, Section::tokenTypes, [&](const Node& node) {
    if (const Node* props = node.find("props"))
      for (const Entry& entry : props->entries)
        if (const auto found = cx.vocabulary.find(entry.key);
            entry.value.is("string") && found != cx.vocabulary.end())
          found->second.declared.clear();
  });
}

// ---- tables

namespace {

struct FieldType {
  PropType prop;
  Kind kind;
  Scalar empty;
};

FieldType field_type(RuntimeTable::Type type) {
  switch (type) {
    case RuntimeTable::Type::integer:
      return {PropType::integer, Kind::integer, Int{0}};
    case RuntimeTable::Type::boolean:
      return {PropType::boolean, Kind::boolean, false};
    case RuntimeTable::Type::string:
      break;
  }
  return {PropType::string, Kind::string, std::string{}};
}

}  // namespace

void lower_tables(Context& cx) {
  for (const RuntimeTable& table : cx.doc.derived.tables) {
    TableDef out{table.id, {}, {}};
    TableInfo info;
    for (const auto& field : table.fields) {
      out.columns.push_back({field.name, field_type(field.type).prop});
      info.fields.emplace(field.name, field_type(field.type).kind);
      if (field.optional) info.optional.insert(field.name);
    }
    std::ranges::sort(out.columns, {}, &PropDef::name);
    for (const Node& row : table.rows.items) {
      auto& cells = out.rows.emplace_back();
      for (const PropDef& column : out.columns) {
        const auto field = std::ranges::find(table.fields, column.name, &RuntimeTable::Field::name);
        const Node* cell = row.find(column.name);
        cells.push_back(field_type(field->type).empty);
        if (cell == nullptr || cell->is_null()) continue;
        if (cell->is_integer()) cells.back() = Int{cell->integer};
        if (cell->is_boolean()) cells.back() = cell->boolean;
        if (cell->is_string()) cells.back() = cell->text;
      }
    }
    cx.symbols.tables.emplace(table.id, std::move(info));
    cx.game.tables.push_back(std::move(out));
  }
}

}  // namespace parlor::spec::lower
