// What authored constructs become in the GameDef.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/json.h"
#include "spec/lower/lower_testing.h"

namespace parlor::spec::testing {
namespace {

// A node without the places of its parts.
Json plain(Json json) {
  if (json.is_object()) json.erase("at");
  if (json.is_structured())
    for (auto& part : json) part = plain(part);
  return json;
}

// The last effect of `act`, as JSON.
Json last_effect(std::string_view effects) {
  const CompileResult result = compile_effects(effects);
  if (!result.game) return rendered(result);
  return plain(to_json(result.game->actions.back().effects.back()));
}

Json value(std::string_view yaml) {
  return last_effect(
      fmt::format("- bindValue: {{ bind: $v, value: {} }}", yaml))["bindValue"]["value"];
}
Json condition(std::string_view yaml) {
  return last_effect(fmt::format("- if: {{ when: {}, then: [] }}", yaml))["if"]["when"];
}
Json query(std::string_view yaml) {
  return last_effect(
      fmt::format("- forEach: {{ bind: $x, over: {}, effects: [] }}", yaml))["forEach"]["over"];
}

TEST(Lowering, ZoneSelectorsAreTakenApart) {
  const auto zone = [](std::string_view text) {
    return last_effect(fmt::format("- shuffle: {{ zone: {} }}", text))["shuffle"]["zone"];
  };
  EXPECT_EQ(zone("deck"), "deck:none");
  EXPECT_EQ(zone("\"deck:none\""), "deck:none");
  EXPECT_EQ(zone("\"hand:2\""), "hand:2");
  EXPECT_EQ(zone("\"hand:actor\""), (Json{{"base", "hand"}, {"owner", "actor"}}));
  EXPECT_EQ(zone("\"hand:$who\""), (Json{{"base", "hand"}, {"owner", "$who"}}));
  EXPECT_EQ(zone("$cell"), "$cell");
  EXPECT_EQ(zone("{ concat: [de, ck] }"), "deck:none");
  EXPECT_EQ(zone("{ zoneExpr: deck }"), "deck:none");
  EXPECT_EQ(zone("{ zoneExpr: { ref: tokenZone, token: $tok } }"),
            (Json{{"zoneExpr", {{"ref", "tokenZone"}, {"token", "$tok"}}}}));
}

TEST(Lowering, PlayerSelectorsAreNormalised) {
  const auto player = [](std::string_view text) {
    return last_effect(
        fmt::format("- setActivePlayer: {{ player: {} }}", text))["setActivePlayer"]["player"];
  };
  EXPECT_EQ(player("left"), "left");
  EXPECT_EQ(player("\"2\""), 2);
  EXPECT_EQ(player("{ id: 2 }"), 2);
  EXPECT_EQ(player("{ chosen: $who }"), "$who");
  EXPECT_EQ(player("{ relative: right }"), "right");
}

TEST(Lowering, SeatNamesBecomePlayersWhateverTheirCase) {
  const CompileResult result = compile(R"(metadata: { id: g, players: { min: 2, max: 2 } }
dataAssets: [{ id: seats, kind: seatCatalog, payload: { seats: [{ id: red }, { id: blue }] } }]
zones: [{ id: hand, owner: player, visibility: owner, ordering: set }]
turnStructure: { phases: [{ id: main }] }
actions:
  - { id: a, phase: [main], effects: [{ setActivePlayer: { player: Blue } }, { shuffle: { zone: "hand:blue" } }] }
terminal: { conditions: [] })");
  ASSERT_TRUE(result.game) << rendered(result);
  const auto& effects = result.game->actions[0].effects;
  EXPECT_EQ(plain(to_json(effects[0]))["setActivePlayer"]["player"], 1);
  EXPECT_EQ(plain(to_json(effects[1]))["shuffle"]["zone"], "hand:1");
}

// A-01: a key that is for people is read by nobody.
TEST(Lowering, ALimitMayHaveAnId) {
  const CompileResult result = compile(R"(metadata: { id: g, players: { min: 2, max: 2 } }
turnStructure: { phases: [{ id: main }] }
actions: [{ id: a, phase: [main], limits: [{ id: once, scope: turn, max: 1 }], effects: [] }]
terminal: { conditions: [] })");
  ASSERT_TRUE(result.game) << rendered(result);
  ASSERT_EQ(result.game->actions[0].limits.size(), 1u);
  EXPECT_EQ(result.game->actions[0].limits[0].max, 1);
}

TEST(Lowering, ShortFormsBecomeTheLongOnes) {
  EXPECT_EQ(value("{ zoneCount: deck }"), value("{ ref: zoneCount, zone: deck }"));
  EXPECT_EQ(last_effect("- chooseN: { bind: $c, options: { query: players }, n: 2 }"),
            last_effect("- chooseN: { bind: $c, options: { query: players }, min: 2, max: 2 }"));
  EXPECT_EQ(query("{ query: zonesInDirection, zone: cell_0_0, directions: e }"),
            query("{ query: ray, zone: cell_0_0, directions: e }"));
  EXPECT_EQ(query("{ query: mapSpaces }"), (Json{{"query", "zones"}, {"boardOnly", true}}));
  EXPECT_EQ(query("{ query: zones, filter: { op: and, args: [true] } }"),
            query("{ query: zones, filter: { condition: { op: and, args: [true] } } }"));
}

TEST(Lowering, DirectionGroupsBecomeNames) {
  EXPECT_EQ(query("{ query: step, zone: cell_1_1, directions: orthogonal }")["directions"],
            (Json{"n", "e", "s", "w"}));
  EXPECT_EQ(query("{ query: step, zone: cell_1_1 }")["directions"], "all");
  EXPECT_EQ(query("{ query: step, zone: cell_1_1, directions: [nw, s] }")["directions"],
            (Json{"nw", "s"}));
}

TEST(Lowering, TokenFiltersAreFlattened) {
  const Json a = {{"field", "prop"}, {"prop", "rank"}, {"op", "eq"}, {"value", 1}};
  const auto filter = [](std::string_view text) {
    return query(
        fmt::format("{{ query: tokensInZone, zone: deck, filter: {} }}", text))["filter"][0];
  };
  const std::string one = "{ prop: rank, op: eq, value: 1 }";
  EXPECT_EQ(filter(one), a);
  EXPECT_EQ(filter(fmt::format("{{ op: and, args: [{}] }}", one)), a);
  EXPECT_EQ(filter(fmt::format("{{ op: and, args: [{0}, {{ op: and, args: [{0}, {0}] }}] }}", one)),
            (Json{{"op", "and"}, {"args", {a, a, a}}}));
  EXPECT_EQ(filter("{ prop: suit, op: in, value: { ref: namedSet, name: royal } }")["value"],
            (Json{"king", "queen"}));
  EXPECT_EQ(filter("{ prop: id, op: eq, value: tok_card_0 }")["field"], "tokenId");
}

TEST(Lowering, OperatorsAndLiterals) {
  EXPECT_EQ(value("{ op: mod, left: 7, right: 2 }"),
            (Json{{"op", "mod"}, {"left", 7}, {"right", 2}}));
  EXPECT_EQ(value("[a, b]"), (Json{"a", "b"}));
  EXPECT_EQ(condition("{ op: \"!=\", left: 1, right: 2 }"),
            (Json{{"op", "!="}, {"left", 1}, {"right", 2}}));
  EXPECT_EQ(condition("true"), true);
}

TEST(Lowering, TablesAreReadRelativeToTheScenario) {
  EXPECT_EQ(query("{ query: assetRows, tableId: settings.blinds }")["tableId"],
            "tables::settings.blinds");
  const CompileResult result = compile_effects("- shuffle: { zone: deck }");
  ASSERT_TRUE(result.game) << rendered(result);
  const auto table =
      std::ranges::find(result.game->tables, "tables::settings.blinds", &TableDef::id);
  ASSERT_NE(table, result.game->tables.end());
  EXPECT_EQ(table->columns[0], (PropDef{"level", PropType::integer}));
  EXPECT_EQ(table->rows[1][0], Scalar{Int{2}});
}

TEST(Lowering, ZonesKnowTheirNeighboursBothWays) {
  const CompileResult result =
      compile(fmt::format(R"({}zones:
  - {{ id: a, owner: none, visibility: public, ordering: set, adjacentTo: [{{ to: c }}, {{ to: b, direction: unidirectional }}] }}
  - {{ id: b, owner: none, visibility: public, ordering: set }}
  - {{ id: c, owner: none, visibility: public, ordering: set }}
)",
                          with_effects("- shuffle: { zone: deck }") + "```\n```yaml\n"));
  ASSERT_TRUE(result.game) << rendered(result);
  const auto zone = [&](std::string_view base) {
    return *std::ranges::find(result.game->zones, base, &ZoneDef::base);
  };
  EXPECT_EQ(zone("a").neighbours, (std::vector<std::string>{"b:none", "c:none"}));
  EXPECT_EQ(zone("b").neighbours, std::vector<std::string>{});
  EXPECT_EQ(zone("c").neighbours, std::vector<std::string>{"a:none"});
  EXPECT_EQ(zone("deck").deck->reshuffle_from, "discard:none");
}

TEST(Lowering, ActionsHaveSensibleDefaults) {
  const CompileResult result = compile_effects("- shuffle: { zone: deck }");
  ASSERT_TRUE(result.game) << rendered(result);
  const ActionDef& other = result.game->actions[0];
  EXPECT_EQ(other.actor.kind, PlayerSel::Kind::active);
  EXPECT_EQ(other.executor.kind, PlayerSel::Kind::actor);
  EXPECT_FALSE(other.pre);
  EXPECT_TRUE(other.params.empty() && other.cost.empty() && other.limits.empty());
}

// K-06: only pre, only afterEffects, both, an empty object, a null pre.
TEST(Lowering, PhaseDefaultsOfAllForms) {
  const auto phase = [](std::string_view defaults) {
    const CompileResult result =
        compile(fmt::format(R"(metadata: {{ id: g, players: {{ min: 2, max: 2 }} }}
globalVars: [{{ name: n, type: int, init: 0, min: 0, max: 9 }}]
zones: [{{ id: z, owner: none, visibility: public, ordering: set }}]
effectMacros: [{{ id: bump, params: [], exports: [], effects: [{{ addVar: {{ scope: global, var: n, delta: 1 }} }}] }}]
turnStructure: {{ phases: [{{ id: main, actionDefaults: {} }}] }}
actions: [{{ id: a, phase: [main], params: [{{ name: $k, domain: {{ query: intsInRange, min: 1, max: 2 }} }}] }}]
terminal: {{ conditions: [] }})",
                            defaults));
    EXPECT_TRUE(result.game) << rendered(result);
    return result.game ? result.game->phases[0] : PhaseDef{};
  };
  const std::string pre = "{ op: \"<\", left: { ref: binding, name: $k }, right: 2 }";
  EXPECT_TRUE(phase(fmt::format("{{ pre: {} }}", pre)).default_pre);
  EXPECT_TRUE(phase(fmt::format("{{ pre: {} }}", pre)).after_effects.empty());
  EXPECT_FALSE(phase("{ afterEffects: [{ macro: bump, args: {} }] }").default_pre);
  EXPECT_EQ(phase("{ afterEffects: [{ macro: bump, args: {} }] }").after_effects.size(), 1u);
  const PhaseDef both =
      phase(fmt::format("{{ pre: {}, afterEffects: [{{ macro: bump, args: {{}} }}] }}", pre));
  EXPECT_TRUE(both.default_pre && both.after_effects.size() == 1);
  EXPECT_FALSE(phase("{}").default_pre);
  EXPECT_FALSE(phase("{ pre: null }").default_pre);
}

// K-10: the older form of pipelines gives the same as the newer.
TEST(Lowering, OperationProfilesAreOlderPipelines) {
  const auto pipelines = [](std::string_view section) {
    const CompileResult result = compile(with_effects("- shuffle: { zone: deck }") +
                                         "```\n```yaml\n" + std::string{section});
    EXPECT_TRUE(result.game) << rendered(result);
    return result.game ? result.game->pipelines : std::vector<PipelineDef>{};
  };
  const auto older = pipelines(R"(operationProfiles:
  - id: p
    actionId: other
    legality: { when: { op: "==", left: { ref: gvar, var: open }, right: true } }
    cost:
      validate: { op: ">", left: { ref: gvar, var: pot }, right: 0 }
      spend: [{ addVar: { scope: global, var: pot, delta: -1 } }]
    targeting: {}
    resolution: [{ effects: [{ shuffle: { zone: deck } }] }]
    partialExecution: { mode: allow }
)");
  const auto newer = pipelines(R"(actionPipelines:
  - id: p
    actionId: other
    legality: { op: "==", left: { ref: gvar, var: open }, right: true }
    costValidation: { op: ">", left: { ref: gvar, var: pot }, right: 0 }
    costEffects: [{ addVar: { scope: global, var: pot, delta: -1 } }]
    targeting: {}
    stages: [{ effects: [{ shuffle: { zone: deck } }] }]
    atomicity: partial
)");
  ASSERT_EQ(older.size(), 1u);
  EXPECT_TRUE(older == newer);
  EXPECT_TRUE(older[0].partial);
}

TEST(Lowering, NullMatchAndWhenMeanAbsent) {
  const CompileResult result =
      compile(with_effects("- shuffle: { zone: deck }") +
              "triggers: [{ event: { type: turnStart }, match: null, when: null, effects: [] }]\n");
  ASSERT_TRUE(result.game) << rendered(result);
  EXPECT_FALSE(result.game->triggers[0].match);
  EXPECT_EQ(result.game->triggers[0].id, "trigger_0");
}

TEST(Lowering, EveryNodeKnowsItsPlace) {
  const CompileResult result = compile_effects("- shuffle: { zone: deck }");
  ASSERT_TRUE(result.game) << rendered(result);
  const Effect& effect = result.game->actions[1].effects[1];
  const PlaceRecord& place = result.game->places[effect.at.index];
  EXPECT_EQ(place.path, "actions.1.effects.1");
  EXPECT_EQ(place.file, "game.md");
  EXPECT_GT(place.line, 50);
  EXPECT_EQ(place.column, 9);
  EXPECT_EQ(result.game->places[0], PlaceRecord{});
}

// Section 0.9, 18, 20, 29: read, checked and kept.
TEST(Lowering, SectionsWithoutRulesAreKeptAsData) {
  const CompileResult result = compile(with_effects("- shuffle: { zone: deck }") + R"(eventDecks:
  - id: events
    drawZone: deck
    discardZone: "discard:none"
    cards:
      - id: c1
        title: Flood
        sideMode: single
        unshaded:
          targets:
            - { id: $space, selector: { query: mapSpaces }, cardinality: { n: 1 }, application: each,
                effects: [{ setMarker: { space: $space, marker: mood, state: calm } }] }
          effects: [{ addVar: { scope: global, var: pot, delta: 1 } }]
verbalization: { labels: { deck: The deck } }
agents: { anything: [goes] }
)");
  ASSERT_TRUE(result.game) << rendered(result);
  EXPECT_EQ(result.game->event_decks.at(0).cards.at(0).title, "Flood");
  EXPECT_FALSE(result.game->sections.contains("eventDecks"));
  EXPECT_EQ(result.game->sections["agents"]["anything"][0], "goes");
  EXPECT_EQ(result.game->actions.back().id, "event");
  EXPECT_EQ(result.game->actions.back().capabilities, std::vector<std::string>{"cardEvent"});
}

TEST(Lowering, SameTextSameBytes) {
  const std::string text = with_effects("- chooseOne: { bind: $x, options: { query: players } }");
  const CompileResult a = compile(text), b = compile(text);
  ASSERT_TRUE(a.game && b.game);
  EXPECT_EQ(canonical(to_json(*a.game)), canonical(to_json(*b.game)));
}

}  // namespace
}  // namespace parlor::spec::testing
