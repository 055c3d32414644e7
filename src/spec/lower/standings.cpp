// Derived metrics and victory standings: what clients and agents show of a game. Checked and kept
// as authored; the rules never read them.
#include <fmt/core.h>

#include "spec/lower/events.h"
#include "spec/lower/sections.h"

namespace parlor::spec::lower {
namespace {

void check_token_types(Context& cx, const Node& node) {
  each_item(cx, node, "a list of token types",
            [&](const Node& type) { read_token_type(cx, type); });
}

void check_control(Context& cx, const Node& node) {
  check_word(cx, node, "control", {"coin", "solo"});
}

void check_seat_groups(Context& cx, const Node& node) {
  Fields fields{cx, node, "seatGroupConfig"};
  for (const char* key : {"coinSeats", "insurgentSeats"})
    fields.need(key, [&](const Node& n) { check_seats(cx, n); });
  fields.need("soloSeat", [&](const Node& n) { read_seat(cx, n); });
  fields.need("seatProp", [&](const Node& n) {
    const std::string prop = read_id(cx, n, "the name of a token property");
    if (!prop.empty() && !cx.symbols.props.contains(prop))
      cx.unknown(Code::TOKEN_PROP_UNKNOWN, n, "token property", prop, names_of(cx.symbols.props));
  });
}

void check_marker_states(Context& cx, const Node& node, std::string_view marker) {
  Fields fields{cx, node, "markerConfig"};
  for (const char* key : {"activeState", "passiveState"})
    fields.need(key, [&](const Node& n) {
      read_id(cx, n, "a marker state");
      read_marker_state(cx, n, marker, false);
    });
}

void check_zone_filter(Context& cx, const Node& node) {
  Fields fields{cx, node, "a zone filter"};
  fields.maybe("zoneIds", [&](const Node& list) {
    each_item(cx, list, "a list of zones", [&](const Node& id) { read_zone_id(cx, id); });
  });
  fields.maybe("zoneKinds", [&](const Node& list) {
    each_item(cx, list, "a list of zone kinds", [&](const Node& kind) {
      check_word(cx, kind, "zone kind", {"board", "aux"});
    });
  });
  fields.maybe("category", [&](const Node& n) { read_strings(cx, n, "a list of categories"); });
  fields.maybe("attributeEquals", [&](const Node& n) {
    if (!n.is_map()) wrong_shape(cx, n, "a mapping from attributes to values");
  });
}

void check_runtime(Context& cx, const Node& node, const Node* computation) {
  Fields fields{cx, node, "the runtime of a metric"};
  fields.need("kind", [&](const Node& n) {
    if (computation != nullptr && computation->is_string() && !n.is(computation->text))
      wrong_shape(cx, n, fmt::format("`{}`, the metric's computation", computation->text));
  });
  const auto is = [&](std::string_view kind) { return computation && computation->is(kind); };
  if (is("markerTotal")) {
    std::string marker;
    fields.need("markerId", [&](const Node& n) { marker = read_marker(cx, n, false); });
    fields.need("markerConfig", [&](const Node& n) { check_marker_states(cx, n, marker); });
    fields.maybe("defaultMarkerState",
                 [&](const Node& n) { read_marker_state(cx, n, marker, false); });
  } else if (is("controlledPopulation") || is("totalEcon")) {
    fields.need("controlFn", [&](const Node& n) { check_control(cx, n); });
    fields.need("seatGroupConfig", [&](const Node& n) { check_seat_groups(cx, n); });
    if (is("totalEcon"))
      fields.maybe("blockedByTokenTypes", [&](const Node& n) { check_token_types(cx, n); });
  } else {
    fields.give_up();  // what it should hold is not known
  }
}

void check_metric(Context& cx, const Node& node, UniqueIds& ids) {
  Fields fields{cx, node, "a derived metric"};
  fields.need("id", [&](const Node& n) { ids.add(read_id(cx, n, "an id"), n); });
  fields.need("computation", [&](const Node& n) {
    check_word(cx, n, "computation", {"markerTotal", "controlledPopulation", "totalEcon"});
  });
  fields.maybe("zoneFilter", [&](const Node& n) { check_zone_filter(cx, n); });
  fields.need("requirements", [&](const Node& list) {
    each_item(cx, list, "a list of requirements", [&](const Node& item) {
      Fields inner{cx, item, "a requirement"};
      inner.need("key", [&](const Node& key) {
        const std::string name = read_id(cx, key, "an attribute");
        if (!name.empty() && !cx.symbols.attributes.contains(name))
          cx.unknown(Code::ZONE_ATTRIBUTE_UNKNOWN, key, "zone attribute", name,
                     names_of(cx.symbols.attributes));
      });
      inner.need("expectedType", [&](const Node& n) { check_word(cx, n, "type", {"number"}); });
    });
    if (list.is_list() && list.items.empty())
      cx.error(Code::LIST_EMPTY, list, "a derived metric needs at least one requirement");
  });
  fields.need("runtime", [&](const Node& n) { check_runtime(cx, n, node.find("computation")); });
}

void check_formula(Context& cx, const Node& node, const Node* marker_configs) {
  const Node* type = node.find("type");
  const auto is = [&](std::string_view word) { return type != nullptr && type->is(word); };
  Fields fields{cx, node, "a formula"};
  fields.need("type", [&](const Node& n) {
    check_word(cx, n, "formula",
               {"markerTotalPlusZoneCount", "markerTotalPlusMapBases",
                "controlledPopulationPlusMapBases", "controlledPopulationPlusGlobalVar"});
  });
  const bool markers = is("markerTotalPlusZoneCount") || is("markerTotalPlusMapBases");
  const bool bases = is("markerTotalPlusMapBases") || is("controlledPopulationPlusMapBases");
  const bool control =
      is("controlledPopulationPlusMapBases") || is("controlledPopulationPlusGlobalVar");
  if (!markers && !control) return fields.give_up();
  if (markers)
    fields.need("markerConfig", [&](const Node& n) {
      if (n.is_map()) return check_marker_states(cx, n, {});
      const std::string name = read_id(cx, n, "the name of a marker config");
      if (marker_configs == nullptr || marker_configs->has(name) || name.empty()) return;
      std::vector<std::string> names;
      for (const Entry& entry : marker_configs->entries) names.push_back(entry.key);
      cx.unknown(Code::WORD_UNKNOWN, n, "marker config", name, names);
    });
  if (control) fields.need("controlFn", [&](const Node& n) { check_control(cx, n); });
  if (bases) {
    fields.need("baseSeat", [&](const Node& n) { read_seat(cx, n); });
    fields.need("basePieceTypes", [&](const Node& n) { check_token_types(cx, n); });
  }
  if (is("markerTotalPlusZoneCount")) {
    fields.need("countZone", [&](const Node& n) { read_zone_id(cx, n); });
    fields.maybe("countTokenTypes", [&](const Node& n) { check_token_types(cx, n); });
  }
  if (is("controlledPopulationPlusGlobalVar"))
    fields.need("varName", [&](const Node& n) {
      read_var_name(cx, n, cx.symbols.global_vars, "global variable");
    });
}

}  // namespace

void check_derived_metrics(Context& cx) {
  UniqueIds ids{cx, "derived metric"};
  each_of_section(cx, Section::derivedMetrics,
                  [&](const Node& node) { check_metric(cx, node, ids); });
}

void check_victory_standings(Context& cx) {
  const Node* node = cx.doc.find(Section::victoryStandings);
  if (node == nullptr) return;
  const auto step = cx.step("victoryStandings");
  Fields fields{cx, *node, "victoryStandings"};
  std::string marker;
  fields.need("seatGroupConfig", [&](const Node& n) { check_seat_groups(cx, n); });
  fields.need("markerName", [&](const Node& n) { marker = read_marker(cx, n, false); });
  fields.need("defaultMarkerState",
              [&](const Node& n) { read_marker_state(cx, n, marker, false); });
  const Node* configs = fields.optional("markerConfigs");
  fields.maybe("markerConfigs", [&](const Node& n) {
    if (!n.is_map()) wrong_shape(cx, n, "a mapping from names to marker configs");
    for (const Entry& entry : n.entries) {
      const auto inner = cx.step(entry.key);
      check_marker_states(cx, entry.value, marker);
    }
  });
  fields.need("entries", [&](const Node& list) {
    each_item(cx, list, "a list of entries", [&](const Node& item) {
      Fields entry{cx, item, "an entry of victoryStandings"};
      entry.need("seat", [&](const Node& n) { read_seat(cx, n); });
      entry.need("threshold", [&](const Node& n) { read_int(cx, n, "threshold"); });
      entry.need("formula", [&](const Node& n) { check_formula(cx, n, configs); });
    });
  });
  fields.maybe("tieBreakOrder", [&](const Node& n) { check_seats(cx, n); });
}

}  // namespace parlor::spec::lower
