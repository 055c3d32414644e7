// Texas hold'em, rule by rule: blinds and the dead button, raises, all-ins, pots and odd chips.
// The cases follow the usual tournament rules (Poker TDA; Robert's Rules of Poker). The deck is
// not shuffled but laid out, and everybody starts with the chips the case needs.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "games/shipped.h"

namespace parlor::games {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;

using Chips = std::vector<std::int64_t>;

// "Ah" is the ace of hearts.
std::string to_the_top(const std::string& card) {
  const std::string ranks = "..23456789TJQKA";
  const std::map<char, std::string> suits{
      {'c', "clubs"}, {'d', "diamonds"}, {'h', "hearts"}, {'s', "spades"}};
  return fmt::format(
      "  - forEach:\n"
      "      bind: $card\n"
      "      over: {{query: tokensInZone, zone: deck, filter: {{op: and, args: [{{prop: rank, op: "
      "eq, value: {}}}, {{prop: suit, op: eq, value: {}}}]}}}}\n"
      "      effects: [{{moveToken: {{token: $card, from: deck, to: deck, position: top}}}}]\n",
      ranks.find(card[0]), suits.at(card[1]));
}

// `cards` as they are dealt: two for each player in order, then the board.
struct Table {
  Table(Chips chips, std::vector<std::string> cards, const char* raise_sizes = "8") {
    std::string setup = "setup:\n";
    for (std::size_t p = 0; p < chips.size(); ++p)
      setup += fmt::format(
          "  - setVar: {{scope: pvar, player: {{id: {}}}, var: chips, value: {}}}\n", p, chips[p]);
    for (std::size_t i = cards.size(); i-- > 0;) setup += to_the_top(cards[i]);
    OpenOptions options;
    options.players = chips.size();
    options.constants["raiseSteps"] = raise_sizes;
    game = open_changed("texas-holdem", {{{"    - shuffle deck\n", ""}}, setup}, options);
    state.emplace(start(*game));
  }
  // Every size of a raise is offered.
  explicit Table(Chips chips) : Table(std::move(chips), {}, "10000") {}

  void play(int who, const Json& what) {
    ASSERT_EQ(state->decision().player.value, who) << what;
    take(*state, what);
  }
  void all(const Json& what, int times) {
    for (int i = 0; i < times; ++i) take(*state, what);
  }
  std::int64_t get(const std::string& name) const { return global(*state, name); }
  Chips each(const std::string& name) const {
    Chips out;
    const Json view = state->view();
    for (const Json& player : view["players"]) out.push_back(player[name]);
    return out;
  }
  int to_act() const { return state->decision().player.value; }
  std::vector<std::string> options() const { return option_texts(*state); }

  std::shared_ptr<const Game> game;
  std::optional<State> state;
};

// ---- Blinds and the button

TEST(HoldemBlinds, ThreePlayersPostLeftOfTheButton) {
  const Table table({1000, 1000, 1000});
  EXPECT_EQ(table.get("button"), 0);
  EXPECT_EQ(table.each("bet"), (Chips{0, 10, 20}));
  EXPECT_EQ(table.to_act(), 0);  // the player after the big blind
}

TEST(HoldemBlinds, RiseEveryEightHands) {
  Table table({1000, 1000, 1000}, {});
  for (int hand = 1; hand <= 8; ++hand) {
    ASSERT_EQ(table.get("hand"), hand);
    EXPECT_EQ(table.get("bigBlind"), 20);
    table.all("fold", 2);
  }
  EXPECT_EQ(table.get("hand"), 9);
  EXPECT_EQ(table.get("smallBlind"), 15);
  EXPECT_EQ(table.get("bigBlind"), 30);
  EXPECT_EQ(table.get("minRaise"), 30);
}

TEST(HoldemBlinds, TheBigBlindMayRaiseWhenEverybodyCalls) {
  Table table({1000, 1000, 1000});
  table.play(0, "call");
  table.play(1, "call");
  ASSERT_EQ(table.to_act(), 2);
  EXPECT_THAT(table.options(), Contains("check"));
  EXPECT_THAT(table.options(), Contains("raise 40"));
  EXPECT_THAT(table.options(), Not(Contains("fold")));
}

TEST(HoldemBlinds, ABlindThatIsShortIsAllInAndTheOthersOweItInFull) {
  Table table({1000, 1000, 5});
  EXPECT_EQ(table.each("committed"), (Chips{0, 10, 5}));
  table.play(0, "call");
  EXPECT_EQ(table.each("bet"), (Chips{20, 10, 5}));
  table.play(1, "call");
  EXPECT_EQ(table.get("currentBet"), 0);  // on to the flop: the big blind has no say
}

// The small blind has more in than the big blind could post: there is nothing to call or fold.
TEST(HoldemBlinds, NothingIsOwedToABigBlindThatIsAllInForLess) {
  const Table table({5, 1000}, {"2c", "7d", "Ah", "As", "Kd", "Kh", "9s", "9c", "3d"});
  ASSERT_TRUE(table.state->finished());  // dealt out at once; the aces win
  EXPECT_EQ(table.each("chips"), (Chips{0, 1005}));
}

// Hands in which the blinds of hand 1 (seats 1 and 2 of the button 0) go broke against seat 3's
// aces.
Table after_busting(Chips chips) {
  std::vector<std::string> cards{"2c", "7d", "3c", "8d", "4c", "9d", "Ah", "As", "2h", "7s"};
  cards.resize(2 * chips.size());
  cards.insert(cards.end(), {"Kd", "Kh", "Js", "Jc", "3d"});
  Table table(std::move(chips), cards);
  table.play(3, "call");
  while (table.get("hand") == 1) {
    const auto options = table.options();
    const bool caller = table.to_act() != 0 && table.to_act() != 4;
    const bool check = std::ranges::count(options, "check") > 0;
    const bool call = std::ranges::count(options, "call") > 0;
    take(*table.state, check ? "check" : !caller ? "fold" : call ? "call" : "all-in");
  }
  return table;
}

TEST(HoldemDeadButton, WhenTheSmallBlindIsOutTheButtonLiesAtItsEmptySeat) {
  Table table = after_busting({1000, 10, 1000, 1000});
  EXPECT_EQ(table.each("chips")[1], 0);
  EXPECT_EQ(table.get("button"), 1);
  EXPECT_EQ(table.each("bet"), (Chips{0, 0, 10, 20}));
  table.play(0, "call");
  table.play(2, "call");
  table.play(3, "check");
  EXPECT_EQ(table.to_act(), 2);  // the first left of the empty button seat
}

TEST(HoldemDeadButton, WhenTheBigBlindIsOutThereIsNoSmallBlind) {
  Table table = after_busting({1000, 1000, 20, 1000});
  EXPECT_EQ(table.get("button"), 1);
  EXPECT_EQ(table.each("bet"), (Chips{0, 0, 0, 20}));
  table.play(0, "fold");
  table.play(1, "fold");
  EXPECT_EQ(table.get("button"), 2);  // empty
  EXPECT_EQ(table.each("bet"), (Chips{20, 0, 0, 10}));
}

TEST(HoldemDeadButton, WhenBothBlindsAreOutNobodyMissesTheBigBlind) {
  Table table = after_busting({1000, 10, 20, 1000, 1000});
  EXPECT_EQ(table.get("button"), 1);
  EXPECT_EQ(table.each("bet"), (Chips{0, 0, 0, 20, 0}));
  table.play(4, "fold");
  table.play(0, "fold");
  EXPECT_EQ(table.get("button"), 2);
  EXPECT_EQ(table.each("bet"), (Chips{0, 0, 0, 10, 20}));
}

TEST(HoldemDeadButton, HeadsUpNobodyPaysTheBigBlindTwiceInARow) {
  // Both blinds of hand 1 are out: seats 0 and 3 are left, and it is seat 3's turn to pay.
  const Table table = after_busting({1000, 10, 20, 1000});
  EXPECT_EQ(table.each("bet"), (Chips{10, 0, 0, 20}));
  EXPECT_EQ(table.get("button"), 0);
  EXPECT_EQ(table.to_act(), 0);
}

// ---- Raises

TEST(HoldemRaises, AreAtLeastAsLargeAsTheLastOne) {
  Table table({1000, 1000, 1000});
  table.play(0, "raise 70");  // 50 more than the blind
  EXPECT_THAT(table.options(), Not(Contains("raise 119")));
  EXPECT_THAT(table.options(), Contains("raise 120"));
  table.play(1, "raise 300");  // 230 more
  EXPECT_THAT(table.options(), Not(Contains("raise 529")));
  EXPECT_THAT(table.options(), Contains("raise 530"));
}

TEST(HoldemRaises, AnAllInForLessThanARaiseDoesNotReopenTheBetting) {
  Table table({1000, 1000, 1000, 150});
  table.play(3, "call");
  table.play(0, "raise 100");
  table.play(1, "call");
  table.play(2, "call");
  table.play(3, "all-in");  // 150: 50 more, a full raise would be 80
  ASSERT_EQ(table.to_act(), 0);
  EXPECT_THAT(table.options(), ElementsAre("fold", "call"));
  table.play(0, "call");
  EXPECT_THAT(table.options(), ElementsAre("fold", "call"));
}

TEST(HoldemRaises, WhoHasNotSpokenMayRaiseOverAShortAllIn) {
  Table table({130, 400, 400, 400});
  table.play(3, "raise 100");
  table.play(0, "all-in");  // 130: 30 more, a full raise would be 80
  table.play(1, "call");
  EXPECT_THAT(table.options(), Contains("raise 210"));  // the big blind
  table.play(2, "call");
  EXPECT_THAT(table.options(), ElementsAre("fold", "call"));  // seat 3 has spoken
}

// The next raise is counted from the all-in, by the last full raise.
TEST(HoldemRaises, TheMinimumAfterAShortAllInIsTheLastFullRaiseMore) {
  Table table({150, 1000, 1000, 1000});
  table.play(3, "raise 100");
  table.play(0, "all-in");  // 150
  EXPECT_THAT(table.options(), Not(Contains("raise 229")));
  EXPECT_THAT(table.options(), Contains("raise 230"));
}

// TDA, re-opening the bet: several short all-ins that add up to a full raise.
TEST(HoldemRaises, ShortAllInsThatAddUpReopenTheBetting) {
  Table table({1000, 500, 650, 1000});
  table.play(3, "raise 300");
  table.play(0, "call");
  table.play(1, "all-in");  // 500, a raise of 200
  table.play(2, "all-in");  // 650, a raise of 150: together 350
  ASSERT_EQ(table.to_act(), 3);
  EXPECT_THAT(table.options(), Contains("raise 930"));  // 280 was the last full raise
  EXPECT_THAT(table.options(), Not(Contains("raise 929")));
}

TEST(HoldemRaises, NobodyRaisesAgainstPlayersWhoAreAllIn) {
  Table table({1000, 200, 300});
  table.play(0, "call");
  table.play(1, "all-in");
  table.play(2, "all-in");
  EXPECT_THAT(table.options(), ElementsAre("fold", "call"));
}

TEST(HoldemRaises, ACallWithTooFewChipsIsAnAllIn) {
  Table table({1000, 1000, 150});
  table.play(0, "raise 400");
  table.play(1, "fold");
  EXPECT_THAT(table.options(), ElementsAre("fold", "all-in"));
}

TEST(HoldemRaises, ABetOnTheFlopIsAtLeastTheBigBlind) {
  Table table({1000, 1000, 1000});
  table.play(0, "call");
  table.play(1, "call");
  table.play(2, "check");
  ASSERT_EQ(table.to_act(), 1);
  EXPECT_THAT(table.options(), Not(Contains("raise 19")));
  EXPECT_THAT(table.options(), Contains("raise 20"));
}

// ---- Pots

const std::vector<std::string> board{"Kd", "Qh", "7s", "5c", "2d"};

std::vector<std::string> deal(std::vector<std::string> hands) {
  hands.insert(hands.end(), board.begin(), board.end());
  return hands;
}

TEST(HoldemPots, TheShortestStackWinsOnlyTheMainPot) {
  // Aces for 100, kings for 300, queens for 700; seat 3 has sevens and covers all.
  Table table({100, 300, 700, 1000}, deal({"Ah", "As", "Kh", "Ks", "Qd", "Qc", "Jh", "Tc"}));
  table.play(3, "all-in");
  table.all("all-in", 3);
  // Kings on the board make sets: kings beat queens, and both beat the pair of aces.
  EXPECT_EQ(table.get("hand"), 2);
  const Chips chips = table.each("chips"), bets = table.each("committed");
  EXPECT_EQ(chips[0] + bets[0], 0);
  EXPECT_EQ(chips[1] + bets[1], 100 * 4 + 200 * 3);  // main and first side pot
  EXPECT_EQ(chips[2] + bets[2], 400 * 2);            // the second side pot
  EXPECT_EQ(chips[3] + bets[3], 300);                // what nobody called
}

TEST(HoldemPots, ThreePotsToThreeWinners) {
  Table table({100, 300, 700, 1000}, deal({"Kh", "Ks", "Qd", "Qc", "7d", "7c", "Jh", "Tc"}));
  table.play(3, "all-in");
  table.all("all-in", 3);
  const Chips chips = table.each("chips"), bets = table.each("committed");
  EXPECT_EQ(chips[0] + bets[0], 400);
  EXPECT_EQ(chips[1] + bets[1], 600);
  EXPECT_EQ(chips[2] + bets[2], 800);
  EXPECT_EQ(chips[3] + bets[3], 300);
}

TEST(HoldemPots, WhatFoldedPlayersPutInStaysInThePot) {
  Table table({200, 200, 60, 200}, deal({"2c", "3c", "Jh", "Tc", "Ah", "As", "9d", "8d"}), "10000");
  table.play(3, "raise 40");
  table.play(0, "fold");
  table.play(1, "call");
  table.play(2, "all-in");  // 60
  table.play(3, "call");
  table.play(1, "call");
  table.play(1, "raise 100");  // a side pot of seats 1 and 3
  table.play(3, "fold");
  // Seat 1 takes its bet back, but the aces take the main pot.
  const Chips chips = table.each("chips"), bets = table.each("committed");
  EXPECT_EQ(chips[2] + bets[2], 180);
  EXPECT_EQ(chips[1] + bets[1], 140);
  EXPECT_EQ(chips[3] + bets[3], 140);
}

TEST(HoldemPots, AnOddChipGoesToTheFirstWinnerLeftOfTheButton) {
  // The same hand for seats 0 and 2; seat 1 leaves its 11 chips.
  Table table({500, 11, 500}, deal({"Ah", "Jc", "3h", "4c", "As", "Jd"}));
  table.play(0, "call");
  table.play(1, "all-in");
  table.play(2, "check");
  table.all("check", 6);  // flop, turn and river
  const Chips chips = table.each("chips"), bets = table.each("committed");
  // 51 chips: main pot 33, side pot 18. Seat 2 is the first left of the button with a share.
  EXPECT_EQ(chips[2] + bets[2], 480 + 17 + 9);
  EXPECT_EQ(chips[0] + bets[0], 480 + 16 + 9);
}

// Stakes of folded players make no pots of their own: two odd amounts in one pot are one odd chip
// or none.
TEST(HoldemPots, OddChipsAreCountedOncePerPot) {
  Table table({100, 100, 100, 100, 100},
              deal({"3h", "4c", "8h", "3s", "9h", "4d", "As", "Jd", "Ah", "Jc"}), "10000");
  table.play(3, "raise 45");
  table.all("call", 4);  // 225 chips
  table.all("check", 2);
  table.play(3, "raise 31");
  table.play(4, "call");
  table.play(0, "call");
  table.all("fold", 2);   // 93 more
  table.all("check", 3);  // the turn
  table.play(3, "raise 20");
  table.play(4, "call");
  table.play(0, "fold");  // 40 more: 358 for seats 3 and 4 to share
  const Chips chips = table.each("chips"), bets = table.each("committed");
  EXPECT_EQ(chips[3] + bets[3], 100 - 96 + 179);
  EXPECT_EQ(chips[4] + bets[4], 100 - 96 + 179);
}

}  // namespace
}  // namespace parlor::games
