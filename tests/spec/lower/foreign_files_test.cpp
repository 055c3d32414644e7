// What files bring that were written for other implementations of the language (card-driven.md R).
#include <gtest/gtest.h>

#include "base/json.h"
#include "spec/lower/lower_testing.h"

namespace parlor::spec::testing {
namespace {

using Codes = std::vector<std::string>;

CompileResult with_sections(std::string_view sections) {
  return compile(with_effects("- shuffle: { zone: deck }") + std::string{sections});
}

// The first effect of the world's action `act` after the one it always has.
nlohmann::json first_effect(std::string_view yaml) {
  const CompileResult result = compile_effects(yaml);
  EXPECT_EQ(codes(result), Codes{}) << rendered(result);
  if (!result.game) return nullptr;
  for (const ActionDef& action : result.game->actions)
    if (action.id == "act") return to_json(action.effects.at(1));
  return nullptr;
}

std::string observer(std::string_view zone) {
  return fmt::format(
      "observability: {{ observers: {{ spy: {{ zones: {{ \"{}\": {{ tokens: hidden }} }} }} }} "
      "}}\n",
      zone);
}

TEST(ForeignFiles, R01_ObserversNameZonesByBaseOrInFull) {
  for (const char* zone : {"north", "north:none", "town:none", "hand", "hand:1", "_default"})
    EXPECT_EQ(codes(with_sections(observer(zone))), Codes{}) << zone;
  for (const char* zone : {"nroth:none", "north:1", "hand:none", "hand:9"})
    EXPECT_EQ(codes(with_sections(observer(zone))), Codes{"ZONE_UNKNOWN"}) << zone;
}

TEST(ForeignFiles, R01_MarkersOfTheMapNameSpacesByBaseOrInFull) {
  std::string text = with_effects("- shuffle: { zone: deck }");
  text.replace(text.find("spaceId: \"north:none\""), 21, "spaceId: north");
  const CompileResult result = compile(text);
  ASSERT_TRUE(result.game) << rendered(result);
  EXPECT_EQ(result.game->space_markers.at(0).space, "north:none");
}

std::string trait_macro(std::string_view kind, std::string_view argument) {
  const bool list = kind == "tokenTraitValues";
  return fmt::format(R"(effectMacros:
  - id: pick
    params: [{{ name: suit, type: {{ kind: {}, prop: suit }} }}]
    exports: []
    effects:
      - chooseOne: {{ bind: $c, options: {{ query: tokensInZone, zone: deck, filter: {{ prop: suit, op: {}, value: {{ param: suit }} }} }} }}
setup:
  - {{ createToken: {{ type: card, zone: deck, props: {{ suit: hearts, rank: 1, face: false }} }} }}
triggers:
  - id: t
    event: {{ type: turnStart }}
    effects:
      - {{ bindValue: {{ bind: $s, value: hearts }} }}
      - {{ bindValue: {{ bind: $l, value: [hearts] }} }}
      - {{ forEach: {{ bind: $i, over: {{ query: players }}, effects: [{{ macro: pick, args: {{ suit: {} }} }}] }} }}
)",
                     kind, list ? "in" : "eq", argument);
}

// Triggers ask nobody, which is of no interest here.
Codes trait_codes(std::string_view kind, std::string_view argument) {
  Codes out = codes(with_sections(trait_macro(kind, argument)));
  std::erase(out, "CHOICE_IN_TRIGGER");
  return out;
}

TEST(ForeignFiles, R02_TraitArgumentsMayBeMappings) {
  EXPECT_EQ(trait_codes("tokenTraitValue", "hearts"), Codes{});
  EXPECT_EQ(trait_codes("tokenTraitValue", "{ ref: binding, name: $s }"), Codes{});
  EXPECT_EQ(trait_codes("tokenTraitValue", "{ ref: grantContext, key: suit }"), Codes{});
  EXPECT_EQ(trait_codes("tokenTraitValues", "[hearts]"), Codes{});
  EXPECT_EQ(trait_codes("tokenTraitValues", "{ ref: binding, name: $l }"), Codes{});
  EXPECT_EQ(trait_codes("tokenTraitValues", "{ ref: grantContext, key: suits }"), Codes{});
  EXPECT_EQ(trait_codes("tokenTraitValues", "hearts"), Codes{"EFFECT_MACRO_ARG_TYPE"});
  EXPECT_EQ(trait_codes("tokenTraitValues", "{ query: players }"), Codes{"EFFECT_MACRO_ARG_TYPE"});
}

TEST(ForeignFiles, R02_ATraitNoTokenHasIsAWarning) {
  for (const auto& [kind, argument] :
       {std::pair{"tokenTraitValue", "herts"}, std::pair{"tokenTraitValues", "[hearts, herts]"}}) {
    const CompileResult result = with_sections(trait_macro(kind, argument));
    ASSERT_EQ(trait_codes(kind, argument), Codes{"WORD_UNKNOWN"}) << rendered(result);
    for (const Diagnostic& d : result.diagnostics.all()) {
      if (d.code != Code::WORD_UNKNOWN) continue;
      EXPECT_EQ(d.severity, Severity::warning);
      EXPECT_EQ(d.alternatives, Codes{"hearts"});
    }
  }
}

TEST(ForeignFiles, R03_TheKeyOfCapturedZonesMayBeARef) {
  const auto key_of = [](std::string_view key) {
    return first_effect(
        fmt::format("- bindValue: {{ bind: $z, value: {{ ref: capturedSequenceZones, key: {} }} }}",
                    key))["bindValue"]["value"]["key"];
  };
  EXPECT_EQ(key_of("camps"), "camps");
  EXPECT_EQ(key_of("{ ref: grantContext, key: where }"),
            nlohmann::json::parse(R"({"ref": "grantContext", "key": "where"})"));
  EXPECT_EQ(codes(compile_effects(
                "- bindValue: { bind: $k, value: camps }\n"
                "- forEach: { bind: $z, over: { query: capturedSequenceZones, key: { ref: binding, "
                "name: $k } }, effects: [] }\n"
                "- bindValue: { bind: $y, value: { ref: capturedSequenceZones, key: { ref: "
                "binding, name: $k } } }")),
            Codes{});
  EXPECT_EQ(codes(compile_effects("- bindValue: { bind: $y, value: { ref: capturedSequenceZones, "
                                  "key: { ref: binding, name: $nobody } } }")),
            Codes{"BINDING_UNBOUND"});
}

TEST(ForeignFiles, R04_APlaceholderInABinderThatNamesNothingIsAWarning) {
  const CompileResult result =
      compile_effects("- bindValue: { bind: \"$eo@{$destSpace}\", value: 1 }");
  EXPECT_TRUE(result.game) << rendered(result);
  EXPECT_EQ(codes(result), Codes{"BINDING_UNBOUND"});
  EXPECT_FALSE(result.diagnostics.has_errors());
}

TEST(ForeignFiles, R05_AdjacentZonesTakesAFilter) {
  const auto options = [](std::string_view filter) {
    return first_effect(fmt::format(
        "- chooseOne: {{ bind: $z, options: {{ query: adjacentZones, zone: \"town:none\", "
        "filter: {} }} }}",
        filter))["chooseOne"]["options"];
  };
  const std::string land =
      R"({ op: "==", left: { ref: zoneProp, zone: $zone, prop: category }, right: land })";
  for (const std::string& filter : {land, "{ condition: " + land + " }"}) {
    const nlohmann::json query = options(filter);
    EXPECT_EQ(query["query"], "filter");
    EXPECT_EQ(query["bind"], "$zone");
    EXPECT_EQ(query["source"]["query"], "adjacentZones");
    EXPECT_EQ(query["where"]["op"], "==");
  }
  EXPECT_EQ(codes(compile_effects("- chooseOne: { bind: $z, options: { query: adjacentZones, zone: "
                                  "\"town:none\", filter: { op: \"==\", left: { ref: binding, "
                                  "name: $zoen }, right: 1 } } }")),
            Codes{"BINDING_UNBOUND"});
}

TEST(ForeignFiles, R06_ConditionsOfTheMapMayBeCompiledTrees) {
  std::string text = with_effects("- shuffle: { zone: deck }");
  const std::string authored =
      R"({ op: "==", left: { ref: zoneProp, zone: $space, prop: category }, right: land })";
  text.replace(text.find(authored), authored.size(),
               "{ op: in, item: { _t: 2, ref: zoneProp, zone: $space, prop: category }, "
               "set: { _t: 1, scalarArray: [land, sea] } }");
  const CompileResult result = compile(text);
  ASSERT_TRUE(result.game) << rendered(result);
  EXPECT_EQ(codes(result), Codes{});
  const nlohmann::json when = to_json(result.game->marker_lattices.at(0).constraints.at(0).when);
  EXPECT_EQ(when["set"], nlohmann::json::parse(R"(["land", "sea"])"));
}

TEST(ForeignFiles, R07_ATokenPropertyMayBeCalledType) {
  std::string text = with_effects(
      "- bindValue: { bind: $t, value: { op: +, left: { ref: tokenProp, token: $tok, prop: type }, "
      "right: 1 } }\n"
      "- forEach: { bind: $p, over: { query: tokensInZone, zone: deck, filter: { prop: type, op: "
      "eq, value: 3 } }, effects: [] }");
  text.replace(text.find("props: { suit: string, rank: int"), 32, "props: { type: int, rank: int");
  const CompileResult result = compile(text);
  ASSERT_TRUE(result.game) << rendered(result);
  EXPECT_EQ(codes(result), Codes{});
  // A number: it is the property that is meant, not the name of the token's type.
  text.replace(text.find("value: 3 }"), 10, "value: card }");
  EXPECT_EQ(codes(compile(text)), Codes{"TYPE_MISMATCH"});
}

TEST(ForeignFiles, R08_HarmlessKeysAreAccepted) {
  EXPECT_EQ(codes(compile_effects("- chooseOne: { internalDecisionId: \"decision:x\", bind: $z, "
                                  "options: { query: players } }\n"
                                  "- chooseN: { internalDecisionId: \"decision:y\", bind: $y, "
                                  "options: { query: players }, max: 1 }")),
            Codes{});
}

TEST(ForeignFiles, R08_RemarksForPeopleAreWarnings) {
  const CompileResult result =
      compile_effects("- setVar: { scope: global, var: pot, value: 1, comment: the ante }");
  EXPECT_TRUE(result.game);
  EXPECT_EQ(codes(result), Codes{"KEY_FOR_PEOPLE"});
  // What could be a rule is not passed over.
  EXPECT_EQ(codes(compile_effects(
                "- setVar: { scope: global, var: pot, value: 1, comment: { op: +, left: 1 } }")),
            Codes{"KEY_UNKNOWN"});
  EXPECT_EQ(codes(compile_effects("- setVar: { scope: global, var: pot, value: 1, twice: 2 }")),
            Codes{"KEY_UNKNOWN"});
}

TEST(ForeignFiles, R09_AZoneFilterReadsBindingsOfTheMoveToCome) {
  const nlohmann::json grant = first_effect(R"(- grantFreeOperation:
    seat: "1"
    operationClass: operation
    zoneFilter:
      op: and
      args:
        - { op: in, item: { ref: zoneProp, zone: $zone, prop: id }, set: { ref: binding, name: $targetSpaces } }
        - { op: ">", left: { aggregate: { op: count, query: { query: binding, name: "$movingTroops@{$zone}" } } }, right: 0 }
        - { op: "!=", left: { ref: zoneProp, zone: "{$cell}", prop: category }, right: "{$who}" })")
      ["grantFreeOperation"]["grant"];
  const nlohmann::json& args = grant["zoneFilter"]["args"];
  EXPECT_EQ(args[0]["set"]["name"], "$targetSpaces");
  EXPECT_EQ(args[1]["left"]["aggregate"]["query"]["name"], "$movingTroops@{$zone}");
  EXPECT_EQ(args[2]["left"]["zone"]["zoneExpr"], "{$cell}");
  EXPECT_EQ(args[2]["right"], "{$who}");
  // Only the filter looks ahead.
  EXPECT_EQ(codes(compile_effects("- grantFreeOperation: { seat: \"1\", operationClass: operation, "
                                  "executionContext: { at: { ref: binding, name: $target } } }")),
            Codes{"BINDING_UNBOUND"});
}

TEST(ForeignFiles, R10_WhatIsRemovedIsVisibleToToAndFrom) {
  EXPECT_EQ(
      codes(compile_effects(
          "- removeByPriority: { budget: 1, groups: [{ bind: $t, over: { query: "
          "tokensInZone, zone: deck }, to: { zoneExpr: { if: { when: { op: \"==\", left: { "
          "ref: tokenProp, token: $t, prop: suit }, right: x }, then: discard, else: deck } } "
          "}, from: { zoneExpr: { ref: tokenZone, token: $t } } }] }")),
      Codes{});
}

TEST(ForeignFiles, R11_AChoiceMadeInALoopUnderATemplateIsVisibleAfterIt) {
  EXPECT_EQ(codes(compile_effects(
                "- forEach: { bind: $s, over: { query: mapSpaces }, effects: [{ chooseN: { bind: "
                "\"$men@{$s}\", options: { query: tokensInZone, zone: $s }, max: 2 } }] }\n"
                "- forEach: { bind: $s, over: { query: mapSpaces }, effects: [{ forEach: { bind: "
                "$m, over: { query: binding, name: \"$men@{$s}\" }, effects: [] } }] }")),
            Codes{});
}

TEST(ForeignFiles, R12_BindersMayBeTemplatesThatNest) {
  EXPECT_EQ(
      codes(compile_effects(
          "- bindValue: { bind: $z, value: a }\n"
          "- bindValue: { bind: \"$y@{$z}\", value: b }\n"
          "- bindValue: { bind: \"$d@{$y@{$z}}\", value: 1 }\n"
          "- addVar: { scope: global, var: pot, delta: { ref: binding, name: \"$d@{$y@{$z}}\" } }\n"
          "- forEach: { bind: \"$p@{$z}\", over: { query: players }, effects: [], countBind: "
          "\"$n@{$z}\", in: [] }\n"
          "- reduce: { over: { query: players }, itemBind: $p, accBind: $a, initial: 0, next: 1, "
          "resultBind: \"$r@{$z}\", in: [] }")),
      Codes{});
}

TEST(ForeignFiles, R13_AgentsAreCheckedForTheirShapeAndKept) {
  const CompileResult result = with_sections(R"(agents:
  parameters: { boldness: { type: integer, default: 3 } }
  library: { candidateFeatures: {} }
  profiles: { calm: { use: [] } }
  bindings: { neutral: calm }
)");
  ASSERT_TRUE(result.game) << rendered(result);
  EXPECT_EQ(codes(result), Codes{});
  EXPECT_EQ(result.game->sections["agents"]["bindings"]["neutral"], "calm");
  EXPECT_EQ(codes(with_sections("agents: { profiles: [calm] }\n")), Codes{"SHAPE_WRONG"});
  EXPECT_EQ(codes(with_sections("agents: { profiles: { calm: 3 } }\n")), Codes{"SHAPE_WRONG"});
  EXPECT_EQ(codes(with_sections("agents: { profiles: { calm: {} }, bindings: { a: clam } }\n")),
            Codes{"WORD_UNKNOWN"});
}

}  // namespace
}  // namespace parlor::spec::testing
