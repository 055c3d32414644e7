// Compiled rules are the interpreter's, byte by byte (V-13): both play the same games, decision by
// decision, also when a game goes from one to the other on its way.
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <thread>

#include "games/native_games.h"
#include "games/shipped.h"
#include "generate/card_game.h"
#include "generate/random_game.h"
#include "kernel/kernel.h"
#include "kernel/printed/print.h"
#include "open/native_code.h"
#include "open/open.h"
#include "source_dir.h"

namespace parlor::games {
namespace {

namespace fs = std::filesystem;

TEST(NativeGames, PlayAsTheInterpreterDoes) {
  for (const char* name : {"tic-tac-toe", "leduc-poker", "onitama", "go"})
    compare_game(name, 5, 150);
}

// Compiling every shipped game takes minutes the first time.
TEST(SlowNativeGames, AllShippedGamesPlayAsTheInterpreterDoes) {
  int compared = 0;
  for (const std::string& name : shipped_with_modules()) {
    if (name == "chess") continue;
    compare_game(name, 3, 300);
    ++compared;
    if (testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GE(compared, 27);
}

// Cards of a hand three by three: the subsets of tokens and of numbers, with and without the best
// one, of a row of bindings, and then a choice, before which everything that is left behind lies in
// the state. Divided by what is zero for some hands, the move is refused.
constexpr const char* subsets = R"(
```yaml
metadata: {id: subsets, name: Subsets, players: 2}
globalVars: {most: -1000..1000, least: -1000..1000, moves: 0..50}
tokenTypes: {card: {rank: int, suit: string}}
zones: {deck: hidden, hand: {owner: player, visibility: owner}, out: public}
setup:
  - for: $r in 1..12
    do:
      - create card in deck with rank = $r, suit = 'hearts'
      - create card in deck with rank = $r % 5, suit = 'spades'
  - shuffle deck
  - for: $p in players
    do: draw 6 from deck to hand:$p
turnStructure: {phases: [play]}
actions:
  show:
    params: {by: 0..9}
    effects:
      - evaluateSubset:
          source: tokens in hand:actor
          subsetSize: 3
          subsetBind: $three
          compute:
            - let $same = sum(sum(if $a.suit == $b.suit then 1 else 0 for $b in $three) for $a in $three)
            - let $total = sum($a.rank for $a in $three)
            - let $score = $same * 10 + $total / (if by == 3 then $total - 9 else 1)
          scoreExpr: $score
          resultBind: $best
          bestSubsetBind: $cards
          in: most = $best
      - evaluateSubset:
          source: 1..5
          subsetSize: 2
          subsetBind: $two
          compute: let $product = sum($n * $n for $n in $two)
          scoreExpr: 0 - $product + by
          resultBind: $lowest
          in: least = $lowest
      - choose $card from $cards
      - move $card from hand:actor to out
      - draw 1 from deck to hand:actor
      - moves += 1
      - end turn
terminal: {done: {when: "moves == 12", draw: true}}
```
)";

TEST(NativeGames, GoThroughSubsetsAsTheInterpreterDoes_V07) {
  const spec::CompileResult compiled = spec::compile_text(subsets);
  ASSERT_TRUE(compiled.game);
  const auto plain = kernel::open_game(*compiled.game);
  ASSERT_TRUE(plain);
  const auto& program = dynamic_cast<const kernel::KernelGame&>(**plain).program();
  std::size_t printed = 0;
  for (const std::string& part : kernel::print_source(program).parts)
    for (auto at = part.find("each_subset("); at != std::string::npos;
         at = part.find("each_subset(", at + 1))
      ++printed;
  EXPECT_EQ(printed, 2u);
  EXPECT_TRUE(compare_def(*compiled.game, 12, 60));
}

// Everything that moves made by compiled code do to a state: tokens that come, go and change, in
// loops and behind conditions; numbers of all kinds; a choice, where the interpreter goes on; and
// what goes wrong when much is done already: a division by zero, a property that is missing.
constexpr const char* moves_of_all_kinds = R"game(
```yaml
metadata: {id: whole-moves, name: Whole moves, players: 2}
globalVars: {odd: -50..50, last: 0..9, busy: false}
perPlayerVars: {points: 0..40}
zoneVars: {visits: 0..9}
tokenTypes: {stone: {owner: int, weight: int, marked: boolean}, post: {owner: int}}
zones: {cell: "grid(4, 5)", taken: public, box: {owner: player}}
setup:
  - for: $p in players
    do:
      - create stone in cell_0_0 with owner = $p, weight = $p + 1, marked = false
      - create post in box:$p with owner = $p
  - create post in cell_3_4 with owner = 1
turnStructure: {phases: [play]}
actions:
  put:
    params: {$cell: cells where empty}
    effects:
      - create stone in $cell with owner = active, weight = last, marked = busy
      - let $before = last
      - last = ($before * 3 + $cell.row) % 7
      - busy = not busy
      - for: $near in cells all of $cell
        do:
          - $near.visits += 1
          - for: $piece in tokens in $near where owner == opponent
            do:
              - $piece.weight = $piece.weight + 1
              - if: $piece.weight > 4
                then:
                  - actor.points += $piece.weight
                  - destroy $piece
      - odd += 100 / (last - 6 + $cell.visits)
      - end turn
  gather:
    params: {$cell: "cells where not empty", $way: "directions where any $to in cells $each of $cell where true"}
    effects:
      - for: $to in cells $way of $cell
        do:
          - move all from $cell to $to
          - move all from $to to taken where marked == true
      - for: $own in tokens in $cell
        do: move $own from $cell to box:actor
      - active.points += size of taken
      - end turn
  look:
    params: {$cell: "cells where not empty", by: 1..3}
    effects:
      - opponent.points += by
      - last = by
      - choose $piece from tokens in $cell
      - $piece.owner = by - 1
      - end turn
terminal:
  rich: {when: any $p in players where $p.points > 35, win: active}
  long: {when: turn > 60, draw: true}
```
)game";

std::set<std::string> printed_moves(const Game& game) {
  return printed_functions(game, "move_");
}

TEST(NativeGames, MakeWholeMovesAsTheInterpreterDoes_V11) {
  const spec::CompileResult compiled = spec::compile_text(moves_of_all_kinds);
  ASSERT_TRUE(compiled.game);
  const auto plain = kernel::open_game(*compiled.game);
  ASSERT_TRUE(plain);
  EXPECT_EQ(printed_moves(**plain), (std::set<std::string>{"put_0", "gather_1", "look_2"}));
  EXPECT_TRUE(compare_def(*compiled.game, 40, 80));
}

TEST(NativeGames, MakeMovesOfGridsAndCardsAsTheInterpreterDoes_V11) {
  for (const char* name :
       {"connect-four", "breakthrough", "hex", "reversi", "gomoku", "kuhn-poker"}) {
    EXPECT_FALSE(printed_moves(*open_shipped(name)).empty()) << name;
    compare_game(name, 6, 200);
  }
}

// Go on other boards: round the edges, with diagonals, of hexes, and of so many columns that cells
// do not lie in the order of their names. Where steps to all neighbours are a few rotations walks
// go by these, otherwise by a table. The last board has sets of eight words.
TEST(NativeGames, WalkOnBoardsOfAllKindsAsTheInterpreterDoes_V11) {
  const std::vector<std::pair<std::string, bool>> boards = {
      {"{macro: grid, args: [6, 7], wrap: true}", true},
      {"{macro: grid, args: [9, 9], diagonals: true}", true},
      {"hex(3)", false},
      {"grid(17, 17)", false}};
  for (const auto& [board, rotations] : boards) {
    SCOPED_TRACE(board);
    const auto plain = open_changed("go", {.replace = {{"grid(size, size)", board}}});
    ASSERT_TRUE(plain);
    const auto& program = dynamic_cast<const kernel::KernelGame&>(*plain).program();
    bool found = false;
    for (const std::string& part : kernel::print_source(program).parts)
      found = found || part.find("struct Beside ") != std::string::npos;
    EXPECT_EQ(found, rotations);
    const auto fast = native(plain);
    for (Seed seed = 0; seed < 3 && !HasFatalFailure(); ++seed)
      play_with_both(*plain, *fast, seed, 150);
  }
}

// A budget that is too small, wherever a move is when it ends: both say so, and change nothing.
TEST(NativeGames, RunOutOfWorkAsTheInterpreterDoes_V13) {
  const spec::CompileResult compiled = spec::compile_text(moves_of_all_kinds);
  ASSERT_TRUE(compiled.game);
  for (const std::int64_t budget : {20, 30, 45, 70, 110}) {
    const auto plain = kernel::open_game(*compiled.game, {.budget = budget});
    ASSERT_TRUE(plain);
    const auto fast = native(*plain);
    for (Seed seed = 0; seed < 3 && !HasFatalFailure(); ++seed)
      play_with_both(**plain, *fast, seed, 20);
  }
}

// Phases that do something as they are entered and left, and lead on to others at once; rounds and
// turns that triggers hear of; loops that go on as long as something holds; a choice in the middle
// of what a phase does, behind loops and behind none; a division by what may be zero.
constexpr const char* phases_of_all_kinds = R"game(
```yaml
metadata: {id: entered-phases, name: Entered phases, players: 2}
globalVars: {steps: 0..200, odd: -50..50, heard: 0..50, pot: 0..99}
perPlayerVars: {points: 0..40 = 20}
tokenTypes: {stone: {owner: int, weight: int}}
zones: {cell: "grid(2, 3)", bag: public, out: public}
setup:
  - for: $n in 1..9
    do: create stone in bag with owner = 0, weight = $n % 4
turnStructure:
  phases:
    - id: deal
      onEnter:
        - steps += 1
        - draw 1 from bag to cell_0_0
        - if: size of bag == 0
          then: move all from out to bag
        - if: steps % 5 == 0
          then:
            - for: $p in players
              do: $p.points -= 1
            - go to tidy
      onExit: odd = odd + 1
    - id: play
      onEnter:
        - if: steps % 4 == 1
          then: pot += 2
    - id: tidy
      onEnter:
        - while: pot > 6
          limit: 30
          effects:
            - pot -= 3
            - odd -= 1
        - if: steps % 3 == 0
          then:
            - choose $cell from cells where not empty
            - move all from $cell to out
        - odd += 60 / (odd + 9)
actions:
  go-on: {phase: deal, effects: go to play}
  put:
    phase: play
    params: {$cell: cells where empty}
    effects:
      - move all from cell_0_0 to $cell
      - pot += 1
      - end phase
  sweep:
    phase: play
    pre: pot > 1
    effects:
      - for: $cell in cells where not empty
        do: pot += size of $cell
      - go to tidy
  rest: {phase: [play, tidy], effects: end phase}
triggers:
  - {id: late, event: {type: phaseEnter, phase: play}, when: steps % 6 == 2, effects: heard += 1}
  - {id: round, event: {type: turnEnd}, effects: odd += 2}
terminal:
  long: {when: steps > 60, draw: true}
  poor: {when: any $p in players where $p.points == 0, win: active}
```
)game";

TEST(NativeGames, RunThePhasesThatMovesEnterAsTheInterpreterDoes_V11) {
  const spec::CompileResult compiled = spec::compile_text(phases_of_all_kinds);
  ASSERT_TRUE(compiled.game);
  const auto plain = kernel::open_game(*compiled.game);
  ASSERT_TRUE(plain);
  EXPECT_EQ(printed_moves(**plain),
            (std::set<std::string>{"go_on_0", "put_1", "sweep_2", "rest_3"}));
  EXPECT_EQ(printed_functions(**plain, "unit_").size(), 9u);
  EXPECT_TRUE(compare_def(*compiled.game, 30, 120));
}

// Moves that have to be tried out: choices one behind the other and in loops, with something that
// refuses behind them, before them and between them; choices without an answer; what depends on
// what was chosen before.
constexpr const char* trials_of_all_kinds = R"game(
```yaml
metadata: {id: tried-moves, name: Tried moves, players: 2}
globalVars: {moves: 0..80, mark: 0..9}
perPlayerVars: {points: 0..60}
tokenTypes: {stone: {owner: int, weight: int}}
zones:
  cell: grid(3, 3)
  bag: public per player
  seen: {macro: memory, of: cells, by: sum(owner + 1 for tokens in $zone)}
setup:
  - for: $p in players
    do:
      - for: $n in 1..4
        do: create stone in bag:$p with owner = $p, weight = $n
turnStructure:
  phases:
    play:
      onEnter:
        - if: moves % 3 == 0
          then: remember seen
      actionDefaults: {afterEffects: [moves += 1, end phase]}
actions:
  put:
    params: {$cell: cells where empty}
    effects:
      - choose $stone from tokens in bag:active
      - move $stone from bag:active to $cell
      - choose $near from neighbours of $cell
      - require count(tokens in $near) + $stone.weight > mark % 3
      - mark = ($stone.weight + mark) % 7
  chain:
    effects:
      - for: $n in 1..2
        do:
          - choose $from from cells where any tokens in $zone where owner == active
          - choose $to from cells where empty and $zone != $from
          - move all from $from to $to
          - if: mark == 3
            then: require no tokens in $to where weight == $n
      - active.points += 1
  take:
    params: {$by: 1..3}
    effects:
      - draw 1 from bag:active to cell_1_1
      - for: $cell in cells where not empty
        limit: 2
        do:
          - choose $stone from tokens in $cell where weight >= $by
          - $stone.weight = $stone.weight - 1
          - move $stone from $cell to bag:opponent
      - observe seen
      - require times seen in seen < 2
  rest: {effects: mark = (mark + 1) % 7}
terminal:
  long: {when: moves >= 60, draw: true}
  rich: {when: any $p in players where $p.points > 9, win: active}
```
)game";

TEST(NativeGames, TryMovesOutAsTheInterpreterDoes_V11) {
  const spec::CompileResult compiled = spec::compile_text(trials_of_all_kinds);
  ASSERT_TRUE(compiled.game);
  const auto plain = kernel::open_game(*compiled.game);
  ASSERT_TRUE(plain);
  EXPECT_EQ(printed_functions(**plain, "trial_"),
            (std::set<std::string>{"put_1", "chain_2", "take_3"}));
  EXPECT_TRUE(compare_def(*compiled.game, 30, 120));
}

// Compiled trials count more work than the interpreter: where that could matter, it is asked.
TEST(NativeGames, RunOutOfLookAheadAsTheInterpreterDoes_V13) {
  const spec::CompileResult compiled = spec::compile_text(trials_of_all_kinds);
  ASSERT_TRUE(compiled.game);
  for (const std::int64_t look_ahead : {30, 200, 2'000, 6'000}) {
    const auto plain = kernel::open_game(*compiled.game, {.look_ahead = look_ahead});
    ASSERT_TRUE(plain);
    const auto fast = native(*plain);
    for (Seed seed = 0; seed < 3 && !HasFatalFailure(); ++seed)
      play_with_both(**plain, *fast, seed, 40);
    EXPECT_EQ(dynamic_cast<const kernel::KernelGame&>(**plain).undecided_options(),
              dynamic_cast<const kernel::KernelGame&>(*fast).undecided_options());
  }
}

TEST(NativeGames, TryMovesOfShippedGamesOutAsTheInterpreterDoes_V11) {
  for (const char* name : {"amazons", "backgammon"}) {
    EXPECT_FALSE(printed_functions(*open_shipped(name), "trial_").empty()) << name;
    compare_game(name, 4, 150);
  }
  compare_game("nine-mens-morris", 4, 150);  // whose choices are known to have an answer
}

// What is behind the moves of cards: hands others do not see, decks that are shuffled again when
// they run out, piles drawn at random, dice; timed effects that forbid, charge and change numbers;
// prices, limits of every kind, a name for a value, triggers, and stages that are paid one by one.
constexpr const char* cards_of_all_kinds = R"game(
```yaml
metadata: {id: hidden-moves, name: Hidden moves, players: 3}
globalVars: {turns: 0..200, pot: 0..500, seen: 0..200}
perPlayerVars: {gold: 0..99 = 6, points: 0..300}
tokenTypes: {card: {rank: int, suit: int}, coin: {}}
zones:
  pile: hidden stack
  row: public queue
  lucky: {is: hidden stack, behavior: {type: deck, drawFrom: random}}
  deck: {is: hidden stack per player, behavior: {type: deck, reshuffleFrom: rest}}
  hand: private
  rest: public stack per player
  purse: public per player
setup:
  - for: $n in 1..6
    do:
      - create 2 card in pile with rank = $n, suit = $n % 3
      - create card in lucky with rank = $n, suit = 2
      - for: $p in players
        do: create card in deck:$p with rank = $n, suit = $n % 2
  - shuffle pile
  - for: $p in players
    do:
      - shuffle deck:$p
      - draw 2 from deck:$p to hand:$p
turnStructure:
  phases: {main: {actionDefaults: {afterEffects: [turns += 1]}}}
effects:
  tax: {costDelta: {gold: 1}, costActions: [buy, play]}
  boycott: {blockActions: [trade]}
  harvest: {modifiers: {yield: 2}}
  once: {costDelta: {gold: 2}, costActions: [fish], charges: 1}
actions:
  play:
    params: {$card: tokens in hand:actor}
    limits: {turn: 3}
    effects:
      - move $card from hand:actor to rest:actor
      - active.points += $card.rank + modifier yield
      - draw 1 from deck:actor to hand:actor
      - if: $card.suit == 1
        then: start tax for next
  fish:
    price: {gold: 1}
    limits: {phase: 2, game: 40}
    effects:
      - draw 2 from lucky to hand:actor
      - roll 1..4 as $eye
      - if: $eye == 4
        then: start harvest for actor until turn turn + 2
      - pot += $eye
  buy:
    price: {gold: if pot > 9 then 2 else 1}
    effects:
      - if: size of pile < 2
        then:
          - move all from rest:actor to pile
          - shuffle pile
      - draw 1 from pile to rest:actor
      - let: $due = pot // 3
        in: [pot -= $due, actor.points += $due]
      - create coin in purse:actor
  trade:
    params: {$with: $p in players where $p != actor and size of hand:$p > 0}
    limits: {round: {max: 1, per: player}}
    effects:
      - draw 1 from hand:$with to hand:actor
      - if: pot > 20
        then: start boycott
      - start once for $with
  hoard: {}
  lay-down:
    effects:
      - move all from hand:actor to rest:actor
      - draw 3 from deck:actor to hand:actor
      - active.gold += 2
      - end phase
actionPipelines:
  hoarding:
    actionId: hoard
    legality: actor.gold > 1
    costValidation: actor.gold >= 2
    costEffects: active.gold -= 2
    stages:
      which: choose $card from tokens in hand:active
      give: move $card from hand:active to lucky
    atomicity: atomic
triggers:
  - {id: long, event: {type: turnEnd}, when: seen < 200, effects: seen += 1}
  - {id: taken, event: {type: actionResolved, action: buy}, effects: pot += 1}
terminal:
  long: {when: turns > 150, draw: true}
  won: {when: any $p in players where $p.points > 120, win: active}
```
)game";

TEST(NativeGames, MakeMovesOfHiddenCardsAsTheInterpreterDoes_V11) {
  const spec::CompileResult compiled = spec::compile_text(cards_of_all_kinds);
  ASSERT_TRUE(compiled.game) << to_json(compiled.diagnostics);
  const auto plain = kernel::open_game(*compiled.game);
  ASSERT_TRUE(plain);
  EXPECT_EQ(printed_moves(**plain),
            (std::set<std::string>{"play_0", "fish_1", "buy_2", "trade_3", "lay_down_5"}));
  EXPECT_TRUE(compare_def(*compiled.game, 30, 160));
}

// Rules nobody would write on purpose, also such as go wrong while they are played.
TEST(SlowNativeGames, RandomGamesPlayAsTheInterpreterDoes) {
  int compared = 0;
  for (std::uint64_t number = 0; number < 24 && !HasFatalFailure(); ++number) {
    const auto plan = generate::game_plans(number % 2 == 1)(rc::Random(number), 40).value();
    compared += compare_def(generate::make_game(plan), 3, 60) ? 1 : 0;
  }
  EXPECT_GE(compared, 12);
}

TEST(SlowNativeGames, RandomCardGamesPlayAsTheInterpreterDoes) {
  int compared = 0;
  for (std::uint64_t number = 0; number < 8 && !HasFatalFailure(); ++number) {
    const spec::CompileResult compiled = spec::compile_text(generate::card_game(number));
    ASSERT_TRUE(compiled.game) << number;
    compared += compare_def(*compiled.game, 2, 60) ? 1 : 0;
  }
  EXPECT_GE(compared, 6);
}

// Games that only tests play: hidden hands, moves handed in together, rules that never end.
TEST(SlowNativeGames, GamesOfTestsPlayAsTheInterpreterDoes) {
  int compared = 0;
  for (const char* folder : {"hidden", "degenerate", "large", "numbers"})
    for (const auto& entry :
         fs::directory_iterator(test::source_dir() + "/tests/games/" + folder)) {
      if (entry.path().extension() != ".md") continue;
      const auto plain = open::open_game_file(entry.path(), {}, open::Files::none,
                                              {test::source_dir() + "/games"});
      if (!plain) continue;  // those that are there to be refused
      const auto* data = dynamic_cast<const kernel::KernelGame*>(plain->get());
      ASSERT_TRUE(data != nullptr) << entry.path();
      compared += compare_def(data->program().def, 2, 80) ? 1 : 0;
      if (HasFatalFailure()) return;
    }
  EXPECT_GE(compared, 15);
}

}  // namespace
}  // namespace parlor::games
