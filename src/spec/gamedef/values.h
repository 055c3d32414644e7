// What a rule computes: numbers, text, lists, and references to what the state holds.
#pragma once

#include <optional>

#include "spec/gamedef/selectors.h"

namespace parlor::spec {

struct ListLiteral {
  std::vector<Scalar> items;
};
struct GvarRef {
  PARLOR_TAG("ref", "gvar", "A variable of the game.", "globalVar global var variable")
  Name var;
  PARLOR_GIVES(.of = "var")
  PARLOR_FIELDS(visit("var", self.var, is::global_var);)
};
struct PvarRef {
  PARLOR_TAG("ref", "pvar", "A variable of a player.", "playerVar perPlayerVar")
  PlayerSel player;
  Name var;
  PARLOR_GIVES(.of = "var")
  PARLOR_FIELDS(visit("player", self.player, is::player); visit("var", self.var, is::player_var);)
};
struct ZoneVarRef {
  PARLOR_TAG("ref", "zoneVar", "A variable of a zone.")
  ZoneSel zone;
  Name var;
  PARLOR_GIVES(Kind::integer)
  PARLOR_FIELDS(visit("zone", self.zone, is::zone); visit("var", self.var, is::zone_var);)
};
struct ZoneCountRef {
  PARLOR_TAG("ref", "zoneCount", "How many tokens are in a zone.", "count")
  ZoneSel zone;
  PARLOR_GIVES(Kind::integer)
  PARLOR_FIELDS(visit("zone", self.zone, is::zone);)
};
struct TokenPropRef {
  PARLOR_TAG("ref", "tokenProp", "A property of a token.", "prop token")
  std::string token;  // a binding
  std::string prop;   // "id" is the token's own id, "type" its type
  PARLOR_GIVES(.of = "prop")
  PARLOR_FIELDS(visit("token", self.token, is::token); visit("prop", self.prop, is::readable_prop);)
};
// Written as a `tokenProp` whose `prop` is a value.
struct ComputedPropRef {
  PARLOR_TAG("ref", "computedProp", "A property of a token, the name of which is computed.")
  std::string token;
  Box<Value> prop;
  std::vector<std::string> among;  // the properties it can be
  PARLOR_GIVES(Kind::unknown)
  PARLOR_CHECKED
  PARLOR_FIELDS(visit("token", self.token, is::token); visit("prop", self.prop, is::value);
                visit("among", self.among, is::texts.optional());)
};
struct TokenZoneRef {
  PARLOR_TAG("ref", "tokenZone", "The zone a token is in.")
  std::string token;
  PARLOR_GIVES(Kind::zone)
  PARLOR_FIELDS(visit("token", self.token, is::token);)
};
struct ZonePropRef {
  PARLOR_TAG("ref", "zoneProp", "An attribute of a zone.")
  ZoneSel zone;      // exact or binding
  std::string prop;  // "id", "category" or an attribute
  PARLOR_GIVES(.of = "prop")
  PARLOR_FIELDS(visit("zone", self.zone, is::space); visit("prop", self.prop, is::zone_prop);)
};
struct BindingRef {
  PARLOR_TAG("ref", "binding", "What a name is bound to.", "param parameter local")
  std::string name;
  PARLOR_GIVES(.of = "name")
  PARLOR_WRITTEN({"displayName", is::text.optional()})
  PARLOR_FIELDS(visit("name", self.name, is::mention);)
};
struct AssetFieldRef {
  PARLOR_TAG("ref", "assetField", "A field of a row of a table.")
  std::string row;  // a binding
  std::string table;
  std::string field;
  PARLOR_GIVES(.of = "field")
  PARLOR_FIELDS(visit("row", self.row, is::row.of("tableId"));
                visit("tableId", self.table, is::table);
                visit("field", self.field, is::table_field.of("tableId"));)
};
struct MarkerStateRef {
  PARLOR_TAG("ref", "markerState", "The state of a marker of a space.", "marker")
  ZoneSel space;
  std::string marker;
  PARLOR_GIVES(Kind::string)
  PARLOR_FIELDS(visit("space", self.space, is::space); visit("marker", self.marker, is::marker);)
};
struct GlobalMarkerStateRef {
  PARLOR_TAG("ref", "globalMarkerState", "The state of a marker of the game.")
  std::string marker;
  PARLOR_GIVES(Kind::string)
  PARLOR_FIELDS(visit("marker", self.marker, is::global_marker);)
};
struct ActivePlayerRef {
  PARLOR_TAG("ref", "activePlayer", "The active player.")
  PARLOR_GIVES(Kind::player)
  PARLOR_FIELDS()
};
struct ActiveSeatRef {
  PARLOR_TAG("ref", "activeSeat", "The seat of the active player.")
  PARLOR_GIVES(Kind::string)
  PARLOR_FIELDS()
};
// One player as a number: {"ref": "player", "player": "left"}.
struct PlayerRef {
  PARLOR_TAG("ref", "player", "One player, as a number.")
  PlayerSel player;
  PARLOR_GIVES(Kind::player)
  PARLOR_FIELDS(visit("player", self.player, is::player);)
};
// The clock of the game: turn, round, turnInRound (from 1), roundStartPlayer, playerCount.
struct ClockRef {
  PARLOR_TAG("ref", "clock", "The number of the turn or round, who began the round, how many play.")
  std::string field;
  PARLOR_GIVES(Kind::integer)
  PARLOR_CHECKED
  PARLOR_FIELDS(visit("field", self.field,
                      is::word.named("clock field")
                          .words("turn round turnInRound roundStartPlayer playerCount"));)
};
struct GrantContextRef {
  PARLOR_TAG("ref", "grantContext", "What the grant of the move says under a key.")
  std::string key;
  PARLOR_GIVES(Kind::unknown)
  PARLOR_FIELDS(visit("key", self.key, is::id.named("a key"));)
};
struct CapturedZonesRef {
  PARLOR_TAG("ref", "capturedSequenceZones", "The zones an earlier move of a sequence captured.")
  Name key;  // text, a binding or a key of the grant
  PARLOR_GIVES(Kind::zone, {}, true)
  PARLOR_FIELDS(visit("key", self.key, is::key);)
};
// The zone `count` steps away in a direction; running off the board is a run-time error (use the
// `step` query where that may happen).
struct StepRef {
  PARLOR_TAG("ref", "step", "The zone so many steps away in a direction.")
  ZoneSel zone;
  DirectionSel direction;
  Box<Value> count;
  PARLOR_GIVES(Kind::zone)
  PARLOR_CHECKED
  PARLOR_FIELDS(visit("zone", self.zone, is::zone);
                visit("direction", self.direction, is::directions);
                visit("count", self.count, is::number.optional());)
};
// Sum of a named modifier over the timed effects in force (and aimed at `target`, if given).
struct EffectModifierRef {
  PARLOR_TAG("ref", "effectModifier", "The sum of a modifier over the timed effects in force.")
  std::string name;
  std::vector<Value> target;  // none or one
  PARLOR_GIVES(Kind::integer)
  PARLOR_FIELDS(visit("name", self.name, is::id.named("the name of a modifier"));
                visit("target", self.target, is::value.optional());)
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
  PARLOR_VARIANTS({{"op", "+", "The sum.", "add plus sum"}},
                  {{"op", "-", "The difference.", "sub subtract minus"}},
                  {{"op", "*", "The product.", "mul multiply times"}},
                  {{"op", "/", "The quotient, rounded towards 0.", "div divide"}},
                  {{"op", "floorDiv", "The quotient, rounded down.", "// floor"}},
                  {{"op", "ceilDiv", "The quotient, rounded up.", "ceil"}},
                  {{"op", "mod", "The remainder.", "% modulo remainder"}},
                  {{"op", "min", "The smaller one."}}, {{"op", "max", "The greater one."}})
  ArithOp op = ArithOp::add;
  Box<Value> left, right;
  PARLOR_GIVES(Kind::integer)
  PARLOR_READ_BY_HAND  // what it may have depends on the operator
  PARLOR_FIELDS(visit("op", self.op, is::derived); visit("left", self.left, is::number);
                visit("right", self.right, is::number);)
};
enum class AggregateOp : std::uint8_t { count, sum, min, max };
struct Aggregate {
  PARLOR_TAG("aggregate", "",
             "Counts the results of a query, or sums, or finds the least or greatest of a number "
             "for each.")
  AggregateOp op = AggregateOp::count;
  Box<Query> query;
  std::string bind;          // empty for count
  std::vector<Value> value;  // none for count, else exactly one
  PARLOR_GIVES(Kind::integer)
  PARLOR_FIELDS(
      visit("op", self.op, is::word.named("aggregate")); visit("query", self.query, is::query);
      visit("bind", self.bind, is::binder.of("query").in("valueExpr").where("op", "sum min max"));
      visit("valueExpr", self.value,
            is::number.where("op", "sum min max").ends("it exists only inside the aggregate"));)
};
// Which of the results of a query: 1 is the first, -1 the last.
struct ItemOf {
  PARLOR_TAG("item", "", "One of the results of a query, counted from 1, or from the end with -1.",
             "first last nth element")
  Box<Query> query;
  Box<Value> at;
  PARLOR_GIVES(.of = "query")
  PARLOR_FIELDS(visit("query", self.query, is::query); visit("at", self.at, is::number);)
};
// 1 and how many results of the query come before `of`; equals share their place.
struct RankOf {
  PARLOR_TAG("rank", "",
             "The place of something among the results of a query, by a number of each.",
             "placeOf position")
  Box<Value> of;
  Box<Query> query;
  std::string bind;
  Box<Value> by;
  bool descending = false;
  PARLOR_GIVES(Kind::integer)
  PARLOR_FIELDS(visit("query", self.query, is::query); visit("of", self.of, is::value.of("query"));
                visit("bind", self.bind, is::binder.of("query").in("by"));
                visit("by", self.by, is::number.ends("it exists only inside the rank"));
                visit("descending", self.descending,
                      is::flag.optional().help("the greatest has place 1"));)
};
// Zones and tokens are numbered, which is how variables keep them: -1 is none of them.
struct NumberOf {
  PARLOR_TAG("numberOf", "", "The number of a zone or of a token; -1 for `nowhere` and `nothing`.",
             "indexOf")
  Box<Value> of;
  PARLOR_GIVES(Kind::integer)
  PARLOR_FIELDS(visit("of", self.of, is::value);)
};
struct ZoneAt {
  PARLOR_TAG("zoneAt", "", "The zone of a number, `nowhere` for -1.")
  Box<Value> number;
  PARLOR_GIVES(Kind::zone)
  PARLOR_FIELDS(visit("number", self.number, is::number);)
};
struct TokenAt {
  PARLOR_TAG("tokenAt", "",
             "The token of a number, `nothing` for -1 and for one that has left the game.")
  Box<Value> number;
  PARLOR_GIVES(Kind::token)
  PARLOR_FIELDS(visit("number", self.number, is::number);)
};
struct LongestPath {
  PARLOR_TAG("longestPath", "",
             "How many zones the longest way over zones a condition holds for has, none of them "
             "twice.",
             "longestRoad longestRoute")
  std::optional<ZoneSel> from;
  Box<Condition> where;
  PARLOR_GIVES(Kind::integer)
  PARLOR_FIELDS(visit("from", self.from, is::zone.optional());
                visit("where", self.where, is::condition.with("$zone"));)
};
struct ConcatValue {
  PARLOR_VARIANTS({{"concat", "", "Joins texts, or lists, in the order given."}})
  std::vector<Value> parts;  // in JSON {"concat": [...]}
};
struct IfValue {
  PARLOR_TAG("if", "", "One value or another.")
  Box<Condition> when;
  Box<Value> then, otherwise;
  PARLOR_CHECKED
  PARLOR_FIELDS(visit("when", self.when, is::condition); visit("then", self.then, is::value);
                visit("else", self.otherwise, is::value);)
};

// Every value there is besides numbers, truths and texts: what ValueNode is one of, and what the
// linker has a node for.
// clang-format off
#define PARLOR_VALUES(EACH) \
  EACH(ListLiteral) EACH(GvarRef) EACH(PvarRef) EACH(ZoneVarRef) EACH(ZoneCountRef) \
  EACH(TokenPropRef) EACH(ComputedPropRef) EACH(TokenZoneRef) EACH(ZonePropRef) \
  EACH(BindingRef) EACH(AssetFieldRef) EACH(MarkerStateRef) EACH(GlobalMarkerStateRef) \
  EACH(ActivePlayerRef) EACH(ActiveSeatRef) EACH(PlayerRef) EACH(ClockRef) \
  EACH(GrantContextRef) EACH(CapturedZonesRef) EACH(StepRef) EACH(EffectModifierRef) \
  EACH(Arith) EACH(Aggregate) EACH(ItemOf) EACH(RankOf) EACH(NumberOf) EACH(ZoneAt) \
  EACH(TokenAt) EACH(LongestPath) EACH(ConcatValue) EACH(IfValue)
// clang-format on
using ValueNode = std::variant<Int, bool, std::string PARLOR_VALUES(PARLOR_NEXT)>;
struct Value {
  ValueNode node = Int{0};
  PlaceId at;
  PARLOR_NODE(Value)
};

}  // namespace parlor::spec

// Values hold conditions, which are complete only with these.
#include "spec/gamedef/conditions.h"
