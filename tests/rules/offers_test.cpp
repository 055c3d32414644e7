// Offers: M-40 to M-43.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <map>

#include "table.h"

namespace parlor::rules {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using Strings = std::vector<std::string>;

// A game in which everybody may always pass, and an offer of `cards` different cards.
std::string shop(int cards, std::string settings = "", int copies = 1) {
  std::string list;
  for (int i = 0; i < cards; ++i)
    list += fmt::format(
        "{{id: c{}, copies: {}, effects: [{{addVar: {{scope: pvar, player: actor, var: score, "
        "delta: 1}}}}]}}, ",
        i, copies);
  return fmt::format(R"(
metadata: {{id: shop, players: {{min: 2, max: 3}}}}
zones: [{{id: box, owner: none, visibility: public, ordering: set}}]
perPlayerVars: [{{name: score, type: int, init: 0, min: 0, max: 999}}, {{name: gold, type: int, init: 9, min: 0, max: 9}}]
turnStructure: {{phases: [{{id: main}}]}}
actions: [{{id: pass, phase: [main], effects: [{{advancePhase: {{}}}}]}}]
offers: [{{id: shop, {} take: {{phase: [main]}}, play: {{phase: [main]}}, cards: [{}]}}]
terminal: {{conditions: [{{when: {{op: ">", left: {{ref: clock, field: turn}}, right: 200}}, result: {{type: score}}}}], scoring: {{method: highest, value: {{ref: pvar, player: actor, var: score}}}}}}
)",
                     settings, list);
}

Strings ids(const State& state, const std::string& zone) {
  Strings out;
  const Json view = state.view();  // kept alive while it is read
  for (const Json& token : view["zones"][zone]) out.push_back(token["props"]["cardId"]);
  return out;
}

TEST(Offers, TakingPutsTheCardIntoTheHandAndFillsItsSlot) {  // M-40, M-41
  const auto game = open(shop(6));
  ASSERT_TRUE(game);
  State state = *game->start(4);
  const Strings row = ids(state, "shop.row:none");
  ASSERT_EQ(row.size(), 3u);
  EXPECT_EQ(ids(state, "shop.pile:none").size(), 3u);
  const std::string next = ids(state, "shop.pile:none").front();
  ASSERT_TRUE(make(state, "shop.take", {{"$index", 1}}));
  EXPECT_THAT(ids(state, "shop.hand:0"), ElementsAre(row[1]));
  EXPECT_THAT(ids(state, "shop.row:none"), ElementsAre(row[0], next, row[2]))
      << "the slot itself is refilled";
}

TEST(Offers, WithAnEmptyPileTheRowCloses) {  // M-41
  const auto game = open(shop(3, "recycles: 0,"));
  ASSERT_TRUE(game);
  State state = *game->start(4);
  const Strings row = ids(state, "shop.row:none");
  ASSERT_TRUE(make(state, "shop.take", {{"$index", 0}}));
  EXPECT_THAT(ids(state, "shop.row:none"), ElementsAre(row[1], row[2]));
  ASSERT_TRUE(make(state, "shop.take", {{"$index", 1}}));
  EXPECT_THAT(ids(state, "shop.row:none"), ElementsAre(row[1]));
  EXPECT_THAT(ids(state, "shop.hand:0"), ::testing::UnorderedElementsAre(row[0], row[2]));
}

TEST(Offers, PlayingCountsAndDiscards) {  // M-41
  const auto game = open(shop(5));
  ASSERT_TRUE(game);
  State state = *game->start(4);
  const std::string card = ids(state, "shop.row:none")[0];
  ASSERT_TRUE(make(state, "shop.take", {{"$index", 0}}));
  ASSERT_TRUE(make(state, "shop.play." + card));
  EXPECT_THAT(ids(state, "shop.discard:none"), ElementsAre(card));
  EXPECT_EQ(state.view()["players"][0]["shop.played"], 1);
  EXPECT_EQ(state.view()["players"][0]["score"], 1) << "what the game attached to the card";
}

TEST(Offers, RejectionsHaveTheirOwnCodes) {  // M-43
  const auto game = open(shop(7));
  ASSERT_TRUE(game);
  State state = *game->start(4);
  for (const int index : {3, 7, -1})
    EXPECT_EQ(refused(state, "shop.take", {{"$index", index}}).code, "OFFER_INDEX_INVALID")
        << index;
  const Strings row = ids(state, "shop.row:none");
  EXPECT_EQ(refused(state, "shop.play." + row[0]).code, "OFFER_CARD_NOT_IN_HAND");
  EXPECT_EQ(refused(state, "shop.play." + row[0]).details, (Json{{"card", row[0]}}));
  ASSERT_TRUE(make(state, "shop.take", {{"$index", 0}}));
  ASSERT_TRUE(make(state, "shop.take", {{"$index", 1}}));
  EXPECT_EQ(refused(state, "shop.take", {{"$index", 0}}).code, "OFFER_HAND_LIMIT");
  EXPECT_EQ(refused(state, "shop.take", {{"$index", 0}}).details, (Json{{"limit", 2}}));
  ASSERT_TRUE(make(state, "shop.play." + row[0]));
  EXPECT_EQ(refused(state, "shop.play." + row[1]).code, "OFFER_ROUND_LIMIT");
  ASSERT_TRUE(make(state, "pass"));
  EXPECT_FALSE(offers(state, "shop.play." + row[1])) << "another player's hand";
  ASSERT_TRUE(make(state, "pass"));
  EXPECT_TRUE(make(state, "shop.play." + row[1])) << "a new round, a new play";
}

TEST(Offers, ACardIsPlayedOnlySoOften) {  // M-40, M-43
  const auto game = open(shop(1, "recycles: 5, playsPerRound: 9, playsPerCard: 2, faceUp: 1,"));
  ASSERT_TRUE(game);
  State state = *game->start(4);
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(make(state, "shop.take", {{"$index", 0}}));
    ASSERT_TRUE(make(state, "shop.play.c0"));
    EXPECT_EQ(state.view()["globals"]["shop.recycled"], i + 1);
    EXPECT_THAT(ids(state, "shop.row:none"), ElementsAre("c0"))
        << "the discard became the pile again";
  }
  ASSERT_TRUE(make(state, "shop.take", {{"$index", 0}}));
  EXPECT_EQ(refused(state, "shop.play.c0").code, "OFFER_CARD_LIMIT");
}

TEST(Offers, TheCopiesOfACardCountTogether) {  // M-40, M-43
  const auto game =
      open(shop(1, "playsPerRound: 9, playsPerCard: 2, handLimit: 3,", 3), {}, {.players = 2});
  ASSERT_TRUE(game);
  State state = *game->start(4);
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(make(state, "shop.take", {{"$index", 0}}));
  ASSERT_TRUE(make(state, "shop.play.c0"));
  ASSERT_TRUE(make(state, "pass"));
  ASSERT_TRUE(make(state, "shop.take", {{"$index", 0}}));
  ASSERT_TRUE(make(state, "shop.play.c0"));
  ASSERT_TRUE(make(state, "pass"));
  EXPECT_EQ(refused(state, "shop.play.c0").code, "OFFER_CARD_LIMIT") << "another copy";
}

TEST(Offers, RecyclingIsLimited) {  // M-40, M-41
  const auto game =
      open(shop(2, "recycles: 1, playsPerRound: 9, playsPerCard: 9, faceUp: 1, handLimit: 1,"));
  ASSERT_TRUE(game);
  State state = *game->start(4);
  // Two cards, and one of them once more: the discard was one card when it was needed.
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(make(state, "shop.take", {{"$index", 0}})) << i;
    ASSERT_TRUE(make(state, "shop.play." + ids(state, "shop.hand:0")[0]));
  }
  EXPECT_EQ(ids(state, "shop.row:none").size() + ids(state, "shop.pile:none").size(), 0u);
  EXPECT_EQ(ids(state, "shop.discard:none").size(), 2u);
  EXPECT_EQ(refused(state, "shop.take", {{"$index", 0}}).code, "OFFER_INDEX_INVALID");
}

void check_offer(const State& state, int cards, int copies) {
  const Json view = state.view();
  std::map<std::string, int> seen;
  int row = 0;
  for (const auto& [zone, content] : view["zones"].items()) {
    if (!zone.starts_with("shop.")) continue;
    for (const Json& token : content) {
      ++seen[token["props"]["cardId"]];
      const int slot = token["props"]["slot"];
      EXPECT_EQ(slot, zone == "shop.row:none" ? row : -1) << zone;
      if (zone == "shop.row:none") ++row;
      EXPECT_LE(token["props"]["plays"].get<int>(), 2);
    }
    if (zone.starts_with("shop.hand")) {
      EXPECT_LE(content.size(), 2u);
    }
  }
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(cards)) << "each card in exactly one place";
  for (const auto& [card, count] : seen) EXPECT_EQ(count, copies);
  const bool can_recycle =
      view["globals"]["shop.recycled"] < 1 && !view["zones"]["shop.discard:none"].empty();
  const bool supply = !view["zones"]["shop.pile:none"].empty() || can_recycle;
  if (supply) {
    EXPECT_EQ(row, 3) << "the row is full while there is something to fill it with";
  }
  for (const Json& player : view["players"]) EXPECT_LE(player["shop.played"].get<int>(), 1);
}

TEST(Offers, KeepTheirPromisesUnderLongRandomPlay) {  // M-42
  for (int cards = 0; cards <= 12; ++cards)
    for (const int copies : {1, 2}) {
      const auto game = open(shop(cards, "", copies), {}, {.players = 3});
      ASSERT_TRUE(game);
      State state = *game->start(Seed(cards) * 10 + Seed(copies));
      Rng rng(Seed(cards) + 100 * Seed(copies));
      OptionList options;
      int moves = 0;
      while (!state.finished() && moves < 400) {
        state.list_options(options);
        ASSERT_FALSE(options.empty()) << "no deadlock";
        ASSERT_TRUE(state.apply(options[rng.below(options.size())]));
        if (++moves % 7 == 0 || moves < 20) check_offer(state, cards, copies);
        if (HasFailure()) FAIL() << cards << " cards, move " << moves;
      }
      EXPECT_TRUE(game->consistent(state.block()));
    }
}

TEST(Offers, EveryOfferHasItsOwnShuffles) {  // M-40
  const auto deck = [](const std::string& id) {
    return fmt::format(
        "module: {{id: {0}}}\noffers: [{{id: {0}.cards, faceUp: 1, take: {{phase: [main]}}, play: "
        "{{phase: [main]}}, cards: [{{id: c0}}, {{id: c1}}, {{id: c2}}, {{id: c3}}, {{id: c4}}, "
        "{{id: c5}}, {{id: c6}}, {{id: c7}}]}}]",
        id);
  };
  const auto both = open(talk, {deck("left"), deck("right")});
  const auto one = open(talk, {deck("left")});
  ASSERT_TRUE(both && one);
  int different = 0;
  for (Seed seed = 0; seed < 10; ++seed) {
    const State state = *both->start(seed);
    const Strings left = ids(state, "left.cards.pile:none"),
                  right = ids(state, "right.cards.pile:none");
    different += left != right;
    EXPECT_EQ(left, ids(*one->start(seed), "left.cards.pile:none"))
        << "another module does not disturb the shuffle";
    EXPECT_NE(left, ids(*both->start(seed + 1), "left.cards.pile:none"));
  }
  EXPECT_EQ(different, 10);
}

TEST(Offers, HiddenHandsAreHidden) {  // M-53
  const auto game = open(shop(5, "hands: hidden,"));
  ASSERT_TRUE(game);
  State state = *game->start(4);
  ASSERT_TRUE(make(state, "shop.take", {{"$index", 0}}));
  const Json own = state.view(Viewer::player(PlayerId{0})),
             other = state.view(Viewer::player(PlayerId{1}));
  EXPECT_EQ(own["zones"]["shop.hand:0"], state.view()["zones"]["shop.hand:0"]);
  EXPECT_NE(other["zones"]["shop.hand:0"], state.view()["zones"]["shop.hand:0"]);
}

TEST(Offers, ACardWithoutCopiesIsNowhere) {  // T-35, M-42
  const auto game = open(std::string(talk) + R"(
offers:
  - id: shop
    take: {phase: [main]}
    play: {phase: [main]}
    cards:
      - {id: one, copies: 1}
      - {id: none, copies: 0, effects: [{addVar: {scope: pvar, player: actor, var: gold, delta: 3}}]}
)");
  ASSERT_TRUE(game);
  State state = *game->start(0);
  EXPECT_EQ(ids(state, "shop.row:none"), std::vector<std::string>{"one"});
  EXPECT_EQ(refused(state, "shop.play.none").code, "OFFER_CARD_NOT_IN_HAND");
  ASSERT_TRUE(make(state, "shop.take", {{"$index", 0}}));
  ASSERT_TRUE(make(state, "say", {{"$n", 1}}));
  EXPECT_TRUE(make(state, "shop.play.one"));
}

TEST(Offers, MistakesAreDiagnostics) {
  const auto bad = [](std::string offer) {
    std::string text = shop(0);
    const auto at = text.find("offers:");
    text.replace(at, text.find('\n', at) - at, "offers: [" + offer + "]");
    return codes(compile(text).diagnostics);
  };
  EXPECT_THAT(
      bad("{id: x, take: {phase: [main]}, play: {phase: [main]}, cards: [{id: a}, {id: a}]}"),
      ElementsAre("OFFER_INVALID"));
  EXPECT_THAT(bad("{id: x, faceUp: 0, take: {phase: [main]}, play: {phase: [main]}, cards: []}"),
              ElementsAre("OFFER_INVALID"));
  EXPECT_THAT(bad("{id: x, take: {}, play: {phase: [main]}, cards: []}"),
              ElementsAre("OFFER_INVALID"));
  EXPECT_THAT(bad("{id: x, take: {phase: [main]}, play: {phase: [main]}}"),
              ElementsAre("OFFER_INVALID"));
  EXPECT_THAT(bad("{id: x, hand: 3, take: {phase: [main]}, play: {phase: [main]}, cards: []}"),
              ElementsAre("KEY_UNKNOWN"));
}

}  // namespace
}  // namespace parlor::rules
