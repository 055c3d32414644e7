// Pig with a fixed strategy: what it is worth exactly, and what simulation finds.
#include <array>
#include <cmath>
#include <gtest/gtest.h>

#include "games/shipped.h"

namespace parlor::games {
namespace {

constexpr int goal = 100;
constexpr int enough = 20;
bool holds(int score, int turn) {
  return turn >= enough || score + turn >= goal;
}

// How a turn ends for a player with this score: by points banked, 0 for a 1 rolled.
using Turn = std::array<double, 26>;
Turn turn_from(int score) {
  Turn ends{};
  std::array<double, 26> open{};
  open[0] = 1;
  for (std::size_t total = 0; total < open.size(); ++total) {
    if (open[total] == 0) continue;
    if (holds(score, static_cast<int>(total))) {
      ends[total] += open[total];
      continue;
    }
    ends[0] += open[total] / 6;
    for (std::size_t pips = 2; pips <= 6; ++pips) open[total + pips] += open[total] / 6;
  }
  return ends;
}

// The chance to win of the player to roll, both holding at 20. A lost turn changes only who is to
// roll, so the two players' chances at the same pair of scores are solved together.
class Chances {
 public:
  Chances() : win_(goal, std::vector<double>(goal, -1)) {}
  double of(int mine, int theirs) {
    double& known = win_[static_cast<std::size_t>(mine)][static_cast<std::size_t>(theirs)];
    if (known >= 0) return known;
    const auto [a, p] = banked(mine, theirs);
    const auto [b, q] = banked(theirs, mine);
    // x = a + p (1 - y),  y = b + q (1 - x)
    known = (a + p * (1 - b - q)) / (1 - p * q);
    return known;
  }

 private:
  // The chance to win after banking something, and the chance to bank nothing.
  std::pair<double, double> banked(int mine, int theirs) {
    const Turn turn = turn_from(mine);
    double win = 0;
    for (int points = 1; points < 26; ++points)
      if (const double chance = turn[static_cast<std::size_t>(points)]; chance > 0)
        win += chance * (mine + points >= goal ? 1 : 1 - of(theirs, mine + points));
    return {win, turn[0]};
  }
  std::vector<std::vector<double>> win_;
};

TEST(Pig, HoldAtTwentyBanksEightPointsATurn) {
  double expected = 0;
  const Turn turn = turn_from(0);
  for (std::size_t points = 0; points < turn.size(); ++points)
    expected += static_cast<double>(points) * turn[points];
  EXPECT_NEAR(expected, 8.14, 0.005);  // as published
  EXPECT_NEAR(turn[0], 0.6245, 0.0005);
}

// Plays one game; whether the first player won.
bool first_wins(const Game& game, Seed seed) {
  State state = start(game, seed);
  OptionList options;
  while (!state.finished()) {
    const Json view = state.view();
    const int player = state.decision().player.value;
    const int score =
        view.at("players").at(static_cast<std::size_t>(player)).at("score").get<int>();
    const int total = view.at("globals").at("turnTotal").get<int>();
    state.list_options(options);
    const std::string wanted = holds(score, total) ? "hold" : "roll";
    bool found = false;
    for (const Option option : options) {
      if (state.option_json(option).at("action") != wanted) continue;
      found = state.apply(option).has_value();
      break;
    }
    if (!found) {
      ADD_FAILURE() << wanted << " is not offered";
      return false;
    }
  }
  return state.outcome().winners.at(0).value == 0;
}

void compare(int games) {
  const auto game = open_shipped("pig");
  int wins = 0;
  for (int seed = 1; seed <= games; ++seed) wins += first_wins(*game, static_cast<Seed>(seed));
  Chances chances;
  const double exact = chances.of(0, 0);
  const double deviation = std::sqrt(exact * (1 - exact) / games);
  EXPECT_NEAR(static_cast<double>(wins) / games, exact, 4 * deviation);
}

TEST(Pig, SimulationAgreesWithTheExactChanceToWin) {
  compare(400);
}
TEST(SlowPig, SimulationAgreesWithTheExactChanceToWin) {
  compare(20000);
}

}  // namespace
}  // namespace parlor::games
