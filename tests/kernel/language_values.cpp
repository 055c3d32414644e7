// Sections 4, 9, 11, 12 and 13: variables, selectors, values, conditions, filters.
#include "kernel/language.h"

namespace parlor::language {

namespace {

// An effect that stores a value in x.
std::string x_is(const std::string& value) {
  return "- {setVar: {scope: global, var: x, value: " + value + "}}";
}
// An effect that stores in x whether a condition holds.
std::string x_if(const std::string& condition) {
  return x_is("{if: {when: " + condition + ", then: 1, else: 2}}");
}

const std::string cards = R"(
- {createToken: {type: card, zone: deck, props: {n: 1, kind: red}}}
- {createToken: {type: card, zone: deck, props: {n: 2, kind: blue}}}
- {createToken: {type: card, zone: deck, props: {n: 3}}}
)";

}  // namespace

std::vector<Case> value_cases() {
  return {
      {"4 a write is clamped into the bounds",
       "",
       "- {setVar: {scope: global, var: y, value: 99}}",
       {"go"},
       {{"/globals/y", 10}}},
      {"4 an addition is clamped into the bounds",
       "",
       "- {addVar: {scope: pvar, player: actor, var: p, delta: -4}}",
       {"go"},
       {{"/players/0/p", 0}}},
      {"4 zone variables exist for every zone",
       "",
       "- {addVar: {scope: zoneVar, zone: 'b:none', var: z, delta: 2}}",
       {"go"},
       {{"/zoneVars/b:none/z", 2}, {"/zoneVars/deck:none/z", 0}}},
      {"4 booleans hold booleans",
       "",
       "- {setVar: {scope: global, var: flag, value: true}}",
       {"go"},
       {{"/globals/flag", true}}},
      {"9.1 left is one down, right one up, around the table",
       "",
       "- {addVar: {scope: pvar, player: left, var: p, delta: 1}}\n"
       "- {addVar: {scope: pvar, player: right, var: p, delta: 2}}",
       {"go"},
       {{"/players/2/p", 2}, {"/players/1/p", 3}}},
      {"9.1 setActivePlayer does not change who is meant in the running list",
       "",
       "- {setActivePlayer: {player: right}}\n"
       "- {addVar: {scope: pvar, player: active, var: p, delta: 3}}",
       {"go"},
       {{"/players/0/p", 4}, {"/active", 1}}},
      {"9.2 an owned zone by its owner",
       "",
       "- {createToken: {type: card, zone: 'hand:right', props: {n: 1}}}",
       {"go"},
       {{"/zones/hand:1/0/id", "tok_card_0"}, {"/zones/hand:0", Json::array()}}},
      {"9.3 a zone expression is resolved while playing",
       "",
       "- {createToken: {type: card, zone: {zoneExpr: {concat: ['hand:', 2]}}, props: {n: 1}}}",
       {"go"},
       {{"/zones/hand:2/0/id", "tok_card_0"}}},
      {"11 / truncates toward zero",
       "",
       x_is("{op: /, left: -7, right: 2}"),
       {"go"},
       {{"/globals/x", -3}}},
      {"11 floorDiv rounds down",
       "",
       x_is("{op: floorDiv, left: -7, right: 2}"),
       {"go"},
       {{"/globals/x", -4}}},
      {"11 ceilDiv rounds up",
       "",
       x_is("{op: ceilDiv, left: 7, right: 2}"),
       {"go"},
       {{"/globals/x", 4}}},
      {"11 ceilDiv of a negative",
       "",
       x_is("{op: ceilDiv, left: -7, right: 2}"),
       {"go"},
       {{"/globals/x", -3}}},
      {"additions: mod has the sign of the divisor",
       "",
       x_is("{op: mod, left: -7, right: 3}"),
       {"go"},
       {{"/globals/x", 2}}},
      {"11 min and max",
       "",
       x_is("{op: '-', left: {op: max, left: 3, right: 8}, right: {op: min, left: 3, right: 8}}"),
       {"go"},
       {{"/globals/x", 5}}},
      {"T-23 division by zero is a fault: the move is offered, and refused",
       "",
       x_is("{op: /, left: 1, right: {ref: gvar, var: y}}"),
       {"go"},
       {{"fault", "RUN_DIVISION_BY_ZERO"}, {"/globals/x", 0}}},
      {"11 an aggregate over nothing is 0, also for max",
       "",
       x_is("{aggregate: {op: max, query: {query: tokensInZone, zone: deck}, bind: $c, valueExpr: "
            "{op: '-', left: 0, right: {ref: tokenProp, token: $c, prop: n}}}}"),
       {"go"},
       {{"/globals/x", 0}}},
      {"11 sum over tokens",
       "",
       cards + x_is("{aggregate: {op: sum, query: {query: tokensInZone, zone: deck}, bind: $c, "
                    "valueExpr: {ref: tokenProp, token: $c, prop: n}}}"),
       {"go"},
       {{"/globals/x", 6}}},
      {"11 count",
       "",
       cards + x_is("{aggregate: {op: count, query: {query: players}}}"),
       {"go"},
       {{"/globals/x", 3}}},
      {"11 if is lazy",
       "",
       x_is("{if: {when: true, then: 4, else: {op: /, left: 1, right: {ref: gvar, var: y}}}}"),
       {"go"},
       {{"/globals/x", 4}}},
      {"11 zoneProp reads an attribute",
       "",
       x_is("{ref: zoneProp, zone: 'b:none', prop: size}"),
       {"go"},
       {{"/globals/x", 5}}},
      {"0.4 a token binding is an identity: its properties are current",
       "",
       cards +
           "- forEach: {bind: $c, over: {query: tokensInZone, zone: deck, filter: {prop: n, op: "
           "eq, value: 1}}, effects: [{setTokenProp: {token: $c, prop: n, value: 7}}, {setVar: "
           "{scope: global, var: x, value: {ref: tokenProp, token: $c, prop: n}}}]}",
       {"go"},
       {{"/globals/x", 7}}},
      {"K-30 concat of parts is text",
       "",
       "- {bindValue: {bind: $s, value: {concat: [a, ':', none]}}}\n"
       "- {addVar: {scope: zoneVar, zone: $s, var: z, delta: 1}}",
       {"go"},
       {{"/zoneVars/a:none/z", 1}}},
      {"12 == does not coerce",
       "",
       x_if("{op: ==, left: 1, right: {concat: ['1']}}"),
       {"go"},
       {{"/globals/x", 2}}},
      {"12 and stops at the first false",
       "",
       x_if("{op: and, args: [false, {op: ==, left: {op: /, left: 1, right: {ref: gvar, var: y}}, "
            "right: 1}]}"),
       {"go"},
       {{"/globals/x", 2}}},
      {"12 or stops at the first true",
       "",
       x_if("{op: or, args: [true, {op: ==, left: {op: /, left: 1, right: {ref: gvar, var: y}}, "
            "right: 1}]}"),
       {"go"},
       {{"/globals/x", 1}}},
      {"12 in an empty set is false",
       "",
       x_if("{op: in, item: 3, set: []}"),
       {"go"},
       {{"/globals/x", 2}}},
      {"12 in", "", x_if("{op: in, item: 3, set: [1, 3]}"), {"go"}, {{"/globals/x", 1}}},
      {"12 adjacent",
       "",
       x_if("{op: adjacent, left: 'a:none', right: 'b:none'}"),
       {"go"},
       {{"/globals/x", 1}}},
      {"5.2 adjacency goes both ways",
       "",
       x_if("{op: adjacent, left: 'c:none', right: 'b:none'}"),
       {"go"},
       {{"/globals/x", 1}}},
      {"12 connected",
       "",
       x_if("{op: connected, from: 'a:none', to: 'c:none'}"),
       {"go"},
       {{"/globals/x", 1}}},
      {"12 connected: a zone is not connected to itself",
       "",
       x_if("{op: connected, from: 'a:none', to: 'a:none', maxDepth: 0}"),
       {"go"},
       {{"/globals/x", 2}}},
      {"12 connected: maxDepth",
       "",
       x_if("{op: connected, from: 'a:none', to: 'c:none', maxDepth: 1}"),
       {"go"},
       {{"/globals/x", 2}}},
      {"12 connected: via is asked of every zone entered, the target too",
       "",
       x_if("{op: connected, from: 'a:none', to: 'b:none', via: {op: ==, left: {ref: zoneProp, "
            "zone: $zone, prop: category}, right: town}}"),
       {"go"},
       {{"/globals/x", 2}}},
      {"12 connected: allowTargetOutsideVia",
       "",
       x_if("{op: connected, from: 'a:none', to: 'b:none', allowTargetOutsideVia: true, via: {op: "
            "==, left: {ref: zoneProp, zone: $zone, prop: category}, right: town}}"),
       {"go"},
       {{"/globals/x", 1}}},
      {"12 zonePropIncludes",
       "",
       x_if("{op: zonePropIncludes, zone: 'a:none', prop: tags, value: dry}"),
       {"go"},
       {{"/globals/x", 1}}},
      {"13 a missing property makes neq false",
       "",
       cards + x_is("{aggregate: {op: count, query: {query: tokensInZone, zone: deck, filter: "
                    "{prop: kind, op: neq, value: red}}}}"),
       {"go"},
       {{"/globals/x", 1}}},
      {"13 a missing property makes notIn false, and not turns that round",
       "",
       cards + x_is("{aggregate: {op: count, query: {query: tokensInZone, zone: deck, filter: {op: "
                    "not, arg: {prop: kind, op: notIn, value: [red]}}}}}"),
       {"go"},
       {{"/globals/x", 2}}},
      {"13 and, or",
       "",
       cards + x_is("{aggregate: {op: count, query: {query: tokensInZone, zone: deck, filter: {op: "
                    "or, args: [{prop: n, op: eq, value: 3}, {op: and, args: [{prop: n, op: in, "
                    "value: [1, 2]}, {prop: kind, op: eq, value: blue}]}]}}}}"),
       {"go"},
       {{"/globals/x", 2}}},
  };
}

}  // namespace parlor::language
