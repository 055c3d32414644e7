#include "play/tune.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "play/native_game.h"

namespace parlor::play {
namespace {

using testing::HasSubstr;

// Two players add 1 or 2 in turn; whoever reaches `goal` first wins.
struct Race {
  static inline std::int64_t goal = 10;
  std::int32_t points[2];
  std::int8_t player;
  static GameInfo info() {
    GameInfo info;
    info.id = "race";
    info.actions = {"step"};
    return info;
  }
  void start(Rng&) {}
  bool over() const { return points[0] >= goal || points[1] >= goal; }
  Decision decision() const { return over() ? Decision{} : games::turn_of(player); }
  void list(OptionList& out) const {
    for (std::uint64_t i = 1; i <= 2 && !over(); ++i) out.add(Option{i});
  }
  void apply(std::uint64_t option) {
    points[player] += static_cast<std::int32_t>(option);
    player = static_cast<std::int8_t>(1 - player);
  }
  Outcome outcome() const {
    return games::two_player_outcome(points[0] >= goal ? 0 : 1, "reached");
  }
  Json view(const Viewer&) const { return {{"points", points}, {"active", player}}; }
  std::string text(std::uint64_t option) const { return fmt::format("step {}", option); }
};

// Values from 3 to 40 open, others are refused as a game's own bounds would.
Opened open_race(const std::map<std::string, std::int64_t>& constants) {
  Race::goal = constants.at("goal");
  if (Race::goal > 40) return tl::unexpected(open_failure(Code::CONSTANT_TYPE, "too far"));
  return std::make_shared<games::NativeGame<Race>>();
}

TuneOptions options(std::string_view objective) {
  TuneOptions tuning;
  tuning.ranges = {parse_range("goal=3..40").value()};
  tuning.objectives = parse_objectives(objective).value();
  tuning.trials = 24;
  tuning.games = 16;
  tuning.agents = {"random"};
  return tuning;
}

TEST(Tune, ReadsRanges) {
  const TuneRange range = parse_range("startingChips=500..2000:100").value();
  EXPECT_EQ(range.name, "startingChips");
  EXPECT_EQ(range.low, 500);
  EXPECT_EQ(range.high, 2000);
  EXPECT_EQ(range.step, 100);
  EXPECT_EQ(parse_range("a=-3..3").value().low, -3);
  for (const char* wrong : {"a", "a=1", "a=5..1", "a=1..x", "=1..2", "a=1..2:0"})
    EXPECT_FALSE(parse_range(wrong)) << wrong;
}

TEST(Tune, ReadsObjectives) {
  const auto several = parse_objectives("balance,length=40").value();
  ASSERT_EQ(several.size(), 2U);
  EXPECT_EQ(several[1].target, 40);
  EXPECT_FALSE(parse_objectives("length"));
  EXPECT_FALSE(parse_objectives("balance=3"));
  EXPECT_THAT(parse_objectives("balence").error().alternatives, testing::Contains("balance"));
}

TEST(Tune, FindsConstantsForALength) {
  const Tuning tuning = tune(open_race, options("length=26")).value();
  const Trial& best = tuning.trials[tuning.best];
  EXPECT_NEAR(best.metrics.length.mean, 26, 3);
  EXPECT_NEAR(static_cast<double>(best.constants.at("goal")), 20, 4);
  for (const Trial& trial : tuning.trials) EXPECT_LE(trial.score, best.score);
}

TEST(Tune, NeverTriesTheSameTwiceAndStopsWhenAllWasTried) {
  TuneOptions few = options("balance");
  few.ranges = {parse_range("goal=5..9").value()};
  const Tuning tuning = tune(open_race, few).value();
  EXPECT_EQ(tuning.trials.size(), 5U);
  std::set<std::int64_t> values;
  for (const Trial& trial : tuning.trials) values.insert(trial.constants.at("goal"));
  EXPECT_EQ(values.size(), 5U);
}

// L-33: scores say how many games they stand on; the best two play on until they are apart.
TEST(Tune, PlaysOnUntilTheBestIsSurelyBetterOrTheBudgetEnds_L33) {
  TuneOptions apart = options("length=12");
  apart.ranges = {parse_range("goal=8..38:30").value()};
  const Tuning clear = tune(open_race, apart).value();
  ASSERT_TRUE(clear.next.has_value());
  EXPECT_TRUE(clear.decided) << "a goal of 8 and one of 38 need no second look";
  EXPECT_GT(clear.trials[clear.best].interval.low, clear.trials[*clear.next].interval.high);
  for (const Trial& trial : clear.trials) {
    EXPECT_GE(trial.games, apart.games);
    EXPECT_LE(trial.interval.low, trial.score + 1e-9);
    EXPECT_GE(trial.interval.high, trial.score - 1e-9);
  }
  TuneOptions alike = options("balance");
  alike.ranges = {parse_range("goal=20..21").value()};
  alike.budget = 200;
  const Tuning close = tune(open_race, alike).value();
  ASSERT_TRUE(close.next.has_value());
  const auto played = close.trials[0].games + close.trials[1].games;
  EXPECT_TRUE(close.decided || played > 100u) << "more games are played to tell them apart";
  EXPECT_LE(played, 2 * alike.games + 2 * alike.budget) << "and not for ever";
  alike.budget = 0;
  const Tuning none = tune(open_race, alike).value();
  EXPECT_EQ(none.trials[none.best].games, alike.games);
}

// MAP-Elites: of every kind of game by length and branching the best one is kept.
TEST(Tune, KeepsTheBestOfEveryKindOfGame) {
  const Tuning tuning = tune(open_race, options("balance")).value();
  EXPECT_GE(tuning.archive.size(), 4U) << "short and long games";
  EXPECT_THAT(tuning.archive, testing::Contains(tuning.best));
  std::set<double> lengths;
  for (const std::size_t index : tuning.archive)
    lengths.insert(tuning.trials[index].metrics.length.mean);
  EXPECT_LT(*lengths.begin(), 8);
  EXPECT_GT(*lengths.rbegin(), 30);
}

TEST(Tune, IsDeterministic) {
  EXPECT_EQ(to_json(tune(open_race, options("balance,drama")).value()),
            to_json(tune(open_race, options("balance,drama")).value()));
}

TEST(Tune, RefusedValuesAreBadTrialsButAllRefusedIsAnError) {
  TuneOptions wide = options("balance");
  wide.ranges = {parse_range("goal=30..60:10").value()};
  wide.seed = 3;
  if (const auto tuning = tune(open_race, wide); tuning) {
    std::size_t refused = 0;
    for (const Trial& trial : tuning->trials) refused += trial.failure.empty() ? 0 : 1;
    EXPECT_EQ(refused, 2U);
  }
  wide.ranges = {parse_range("goal=50..60").value()};
  EXPECT_FALSE(tune(open_race, wide));
}

TEST(Tune, TheArchiveIsJsonAndOneHtmlPage) {
  const Tuning tuning = tune(open_race, options("balance")).value();
  const Json json = to_json(tuning);
  EXPECT_EQ(json["trials"].size(), 24U);
  EXPECT_EQ(json["archive"].size(), tuning.archive.size());
  EXPECT_TRUE(json["best"]["constants"].contains("goal"));
  const std::string html = html_report(tuning);
  EXPECT_THAT(html, testing::StartsWith("<!doctype html>"));
  EXPECT_THAT(html, HasSubstr("<svg"));
  EXPECT_THAT(html, HasSubstr(fmt::format("goal = {}", json["best"]["constants"]["goal"].dump())));
  EXPECT_THAT(html, testing::Not(HasSubstr("http://"))) << "nothing is loaded from elsewhere";
}

}  // namespace
}  // namespace parlor::play
