// L-34: what commands print with --json is an object with `ok` and `format`, spelt in camelCase,
// and fits the schema of that format in docs/schemas.
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <unistd.h>

#include "cli/program.h"
#include "open/open.h"
#include "source_dir.h"
#include "spec/lower/json_schema.h"

namespace parlor::test {
namespace {

namespace fs = std::filesystem;

Json read_json(const fs::path& path) {
  std::ifstream file{path};
  return Json::parse(std::string{std::istreambuf_iterator<char>{file}, {}});
}

// Keys that are names of the game's own things, which are spelt as authors like.
bool is_own_name(const std::string& path) {
  static const std::set<std::string> open{
      "globals", "players", "zones",   "zoneVars", "markers",        "globalMarkers", "props",
      "params",  "actions", "values",  "outcomes", "divide",         "constants",     "tags",
      "view",    "parts",   "details", "evidence", "randomOutcomes", "baselines",     "set"};
  return open.contains(path);
}

void expect_camel_case(const Json& value, const std::string& under) {
  if (value.is_array())
    for (const Json& item : value) expect_camel_case(item, under);
  if (!value.is_object() || is_own_name(under)) return;
  for (const auto& [key, inner] : value.items()) {
    EXPECT_EQ(key.find_first_of("_- "), std::string::npos) << key << " under " << under;
    expect_camel_case(inner, key);
  }
}

class JsonOfCommands : public testing::Test {
 protected:
  JsonOfCommands() { fs::create_directories(folder_); }
  ~JsonOfCommands() override { fs::remove_all(folder_); }

  // Runs a command and looks at every line of what it prints.
  void look_at(std::vector<std::string> words, const std::string& input = "") {
    words.emplace_back("--json");
    const Result result = run(words, input, shipped());
    std::istringstream lines{result.out};
    int count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
      const auto answer = parse_json(line);
      ASSERT_TRUE(answer && answer->is_object()) << words[0] << ": " << line;
      const std::string format = answer->value("format", "");
      ASSERT_TRUE(format.starts_with("parlor.")) << words[0] << ": " << line;
      EXPECT_TRUE((*answer)["ok"].is_boolean()) << words[0];
      expect_camel_case(*answer, "");
      const std::string name = format.substr(7, format.rfind('.') - 7);
      const fs::path path = fs::path(source_dir()) / "docs/schemas" / (name + ".schema.json");
      ASSERT_TRUE(fs::exists(path)) << path << " for " << words[0];
      EXPECT_EQ(spec::testing::JsonSchema(read_json(path)).violation(*answer), "")
          << words[0] << ": " << line.substr(0, 400);
      seen_.insert(name);
    }
    EXPECT_GT(count, 0) << words[0];
  }
  std::string file(const std::string& name, const std::string& text) {
    std::ofstream{folder_ / name} << text;
    return folder_ / name;
  }

  fs::path folder_ = fs::temp_directory_path() / ("parlor-json-" + std::to_string(getpid()));
  std::set<std::string> seen_;
};

TEST_F(JsonOfCommands, FitsItsSchema) {  // L-34
  const std::string game = open::shipped_games().at("tic-tac-toe");
  const std::string store = folder_ / "games.db";
  look_at({"list"});
  look_at({"new", folder_ / "mine"});
  look_at({"check", game});
  look_at({"check", file("bad.md", "```yaml\nmetadata: {id: x}\n```\n")});
  look_at({"compile", game, "-o", folder_ / "out.json"});
  look_at({"fmt", "--check", game});
  look_at({"info", "coalition"});
  look_at({"info", "tic-tac-toe", "--code"});
  look_at({"rules", "coalition"});
  look_at({"rules", "chess"});
  look_at({"rules", "tic-tac-toe", "--hooks"});
  look_at({"scene", "tic-tac-toe"});
  look_at({"state", "tic-tac-toe"});
  look_at({"state", "leduc-poker", "--viewer", "0"});
  look_at({"why", "tic-tac-toe", "place", "cell=cell_0_0"});
  look_at({"why", "tic-tac-toe", "fly"});
  look_at({"perft", "tic-tac-toe", "2", "--divide"});
  look_at({"sim", "pig", "--games", "2"});
  look_at({"eval", "tic-tac-toe", "--games", "4", "--iters", "4"});
  look_at({"solve", "kuhn-poker", "--iters", "3"});
  look_at({"explain", "USAGE"});
  look_at({"explain"});
  look_at({"language"});
  look_at({"manual"});
  look_at({"completion", "games"});
  look_at({"completion", "bash"});
  look_at({"version"});
  look_at({"native", "tic-tac-toe", "-o", folder_ / "x.cpp"});
  look_at({"pgn", "--moves", file("moves.json", R"(["e4"])")});
  look_at({"pgn", file("game.pgn", "1. e4 e5 *\n")});
  look_at({"play", "tic-tac-toe", "--as", "all", "--seed", "1"}, "0\nwhy 0\nlog\nrules\nresign\n");
  look_at({"no-such-command"});
  look_at({"state", "tic-tac-toe", "--players", "9"});
  look_at({"session", "new", store, "tic-tac-toe", "--id", "s"});
  look_at({"session", "list", store});
  look_at({"session", "act", store, "--as", "0", "4"});
  look_at({"session", "undo", store, "--as", "0"});
  look_at({"session", "redo", store, "--as", "0"});
  look_at({"session", "show", store});
  look_at({"session", "show", store, "--viewer", "1"});
  look_at({"session", "log", store});
  look_at({"session", "replay", store});
  look_at({"session", "resign", store, "--as", "1"});
  look_at({"session", "remove", store, "--id", "s"});
  const std::string trace = file("trace", run({"trace", "pig"}, "", shipped()).out);
  look_at({"replay", trace});
  look_at({"tune", "pig", "--set", "goal=20..40", "--trials", "2", "--games", "2", "--agents",
           "random", "--budget", "0"});
  look_at({"bench", "tic-tac-toe", "--seconds", "0.01"});
  // Every schema is of something that was seen, apart from a server and rules that have changed.
  for (const auto& entry : fs::directory_iterator(fs::path(source_dir()) / "docs/schemas")) {
    const std::string name = entry.path().stem().stem().string();
    EXPECT_TRUE(seen_.contains(name) || name == "serve" || name == "session.migrate") << name;
  }
}

}  // namespace
}  // namespace parlor::test
