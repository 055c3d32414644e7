// The typed form of what a game computes: selectors, values, conditions, token filters, queries.
//
// This is the language after expansion: no macros, no templates, constants already folded, seat
// names already turned into player numbers, zone selectors taken apart. Names of variables, zones,
// markers and so on are still text; the kernel's linker turns them into numbers.
//
// Every struct lists its members once, in `fields`; JSON writing, JSON reading and the JSON Schema
// are all made from that list (gamedef/codec.h), so they cannot disagree. A node's `tag` says how
// it looks in JSON: {"ref": "gvar", …} for inline tags, {"setVar": {…}} for wrapped ones.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "spec/gamedef/box.h"

namespace parlor::spec {

using Int = std::int64_t;
using Scalar = std::variant<Int, bool, std::string>;

// Where a node was written: an index into GameDef::places; 0 is "nowhere".
struct PlaceId {
  std::uint32_t index = 0;
  // Two nodes are the same rule wherever they were written.
  friend bool operator==(PlaceId, PlaceId) { return true; }
};

// How a node is told apart in JSON.
struct Tag {
  std::string_view key;    // "ref", "op", "query", or the effect's own key
  std::string_view value;  // empty: wrapped as {key: {...}}
};

#define PARLOR_TAG(key, value) static constexpr Tag tag{key, value};
#define PARLOR_FIELDS(...)                          \
  template <class Self, class Visitor>              \
  static void fields(Self& self, Visitor&& visit) { \
    (void)self;                                     \
    (void)visit;                                    \
    __VA_ARGS__                                     \
  }

struct Value;
struct Condition;
struct Query;

// ---- Selectors
// ------------------------------------------------------------------------------------

// Which player or players. In JSON: a word, a number, or "$binding".
struct PlayerSel {
  enum class Kind : std::uint8_t { actor, active, all, all_other, left, right, id, binding };
  Kind kind = Kind::active;
  Int id = 0;           // for Kind::id
  std::string binding;  // for Kind::binding, with its `$`
  friend bool operator==(const PlayerSel&, const PlayerSel&) = default;
};

// Which zone or zones. In JSON: "deck:none", "hand:actor", "$binding" or {"zoneExpr": value}.
struct ZoneSel {
  enum class Kind : std::uint8_t {
    exact,       // `text` is a full zone id: "deck:none", "hand:2"
    owned,       // the zones of base `text` that belong to `owner`
    binding,     // `text` is a binding, with its `$`, holding a zone id or a list of them
    expression,  // `expr` gives a zone id, or a selector to resolve while playing
  };
  Kind kind = Kind::exact;
  std::string text;
  PlayerSel owner;
  std::vector<Value> expr;  // exactly one for Kind::expression
  friend bool operator==(const ZoneSel&, const ZoneSel&);
};

// A name that may be known only while playing, e.g. of a variable. In JSON: text or a {"ref": …}.
struct Name {
  enum class Kind : std::uint8_t { literal, binding, grant_context };
  Kind kind = Kind::literal;
  std::string text;
  friend bool operator==(const Name&, const Name&) = default;
};

// A direction on a board: a name, a binding, several names, or every direction the board has
// ("all"; "orthogonal" and "diagonal" on grids).
struct DirectionSel {
  enum class Kind : std::uint8_t { names, binding, all };
  Kind kind = Kind::all;
  std::vector<std::string> names;
  std::string binding;
  friend bool operator==(const DirectionSel&, const DirectionSel&) = default;
};

// ---- Values
// ---------------------------------------------------------------------------------------

struct ListLiteral {
  std::vector<Scalar> items;
  friend bool operator==(const ListLiteral&, const ListLiteral&) = default;
};
struct GvarRef {
  PARLOR_TAG("ref", "gvar")
  Name var;
  PARLOR_FIELDS(visit("var", self.var);)
  friend bool operator==(const GvarRef&, const GvarRef&) = default;
};
struct PvarRef {
  PARLOR_TAG("ref", "pvar")
  PlayerSel player;
  Name var;
  PARLOR_FIELDS(visit("player", self.player); visit("var", self.var);)
  friend bool operator==(const PvarRef&, const PvarRef&) = default;
};
struct ZoneVarRef {
  PARLOR_TAG("ref", "zoneVar")
  ZoneSel zone;
  Name var;
  PARLOR_FIELDS(visit("zone", self.zone); visit("var", self.var);)
  friend bool operator==(const ZoneVarRef&, const ZoneVarRef&) = default;
};
struct ZoneCountRef {
  PARLOR_TAG("ref", "zoneCount")
  ZoneSel zone;
  PARLOR_FIELDS(visit("zone", self.zone);)
  friend bool operator==(const ZoneCountRef&, const ZoneCountRef&) = default;
};
struct TokenPropRef {
  PARLOR_TAG("ref", "tokenProp")
  std::string token;  // a binding
  std::string prop;   // "id" is the token's own id, "type" its type
  PARLOR_FIELDS(visit("token", self.token); visit("prop", self.prop);)
  friend bool operator==(const TokenPropRef&, const TokenPropRef&) = default;
};
struct TokenZoneRef {
  PARLOR_TAG("ref", "tokenZone")
  std::string token;
  PARLOR_FIELDS(visit("token", self.token);)
  friend bool operator==(const TokenZoneRef&, const TokenZoneRef&) = default;
};
struct ZonePropRef {
  PARLOR_TAG("ref", "zoneProp")
  ZoneSel zone;      // exact or binding
  std::string prop;  // "id", "category" or an attribute
  PARLOR_FIELDS(visit("zone", self.zone); visit("prop", self.prop);)
  friend bool operator==(const ZonePropRef&, const ZonePropRef&) = default;
};
struct BindingRef {
  PARLOR_TAG("ref", "binding")
  std::string name;
  PARLOR_FIELDS(visit("name", self.name);)
  friend bool operator==(const BindingRef&, const BindingRef&) = default;
};
struct AssetFieldRef {
  PARLOR_TAG("ref", "assetField")
  std::string row;  // a binding
  std::string table;
  std::string field;
  PARLOR_FIELDS(visit("row", self.row); visit("tableId", self.table); visit("field", self.field);)
  friend bool operator==(const AssetFieldRef&, const AssetFieldRef&) = default;
};
struct MarkerStateRef {
  PARLOR_TAG("ref", "markerState")
  ZoneSel space;
  std::string marker;
  PARLOR_FIELDS(visit("space", self.space); visit("marker", self.marker);)
  friend bool operator==(const MarkerStateRef&, const MarkerStateRef&) = default;
};
struct GlobalMarkerStateRef {
  PARLOR_TAG("ref", "globalMarkerState")
  std::string marker;
  PARLOR_FIELDS(visit("marker", self.marker);)
  friend bool operator==(const GlobalMarkerStateRef&, const GlobalMarkerStateRef&) = default;
};
struct ActivePlayerRef {
  PARLOR_TAG("ref", "activePlayer")
  PARLOR_FIELDS()
  friend bool operator==(const ActivePlayerRef&, const ActivePlayerRef&) = default;
};
struct ActiveSeatRef {
  PARLOR_TAG("ref", "activeSeat")
  PARLOR_FIELDS()
  friend bool operator==(const ActiveSeatRef&, const ActiveSeatRef&) = default;
};
// One player as a number: {"ref": "player", "player": "left"}.
struct PlayerRef {
  PARLOR_TAG("ref", "player")
  PlayerSel player;
  PARLOR_FIELDS(visit("player", self.player);)
  friend bool operator==(const PlayerRef&, const PlayerRef&) = default;
};
// The clock of the game: turn, round, turnInRound (from 1), roundStartPlayer, playerCount.
struct ClockRef {
  PARLOR_TAG("ref", "clock")
  std::string field;
  PARLOR_FIELDS(visit("field", self.field);)
  friend bool operator==(const ClockRef&, const ClockRef&) = default;
};
struct GrantContextRef {
  PARLOR_TAG("ref", "grantContext")
  std::string key;
  PARLOR_FIELDS(visit("key", self.key);)
  friend bool operator==(const GrantContextRef&, const GrantContextRef&) = default;
};
struct CapturedZonesRef {
  PARLOR_TAG("ref", "capturedSequenceZones")
  std::string key;
  PARLOR_FIELDS(visit("key", self.key);)
  friend bool operator==(const CapturedZonesRef&, const CapturedZonesRef&) = default;
};
// The zone `count` steps away in a direction; running off the board is a run-time error (use the
// `step` query where that may happen).
struct StepRef {
  PARLOR_TAG("ref", "step")
  ZoneSel zone;
  DirectionSel direction;
  Box<Value> count;
  PARLOR_FIELDS(visit("zone", self.zone); visit("direction", self.direction);
                visit("count", self.count);)
  friend bool operator==(const StepRef&, const StepRef&);
};
// Sum of a named modifier over the timed effects in force (and aimed at `target`, if given).
struct EffectModifierRef {
  PARLOR_TAG("ref", "effectModifier")
  std::string name;
  std::vector<Value> target;  // none or one
  PARLOR_FIELDS(visit("name", self.name); visit("target", self.target);)
  friend bool operator==(const EffectModifierRef&, const EffectModifierRef&);
};

enum class ArithOp : std::uint8_t {
  add,
  subtract,
  multiply,
  divide,
  floor_div,
  ceil_div,
  modulo,
  min,
  max
};
struct Arith {
  ArithOp op = ArithOp::add;
  Box<Value> left, right;
  PARLOR_FIELDS(visit("op", self.op); visit("left", self.left); visit("right", self.right);)
  friend bool operator==(const Arith&, const Arith&);
};
enum class AggregateOp : std::uint8_t { count, sum, min, max };
struct Aggregate {
  PARLOR_TAG("aggregate", "")
  AggregateOp op = AggregateOp::count;
  Box<Query> query;
  std::string bind;          // empty for count
  std::vector<Value> value;  // none for count, else exactly one
  PARLOR_FIELDS(visit("op", self.op); visit("query", self.query); visit("bind", self.bind);
                visit("valueExpr", self.value);)
  friend bool operator==(const Aggregate&, const Aggregate&);
};
struct ConcatValue {
  std::vector<Value> parts;  // in JSON {"concat": [...]}
  friend bool operator==(const ConcatValue&, const ConcatValue&);
};
struct IfValue {
  PARLOR_TAG("if", "")
  Box<Condition> when;
  Box<Value> then, otherwise;
  PARLOR_FIELDS(visit("when", self.when); visit("then", self.then); visit("else", self.otherwise);)
  friend bool operator==(const IfValue&, const IfValue&);
};

using ValueNode =
    std::variant<Int, bool, std::string, ListLiteral, GvarRef, PvarRef, ZoneVarRef, ZoneCountRef,
                 TokenPropRef, TokenZoneRef, ZonePropRef, BindingRef, AssetFieldRef, MarkerStateRef,
                 GlobalMarkerStateRef, ActivePlayerRef, ActiveSeatRef, PlayerRef, ClockRef,
                 GrantContextRef, CapturedZonesRef, StepRef, EffectModifierRef, Arith, Aggregate,
                 ConcatValue, IfValue>;
struct Value {
  ValueNode node = Int{0};
  PlaceId at;
  friend bool operator==(const Value&, const Value&) = default;
};

// ---- Conditions
// -----------------------------------------------------------------------------------

struct AllOf {
  PARLOR_TAG("op", "and")
  std::vector<Condition> args;
  PARLOR_FIELDS(visit("args", self.args);)
  friend bool operator==(const AllOf&, const AllOf&);
};
struct AnyOf {
  PARLOR_TAG("op", "or")
  std::vector<Condition> args;
  PARLOR_FIELDS(visit("args", self.args);)
  friend bool operator==(const AnyOf&, const AnyOf&);
};
struct Not {
  PARLOR_TAG("op", "not")
  Box<Condition> arg;
  PARLOR_FIELDS(visit("arg", self.arg);)
  friend bool operator==(const Not&, const Not&);
};
enum class CompareOp : std::uint8_t { equal, not_equal, less, less_equal, greater, greater_equal };
struct Compare {
  CompareOp op = CompareOp::equal;
  Value left, right;
  PARLOR_FIELDS(visit("op", self.op); visit("left", self.left); visit("right", self.right);)
  friend bool operator==(const Compare&, const Compare&) = default;
};
struct In {
  PARLOR_TAG("op", "in")
  Value item, set;
  PARLOR_FIELDS(visit("item", self.item); visit("set", self.set);)
  friend bool operator==(const In&, const In&) = default;
};
struct Adjacent {
  PARLOR_TAG("op", "adjacent")
  ZoneSel left, right;
  PARLOR_FIELDS(visit("left", self.left); visit("right", self.right);)
  friend bool operator==(const Adjacent&, const Adjacent&) = default;
};
struct Connected {
  PARLOR_TAG("op", "connected")
  ZoneSel from, to;
  std::vector<Condition> via;  // none or one; `$zone` is bound
  bool allow_target_outside_via = false;
  std::optional<Int> max_depth;
  PARLOR_FIELDS(visit("from", self.from); visit("to", self.to); visit("via", self.via);
                visit("allowTargetOutsideVia", self.allow_target_outside_via);
                visit("maxDepth", self.max_depth);)
  friend bool operator==(const Connected&, const Connected&);
};
struct ZonePropIncludes {
  PARLOR_TAG("op", "zonePropIncludes")
  ZoneSel zone;
  std::string prop;
  Value value;
  PARLOR_FIELDS(visit("zone", self.zone); visit("prop", self.prop); visit("value", self.value);)
  friend bool operator==(const ZonePropIncludes&, const ZonePropIncludes&) = default;
};
struct MarkerStateAllowed {
  PARLOR_TAG("op", "markerStateAllowed")
  ZoneSel space;
  std::string marker;
  Value state;
  PARLOR_FIELDS(visit("space", self.space); visit("marker", self.marker);
                visit("state", self.state);)
  friend bool operator==(const MarkerStateAllowed&, const MarkerStateAllowed&) = default;
};
struct MarkerShiftAllowed {
  PARLOR_TAG("op", "markerShiftAllowed")
  ZoneSel space;
  std::string marker;
  Value delta;
  PARLOR_FIELDS(visit("space", self.space); visit("marker", self.marker);
                visit("delta", self.delta);)
  friend bool operator==(const MarkerShiftAllowed&, const MarkerShiftAllowed&) = default;
};
// At least `length` zones in a row satisfy `where` (`$zone` bound); through `zone` if given, else
// anywhere on the board. A row follows one direction and its opposite.
struct LineOf {
  PARLOR_TAG("op", "lineOf")
  std::vector<ZoneSel> zone;  // none or one
  DirectionSel directions;
  Value length;
  Box<Condition> where;
  PARLOR_FIELDS(visit("zone", self.zone); visit("directions", self.directions);
                visit("length", self.length); visit("where", self.where);)
  friend bool operator==(const LineOf&, const LineOf&);
};
// Some result of the query exists (and satisfies `where` with `bind` bound). `all` is the dual.
struct Exists {
  PARLOR_TAG("op", "exists")
  Box<Query> query;
  std::string bind;              // empty: only asks whether there is a result
  std::vector<Condition> where;  // none or one
  PARLOR_FIELDS(visit("query", self.query); visit("bind", self.bind); visit("where", self.where);)
  friend bool operator==(const Exists&, const Exists&);
};
struct ForAll {
  PARLOR_TAG("op", "forAll")
  Box<Query> query;
  std::string bind;
  Box<Condition> where;
  PARLOR_FIELDS(visit("query", self.query); visit("bind", self.bind); visit("where", self.where);)
  friend bool operator==(const ForAll&, const ForAll&);
};

using ConditionNode =
    std::variant<bool, AllOf, AnyOf, Not, Compare, In, Adjacent, Connected, ZonePropIncludes,
                 MarkerStateAllowed, MarkerShiftAllowed, LineOf, Exists, ForAll>;
struct Condition {
  ConditionNode node = true;
  PlaceId at;
  friend bool operator==(const Condition&, const Condition&) = default;
};

// ---- Token filters and row filters
// ----------------------------------------------------------------

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

// ---- Queries
// --------------------------------------------------------------------------------------

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
  std::string key;
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
  friend bool operator==(const Query&, const Query&) = default;
};

// Nodes that hold nodes of their own kind can only be compared once those are complete types.
inline bool operator==(const ZoneSel& a, const ZoneSel& b) {
  return a.kind == b.kind && a.text == b.text && a.owner == b.owner && a.expr == b.expr;
}
#define PARLOR_SAME(Type, ...)                                        \
  inline bool operator==(const Type& a, const Type& b) {              \
    auto parts = [](const Type& x) { return std::tie(__VA_ARGS__); }; \
    return parts(a) == parts(b);                                      \
  }
PARLOR_SAME(StepRef, x.zone, x.direction, x.count)
PARLOR_SAME(EffectModifierRef, x.name, x.target)
PARLOR_SAME(Arith, x.op, x.left, x.right)
PARLOR_SAME(Aggregate, x.op, x.query, x.bind, x.value)
PARLOR_SAME(ConcatValue, x.parts)
PARLOR_SAME(IfValue, x.when, x.then, x.otherwise)
PARLOR_SAME(AllOf, x.args)
PARLOR_SAME(AnyOf, x.args)
PARLOR_SAME(Not, x.arg)
PARLOR_SAME(Connected, x.from, x.to, x.via, x.allow_target_outside_via, x.max_depth)
PARLOR_SAME(LineOf, x.zone, x.directions, x.length, x.where)
PARLOR_SAME(Exists, x.query, x.bind, x.where)
PARLOR_SAME(ForAll, x.query, x.bind, x.where)
PARLOR_SAME(TokenZonesQuery, x.source, x.dedupe)
PARLOR_SAME(NextInOrderQuery, x.source, x.from, x.bind, x.where, x.include_from)
PARLOR_SAME(ConcatQuery, x.sources)
PARLOR_SAME(PrioritizedQuery, x.tiers, x.qualifier)
PARLOR_SAME(FilterQuery, x.source, x.bind, x.where)

}  // namespace parlor::spec
