// Rules that go wrong, as somebody at the terminal meets them: check, sim, eval, trace, replay,
// why.
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "cli/program.h"

namespace parlor::test {
namespace {

using testing::HasSubstr;
using testing::Not;

// A game file that is gone when the test is over.
class GameFile {
 public:
  explicit GameFile(const std::string& sections)
      : path_(std::filesystem::temp_directory_path() /
              ("parlor_faults_" + std::to_string(getpid()) + "_" + std::to_string(count_++) +
               ".md")) {
    std::ofstream{path_} << "```yaml\nmetadata: {id: faulty, players: {min: 2, max: 3}}\n"
                            "globalVars:\n"
                            "  - {name: x, type: int, init: 0, min: 0, max: 100}\n"
                            "  - {name: y, type: int, init: 3, min: 0, max: 100}\n"
                            "zones:\n"
                            "  - {id: deck, owner: none, visibility: public, ordering: stack}\n"
                         << sections << "```\n";
  }
  GameFile(const GameFile&) = delete;
  GameFile& operator=(const GameFile&) = delete;
  ~GameFile() { std::filesystem::remove(path_); }
  std::string name() const { return path_.string(); }

 private:
  static inline int count_ = 0;
  std::filesystem::path path_;
};

Result parlor(std::vector<std::string> arguments, const std::string& input = "") {
  return run(arguments, input, shipped());
}

const char* const one_phase = R"(
turnStructure: {phases: [{id: main}]}
terminal: {conditions: [{when: {op: ">", left: {ref: gvar, var: x}, right: 5}, result: {type: win, player: active}}]}
)";

// Counts y down; when it has come to 0, a trigger divides by it.
const std::string divides_later = std::string(one_phase) + R"(
actions:
  - {id: count, phase: [main], effects: [{addVar: {scope: global, var: y, delta: -1}}, {advancePhase: {}}]}
triggers:
  - {event: {type: varChanged, var: y}, effects: [{setVar: {scope: global, var: x, value: {op: /, left: 4, right: {op: max, left: 0, right: {ref: gvar, var: y}}}}}]}
)";

TEST(Faults, T23SimNamesThemAndNobodyWins) {
  const GameFile game(divides_later);
  const Result result = parlor({"sim", game.name(), "--games", "5", "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const Json json = result.json();
  EXPECT_EQ(json["failed"], 5);
  EXPECT_EQ(json["outcomes"], (Json{{"error:RUN_DIVISION_BY_ZERO", 5}}));
  ASSERT_EQ(json["faults"].size(), 1u);
  EXPECT_EQ(json["faults"][0]["code"], "RUN_DIVISION_BY_ZERO");
  EXPECT_EQ(json["faults"][0]["games"], 5);
  EXPECT_EQ(json["faults"][0]["decisions"], 3);
  EXPECT_EQ(json["faults"][0]["details"]["values"], Json({"4"}));
  EXPECT_GT(json["faults"][0]["details"]["line"].get<int>(), 0);
  for (const Json& seat : json["seats"]) EXPECT_EQ(seat["wins"], 0);
  EXPECT_THAT(parlor({"sim", game.name(), "--games", "5"}).out,
              HasSubstr("bug in the rules: RUN_DIVISION_BY_ZERO: division by zero of: 4"));
}

TEST(Faults, T23EvalFlagsThem) {
  const GameFile game(divides_later);
  const Result result = parlor({"eval", game.name(), "--games", "4", "--iters", "5", "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  bool flagged = false;
  const Json json = result.json();
  for (const Json& flag : json["flags"]) flagged = flagged || flag["code"] == "RULES_FAULT";
  EXPECT_TRUE(flagged) << json["flags"].dump();
}

TEST(Faults, T23ATraceEndsWithOneAndReplays) {
  const GameFile game(divides_later);
  const Result traced = parlor({"trace", game.name()});
  EXPECT_EQ(traced.exit_code, 1);
  EXPECT_THAT(traced.err, HasSubstr("the rules went wrong at decision 2"));
  EXPECT_THAT(traced.out, HasSubstr("\"fault\":{\"code\":\"RUN_DIVISION_BY_ZERO\""));
  EXPECT_THAT(traced.out, HasSubstr("\"outcome\":null"));
  const std::string folder = std::filesystem::temp_directory_path().string();
  const Result again = parlor({"replay", "-", "--include", folder}, traced.out);
  EXPECT_EQ(again.exit_code, 0) << again.err;
}

TEST(Faults, T23CheckDeepFindsThem) {
  const GameFile game(divides_later);
  EXPECT_EQ(parlor({"check", game.name()}).exit_code, 0);
  const Result deep = parlor({"check", game.name(), "--deep", "--json"});
  EXPECT_EQ(deep.exit_code, 1);
  bool found = false;
  const Json json = deep.json();
  for (const Json& d : json["diagnostics"])
    found = found || (d["code"] == "RUN_DIVISION_BY_ZERO" && d["severity"] == "error" &&
                      d["line"].get<int>() > 0);
  EXPECT_TRUE(found) << deep.out;
  EXPECT_EQ(parlor({"check", "pig", "--deep"}).exit_code, 0);
}

TEST(Faults, T23AFaultInScoringMakesNobodyWin) {
  const GameFile game(R"(
turnStructure: {phases: [{id: main}]}
actions: [{id: go, phase: [main], effects: [{addVar: {scope: global, var: x, delta: 1}}, {advancePhase: {}}]}]
terminal:
  conditions: [{when: {op: ">", left: {ref: gvar, var: x}, right: 2}, result: {type: score}}]
  scoring: {method: highest, value: {op: /, left: 1, right: {op: "-", left: {ref: gvar, var: x}, right: 3}}}
)");
  const Json json = parlor({"sim", game.name(), "--games", "3", "--json"}).json();
  EXPECT_EQ(json["failed"], 3);
  for (const Json& seat : json["seats"])
    EXPECT_EQ(seat["wins"].get<int>() + seat["shared"].get<int>(), 0);
}

TEST(Check, T28SaysWhatWouldStopTheGameFromOpening) {
  const GameFile game(std::string(one_phase) + R"(
actions:
  - id: go
    phase: [main]
    params: [{name: $n, domain: {query: intsInRange, min: 0, max: 4294967296}}]
    effects: [{advancePhase: {}}]
)");
  const Result check = parlor({"check", game.name(), "--json"});
  EXPECT_EQ(check.exit_code, 1);
  Json errors = Json::array();
  const Json said = check.json();
  for (const Json& diagnostic : said["diagnostics"])
    if (diagnostic["severity"] == "error") errors.push_back(diagnostic);
  ASSERT_EQ(errors.size(), 1u) << check.out;
  EXPECT_EQ(errors[0]["code"], "LIMIT_OPTIONS");
  EXPECT_GT(errors[0]["line"].get<int>(), 0);
  EXPECT_EQ(parlor({"state", game.name()}).exit_code, 1);
}

// Cards that the screen calls by suit and rank.
const std::string with_cards = std::string(one_phase) + R"(
tokenTypes: [{id: card, props: {suit: string, rank: int}}]
setup:
  - {createToken: {type: card, zone: deck, props: {suit: hearts, rank: 3}}}
  - {createToken: {type: card, zone: deck, props: {suit: spades, rank: 9}}}
actions:
  - id: take
    phase: [main]
    params: [{name: $c, domain: {query: tokensInZone, zone: deck}}]
    pre: {op: ">", left: {ref: tokenProp, token: $c, prop: rank}, right: 5}
    effects: [{advancePhase: {}}]
  - id: keep
    phase: [main]
    params: [{name: $c, domain: {query: tokensInZone, zone: deck}}]
    effects: [{require: {op: "<", left: {ref: gvar, var: y}, right: {ref: tokenProp, token: $c, prop: rank}}}, {advancePhase: {}}]
)";

TEST(Why, T27NamesTheConditionAndItsValuesInTheWordsOfTheScreen) {
  const GameFile game(with_cards);
  const Json legal = parlor({"state", game.name(), "--json"}).json();
  ASSERT_FALSE(legal["decision"]["options"].empty());
  const Result taken = parlor({"why", game.name(), "take", "card (hearts, 3)"});
  EXPECT_EQ(taken.exit_code, 0) << taken.err;
  EXPECT_THAT(taken.out, HasSubstr("rank (3) > 5 is false"));
  const Result kept = parlor({"why", game.name(), "keep", "card (hearts, 3)"});
  EXPECT_THAT(kept.out, HasSubstr("y (3) < rank (3) is false"));
  const Result may = parlor({"why", game.name(), "take", "card (spades, 9)"});
  EXPECT_THAT(may.out, HasSubstr("\"take card (spades, 9)\" is legal now"));
  for (const Result& answer : {taken, kept, may}) EXPECT_THAT(answer.out, Not(HasSubstr("tok_")));
}

// Written as a tree, asked about in words; what is asked of many things too (E-26).
TEST(Why, ConditionsAreSaidInTheTextNotation) {
  const GameFile game(std::string(one_phase) + R"(
actions:
  - id: go
    phase: [main]
    pre: {op: exists, query: {query: players}, bind: $p, where: {op: "==", left: {ref: binding, name: $p}, right: 7}}
    effects: [{advancePhase: {}}]
  - {id: wait, phase: [main], effects: [{advancePhase: {}}]}
)");
  EXPECT_THAT(parlor({"why", game.name(), "go"}).out,
              HasSubstr("any $p in players where $p == 7 is false"));
  const Result code = parlor({"info", game.name(), "--code"});
  EXPECT_THAT(code.out, HasSubstr("any $p in players where $p == 7"));
  EXPECT_THAT(code.out, Not(HasSubstr("{\"")));
}

TEST(Check, T28SaysThatTheGameDoesNotStart) {
  const GameFile game(std::string(one_phase) + R"(
setup: [{setVar: {scope: global, var: y, value: {op: /, left: 1, right: {op: "-", left: {ref: clock, field: playerCount}, right: 3}}}}]
actions: [{id: go, phase: [main], effects: [{advancePhase: {}}]}]
)");
  const Result check = parlor({"check", game.name(), "--json"});
  EXPECT_EQ(check.exit_code, 1);
  std::string all = check.out;
  EXPECT_THAT(all, HasSubstr("RUN_DIVISION_BY_ZERO"));
  EXPECT_THAT(all, HasSubstr("with 3 players: the game does not start"));
}

// Two spaces send whoever comes there to each other. Whether they do depends on a condition, so
// that it is found by playing alone.
const char* const spaces_in_a_circle = R"(  - {id: start, zoneKind: board}
  - {id: bog, zoneKind: board, onEnter: [{if: x > 1, then: move all from bog to fen}]}
  - {id: fen, zoneKind: board, onEnter: move all from fen to bog}
tokenTypes: {pawn: {}}
setup: [create pawn in start]
turnStructure: {phases: [main]}
actions:
  step:
    params: {$p: tokens in cells}
    effects: [x += 1, move $p to start, move $p to bog, end phase]
terminal: {late: {when: x >= 4, draw: true}}
)";

TEST(CutOffTriggers, L20AreToldWhereverTheGameIsTried) {
  const GameFile game(spaces_in_a_circle);
  EXPECT_THAT(parlor({"check", game.name()}).out, Not(HasSubstr("TRIGGER")));
  const Result deep = parlor({"check", game.name(), "--deep"});
  EXPECT_EQ(deep.exit_code, 0) << deep.out;
  EXPECT_THAT(deep.out, HasSubstr("warning[TRIGGER_DEPTH_EXCEEDED]: triggers that set each other "
                                  "off were cut off at a depth of 8"));
  const Json sim = parlor({"sim", game.name(), "--games", "3", "--json"}).json();
  ASSERT_EQ(sim["cutOffTriggers"].size(), 1u) << sim.dump();
  const Json cut = sim["cutOffTriggers"][0];
  EXPECT_EQ(cut["code"], "TRIGGER_DEPTH_EXCEEDED");
  EXPECT_EQ(cut["times"], 9);
  EXPECT_EQ(cut["details"]["line"], 10);
  EXPECT_THAT(parlor({"sim", game.name(), "--games", "3"}).out,
              HasSubstr("were cut off at a depth"));
  EXPECT_THAT(parlor({"play", game.name(), "--as", "none", "--seed", "1"}).out,
              HasSubstr("a mistake of the rules: triggers that set each other off"));
  EXPECT_THAT(parlor({"trace", game.name(), "--events", "--seed", "1"}).out,
              HasSubstr("triggerTruncated"));
}

// The second phase asks for a card, and there is none.
const char* const skipped_phase = R"(
turnStructure: {phases: [{id: main}, {id: build}]}
actions:
  - {id: go, phase: [main], effects: [{addVar: {scope: global, var: x, delta: 1}}, {gotoPhaseExact: {phase: build}}]}
  - {id: raise, phase: [build], effects: [{chooseOne: {bind: $c, options: {query: tokensInZone, zone: deck}}}]}
  - {id: claim, phase: [build], effects: [{require: {op: ">", left: {ref: gvar, var: x}, right: 10}}]}
terminal: {conditions: [{when: {op: ">", left: {ref: gvar, var: x}, right: 5}, result: {type: draw}}]}
)";

TEST(SkippedPhases, T24SimCountsThemWithTheReason) {
  const GameFile game(skipped_phase);
  const Json json = parlor({"sim", game.name(), "--games", "2", "--json"}).json();
  ASSERT_EQ(json["skippedPhases"].size(), 1u) << json.dump();
  const Json skip = json["skippedPhases"][0];
  EXPECT_EQ(skip["phase"], "build");
  EXPECT_GE(skip["times"].get<int>(), 10);
  ASSERT_EQ(skip["actions"].size(), 2u);
  EXPECT_EQ(skip["actions"][0]["action"], "raise");
  EXPECT_THAT(skip["actions"][0]["reason"].get<std::string>(),
              HasSubstr("there is nothing to choose from"));
  EXPECT_THAT(skip["actions"][1]["reason"].get<std::string>(), HasSubstr("x (1) > 10 is false"));
  EXPECT_THAT(parlor({"sim", game.name(), "--games", "2"}).out,
              HasSubstr("phase build was skipped"));
}

TEST(SkippedPhases, T24EvalCountsThemWithTheReason) {
  const GameFile game(skipped_phase);
  const Result eval = parlor({"eval", game.name(), "--games", "2", "--agents", "random", "--json"});
  const Json json = eval.json();
  ASSERT_TRUE(json.contains("flags")) << eval.out << eval.err;
  Json found;
  for (const Json& flag : json["flags"])
    if (flag["code"] == "PHASE_SKIPPED") found = flag["evidence"];
  ASSERT_TRUE(found.is_object()) << json["flags"].dump();
  EXPECT_GE(found["times"].get<int>(), 20);
  EXPECT_EQ(found["skipped"]["phase"], "build");
  EXPECT_THAT(found["skipped"]["actions"][0]["reason"].get<std::string>(),
              HasSubstr("there is nothing to choose from"));
  const Result text = parlor({"eval", game.name(), "--games", "2", "--agents", "random"});
  EXPECT_THAT(text.out, HasSubstr("phase `build` was skipped"));
  EXPECT_THAT(text.out, HasSubstr("there is nothing to choose from"));
}

TEST(SkippedPhases, T24WhyCanBeAskedAboutOne) {
  const GameFile game(skipped_phase);
  const Result why = parlor({"why", game.name(), "--moves", "-", "--phase", "build"}, "[0]");
  EXPECT_EQ(why.exit_code, 0) << why.err;
  EXPECT_THAT(why.out, HasSubstr("Phase build was skipped for player 0"));
  EXPECT_THAT(why.out, HasSubstr("claim: "));
  EXPECT_THAT(parlor({"why", game.name(), "--phase", "main"}).out, HasSubstr("was not skipped"));
  EXPECT_EQ(parlor({"why", game.name()}).exit_code, 2);
}

TEST(SkippedPhases, T24ACheckInDepthWarns) {
  const GameFile game(skipped_phase);
  const Result deep = parlor({"check", game.name(), "--deep"});
  EXPECT_EQ(deep.exit_code, 0) << deep.out;
  EXPECT_THAT(deep.out, HasSubstr("PHASE_SKIPPED"));
}

}  // namespace
}  // namespace parlor::test
