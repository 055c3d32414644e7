// Every sentence that the description of the text notation gives as an example, as it stands there
// (E-05 … E-23), in a game that has what it speaks of.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "spec/spec.h"

namespace parlor::spec {
namespace {

constexpr std::string_view village = R"(```yaml
metadata: {id: village, players: 3, namedSets: {royal: [king, queen]}}
seats: [usa, france, spain]
globalVars: {pot: 0..1000, open: true, a: 0..9 = 4, b: 1..9 = 2, low: 0..9, high: 0..9 = 9}
perPlayerVars: {gold: 0..99 = 5, inHand: true}
zoneVars: {heat: 0..9}
globalMarkerLattices: {weather: [sun, rain]}
zones:
  cell: grid(3, 3)
  deck: hidden stack
  discard: public stack
  hand: private
tokenTypes:
  card: {suit: string, rank: int, face: boolean}
  pawn: {owner: player, kind: string}
dataAssets:
  country:
    map:
      spaces:
        north: {category: city, attributes: {population: 2}, adjacentTo: [south]}
        south: {category: land, attributes: {population: 1}, adjacentTo: [north]}
      markerLattices: {support: [passive, neutral, active]}
  story:
    scenario:
      mapAssetId: country
      settings: {blinds: [{level: 1, weight: 5}, {level: 2, weight: 10}]}
conditionMacros:
  owned(zone point, player player): any tokens in point where owner == player
effectMacros:
  reward(value amount): gold += amount
effects: {strike: {blockActions: [other]}}
turnStructure: {phases: [main, upkeep]}
setup:
  - create card in deck with suit = hearts, rank = 1, face = false
  - create pawn in cell_0_0 with owner = 0, kind = man
actions: {other: {phase: main}}
terminal: {never: {when: false, draw: true}}
```
)";

std::string in_quotes(std::string_view sentence) {
  std::string out = "'";
  for (const char c : sentence) out += c == '\'' ? std::string{"''"} : std::string{c};
  return out + "'";
}

// An action with everything bound that the sentences mention, and these effects.
CompileResult compile_effects(const std::string& effects) {
  return compile_text(
      fmt::format("{}```yaml\nactions:\n  try:\n    phase: main\n    params:\n"
                  "      $card: cards in deck\n      $tok: tokens in deck\n"
                  "      $cell: cells\n      $zone: cells\n      $space: spaces\n"
                  "      $point: cells\n      $p: players\n"
                  "      $row: rows of settings.blinds\n"
                  "    effects:\n{}\n```\n",
                  village, effects));
}

void compiles(const CompileResult& result, std::string_view sentence) {
  EXPECT_TRUE(result.game) << sentence << "\n"
                           << render(result.diagnostics, result.texts, Colour::never);
}

void each_compiles(std::string_view before, std::initializer_list<std::string_view> sentences,
                   std::string_view after = {}) {
  for (const std::string_view sentence : sentences)
    compiles(compile_effects(fmt::format("      - {}{}{}", before, in_quotes(sentence), after)),
             sentence);
}

TEST(Sentences, OfNames) {  // E-05, E-06, E-07
  each_compiles("require: ", {"gold > 1", "weather == rain", "$card.suit == hearts"});
  each_compiles("require: ", {"any cards in deck where suit == hearts"});
  each_compiles("let: ",
                {"$x = $card.rank", "$x = $zone.population", "$x = $space.support",
                 "$x = $cell.heat", "$x = left.gold", "$x = $p.gold", "$x = usa.gold",
                 "$x = $row.weight", "$x = $card.zone", "$x = $card.type", "$x = $zone.category",
                 "$x = turn", "$x = round", "$x = gold", "$x = actor.gold"},
                "\n        in: []");
  each_compiles("let: ",
                {"$x = size of hand:actor", "$x = size of hand:$p", "$x = size of actor.hand",
                 "$x = count(deck)", "$x = count(hand:actor)"},
                "\n        in: []");
}

TEST(Sentences, OfExpressions) {  // E-08 … E-11
  each_compiles(
      "require: ",
      {"a == 1 or b == 2 and not open", "a != 1", "a < 1", "a <= 1", "a > 1", "a >= 1",
       "$card.suit in [hearts, spades]", "$card.suit not in royal", "empty($cell)",
       "owned($point, left)", "owned(point: $cell, player: left)",
       "any $c in hand:actor: $c.suit == hearts", "all cells: empty", "no tokens in deck"});
  each_compiles(
      "let: ",
      {"$x = a + b - 1", "$x = a * b / 2 // 3 % 4", "$x = -a", "$x = ceil(a / b)",
       "$x = if open then a else b", "$x = min(a, b)", "$x = max(a, b)", "$x = abs(a)",
       "$x = clamp(a, low, high)", "$x = \"text\"", "$x = 'text'", "$x = \"{gold} gold\"",
       "$x = count(cards in hand:actor where rank > 10)", "$x = sum($c.rank for $c in hand:actor)",
       "$x = max(rank for cards in hand:actor)"},
      "\n        in: []");
}

TEST(Sentences, OfQueries) {  // E-13 … E-16
  for (const std::string_view query :
       {"players",
        "players where gold > 0",
        "others",
        "1..6",
        "0..gold step 5",
        "[rock, paper, scissors]",
        "cells",
        "spaces",
        "zones",
        "cells where empty",
        "tokens in discard",
        "cards in deck",
        "card in deck",
        "pawns in cells where owner == active",
        "tokens next to $cell",
        "neighbours of $cell",
        "cells connected to $cell through owned($zone, active)",
        "cells e of $cell",
        "ray from $cell towards orthogonal while empty until occupied",
        "tokens in deck then tokens in discard",
        "tokens in deck + tokens in discard",
        "next player after active where inHand",
        "rows of settings.blinds where level == 1",
        "the row of settings.blinds where level == 1"}) {
    compiles(compile_effects(fmt::format("      - for: {}\n        do: []",
                                         in_quotes(fmt::format("$each in {}", query)))),
             query);
    compiles(compile_effects(
                 fmt::format("      - {}", in_quotes(fmt::format("let $n = count({})", query)))),
             fmt::format("count({})", query));
  }
}

TEST(Sentences, OfStatements) {  // E-17 … E-21
  each_compiles("", {"pot = 0",
                     "gold += 2",
                     "left.gold -= 1",
                     "$cell.heat += 1",
                     "$card.face = true",
                     "weather = rain",
                     "$space.support = active",
                     "pay 3 gold to pot",
                     "pay min(3, gold) gold to left as $paid",
                     "create pawn in north",
                     "create 5 pawn in north with owner: active, kind: man",
                     "destroy $tok",
                     "move $tok to discard",
                     "move $tok to deck bottom",
                     "move all from discard to deck where rank > 1",
                     "draw 2 from deck to hand:actor",
                     "shuffle deck",
                     "reveal hand:actor to left",
                     "conceal hand:actor",
                     "choose $target from cells where empty",
                     "choose 3 as $three from hand:actor",
                     "choose 1..pot ordered as $some from cards in deck",
                     "left chooses $gift from hand:left",
                     "require pot < 5",
                     "end phase",
                     "end turn",
                     "go to upkeep",
                     "let $double = pot * 2",
                     "start strike for actor until next turn of actor",
                     "call reward(3)"});
  compiles(compile_effects("      - roll 1..6 as $die\n      - pot += $die"), "roll 1..6 as $die");
}

TEST(Sentences, OfBlocks) {  // E-22
  compiles(compile_effects(R"(      - if: pot > 10
        then: [open = false]
        else: [pot += 1]
      - for: $q in players where inHand
        do:
          - $q.gold += 1
      - while: pot < 5
        limit: 10
        do: [pot += 1])"),
           "if, for, while");
}

TEST(Sentences, OfDeclarations) {  // E-23
  compiles(compile_text(R"(```yaml
metadata: {id: short, players: 2..4}
globalVars: {pot: 0..1000, open: true, level: 1..10 = 1}
perPlayerVars: {gold: 0..99 = 5}
zones:
  cell: grid(3, 3)
tokenTypes: {mark: {owner: player}}
turnStructure: {phases: [main]}
actions: {place: {params: {$cell: cells where empty}, effects: create mark in $cell}}
terminal:
  three-in-a-row: {when: "line of 3 where owner == left", win: left}
  full: {when: no cells where empty, draw: true}
```
)"),
           "declarations");
  compiles(compile_text(R"(```yaml
metadata: {id: seats, players: 2}
seats: [x, o]
turnStructure: {phases: [main]}
actions: {wait: {effects: end phase}}
terminal: {late: {when: turn > 3, win: x}}
```
)"),
           "seats: [x, o]");
}

// Nobody means that points which may be lost begin with all of them lost.
TEST(Sentences, OfRangesBeginAtZeroOrAtTheirLowerBound_E23) {
  const CompileResult made = compile_text(R"(```yaml
metadata: {id: ranges, players: 2}
globalVars: {points: -99..99, level: 1..10, debt: -9..-1, deep: -9..9 = -9}
turnStructure: {phases: [main]}
actions: {wait: {effects: [points += 1, level += 1, debt += 1, deep += 1, end phase]}}
terminal: {late: {when: turn > 3, draw: true}}
```
)");
  ASSERT_TRUE(made.game);
  std::vector<Int> first;
  for (const VarDef& var : made.game->global_vars) first.push_back(var.init);
  EXPECT_EQ(first, (std::vector<Int>{0, 1, -9, -9}));
}

}  // namespace
}  // namespace parlor::spec
