// Records that a game's text has and a compiled game says otherwise: what zones and pieces a limit
// is for, sums over the map by their names, neighbours with a way, coup phases.
#pragma once

#include "spec/gamedef/gamedef.h"

namespace parlor::spec {

// ---- The map
struct Neighbour {
  PARLOR_RECORD("a neighbour", "", "A zone beside a zone, and whether one comes back.")
  std::string to;
  bool one_way = false;
  PARLOR_FIELDS(visit("to", self.to, is::id.named("the id of a zone").or_alone());
                visit("oneWay", self.one_way,
                      is::word.named("edge direction")
                          .words("bidirectional unidirectional")
                          .truth("unidirectional")
                          .called("direction")
                          .optional());)
  PARLOR_WRITTEN({"category", is::text.optional()}, {"attributes", is::data.optional()})
};
struct ZoneFilter {
  PARLOR_RECORD("a zone filter", "", "Zones that agree with everything given.")
  std::vector<std::string> ids;
  std::vector<ZoneKind> kinds;
  std::vector<std::string> categories;
  std::vector<Attribute> attributes;
  PARLOR_FIELDS(visit("zoneIds", self.ids, is::zone_ids.optional());
                visit("zoneKinds", self.kinds, is::word.named("zone kind").optional());
                visit("category", self.categories,
                      is::texts.named("a list of categories").optional());
                visit("attributeEquals", self.attributes, is::scalar.by(is::text).optional());)
};
struct SpaceFilter : ZoneFilter {
  PARLOR_RECORD("a space filter", "", "Spaces that agree with everything given.")
  PARLOR_FIELDS(visit("spaceIds", self.ids, is::zone_ids.optional());
                visit("category", self.categories,
                      is::texts.named("a list of categories").optional());
                visit("attributeEquals", self.attributes, is::scalar.by(is::text).optional());)
};
struct PieceFilter {
  PARLOR_RECORD("a piece filter", "", "Types of tokens that agree with everything given.")
  std::vector<std::string> types, seats;
  PARLOR_FIELDS(visit("pieceTypeIds", self.types, is::token_types.optional());
                visit("seats", self.seats, is::seats.optional());)
};

// ---- Sums over the map
struct SeatGroups {
  PARLOR_RECORD("seatGroupConfig", "", "Whose tokens count together.")
  std::vector<std::string> coin, insurgent;
  std::string solo, prop;
  PARLOR_FIELDS(visit("coinSeats", self.coin, is::seats);
                visit("insurgentSeats", self.insurgent, is::seats);
                visit("soloSeat", self.solo, is::seat);
                visit("seatProp", self.prop, is::token_prop);)
};
// Of the marker that the construct around it names.
struct MarkerConfig {
  PARLOR_RECORD("markerConfig", "", "Which states of a marker count twice, and which once.")
  std::string active, passive;
  PARLOR_FIELDS(visit("activeState", self.active, is::marker_state.of("marker"));
                visit("passiveState", self.passive, is::marker_state.of("marker"));)
};
struct Requirement {
  PARLOR_RECORD("a requirement", "", "An attribute that a metric needs.")
  std::string key;
  PARLOR_FIELDS(visit("key", self.key, is::zone_attribute);)
  PARLOR_WRITTEN({"expectedType", is::word.named("type").words("number")})
};
struct MetricRuntime {
  PARLOR_RECORD("the runtime of a metric", "", "What a computation needs.")
  std::string kind, marker;
  MarkerConfig states;
  SeatGroups groups;
  bool solo = false;
  std::vector<std::string> blocked_by;
  PlaceId at;
  PARLOR_FIELDS(visit("kind", self.kind, is::text);
                visit("marker", self.marker,
                      is::marker.called("markerId").where("computation", "markerTotal"));
                visit("states", self.states,
                      is::record.called("markerConfig").where("computation", "markerTotal"));
                visit("groups", self.groups,
                      is::record.called("seatGroupConfig")
                          .where("computation", "controlledPopulation totalEcon"));
                visit("solo", self.solo,
                      is::word.named("control")
                          .words("coin solo")
                          .truth("solo")
                          .called("controlFn")
                          .where("computation", "controlledPopulation totalEcon"));
                visit("blockedBy", self.blocked_by,
                      is::token_types.called("blockedByTokenTypes")
                          .where("computation", "totalEcon")
                          .optional());
                visit("at", self.at);)
  PARLOR_WRITTEN({"defaultMarkerState",
                  is::marker_state.of("marker").where("computation", "markerTotal").optional()})
  PARLOR_CHECKED
};
struct AuthoredMetric {
  PARLOR_RECORD("a derived metric", "", "A number that people and agents are shown.")
  std::string id, computation;
  std::optional<Value> value;
  std::optional<ZoneFilter> zones;  // none: the spaces of the board
  std::vector<Requirement> requirements;
  MetricRuntime runtime;
  PARLOR_FIELDS(
      visit("id", self.id, is::id.named("an id"));
      visit("computation", self.computation,
            is::word.named("computation")
                .words("markerTotal controlledPopulation totalEcon")
                .unless("value"));
      visit("value", self.value, is::number.optional());
      visit("zoneFilter", self.zones, is::record.unless("value").optional());
      visit("requirements", self.requirements,
            is::records.unless("value").some("a derived metric needs at least one requirement"));
      visit("runtime", self.runtime, is::record.unless("value"));)
  PARLOR_CHECKED
};
struct Formula {
  PARLOR_RECORD("a formula", "", "How near to victory somebody is, by the name of the sum.")
  std::string type;
  MarkerConfig states;
  bool solo = false;
  std::string zone, seat;
  std::vector<std::string> zone_types, base_types;
  Name var;
  PlaceId at;
  PARLOR_FIELDS(
      visit("type", self.type,
            is::word.named("formula").words("markerTotalPlusZoneCount markerTotalPlusMapBases "
                                            "controlledPopulationPlusMapBases "
                                            "controlledPopulationPlusGlobalVar"));
      visit("states", self.states,
            is::record.called("markerConfig")
                .where("type", "markerTotalPlusZoneCount markerTotalPlusMapBases")
                .by_hand());
      visit("solo", self.solo,
            is::word.named("control")
                .words("coin solo")
                .truth("solo")
                .called("controlFn")
                .where("type",
                       "controlledPopulationPlusMapBases controlledPopulationPlusGlobalVar"));
      visit("countZone", self.zone, is::zone_id.where("type", "markerTotalPlusZoneCount"));
      visit("countTokenTypes", self.zone_types,
            is::token_types.where("type", "markerTotalPlusZoneCount").optional());
      visit("varName", self.var, is::global_var.where("type", "controlledPopulationPlusGlobalVar"));
      visit("baseSeat", self.seat,
            is::seat.where("type", "markerTotalPlusMapBases controlledPopulationPlusMapBases"));
      visit("basePieceTypes", self.base_types,
            is::token_types.where("type",
                                  "markerTotalPlusMapBases controlledPopulationPlusMapBases"));
      visit("at", self.at);)
};
struct AuthoredStanding {
  PARLOR_RECORD("an entry of victoryStandings", "", "How near to victory a seat is.")
  std::string seat;
  Int threshold = 0;
  std::optional<Value> value;
  std::optional<Formula> formula;
  PARLOR_FIELDS(visit("seat", self.seat, is::seat); visit("threshold", self.threshold, is::count);
                visit("value", self.value, is::number.optional());
                visit("formula", self.formula, is::record.unless("value"));)
};
struct AuthoredStandings {
  PARLOR_RECORD("victoryStandings", "", "How near to victory everybody is.")
  SeatGroups groups;
  std::string marker;
  Named<MarkerConfig> marker_configs;
  std::vector<AuthoredStanding> entries;
  std::vector<std::string> tie_break_order;
  PARLOR_FIELDS(visit("seatGroupConfig", self.groups, is::record.optional());
                visit("marker", self.marker, is::marker.called("markerName").optional());
                visit("markerConfigs", self.marker_configs, is::record.by(is::text).optional());
                visit("entries", self.entries, is::records.afresh().named("a list of entries"));
                visit("tieBreakOrder", self.tie_break_order, is::seats.optional());)
  PARLOR_WRITTEN({"defaultMarkerState", is::marker_state.of("marker").optional()})
  PARLOR_CHECKED
};

// ---- Conditions
struct Reasoned {
  PARLOR_RECORD("a condition with a reason", "", "What people are told when it does not hold.")
  Condition when;
  std::string reason;
  PARLOR_FIELDS(visit("when", self.when, is::condition);
                visit("reason", self.reason, is::text.named("a reason"));)
};

// ---- Tokens
struct PropsFrom {
  PARLOR_RECORD("propsFrom", "", "The row of a table that has the properties of a token.")
  std::string table, row;
  PARLOR_FIELDS(visit("tableId", self.table, is::table);
                visit("row", self.row, is::row.of("tableId"));)
};

// ---- Turns
struct CoupPhase {
  PARLOR_RECORD("a coup phase", "", "A phase that a coup card begins, and what happens in it.")
  std::string id;
  std::vector<std::string> steps;  // said for people, without effect
  PARLOR_FIELDS(visit("id", self.id, is::phase);
                visit("steps", self.steps,
                      is::texts.named("a list of steps")
                          .some("a coup phase needs at least one step")
                          .hint("name what happens in it: `steps: [victory]`"));)
};
struct PhaseBoundary {
  PARLOR_RECORD("a phase boundary", "", "A point of the game that other programs speak of.")
  std::string id, kind, phase;
  PARLOR_FIELDS(visit("id", self.id, is::id.named("an id"));
                visit("kind", self.kind,
                      is::word.named("boundary").words("phaseEntry phaseExit condition"));
                visit("phaseId", self.phase, is::phase.optional());)
  PARLOR_WRITTEN({"schedule", is::data.optional()}, {"condition", is::data.optional()})
};

}  // namespace parlor::spec
