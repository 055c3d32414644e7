// The typed form of what a game computes: selectors, values, conditions, token filters, queries.
//
// This is the language after expansion: no macros, no templates, constants already folded, seat
// names already turned into player numbers, zone selectors taken apart. Names of variables, zones,
// markers and so on are still text; the kernel's linker turns them into numbers.
//
// Every struct lists its members once, in `fields`; JSON writing, JSON reading, the JSON Schema and
// comparing are all made from that list (forms.h), so they cannot disagree. A tag says
// how a node looks in JSON: {"ref": "gvar", …} for inline tags, {"setVar": {…}} for wrapped ones.
#pragma once

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
}  // namespace parlor::spec
