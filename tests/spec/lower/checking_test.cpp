// What the checker knows about scopes, types and names beyond the broken specs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "spec/lower/lower_testing.h"

namespace parlor::spec::testing {
namespace {

using Codes = std::vector<std::string>;

Codes effects(std::string_view yaml) {
  return codes(compile_effects(yaml));
}

constexpr std::string_view use_x =
    "- addVar: { scope: global, var: pot, delta: { ref: binding, name: $x } }";

std::string then_use(std::string_view first) {
  return fmt::format("{}\n{}", first, use_x);
}

TEST(Scopes, ChoicesStayVisibleToFollowingEffects) {
  EXPECT_EQ(effects(then_use(
                "- chooseOne: { bind: $x, options: { query: intsInRange, min: 1, max: 2 } }")),
            Codes{});
  EXPECT_EQ(effects(then_use("- bindValue: { bind: $x, value: 1 }")), Codes{});
  EXPECT_EQ(
      effects(then_use(
          "- transferVar: { from: { scope: pvar, player: actor, var: gold }, to: { scope: global, "
          "var: pot }, amount: 1, actualBind: $x }")),
      Codes{});
  EXPECT_EQ(effects(then_use("- removeByPriority: { budget: 1, groups: [{ bind: $t, over: { query: "
                             "tokensInZone, zone: "
                             "deck }, to: discard, countBind: $x }] }")),
            Codes{});
}

TEST(Scopes, LetAndReduceExportWhatTheyMadeButNotTheirName) {
  EXPECT_EQ(effects(then_use(
                "- let: { bind: $y, value: 1, in: [{ bindValue: { bind: $x, value: 2 } }] }")),
            Codes{});
  EXPECT_EQ(effects(then_use("- let: { bind: $x, value: 1, in: [] }")), Codes{"BINDING_UNBOUND"});
  EXPECT_EQ(
      effects(then_use(
          "- reduce: { over: { query: players }, itemBind: $p, accBind: $a, initial: 0, next: 1, "
          "resultBind: $r, in: [{ bindValue: { bind: $x, value: 2 } }] }")),
      Codes{});
  EXPECT_EQ(
      effects(then_use(
          "- reduce: { over: { query: players }, itemBind: $p, accBind: $a, initial: 0, next: 1, "
          "resultBind: $x, in: [] }")),
      Codes{"BINDING_UNBOUND"});
}

TEST(Scopes, AnIfExportsWhatBothBranchesMade) {
  const std::string when = "{ op: \"==\", left: { ref: gvar, var: open }, right: true }";
  const std::string make = "[{ bindValue: { bind: $x, value: 1 } }]";
  EXPECT_EQ(
      effects(then_use(fmt::format("- if: {{ when: {}, then: {}, else: {} }}", when, make, make))),
      Codes{});
  EXPECT_EQ(effects(then_use(fmt::format("- if: {{ when: {}, then: {} }}", when, make))),
            Codes{"BINDING_UNBOUND"});
  // … or one branch, if the later use asks the same question.
  EXPECT_EQ(effects(fmt::format("- if: {{ when: {0}, then: {1} }}\n"
                                "- if:\n    when: {0}\n    then:\n      {2}",
                                when, make, use_x)),
            Codes{});
}

TEST(Scopes, LoopsAndRollsLeaveNothing) {
  EXPECT_EQ(effects(then_use("- forEach: { bind: $p, over: { query: players }, effects: [{ "
                             "bindValue: { bind: $x, value: 1 } }] }")),
            Codes{"BINDING_UNBOUND"});
  EXPECT_EQ(
      effects(then_use(
          "- while: { when: false, limit: 1, effects: [{ bindValue: { bind: $x, value: 1 } }] }")),
      Codes{"BINDING_UNBOUND"});
  EXPECT_EQ(effects(then_use("- rollRandom: { bind: $x, min: 1, max: 6, in: [] }")),
            Codes{"BINDING_UNBOUND"});
}

TEST(Scopes, PlaceholdersKeepRoundsApart) {
  EXPECT_EQ(
      effects(
          "- chooseOne: { bind: \"$m@{$cell}\", options: { query: tokensInZone, zone: deck } }\n"
          "- destroyToken: { token: \"$m@{$cell}\" }"),
      Codes{});
  EXPECT_EQ(
      effects(
          "- chooseOne: { bind: \"$m@{$sell}\", options: { query: tokensInZone, zone: deck } }"),
      Codes{"BINDING_UNBOUND"});
}

TEST(Scopes, AMisspeltBinderIsReportedOnce) {
  EXPECT_EQ(effects("- bindValue: { bind: x, value: 1 }\n"
                    "- addVar: { scope: global, var: pot, delta: { ref: binding, name: $x } }\n"
                    "- addVar: { scope: global, var: pot, delta: { ref: binding, name: x } }"),
            Codes{"BINDING_NAME"});
}

// K-12: legality and costs of a pipeline may mention what its stages will choose.
TEST(Scopes, PipelinesSeeTheirStagesChoices) {
  const CompileResult result =
      compile(with_effects("- shuffle: { zone: deck }") + "```\n```yaml\n" + R"(actionPipelines:
  - id: p
    actionId: other
    legality: { op: ">", left: { zoneCount: $space }, right: 0 }
    costEffects: [{ addVar: { scope: zoneVar, zone: $space, var: heat, delta: 1 } }]
    stages: [{ effects: [{ chooseOne: { bind: $space, options: { query: mapSpaces } } }] }]
    atomicity: atomic
)");
  EXPECT_EQ(codes(result), Codes{}) << rendered(result);
}

TEST(Types, TokensZonesAndPlayersAreToldApart) {
  EXPECT_EQ(effects("- destroyToken: { token: $cell }"), Codes{"BINDING_KIND"});
  EXPECT_EQ(effects("- shuffle: { zone: $tok }"), Codes{"BINDING_KIND"});
  EXPECT_EQ(effects("- shuffle: { zone: $num }"), Codes{"BINDING_KIND"});
  EXPECT_EQ(effects("- setActivePlayer: { player: $flag }"), Codes{"BINDING_KIND"});
  EXPECT_EQ(effects("- forEach: { bind: $y, over: { query: binding, name: $tok }, effects: [] }"),
            Codes{"BINDING_KIND"});
  EXPECT_EQ(effects("- addVar: { scope: global, var: pot, delta: { ref: tokenProp, token: $tok, "
                    "prop: suit } }"),
            Codes{"TYPE_MISMATCH"});
  EXPECT_EQ(effects("- setTokenProp: { token: $tok, prop: face, value: 1 }"),
            Codes{"TYPE_MISMATCH"});
}

TEST(Types, RowsAreReadByField) {
  const std::string rows = "{ query: assetRows, tableId: settings.blinds }";
  EXPECT_EQ(effects(fmt::format(
                "- forEach: {{ bind: $r, over: {}, effects: [{{ addVar: {{ scope: global, var: "
                "pot, delta: "
                "{{ ref: assetField, row: $r, tableId: settings.blinds, field: small }} }} }}] }}",
                rows)),
            Codes{});
  EXPECT_EQ(effects(fmt::format(
                "- forEach: {{ bind: $r, over: {}, effects: [{{ addVar: {{ scope: global, var: "
                "pot, delta: "
                "{{ ref: assetField, row: $r, tableId: settings.blinds, field: smal }} }} }}] }}",
                rows)),
            Codes{"TABLE_FIELD_UNKNOWN"});
  EXPECT_EQ(effects(fmt::format("- chooseOne: {{ bind: $r, options: {} }}", rows)),
            Codes{"TYPE_MISMATCH"});
}

TEST(Types, FieldsThatSomeRowsLackAreWarnedAbout) {
  const CompileResult result = compile(R"(metadata: { id: g, players: { min: 2, max: 2 } }
globalVars: [{ name: n, type: int, init: 0, min: 0, max: 9 }]
zones: [{ id: z, owner: none, visibility: public, ordering: set }]
dataAssets: [{ id: s, kind: scenario, payload: { settings: { rows: [{ a: 1, b: 2 }, { a: 2 }] } } }]
turnStructure: { phases: [{ id: main }] }
actions:
  - id: act
    phase: [main]
    effects:
      - forEach:
          bind: $row
          over: { query: assetRows, tableId: settings.rows }
          effects:
            - addVar: { scope: global, var: n, delta: { ref: assetField, row: $row, tableId: settings.rows, field: b } }
terminal: { conditions: [] })");
  EXPECT_EQ(codes(result), (Codes{"PHASE_ENDLESS", "TABLE_FIELD_OPTIONAL", "GAME_ENDLESS"}))
      << rendered(result);
  EXPECT_TRUE(result.game);
}

TEST(Types, ConcatOfListsAndTextsDoNotMix) {
  EXPECT_EQ(effects("- bindValue: { bind: $v, value: { concat: [[a], [b]] } }\n"
                    "- forEach: { bind: $y, over: { query: binding, name: $v }, effects: [] }"),
            Codes{});
  EXPECT_EQ(effects("- bindValue: { bind: $v, value: { concat: [[a], b] } }"),
            Codes{"TYPE_MISMATCH"});
}

TEST(Checking, EveryMistakeIsReportedAndEachOnce) {
  const CompileResult result = compile_effects(
      "- moveToken: { token: $nope, from: dekc, to: discrad }\n"
      "- if: { when: { op: \"<\", left: nothing, right: true }, then: [{ shufle: {} }] }");
  EXPECT_EQ(codes(result), (Codes{"BINDING_UNBOUND", "ZONE_UNKNOWN", "ZONE_UNKNOWN",
                                  "TYPE_MISMATCH", "TYPE_MISMATCH", "EFFECT_UNKNOWN"}));
  EXPECT_FALSE(result.game);
}

TEST(Checking, ABrokenDeclarationIsNotHeldAgainstItsUses) {
  const CompileResult result = compile(R"(metadata: { id: g, players: { min: 2, max: 2 } }
globalVars: [{ name: n, type: integer, init: 0, min: 0, max: 9 }]
zones: [{ id: z, owner: nobody, visibility: public, ordering: set }]
turnStructure: { phases: [{ id: main }] }
actions: [{ id: a, phase: [main], effects: [{ shuffle: { zone: z } }, { addVar: { scope: global, var: n, delta: 1 } }] }]
terminal: { conditions: [] })");
  EXPECT_EQ(codes(result), (Codes{"WORD_UNKNOWN", "WORD_UNKNOWN"})) << rendered(result);
}

TEST(Checking, DiagnosticsAreCapped) {
  std::string many;
  for (int i = 0; i < 600; ++i) many += "- shuffle: { zone: nowhere }\n";
  const CompileResult result = compile_effects(many);
  EXPECT_EQ(result.diagnostics.all().size(), 500u);
  EXPECT_EQ(codes(result).back(), "DIAGNOSTICS_TRUNCATED");
}

TEST(Checking, AnEmptyGameNamesEveryMissingSection) {
  EXPECT_EQ(codes(compile("constants: { a: 1 }")),
            (Codes{"SECTION_MISSING", "SECTION_MISSING", "SECTION_MISSING", "SECTION_MISSING"}))
      << "a game of numbers alone needs no zones";
}

TEST(Checking, MistakesInEventCardsAreFound) {
  const CompileResult result = compile(with_effects("- shuffle: { zone: deck }") + R"(eventDecks:
  - id: events
    drawZone: deck
    discardZone: discard
    cards:
      - { id: c1, title: Flood, sideMode: dual, unshaded: { effects: [{ addVar: { scope: global, var: pto, delta: 1 } }] } }
)");
  EXPECT_EQ(codes(result), (Codes{"KEY_MISSING", "VAR_UNKNOWN"})) << rendered(result);
}

// A macro that cannot be expanded hides neither other mistakes nor is it held against its uses.
TEST(Checking, AFailedExpansionDoesNotHideOtherMistakes) {
  const CompileResult result = compile(R"(metadata: { id: g, players: { min: 2, max: 2 } }
zones: [{ id: deck, owner: none, visibility: hidden, ordering: stack }]
turnStructure: { phases: [{ id: main }] }
effectMacros: [{ id: pick, params: [], exports: [$x], effects: [{ bindValue: { bind: $x, value: deck } }] }]
actions:
  - id: a
    phase: [main]
    effects:
      - macro: pikc
        args: {}
      - shuffle: { zone: $x }
      - shuffle: { zone: dekc }
terminal: { conditions: [] })");
  EXPECT_EQ(codes(result), (Codes{"EFFECT_MACRO_UNKNOWN", "ZONE_UNKNOWN"})) << rendered(result);
}

// K-23, K-24: a mistake inside an expansion shows the macro's line and where it was used.
TEST(Checking, MistakesInsideMacrosTellTheirStory) {
  const CompileResult result = compile(with_effects("- macro: pay\n  args: {}") + R"(effectMacros:
  - { id: pay, params: [], exports: [], effects: [{ addVar: { scope: global, var: pto, delta: 1 } }] }
)");
  ASSERT_EQ(codes(result), Codes{"VAR_UNKNOWN"}) << rendered(result);
  ASSERT_EQ(result.diagnostics.all()[0].related.size(), 1u);
  EXPECT_NE(result.diagnostics.all()[0].related[0].message.find("pay"), std::string::npos);
}

}  // namespace
}  // namespace parlor::spec::testing
