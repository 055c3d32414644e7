// Who, where and which: players, zones, directions, and the names of things.
#include <algorithm>
#include <fmt/core.h>

#include "spec/lower/names.h"
#include "spec/lower/readers.h"
#include "spec/slips.h"

namespace parlor::spec::lower {
namespace {

bool all_digits(std::string_view text) {
  return !text.empty() && text.size() < 10 &&
         std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::string lower_case(std::string_view text) {
  std::string out{text};
  std::ranges::transform(out, out.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return out;
}

std::optional<Int> seat_index(const Symbols& symbols, std::string_view name) {
  const std::string wanted = lower_case(name);
  for (std::size_t i = 0; i < symbols.seats.size(); ++i)
    if (lower_case(symbols.seats[i]) == wanted) return static_cast<Int>(i);
  return std::nullopt;
}

constexpr Word<PlayerSel::Kind> player_words[] = {
    {"actor", PlayerSel::Kind::actor},      {"active", PlayerSel::Kind::active},
    {"all", PlayerSel::Kind::all},          {"allOther", PlayerSel::Kind::all_other},
    {"left", PlayerSel::Kind::left},        {"right", PlayerSel::Kind::right},
    {"next", PlayerSel::Kind::next},        {"previous", PlayerSel::Kind::previous},
    {"opponent", PlayerSel::Kind::opponent}};

std::vector<std::string> player_names(const Symbols& symbols) {
  std::vector<std::string> out;
  for (const auto& word : player_words) out.emplace_back(word.text);
  out.insert(out.end(), symbols.seats.begin(), symbols.seats.end());
  return out;
}

PlayerSel player_number(Context& cx, const Node& node, Int number) {
  PlayerSel out{PlayerSel::Kind::id, number, {}};
  const Symbols& symbols = cx.symbols;
  if (!symbols.seats.empty()) {
    Diagnostic& d = cx.error(Code::PLAYER_NUMBERED, node,
                             "players have seat names in this game: use them instead of numbers");
    if (number >= 0 && number < static_cast<Int>(symbols.seats.size()))
      d.alternatives = {symbols.seats[static_cast<std::size_t>(number)]};
  } else if (number < 0 || number >= symbols.max_players) {
    cx.error(Code::PLAYER_UNKNOWN, node, fmt::format("there is no player {}", number)).suggestion =
        fmt::format("players are numbered from 0 to {}", symbols.max_players - 1);
  }
  return out;
}

PlayerSel player_binding(Context& cx, const Node& node, const std::string& name) {
  const Type type = use_binding(cx, node, name, Strictness::strict);
  if (!is_number(type))
    cx.error(Code::BINDING_KIND, node,
             fmt::format("`{}` holds {}, but a player is needed", name, describe(type)));
  return {PlayerSel::Kind::binding, 0, name};
}

// At a table one's left neighbour is next; here `left` is the seat before (L-08). Said once, and
// where it makes a difference.
void explain_sides(Context& cx, const Node& node, PlayerSel::Kind kind) {
  if ((kind != PlayerSel::Kind::left && kind != PlayerSel::Kind::right) ||
      cx.symbols.max_players < 3 || std::exchange(cx.told_of_sides, true))
    return;
  Diagnostic& d = cx.warning(Code::PLAYER_SIDE, node,
                             "`left` is the seat before the actor's, `right` the seat after it");
  d.severity = Severity::info;
  d.suggestion = "write `previous` or `next` to say whose turn comes";
}

PlayerSel player_word(Context& cx, const Node& node) {
  const std::string& text = node.text;
  for (const auto& word : player_words)
    if (text == word.text) {
      explain_sides(cx, node, word.value);
      return {word.value, 0, {}};
    }
  if (text.starts_with('$')) return player_binding(cx, node, text);
  if (const auto seat = seat_index(cx.symbols, text)) return {PlayerSel::Kind::id, *seat, {}};
  if (all_digits(text)) return player_number(cx, node, std::stoll(text));
  const std::vector<std::string> names = player_names(cx.symbols);
  Diagnostic& d = cx.unknown(Code::PLAYER_UNKNOWN, node, "player", text, names);
  correct_slip(d, SlipOf::player, text, names);
  if (cx.scope.find("$" + text) != nullptr) {
    d.alternatives = {"$" + text};
    d.suggestion = "a `$` is missing";
  }
  const auto holds_player = [&](const auto& vars) {
    const VarType* type = find_in(vars, text);
    return type != nullptr && *type == VarType::player;
  };
  if (text == "roundStartPlayer" || holds_player(cx.symbols.global_vars) ||
      holds_player(cx.symbols.per_player_vars)) {
    d.alternatives.clear();
    d.suggestion =
        fmt::format("give the player a name first: `- let $who = {}`, then `$who`", text);
  }
  return {};
}

PlayerSel player_map(Context& cx, const Node& node) {
  PlayerSel out;
  Fields fields{cx, node, "a player selector"};
  if (const Node* id = fields.optional("id")) {
    out = player_number(cx, *id, read_int(cx, *id, "a player's number", 0));
  } else if (const Node* chosen = fields.optional("chosen")) {
    out = player_binding(cx, *chosen, read_id(cx, *chosen, "a binding that holds a player"));
  } else if (const Node* relative = fields.optional("relative")) {
    out.kind = read_word<PlayerSel::Kind>(cx, *relative, "neighbour",
                                          {{"left", PlayerSel::Kind::left},
                                           {"right", PlayerSel::Kind::right},
                                           {"next", PlayerSel::Kind::next},
                                           {"previous", PlayerSel::Kind::previous}},
                                          out.kind);
  } else {
    fields.give_up();
    wrong_shape(cx, node, "a player").suggestion =
        "use a word such as `active`, a seat, \"$binding\", {id: 0}, {chosen: \"$x\"} or "
        "{relative: left}";
  }
  return out;
}

}  // namespace

PlayerSel read_player(Context& cx, const Node& given, Many many) {
  PlayerSel out;
  const Settled selector = as_selector(cx, given);
  const Node& node = selector;
  if (node.is_string())
    out = player_word(cx, node);
  else if (node.is_integer())
    out = player_number(cx, node, node.integer);
  else if (node.is_map())
    out = player_map(cx, node);
  else
    wrong_shape(cx, node, "a player");
  const Int others = cx.symbols.max_players - (out.kind == PlayerSel::Kind::all_other ? 1 : 0);
  const bool several = out.kind == PlayerSel::Kind::all || out.kind == PlayerSel::Kind::all_other;
  if (many == Many::no && several && others > 1)
    cx.error(Code::PLAYER_SEVERAL, node,
             fmt::format("`{}` may be several players, but one is needed here", node.text))
        .suggestion = "loop with forEach over {query: players} and use the loop's binding";
  if (out.kind == PlayerSel::Kind::opponent && cx.symbols.max_players > 2)
    cx.error(Code::PLAYER_SEVERAL, node,
             fmt::format("`opponent` is the other one of two players, and this game has up to {}",
                         cx.symbols.max_players))
        .suggestion = "write `next`, `previous` or `allOther`";
  return out;
}

// ---- Zones

namespace {

std::vector<std::string> zone_names(const Symbols& symbols) {
  return names_of(symbols.zones);
}

ZoneSel exact(std::string id) {
  return {ZoneSel::Kind::exact, std::move(id), {}, {}};
}

void unknown_zone(Context& cx, const Node& node, std::string_view base) {
  Diagnostic& d = cx.unknown(Code::ZONE_UNKNOWN, node, "zone", base, zone_names(cx.symbols));
  if (const std::string binding = fmt::format("${}", base); cx.scope.find(binding) != nullptr) {
    d.suggestion = fmt::format("a `$` is missing: write \"{}\"", binding);
    d.alternatives = {binding};
  }
  // `hand.actor`, `hand[actor]`: whose zone it is comes after a colon here.
  const std::size_t end = base.find_first_of(".[(@/");
  const ZoneInfo* zone =
      end == std::string_view::npos ? nullptr : find_in(cx.symbols.zones, base.substr(0, end));
  if (zone == nullptr || zone->owner != ZoneOwner::player) return;
  const std::size_t last = base.find_last_not_of(")]");
  d.alternatives = {
      fmt::format("{}:{}", base.substr(0, end),
                  last > end ? base.substr(end + 1, last - end) : std::string_view{"actor"})};
  d.suggestion = "whose zone it is stands after a colon";
}

// A variable that holds a zone, of the game or of the actor, stands for that zone.
std::optional<ZoneSel> zone_in_variable(Context& cx, const Node& node, const std::string& name) {
  Value held;
  PlayerSel actor;
  actor.kind = PlayerSel::Kind::actor;
  const auto holds = [&](const Table<VarType>& vars) {
    const VarType* type = find_in(vars, name);
    return type != nullptr && *type == VarType::zone;
  };
  if (holds(cx.symbols.global_vars))
    held = {GvarRef{{Name::Kind::literal, name}}, cx.place(node)};
  else if (holds(cx.symbols.per_player_vars))
    held = {PvarRef{actor, {Name::Kind::literal, name}}, cx.place(node)};
  else
    return std::nullopt;
  ZoneSel out;
  out.kind = ZoneSel::Kind::expression;
  out.expr.push_back({ZoneAt{std::move(held)}, cx.place(node)});
  return out;
}

ZoneSel bare_zone(Context& cx, const Node& node, const std::string& base) {
  const ZoneInfo* zone = find_in(cx.symbols.zones, base);
  if (zone == nullptr)
    if (auto held = zone_in_variable(cx, node, base)) return std::move(*held);
  if (zone == nullptr) {
    unknown_zone(cx, node, base);
  } else if (zone->owner == ZoneOwner::player && !zone->broken) {
    Diagnostic& d = cx.error(Code::ZONE_AMBIGUOUS, node,
                             fmt::format("every player has a zone `{}`: say whose", base));
    d.alternatives = {base + ":actor", base + ":active"};
  }
  return exact(base + ":none");
}

// The part after the colon: whose zone.
ZoneSel qualified_zone(Context& cx, const Node& node, const std::string& base,
                       const std::string& qualifier) {
  const ZoneInfo* zone = find_in(cx.symbols.zones, base);
  if (zone == nullptr) {
    unknown_zone(cx, node, base);
    return exact(base + ":none");
  }
  const bool owned = zone->owner == ZoneOwner::player;
  if (qualifier == "none") {
    if (owned && !zone->broken)
      cx.error(Code::ZONE_UNKNOWN, node, fmt::format("there is no zone `{}:none`", base))
          .suggestion =
          fmt::format("`{}` belongs to the players: say whose, e.g. `{}:actor`", base, base);
    return exact(base + ":none");
  }
  if (!owned && !zone->broken) {
    cx.error(
          Code::ZONE_UNKNOWN, node,
          fmt::format("`{}` belongs to nobody, so there is no zone `{}:{}`", base, base, qualifier))
        .alternatives = {base};
    return exact(base + ":none");
  }
  Node whose = node;
  whose.text = qualifier;
  if (qualifier == "each") {
    cx.error(Code::PLAYER_SEVERAL, node,
             fmt::format("`{}` is a zone of every player, but one is needed here", node.text))
        .suggestion = fmt::format("loop: {{for: $p in players, do: […{}:$p…]}}", base);
    return exact(base + ":0");
  }
  if (const auto seat = seat_index(cx.symbols, qualifier))
    return exact(fmt::format("{}:{}", base, *seat));
  if (all_digits(qualifier)) {
    if (std::stoll(qualifier) >= cx.symbols.max_players)
      cx.error(Code::ZONE_UNKNOWN, node, fmt::format("there is no zone `{}`", node.text))
          .suggestion =
          fmt::format("players are numbered from 0 to {}", cx.symbols.max_players - 1);
    return exact(fmt::format("{}:{}", base, std::stoll(qualifier)));
  }
  return {ZoneSel::Kind::owned, base, read_player(cx, whose), {}};
}

ZoneSel zone_text(Context& cx, const Node& node, const std::string& text) {
  if (text.starts_with('$')) {
    const Type type = use_binding(cx, node, text, Strictness::lenient);
    const Type item = type.kind == Kind::list ? item_of(type) : type;
    if (!is_text(item) || item.kind == Kind::token) {
      Diagnostic& d =
          cx.error(Code::BINDING_KIND, node,
                   fmt::format("`{}` holds {}, but a zone is needed", text, describe(type)));
      if (item.kind == Kind::token)
        d.suggestion = fmt::format("write `{}.zone` for the zone it is in", text);
    }
    return {ZoneSel::Kind::binding, text, {}, {}};
  }
  // What the braces of a grant's zone filter stand for is filled in when the grant is issued.
  if (cx.scope.open() && has_placeholder(text))
    return {ZoneSel::Kind::expression, {}, {}, {Value{text, cx.place(node)}}};
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) return bare_zone(cx, node, text);
  return qualified_zone(cx, node, text.substr(0, colon), text.substr(colon + 1));
}

// The text of {concat: [literals…]}, if it is one.
std::optional<std::string> literal_text(const Node& node) {
  if (node.is_string()) return node.text;
  const Node* parts = node.find("concat");
  if (parts == nullptr || node.entries.size() != 1 || !parts->is_list()) return std::nullopt;
  std::string out;
  for (const Node& part : parts->items) {
    if (part.is_integer())
      out += std::to_string(part.integer);
    else if (const auto text = literal_text(part))
      out += *text;
    else
      return std::nullopt;
  }
  return out;
}

ZoneSel zone_expression(Context& cx, const Node& node) {
  if (const auto text = literal_text(node)) return zone_text(cx, node, *text);
  ZoneSel out;
  out.kind = ZoneSel::Kind::expression;
  TypedValue value = read_value(cx, node);
  if (!is_text(value.type) || value.type.kind == Kind::token)
    cx.error(Code::TYPE_MISMATCH, node,
             fmt::format("this gives {}, but a zone is needed", describe(value.type)));
  if (value.type.texts != nullptr) {
    Type bases = value.type;
    std::vector<std::string> plain_ids;
    for (const std::string& text : *value.type.texts)
      plain_ids.push_back(text.substr(0, text.find(':')));
    bases.texts = std::make_shared<const std::vector<std::string>>(std::move(plain_ids));
    check_computed(cx, node, bases, Code::ZONE_UNKNOWN, "zone", names_of(cx.symbols.zones));
  }
  out.expr.push_back(std::move(value.value));
  return out;
}

}  // namespace

ZoneSel read_zone(Context& cx, const Node& given) {
  const Settled selector = as_selector(cx, given);
  const Node& node = selector;
  if (is_word(given) && node.is_map()) return zone_expression(cx, node);
  if (const auto text = literal_text(node)) return zone_text(cx, node, *text);
  ZoneSel out = exact({});
  if (!node.is_map()) {
    wrong_shape(cx, node, "a zone");
    return out;
  }
  if (!node.has("zoneExpr")) {
    const bool looks_like_value = node.has("ref") || node.has("if") || node.has("concat");
    Diagnostic& d = wrong_shape(cx, node, "a zone");
    d.suggestion = looks_like_value ? "compute a zone with {zoneExpr: …}"
                                    : "use a zone's name, \"$binding\" or {zoneExpr: …}";
    const auto base = node.find_string(node.has("zone") ? "zone" : "id");
    const auto whose = node.find_string(node.has("player") ? "player" : "owner");
    if (base && whose) d.suggestion = fmt::format("write \"{}:{}\"", *base, *whose);
    return out;
  }
  Fields fields{cx, node, "a zone"};
  fields.need("zoneExpr", [&](const Node& value) { out = zone_expression(cx, value); });
  return out;
}

ZoneSel read_space(Context& cx, const Node& node) {
  ZoneSel out = read_zone(cx, node);
  const bool filled_in = cx.scope.open() && node.is_string() && has_placeholder(node.text);
  if (!filled_in && (out.kind == ZoneSel::Kind::owned || out.kind == ZoneSel::Kind::expression))
    cx.error(Code::SPACE_NOT_PLAIN, node, "a full zone id or a binding is needed here").suggestion =
        "compute it first with `let` or `bindValue` and use the binding";
  return out;
}

std::string read_zone_id(Context& cx, const Node& node) {
  const std::string text = read_id(cx, node, "the id of a zone");
  if (text.empty()) return text;
  const std::string base = text.substr(0, text.find(':'));
  const ZoneInfo* zone = find_in(cx.symbols.zones, base);
  if (zone == nullptr) {
    unknown_zone(cx, node, base);
    return text;
  }
  return text.find(':') == std::string::npos && zone->owner == ZoneOwner::none ? base + ":none"
                                                                               : text;
}

void check_computed(Context& cx, const Node& node, const Type& type, Code code,
                    std::string_view what, const std::vector<std::string>& names) {
  if (type.texts == nullptr) return;
  for (const std::string& text : *type.texts) {
    if (std::ranges::find(names, text) != names.end()) continue;
    Diagnostic& d =
        cx.error(code, node, fmt::format("this may be `{}`, and no {} is called that", text, what));
    d.alternatives = did_you_mean(text, names);
    return;
  }
}

// ---- Directions

namespace {

void add_direction(Context& cx, const Node& node, DirectionSel& out) {
  const std::string name = read_id(cx, node, "the name of a direction");
  if (name.empty()) return;
  bool found = false;
  for (const DirectionDef& direction : cx.game.directions)
    if (direction.name == name || (direction.group == name && !name.empty())) {
      out.names.push_back(direction.name);
      found = true;
    }
  if (found) return;
  std::vector<std::string> names = cx.symbols.directions;
  if (names.empty()) {
    cx.error(Code::DIRECTION_UNKNOWN, node, fmt::format("there is no direction `{}`", name))
        .suggestion =
        "the board has no directions: use the grid or hex board, or give zones `directions`";
    return;
  }
  names.emplace_back("all");
  cx.unknown(Code::DIRECTION_UNKNOWN, node, "direction", name, names);
}

}  // namespace

DirectionSel read_directions(Context& cx, const Node& node) {
  DirectionSel out;
  if (node.is("all")) return out;
  if (node.is_string() && node.text.starts_with('$')) {
    const Type type = use_binding(cx, node, node.text, Strictness::lenient);
    if (!is_text(type) || type.kind == Kind::zone || type.kind == Kind::token)
      cx.error(Code::BINDING_KIND, node,
               fmt::format("`{}` holds {}, but the name of a direction is needed", node.text,
                           describe(type)));
    check_computed(cx, node, type, Code::DIRECTION_UNKNOWN, "direction", cx.symbols.directions);
    out.kind = DirectionSel::Kind::binding;
    out.binding = node.text;
    return out;
  }
  if (node.is_map()) {
    cx.wants_direction = true;
    TypedValue value = read_value(cx, settle(cx, node));
    cx.wants_direction = false;
    if (!is_text(value.type) || value.type.kind == Kind::zone || value.type.kind == Kind::token)
      cx.error(Code::TYPE_MISMATCH, node,
               fmt::format("the name of a direction is needed, not {}", describe(value.type)));
    check_computed(cx, node, value.type, Code::DIRECTION_UNKNOWN, "direction",
                   cx.symbols.directions);
    out.kind = DirectionSel::Kind::expression;
    out.expr.push_back(std::move(value.value));
    return out;
  }
  out.kind = DirectionSel::Kind::names;
  if (node.is_list())
    each_item(cx, node, "directions", [&](const Node& item) { add_direction(cx, item, out); });
  else
    add_direction(cx, node, out);
  return out;
}

// ---- Names of declared things

namespace {

// A name that is known only while playing: {ref: binding | grantContext}.
Name name_by_reference(Context& cx, const Node& node, std::string_view what,
                       Type* bound = nullptr) {
  Fields fields{cx, node, what};
  Name out;
  const Node* ref = fields.required("ref");
  if (ref != nullptr && ref->is("grantContext")) {
    out.kind = Name::Kind::grant_context;
    fields.need("key", [&](const Node& n) { out.text = read_id(cx, n, "a key"); });
  } else if (ref != nullptr && ref->is("binding")) {
    out.kind = Name::Kind::binding;
    fields.need("name", [&](const Node& n) {
      out.text = read_id(cx, n, "a binding");
      const Type type = use_binding(cx, n, out.text, Strictness::strict);
      if (!is_text(type))
        cx.error(Code::BINDING_KIND, n,
                 fmt::format("`{}` holds {}, but {} is needed", out.text, describe(type), what));
      if (bound != nullptr) *bound = type;
    });
  } else if (ref != nullptr) {
    fields.give_up();
    wrong_shape(cx, node, what).suggestion =
        "use plain text, {ref: binding, name: \"$x\"} or {ref: grantContext, key: …}";
  }
  return out;
}

}  // namespace

Name read_key(Context& cx, const Node& node) {
  if (node.is_map()) return name_by_reference(cx, node, "the name of captured zones");
  return {Name::Kind::literal, read_id(cx, node, "the name of captured zones")};
}

Name read_var_name(Context& cx, const Node& node, const Table<VarType>& declared,
                   std::string_view what, std::optional<VarType>* type) {
  if (node.is_map()) {
    Type bound;
    Name computed = name_by_reference(cx, node, "the name of a variable", &bound);
    check_computed(cx, node, bound, Code::VAR_UNKNOWN, what, names_of(declared));
    return computed;
  }
  Name out{Name::Kind::literal, read_id(cx, node, fmt::format("the name of a {}", what))};
  if (out.text.empty()) return out;
  if (const VarType* found = find_in(declared, out.text)) {
    if (type) *type = *found;
    return out;
  }
  Diagnostic& d = cx.unknown(Code::VAR_UNKNOWN, node, what, out.text, names_of(declared));
  const Symbols& s = cx.symbols;
  const auto elsewhere = [&](const Table<VarType>& table, std::string_view scope) {
    if (&table == &declared || !table.contains(out.text)) return;
    d.suggestion = fmt::format("`{}` is a {}", out.text, scope);
    d.alternatives.clear();
  };
  elsewhere(s.global_vars, "variable of the game (`gvar`, scope `global`)");
  elsewhere(s.per_player_vars, "variable of each player (`pvar`)");
  elsewhere(s.zone_vars, "variable of each zone (`zoneVar`)");
  return out;
}

std::string read_seat(Context& cx, const Node& node) {
  const std::string out = read_id(cx, node, "the name of a seat");
  if (out.empty()) return out;
  if (const auto seat = seat_index(cx.symbols, out))
    return cx.symbols.seats[static_cast<std::size_t>(*seat)];
  if (cx.symbols.seats.empty() && all_digits(out) && std::stoll(out) < cx.symbols.max_players)
    return out;
  cx.unknown(Code::SEAT_UNKNOWN, node, "seat", out, cx.symbols.seats);
  return out;
}

}  // namespace parlor::spec::lower
