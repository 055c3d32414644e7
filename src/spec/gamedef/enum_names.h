// The JSON words of every enumeration in a GameDef, in the order of its values.
#pragma once

#include <array>
#include <string_view>

#include "spec/gamedef/gamedef.h"

namespace parlor::spec {

template <class Enum>
struct EnumNames;

#define PARLOR_NAMES(Enum, ...)                                                   \
  template <>                                                                     \
  struct EnumNames<Enum> {                                                        \
    static constexpr auto names = std::to_array<std::string_view>({__VA_ARGS__}); \
  };
PARLOR_NAMES(ArithOp, "+", "-", "*", "/", "floorDiv", "ceilDiv", "mod", "min", "max")
PARLOR_NAMES(AggregateOp, "count", "sum", "min", "max")
PARLOR_NAMES(CompareOp, "==", "!=", "<", "<=", ">", ">=")
PARLOR_NAMES(FilterOp, "eq", "neq", "in", "notIn")
PARLOR_NAMES(TokenTest::Field, "prop", "tokenId", "tokenType", "tokenZone", "zoneProp")
PARLOR_NAMES(Cardinality, "many", "exactlyOne", "zeroOrOne")
PARLOR_NAMES(VarCell::Scope, "global", "pvar", "zoneVar")
PARLOR_NAMES(ZonePosition, "top", "bottom", "random")
PARLOR_NAMES(VarType, "int", "boolean", "enum", "player", "zone", "token")
PARLOR_NAMES(ZoneOwner, "none", "player")
PARLOR_NAMES(Visibility, "public", "owner", "hidden")
PARLOR_NAMES(Seen, "asDeclared", "public", "seat", "hidden")
PARLOR_NAMES(Ordering, "stack", "queue", "set")
PARLOR_NAMES(ZoneKind, "board", "aux")
PARLOR_NAMES(DrawFrom, "top", "bottom", "random")
PARLOR_NAMES(PropType, "int", "string", "boolean")
PARLOR_NAMES(TurnOrderKind, "roundRobin", "fixedOrder", "simultaneous", "cardDriven")
PARLOR_NAMES(LimitScope, "turn", "phase", "game", "round")
PARLOR_NAMES(EventKind, "phaseEnter", "phaseExit", "turnStart", "turnEnd", "roundStart", "roundEnd",
             "actionResolved", "tokenEntered", "varChanged")
PARLOR_NAMES(ResultKind, "win", "lossAll", "draw", "score")
PARLOR_NAMES(ActionClass, "none", "pass", "event", "operation", "limitedOperation",
             "operationPlusSpecialActivity", "specialActivity")
PARLOR_NAMES(Viability, "emitAlways", "requireUsableAtIssue", "requireUsableForEventPlay")
PARLOR_NAMES(Completion, "optional", "required", "skipIfNoLegalCompletion")
PARLOR_NAMES(Duration, "turn", "nextTurn", "round", "cycle")
template <>
struct EnumNames<HookPoint> {
  static constexpr auto names = std::to_array<std::string_view>({
#define HOOK(name, word, help) word,
#include "rules/hooks.def"
  });
};
// The selector words; ids and bindings are written differently.
PARLOR_NAMES(PlayerSel::Kind, "actor", "active", "all", "allOther", "left", "right", "next",
             "previous", "opponent")
#undef PARLOR_NAMES

template <class Enum>
constexpr std::string_view enum_name(Enum value) {
  return EnumNames<Enum>::names[static_cast<std::size_t>(value)];
}

template <class Enum>
constexpr std::optional<Enum> enum_from_name(std::string_view name) {
  const auto& names = EnumNames<Enum>::names;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return static_cast<Enum>(i);
  return std::nullopt;
}

}  // namespace parlor::spec
