#include <fmt/format.h>
#include <gtest/gtest.h>

#include "play/board_games.h"
#include "play/card_games.h"
#include "play/cfr.h"
#include "play/playout.h"
#include "play/simulation.h"

namespace parlor::play {
namespace {

using games::NativeGame;

// The first agent's tally over games in which the two take turns in sitting first.
template <class Rules>
Tally duel(std::string first, std::string second, std::uint64_t count, Seed seed = 1) {
  const NativeGame<Rules> game;
  SimulationOptions options;
  options.games = count;
  options.seed = seed;
  options.agents = {std::move(first), std::move(second)};
  options.rotate = true;
  return simulate(game, options).value().agents[0];
}

TEST(Agents, EachKindIsDeterministicAndIndependentOfThreads) {
  const NativeGame<games::ConnectFour> game;
  for (const char* agent : {"random", "greedy", "flat:playouts=20", "mcts:iters=30",
                            "ismcts:iters=30", "mcts:iters=30,threads=2", "alphabeta:depth=2"}) {
    SimulationOptions options;
    options.games = 6;
    options.agents = {agent, "random"};
    options.threads = 1;
    const auto once = simulate(game, options).value();
    options.threads = 3;
    const auto again = simulate(game, options).value();
    EXPECT_EQ(once.checksum, again.checksum) << agent;
    options.seed = 2;
    EXPECT_NE(simulate(game, options).value().checksum, once.checksum) << agent;
  }
}

TEST(Agents, ParametersAreChecked) {
  const NativeGame<games::ConnectFour> game;
  EXPECT_TRUE(find_agent("mcts:iters=2000,c=1.2", game));
  EXPECT_EQ(find_agent("mcts:itres=2000", game).error().alternatives.front(), "iters");
  EXPECT_EQ(find_agent("mcts:iters=many", game).error().code, Code::AGENT_PARAMETER);
  EXPECT_EQ(find_agent("mcts:c=-1", game).error().code, Code::AGENT_PARAMETER);
  EXPECT_EQ(find_agent("mcts:iters", game).error().code, Code::AGENT_PARAMETER);
}

// V-22: rules may be so slow that one game played on at random takes minutes.
TEST(Playouts, EndInTheMiddleWhenPatienceIsOut_V22) {
  const NativeGame<games::Breakthrough> game;
  const State first = game.start(1).value();
  const auto decisions = [&](const Patience& patience) {
    State state = first;
    Rng rng(1);
    OptionList listed;
    std::array<std::int64_t, 2> returns{};
    state.list_options(listed);
    play_out(state, listed, rng, 2000, returns, patience);
    std::size_t count = 0;
    for (State again = first; again != state; ++count) {  // the same numbers, the same game
      static OptionList options;
      if (count == 0) rng = Rng(1);
      again.list_options(options);
      if (!again.apply(options[pick_option(rng, options)])) break;
    }
    return std::pair{count, state.finished()};
  };
  EXPECT_TRUE(decisions({}).second);
  EXPECT_TRUE(decisions({.until = Patience::Clock::now() + std::chrono::hours(1)}).second);
  const auto late = decisions({.until = Patience::Clock::now() - std::chrono::seconds(1)});
  EXPECT_FALSE(late.second);
  EXPECT_LT(late.first, 10u);
  const std::atomic<bool> wanted = false;
  EXPECT_FALSE(decisions({.wanted = &wanted}).second);
}

TEST(Agents, ThatWouldPeekAreRefused) {
  const NativeGame<games::KuhnPoker> kuhn;
  EXPECT_EQ(find_agent("mcts", kuhn).error().code, Code::AGENT_UNFIT);
  EXPECT_EQ(find_agent("alphabeta", kuhn).error().code, Code::AGENT_UNFIT);
  EXPECT_TRUE(find_agent("ismcts", kuhn));
  const NativeGame<games::ConnectFour> large;
  EXPECT_EQ(find_agent("cfr:nodes=1000", large).error().code, Code::AGENT_UNFIT);
}

TEST(Strength, MctsBeatsRandom) {
  EXPECT_GE(duel<games::ConnectFour>("mcts:iters=200", "random", 100).score(), 0.95);
  EXPECT_GE(duel<games::Breakthrough>("mcts:iters=200", "random", 60).score(), 0.95);
}

TEST(Strength, FlatMonteCarloBeatsRandom) {
  EXPECT_GE(duel<games::ConnectFour>("flat:playouts=200", "random", 60).score(), 0.9);
}

TEST(Strength, GreedyBeatsRandomWhereThereIsMaterial) {
  EXPECT_GE(duel<games::Breakthrough>("greedy", "random", 100).score(), 0.8);
}

TEST(Strength, AlphaBetaBeatsGreedy) {
  EXPECT_GE(duel<games::Breakthrough>("alphabeta:depth=3", "greedy", 40).score(), 0.85);
}

TEST(Strength, AlphaBetaPlaysTicTacToePerfectly) {
  EXPECT_EQ(duel<games::TicTacToe>("alphabeta:depth=9", "random", 200).losses, 0U);
  EXPECT_EQ(duel<games::TicTacToe>("alphabeta:depth=9", "alphabeta:depth=9", 20).shared, 20U);
}

TEST(SlowStrength, MctsNeverLosesTicTacToeAgainstOptimalPlay) {
  // With 2,000 iterations it loses about one game in a thousand.
  const Tally tally = duel<games::TicTacToe>("mcts:iters=5000", "alphabeta:depth=9", 1000);
  EXPECT_EQ(tally.losses, 0U);
  EXPECT_EQ(tally.shared, 1000U);
}

TEST(SlowStrength, MoreIterationsWinMore) {
  const Tally small = duel<games::ConnectFour>("mcts:iters=100", "mcts:iters=25", 100);
  const Tally middle = duel<games::ConnectFour>("mcts:iters=400", "mcts:iters=100", 100);
  const Tally large = duel<games::ConnectFour>("mcts:iters=1600", "mcts:iters=400", 60);
  RecordProperty("iters 100 against 25", fmt::format("{:.2f}", small.score()));
  RecordProperty("iters 400 against 100", fmt::format("{:.2f}", middle.score()));
  RecordProperty("iters 1600 against 400", fmt::format("{:.2f}", large.score()));
  EXPECT_GT(small.score(), 0.6);
  EXPECT_GT(middle.score(), 0.6);
  EXPECT_GT(large.score(), 0.6);
}

TEST(Strength, ReusingTheTreeHelpsOrAtLeastDoesNotHurt) {
  EXPECT_GE(duel<games::ConnectFour>("mcts:iters=100", "mcts:iters=100,reuse=0", 300).score(),
            0.45);
}

TEST(Cfr, SolvesKuhnPoker) {
  const NativeGame<games::KuhnPoker> game;
  const auto solution = solve(game, {.iterations = 2000}).value();
  EXPECT_EQ(solution->information_sets(), 12U);
  EXPECT_NEAR(solution->value(PlayerId{0}), -1.0 / 18, 1e-4);
  EXPECT_NEAR(solution->value(PlayerId{1}), 1.0 / 18, 1e-4);
  EXPECT_GE(solution->exploitability(), 0);
  EXPECT_LT(solution->exploitability(), 1e-3);
}

TEST(Cfr, PlainCfrConvergesToo) {
  const NativeGame<games::KuhnPoker> game;
  const auto rough = solve(game, {.iterations = 10, .plus = false}).value();
  const auto fine = solve(game, {.iterations = 5000, .plus = false}).value();
  EXPECT_LT(fine->exploitability(), 0.01);
  EXPECT_LT(fine->exploitability(), rough->exploitability());
}

TEST(Cfr, SolvesLeducPokerToItsKnownValue) {
  const NativeGame<games::LeducPoker> game;
  const auto solution = solve(game, {.iterations = 300}).value();
  EXPECT_EQ(solution->information_sets(), 288U);
  EXPECT_NEAR(solution->value(PlayerId{0}), -0.0856, 1e-3);
  EXPECT_LT(solution->exploitability(), 0.01);
}

TEST(Cfr, TheAgentPlaysTheSolution) {
  EXPECT_GT(duel<games::LeducPoker>("cfr:iters=100", "random", 4000).mean_return(), 0.5);
  // Against an equilibrium nobody wins in the long run.
  EXPECT_LT(duel<games::KuhnPoker>("random", "cfr", 4000).mean_return(), 0.05);
}

}  // namespace
}  // namespace parlor::play
