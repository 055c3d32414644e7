// Constants, batches, templates, boards and built-in effects.
#include "spec/front/front_testing.h"

namespace parlor::spec::testing {
namespace {

TEST(Constants, AreFoldedEverywhere) {  // language 0.10
  const std::string game = R"(
constants: {size: 2, deckName: deck, open: true}
zones: [{macro: grid, args: [1, {ref: constant, name: size}]}]
effectMacros: [{id: m, params: [{name: which, type: string}], effects: [{draw: {count: {ref: constant, name: {param: which}}}}]}]
setup:
  - shuffle: {zone: {ref: constant, name: deckName}}
  - {macro: m, args: {which: size}}
actions: [{pre: {ref: constant, name: open}}])";
  const FrontResult r = read(game);
  EXPECT_EQ(codes(r), Codes{}) << rendered(r);
  EXPECT_EQ(section_text(r, Section::setup), R"([{shuffle: {zone: "deck"}}, {draw: {count: 2}}])");
  EXPECT_EQ(section_text(r, Section::actions), "[{pre: true}]");
  EXPECT_EQ(r.doc.find(Section::zones)->items.size(), 2u);
  FrontOptions options;
  options.set = {{"size", "5"}};
  EXPECT_EQ(read(game, options).doc.find(Section::zones)->items.size(), 5u);
}

TEST(Constants, OverridesMustFit) {
  FrontOptions options;
  options.set = {{"siez", "5"}, {"size", "big"}};
  const FrontResult r =
      read("constants: {size: 2}\nsetup: [{x: {ref: constant, name: sise}}]", options);
  EXPECT_EQ(codes(r),
            (Codes{"CONSTANT_UNKNOWN 0:0", "CONSTANT_TYPE 2:19", "CONSTANT_UNKNOWN 3:35"}))
      << rendered(r);
  EXPECT_EQ(r.diagnostics.all()[0].alternatives, std::vector<std::string>{"size"});
}

TEST(Batches, AreWrittenOut) {
  const FrontResult r = read(R"(
globalVars:
  - {batch: {names: [a, b], type: int, init: 0, min: 0, max: 9}}
  - {name: c, type: boolean, init: true}
globalMarkerLattices: [{batch: {ids: [m, n], states: [x, y], defaultState: x}}])");
  EXPECT_EQ(codes(r), Codes{}) << rendered(r);
  EXPECT_EQ(
      section_text(r, Section::globalVars),
      R"([{name: "a", type: "int", init: 0, min: 0, max: 9}, {name: "b", type: "int", init: 0, min: 0, max: 9}, )"
      R"({name: "c", type: "boolean", init: true}])");
  EXPECT_EQ(
      section_text(r, Section::globalMarkerLattices),
      R"([{id: "m", states: ["x", "y"], defaultState: "x"}, {id: "n", states: ["x", "y"], defaultState: "x"}])");
  EXPECT_EQ(codes(read("globalVars: [{batch: {type: int}}]")), Codes{"BATCH_INVALID 2:22"});
  EXPECT_EQ(codes(read("globalVars: [{batch: {name: [a], type: int}}]")),
            Codes{"KEY_UNKNOWN 2:23"});
}

TEST(ZoneTemplates, GiveOneZonePerSeat) {
  const FrontResult r = read(R"(
dataAssets: [{id: s, kind: seatCatalog, payload: {seats: [{id: red}, {id: blue}]}}]
zones: [{template: {idPattern: "hand-{seat}", perSeat: true, owner: none, visibility: hidden, ordering: set}}, {id: deck}])");
  EXPECT_EQ(codes(r), Codes{}) << rendered(r);
  EXPECT_EQ(
      section_text(r, Section::zones),
      R"([{id: "hand-red", owner: "none", visibility: "hidden", ordering: "set"}, )"
      R"({id: "hand-blue", owner: "none", visibility: "hidden", ordering: "set"}, {id: "deck"}])");
  EXPECT_EQ(r.doc.derived.seats, (std::vector<std::string>{"red", "blue"}));
}

TEST(PhaseTemplates, TakeRawArgumentsAndText) {
  const FrontResult r = read(R"(
phaseTemplates:
  - id: bet
    params: [{name: street}, {name: count}]
    phase: {id: "bet-{street}", onEnter: [{draw: {from: deck, to: "board-{street}", count: "{count}"}}]}
turnStructure:
  phases: [{fromTemplate: bet, args: {street: flop, count: 3}}]
  interrupts: [{fromTemplate: bte, args: {}}])");
  EXPECT_EQ(codes(r), Codes{"PHASE_TEMPLATE_UNKNOWN 9:31"}) << rendered(r);
  const Node& phase = r.doc.find(Section::turnStructure)->find("phases")->items[0];
  EXPECT_EQ(to_text(phase),
            R"({id: "bet-flop", onEnter: [{draw: {from: "deck", to: "board-flop", count: 3}}]})");
  EXPECT_EQ(codes(read("phaseTemplates: [{id: a, params: [{name: x}], phase: {id: p}}]\n"
                       "turnStructure: {phases: [{fromTemplate: a, args: {y: 1}}]}")),
            (Codes{"PHASE_TEMPLATE_MISSING_ARGS 3:26", "PHASE_TEMPLATE_EXTRA_ARGS 3:51"}));
}

TEST(Profiles, BecomePipelines) {  // K-10
  const FrontResult r = read(R"(
operationProfiles:
  - id: p
    actionId: train
    legality: {when: true}
    cost: {validate: false, spend: [{s: 1}]}
    targeting: {select: upToN}
    resolution: [{stage: one, effects: []}]
    partialExecution: {mode: allow})");
  EXPECT_EQ(codes(r), Codes{}) << rendered(r);
  EXPECT_EQ(
      section_text(r, Section::actionPipelines),
      R"([{id: "p", actionId: "train", legality: true, costValidation: false, costEffects: [{s: 1}], )"
      R"(targeting: {select: "upToN"}, stages: [{stage: "one", effects: []}], atomicity: "partial"}])");
}

const Node* zone(const FrontResult& r, std::string_view id) {
  for (const Node& z : r.doc.find(Section::zones)->items)
    if (z.find_string("id") == id) return &z;
  return nullptr;
}

TEST(Boards, AGridHasRowsColumnsAndDirections) {  // language 0.7
  const FrontResult r = read("zones: [{macro: grid, args: [2, 3], attributes: {terrain: plain}}]");
  ASSERT_EQ(codes(r), Codes{}) << rendered(r);
  ASSERT_EQ(r.doc.find(Section::zones)->items.size(), 6u);
  EXPECT_EQ(
      to_text(*zone(r, "cell_0_1")),
      R"({id: "cell_0_1", zoneKind: "board", owner: "none", visibility: "public", ordering: "set", )"
      R"(attributes: {row: 0, col: 1, terrain: "plain"}, )"
      R"(adjacentTo: [{to: "cell_0_0"}, {to: "cell_0_2"}, {to: "cell_1_1"}], )"
      R"(directions: {e: "cell_0_2", s: "cell_1_1", w: "cell_0_0", se: "cell_1_2", sw: "cell_1_0"}})");
  const FrontResult d = read("zones: [{macro: grid, args: [3, 3], diagonals: true, id: sq}]");
  EXPECT_EQ(zone(d, "sq_1_1")->find("adjacentTo")->items.size(), 8u);
}

TEST(Boards, AGridMayWrapAround) {
  const FrontResult r = read("zones: [{macro: grid, args: [4, 4], wrap: true}]");
  const Node& corner = *zone(r, "cell_0_0");
  EXPECT_EQ(corner.find("directions")->find("n")->text, "cell_3_0");
  EXPECT_EQ(corner.find("directions")->find("nw")->text, "cell_3_3");
  EXPECT_EQ(corner.find("adjacentTo")->items.size(), 4u);
  const FrontResult c = read("zones: [{macro: grid, args: [4, 4], wrap: columns}]");
  EXPECT_EQ(zone(c, "cell_0_0")->find("directions")->find("w")->text, "cell_0_3");
  EXPECT_EQ(zone(c, "cell_0_0")->find("directions")->find("n"), nullptr);
}

TEST(Boards, AHexagonAndARhombus) {
  const FrontResult r = read("zones: [{macro: hex, args: [2]}]");
  ASSERT_EQ(codes(r), Codes{}) << rendered(r);
  EXPECT_EQ(r.doc.find(Section::zones)->items.size(), 19u);
  const Node& middle = *zone(r, "hex_0_0");
  EXPECT_EQ(
      to_text(*middle.find("directions")),
      R"({e: "hex_1_0", ne: "hex_1_n1", nw: "hex_0_n1", w: "hex_n1_0", sw: "hex_n1_1", se: "hex_0_1"})");
  EXPECT_EQ(to_text(*zone(r, "hex_n2_0")->find("attributes")), "{q: -2, r: 0}");
  EXPECT_EQ(zone(r, "hex_n2_0")->find("adjacentTo")->items.size(), 3u);
  const FrontResult rhombus = read("zones: [{macro: hex, shape: rhombus, args: [11, 11]}]");
  EXPECT_EQ(rhombus.doc.find(Section::zones)->items.size(), 121u);
  EXPECT_EQ(zone(rhombus, "hex_0_0")->find("adjacentTo")->items.size(), 2u);
  EXPECT_EQ(zone(rhombus, "hex_10_0")->find("adjacentTo")->items.size(), 3u);
}

TEST(Boards, MistakesAreDiagnostics) {
  EXPECT_EQ(codes(read("zones: [{macro: gird, args: [2, 2]}]")), Codes{"BOARD_UNKNOWN 2:17"});
  EXPECT_EQ(codes(read("zones: [{macro: grid, args: [2]}]")), Codes{"BOARD_INVALID 2:29"});
  EXPECT_EQ(codes(read("zones: [{macro: grid, args: [2, big]}]")), Codes{"BOARD_INVALID 2:33"});
  EXPECT_EQ(codes(read("zones: [{macro: hex, args: [100000]}]")), Codes{"BOARD_INVALID 2:28"});
  EXPECT_EQ(codes(read("zones: [{macro: hex, args: [3], shape: round}]")),
            Codes{"BOARD_INVALID 2:40"});
  EXPECT_EQ(
      codes(read("zones: [{macro: grid, args: [90, 90]}, {macro: grid, id: x, args: [90, 90]}]")),
      Codes{"LIMIT_ZONES 2:40"});
}

TEST(Builtins, AreWrittenOut) {  // language 15.3
  const FrontResult r = read(R"(
setup:
  - refillToSize: {zone: row, fromZone: deck, size: 2}
  - discardDownTo: {zone: "hand:actor", size: 3, to: discard}
  - draw: {from: deck, to: "hand:each", count: 5}
  - distributeTokens: {tokens: {query: tokensInZone, zone: pool}, destinations: {query: mapSpaces}, max: 2})");
  EXPECT_EQ(codes(r), Codes{}) << rendered(r);
  const Node& setup = *r.doc.find(Section::setup);
  ASSERT_EQ(setup.items.size(), 6u);
  EXPECT_EQ(to_text(setup.items[1]),
            R"({if: {when: {op: "<", left: {ref: "zoneCount", zone: "row"}, right: 2}, )"
            R"(then: [{draw: {from: "deck", to: "row", count: 1}}]}})");
  EXPECT_EQ(
      to_text(setup.items[2]),
      R"({forEach: {bind: "$__discard_setup_1", over: {query: "tokensInZone", zone: "hand:actor"}, effects: )"
      R"([{if: {when: {op: ">", left: {ref: "zoneCount", zone: "hand:actor"}, right: 3}, then: )"
      R"([{moveToken: {token: "$__discard_setup_1", from: "hand:actor", to: "discard"}}]}}]}})");
  EXPECT_EQ(to_text(setup.items[3]),
            R"({forEach: {bind: "$__player_setup_2", over: {query: "players"}, effects: )"
            R"([{draw: {from: "deck", to: "hand:$__player_setup_2", count: 5}}]}})");
  EXPECT_TRUE(setup.items[4].has("chooseN"));
  EXPECT_TRUE(setup.items[5].has("forEach"));
}

TEST(Builtins, NestedInsideOneAnother) {
  const FrontResult r = read(R"(
actions: [{id: a, effects: [{if: {when: true, then: [{draw: {from: d, to: "hand:each", count: 1}}, {shuffle: {zone: d}}]}}]}])");
  EXPECT_EQ(section_text(r, Section::actions).find("hand:each"), std::string::npos);
}

TEST(Builtins, AreCapped) {
  EXPECT_EQ(codes(read("setup: [{refillToSize: {zone: a, fromZone: b, size: 20000}}]")),
            Codes{"LIMIT_EFFECTS 2:24"});
  EXPECT_EQ(codes(read("setup: [{refillToSize: {zone: a, fromZone: b, size: $n}}]")),
            Codes{"BUILTIN_INVALID 2:53"});
  EXPECT_EQ(codes(read("setup: [{discardDownTo: {zoen: a, size: 1}}]")), Codes{"KEY_UNKNOWN 2:26"});
}

}  // namespace
}  // namespace parlor::spec::testing
