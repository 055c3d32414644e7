#include "play/evaluation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "play/card_games.h"
#include "play/degenerate_games.h"
#include "play/report.h"

namespace parlor::play {
namespace {

using games::NativeGame;
using testing::ElementsAre;
using testing::IsEmpty;

template <class Rules>
Evaluation evaluated(std::uint64_t count = 50, std::size_t iterations = 60) {
  const NativeGame<Rules> game;
  EvaluationOptions options;
  options.games = count;
  options.iterations = iterations;
  options.max_decisions = 400;
  return evaluate(game, options).value();
}

std::vector<std::string> codes(const Evaluation& evaluation) {
  std::vector<std::string> names;
  for (const Flag& flag : evaluation.flags) names.emplace_back(code_name(flag.code));
  return names;
}

template <class Rules>
std::vector<std::string> flags_of() {
  return codes(evaluated<Rules>());
}

TEST(DegenerateGames, EachRaisesExactlyItsFlag) {
  EXPECT_THAT(flags_of<games::EndlessLamp>(), ElementsAre("LOOP_DETECTED"));
  EXPECT_THAT(flags_of<games::EndlessPassing>(), ElementsAre("LOOP_DETECTED"));
  EXPECT_THAT(flags_of<games::EndlessCounting>(), ElementsAre("STALL"));
  EXPECT_THAT(flags_of<games::StuckTicTacToe>(), ElementsAre("NO_LEGAL_MOVES"));
  EXPECT_THAT(flags_of<games::GoldRush>(), ElementsAre("DOMINANT_ACTION"));
  EXPECT_THAT(flags_of<games::StopAtOnce<0>>(), ElementsAre("TRIVIAL_WIN"));
  EXPECT_THAT(flags_of<games::StopAtOnce<1>>(), ElementsAre("TRIVIAL_WIN"));
  EXPECT_THAT(flags_of<games::UnfairRace<0>>(), ElementsAre("FIRST_PLAYER_ADVANTAGE"));
  EXPECT_THAT(flags_of<games::UnfairRace<2>>(), ElementsAre("FIRST_PLAYER_ADVANTAGE"));
  EXPECT_THAT(flags_of<games::DeadActionTicTacToe>(), ElementsAre("UNREACHABLE_ACTION"));
  EXPECT_THAT(flags_of<games::RunawayTicTacToe>(), ElementsAre("TRIGGER_DEPTH_EXCEEDED"));
}

TEST(HealthyGames, RaiseNoFlag) {
  EXPECT_THAT(flags_of<games::TicTacToe>(), IsEmpty());
  EXPECT_THAT(flags_of<games::ConnectFour>(), IsEmpty());
  EXPECT_THAT(flags_of<games::Breakthrough>(), IsEmpty());
  EXPECT_THAT(flags_of<games::KuhnPoker>(), IsEmpty());
  EXPECT_THAT(flags_of<games::LeducPoker>(), IsEmpty());
}

TEST(Evaluation, FlagsCarryEvidence) {
  const auto gold = evaluated<games::GoldRush>();
  ASSERT_EQ(gold.flags.size(), 1U);
  EXPECT_EQ(gold.flags[0].evidence["action"], "gold");
  EXPECT_GT(gold.flags[0].evidence["scoreAgainstRandom"], 0.9);
  const auto stop = evaluated<games::StopAtOnce<0>>();
  ASSERT_EQ(stop.flags.size(), 1U);
  EXPECT_EQ(stop.flags[0].evidence["first"], "stop");
  EXPECT_EQ(stop.flags[0].evidence["moves"], 1);
  const auto lamp = evaluated<games::EndlessLamp>();
  ASSERT_EQ(lamp.flags.size(), 1U);
  EXPECT_GT(lamp.flags[0].evidence["repetition"]["times"], 3);
}

TEST(Evaluation, MeasuresConnectFour) {
  const auto evaluation = evaluated<games::ConnectFour>();
  const Metrics& metrics = evaluation.metrics;
  EXPECT_EQ(metrics.finished, 1);
  EXPECT_GT(metrics.length.mean, 12);
  EXPECT_LT(metrics.length.most, 43);
  EXPECT_LE(metrics.branching.most, 7);
  EXPECT_GT(metrics.decisive, 0.7);
  EXPECT_NEAR(metrics.seat_scores[0] + metrics.seat_scores[1], 1, 1e-9);
  EXPECT_LT(metrics.seat_intervals[0].low, metrics.seat_scores[0]);
  EXPECT_GT(metrics.seat_intervals[0].high, metrics.seat_scores[0]);
  EXPECT_GT(metrics.lead_changes, 0);
  EXPECT_GT(metrics.distinct_games, 0.9);
  ASSERT_EQ(evaluation.skill.size(), 2U);
  EXPECT_GT(evaluation.skill[0].tally.score(), 0.9);
  EXPECT_GT(evaluation.skill[1].tally.score(), 0.5);
  EXPECT_EQ(evaluation.main.values.size(), 7U);
}

// L-33: whatever is measured says how sure it is.
TEST(Evaluation, EveryNumberHasAnIntervalAroundIt_L33) {
  const Evaluation seen = evaluated<games::ConnectFour>(40, 30);
  const Json metrics = to_json(seen)["metrics"];
  for (const char* name : {"length", "moves", "branching", "finished", "decisive", "draws",
                           "scores", "leadChanges", "comebacks", "decidedAt", "actionEntropy",
                           "valueEntropy", "interaction", "distinctGames"}) {
    ASSERT_TRUE(metrics["intervals"].contains(name)) << name;
    const Json& told = metrics[name];
    const double value = told.is_object() ? told["mean"].get<double>() : told.get<double>();
    const Interval& around = seen.metrics.intervals.at(name);
    EXPECT_LE(around.low, value + 1e-9) << name;
    EXPECT_GE(around.high, value - 1e-9) << name;
  }
  const Interval& few = seen.metrics.intervals.at("length");
  const Interval many = evaluated<games::ConnectFour>(160, 30).metrics.intervals.at("length");
  EXPECT_LT(many.high - many.low, few.high - few.low) << "four times the games say more";
}

// What was chosen, in how many games, and how many of these the player won who chose it.
TEST(Evaluation, CountsWinsByOpeningActionAndPlace_L33) {
  const Evaluation seen = evaluated<games::ConnectFour>(60, 60);
  const std::vector<WinRate> openings = win_rates(seen.main.opening_wins, 2);
  EXPECT_FALSE(openings.empty());
  std::uint64_t games = 0;
  double wins = 0;
  for (const WinRate& row : openings) {
    EXPECT_LE(row.interval.low, row.rate) << row.name;
    EXPECT_GE(row.interval.high, row.rate) << row.name;
    games += row.fortune.games;
    wins += row.fortune.wins;
  }
  EXPECT_EQ(games, 120u) << "everybody opens every game once";
  EXPECT_NEAR(wins, 60, 1e-6) << "every game is won once, or shared";
  EXPECT_FALSE(to_json(seen)["winRates"]["openings"].empty());
}

TEST(Evaluation, SaysWhatBotsHadToGuess_L33) {
  EXPECT_THAT(guesses(evaluated<games::KuhnPoker>(20, 20)), testing::Not(IsEmpty()))
      << "cards are hidden";
}

// The same number in the text, in JSON and on the page.
TEST(Evaluation, EvennessIsOneNumber_L33) {
  const Evaluation seen = evaluated<games::ConnectFour>(20, 20);
  const Evenness even = evenness(seen);
  EXPECT_GE(even.value, even.interval.low);
  EXPECT_LE(even.value, even.interval.high);
  EXPECT_THAT(html_report(seen), testing::HasSubstr("evenness of " + std::string{even.of}));
  const Json metrics = to_json(seen)["metrics"];
  EXPECT_EQ(metrics[even.of == "actions" ? "actionEntropy" : "valueEntropy"].get<double>(),
            even.value);
}

TEST(Evaluation, DoesNotDependOnTheNumberOfThreads) {
  const NativeGame<games::ConnectFour> game;
  EvaluationOptions options;
  options.games = 10;
  options.iterations = 20;
  options.threads = 1;
  Json once = to_json(evaluate(game, options).value());
  options.threads = 3;
  Json again = to_json(evaluate(game, options).value());
  once.erase("seconds");
  again.erase("seconds");
  EXPECT_EQ(once, again);
}

TEST(Evaluation, StoppedEarlyReportsWhatIsKnown) {
  const NativeGame<games::ConnectFour> game;
  std::atomic<bool> cancel = false;
  EvaluationOptions options;
  options.games = 100'000;
  options.cancel = &cancel;
  options.progress = [&](std::string_view, const SimulationProgress& progress) {
    if (progress.done > 10) cancel = true;
  };
  const Evaluation evaluation = evaluate(game, options).value();
  EXPECT_FALSE(evaluation.complete);
  EXPECT_GT(evaluation.random.result.games, 10U);
  EXPECT_LT(evaluation.random.result.games, 4 * options.games);
  EXPECT_EQ(to_json(evaluation)["complete"], false);
  EXPECT_NE(html_report(evaluation).find("Stopped early"), std::string::npos);
}

TEST(Statistics, WilsonIntervalsMatchPublishedValues) {
  const Interval interval = wilson(81, 263);  // Newcombe (1998): 0.2553 to 0.3662
  EXPECT_NEAR(interval.low, 0.2553, 1e-4);
  EXPECT_NEAR(interval.high, 0.3662, 1e-4);
}

}  // namespace
}  // namespace parlor::play
