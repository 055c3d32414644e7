// Derived metrics and victory standings: numbers that clients and agents are shown and that no rule
// reads. Each is a value like any other; the sums that the language has names for are written out
// (tallies.h).
#include <algorithm>
#include <fmt/core.h>

#include "spec/lower/events.h"
#include "spec/lower/sections.h"
#include "spec/lower/tallies.h"

namespace parlor::spec::lower {
namespace {

struct SeatGroups {
  std::vector<std::string> coin, insurgent;
  std::string solo, prop;
};
struct ZoneFilter {
  std::vector<std::string> ids, categories;
  std::vector<Attribute> attributes;
  bool board = true, aux = false;
};

std::vector<std::string> read_token_types(Context& cx, const Node& node) {
  return read_list<std::string>(cx, node, "a list of token types", read_token_type);
}

void read_control(Context& cx, const Node& node, const SeatGroups& groups, Control& out) {
  check_word(cx, node, "control", {"coin", "solo"});
  out.against_all = node.is("solo");
  out.mine = {out.against_all ? std::vector{groups.solo} : groups.coin, groups.prop};
  out.theirs = {groups.insurgent, groups.prop};
}

void read_seat_groups(Context& cx, const Node& node, SeatGroups& out) {
  Fields fields{cx, node, "seatGroupConfig"};
  fields.need("coinSeats", [&](const Node& n) { out.coin = read_seats(cx, n); });
  fields.need("insurgentSeats", [&](const Node& n) { out.insurgent = read_seats(cx, n); });
  fields.need("soloSeat", [&](const Node& n) { out.solo = read_seat(cx, n); });
  fields.need("seatProp", [&](const Node& n) {
    out.prop = read_id(cx, n, "the name of a token property");
    if (!out.prop.empty() && !cx.symbols.props.contains(out.prop))
      cx.unknown(Code::TOKEN_PROP_UNKNOWN, n, "token property", out.prop,
                 names_of(cx.symbols.props));
  });
}

MarkerStates read_marker_states(Context& cx, const Node& node, const std::string& marker) {
  MarkerStates out{marker, {}, {}};
  Fields fields{cx, node, "markerConfig"};
  const auto state = [&](std::string& into) {
    return [&](const Node& n) {
      into = read_id(cx, n, "a marker state");
      read_marker_state(cx, n, marker, false);
    };
  };
  fields.need("activeState", state(out.active));
  fields.need("passiveState", state(out.passive));
  return out;
}

void read_attribute_values(Context& cx, const Node& node, ZoneFilter& out) {
  if (!node.is_map()) {
    wrong_shape(cx, node, "a mapping from attributes to values");
    return;
  }
  for (const Entry& entry : node.entries) {
    Attribute wanted{entry.key, {}};
    if (const auto number = entry.value.as_integer())
      wanted.value = *number;
    else if (const auto truth = entry.value.as_boolean())
      wanted.value = *truth;
    else
      wanted.value = entry.value.text;
    out.attributes.push_back(std::move(wanted));
  }
}

ZoneFilter read_zone_filter(Context& cx, const Node& node) {
  ZoneFilter out;
  Fields fields{cx, node, "a zone filter"};
  out.board = out.aux = true;  // whatever is asked for, wherever it is
  fields.maybe("zoneIds", [&](const Node& list) {
    each_item(cx, list, "a list of zones",
              [&](const Node& id) { out.ids.push_back(read_zone_id(cx, id)); });
  });
  fields.maybe("zoneKinds", [&](const Node& list) {
    out.board = out.aux = list.items.empty();
    each_item(cx, list, "a list of zone kinds", [&](const Node& kind) {
      check_word(cx, kind, "zone kind", {"board", "aux"});
      (kind.is("board") ? out.board : out.aux) = true;
    });
  });
  fields.maybe("category", [&](const Node& n) {
    out.categories = read_strings(cx, n, "a list of categories");
  });
  fields.maybe("attributeEquals", [&](const Node& n) { read_attribute_values(cx, n, out); });
  return out;
}

bool fits(const ZoneDef& zone, const ZoneFilter& filter) {
  const auto has = [](const std::vector<std::string>& list, const std::string& item) {
    return list.empty() || std::ranges::find(list, item) != list.end();
  };
  return (zone.kind == ZoneKind::board ? filter.board : filter.aux) &&
         has(filter.ids, zone.base + ":none") && has(filter.categories, zone.category) &&
         std::ranges::all_of(filter.attributes, [&](const Attribute& wanted) {
           return std::ranges::find(zone.attributes, wanted) != zone.attributes.end();
         });
}

// A zone without the attribute adds nothing.
std::vector<Weight> weights(Context& cx, const Node& at, const ZoneFilter& filter,
                            std::string_view attribute) {
  std::vector<Weight> out;
  for (const ZoneDef& zone : cx.game.zones) {
    if (zone.owner != ZoneOwner::none || !fits(zone, filter)) continue;
    const auto found = std::ranges::find(zone.attributes, attribute, &Attribute::name);
    if (found == zone.attributes.end()) continue;
    if (const Int* weight = std::get_if<Int>(&found->value))
      out.push_back({zone.base + ":none", *weight});
    else
      cx.error(Code::TYPE_MISMATCH, at,
               fmt::format("`{}` of {} is not a number", attribute, zone.base));
  }
  return out;
}

std::vector<std::string> spaces_of(const GameDef& game) {
  std::vector<std::string> out;
  for (const ZoneDef& zone : game.zones)
    if (zone.kind == ZoneKind::board) out.push_back(zone.base + ":none");
  return out;
}

// A computation with a name and what it needs.
Value read_computation(Context& cx, const Node& node, const Node* computation,
                       const std::vector<Weight>& zones) {
  const Tallies tallies{cx.game, cx.place(node)};
  Fields fields{cx, node, "the runtime of a metric"};
  fields.need("kind", [&](const Node& n) {
    if (computation != nullptr && computation->is_string() && !n.is(computation->text))
      wrong_shape(cx, n, fmt::format("`{}`, the metric's computation", computation->text));
  });
  const auto is = [&](std::string_view kind) { return computation && computation->is(kind); };
  if (is("markerTotal")) {
    std::string marker;
    MarkerStates states;
    fields.need("markerId", [&](const Node& n) { marker = read_marker(cx, n, false); });
    fields.need("markerConfig", [&](const Node& n) { states = read_marker_states(cx, n, marker); });
    fields.maybe("defaultMarkerState",
                 [&](const Node& n) { read_marker_state(cx, n, marker, false); });
    return tallies.marker_total(zones, states);
  }
  if (is("controlledPopulation") || is("totalEcon")) {
    SeatGroups groups;
    Control control;
    fields.need("seatGroupConfig", [&](const Node& n) { read_seat_groups(cx, n, groups); });
    fields.need("controlFn", [&](const Node& n) { read_control(cx, n, groups, control); });
    if (is("totalEcon"))
      fields.maybe("blockedByTokenTypes",
                   [&](const Node& n) { control.blocked_by = read_token_types(cx, n); });
    return tallies.controlled_total(zones, control);
  }
  fields.give_up();  // what it should hold is not known
  return {};
}

// The attributes a metric needs; what it sums is among them, by its usual name or as the first.
std::string read_requirements(Context& cx, const Node& list, std::string_view usual) {
  std::vector<std::string> names;
  each_item(cx, list, "a list of requirements", [&](const Node& item) {
    Fields inner{cx, item, "a requirement"};
    inner.need("key", [&](const Node& key) {
      const std::string name = read_id(cx, key, "an attribute");
      names.push_back(name);
      if (!name.empty() && !cx.symbols.attributes.contains(name))
        cx.unknown(Code::ZONE_ATTRIBUTE_UNKNOWN, key, "zone attribute", name,
                   names_of(cx.symbols.attributes));
    });
    inner.need("expectedType", [&](const Node& n) { check_word(cx, n, "type", {"number"}); });
  });
  if (list.is_list() && list.items.empty())
    cx.error(Code::LIST_EMPTY, list, "a derived metric needs at least one requirement");
  const bool has_usual = names.empty() || std::ranges::find(names, usual) != names.end();
  return has_usual ? std::string{usual} : names.front();
}

void read_metric(Context& cx, const Node& node, UniqueIds& ids) {
  MetricDef out;
  cx.scope = {};
  Fields fields{cx, node, "a derived metric"};
  fields.need("id", [&](const Node& n) { ids.add(out.id = read_id(cx, n, "an id"), n); });
  if (node.has("value")) {
    fields.need("value", [&](const Node& n) { out.value = read_number(cx, n); });
    cx.game.metrics.push_back(std::move(out));
    return;
  }
  const Node* computation = node.find("computation");
  fields.need("computation", [&](const Node& n) {
    check_word(cx, n, "computation", {"markerTotal", "controlledPopulation", "totalEcon"});
  });
  ZoneFilter filter;
  std::string attribute;
  fields.maybe("zoneFilter", [&](const Node& n) { filter = read_zone_filter(cx, n); });
  fields.need("requirements", [&](const Node& list) {
    attribute = read_requirements(
        cx, list, computation && computation->is("totalEcon") ? "econ" : "population");
  });
  fields.need("runtime", [&](const Node& n) {
    out.value = read_computation(cx, n, computation, weights(cx, node, filter, attribute));
  });
  cx.game.metrics.push_back(std::move(out));
}

// ---- Standings

// What all entries share.
struct StandingsFrame {
  SeatGroups groups;
  std::string marker;
  const Node* marker_configs = nullptr;
  std::vector<Weight> zones;
};

MarkerStates read_formula_marker(Context& cx, const Node& node, const StandingsFrame& frame) {
  if (node.is_map()) return read_marker_states(cx, node, frame.marker);
  const std::string name = read_id(cx, node, "the name of a marker config");
  if (frame.marker_configs == nullptr || name.empty()) return {};
  if (const Node* named = frame.marker_configs->find(name))
    return {frame.marker, std::string{named->find_string("activeState").value_or("")},
            std::string{named->find_string("passiveState").value_or("")}};
  std::vector<std::string> names;
  for (const Entry& entry : frame.marker_configs->entries) names.push_back(entry.key);
  cx.unknown(Code::WORD_UNKNOWN, node, "marker config", name, names);
  return {};
}

// What is added to the sum over the map: tokens in a box, bases on the map, or a variable.
Value read_addition(Context& cx, Fields& fields, const std::string& type,
                    const StandingsFrame& frame, const Tallies& tallies) {
  if (type == "markerTotalPlusZoneCount") {
    std::vector<std::string> zones, types;
    fields.need("countZone", [&](const Node& n) { zones = {read_zone_id(cx, n)}; });
    fields.maybe("countTokenTypes", [&](const Node& n) { types = read_token_types(cx, n); });
    return tallies.token_count(zones, types, {});
  }
  if (type == "controlledPopulationPlusGlobalVar") {
    Name var;
    fields.need("varName", [&](const Node& n) {
      var = read_var_name(cx, n, cx.symbols.global_vars, "global variable");
    });
    return tallies.variable(var);
  }
  SeatTokens whose{{}, frame.groups.prop};
  std::vector<std::string> types;
  fields.need("baseSeat", [&](const Node& n) { whose.seats = {read_seat(cx, n)}; });
  fields.need("basePieceTypes", [&](const Node& n) { types = read_token_types(cx, n); });
  return tallies.token_count(spaces_of(cx.game), types, whose);
}

Value read_formula(Context& cx, const Node& node, const StandingsFrame& frame) {
  const Tallies tallies{cx.game, cx.place(node)};
  Fields fields{cx, node, "a formula"};
  fields.need("type", [&](const Node& n) {
    check_word(cx, n, "formula",
               {"markerTotalPlusZoneCount", "markerTotalPlusMapBases",
                "controlledPopulationPlusMapBases", "controlledPopulationPlusGlobalVar"});
  });
  const std::string type{node.find_string("type").value_or("")};
  const bool markers = type.starts_with("markerTotalPlus");
  if (!markers && !type.starts_with("controlledPopulationPlus")) {
    fields.give_up();
    return {};
  }
  Value total;
  if (markers)
    fields.need("markerConfig", [&](const Node& n) {
      total = tallies.marker_total(frame.zones, read_formula_marker(cx, n, frame));
    });
  else
    fields.need("controlFn", [&](const Node& n) {
      Control control;
      read_control(cx, n, frame.groups, control);
      total = tallies.controlled_total(frame.zones, control);
    });
  return tallies.sum({std::move(total), read_addition(cx, fields, type, frame, tallies)});
}

void read_standing(Context& cx, const Node& node, const StandingsFrame& frame) {
  StandingDef out;
  cx.scope = {};
  Fields entry{cx, node, "an entry of victoryStandings"};
  entry.need("seat", [&](const Node& n) { out.seat = read_seat(cx, n); });
  entry.need("threshold", [&](const Node& n) { out.threshold = read_int(cx, n, "threshold"); });
  if (node.has("value"))
    entry.need("value", [&](const Node& n) { out.value = read_number(cx, n); });
  else
    entry.need("formula", [&](const Node& n) { out.value = read_formula(cx, n, frame); });
  cx.game.standings.entries.push_back(std::move(out));
}

// Formulas count tokens of seats and states of a marker; entries with values need neither.
void read_frame(Context& cx, Fields& fields, StandingsFrame& frame) {
  const Node* entries = fields.node().find("entries");
  const bool formulas = entries == nullptr || !entries->is_list() ||
                        std::ranges::any_of(entries->items, [](const Node& entry) {
                          return !entry.is_map() || !entry.has("value");
                        });
  const auto read = [&](std::string_view key, auto&& reader) {
    if (formulas)
      fields.need(key, reader);
    else
      fields.maybe(key, reader);
  };
  read("seatGroupConfig", [&](const Node& n) { read_seat_groups(cx, n, frame.groups); });
  read("markerName", [&](const Node& n) { frame.marker = read_marker(cx, n, false); });
  read("defaultMarkerState", [&](const Node& n) { read_marker_state(cx, n, frame.marker, false); });
  frame.marker_configs = fields.optional("markerConfigs");
  fields.maybe("markerConfigs", [&](const Node& n) {
    if (!n.is_map()) wrong_shape(cx, n, "a mapping from names to marker configs");
    for (const Entry& entry : n.entries) {
      const auto inner = cx.step(entry.key);
      read_marker_states(cx, entry.value, frame.marker);
    }
  });
  if (formulas) frame.zones = weights(cx, fields.node(), {}, "population");
}

}  // namespace

void lower_derived_metrics(Context& cx) {
  UniqueIds ids{cx, "derived metric"};
  each_of_section(cx, Section::derivedMetrics,
                  [&](const Node& node) { read_metric(cx, node, ids); });
}

void lower_victory_standings(Context& cx) {
  const Node* node = cx.doc.find(Section::victoryStandings);
  if (node == nullptr) return;
  const auto step = cx.step("victoryStandings");
  Fields fields{cx, *node, "victoryStandings"};
  StandingsFrame frame;
  read_frame(cx, fields, frame);
  fields.need("entries", [&](const Node& list) {
    each_item(cx, list, "a list of entries",
              [&](const Node& item) { read_standing(cx, item, frame); });
  });
  fields.maybe("tieBreakOrder",
               [&](const Node& n) { cx.game.standings.tie_break_order = read_seats(cx, n); });
}

}  // namespace parlor::spec::lower
