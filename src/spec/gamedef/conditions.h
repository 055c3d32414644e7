// What a rule asks: comparisons, membership, and questions about the board.
#pragma once

#include <optional>

#include "spec/gamedef/values.h"

namespace parlor::spec {

struct AllOf {
  PARLOR_TAG("op", "and", "Holds when all of its conditions do.", "all allOf AND &&")
  std::vector<Condition> args;
  PARLOR_FIELDS(visit("args", self.args,
                      is::conditions.some("`and` needs at least one condition"));)
};
struct AnyOf {
  PARLOR_TAG("op", "or", "Holds when one of its conditions does.", "any anyOf OR ||")
  std::vector<Condition> args;
  PARLOR_FIELDS(visit("args", self.args, is::conditions.some("`or` needs at least one condition"));)
};
struct Not {
  PARLOR_TAG("op", "not", "Holds when its condition does not.", "NOT !")
  Box<Condition> arg;
  PARLOR_FIELDS(visit("arg", self.arg, is::condition);)
};
enum class CompareOp : std::uint8_t { equal, not_equal, less, less_equal, greater, greater_equal };
constexpr bool holds(CompareOp op, Int a, Int b) {
  return op == CompareOp::equal        ? a == b
         : op == CompareOp::not_equal  ? a != b
         : op == CompareOp::less       ? a < b
         : op == CompareOp::less_equal ? a <= b
         : op == CompareOp::greater    ? a > b
                                       : a >= b;
}
struct Compare {
  PARLOR_VARIANTS(
      {{"op", "==", "Holds when both are the same.", "= eq equals equal is"}},
      {{"op", "!=", "Holds when they differ.", "neq ne notEquals <>"}},
      {{"op", "<", "Holds when the left number is smaller.", "lt lessThan"}},
      {{"op", "<=", "Holds when the left number is not greater.", "lte le lessThanOrEqual =<"}},
      {{"op", ">", "Holds when the left number is greater.", "gt greaterThan"}},
      {{"op", ">=", "Holds when the left number is not smaller.", "gte ge greaterThanOrEqual =>"}})
  CompareOp op = CompareOp::equal;
  Value left, right;
  PARLOR_READ_BY_HAND  // `<` and its like compare numbers only
  PARLOR_FIELDS(visit("op", self.op, is::derived); visit("left", self.left, is::value);
                visit("right", self.right, is::value);)
};
struct In {
  PARLOR_TAG("op", "in", "Holds when `item` is one of the list `set`.", "contains includes")
  Value item, set;
  PARLOR_CHECKED
  PARLOR_FIELDS(visit("item", self.item, is::value); visit("set", self.set, is::value);)
};
struct Adjacent {
  PARLOR_TAG("op", "adjacent", "Holds when two zones are neighbours.")
  ZoneSel left, right;
  PARLOR_FIELDS(visit("left", self.left, is::zone); visit("right", self.right, is::zone);)
};
struct Connected {
  PARLOR_TAG("op", "connected",
             "Holds when one can get from a zone to another over zones a condition holds for.")
  ZoneSel from, to;
  std::vector<Condition> via;  // none or one; `$zone` is bound
  bool allow_target_outside_via = false;
  std::optional<Int> max_depth;
  PARLOR_FIELDS(visit("from", self.from, is::zone); visit("to", self.to, is::zone);
                visit("via", self.via, is::condition.with("$zone").optional());
                visit("allowTargetOutsideVia", self.allow_target_outside_via, is::flag.optional());
                visit("maxDepth", self.max_depth, is::count.from(0, "").optional());)
};
struct ZonePropIncludes {
  PARLOR_TAG("op", "zonePropIncludes", "Holds when a list attribute of a zone has an item.")
  ZoneSel zone;
  std::string prop;
  Value value;
  PARLOR_FIELDS(visit("zone", self.zone, is::space); visit("prop", self.prop, is::zone_list_prop);
                visit("value", self.value, is::text_value);)
};
struct MarkerStateAllowed {
  PARLOR_TAG("op", "markerStateAllowed", "Holds when the rules allow a marker that state.")
  ZoneSel space;
  std::string marker;
  Value state;
  PARLOR_FIELDS(visit("space", self.space, is::space); visit("marker", self.marker, is::marker);
                visit("state", self.state, is::marker_state.of("marker"));)
};
struct MarkerShiftAllowed {
  PARLOR_TAG("op", "markerShiftAllowed",
             "Holds when the rules allow a marker to move so many states.")
  ZoneSel space;
  std::string marker;
  Value delta;
  PARLOR_FIELDS(visit("space", self.space, is::space); visit("marker", self.marker, is::marker);
                visit("delta", self.delta, is::number);)
};
// At least `length` zones in a row satisfy `where` (`$zone` bound); through `zone` if given, else
// anywhere on the board. A row follows one direction and its opposite.
struct LineOf {
  PARLOR_TAG("op", "lineOf", "Holds when so many zones in a row satisfy a condition.")
  std::vector<ZoneSel> zone;  // none or one
  DirectionSel directions;
  Value length;
  Box<Condition> where;
  PARLOR_CHECKED
  PARLOR_FIELDS(visit("zone", self.zone,
                      is::zone.optional().help("through this one; else anywhere"));
                visit("directions", self.directions, is::directions.optional());
                visit("length", self.length, is::number.from(1, "a line has at least one zone"));
                visit("where", self.where, is::condition.with("$zone"));)
};
// Some result of the query exists (and satisfies `where` with `bind` bound). `all` is the dual.
struct Exists {
  PARLOR_TAG("op", "exists",
             "Holds when a query gives something, or something that satisfies `where`.")
  Box<Query> query;
  std::string bind;              // empty: only asks whether there is a result
  std::vector<Condition> where;  // none or one
  PARLOR_FIELDS(visit("query", self.query, is::query);
                visit("bind", self.bind, is::binder.of("query").in("where").optional());
                visit("where", self.where,
                      is::condition.ends("it exists only inside the condition").optional());)
};
struct ForAll {
  PARLOR_TAG("op", "forAll", "Holds when all that a query gives satisfies `where`.")
  Box<Query> query;
  std::string bind;
  Box<Condition> where;
  PARLOR_FIELDS(visit("query", self.query, is::query);
                visit("bind", self.bind, is::binder.of("query").in("where"));
                visit("where", self.where,
                      is::condition.ends("it exists only inside the condition"));)
};

// Every condition there is besides `true` and `false`: what ConditionNode is one of, and what the
// linker has a node for.
// clang-format off
#define PARLOR_CONDITIONS(EACH) \
  EACH(AllOf) EACH(AnyOf) EACH(Not) EACH(Compare) EACH(In) EACH(Adjacent) EACH(Connected) \
  EACH(ZonePropIncludes) EACH(MarkerStateAllowed) EACH(MarkerShiftAllowed) EACH(LineOf) \
  EACH(Exists) EACH(ForAll)
// clang-format on
using ConditionNode = std::variant<bool PARLOR_CONDITIONS(PARLOR_NEXT)>;
struct Condition {
  ConditionNode node = true;
  PlaceId at;
  PARLOR_NODE(Condition)
};

}  // namespace parlor::spec

// Conditions hold queries, which are complete only with these.
#include "spec/gamedef/queries.h"
