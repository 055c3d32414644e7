// Every shipped game works in every command that takes a game.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/catalog.h"
#include "cli/program.h"

namespace parlor::test {
namespace {

using testing::HasSubstr;

const Catalog& shipped() {
  static const Catalog catalog = cli::make_catalog();
  return catalog;
}

class ShippedGame : public testing::TestWithParam<std::string> {
 protected:
  Result call(std::vector<std::string> arguments, const std::string& input = "") {
    arguments.insert(arguments.begin() + 1, GetParam());
    return run(arguments, input, shipped());
  }
};

TEST_P(ShippedGame, IsDescribed) {
  const Result info = call({"info", "--json"});
  ASSERT_EQ(info.exit_code, 0) << info.err;
  EXPECT_FALSE(info.json()["description"].get<std::string>().empty());
  EXPECT_EQ(info.json()["seats"].size(), info.json()["players"]);
  EXPECT_EQ(call({"rules", "--json"}).exit_code, 0);
}

TEST_P(ShippedGame, ShowsItsStartToEveryPlayer) {
  const Json state = call({"state", "--json"}).json();
  for (const char* key : {"active", "decision", "outcome", "hash", "players"})
    EXPECT_TRUE(state.contains(key)) << key;
  EXPECT_FALSE(state["decision"]["options"].empty());
  EXPECT_EQ(call({"state", "--viewer", "1"}).exit_code, 0);
}

TEST_P(ShippedGame, ReplaysItsTrace) {
  const Result trace = call({"trace", "--seed", "11", "--max-decisions", "60"});
  ASSERT_EQ(trace.exit_code, 0) << trace.err;
  const Result replay = run({"replay", "-", "--json"}, trace.out, shipped());
  EXPECT_EQ(replay.exit_code, 0) << replay.err;
}

TEST_P(ShippedGame, CountsItsFirstMoves) {
  const Result whole = call({"perft", "1", "--json"});
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  EXPECT_GE(whole.json()["nodes"].get<int>(), 1);
  EXPECT_EQ(call({"perft", "1", "--divide", "--json"}).json()["nodes"], whole.json()["nodes"]);
}

TEST_P(ShippedGame, IsPlayedAtTheTerminal) {
  const Result play = call({"play", "--bots", "random", "--as", "0"}, "0\n0\nundo\n");
  EXPECT_EQ(play.exit_code, 0) << play.err;
}

INSTANTIATE_TEST_SUITE_P(Games, ShippedGame, testing::ValuesIn(shipped().names()),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(Shipped, CountsOfTicTacToeAreThePublishedOnes) {
  const int counts[] = {1, 9, 72, 504, 3024, 15120};
  for (int depth = 0; depth < 6; ++depth)
    EXPECT_EQ(run({"perft", "tic-tac-toe", std::to_string(depth), "--json"}, "", shipped())
                  .json()["nodes"],
              counts[depth]);
}

TEST(Shipped, MovesMayLeaveOutTheMarksOfTheLanguage) {
  const auto hash = [](const std::string& moves) {
    const Result result = run({"state", "tic-tac-toe", "--moves", "-", "--json"}, moves, shipped());
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.json()["hash"];
  };
  const Json expected = hash("[4]");
  EXPECT_EQ(hash(R"([{"action":"place","params":{"$cell":"cell_1_1:none"}}])"), expected);
  EXPECT_EQ(hash(R"([{"action":"place","params":{"cell":"cell_1_1"}}])"), expected);
  EXPECT_EQ(hash(R"(["place cell_1_1"])"), expected);
}

TEST(Shipped, WhyNamesTheParameterAndTheValuesItCouldHave) {
  const Result taken =
      run({"why", "tic-tac-toe", "--moves", "-", "place cell_1_1", "--json"}, "[4]", shipped());
  EXPECT_EQ(taken.json()["legal"], false);
  EXPECT_EQ(taken.json()["reason"]["code"], "ACTION_PARAMS");
  EXPECT_EQ(taken.json()["reason"]["details"]["domain"].size(), 8u);
  EXPECT_EQ(run({"why", "tic-tac-toe", "place cell_1_1", "--json"}, "", shipped()).json()["legal"],
            true);
}

TEST(Shipped, CodeIsOneOperationALine) {
  const Result result = run({"info", "tic-tac-toe", "--code"}, "", shipped());
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const char* word : {"action place", "create_token", "settle", "tic-tac-toe.md:"})
    EXPECT_THAT(result.out, HasSubstr(word));
}

TEST(Shipped, AnOptionThatMeansNothingToAGameIsSaid) {
  const Result result = run({"state", "tic-tac-toe", "--position", "x"}, "", shipped());
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("--position"));
}

}  // namespace
}  // namespace parlor::test
