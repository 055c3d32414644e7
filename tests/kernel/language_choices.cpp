// Sections 15.5, 19 and 26: parameters, choices, chance, template moves.
#include "kernel/language.h"

namespace parlor::language {

namespace {

const Json confirm = {{"value", nullptr}, {"confirm", true}};

const std::string three = R"(
- {createToken: {type: card, zone: deck, props: {n: 1, kind: red}}}
- {createToken: {type: card, zone: deck, props: {n: 2, kind: blue}}}
- {createToken: {type: card, zone: deck, props: {n: 3, kind: red}}}
)";

std::string choose_n(const std::string& rest) {
  return "- {chooseN: {bind: $set, options: {query: enums, values: [a, b, c]}, " + rest + "}}\n";
}

}  // namespace

std::vector<Case> choice_cases() {
  return {
      {"19.2 parameters: first slowest, later domains see earlier ones",
       R"(
actions:
  - id: go
    phase: [main]
    params:
      - {name: i, domain: {query: intsInRange, min: 0, max: 1}}
      - {name: j, domain: {query: intsInRange, min: {ref: binding, name: i}, max: 2}}
    pre: {op: '!=', left: {ref: binding, name: j}, right: 1}
    effects: [{advancePhase: {}}]
)",
       "",
       {},
       {{"options",
         {action("go", {{"i", 0}, {"j", 0}}), action("go", {{"i", 0}, {"j", 2}}),
          action("go", {{"i", 1}, {"j", 2}})}}}},
      {"15.5 chooseOne lists options in the order of the query",
       "",
       "- {chooseOne: {bind: $c, options: {query: enums, values: [b, a]}}}",
       {"go"},
       {{"options", {value("b"), value("a")}}}},
      {"26.4 chooseOne with one option is still asked",
       "",
       "- {chooseOne: {bind: $c, options: {query: enums, values: [b]}}}",
       {"go"},
       {{"options", {value("b")}}}},
      {"26.4 chooseOne without options: the action is not offered",
       "",
       "- {chooseOne: {bind: $c, options: {query: tokensInZone, zone: deck}}}",
       {"go"},
       {{"illegal", true}}},
      {"15.5 the chosen token is bound",
       "",
       three + "- {chooseOne: {bind: $c, options: {query: tokensInZone, zone: deck}}}\n- {setVar: "
               "{scope: global, var: x, value: {ref: tokenProp, token: $c, prop: n}}}",
       {"go", value("tok_card_1")},
       {{"/globals/x", 2}}},
      {"0.8 what is offered can be completed",
       "",
       "- {chooseOne: {bind: $i, options: {query: intsInRange, min: 0, max: 3}}}\n- {chooseOne: "
       "{bind: $j, options: {query: intsInRange, min: 2, max: {ref: binding, name: $i}}}}",
       {"go"},
       {{"options", {value(2), value(3)}}}},
      {"0.8 chooseN: adds in option order, then confirm",
       "",
       choose_n("min: 1, max: 2"),
       {"go", value("b")},
       {{"options", {value("c"), confirm}}}},
      {"0.8 chooseN: an add that cannot reach the minimum is not offered",
       "",
       choose_n("min: 2, max: 2"),
       {"go"},
       {{"options", {value("a"), value("b")}}}},
      {"0.8 chooseN: at the maximum only confirm is left",
       "",
       choose_n("min: 0, max: 1") + "- {addVar: {scope: global, var: x, delta: 1}}",
       {"go", value("a")},
       {{"/globals/x", 0}, {"options", Json::array({confirm})}}},
      {"26.4 chooseN: confirm is offered from the minimum on",
       "",
       choose_n("min: 0, max: 3"),
       {"go"},
       {{"options", {value("a"), value("b"), value("c"), confirm}}}},
      {"26.4 chooseN: taking everything is not asked",
       "",
       choose_n("n: 3") + "- forEach: {bind: $i, over: {query: binding, name: $set}, effects: "
                          "[{addVar: {scope: global, var: x, delta: 1}}]}",
       {"go"},
       {{"/globals/x", 3}}},
      {"26.4 chooseN of nothing is not asked",
       "",
       "- {chooseN: {bind: $set, options: {query: tokensInZone, zone: deck}, max: 3}}\n- {addVar: "
       "{scope: global, var: x, delta: 1}}",
       {"go"},
       {{"/globals/x", 1}}},
      {"15.5 chooseN: the maximum is lowered to the number of options",
       "",
       choose_n("min: 1, max: 9"),
       {"go", value("a"), value("b")},
       {{"options", {value("c"), confirm}}}},
      {"0.8 ordered chooseN: any order",
       "",
       choose_n("n: 2, ordered: true"),
       {"go", value("c")},
       {{"options", {value("a"), value("b")}}}},
      {"0.8 ordered chooseN: the list is in the order chosen",
       "",
       choose_n("n: 2, ordered: true") +
           "- forEach: {bind: $i, over: {query: binding, name: $set}, effects: [{if: {when: {op: "
           "==, "
           "left: {ref: binding, name: $i}, right: a}, then: [@1], else: [@2]}}]}",
       {"go", value("c"), value("a"), confirm},
       {{"/globals/t", 21}}},
      {"14 prioritized: a later tier only when the earlier one is exhausted",
       "",
       three + "- {chooseN: {bind: $set, min: 0, max: 2, options: {query: prioritized, tiers: "
               "[{query: tokensInZone, zone: deck, filter: {prop: kind, op: eq, value: blue}}, "
               "{query: tokensInZone, zone: deck, filter: {prop: kind, op: eq, value: red}}]}}}",
       {"go"},
       {{"options", {value("tok_card_1"), confirm}}}},
      {"14 prioritized with qualifier: exhausted per value",
       "",
       three +
           "- {chooseN: {bind: $set, min: 0, max: 2, options: {query: prioritized, "
           "qualifierKey: kind, tiers: [{query: tokensInZone, zone: deck, filter: {prop: n, op: "
           "eq, value: 1}}, {query: tokensInZone, zone: deck, filter: {prop: n, op: in, value: "
           "[2, 3]}}]}}}",
       {"go"},
       {{"options", {value("tok_card_0"), value("tok_card_1"), confirm}}}},
      {"K-10 a template move appears once, its parameters are choices",
       R"(
actions:
  - {id: op, phase: [main], params: [{name: s, domain: {query: players}}]}
actionPipelines:
  - id: profile
    actionId: op
    legality: true
    costValidation: true
    costEffects: [@1]
    targeting: {}
    atomicity: atomic
    stages:
      - effects: [{chooseOne: {bind: $p, options: {query: players}}}]
      - effects: [{addVar: {scope: pvar, player: $p, var: p, delta: 1}}, {advancePhase: {}}]
)",
       "",
       {"op", value(2)},
       {{"/players/2/p", 2}, {"/globals/t", 1}, {"/active", 1}}},
      {"K-11 a profile whose cost cannot be paid is not offered, unless partial",
       R"(
actions:
  - {id: op, phase: [main]}
  - {id: half, phase: [main]}
  - {id: end, phase: [main], effects: [{advancePhase: {}}]}
actionPipelines:
  - {id: a, actionId: op, legality: true, costValidation: false, costEffects: [], targeting: {}, atomicity: atomic, stages: [{effects: [@1]}]}
  - {id: b, actionId: half, legality: true, costValidation: false, costEffects: [@5], targeting: {}, atomicity: partial, stages: [{effects: [@1]}, {costValidation: false, effects: [@2]}, {effects: [@3]}]}
)",
       "",
       {"half"},
       {{"options", {action("half"), action("end")}}, {"/globals/t", 13}}},
      {"K-13 of several profiles the first that applies is used",
       R"(
actions:
  - {id: op, phase: [main]}
actionPipelines:
  - {id: a, actionId: op, applicability: false, legality: true, costValidation: true, costEffects: [], targeting: {}, atomicity: atomic, stages: [{effects: [@1]}]}
  - {id: b, actionId: op, applicability: true, legality: true, costValidation: true, costEffects: [], targeting: {}, atomicity: atomic, stages: [{effects: [@2]}]}
  - {id: c, actionId: op, applicability: true, legality: true, costValidation: true, costEffects: [], targeting: {}, atomicity: atomic, stages: [{effects: [@3]}]}
)",
       "",
       {"op"},
       {{"/globals/t", 2}}},
      {"15.5 rollRandom: a bound name is used instead of the dice",
       "",
       "- {bindValue: {bind: $d, value: 4}}\n- rollRandom: {bind: $d, min: 1, max: 6, in: "
       "[{setVar: "
       "{scope: global, var: x, value: {ref: binding, name: $d}}}]}",
       {"go"},
       {{"/globals/x", 4}}},
  };
}

}  // namespace parlor::language
