// What a rule ranges over: queries give ordered lists of numbers, names, tokens or rows. Token and
// row filters narrow them.
#pragma once

#include <optional>

#include "spec/gamedef/conditions.h"

namespace parlor::spec {

enum class FilterOp : std::uint8_t { eq, neq, in, not_in };
struct TokenTest {
  enum class Field : std::uint8_t { prop, token_id, token_type, token_zone, zone_prop };
  Field field = Field::prop;
  std::string prop;  // for Field::prop and Field::zone_prop
  FilterOp op = FilterOp::eq;
  Value value;
  PARLOR_FIELDS(visit("field", self.field); visit("prop", self.prop); visit("op", self.op);
                visit("value", self.value);)
  friend bool operator==(const TokenTest&, const TokenTest&) = default;
};
struct TokenFilter {
  enum class Kind : std::uint8_t { test, all_of, any_of, none_of };  // none_of: `not`, one argument
  Kind kind = Kind::test;
  TokenTest test;
  std::vector<TokenFilter> args;
  PlaceId at;
  friend bool operator==(const TokenFilter&, const TokenFilter&) = default;
};
struct RowTest {
  std::string field;
  FilterOp op = FilterOp::eq;
  Value value;
  PARLOR_FIELDS(visit("field", self.field); visit("op", self.op); visit("value", self.value);)
  friend bool operator==(const RowTest&, const RowTest&) = default;
};

struct PlayersQuery {
  PARLOR_TAG("query", "players")
  PARLOR_FIELDS()
  friend bool operator==(const PlayersQuery&, const PlayersQuery&) = default;
};
struct EnumsQuery {
  PARLOR_TAG("query", "enums")
  std::vector<std::string> values;
  PARLOR_FIELDS(visit("values", self.values);)
  friend bool operator==(const EnumsQuery&, const EnumsQuery&) = default;
};
struct BooleansQuery {
  PARLOR_TAG("query", "booleans")
  std::vector<bool> values;
  PARLOR_FIELDS(visit("values", self.values);)
  friend bool operator==(const BooleansQuery&, const BooleansQuery&) = default;
};
// All zones that are not internal, in byte order of their ids; `$zone` is bound in `condition`.
struct ZonesQuery {
  PARLOR_TAG("query", "zones")
  bool board_only = false;           // `mapSpaces`
  std::string zone_kind;             // empty: any
  std::vector<PlayerSel> owner;      // none or one
  std::vector<Condition> condition;  // none or one
  PARLOR_FIELDS(visit("boardOnly", self.board_only); visit("zoneKind", self.zone_kind);
                visit("owner", self.owner); visit("condition", self.condition);)
  friend bool operator==(const ZonesQuery&, const ZonesQuery&) = default;
};
struct AdjacentZonesQuery {
  PARLOR_TAG("query", "adjacentZones")
  ZoneSel zone;
  PARLOR_FIELDS(visit("zone", self.zone);)
  friend bool operator==(const AdjacentZonesQuery&, const AdjacentZonesQuery&) = default;
};
struct ConnectedZonesQuery {
  PARLOR_TAG("query", "connectedZones")
  ZoneSel zone;
  std::vector<Condition> via;
  bool include_start = false;
  bool allow_target_outside_via = false;
  std::optional<Int> max_depth;
  PARLOR_FIELDS(visit("zone", self.zone); visit("via", self.via);
                visit("includeStart", self.include_start);
                visit("allowTargetOutsideVia", self.allow_target_outside_via);
                visit("maxDepth", self.max_depth);)
  friend bool operator==(const ConnectedZonesQuery&, const ConnectedZonesQuery&) = default;
};
struct TokensInZoneQuery {
  PARLOR_TAG("query", "tokensInZone")
  ZoneSel zone;
  std::vector<TokenFilter> filter;  // none or one
  PARLOR_FIELDS(visit("zone", self.zone); visit("filter", self.filter);)
  friend bool operator==(const TokensInZoneQuery&, const TokensInZoneQuery&) = default;
};
struct TokensInMapSpacesQuery {
  PARLOR_TAG("query", "tokensInMapSpaces")
  std::vector<PlayerSel> owner;
  std::vector<Condition> condition;  // of the space, `$zone` bound
  std::vector<TokenFilter> filter;
  PARLOR_FIELDS(visit("owner", self.owner); visit("condition", self.condition);
                visit("filter", self.filter);)
  friend bool operator==(const TokensInMapSpacesQuery&, const TokensInMapSpacesQuery&) = default;
};
struct TokensInAdjacentZonesQuery {
  PARLOR_TAG("query", "tokensInAdjacentZones")
  ZoneSel zone;
  std::vector<TokenFilter> filter;
  PARLOR_FIELDS(visit("zone", self.zone); visit("filter", self.filter);)
  friend bool operator==(const TokensInAdjacentZonesQuery&,
                         const TokensInAdjacentZonesQuery&) = default;
};
struct TokenZonesQuery {
  PARLOR_TAG("query", "tokenZones")
  Box<Query> source;
  bool dedupe = true;
  PARLOR_FIELDS(visit("source", self.source); visit("dedupe", self.dedupe);)
  friend bool operator==(const TokenZonesQuery&, const TokenZonesQuery&);
};
enum class Cardinality : std::uint8_t { many, exactly_one, zero_or_one };
struct AssetRowsQuery {
  PARLOR_TAG("query", "assetRows")
  std::string table;
  std::vector<RowTest> where;
  Cardinality cardinality = Cardinality::many;
  PARLOR_FIELDS(visit("tableId", self.table); visit("where", self.where);
                visit("cardinality", self.cardinality);)
  friend bool operator==(const AssetRowsQuery&, const AssetRowsQuery&) = default;
};
struct GlobalMarkersQuery {
  PARLOR_TAG("query", "globalMarkers")
  std::vector<std::string> markers;  // resolved: never empty unless the game has none
  std::vector<std::string> states;   // empty: any
  PARLOR_FIELDS(visit("markers", self.markers); visit("states", self.states);)
  friend bool operator==(const GlobalMarkersQuery&, const GlobalMarkersQuery&) = default;
};
struct IntsInRangeQuery {
  PARLOR_TAG("query", "intsInRange")
  Box<Value> min, max;
  std::vector<Value> step;  // none or one
  std::vector<Value> always_include;
  std::vector<Value> max_results;  // none or one
  PARLOR_FIELDS(visit("min", self.min); visit("max", self.max); visit("step", self.step);
                visit("alwaysInclude", self.always_include); visit("maxResults", self.max_results);)
  friend bool operator==(const IntsInRangeQuery&, const IntsInRangeQuery&) = default;
};
struct IntsInVarRangeQuery {
  PARLOR_TAG("query", "intsInVarRange")
  Name var;
  bool per_player = false;
  std::vector<Value> min, max, step;  // none or one each
  std::vector<Value> always_include;
  std::vector<Value> max_results;
  PARLOR_FIELDS(visit("var", self.var); visit("perPlayer", self.per_player); visit("min", self.min);
                visit("max", self.max); visit("step", self.step);
                visit("alwaysInclude", self.always_include); visit("maxResults", self.max_results);)
  friend bool operator==(const IntsInVarRangeQuery&, const IntsInVarRangeQuery&) = default;
};
struct NextInOrderQuery {
  PARLOR_TAG("query", "nextInOrderByCondition")
  Box<Query> source;
  Value from;
  std::string bind;
  Condition where;
  bool include_from = false;
  PARLOR_FIELDS(visit("source", self.source); visit("from", self.from); visit("bind", self.bind);
                visit("where", self.where); visit("includeFrom", self.include_from);)
  friend bool operator==(const NextInOrderQuery&, const NextInOrderQuery&);
};
struct ConcatQuery {
  PARLOR_TAG("query", "concat")
  std::vector<Query> sources;
  PARLOR_FIELDS(visit("sources", self.sources);)
  friend bool operator==(const ConcatQuery&, const ConcatQuery&);
};
struct PrioritizedQuery {
  PARLOR_TAG("query", "prioritized")
  std::vector<Query> tiers;
  std::string qualifier;  // a token property; empty: none
  PARLOR_FIELDS(visit("tiers", self.tiers); visit("qualifierKey", self.qualifier);)
  friend bool operator==(const PrioritizedQuery&, const PrioritizedQuery&);
};
struct BindingQuery {
  PARLOR_TAG("query", "binding")
  std::string name;  // may hold {placeholders}
  PARLOR_FIELDS(visit("name", self.name);)
  friend bool operator==(const BindingQuery&, const BindingQuery&) = default;
};
struct GrantContextQuery {
  PARLOR_TAG("query", "grantContext")
  std::string key;
  PARLOR_FIELDS(visit("key", self.key);)
  friend bool operator==(const GrantContextQuery&, const GrantContextQuery&) = default;
};
struct CapturedZonesQuery {
  PARLOR_TAG("query", "capturedSequenceZones")
  Name key;
  PARLOR_FIELDS(visit("key", self.key);)
  friend bool operator==(const CapturedZonesQuery&, const CapturedZonesQuery&) = default;
};
// The zones one step away, in direction order; directions that lead off the board give nothing.
struct StepQuery {
  PARLOR_TAG("query", "step")
  ZoneSel zone;
  DirectionSel directions;
  PARLOR_FIELDS(visit("zone", self.zone); visit("directions", self.directions);)
  friend bool operator==(const StepQuery&, const StepQuery&) = default;
};
// Zones along each direction, nearest first. Without `while`: to the edge of the board. With it: as
// long as it holds (`$zone` bound), plus the zone that stopped the ray if `until` holds for that.
struct RayQuery {
  PARLOR_TAG("query", "ray")
  ZoneSel zone;
  DirectionSel directions;
  std::vector<Condition> through;  // `while`: none or one
  std::vector<Condition> until;    // none or one
  std::vector<Value> max_steps;    // none or one
  PARLOR_FIELDS(visit("zone", self.zone); visit("directions", self.directions);
                visit("while", self.through); visit("until", self.until);
                visit("maxSteps", self.max_steps);)
  friend bool operator==(const RayQuery&, const RayQuery&) = default;
};
// The names of the directions a board has (or of the given group) in declaration order.
struct DirectionsQuery {
  PARLOR_TAG("query", "directions")
  DirectionSel directions;
  PARLOR_FIELDS(visit("directions", self.directions);)
  friend bool operator==(const DirectionsQuery&, const DirectionsQuery&) = default;
};
// Ids of timed effects in force, oldest first.
struct ActiveEffectsQuery {
  PARLOR_TAG("query", "activeEffects")
  std::string effect;            // its definition's id; empty: any
  std::vector<PlayerSel> owner;  // none or one
  std::vector<Value> target;     // none or one
  PARLOR_FIELDS(visit("effect", self.effect); visit("owner", self.owner);
                visit("target", self.target);)
  friend bool operator==(const ActiveEffectsQuery&, const ActiveEffectsQuery&) = default;
};
// The results of `source` for which `where` holds with `bind` bound.
struct FilterQuery {
  PARLOR_TAG("query", "filter")
  Box<Query> source;
  std::string bind;
  Condition where;
  PARLOR_FIELDS(visit("source", self.source); visit("bind", self.bind); visit("where", self.where);)
  friend bool operator==(const FilterQuery&, const FilterQuery&);
};

using QueryNode =
    std::variant<PlayersQuery, EnumsQuery, BooleansQuery, ZonesQuery, AdjacentZonesQuery,
                 ConnectedZonesQuery, TokensInZoneQuery, TokensInMapSpacesQuery,
                 TokensInAdjacentZonesQuery, TokenZonesQuery, AssetRowsQuery, GlobalMarkersQuery,
                 IntsInRangeQuery, IntsInVarRangeQuery, NextInOrderQuery, ConcatQuery,
                 PrioritizedQuery, BindingQuery, GrantContextQuery, CapturedZonesQuery, StepQuery,
                 RayQuery, DirectionsQuery, ActiveEffectsQuery, FilterQuery>;
struct Query {
  QueryNode node;
  PlaceId at;
  PARLOR_NODE(Query)
};

}  // namespace parlor::spec
