#include "play/simulation.h"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "play/board_games.h"
#include "play/card_games.h"

namespace parlor::play {
namespace {

using games::NativeGame;

TEST(Agents, AreFoundByText) {
  const NativeGame<games::TicTacToe> game;
  ASSERT_TRUE(find_agent("random", game));
}

TEST(Agents, UnknownNamesSuggestTheNearest) {
  const NativeGame<games::TicTacToe> game;
  const auto agent = find_agent("randm", game);
  ASSERT_FALSE(agent);
  EXPECT_EQ(agent.error().code, Code::AGENT_UNKNOWN);
  EXPECT_THAT(agent.error().alternatives, testing::ElementsAre("random"));
}

TEST(Agents, UnknownParametersAreRefused) {
  const NativeGame<games::TicTacToe> game;
  const auto agent = find_agent("random:iters=3", game);
  ASSERT_FALSE(agent);
  EXPECT_EQ(agent.error().code, Code::AGENT_PARAMETER);
}

TEST(Agents, ListsAreSplitAtAgentsNotAtParameters) {
  EXPECT_THAT(split_agents("random,mcts:iters=100,c=2,random"),
              testing::ElementsAre("random", "mcts:iters=100,c=2", "random"));
  EXPECT_THAT(split_agents("mcts"), testing::ElementsAre("mcts"));
}

TEST(Agents, MustMatchTheSeats) {
  const NativeGame<games::TicTacToe> game;
  const std::vector<std::string> three{"random", "random", "random"};
  const auto makers = find_agents(three, game);
  ASSERT_FALSE(makers);
  EXPECT_EQ(makers.error().code, Code::AGENT_SEATS);
}

Json stable(const SimulationResult& result) {
  Json json = to_json(result);
  for (const char* timing : {"seconds", "gamesPerSecond", "decisionsPerSecond"}) json.erase(timing);
  return json;
}

template <class Rules>
Json run(unsigned threads, Seed seed, std::uint64_t count = 500) {
  const NativeGame<Rules> game;
  SimulationOptions options;
  options.games = count;
  options.seed = seed;
  options.threads = threads;
  return stable(simulate(game, options).value());
}

TEST(Simulation, DoesNotDependOnTheNumberOfThreads) {
  EXPECT_EQ(run<games::ConnectFour>(1, 7), run<games::ConnectFour>(3, 7));
  EXPECT_EQ(run<games::LeducPoker>(1, 7), run<games::LeducPoker>(4, 7));
  EXPECT_NE(run<games::ConnectFour>(1, 7), run<games::ConnectFour>(1, 8));
}

// 58.5% first player, 28.8% second player, 12.7% drawn: known values of uniform random play.
TEST(Simulation, RandomTicTacToeHasItsKnownResults) {
  const NativeGame<games::TicTacToe> game;
  SimulationOptions options;
  options.games = 20'000;
  const auto result = simulate(game, options).value();
  EXPECT_EQ(result.games, 20'000U);
  EXPECT_NEAR(static_cast<double>(result.seats[0].wins) / 20'000, 0.585, 0.015);
  EXPECT_NEAR(static_cast<double>(result.seats[1].wins) / 20'000, 0.288, 0.015);
  EXPECT_EQ(result.seats[0].shared, result.outcomes.at("full"));
  EXPECT_EQ(result.outcomes.at("full") + result.outcomes.at("line"), 20'000U);
  EXPECT_EQ(result.shortest, 5U);
  EXPECT_EQ(result.longest, 9U);
}

TEST(Simulation, PartsAddUpToTheWhole) {
  const NativeGame<games::ConnectFour> game;
  SimulationOptions options;
  options.games = 101;
  const Json whole = stable(simulate(game, options).value());
  SimulationResult sum;
  for (std::uint64_t rank = 0; rank < 3; ++rank) {
    SimulationOptions part = options;
    part.first_game = rank;
    part.stride = 3;
    part.games = (101 - rank + 2) / 3;
    sum.add(simulate(game, part).value());
  }
  EXPECT_EQ(stable(sum), whole);
}

TEST(Simulation, CutsLongGamesAndSaysSo) {
  const NativeGame<games::ConnectFour> game;
  SimulationOptions options;
  options.games = 20;
  options.max_decisions = 5;
  const auto result = simulate(game, options).value();
  EXPECT_EQ(result.unfinished, 20U);
  EXPECT_EQ(result.outcomes.at("unfinished"), 20U);
  EXPECT_EQ(result.decisions, 100U);
}

TEST(Simulation, CancellingGivesThePartialResult) {
  const NativeGame<games::ConnectFour> game;
  std::atomic<bool> cancel = false;
  SimulationOptions options;
  options.games = 2'000'000'000;
  options.threads = 2;
  options.cancel = &cancel;
  options.progress = [&](const SimulationProgress& progress) {
    if (progress.done > 10) cancel = true;
  };
  const auto result = simulate(game, options).value();
  EXPECT_FALSE(result.complete);
  EXPECT_GT(result.games, 10U);
  EXPECT_LT(result.games, options.games);
}

TEST(Simulation, WritesATraceForEachGame) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "parlor-traces";
  std::filesystem::remove_all(folder);
  const NativeGame<games::TicTacToe> game;
  SimulationOptions options;
  options.games = 3;
  options.traces = folder;
  ASSERT_TRUE(simulate(game, options));
  std::ifstream file(folder / "game-000002.jsonl");
  std::vector<Json> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(Json::parse(line));
  ASSERT_GE(lines.size(), 6U);
  EXPECT_EQ(lines[0]["n"], 0);
  EXPECT_EQ(lines[0]["options"].size(), 9U);
  EXPECT_TRUE(lines.back().contains("outcome"));
  std::filesystem::remove_all(folder);
}

TEST(Simulation, RotationGivesEachAgentEverySeat) {
  const NativeGame<games::TicTacToe> game;
  SimulationOptions options;
  options.games = 1000;
  options.agents = {"random", "random"};
  options.rotate = true;
  const auto result = simulate(game, options).value();
  EXPECT_EQ(result.agents[0].games, 1000U);
  EXPECT_NEAR(result.agents[0].score(), 0.5, 0.06);
  EXPECT_GT(result.seats[0].score(), 0.58);
}

// Tic-tac-toe, which says how it ended by a number, but for drawn games, which are read each time.
class TellingTicTacToe final : public NativeGame<games::TicTacToe>, public TellsEnds {
 public:
  void read_outcome(const StateBlock& block, Outcome& out) const override { out = outcome(block); }
  std::uint32_t ending(const StateBlock& block) const override {
    const Outcome out = outcome(block);
    return out.winners.size() == 1 ? 7 + out.winners[0].value : no_ending;
  }
  // Chains of two lengths, one of which is longer than what is collected.
  std::size_t hash_words(const StateBlock& block, HashLane lane) const override {
    lane.put(0, hash(block));
    return hash(block) % 3 == 0 ? 1'000'000 : 1;
  }
};

// V-08: counting endings instead of games is a matter of speed alone.
TEST(Simulation, CountsTheSameWhetherOrNotAGameTellsItsEnds) {
  SimulationOptions options;
  options.agents = {"random", "greedy"};
  for (const bool rotate : {false, true})
    for (const std::uint64_t count : {1, 6, 3000}) {  // 3000: numbers are taken several at a time
      options.games = count;
      options.rotate = rotate;
      const Json plain = stable(simulate(NativeGame<games::TicTacToe>{}, options).value());
      EXPECT_EQ(stable(simulate(TellingTicTacToe{}, options).value()), plain);
    }
}

// V-08: taking several numbers at a time leaves none out.
TEST(Simulation, PlaysEveryGameOnceHoweverManyThereAre) {
  const NativeGame<games::TicTacToe> game;
  for (const std::uint64_t count : {1, 255, 257, 1000, 70'001}) {
    SimulationOptions options;
    options.games = count;
    options.threads = 3;
    SimulationResult halves;
    options.stride = 2;
    for (const std::uint64_t first : {0, 1}) {
      options.first_game = first;
      options.games = (count + 1 - first) / 2;
      halves.add(simulate(game, options).value());
    }
    options.first_game = 0;
    options.stride = 1;
    options.games = count;
    EXPECT_EQ(stable(simulate(game, options).value()), stable(halves)) << count;
  }
}

}  // namespace
}  // namespace parlor::play
