// Sections 17, 19.3, 21 and 22, K-01 to K-05, M-20 to M-22: phases, turns, rounds, triggers, ends.
#include "kernel/language.h"

namespace parlor::language {

namespace {

const std::string two_phases = R"(
turnStructure:
  phases:
    - {id: main, onEnter: [@1], onExit: [@2]}
    - {id: late, onEnter: [@3], onExit: [@4]}
)";

const std::string in_both = R"(
actions:
  - {id: end, phase: [main, late], effects: [{advancePhase: {}}]}
)";

}  // namespace

std::vector<Case> turn_cases() {
  return {
      {"17.1 the first phase is entered at the start",
       two_phases + in_both.substr(1),
       "",
       {},
       {{"/globals/t", 1}, {"/phase", "main"}, {"/turn", 1}, {"/round", 1}, {"/active", 0}}},
      {"17.3 advancePhase leaves one phase and enters the next",
       two_phases + in_both.substr(1),
       "",
       {"end"},
       {{"/globals/t", 123}, {"/phase", "late"}, {"/active", 0}}},
      {"17.3 after the last phase the turn passes",
       two_phases + in_both.substr(1),
       "",
       {"end", "end"},
       {{"/globals/t", 12341}, {"/phase", "main"}, {"/active", 1}, {"/turn", 2}}},
      {"17.3 order: exit, turnEnd, turnStart, enter",
       R"(
turnStructure: {phases: [{id: main, onExit: [@1], onEnter: [@2]}]}
setup: [{setVar: {scope: global, var: y, value: 1}}]
triggers:
  - {event: {type: turnEnd}, effects: [@3]}
  - {event: {type: turnStart}, effects: [@4]}
  - {event: {type: phaseExit, phase: main}, effects: [@5]}
  - {event: {type: phaseEnter, phase: main}, effects: [@6]}
)",
       "",
       {"end"},
       {{"/globals/t", 426153426}}},
      {"15.7 gotoPhaseExact skips without events; same phase does nothing",
       R"(
turnStructure:
  phases: [{id: main, onExit: [@1]}, {id: mid, onEnter: [@2]}, {id: late, onEnter: [@3]}]
actions:
  - {id: go, phase: [main], effects: [{gotoPhaseExact: {phase: main}}, {gotoPhaseExact: {phase: late}}]}
  - {id: end, phase: [late], effects: [{advancePhase: {}}]}
)",
       "",
       {"go"},
       {{"/globals/t", 13}, {"/phase", "late"}}},
      {"15.7 gotoPhaseExact does not go back: a fault",
       R"(
turnStructure: {phases: [{id: main}, {id: late}]}
actions:
  - {id: end, phase: [main, late], effects: [{advancePhase: {}}]}
  - {id: back, phase: [late], effects: [{gotoPhaseExact: {phase: main}}]}
)",
       "",
       {"end", "back"},
       {{"fault", "RUN_PHASE"}}},
      {"15.7 interrupts are entered, left and resumed",
       R"(
turnStructure:
  phases: [{id: main, onExit: [@1], onEnter: [@2]}, {id: late}]
  interrupts: [{id: stop, onEnter: [@3], onExit: [@4]}]
actions:
  - {id: go, phase: [main], effects: [{pushInterruptPhase: {phase: stop, resumePhase: main}}, @5]}
  - {id: back, phase: [stop], effects: [{popInterruptPhase: {}}, @6]}
)",
       "",
       {"go", "back"},
       {{"/globals/t", 2135426}, {"/phase", "main"}}},
      {"17.4 phases without a legal move are passed over",
       R"(
turnStructure: {phases: [{id: main}, {id: empty, onEnter: [@1]}, {id: late, onEnter: [@2]}]}
actions:
  - {id: end, phase: [main, late], effects: [{advancePhase: {}}]}
)",
       "",
       {"end"},
       {{"/globals/t", 12}, {"/phase", "late"}}},
      {"17.5 fixedOrder",
       "turnOrder: {type: fixedOrder, order: ['2', '0', '1']}",
       "",
       {"end"},
       {{"/active", 0}}},
      {"17.5 roundRobin: a player keeps acting until the turn passes",
       "",
       "- @1",
       {"go", "go"},
       {{"/globals/t", 11}, {"/active", 0}}},
      {"M-20 as many passes as players are one round",
       "",
       "",
       {"end", "end", "end"},
       {{"/round", 2}, {"/turn", 4}, {"/active", 0}}},
      {"M-20 the start player may rotate",
       "rounds: {rotateStartPlayer: true}",
       "",
       {"end", "end", "end"},
       {{"/round", 2}, {"/active", 1}}},
      {"M-21 the clock can be read",
       "",
       "- {setVar: {scope: global, var: t, value: {op: +, left: {op: '*', left: {ref: clock, "
       "field: "
       "round}, right: 100}, right: {op: +, left: {op: '*', left: {ref: clock, field: turn}, "
       "right: "
       "10}, right: {ref: clock, field: turnInRound}}}}}",
       {"end", "end", "end", "end", "go"},
       {{"/globals/t", 252}}},
      {"M-22 at a wrap: reset, roundEnd, round advances, roundStart",
       R"(
rounds: {resetEachRound: [x]}
triggers:
  - {event: {type: roundEnd}, effects: [@1, {addVar: {scope: global, var: y, delta: {op: +, left: {ref: gvar, var: x}, right: {ref: clock, field: round}}}}]}
  - {event: {type: roundStart}, effects: [@2, {addVar: {scope: global, var: y, delta: {ref: clock, field: round}}}]}
)",
       "- {setVar: {scope: global, var: x, value: 5}}",
       {"go", "end", "end", "end"},
       {{"/globals/x", 0}, {"/globals/y", 4}, {"/globals/t", 212}}},
      {"19.1 limits: used up within the turn, free again in the next",
       R"(
actions:
  - {id: once, phase: [main], effects: [@1], limits: [{scope: turn, max: 1}]}
  - {id: end, phase: [main], effects: [{advancePhase: {}}]}
)",
       "",
       {"once", "end", "once"},
       {{"/globals/t", 11}, {"options", {action("end")}}}},
      {"19.1 usage is shared by all players",
       R"(
actions:
  - {id: once, phase: [main], effects: [{advancePhase: {}}], limits: [{scope: game, max: 1}]}
  - {id: end, phase: [main], effects: [{advancePhase: {}}]}
)",
       "",
       {"once"},
       {{"/active", 1}, {"options", {action("end")}}}},
      {"19.3 usage counts after the effects: it lands in the new turn",
       R"(
actions:
  - {id: once, phase: [main], effects: [{advancePhase: {}}], limits: [{scope: turn, max: 1}]}
  - {id: end, phase: [main], effects: [{advancePhase: {}}]}
)",
       "",
       {"once"},
       {{"/active", 1}, {"options", {action("end")}}}},
      {"K-02 legal when the phase's pre and the action's pre hold",
       R"(
turnStructure: {phases: [{id: main, actionDefaults: {pre: {op: ==, left: {ref: gvar, var: y}, right: 0}}}]}
actions:
  - {id: go, phase: [main], pre: {op: ==, left: {op: /, left: 4, right: {op: '-', left: 4, right: {ref: gvar, var: y}}}, right: 1}, effects: [{setVar: {scope: global, var: x, value: 10}}]}
)",
       "",
       {"go"},
       {{"reason", "terminal.0"}}},
      {"K-02 the phase's pre decides when the action has none",
       R"(
turnStructure: {phases: [{id: main, actionDefaults: {pre: {op: <, left: {ref: gvar, var: t}, right: 2}}}, {id: late}]}
actions:
  - {id: go, phase: [main], effects: [@1]}
  - {id: end, phase: [late], effects: [{advancePhase: {}}]}
)",
       "",
       {"go", "go"},
       {{"/phase", "late"}}},
      {"K-04 order: cost, effects, afterEffects of the phase it began in, usage, triggers",
       R"(
turnStructure:
  phases: [{id: main, actionDefaults: {afterEffects: [@4]}}, {id: late, onEnter: [@3], actionDefaults: {afterEffects: [@9]}}]
actions:
  - {id: go, phase: [main], cost: [@1], effects: [@2, {advancePhase: {}}]}
  - {id: end, phase: [late], effects: [{advancePhase: {}}]}
triggers:
  - {event: {type: actionResolved, action: go}, effects: [@5]}
)",
       "",
       {"go"},
       {{"/globals/t", 12345}, {"/phase", "late"}}},
      {"K-04 afterEffects see the action's bindings and may ask",
       R"(
turnStructure:
  phases: [{id: main, actionDefaults: {afterEffects: [{chooseOne: {bind: $q, options: {query: players}}}, {addVar: {scope: pvar, player: $q, var: p, delta: {ref: binding, name: i}}}]}}]
actions:
  - {id: go, phase: [main], params: [{name: i, domain: {query: intsInRange, min: 2, max: 3}}]}
)",
       "",
       {action("go", {{"i", 3}}), {{"value", 2}}},
       {{"/players/2/p", 4}}},
      {"19.3 what happens while paying is not heard",
       R"(
actions:
  - {id: go, phase: [main], cost: [{addVar: {scope: global, var: y, delta: 1}}], effects: [{addVar: {scope: global, var: x, delta: 1}}]}
triggers:
  - {event: {type: varChanged, var: y}, effects: [@1]}
  - {event: {type: varChanged, var: x}, effects: [@2]}
)",
       "",
       {"go"},
       {{"/globals/t", 2}}},
      {"4 a write that changes nothing is no event",
       R"(
triggers:
  - {event: {type: varChanged, var: y}, effects: [@1]}
)",
       "- {setVar: {scope: global, var: y, value: 0}}\n- {addVar: {scope: global, var: y, delta: "
       "2}}",
       {"go"},
       {{"/globals/t", 1}}},
      {"17.1 what happens in set-up is not heard",
       R"(
setup: [{addVar: {scope: global, var: y, delta: 2}}]
triggers:
  - {event: {type: varChanged, var: y}, effects: [@1]}
)",
       "",
       {},
       {{"/globals/t", 0}, {"/globals/y", 2}}},
      {"21 events wait for the end of the action, then run in order",
       R"(
triggers:
  - {event: {type: varChanged, var: y}, effects: [@2]}
  - {event: {type: tokenEntered, zone: 'pile:none'}, effects: [@3]}
setup: [{createToken: {type: card, zone: deck, props: {n: 1}}}]
)",
       "- {addVar: {scope: global, var: y, delta: 2}}\n- {draw: {from: deck, to: pile, count: "
       "1}}\n- "
       "@1",
       {"go"},
       {{"/globals/t", 123}}},
      {"21 a cascade runs before the next trigger is looked at",
       R"(
triggers:
  - {event: {type: varChanged, var: y}, when: {op: ==, left: {ref: gvar, var: x}, right: 0}, effects: [@1, {addVar: {scope: global, var: x, delta: 1}}]}
  - {event: {type: varChanged, var: x}, effects: [@2]}
  - {event: {type: varChanged, var: y}, effects: [@3]}
)",
       "- {addVar: {scope: global, var: y, delta: 2}}",
       {"go"},
       {{"/globals/t", 123}}},
      {"21 cascades are cut at maxTriggerDepth",
       R"(
metadata: {id: shown, players: {min: 3, max: 3}, maxTriggerDepth: 3}
triggers:
  - {event: {type: varChanged, var: y}, effects: [@1, {addVar: {scope: global, var: y, delta: 1}}]}
)",
       "- {addVar: {scope: global, var: y, delta: 1}}",
       {"go"},
       {{"/globals/t", 1111}, {"/globals/y", 5}}},
      {"21 at maxTriggerDepth a trigger whose condition does not hold is left alone like any other",
       R"(
metadata: {id: shown, players: {min: 3, max: 3}, maxTriggerDepth: 3}
triggers:
  - {event: {type: varChanged, var: y}, when: {op: <, left: {ref: gvar, var: y}, right: 4}, effects: [@1, {addVar: {scope: global, var: y, delta: 1}}]}
  - {event: {type: varChanged, var: y}, when: {op: ">", left: {ref: gvar, var: y}, right: 4}, effects: [@2]}
)",
       "- {addVar: {scope: global, var: y, delta: 1}}",
       {"go"},
       {{"/globals/t", 111}, {"/globals/y", 4}}},
      {"21 trigger bindings tell old and new",
       R"(
triggers:
  - {event: {type: varChanged, scope: perPlayer, var: p}, effects: [{setVar: {scope: global, var: t, value: {op: +, left: {op: '*', left: {ref: binding, name: $oldValue}, right: 10}, right: {ref: binding, name: $newValue}}}}, {setVar: {scope: global, var: y, value: {ref: binding, name: $player}}}]}
)",
       "- {addVar: {scope: pvar, player: left, var: p, delta: 3}}",
       {"go"},
       {{"/globals/t", 14}, {"/globals/y", 2}}},
      {"17.5 simultaneous: moves are handed in, then carried out in the order of players",
       R"(
turnOrder: {type: simultaneous}
actions:
  - {id: one, phase: [main], effects: [@1]}
  - {id: two, phase: [main], effects: [@2]}
)",
       "",
       {"two", "one"},
       {{"/globals/t", 0}, {"/active", 2}}},
      {"17.5 simultaneous: when the last is in, all happen",
       R"(
turnOrder: {type: simultaneous}
actions:
  - {id: one, phase: [main], effects: [@1]}
  - {id: two, phase: [main], effects: [@2]}
)",
       "",
       {"two", "one", "two"},
       {{"/globals/t", 212}, {"/active", 0}}},
      {"17.5 simultaneous: choices are made while handing in",
       R"(
turnOrder: {type: simultaneous}
actions:
  - id: bid
    phase: [main]
    effects:
      - {chooseOne: {bind: $n, options: {query: intsInRange, min: 1, max: 3}}}
      - {setVar: {scope: global, var: t, value: {op: +, left: {op: '*', left: {ref: gvar, var: t}, right: 10}, right: {ref: binding, name: $n}}}}
)",
       "",
       {"bid", Json{{"value", 2}}, "bid", Json{{"value", 3}}, "bid", Json{{"value", 1}}},
       {{"/globals/t", 231}, {"/active", 0}}},
      {"17.5 simultaneous: what an earlier move made impossible is skipped",
       R"(
turnOrder: {type: simultaneous}
setup:
  - {createToken: {type: card, zone: deck, props: {n: 4, kind: red}}}
  - {createToken: {type: card, zone: deck, props: {n: 5, kind: red}}}
actions:
  - id: take
    phase: [main]
    effects:
      - {chooseOne: {bind: $c, options: {query: tokensInZone, zone: deck}}}
      - {moveToken: {token: $c, from: deck, to: "hand:actor"}}
  - {id: wait, phase: [main], effects: [@1]}
)",
       "",
       {"take", Json{{"value", "tok_card_0"}}, "take", Json{{"value", "tok_card_0"}}, "wait"},
       {{"/globals/t", 1},
        {"/zones/hand:0/0/id", "tok_card_0"},
        {"/zones/hand:1", Json::array()},
        {"/zones/deck:none/0/id", "tok_card_1"}}},
      {"22 the first condition that holds decides",
       R"(
terminal:
  conditions:
    - {when: {op: ==, left: {ref: gvar, var: x}, right: 1}, result: {type: win, player: active}}
    - {when: {op: '>=', left: {ref: gvar, var: x}, right: 1}, result: {type: draw}}
)",
       "- {setVar: {scope: global, var: x, value: 1}}",
       {"end", "go"},
       {{"reason", "terminal.0"}, {"winners", {1}}, {"returns", {-1, 1, -1}}}},
      {"22 scores: every player as actor in turn",
       R"(
terminal:
  conditions: [{when: {op: '>=', left: {ref: gvar, var: x}, right: 1}, result: {type: score}}]
  scoring: {method: highest, value: {ref: pvar, player: actor, var: p}}
)",
       "- {addVar: {scope: pvar, player: left, var: p, delta: 3}}\n- {setVar: {scope: global, var: "
       "x, value: 1}}",
       {"go"},
       {{"winners", {2}}, {"returns", {1, 1, 4}}}},
      {"22 scores: the active player stays who is active",
       R"(
terminal:
  conditions: [{when: {op: '>=', left: {ref: gvar, var: x}, right: 1}, result: {type: score}}]
  scoring: {method: lowest, value: {op: +, left: {ref: pvar, player: actor, var: p}, right: {op: '*', left: 10, right: {ref: pvar, player: active, var: p}}}}
)",
       "- {addVar: {scope: pvar, player: actor, var: p, delta: 3}}\n- {setVar: {scope: global, "
       "var: "
       "x, value: 1}}",
       {"end", "go"},
       {{"winners", {0, 2}}, {"returns", {-41, -44, -41}}}},
  };
}

}  // namespace parlor::language
