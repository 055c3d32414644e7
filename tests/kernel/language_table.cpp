// L-06, L-07, L-09, L-10, L-11 and L-13: variables of texts and players, teams, what spaces do,
// what hands do with cards, dice, the end of a round.
#include "kernel/language.h"

namespace parlor::language {

namespace {

// Five cards, 1 on top.
const std::string five = R"(
setup:
  - for: $n in 1..5
    do: [create card in deck with n = 6 - $n]
)";

Json numbers(std::initializer_list<int> list) {
  Json out = Json::array();
  for (const int n : list)
    out.push_back(
        {{"id", "tok_card_" + std::to_string(5 - n)}, {"type", "card"}, {"props", {{"n", n}}}});
  return out;
}

std::vector<Case> card_cases() {
  return {
      {"L-10 cut: the upper part goes below the lower one",
       five,
       "- cut deck at 2",
       {"go"},
       {{"/zones/deck:none", numbers({3, 4, 5, 1, 2})}}},
      {"L-10 cut in two at more than there is leaves the order as it is",
       five,
       "- cut deck at 9",
       {"go"},
       {{"/zones/deck:none", numbers({1, 2, 3, 4, 5})}}},
      {"L-10 two zones change what they hold, in its order",
       five,
       "- draw 2 from deck to pile\n- swap all of deck and pile",
       {"go"},
       {{"/zones/deck:none", numbers({1, 2})}, {"/zones/pile:none", numbers({3, 4, 5})}}},
      {"L-10 two tokens change their places",
       five,
       R"(- draw 1 from deck to hand:actor
- let $mine = first of tokens in hand:actor
- let $top = first of tokens in deck
- swap $mine and $top)",
       {"go"},
       {{"/zones/hand:0", numbers({2})}, {"/zones/deck:none", numbers({1, 3, 4, 5})}}},
      {"L-10 draw until something turns up",
       five,
       "- draw from deck to pile until any tokens in pile where n == 3",
       {"go"},
       {{"/zones/pile:none", numbers({3, 2, 1})}}},
      {"L-10 draw until nothing is left",
       five,
       "- draw from deck to pile until any tokens in pile where n == 9",
       {"go"},
       {{"/zones/deck:none", Json::array()}}},
      {"L-10 draw until what is there already draws nothing",
       five,
       "- draw from deck to pile until true",
       {"go"},
       {{"/zones/pile:none", Json::array()}}},
      {"L-10 deal so many to each",
       five,
       "- deal 1 from deck to hand:each",
       {"go"},
       {{"/zones/hand:0", numbers({1})},
        {"/zones/hand:1", numbers({2})},
        {"/zones/hand:2", numbers({3})}}},
      {"L-10 a pile that takes its discards",
       R"(
zones:
  - {id: deck, visibility: hidden, refillFrom: pile}
  - {id: pile, ordering: stack}
  - {id: hand, owner: player, visibility: owner}
  - {id: a, zoneKind: board}
  - {id: b, zoneKind: board, category: wood}
setup: [create 3 card in pile with n = 1]
)",
       "- draw 2 from deck to hand:actor",
       {"go"},
       {{"/zones/pile:none", Json::array()}}},
  };
}

std::vector<Case> dice_cases() {
  const std::string dice = R"(
tokenTypes: {die: {faces: 6}, coin: {faces: [heads, tails]}, card: {n: int}}
setup: [create 3 die in pile, create coin in pile]
)";
  return {
      {"L-11 a die lies on its first face until it is rolled",
       dice,
       "- x = sum($d.face for $d in dies in pile)",
       {"go"},
       {{"/globals/x", 3}, {"/zones/pile:none/0/props/face", "heads"}}},
      {"L-11 dice show a face of theirs",
       dice,
       R"(- roll the tokens in pile
- "require all $d in dies in pile: $d.face in [1, 2, 3, 4, 5, 6]"
- "require all $d in coins in pile: $d.face in [heads, tails]"
- x = 1)",
       {"go"},
       {{"/globals/x", 1}}},
      {"L-11 only those are rolled again that are chosen",
       dice,
       R"(- choose 1..1 as $again from tokens in pile where face == heads
- roll the $again
- x = sum($d.face for $d in dies in pile))",
       {"go"},
       {{"/globals/x", 3}}},
  };
}

std::vector<Case> space_cases() {
  // Five in the shape of a hook, and one alone.
  const std::string groups = R"(
zones:
  cell: grid(4, 4)
setup:
  - for: $c in cells where id in [cell_0_0, cell_0_1, cell_0_2, cell_1_0, cell_2_0, cell_2_3]
    do: create man in $c
)";
  const std::string spaces = R"(
zones:
  - {id: market, zoneKind: board, onUse: [x += 2]}
  - {id: forest, zoneKind: board, onUse: ["choose $n from 1..3", "x += $n"]}
  - {id: bog, zoneKind: board, onEnter: [y += 1]}
  - {id: camp}
setup: [create man in camp]
actions:
  - id: go
    phase: [main]
    params: {$s: cells}
    effects: [let $m = first of tokens in camp, move $m from camp to $s, use $s]
)";
  const std::string phased = R"(
globalVars: {x: 0..9, y: 0..9, t: 0..9}
turnStructure: {phases: [{id: bidding}, {id: play, onEnter: [y += 1]}]}
rounds: {byPhases: true, rotateStartPlayer: true, resetEachRound: [x], cleanUp: [t += 2]}
actions:
  - {id: bid, phase: bidding, effects: [x += 1, end turn]}
  - {id: stop, phase: bidding, effects: [end phase]}
  - {id: take, phase: play, pre: x < 4, effects: [x += 1, end turn]}
  - {id: close, phase: play, pre: x < 4, effects: [end phase]}
  - {id: once, phase: play, pre: x < 4, limits: {phase: 1}, effects: [end turn]}
  - {id: give-up, phase: [bidding, play], pre: x < 4, effects: [end round]}
)";
  return {
      {"L-09 what a space does when it is used",
       spaces,
       "",
       {action("go", {{"$s", "market:none"}})},
       {{"/globals/x", 2}, {"/globals/y", 0}}},
      {"L-09 it may ask",
       spaces,
       "",
       {action("go", {{"$s", "forest:none"}}), value(3)},
       {{"/globals/x", 3}}},
      {"L-09 and what happens when something comes there",
       spaces,
       "",
       {action("go", {{"$s", "bog:none"}})},
       {{"/globals/x", 0}, {"/globals/y", 1}}},
      {"L-09 lines that lead one way, and points with attributes",
       R"(
zones:
  - macro: lines
    args: {e: [[k, l, m]]}
    oneWay: {s: [[l, n]]}
    points: {n: {category: town, attributes: {size: 7}}}
)",
       "- x = n.size\n- y = count(neighbours of l) * 2 + count(neighbours of n)",
       {"go"},
       {{"/globals/x", 7}, {"/globals/y", 6}}},
      {"L-09 how far it is",
       "",
       R"(- x = distance from a to c within 3
- y = distance from a to a within 3
- t = 5 + (distance from a to c within 1))",
       {"go"},
       {{"/globals/x", 2}, {"/globals/y", 0}, {"/globals/t", 4}}},
      {"L-09 how many groups of neighbours there are, and how large the largest is",
       groups,
       "- x = components where occupied\n- y = largest component where occupied",
       {"go"},
       {{"/globals/x", 2}, {"/globals/y", 5}}},
      {"L-09 of nothing there is no group",
       groups,
       "- x = components where size of $zone > 5\n- y = largest component where size of $zone > 5",
       {"go"},
       {{"/globals/x", 0}, {"/globals/y", 0}}},
      {"L-09 the longest way that goes nowhere twice",
       groups,
       R"(- x = longest path where occupied
- y = longest path from cell_0_1 where occupied
- t = longest path where size of $zone > 5)",
       {"go"},
       {{"/globals/x", 5}, {"/globals/y", 4}, {"/globals/t", 0}}},
      {"L-09 how far it is over some spaces only",
       "",
       "- x = distance from a to c within 3 through category == town",
       {"go"},
       {{"/globals/x", -1}}},
      {"L-13 turns pass inside a phase of the round, and `end phase` leads everybody on",
       phased,
       "",
       {"bid", "bid"},
       {{"/phase", "bidding"}, {"/active", 2}, {"/round", 1}, {"/turn", 3}, {"/turnInRound", 3}}},
      {"L-13 a round is no circle: who began it has another turn",
       phased,
       "",
       {"bid", "bid", "bid", "bid"},
       {{"/phase", "bidding"}, {"/active", 1}, {"/round", 1}, {"/globals/x", 4}}},
      {"L-13 the next phase begins where the turn is",
       phased,
       "",
       {"bid", "stop"},
       {{"/phase", "play"}, {"/active", 1}, {"/round", 1}, {"/globals/y", 1}}},
      {"L-13 after the last phase the round is over: clean-up, counter, start player, first phase",
       phased,
       "",
       {"bid", "stop", "take", "close"},
       {{"/phase", "bidding"},
        {"/round", 2},
        {"/active", 1},
        {"/roundStartPlayer", 1},
        {"/turnInRound", 1},
        {"/globals/x", 0},
        {"/globals/t", 2}}},
      {"L-13 `end round` ends it in any phase",
       phased,
       "",
       {"bid", "give-up"},
       {{"/phase", "bidding"}, {"/round", 2}, {"/active", 1}, {"/globals/x", 0}}},
      {"L-13 a phase in which nobody can move is over",
       phased + "terminal: {never: {when: false, draw: true}}",
       "",
       {"bid", "stop", "take", "take", "take"},
       {{"/phase", "bidding"}, {"/round", 2}}},
      {"L-13 limits of a phase hold for all turns in it",
       phased,
       "",
       {"bid", "stop", "once"},
       {{"/phase", "play"},
        {"options", Json::array({action("take"), action("close"), action("give-up")})}}},
      {"L-13 the end of a round is cleaned up and says who begins the next one",
       R"(
rounds: {cleanUp: [x += 1], startPlayer: previous}
actions: [{id: go, phase: [main], effects: [end round]}]
)",
       "",
       {"go"},
       {{"/globals/x", 1}, {"/active", 2}, {"/round", 2}}},
  };
}

std::vector<Case> variable_cases() {
  const std::string vars = R"(
globalVars:
  x: 0..9
  season: [spring, summer, autumn]
  leader: {type: player, init: nobody}
  target: zone
  marked: {type: token}
  t: 0..9
perPlayerVars: {role: [farmer, spy], p: 0..5, favourite: token}
zoneVars: {ground: [dry, wet]}
)";
  return {
      {"L-06 a variable of texts begins with the first one",
       vars,
       "- if: season == spring\n  then: x = 1",
       {"go"},
       {{"/globals/x", 1}, {"/globals/season", "spring"}}},
      {"L-06 it takes any of its texts",
       vars,
       "- season = autumn\n- role = spy\n- b.ground = wet",
       {"go"},
       {{"/globals/season", "autumn"},
        {"/players/0/role", "spy"},
        {"/players/1/role", "farmer"},
        {"/zoneVars/b:none/ground", "wet"}}},
      {"L-06 also one that is chosen",
       vars,
       "- choose $s from [spring, summer, autumn]\n- season = $s\n- if: season == $s\n  then: x = "
       "2",
       {"go", value("summer")},
       {{"/globals/season", "summer"}, {"/globals/x", 2}}},
      {"L-06 two of them are compared",
       vars,
       R"(- role = spy
- for: $q in players
  do:
    - if: $q.role == actor.role
      then: x += 1)",
       {"go"},
       {{"/globals/x", 1}}},
      {"L-06 a variable that holds a zone",
       vars + R"(
setup: [create card in deck with n = 4]
)",
       R"(- if: target == nowhere
  then: x = 1
- target = b
- if: target == b and target != a
  then: x += 1
- target.ground = wet
- for: $c in tokens in deck
  do: move $c from deck to target)",
       {"go"},
       {{"/globals/x", 2},
        {"/globals/target", "b:none"},
        {"/zoneVars/b:none/ground", "wet"},
        {"/zones/deck:none", Json::array()}}},
      {"L-06 it can be empty again, and a zone that is none is a fault",
       vars,
       "- target = b\n- target = nowhere\n- create card in target",
       {"go"},
       {{"fault", "RUN_NAME_UNKNOWN"}}},
      {"L-06 a variable that holds a token",
       vars + R"(
setup: [create card in deck with n = 4, create card in deck with n = 5]
)",
       R"(- if: marked == nothing
  then: x = 1
- marked = first of tokens in deck
- if: marked != nothing
  then: x += 1
- let $card = marked
- x += $card.n
- marked = nothing
- favourite = $card)",
       {"go"},
       {{"/globals/x", 7},
        {"/globals/marked", "nothing"},
        {"/players/0/favourite", "tok_card_1"},
        {"/players/1/favourite", "nothing"}}},
      {"L-06 a token that has left the game is nothing",
       vars + R"(
setup: [create card in deck with n = 4]
)",
       R"(- let $card = first of tokens in deck
- marked = $card
- destroy $card
- if: marked == nothing
  then: x = 3)",
       {"go"},
       {{"/globals/x", 3}, {"/globals/marked", "nothing"}}},
      {"L-06 a token that is not there is a fault",
       vars,
       "- let $card = marked\n- x = $card.n",
       {"go"},
       {{"fault", "RUN_TYPE"}}},
      {"L-06 a variable that holds a player",
       vars,
       R"(- if: leader == -1
  then: x = 1
- leader = next
- let $who = leader
- $who.p = 4)",
       {"go"},
       {{"/globals/leader", 1}, {"/globals/x", 1}, {"/players/1/p", 4}}},
  };
}

std::vector<Case> computed_cases() {
  const std::string units = R"(
tokenTypes: {unit: {attack: int, defence: int, name: string}}
globalVars: {x: 0..9, t: 0..9, y: 0..9, stat: [attack, defence]}
setup: ["create unit in deck with attack = 3, defence = 5, name = orc"]
)";
  return {
      {"L-04 a property by a name that is chosen",
       units,
       R"(- choose $which from [attack, defence]
- let $u = first of tokens in deck
- x = $u[$which] + 1
- $u[$which] = 8)",
       {"go", value("defence")},
       {{"/globals/x", 6},
        {"/zones/deck:none/0/props", {{"attack", 3}, {"defence", 8}, {"name", "orc"}}}}},
      {"L-04 a property by a name that a variable holds",
       units,
       "- let $u = first of tokens in deck\n- x = $u[stat]\n- stat = defence\n- y = $u[stat]",
       {"go"},
       {{"/globals/x", 3}, {"/globals/y", 5}}},
      {"L-04 a name no property has is a fault",
       units,
       "- let $u = first of tokens in deck\n- x = $u[\"de{t}\"]",
       {"go"},
       {{"fault", "RUN_NAME_UNKNOWN"}}},
      {"L-04 and so is setting it",
       units,
       "- let $u = first of tokens in deck\n- $u[\"de{t}\"] = 3",
       {"go"},
       {{"fault", "RUN_NAME_UNKNOWN"}}},
      {"L-04 a direction that is computed",
       R"(
zones:
  cell: grid(3, 3)
globalVars: {x: 0..9, t: 0..9, way: [n, e]}
setup: [create man in cell_1_1]
)",
       R"(- let $m = first of tokens in cell_1_1
- way = e
- x = count(ray from cell_1_1 towards (if t == 0 then n else s)) + count(cells (way) of cell_1_1)
- move $m from cell_1_1 to (step 1 (if t == 0 then n else e) from cell_1_1))",
       {"go"},
       {{"/globals/x", 2}, {"/zones/cell_1_1:none", Json::array()}}},
  };
}

std::vector<Case> team_cases() {
  const std::string teams = R"(
teams: {even: [0, 2], odd: [1]}
globalVars: {x: 0..9, t: 0..9}
actions:
  - {id: go, phase: [main], params: {$n: 1..3}, effects: ["p = $n", "x += 1", end turn]}
)";
  const auto go = [](int n) { return action("go", {{"$n", n}}); };
  return {
      {"L-07 a team wins together",
       teams + "terminal: {won: {when: x == 1, win: 0}}",
       "",
       {go(1)},
       {{"winners", {0, 2}}}},
      {"L-07 a team has what its players have together",
       teams + "terminal: {full: {when: x == 3, score: true}, scoring: [p]}",
       "",
       {go(2), go(3), go(2)},
       {{"winners", {0, 2}}}},
      {"L-07 everybody has a place; what breaks ties decides it, and equals share theirs",
       R"(
globalVars: {x: 0..9, t: 0..9}
actions:
  - {id: go, phase: [main], params: {$n: 1..3}, effects: ["p = $n", "x += 1", end turn]}
terminal: {full: {when: x == 3, score: true}, scoring: [p]}
)",
       "",
       {go(1), go(3), go(1)},
       {{"winners", {1}}, {"places", {2, 1, 2}}}},
      {"L-07 the lowest can be the first place, and a tie-break its opposite",
       R"(
globalVars: {x: 0..9, t: 0..9}
actions:
  - {id: go, phase: [main], params: {$n: 1..3}, effects: ["p = $n", "x += 1", end turn]}
terminal:
  full: {when: x == 3, score: true}
  scoring:
    method: lowest
    value: p
    tieBreaks: [{value: player(actor)}]
)",
       "",
       {go(1), go(3), go(1)},
       {{"winners", {2}}, {"places", {2, 3, 1}}}},
      {"L-07 who is in which team can be asked",
       teams + "terminal: {full: {when: x == 2, winners: $q in players where $q.team == odd}}",
       "",
       {go(2), go(3)},
       {{"winners", {1}}}},
      {"L-07 all who satisfy a condition win",
       R"(
globalVars: {x: 0..9, t: 0..9}
actions:
  - {id: go, phase: [main], params: {$n: 1..3}, effects: ["p = $n", "x += 1", end turn]}
terminal: {full: {when: x == 3, winners: $q in players where $q.p >= 2}}
)",
       "",
       {go(2), go(1), go(3)},
       {{"winners", {0, 2}}}},
  };
}

}  // namespace

std::vector<Case> table_cases() {
  std::vector<Case> out;
  for (const auto& group : {card_cases(), dice_cases(), space_cases(), variable_cases(),
                            computed_cases(), team_cases()})
    out.insert(out.end(), group.begin(), group.end());
  return out;
}

}  // namespace parlor::language
