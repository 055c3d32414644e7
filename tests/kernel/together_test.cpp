// L-02 and T-13: what players see and may change while moves of a simultaneous phase are handed in;
// and L-14: conditions that bring their own words.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "game/conformance.h"
#include "kernel/open.h"
#include "rounds.h"
#include "spec/spec.h"

namespace parlor {
namespace {

using testing::HasSubstr;

// Sealed bids: the highest takes the prize, ties to nobody; five rounds, everybody's turn once a
// round, cards dealt in the order of turns that the bids make.
constexpr const char* auction = R"game(```yaml
metadata: {id: auction, players: 3}
globalVars: {prize: 1..9 = 3}
perPlayerVars: {gold: 0..20 = 9, bid: 0..9, won: 0..50}
turnStructure:
  phases:
    - id: bidding
      simultaneous: true
      then:
        - let $best = first of sort $p in players by $p.bid descending
        - if: count($p in players where $p.bid == $best.bid) == 1
          then: [$best.won += prize, $best.gold -= $best.bid, extra turn for $best]
        - order turns by bid descending
        - prize += 1
    - id: rest
actions:
  - {id: offer, phase: [bidding], params: {$n: "0..min(gold, 4)"}, effects: [bid = $n]}
  - id: wait
    phase: [rest]
    pre: {when: gold > 0, reason: nothing is left to wait for}
    limits: [{scope: round, max: 1, per: player}]
    effects: [end turn]
  - {id: sleep, phase: [rest], effects: [skip next turn of next, end turn]}
terminal:
  over: {when: round > 4, score: true}
  scoring: [won, gold, {value: bid, method: lowest}]
```
)game";

std::shared_ptr<const kernel::KernelGame> open_auction() {
  spec::CompileResult result = spec::compile_text(auction, {}, "auction.md");
  if (!result.game)
    throw std::runtime_error(render(result.diagnostics, result.texts, Colour::never));
  return open_kernel(*result.game);
}

Json offer(int n) {
  return {{"action", "offer"}, {"params", {{"$n", n}}}};
}

void hand_in(State& state, const Json& request) {
  const auto option = find_option(state, request);
  ASSERT_TRUE(option) << canonical(to_json(option.error()));
  const Applied applied = state.apply(*option);
  ASSERT_TRUE(applied) << canonical(to_json(applied.error()));
}

TEST(Together, EverybodyMayHandInInAnyOrder) {
  const auto game = open_auction();
  State one = game->start(1).value(), other = game->start(1).value();
  for (const int n : {1, 2, 3}) hand_in(one, offer(n));
  for (const int player : {2, 0, 1}) {
    ASSERT_TRUE(game->let_decide(other.block(), PlayerId{player}));
    hand_in(other, offer(player + 1));
  }
  EXPECT_EQ(one.view(), other.view());
  EXPECT_EQ(one.hash(), other.hash());
  EXPECT_EQ(one.view()["players"][2]["won"], 3);
}

TEST(Together, OnesOwnMoveIsSeenAndChangedUntilAllAreIn) {
  const auto game = open_auction();
  State state = game->start(1).value();
  hand_in(state, offer(1));
  hand_in(state, offer(2));
  const Json mine = state.view(Viewer::player(PlayerId{0}))["submissions"];
  EXPECT_EQ(mine[0]["move"]["params"]["$n"], 1);
  EXPECT_FALSE(mine[1].contains("move"));
  EXPECT_TRUE(mine[1]["handedIn"].get<bool>());
  // Looking at one's options again is looking; handing in another move replaces the first.
  ASSERT_TRUE(game->let_decide(state.block(), PlayerId{0}));
  hand_in(state, offer(4));
  EXPECT_EQ(state.view(Viewer::player(PlayerId{0}))["submissions"][0]["move"]["params"]["$n"], 4);
  EXPECT_EQ(state.decision().player, PlayerId{2});
  hand_in(state, offer(3));
  EXPECT_EQ(state.view()["players"][0]["bid"], 4);
  EXPECT_EQ(state.view()["players"][0]["won"], 3);
}

TEST(Together, WhatIsHandedInIsHiddenInformation) {
  const auto game = open_auction();
  EXPECT_TRUE(game->info().hidden_information);
  State one = game->start(1).value(), other = game->start(1).value();
  hand_in(one, offer(1));
  hand_in(other, offer(4));
  EXPECT_EQ(one.view(Viewer::player(PlayerId{1})), other.view(Viewer::player(PlayerId{1})));
  EXPECT_NE(one.view(Viewer::player(PlayerId{0})), other.view(Viewer::player(PlayerId{0})));
}

TEST(Together, KeepsEveryPromiseOfAGame) {
  ConformanceOptions options;
  options.games = test::rounds(options.games);
  EXPECT_THAT(check_conformance(*open_auction(), options), testing::IsEmpty());
}

TEST(Together, AReasonIsToldInTheAuthorsWords) {
  const auto game = open_auction();
  State state = game->start(1).value();
  for (const int n : {4, 0, 0}) hand_in(state, offer(n));
  EXPECT_FALSE(state.why_not({{"action", "wait"}}));
  // Three prizes at four leave nothing of nine: the third bid is what is left.
  for (int guard = 0; guard < 40 && state.view()["players"][0]["gold"] != 0; ++guard) {
    const bool bids = state.view()["phase"] == "bidding";
    if (!bids) {
      hand_in(state, {{"action", "sleep"}});
      continue;
    }
    const int gold = state.view()["players"][0]["gold"].get<int>();
    hand_in(state, offer(std::min(gold, 4)));
    hand_in(state, offer(0));
    hand_in(state, offer(0));
  }
  ASSERT_EQ(state.view()["players"][0]["gold"], 0);
  for (int guard = 0;
       guard < 9 && !(state.view()["phase"] == "rest" && state.decision().player == PlayerId{0});
       ++guard)
    hand_in(state, state.view()["phase"] == "rest" ? Json{{"action", "sleep"}} : offer(0));
  ASSERT_EQ(state.decision().player, PlayerId{0});
  const auto why = state.why_not({{"action", "wait"}});
  ASSERT_TRUE(why);
  EXPECT_THAT(why->message, HasSubstr("nothing is left to wait for"));
}

}  // namespace
}  // namespace parlor
