// The house rule of docs/modules.md, as it stands there, on Texas hold'em.
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "games/shipped.h"
#include "source_dir.h"

namespace parlor::games {
namespace {

std::string straddle_text() {
  std::ifstream in{test::source_dir() + "/docs/modules.md"};
  std::string line, out;
  while (std::getline(in, line) && line != "<!-- straddle -->") {
  }
  std::getline(in, line);
  while (std::getline(in, line) && line != "```") out += line + "\n";
  return out;
}

std::shared_ptr<const Game> with_straddle(std::size_t players) {
  OpenOptions options;
  options.players = players;
  return open_changed("texas-holdem", {.modules = {{"straddle", straddle_text()}}}, options);
}

std::int64_t chips(const State& state) {
  std::int64_t all = 0;
  const Json view = state.view();
  for (const Json& player : view["players"])
    all += player["chips"].get<std::int64_t>() + player["committed"].get<std::int64_t>();
  return all;
}

TEST(Straddle, IsAboutTwentyLines) {
  const std::string text = straddle_text();
  EXPECT_LE(std::ranges::count(text, '\n'), 24);
  EXPECT_THAT(with_straddle(3)->info().rules, ::testing::ElementsAre("straddle"));
}

TEST(Straddle, WhoeverSpeaksFirstMayDoubleTheBlindAndKeepsTheLastWord) {  // M-04, M-10
  const auto game = with_straddle(3);
  State state = start(*game);
  const auto first = state.decision().player;
  const std::int64_t blind = global(state, "bigBlind");
  EXPECT_THAT(option_texts(state), ::testing::Contains("straddle.post"));
  take(state, "straddle.post");
  EXPECT_EQ(global(state, "currentBet"), 2 * blind);
  EXPECT_NE(state.decision().player, first);
  EXPECT_THAT(option_texts(state), ::testing::Not(::testing::Contains("straddle.post")))
      << "only the first";
  take(state, "call");
  take(state, "call");
  EXPECT_EQ(state.decision().player, first) << "the bet came back: the last word";
  EXPECT_EQ(state.view()["phase"], "preflop");
  take(state, "check");
  EXPECT_EQ(state.view()["phase"], "flop");
  EXPECT_EQ(chips(state), 3000);
}

TEST(Straddle, IsPlayedInWholeTournaments) {
  const auto game = with_straddle(4);
  for (Seed seed = 1; seed <= 3; ++seed) {
    const State end =
        play_randomly(*game, seed, [](const State& state) { ASSERT_EQ(chips(state), 4000); });
    EXPECT_TRUE(end.finished());
  }
}

}  // namespace
}  // namespace parlor::games
