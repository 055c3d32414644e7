// T-12: what an agent chooses follows from what its player knows and its own random numbers. So in
// two worlds its player cannot tell apart it chooses the same, and against fair dice, sealed hands
// and cards drawn unseen nobody does better than chance.
#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <iostream>
#include <map>

#include "game/secrecy.h"
#include "games/hidden_games.h"
#include "games/histories.h"
#include "play/agent.h"
#include "play/dice.h"
#include "play/simulation.h"
#include "rounds.h"
#include "secrecy/agents.h"

namespace parlor::games {
namespace {

// Every kind of agent, small enough to try often.
std::string small(const play::AgentKind& kind) {
  static const std::map<std::string_view, std::string> numbers{
      {"greedy", ":samples=3"},           {"flat", ":playouts=20,depth=20"},
      {"mcts", ":iters=25,depth=20"},     {"ismcts", ":iters=25,depth=20"},
      {"alphabeta", ":depth=1,nodes=50"}, {"cfr", ":iters=20,nodes=60000"}};
  const auto found = numbers.find(kind.name);
  return std::string(kind.name) + (found == numbers.end() ? "" : found->second);
}

// Those that play this game, made once: some prepare for long. An agent that needs open information
// is refused, it never cheats.
using Agents = std::vector<std::pair<std::string, play::AgentMaker>>;
Agents agents_for(const Game& game) {
  Agents out;
  for (const play::AgentKind& kind : play::agent_kinds())
    if (auto maker = play::find_agent(small(kind), game)) out.emplace_back(small(kind), *maker);
  return out;
}

class FairBots : public testing::TestWithParam<std::string> {};

TEST_P(FairBots, ChooseTheSameWhateverIsHidden) {
  const auto game = open_shipped(GetParam());
  const Agents agents = agents_for(*game);
  for (const auto& [text, make] : agents) {
    test::PeekSearch search;
    search.enough = test::thoroughly() ? 0 : 20;
    const auto peeking = test::find_peeking(*game, test::sitting(make), search);
    EXPECT_FALSE(peeking) << text << ": " << peeking->message;
    EXPECT_GE(search.compared, 5) << text << " had nothing to choose";
  }
  EXPECT_GE(agents.size(), 4U) << "random, greedy, flat and ismcts play everything";
}

INSTANTIATE_TEST_SUITE_P(Games, FairBots, testing::ValuesIn(hiding_games()),
                         [](const auto& info) { return file_name(info.param); });

// ---- Agents that follow the whole game, from its first card on

class FollowingBots : public testing::TestWithParam<std::string> {};

TEST_P(FollowingBots, ChooseTheSameAfterGamesThatLookedTheSame) {
  OpenOptions open;
  open.explicit_chance = true;
  const auto game = open_shipped(GetParam(), open);
  const Agents agents = agents_for(*game);
  int compared = 0;
  for (Seed seed = 1; seed <= 4; ++seed) {
    const State first = start(*game, seed);
    History real{{}, first, 1};
    Rng rng(seed);
    OptionList options;
    for (int n = 0; n < 14 && !real.state.finished(); ++n) {
      real.state.list_options(options);
      const PlayerId seat = real.state.decision().player;
      if (!seat.is_none() && options.size() > 1)
        for (const History& other : histories_like(first, real.options, Viewer::player(seat), 12)) {
          if (other.state == real.state) continue;
          for (const auto& [text, make] : agents) {
            const auto peeking = test::find_peeking_after(
                {first, real.options}, {first, other.options}, seat, seed, test::sitting(make));
            ASSERT_FALSE(peeking) << text << ": " << peeking->message;
          }
          ++compared;
          break;
        }
      real.options.push_back(options[draw_option(options, rng)]);
      ASSERT_TRUE(real.state.apply(real.options.back()));
    }
  }
  EXPECT_GE(compared, 4);
}

INSTANTIATE_TEST_SUITE_P(
    Games, FollowingBots,
    testing::Values("kuhn-poker", "leduc-poker", "../tests/games/hidden/rock-paper-scissors",
                    "../tests/games/hidden/guess-the-die", "../tests/games/hidden/blind-auction",
                    "../tests/games/hidden/bluff-dice", "../tests/games/hidden/treasure"),
    [](const auto& info) { return file_name(info.param); });

// ---- Where nobody can know anything, nobody does better than chance

struct Luck {
  std::string game;
  std::string agent;
};

// Against random play, taking turns in beginning, everybody scores a half at these games.
double score_by_luck(const Luck& luck, std::uint64_t games) {
  play::SimulationOptions options;
  options.games = games;
  options.agents = {luck.agent, "random"};
  options.rotate = true;
  options.max_decisions = 2000;
  return play::simulate(*open_shipped(luck.game), options).value().agents[0].score();
}

std::vector<Luck> games_of_luck() {
  std::vector<Luck> out;
  for (const char* name : {"rock-paper-scissors", "guess-the-die", "old-maid", "thief"}) {
    const std::string path = fmt::format("../tests/games/hidden/{}", name);
    for (const auto& [text, make] : agents_for(*open_shipped(path))) out.push_back({path, text});
  }
  return out;
}

// Five standard deviations of a mean of results between 0 and 1.
double five_sigma(std::uint64_t games) {
  return 5 * 0.5 / std::sqrt(static_cast<double>(games));
}

TEST(GamesOfLuck, AreWonByHalf) {
  constexpr std::uint64_t games = 150;
  for (const Luck& luck : games_of_luck())
    EXPECT_NEAR(score_by_luck(luck, games), 0.5, five_sigma(games)) << luck.game << luck.agent;
}

TEST(SlowGamesOfLuck, AreWonByHalf) {
  constexpr std::uint64_t games = 4000;
  for (const Luck& luck : games_of_luck()) {
    const double score = score_by_luck(luck, games);
    std::cout << fmt::format("{:<40} {:<28} {:.1f}%\n", luck.game, luck.agent, 100 * score);
    EXPECT_NEAR(score, 0.5, five_sigma(games)) << luck.game << luck.agent;
  }
}

// Nobody sees under the cup: one guess in six is right.
TEST(GamesOfLuck, ADieUnderACupIsGuessedOnceInSix) {
  constexpr std::uint64_t games = 300;
  const auto game = open_shipped("../tests/games/hidden/guess-the-die");
  for (const auto& [agent, make] : agents_for(*game)) {
    play::SimulationOptions options;
    options.games = games;
    options.agents = {agent, "random"};
    const auto tally = play::simulate(*game, options).value().agents[0];
    EXPECT_NEAR(static_cast<double>(tally.wins) / games, 1.0 / 6, 0.11) << agent;
  }
}

}  // namespace
}  // namespace parlor::games
