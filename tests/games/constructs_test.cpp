// What the shipped games need of the language, on boards small enough to see through: memories,
// `require`, boards given by lines, and tokens from tables.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "games/shipped.h"

namespace parlor::games {
namespace {

using testing::ElementsAre;

std::string game_with(const std::string& sections) {
  return R"(
metadata: {id: small, players: {min: 2, max: 2}}
turnStructure: {phases: [{id: main}]}
terminal: {conditions: [{when: false, result: {type: draw}}]}
)" + sections;
}

// ---- Memories

const std::string two_spaces = R"(
zones:
  - {id: north, owner: none, visibility: public, ordering: set, zoneKind: board}
  - {id: south, owner: none, visibility: public, ordering: set, zoneKind: board}
  - macro: memory
    id: seen
    of: {query: mapSpaces}
    by: {aggregate: {op: sum, query: {query: tokensInZone, zone: $zone}, bind: $p, valueExpr: {ref: tokenProp, token: $p, prop: weight}}}
WITH
tokenTypes:
  - {id: pawn, props: {weight: int}}
globalVars: [{name: times, type: int, init: 0, min: 0, max: 99}]
setup:
  - createToken: {type: pawn, zone: north, props: {weight: 1}}
  - createToken: {type: pawn, zone: north, props: {weight: 5}}
  - createToken: {type: pawn, zone: north, props: {weight: 1}}
actions:
  - id: move
    phase: [main]
    params:
      - {name: $pawn, domain: {query: tokensInMapSpaces}}
      - {name: $to, domain: {query: mapSpaces}}
    effects: [{moveToken: {token: $pawn, from: {zoneExpr: {ref: tokenZone, token: $pawn}}, to: $to}}]
  - {id: look, phase: [main], effects: [{observe: {memory: seen}}, {setVar: {scope: global, var: times, value: {ref: timesSeen, memory: seen}}}]}
  - {id: note, phase: [main], effects: [{remember: {memory: seen}}]}
  - {id: clear, phase: [main], effects: [{forget: {memory: seen}}]}
  - {id: pass, phase: [main], effects: [{advancePhase: {}}]}
)";

struct Board2 {
  explicit Board2(const std::string& with = "") {
    std::string text = two_spaces;
    text.replace(text.find("WITH"), 4, with);
    game = open_text(game_with(text));
    state.emplace(start(*game));
  }
  void move(int pawn, const std::string& to) {
    take(*state,
         {{"action", "move"},
          {"params", {{"$pawn", fmt::format("tok_pawn_{}", pawn)}, {"$to", to + ":none"}}}});
  }
  std::int64_t times() {
    take(*state, "look");
    return global(*state, "times");
  }
  std::shared_ptr<const Game> game;
  std::optional<State> state;
};

TEST(Memory, CountsHowOftenAPositionWasNoted) {
  Board2 board;
  EXPECT_EQ(board.times(), 0);
  take(*board.state, "note");
  EXPECT_EQ(board.times(), 1);
  board.move(0, "south");
  EXPECT_EQ(board.times(), 0);
  board.move(0, "north");
  EXPECT_EQ(board.times(), 1);
  take(*board.state, "note");
  EXPECT_EQ(board.times(), 2);
  take(*board.state, "clear");
  EXPECT_EQ(board.times(), 0);
}

TEST(Memory, PositionsAreTheSameIfTheirNumbersAre) {
  Board2 board;
  board.move(0, "south");
  take(*board.state, "note");
  board.move(0, "north");
  board.move(2, "south");  // another of the same weight
  EXPECT_EQ(board.times(), 1);
  board.move(2, "north");
  board.move(1, "south");
  EXPECT_EQ(board.times(), 0);
}

TEST(Memory, WhatLiesWhereMatters) {
  Board2 board;
  board.move(0, "south");
  take(*board.state, "note");
  for (const int pawn : {0, 1, 2}) board.move(pawn, pawn == 0 ? "north" : "south");
  EXPECT_EQ(board.times(), 0);  // 1 in the north and 6 in the south, not the other way round
}

TEST(Memory, ValuesMayBelongToThePosition) {
  Board2 board("    with: [{ref: activePlayer}]");
  take(*board.state, "note");
  take(*board.state, "pass");
  EXPECT_EQ(board.times(), 0);
  take(*board.state, "pass");
  EXPECT_EQ(board.times(), 1);
}

// ---- require

TEST(Require, MovesThatBreakItAreNotOffered) {
  const auto game = open_text(game_with(R"(
zones: [{macro: grid, args: [1, 3]}]
tokenTypes: [{id: pawn, props: {owner: int}}]
actions:
  - id: place
    phase: [main]
    params: [{name: $cell, domain: {query: mapSpaces}}]
    effects:
      - createToken: {type: pawn, zone: $cell, props: {owner: 0}}
      - require: {op: "<=", left: {zoneCount: $cell}, right: 1}
)"));
  State state = start(*game);
  take(state, "place cell_0_1");
  EXPECT_THAT(option_texts(state), ElementsAre("place cell_0_0", "place cell_0_2"));
}

// ---- Boards given by their lines

TEST(LineBoard, KnowsBothWaysAlongEveryLine) {
  const auto game = open_text(game_with(R"(
zones: [{macro: lines, args: {e: [[a, b, c]], s: [[b, d]]}}]
tokenTypes: [{id: pawn, props: {owner: int}}]
setup: [{createToken: {type: pawn, zone: b, props: {owner: 0}}}]
actions:
  - id: go
    phase: [main]
    params: [{name: $to, domain: {query: step, zone: b}}]
  - id: jump
    phase: [main]
    params: [{name: $to, domain: {query: zonesInDirection, zone: c, directions: w}}]
  - id: beside
    phase: [main]
    params: [{name: $to, domain: {query: adjacentZones, zone: d}}]
)"));
  EXPECT_THAT(
      option_texts(start(*game)),
      testing::UnorderedElementsAre("go a", "go c", "go d", "jump a", "jump b", "beside b"));
}

// ---- Tokens from tables

TEST(CreateToken, TakesPropertiesFromARowAndMakesSeveral) {
  const auto game = open_text(R"(
metadata: {id: small, players: {min: 2, max: 2}, defaultScenarioAssetId: s}
turnStructure: {phases: [{id: main}]}
terminal: {conditions: [{when: false, result: {type: draw}}]}
dataAssets:
  - id: s
    kind: scenario
    payload:
      scenarioName: S
      settings: {cards: [{name: ace, rank: 14, copies: 2}, {name: two, rank: 2, copies: 0}, {name: ten, rank: 10, copies: 1}]}
zones: [{id: deck, owner: none, visibility: public, ordering: stack}]
tokenTypes: [{id: card, props: {name: string, rank: int, face: boolean}}]
setup:
  - forEach:
      bind: $row
      over: {query: assetRows, tableId: settings.cards}
      effects:
        - createToken:
            type: card
            zone: deck
            props: {face: true}
            propsFrom: {row: $row, tableId: settings.cards}
            count: {ref: assetField, row: $row, tableId: settings.cards, field: copies}
actions: [{id: pass, phase: [main], effects: [{advancePhase: {}}]}]
)");
  std::vector<std::string> cards;
  const Board board = board_of(start(*game));
  for (const Token& token : board.at("deck")) {
    EXPECT_EQ(token.props["face"], true);
    cards.push_back(fmt::format("{} {}", token.props["name"].get<std::string>(),
                                token.props["rank"].get<int>()));
  }
  EXPECT_THAT(cards, ElementsAre("ten 10", "ace 14", "ace 14"));
}

}  // namespace
}  // namespace parlor::games
