#include "table/store.h"

#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "play/board_games.h"

namespace parlor::table {
namespace {

namespace fs = std::filesystem;
using ConnectFourGame = play::games::NativeGame<play::games::ConnectFour>;

Catalog test_catalog() {
  Catalog catalog;
  catalog.add("connect-four", [](const std::string&, const OpenOptions&) -> Opened {
    return std::make_shared<ConnectFourGame>();
  });
  return catalog;
}

Clock stopped() {
  return [] { return Time{5}; };
}

// A fresh file name that is removed again with its companions.
struct TemporaryFile {
  fs::path path = fs::temp_directory_path() /
                  fmt::format("parlor-store-{}-{}.db", getpid(), static_cast<void*>(this));
  ~TemporaryFile() {
    for (const char* suffix : {"", "-wal", "-shm"})
      fs::remove(fmt::format("{}{}", path.string(), suffix));
  }
};

SessionConfig config(const std::string& id) {
  return {.id = id,
          .game = "connect-four",
          .rules = {},
          .constants = {},
          .seed = 1,
          .players = 0,
          .allow_undo = std::nullopt};
}

// Plays the first option until the game ends or `moves` are made.
std::uint64_t play_on(Table& table, Session& session, std::uint64_t moves) {
  for (std::uint64_t i = 0; i < moves && !session.state().finished(); ++i) {
    const ActionEnvelope envelope{.session = session.config().id,
                                  .action_id = fmt::format("a{}", session.revision()),
                                  .actor = session.state().decision().player,
                                  .type = "option",
                                  .payload = {{"index", session.revision() % 3}}};
    auto answer = table.act(session, envelope);
    EXPECT_TRUE(answer.has_value()) << answer.error().message;
  }
  return session.revision();
}

class AnyStore : public testing::TestWithParam<bool> {
 protected:
  std::unique_ptr<Store> make() {
    return GetParam() ? sqlite_store(file.path).value() : memory_store();
  }
  TemporaryFile file;
};
INSTANTIATE_TEST_SUITE_P(Kinds, AnyStore, testing::Bool(),
                         [](const auto& info) { return info.param ? "Sqlite" : "Memory"; });

TEST_P(AnyStore, KeepsSessions) {
  const auto store = make();
  const Catalog catalog = test_catalog();
  Table table{catalog, *store, stopped(), 4};
  Session session = table.open(config("one")).value();
  EXPECT_EQ(session.config().players, 2u);
  EXPECT_EQ(table.open(config("one")).error().code, "SESSION_EXISTS");
  play_on(table, session, 6);  // past a snapshot
  auto resumed = table.resume("one");
  ASSERT_TRUE(resumed.has_value()) << resumed.error().message;
  EXPECT_EQ(canonical(resumed->to_json()), canonical(session.to_json()));
  EXPECT_EQ(store->list(), std::vector<std::string>{"one"});
  EXPECT_EQ(table.resume("two").error().code, "SESSION_UNKNOWN");
  EXPECT_TRUE(store->remove("one").has_value());
  EXPECT_EQ(table.resume("one").error().code, "SESSION_UNKNOWN");
}

TEST_P(AnyStore, OfTwoWritersOneIsRefused) {
  const auto store = make();
  const Catalog catalog = test_catalog();
  Table table{catalog, *store, stopped()};
  Session mine = table.open(config("one")).value();
  Session yours = table.resume("one").value();
  play_on(table, mine, 1);
  const Json before = yours.to_json();
  const auto answer = table.act(yours, {.session = "one",
                                        .action_id = "x",
                                        .actor = PlayerId{0},
                                        .type = "option",
                                        .payload = {{"index", 2}}});
  ASSERT_FALSE(answer.has_value());
  EXPECT_EQ(answer.error().code, "REVISION_CONFLICT");
  EXPECT_EQ(yours.to_json(), before);
}

TEST(SqliteStore, ReportsWhatIsNoStore) {
  EXPECT_EQ(sqlite_store("/no/such/folder/x.db").error().code, "STORE_FAILED");
}

TEST(SqliteStore, AnotherProcessSeesTheSession) {
  TemporaryFile file;
  const Catalog catalog = test_catalog();
  {
    const auto store = sqlite_store(file.path).value();
    Table table{catalog, *store, stopped()};
    Session session = table.open(config("one")).value();
    play_on(table, session, 5);
  }
  const auto store = sqlite_store(file.path).value();
  EXPECT_EQ(Table(catalog, *store, stopped()).resume("one")->revision(), 5u);
}

// Kill -9 in the middle of writing loses at most the action that was not acknowledged yet. The
// moment of the kill wanders over the 400 microseconds after an acknowledgement, which a write
// takes.
void kill_and_resume(int times) {
  TemporaryFile file;
  const Catalog catalog = test_catalog();
  ASSERT_TRUE(sqlite_store(file.path).has_value());
  for (int round = 0; round < times; ++round) {
    const std::string id = fmt::format("game{}", round);
    int acknowledged[2];
    ASSERT_EQ(pipe(acknowledged), 0);
    const pid_t child = fork();
    if (child == 0) {
      const auto store = sqlite_store(file.path).value();
      Table table{catalog, *store, stopped(), 3};
      Session session = table.open(config(id)).value();
      while (!session.state().finished()) {
        const auto revision = static_cast<char>(play_on(table, session, 1));
        if (write(acknowledged[1], &revision, 1) != 1) break;
      }
      pause();  // finished: wait to be killed
      _exit(0);
    }
    close(acknowledged[1]);
    char last = 0, got = 0;
    for (int i = 0; i <= round % 7; ++i)
      if (read(acknowledged[0], &got, 1) == 1) last = got;
    usleep(static_cast<useconds_t>(round * 37 % 400));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    while (read(acknowledged[0], &got, 1) == 1) last = got;
    close(acknowledged[0]);

    const auto store = sqlite_store(file.path).value();
    auto session = Table(catalog, *store, stopped()).resume(id);
    ASSERT_TRUE(session.has_value()) << session.error().message;
    EXPECT_GE(session->revision(), static_cast<std::uint64_t>(last));
    EXPECT_LE(session->revision(), static_cast<std::uint64_t>(last) + 1);
  }
}

TEST(SqliteStore, SurvivesBeingKilled) {
  kill_and_resume(25);
}
TEST(SlowSqliteStore, SurvivesBeingKilledThreeHundredTimes) {
  kill_and_resume(300);
}

}  // namespace
}  // namespace parlor::table
