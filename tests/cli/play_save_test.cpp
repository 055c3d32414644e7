// `parlor play --save` and `--resume`: an evening that goes on another day.
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>
#include <unistd.h>

#include "cli/program.h"

namespace parlor::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class SavedEvening : public testing::Test {
 protected:
  SavedEvening() { fs::create_directories(folder_); }
  ~SavedEvening() override { fs::remove_all(folder_); }

  Result play(std::vector<std::string> words, const std::string& input) const {
    words.insert(words.begin(), "play");
    return run(words, input, shipped());
  }
  Json show(const std::string& id) const {
    return run({"session", "show", store_, "--id", id, "--json"}, "", shipped()).json();
  }
  std::string game_file(const std::string& more) const {
    std::ifstream in{open::shipped_games().at("tic-tac-toe")};
    std::stringstream text;
    text << in.rdbuf() << more;
    std::ofstream(folder_ / "mine.md") << text.str();
    return folder_ / "mine.md";
  }

  fs::path folder_ =
      fs::temp_directory_path() / fmt::format("parlor-evening-{}-{}", getpid(), fmt::ptr(this));
  std::string store_ = folder_ / "evening.db";
};

TEST_F(SavedEvening, GoesOnWhereItWasLeft) {  // T-32
  const Result first =
      play({"backgammon", "--save", store_, "--id", "e", "--as", "all", "--seed", "3"},
           "#0\n#0\n#0\nquit\n");
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_THAT(first.out, HasSubstr(fmt::format("`parlor play --resume {}`", store_)));
  const Json left = show("e");
  ASSERT_EQ(left["revision"], 3);
  const Result second = play({"--resume", store_, "--json"}, "0\n");
  ASSERT_EQ(second.exit_code, 0) << second.err;
  const Json taken_up = parse_json(second.out.substr(0, second.out.find('\n'))).value();
  EXPECT_EQ(taken_up["hash"], left["hash"]);
  EXPECT_EQ(taken_up["seed"], 3);
  EXPECT_EQ(show("e")["revision"], 4) << "everybody's seat was remembered";
  // The same evening in one piece: the same dice.
  play({"backgammon", "--save", store_, "--id", "whole", "--as", "all", "--seed", "3"},
       "#0\n#0\n#0\n#0\nquit\n");
  EXPECT_EQ(show("whole")["hash"], show("e")["hash"]);
}

TEST_F(SavedEvening, UndoAndResignAreKept) {  // T-32, S-16
  play({"tic-tac-toe", "--save", store_, "--id", "t", "--bots", "random"}, "4\nundo\n0\n");
  const Json left = show("t");
  EXPECT_EQ(left["revision"], 5) << "two moves, one taken back with its answer, two moves";
  EXPECT_THAT(play({"--resume", store_}, "resign\n").out,
              HasSubstr("The game is over (resign): o wins."));
  EXPECT_EQ(show("t")["outcome"]["by"], "table");
  const Result again = play({"--resume", store_}, "0\n");
  EXPECT_THAT(again.out, HasSubstr("o wins"));
  EXPECT_EQ(show("t")["revision"], 6);
}

TEST_F(SavedEvening, TheLatestOfAFileIsTakenUp) {  // T-32
  play({"tic-tac-toe", "--save", store_, "--id", "a", "--as", "all"}, "4\n");
  play({"pig", "--save", store_, "--id", "b", "--as", "all"}, "0\n");
  EXPECT_THAT(play({"--resume", store_}, "").out, HasSubstr("Pig."));
  EXPECT_THAT(play({"--resume", store_, "--id", "a"}, "0\n").out, HasSubstr("Tic-tac-toe."));
  EXPECT_THAT(play({"--resume", store_}, "").out, HasSubstr("Tic-tac-toe."));
}

TEST_F(SavedEvening, ChangedRulesAreNamedAndTheGameGoesOnByThem) {  // T-37
  const std::string game = game_file("");
  play({game, "--save", store_, "--id", "m", "--as", "all"}, "4\n0\n");
  game_file("\n```yaml\nglobalVars: [{name: extra, type: int, init: 1, min: 0, max: 3}]\n```\n");
  const Result refused = play({"--resume", store_}, "");
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, HasSubstr("RULES_CHANGED"));
  EXPECT_THAT(refused.err, HasSubstr(fmt::format("parlor play --resume {} --migrate", store_)));
  const Result migrated = play({"--resume", store_, "--migrate"}, "0\n");
  ASSERT_EQ(migrated.exit_code, 0) << migrated.err;
  EXPECT_THAT(migrated.out, HasSubstr("2 of 2 actions of m"));
  EXPECT_EQ(show("m-2")["revision"], 3);
  // From now on that is the one.
  const Result later = play({"--resume", store_}, "");
  EXPECT_EQ(later.exit_code, 0) << later.err;
}

TEST_F(SavedEvening, TheMigratedGameIsTheLatestAtOnce) {
  const std::string game = game_file("");
  play({game, "--save", store_, "--id", "m", "--as", "all"}, "4\n0\n");
  game_file("\n```yaml\nglobalVars: [{name: extra, type: int, init: 1, min: 0, max: 3}]\n```\n");
  ASSERT_EQ(play({"--resume", store_, "--migrate"}, "").exit_code, 0);
  EXPECT_EQ(play({"--resume", store_}, "").exit_code, 0) << "the old one would be refused";
}

TEST_F(SavedEvening, OptionsThatDoNotGoTogetherAreRefused) {
  EXPECT_EQ(play({"--resume", store_}, "").exit_code, 1) << "nothing there";
  EXPECT_FALSE(fs::exists(store_));
  play({"tic-tac-toe", "--save", store_}, "4\n");
  EXPECT_EQ(play({}, "").exit_code, 2);
  EXPECT_EQ(play({"pig", "--resume", store_}, "").exit_code, 2);
  EXPECT_EQ(play({"--resume", store_, "--seed", "3"}, "").exit_code, 2);
  EXPECT_EQ(play({"--resume", store_, "--players", "2"}, "").exit_code, 2);
  EXPECT_EQ(play({"pig", "--migrate"}, "").exit_code, 2);
  EXPECT_EQ(play({"pig", "--id", "x"}, "").exit_code, 2);
}

// Two at one session: whoever comes second is told, and nothing is lost.
TEST_F(SavedEvening, SomebodyElseAtTheSameGameIsNoticed) {
  play({"tic-tac-toe", "--save", store_, "--id", "t", "--as", "all"}, "4\n");
  class Meanwhile : public std::streambuf {  // the other acts while we are thinking
   public:
    explicit Meanwhile(std::string store) : store_(std::move(store)) {}
    int_type underflow() override {
      if (std::exchange(done_, true)) return traits_type::eof();
      run({"session", "act", store_, "--as", "o", "1"}, "", shipped());
      setg(typed_.data(), typed_.data(), typed_.data() + typed_.size());
      return traits_type::to_int_type(typed_[0]);
    }

   private:
    std::string store_, typed_ = "0\nquit\n";
    bool done_ = false;
  } thinking{store_};
  std::istream in{&thinking};
  std::ostringstream out, err;
  cli::Context context{.catalog = shipped(), .in = in, .out = out, .err = err};
  EXPECT_EQ(cli::run_program({"play", "--resume", store_}, context), 0);
  EXPECT_THAT(out.str(), HasSubstr("REVISION_CONFLICT"));
  EXPECT_THAT(out.str(), HasSubstr("--resume"));
  EXPECT_EQ(show("t")["revision"], 2);
}

// A game's own actions may be called as what can be done at the table.
TEST_F(SavedEvening, WordsOfTheGameComeFirst) {  // T-38
  std::ofstream(folder_ / "words.md") << R"(# Words
```yaml
metadata: {id: words, name: Words, players: {min: 1, max: 1}}
zones: [{id: table, owner: none, visibility: public, ordering: set}]
globalVars: [{name: n, type: int, init: 0, min: 0, max: 9}]
turnStructure: {phases: [{id: main}]}
actions:
  - {id: undo, phase: [main], effects: [{addVar: {scope: global, var: n, delta: 1}}]}
  - {id: redo, phase: [main], effects: [{addVar: {scope: global, var: n, delta: 1}}]}
  - {id: option, phase: [main], effects: [{addVar: {scope: global, var: n, delta: 1}}]}
terminal:
  conditions:
    - {id: enough, when: {op: ">=", left: {ref: gvar, var: n}, right: 9}, result: {type: draw}}
```
)";
  const std::string game = folder_ / "words.md";
  const Result played = play({game, "--save", store_, "--id", "w"}, "undo\nredo\noption\nquit\n");
  ASSERT_EQ(played.exit_code, 0) << played.err << played.out;
  EXPECT_EQ(show("w")["revision"], 3) << played.out;
  for (const char* word : {"undo", "redo", "option"})
    EXPECT_EQ(run({"session", "act", store_, "--as", "0", word}, "", shipped()).exit_code, 0);
  const Json log = run({"session", "log", store_, "--json"}, "", shipped()).json()["entries"];
  ASSERT_EQ(log.size(), 6u);
  for (const Json& entry : log) EXPECT_EQ(entry["deed"], "act");
  play({"--resume", store_}, "u\n");
  EXPECT_EQ(show("w")["revision"], 7) << "the letter takes back";
}

}  // namespace
}  // namespace parlor::test
