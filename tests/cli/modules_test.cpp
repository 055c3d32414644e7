// Modules of games written as data, on the command line.
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "cli/program.h"

namespace parlor::test {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

Result call(const std::vector<std::string>& arguments) {
  return run(arguments, "", open::catalog(open::Files::by_path));
}

class ModuleFiles : public ::testing::Test {
 protected:
  ModuleFiles()
      : folder_(fs::temp_directory_path() / ("parlor_modules_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~ModuleFiles() override { fs::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& yaml) const {
    std::ofstream{folder_ / name} << "```yaml\n" << yaml << "\n```\n";
    return (folder_ / name).string();
  }
  fs::path folder_;
};

TEST_F(ModuleFiles, RulesListsWhatAGameOffers) {  // M-01
  const Result text = call({"rules", "coalition"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("economy"));
  const Json list = call({"rules", "coalition", "--json"}).json()["rules"];
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0]["id"], "economy");
  EXPECT_EQ(list[0]["name"], "Economy");
  EXPECT_EQ(call({"rules", "tic-tac-toe", "--json"}).json()["rules"], Json::array());
}

TEST_F(ModuleFiles, RulesSwitchesThemOn) {  // M-03
  const Json with = call({"info", "coalition", "--rules", "economy", "--json"}).json();
  EXPECT_EQ(with["rules"], Json::array({"economy"}));
  const Json without = call({"info", "coalition", "--json"}).json();
  EXPECT_EQ(without["rules"], Json::array());
  EXPECT_NE(with["fingerprint"], without["fingerprint"]);
  EXPECT_EQ(call({"sim", "coalition", "--rules", "economy", "--games", "2", "--json"}).exit_code,
            0);
}

TEST_F(ModuleFiles, AFileIsAModuleToo) {  // M-04
  const std::string file = write("calm.rules.md", R"(
module: {id: calm, name: Calm, description: The centre stays empty.}
hooks: [{id: calm.centre, at: validate, actions: [place], when: {op: ==, left: {ref: binding, name: $cell}, right: "cell_1_1:none"}, reject: {code: CALM}}])");
  const Result result = call({"perft", "tic-tac-toe", "1", "--rules", file, "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.json()["nodes"], 8);
  EXPECT_EQ(call({"check", "tic-tac-toe", "--rules", file}).exit_code, 0);
}

TEST_F(ModuleFiles, ModulesLieBesideAGameOfOneFile) {
  const std::string game = write("duo.md", R"(
metadata: {id: duo, players: {min: 2, max: 2}}
zones: [{id: box, owner: none, visibility: public, ordering: set}]
turnStructure: {phases: [{id: main}]}
actions: [{id: pass, phase: [main], effects: [{advancePhase: {}}]}]
terminal: {conditions: [{when: {op: ">", left: {ref: clock, field: turn}, right: 3}, result: {type: draw}}]})");
  write("duo.a.rules.md", "module: {id: a, requires: [b]}");
  write("duo.b.rules.md", "module: {id: b, incompatibleWith: [c]}");
  write("duo.c.rules.md", "module: {id: c}");
  write("duo.d.rules.md", "module: {id: D}");
  write("other.e.rules.md", "module: {id: e}");
  EXPECT_EQ(call({"rules", game, "--json"}).json()["rules"].size(), 3u);
  EXPECT_EQ(call({"info", game, "--rules", "b,a", "--json"}).json()["rules"],
            Json::array({"a", "b"}));
  const auto code = [&](const std::string& rules) {
    const Result result = call({"compile", game, "--rules", rules, "--json"});
    EXPECT_EQ(result.exit_code, 1) << rules;
    return result.json()["error"]["code"];
  };
  EXPECT_EQ(code("a"), "RULE_REQUIREMENT_MISSING");
  EXPECT_EQ(code("b,c"), "RULE_INCOMPATIBLE");
  EXPECT_EQ(code("b,b"), "RULE_DUPLICATE");
  EXPECT_EQ(code("b:7"), "RULE_SCOPE_UNKNOWN");
  EXPECT_EQ(call({"info", game, "--rules", "b:0@2", "--json"}).json()["rules"],
            Json::array({"b:0@2"}));
  EXPECT_EQ(code("d"), "MODULE_ID");
  EXPECT_EQ(code("e"), "RULE_UNKNOWN");
}

}  // namespace
}  // namespace parlor::test
