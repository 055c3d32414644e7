// Effect macros case by case, beyond the mistakes in macros_test.cpp: what an argument may be, in
// which order uses are judged, what a failed use leaves behind, and who may see which binding.
#include <fmt/format.h>

#include "spec/front/front_testing.h"
#include "spec/spec.h"

namespace parlor::spec::testing {
namespace {

std::string setup_of(const FrontResult& r) {
  return section_text(r, Section::setup);
}

// K-20: one row per type of parameter: what fits, and what does not.
struct TypeCase {
  const char* type;
  const char* good;
  const char* bad;
};

class MacroParamTypes : public ::testing::TestWithParam<TypeCase> {};

TEST_P(MacroParamTypes, AcceptWhatTheyNameAndNothingElse) {  // K-20, K-22
  const auto use = [](const char* argument) {
    return read(
        fmt::format("effectMacros: [{{id: m, params: [{{name: p, type: {}}}], effects: "
                    "[{{bindValue: {{bind: $x, value: {{param: p}}}}}}]}}]\n"
                    "setup: [{{macro: m, args: {{p: {}}}}}]",
                    GetParam().type, argument));
  };
  EXPECT_EQ(codes(use(GetParam().good)), Codes{});
  const FrontResult bad = use(GetParam().bad);
  ASSERT_EQ(bad.diagnostics.all().size(), 1u) << rendered(bad);
  EXPECT_EQ(bad.diagnostics.all()[0].code, Code::EFFECT_MACRO_ARG_TYPE) << rendered(bad);
  EXPECT_EQ(setup_of(bad), "[]") << "a failed use contributes nothing";
}

INSTANTIATE_TEST_SUITE_P(Types, MacroParamTypes,
                         ::testing::Values(TypeCase{"string", "hello", "[1]"},
                                           TypeCase{"number", "3", "three"},
                                           TypeCase{"effect", "{shuffle: {zone: d}}", "3"},
                                           TypeCase{"effects", "[{shuffle: {zone: d}}]", "3"},
                                           TypeCase{"condition", "{op: not, arg: true}", "3"},
                                           TypeCase{"query", "players where gold > 0", "3"}),
                         [](const auto& info) { return std::string{info.param.type}; });

TEST(MacroExpansion, CopiesDeepAndLeavesBindingsAlone) {  // K-20, K-21
  const FrontResult r = read(R"(
effectMacros:
  - id: m
    params: [{name: p, type: value}]
    effects:
      - setVar: {scope: global, var: a, value: {op: "+", left: {param: p}, right: {op: "*", left: {param: p}, right: 2}}}
      - setVar: {scope: global, var: b, value: {concat: [{param: p}, $outer]}}
setup:
  - {macro: m, args: {p: {ref: binding, name: $who}}})");
  ASSERT_EQ(codes(r), Codes{}) << rendered(r);
  const std::string who = R"({ref: "binding", name: "$who"})";
  EXPECT_EQ(setup_of(r),
            fmt::format(
                R"([{{setVar: {{scope: "global", var: "a", value: {{op: "+", left: {0}, )"
                R"(right: {{op: "*", left: {0}, right: 2}}}}}}}}, )"
                R"({{setVar: {{scope: "global", var: "b", value: {{concat: [{0}, "$outer"]}}}}}}])",
                who));
}

TEST(MacroExpansion, MacrosInsideArgumentsAreTheCallers) {  // K-21, K-23
  const FrontResult r = read(R"(
effectMacros:
  - {id: twice, params: [{name: what, type: effects}], effects: [{param: what}, {param: what}]}
  - {id: draw, params: [{name: to, type: zoneSelector}], effects: [{draw: {from: deck, to: {param: to}, count: 1}}]}
setup:
  - macro: twice
    args:
      what:
        - {macro: draw, args: {to: hand}}
        - shuffle: {zone: deck})");
  ASSERT_EQ(codes(r), Codes{}) << rendered(r);
  EXPECT_EQ(setup_of(r),
            R"([{draw: {from: "deck", to: "hand", count: 1}}, {shuffle: {zone: "deck"}}, )"
            R"({draw: {from: "deck", to: "hand", count: 1}}, {shuffle: {zone: "deck"}}])");
}

TEST(MacroExpansion, TheFirstDefinitionWins) {  // K-22
  const FrontResult r = read(R"(
effectMacros:
  - {id: m, effects: [{shuffle: {zone: first}}]}
  - {id: m, effects: [{shuffle: {zone: second}}]}
setup: [{macro: m}])");
  EXPECT_EQ(codes(r), Codes{"EFFECT_MACRO_DUPLICATE_ID 5:10"});
  EXPECT_EQ(setup_of(r), R"([{shuffle: {zone: "first"}}])");
}

TEST(MacroExpansion, AnExtraArgumentIsAWarningAndExpansionGoesOn) {  // K-22
  const FrontResult r = read(R"(
effectMacros: [{id: m, effects: [{shuffle: {zone: d}}]}]
setup: [{macro: m, args: {y: 1}}])");
  ASSERT_EQ(codes(r), Codes{"EFFECT_MACRO_EXTRA_ARGS 4:27"});
  EXPECT_EQ(r.diagnostics.all()[0].severity, Severity::warning);
  EXPECT_EQ(setup_of(r), R"([{shuffle: {zone: "d"}}])");
}

TEST(MacroExpansion, AFailedUseTakesNothingElseWithIt) {  // K-22
  const FrontResult r = read(R"(
effectMacros: [{id: m, params: [{name: x, type: number}], effects: [{shuffle: {zone: d}}]}]
setup:
  - shuffle: {zone: a}
  - macro: m
  - shuffle: {zone: b})");
  EXPECT_EQ(codes(r), Codes{"EFFECT_MACRO_MISSING_ARGS 6:5"});
  EXPECT_EQ(setup_of(r), R"([{shuffle: {zone: "a"}}, {shuffle: {zone: "b"}}])");
}

// K-22: unknown, cycle, depth, missing, extra, types. Missing and extra are said together; a wrong
// type is not judged while an argument is missing.
TEST(MacroExpansion, UsesAreJudgedInOrder) {
  const auto said = [](const char* body, const char* setup) {
    return codes(
        read(fmt::format("effectMacros:\n  - {{id: m, params: [{{name: x, type: number}}, "
                         "{{name: y, type: number}}], effects: [{}]}}\nsetup: [{}]",
                         body, setup)));
  };
  EXPECT_EQ(said("", "{macro: mm, args: {x: text}}"), Codes{"EFFECT_MACRO_UNKNOWN 4:17"});
  EXPECT_EQ(said("", "{macro: m, args: {x: text, z: 1}}"),
            (Codes{"EFFECT_MACRO_MISSING_ARGS 4:9", "EFFECT_MACRO_EXTRA_ARGS 4:36"}));
  EXPECT_EQ(said("", "{macro: m, args: {x: text, y: 1, z: 1}}"),
            (Codes{"EFFECT_MACRO_ARG_TYPE 4:30", "EFFECT_MACRO_EXTRA_ARGS 4:42"}));
  // The use inside is a circle before it is a use without arguments.
  EXPECT_EQ(said("{macro: m}", "{macro: m, args: {x: 1, y: 2}}"), Codes{"EFFECT_MACRO_CYCLE 3:91"});
}

TEST(MacroExpansion, ACycleShowsItsWay) {  // K-22
  const FrontResult r = read(R"(
effectMacros:
  - {id: A, effects: [{macro: B}]}
  - {id: B, effects: [{macro: C}]}
  - {id: C, effects: [{macro: A}]}
setup: [{macro: A}])");
  ASSERT_EQ(r.diagnostics.all().size(), 1u) << rendered(r);
  EXPECT_NE(r.diagnostics.all()[0].message.find("A -> B -> C -> A"), std::string::npos)
      << rendered(r);
}

TEST(MacroHygiene, ArgumentsAreNeverCaptured) {  // K-23, language 0.12
  const FrontResult r = read(R"(
effectMacros:
  - id: each
    params: [{name: body, type: effects}]
    effects:
      - forEach: {bind: $p, over: {query: players}, effects: [{param: body}]}
setup:
  - bindValue: {bind: $p, value: 1}
  - macro: each
    args: {body: [{setActivePlayer: {player: $p}}]})");
  ASSERT_EQ(codes(r), Codes{}) << rendered(r);
  // The caller's $p means the caller's binding, although the macro loops over a $p of its own.
  EXPECT_NE(setup_of(r).find(R"({forEach: {bind: "$__macro_each_setup_1_p", )"), std::string::npos);
  EXPECT_NE(setup_of(r).find(R"({setActivePlayer: {player: "$p"}})"), std::string::npos);
}

TEST(MacroHygiene, NestedUsesOfOneMacroDoNotCollide) {  // K-23
  const FrontResult r = read(R"(
effectMacros:
  - {id: keep, params: [{name: then, type: effects}], effects: [{bindValue: {bind: $v, value: 1}}, {param: then}]}
setup:
  - macro: keep
    args: {then: [{macro: keep, args: {then: [{shuffle: {zone: d}}]}}]})");
  ASSERT_EQ(codes(r), Codes{}) << rendered(r);
  const Node& setup = *r.doc.find(Section::setup);
  ASSERT_EQ(setup.items.size(), 3u);
  EXPECT_NE(setup.items[0].find("bindValue")->find("bind")->text,
            setup.items[1].find("bindValue")->find("bind")->text);
}

TEST(MacroHygiene, ABindingNamedByAnArgumentIsTheCallers) {  // K-20, K-23
  const FrontResult r = read(R"(
effectMacros:
  - {id: roll, params: [{name: into, type: bindingName}], effects: [{bindValue: {bind: {param: into}, value: 6}}]}
setup:
  - {macro: roll, args: {into: $die}}
  - setVar: {scope: global, var: x, value: {ref: binding, name: $die}})");
  EXPECT_EQ(codes(r), Codes{}) << rendered(r);
  EXPECT_NE(setup_of(r).find(R"({bindValue: {bind: "$die", value: 6}})"), std::string::npos);
}

// K-24: the message shows the macro's own line and, through all levels, where it was used.
TEST(MacroProvenance, MistakesShowTheMacrosLineAndEveryUse) {
  const CompileResult r = compile_text(R"(```yaml
metadata: { id: g, players: { min: 2, max: 2 } }
zones: [{ id: deck, owner: none, visibility: hidden, ordering: stack }]
turnStructure: { phases: [{ id: main }] }
effectMacros:
  - { id: inner, params: [], effects: [{ shuffle: { zone: dekc } }] }
  - { id: outer, params: [], effects: [{ macro: inner }] }
actions:
  - id: a
    phase: [main]
    effects:
      - macro: outer
terminal: { conditions: [] }
```
)");
  ASSERT_EQ(r.diagnostics.all().size(), 1u);
  const Diagnostic& d = r.diagnostics.all()[0];
  EXPECT_EQ(d.code, Code::ZONE_UNKNOWN);
  EXPECT_EQ(d.span.line, 6u);
  EXPECT_EQ(d.path, "actions.0.effects.0.shuffle.zone");
  ASSERT_EQ(d.related.size(), 2u);
  EXPECT_EQ(d.related[0].span.line, 7u);
  EXPECT_EQ(d.related[1].span.line, 12u);
  const std::string text = render(d, r.texts, Colour::never);
  for (const char* part : {"used here", "`inner`", "`outer`", "did you mean: `deck`"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
}

}  // namespace
}  // namespace parlor::spec::testing
