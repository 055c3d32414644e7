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

// What must not be known before, what must be known again, and what must be over: luck and piles
// while moves are tried out, sets that are kept while tokens are written, units inside units, loops
// over a selection whose end matters, names that outlive a loop, texts that tokens keep, and turns
// that nobody can take.
constexpr const char* errands = R"game(
```yaml
metadata: {id: errands, name: Errands, players: 2}
globalVars: {sum: 0..90, round-trips: -9..90, drawn: 0..500, laid: 0..500, pot: 0..60 = 12}
perPlayerVars: {gold: 0..40 = 6}
tokenTypes:
  stone: {weight: int, name: string, wet: boolean}
  tile:
    props: {weight: int, name: string, wet: boolean}
    onZoneEntry: [{match: {zoneKind: board, category: shore}, set: {wet: true, weight: 2}}]
zones:
  deck: hidden stack
  bag: public per player
  table: public
  away: public stack
dataAssets:
  - id: coast
    kind: map
    payload:
      spaces:
        - {id: bay, category: shore, adjacentTo: [{to: cape}, {to: dune}]}
        - {id: cape, category: shore, adjacentTo: [{to: bay}, {to: moor}]}
        - {id: dune, category: land, adjacentTo: [{to: bay}, {to: moor}]}
        - {id: moor, category: land, adjacentTo: [{to: cape}, {to: dune}]}
setup:
  - for: $n in 1..9
    do:
      - create tile in deck with weight = $n, name = 'plain', wet = false
      - create stone in deck with weight = $n % 4, name = 'plain', wet = false
  - shuffle deck
  - for: $p in players
    do: draw 4 from deck to bag:$p
turnStructure:
  phases:
    - id: day
    - id: market
      onEnter:
        - choose $due from 0..2
        - pot += $due
        - for: $p in players
          do: $p.gold += $due
    - id: night
triggers:
  - {id: drawn, event: {type: tokenEntered, zone: table}, effects: drawn += 1}
  - {id: laid, event: {type: tokenEntered, zone: away}, effects: laid += 1}
actions:
  levy:
    phase: day
    effects:
      - sum = 0
      - choose 1..3 as $from from spaces where not empty
      - for: $at in $from
        do: sum += size of $at
      - require sum > 2
      - active.gold += sum
      - go to market
      - require pot > 13
  settle:
    phase: day
    effects:
      - choose $tile from tokens in bag:active
      - choose $first from spaces where empty
      - move $tile from bag:active to $first
      - choose $second from spaces where empty
      - create stone in $second with weight = 1, name = 'new', wet = false
      - if: any spaces where empty
        then:
          - choose $third from spaces where empty
          - draw 1 from deck to $third
      - end turn
  dig:
    phase: day
    effects:
      - choose 0..2 as $what from tokens in bag:active
      - for: $tile in $what
        do: move $tile from bag:active to away
        count: $many
        in: round-trips += $many - 1
      - draw 1 from deck to table
      - choose $found from tokens in table where weight > 2
      - move $found from table to bag:active
      - end turn
  toss:
    phase: day
    effects:
      - choose $bet from 1..3
      - roll 1..6 as $eye
      - choose 1..1 as $which from 1..6 where $each < $eye
      - pot += $bet
      - end turn
  paint:
    phase: day
    effects:
      - choose $at from spaces where not empty
      - let $was@{$at} = size of $at
      - for: $tile in tokens in $at
        do:
          - choose $shade@{$tile} from 1..3
          - let $tone = $shade@{$tile}
          - $tile.name = "shade-{$tone}"
      - for: $n in 1..2
        limit: $was@{$at} - 1
        do: round-trips += $n
      - let $size = $was@{$at}
      - create tile in bag:active with weight = $size, name = "painted-{$size}", wet = false
      - choose $more from 1..2
      - create $more stone in bag:active with weight = $more, name = "late-{$more}", wet = false
      - end turn
  scatter:
    phase: day
    effects:
      - choose $at from spaces where not empty
      - choose 1..1 as $to from spaces where $zone != $at
      - for: $goal in $to
        do:
          - for: $tile in tokens in $at
            do: move $tile from $at to $goal random
          - draw 2 from deck to $goal
          - move all from $goal to away where wet and weight > 1
      - end turn
  buy:
    phase: market
    pre: actor.gold > 4
    effects:
      - choose $price from 1..3
      - actor.gold -= $price
      - draw $price from deck to table
      - move all from table to bag:actor
      - end phase
  trade: {phase: market, pre: actor.gold > 12, effects: [choose $n from 1..2, actor.gold -= $n, end phase]}
  sleep:
    phase: night
    pre: size of bag:actor > 2
    effects:
      - choose $tile from tokens in bag:actor
      - move $tile from bag:actor to away
      - end turn
terminal:
  done: {when: turn > 60 or size of deck == 0, score: true}
  scoring: {method: highest, value: actor.gold}
```
)game";

TEST(NativeStretches, DoErrandsAsTheInterpreterDoes_V11) {
  const spec::GameDef def = compiled(errands);
  const auto plain = kernel::open_game(def);
  ASSERT_TRUE(plain);
  EXPECT_TRUE(compare_def(def, 120, 200));
}

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
