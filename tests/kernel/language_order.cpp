// L-02 to L-05, L-07, L-08 and L-13: simultaneous phases, sorting, whose turn comes, limits.
#include "kernel/language.h"

namespace parlor::language {

namespace {

// Everybody bids, then something happens once, then there is a phase of one's own.
std::string bidding(const std::string& then) {
  return R"(
turnStructure:
  phases:
    - {id: bid, simultaneous: true, then: )" +
         then + R"(}
    - {id: main}
actions:
  - {id: offer, phase: [bid], params: {$n: 1..3}, effects: ["p = $n", @1]}
  - {id: end, phase: [main], effects: [{advancePhase: {}}]}
)";
}

Json offer(int n) {
  return action("offer", {{"$n", n}});
}

const std::string turns = R"(
actions:
  - {id: end, phase: [main], effects: [end turn]}
  - {id: round, phase: [main], effects: [end round]}
  - {id: again, phase: [main], effects: [extra turn for actor, end turn]}
  - {id: gift, phase: [main], effects: [extra turn for previous, end turn]}
  - {id: hinder, phase: [main], effects: [skip next turn of next, end turn]}
  - {id: lead, phase: [main], effects: [begin next round with previous, end turn]}
  - {id: gain, phase: [main], params: {$n: 1..4}, effects: ["p += $n", end turn]}
  - {id: rich, phase: [main], effects: [order turns by p descending, end turn]}
)";

std::vector<Case> together_cases() {
  return {
      {"L-02 a simultaneous phase: nothing happens before all moves are in",
       bidding("[@9]"),
       "",
       {offer(2), offer(3)},
       {{"/globals/t", 0}, {"/players/0/p", 1}, {"/phase", "bid"}, {"/active", 2}}},
      {"L-02 then all happen in player order, `then` once, and the phase ends",
       bidding("[@9]"),
       "",
       {offer(2), offer(3), offer(1)},
       {{"/globals/t", 1119},
        {"/players", {{{"p", 2}}, {{"p", 3}}, {{"p", 1}}}},
        {"/phase", "main"},
        {"/turn", 1},
        {"/active", 0}}},
      {"L-02 it is still the turn of whose turn it was",
       bidding("[\"x = active\", \"y = actor\"]"),
       "",
       {offer(2), offer(3), offer(1), "end", offer(1), offer(1), offer(1)},
       {{"/globals/x", 1}, {"/globals/y", 1}, {"/phase", "main"}, {"/turn", 2}, {"/active", 1}}},
      {"L-02 `then` may ask somebody",
       bidding("[\"next chooses $c from 4..5\", \"p = $c\"]"),
       "",
       {offer(2), offer(3), offer(1), value(5)},
       {{"/players/0/p", 5}, {"/phase", "main"}, {"/active", 0}}},
      {"L-02 a phase `then` leaves is not ended twice",
       bidding("[end phase]"),
       "",
       {offer(2), offer(3), offer(1)},
       {{"/phase", "main"}, {"/turn", 1}}},
      {"L-02 who can do nothing is not waited for",
       R"(
turnStructure:
  phases: [{id: bid, simultaneous: true, then: [@9]}, {id: main}]
actions:
  - {id: offer, phase: [bid], pre: "actor != 1", effects: ["p = 5", @1]}
  - {id: end, phase: [main], effects: [{advancePhase: {}}]}
)",
       "",
       {"offer", "offer"},
       {{"/globals/t", 119}, {"/players/1/p", 1}, {"/phase", "main"}, {"/active", 0}}},
      {"L-02 a phase in which nobody can do anything is passed over, and so is its `then`",
       R"(
turnStructure:
  phases: [{id: bid, simultaneous: true, then: [@9]}, {id: main}]
actions:
  - {id: offer, phase: [bid], pre: "x > 0", effects: [@1]}
  - {id: end, phase: [main], effects: [{advancePhase: {}}]}
)",
       "",
       {},
       {{"/globals/t", 0}, {"/phase", "main"}, {"/active", 0}}},
      {"L-02 what an earlier move made impossible is skipped",
       R"(
turnStructure:
  phases: [{id: bid, simultaneous: true, then: [@9]}, {id: main}]
actions:
  - {id: take, phase: [bid], pre: "x < 2", effects: ["x += 1", @1]}
  - {id: end, phase: [main], effects: [{advancePhase: {}}]}
)",
       "",
       {"take", "take", "take"},
       {{"/globals/t", 119}, {"/globals/x", 2}, {"/phase", "main"}}},
  };
}

std::vector<Case> turn_order_cases() {
  return {
      {"L-03 end turn leaves all phases of the turn",
       R"(
turnStructure:
  phases: [{id: main, onEnter: [@1], onExit: [@2]}, {id: late, onEnter: [@3], onExit: [@4]}]
actions:
  - {id: end, phase: [main, late], effects: [end turn]}
)",
       "",
       {"end"},
       {{"/globals/t", 121}, {"/phase", "main"}, {"/active", 1}, {"/turn", 2}}},
      {"L-03 an extra turn comes before the order goes on",
       turns,
       "",
       {"again"},
       {{"/active", 0}, {"/turn", 2}, {"/round", 1}}},
      {"L-03 after an extra turn the order goes on where it was",
       turns,
       "",
       {"end", "gift", "end"},
       {{"/active", 2}, {"/turn", 4}, {"/round", 1}}},
      {"L-03 a turn is skipped once",
       turns,
       "",
       {"hinder", "end", "end", "end"},
       {{"/active", 2}, {"/turn", 5}, {"/round", 2}}},
      {"L-03 a skipped turn is none", turns, "", {"hinder"}, {{"/active", 2}, {"/turn", 2}}},
      {"L-03 who begins the next round",
       turns,
       "",
       {"lead", "end", "end"},
       {{"/active", 2}, {"/round", 2}, {"/roundStartPlayer", 2}}},
      {"L-03 that round ends when it would be their turn again",
       turns,
       "",
       {"lead", "end", "end", "end", "end", "end"},
       {{"/active", 2}, {"/round", 3}}},
      {"L-03 turns by a value from the next round on, the greatest first",
       turns,
       "",
       {action("gain", {{"$n", 1}}), action("gain", {{"$n", 3}}), "rich"},
       {{"/active", 1}, {"/round", 2}, {"/turnOrder", {1, 0, 2}}}},
      {"L-03 and next is whoever comes next there",
       turns,
       "",
       {action("gain", {{"$n", 1}}), action("gain", {{"$n", 3}}), "rich", "hinder"},
       {{"/active", 2}, {"/round", 2}}},
      {"L-03 players with the same value stay in the order they have",
       turns,
       "",
       {"end", "end", "rich"},
       {{"/active", 0}, {"/turnOrder", {0, 1, 2}}}},
      {"L-03 set-up orders the first round",
       "setup: [\"p = 0\", {setVar: {scope: pvar, player: {id: 1}, var: p, value: 0}}, order turns "
       "by p descending]\n" +
           turns.substr(1),
       "",
       {},
       {{"/active", 2}, {"/roundStartPlayer", 2}, {"/turnOrder", {2, 0, 1}}}},
      {"L-13 end round: the next turn begins a round",
       turns,
       "",
       {"end", "round"},
       {{"/active", 0}, {"/round", 2}, {"/turn", 3}, {"/turnInRound", 1}}},
      {"L-13 end round with who begins the next one",
       turns,
       "",
       {"lead", "round"},
       {{"/active", 2}, {"/round", 2}}},
      {"L-08 next and previous in a fixed order",
       R"(
turnOrder: {type: fixedOrder, order: ["0", "2", "1"]}
actions:
  - {id: go, phase: [main], effects: ["x = next", "y = previous"]}
)",
       "",
       {"go"},
       {{"/globals/x", 2}, {"/globals/y", 1}}},
      {"L-08 opponent is the other one of two",
       R"(
metadata: {id: shown, players: {min: 2, max: 2}}
actions:
  - {id: go, phase: [main], effects: ["x = opponent", opponent.p += 2, end turn]}
)",
       "",
       {"go", "go"},
       {{"/globals/x", 0}, {"/players", {{{"p", 3}}, {{"p", 3}}}}}},
  };
}

std::vector<Case> sorting_cases() {
  const std::string some_p = R"(
setup:
  - {setVar: {scope: pvar, player: {id: 0}, var: p, value: 3}}
  - {setVar: {scope: pvar, player: {id: 1}, var: p, value: 5}}
  - {setVar: {scope: pvar, player: {id: 2}, var: p, value: 3}}
)";
  const std::string tell = R"(
- for: $q in QUERY
  do: [{setVar: {scope: global, var: t, value: {op: +, left: {op: '*', left: {ref: gvar, var: t}, right: 10}, right: {op: +, left: {ref: binding, name: $q}, right: 1}}}}]
)";
  const auto told = [&](const std::string& query) {
    std::string out = tell;
    return out.replace(out.find("QUERY"), 5, query);
  };
  return {
      {"L-03 sort: the least first, equals as they are",
       some_p,
       told("sort $a in players by $a.p"),
       {"go"},
       {{"/globals/t", 132}}},
      {"L-03 sort: the greatest first, equals as they are",
       some_p,
       told("sort $a in players by $a.p descending"),
       {"go"},
       {{"/globals/t", 213}}},
      {"L-03 sort: what is filtered is sorted",
       some_p,
       told("sort $a in (players where $player.p < 5) by 0 - $a"),
       {"go"},
       {{"/globals/t", 31}}},
      {"L-03 a sort inside a sort",
       some_p,
       told("sort $a in players by first of sort $b in players by $a * $b"),
       {"go"},
       {{"/globals/t", 123}}},
      {"L-03 first, last and nth of a query",
       some_p,
       "- \"x = first of sort $a in players by $a.p descending\"\n"
       "- \"y = last of players\"\n"
       "- \"t = item 2 of sort $a in players by $a.p\"",
       {"go"},
       {{"/globals/x", 1}, {"/globals/y", 2}, {"/globals/t", 2}}},
      {"L-03 the first of nothing is a fault",
       "",
       "- \"x = first of players where $player.p > 4\"",
       {"go"},
       {{"fault", "RUN_ITEM"}}},
      {"L-03 rank: equals share their place",
       some_p,
       "- \"x = rank of 2 for $a in players by $a.p descending\"\n"
       "- \"y = rank of 1 for $a in players by $a.p descending\"\n"
       "- \"t = rank of 1 for $a in players by $a.p\"",
       {"go"},
       {{"/globals/x", 2}, {"/globals/y", 1}, {"/globals/t", 3}}},
      {"L-04 map: something for each result",
       some_p,
       told("each $a.p * 2 for $a in players"),
       {"go"},
       {{"/globals/t", 817}}},
      {"L-04 a value macro stands for its value",
       some_p + R"(valueMacros:
  - {id: worth, params: [who, by], value: "= pvarOf(who) * by + 1"}
  - {id: pvarOf, params: [who], value: {ref: pvar, player: {param: who}, var: p}}
)",
       "- x = worth(next, 2) - 4",
       {"go"},
       {{"/globals/x", 7}}},
      {"L-04 a value macro is written as a value, and used by its name if it takes nothing",
       some_p + R"(valueMacros:
  worth(player who): who.p * 2
  wealth: sum($a.p for $a in players)
)",
       "- x = wealth - worth(next) + 1\n- y = wealth() - 4\n- t = wealth",
       {"go"},
       {{"/globals/x", 2}, {"/globals/y", 7}, {"/globals/t", 11}}},
      {"L-04 a condition in parentheses counts 1 or 0",
       some_p,
       "- x = 3 + (p == 3) * 2 + (p > 4)",
       {"go"},
       {{"/globals/x", 5}}},
  };
}

std::vector<Case> limit_cases() {
  const std::string limited = R"(
turnStructure: {phases: [{id: main}]}
actions:
  - {id: once, phase: [main], limits: [{scope: round, max: 1}], effects: [@1]}
  - {id: mine, phase: [main], limits: [{scope: game, max: 1, per: player}], effects: [@2]}
  - {id: here, phase: [main], params: {$c: cells}, limits: [{scope: round, max: 1, per: $c}], effects: [@3]}
  - {id: left, phase: [main], limits: [{scope: turn, max: 2, shared: hands}], effects: [@4]}
  - {id: right, phase: [main], limits: [{scope: turn, max: 2, shared: hands}], effects: [@5]}
  - {id: end, phase: [main], effects: [end turn]}
)";
  const auto here = [](const char* cell) { return action("here", {{"$c", cell}}); };
  return {
      {"L-05 a limit per round counts all turns of it",
       limited,
       "",
       {"once", "end", "once"},
       {{"illegal", true}}},
      {"L-05 and begins anew with the next round",
       limited,
       "",
       {"once", "end", "end", "end", "once"},
       {{"/globals/t", 11}}},
      {"L-05 a limit per player", limited, "", {"mine", "end", "mine"}, {{"/globals/t", 22}}},
      {"L-05 is each player's own",
       limited,
       "",
       {"mine", "end", "end", "end", "mine"},
       {{"illegal", true}}},
      {"L-05 a limit per space",
       limited,
       "",
       {here("a:none"), here("b:none"), "end", here("a:none")},
       {{"illegal", true}}},
      {"L-05 counts each space by itself",
       limited,
       "",
       {here("a:none"), here("b:none"), "end", here("c:none")},
       {{"/globals/t", 333}}},
      {"L-05 actions that share a limit count together",
       limited,
       "",
       {"left", "right", "left"},
       {{"illegal", true}}},
      {"L-05 as often as it allows",
       limited,
       "",
       {"left", "right", "end", "right"},
       {{"/globals/t", 455}}},
      {"L-07 tie-breaks decide between equal scores, one after the other",
       R"(
terminal:
  conditions: [{when: {op: '>=', left: {ref: gvar, var: x}, right: 1}, result: {type: score}}]
  scoring: [1, {value: p, method: lowest}, "0 - actor"]
)",
       "- {setVar: {scope: pvar, player: {id: 0}, var: p, value: 3}}\n- x = 1",
       {"go"},
       {{"winners", {1}}, {"returns", {1, 1, 1}}}},
  };
}

}  // namespace

std::vector<Case> order_cases() {
  std::vector<Case> out;
  for (const auto& group : {together_cases(), turn_order_cases(), sorting_cases(), limit_cases()})
    out.insert(out.end(), group.begin(), group.end());
  return out;
}

}  // namespace parlor::language
