// What a compiled game says, in the text notation (E-26).
#include "spec/text/said.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <sstream>

#include "source_dir.h"
#include "spec/spec.h"

namespace parlor::spec {
namespace {

CompileResult compiled(const char* rules) {
  return compile_text(std::string{R"(```yaml
metadata: {id: said, players: 2}
globalVars: {pot: 0..10, open: true}
perPlayerVars: {gold: 0..9 = 3}
tokenTypes: {card: {rank: int, suit: string}}
zones:
  - {id: deck, owner: none, visibility: hidden, ordering: stack}
  - {id: hand, owner: player, visibility: owner, ordering: set}
turnStructure: {phases: [{id: main}]}
terminal: {full: {when: pot >= 9, draw: true}}
)"} + rules + "```\n");
}

std::set<std::string> texts_of(const GameDef& game) {
  const Said said(game);
  std::set<std::string> out;
  for (std::uint32_t place = 1; place < game.places.size(); ++place)
    if (!said.at(place).empty()) out.insert(said.at(place));
  return out;
}

// Each as it was written, whatever the compiler made of it.
TEST(Said, ConditionsReadAsTheyWereWritten) {
  for (const std::string condition :
       {"pot >= 3 and open", "gold > opponent.gold", "any cards in hand:actor where rank == 7",
        "no cards in deck", "occupied(deck)", "all $p in players: $p.gold > 1",
        "sum($c.rank for $c in hand:actor) + 1 < pot",
        "count(cards in hand:actor where rank in [5, 6]) == 2"}) {
    const std::string rules =
        "actions: {go: {pre: \"" + condition + "\", effects: [pot += 1, end phase]}}\n";
    const CompileResult result = compiled(rules.c_str());
    ASSERT_TRUE(result.game) << condition
                             << render(result.diagnostics, result.texts, Colour::never);
    EXPECT_TRUE(texts_of(*result.game).contains(condition))
        << condition << " is said otherwise: " << ::testing::PrintToString(texts_of(*result.game));
  }
}

// What a list of none or one is written as: a condition, a number, a filter.
TEST(Said, PartsOfQueriesReadAsTheyWereWritten) {
  const CompileResult result = compiled(R"(
actions:
  go:
    params: {$n: 1..pot at most 8}
    pre: "any $c in cards in hand:actor where rank in [5, 6]: $c.rank > 5"
    effects: [pot += 1, end phase]
)");
  ASSERT_TRUE(result.game) << render(result.diagnostics, result.texts, Colour::never);
  const std::set<std::string> texts = texts_of(*result.game);
  for (const std::string said : {"1..pot at most 8", "cards in hand:actor where rank in [5, 6]"})
    EXPECT_TRUE(texts.contains(said)) << said << ::testing::PrintToString(texts);
}

TEST(Said, BindingsOfMacrosHaveTheirOwnNames) {
  const CompileResult result = compiled(R"(
effectMacros:
  - id: pay
    params: [{name: who, type: playerSelector}]
    exports: []
    effects:
      - let $them = player(who)
      - if: $them.gold > 2
        then: [$them.gold -= 1]
actions: {go: {effects: [call pay(opponent), pot += 1, end phase]}}
)");
  ASSERT_TRUE(result.game) << render(result.diagnostics, result.texts, Colour::never);
  EXPECT_TRUE(texts_of(*result.game).contains("$them.gold > 2"))
      << ::testing::PrintToString(texts_of(*result.game));
}

}  // namespace
}  // namespace parlor::spec
