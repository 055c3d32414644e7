// The typed form of what a game computes: selectors, values, conditions, token filters, queries.
//
// This is the language after expansion: no macros, no templates, constants already folded, seat
// names already turned into player numbers, zone selectors taken apart. Names of variables, zones,
// markers and so on are still text; the kernel's linker turns them into numbers.
//
// Every struct lists its members once, in `fields`; JSON writing, JSON reading and the JSON Schema
// are all made from that list (encode, decode and schema.cpp), so they cannot disagree. A tag says
// how a node looks in JSON: {"ref": "gvar", …} for inline tags, {"setVar": {…}} for wrapped ones.
#pragma once

#include <tuple>

#include "spec/gamedef/conditions.h"
#include "spec/gamedef/queries.h"
#include "spec/gamedef/selectors.h"
#include "spec/gamedef/values.h"

namespace parlor::spec {

// Nodes that hold nodes of their own kind can only be compared once those are complete types.
inline bool operator==(const ZoneSel& a, const ZoneSel& b) {
  return a.kind == b.kind && a.text == b.text && a.owner == b.owner && a.expr == b.expr;
}
inline bool operator==(const DirectionSel& a, const DirectionSel& b) {
  return a.kind == b.kind && a.names == b.names && a.binding == b.binding && a.expr == b.expr;
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
PARLOR_SAME(ItemOf, x.query, x.at)
PARLOR_SAME(RankOf, x.of, x.query, x.bind, x.by, x.descending)
PARLOR_SAME(ComputedPropRef, x.token, x.prop, x.among)
PARLOR_SAME(NumberOf, x.of)
PARLOR_SAME(ZoneAt, x.number)
PARLOR_SAME(TokenAt, x.number)
PARLOR_SAME(LongestPath, x.from, x.where)
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
PARLOR_SAME(SortQuery, x.source, x.bind, x.by, x.descending)
PARLOR_SAME(MapQuery, x.source, x.bind, x.value)

}  // namespace parlor::spec
