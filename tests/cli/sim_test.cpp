// `parlor sim` from outside: terminals, signals, traces, several processes.
#include <chrono>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>

#include "cli/child.h"
#include "cli/program.h"

namespace parlor::test {
namespace {

using testing::HasSubstr;

class Folder {
 public:
  explicit Folder(const std::string& name)
      : path_(std::filesystem::temp_directory_path() /
              fmt::format("parlor_{}_{}", name, getpid())) {
    std::filesystem::remove_all(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// The result without what depends on the clock.
Json without_times(Json result) {
  for (const char* timing : {"seconds", "gamesPerSecond", "decisionsPerSecond"})
    result.erase(timing);
  return result;
}

TEST(Sim, GivesTheSameOnAnyNumberOfThreads) {
  for (const char* game : {"connect-four", "pig", "leduc-poker"}) {
    const auto on = [game](const char* threads) {
      return without_times(
          run({"sim", game, "--games", "60", "--threads", threads, "--json"}, "", shipped())
              .json());
    };
    EXPECT_EQ(canonical(on("1")), canonical(on("3"))) << game;
  }
}

TEST(Sim, WritesTracesThatReplay) {
  const Folder folder("traces");
  for (const char* game : {"tic-tac-toe", "kuhn-poker", "pig", "chess"}) {
    const Result sim = run({"sim", game, "--games", "3", "--seed", "7", "--max-decisions", "80",
                            "--traces", (folder.path() / game).string(), "--json"},
                           "", shipped());
    ASSERT_EQ(sim.exit_code, 0) << sim.err;
    int files = 0;
    for (const auto& file : std::filesystem::directory_iterator(folder.path() / game)) {
      const Result replay = run({"replay", file.path().string(), "--json"}, "", shipped());
      EXPECT_EQ(replay.exit_code, 0) << game << ": " << replay.err;
      ++files;
    }
    EXPECT_EQ(files, 3) << game;
  }
}

TEST(Sim, TracesOfSearchAndSolversReplayToo) {
  const Folder folder("search_traces");
  const Result sim = run({"sim", "kuhn-poker", "--games", "2", "--agents", "cfr:iters=20,ismcts",
                          "--traces", folder.path().string(), "--json"},
                         "", shipped());
  ASSERT_EQ(sim.exit_code, 0) << sim.err;
  for (const auto& file : std::filesystem::directory_iterator(folder.path()))
    EXPECT_EQ(run({"replay", file.path().string()}, "", shipped()).exit_code, 0) << file.path();
}

TEST(Sim, IsQuietWithoutATerminal) {
  Child child({program_path(), "sim", "tic-tac-toe", "--games", "50"});
  EXPECT_EQ(child.wait(), 0);
  EXPECT_EQ(child.err, "");
  EXPECT_THAT(child.out, HasSubstr("50 games"));
}

TEST(Sim, ShowsProgressRateAndTimeLeftOnATerminal) {
  Child child({program_path(), "sim", "tic-tac-toe", "--games", "2000"}, Child::Errors::terminal);
  EXPECT_EQ(child.wait(), 0);
  EXPECT_THAT(child.err, HasSubstr("█"));
  EXPECT_THAT(child.err,
              testing::ContainsRegex("[0-9]+% +[0-9]+ of 2000 games +[^ ]+.*/s +.* left"));
  EXPECT_THAT(child.err, testing::EndsWith("\r\033[K")) << "the bar is taken away at the end";
  EXPECT_THAT(child.out, HasSubstr("2000 games"));
}

TEST(Sim, AnInterruptGivesThePartialResult) {
  const Folder folder("interrupt");
  // Interpreted: how long a compiler takes is another matter.
  Child child({program_path(), "sim", "tic-tac-toe", "--games", "1000000000", "--traces",
               folder.path().string(), "--json", "--native=no"});
  // Once games are written the program is at work.
  for (int i = 0; i < 2000 && !std::filesystem::exists(folder.path() / "game-000009.jsonl"); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  child.signal(SIGINT);
  EXPECT_EQ(child.wait(), 0) << child.err;
  const Json result = parse_json(child.out).value_or(Json("not JSON: " + child.out));
  EXPECT_EQ(result["complete"], false);
  EXPECT_GE(result["games"], 9);
  EXPECT_EQ(result["seats"][0]["games"], result["games"]);
}

TEST(Sim, NobodyWaitsForACompilerToHearOfAMisspeltAgent_V12) {
  const Folder cache("no-code");
  Child child({"env", "XDG_CACHE_HOME=" + cache.path().string(), program_path(), "sim",
               "tic-tac-toe", "--games", "1000000000", "--agents", "randm"});
  EXPECT_NE(child.wait(), 0);
  EXPECT_THAT(child.err, HasSubstr("there is no agent `randm`"));
  EXPECT_THAT(child.err, testing::Not(HasSubstr("compiling")));
}

class Mpi : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("command -v mpirun >/dev/null 2>&1") != 0) GTEST_SKIP() << "no mpirun";
    const auto module = std::filesystem::path(program_path()).parent_path() / "libparlor_mpi.so";
    if (!std::filesystem::exists(module)) GTEST_SKIP() << "built without MPI";
  }
  static std::vector<std::string> on_ranks(int ranks, std::vector<std::string> arguments) {
    // Leak checkers complain about what MPI libraries keep.
    std::vector<std::string> all{
        "env",    "ASAN_OPTIONS=detect_leaks=0", "OMPI_MCA_btl_base_warn_component_unused=0",
        "mpirun", "--allow-run-as-root",         "--oversubscribe",
        "-n",     std::to_string(ranks),         program_path()};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return all;
  }
};

TEST_F(Mpi, RanksTogetherGiveTheSameResultAsOneProcess) {
  const std::vector<std::string> job{"sim",      "leduc-poker", "--games",  "101",
                                     "--seed",   "5",           "--agents", "ismcts:iters=5,random",
                                     "--rotate", "--json"};
  const Json alone = without_times(run(job, "", shipped()).json());
  EXPECT_EQ(alone["games"], 101);
  for (const int ranks : {2, 3}) {
    Child child(on_ranks(ranks, job));
    ASSERT_EQ(child.wait(), 0) << child.err;
    const Json together = parse_json(child.out).value_or(Json("not JSON: " + child.out));
    EXPECT_EQ(canonical(without_times(together)), canonical(alone)) << ranks;
  }
}

TEST_F(Mpi, MoreRanksThanGamesIsFine) {
  Child child(on_ranks(3, {"sim", "tic-tac-toe", "--games", "2", "--json"}));
  ASSERT_EQ(child.wait(), 0) << child.err;
  EXPECT_EQ(parse_json(child.out).value_or(Json())["games"], 2);
}

TEST_F(Mpi, MistakesAreSaidOnce) {
  Child child(on_ranks(2, {"sim", "tic-tac-toe", "--agents", "randm"}));
  EXPECT_NE(child.wait(), 0);
  const std::string all = child.err + child.out;
  const auto first = all.find("there is no agent");
  ASSERT_NE(first, std::string::npos) << all;
  EXPECT_EQ(all.find("there is no agent", first + 1), std::string::npos);
}

}  // namespace
}  // namespace parlor::test
