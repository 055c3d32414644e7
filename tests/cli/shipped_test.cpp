// Every shipped game works in every command that takes a game.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/program.h"

namespace parlor::test {
namespace {

using testing::HasSubstr;

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

// As many players as a game has by default, random ones, all cores.
TEST_P(ShippedGame, SimulatesTheSameOnOneAndTwoThreads) {
  const auto on = [this](const char* threads) {
    const Result sim =
        call({"sim", "--games", "5", "--max-decisions", "60", "--threads", threads, "--json"});
    EXPECT_EQ(sim.exit_code, 0) << sim.err;
    Json result = sim.json();
    for (const char* timing : {"seconds", "gamesPerSecond", "decisionsPerSecond"})
      result.erase(timing);
    return result;
  };
  const Json once = on("1");
  EXPECT_EQ(once["games"], 5);
  EXPECT_EQ(once["failed"], 0);
  EXPECT_EQ(canonical(once), canonical(on("2")));
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

// At the terminal cards have names; what looks alike is shown once, and typing what is shown works.
TEST(ShippedPlay, ShowsAndTakesTheWordsOnTheScreen) {
  const auto play = [](const std::string& input) {
    return run({"play", "market", "--as", "all", "--seed", "3"}, input, shipped()).out;
  };
  EXPECT_THAT(play(""), testing::ContainsRegex("  #0 play copper \\(×[0-9]\\)  "));
  EXPECT_THAT(play(""), testing::Not(HasSubstr("tok_")));
  EXPECT_THAT(play("play copper\n"), HasSubstr("player 0: coins=1"));
  EXPECT_THAT(play("copper\n"), HasSubstr("player 0: coins=1")) << "the end of the words";
  EXPECT_THAT(play("cop\n"), HasSubstr("Not possible"));
}

TEST(ShippedPlay, AWholeMoveOfABotStandsOnOneLine) {
  const std::string out =
      run({"play", "amazons", "--as", "black", "--bots", "random"}, "", shipped()).out;
  EXPECT_THAT(out, testing::ContainsRegex("\nwhite: move [a-j][0-9]+ [a-j][0-9]+, [a-j][0-9]+\n"));
}

TEST(ShippedPlay, AsksForWhatIsChosenInsideAMove) {
  EXPECT_THAT(run({"play", "amazons", "--as", "white"}, "0\n", shipped()).out,
              HasSubstr("white, shoot at?> "));
}

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

// What is shown only on the way to the next decision is not missed.
TEST(Shipped, PlayShowsTheCardsOfAShowdown) {
  std::string input;
  for (int i = 0; i < 60; ++i) input += "all-in\n";
  const Result result = run(
      {"play", "texas-holdem", "--players", "2", "--bots", "random", "--as", "0", "--seed", "3"},
      input, shipped());
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const std::string card = " ([2-9]|10|[JQKA])(♣|♦|♥|♠)";
  EXPECT_THAT(result.out, testing::ContainsRegex("board:" + card + card + card + card + card +
                                                 "\n  hand of player 0:" + card + card +
                                                 "\n  hand of player 1:" + card + card + "\n"));
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
