// Commands that read a game's text: check and compile.
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "cli/program.h"
#include "source_dir.h"

namespace parlor::test {
namespace {

using testing::HasSubstr;

std::string tic_tac_toe() {
  return source_dir() + "/games/tic-tac-toe.md";
}

class BrokenGame : public testing::Test {
 protected:
  BrokenGame()
      : file_(std::filesystem::temp_directory_path() /
              ("parlor_" + std::to_string(getpid()) + ".md")) {
    std::ifstream in{tic_tac_toe()};
    std::string text{std::istreambuf_iterator<char>{in}, {}};
    const auto at = text.find("terminal:");
    EXPECT_NE(at, std::string::npos);
    text.replace(at, 9, "termnal:");
    std::ofstream{file_} << text;
  }
  ~BrokenGame() override { std::filesystem::remove(file_); }

  std::filesystem::path file_;
};

TEST(Check, AShippedGameIsFine) {
  const Result result = run({"check", tic_tac_toe(), "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.out;
  EXPECT_EQ(result.json()["ok"], true);
  EXPECT_TRUE(result.json()["diagnostics"].is_array());
  EXPECT_EQ(run({"check", "tic-tac-toe"}).exit_code, 0) << "by name, too";
}

TEST_F(BrokenGame, CheckSaysWhatIsWrongAndWhere) {
  const Result result = run({"check", file_.string(), "--json"});
  EXPECT_EQ(result.exit_code, 1);
  const Json first = result.json()["diagnostics"][0];
  for (const char* key : {"code", "severity", "message", "path", "file", "line", "column",
                          "suggestion", "alternatives"})
    EXPECT_TRUE(first.contains(key)) << key;
  EXPECT_EQ(result.json()["ok"], false);
  EXPECT_EQ(first["alternatives"], Json::array({"terminal"}));
  EXPECT_THAT(run({"check", file_.string()}).out, HasSubstr("did you mean: `terminal`"));
}

TEST_F(BrokenGame, DoesNotCompile) {
  const Result result = run({"compile", file_.string(), "--json"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.json()["ok"], false);
}

TEST(Check, AMissingFileIsADiagnosticToo) {
  const Result result = run({"check", "no-such-game", "--json"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.json()["diagnostics"][0]["code"], "FILE_NOT_FOUND");
}

TEST(Compile, GivesTheSameBytesEveryTime) {
  const Result once = run({"compile", "tic-tac-toe"});
  EXPECT_EQ(once.exit_code, 0) << once.err;
  EXPECT_TRUE(once.json().contains("actions"));
  EXPECT_EQ(run({"compile", "tic-tac-toe"}).out, once.out);

  const auto file =
      std::filesystem::temp_directory_path() / ("parlor_def_" + std::to_string(getpid()));
  EXPECT_EQ(run({"compile", "tic-tac-toe", "-o", file.string(), "--json"}).json()["bytes"],
            once.out.size());
  std::ifstream in{file};
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>{in}, {}), once.out);
  std::filesystem::remove(file);
}

// A GameDef is complete: every command takes it instead of the text.
TEST(Compile, TheGameDefCanBeCheckedPlayedAndCompiledAgainWithoutTheText) {
  const auto file =
      std::filesystem::temp_directory_path() / ("parlor_def_" + std::to_string(getpid()) + ".json");
  ASSERT_EQ(run({"compile", "tic-tac-toe", "-o", file.string()}).exit_code, 0);
  EXPECT_EQ(run({"check", file.string(), "--json"}).json()["ok"], true);
  EXPECT_EQ(run({"compile", file.string()}).out, run({"compile", "tic-tac-toe"}).out);
  EXPECT_EQ(run({"info", file.string(), "--json"}).json()["parts"],
            run({"info", "tic-tac-toe", "--json"}).json()["parts"]);
  const auto sim = [](const std::string& game) {
    return run({"sim", game, "--games", "20", "--seed", "7", "--json"}).json()["checksum"];
  };
  EXPECT_EQ(sim(file.string()), sim("tic-tac-toe"));
  EXPECT_EQ(run({"check", file.string(), "--set", "a=1"}).exit_code, 1) << "it is fixed";

  std::string text{std::istreambuf_iterator<char>{std::ifstream{file}.rdbuf()}, {}};
  text.replace(text.find("\"phases\""), 8, "\"phasse\"");
  std::ofstream{file} << text;
  const Result broken = run({"check", file.string(), "--json"});
  EXPECT_EQ(broken.exit_code, 1);
  EXPECT_EQ(broken.json()["diagnostics"][0]["code"], "JSON_INVALID");
  std::filesystem::remove(file);
}

TEST(Compile, AnUnknownRuleIsSaid) {
  const Result result = run({"compile", "tic-tac-toe", "--rules", "nonsense", "--json"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.json()["error"]["code"], "RULE_UNKNOWN");
}

}  // namespace
}  // namespace parlor::test
