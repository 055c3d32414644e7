// Derived metrics and victory standings: numbers that clients and agents are shown and that no rule
// reads. Each is a value like any other; the sums that the language has names for
// (gamedef/authored.h) are written out (tallies.h).
#include <algorithm>
#include <fmt/core.h>

#include "spec/lower/construct.h"
#include "spec/lower/filtered.h"
#include "spec/lower/sections.h"
#include "spec/lower/tallies.h"

namespace parlor::spec::lower {
namespace {

Control control(const SeatGroups& groups, bool solo) {
  return {{solo ? std::vector{groups.solo} : groups.coin, groups.prop},
          {groups.insurgent, groups.prop},
          solo,
          {}};
}

ZoneFilter the_board() {
  ZoneFilter out;
  out.kinds = {ZoneKind::board};
  return out;
}

// What an attribute of the zones of a filter weighs, which is nothing for a zone without it.
std::vector<Weight> weights(Context& cx, const Node& at, const std::optional<ZoneFilter>& given,
                            std::string_view attribute) {
  const ZoneFilter filter = given.value_or(the_board());
  std::vector<Weight> out;
  for (const ZoneDef& zone : cx.game.zones) {
    if (!fits(zone, filter)) continue;
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

// Of the attributes a metric needs, the one it sums: that of the usual name, or the first.
std::string_view summed(const AuthoredMetric& metric) {
  const std::string_view usual = metric.computation == "totalEcon" ? "econ" : "population";
  const auto& all = metric.requirements;
  const bool has_usual = std::ranges::find(all, usual, &Requirement::key) != all.end();
  return all.empty() || has_usual ? usual : std::string_view{all.front().key};
}

Value value_of(Context& cx, const Node& node, const AuthoredMetric& metric) {
  const MetricRuntime& runtime = metric.runtime;
  const Tallies tallies{cx.game, runtime.at};
  const auto zones = weights(cx, node, metric.zones, summed(metric));
  if (metric.computation == "markerTotal")
    return tallies.marker_total(zones, {runtime.marker, runtime.states});
  Control who = control(runtime.groups, runtime.solo);
  who.blocked_by = runtime.blocked_by;
  return tallies.controlled_total(zones, who);
}

bool has_formulas(const AuthoredStandings& standings) {
  return std::ranges::any_of(standings.entries, [](const auto& entry) { return !entry.value; });
}

Value value_of(Context& cx, const Formula& formula, const AuthoredStandings& standings,
               const std::vector<Weight>& zones) {
  const Tallies tallies{cx.game, formula.at};
  const std::string_view type = formula.type;
  Value total = type.starts_with("marker")
                    ? tallies.marker_total(zones, {standings.marker, formula.states})
                    : tallies.controlled_total(zones, control(standings.groups, formula.solo));
  const auto added = [&] {
    if (type.ends_with("ZoneCount"))  // tokens in a box
      return tallies.token_count({formula.zone}, formula.zone_types, {});
    if (type.ends_with("GlobalVar")) return tallies.variable(formula.var);
    return tallies.token_count(zones_that_fit(cx.game, the_board()), formula.base_types,
                               {{formula.seat}, standings.groups.prop});
  };
  return tallies.sum({std::move(total), added()});
}

}  // namespace

void check(Reading& r, MetricRuntime& out) {
  const std::string_view computation = r.text("computation");
  if (!computation.empty() && !out.kind.empty() && out.kind != computation)
    r.at("kind", [&](const Node& n) {
      wrong_shape(r.cx, n, fmt::format("`{}`, the metric's computation", computation));
    });
}

void check(Reading& r, AuthoredMetric& out) {
  if (!out.value && !r.broken()) out.value = value_of(r.cx, r.node(), out);
}

// Written out, or by the name it has in `markerConfigs`.
void read_key(Reading& r, const Node& node, const FieldInfo& field, Formula& out) {
  if (node.is_map()) return read_plainly(r, node, field, out.states);
  const std::string name = read_id(r.cx, node, "the name of a marker config");
  const auto& configs = r.in<AuthoredStandings>()->marker_configs;
  if (const MarkerConfig* config = configs.find(name)) {
    out.states = *config;
  } else if (!name.empty() && !configs.empty()) {
    std::vector<std::string> names;
    for (const auto& entry : configs) names.push_back(entry.first);
    r.cx.unknown(Code::WORD_UNKNOWN, node, "marker config", name, names);
  }
}

// Formulas count tokens of seats and states of a marker; entries with values need neither.
void check(Reading& r, AuthoredStandings& out) {
  if (has_formulas(out))
    for (const std::string_view key : {"seatGroupConfig", "markerName", "defaultMarkerState"})
      r.fields.required(key);
}

void read_key(Reading& r, const Node& node, const FieldInfo& field, GameDef& out) {
  Context& cx = r.cx;
  if (field.key == section_name(Section::derivedMetrics)) {
    std::vector<AuthoredMetric> metrics;
    read_plainly(r, node, field, metrics);
    for (AuthoredMetric& metric : metrics)
      if (metric.value) out.metrics.push_back({metric.id, std::move(*metric.value)});
    return;
  }
  if (field.key == section_name(Section::phaseBoundaries)) {
    std::vector<PhaseBoundary> kept_as_data;
    return read_plainly(r, node, field, kept_as_data);
  }
  AuthoredStandings standings;
  read_plainly(r, node, field, standings);
  std::vector<Weight> zones;
  if (has_formulas(standings)) zones = weights(cx, node, std::nullopt, "population");
  for (AuthoredStanding& entry : standings.entries)
    out.standings.entries.push_back(
        {entry.seat, entry.threshold,
         entry.value ? std::move(*entry.value)
                     : value_of(cx, entry.formula.value_or(Formula{}), standings, zones)});
  out.standings.tie_break_order = std::move(standings.tie_break_order);
}

}  // namespace parlor::spec::lower
