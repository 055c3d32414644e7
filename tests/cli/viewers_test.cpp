// T-10, T-17, S-10 to S-12: what the program and its sessions tell a viewer is the same in worlds
// that this viewer cannot tell apart.
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "cli/program.h"
#include "game/secrecy.h"
#include "rounds.h"
#include "secrecy/sessions.h"
#include "source_dir.h"
#include "table/store.h"

namespace parlor::test {
namespace {

using testing::HasSubstr;
using testing::Not;

// Every game of the catalog and of tests/games/hidden that hides something, as it is opened; by
// name, as this list is made whenever any test is run.
std::vector<std::string> games_that_hide() {
  std::vector<std::string> out{"auction",     "hearts", "kuhn-poker",   "leduc-poker", "liars-dice",
                               "love-letter", "market", "salt-charter", "texas-holdem"};
  const std::filesystem::path folder = source_dir() + "/tests/games/hidden";
  for (const auto& entry : std::filesystem::directory_iterator{folder})
    if (entry.path().extension() == ".md") out.push_back(entry.path().string());
  std::ranges::sort(out);
  constexpr std::size_t known = 9 + 11;  // as tests/games/hidden_games.cpp has them
  if (out.size() < known) throw std::runtime_error("games that hide something are missing");
  return out;
}

std::string viewer_argument(const Viewer& viewer) {
  const std::string seat = viewer.id().is_none() ? "" : std::to_string(viewer.id().value);
  if (viewer.profile().empty()) return seat.empty() ? "spectator" : seat;
  return seat.empty() ? viewer.profile() : seat + ":" + viewer.profile();
}

// After some random decisions.
State on_the_way(const Game& game, int decisions, Seed seed) {
  State state = game.start(seed).value();
  Rng rng(seed);
  OptionList options;
  for (int n = 0; n < decisions && !state.finished(); ++n) {
    state.list_options(options);
    EXPECT_TRUE(state.apply(options[draw_option(options, rng)]));
  }
  return state;
}

class ViewersOfTheProgram : public testing::TestWithParam<std::string> {
 protected:
  // Runs the same command in two worlds, for people and for scripts.
  void expect_same(std::vector<std::string> arguments, const Viewer& viewer,
                   const std::string& here, const std::string& there) {
    arguments.insert(arguments.end(), {"--viewer", viewer_argument(viewer)});
    for (const bool json : {false, true}) {
      if (json) arguments.emplace_back("--json");
      const Result one = run(arguments, here, shipped()), other = run(arguments, there, shipped());
      const std::string command = fmt::format("{}", fmt::join(arguments, " "));
      ASSERT_EQ(one.exit_code, other.exit_code) << command << one.err << other.err;
      ASSERT_EQ(one.exit_code, 0) << command << one.err;
      ASSERT_EQ(one.out, other.out) << command;
      ASSERT_EQ(one.err, other.err) << command;
      ASSERT_THAT(one.out, Not(HasSubstr(json ? "\"hash\"" : "\nhash "))) << command;
      ASSERT_THAT(one.out, Not(HasSubstr("\"seed\""))) << command;
    }
  }
};

constexpr int moments[] = {0, 6, 1, 3};  // after so many decisions; two of them always

TEST(GamesThatHide, AreThoseTheViewersAreAskedAbout) {
  const std::vector<std::string> asked = games_that_hide();
  for (const std::string& name : shipped().names())
    EXPECT_EQ(shipped().open(name, {}).value()->info().hidden_information,
              std::ranges::find(asked, name) != asked.end())
        << name;
}

TEST_P(ViewersOfTheProgram, SeeTheSameInWorldsTheyCannotTellApart) {
  const std::string& file = GetParam();
  const auto game = shipped().open(file, {}).value();
  Rng rng(3);
  std::size_t asked = 0;
  for (const int decisions : moments) {
    if (enough(decisions == moments[2])) break;
    const State state = on_the_way(*game, decisions, 5);
    const std::vector<Json> requests = probing_requests(state);
    for (const Viewer& viewer : viewers_of(*game)) {
      State world = state;
      game->resample_hidden(world.block(), viewer, rng);
      const std::string here = canonical(state.save()), there = canonical(world.save());
      expect_same({"state", file, "--load", "-"}, viewer, here, there);
      for (int n = 0; n < 3 && !state.finished(); ++n) {
        const Json& request = requests[asked++ % requests.size()];
        // A text as people type it, anything else as JSON.
        const std::string text =
            request.is_string() ? request.get<std::string>() : canonical(request);
        expect_same({"why", file, text, "--load", "-"}, viewer, here, there);
      }
      if (HasFatalFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Games, ViewersOfTheProgram, testing::ValuesIn(games_that_hide()),
                         [](const auto& info) {
                           std::string name = std::filesystem::path(info.param).stem().string();
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

class ScratchFolder {
 public:
  ScratchFolder()
      : path_(std::filesystem::temp_directory_path() / fmt::format("parlor-viewers-{}", getpid())) {
    std::filesystem::create_directories(path_);
  }
  ~ScratchFolder() { std::filesystem::remove_all(path_); }
  std::string file(const char* name) const { return (path_ / name).string(); }
  std::string write(const char* name, const std::string& text) const {
    std::ofstream(file(name)) << text;
    return file(name);
  }

 private:
  std::filesystem::path path_;
};

// The picks of a session's log, for a trace that goes the same way.
Json picks_of(const table::Session& session) {
  State state = session.game().load(session.config().start).value();
  std::vector<Option> all = session.drawn_first();
  for (const table::LogEntry& entry : session.log())
    all.insert(all.end(), entry.options.begin(), entry.options.end());
  Json out = Json::array();
  OptionList options;
  for (const Option option : all) {
    state.list_options(options);
    out.push_back(std::ranges::find(options, option) - options.begin());
    EXPECT_TRUE(state.apply(option));
  }
  return out;
}

// Two games that went on alike: what a trace of them and a store with them say.
TEST_P(ViewersOfTheProgram, AreToldTheSameOfGamesThatLookedTheSame) {
  const std::string& file = GetParam();
  const std::shared_ptr<const Game> game = shipped().open(file, {}).value();
  const ScratchFolder folder;
  Rng rng(4);
  constexpr int least = 6;  // some games have two decisions
  int shared = 0;
  for (const int decisions : moments) {
    if (enough(decisions == moments[2] && shared >= least)) break;
    const State state = on_the_way(*game, decisions, 7);
    if (state.finished()) continue;
    for (const Viewer& viewer : viewers_of(*game)) {
      const auto pair = play_alike(game, file, state, viewer, rng, 5);
      if (!pair) continue;
      shared += static_cast<int>(pair->one.revision());
      for (const bool events : {false, true}) {
        const auto told = [&](const table::Session& session) {
          std::vector<std::string> arguments{
              "trace",    file,
              "--load",   "-",
              "--picks",  folder.write("picks", canonical(picks_of(session))),
              "--viewer", viewer_argument(viewer)};
          if (events) arguments.emplace_back("--events");
          return run(arguments, canonical(session.config().start), shipped());
        };
        const Result one = told(pair->one), other = told(pair->other);
        ASSERT_EQ(one.exit_code, 0) << one.err;
        ASSERT_EQ(one.out, other.out) << viewer_name(viewer);
        ASSERT_EQ(one.err, other.err);
      }
      const auto kept = [&](const table::Session& session, const char* name) {
        std::filesystem::remove(folder.file(name));
        const auto store = table::sqlite_store(folder.file(name)).value();
        EXPECT_TRUE(store->create(session.record()));
        return folder.file(name);
      };
      const std::string store = kept(pair->one, "one"), store2 = kept(pair->other, "other");
      for (const char* verb : {"show", "log"})
        for (const bool json : {false, true}) {
          const auto told = [&](const std::string& where) {
            std::vector<std::string> arguments{"session",
                                               verb,
                                               where,
                                               "--viewer",
                                               viewer_argument(viewer),
                                               "--include",
                                               source_dir() + "/tests/games/hidden"};
            if (json) arguments.emplace_back("--json");
            return run(arguments, "", shipped());
          };
          const Result one = told(store), other = told(store2);
          ASSERT_EQ(one.exit_code, 0) << one.err;
          ASSERT_EQ(one.out, other.out) << verb << ", " << viewer_name(viewer);
          ASSERT_EQ(one.err, other.err);
        }
    }
  }
  EXPECT_GE(shared, least) << "they part too soon to compare much";
}

TEST(ViewersOfATrace, GetNoSavedStateAndNoSeed) {
  EXPECT_NE(run({"state", "kuhn-poker", "--viewer", "0", "--save"}, "", shipped()).exit_code, 0);
  const Result trace =
      run({"trace", "kuhn-poker", "--seed", "3", "--viewer", "spectator"}, "", shipped());
  ASSERT_EQ(trace.exit_code, 0) << trace.err;
  EXPECT_THAT(trace.out, Not(HasSubstr("\"seed\"")));
  EXPECT_THAT(trace.out, Not(HasSubstr("\"hash\"")));
  EXPECT_THAT(trace.out, HasSubstr("\"viewHash\""));
}

// What an actor chose unseen has the name under which they chose it, in the answer and in the log.
TEST(ViewersOfSessions, ReadTheirOwnChoicesAsTheyMadeThem) {
  const ScratchFolder folder;
  const std::string store = folder.file("thief");
  std::filesystem::remove(store);
  const std::string games = source_dir() + "/tests/games/hidden";
  ASSERT_EQ(run({"session", "new", store, games + "/thief.md"}, "", shipped()).exit_code, 0);
  const Result act = run(
      {"session", "act", store, "--as", "0", "--include", games, "steal purse:1#2"}, "", shipped());
  ASSERT_EQ(act.exit_code, 0) << act.err;
  EXPECT_THAT(act.out, HasSubstr("steal purse:1#2"));
  EXPECT_THAT(act.out, Not(HasSubstr("tok_")));
  const auto log = [&](const char* viewer) {
    return run({"session", "log", store, "--include", games, "--viewer", viewer}, "", shipped())
        .out;
  };
  EXPECT_THAT(log("0"), HasSubstr("steal purse:1#2"));
  EXPECT_THAT(log("0"), Not(HasSubstr("tok_")));
  EXPECT_THAT(log("1"), Not(HasSubstr("steal")));
}

TEST(ViewersOfSkippedPhases, MayNotAskWhereSomethingIsHidden) {
  EXPECT_EQ(
      run({"why", "kuhn-poker", "--phase", "betting", "--viewer", "0"}, "", shipped()).exit_code,
      2);
  EXPECT_EQ(run({"why", "kuhn-poker", "--phase", "betting"}, "", shipped()).exit_code, 0);
  EXPECT_EQ(run({"why", "pig", "--phase", "turn", "--viewer", "0"}, "", shipped()).exit_code, 0);
}

}  // namespace
}  // namespace parlor::test
