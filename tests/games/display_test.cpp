// What a game may say about its looks, and what a page is told where it says nothing.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "game/scene.h"
#include "games/shipped.h"
#include "kernel/kernel.h"

namespace parlor::games {
namespace {

// A row of three places with a pack of cards, a hand and a reserve; `display` is added to it.
std::string three_places(const std::string& display = "") {
  return R"(
metadata: {id: three-places, players: {min: 2, max: 2}}
zones:
  - {id: west, owner: none, visibility: public, ordering: set, zoneKind: board, adjacentTo: [middle]}
  - {id: middle, owner: none, visibility: public, ordering: set, zoneKind: board, adjacentTo: [west, east]}
  - {id: east, owner: none, visibility: public, ordering: set, zoneKind: board, adjacentTo: [middle]}
  - {id: pack, owner: none, visibility: hidden, ordering: stack}
  - {id: line, owner: none, visibility: public, ordering: queue}
  - {id: heap, owner: none, visibility: public, ordering: set}
  - {id: hand, owner: player, visibility: owner, ordering: set}
tokenTypes:
  - {id: man, props: {owner: int, pace: int}}
setup:
  - createToken: {type: man, zone: west, props: {owner: 0, pace: 2}}
turnStructure: {phases: [{id: main}]}
actions:
  - id: march
    phase: [main]
    params: [{name: $to, domain: {query: mapSpaces}}]
    effects: [{moveAll: {from: west, to: "$to"}}]
terminal:
  conditions: [{when: {op: "==", left: {zoneCount: heap}, right: 9}, result: {type: draw}}]
)" + display;
}

Json named(const Json& list, const std::string& key, const std::string& id) {
  for (const Json& one : list)
    if (one[key] == id) return one;
  ADD_FAILURE() << "there is no " << id << " in " << list;
  return Json();
}

std::shared_ptr<const Game> without_display(const Game& game) {
  spec::GameDef def = dynamic_cast<const kernel::KernelGame&>(game).program().def;
  def.display.reset();
  return kernel::open_game(std::move(def)).value();
}

TEST(Display, PlacesAGraphByItselfAndJoinsNeighbours) {  // W-03, W-04
  const Json board = scene_of(*open_text(three_places()))["boards"][0];
  EXPECT_EQ(board["shape"], "graph");
  EXPECT_THAT(board["edges"], testing::UnorderedElementsAre(Json{"east:none", "middle:none"},
                                                            Json{"middle:none", "west:none"}));
  std::set<std::pair<int, int>> places;
  for (const Json& cell : board["cells"]) places.emplace(cell["x"], cell["y"]);
  EXPECT_EQ(places.size(), 3u);
}

TEST(Display, DerivesHowAreasLie) {  // W-05
  const Json areas = scene_of(*open_text(three_places()))["areas"];
  EXPECT_EQ(named(areas, "id", "pack:none")["layout"], "pile");
  EXPECT_EQ(named(areas, "id", "line:none")["layout"], "row");
  EXPECT_EQ(named(areas, "id", "heap:none")["layout"], "spread");
  EXPECT_EQ(named(areas, "id", "heap:none")["place"], "side");
  EXPECT_EQ(named(areas, "id", "hand:0")["layout"], "fan");
  EXPECT_EQ(named(areas, "id", "hand:0")["place"], "seat");
  EXPECT_EQ(named(areas, "id", "hand:1")["owner"], 1);
}

TEST(Display, HasTheLastWord) {  // W-04, W-06, W-08
  const auto game = open_text(three_places(R"(
display:
  board: {style: plain, background: felt}
  cells:
    west: {at: [0, 500], polygon: [[-400, -400], [400, -400], [0, 400]], color: "#aabbcc", label: Westland}
    middle: {at: [1500, 0]}
    east: {at: [3000, 500], form: town, size: [900, 700]}
  areas: {heap: {layout: tray, place: center, title: The heap}}
  tokens: {man: {shape: cube, glyph: M, label: "pace {pace}", colorBy: pace, colors: {"2": "#102030"}}}
  cards: {man: {title: "man {pace}", corner: "{pace}"}}
  actions: {march: {at: $to}}
)"));
  const Json scene = scene_of(*game);
  const Json& board = scene["boards"][0];
  EXPECT_EQ(board["style"], "plain");
  EXPECT_EQ(board["background"], "felt");
  const Json west = named(board["cells"], "zone", "west:none");
  EXPECT_EQ(west["x"], 0);
  EXPECT_EQ(west["y"], 500);
  EXPECT_EQ(west["polygon"].size(), 3u);
  EXPECT_EQ(west["color"], "#aabbcc");
  EXPECT_EQ(west["label"], "Westland");
  EXPECT_EQ(named(board["cells"], "zone", "east:none")["size"], (Json{900, 700}));
  const Json heap = named(scene["areas"], "id", "heap:none");
  EXPECT_EQ(heap["layout"], "tray");
  EXPECT_EQ(heap["place"], "center");
  EXPECT_EQ(heap["title"], "The heap");
  EXPECT_EQ(scene["tokens"]["man"]["shape"], "cube");
  EXPECT_EQ(scene["tokens"]["man"]["glyph"], "M");
  const Json decision = typed_decision(start(*game), Viewer::player(PlayerId{0}));
  const Json option = named(decision["options"], "text", "march middle");
  EXPECT_EQ(option["at"]["zone"], "middle:none");
  EXPECT_FALSE(option.contains("from"));
  const Json stage = stage_of(start(*game), Viewer::everything());
  const Json look = stage["zones"]["west:none"]["tokens"][0]["look"];
  EXPECT_EQ(look["face"], "pace 2");
  EXPECT_EQ(look["color"], "#102030");
  EXPECT_EQ(look["card"], (Json{{"title", "man 2"}, {"corner", "2"}}));
}

// A cell is called alike wherever it is spoken of: on the page, in options, at the terminal.
TEST(Display, CallsCellsAsOptionsDo) {  // W-08, W-24
  for (const char* name : {"quoridor", "hex", "tic-tac-toe"}) {
    SCOPED_TRACE(name);
    const auto game = open_shipped(name);
    const State state = start(*game);
    OptionList options;
    state.list_options(options);
    const Json decision = typed_decision(state, Viewer::player(PlayerId{0}));
    const Json& option = decision["options"][0];
    const Json cell = named(scene_of(*game)["boards"][0]["cells"], "zone", option["at"]["zone"]);
    EXPECT_THAT(option["label"].get<std::string>(),
                testing::HasSubstr(cell["label"].get<std::string>()));
  }
}

TEST(Display, IsNoRule) {  // W-06
  const auto plain = open_text(three_places());
  const auto drawn = open_text(three_places("display: {board: {style: grid, background: wood}}\n"));
  EXPECT_NE(canonical(scene_of(*plain)), canonical(scene_of(*drawn)));
  EXPECT_EQ(plain->info().fingerprint, drawn->info().fingerprint);
  State one = start(*plain), other = start(*drawn);
  EXPECT_EQ(one.hash(), other.hash());
  EXPECT_TRUE(drawn->load(one.save()));
}

TEST(Decisions, TellWhatASetMayBeMadeOf) {  // W-08, W-23
  const auto game = open_shipped("hearts");
  State state = start(*game);
  take(state, "pass");
  const Json decision = typed_decision(state, Viewer::player(PlayerId{0}));
  ASSERT_EQ(decision["kind"], "chooseN");
  EXPECT_EQ(decision["candidates"].size(), 13u) << "the whole hand";
  // Sets are offered in one order: the last two cards cannot come first of three.
  EXPECT_EQ(decision["options"].size(), 11u);
  EXPECT_EQ(decision["candidates"][0]["token"], decision["options"][0]["refs"][0]["token"]);
  EXPECT_FALSE(typed_decision(state, Viewer::player(PlayerId{1})).contains("candidates"));
}

// W-06: whatever a game leaves out has a default. The same rules without their looks: every zone is
// still somewhere, every cell has a place of its own, and the rules are the same.
TEST(Display, EveryShippedGameCanBeDrawnWithoutIt) {
  std::size_t changed = 0;
  for (const std::string& name : shipped_names()) {
    SCOPED_TRACE(name);
    const auto game = open_shipped(name);
    const Json told = scene_of(*game);
    const auto bare = without_display(*game);
    EXPECT_EQ(bare->info().fingerprint, game->info().fingerprint);
    const Json scene = scene_of(*bare);
    changed += canonical(scene) != canonical(told) ? 1 : 0;
    std::set<std::string> drawn;
    for (const Json& board : scene["boards"]) {
      std::set<std::pair<std::int64_t, std::int64_t>> places;
      for (const Json& cell : board["cells"]) {
        places.emplace(cell["x"].get<std::int64_t>(), cell["y"].get<std::int64_t>());
        drawn.insert(cell["zone"].get<std::string>());
      }
      EXPECT_EQ(places.size(), board["cells"].size());
    }
    for (const Json& area : scene["areas"]) drawn.insert(area["id"].get<std::string>());
    const Json stage = stage_of(start(*bare), Viewer::everything());
    for (const auto& [zone, content] : stage["zones"].items())
      EXPECT_TRUE(drawn.contains(zone)) << zone;
  }
  EXPECT_GE(changed, 10u);
}

}  // namespace
}  // namespace parlor::games
