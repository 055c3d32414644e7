// What compiled code does in the middle of moves (V-11): behind answers, in pipelines, where
// triggers hear of what happens, where others do not see it. The machine runs there, and stretches
// of its code are compiled. Byte by byte what the interpreter does (V-13), also where rules go
// wrong when much is done already.
#include <gtest/gtest.h>

#include "games/native_games.h"
#include "games/shipped.h"
#include "kernel/kernel.h"
#include "spec/spec.h"

namespace parlor::games {
namespace {

spec::GameDef compiled(const std::string& text) {
  const spec::CompileResult result = spec::compile_text(text);
  EXPECT_TRUE(result.game) << to_json(result.diagnostics);
  return result.game.value_or(spec::GameDef{});
}

// Choices with everything behind them: loops with loops in them and choices in those, tokens that
// come, go and change, also where they arrive, variables by name, names with placeholders, markers,
// what is told, luck, timed effects, limits of what may stand somewhere, a division by zero and a
// loop without an end.
constexpr const char* answers_of_all_kinds = R"game(
```yaml
metadata: {id: answers, name: Answers, players: 2}
globalVars: {odd: -50..50, last: 0..9, pot: 0..200, turns: 0..90}
perPlayerVars: {points: 0..60, gold: 0..40 = 9, red: 0..20, blue: 0..20}
zoneVars: {visits: 0..9}
tokenTypes:
  - id: stone
    props: {owner: int, weight: int, marked: boolean, kind: string}
    onZoneEntry: [{match: {zoneKind: board, category: shore}, set: {marked: true}}]
  - {id: post, props: {owner: int}}
zones:
  - {id: bag, owner: player, visibility: public, ordering: set}
  - {id: out, owner: none, visibility: public, ordering: stack}
dataAssets:
  - id: island
    kind: map
    payload:
      spaces:
        - {id: north, category: shore, adjacentTo: [{to: south}, {to: hill}]}
        - {id: south, category: land, adjacentTo: [{to: north}, {to: hill}]}
        - {id: hill, category: land, adjacentTo: [{to: north}, {to: south}]}
      markerLattices: [{id: mood, states: [angry, calm, glad], defaultState: calm}]
      stackingConstraints:
        - {id: crowded, description: Five stones at most., spaceFilter: {category: [shore, land]}, pieceFilter: {pieceTypeIds: [stone]}, rule: maxCount, maxCount: 5}
effects:
  tax: {costDelta: {gold: 1}, costActions: [march], charges: 2}
setup:
  - for: $p in players
    do:
      - for: $n in 1..4
        do: create stone in bag:$p with owner = $p, weight = $n, marked = false, kind = 'red'
      - create post in bag:$p with owner = $p
turnStructure: {phases: {main: {actionDefaults: {afterEffects: [turns += 1]}}}}
actions:
  land:
    effects:
      - for: $n in 1..2
        do:
          - choose $stone from tokens in bag:active where type == stone
          - choose $to from spaces
          - move $stone from bag:active to $to
          - $to.visits += 1
          - for: $other in tokens in $to where owner != active
            limit: 2
            do:
              - $other.weight = $other.weight + $n
              - if: $other.weight > 6
                then:
                  - active.points += $other.weight
                  - destroy $other
      - pot += 100 / (10 - last)
      - end turn
  march:
    price: {gold: 1}
    effects:
      - choose 1..2 as $from from spaces where not empty
      - for: $at in $from
        do:
          - choose $moved@{$at} from tokens in $at
          - choose $paid@{$at} from 0..2
          - let $was = size of $at
          - move $moved@{$at} from $at to out
          - actor.gold -= $paid@{$at}
          - odd += $was - $paid@{$at}
      - for: $at in $from
        do: last = ($paid@{$at} + last) % 10
      - start tax for next
      - north.mood += 1
      - say: "{actor} marched"
      - end turn
  recall:
    params: {$many: 1..3}
    effects:
      - choose $who from players
      - for: $stone in tokens in out where type == stone
        limit: $many
        do:
          - $stone.kind = if $stone.weight > 3 then 'blue' else 'red'
          - let $which = $stone.kind
          - addVar: {scope: pvar, player: {chosen: $who}, var: {ref: binding, name: $which}, delta: 1}
          - move $stone from out to bag:$who
      - roll 1..3 as $eye
      - while: pot > 20 and last < 9
        limit: 6
        do:
          - pot -= $eye
          - last += 1
      - choose $more from 0..2
      - require pot >= $more
      - odd += 12 / ($more + last - 2)
      - create stone in bag:$who with owner = $who, weight = $more, marked = false, kind = 'red'
      - end turn
  rest:
    effects:
      - active.gold += 1
      - end turn
terminal:
  long: {when: turns > 60, draw: true}
```
)game";

// The same where hands are hidden, triggers hear of variables and arrivals, and a pipeline waits
// for what is chosen.
constexpr const char* whispers = R"game(
```yaml
metadata: {id: whispers, name: Whispers, players: 3}
globalVars: {heard: 0..500, came: 0..500, pot: 0..90 = 20}
perPlayerVars:
  gold: {type: int, min: 0, max: 60, init: 8}
  plan: {type: int, min: 0, max: 9, init: 0, visibility: owner}
tokenTypes: {card: {rank: int, suit: int}}
zones:
  deck: hidden stack
  hand: private
  table: public queue
  rest: public stack
setup:
  - for: $n in 1..8
    do:
      - create 3 card in deck with rank = $n, suit = $n % 3
  - shuffle deck
  - for: $p in players
    do: draw 3 from deck to hand:$p
turnStructure: {phases: {main: {}}}
triggers:
  - {id: rich, event: {type: varChanged, var: gold}, when: heard < 400, effects: heard += 1}
  - {id: laid, event: {type: tokenEntered, zone: table}, effects: came += 1}
  - {id: done, event: {type: actionResolved, action: swap}, effects: pot += 1}
actions:
  swap:
    effects:
      - choose $with from $p in players where $p != actor and size of hand:$p > 0
      - choose $mine from tokens in hand:actor
      - draw 1 from hand:$with to hand:actor
      - move $mine from hand:actor to hand:$with
      - let $worth = $mine.rank
      - actor.gold += if $worth > 4 then 2 else 1
      - end turn
  lay:
    params: {$many: 1..2}
    effects:
      - choose 1..$many as $cards from tokens in hand:actor
      - for: $card in $cards
        do:
          - move $card from hand:actor to table
          - actor.gold -= $card.suit
          - if: $card.rank > 6
            then: reveal hand:actor to all
          - choose $tip from 0..1
          - actor.gold -= $tip
      - let $sum = sum($c.rank for $c in $cards)
      - actor.plan = min(9, $sum)
      - draw 1 from deck to hand:actor
      - end turn
  gamble:
    effects:
      - roll 1..6 as $eye
      - choose $stake from 0..min(3, pot)
      - while: pot > 0 and $stake > 0 and actor.gold < 40
        limit: 3
        do:
          - pot -= 1
          - actor.gold += 1
      - if: size of table > 3
        then:
          - move all from table to rest where rank < $eye
          - shuffle rest
      - end turn
  bank: {}
actionPipelines:
  banking:
    actionId: bank
    legality: actor.gold > 1
    costValidation: actor.gold >= 2
    costEffects: actor.gold -= 2
    stages:
      which:
        - choose $from from $p in players where $p != actor
        - choose $many from 1..2
      give:
        - for: $n in 1..$many
          do:
            - choose $card from tokens in hand:actor
            - move $card from hand:actor to hand:$from
        - draw $many from deck to hand:actor
      end: [pot += 1, end turn]
    atomicity: partial
terminal:
  over: {when: turn > 50 or size of deck < 2, score: true}
  scoring: {method: highest, value: actor.gold + actor.plan}
```
)game";

TEST(NativeStretches, GoOnBehindAnswersAsTheInterpreterDoes_V11) {
  const spec::GameDef def = compiled(answers_of_all_kinds);
  const auto plain = kernel::open_game(def);
  ASSERT_TRUE(plain);
  const std::set<std::string> printed = printed_functions(**plain, "stretch_");
  for (const char* unit : {"action_land_1", "action_march_2", "action_recall_3"})
    EXPECT_TRUE(printed.contains(unit)) << unit;
  EXPECT_TRUE(compare_def(def, 60, 150));
}

TEST(NativeStretches, TellWhatHappensAsTheInterpreterDoes_V11) {
  const spec::GameDef def = compiled(whispers);
  const auto plain = kernel::open_game(def);
  ASSERT_TRUE(plain);
  const std::set<std::string> printed = printed_functions(**plain, "stretch_");
  for (const char* unit : {"action_swap_2", "action_lay_3", "pipeline_banking_6"})
    EXPECT_TRUE(printed.contains(unit)) << unit;
  EXPECT_TRUE(compare_def(def, 60, 150));
}

// A budget that is too small, wherever a move is when it ends: both say so, and change nothing.
TEST(NativeStretches, RunOutOfWorkAsTheInterpreterDoes_V13) {
  for (const char* text : {answers_of_all_kinds, whispers}) {
    const spec::GameDef def = compiled(text);
    for (const std::int64_t budget : {60, 75, 95, 130, 200}) {
      const auto plain = kernel::open_game(def, {.budget = budget});
      ASSERT_TRUE(plain);
      const auto fast = native(*plain);
      for (Seed seed = 0; seed < 12 && !HasFatalFailure(); ++seed)
        play_with_both(**plain, *fast, seed, 30);
    }
  }
}

TEST(NativeStretches, RunOutOfLookAheadAsTheInterpreterDoes_V13) {
  for (const char* text : {answers_of_all_kinds, whispers}) {
    const spec::GameDef def = compiled(text);
    for (const std::int64_t look_ahead : {40, 300, 3'000}) {
      const auto plain = kernel::open_game(def, {.look_ahead = look_ahead});
      ASSERT_TRUE(plain);
      const auto fast = native(*plain);
      for (Seed seed = 0; seed < 6 && !HasFatalFailure(); ++seed)
        play_with_both(**plain, *fast, seed, 40);
      EXPECT_EQ(dynamic_cast<const kernel::KernelGame&>(**plain).undecided_options(),
                dynamic_cast<const kernel::KernelGame&>(*fast).undecided_options());
    }
  }
}

// Too many in one place make a move illegal, also where all of them go there at once.
TEST(NativeStretches, CountWhatStandsSomewhereAsTheInterpreterDoes_V13) {
  const spec::GameDef def = compiled(R"game(
```yaml
metadata: {id: crowd, name: Crowd, players: 2}
globalVars: {moves: 0..60}
tokenTypes: {stone: {owner: int}, post: {owner: int}}
zones: {bag: {owner: player, visibility: public}, pile: public}
dataAssets:
  - id: island
    kind: map
    payload:
      spaces:
        - {id: north, category: shore, adjacentTo: [{to: south}]}
        - {id: south, category: shore, adjacentTo: [{to: north}]}
      stackingConstraints:
        - {id: crowded, description: Three stones., spaceFilter: {category: [shore]}, pieceFilter: {pieceTypeIds: [stone]}, rule: maxCount, maxCount: 3}
setup:
  - for: $p in players
    do:
      - create 5 stone in bag:$p with owner = $p
      - create 2 post in bag:$p with owner = $p
turnStructure: {phases: {main: {actionDefaults: {afterEffects: [moves += 1, end turn]}}}}
actions:
  gather:
    params: {$from: spaces, $to: spaces}
    effects: move all from $from to $to
  send:
    params: {$many: 1..3}
    effects:
      - move all from bag:actor to pile where type == stone
      - choose $to from spaces
      - draw $many from pile to $to
      - move all from pile to bag:actor
  add:
    params: {$to: spaces}
    effects: create stone in $to with owner = active
  wait: {}
terminal: {done: {when: moves > 40, draw: true}}
```
)game");
  EXPECT_TRUE(compare_def(def, 20, 120));
}

}  // namespace
}  // namespace parlor::games
