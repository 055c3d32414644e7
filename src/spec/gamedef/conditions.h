// What a rule asks: comparisons, membership, and questions about the board.
#pragma once

#include <optional>

#include "spec/gamedef/values.h"

namespace parlor::spec {

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
  PARLOR_NODE(Condition)
};

}  // namespace parlor::spec
