// metadata, constants, seats, variables, tables, token types.
#include <algorithm>
#include <fmt/core.h>
#include <set>

#include "spec/lower/construct.h"
#include "spec/lower/sections.h"

namespace parlor::spec::lower {

bool UniqueIds::add(const std::string& id, const Node& node) {
  if (id.empty()) return false;
  const auto [at, fresh] = seen_.emplace(id, node.origin);
  if (fresh) return true;
  Diagnostic& d =
      cx_.error(Code::DUPLICATE_ID, node, fmt::format("there are two {}s called `{}`", what_, id));
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

void read_players(Context& cx, const Node& node) {
  Metadata& out = cx.game.metadata;
  constexpr Int most = 64;
  if (node.is_integer()) {
    wrong_shape(cx, node, "a mapping for players").suggestion =
        fmt::format("write {{min: {0}, max: {0}}}", node.integer);
    return;
  }
  if (node.is_string()) {
    wrong_shape(cx, node, "how many can play").suggestion =
        "write `players: 2`, or `players: 2..4` for two to four";
    return;
  }
  Fields fields{cx, node, "players"};
  fields.need("min", [&](const Node& n) { out.min_players = read_int(cx, n, "min", 1, most); });
  fields.need("max", [&](const Node& n) {
    out.max_players = read_int(cx, n, "max", 1, most);
    if (out.max_players >= out.min_players) return;
    cx.error(Code::BOUNDS_REVERSED, n,
             fmt::format("max {} is less than min {}", out.max_players, out.min_players));
    out.max_players = out.min_players;
  });
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

void lower_metadata(Context& cx) {
  cx.game.seats = cx.symbols.seats = cx.doc.derived.seats;
  read_constants(cx);
  const Node* node = cx.doc.find(Section::metadata);
  if (node == nullptr) return;  // reported with the other missing sections
  const auto step = cx.step("metadata");
  Metadata& out = cx.game.metadata;
  Fields fields{cx, *node, "metadata"};
  fields.need("id", [&](const Node& n) { out.id = read_id(cx, n, "the game's id"); });
  fields.need("players", [&](const Node& n) { read_players(cx, n); });
  fields.maybe("name", [&](const Node& n) { out.name = read_string(cx, n, "the game's name"); });
  fields.maybe("description",
               [&](const Node& n) { out.description = read_string(cx, n, "a description"); });
  fields.maybe("maxTriggerDepth", [&](const Node& n) {
    out.max_trigger_depth = read_int(cx, n, "maxTriggerDepth", 1);
  });
  fields.maybe("namedSets", [&](const Node& n) { read_named_sets(cx, n); });
  fields.allow({"defaultScenarioAssetId"});
  cx.symbols.max_players = out.max_players;
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

void read_int_bounds(Context& cx, Fields& fields, VarDef& out) {
  bool complete = fields.need("min", [&](const Node& n) { out.min = read_int(cx, n, "min"); });
  complete &= fields.need("max", [&](const Node& n) {
    out.max = read_int(cx, n, "max");
    const Node* min = fields.optional("min");
    if (min && min->is_integer() && n.is_integer() && out.max < out.min) {
      cx.error(Code::BOUNDS_REVERSED, n,
               fmt::format("max {} is less than min {}", out.max, out.min));
      complete = false;
    }
  });
  fields.need("init", [&](const Node& n) {
    out.init = read_int(cx, n, "init");
    if (complete && n.is_integer() && out.max >= out.min &&
        (out.init < out.min || out.init > out.max))
      cx.error(Code::INIT_OUTSIDE, n,
               fmt::format("init {} is outside {}..{}", out.init, out.min, out.max));
  });
}

// Who is told the value. The game itself is nobody's: its variables have no owner.
void read_var_visibility(Context& cx, const Node& node, Section section, VarDef& out) {
  if (section == Section::globalVars && node.is("owner")) {
    cx.error(Code::VISIBILITY_WITHOUT_OWNER, node, "a variable of the game has no owner")
        .suggestion = "write `hidden`, or make it a variable of the players";
    return;
  }
  if (out.type == VarType::token && !node.is("public")) {
    cx.error(Code::TYPE_MISMATCH, node, "a variable that holds a token cannot be secret")
        .suggestion =
        "leave `visibility` out: who does not see the token is told nothing but its place";
    return;
  }
  out.visibility = read_word<Visibility>(cx, node, "visibility",
                                         {{"public", Visibility::visible_to_all},
                                          {"owner", Visibility::owner},
                                          {"hidden", Visibility::hidden}},
                                         out.visibility);
}

// {values: [spring, summer], init: summer}: the first one unless something else is said.
void read_enumeration(Context& cx, Fields& fields, VarDef& out) {
  fields.need("values", [&](const Node& n) {
    out.values = read_strings(cx, n, "a list of texts");
    if (out.values.empty()) cx.error(Code::LIST_EMPTY, n, "a variable needs a value it can have");
    std::set<std::string_view> seen;
    for (const std::string& value : out.values)
      if (!seen.insert(value).second)
        cx.error(Code::DUPLICATE_ID, n, fmt::format("`{}` is listed twice", value));
  });
  out.max = std::max<Int>(static_cast<Int>(out.values.size()) - 1, 0);
  fields.maybe("init", [&](const Node& n) {
    const auto found = std::ranges::find(out.values, read_string(cx, n, "init"));
    if (found != out.values.end())
      out.init = found - out.values.begin();
    else if (n.is_string())
      report_word(cx, n, "value", out.values);
  });
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

VarDef read_variable(Context& cx, const Node& node, Section section) {
  const bool zone = section == Section::zoneVars;
  VarDef out;
  Fields fields{cx, node, "a variable"};
  fields.need("name", [&](const Node& n) { out.name = read_id(cx, n, "the name of a variable"); });
  const std::size_t before = cx.errors();
  const bool given = fields.need("type", [&](const Node& n) {
    if (n.is_integer() || (n.is_string() && n.text.find_first_of("0123456789") == 0)) {
      cx.error(Code::WORD_UNKNOWN, n,
               fmt::format("{} does not say what the variable can be", describe(n)))
          .suggestion =
          "write the least and the greatest number, and where it begins if not there: `0..100`, "
          "`0..100 = 5`";
      return;
    }
    out.type = read_word<VarType>(cx, n, "variable type",
                                  {{"int", VarType::integer},
                                   {"boolean", VarType::boolean},
                                   {"enum", VarType::enumeration},
                                   {"player", VarType::player},
                                   {"zone", VarType::zone},
                                   {"token", VarType::token}},
                                  VarType::integer);
    if (zone && out.type == VarType::boolean)
      cx.error(Code::TYPE_MISMATCH, n, "variables of zones cannot be of type boolean").suggestion =
          "write `0..1`";
  });
  if (cx.errors() > before) {
    fields.allow({"init", "min", "max"});  // what they should be is not known
  } else if (!given || out.type == VarType::integer) {
    read_int_bounds(cx, fields, out);
  } else if (out.type == VarType::enumeration) {
    read_enumeration(cx, fields, out);
  } else if (out.type == VarType::player) {
    out.min = out.init = -1;
    out.max = cx.symbols.max_players - 1;
    fields.maybe("init", [&](const Node& n) { out.init = read_first_player(cx, n); });
  } else if (out.type == VarType::zone || out.type == VarType::token) {
    out.min = out.init = -1;
    out.max = most_things;
  } else {
    fields.need("init", [&](const Node& n) { out.init = read_bool(cx, n, "init") ? 1 : 0; });
  }
  fields.maybe("material", [&](const Node& n) { out.material = read_bool(cx, n, "material"); });
  fields.maybe("visibility", [&](const Node& n) { read_var_visibility(cx, n, section, out); });
  return out;
}

void read_variables(Context& cx, Section section, std::vector<VarDef>& out, Table<VarType>& names) {
  UniqueIds ids{cx, "variable"};
  each_of_section(cx, section, [&](const Node& node) {
    VarDef var = read_variable(cx, node, section);
    if (const Node* name = node.find("name"); name && !ids.add(var.name, *name)) return;
    names.emplace(var.name, var.type);
    out.push_back(std::move(var));
  });
}

}  // namespace

void lower_variables(Context& cx) {
  read_variables(cx, Section::globalVars, cx.game.global_vars, cx.symbols.global_vars);
  read_variables(cx, Section::perPlayerVars, cx.game.per_player_vars, cx.symbols.per_player_vars);
  read_variables(cx, Section::zoneVars, cx.game.zone_vars, cx.symbols.zone_vars);
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
PropType read_prop_type(Context& cx, const Entry& entry) {
  const Node& node = entry.value;
  if (!node.is_list())
    return read_word<PropType>(cx, node, "property type",
                               {{"int", PropType::integer},
                                {"string", PropType::string},
                                {"boolean", PropType::boolean},
                                {"player", PropType::integer}},
                               PropType::string);
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

void read_props(Context& cx, const Node& node, TokenTypeDef& out) {
  if (!node.is_map()) {
    Diagnostic& d = wrong_shape(cx, node, "a mapping from property names to types");
    if (node.is_list() && !node.items.empty() && node.items.front().is_string())
      d.suggestion = fmt::format("say of what type each is: {{{}: int}}", node.items.front().text);
    return;
  }
  for (const Entry& entry : node.entries) {
    const auto step = cx.step(entry.key);
    const PropType type = read_prop_type(cx, entry);
    if (entry.key == "id")  // `type` may be one: then it means the property
      cx.error_at(Code::NAME_RESERVED, {entry.key_place, node.origin.expansion}, cx.path(),
                  fmt::format("every token has `{}` already", entry.key))
          .suggestion = "choose another name for the property";
    out.props.push_back({entry.key, type});
  }
  std::ranges::sort(out.props, {}, &PropDef::name);
}

ZoneEntryRule read_entry_rule(Context& cx, const Node& node, const TokenTypeDef& type) {
  ZoneEntryRule out;
  Fields fields{cx, node, "onZoneEntry"};
  fields.need("match", [&](const Node& n) {
    Fields match{cx, n, "match"};
    match.maybe("zoneKind", [&](const Node& kind) {
      out.zone_kind =
          read_word<ZoneKind>(cx, kind, "zone kind",
                              {{"board", ZoneKind::board}, {"aux", ZoneKind::aux}}, ZoneKind::aux);
    });
    match.maybe("category",
                [&](const Node& c) { out.category = read_string(cx, c, "a category"); });
  });
  fields.need("set", [&](const Node& n) {
    if (!n.is_map()) wrong_shape(cx, n, "a mapping from properties to values");
    for (const Entry& entry : n.entries) {
      const auto step = cx.step(entry.key);
      const auto value = read_scalar(cx, entry.value, "a number, text, true or false");
      cx.note_prop_value(entry.key, entry.value);
      // Properties this type does not have are skipped: catalogs share their rules.
      if (value && std::ranges::find(type.props, entry.key, &PropDef::name) != type.props.end())
        out.set.push_back({entry.key, *value});
    }
  });
  return out;
}

TokenTypeDef read_token_type_def(Context& cx, const Node& node) {
  TokenTypeDef out;
  Fields fields{cx, node, "a token type"};
  fields.need("id", [&](const Node& n) { out.id = read_id(cx, n, "the id of a token type"); });
  fields.maybe("props", [&](const Node& n) { read_props(cx, n, out); });
  fields.maybe("seat", [&](const Node& n) { out.seat = read_string(cx, n, "a seat"); });
  fields.maybe("onZoneEntry", [&](const Node& n) {
    each_item(cx, n, "a list of rules", [&](const Node& rule) {
      out.on_zone_entry.push_back(read_entry_rule(cx, rule, out));
    });
  });
  fields.maybe("transitions", [&](const Node& n) {
    each_item(cx, n, "a list of transitions", [&](const Node& item) {
      out.transitions.push_back(read_record<PropTransition>(cx, item));
    });
  });
  return out;
}

}  // namespace

void lower_token_types(Context& cx) {
  UniqueIds ids{cx, "token type"};
  std::set<std::string> unrestricted;  // properties that tokens of some type may have any text in
  each_of_section(cx, Section::tokenTypes, [&](const Node& node) {
    TokenTypeDef type = read_token_type_def(cx, node);
    TokenTypeInfo info;
    for (const PropDef& prop : type.props) {
      info.props.emplace(prop.name, kind_of(prop.type));
      const auto [at, fresh] = cx.symbols.props.emplace(prop.name, kind_of(prop.type));
      if (!fresh && at->second != kind_of(prop.type)) at->second = Kind::unknown;
    }
    if (const Node* props = node.find("props"))
      for (const Entry& entry : props->entries)
        if (entry.value.is("string")) unrestricted.insert(entry.key);
    if (const Node* id = node.find("id"); id && !ids.add(type.id, *id)) return;
    cx.symbols.token_types.emplace(type.id, std::move(info));
    cx.game.token_types.push_back(std::move(type));
  });
  for (const std::string& prop : unrestricted)
    if (const auto found = cx.vocabulary.find(prop); found != cx.vocabulary.end())
      found->second.declared.clear();
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
