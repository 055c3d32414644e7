// What a rule computes: numbers, text, lists, and references to what the state holds.
#pragma once

#include "spec/gamedef/selectors.h"

namespace parlor::spec {

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
  Name key;  // text, a binding or a key of the grant
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
  PARLOR_NODE(Value)
};

}  // namespace parlor::spec
