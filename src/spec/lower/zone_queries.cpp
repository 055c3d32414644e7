// Queries that find zones and tokens.
#include <fmt/core.h>

#include "spec/lower/queries.h"

namespace parlor::spec::lower {
namespace {

constexpr Kind zone_kind = Kind::zone;

Type zone_item() {
  return {zone_kind, Kind::unknown, {}};
}
Type token_item() {
  return plain(Kind::token);
}

void read_zone_filter(Context& cx, const Node& node, std::vector<PlayerSel>& owner,
                      std::vector<Condition>& condition) {
  if (node.has("op") || node.is_boolean()) {
    condition.push_back(read_condition_with(cx, node, "$zone", zone_item()));
    return;
  }
  if (node.is_map() && !node.has("owner") && !node.has("condition")) {
    Diagnostic& d = wrong_shape(cx, node, "a zone filter");
    d.suggestion = "write {owner: …}, {condition: …} or a condition {op: …}; `$zone` is the zone";
    return;
  }
  Fields fields{cx, node, "a zone filter"};
  fields.maybe("owner", [&](const Node& n) { owner.push_back(read_player(cx, n, Many::yes)); });
  fields.maybe("condition", [&](const Node& n) {
    condition.push_back(read_condition_with(cx, n, "$zone", zone_item()));
  });
}

// Bare, or as the `condition` that filters of other zone queries have.
Condition read_neighbour_filter(Context& cx, const Node& node) {
  if (!node.is_map() || node.has("op")) return read_condition_with(cx, node, "$zone", zone_item());
  Condition out;
  Fields fields{cx, node, "a zone filter"};
  fields.need("condition",
              [&](const Node& n) { out = read_condition_with(cx, n, "$zone", zone_item()); });
  return out;
}

ZonesQuery zones_query(Context& cx, Fields& fields) {
  ZonesQuery out;
  fields.maybe("zoneKind", [&](const Node& n) {
    out.zone_kind = read_word<std::string_view>(cx, n, "zone kind",
                                                {{"board", "board"}, {"aux", "aux"}}, "board");
  });
  fields.maybe("filter", [&](const Node& n) { read_zone_filter(cx, n, out.owner, out.condition); });
  return out;
}

void read_via(Context& cx, Fields& fields, std::string_view key, std::vector<Condition>& out) {
  fields.maybe(
      key, [&](const Node& n) { out.push_back(read_condition_with(cx, n, "$zone", zone_item())); });
}

}  // namespace

QueryResult read_zones(Context& cx, Fields& fields) {
  return {zones_query(cx, fields), zone_item()};
}

QueryResult read_map_spaces(Context& cx, Fields& fields) {
  ZonesQuery out = zones_query(cx, fields);
  out.board_only = true;
  return {std::move(out), zone_item()};
}

QueryResult read_adjacent_zones(Context& cx, Fields& fields) {
  AdjacentZonesQuery near;
  fields.need("zone", [&](const Node& n) { near.zone = read_zone(cx, n); });
  QueryResult out{std::move(near), zone_item()};
  // A condition on `$zone` is the query `filter` in other words.
  fields.maybe("filter", [&](const Node& n) {
    FilterQuery filtered;
    filtered.bind = "$zone";
    filtered.where = read_neighbour_filter(cx, n);
    filtered.source = Query{std::move(out.node), cx.place(n)};
    out.node = std::move(filtered);
  });
  return out;
}

QueryResult read_connected_zones(Context& cx, Fields& fields) {
  ConnectedZonesQuery out;
  fields.need("zone", [&](const Node& n) { out.zone = read_zone(cx, n); });
  read_via(cx, fields, "via", out.via);
  fields.maybe("includeStart",
               [&](const Node& n) { out.include_start = read_bool(cx, n, "includeStart"); });
  fields.maybe("allowTargetOutsideVia", [&](const Node& n) {
    out.allow_target_outside_via = read_bool(cx, n, "allowTargetOutsideVia");
  });
  fields.maybe("maxDepth", [&](const Node& n) { out.max_depth = read_int(cx, n, "maxDepth", 0); });
  return {std::move(out), zone_item()};
}

QueryResult read_step(Context& cx, Fields& fields) {
  StepQuery out;
  fields.need("zone", [&](const Node& n) { out.zone = read_zone(cx, n); });
  fields.maybe("directions", [&](const Node& n) { out.directions = read_directions(cx, n); });
  return {std::move(out), zone_item()};
}

QueryResult read_zones_in_direction(Context& cx, Fields& fields) {
  RayQuery out;
  fields.need("zone", [&](const Node& n) { out.zone = read_zone(cx, n); });
  fields.maybe("directions", [&](const Node& n) { out.directions = read_directions(cx, n); });
  fields.maybe("maxSteps", [&](const Node& n) { out.max_steps.push_back(read_number(cx, n)); });
  return {std::move(out), zone_item()};
}

QueryResult read_ray(Context& cx, Fields& fields) {
  RayQuery out;
  fields.need("zone", [&](const Node& n) { out.zone = read_zone(cx, n); });
  fields.maybe("directions", [&](const Node& n) { out.directions = read_directions(cx, n); });
  read_via(cx, fields, "while", out.through);
  read_via(cx, fields, "until", out.until);
  fields.maybe("maxSteps", [&](const Node& n) { out.max_steps.push_back(read_number(cx, n)); });
  return {std::move(out), zone_item()};
}

QueryResult read_direction_names(Context& cx, Fields& fields) {
  DirectionsQuery out;
  fields.maybe("directions", [&](const Node& n) { out.directions = read_directions(cx, n); });
  return {std::move(out), plain(Kind::string)};
}

QueryResult read_tokens_in_zone(Context& cx, Fields& fields) {
  TokensInZoneQuery out;
  fields.need("zone", [&](const Node& n) { out.zone = read_zone(cx, n); });
  fields.maybe("filter", [&](const Node& n) { out.filter.push_back(read_token_filter(cx, n)); });
  return {std::move(out), token_item()};
}

QueryResult read_tokens_in_map_spaces(Context& cx, Fields& fields) {
  TokensInMapSpacesQuery out;
  fields.maybe("spaceFilter",
               [&](const Node& n) { read_zone_filter(cx, n, out.owner, out.condition); });
  fields.maybe("filter", [&](const Node& n) { out.filter.push_back(read_token_filter(cx, n)); });
  return {std::move(out), token_item()};
}

QueryResult read_tokens_in_adjacent_zones(Context& cx, Fields& fields) {
  TokensInAdjacentZonesQuery out;
  fields.need("zone", [&](const Node& n) { out.zone = read_zone(cx, n); });
  fields.maybe("filter", [&](const Node& n) { out.filter.push_back(read_token_filter(cx, n)); });
  return {std::move(out), token_item()};
}

QueryResult read_token_zones(Context& cx, Fields& fields) {
  TokenZonesQuery out;
  fields.need("source", [&](const Node& n) { out.source = read_token_query(cx, n); });
  fields.maybe("dedupe", [&](const Node& n) { out.dedupe = read_bool(cx, n, "dedupe"); });
  return {std::move(out), zone_item()};
}

}  // namespace parlor::spec::lower
