// `parlor session` and saved states, as somebody at a terminal or a script uses them.
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <unistd.h>

#include "cli/program.h"
#include "source_dir.h"

namespace parlor::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class SessionCommand : public testing::Test {
 protected:
  SessionCommand() { fs::create_directories(folder_); }
  ~SessionCommand() override { fs::remove_all(folder_); }

  Result session(std::vector<std::string> words) const {
    words.insert(words.begin(), "session");
    words.insert(words.begin() + 2, store_);
    return run(words, "", shipped());
  }
  Json json(std::vector<std::string> words) const {
    words.emplace_back("--json");
    return session(words).json();
  }
  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }

  fs::path folder_ =
      fs::temp_directory_path() / fmt::format("parlor-cli-{}-{}", getpid(), fmt::ptr(this));
  std::string store_ = folder_ / "games.db";
};

TEST_F(SessionCommand, PlaysAGameOverSeveralCalls) {  // T-32
  const Result begun = session({"new", "tic-tac-toe", "--id", "s1"});
  ASSERT_EQ(begun.exit_code, 0) << begun.err;
  EXPECT_THAT(begun.out, HasSubstr("s1"));
  EXPECT_THAT(session({"act", "--as", "0", "4"}).out, HasSubstr("o decides"));
  const Json second = json({"act", "--as", "1", "place", "cell=cell_0_0"});
  EXPECT_EQ(second["revision"], 2) << second;
  EXPECT_EQ(second["outcome"], nullptr);
  EXPECT_EQ(json({"act", "--as", "1", "0"})["error"]["code"], "ACTOR_NOT_DECIDING");
  EXPECT_THAT(session({"show"}).out, HasSubstr("revision 2"));
  EXPECT_EQ(json({"show"})["decision"]["decider"], 0);
  const Json seen = json({"show", "--viewer", "1"});
  EXPECT_FALSE(seen["observation"]["decision"].contains("options")) << seen;
  EXPECT_FALSE(seen.contains("hash"));
  const Json undone = json({"undo", "--as", "1"});
  EXPECT_EQ(undone["revision"], 3) << undone;
  EXPECT_EQ(json({"undo", "--as", "1"})["error"]["code"], "CONSENT_MISSING");
  EXPECT_EQ(json({"undo", "--as", "1", "--agreed", "0"})["revision"], 4);
  EXPECT_EQ(json({"redo", "--as", "0"})["revision"], 5);
  const Result log = session({"log"});
  EXPECT_THAT(log.out, HasSubstr("place cell=cell_0_0"));
  EXPECT_THAT(log.out, HasSubstr("undo to 1"));
  EXPECT_EQ(json({"log", "--from", "4"})["entries"].size(), 2u);
  const Json replayed = json({"replay"});
  EXPECT_EQ(replayed["entries"], 5) << replayed;
  const Json over = json({"resign", "--as", "1"});
  EXPECT_EQ(over["outcome"]["by"], "table") << over;
  EXPECT_EQ(over["outcome"]["winners"], Json::array({0}));
  EXPECT_THAT(session({"show"}).out, HasSubstr("x wins (resign)"));
  EXPECT_EQ(json({"act", "--as", "1", "0"})["error"]["code"], "GAME_FINISHED");
}

TEST_F(SessionCommand, ResultsOfTheTable) {  // T-32, S-16
  const std::vector<std::pair<std::vector<std::string>, Json>> endings{
      {{"timeout", "--seat", "white"}, {-1, 1}},
      {{"draw", "--agreed", "all"}, {0, 0}},
      {{"abandon"}, {0, 0}},
      {{"adjudicate", "--returns", "3,-2", "--winners", "white", "--reason", "points"}, {3, -2}}};
  int number = 0;
  for (const auto& [words, returns] : endings) {
    const std::string id = fmt::format("s{}", ++number);
    ASSERT_EQ(session({"new", "chess", "--id", id}).exit_code, 0);
    std::vector<std::string> with_id = words;
    with_id.insert(with_id.end(), {"--id", id});
    const Json over = json(with_id);
    EXPECT_EQ(over["outcome"]["returns"], returns) << over;
    EXPECT_EQ(over["outcome"]["by"], "table");
  }
  EXPECT_EQ(json({"list"})["sessions"].size(), 4u);
  EXPECT_EQ(session({"show"}).exit_code, 2) << "which of them?";
  EXPECT_THAT(session({"show"}).err, HasSubstr("s3"));
  EXPECT_EQ(session({"remove", "--id", "s3"}).exit_code, 0);
  EXPECT_EQ(json({"list"})["sessions"].size(), 3u);
  ASSERT_EQ(session({"new", "chess", "--id", "s9"}).exit_code, 0);
  EXPECT_EQ(json({"draw", "--id", "s9", "--agreed", "white"})["error"]["code"], "CONSENT_MISSING");
}

TEST_F(SessionCommand, AnActionIsDoneOnce) {  // T-32, S-13
  ASSERT_EQ(session({"new", "chess"}).exit_code, 0);
  EXPECT_EQ(json({"act", "--as", "white", "e2e4", "--action-id", "a"})["repeated"], false);
  EXPECT_EQ(json({"act", "--as", "white", "e2e4", "--action-id", "a"})["repeated"], true);
  EXPECT_EQ(json({"act", "--as", "white", "d2d4", "--action-id", "a"})["error"]["code"],
            "ACTION_ID_REUSED");
  EXPECT_EQ(json({"act", "--as", "black", "e7e5", "--revision", "0"})["error"]["code"],
            "REVISION_CONFLICT");
  EXPECT_EQ(json({"act", "--as", "black", "e5", "--action-id", "a"})["revision"], 2);
}

TEST_F(SessionCommand, RemembersHowTheGameWasOpened) {  // T-32, S-15
  const std::string modifiers = file("guard.yaml", R"(version: 1
name: Guard
attributes: [{name: Guard, low: 0, high: 1}]
attach:
  - to: {pieceTypes: [knight]}
    primitives: [{do: seedAttribute, attribute: Guard, value: 1}]
)");
  ASSERT_EQ(session({"new", "chess", "--layout", "chess960:12", "--id", "a"}).exit_code, 0);
  ASSERT_EQ(session({"new", "chess", "--modifiers", modifiers, "--id", "b"}).exit_code, 0);
  ASSERT_EQ(session({"new", "pig", "--explicit-chance", "--id", "c"}).exit_code, 0);
  fs::remove(modifiers);
  for (const char* id : {"a", "b", "c"})
    EXPECT_EQ(session({"act", "--id", id, "--as", "0", "0"}).exit_code, 0) << id;
  EXPECT_EQ(json({"show", "--id", "b"})["config"]["modifiers"]["name"], "Guard");
  EXPECT_EQ(json({"show", "--id", "c"})["config"]["explicitChance"], true);
}

TEST_F(SessionCommand, GameFilesAreFoundAgainFromAnywhere) {
  fs::copy_file(open::shipped_games().at("tic-tac-toe"), folder_ / "mine.md");
  const fs::path before = fs::current_path();
  fs::current_path(folder_);
  EXPECT_EQ(session({"new", "mine.md"}).exit_code, 0);
  fs::current_path(before);
  EXPECT_EQ(session({"act", "--as", "0", "0"}).exit_code, 0);
}

// T-31: a session that came from elsewhere does not choose which files are read here.
TEST_F(SessionCommand, NamesNoFilesOutsideUnlessAllowed) {
  const fs::path elsewhere = folder_ / "elsewhere";
  fs::create_directories(elsewhere);
  fs::copy_file(open::shipped_games().at("tic-tac-toe"), elsewhere / "mine.md");
  ASSERT_EQ(session({"new", elsewhere / "mine.md", "--id", "s"}).exit_code, 0);
  fs::create_directories(folder_ / "here");
  fs::rename(store_, folder_ / "here" / "games.db");
  const std::string moved = folder_ / "here" / "games.db";
  for (const std::vector<std::string>& words : {std::vector<std::string>{"session", "show", moved},
                                                {"session", "log", moved},
                                                {"session", "act", moved, "--as", "0", "0"},
                                                {"session", "replay", moved},
                                                {"session", "replay", moved, "--migrate"},
                                                {"play", "--resume", moved}}) {
    const Result refused = run(words, "quit\n", shipped());
    EXPECT_EQ(refused.exit_code, 1) << words[1];
    EXPECT_THAT(refused.err, HasSubstr("FILE_OUTSIDE")) << words[1];
    std::vector<std::string> allowed = words;
    allowed.insert(allowed.end(), {"--include", elsewhere.string()});
    EXPECT_EQ(run(allowed, "quit\n", shipped()).exit_code, 0) << words[1];
  }
}

// A list of many sessions reads what stands before their logs.
TEST_F(SessionCommand, AListReadsNoLogs) {
  ASSERT_EQ(session({"new", "tic-tac-toe", "--id", "s"}).exit_code, 0);
  ASSERT_EQ(session({"act", "--as", "0", "4"}).exit_code, 0);
  const auto spoil = [&](const char* sql) {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(store_.c_str(), &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database, sql, nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(database);
  };
  spoil("UPDATE entry SET body = 'no entry'");
  EXPECT_EQ(json({"show"})["ok"], false);
  const Json listed = json({"list"})["sessions"];
  EXPECT_EQ(listed[0]["game"], "tic-tac-toe") << listed;
  EXPECT_EQ(listed[0]["revision"], 1);
}

// T-10: sessions are looked at through the same eyes as everything else.
TEST_F(SessionCommand, ViewersAreThoseOfOtherCommands) {
  ASSERT_EQ(session({"new", "kuhn-poker", "--id", "s"}).exit_code, 0);
  for (const char* verb : {"show", "log"}) {
    EXPECT_EQ(session({verb, "--viewer", "spectator"}).exit_code, 0);
    const Result wrong = session({verb, "--viewer", "spectators"});
    EXPECT_EQ(wrong.exit_code, 2);
    EXPECT_THAT(wrong.err, HasSubstr("no observer of the game"));
    EXPECT_THAT(wrong.err, HasSubstr("did you mean: `spectator`"));
  }
}

// T-37: the rules of a file change while a game is played by them.
TEST_F(SessionCommand, ChangedRulesAreNamedAndMigrated) {
  std::ifstream in{open::shipped_games().at("tic-tac-toe")};
  std::stringstream text;
  text << in.rdbuf();
  const std::string game = file("mine.md", text.str());
  ASSERT_EQ(session({"new", game, "--id", "s"}).exit_code, 0);
  for (const char* move : {"0", "0", "0"})
    ASSERT_EQ(session({"act", "--as",
                       std::to_string(json({"show"})["decision"]["decider"].get<int>()), move})
                  .exit_code,
              0);
  std::string changed = text.str();
  const auto name = changed.find("3");
  ASSERT_NE(name, changed.npos);
  file("mine.md",
       changed +
           "\n```yaml\nglobalVars: [{name: extra, type: int, init: 1, min: 0, max: 3}]\n```\n");
  const Result refused = session({"show"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, HasSubstr("RULES_CHANGED"));
  EXPECT_THAT(refused.err, HasSubstr(store_));
  EXPECT_THAT(refused.err, HasSubstr("--migrate"));
  const Json migrated = json({"replay", "--migrate"});
  EXPECT_EQ(migrated["session"], "s-2") << migrated;
  EXPECT_EQ(migrated["carriedOver"], 3);
  EXPECT_EQ(json({"show", "--id", "s-2"})["revision"], 3);
  EXPECT_EQ(session({"act", "--id", "s-2", "--as", "1", "0"}).exit_code, 0);
}

TEST_F(SessionCommand, ReplaysAsATrace) {
  ASSERT_EQ(session({"new", "pig", "--explicit-chance", "--seed", "5"}).exit_code, 0);
  for (int i = 0; i < 6; ++i) {
    const int decider = json({"show"})["decision"]["decider"].get<int>();
    ASSERT_EQ(session({"act", "--as", std::to_string(decider), "0"}).exit_code, 0);
  }
  const Result trace = session({"replay", "--trace"});
  ASSERT_EQ(trace.exit_code, 0) << trace.err;
  const Result replayed = run({"replay", "-", "--json"}, trace.out, shipped());
  EXPECT_EQ(replayed.json()["ok"], true) << replayed.out;
  EXPECT_GE(replayed.json()["decisions"], 10) << "with the dice between them";
}

// Where several decide at once anybody may come first: the state in the end is the same, and a
// trace has the order of the rules.
TEST_F(SessionCommand, SealedMovesMayComeInAnyOrder) {  // S-17
  const std::string folder = source_dir() + "/tests/games/hidden";
  const auto session = [&](std::vector<std::string> words) {
    if (words[0] != "new") words.insert(words.end(), {"--include", folder});
    return this->session(words);
  };
  const auto json = [&](std::vector<std::string> words) {
    words.emplace_back("--json");
    return session(words).json();
  };
  std::vector<Json> hashes;
  for (const std::vector<int>& order : {std::vector{0, 1}, std::vector{1, 0}}) {
    const std::string id = fmt::format("first-{}", order[0]);
    ASSERT_EQ(session({"new", folder + "/rock-paper-scissors.md", "--id", id}).exit_code, 0);
    for (const int seat : order)
      ASSERT_EQ(session({"act", "--id", id, "--as", std::to_string(seat), seat == 0 ? "1" : "0"})
                    .exit_code,
                0);
    const Json shown = json({"show", "--id", id});
    EXPECT_EQ(shown["outcome"]["winners"], Json::array({0})) << "paper wraps rock";
    hashes.push_back(shown["hash"]);
    const Json seen = json({"log", "--id", id, "--viewer", std::to_string(order[1])})["entries"];
    EXPECT_FALSE(seen[0].contains("content")) << "what the other handed in is theirs: " << seen;
    const Result trace = session({"replay", "--id", id, "--trace"});
    const Json replayed =
        run({"replay", "-", "--json", "--include", folder}, trace.out, shipped()).json();
    EXPECT_EQ(replayed["decisions"], 2) << replayed;
  }
  EXPECT_EQ(hashes[0], hashes[1]);
}

TEST_F(SessionCommand, SaysWhatIsWrong) {
  EXPECT_EQ(session({"show"}).exit_code, 1);
  EXPECT_THAT(session({"show"}).err, HasSubstr(store_));
  EXPECT_FALSE(fs::exists(store_)) << "looking makes no store";
  EXPECT_EQ(session({"new", "chess", "--layout", "nonsense"}).exit_code, 1);
  EXPECT_FALSE(fs::exists(store_));
  EXPECT_THAT(run({"session"}, "", shipped()).err, HasSubstr("adjudicate"));
  EXPECT_THAT(session({"sho"}).err, HasSubstr("did you mean: `show`"));
  EXPECT_THAT(session({"show", "--viewr", "0"}).err, HasSubstr("did you mean: `--viewer`"));
  EXPECT_THAT(session({"act", "e2e4"}).err, HasSubstr("`parlor session act --help`"));
  EXPECT_EQ(session({"new", "ches"}).exit_code, 2);
  EXPECT_THAT(session({"new", "ches"}).err, HasSubstr("chess"));
  ASSERT_EQ(session({"new", "chess", "--id", "s"}).exit_code, 0);
  EXPECT_EQ(json({"new", "chess", "--id", "s"})["error"]["code"], "SESSION_EXISTS");
  EXPECT_EQ(json({"show", "--id", "t"})["error"]["code"], "SESSION_UNKNOWN");
  const Result seat = session({"act", "--as", "wite", "e2e4"});
  EXPECT_EQ(seat.exit_code, 2);
  EXPECT_THAT(seat.err, HasSubstr("`white`"));
  EXPECT_EQ(session({"act", "e2e4"}).exit_code, 2) << "as whom?";
  const Result illegal = session({"act", "--as", "white", "e2e5"});
  EXPECT_EQ(illegal.exit_code, 1);
  EXPECT_EQ(json({"show"})["revision"], 0);
  file("games.db",
       "not a database at all, just some text that is long enough" + std::string(600, '.'));
  const Result damaged = session({"show"});
  EXPECT_EQ(damaged.exit_code, 1);
  EXPECT_THAT(damaged.err, HasSubstr(store_));
}

// T-32: saves that `state --save` writes can be loaded by `state`, `play`, `trace` and `session`.
TEST_F(SessionCommand, SavedStatesAreLoadedEverywhere) {
  const std::string moves = file("moves.json", R"(["e2e4", "e7e5", "Nf3"])");
  const Result saved = run(
      {"state", "chess", "--layout", "chess960:518", "--moves", moves, "--save"}, "", shipped());
  ASSERT_EQ(saved.exit_code, 0) << saved.err;
  const std::string path = file("saved.json", saved.out);
  const Json before =
      run({"state", "chess", "--layout", "chess960:518", "--moves", moves, "--json"}, "", shipped())
          .json();
  const Json loaded = run({"state", "--load", path, "--json"}, "", shipped()).json();
  EXPECT_EQ(loaded, before);
  EXPECT_EQ(
      run({"state", "chess", "--layout", "chess960:518", "--load", path, "--json"}, "", shipped())
          .json(),
      before);
  EXPECT_EQ(run({"state", "--load", "-", "--json"}, saved.out, shipped()).json(), before);
  const Result trace =
      run({"trace", "--load", path, "--seed", "4", "--max-decisions", "10"}, "", shipped());
  ASSERT_EQ(trace.exit_code, 0) << trace.err;
  EXPECT_NE(
      trace.out,
      run({"trace", "--load", path, "--seed", "5", "--max-decisions", "10"}, "", shipped()).out);
  EXPECT_EQ(run({"replay", "-"}, trace.out, shipped()).exit_code, 0);
  ASSERT_EQ(session({"new", "--load", path}).exit_code, 0);
  EXPECT_EQ(json({"show"})["hash"], before["hash"]);
  EXPECT_EQ(session({"act", "--as", "black", "Nc6"}).exit_code, 0);
  const Result played = run({"play", "--load", path, "--as", "black", "--json"}, "", shipped());
  EXPECT_EQ(parse_json(played.out)->at("hash"), before["hash"]) << played.err;

  EXPECT_EQ(run({"state", "--load", path, "--rules", "atomic-chess"}, "", shipped()).exit_code, 2);
  EXPECT_EQ(
      run({"state", "chess", "--rules", "capture-to-win", "--load", path}, "", shipped()).exit_code,
      1)
      << "other rules";
  EXPECT_EQ(run({"state"}, "", shipped()).exit_code, 2);
  EXPECT_EQ(run({"state", "--load", "-"}, "[]", shipped()).exit_code, 1);
  EXPECT_EQ(run({"state", "--load", "-"}, "{}", shipped()).exit_code, 2);
  EXPECT_EQ(run({"state", "--load", "-"}, R"({"opening": {"game": "chess"}})", shipped()).exit_code,
            1);
  EXPECT_EQ(run({"state", "--load", folder_ / "no.json"}, "", shipped()).exit_code, 1);
}

}  // namespace
}  // namespace parlor::test
