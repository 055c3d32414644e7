// Planned queries give what plain evaluation gives, along random play.
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <thread>

#include "kernel/builder.h"
#include "source_dir.h"
#include "spec/spec.h"

namespace parlor::kernel {
namespace {

using namespace build;

// Plays the same random games with and without plans and compares everything on the way.
void expect_same_play(const GameDef& def, int games, int moves) {
  const auto planned = open(def), plain = open(def, {.plan = false});
  Rng rng(7);
  OptionList a, b;
  for (int g = 0; g < games; ++g) {
    State left = planned->start(static_cast<Seed>(g)).value(),
          right = plain->start(static_cast<Seed>(g)).value();
    for (int move = 0; move < moves && !left.finished(); ++move) {
      left.list_options(a);
      right.list_options(b);
      ASSERT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end())) << left.describe();
      ASSERT_TRUE(planned->consistent(left.block())) << left.describe();
      const Option pick = a[rng.below(a.size())];
      ASSERT_TRUE(left.apply(pick));
      ASSERT_TRUE(right.apply(pick));
      ASSERT_EQ(left.view(), right.view());
    }
    ASSERT_EQ(left.finished(), right.finished());
    if (!left.finished()) continue;
    EXPECT_EQ(to_json(left.outcome()), to_json(right.outcome()));
  }
}

TEST(KernelPlans, NInARow) {
  expect_same_play(n_in_a_row("ttt", 3, 3, 3), 20, 9);
  expect_same_play(n_in_a_row("c4", 6, 7, 4, true), 10, 42);
  expect_same_play(n_in_a_row("wide", 5, 13, 4), 4,
                   65);  // two words, and an irregular order of names
  expect_same_play(n_in_a_row("large", 12, 14, 4), 2, 60);  // four words
}

// A race of stones that asks for neighbours, connections and counts in many shapes.
TEST(KernelPlans, ManyShapes) {
  GameDef def = n_in_a_row("shapes", 5, 5, 9);
  auto mine = [] { return exists(tokens_in(zone_in("$zone"), prop_is("owner", active_player()))); };
  Query beside{StepQuery{zone_in("$zone"), {}}, {}};
  Condition near_mine{Exists{Box<Query>(beside),
                             "$n",
                             {exists(tokens_in(zone_in("$n"), prop_is("owner", active_player())))}},
                      {}};
  Condition all_filled{
      ForAll{Box<Query>(beside), "$n",
             Box<Condition>(cmp(CompareOp::greater, zone_count(zone_in("$n")), num(0)))},
      {}};
  SpecValue row{ZonePropRef{zone_in("$zone"), "row"}, {}};
  ActionDef grow =
      action("grow", {"main"},
             {create("mark", zone_in("$cell"), {{"owner", active_player()}}), advance()});
  grow.params.push_back({"$cell", spaces(all_of({no_token(), near_mine}))});
  ActionDef fill =
      action("fill", {"main"},
             {create("mark", zone_in("$cell"), {{"owner", active_player()}}), advance()});
  fill.params.push_back(
      {"$cell",
       spaces(all_of(
           {no_token(), {AnyOf{{all_filled, cmp(CompareOp::less_equal, row, num(1))}}, {}}}))});
  ActionDef reach =
      action("reach", {"main"},
             {create("mark", zone_in("$cell"), {{"owner", active_player()}}), advance()});
  Query chain{ConnectedZonesQuery{
                  zone("cell_2_2:none"), {{Not{Box<Condition>(mine())}, {}}}, false, false, {}},
              {}};
  reach.params.push_back({"$cell", Query{FilterQuery{Box<Query>(chain), "$zone", no_token()}, {}}});
  def.actions.push_back(grow);
  def.actions.push_back(fill);
  def.actions.push_back(reach);
  expect_same_play(def, 6, 25);
}

// The text of a shipped game with some of it replaced.
GameDef changed(const std::string& name,
                const std::vector<std::pair<std::string, std::string>>& changes) {
  std::ifstream file(std::filesystem::path(test::source_dir()) / "games" / (name + ".md"));
  std::string text(std::istreambuf_iterator<char>(file), {});
  for (const auto& [from, to] : changes) {
    const auto at = text.find(from);
    if (at == std::string::npos) throw std::runtime_error(name + " has no " + from);
    text.replace(at, from.size(), to);
  }
  spec::CompileResult compiled = spec::compile_text(text);
  if (!compiled.game) throw std::runtime_error(name + " does not compile");
  return *compiled.game;
}

// Rays, steps of steps, ways of one zone and sets that several conditions share, on boards of one,
// two and four words whose cells' names sort as they lie, and on others where they do not.
TEST(KernelPlans, RaysAndWaysOnBoardsOfAllSizes) {
  for (const char* size : {"(5, 6)", "(6, 13)", "(11, 12)"}) {
    SCOPED_TRACE(size);
    expect_same_play(changed("reversi", {{"grid(8, 8)", fmt::format("grid{}", size)}}), 3, 60);
  }
  for (const char* size : {"(8, 7)", "(8, 12)", "(12, 12)"}) {
    SCOPED_TRACE(size);
    expect_same_play(changed("english-draughts", {{"grid(8, 8)", fmt::format("grid{}", size)}}), 3,
                     60);
    expect_same_play(changed("breakthrough", {{"grid(8, 8)", fmt::format("grid{}", size)}}), 3, 60);
  }
}

// On a board that closes in itself a ray ends before its own start, and a row may go round.
TEST(KernelPlans, Rings) {
  GameDef def = n_in_a_row("ring", 1, 9, 4);
  for (spec::ZoneDef& zone : def.zones) zone.directions.clear();
  for (int c = 0; c < 9; ++c)
    for (const auto& [direction, by] : {std::pair{"e", 1}, {"w", 8}})
      def.zones[static_cast<std::size_t>(c)].directions.push_back(
          {direction, fmt::format("cell_0_{}:none", (c + by) % 9)});
  auto owned = [](const char* zone) {
    return exists(tokens_in(zone_in(zone), prop_is("owner", active_player())));
  };
  Query ray{RayQuery{zone_in("$zone"),
                     {DirectionSel::Kind::names, {"e", "w"}, "", {}},
                     {no_token()},
                     {owned("$zone")},
                     {}},
            {}};
  Condition sees_mine{Exists{Box<Query>(ray), "$end", {owned("$end")}}, {}};
  ActionDef jump = action(
      "see", {"main"}, {create("mark", zone_in("$cell"), {{"owner", active_player()}}), advance()});
  jump.params.push_back({"$cell", spaces(sees_mine)});
  def.actions.push_back(jump);
  expect_same_play(def, 10, 12);
}

// V-03: what a memory remembers is kept while tokens come and go, in whatever shape it is asked
// for.
TEST(KernelPlans, MemoriesOfPositions) {
  const std::string content = "by: sum(owner + 1 for tokens in $zone)";
  const std::pair<std::string, std::string> forgetting{
      "pass: {effects: passes += 1}", "pass: {effects: [passes += 1, forget positions]}"};
  const std::pair<std::string, std::string> small{"default: 9", "default: 4"};
  expect_same_play(changed("go", {small}), 6, 90);
  expect_same_play(changed("go", {small, {content, "by: size of $zone"}}), 3, 60);
  // A number that is no sum over tokens is found out zone by zone.
  expect_same_play(changed("go", {small, {content, "by: size of $zone * 3"}}), 3, 60);
  // What is forgotten may come again.
  expect_same_play(changed("go", {small, forgetting}), 6, 90);
}

// Many games side by side, listed in any order and put back to where another stands, as a search
// does: what is kept of the last state must not be taken for the next.
void expect_same_options_in_any_order(const GameDef& def, int games, int moves) {
  const auto planned = open(def), plain = open(def, {.plan = false});
  EXPECT_TRUE(std::ranges::any_of(planned->program().actions,
                                  [](const ActionInfo& action) { return action.trial.local; }));
  Rng rng(5);
  OptionList a, b;
  std::vector<std::pair<State, State>> states;
  for (int g = 0; g < games; ++g)
    states.emplace_back(planned->start(static_cast<Seed>(g)).value(),
                        plain->start(static_cast<Seed>(g)).value());
  for (int move = 0; move < moves; ++move) {
    auto& [left, right] = states[rng.below(states.size())];
    if (left.finished() || rng.below(12) == 0) {
      const auto& other = states[rng.below(states.size())];
      left = State(other.first);
      right = State(other.second);
    }
    left.list_options(a);
    right.list_options(b);
    ASSERT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end())) << left.describe();
    if (a.empty()) continue;
    const Option pick = a[rng.below(a.size())];
    ASSERT_TRUE(left.apply(pick));
    ASSERT_TRUE(right.apply(pick));
    ASSERT_EQ(left.view(), right.view());
  }
}

// V-02: what looking ahead found out is kept until something it looked into is another: chains,
// memories of positions, stacks, properties that trials change, ways to a goal.
TEST(KernelPlans, LookAheadsAreKeptUntilWhatTheyReadChanges) {
  expect_same_options_in_any_order(changed("go", {{"default: 9", "default: 5"}}), 5, 700);
  expect_same_options_in_any_order(
      changed("go", {{"default: 9", "default: 4"},
                     {"pass: {effects: passes += 1}",
                      "pass: {effects: [passes += 1, forget positions]}"}}),
      3, 300);
  expect_same_options_in_any_order(changed("quoridor", {}), 2, 25);
  const spec::CompileResult compiled = spec::compile_text(R"(
```yaml
metadata: {id: herd, name: Herd, players: 2}
zones:
  cell: grid(4, 4)
tokenTypes: {ox: {owner: player, weight: int}}
seats: [red, blue]
setup:
  - for: $cell in cells where $cell.row == 0
    do: create ox in $cell with owner = red, weight = 1
  - for: $cell in cells where $cell.row == 3
    do: create ox in $cell with owner = blue, weight = 1
turnStructure: {phases: {play: {actionDefaults: {afterEffects: end phase}}}}
actions:
  push:
    params:
      $from: cells where any tokens in $zone where owner == active
      $to: cells
    effects:
      - for: $ox in tokens in $from
        do:
          - $ox.weight = $ox.weight + 1
          - move $ox from $from to $to
      - require count(tokens in $to) < 3
      - "require any $beside in neighbours of $to: size of $beside == 0"
      - "require no $ox in tokens in $to: $ox.weight > 6"
  rest: {}
terminal:
  long: {when: turn > 60, draw: true}
```
)");
  for (const Diagnostic& problem : compiled.diagnostics.all()) ADD_FAILURE() << problem.message;
  ASSERT_TRUE(compiled.game);
  expect_same_options_in_any_order(*compiled.game, 4, 400);
}

// V-02: whoever searches comes back to the same states again and again; what is known of where
// their lines begin must hold there, and nowhere else.
TEST(KernelPlans, LookAheadsAreKnownWhereManyLinesBegin) {
  const GameDef def = changed("go", {{"default: 9", "default: 6"}});
  const auto planned = open(def), plain = open(def, {.plan = false});
  Rng rng(11);
  OptionList a, b;
  State root = planned->start(1).value(), plain_root = plain->start(1).value();
  for (int line = 0; line < 40; ++line) {
    State left = root, right = plain_root;
    for (int move = 0; move < 26 && !left.finished(); ++move) {
      left.list_options(a);
      right.list_options(b);
      ASSERT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end())) << left.describe();
      const Option pick = a[rng.below(a.size())];
      ASSERT_TRUE(left.apply(pick) && right.apply(pick));
      if (line % 10 == 9 && move == 14) root = left, plain_root = right;  // and go on from there
    }
    if (root.finished()) root = planned->start(1).value(), plain_root = plain->start(1).value();
  }
}

// What a list is does not depend on what is kept: a thread that knows nothing makes the same,
// whatever the budget, and is as often undecided.
TEST(KernelPlans, ListsAreTheSameWhateverIsKept) {
  const GameDef def = changed("go", {{"default: 9", "default: 5"}});
  for (const std::int64_t look_ahead : {60, 400, 3'000, 33'000, 40'000, 1'000'000}) {
    SCOPED_TRACE(look_ahead);
    const auto game = open(def, {.look_ahead = look_ahead}),
               other = open(def, {.look_ahead = look_ahead});
    State state = game->start(4).value(), again = other->start(4).value();
    Rng rng(2);
    OptionList known, unknown;
    for (int move = 0; move < 40 && !state.finished(); ++move) {
      state.list_options(known);
      std::thread([&] { again.list_options(unknown); }).join();
      ASSERT_TRUE(std::equal(known.begin(), known.end(), unknown.begin(), unknown.end())) << move;
      ASSERT_EQ(game->undecided_options(), other->undecided_options()) << move;
      const Option pick = known[rng.below(known.size())];
      ASSERT_EQ(state.apply(pick).has_value(), again.apply(pick).has_value());
    }
  }
}

// V-05, V-06: where a card leads is looked up by what lies between two cells; `ShippedGames` plays
// it both ways.
TEST(KernelPlans, WhatLiesBetweenTwoZonesIsLookedUp) {
  const auto game = open(changed("onitama", {}));
  EXPECT_FALSE(game->program().scan_keys.empty());
  EXPECT_FALSE(game->program().relations.empty());
}

// V-05, V-06, V-07: rows and zones looked up by a value, numbers worked out without calls, and
// conditions that loops ask again and again: with bindings that are missing now and then, cells
// without the attribute, and dead ends that are tried out.
TEST(KernelPlans, LookedUpAndRemembered) {
  const spec::CompileResult compiled = spec::compile_text(R"(
```yaml
metadata: {id: leaper, name: Leaper, players: {min: 2, max: 2}}
dataAssets:
  - id: book
    kind: scenario
    payload:
      settings:
        leaps: [{way: 1, far: 2, name: up}, {way: -1, far: 1, name: down}, {way: 1, far: 3, name: leap}, {way: 0, far: 0, name: rest}]
zones:
  - {macro: grid, id: point, args: [1, 12]}
  - {id: box, owner: none, visibility: public, ordering: set, zoneKind: board}
tokenTypes:
  - {id: man, props: {owner: int, rank: int}}
  - {id: stone, props: {rank: int}}
globalVars:
  - {name: made, type: int, init: 0, min: 0, max: 1000}
perPlayerVars:
  - {name: step, type: int, init: 1, min: -1, max: 1}
setup:
  - setVar: {scope: pvar, player: 1, var: step, value: -1}
  - createToken: {type: man, zone: point_0_2, props: {owner: 0, rank: 1}, count: 2}
  - createToken: {type: man, zone: point_0_5, props: {owner: 0, rank: 2}}
  - createToken: {type: man, zone: point_0_9, props: {owner: 1, rank: 3}, count: 2}
  - createToken: {type: stone, zone: point_0_7, props: {rank: 5}}
  - createToken: {type: stone, zone: box, props: {rank: 5}}
conditionMacros:
  - id: lands
    params: [{name: from, type: zoneSelector}, {name: far, type: value}]
    condition:
      op: exists
      query: {query: zones, filter: {op: or, args: [{op: "!=", left: {ref: zoneProp, zone: $zone, prop: col}, right: 11}, {op: ">", left: {ref: gvar, var: made}, right: 3}]}}
      bind: $to
      where:
        op: and
        args:
          - {op: "==", left: {ref: zoneProp, zone: $to, prop: col}, right: {op: +, left: {ref: zoneProp, zone: {param: from}, prop: col}, right: {op: "*", left: {param: far}, right: {ref: pvar, player: active, var: step}}}}
          - {op: <, left: {aggregate: {op: count, query: {query: tokensInZone, zone: $to, filter: {prop: owner, op: neq, value: {ref: activePlayer}}}}}, right: 2}
  - id: heavy
    params: []
    condition: {op: ">", left: {aggregate: {op: sum, query: {query: tokensInMapSpaces}, bind: $t, valueExpr: {ref: tokenProp, token: $t, prop: rank}}}, right: 12}
turnStructure: {phases: [{id: main}]}
actions:
  - id: leap
    phase: [main]
    params:
      - {name: $row, domain: {query: assetRows, tableId: settings.leaps, where: [{field: way, op: eq, value: {ref: pvar, player: active, var: step}}]}}
      - name: $from
        domain:
          query: mapSpaces
          filter:
            op: and
            args:
              - {op: exists, query: {query: tokensInZone, zone: $zone, filter: {prop: owner, op: eq, value: {ref: activePlayer}}}}
              - {conditionMacro: lands, args: {from: $zone, far: {ref: assetField, row: $row, tableId: settings.leaps, field: far}}}
              - {op: exists, query: {query: players}, bind: $p, where: {op: or, args: [{conditionMacro: heavy, args: {}}, {op: ">=", left: {ref: pvar, player: $p, var: step}, right: 0}]}}
    effects:
      - forEach:
          bind: $end
          over: {query: mapSpaces, filter: {op: "==", left: {ref: zoneProp, zone: $zone, prop: col}, right: {op: +, left: {ref: zoneProp, zone: $from, prop: col}, right: {op: "*", left: {ref: assetField, row: $row, tableId: settings.leaps, field: far}, right: {ref: pvar, player: active, var: step}}}}}
          effects:
            - forEach:
                bind: $man
                over: {query: tokensInZone, zone: $from, filter: {prop: owner, op: eq, value: {ref: activePlayer}}}
                limit: 1
                effects:
                  - moveToken: {token: $man, from: $from, to: $end}
                  - setTokenProp: {token: $man, prop: rank, value: {op: max, left: 1, right: {op: "-", left: 9, right: {ref: tokenProp, token: $man, prop: rank}}}}
      - require: {op: "<=", left: {aggregate: {op: max, query: {query: mapSpaces}, bind: $z, valueExpr: {zoneCount: $z}}}, right: 3}
      - addVar: {scope: global, var: made, delta: 1}
      - advancePhase: {}
  - id: wait
    phase: [main]
    effects: [{addVar: {scope: global, var: made, delta: 1}}, {advancePhase: {}}]
terminal: {conditions: [{when: {op: ">", left: {ref: gvar, var: made}, right: 30}, result: {type: draw}}]}
```)");
  for (const Diagnostic& problem : compiled.diagnostics.all()) ADD_FAILURE() << problem.message;
  ASSERT_TRUE(compiled.game);
  expect_same_play(*compiled.game, 30, 40);
}

TEST(KernelPlans, ShippedGames) {
  int played = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(test::source_dir()) / "games")) {
    if (entry.path().extension() != ".md") continue;
    const spec::CompileResult compiled = spec::compile_file(entry.path());
    if (!compiled.game || !open_game(*compiled.game)) continue;
    SCOPED_TRACE(entry.path().filename().string());
    expect_same_play(*compiled.game, 2, 40);
    ++played;
  }
  EXPECT_GT(played, 5);
}

}  // namespace
}  // namespace parlor::kernel
