// What people read: states and options in words, from the section `verbalization` and from names
// and properties, with no word about any single game in the engine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "games/shipped.h"

namespace parlor::games {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

std::vector<std::string> labels(const State& state) {
  OptionList options;
  state.list_options(options);
  std::vector<std::string> out;
  for (const Option option : options) out.push_back(state.option_label(option));
  return out;
}

std::string seen_by(const State& state, std::size_t player) {
  return state.describe(Viewer::player(PlayerId{player}));
}

TEST(Wording, CardsReadLikeCards) {
  const auto game = open_shipped("texas-holdem/texas-holdem");
  const std::string text = seen_by(start(*game), 0);
  const std::string card = "([2-9]|10|[JQKA])(♣|♦|♥|♠)";
  EXPECT_THAT(text,
              testing::ContainsRegex("hand of player 0 \\(2\\): " + card + " " + card + "\n"));
  EXPECT_THAT(text, HasSubstr("hand of player 1 (2): hidden\n"));
  EXPECT_THAT(text, HasSubstr("deck (48): hidden\n"));
  EXPECT_THAT(text, Not(HasSubstr("tok_")));
  EXPECT_THAT(text, Not(HasSubstr("strength"))) << "only the rules need it";
}

TEST(Wording, ACardWithANameIsCalledByItAndScriptsGoOn) {
  const auto game = open_shipped("market");
  const State state = start(*game);
  EXPECT_THAT(labels(state), Contains("play copper"));
  EXPECT_THAT(option_texts(state), Contains(MatchesRegex("play tok_card_[0-9]+")));
  EXPECT_THAT(seen_by(state, 0), HasSubstr("copper (money, coins 1) ×"));
}

TEST(Wording, PiecesOnAMapComeWithTheirPlace) {
  const auto game = open_shipped("insurgency/insurgency");
  State state = start(*game);
  const std::string text = seen_by(state, 0);
  EXPECT_THAT(text, HasSubstr("verdel (3): front-guerrilla (underground) ×3\n"));
  EXPECT_THAT(text, HasSubstr("republic-police ×")) << "the type's name says it all";
  bool placed = false;
  for (Seed seed = 1; seed <= 8 && !placed; ++seed)
    play_randomly(*game, seed, [&](const State& at) {
      OptionList options;
      State inside = at;
      for (int i = 0; i < 4 && !inside.finished(); ++i) {
        for (const std::string& option : labels(inside))
          placed = placed || option.find("garrison-troops in ") == 0;
        inside.list_options(options);
        if (!inside.apply(options[options.size() - 1])) break;
      }
    });
  EXPECT_TRUE(placed);
}

TEST(Wording, AVariableThatHoldsATokenSaysWhatTheTokenCarries_L30) {
  const auto game = open_shipped("surveyors");
  EXPECT_THAT(seen_by(start(*game), 0),
              HasSubstr("surveyor in a6 (6 boots, 2 horses, 2 axes, 3 sails)"));
}

TEST(Wording, AChoiceInsideAMoveSaysWhatIsAskedFor) {
  const auto game = open_shipped("amazons");
  State state = start(*game);
  EXPECT_EQ(state.question(), "") << "an action says it itself";
  take(state, 0);
  EXPECT_EQ(state.question(), "shoot at");
}

TEST(Wording, BoardsShowTheLettersOfTheSeats) {
  const auto chess_like = open_shipped("tic-tac-toe");
  State state = start(*chess_like);
  take(state, "place cell_0_1");
  take(state, "place cell_1_1");
  EXPECT_EQ(state.describe(),
            "Tic-tac-toe: turn 3, x to act\n"
            "  3  . x .\n"
            "  2  . o .\n"
            "  1  . . .\n"
            "     a b c\n");
}

TEST(Wording, HexagonsStandInTheirRowsUnderTheirColumns) {
  OpenOptions options;
  options.constants["size"] = "3";
  const auto game = open_shipped("hex", options);
  State state = start(*game);
  take(state, "place cell_2_1");
  EXPECT_THAT(state.describe(), HasSubstr("    a b c\n"
                                          "  1 . . .\n"
                                          "  2  . . r\n"
                                          "  3   . . .\n"));
  EXPECT_THAT(labels(state), Contains("place a3"));
}

TEST(Wording, PointsCalledLikeSquaresAreDrawnLikeThem) {
  const auto game = open_shipped("nine-mens-morris");
  State state = start(*game);
  take(state, "place a1");
  take(state, "place d6");
  const std::string text = state.describe();
  EXPECT_THAT(text, HasSubstr("  6    .   b   .\n"));
  EXPECT_THAT(text, HasSubstr("  1  w     .     .\n     a b c d e f g\n"));
  EXPECT_THAT(text, HasSubstr("hand of white (8): man (white) ×8\n"));
  EXPECT_THAT(text, Not(HasSubstr("positions"))) << "what a memory keeps is not for people";
}

TEST(Wording, KingsAreLarge) {
  const auto game =
      open_changed("english-draughts", {.replace = {{"king = false", "king = true"}}});
  EXPECT_THAT(start(*game).describe(), HasSubstr("  8  . B . B . B . B\n"));
  EXPECT_THAT(start(*open_shipped("english-draughts")).describe(),
              HasSubstr("  8  . b . b . b . b\n"));
}

// A tile as the game wants it drawn, and what stands on it.
TEST(Wording, TilesShowTheirKindAndWhoStandsOnThem) {
  const auto game = open_shipped("coalition/coalition");
  State state = start(*game);
  EXPECT_THAT(state.describe(), HasSubstr("  F . . . . . s . . . . .\n"));
  bool ressort = false, influence = false;
  play_randomly(*game, 3, [&](const State& at) {
    const std::string text = at.describe();
    ressort = ressort || testing::Matches(testing::ContainsRegex(" [dfm][1-5][ +\n]"))(text);
    influence = influence || testing::Matches(testing::ContainsRegex("[a-z1-5][+]00"))(text);
  });
  EXPECT_TRUE(ressort);
  EXPECT_TRUE(influence);
}

TEST(Wording, PatternsTakeTheirFirstLettersAndLeaveWhatIsNoPropertyAsItIs) {
  const auto game = open_changed(
      "coalition/coalition",
      {.replace = {{"{kind:1}{ressort:1}{value}", "<{kind:2}{kind:0}{kind:99}{colour}>"}}});
  EXPECT_THAT(start(*game).describe(), HasSubstr(" <ststart{colour}> "));
}

// Words are no rules: a game that was saved before they changed can be loaded.
TEST(Wording, DoesNotChangeTheRules) {
  const auto game = open_shipped("kuhn-poker");
  const auto reworded = open_changed("kuhn-poker", {.replace = {{"\"3\": K", "\"3\": King"}}});
  EXPECT_EQ(game->info().fingerprint, reworded->info().fingerprint);
  const auto changed = open_changed("kuhn-poker", {.replace = {{"stake = 2", "stake = 1"}}});
  EXPECT_NE(game->info().fingerprint, changed->info().fingerprint);
}

// Whatever the section holds, a game opens and can be shown.
TEST(Wording, OddEntriesDoNoHarm) {
  for (const char* words :
       {"{tokens: {card: \"{rank} {nothing} {\"}}", "{labels: [a], tokens: 3, omit: x}",
        "{values: {rank: 7}}", "{omit: [net, 5]}"}) {
    const auto game = open_changed(
        "kuhn-poker",
        {.replace = {
             {"{tokens: {card: \"{rank}\"}, values: {rank: {\"1\": J, \"2\": Q, \"3\": K}}, "
              "labels: {settled: the bets are paid}, omit: [over]}",
              words}}});
    EXPECT_FALSE(seen_by(start(*game), 0).empty()) << words;
  }
}

}  // namespace
}  // namespace parlor::games
