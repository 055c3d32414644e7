// What is known of a move before it is made (V-02): which of its statements can make it illegal at
// all, and that trying everything out finds the same moves.
#include <filesystem>
#include <gtest/gtest.h>

#include "kernel/builder.h"
#include "kernel/card_fixtures.h"
#include "rounds.h"
#include "source_dir.h"
#include "spec/spec.h"

namespace parlor::kernel {
namespace {

// Camps and soldiers of two sides in four places of a map, where at most two camps may stand and
// none in the desert; `box` and `tent` hold what is not on the map.
std::shared_ptr<const KernelGame> camps_game(const std::string& actions) {
  const spec::CompileResult compiled = spec::compile_text(R"(
```yaml
metadata: {id: camps, name: Camps, players: 2, defaultScenarioAssetId: start}
dataAssets:
  land:
    map:
      spaces:
        columns: [id, category, attributes.water, adjacentTo]
        rows:
          - [ford, river, 2, [hill, wood]]
          - [hill, upland, 1, [wood]]
          - [wood, upland, 1, [waste]]
          - [waste, desert, 0]
      markerLattices:
        mood: {states: [bad, fair, good], defaultState: fair}
      stackingConstraints:
        - id: two-camps
          spaceFilter: {category: [river, upland, desert]}
          pieceFilter: {pieceTypeIds: [red-camp, blue-camp]}
          rule: maxCount
          maxCount: 2
        - id: no-camp-without-water
          spaceFilter: {attributeEquals: {water: 0}}
          pieceFilter: {pieceTypeIds: [red-camp, blue-camp]}
          rule: prohibit
  sides: {seatCatalog: {seats: [{id: red}, {id: blue}]}}
  pieces:
    pieceCatalog:
      pieceTypes:
        columns: [id, seat, runtimeProps]
        rows:
          - [red-man, red, {side: red, kind: man}]
          - [blue-man, blue, {side: blue, kind: man}]
          - [red-camp, red, {side: red, kind: camp}]
          - [blue-camp, blue, {side: blue, kind: camp}]
      inventory:
        columns: [pieceTypeId, seat, total]
        rows:
          - [red-man, red, 8]
          - [blue-man, blue, 8]
          - [red-camp, red, 5]
          - [blue-camp, blue, 5]
  start:
    scenario:
      scenarioName: Start
      mapAssetId: land
      pieceCatalogAssetId: pieces
      seatCatalogAssetId: sides
      seatPools:
        columns: [seat, availableZoneId]
        rows: [[red, box-red], [blue, box-blue]]
      initialPlacements:
        columns: [spaceId, pieceTypeId, seat, count]
        rows:
          - [ford, red-man, red, 3]
          - [hill, blue-man, blue, 2]
          - [hill, red-camp, red, 1]
          - [wood, blue-camp, blue, 1]
zones: {box-red: public, box-blue: public, tent: public}
globalVars: {gold: 0..20 = 6, spent: 0..99}
turnStructure: {phases: {main: {actionDefaults: {afterEffects: end phase}}}}
conditionMacros:
  men-in(space): any tokens in space where kind == man
)" + actions + R"(
terminal: {long: {when: turn > 12, draw: true}}
```
)");
  if (!compiled.game)
    for (const Diagnostic& problem : compiled.diagnostics.all()) ADD_FAILURE() << problem.message;
  return compiled.game ? build::open(*compiled.game) : nullptr;
}

// An action `go` that is carried out by a pipeline, next to one that can always be taken.
std::shared_ptr<const KernelGame> pipeline_game(const std::string& pipeline) {
  return camps_game(R"(
actions: {go: {}, rest: {}}
actionPipelines:
  going:
    actionId: go
)" + pipeline);
}

// Statements of a pipeline or action that may make the move illegal, by their operations; behind
// `?` those that are asked as the move begins.
std::string refusing(const KernelGame& game) {
  const Program& p = game.program();
  const UnitId unit = p.pipelines.empty() ? p.actions.front().unit : p.pipelines.front().unit;
  std::string out;
  for (int pc = p.units[unit].entry; pc < p.units[unit].end; ++pc) {
    if (!p.refuses[static_cast<std::size_t>(pc)]) continue;
    const bool at_start = std::ranges::find(p.units[unit].refuses_at_start, pc) !=
                          p.units[unit].refuses_at_start.end();
    out += std::string(out.empty() ? "" : " ") + (at_start ? "?" : "") +
           op_name(p.code[static_cast<std::size_t>(pc)].op);
  }
  return out;
}
std::string refusing_pipeline(const std::string& pipeline) {
  const auto game = pipeline_game(pipeline);
  return game ? refusing(*game) : "nothing compiled";
}

TEST(KernelKnown, WhatItsLegalitySaysAChoiceHasAnAnswer_V02) {
  EXPECT_EQ(refusing_pipeline(R"(
    legality: any cells where men-in($zone)
    costEffects: gold -= 1
    stages: {one: 'choose $space from cells where men-in($zone)'}
)"),
            "");
  // More than what was asked for is enough, and so is one of several ways.
  EXPECT_EQ(refusing_pipeline(R"(
    legality: any cells where men-in($zone) and water > 0
    stages: {one: 'choose $space from cells where water > 0'}
)"),
            "");
  EXPECT_EQ(refusing_pipeline(R"(
    legality: any cells where men-in($zone)
    stages: {one: 'choose 1..2 as $spaces from cells where men-in($zone) or gold > 90'}
)"),
            "");
  EXPECT_EQ(refusing_pipeline(R"(
    legality: any cells where men-in($zone)
    stages: {one: 'choose $space from cells where men-in($zone) and water > 0'}
)"),
            "?choose_one");
}

TEST(KernelKnown, WhatHasChangedSinceIsNotKnown_V02) {
  EXPECT_EQ(refusing_pipeline(R"(
    legality: any cells where men-in($zone) and gold > 3
    costEffects: gold -= 1
    stages: {one: 'choose $space from cells where men-in($zone) and gold > 3'}
)"),
            "choose_one");
  EXPECT_EQ(refusing_pipeline(R"(
    legality: any cells where men-in($zone)
    stages:
      one:
        - for: $man in tokens in cells where kind == man
          do: move $man from ($man.zone) to tent
        - choose $space from cells where men-in($zone)
)"),
            "choose_one");
  // Camps that are moved leave the men where they are.
  EXPECT_EQ(refusing_pipeline(R"(
    legality: any cells where men-in($zone)
    stages:
      one:
        - for: $camp in tokens in cells where kind == camp
          do: move $camp from ($camp.zone) to tent
        - choose $space from cells where men-in($zone)
)"),
            "");
}

TEST(KernelKnown, TheMapItselfMayAnswer_V02) {
  EXPECT_EQ(refusing_pipeline(R"(
    stages: {one: 'choose $space from cells where $zone.category == river or men-in($zone)'}
)"),
            "");
  EXPECT_EQ(refusing_pipeline(R"(
    stages: {one: 'choose $space from cells where $zone.water > 5 or men-in($zone)'}
)"),
            "?choose_one");
  // It says nothing of conditions that call something else by the name of the zone that is asked
  // about.
  EXPECT_EQ(refusing_pipeline(R"(
    stages: {one: 'choose $space from cells where (any cells where $zone.water > 5)'}
)"),
            "?choose_one");
}

TEST(KernelKnown, WhatIsAskedInsideMayHaveOtherNames_V02) {
  EXPECT_EQ(refusing_pipeline(R"(
    legality: any $camp in cells where men-in($camp) and (no $a in cells where $a.water > $camp.water)
    stages: {one: 'choose $space from cells where men-in($zone) and (no $wet in cells where $wet.water > $zone.water)'}
)"),
            "");
  EXPECT_EQ(refusing_pipeline(R"(
    legality: any $camp in cells where men-in($camp) and (no $a in cells where $a.water > $camp.water)
    stages: {one: 'choose $space from cells where men-in($zone) and (no $wet in cells where $zone.water > $wet.water)'}
)"),
            "?choose_one");
  // What has the name inside is another zone.
  EXPECT_EQ(refusing_pipeline(R"(
    legality: any cells where (any $a in cells where men-in($a) and $a.water > 1) and $zone.water > 0
    stages: {one: 'choose $space from cells where (any $zone in cells where men-in($zone) and $zone.water > 1) and $zone.water > 0'}
)"),
            "");
}

TEST(KernelKnown, WhereNothingIsBetterTheOthersWillDo_V02) {
  EXPECT_EQ(refusing_pipeline(R"(
    legality: any cells where men-in($zone)
    stages: {one: 'choose $space from cells where $zone.water > 5 or men-in($zone) and (no cells where $zone.water > 5)'}
)"),
            "");
  EXPECT_EQ(refusing_pipeline(R"(
    legality: any cells where men-in($zone)
    stages: {one: 'choose $space from cells where men-in($zone) and (no cells where $zone.water > 5)'}
)"),
            "?choose_one");
  EXPECT_EQ(refusing_pipeline(R"(
    legality: any cells where men-in($zone)
    stages: {one: 'choose $space from cells where $zone.water > 5 or men-in($zone) and (no cells where $zone.water > 1)'}
)"),
            "?choose_one");
  // Not of each of them something else.
  EXPECT_EQ(refusing_pipeline(R"(
    legality: any cells where men-in($zone)
    stages: {one: 'choose $space from cells where $zone.water > $zone.water or men-in($zone) and (no $wet in cells where $wet.water > $zone.water)'}
)"),
            "?choose_one");
}

TEST(KernelKnown, OfWhatWasChosenHoldsByWhatItWasChosen_V02) {
  EXPECT_EQ(refusing_pipeline(R"(
    stages:
      one:
        - choose $space from cells where (any tokens next to $zone where kind == man) and water > 0
        - choose 1..3 as $men from tokens next to $space where kind == man
)"),
            "?choose_one");
  // It is another space then.
  EXPECT_EQ(refusing_pipeline(R"(
    stages:
      one:
        - choose $space from cells where any tokens next to $zone where kind == man
        - choose $other from cells
        - choose 1..3 as $men from tokens next to $other where kind == man
)"),
            "choose_one choose_n");
  // Each of several, until something is done to them.
  EXPECT_EQ(refusing_pipeline(R"(
    legality: any cells where men-in($zone)
    stages:
      one: 'choose 1..2 as $spaces from cells where men-in($zone)'
      two:
        - for: $space in $spaces
          do:
            - choose $man@{$space} from tokens in $space where kind == man
            - spent += 1
)"),
            "");
  EXPECT_EQ(refusing_pipeline(R"(
    legality: any cells where men-in($zone)
    stages:
      one: 'choose 1..2 as $spaces from cells where men-in($zone)'
      two:
        - for: $space in $spaces
          do:
            - choose $man@{$space} from tokens in $space where kind == man
            - move $man@{$space} from $space to tent
)"),
            "choose_one");
}

TEST(KernelKnown, NumbersAreReckonedWith_V02) {
  EXPECT_EQ(refusing_pipeline(R"(
    costValidation: gold >= 3
    stages: {one: 'choose 1..min(2, gold // 3) as $spaces from cells where $zone.category == river'}
)"),
            "");
  EXPECT_EQ(refusing_pipeline(R"(
    costValidation: gold >= 2
    stages: {one: 'choose 1..min(2, gold // 3) as $spaces from cells where $zone.category == river'}
)"),
            "?choose_n");
  EXPECT_EQ(refusing_pipeline(R"(
    stages:
      one:
        - let $left = gold - spent
        - if: $left > 0
          then: 'choose 0..$left as $men from tokens in ford'
)"),
            "");
}

TEST(KernelKnown, TokensOfOtherTypesDoNotFillAZone_V02) {
  EXPECT_EQ(refusing_pipeline(R"(
    stages:
      one:
        - choose $space from cells
        - for: $man in tokens in box-red where kind == man
          limit: 2
          do: move $man from box-red to $space
)"),
            "");
  EXPECT_EQ(refusing_pipeline(R"(
    stages:
      one:
        - choose $space from cells
        - for: $camp in tokens in box-red where kind == camp
          limit: 1
          do: move $camp from box-red to $space
)"),
            "move_token");
}

// Where there is room for one, one may come: out of the box, or else from elsewhere.
TEST(KernelKnown, AsManyMayComeAsThereIsRoomFor_V02) {
  const auto building = [](const std::string& space, int limit, int wanted) {
    return refusing_pipeline(fmt::format(R"(
    stages:
      one:
        - choose $space from cells where {}
      two:
        - for: $camp in tokens in box-red where kind == camp
          limit: {}
          do: move $camp from box-red to $space
          count: $placed
          in:
            - let $needed = {} - $placed
            - if: $needed > 0
              then:
                - choose 0..$needed as $others from tokens in tent where kind == camp
                - for: $other in $others
                  do: move $other from tent to $space
)",
                                         space, limit, wanted));
  };
  EXPECT_EQ(building("count(tokens in $zone where kind == camp) < 2 and water > 0", 1, 1),
            "?choose_one");
  EXPECT_EQ(building("count(tokens in $zone where kind == camp) == 0 and water > 0", 2, 2),
            "?choose_one");
  EXPECT_EQ(building("count(tokens in $zone where kind == camp) < 2 and water > 0", 1, 2),
            "choose_one move_token");
  EXPECT_EQ(building("count(tokens in $zone where kind == camp) < 2 and water > 0", 2, 1),
            "choose_one move_token");
  EXPECT_EQ(building("count(tokens in $zone where kind == camp) < 2", 1, 1),
            "choose_one move_token move_token");
  EXPECT_EQ(building("count(tokens in $zone where kind == camp) < 3 and water > 0", 1, 1),
            "choose_one move_token move_token");
}

// Of an action without stages: its parameters and its condition.
TEST(KernelKnown, ParametersAndConditionsOfAnActionHoldAsItBegins_V02) {
  const auto of_action = [](const std::string& action) {
    const auto game = camps_game("actions:\n  go:\n" + action + "  rest: {}\n");
    return game ? refusing(*game) : "nothing compiled";
  };
  EXPECT_EQ(of_action(R"(
    params: {$space: cells where men-in($zone)}
    pre: gold > 2
    effects:
      - require gold > 2
      - choose $man from tokens in $space where kind == man
      - move $man from $space to tent
)"),
            "");
  EXPECT_EQ(of_action(R"(
    params: {$space: cells where men-in($zone)}
    effects:
      - spent += 1
      - require gold > 2
)"),
            "?fail_unless");
  EXPECT_EQ(of_action(R"(
    params: {$space: cells where men-in($zone)}
    effects:
      - gold -= 1
      - require gold > 2
)"),
            "fail_unless");
}

// Everything tried out finds what is offered without: the same options, everywhere.
void expect_same_options(const spec::GameDef& def, int games, int moves) {
  const auto knowing = build::open(def), trying = build::open(def, {.plan = false});
  ASSERT_TRUE(knowing && trying);
  Rng rng(3);
  OptionList a, b;
  for (int g = 0; g < games; ++g) {
    State left = knowing->start(static_cast<Seed>(g)).value(),
          right = trying->start(static_cast<Seed>(g)).value();
    for (int move = 0; move < moves && !left.finished(); ++move) {
      left.list_options(a);
      right.list_options(b);
      ASSERT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end())) << left.describe();
      const Option pick = a[rng.below(a.size())];
      ASSERT_TRUE(left.apply(pick));
      ASSERT_TRUE(right.apply(pick));
      if (move % test::stride == 0) {
        ASSERT_EQ(left.view(), right.view());
      }
    }
    ASSERT_EQ(left.finished(), right.finished());
  }
}

TEST(KernelKnown, TryingEverythingOutFindsTheSame_V02) {
  for (const char* name : {"insurgency", "salt-charter"}) {
    SCOPED_TRACE(name);
    const auto path =
        std::filesystem::path(test::source_dir()) / "games" / name / (std::string(name) + ".md");
    const spec::CompileResult compiled = spec::compile_file(path);
    ASSERT_TRUE(compiled.game);
    expect_same_options(*compiled.game, 4, test::rounds(150));
  }
  int fixtures = 0;
  for (const char* kind : {"flow", "free"})
    for (const CardFixture& fixture : card_fixtures(kind)) {
      SCOPED_TRACE(fixture.name);
      expect_same_options(open_fixture(fixture)->program().def, test::rounds(6), 40);
      ++fixtures;
    }
  EXPECT_GE(fixtures, 40);
  const auto building = pipeline_game(R"(
    legality: any cells where water > 0 and count(tokens in $zone where kind == camp) < 2
    stages:
      one: 'choose 1..2 as $spaces from cells where water > 0 and count(tokens in $zone where kind == camp) < 2'
      two:
        - for: $space in $spaces
          do:
            - for: $camp in tokens in box-red where kind == camp
              limit: 1
              do: move $camp from box-red to $space
)");
  ASSERT_TRUE(building);
  expect_same_options(building->program().def, test::rounds(20), 60);
}

}  // namespace
}  // namespace parlor::kernel
