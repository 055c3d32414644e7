// Timed effects: M-30 to M-33, with the golden case of expiry.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "table.h"

namespace parlor::rules {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using Strings = std::vector<std::string>;

Strings in_force(const State& state) {
  Strings out;
  const Json view = state.view();  // kept alive while it is read
  for (const Json& effect : view["effects"]) out.push_back(effect["effect"]);
  return out;
}

// M-31: turn 5, round 3, A becoming active. With two players and rounds of two turns, that is the
// pass from turn 4 (B) to turn 5 (A).
TEST(Effects, GoldenExpiry) {
  const auto game = open(R"(
metadata: {id: golden, players: {min: 2, max: 2}}
zones: [{id: box, owner: none, visibility: public, ordering: set}]
globalVars: [{name: n, type: int, init: 0, min: 0, max: 99}]
effects: [{id: turn4}, {id: turn5}, {id: turn6}, {id: round3}, {id: round4}, {id: nextA}, {id: nextB}, {id: none}, {id: either}]
turnStructure: {phases: [{id: main}]}
actions:
  - {id: pass, phase: [main], effects: [{advancePhase: {}}]}
  - id: start
    phase: [main]
    effects:
      - startEffect: {effect: turn4, expires: {turn: 4}}
      - startEffect: {effect: turn5, expires: {turn: 5}}
      - startEffect: {effect: turn6, expires: {turn: 6}}
      - startEffect: {effect: round3, expires: {round: 3}}
      - startEffect: {effect: round4, expires: {round: 4}}
      - startEffect: {effect: nextA, expires: {nextTurnOf: {id: 0}}}
      - startEffect: {effect: nextB, expires: {nextTurnOf: {id: 1}}}
      - startEffect: {effect: none}
      - startEffect: {effect: either, expires: {turn: 9, round: 3}}
terminal: {conditions: [{when: {op: ">", left: {ref: clock, field: turn}, right: 20}, result: {type: draw}}]}
)");
  ASSERT_TRUE(game);
  State state = *game->start(0);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(make(state, "pass"));
  ASSERT_EQ(state.view()["turn"], 4);
  ASSERT_TRUE(make(state, "start"));
  EXPECT_EQ(in_force(state).size(), 9u) << "nothing ends in the middle of a turn";
  ASSERT_TRUE(make(state, "pass"));
  ASSERT_EQ(state.view()["turn"], 5);
  ASSERT_EQ(state.view()["round"], 3);
  ASSERT_EQ(state.view()["active"], 0);
  EXPECT_THAT(in_force(state), ElementsAre("turn6", "round4", "nextB", "none"));
  ASSERT_TRUE(make(state, "pass"));
  EXPECT_THAT(in_force(state), ElementsAre("round4", "none"));
}

constexpr const char* market = R"(
metadata: {id: market, players: {min: 2, max: 2}}
zones: [{id: box, owner: none, visibility: public, ordering: set}]
perPlayerVars: [{name: gold, type: int, init: 5, min: 0, max: 50}]
globalVars: [{name: income, type: int, init: 0, min: 0, max: 99}]
effects:
  - {id: strike, blockActions: [work], source: {kind: card, ref: general-strike}}
  - {id: tax, costDelta: {gold: 1}, charges: 1}
  - {id: sale, costDelta: {gold: -9}}
  - {id: boom, modifiers: {pay: 2, other: 7}}
  - {id: toll, costDelta: {gold: 1}, costActions: [work, buy], charges: 1}
  - {id: coupon, costDelta: {gold: -1}, charges: 1}
turnStructure: {phases: [{id: main}]}
actions:
  - {id: pass, phase: [main], effects: [{advancePhase: {}}]}
  - {id: work, phase: [main]}
  - {id: buy, phase: [main], price: {gold: 2}}
  - {id: free, phase: [main], effects: []}
  - {id: strike-all, phase: [main], effects: [{startEffect: {effect: strike, expires: {nextTurnOf: actor}}}]}
  - {id: strike-own, phase: [main], effects: [{startEffect: {effect: strike, owner: actor}}]}
  - {id: strike-left, phase: [main], effects: [{startEffect: {effect: strike, target: {ref: player, player: left}}}]}
  - {id: strike-later, phase: [main], effects: [{startEffect: {effect: strike, starts: {round: 2}, expires: {round: 3}}}]}
  - {id: end-strike, phase: [main], effects: [{endEffect: {effect: strike}}]}
  - {id: tax-left, phase: [main], effects: [{startEffect: {effect: tax, target: {ref: player, player: left}}}]}
  - {id: tax-me, phase: [main], price: {gold: 0}, effects: [{startEffect: {effect: tax, target: {ref: player, player: actor}}}]}
  - {id: sale, phase: [main], effects: [{startEffect: {effect: sale}}]}
  - {id: toll, phase: [main], effects: [{startEffect: {effect: toll}}]}
  - {id: coupon, phase: [main], effects: [{startEffect: {effect: coupon}}]}
  - {id: boom-box, phase: [main], effects: [{startEffect: {effect: boom, target: "box:none"}}]}
  - {id: boom-all, phase: [main], effects: [{startEffect: {effect: boom}}]}
  - {id: read, phase: [main], effects: [{setVar: {scope: global, var: income, value: {ref: effectModifier, name: pay, target: "box:none"}}}]}
terminal: {conditions: [{when: {op: ">", left: {ref: clock, field: turn}, right: 40}, result: {type: draw}}]}
)";

std::int64_t gold(const State& state, int player) {
  return state.view()["players"][static_cast<std::size_t>(player)]["gold"].get<std::int64_t>();
}

TEST(Effects, ABlockedActionIsNotOfferedAndIsRefused) {  // M-32
  const auto game = open(market);
  ASSERT_TRUE(game);
  State state = *game->start(0);
  EXPECT_TRUE(offers(state, "work"));
  ASSERT_TRUE(make(state, "strike-all"));
  EXPECT_FALSE(offers(state, "work"));
  EXPECT_EQ(refused(state, "work").code, "ACTION_BLOCKED");
  ASSERT_TRUE(make(state, "pass"));
  EXPECT_FALSE(offers(state, "work")) << "until the next turn of its owner";
  ASSERT_TRUE(make(state, "pass"));
  EXPECT_TRUE(offers(state, "work"));
}

TEST(Effects, OwnerAndTargetNarrowWhomAnEffectBinds) {  // M-30, M-32
  const auto game = open(market);
  ASSERT_TRUE(game);
  State own = *game->start(0), left = *game->start(0);
  ASSERT_TRUE(make(own, "strike-own"));
  EXPECT_FALSE(offers(own, "work"));
  ASSERT_TRUE(make(own, "pass"));
  EXPECT_TRUE(offers(own, "work"));
  ASSERT_TRUE(make(left, "strike-left"));
  EXPECT_TRUE(offers(left, "work"));
  ASSERT_TRUE(make(left, "pass"));
  EXPECT_FALSE(offers(left, "work"));
  ASSERT_TRUE(make(left, "end-strike"));
  EXPECT_TRUE(offers(left, "work"));
}

TEST(Effects, ADelayedEffectBeginsLater) {  // M-30
  const auto game = open(market);
  ASSERT_TRUE(game);
  State state = *game->start(0);
  ASSERT_TRUE(make(state, "strike-later"));
  for (const bool works : {true, true, false, false, true, true}) {
    EXPECT_EQ(offers(state, "work"), works) << state.view()["turn"];
    ASSERT_TRUE(make(state, "pass"));
  }
}

TEST(Effects, ACostDeltaChangesThePriceAndWhatIsAffordable) {  // M-32
  const auto game = open(market);
  ASSERT_TRUE(game);
  State state = *game->start(0);
  ASSERT_TRUE(make(state, "tax-left"));
  ASSERT_TRUE(make(state, "buy"));
  EXPECT_EQ(gold(state, 0), 3) << "the tax is aimed at the other player";
  ASSERT_TRUE(make(state, "pass"));
  ASSERT_TRUE(make(state, "free")) << "an action without a price costs nothing still";
  EXPECT_THAT(in_force(state), ElementsAre("tax"));
  ASSERT_TRUE(make(state, "buy"));
  EXPECT_EQ(gold(state, 1), 2);
  EXPECT_TRUE(in_force(state).empty()) << "the action it modified used the charge up";
  ASSERT_TRUE(make(state, "pass"));
  ASSERT_TRUE(make(state, "tax-left"));
  ASSERT_TRUE(make(state, "pass"));
  EXPECT_FALSE(offers(state, "buy")) << "3 are asked and 2 are there";
  EXPECT_EQ(refused(state, "buy").code, "ACTION_PRICE");
  EXPECT_EQ(refused(state, "buy").details["price"]["gold"], 3);
  ASSERT_TRUE(make(state, "sale"));
  ASSERT_TRUE(make(state, "buy"));
  EXPECT_EQ(gold(state, 1), 2) << "a price is never below zero";
}

TEST(Effects, AnActionDoesNotUseUpWhatItStarts) {  // M-32
  const auto game = open(market);
  ASSERT_TRUE(game);
  State state = *game->start(0);
  ASSERT_TRUE(make(state, "tax-me"));
  EXPECT_THAT(in_force(state), ElementsAre("tax"));
  ASSERT_TRUE(make(state, "buy"));
  EXPECT_EQ(gold(state, 0), 2);
}

TEST(Effects, ACostDeltaMayNameItsActions) {  // M-32
  const auto game = open(market);
  ASSERT_TRUE(game);
  State state = *game->start(0);
  ASSERT_TRUE(make(state, "toll"));
  ASSERT_TRUE(make(state, "tax-me")) << "not one of them";
  EXPECT_EQ(gold(state, 0), 5);
  EXPECT_THAT(in_force(state), ElementsAre("toll", "tax"));
  ASSERT_TRUE(make(state, "work"));
  EXPECT_EQ(gold(state, 0), 4) << "an action without a price has one when it is named";
  EXPECT_THAT(in_force(state), ElementsAre("tax")) << "which only what names it changes";
}

TEST(Effects, OnlyAChangedPriceUsesACharge) {  // M-32
  const auto game = open(market);
  ASSERT_TRUE(game);
  State state = *game->start(0);
  ASSERT_TRUE(make(state, "coupon"));
  ASSERT_TRUE(make(state, "work"));
  EXPECT_THAT(in_force(state), ElementsAre("coupon")) << "0 is not lowered";
  ASSERT_TRUE(make(state, "buy"));
  EXPECT_EQ(gold(state, 0), 4);
  EXPECT_TRUE(in_force(state).empty());
  ASSERT_TRUE(make(state, "coupon"));
  ASSERT_TRUE(make(state, "tax-me"));
  ASSERT_TRUE(make(state, "buy"));
  EXPECT_EQ(gold(state, 0), 2) << "one more and one less";
  EXPECT_TRUE(in_force(state).empty()) << "both had their part in it";
}

TEST(Effects, ActiveEffectsAreAskedByKindOwnerAndTarget) {  // M-33
  const auto count = [](const std::string& filters) {
    return fmt::format(
        "{{setVar: {{scope: global, var: income, value: {{aggregate: {{op: count, query: {{query: "
        "activeEffects{}}}}}}}}}}}",
        filters);
  };
  const auto game = open(market, {fmt::format(R"(
module: {{id: ask}}
actions:
  - {{id: ask.all, phase: [main], effects: [{}]}}
  - {{id: ask.strikes, phase: [main], effects: [{}]}}
  - {{id: ask.owned, phase: [main], effects: [{}]}}
  - {{id: ask.aimed, phase: [main], effects: [{}]}}
)",
                                              count(""), count(", effect: strike"),
                                              count(", effect: strike, owner: actor"),
                                              count(", target: \"box:none\""))});
  ASSERT_TRUE(game);
  State state = *game->start(0);
  for (const char* action : {"strike-own", "strike-left", "boom-box", "boom-all", "strike-later"})
    ASSERT_TRUE(make(state, action));
  for (const auto& [action, found] : std::vector<std::pair<std::string, int>>{
           {"ask.all", 4}, {"ask.strikes", 2}, {"ask.owned", 1}, {"ask.aimed", 1}}) {
    ASSERT_TRUE(make(state, action));
    EXPECT_EQ(state.view()["globals"]["income"], found) << action;
  }
}

TEST(Effects, TheirRecordSaysWhatTheyAre) {  // M-30
  const auto game = open(market);
  ASSERT_TRUE(game);
  State state = *game->start(0);
  ASSERT_TRUE(make(state, "pass"));
  ASSERT_TRUE(make(state, "strike-later"));
  ASSERT_TRUE(make(state, "tax-left"));
  const Json view = state.view();
  EXPECT_EQ(view["effects"],
            Json::array({{{"effect", "strike"},
                          {"id", 1},
                          {"blockActions", {"work"}},
                          {"source", {{"kind", "card"}, {"ref", "general-strike"}}},
                          {"createdAtTurn", 2},
                          {"startsAtRound", 2},
                          {"expiresAtRound", 3}},
                         {{"effect", "tax"},
                          {"id", 2},
                          {"costDelta", {{"gold", 1}}},
                          {"createdAtTurn", 2},
                          {"target", 0},
                          {"charges", 1}}}));
}

TEST(Effects, ModifiersAddUpForTheirTarget) {  // M-33
  const auto game = open(market);
  ASSERT_TRUE(game);
  State state = *game->start(0);
  ASSERT_TRUE(make(state, "read"));
  EXPECT_EQ(state.view()["globals"]["income"], 0);
  ASSERT_TRUE(make(state, "boom-box"));
  ASSERT_TRUE(make(state, "boom-all"));
  ASSERT_TRUE(make(state, "read"));
  EXPECT_EQ(state.view()["globals"]["income"], 4);
}

// Settlement happens under the old round's effects; they are gone when the new one starts.
TEST(Effects, OfARoundAreInForceWhenItEndsAndGoneWhenTheNextStarts) {  // M-22
  const auto game = open(market, {R"(
module: {id: watch}
globalVars:
  - {name: watch.end, type: int, init: 0, min: 0, max: 999}
  - {name: watch.start, type: int, init: 9, min: 0, max: 999}
effects: [{id: watch.boom, modifiers: {pay: 2}}]
actions:
  - {id: watch.boom, phase: [main], effects: [{startEffect: {effect: watch.boom, expires: {round: {op: +, left: {ref: clock, field: round}, right: 1}}}}]}
triggers:
  - {id: watch.ends, event: {type: roundEnd}, effects: [{setVar: {scope: global, var: watch.end, value: {op: +, left: {op: "*", left: {ref: clock, field: round}, right: 10}, right: {ref: effectModifier, name: pay}}}}]}
  - {id: watch.starts, event: {type: roundStart}, effects: [{setVar: {scope: global, var: watch.start, value: {op: +, left: {op: "*", left: {ref: clock, field: round}, right: 10}, right: {ref: effectModifier, name: pay}}}}]}
)"});
  ASSERT_TRUE(game);
  State state = *game->start(0);
  ASSERT_TRUE(make(state, "watch.boom"));
  ASSERT_TRUE(make(state, "pass"));
  EXPECT_EQ(state.view()["globals"]["watch.end"], 0) << "the round goes on";
  ASSERT_TRUE(make(state, "pass"));
  EXPECT_EQ(state.view()["globals"]["watch.end"], 12) << "round 1, paying 2 more";
  EXPECT_EQ(state.view()["globals"]["watch.start"], 20) << "round 2, paying nothing more";
}

TEST(Effects, AreBounded) {  // M-30
  const auto game = open(market);
  ASSERT_TRUE(game);
  State state = *game->start(0);
  int started = 0;
  while (started < 200 && make(state, "sale")) ++started;
  EXPECT_EQ(started, 64);
  EXPECT_EQ(in_force(state).size(), 64u);
  const Rejection too_many = refused(state, "sale");
  EXPECT_EQ(too_many.code, "EFFECTS_TOO_MANY");  // A-25
  EXPECT_TRUE(too_many.fault);
}

TEST(Effects, AreSavedHashedAndLoaded) {  // M-30
  const auto game = open(market);
  ASSERT_TRUE(game);
  State state = *game->start(0);
  const std::uint64_t before = state.hash();
  ASSERT_TRUE(make(state, "strike-own"));
  ASSERT_TRUE(make(state, "tax-left"));
  EXPECT_NE(state.hash(), before);
  const auto loaded = game->load(state.save());
  ASSERT_TRUE(loaded);
  EXPECT_TRUE(*loaded == state);
  EXPECT_EQ(loaded->view(), state.view());
  EXPECT_EQ(loaded->hash(), state.hash());
}

}  // namespace
}  // namespace parlor::rules
