// Data assets: language section 7 and 0.7.
#include <fmt/format.h>

#include "spec/front/front_testing.h"

namespace parlor::spec::testing {
namespace {

constexpr std::string_view assets = R"(
dataAssets:
  - id: m
    kind: map
    payload:
      spaces:
        - {id: "b:none", category: city, attributes: {population: 2}, adjacentTo: [{to: "c:none"}, {to: "a:none"}]}
        - {id: "a:none", adjacentTo: ["b:none"]}
        - {id: "c:none", adjacentTo: []}
      tracks: [{id: aid, scope: global, min: 0, max: 10, initial: 3}]
      markerLattices: [{id: support, states: [against, neutral, for], defaultState: neutral}]
      spaceMarkers: [{spaceId: "a:none", markerId: support, state: for}]
  - id: p
    kind: pieceCatalog
    payload:
      pieceTypes:
        - {id: troop, seat: us, statusDimensions: [], transitions: [], runtimeProps: {faction: US, strength: 2}}
        - {id: guerrilla, seat: vc, statusDimensions: [activity, tunnel], transitions: []}
      inventory: [{pieceTypeId: troop, seat: us, total: 3}, {pieceTypeId: guerrilla, seat: vc, total: 2}]
  - {id: s, kind: seatCatalog, payload: {seats: [{id: us}, {id: vc}]}}
)";

std::string game(std::string_view more) {
  return fmt::format("{}{}", assets, more);
}

TEST(Map, GivesZonesTracksAndMarkers) {  // 7.1
  const FrontResult r =
      read(game("zones: [{id: box, owner: none, visibility: public, ordering: set}]"));
  ASSERT_EQ(codes(r), Codes{}) << rendered(r);
  const Node& zones = *r.doc.find(Section::zones);
  ASSERT_EQ(zones.items.size(), 4u);
  EXPECT_EQ(
      to_text(zones.items[0]),
      R"({id: "b:none", zoneKind: "board", owner: "none", visibility: "public", ordering: "set", category: "city", )"
      R"(attributes: {population: 2}, adjacentTo: [{to: "a:none"}, {to: "c:none"}]})");
  EXPECT_EQ(zones.items[3].find_string("id"), "box");  // authored zones come after the map's
  EXPECT_EQ(section_text(r, Section::globalVars),
            R"([{name: "aid", type: "int", init: 3, min: 0, max: 10}])");
  EXPECT_EQ(to_text(r.doc.derived.space_markers),
            R"([{spaceId: "a:none", markerId: "support", state: "for"}])");
  EXPECT_EQ(r.doc.derived.marker_lattices.items.size(), 1u);
  EXPECT_EQ(r.doc.derived.seats, (std::vector<std::string>{"us", "vc"}));
}

TEST(Pieces, GiveTokenTypesUnlessTheyAreAuthored) {  // 7.2, section 6
  const FrontResult r = read(game(""));
  EXPECT_EQ(section_text(r, Section::tokenTypes),
            R"([{id: "troop", props: {faction: "string", strength: "int"}, seat: "us"}, )"
            R"({id: "guerrilla", props: {activity: "string", tunnel: "string"}, seat: "vc"}])");
  const FrontResult own = read(game("tokenTypes: [{id: x, props: {}}]"));
  EXPECT_EQ(section_text(own, Section::tokenTypes), R"([{id: "x", props: {}}])");
}

TEST(Pieces, AreGenerated) {  // 7.2
  const FrontResult r = read(R"(
dataAssets:
  - id: cards
    kind: pieceCatalog
    payload:
      inventory: []
      pieceTypes:
        - generate:
            idPattern: "card-{suit}-{rank}"
            seat: none
            statusDimensions: []
            transitions: []
            dimensions: [{name: suit, values: [c, d]}, {name: rank, values: [1, 2]}]
            derivedProps: {colour: {from: suit, map: {d: red}, default: "black-{suit}"}}
            inventoryPerCombination: 2)");
  ASSERT_EQ(codes(r), Codes{}) << rendered(r);
  const Node& payload = *r.doc.find(Section::dataAssets)->items[0].find("payload");
  const Node& types = *payload.find("pieceTypes");
  ASSERT_EQ(types.items.size(), 4u);
  EXPECT_EQ(types.items[1].find_string("id"), "card-c-2");  // the first dimension is the slowest
  EXPECT_EQ(to_text(*types.items[1].find("runtimeProps")),
            R"({suit: "c", rank: 2, colour: "black-c"})");
  EXPECT_EQ(to_text(*types.items[2].find("runtimeProps")),
            R"({suit: "d", rank: 1, colour: "red"})");
  EXPECT_EQ(to_text(payload.find("inventory")->items[3]),
            R"({pieceTypeId: "card-d-2", seat: "none", total: 2})");
}

TEST(Scenario, BecomesSetup) {  // 7.5, 0.7
  const FrontResult r = read(game(R"(
  - id: start
    kind: scenario
    payload:
      initialPlacements: [{spaceId: "a:none", pieceTypeId: guerrilla, seat: vc, count: 1, status: {activity: active}}]
      outOfPlay: [{pieceTypeId: troop, seat: us, count: 1}]
      seatPools: [{seat: us, availableZoneId: "box:none", outOfPlayZoneId: "out:none"}]
      initializations: [{trackId: aid, value: 7}, {var: score, value: 2}, {spaceId: "b:none", markerId: support, state: against}]
zones:
  - {id: box, owner: none, visibility: public, ordering: set}
  - {id: out, owner: none, visibility: public, ordering: set}
setup: [{shuffle: {zone: box}}])"));
  ASSERT_EQ(codes(r), Codes{}) << rendered(r);
  EXPECT_EQ(r.doc.find(Section::globalVars)->items[0].find_integer("init"), 7);
  const Node& setup = *r.doc.find(Section::setup);
  ASSERT_EQ(setup.items.size(), 7u);
  EXPECT_EQ(to_text(setup.items[0]), R"({setVar: {scope: "global", var: "score", value: 2}})");
  EXPECT_EQ(to_text(setup.items[1]),
            R"({setMarker: {space: "b:none", marker: "support", state: "against"}})");
  EXPECT_EQ(
      to_text(setup.items[2]),
      R"({createToken: {type: "guerrilla", zone: "a:none", props: {activity: "active", tunnel: "untunneled"}}})");
  EXPECT_EQ(
      to_text(setup.items[3]),
      R"({createToken: {type: "troop", zone: "out:none", props: {faction: "US", strength: 2}}})");
  // What is left of the inventory goes into the seat's pool; the other seat has none.
  EXPECT_EQ(setup.items[4].find("createToken")->find_string("zone"), "box:none");
  EXPECT_EQ(setup.items[5].find("createToken")->find_string("zone"), "box:none");
  EXPECT_TRUE(setup.items[6].has("shuffle"));
}

TEST(Scenario, InitializationsApplyWithoutPools) {  // 0.7
  const FrontResult r = read(
      game("  - {id: start, kind: scenario, payload: {initializations: [{var: x, value: 1}]}}"));
  EXPECT_EQ(section_text(r, Section::setup),
            R"([{setVar: {scope: "global", var: "x", value: 1}}])");
}

// Whatever the kind is called that nothing here reads.
TEST(Assets, OfAnyOtherKindAreFreeForm) {
  for (const std::string_view kind : {"data", "notes"}) {
    const FrontResult r =
        read(game(fmt::format("  - {{id: x, kind: {}, payload: {{spaces: 3}}}}", kind)));
    EXPECT_EQ(codes(r), Codes{}) << rendered(r);
  }
}

TEST(Scenario, IsChosenByMetadata) {  // 7.4
  const std::string two = game(
      "  - {id: s1, kind: scenario, payload: {settings: {a: 1}}}\n"
      "  - {id: s2, kind: scenario, payload: {settings: {a: 2}}}\n");
  EXPECT_EQ(codes(read(two)).size(), 1u);
  EXPECT_EQ(read(two).diagnostics.all()[0].code, Code::SCENARIO_AMBIGUOUS);
  const FrontResult chosen = read(two + "metadata: {defaultScenarioAssetId: s2}");
  EXPECT_EQ(codes(chosen), Codes{});
  EXPECT_EQ(chosen.doc.derived.scenario_id, "s2");
  const FrontResult wrong = read(two + "metadata: {defaultScenarioAssetId: s3}");
  ASSERT_EQ(wrong.diagnostics.all().size(), 1u) << rendered(wrong);
  EXPECT_EQ(wrong.diagnostics.all()[0].code, Code::ASSET_UNKNOWN);
}

constexpr std::string_view deck = R"(
eventDecks:
  - id: Events-1
    drawZone: deck:none
    discardZone: played:none
    cards: [{id: e1}, {id: e2}, {id: e3, tags: [late]}, {id: e4}, {id: c1, tags: [coup]}, {id: c2, tags: [coup]}]
)";

TEST(Deck, IsComposedInPiles) {  // 7.6
  const FrontResult r = read(fmt::format(R"(
dataAssets:
  - id: Start
    kind: scenario
    payload:
      deckComposition: {{materializationStrategy: pile-coup-mix-v1, pileCount: 2, eventsPerPile: 1, coupsPerPile: 1, excludedCardIds: [e4]}}
      cardPlacements: [{{cardId: e4, zoneId: "played:none"}}, {{cardId: e1, zoneId: "played:none"}}]
{})",
                                         deck));
  ASSERT_EQ(codes(r), Codes{}) << rendered(r);
  EXPECT_EQ(
      section_text(r, Section::tokenTypes),
      R"([{id: "__eventCard", props: {cardId: "string", eventDeckId: "string", isCoup: "boolean"}}])");
  const Node& zones = *r.doc.find(Section::zones);
  ASSERT_EQ(zones.items.size(), 3u);
  EXPECT_EQ(zones.items[0].find_string("id"), "__scenario_deck_start_events_1_events_pool_0:none");
  const Node& setup = *r.doc.find(Section::setup);
  std::vector<std::string> kinds;
  for (const Node& effect : setup.items) kinds.push_back(effect.entries[0].key);
  EXPECT_EQ(kinds, (std::vector<std::string>{"createToken", "createToken", "createToken",
                                             "createToken", "createToken", "shuffle", "shuffle",
                                             "draw", "draw", "shuffle", "moveAll", "draw", "draw",
                                             "shuffle", "moveAll", "createToken", "forEach"}));
  EXPECT_EQ(to_text(*setup.items[3].find("createToken")->find("props")),
            R"({cardId: "c1", isCoup: true, eventDeckId: "Events-1"})");
}

TEST(Deck, NeedsEnoughCards) {  // 7.6
  const FrontResult r = read(fmt::format(R"(
dataAssets:
  - {{id: Start, kind: scenario, payload: {{deckComposition: {{materializationStrategy: pile-coup-mix-v1, pileCount: 2, eventsPerPile: 3, coupsPerPile: 1}}}}}}
{})",
                                         deck));
  ASSERT_EQ(r.diagnostics.all().size(), 1u) << rendered(r);
  EXPECT_EQ(r.diagnostics.all()[0].code, Code::DECK_COMPOSITION_INVALID);
}

TEST(Tables, AreFoundTypedAndReferred) {  // 7.7
  const FrontResult r = read(R"(
dataAssets:
  - id: tour
    kind: scenario
    tableContracts:
      - tablePath: settings.blinds
        uniqueBy: [[level]]
        constraints: [{kind: contiguousInt, field: level, start: 1}, {kind: monotonic, field: small, direction: asc}]
    payload:
      settings:
        blinds: [{level: 1, small: 10, name: low}, {level: 2, small: 20, name: high, last: true}]
        nested: [{a: [1]}]
actions: [{id: a, params: [{name: row, domain: {query: assetRows, tableId: settings.blinds}}]}])");
  ASSERT_EQ(codes(r), Codes{}) << rendered(r);
  ASSERT_EQ(r.doc.derived.tables.size(), 1u);
  const RuntimeTable& table = r.doc.derived.tables[0];
  EXPECT_EQ(table.id, "tour::settings.blinds");
  ASSERT_EQ(table.fields.size(), 4u);
  EXPECT_EQ(table.fields[0].type, RuntimeTable::Type::integer);
  EXPECT_EQ(table.fields[2].type, RuntimeTable::Type::string);
  EXPECT_TRUE(table.fields[3].optional);
  EXPECT_EQ(table.unique_by,
            (std::vector<std::vector<std::string>>{{"level"}, {"small"}, {"name"}}));
  EXPECT_NE(section_text(r, Section::actions).find("tableId: \"tour::settings.blinds\""),
            std::string::npos);
}

struct Mistake {
  const char* name;
  const char* yaml;
  const char* code;
};

class AssetMistakes : public ::testing::TestWithParam<Mistake> {};

TEST_P(AssetMistakes, AreReported) {
  const FrontResult r = read(game(GetParam().yaml));
  ASSERT_EQ(r.diagnostics.all().size(), 1u) << rendered(r);
  EXPECT_EQ(code_name(r.diagnostics.all()[0].code), GetParam().code) << rendered(r);
  EXPECT_TRUE(r.diagnostics.all()[0].span.known());
}

INSTANTIATE_TEST_SUITE_P(
    Usual, AssetMistakes,
    ::testing::Values(
        Mistake{"unknown_key", "  - {id: x, kind: scenario, payload: {seatPool: []}}",
                "KEY_UNKNOWN"},
        Mistake{"no_payload", "  - {id: x, kind: other}", "ASSET_INVALID"},
        // What is there instead of what is missing is one mistake (A-03).
        Mistake{"misspelt_key",
                "  - {id: x, kind: scenario, payload: {initialPlacements: [{spaceid: \"a:none\", "
                "pieceTypeId: troop, seat: us, count: 1}]}}",
                "KEY_UNKNOWN"},
        Mistake{"another_key",
                "  - {id: x, kind: scenario, payload: {initialPlacements: [{whither: \"a:none\", "
                "pieceTypeId: troop, seat: us, count: 1}]}}",
                "KEY_UNKNOWN"},
        Mistake{"same_id", "  - {id: m, kind: other, payload: {}}", "ASSET_DUPLICATE_ID"},
        Mistake{"two_maps", "  - {id: m2, kind: map, payload: {spaces: []}}", "ASSET_AMBIGUOUS"},
        Mistake{"too_many_pieces",
                "  - {id: x, kind: scenario, payload: {initialPlacements: [{spaceId: \"a:none\", "
                "pieceTypeId: troop, seat: us, count: 4}]}}",
                "SCENARIO_PIECE_CONSERVATION"},
        Mistake{"unknown_piece",
                "  - {id: x, kind: scenario, payload: {initialPlacements: [{spaceId: \"a:none\", "
                "pieceTypeId: trop, seat: us, count: 1}]}}",
                "ASSET_REFERENCE"},
        Mistake{"unknown_space",
                "  - {id: x, kind: scenario, payload: {initialPlacements: [{spaceId: \"z:none\", "
                "pieceTypeId: troop, seat: us, count: 1}]}}",
                "ASSET_REFERENCE"},
        Mistake{
            "track_bounds",
            "  - {id: x, kind: scenario, payload: {initializations: [{trackId: aid, value: 11}]}}",
            "TRACK_VALUE"},
        Mistake{"marker_state",
                "  - {id: x, kind: scenario, payload: {initializations: [{spaceId: \"a:none\", "
                "markerId: support, state: fro}]}}",
                "MARKER_STATE_UNKNOWN"},
        Mistake{"contract",
                "  - {id: x, kind: t, tableContracts: [{tablePath: rows, uniqueBy: [[k]]}], "
                "payload: {rows: [{k: 1}, {k: 1}]}}",
                "TABLE_CONTRACT_VIOLATED"},
        Mistake{"table_without_scenario", "actions: [{id: a, effects: [{tableId: settings.x}]}]",
                "TABLE_REFERENCE"}),
    [](const auto& info) { return std::string{info.param.name}; });

}  // namespace
}  // namespace parlor::spec::testing
