// What all commands share: help, exit codes, suggestions and the form of errors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/program.h"
#include "host/codes.h"

namespace parlor::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(Frame, WithoutACommandShowsTheHelpAsWrongUsage) {
  const Result result = run({});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("Exit codes: 0 fine, 1 the input has errors, 2 wrong usage."));
}

TEST(Frame, EveryCommandHasHelpWithAnExampleAndJson) {
  for (const auto& command : cli::all_commands()) {
    const Result result = run({command.name, "--help"});
    EXPECT_EQ(result.exit_code, 0) << command.name;
    EXPECT_THAT(result.out, HasSubstr("Example:\n  ")) << command.name;
    EXPECT_THAT(result.out, HasSubstr("parlor " + command.name)) << command.name;
    EXPECT_THAT(result.out, HasSubstr("--json")) << command.name;
    EXPECT_THAT(run({"--help"}).out, HasSubstr(command.name));
    EXPECT_THAT(run({"help", command.name}).out, testing::Eq(result.out));
  }
}

TEST(Frame, AnUnknownCommandSuggestsTheNearest) {
  const Result result = run({"perf", "duel"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err,
            "error[USAGE]: there is no command `perf`; `parlor --help` lists them\n"
            "did you mean: `perft`\n");
  EXPECT_EQ(run({"--perft"}).exit_code, 2);
}

TEST(Frame, AnUnknownFlagSuggestsTheNearest) {
  const Result result = run({"state", "duel", "--sed=3"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(
      result.err,
      StartsWith("error[USAGE]: `parlor state` has no option `--sed`\ndid you mean: `--seed`"));
}

TEST(Frame, AnUnknownGameSuggestsTheNearest) {
  const Result result = run({"info", "dule", "--json"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("did you mean: `duel`"));
  EXPECT_EQ(result.json()["ok"], false);
  EXPECT_EQ(result.json()["error"]["code"], "GAME_UNKNOWN");
  EXPECT_EQ(result.json()["diagnostics"][0]["alternatives"], Json::array({"duel"}));
}

TEST(Frame, MissingAndExtraArgumentsAreWrongUsage) {
  EXPECT_EQ(run({"state"}).exit_code, 2);
  EXPECT_THAT(run({"state"}).err, HasSubstr("GAME is required"));
  EXPECT_EQ(run({"perft", "duel", "x"}).exit_code, 2);
  EXPECT_EQ(run({"perft", "duel", "1", "2"}).exit_code, 2);
  EXPECT_EQ(run({"state", "duel", "--set", "no-value"}).exit_code, 2);
  EXPECT_EQ(run({"state", "duel", "--players", "99"}).exit_code, 2);
}

TEST(Frame, WrongUsageIsJsonToo) {
  const Result result = run({"state", "duel", "--jsn", "--json"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(
      canonical(result.json()),
      R"({"error":{"code":"USAGE","details":{"alternatives":["--json"]},)"
      R"("message":"`parlor state` has no option `--jsn`"},"format":"parlor.error.1","ok":false})");
}

TEST(Frame, AGameThatCannotBeOpenedIsAnInputError) {
  const Result result = run({"state", "duel", "--players", "3", "--json"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.json()["diagnostics"][0]["code"], "PLAYERS_UNSUPPORTED");
}

TEST(Explain, KnowsEveryCode) {
  for (const Code code : all_codes()) {
    const Result result = run({"explain", std::string{code_name(code)}, "--json"});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.json()["help"], code_help(code));
  }
  EXPECT_EQ(run({"explain", "--json"}).json()["codes"].size(),
            all_codes().size() + host::table_codes().size());
  EXPECT_EQ(run({"explain", "usage"}).exit_code, 0) << "small letters are fine";
  const Result missed = run({"explain", "GAME_UNKNWN"});
  EXPECT_EQ(missed.exit_code, 2);
  EXPECT_THAT(missed.err, HasSubstr("did you mean: `GAME_UNKNOWN`"));
}

TEST(Version, IsPrinted) {
  EXPECT_THAT(run({"version"}).out, StartsWith("parlor "));
  EXPECT_EQ(run({"--version"}).out, run({"version"}).out);
  EXPECT_EQ(run({"version", "--json"}).json()["name"], "parlor");
}

}  // namespace
}  // namespace parlor::test
