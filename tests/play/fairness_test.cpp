// Agents decide from what their seat can see: changing what is hidden never changes the
// distribution of their choices.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "play/agent.h"
#include "play/card_games.h"
#include "play/dice.h"

namespace parlor::play {
namespace {

using games::LeducPoker;
using games::NativeGame;

// Second player's first decision: they hold a king, the opponent raised with `hidden`.
template <class Rules>
State raised(const Game& game, std::int8_t hidden) {
  State state = game.start(1).value();
  for (const std::uint64_t option :
       {static_cast<std::uint64_t>(hidden), std::uint64_t{3}, std::uint64_t{2}})
    EXPECT_TRUE(state.try_apply(Option{option}));
  EXPECT_EQ(state.decision().player, PlayerId{1});
  return state;
}

// How often each option is chosen over many seeds.
std::vector<double> choices(const Game& game, const State& state, const std::string& text,
                            int seeds) {
  const auto agent = find_agent(text, game).value()();
  OptionList options;
  state.list_options(options);
  std::vector<double> shares(options.size());
  for (int seed = 0; seed < seeds; ++seed) {
    agent->begin(state, state.decision().player, static_cast<Seed>(seed));
    shares[agent->choose(state, options)] += 1.0 / seeds;
  }
  return shares;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum / 2;
}

TEST(Fairness, WhatIsHiddenNeverChangesTheDistributionOfChoices) {
  const NativeGame<LeducPoker> game;
  for (const char* agent : {"ismcts:iters=30", "flat:playouts=12", "greedy"}) {
    const auto against_jack = choices(game, raised<LeducPoker>(game, 1), agent, 3000);
    const auto against_ace = choices(game, raised<LeducPoker>(game, 6), agent, 3000);
    EXPECT_LT(distance(against_jack, against_ace), 0.05) << agent;
  }
}

// The same rules, wrongly declared open: the test above would notice an agent that peeks.
struct OpenLeduc : LeducPoker {
  static GameInfo info() {
    GameInfo info = LeducPoker::info();
    info.hidden_information = false;
    return info;
  }
};

TEST(Fairness, PeekingWouldBeNoticed) {
  const NativeGame<OpenLeduc> game;
  const auto against_jack = choices(game, raised<OpenLeduc>(game, 1), "mcts:iters=30", 500);
  const auto against_ace = choices(game, raised<OpenLeduc>(game, 6), "mcts:iters=30", 500);
  EXPECT_GT(distance(against_jack, against_ace), 0.3);
}

// A die inside the state that the rules roll when a player bets on it.
struct HiddenDie {
  Rng rng;
  std::int8_t over;
  std::int8_t gain;

  static GameInfo info() {
    GameInfo info;
    info.id = "hidden-die";
    info.has_chance = true;
    return info;
  }
  void start(Rng& from) { rng = Rng(from.next()); }
  Decision decision() const { return over != 0 ? Decision{} : games::turn_of(0); }
  void list(OptionList& out) const {
    if (over != 0) return;
    for (std::uint64_t face = 0; face < 4; ++face) out.add(Option{face});
  }
  void apply(std::uint64_t face) {
    gain = static_cast<std::uint64_t>(rng.between(0, 3)) == face ? 1 : -1;
    over = 1;
  }
  Outcome outcome() const { return games::two_player_outcome(gain > 0 ? 0 : 1, "rolled"); }
  Json view(const Viewer&) const { return {{"over", over}}; }
  std::string text(std::uint64_t face) const { return fmt::format("bet {}", face); }
  void resample(const Viewer&, Rng& from) { rng = Rng(from.next()); }
};

TEST(Fairness, NobodyForeseesTheDice) {
  const NativeGame<HiddenDie> game;
  for (const char* text : {"mcts:iters=40", "flat:playouts=40", "greedy:samples=4"}) {
    const auto agent = find_agent(text, game).value()();
    int wins = 0;
    constexpr int rounds = 800;
    for (int i = 0; i < rounds; ++i) {
      State state = game.start(static_cast<Seed>(i)).value();
      OptionList options;
      state.list_options(options);
      agent->begin(state, PlayerId{0}, static_cast<Seed>(i) + 7);
      ASSERT_TRUE(state.apply(options[agent->choose(state, options)]));
      wins += state.outcome().returns[0] > 0 ? 1 : 0;
    }
    EXPECT_NEAR(static_cast<double>(wins) / rounds, 0.25, 0.06) << text;
  }
}

}  // namespace
}  // namespace parlor::play
