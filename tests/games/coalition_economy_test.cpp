// The expansion of Coalition: its tiles, actions and every card.
#include "games/coalition.h"

namespace parlor::games {
namespace {

using namespace coalition;

State with_card(const std::string& card, Position position) {
  position.own(0, "economy.economy", 3).own(0, "domestic", 1).own(0, "foreign", 1).card(0, card);
  State state = begin(position.open(with_economy()));
  take(state, options_of(state, "lay").back());
  return state;
}
void play(State& state, const std::string& card) {
  take(state, request("economy.measures.play." + card));
}

TEST(CoalitionEconomy, BringsTilesAndTenMeasures) {
  const State state = begin(open_shipped("coalition+economy"));
  std::multiset<int> values;
  int hotspots = 0, labour = 0;
  for (const char* zone : {"stack", "drawn"})
    for (const Token& tile : tokens_in(state, zone)) {
      if (tile.props["ressort"] == "economy.economy") values.insert(tile.props["value"].get<int>());
      hotspots += tile.props["kind"] == "hotspot";
      labour += tile.props["ressort"] == "labour-market";
    }
  EXPECT_EQ(values, (std::multiset<int>{1, 1, 2, 3}));
  EXPECT_EQ(hotspots, 9);
  EXPECT_EQ(labour, 1);
  std::set<std::string> cards;
  for (const char* zone : {"economy.measures.pile", "economy.measures.row"})
    for (const Token& card : tokens_in(state, zone)) cards.insert(card.props["cardId"]);
  EXPECT_THAT(cards,
              ElementsAre("budget-compromise", "budget-hole", "debt-brake", "economic-council",
                          "investment-stop", "location-debate", "stimulus", "subsidy-cut",
                          "supplementary-budget", "wage-agreement"));
  EXPECT_EQ(count(state, "economy.measures.row"), 3u);
}

TEST(CoalitionEconomy, TakingIsTheActionAndPlayingIsNot) {
  State state = with_card("wage-agreement", rich());
  State taken = state;
  take(taken, request("economy.measures.take", {{"$index", 0}}));
  EXPECT_EQ(taken.view()["active"], 1);
  play(state, "wage-agreement");
  EXPECT_EQ(state.view()["active"], 0);
  EXPECT_FALSE(options_of(state, "place").empty());
  EXPECT_EQ(var(state, 0, "economy.economy"), 1) << "two were paid";
}

TEST(CoalitionEconomy, MeasuresCostWhatTheySay) {
  const std::map<std::string, std::map<std::string, int>> prices{
      {"budget-compromise", {{"domestic", 1}, {"economy.economy", 1}, {"media", 1}}},
      {"stimulus", {{"economy.economy", 1}, {"foreign", 1}}},
      {"wage-agreement", {{"economy.economy", 2}}},
      {"subsidy-cut", {{"economy.economy", 1}, {"foreign", 1}}},
      {"location-debate", {{"economy.economy", 1}, {"media", 1}}},
      {"budget-hole", {{"economy.economy", 2}}},
      {"debt-brake", {{"domestic", 1}, {"economy.economy", 2}}},
      {"economic-council", {{"economy.economy", 3}}},
      {"investment-stop", {{"economy.economy", 2}, {"media", 1}}},
      {"supplementary-budget", {{"economy.economy", 1}}}};
  for (const auto& [card, price] : prices) {
    Position position = hotspot();
    position.tile("cell_0_1", "ressort", "economy.economy", 2);
    for (const auto& [name, amount] : price) position.own(0, name, amount);
    State state = begin(position.card(0, card).open(with_economy()));
    lay(state, "cell_n1_0");
    const Json wanted = request("economy.measures.play." + card);
    EXPECT_EQ(code_of(state, wanted), "") << card;
    play(state, card);
    OptionList list;
    while (!state.decision().starts_move) {
      state.list_options(list);
      ASSERT_TRUE(state.apply(list[0]));
    }
    for (const auto& [name, amount] : price)
      EXPECT_EQ(var(state, 0, name), 0) << card << " " << name;
    for (const auto& [name, amount] : price) {
      State poor = begin(Position(position).own(0, name, amount - 1).open(with_economy()));
      lay(poor, "cell_n1_0");
      EXPECT_EQ(code_of(poor, wanted), "ACTION_PRICE") << card << " " << name;
    }
  }
}

TEST(CoalitionEconomy, BudgetCompromiseSuspendsAHotspotForTheRound) {
  Position position = hotspot();
  position.own(0, "media", 10).own(1, "media", 10).pieces("cell_1_n1", 0, 2);
  State state = with_card("budget-compromise", position);
  play(state, "budget-compromise");
  choose(state, "cell_1_n1:none");
  take(state, "convert media foreign");
  const std::size_t supply = count(state, "supply:0");
  lay(state, "cell_0_n1");
  EXPECT_EQ(count(state, "supply:0"), supply) << "surrounded, and not decided this round";
  take(state, "convert media foreign");
  EXPECT_EQ(count(state, "supply:0"), supply - 1) << "decided when the round is over";
}

TEST(CoalitionEconomy, StimulusDoublesATileForOneRound) {
  State state = with_card(
      "stimulus", rich().tile("cell_1_0", "ressort", "foreign", 5).pieces("cell_1_0", 1, 1));
  play(state, "stimulus");
  choose(state, "cell_1_0:none");
  round(state);
  EXPECT_EQ(var(state, 1, "foreign"), 10 + 1);
  round(state);
  EXPECT_EQ(var(state, 1, "foreign"), 10 + 1 + 5 + 1);
}

TEST(CoalitionEconomy, WageAgreementKeepsEconomyFromBeingConverted) {
  Position position = rich();
  position.own(1, "economy.economy", 9);
  State state = with_card("wage-agreement", position);
  EXPECT_FALSE(options_of(state, "economy.sell").empty());
  play(state, "wage-agreement");
  convert(state);
  take(state, options_of(state, "lay").back());
  EXPECT_EQ(code_of(state, request("economy.sell", {{"$to", "media"}})), "ACTION_BLOCKED");
  EXPECT_FALSE(options_of(state, "economy.buy").empty());
  EXPECT_FALSE(options_of(state, "convert").empty());
  take(state, "convert media foreign");
  convert(state);
  take(state, options_of(state, "lay").back());
  EXPECT_FALSE(options_of(state, "economy.sell").empty()) << "only this round";
}

TEST(CoalitionEconomy, EconomyIsConvertedOncePerTurnLikeTheRest) {
  Position position = rich();
  State state = with_card("supplementary-budget", position);
  play(state, "supplementary-budget");
  take(state, "economy.buy media");
  EXPECT_EQ(var(state, 0, "economy.economy"), 3);
  EXPECT_EQ(var(state, 0, "media"), 38);
  EXPECT_EQ(state.view()["active"], 0) << "a second action";
  EXPECT_TRUE(options_of(state, "convert").empty());
  EXPECT_TRUE(options_of(state, "economy.sell").empty());
}

TEST(CoalitionEconomy, SubsidyCutLastsAndLocationDebateDoesNot) {
  Position position =
      rich().tile("cell_1_0", "ressort", "economy.economy", 3).pieces("cell_1_0", 1, 1);
  State cut = with_card("subsidy-cut", Position(position).tile("cell_0_1", "ressort", "media", 1));
  play(cut, "subsidy-cut");
  EXPECT_THAT(option_texts(cut), ElementsAre("cell_1_0")) << "only tiles of economy";
  choose(cut, "cell_1_0:none");
  for (const int paid : {2, 4, 6}) {
    round(cut);
    EXPECT_EQ(var(cut, 1, "economy.economy"), paid);
  }
  State debate = with_card("location-debate", position);
  play(debate, "location-debate");
  choose(debate, "cell_1_0:none");
  for (const int paid : {2, 5, 8}) {
    round(debate);
    EXPECT_EQ(var(debate, 1, "economy.economy"), paid);
  }
}

bool in_force(const State& state, const std::string& effect) {
  const Json view = state.view();
  return std::ranges::any_of(view["effects"],
                             [&](const Json& one) { return one["effect"] == effect; });
}

// Player 0 has dug a budget hole for player 1, whose turn it is.
State with_hole(Position position) {
  State state = with_card("budget-hole", std::move(position));
  play(state, "budget-hole");
  choose(state, 1);
  take(state, "convert media foreign");
  take(state, options_of(state, "lay").back());
  return state;
}

TEST(CoalitionEconomy, BudgetHoleMakesTheNextActionDearer) {
  State state = with_hole(rich().own(1, "economy.economy", 2));
  State taking = state;
  take(state, options_of(state, "place").front());
  EXPECT_EQ(var(state, 1, "economy.economy"), 1);
  EXPECT_FALSE(in_force(state, "economy.budget-hole")) << "one action only";
  take(taking, request("economy.measures.take", {{"$index", 0}}));
  EXPECT_EQ(var(taking, 1, "economy.economy"), 1) << "taking a card is an action";
}

TEST(CoalitionEconomy, WhoeverCannotFillTheBudgetHoleSkipsAndItIsOver) {
  State state = with_hole(rich());
  EXPECT_THAT(option_texts(state), ElementsAre("skip")) << "nothing can be paid";
  EXPECT_TRUE(in_force(state, "economy.budget-hole"));
  take(state, "skip");
  EXPECT_FALSE(in_force(state, "economy.budget-hole")) << "skipping was the next action";
}

TEST(CoalitionEconomy, PlayingAMeasureDoesNotFillTheBudgetHole) {
  State state = with_hole(rich().own(1, "economy.economy", 3).card(1, "wage-agreement"));
  play(state, "wage-agreement");
  EXPECT_EQ(var(state, 1, "economy.economy"), 1) << "it is no action, so it costs what it says";
  EXPECT_TRUE(in_force(state, "economy.budget-hole"));
  take(state, options_of(state, "place").front());
  EXPECT_EQ(var(state, 1, "economy.economy"), 0);
}

TEST(CoalitionEconomy, FormalisingCostsOneOfTheFourthRessortToo) {
  Position position;
  position.tile("cell_1_0", "committee").pieces("cell_1_0", 0, 1);
  for (const char* ressort : {"domestic", "foreign", "media"}) position.own(0, ressort, 1);
  State poor = begin(position.open(with_economy()));
  lay(poor, "cell_0_1");
  EXPECT_EQ(code_of(poor, request("formalise")), "ACTION_PRICE");
  State state = begin(position.own(0, "economy.economy", 1).open(with_economy()));
  lay(state, "cell_0_1");
  take(state, "formalise");
  EXPECT_EQ(var(state, 0, "economy.economy"), 0);
  EXPECT_EQ(count(state, "pending:0"), 1u);
}

TEST(CoalitionEconomy, DebtBrakeStopsConversionInTheNextRound) {
  Position position = rich();
  for (const int player : {0, 1}) position.own(player, "economy.economy", 9);
  State state = begin(position.own(0, "domestic", 1).card(0, "debt-brake").open(with_economy()));
  take(state, options_of(state, "lay").back());
  play(state, "debt-brake");
  round(state);
  for (int player = 0; player < 2; ++player) {
    take(state, options_of(state, "lay").back());
    for (const char* action : {"convert", "economy.sell", "economy.buy"})
      EXPECT_TRUE(options_of(state, action).empty()) << action;
    EXPECT_EQ(code_of(state, request("convert", {{"$from", "media"}, {"$to", "foreign"}})),
              "ACTION_BLOCKED");
    take(state, options_of(state, "place").front());
  }
  round(state);
}

TEST(CoalitionEconomy, EconomicCouncilPaysTwoOthersForOneEconomyOncePerRound) {
  State state = with_card("economic-council", rich());
  EXPECT_TRUE(options_of(state, "economy.council").empty());
  play(state, "economic-council");
  EXPECT_THAT(options_of(state, "economy.council"),
              ::testing::UnorderedElementsAre(
                  "economy.council domestic foreign", "economy.council domestic media",
                  "economy.council foreign media", "economy.council media media"));
  EXPECT_TRUE(options_of(state, "economy.sell").empty()) << "there is no economy left";
  take(state, "economy.council domestic media");
  EXPECT_EQ(var(state, 0, "domestic"), 0);
  EXPECT_EQ(var(state, 0, "media"), 39);
  EXPECT_EQ(state.view()["active"], 0) << "that was no action";
  EXPECT_TRUE(options_of(state, "economy.council").empty()) << "once per round";
  EXPECT_TRUE(options_of(state, "economy.sell").empty()) << "it stands for one, and two are asked";
  take(state, "convert media foreign");
  EXPECT_FALSE(in_force(state, "economy.council-pays")) << "what is not used is gone";
  EXPECT_EQ(var(state, 0, "economy.economy"), 0) << "it is no way to get economy";
  take(state, options_of(state, "lay").back());
  EXPECT_TRUE(options_of(state, "economy.council").empty()) << "it is player 0's";
  take(state, "convert media foreign");
  take(state, options_of(state, "lay").back());
  EXPECT_FALSE(options_of(state, "economy.council").empty()) << "in every round";
}

TEST(CoalitionEconomy, TheEconomicCouncilPaysOneEconomyOfAPrice) {
  Position position = rich().tile("cell_1_0", "committee").pieces("cell_1_0", 0, 1);
  State state = with_card("economic-council", position);
  play(state, "economic-council");
  EXPECT_EQ(code_of(state, request("formalise")), "ACTION_PRICE") << "one economy is missing";
  take(state, "economy.council media media");
  State elsewhere = state;
  take(elsewhere, options_of(elsewhere, "place").front());
  EXPECT_EQ(var(elsewhere, 0, "economy.economy"), 0) << "a price without economy stays as it is";
  take(state, "formalise");
  EXPECT_EQ(var(state, 0, "media"), 37) << "two for the economy, one as media";
  EXPECT_EQ(count(state, "pending:0"), 1u);
}

TEST(CoalitionEconomy, InvestmentStopMakesATilePayNothing) {
  Position position = rich().tile("cell_1_0", "ressort", "foreign", 4).pieces("cell_1_0", 0, 1);
  State state = with_card("investment-stop", position);
  play(state, "investment-stop");
  choose(state, 1);
  take(state, "convert media domestic");
  take(state, options_of(state, "lay").back());
  place(state, "cell_1_0");
  EXPECT_EQ(var(state, 0, "foreign"), 1) << "the tile paid nothing";
  EXPECT_EQ(global(state, "noise"), 0);
  round(state);
  EXPECT_EQ(var(state, 0, "foreign"), 1 + 1 + 2)
      << "afterwards it pays again: one converted, half of four";
}

TEST(CoalitionEconomy, SupplementaryBudgetAllowsASecondAction) {
  State state = with_card("supplementary-budget", rich());
  play(state, "supplementary-budget");
  EXPECT_TRUE(options_of(state, "economy.rest").empty());
  take(state, options_of(state, "place").front());
  EXPECT_EQ(state.view()["active"], 0);
  State rested = state;
  take(rested, "economy.rest");
  EXPECT_EQ(rested.view()["active"], 1) << "it may be declined";
  take(state, options_of(state, "place").front());
  EXPECT_EQ(state.view()["active"], 1);
}

TEST(CoalitionEconomy, AHalfMadeMoveIsSavedAndGoesOnTheSame) {  // M-50
  State state = with_card(
      "stimulus", rich().tile("cell_1_0", "ressort", "foreign", 5).pieces("cell_1_0", 1, 1));
  play(state, "stimulus");
  ASSERT_EQ(state.decision().kind, DecisionKind::choose_one) << "in the middle of the move";
  auto loaded = state.game().load(Json::parse(canonical(state.save())));
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_TRUE(*loaded == state);
  OptionList here, there;
  Rng rng(5);
  for (int i = 0; i < 100 && !state.finished(); ++i) {
    state.list_options(here);
    loaded->list_options(there);
    ASSERT_TRUE(std::ranges::equal(here.all(), there.all()));
    const Option option = here[rng.below(here.size())];
    ASSERT_TRUE(state.apply(option));
    ASSERT_TRUE(loaded->apply(option));
    ASSERT_TRUE(*loaded == state);
    ASSERT_EQ(loaded->hash(), state.hash());
  }
}

TEST(CoalitionEconomy, CountsAndBotsSeeTheModule) {
  const auto plain = open_shipped("coalition"), more = open_shipped("coalition+economy");
  // Six places for the tile, then two to place influence on; with the expansion also three cards.
  EXPECT_EQ(perft(start(*plain), 2), 6u * 2u);
  EXPECT_EQ(perft(start(*more), 2), 6u * 5u);
  EXPECT_THAT(more->info().rules, ElementsAre("economy"));
  EXPECT_NE(plain->info().fingerprint, more->info().fingerprint);
}

}  // namespace
}  // namespace parlor::games
