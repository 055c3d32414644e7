// Stored playthroughs: one seeded random game of every shipped game, as text. Any change of
// behaviour shows as a difference. After an intended change write them anew with
//   PARLOR_WRITE_PLAYTHROUGHS=1 build/tests/test_games --gtest_filter='*Playthrough*'
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

#include "games/shipped.h"
#include "source_dir.h"

namespace parlor::games {
namespace {

constexpr int shown = 60;  // decisions that are written out; the rest shows in the outcome

std::string decider(const State& state) {
  const Decision decision = state.decision();
  if (decision.kind == DecisionKind::chance) return "chance";
  return state.game().info().seats.empty() ? std::to_string(int{decision.player.value})
                                           : state.game().info().seats[decision.player.value];
}

std::string playthrough(const Game& game) {
  std::string out = fmt::format("game {}, seed 1\n", game.info().id);
  State state = start(game, 1);
  Rng rng(1);
  OptionList options;
  int decisions = 0;
  for (; !state.finished(); ++decisions) {
    state.list_options(options);
    const Option option = options[draw_option(options, rng)];
    if (decisions < shown)
      out += fmt::format("{}: {} (of {})\n", decider(state), state.option_text(option),
                         options.size());
    if (const Applied applied = state.apply(option); !applied) return out + applied.error().message;
  }
  return out + fmt::format("{} decisions, {}\n", decisions, canonical(to_json(state.outcome())));
}

TEST(Shipped, AllGamesAreThere) {
  EXPECT_THAT(shipped_names(), ::testing::IsSupersetOf({"tic-tac-toe",
                                                        "connect-four",
                                                        "reversi",
                                                        "english-draughts",
                                                        "breakthrough",
                                                        "hex",
                                                        "gomoku",
                                                        "amazons",
                                                        "nine-mens-morris",
                                                        "go",
                                                        "kuhn-poker",
                                                        "leduc-poker",
                                                        "texas-holdem",
                                                        "pig",
                                                        "market",
                                                        "insurgency",
                                                        "backgammon",
                                                        "kalah",
                                                        "onitama",
                                                        "quoridor",
                                                        "love-letter",
                                                        "liars-dice",
                                                        "hearts",
                                                        "auction",
                                                        "weir",
                                                        "surveyors"}));
}

class Playthrough : public ::testing::TestWithParam<std::string> {};

TEST_P(Playthrough, IsAsStored) {
  const auto game = open_shipped(GetParam());
  const std::string path = test::source_dir() + "/tests/games/playthroughs/" + GetParam() + ".txt";
  const std::string played = playthrough(*game);
  if (std::getenv("PARLOR_WRITE_PLAYTHROUGHS") != nullptr) {
    std::ofstream(path) << played;
    return;
  }
  std::stringstream stored;
  stored << std::ifstream(path).rdbuf();
  EXPECT_EQ(played, stored.str());
}

std::string playthrough_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::erase_if(name, [](char c) { return c == '-' || c == '+'; });
  return name;
}

INSTANTIATE_TEST_SUITE_P(Games, Playthrough, ::testing::ValuesIn(shipped_with_modules()),
                         playthrough_name);

}  // namespace
}  // namespace parlor::games
