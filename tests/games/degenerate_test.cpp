// Ten deliberately bad little games, written as data: each raises exactly its flag. Shipped games
// raise none.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "games/shipped.h"
#include "play/report.h"

namespace parlor::games {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

play::Evaluation evaluated(const Game& game, std::uint64_t count = 40) {
  play::EvaluationOptions options;
  options.games = count;
  options.iterations = 40;
  options.max_decisions = 300;
  return play::evaluate(game, options).value();
}

std::vector<std::string> flags_of(const std::string& path) {
  const auto game = open_shipped(path);
  std::vector<std::string> names;
  for (const play::Flag& flag : evaluated(*game).flags) {
    names.emplace_back(code_name(flag.code));
    EXPECT_FALSE(flag.message.empty());
    EXPECT_FALSE(flag.evidence.empty()) << "a flag carries evidence";
  }
  return names;
}

struct Bad {
  const char* game;
  const char* flag;
};
class DegenerateData : public testing::TestWithParam<Bad> {};

TEST_P(DegenerateData, RaisesExactlyItsFlag) {
  EXPECT_THAT(flags_of(fmt::format("../tests/games/degenerate/{}", GetParam().game)),
              ElementsAre(GetParam().flag));
}

INSTANTIATE_TEST_SUITE_P(
    Games, DegenerateData,
    testing::Values(Bad{"endless-lamp", "LOOP_DETECTED"}, Bad{"endless-passing", "LOOP_DETECTED"},
                    Bad{"endless-counting", "STALL"}, Bad{"stuck-marks", "NO_LEGAL_MOVES"},
                    Bad{"gold-rush", "DOMINANT_ACTION"}, Bad{"stop-at-once", "TRIVIAL_WIN"},
                    Bad{"race-first", "FIRST_PLAYER_ADVANTAGE"},
                    Bad{"race-second", "FIRST_PLAYER_ADVANTAGE"},
                    Bad{"dead-action", "UNREACHABLE_ACTION"},
                    Bad{"runaway-echo", "TRIGGER_DEPTH_EXCEEDED"}),
    [](const testing::TestParamInfo<Bad>& info) {
      std::string name = info.param.game;
      std::erase(name, '-');
      return name;
    });

// Longer games, with few and weak players: enough for loops, stalls, dead ends and dead actions.
TEST(SlowHealthyData, LongGamesRaiseNoFlagEither) {
  play::EvaluationOptions options;
  options.games = 3;
  options.agents = {"flat:playouts=6,depth=20"};
  for (const char* name : {"reversi", "breakthrough", "hex", "insurgency/insurgency"}) {
    const auto game = open_shipped(name);
    const play::Evaluation evaluation = play::evaluate(*game, options).value();
    for (const play::Flag& flag : evaluation.flags)
      ADD_FAILURE() << name << ": " << code_name(flag.code) << ": " << flag.message;
  }
}

TEST(HealthyData, RaisesNoFlag) {
  for (const char* game : {"tic-tac-toe", "connect-four", "kuhn-poker", "leduc-poker", "pig"})
    EXPECT_THAT(flags_of(game), IsEmpty()) << game;
}

TEST(EvaluationReport, HasEveryMeasure) {
  const auto game = open_shipped("leduc-poker");
  const Json json = play::to_json(evaluated(*game, 30));
  for (const char* key : {"length", "moves", "branching", "seats", "draws", "leadChanges",
                          "comebacks", "actionEntropy", "decisive", "decidedAt", "interaction",
                          "distinctGames", "distinctOpenings", "finished"})
    EXPECT_TRUE(json["metrics"].contains(key)) << key;
  for (const char* key : {"skill", "actions", "values", "dominantActions", "unusedActions",
                          "unusedValues", "unreachableActions", "flags"})
    EXPECT_TRUE(json.contains(key)) << key;
  for (const Json& seat : json["metrics"]["seats"]) {
    EXPECT_LE(seat["interval"][0], seat["score"]);
    EXPECT_GE(seat["interval"][1], seat["score"]);
  }
  EXPECT_GT(json["actions"]["raise"]["offered"], json["actions"]["raise"]["chosen"]);
}

TEST(EvaluationReport, IsOneSelfContainedPageWithPlots) {
  const auto game = open_shipped("tic-tac-toe");
  const std::string html = play::html_report(evaluated(*game, 30));
  EXPECT_THAT(html, testing::StartsWith("<!doctype html>"));
  for (const char* title : {"Who wins", "Does skill pay", "Length", "Options over time",
                            "Score over time", "When it is decided", "How games end", "Actions"})
    EXPECT_THAT(html, HasSubstr(fmt::format("<h2>{}</h2>", title)));
  std::size_t plots = 0;
  for (auto at = html.find("<svg"); at != std::string::npos; at = html.find("<svg", at + 1))
    ++plots;
  EXPECT_GE(plots, 8U);
  for (const char* outside : {"http://", "https://", "<link", "<script", "src="})
    EXPECT_THAT(html, testing::Not(HasSubstr(outside)));
}

}  // namespace
}  // namespace parlor::games
