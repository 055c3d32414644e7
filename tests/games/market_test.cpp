// The deck-builder: no card is lost, decks are refilled from the discard pile, the row is refilled
// from the supply, and what is bought counts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "games/shipped.h"

namespace parlor::games {
namespace {

using testing::Contains;

// Every card copy is in exactly one place, and the row is full until the supply ends the game.
TEST(Market, CardsAreNeverLostAndTheRowIsFull) {
  const auto game = open_shipped("market");
  for (Seed seed = 1; seed <= 3; ++seed) {
    std::size_t reshuffles = 0, last_deck = 99;
    const State end = play_randomly(*game, seed, [&](const State& state) {
      const Json view = state.view();
      std::set<std::string> ids;
      std::size_t cards = 0;
      for (const auto& [zone, tokens] : view["zones"].items())
        for (const Json& token : tokens) {
          ids.insert(token["id"]);
          ++cards;
        }
      ASSERT_EQ(cards, 2u * 10 + 44);
      ASSERT_EQ(ids.size(), cards);
      ASSERT_EQ(view["zones"]["row:none"].size(), 5u);
      const std::size_t deck = view["zones"]["deck:0"].size();
      reshuffles += deck > last_deck ? 1 : 0;
      last_deck = deck;
    });
    EXPECT_GT(reshuffles, 3u);
    EXPECT_EQ(end.outcome().reason, "sold-out");
  }
}

TEST(Market, ADeckThatRunsShortIsRefilledFromItsOwnersDiscard) {
  const auto game = open_shipped("market");
  State state = start(*game);
  // Two turns use up the ten cards; the third hand needs the discard pile.
  for (int turn = 0; turn < 4; ++turn)
    ASSERT_TRUE(state.apply(find_option(state, "end-turn").value()).has_value());
  const Json view = state.view();
  EXPECT_EQ(view["zones"]["hand:0"].size(), 5u);
  EXPECT_EQ(view["zones"]["deck:0"].size() + view["zones"]["discard:0"].size(), 5u);
}

// ---- Case by case. The cards of a zone by name, from the top.

std::vector<std::string> names(const State& state, const std::string& zone) {
  std::vector<std::string> out;
  const Board board = board_of(state);
  for (const Token& card : board.at(zone)) out.push_back(card.props.at("name"));
  return out;
}
std::multiset<std::string> sorted(const std::vector<std::string>& cards) {
  return {cards.begin(), cards.end()};
}
std::int64_t of_player(const State& state, std::size_t player, const std::string& name) {
  const Json view = state.view();
  return view["players"][player][name];
}
// Takes the option of an action with a card of this name.
void with_card(State& state, const std::string& action, const std::string& card) {
  const Json view = state.view();
  OptionList options;
  state.list_options(options);
  for (const Option option : options) {
    const Json json = state.option_json(option);
    if (json["action"] != action) continue;
    const std::string id = json["params"]["card"];
    for (const auto& [zone, tokens] : view["zones"].items())
      for (const Json& token : tokens)
        if (token["id"] == id && token["props"]["name"] == card) {
          ASSERT_TRUE(state.apply(option).has_value());
          return;
        }
  }
  FAIL() << "no " << action << " of a " << card;
}

// Seven coppers and three hovels: the first hand and the rest of the deck.
TEST(Market, EverybodyStartsWithTheSameTenCards) {
  const auto game = open_shipped("market");
  const State state = start(*game);
  for (const std::string player : {"0", "1"}) {
    auto all = names(state, "hand:" + player);
    EXPECT_EQ(all.size(), 5u);
    for (const std::string& card : names(state, "deck:" + player)) all.push_back(card);
    EXPECT_EQ(std::ranges::count(all, "copper"), 7);
    EXPECT_EQ(std::ranges::count(all, "hovel"), 3);
  }
}

// A reshuffle happens only when a card is needed and the deck is empty; it takes all of the discard
// pile, also what was just bought, and nothing of what lies in hand.
TEST(Market, AReshuffleTakesTheWholeDiscardPileAndOnlyWhenNeeded) {
  const auto game = open_shipped("market");
  State state = start(*game);
  take(state, "end-turn");  // 0: five discarded, the other five drawn
  EXPECT_EQ(names(state, "deck:0").size(), 0u);
  EXPECT_EQ(names(state, "discard:0").size(), 5u);
  take(state, "end-turn");
  const auto before = sorted(names(state, "hand:0"));
  take(state, "end-turn");  // 0: ten in the discard pile, shuffled, five drawn
  EXPECT_EQ(names(state, "discard:0").size(), 0u);
  EXPECT_EQ(names(state, "deck:0").size(), 5u);
  EXPECT_EQ(names(state, "hand:0").size(), 5u);
}

TEST(Market, TheNewOrderOfADeckDependsOnTheSeed) {
  const auto game = open_shipped("market");
  std::set<std::vector<std::string>> orders;
  for (Seed seed = 1; seed <= 8; ++seed) {
    State state = start(*game, seed);
    for (int i = 0; i < 3; ++i) take(state, "end-turn");
    auto order = names(state, "hand:0");
    for (const std::string& card : names(state, "deck:0")) order.push_back(card);
    EXPECT_EQ(order.size(), 10u);
    orders.insert(order);
  }
  EXPECT_GT(orders.size(), 4u);
}

// With fewer cards than asked for in deck and discard pile together, one gets what there is.
TEST(Market, NobodyDrawsMoreThanTheyHave) {
  OpenOptions options;
  options.constants["handSize"] = "12";
  const auto game = open_shipped("market", options);
  State state = start(*game);
  EXPECT_EQ(names(state, "hand:0").size(), 10u);
  take(state, "end-turn");
  EXPECT_EQ(names(state, "hand:0").size(), 10u);
  EXPECT_EQ(names(state, "discard:0").size(), 0u);
}

TEST(Market, ABoughtCardGoesToTheDiscardPileAndTheRowIsRefilledFromThePile) {
  OpenOptions options;
  options.constants["handSize"] = "10";  // all seven coppers at once
  const auto game = open_shipped("market", options);
  State state = start(*game);
  for (int i = 0; i < 7; ++i) with_card(state, "play", "copper");
  EXPECT_EQ(of_player(state, 0, "coins"), 7);
  const auto row = names(state, "row"), pile = names(state, "pile");
  const std::string& wanted = row.front();
  with_card(state, "buy", wanted);
  EXPECT_THAT(names(state, "discard:0"), Contains(wanted));
  EXPECT_EQ(names(state, "row").size(), 5u);
  EXPECT_THAT(names(state, "row"), Contains(pile.front()));
  EXPECT_EQ(names(state, "pile").size(), pile.size() - 1);
  EXPECT_EQ(of_player(state, 0, "buys"), 0);
  for (const std::string& option : option_texts(state))
    EXPECT_FALSE(option.starts_with("buy")) << option;  // one buy a turn
}

TEST(Market, OnlyWhatCanBePaidIsOffered) {
  OpenOptions options;
  options.constants["handSize"] = "10";
  const auto game = open_shipped("market", options);
  State state = start(*game);
  const Board board = board_of(state);
  for (int coins = 0; coins <= 7; ++coins) {
    std::size_t affordable = 0, offered = 0;
    for (const Token& card : board.at("row")) affordable += card.props.at("cost") <= coins ? 1 : 0;
    for (const std::string& option : option_texts(state))
      offered += option.starts_with("buy") ? 1 : 0;
    EXPECT_EQ(offered, affordable) << coins;
    if (coins < 7) with_card(state, "play", "copper");
  }
}

TEST(Market, EstatesCannotBePlayedAndUnspentCoinsAreLost) {
  OpenOptions options;
  options.constants["handSize"] = "10";
  const auto game = open_shipped("market", options);
  State state = start(*game);
  for (int i = 0; i < 7; ++i) with_card(state, "play", "copper");
  for (const std::string& option : option_texts(state))
    EXPECT_FALSE(option.starts_with("play")) << option;  // three hovels are left in hand
  take(state, "end-turn");
  EXPECT_EQ(of_player(state, 0, "coins"), 0);
  EXPECT_EQ(of_player(state, 0, "buys"), 1);
}

TEST(Market, ThePointsOfAllOnesCardsDecide) {
  OpenOptions options;
  options.constants["lastTurn"] = "1";
  const auto game = open_shipped("market", options);
  State state = start(*game);
  take(state, "end-turn");
  ASSERT_TRUE(state.finished());
  EXPECT_EQ(state.outcome().returns, (std::vector<std::int64_t>{3, 3}));  // three hovels each
}

}  // namespace
}  // namespace parlor::games
