// What may be done, and what happens where the rules go wrong: section 19, T-20 to T-23.
#include "kernel/language.h"

namespace parlor::language {

namespace {

// One of three players has as much in `p` as their number, and may command.
const std::string command = R"(
setup:
  - {setVar: {scope: pvar, player: {id: 0}, var: p, value: 0}}
  - {setVar: {scope: pvar, player: {id: 1}, var: p, value: 1}}
  - {setVar: {scope: pvar, player: {id: 2}, var: p, value: 2}}
)";

std::string command_with(const std::string& rest) {
  return command +
         "actions:\n  - {id: end, phase: [main], effects: [{advancePhase: {}}]}\n"
         "  - id: go\n    phase: [main]\n    executor: $whom\n" +
         rest;
}

// An action with a pipeline that chooses $n of 1 to 8 and spends it; there are 5.
std::string spending(const std::string& of_pipeline, const std::string& of_action = "",
                     const std::string& phase = "{id: main}",
                     const std::string& stage = "- effects: [@0]") {
  return R"(
setup: [{setVar: {scope: global, var: x, value: 5}}]
turnStructure: {phases: [)" +
         phase + R"(]}
actions:
  - {id: end, phase: [main], effects: [{advancePhase: {}}]}
  - {id: buy, phase: [main])" +
         of_action + R"(}
actionPipelines:
  - id: buying
    actionId: buy
    targeting: {}
    )" + of_pipeline +
         R"(
    stages:
      )" +
         stage +
         R"(
      - effects: [{chooseOne: {bind: $n, options: {query: intsInRange, min: 1, max: 8}}}]
      - effects: [{addVar: {scope: global, var: x, delta: {op: '-', left: 0, right: {ref: binding, name: $n}}}}, {advancePhase: {}}]
)";
}

const std::string affordable =
    "{op: '<=', left: {ref: binding, name: $n}, right: {ref: gvar, var: x}}";
const Json one_to_five = {value(1), value(2), value(3), value(4), value(5)};

// An action `go` that is offered and refused because these sections go wrong over it.
Case goes_wrong(const std::string& name, const std::string& sections,
                const std::string& effects = "- {addVar: {scope: global, var: x, delta: 1}}",
                const std::string& code = "RUN_DIVISION_BY_ZERO") {
  return {"T-23 " + name, sections, effects, {"go"}, {{"fault", code}, {"/globals/x", 0}}};
}

// 1 / y while y is 0, as it always is here.
const std::string broken = "{op: /, left: 1, right: {ref: gvar, var: y}}";
const std::string broken_condition = "{op: '>', left: " + broken + ", right: 0}";

std::vector<Case> executor_cases() {
  return {
      {"T-21 executor: later domains mean the executor by `actor`",
       command_with("    params:\n      - {name: $whom, domain: {query: players}}\n"
                    "      - {name: $n, domain: {query: intsInRange, min: 1, max: {ref: pvar, "
                    "player: actor, var: p}}}\n"),
       "",
       {},
       {{"options",
         {action("end"), action("go", {{"$whom", 1}, {"$n", 1}}),
          action("go", {{"$whom", 2}, {"$n", 1}}), action("go", {{"$whom", 2}, {"$n", 2}})}}}},
      {"T-21 executor: pre means the executor by `actor`",
       command_with("    params: [{name: $whom, domain: {query: players}}]\n"
                    "    pre: {op: '>=', left: {ref: pvar, player: actor, var: p}, right: 1}\n"),
       "",
       {},
       {{"options", {action("end"), action("go", {{"$whom", 1}}), action("go", {{"$whom", 2}})}}}},
      {"T-21 executor: the phase's pre means the executor by `actor`",
       "turnStructure: {phases: [{id: main, actionDefaults: {pre: {op: '!=', left: {ref: player, "
       "player: actor}, right: 2}}}]}\n" +
           command_with("    params: [{name: $whom, domain: {query: players}}]\n"),
       "",
       {},
       {{"options", {action("end"), action("go", {{"$whom", 0}}), action("go", {{"$whom", 1}})}}}},
      {"T-21 executor: the price is the executor's, and so are the effects",
       command_with("    params: [{name: $whom, domain: {query: players}}]\n    price: {p: 2}\n"
                    "    effects: [{addVar: {scope: global, var: x, delta: {op: '+', left: 1, "
                    "right: {ref: player, player: actor}}}}]\n"),
       "",
       {action("go", {{"$whom", 2}})},
       {{"/players/2/p", 0}, {"/players/0/p", 0}, {"/globals/x", 3}, {"options", {action("end")}}}},
      {"T-21 actor: a parameter may say who has to be active",
       command_with("    actor: $whom\n    params: [{name: $whom, domain: {query: players}}]\n"),
       "",
       {"end"},
       {{"options", {action("end"), action("go", {{"$whom", 1}})}}}},
  };
}

std::vector<Case> waiting_cases() {
  return {
      {"T-22 costValidation waits for its binding and sees the state the move began with",
       spending("costEffects: []\n    atomicity: atomic\n    costValidation: " + affordable),
       "",
       {"buy"},
       {{"options", one_to_five}}},
      {"T-22 what was affordable is spent",
       spending("costEffects: []\n    atomicity: atomic\n    costValidation: " + affordable),
       "",
       {"buy", value(5)},
       {{"/globals/x", 0}, {"/active", 1}}},
      {"T-22 legality waits for its binding",
       spending("costEffects: []\n    atomicity: atomic\n    legality: " + affordable),
       "",
       {"buy"},
       {{"options", one_to_five}}},
      {"T-22 legality waits for its binding, also in a partial pipeline",
       spending("costEffects: []\n    atomicity: partial\n    legality: " + affordable),
       "",
       {"buy"},
       {{"options", one_to_five}}},
      {"T-22 pre waits for its binding",
       spending("costEffects: []\n    atomicity: atomic", ", pre: " + affordable),
       "",
       {"buy"},
       {{"options", one_to_five}}},
      {"T-22 the phase's pre waits for its binding",
       spending("costEffects: []\n    atomicity: atomic", "",
                "{id: main, actionDefaults: {pre: {op: or, args: [{op: '<', left: {ref: gvar, "
                "var: x}, right: 5}, " +
                    affordable + "]}}}"),
       "",
       {"buy"},
       {{"options", one_to_five}}},
      {"T-22 a condition that waits sees the state before anything was changed",
       spending("costEffects: []\n    atomicity: atomic\n    legality: " + affordable, "",
                "{id: main}", "- effects: [{setVar: {scope: global, var: x, value: 1}}]"),
       "",
       {"buy"},
       {{"options", one_to_five}, {"/globals/x", 1}}},
      {"T-22 a cost that waits is paid when it is known",
       spending("costEffects: [{addVar: {scope: global, var: y, delta: {ref: binding, name: "
                "$n}}}]\n    atomicity: atomic\n    costValidation: " +
                affordable),
       "",
       {"buy", value(2)},
       {{"/globals/x", 3}, {"/globals/y", 2}}},
      {"T-22 a partial pipeline does not pay what it cannot afford, and goes on",
       spending("costEffects: [{addVar: {scope: global, var: y, delta: {ref: binding, name: "
                "$n}}}]\n    atomicity: partial\n    costValidation: " +
                affordable),
       "",
       {"buy", value(7)},
       {{"/globals/x", -2}, {"/globals/y", 0}}},
  };
}

std::vector<Case> fault_cases() {
  const std::string end = "  - {id: end, phase: [main], effects: [{advancePhase: {}}]}\n";
  return {
      goes_wrong("effects: offered, and refused with the code", "",
                 "- {setVar: {scope: global, var: x, value: " + broken + "}}"),
      goes_wrong("a pre that faults hides nothing",
                 "actions:\n" + end + "  - {id: go, phase: [main], pre: " + broken_condition + "}"),
      goes_wrong("a domain that faults leaves the action without parameters",
                 "actions:\n" + end +
                     "  - id: go\n    phase: [main]\n    params: [{name: i, domain: {query: "
                     "intsInRange, min: 0, max: " +
                     broken + "}}]"),
      goes_wrong("a trigger's when", "triggers: [{event: {type: varChanged, var: x}, when: " +
                                         broken_condition + ", effects: [@1]}]"),
      goes_wrong("a trigger's effects",
                 "triggers: [{event: {type: varChanged, var: x}, effects: [{setVar: {scope: "
                 "global, var: t, value: " +
                     broken + "}}]}]"),
      goes_wrong("a terminal condition",
                 "terminal: {conditions: [{when: {op: and, args: [{op: '>', left: {ref: gvar, var: "
                 "x}, right: 0}, " +
                     broken_condition + "]}, result: {type: draw}}]}"),
      goes_wrong("scoring",
                 "terminal: {conditions: [{when: {op: '>', left: {ref: gvar, var: x}, right: 0}, "
                 "result: {type: score}}], scoring: {method: highest, value: " +
                     broken + "}}"),
      goes_wrong("the entry of a phase",
                 "turnStructure: {phases: [{id: main}, {id: late, onEnter: [{setVar: {scope: "
                 "global, var: t, value: " +
                     broken + "}}]}]}",
                 "- {addVar: {scope: global, var: x, delta: 1}}\n- {advancePhase: {}}"),
      goes_wrong("a price",
                 "actions:\n" + end + "  - {id: go, phase: [main], price: {p: " + broken + "}}"),
      goes_wrong("a missing property", "",
                 "- {createToken: {type: card, zone: deck, props: {n: 1}}}\n- forEach: {bind: $c, "
                 "over: {query: tokensInZone, zone: deck}, effects: [{if: {when: {op: ==, left: "
                 "{ref: tokenProp, token: $c, prop: kind}, right: red}, then: [@1]}}]}",
                 "RUN_PROPERTY_MISSING"),
      {"T-23 a choice one answer to which faults offers it, and refuses it",
       "",
       "- {chooseOne: {bind: $i, options: {query: intsInRange, min: 0, max: 2}}}\n- {setVar: "
       "{scope: global, var: x, value: {op: /, left: 4, right: {ref: binding, name: $i}}}}",
       {"go", value(0)},
       {{"fault", "RUN_DIVISION_BY_ZERO"}, {"options", {value(0), value(1), value(2)}}}},
      {"T-23 an illegal answer is not offered, one that faults is",
       "",
       "- {chooseOne: {bind: $i, options: {query: intsInRange, min: 0, max: 3}}}\n"
       "- {require: {op: '!=', left: {ref: binding, name: $i}, right: 2}}\n- {setVar: "
       "{scope: global, var: x, value: {op: /, left: 4, right: {ref: binding, name: $i}}}}",
       {"go"},
       {{"options", {value(0), value(1), value(3)}}}},
      {"T-23 require: a move that breaks it is illegal",
       "",
       "- {addVar: {scope: global, var: x, delta: 4}}\n- {require: {op: '<', left: {ref: gvar, "
       "var: x}, right: 4}}",
       {"go"},
       {{"illegal", true}, {"/globals/x", 0}}},
      {"T-23 require in a trigger makes the move that fires it illegal",
       "triggers: [{event: {type: varChanged, var: x}, effects: [{require: false}]}]",
       "- {addVar: {scope: global, var: x, delta: 4}}",
       {"go"},
       {{"illegal", true}}},
      {"T-23 a comparison with an attribute the zone lacks is false, and so is !=",
       "",
       "- {setVar: {scope: global, var: x, value: {aggregate: {op: count, query: {query: zones, "
       "filter: {op: or, args: [{op: ==, left: {ref: zoneProp, zone: $zone, prop: size}, right: "
       "5}, {op: '!=', left: {ref: zoneProp, zone: $zone, prop: size}, right: 5}]}}}}}}",
       {"go"},
       {{"/globals/x", 3}}},
      {"T-23 drawing fewer than none draws nothing",
       "",
       "- {createToken: {type: card, zone: deck, props: {n: 1}}}\n- {draw: {from: deck, to: pile, "
       "count: {op: '-', left: 0, right: 3}}}",
       {"go"},
       {{"/zones/deck:none/0/id", "tok_card_0"}}},
      {"T-23 bad luck does not make a move illegal: it is offered if luck can carry it through",
       "",
       "- rollRandom: {bind: $d, min: 1, max: 6, in: [{require: {op: '<', left: {ref: binding, "
       "name: $d}, right: 7}}]}",
       {},
       {{"options", {action("end"), action("go")}}}},
      {"T-23 what no luck can carry through is illegal",
       "",
       "- rollRandom: {bind: $d, min: 1, max: 6, in: [{require: {op: '>', left: {ref: binding, "
       "name: $d}, right: 6}}]}",
       {"go"},
       {{"illegal", true}}},
  };
}

}  // namespace

std::vector<Case> legality_cases() {
  std::vector<Case> out;
  for (const auto& group : {executor_cases(), waiting_cases(), fault_cases()})
    out.insert(out.end(), group.begin(), group.end());
  return out;
}

}  // namespace parlor::language
