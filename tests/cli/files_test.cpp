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

// A folder of its own for each test.
class GameFolder : public testing::Test {
 protected:
  GameFolder()
      : folder_(std::filesystem::temp_directory_path() /
                ("parlor_folder_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_ / "game");
    std::filesystem::create_directories(folder_ / "shared");
  }
  ~GameFolder() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream{folder_ / name} << text;
    return (folder_ / name).string();
  }
  // Tic-tac-toe whose token types are in a file of their own.
  std::string parted(const std::string& import) const {
    std::ifstream in{tic_tac_toe()};
    std::string text{std::istreambuf_iterator<char>{in}, {}};
    const std::string types = "tokenTypes: {mark: {owner: player}}\n";
    text.replace(text.find(types), types.size(), "imports: [" + import + "]\n");
    write("shared/types.yaml", types);
    return write("game/game.md", text);
  }

  std::filesystem::path folder_;
};

using Includes = GameFolder;
TEST_F(Includes, AllowImportsFromOtherFolders) {  // T-31
  for (const char* import : {"../shared/types.yaml", "types.yaml"}) {
    const std::string game = parted(import);
    const Result refused = run({"check", game, "--json"});
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_THAT(refused.out, HasSubstr(import[0] == '.' ? "IMPORT_OUTSIDE" : "IMPORT_NOT_FOUND"));
    const std::string shared = (folder_ / "shared").string();
    EXPECT_EQ(run({"check", game, "--include", shared}).exit_code, 0);
    EXPECT_EQ(run({"sim", game, "--games", "2", "--include", shared}, "", shipped()).exit_code, 0);
    EXPECT_EQ(run({"compile", game, "--include", shared}).exit_code, 0);
  }
  EXPECT_EQ(run({"check", "tic-tac-toe", "--include", "/no/such/folder"}).exit_code, 2);
}

TEST_F(Includes, LinksDoNotLeadOutOfAFolder) {  // T-31
  const std::string game = parted("link.yaml");
  std::filesystem::create_symlink(folder_ / "shared/types.yaml", folder_ / "game/link.yaml");
  EXPECT_THAT(run({"check", game}).out, HasSubstr("IMPORT_NOT_FOUND"));
  EXPECT_EQ(run({"check", game, "--include", (folder_ / "shared").string()}).exit_code, 0);
  // What is named on the command line may be a link.
  std::filesystem::create_symlink(tic_tac_toe(), folder_ / "game/linked.md");
  EXPECT_EQ(run({"check", (folder_ / "game/linked.md").string()}).exit_code, 0);
}

using Traces = GameFolder;
TEST_F(Traces, DoNotChooseWhichFilesAreRead) {  // T-31
  const std::string game = write("game/game.md", [] {
    std::ifstream in{tic_tac_toe()};
    return std::string{std::istreambuf_iterator<char>{in}, {}};
  }());
  const Result trace = run({"trace", game, "--max-decisions", "3"}, "", shipped());
  ASSERT_EQ(trace.exit_code, 0) << trace.err;
  const Result refused = run({"replay", "-", "--json"}, trace.out, shipped());
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_EQ(refused.json()["error"]["code"], "FILE_OUTSIDE");
  EXPECT_EQ(run({"replay", "-", "--include", folder_.string()}, trace.out, shipped()).exit_code, 0);
}

TEST(Hostile, FilesAreAnsweredWithACode) {  // T-33
  const auto code = [](const std::vector<std::string>& arguments, const std::string& input) {
    const Result result = run(arguments, input, shipped());
    EXPECT_EQ(result.exit_code, 1) << result.out << result.err;
    return result.json()["error"]["code"];
  };
  const std::vector<std::string> moves{"state", "tic-tac-toe", "--moves", "-", "--json"};
  EXPECT_EQ(code(moves, "[1e999]"), "JSON_INVALID");
  EXPECT_EQ(code(moves, std::string(100'000, '[')), "JSON_INVALID");
  EXPECT_EQ(code(moves, "[18446744073709551615]"), "OPTION_ILLEGAL");
  EXPECT_EQ(code(moves, "[1.5]"), "OPTION_ILLEGAL");
  EXPECT_EQ(code({"replay", "-", "--json"}, std::string(100'000, '{')), "JSON_INVALID");
  EXPECT_EQ(code({"state", "go", "--moves", "/dev/zero", "--json"}, ""), "FILE_TOO_LARGE");
}

}  // namespace
}  // namespace parlor::test
