// Timed effects: M-30 to M-33 and what T-35 says about numbers.
#include "kernel/language.h"

namespace parlor::language {

namespace {

const std::string kinds = R"(
effects:
  - {id: ban, blockActions: [other], modifiers: {pays: 1}}
  - {id: tax, costDelta: {p: 1}, charges: 1}
actions:
  - {id: end, phase: [main], effects: [{advancePhase: {}}]}
  - {id: other, phase: [main], price: {p: 0}, effects: [{advancePhase: {}}]}
  - {id: look, phase: [main], effects: [{setVar: {scope: global, var: x, value: {ref: effectModifier, name: pays}}}]}
  - {id: go, phase: [main], effects: [{startEffect: {)";

// A game whose action `go` starts an effect like this.
std::string starting(const std::string& effect) {
  return kinds + effect + "}}]}\n";
}
std::string number(const std::string& value) {
  return "{op: +, left: " + value + ", right: {ref: gvar, var: x}}";
}
const Json offered_without_other = {action("end"), action("look"), action("go")};
const Json offered_all = {action("end"), action("other"), action("look"), action("go")};

}  // namespace

std::vector<Case> timed_cases() {
  return {
      {"M-32 a blocked action is not offered",
       starting("effect: ban"),
       "",
       {"go"},
       {{"options", offered_without_other}}},
      {"M-31 an effect ends when its turn comes",
       starting("effect: ban, expires: {turn: 2}"),
       "",
       {"go", "end"},
       {{"options", offered_all}}},
      {"M-31 an effect of this turn lasts until the turn passes",
       starting("effect: ban, expires: {turn: 1}"),
       "",
       {"go"},
       {{"options", offered_without_other}}},
      {"T-35 an effect that expires in turn 0 is over at once",
       starting("effect: ban, expires: {turn: " + number("0") + "}"),
       "",
       {"go", "look"},
       {{"options", offered_all}, {"/globals/x", 0}}},
      {"T-35 an effect that expires in round 0 is over at once",
       starting("effect: ban, expires: {round: " + number("0") + "}"),
       "",
       {"go", "end"},
       {{"options", offered_all}}},
      {"T-35 an effect that expires in a turn before this one is over at once",
       starting("effect: ban, expires: {turn: 2}"),
       "",
       {"end", "end", "go"},
       {{"options", offered_all}}},
      {"T-35 the number of the turn in which an effect expires is not cut",
       starting("effect: ban, expires: {turn: 4294967297}"),
       "",
       {"go", "end", "look"},
       {{"options", offered_without_other}, {"/globals/x", 1}}},
      {"T-35 the number of the round in which an effect expires is not cut",
       starting("effect: ban, expires: {round: 8589934592}"),
       "",
       {"go", "end"},
       {{"options", offered_without_other}}},
      {"T-35 the number of the turn in which an effect starts is not cut",
       starting("effect: ban, starts: {turn: 4294967297}"),
       "",
       {"go", "look"},
       {{"options", offered_all}, {"/globals/x", 0}}},
      {"M-32 an effect without charges left is gone",
       starting("effect: tax"),
       "",
       {"go", "other", "end", "end", "go", "end", "other"},
       {{"/players/0/p", 0}, {"/players/1/p", 0}}},
      {"T-35 the number of charges is not cut",
       starting("effect: tax, charges: 4294967297"),
       "",
       {"go", "other", "other"},
       {{"/players/0/p", 0}, {"/players/1/p", 0}}},
      {"T-35 an effect with no charges is over at once",
       starting("effect: tax, charges: " + number("0")),
       "",
       {"go", "other"},
       {{"/players/0/p", 1}}},
      {"T-25 an effect may be aimed at a text put together",
       kinds + "effect: ban, target: {concat: [so, '-', me]}}}, {setVar: {scope: global, var: y, "
               "value: {aggregate: {op: count, query: {query: activeEffects, target: {concat: "
               "['so-', me]}}}}}}]}\n",
       "",
       {"go"},
       {{"/globals/y", 1}}},
      {"T-35 fixedOrder with a rotating start player: everybody one turn a round",
       "turnOrder: {type: fixedOrder, order: ['2', '0', '1']}\nrounds: {rotateStartPlayer: true}",
       "",
       {"end", "end", "end"},
       {{"/round", 2}, {"/active", 0}}},
      {"T-35 fixedOrder with a rotating start player: the second round",
       "turnOrder: {type: fixedOrder, order: ['2', '0', '1']}\nrounds: {rotateStartPlayer: true}",
       "",
       {"end", "end", "end", "end", "end"},
       {{"/round", 2}, {"/active", 2}}},
      {"T-35 fixedOrder with a rotating start player: the third round",
       "turnOrder: {type: fixedOrder, order: ['2', '0', '1']}\nrounds: {rotateStartPlayer: true}",
       "",
       {"end", "end", "end", "end", "end", "end"},
       {{"/round", 3}, {"/active", 1}}},
      {"M-20 a round of a fixed order is once through it",
       "turnOrder: {type: fixedOrder, order: ['0', '1', '0', '2']}",
       "",
       {"end", "end", "end"},
       {{"/round", 1}, {"/active", 2}}},
      {"M-20 whoever is active after set-up begins the rounds",
       "setup: [{setActivePlayer: {player: {id: 2}}}]",
       "",
       {"end", "end", "end"},
       {{"/round", 2}, {"/active", 2}}},
  };
}

}  // namespace parlor::language
