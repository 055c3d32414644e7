// The fixed forms people script against, on a small native game.
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/program.h"

namespace parlor::test {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

std::vector<std::string> keys(const Json& object) {
  std::vector<std::string> out;
  for (const auto& [key, value] : object.items()) out.push_back(key);
  return out;
}

std::vector<Json> lines(const std::string& text) {
  std::vector<Json> out;
  std::istringstream in{text};
  for (std::string line; std::getline(in, line);)
    out.push_back(parse_json(line).value_or("not JSON"));
  return out;
}

class TraceFile {
 public:
  explicit TraceFile(const std::string& text)
      : path_(std::filesystem::temp_directory_path() /
              ("parlor_test_" + std::to_string(getpid()))) {
    std::ofstream{path_} << text;
  }
  ~TraceFile() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

TEST(List, ShowsEveryGame) {
  EXPECT_THAT(run({"list"}).out, testing::ContainsRegex("duel +2 +1[0-9] +yes +yes +Three"));
  const Json list = run({"list", "--json"}).json()["games"];
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0]["name"], "duel");
  EXPECT_EQ(list[0]["hiddenInformation"], true);
}

TEST(Info, SaysWhatAGameIs) {
  const Json info = run({"info", "duel", "--json"}).json();
  EXPECT_EQ(info["seats"], Json::array({"red", "blue"}));
  EXPECT_EQ(info["fingerprint"], "000000000000d0e1");
  EXPECT_THAT(run({"info", "duel"}).out, HasSubstr("seats          red, blue"));
}

TEST(State, JsonHasTheViewTheDecisionTheOutcomeAndTheHash) {
  const Result result = run({"state", "duel", "--seed", "1", "--json"});
  EXPECT_EQ(result.exit_code, 0);
  const Json state = result.json();
  EXPECT_EQ(
      canonical(state["decision"]),
      R"({"decider":"chance","kind":"chance","options":[{"index":0,"value":"heads","weight":2},)"
      R"({"index":1,"value":"tails","weight":1}]})");
  EXPECT_TRUE(state["outcome"].is_null());
  EXPECT_EQ(state["hash"].get<std::string>().size(), 16u);
  EXPECT_EQ(state["active"], 0);
  EXPECT_EQ(state["players"].size(), 2u);
}

TEST(State, MovesComeByIndexActionValueOrText) {
  const Result result = run({"state", "duel", "--moves", "-", "--json"},
                            R"(["heads", {"action":"play"}, 0, 0, {"index": 1}])");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.json()["decision"]["kind"], "actionSelection");
  const Json one =
      run({"state", "duel", "--moves", "-", "--json"}, R"([{"value":"heads"}, 0])").json();
  EXPECT_EQ(one["decision"]["kind"], "chooseOne");
  EXPECT_THAT(keys(one["decision"]["options"][0]), ElementsAre("index", "value"));
}

TEST(State, AnIllegalMoveIsRefusedWithTheReasonAndTheLegalOnes) {
  const Result result =
      run({"state", "duel", "--moves", "-", "--json"}, R"(["heads", {"action":"pass"}])");
  EXPECT_EQ(result.exit_code, 1);
  const Json error = result.json()["error"];
  EXPECT_EQ(error["code"], "OPTION_ILLEGAL");
  EXPECT_EQ(error["details"]["move"], 1);
  EXPECT_EQ(error["details"]["legal"].size(), 2u);
  EXPECT_THAT(result.err, HasSubstr("move 1 of the list"));
  EXPECT_THAT(result.err,
              HasSubstr("legal options:\n    0  {\"action\":\"play\",\"params\":{}}\n"));
}

TEST(State, MovesThatAreNoListAreAnInputError) {
  for (const char* text : {"{}", "[1", "", "7"}) {
    const Result result = run({"state", "duel", "--moves", "-", "--json"}, text);
    EXPECT_EQ(result.exit_code, 1) << text;
    EXPECT_EQ(result.json()["error"]["code"], "JSON_INVALID") << text;
  }
  EXPECT_EQ(run({"state", "duel", "--moves", "/no/such/file", "--json"}).json()["error"]["code"],
            "FILE_NOT_FOUND");
}

TEST(State, AViewerSeesOnlyTheirSide) {
  const Json seen = run({"state", "duel", "--viewer", "1", "--json"}).json();
  EXPECT_FALSE(seen["players"][0].contains("hand"));
  EXPECT_TRUE(seen["players"][1].contains("hand"));
  EXPECT_EQ(run({"state", "duel", "--viewer", "2"}).exit_code, 2);
}

TEST(State, ASavedStateLoadsAgain) {
  const Duel duel;
  const Json saved = run({"state", "duel", "--save", "--seed", "4"}).json();
  EXPECT_TRUE(duel.load(saved).value() == duel.start(4).value());
}

TEST(Perft, CountsWholeMovesByDefault) {
  const Json result = run({"perft", "duel", "3", "--json"}).json();
  EXPECT_THAT(keys(result), ElementsAre("depth", "format", "nodes", "ok", "seconds"));
  EXPECT_EQ(result["nodes"], 54);
  EXPECT_EQ(run({"perft", "duel", "3", "--decisions", "--json"}).json()["nodes"], 12);
  EXPECT_EQ(run({"perft", "duel", "0", "--json"}).json()["nodes"], 1);
}

TEST(Perft, DividesByFirstWholeMove) {
  const Json result = run({"perft", "duel", "2", "--divide", "--json"}).json();
  EXPECT_EQ(canonical(result["divide"]), R"({"heads":6,"tails":6})");
  EXPECT_EQ(result["nodes"], 12);
  EXPECT_THAT(run({"perft", "duel", "2", "--divide"}).out,
              testing::StartsWith("heads: 6\ntails: 6\n\ndepth 2: 12 nodes"));
}

TEST(Trace, HasOneLineADecisionAndTheOutcomeLast) {
  const auto trace = lines(run({"trace", "duel", "--seed", "5"}).out);
  ASSERT_GT(trace.size(), 12u);
  EXPECT_THAT(keys(trace[0]), ElementsAre("decider", "hash", "kind", "n", "options", "picked"));
  EXPECT_EQ(trace[1]["n"], 1);
  EXPECT_TRUE(trace.back().contains("outcome"));
  EXPECT_EQ(trace.back()["decisions"], trace.size() - 1);
  EXPECT_EQ(run({"trace", "duel", "--seed", "5"}).out, run({"trace", "duel", "--seed", "5"}).out);
  EXPECT_NE(run({"trace", "duel", "--seed", "5"}).out, run({"trace", "duel", "--seed", "6"}).out);
}

TEST(Trace, FollowsPicksAndStopsAtTheirEnd) {
  const Result result = run({"trace", "duel", "--picks", "-"}, R"(["tails", 0, 2])");
  const auto trace = lines(result.out);
  ASSERT_EQ(trace.size(), 4u);
  EXPECT_EQ(trace[0]["picked"], 1);
  EXPECT_TRUE(trace[3]["outcome"].is_null());
  EXPECT_EQ(run({"trace", "duel", "--picks", "-"}, "[7]").exit_code, 1);
  EXPECT_EQ(lines(run({"trace", "duel", "--max-decisions", "2"}).out).size(), 3u);
}

TEST(Replay, ChecksEveryHash) {
  const std::string trace = run({"trace", "duel", "--seed", "9"}).out;
  const Result fine = run({"replay", "-", "--json"}, trace);
  EXPECT_EQ(fine.exit_code, 0) << fine.err;
  EXPECT_EQ(fine.json()["ok"], true);
  EXPECT_EQ(run({"replay", TraceFile{trace}.path()}).exit_code, 0);

  auto damaged = lines(trace);
  damaged[3]["hash"] = "0000000000000000";
  std::string text;
  for (const Json& line : damaged) text += canonical(line) + "\n";
  const Result different = run({"replay", "-", "--json"}, text);
  EXPECT_EQ(different.exit_code, 1);
  EXPECT_EQ(different.json()["error"]["code"], "TRACE_MISMATCH");
  EXPECT_EQ(different.json()["error"]["details"]["n"], 3);
}

TEST(Replay, RefusesWhatIsNoTrace) {
  for (const char* text : {"", "[]\n", "nonsense\n", "{\"outcome\":null}\n"})
    EXPECT_EQ(run({"replay", "-"}, text).exit_code, 1) << text;
}

TEST(Why, SaysWhatIsLegalAndWhatIsNot) {
  const Result legal = run({"why", "duel", "heads", "--json"});
  EXPECT_EQ(legal.json()["legal"], true);
  const Result illegal = run({"why", "duel", "--moves", "-", "card 9", "--json"}, "[0, 0]");
  EXPECT_EQ(illegal.exit_code, 0);
  EXPECT_EQ(illegal.json()["legal"], false);
  EXPECT_EQ(illegal.json()["reason"]["code"], "OPTION_ILLEGAL");
  EXPECT_THAT(run({"why", "duel", "dance how=slowly"}).out, HasSubstr("is not legal"));
}

TEST(Rules, AreNoneForAGameWithoutAny) {
  EXPECT_EQ(run({"rules", "duel"}).out, "duel offers no house rules.\n");
  EXPECT_EQ(run({"rules", "duel", "--json"}).json()["rules"], Json::array());
}

TEST(Play, AGameFromPipedInputToItsEnd) {
  std::string input;
  for (int i = 0; i < 20; ++i) input += "#0\n";
  const Result result =
      run({"play", "duel", "--as", "red", "--bots", "random", "--seed", "2"}, input);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("Duel. You are red."));
  EXPECT_THAT(result.out, HasSubstr("The game is over (score)"));
}

TEST(Play, EveryEveningIsANewOneAndSaysItsSeed) {  // T-03
  const auto seed_of = [](const std::string& out) {
    const auto at = out.find("Seed ");
    return at == std::string::npos ? "" : out.substr(at, out.find('.', at) - at);
  };
  const std::string first = seed_of(run({"play", "duel"}, "").out);
  EXPECT_NE(first, "");
  EXPECT_NE(first, seed_of(run({"play", "duel"}, "").out));
  EXPECT_EQ(seed_of(run({"play", "duel", "--seed", "7"}, "").out), "Seed 7");
  const auto out = lines(run({"play", "duel", "--json", "--seed", "7"}, "").out);
  const auto asked =
      std::ranges::find_if(out, [](const Json& line) { return line.contains("decision"); });
  ASSERT_NE(asked, out.end());
  EXPECT_EQ((*asked)["seed"], 7);
}

TEST(Play, EndOfInputEndsPolitely) {
  const Result result = run({"play", "duel"}, "");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, EndsWith("Goodbye. The game was not finished.\n"));
}

TEST(Play, HelpWhyUndoAndMistakesAreAnswered) {
  const Result result = run({"play", "duel", "--as", "all", "--moves", "/dev/null"}, "");
  EXPECT_EQ(result.exit_code, 1) << "an empty file is no list";
  const Result session = run({"play", "duel", "--as", "all"},
                             "help\nundo\nfly\nwhy fly\nplay\nundo\nplay\n0\nundo\nquit\n");
  EXPECT_EQ(session.exit_code, 0);
  EXPECT_THAT(session.out, HasSubstr("#3, or the words"));
  EXPECT_THAT(session.out, HasSubstr("There is nothing to take back."));
  EXPECT_THAT(session.out, HasSubstr("Not possible: "));
  EXPECT_THAT(session.out, EndsWith("Goodbye.\n"));
}

TEST(Play, AStrangerDoesNotSeeTheOthersHand) {
  const Result result = run({"play", "duel", "--as", "blue", "--bots", "random"}, "");
  EXPECT_THAT(result.out, HasSubstr("red   0 points, ? ? "));
}

TEST(Play, AWrongSeatIsWrongUsage) {
  const Result result = run({"play", "duel", "--as", "bleu"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("did you mean: `blue`"));
  EXPECT_EQ(run({"play", "duel", "--as", "none", "--bots", "random"}).exit_code, 0);
}

TEST(Play, JsonIsOneLineADecision) {
  const auto out = lines(run({"play", "duel", "--as", "all", "--json"}, "play\nfly\n0\n").out);
  ASSERT_EQ(out.size(), 4u);
  EXPECT_TRUE(out[0].contains("decision"));
  EXPECT_TRUE(out[2].contains("message")) << "a refused line is answered";
  EXPECT_TRUE(out[3].contains("decision"));
}

}  // namespace
}  // namespace parlor::test
