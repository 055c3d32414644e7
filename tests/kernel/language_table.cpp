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
      {"L-09 how far it is over some spaces only",
       "",
       "- x = distance from a to c within 3 through category == town",
       {"go"},
       {{"/globals/x", -1}}},
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
  t: 0..9
perPlayerVars: {role: [farmer, spy], p: 0..5}
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
  for (const auto& group :
       {card_cases(), dice_cases(), space_cases(), variable_cases(), team_cases()})
    out.insert(out.end(), group.begin(), group.end());
  return out;
}

}  // namespace parlor::language
