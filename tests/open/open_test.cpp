// A-12: putting a game together is one library call for everybody.
#include "open/open.h"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "source_dir.h"

namespace parlor::open {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;

// A folder that is removed again.
struct Folder {
  fs::path path =
      fs::path{testing::TempDir()} /
      fmt::format("{}-{}", testing::UnitTest::GetInstance()->current_test_info()->name(), getpid());
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path / name) << text;
    return path / name;
  }
};

std::string first_code(const Opened& opened) {
  return opened ? "opened" : std::string{code_name(opened.error().diagnostics.all()[0].code)};
}

TEST(Opening, FindsNativeAndShippedGamesByName) {
  const Catalog games = catalog();
  EXPECT_THAT(games.names(), Contains("chess"));
  EXPECT_THAT(games.names(), Contains("coalition"));
  EXPECT_EQ(games.names().size(), shipped_games().size() + 1);
  OpenOptions options;
  options.rules = {"economy"};
  EXPECT_EQ(games.open("coalition", options).value()->info().rules,
            std::vector<std::string>{"economy"});
  options = {};
  options.layout = "chess960:12";
  EXPECT_TRUE(games.open("chess", options).has_value());
}

// T-31, S-19: names, never paths, unless whoever makes the catalog says so.
TEST(Opening, TakesPathsOnlyWhereTheyAreAllowed) {
  const Folder folder;
  const std::string game = shipped_games().at("tic-tac-toe").string();
  const std::string rules =
      fs::path(shipped_games().at("coalition")).parent_path() / "economy.rules.md";
  EXPECT_EQ(first_code(catalog().open(game)), "GAME_UNKNOWN");
  EXPECT_TRUE(catalog(Files::by_path).open(game).has_value());
  OpenOptions options;
  options.rules = {rules};
  EXPECT_EQ(first_code(catalog().open("coalition", options)), "FILE_NOT_FOUND");
  EXPECT_TRUE(catalog(Files::by_path).open("coalition", options).has_value());
}

// A-12: a module is asked what it is and then merged into the game: both from one reading.
TEST(Opening, ReadsEveryTextOnce) {
  std::map<fs::path, int> reads;
  const spec::FileReader counting = [&](const fs::path& path) {
    ++reads[fs::canonical(path)];
    return spec::read_file(path);
  };
  OpenOptions options;
  options.rules = {"economy"};
  const auto compiled =
      compile_game_file(shipped_games().at("coalition"), options, Files::none, {}, counting);
  ASSERT_TRUE(compiled.has_value() && compiled->result.game);
  EXPECT_GE(reads.size(), 2u);
  for (const auto& [path, times] : reads) EXPECT_EQ(times, 1) << path;
}

constexpr const char* shield = R"(# a comment
version: 1
name: Shielded knights
attributes: [{name: Guard, low: 0, high: 1}]
attach:
  - to: {pieceTypes: [knight]}
    primitives: [{do: seedAttribute, attribute: Guard, value: 1}]
)";

// S-15: modifiers are data, so what opened a game can be kept and sent.
TEST(Opening, ModifiersAreDataAndOpenTheSameGameWithoutTheirFile) {
  const Folder folder;
  auto modifiers = read_modifiers(folder.write("shield.yaml", shield));
  ASSERT_TRUE(modifiers.has_value());
  OpenOptions options;
  options.modifiers = *modifiers;
  const auto game = catalog().open("chess", options);
  ASSERT_TRUE(game.has_value()) << render(game.error().diagnostics, game.error().texts,
                                          Colour::never);
  const Json kept = to_json(options);
  EXPECT_EQ(kept["modifiers"]["name"], "Shielded knights");
  const auto again = catalog().open("chess", open_options_from_json(kept).value());
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ((*again)->info().fingerprint, (*game)->info().fingerprint);
  options.modifiers.data["description"] = "something else";
  options.modifiers.text.clear();
  EXPECT_NE(catalog().open("chess", options).value()->info().fingerprint,
            (*game)->info().fingerprint);
}

TEST(Opening, MistakesInModifiersAreShownWhereTheyWereWritten) {
  const Folder folder;
  std::string wrong = shield;
  wrong.replace(wrong.find("knight]"), 6, "knigth");
  OpenOptions options;
  options.modifiers = read_modifiers(folder.write("wrong.yaml", wrong)).value();
  const auto written = catalog().open("chess", options);
  ASSERT_FALSE(written.has_value());
  EXPECT_EQ(written.error().diagnostics.all()[0].span.line, 6u);
  EXPECT_THAT(written.error().diagnostics.all()[0].span.file, HasSubstr("wrong.yaml"));
  const auto sent = catalog().open("chess", open_options_from_json(to_json(options)).value());
  ASSERT_FALSE(sent.has_value());
  EXPECT_EQ(sent.error().diagnostics.all()[0].path, written.error().diagnostics.all()[0].path);
  EXPECT_EQ(read_modifiers(folder.write("broken.yaml", "a: [")).error().diagnostics.all().size(),
            1u);
  EXPECT_EQ(code_name(read_modifiers(folder.path / "no.yaml").error().diagnostics.all()[0].code),
            "FILE_NOT_FOUND");
}

TEST(Opening, OptionsRoundTripThroughJson) {
  OpenOptions options;
  EXPECT_EQ(to_json(options), (Json{{"players", 0}}));
  EXPECT_EQ(open_options_from_json(to_json(options)).value(), options);
  options = {.players = 3,
             .constants = {{"size", "9"}},
             .rules = {"a", "b:white@3"},
             .explicit_chance = true,
             .position = "8/8 w",
             .layout = "chess960:3",
             .modifiers = {Json{{"version", 1}}, "version: 1", "x.yaml"}};
  EXPECT_EQ(open_options_from_json(to_json(options)).value(), options);
  for (const Json& wrong : {Json(1), Json{{"players", -1}}, Json{{"players", "two"}},
                            Json{{"set", Json::array({"a=1"})}}, Json{{"rules", "x"}},
                            Json{{"modifiers", "/etc/passwd"}}, Json{{"explicitChance", 1}}})
    EXPECT_FALSE(open_options_from_json(wrong).has_value()) << wrong;
}

// The example module as a shared object, beside the tests.
fs::path curfew_library() {
  return fs::read_symlink("/proc/self/exe").parent_path() / "../modules/curfew.so";
}

// $PARLOR_MODULES while it lives.
struct ModulesFolder {
  explicit ModulesFolder(const fs::path& path) { setenv("PARLOR_MODULES", path.c_str(), 1); }
  ~ModulesFolder() { unsetenv("PARLOR_MODULES"); }
};

OpenOptions with_rules(std::vector<std::string> rules, std::size_t players = 0) {
  OpenOptions options;
  options.rules = std::move(rules);
  options.players = players;
  return options;
}

TEST(NativeModules, AreAskedForByNameWhereTheOperatorPutThem) {  // A-24, T-31
  ASSERT_TRUE(fs::exists(curfew_library()));
  EXPECT_EQ(first_code(catalog().open("texas-holdem", with_rules({"curfew"}))), "RULE_UNKNOWN");
  const ModulesFolder folder(curfew_library().parent_path());
  const auto game = catalog().open("texas-holdem", with_rules({"curfew:0+2@9"}, 3));
  ASSERT_TRUE(game) << render(game.error().diagnostics, game.error().texts, Colour::never);
  EXPECT_THAT((*game)->info().rules, testing::ElementsAre("curfew:0+2@9"));
  const auto state = (*game)->start(7);
  ASSERT_TRUE(state);
  EXPECT_EQ(state->view()["modules"]["curfew"]["open"], true);
  EXPECT_EQ(state->view()["globals"]["curfew.taken"], 0);
}

TEST(NativeModules, APathIsTakenOnlyFromTheCommandLine) {  // A-24, T-31
  const std::string path = curfew_library();
  EXPECT_EQ(first_code(catalog().open("texas-holdem", with_rules({path}))), "FILE_NOT_FOUND");
  const auto game = catalog(Files::by_path).open("texas-holdem", with_rules({path}));
  ASSERT_TRUE(game) << render(game.error().diagnostics, game.error().texts, Colour::never);
  EXPECT_THAT((*game)->info().rules, testing::ElementsAre("curfew"));
}

TEST(NativeModules, WhatIsNoModuleIsRefused) {  // A-24
  const Folder folder;
  folder.write("broken.so", "no library");
  const ModulesFolder modules(folder.path);
  EXPECT_EQ(first_code(catalog().open("texas-holdem", with_rules({"broken"}))), "MODULE_LIBRARY");
  EXPECT_EQ(first_code(catalog().open("texas-holdem")), "opened") << "nobody asked for it";
}

TEST(DataModules, BindSeatsAndTurns) {  // A-20
  const auto game = catalog().open("coalition", with_rules({"economy:1@5"}, 3));
  ASSERT_TRUE(game) << render(game.error().diagnostics, game.error().texts, Colour::never);
  EXPECT_THAT((*game)->info().rules, testing::ElementsAre("economy:1@5"));
  EXPECT_EQ(first_code(catalog().open("coalition", with_rules({"economy:nobody"}))),
            "RULE_SCOPE_UNKNOWN");
}

}  // namespace
}  // namespace parlor::open
