// Effect and condition macros: requirements K-20 to K-25, language sections 0.12 and 28.
#include <fmt/format.h>

#include "spec/front/front_testing.h"

namespace parlor::spec::testing {
namespace {

TEST(EffectMacros, SubstituteAndSplice) {  // K-20, K-21
  const FrontResult r = read(R"(
effectMacros:
  - id: pay
    params: [{name: who, type: playerSelector}, {name: amount, type: value}, {name: more, type: effects}]
    exports: []
    effects:
      - addVar: {scope: pvar, player: {param: who}, var: gold, delta: {param: amount}}
      - {param: more}
      - shuffle: {zone: deck}
setup:
  - shuffle: {zone: a}
  - macro: pay
    args:
      who: active
      amount: {op: "+", left: 1, right: 2}
      more:
        - shuffle: {zone: b}
        - shuffle: {zone: c}
  - shuffle: {zone: z})");
  EXPECT_EQ(codes(r), Codes{}) << rendered(r);
  EXPECT_EQ(
      section_text(r, Section::setup),
      R"([{shuffle: {zone: "a"}}, )"
      R"({addVar: {scope: "pvar", player: "active", var: "gold", delta: {op: "+", left: 1, right: 2}}}, )"
      R"({shuffle: {zone: "b"}}, {shuffle: {zone: "c"}}, {shuffle: {zone: "deck"}}, {shuffle: {zone: "z"}}])");
  EXPECT_EQ(r.doc.find(Section::effectMacros), nullptr);
}

TEST(EffectMacros, AreFoundEverywhereEffectsStand) {  // K-21
  const FrontResult r = read(R"(
effectMacros: [{id: m, params: [], effects: [{shuffle: {zone: deck}}]}]
setup: [{macro: m}]
actions: [{id: a, cost: [{macro: m}], effects: [{if: {when: true, then: [{macro: m}], else: [{macro: m}]}}]}]
triggers: [{id: t, effects: [{forEach: {bind: $p, over: {query: players}, effects: [{macro: m}]}}]}]
turnStructure:
  phases: [{id: main, onEnter: [{macro: m}], onExit: [{macro: m}], actionDefaults: {afterEffects: [{macro: m}]}}]
actionPipelines: [{id: p, costEffects: [{macro: m}], stages: [{effects: [{macro: m}]}]}]
eventDecks: [{id: d, cards: [{id: c, unshaded: {effects: [{macro: m}], branches: [{id: b, effects: [{macro: m}]}]}}]}]
)");
  EXPECT_EQ(codes(r), Codes{}) << rendered(r);
  for (const Section section : all_sections()) {
    const std::string text = section_text(r, section);
    EXPECT_EQ(text.find("macro"), std::string::npos) << text;
  }
  EXPECT_NE(section_text(r, Section::eventDecks).find("branches: [{id: \"b\", effects: [{shuffle"),
            std::string::npos);
}

TEST(EffectMacros, LocalBindingsGetNamesOfTheirOwn) {  // K-23
  const FrontResult r = read(R"(
effectMacros:
  - id: pick
    params: [{name: from, type: zoneSelector}]
    exports: [$picked]
    effects:
      - chooseOne: {bind: $t, options: {query: tokensInZone, zone: {param: from}}}
      - bindValue: {bind: $picked, value: {ref: tokenProp, token: $t, prop: id}}
setup:
  - {macro: pick, args: {from: "hand:$t"}}
  - {macro: pick, args: {from: deck}})");
  EXPECT_EQ(codes(r), Codes{}) << rendered(r);
  // The caller's `$t` in an argument stays the caller's; the macro's own is renamed per use.
  EXPECT_EQ(
      section_text(r, Section::setup),
      R"([{chooseOne: {bind: "$__macro_pick_setup_0_t", options: {query: "tokensInZone", zone: "hand:$t"}}}, )"
      R"({bindValue: {bind: "$picked", value: {ref: "tokenProp", token: "$__macro_pick_setup_0_t", prop: "id"}}}, )"
      R"({chooseOne: {bind: "$__macro_pick_setup_1_t", options: {query: "tokensInZone", zone: "deck"}}}, )"
      R"({bindValue: {bind: "$picked", value: {ref: "tokenProp", token: "$__macro_pick_setup_1_t", prop: "id"}}}])");
}

TEST(EffectMacros, TemplatesAndSelectorsAreRenamedToo) {  // K-23
  const FrontResult r = read(R"(
effectMacros:
  - id: m
    effects:
      - forEach:
          bind: $space
          over: {query: mapSpaces}
          effects:
            - chooseN: {bind: "$moved@{$space}", options: {query: tokensInZone, zone: $space}, max: 1}
            - shuffle: {zone: "hand:$space"}
      - forEach:
          bind: $s2
          over: {query: binding, name: "$moved@{$s2}"}
          effects: []
setup: [{macro: m}])");
  ASSERT_EQ(codes(r), Codes{}) << rendered(r);
  const std::string text = section_text(r, Section::setup);
  EXPECT_NE(text.find(R"(bind: "$__macro_m_setup_0_moved@{$__macro_m_setup_0_space}")"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find(R"(zone: "hand:$__macro_m_setup_0_space")"), std::string::npos) << text;
  EXPECT_NE(text.find(R"(name: "$__macro_m_setup_0_moved@{$__macro_m_setup_0_s2}")"),
            std::string::npos)
      << text;
}

TEST(EffectMacros, WhatANestedMacroExportsBelongsToTheOuterOne) {  // K-23
  const FrontResult r = read(R"(
effectMacros:
  - id: inner
    exports: [$n]
    effects: [{bindValue: {bind: $n, value: 1}}]
  - id: outer
    exports: []
    effects:
      - macro: inner
      - setVar: {scope: global, var: x, value: {ref: binding, name: $n}}
setup: [{macro: outer}, {macro: outer}])");
  ASSERT_EQ(codes(r), Codes{}) << rendered(r);
  const Node& setup = *r.doc.find(Section::setup);
  const auto name = [&](std::size_t i) {
    return setup.items[i].find("bindValue")->find("bind")->text;
  };
  const auto use = [&](std::size_t i) {
    return setup.items[i].find("setVar")->find("value")->find("name")->text;
  };
  EXPECT_EQ(name(0), use(1));
  EXPECT_EQ(name(2), use(3));
  EXPECT_NE(name(0), name(2));
  EXPECT_EQ(name(0).substr(0, 3), "$__");
}

TEST(EffectMacros, ANameThatIsNotExportedCannotBeUsedOutside) {  // K-23
  const FrontResult r = read(R"(
effectMacros:
  - id: roll
    effects: [{bindValue: {bind: $n, value: 1}}]
actions:
  - id: a
    effects:
      - macro: roll
      - setVar: {scope: global, var: x, value: {ref: binding, name: $n}})");
  ASSERT_EQ(codes(r), Codes{"EFFECT_MACRO_BINDING_NOT_EXPORTED 10:69"}) << rendered(r);
  EXPECT_EQ(r.diagnostics.all()[0].related.size(), 2u);
}

TEST(EffectMacros, DiagnosticsShowTheUseAndTheMacrosOwnLine) {  // K-24
  const FrontResult r = read(R"(
effectMacros:
  - id: inner
    params: [{name: z, type: string}]
    effects: [{shuffle: {zone: {param: z}}}]
  - id: outer
    params: [{name: z, type: value}]
    effects:
      - {macro: inner, args: {z: {param: z}}}
setup:
  - {macro: outer, args: {z: 3}})");
  ASSERT_EQ(codes(r), Codes{"EFFECT_MACRO_ARG_TYPE 12:30"}) << rendered(r);
  const Node* setup = r.doc.find(Section::setup);
  ASSERT_NE(setup, nullptr);
  const FrontResult good = read(R"(
effectMacros:
  - {id: inner, params: [], effects: [{shuffle: {zone: deck}}]}
  - {id: outer, params: [], effects: [{macro: inner}]}
setup:
  - macro: outer)");
  const Node& shuffle = good.doc.find(Section::setup)->items[0];
  EXPECT_EQ(shuffle.origin.place.line, 4u);
  const auto story = good.doc.source.story(shuffle.origin.expansion);
  ASSERT_EQ(story.size(), 2u);
  EXPECT_EQ(story[0].span.line, 5u);
  EXPECT_EQ(story[1].span.line, 7u);
}

TEST(EffectMacros, TenLevelsAreFineTheEleventhIsNot) {  // K-22
  const auto chain = [](int levels) {
    std::string text = "effectMacros:\n";
    for (int i = 1; i < levels; ++i)
      text += fmt::format("  - {{id: m{}, effects: [{{macro: m{}}}]}}\n", i, i + 1);
    return text +
           fmt::format(
               "  - {{id: m{}, effects: [{{shuffle: {{zone: d}}}}]}}\nsetup: [{{macro: m1}}]",
               levels);
  };
  EXPECT_EQ(codes(read(chain(10))), Codes{});
  const FrontResult r = read(chain(11));
  ASSERT_EQ(r.diagnostics.all().size(), 1u) << rendered(r);
  EXPECT_EQ(r.diagnostics.all()[0].code, Code::EFFECT_MACRO_DEPTH_EXCEEDED);
}

TEST(EffectMacros, ExplosionsAreStopped) {
  std::string text = "effectMacros:\n  - {id: m0, effects: [{shuffle: {zone: d}}]}\n";
  for (int i = 1; i < 10; ++i) {
    std::string uses;
    for (int k = 0; k < 10; ++k) uses += fmt::format("{}{{macro: m{}}}", k == 0 ? "" : ", ", i - 1);
    text += fmt::format("  - {{id: m{}, effects: [{}]}}\n", i, uses);
  }
  FrontOptions options;
  options.limits.macro_nodes = 50'000;
  const FrontResult r = read(text + "setup: [{macro: m9}]", options);
  ASSERT_EQ(r.diagnostics.all().size(), 1u) << rendered(r);
  EXPECT_EQ(r.diagnostics.all()[0].code, Code::LIMIT_EXPANSION);
}

struct MacroMistake {
  const char* name;
  const char* yaml;
  Codes expected;
};

class MacroMistakes : public ::testing::TestWithParam<MacroMistake> {};

TEST_P(MacroMistakes, AreReportedOnceAndExactly) {  // K-22
  const FrontResult r = read(GetParam().yaml);
  EXPECT_EQ(codes(r), GetParam().expected) << rendered(r);
}

INSTANTIATE_TEST_SUITE_P(
    Effect, MacroMistakes,
    ::testing::Values(
        MacroMistake{"unknown",
                     "setup: [{macro: pya}]\neffectMacros: [{id: pay, effects: []}]",
                     {"EFFECT_MACRO_UNKNOWN 2:17"}},
        MacroMistake{"unknown_without_any", "setup: [{macro: pay}]", {"EFFECT_MACRO_UNKNOWN 2:17"}},
        MacroMistake{"duplicate",
                     "effectMacros:\n  - {id: a, effects: []}\n  - {id: a, effects: []}",
                     {"EFFECT_MACRO_DUPLICATE_ID 4:10"}},
        MacroMistake{
            "cycle",
            "effectMacros:\n  - {id: a, effects: [{macro: b}]}\n  - {id: b, effects: [{macro: "
            "a}]}\nsetup: [{macro: b}, {macro: a}]",
            {"EFFECT_MACRO_CYCLE 3:31"}},
        MacroMistake{"self",
                     "effectMacros:\n  - {id: a, effects: [{macro: a}]}",
                     {"EFFECT_MACRO_CYCLE 3:31"}},
        MacroMistake{
            "missing",
            "effectMacros: [{id: a, params: [{name: x, type: value}], effects: []}]\nsetup: "
            "[{macro: a}]",
            {"EFFECT_MACRO_MISSING_ARGS 3:9"}},
        MacroMistake{"extra",
                     "effectMacros: [{id: a, effects: []}]\nsetup: [{macro: a, args: {y: 1}}]",
                     {"EFFECT_MACRO_EXTRA_ARGS 3:27"}},
        MacroMistake{"type_unknown",
                     "effectMacros: [{id: a, params: [{name: x, type: zone}], effects: []}]",
                     {"EFFECT_MACRO_PARAM_TYPE_INVALID 2:49"}},
        MacroMistake{
            "param_twice",
            "effectMacros: [{id: a, params: [{name: x, type: value}, {name: x, type: value}], "
            "effects: []}]",
            {"EFFECT_MACRO_PARAM_DUPLICATE 2:64"}},
        MacroMistake{
            "undeclared",
            "effectMacros: [{id: a, params: [{name: zone, type: value}], effects: [{shuffle: "
            "{zone: {param: zoen}}}]}]",
            {"EFFECT_MACRO_PARAM_UNDECLARED 2:96"}},
        MacroMistake{"outside",
                     "setup: [{shuffle: {zone: {param: z}}}]",
                     {"EFFECT_MACRO_PARAM_UNDECLARED 2:26"}},
        MacroMistake{
            "arg_type",
            "effectMacros: [{id: a, params: [{name: x, type: number}], effects: []}]\nsetup: "
            "[{macro: a, args: {x: two}}]",
            {"EFFECT_MACRO_ARG_TYPE 3:30"}},
        MacroMistake{"enum",
                     "effectMacros: [{id: a, params: [{name: x, type: {kind: enum, values: [red, "
                     "blue]}}], effects: []}]\nsetup: [{macro: a, args: {x: rde}}]",
                     {"EFFECT_MACRO_ARG_CONSTRAINT_VIOLATION 3:30"}},
        MacroMistake{
            "export",
            "effectMacros: [{id: a, exports: [$y], effects: [{bindValue: {bind: $x, value: 1}}]}]",
            {"EFFECT_MACRO_EXPORT_UNKNOWN_BINDING 2:34"}},
        MacroMistake{
            "no_list",
            "effectMacros: [{id: a, effects: []}]\nsetup: [{if: {when: true, then: {macro: a}}}]",
            {"EFFECT_MACRO_POSITION 3:33"}},
        MacroMistake{
            "reserved", "setup: [{bindValue: {bind: $__x, value: 1}}]", {"BINDING_RESERVED 2:28"}},
        MacroMistake{
            "key", "effectMacros: [{id: a, parms: [], effects: []}]", {"KEY_UNKNOWN 2:24"}}),
    [](const auto& info) { return std::string{info.param.name}; });

INSTANTIATE_TEST_SUITE_P(
    Condition, MacroMistakes,
    ::testing::Values(
        MacroMistake{"unknown",
                     "actions: [{id: a, pre: {conditionMacro: rihc}}]\nconditionMacros: "
                     "[{id: rich, condition: true}]",
                     {"CONDITION_MACRO_UNKNOWN 2:41"}},
        MacroMistake{"cycle",
                     "conditionMacros:\n  - {id: a, condition: {conditionMacro: b}}\n  - "
                     "{id: b, condition: {conditionMacro: a}}",
                     {"CONDITION_MACRO_CYCLE 4:41"}},
        MacroMistake{"missing",
                     "conditionMacros: [{id: a, params: [{name: x}], condition: {param: "
                     "x}}]\nactions: [{pre: {conditionMacro: a}}]",
                     {"CONDITION_MACRO_MISSING_ARGS 3:17"}},
        MacroMistake{"undeclared",
                     "conditionMacros: [{id: a, params: [{name: x}], condition: {param: y}}]",
                     {"CONDITION_MACRO_PARAM_UNDECLARED 2:67"}},
        MacroMistake{"no_condition",
                     "conditionMacros: [{id: a}]\nactions: [{pre: {conditionMacro: a}}]",
                     {"CONDITION_MACRO_INVALID 2:19"}}),
    [](const auto& info) { return std::string{info.param.name}; });

TEST(MacroBudget, ThatIsUsedUpExactlyStillSaysWhatIsMissing) {  // T-33
  // Every use takes the same: what is left after some uses is nothing, or not enough for another.
  const std::string uses =
      "setup: [{macro: m, args: {}}, {macro: m, args: {}}, {macro: m, args: {}}]";
  const std::string text =
      "effectMacros: [{id: m, params: [], effects: [{advancePhase: {}}]}]\n" + uses;
  const std::string all = R"([{advancePhase: {}}, {advancePhase: {}}, {advancePhase: {}}])";
  FrontOptions options;
  bool enough = false;
  for (std::size_t nodes = 1; nodes <= 40; ++nodes) {
    options.limits.macro_nodes = nodes;
    const FrontResult r = read(text, options);
    if (r.diagnostics.has_errors())
      EXPECT_EQ(only_codes(r), std::vector{Code::LIMIT_EXPANSION}) << nodes;
    else
      EXPECT_EQ(section_text(r, Section::setup), all) << nodes;
    enough = enough || !r.diagnostics.has_errors();
  }
  EXPECT_TRUE(enough);
}

TEST(Budgets, CountTextsByTheirLength) {  // T-30: a long text a thousand times
  const std::string text(100'000, 'x');
  std::string aliases = "a: &a " + text + "\nmetadata: [";
  for (int i = 0; i < 10'000; ++i) aliases += "*a, ";
  EXPECT_EQ(only_codes(read(aliases + "]")), std::vector{Code::YAML_ALIAS_BUDGET});
  std::string constants = "constants: {long: " + text + "}\nsetup: [";
  for (int i = 0; i < 9'000; ++i) constants += "{ref: constant, name: long}, ";
  EXPECT_EQ(only_codes(read(constants + "]")), std::vector{Code::LIMIT_EXPANSION});
  std::string macros = "effectMacros: [{id: m, params: [{name: p, type: value}], effects: [";
  for (int i = 0; i < 5'000; ++i) macros += "{bindValue: {bind: $x, value: {param: p}}}, ";
  macros += "]}]\nsetup: [{macro: m, args: {p: " + text + "}}]";
  EXPECT_EQ(only_codes(read(macros)), std::vector{Code::LIMIT_EXPANSION});
}

TEST(ConditionMacros, SubstituteAnywhere) {
  const FrontResult r = read(R"(
conditionMacros:
  - {id: atLeast, params: [{name: v}, {name: n}], condition: {op: ">=", left: {ref: gvar, var: {param: v}}, right: {param: n}}}
  - {id: rich, params: [{name: n}], condition: {conditionMacro: atLeast, args: {v: gold, n: {param: n}}}}
effectMacros:
  - {id: m, params: [{name: k, type: value}], effects: [{if: {when: {conditionMacro: rich, args: {n: {param: k}}}, then: []}}]}
actions: [{id: a, pre: {op: and, args: [{conditionMacro: rich, args: {n: 3}}, true]}}]
setup: [{macro: m, args: {k: 7}}])");
  ASSERT_EQ(codes(r), Codes{}) << rendered(r);
  EXPECT_EQ(
      section_text(r, Section::actions),
      R"([{id: "a", pre: {op: "and", args: [{op: ">=", left: {ref: "gvar", var: "gold"}, right: 3}, true]}}])");
  EXPECT_EQ(section_text(r, Section::setup),
            R"([{if: {when: {op: ">=", left: {ref: "gvar", var: "gold"}, right: 7}, then: []}}])");
}

}  // namespace
}  // namespace parlor::spec::testing
