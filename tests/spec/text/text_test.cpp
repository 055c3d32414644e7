// Rules as text: each sentence says the same as its tree (E-01 … E-23), mistakes stand where they
// are (E-03, E-27).
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

#include "source_dir.h"
#include "spec/gamedef/language.h"
#include "spec/spec.h"
#include "spec/text/format.h"
#include "spec/text/phrases.h"
#include "spec/text/positions.h"

namespace parlor::spec {
namespace {

constexpr std::string_view world = R"(```yaml
metadata: {id: village, players: {min: 2, max: 4}, namedSets: {royal: [king, queen]}}
constants: {most: 5}
globalVars: [{name: pot, type: int, init: 0, min: 0, max: 100}, {name: open, type: boolean, init: true}]
perPlayerVars: [{name: gold, type: int, init: 5, min: 0, max: 50}]
zoneVars: [{name: heat, type: int, init: 0, min: 0, max: 9}]
globalMarkerLattices: [{id: weather, states: [sun, rain, storm], defaultState: sun}]
zones:
  - {macro: grid, args: [3, 3]}
  - {id: deck, owner: none, visibility: hidden, ordering: stack}
  - {id: discard, owner: none, visibility: public, ordering: stack}
  - {id: hand, owner: player, visibility: owner, ordering: set}
tokenTypes: [{id: card, props: {suit: string, rank: int, face: boolean}}, {id: pawn, props: {owner: int}}]
conditionMacros:
  - {id: rich, params: [{name: who, type: playerSelector}], condition: {op: ">", left: {ref: pvar, player: {param: who}, var: gold}, right: 9}}
effectMacros:
  - {id: reward, params: [{name: amount, type: value}], effects: [{addVar: {scope: pvar, player: actor, var: gold, delta: {param: amount}}}]}
turnStructure: {phases: [{id: main}]}
setup: [{createToken: {type: card, zone: deck, props: {suit: hearts, rank: 1, face: false}}}]
terminal: {conditions: [{when: false, result: {type: draw}}]}
```
)";

CompileResult compile_action(std::string_view pre, std::string_view effects) {
  return compile_text(
      fmt::format("{}```yaml\nactions:\n  - id: try\n    phase: [main]\n    params:\n"
                  "      - {{name: $tok, domain: {{query: tokensInZone, zone: deck}}}}\n"
                  "      - {{name: $cell, domain: {{query: mapSpaces}}}}\n"
                  "    pre: {}\n    effects:\n{}\n```\n",
                  world, pre, effects));
}

void says_the_same(const CompileResult& text, const CompileResult& tree, std::string_view what) {
  ASSERT_TRUE(text.game) << what << "\n" << render(text.diagnostics, text.texts, Colour::never);
  ASSERT_TRUE(tree.game) << what << "\n" << render(tree.diagnostics, tree.texts, Colour::never);
  EXPECT_EQ(rules_hash(*text.game), rules_hash(*tree.game)) << what;
}

struct Pair {
  std::string_view text, tree;
};

TEST(Text, ConditionsSayWhatTheirTreesSay) {  // E-01, E-05 … E-11
  for (const auto& [text, tree] : {
           Pair{"gold >= 3", "{op: \">=\", left: {ref: pvar, player: actor, var: gold}, right: 3}"},
           Pair{"open", "{op: \"==\", left: {ref: gvar, var: open}, right: true}"},
           Pair{"not open",
                "{op: not, arg: {op: \"==\", left: {ref: gvar, var: open}, right: true}}"},
           Pair{"weather == rain",
                "{op: \"==\", left: {ref: globalMarkerState, marker: weather}, right: rain}"},
           Pair{"$tok.suit in royal",
                "{op: in, item: {ref: tokenProp, token: $tok, prop: suit}, set: [king, queen]}"},
           Pair{"$tok.suit == hearts",
                "{op: \"==\", left: {ref: tokenProp, token: $tok, prop: suit}, right: hearts}"},
           Pair{"tok.rank > 1",
                "{op: \">\", left: {ref: tokenProp, token: $tok, prop: rank}, right: 1}"},
           Pair{"left.gold < most",
                "{op: \"<\", left: {ref: pvar, player: left, var: gold}, right: 5}"},
           Pair{"$cell.heat + pot * 2 > 4",
                "{op: \">\", left: {op: \"+\", left: {ref: zoneVar, zone: $cell, var: heat}, "
                "right: {op: \"*\", left: {ref: gvar, var: pot}, right: 2}}, right: 4}"},
           Pair{"any cells where empty",
                "{op: exists, query: {query: mapSpaces, filter: {op: \"==\", left: {zoneCount: "
                "$zone}, right: 0}}}"},
           Pair{"\"all $p in players: $p.gold > 0\"",
                "{op: forAll, query: {query: players}, bind: $p, where: {op: \">\", left: {ref: "
                "pvar, player: $p, var: gold}, right: 0}}"},
           Pair{"no tokens in deck",
                "{op: not, arg: {op: exists, query: {query: tokensInZone, zone: deck}}}"},
           Pair{"line of 3 where owner == left",
                "{op: lineOf, length: 3, where: {op: exists, query: {query: tokensInZone, zone: "
                "$zone, filter: {prop: owner, op: eq, value: {ref: player, player: left}}}}}"},
           Pair{"rich(left)", "{conditionMacro: rich, args: {who: left}}"},
           Pair{"\"rich(who: left)\"", "{conditionMacro: rich, args: {who: left}}"},
           Pair{"count(cards in hand:actor) > 2",
                "{op: \">\", left: {aggregate: {op: count, query: {query: tokensInZone, zone: "
                "\"hand:actor\", filter: {field: {kind: tokenType}, op: eq, value: card}}}}, "
                "right: 2}"},
           Pair{"size of actor.hand > 2",
                "{op: \">\", left: {zoneCount: \"hand:actor\"}, right: 2}"},
           Pair{"turn > 3 or round == 2",
                "{op: or, args: [{op: \">\", left: {ref: clock, field: turn}, right: 3}, {op: "
                "\"==\", left: {ref: clock, field: round}, right: 2}]}"},
           Pair{"(if open then 1 else 2) == ceil(pot / 2)",
                "{op: \"==\", left: {if: {when: {op: \"==\", left: {ref: gvar, var: open}, right: "
                "true}, then: 1, else: 2}}, right: {op: ceilDiv, left: {ref: gvar, var: pot}, "
                "right: 2}}"},
           Pair{"$cell next to cell_0_0", "{op: adjacent, left: $cell, right: cell_0_0}"},
       })
    says_the_same(compile_action(text, "      - advancePhase: {}"),
                  compile_action(tree, "      - advancePhase: {}"), text);
}

TEST(Text, StatementsSayWhatTheirTreesSay) {  // E-17 … E-22
  for (const auto& [text, tree] : {
           Pair{"pot = 0", "{setVar: {scope: global, var: pot, value: 0}}"},
           Pair{"gold += 2", "{addVar: {scope: pvar, player: actor, var: gold, delta: 2}}"},
           Pair{"left.gold -= 1", "{addVar: {scope: pvar, player: left, var: gold, delta: -1}}"},
           Pair{"$cell.heat += 1", "{addVar: {scope: zoneVar, zone: $cell, var: heat, delta: 1}}"},
           Pair{"$tok.face = true", "{setTokenProp: {token: $tok, prop: face, value: true}}"},
           Pair{"weather = rain", "{setGlobalMarker: {marker: weather, state: rain}}"},
           Pair{"pay 3 gold to pot",
                "{transferVar: {from: {scope: pvar, player: actor, var: gold}, to: {scope: global, "
                "var: pot}, amount: 3}}"},
           Pair{"pay min(3, gold) gold to left as $paid",
                "{transferVar: {from: {scope: pvar, player: actor, var: gold}, to: {scope: pvar, "
                "player: left, var: gold}, amount: {op: min, left: 3, right: {ref: pvar, player: "
                "actor, var: gold}}, actualBind: $paid}}"},
           Pair{"create pawn in $cell with owner = active",
                "{createToken: {type: pawn, zone: $cell, props: {owner: {ref: activePlayer}}}}"},
           Pair{"\"create 5 pawn in $cell with owner: active\"",
                "{createToken: {type: pawn, zone: $cell, count: 5, props: {owner: {ref: "
                "activePlayer}}}}"},
           Pair{"move $tok from deck to discard bottom",
                "{moveToken: {token: $tok, from: deck, to: discard, position: bottom}}"},
           Pair{"move $tok to discard",
                "{moveToken: {token: $tok, from: {zoneExpr: {ref: tokenZone, token: $tok}}, to: "
                "discard}}"},
           Pair{"move all from discard to deck where rank > 1",
                "{moveAll: {from: discard, to: deck, filter: {op: \">\", left: {ref: tokenProp, "
                "token: $token, prop: rank}, right: 1}}}"},
           Pair{"draw 2 from deck to hand:actor",
                "{draw: {from: deck, to: \"hand:actor\", count: 2}}"},
           Pair{"shuffle deck", "{shuffle: {zone: deck}}"},
           Pair{"reveal hand:actor to left", "{reveal: {zone: \"hand:actor\", to: left}}"},
           Pair{"choose $target from cells where empty",
                "{chooseOne: {bind: $target, options: {query: mapSpaces, filter: {op: \"==\", "
                "left: {zoneCount: $zone}, right: 0}}}}"},
           Pair{"left chooses $gift from hand:left",
                "{chooseOne: {bind: $gift, chooser: left, options: {query: tokensInZone, zone: "
                "\"hand:left\"}}}"},
           Pair{"choose 1..pot ordered as $some from deck",
                "{chooseN: {bind: $some, ordered: true, min: 1, max: {ref: gvar, var: pot}, "
                "options: {query: tokensInZone, zone: deck}}}"},
           Pair{"let $double = pot * 2",
                "{bindValue: {bind: $double, value: {op: \"*\", left: {ref: gvar, var: pot}, "
                "right: 2}}}"},
           Pair{"require pot < 5", "{require: {op: \"<\", left: {ref: gvar, var: pot}, right: 5}}"},
           Pair{"end phase", "{advancePhase: {}}"},
           Pair{"end turn", "{endTurn: {}}"},
           Pair{"end round", "{endRound: {}}"},
           Pair{"extra turn for next", "{extraTurn: {player: next}}"},
           Pair{"skip next turn of previous", "{skipTurn: {player: previous}}"},
           Pair{"begin next round with actor", "{setStartPlayer: {player: actor}}"},
           Pair{"order turns by gold descending",
                "{setTurnOrder: {by: {ref: pvar, player: actor, var: gold}, descending: true}}"},
           Pair{"pot = first of sort $p in players by $p.gold",
                "{setVar: {scope: global, var: pot, value: {item: {at: 1, query: {query: sort, "
                "bind: $p, source: {query: players}, by: {ref: pvar, player: $p, var: gold}}}}}}"},
           Pair{"pot = rank of next for $p in players by $p.gold descending",
                "{setVar: {scope: global, var: pot, value: {rank: {of: {ref: player, player: "
                "next}, query: {query: players}, bind: $p, by: {ref: pvar, player: $p, var: gold}, "
                "descending: true}}}}"},
           Pair{"pot = 3 + (gold > 2)",
                "{setVar: {scope: global, var: pot, value: {op: +, left: 3, right: {if: {when: "
                "{op: \">\", left: {ref: pvar, player: actor, var: gold}, right: 2}, then: 1, "
                "else: 0}}}}}"},
           Pair{"call reward(3)", "{macro: reward, args: {amount: 3}}"},
           Pair{"roll 1..6 as $die\n      - pot += $die",
                "{rollRandom: {bind: $die, min: 1, max: 6, in: [{addVar: {scope: global, var: pot, "
                "delta: {ref: binding, name: $die}}}]}}"},
           Pair{"{if: pot > 10, then: [open = false], else: [pot += 1]}",
                "{if: {when: {op: \">\", left: {ref: gvar, var: pot}, right: 10}, then: [{setVar: "
                "{scope: global, var: open, value: false}}], else: [{addVar: {scope: global, var: "
                "pot, delta: 1}}]}}"},
           Pair{"{for: $p in players, do: [$p.gold += 1]}",
                "{forEach: {bind: $p, over: {query: players}, effects: [{addVar: {scope: pvar, "
                "player: $p, var: gold, delta: 1}}]}}"},
           Pair{"{while: pot < 5, limit: 10, do: [pot += 1]}",
                "{while: {when: {op: \"<\", left: {ref: gvar, var: pot}, right: 5}, limit: 10, "
                "effects: [{addVar: {scope: global, var: pot, delta: 1}}]}}"},
       })
    says_the_same(compile_action("true", fmt::format("      - {}", text)),
                  compile_action("true", fmt::format("      - {}", tree)), text);
}

TEST(Text, AStringStaysTextWhereTextMayStandUnlessItBeginsWithEquals) {  // E-02
  says_the_same(
      compile_action("true", "      - setTokenProp: {token: $tok, prop: rank, value: = gold + 1}"),
      compile_action("true",
                     "      - setTokenProp: {token: $tok, prop: rank, value: {op: \"+\", left: "
                     "{ref: pvar, player: actor, var: gold}, right: 1}}"),
      "= gold + 1");
  EXPECT_FALSE(
      compile_action("true", "      - setTokenProp: {token: $tok, prop: rank, value: gold + 1}")
          .game);
}

TEST(Text, MistakesStandAtTheirOwnLineAndColumn) {  // E-03
  for (const auto& [pre, column] : {std::pair<std::string, std::uint32_t>{"gold >= 3 && open", 20},
                                    {"\"gold >= 3 && open\"", 21},
                                    {"'gold >= 3 && open'", 21}}) {
    const CompileResult result = compile_action(pre, "      - advancePhase: {}");
    ASSERT_EQ(result.diagnostics.all().size(), 1u) << pre;
    EXPECT_EQ(result.diagnostics.all()[0].code, Code::TEXT_SYNTAX);
    EXPECT_EQ(result.diagnostics.all()[0].span.column, column) << pre;
  }
  const CompileResult folded =
      compile_action(">\n      gold >= 3\n      && open", "      - advancePhase: {}");
  ASSERT_EQ(folded.diagnostics.all().size(), 1u);
  EXPECT_EQ(folded.diagnostics.all()[0].span.column, 7u);
}

TEST(Text, AWordThatTwoThingsClaimIsAnErrorThatListsBoth) {  // E-05
  const CompileResult result = compile_action("true", "      - let $pot = 1\n      - gold += pot");
  ASSERT_EQ(result.diagnostics.all().size(), 1u);
  const Diagnostic& d = result.diagnostics.all()[0];
  EXPECT_EQ(d.code, Code::NAME_AMBIGUOUS);
  EXPECT_EQ(d.alternatives, (std::vector<std::string>{"$pot", "game.pot"}));
}

TEST(Text, OnlyWhatCanBeAssignedIsAssigned) {  // E-17
  const CompileResult result = compile_action("true", "      - $tok = 1");
  ASSERT_FALSE(result.game);
  EXPECT_EQ(result.diagnostics.all()[0].code, Code::ASSIGNMENT_TARGET);
}

TEST(Text, NestingBeyondTheLimitIsAnErrorAndTakesNoTime) {  // E-30
  const std::string deep = std::string(3000, '(') + "pot" + std::string(3000, ')') + " > 1";
  const CompileResult result = compile_action("\"" + deep + "\"", "      - advancePhase: {}");
  ASSERT_EQ(result.diagnostics.all().size(), 1u);
  EXPECT_EQ(result.diagnostics.all()[0].code, Code::TEXT_SYNTAX);
}

TEST(Text, MacrosOfBothNotationsKeepTheirBindingsApart) {  // hygiene on both
  const CompileResult result = compile_text(
      fmt::format("{}```yaml\neffectMacros:\n  - {{id: twice, params: [{{name: amount, type: "
                  "value}}], effects: [let $x = amount, gold += x, gold += $x]}}\n"
                  "actions:\n  - {{id: a, phase: [main], effects: [let $x = 1, call twice(2), gold "
                  "+= x]}}\n```\n",
                  world));
  EXPECT_TRUE(result.game) << render(result.diagnostics, result.texts, Colour::never);
}

text::Holds holds(Family family, std::string_view construct, std::string_view key) {
  const text::Positions* positions = text::positions_of(family, construct);
  const text::Position* position = positions != nullptr ? positions->find(key) : nullptr;
  EXPECT_TRUE(position) << construct << "." << key;
  return position != nullptr ? position->holds : text::Holds::node;
}

// Where text is read is what the language's own table says is expected there.
TEST(Text, IsReadWhereTheLanguageExpectsWhatTextCanSay) {
  EXPECT_EQ(holds(Family::effect, "forEach", "over"), text::Holds::query);
  EXPECT_EQ(holds(Family::effect, "forEach", "effects"), text::Holds::effects);
  EXPECT_EQ(holds(Family::effect, "setVar", "value"), text::Holds::value);
  EXPECT_EQ(holds(Family::effect, "addVar", "delta"), text::Holds::number);
  EXPECT_EQ(holds(Family::effect, "createToken", "props"), text::Holds::values);
  EXPECT_EQ(holds(Family::effect, "createToken", "count"), text::Holds::number);
  EXPECT_EQ(holds(Family::effect, "drawUntil", "until"), text::Holds::condition);
  EXPECT_EQ(holds(Family::condition, "exists", "query"), text::Holds::query);
  EXPECT_EQ(holds(Family::condition, ">=", "left"), text::Holds::value);
  EXPECT_EQ(holds(Family::query, "mapSpaces", "filter"), text::Holds::zone_filter);
  EXPECT_EQ(holds(Family::query, "assetRows", "where"), text::Holds::rows);
  EXPECT_EQ(holds(Family::value, "if", "when"), text::Holds::condition);
  EXPECT_EQ(holds(Family::record, "an action", "price"), text::Holds::numbers);
  EXPECT_EQ(holds(Family::record, "a side of an event card", "targets"), text::Holds::each);
  EXPECT_TRUE(text::positions_of(Family::effect, "require")->itself);
  const text::Position* defaults =
      text::positions_of(Family::record, "a phase")->find("actionDefaults");
  ASSERT_TRUE(defaults);
  ASSERT_TRUE(defaults->inner->find("pre"));
  EXPECT_EQ(defaults->inner->find("pre")->holds, text::Holds::condition);
  EXPECT_EQ(text::positions_of(Family::query, "zonesInDirection")->find("while"), nullptr);
}

// What is named as lying inside something is declared somewhere (A-01).
TEST(Text, EveryRecordAFieldLeadsToIsDeclared) {
  std::size_t records = 0;
  for (const Construct& construct : language())
    for (const FieldInfo& field : construct.fields) {
      if (field.record.empty() || field.spec.expects == Expects::derived) continue;
      ++records;
      EXPECT_NE(find_construct(Family::record, field.record), nullptr)
          << construct.name() << "." << field.key << ": " << field.record;
    }
  EXPECT_GE(records, 60u);
}

// The sentences of the grammar in docs/language.md are those of phrases.def (E-28).
TEST(Text, DocsHaveItsSentences) {
  std::ifstream in{std::filesystem::path{PARLOR_SOURCE_DIR} / "docs/language.md"};
  const std::string docs{std::istreambuf_iterator<char>{in}, {}};
  EXPECT_GE(text::phrases().size(), 90u);
  for (const text::Phrase& phrase : text::phrases()) {
    std::istringstream words{std::string{phrase.pattern}};
    std::string sentence;
    for (std::string word; words >> word;) {
      if (word.size() > 1 && word.front() == '=') continue;
      if (word.front() == '<') {
        const std::size_t colon = word.find(':');
        word = fmt::format("<{}>",
                           word.substr(colon + 1, word.find_first_of("/>", colon) - colon - 1));
      }
      sentence += " " + word;
    }
    EXPECT_NE(docs.find(sentence + "\n"), std::string::npos) << "run scripts/language:" << sentence;
  }
}

}  // namespace
}  // namespace parlor::spec
