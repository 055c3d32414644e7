// Kuhn and Leduc poker solved to their known values; the deck-builder's and Insurgency's
// invariants.
#include <gtest/gtest.h>
#include <set>

#include "games/shipped.h"
#include "play/cfr.h"

namespace parlor::games {
namespace {

double solved_value(const std::string& name, std::size_t iterations) {
  OpenOptions options;
  options.explicit_chance = true;
  const auto game = open_shipped(name, options);
  const auto solution = play::solve(*game, {.iterations = iterations});
  if (!solution) throw std::runtime_error(solution.error());
  EXPECT_LT((*solution)->exploitability(), 2e-3);
  return (*solution)->value(PlayerId{0});
}

TEST(KuhnPoker, IsWorthMinusOneEighteenthToTheFirstPlayer) {
  EXPECT_NEAR(solved_value("kuhn-poker", 1000), -1.0 / 18, 1e-3);
}

TEST(LeducPoker, IsWorthWhatIsPublished) {
  EXPECT_NEAR(solved_value("leduc-poker", 400), -0.0856, 1e-3);
}

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

TEST(Insurgency, PiecesAreConservedAndOpinionStaysInItsBounds) {
  const auto game = open_shipped("insurgency");
  for (Seed seed = 1; seed <= 6; ++seed) {
    const State end = play_randomly(*game, seed, [&](const State& state) {
      const Json view = state.view();
      std::map<std::string, int> pieces;
      for (const auto& [zone, tokens] : view["zones"].items()) {
        int bases = 0;
        for (const Json& token : tokens) {
          ++pieces[token["type"]];
          bases += token["props"].value("kind", "") == "base" ? 1 : 0;
        }
        if (!zone.starts_with("available")) {
          ASSERT_LE(bases, 2) << zone;  // stacking
        }
      }
      ASSERT_EQ(pieces["front-guerrilla"], 16);
      ASSERT_EQ(pieces["republic-police"], 14);
      ASSERT_EQ(pieces["garrison-troops"], 12);
      for (const auto& [space, markers] : view["markers"].items())
        if (space.starts_with("pine-march") || space.starts_with("salt-coast") ||
            space.starts_with("far-reach")) {
          ASSERT_EQ(markers["support"], "neutral") << space;
        }
      for (const char* track :
           {"republicResources", "frontResources", "cartelResources", "patience"})
        ASSERT_GE(view["globals"][track], 0);
    });
    EXPECT_EQ(end.outcome().winners.size(), 1u);
  }
}

// K-10: an operation is offered once, as a template; its spaces are choices.
TEST(Insurgency, OperationsAreOfferedAsTemplates) {
  const auto game = open_shipped("insurgency");
  State state = start(*game);
  OptionList list;
  state.list_options(list);
  std::set<std::string> actions;
  for (const Option option : list) {
    const Json json = state.option_json(option);
    EXPECT_TRUE(json["params"].empty());
    actions.insert(json["action"]);
  }
  EXPECT_EQ(actions.size(), list.size());
  ASSERT_TRUE(state.apply(find_option(state, "train").value()).has_value());
  EXPECT_EQ(state.decision().kind, DecisionKind::choose_n);
}

}  // namespace
}  // namespace parlor::games
