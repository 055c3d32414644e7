// What can go wrong while playing and is known without playing (T-23, T-24).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "spec/lower/lower_testing.h"

namespace parlor::spec::testing {
namespace {

using Found = std::vector<std::string>;

Found found_in(std::string_view yaml) {
  return codes(compile_effects(yaml));
}

// pot = 6 / this, in an effect.
std::string divide_by(std::string_view divisor) {
  return fmt::format("- setVar: {{scope: global, var: pot, value: {{op: /, left: 6, right: {}}}}}",
                     divisor);
}

const std::string pot = "{ref: gvar, var: pot}";
const Found may_be_zero{"DIVISOR_MAY_BE_ZERO"};

TEST(Hazards, T23ADivisorThatCanBeZeroIsSaid) {
  EXPECT_EQ(found_in(divide_by(pot)), may_be_zero);
  EXPECT_EQ(found_in(divide_by("{ref: zoneCount, zone: deck}")), may_be_zero);
  EXPECT_EQ(found_in(divide_by("{op: '-', left: " + pot + ", right: 1}")), may_be_zero);
  EXPECT_EQ(
      found_in(divide_by("{aggregate: {op: count, query: {query: tokensInZone, zone: deck}}}")),
      may_be_zero);
  for (const char* op : {"floorDiv", "ceilDiv", "mod"})
    EXPECT_EQ(found_in(fmt::format("- setVar: {{scope: global, var: pot, value: {{op: {}, left: 6, "
                                   "right: {}}}}}",
                                   op, pot)),
              may_be_zero);
}

TEST(Hazards, T23ADivisorThatCannotBeZeroIsFine) {
  for (const std::string& divisor : {std::string("{op: max, left: 1, right: " + pot + "}"),
                                     std::string("{op: '+', left: 1, right: " + pot + "}"),
                                     std::string("{ref: clock, field: playerCount}"),
                                     std::string("{if: {when: {op: '>', left: " + pot +
                                                 ", right: 0}, then: " + pot + ", else: 3}}")})
    EXPECT_EQ(found_in(divide_by(divisor)), Found{}) << divisor;
  EXPECT_EQ(found_in("- forEach: {bind: $i, over: {query: intsInRange, min: 1, max: 3}, effects: "
                     "[{bindValue: {bind: $x, "
                     "value: {op: /, left: 6, right: {ref: binding, name: $i}}}}]}"),
            Found{});
  EXPECT_EQ(found_in("- bindValue: {bind: $n, value: {op: max, left: 2, right: " + pot + "}}\n" +
                     divide_by("{ref: binding, name: $n}")),
            Found{});
}

std::string guarded(const std::string& condition, const std::string& before = "") {
  return "- if: {when: " + condition + ", then: [" + before +
         "{setVar: {scope: global, var: pot, value: {op: /, left: 6, right: " + pot + "}}}]}";
}

TEST(Hazards, T23WhatWasAskedBeforeIsKnown) {
  EXPECT_EQ(found_in(guarded("{op: '>', left: " + pot + ", right: 0}")), Found{});
  EXPECT_EQ(found_in(guarded("{op: '!=', left: 0, right: " + pot + "}")), Found{});
  EXPECT_EQ(found_in(guarded("{op: not, arg: {op: ==, left: " + pot + ", right: 0}}")), Found{});
  EXPECT_EQ(found_in(guarded("{op: '>=', left: " + pot + ", right: 0}")), may_be_zero);
  EXPECT_EQ(found_in(guarded("{op: and, args: [{op: '>', left: " + pot +
                             ", right: 0}, {op: '>', left: {op: /, left: 6, right: " + pot +
                             "}, right: 1}]}")),
            Found{});
  EXPECT_EQ(found_in("- require: {op: '>', left: " + pot + ", right: 0}\n" + divide_by(pot)),
            Found{});
  // It may be another number afterwards.
  EXPECT_EQ(found_in(guarded("{op: '>', left: " + pot + ", right: 0}",
                             "{addVar: {scope: global, var: pot, delta: -1}}, ")),
            may_be_zero);
}

constexpr std::string_view two_types = R"(metadata: {{id: types, players: {{min: 2, max: 2}}}}
globalVars: [{{name: sum, type: int, init: 0, min: 0, max: 100}}]
zones:
  - {{id: bank, owner: none, visibility: public, ordering: set}}
  - {{id: deck, owner: none, visibility: public, ordering: set}}
tokenTypes: [{{id: coin, props: {{worth: int}}}}, {{id: card, props: {{rank: int}}}}]
setup:
  - {{createToken: {{type: coin, zone: bank, props: {{worth: 1}}}}}}
  - {{createToken: {{type: card, zone: deck, props: {{rank: 1}}}}}}
turnStructure: {{phases: [{{id: main}}]}}
actions:
  - id: go
    phase: [main]
    effects:
      - forEach:
          bind: $t
          over: {}
          effects: [{{addVar: {{scope: global, var: sum, delta: {{ref: tokenProp, token: $t, prop: {}}}}}}}]
      - {{advancePhase: {{}}}}
terminal: {{conditions: [{{when: {{op: '>', left: {{ref: gvar, var: sum}}, right: 9}}, result: {{type: draw}}}}]}}
)";

Found reading(std::string_view query, std::string_view prop) {
  return codes(compile(fmt::format(two_types, query, prop)));
}

TEST(Hazards, T23APropertyThatTheTypeLacksIsSaid) {
  const Found lacking{"TOKEN_PROP_LACKING"};
  EXPECT_EQ(reading("{query: tokensInZone, zone: bank}", "worth"), Found{});
  EXPECT_EQ(reading("{query: tokensInZone, zone: bank}", "rank"), lacking);
  EXPECT_EQ(reading("{query: tokensInZone, zone: deck}", "worth"), lacking);
}

constexpr std::string_view phases = R"(metadata: {{id: phases, players: {{min: 2, max: 2}}}}
globalVars: [{{name: sum, type: int, init: 0, min: 0, max: 100}}]
zones: [{{id: bank, owner: none, visibility: public, ordering: set}}]
turnStructure: {{phases: [{{id: first}}, {{id: second}}, {{id: third}}]}}
actions:
  - {{id: go, phase: [first], effects: [{{addVar: {{scope: global, var: sum, delta: 1}}}}, {{advancePhase: {{}}}}]}}
  - {{id: back, phase: [{}], effects: [{}{{gotoPhaseExact: {{phase: {}}}}}]}}
terminal: {{conditions: [{{when: {{op: '>', left: {{ref: gvar, var: sum}}, right: 9}}, result: {{type: draw}}}}]}}
)";

Found going(std::string_view from, std::string_view to, std::string_view before = "") {
  return codes(compile(fmt::format(phases, from, before, to)));
}

TEST(Hazards, T24APhaseThatLiesBehindIsSaid) {
  const Found behind{"PHASE_BEHIND"};
  EXPECT_EQ(going("second", "first"), behind);
  EXPECT_EQ(going("second, third", "first"), behind);
  EXPECT_EQ(going("second", "third"), Found{});
  EXPECT_EQ(going("second", "second"), Found{});
  EXPECT_EQ(going("first, third", "second"), Found{}) << "from the first it can be gone to";
  EXPECT_EQ(going("third", "first", "{advancePhase: {}}, "), Found{}) << "a new turn has begun";
}

}  // namespace
}  // namespace parlor::spec::testing
