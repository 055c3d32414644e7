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
};

struct PlayersQuery {
  PARLOR_TAG("query", "players", "All players, in order of their seats.", "allPlayers opponents")
  PARLOR_GIVES(Kind::player)
  PARLOR_FIELDS()
};
struct EnumsQuery {
  PARLOR_TAG("query", "enums", "The given texts.", "values list options")
  std::vector<std::string> values;
  PARLOR_GIVES(Kind::string)
  PARLOR_FIELDS(visit("values", self.values, is::texts);)
};
struct BooleansQuery {
  PARLOR_TAG("query", "booleans", "The given truth values.")
  std::vector<bool> values;
  PARLOR_GIVES(Kind::boolean)
  PARLOR_FIELDS(visit("values", self.values, is::flags);)
};
// All zones that are not internal, in byte order of their ids; `$zone` is bound in `condition`.
struct ZonesQuery {
  PARLOR_TAG("query", "zones", "The zones, or those a filter keeps.")
  bool board_only = false;           // `mapSpaces`
  std::string zone_kind;             // empty: any
  std::vector<PlayerSel> owner;      // none or one
  std::vector<Condition> condition;  // none or one
  PARLOR_GIVES(Kind::zone)
  PARLOR_VARIANTS({{"query", "mapSpaces", "The spaces of the board, or those a filter keeps.",
                    "spaces cells board"}})
  PARLOR_WRITTEN({"filter", is::zone_filter.with("$zone").optional().by_hand()})
  PARLOR_CHECKED
  PARLOR_FIELDS(visit("boardOnly", self.board_only, is::derived);
                visit("zoneKind", self.zone_kind,
                      is::word.named("zone kind").words("board aux").optional());
                visit("owner", self.owner, is::derived);
                visit("condition", self.condition, is::derived.with("$zone"));)
};
struct AdjacentZonesQuery {
  PARLOR_TAG("query", "adjacentZones", "The neighbours of a zone.", "neighbors neighbours adjacent")
  ZoneSel zone;
  PARLOR_GIVES(Kind::zone)
  PARLOR_WRITTEN({"filter", is::condition.with("$zone").optional()})
  PARLOR_FIELDS(visit("zone", self.zone, is::zone);)
};
struct ConnectedZonesQuery {
  PARLOR_TAG("query", "connectedZones",
             "The zones one can get to over zones a condition holds for.", "connected")
  ZoneSel zone;
  std::vector<Condition> via;
  bool include_start = false;
  bool allow_target_outside_via = false;
  std::optional<Int> max_depth;
  PARLOR_GIVES(Kind::zone)
  PARLOR_FIELDS(visit("zone", self.zone, is::zone);
                visit("via", self.via, is::condition.with("$zone").optional());
                visit("includeStart", self.include_start, is::flag.optional());
                visit("allowTargetOutsideVia", self.allow_target_outside_via, is::flag.optional());
                visit("maxDepth", self.max_depth, is::count.from(0, "").optional());)
};
struct TokensInZoneQuery {
  PARLOR_TAG("query", "tokensInZone", "The tokens in a zone.", "tokens cards tokensIn")
  ZoneSel zone;
  std::vector<TokenFilter> filter;  // none or one
  PARLOR_GIVES(Kind::token)
  PARLOR_FIELDS(visit("zone", self.zone, is::zone);
                visit("filter", self.filter, is::token_filter.optional());)
};
struct TokensInMapSpacesQuery {
  PARLOR_TAG("query", "tokensInMapSpaces", "The tokens in all spaces of the board.")
  std::vector<PlayerSel> owner;
  std::vector<Condition> condition;  // of the space, `$zone` bound
  std::vector<TokenFilter> filter;
  PARLOR_GIVES(Kind::token)
  PARLOR_WRITTEN({"spaceFilter", is::zone_filter.with("$zone").optional().by_hand()})
  PARLOR_FIELDS(visit("owner", self.owner, is::derived);
                visit("condition", self.condition, is::derived.with("$zone"));
                visit("filter", self.filter, is::token_filter.optional());)
};
struct TokensInAdjacentZonesQuery {
  PARLOR_TAG("query", "tokensInAdjacentZones", "The tokens in the neighbours of a zone.")
  ZoneSel zone;
  std::vector<TokenFilter> filter;
  PARLOR_GIVES(Kind::token)
  PARLOR_FIELDS(visit("zone", self.zone, is::zone);
                visit("filter", self.filter, is::token_filter.optional());)
};
struct TokenZonesQuery {
  PARLOR_TAG("query", "tokenZones", "The zones of the tokens a query gives.")
  Box<Query> source;
  bool dedupe = true;
  PARLOR_GIVES(Kind::zone)
  PARLOR_FIELDS(visit("source", self.source, is::token_query);
                visit("dedupe", self.dedupe, is::flag.optional());)
};
enum class Cardinality : std::uint8_t { many, exactly_one, zero_or_one };
struct AssetRowsQuery {
  PARLOR_TAG("query", "assetRows", "The rows of a table.", "rows table")
  std::string table;
  std::vector<RowTest> where;
  Cardinality cardinality = Cardinality::many;
  PARLOR_GIVES(.of = "tableId")
  PARLOR_FIELDS(visit("tableId", self.table, is::table);
                visit("where", self.where, is::row_filter.of("tableId").optional());
                visit("cardinality", self.cardinality, is::word.named("cardinality").optional());)
};
struct GlobalMarkersQuery {
  PARLOR_TAG("query", "globalMarkers", "The markers of the game that are in one of the states.")
  std::vector<std::string> markers;  // resolved: never empty unless the game has none
  std::vector<std::string> states;   // empty: any
  PARLOR_GIVES(Kind::string)
  PARLOR_FIELDS(visit("markers", self.markers, is::global_markers.by_hand().optional());
                visit("states", self.states, is::marker_states.of("markers").by_hand().optional());)
  PARLOR_CHECKED
};
struct IntsInRangeQuery {
  PARLOR_TAG("query", "intsInRange", "The whole numbers from `min` to `max`.", "range ints numbers")
  Box<Value> min, max;
  std::vector<Value> step;  // none or one
  std::vector<Value> always_include;
  std::vector<Value> max_results;  // none or one
  PARLOR_GIVES(Kind::integer)
  PARLOR_CHECKED
  PARLOR_FIELDS(
      visit("min", self.min, is::number); visit("max", self.max, is::number);
      visit("step", self.step,
            is::number.from(1, "step must be at least 1: the query would be empty").optional());
      visit("alwaysInclude", self.always_include, is::numbers.optional());
      visit("maxResults", self.max_results, is::number.optional());)
};
struct IntsInVarRangeQuery {
  PARLOR_TAG("query", "intsInVarRange", "The whole numbers a variable may have.")
  Name var;
  bool per_player = false;
  std::vector<Value> min, max, step;  // none or one each
  std::vector<Value> always_include;
  std::vector<Value> max_results;
  PARLOR_GIVES(Kind::integer)
  PARLOR_FIELDS(
      visit("var", self.var, is::variable.after("perPlayer").by_hand());
      visit("perPlayer", self.per_player,
            is::word.named("variable scope")
                .words("global perPlayer")
                .truth("perPlayer")
                .called("scope")
                .optional());
      visit("min", self.min, is::number.optional()); visit("max", self.max, is::number.optional());
      visit("step", self.step,
            is::number.from(1, "step must be at least 1: the query would be empty").optional());
      visit("alwaysInclude", self.always_include, is::numbers.optional());
      visit("maxResults", self.max_results, is::number.optional());)
};
struct NextInOrderQuery {
  PARLOR_TAG("query", "nextInOrderByCondition",
             "The first result after `from`, going round, that satisfies `where`.")
  Box<Query> source;
  Value from;
  std::string bind;
  Condition where;
  bool include_from = false;
  PARLOR_GIVES(.of = "source")
  PARLOR_FIELDS(visit("source", self.source, is::query);
                visit("from", self.from, is::value.of("source"));
                visit("bind", self.bind, is::binder.of("source").in("where"));
                visit("where", self.where, is::condition.ends("it exists only inside the query"));
                visit("includeFrom", self.include_from, is::flag.optional());)
};
struct ConcatQuery {
  PARLOR_TAG("query", "concat", "The results of several queries, one after the other.")
  std::vector<Query> sources;
  PARLOR_GIVES(.of = "sources")
  PARLOR_FIELDS(visit("sources", self.sources, is::queries.some("at least one query is needed"));)
};
struct PrioritizedQuery {
  PARLOR_TAG("query", "prioritized",
             "The results of several queries of which earlier ones come first.")
  std::vector<Query> tiers;
  std::string qualifier;  // a token property; empty: none
  PARLOR_GIVES(.of = "tiers")
  PARLOR_CHECKED
  PARLOR_FIELDS(visit("tiers", self.tiers, is::queries.some("at least one query is needed"));
                visit("qualifierKey", self.qualifier, is::token_prop.optional());)
};
struct BindingQuery {
  PARLOR_TAG("query", "binding", "The items of a list that a name is bound to.")
  std::string name;  // may hold {placeholders}
  PARLOR_GIVES(.of = "name")
  PARLOR_WRITTEN({"displayName", is::text.optional()})
  PARLOR_FIELDS(visit("name", self.name, is::list_mention);)
};
struct GrantContextQuery {
  PARLOR_TAG("query", "grantContext", "The items of what the grant of the move says under a key.")
  std::string key;
  PARLOR_GIVES(Kind::unknown)
  PARLOR_FIELDS(visit("key", self.key, is::id.named("a key"));)
};
struct CapturedZonesQuery {
  PARLOR_TAG("query", "capturedSequenceZones", "The zones an earlier move of a sequence captured.")
  Name key;
  PARLOR_GIVES(Kind::zone)
  PARLOR_FIELDS(visit("key", self.key, is::key);)
};
// The zones one step away, in direction order; directions that lead off the board give nothing.
struct StepQuery {
  PARLOR_TAG("query", "step", "The zones one step away.")
  ZoneSel zone;
  DirectionSel directions;
  PARLOR_GIVES(Kind::zone)
  PARLOR_FIELDS(visit("zone", self.zone, is::zone);
                visit("directions", self.directions, is::directions.optional());)
};
// Zones along each direction, nearest first. Without `while`: to the edge of the board. With it: as
// long as it holds (`$zone` bound), plus the zone that stopped the ray if `until` holds for that.
struct RayQuery {
  PARLOR_TAG("query", "ray", "The zones along directions, as far as `while` holds.")
  ZoneSel zone;
  DirectionSel directions;
  std::vector<Condition> through;  // `while`: none or one
  std::vector<Condition> until;    // none or one
  std::vector<Value> max_steps;    // none or one
  PARLOR_VARIANTS({{"query", "zonesInDirection",
                    "The zones along directions, to the edge of the board."},
                   "while until"})
  PARLOR_GIVES(Kind::zone)
  PARLOR_FIELDS(visit("zone", self.zone, is::zone);
                visit("directions", self.directions, is::directions.optional());
                visit("while", self.through, is::condition.with("$zone").optional());
                visit("until", self.until, is::condition.with("$zone").optional());
                visit("maxSteps", self.max_steps, is::number.optional());)
};
// The names of the directions a board has (or of the given group) in declaration order.
struct DirectionsQuery {
  PARLOR_TAG("query", "directions", "The names of the directions of the board.")
  DirectionSel directions;
  PARLOR_GIVES(Kind::string)
  PARLOR_FIELDS(visit("directions", self.directions, is::directions.optional());)
};
// Ids of timed effects in force, oldest first.
struct ActiveEffectsQuery {
  PARLOR_TAG("query", "activeEffects", "The timed effects in force.")
  std::string effect;            // its definition's id; empty: any
  std::vector<PlayerSel> owner;  // none or one
  std::vector<Value> target;     // none or one
  PARLOR_GIVES(Kind::string)
  PARLOR_FIELDS(visit("effect", self.effect, is::timed_effect.optional());
                visit("owner", self.owner, is::player.optional());
                visit("target", self.target, is::value.optional());)
};
// The results of `source` for which `where` holds with `bind` bound.
struct FilterQuery {
  PARLOR_TAG("query", "filter", "The results of a query that satisfy `where`.")
  Box<Query> source;
  std::string bind;
  Condition where;
  PARLOR_GIVES(.of = "source")
  PARLOR_FIELDS(visit("source", self.source, is::query);
                visit("bind", self.bind, is::binder.of("source").in("where"));
                visit("where", self.where, is::condition.ends("it exists only inside the query"));)
};

// The results of `source`, the least first by a number of each; equals stay as they are.
struct SortQuery {
  PARLOR_TAG("query", "sort", "The results of a query, ordered by a number of each.",
             "orderBy sorted ranked")
  Box<Query> source;
  std::string bind;
  Value by;
  bool descending = false;
  PARLOR_GIVES(.of = "source")
  PARLOR_FIELDS(visit("source", self.source, is::query);
                visit("bind", self.bind, is::binder.of("source").in("by"));
                visit("by", self.by, is::number.ends("it exists only inside the query"));
                visit("descending", self.descending,
                      is::flag.optional().help("the greatest first"));)
};
// Something computed for each result of `source`.
struct MapQuery {
  PARLOR_TAG("query", "map", "A value for each result of a query.", "select transform")
  Box<Query> source;
  std::string bind;
  Value value;
  PARLOR_GIVES(.of = "value")
  PARLOR_FIELDS(visit("source", self.source, is::query);
                visit("bind", self.bind, is::binder.of("source").in("value"));
                visit("value", self.value, is::value.ends("it exists only inside the query"));)
};

// Every query there is: what QueryNode is one of, and what the linker has a node for.
// clang-format off
#define PARLOR_QUERIES(EACH) \
  EACH(PlayersQuery) EACH(EnumsQuery) EACH(BooleansQuery) EACH(ZonesQuery) \
  EACH(AdjacentZonesQuery) EACH(ConnectedZonesQuery) EACH(TokensInZoneQuery) \
  EACH(TokensInMapSpacesQuery) EACH(TokensInAdjacentZonesQuery) EACH(TokenZonesQuery) \
  EACH(AssetRowsQuery) EACH(GlobalMarkersQuery) EACH(IntsInRangeQuery) \
  EACH(IntsInVarRangeQuery) EACH(NextInOrderQuery) EACH(ConcatQuery) EACH(PrioritizedQuery) \
  EACH(BindingQuery) EACH(GrantContextQuery) EACH(CapturedZonesQuery) EACH(StepQuery) \
  EACH(RayQuery) EACH(DirectionsQuery) EACH(ActiveEffectsQuery) EACH(FilterQuery) \
  EACH(SortQuery) EACH(MapQuery)
// clang-format on
using QueryNode = OneOf<void PARLOR_QUERIES(PARLOR_NEXT)>;
struct Query {
  QueryNode node;
  PlaceId at;
  PARLOR_NODE(Query)
};

}  // namespace parlor::spec
