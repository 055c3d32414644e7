#include "table/store.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <csignal>
#include <fstream>
#include <sys/wait.h>

#include "table/store_games.h"

namespace parlor::table {
namespace {

class AnyStore : public testing::TestWithParam<bool> {
 protected:
  std::unique_ptr<Store> make() {
    return GetParam() ? sqlite_store(file.path).value() : memory_store();
  }
  TemporaryStore file;
};
INSTANTIATE_TEST_SUITE_P(Kinds, AnyStore, testing::Bool(),
                         [](const auto& info) { return info.param ? "Sqlite" : "Memory"; });

TEST_P(AnyStore, KeepsSessions) {
  const auto store = make();
  const Catalog catalog = test_catalog();
  Table table{catalog, *store, stopped(), 4};
  Session session = table.open(config("one")).value();
  EXPECT_EQ(session.config().options.players, 2u);
  EXPECT_EQ(table.open(config("one")).error().code, "SESSION_EXISTS");
  play_on(table, session, 6);  // past a snapshot
  auto resumed = table.resume("one");
  ASSERT_TRUE(resumed.has_value()) << resumed.error().message;
  EXPECT_EQ(canonical(resumed->to_json()), canonical(session.to_json()));
  EXPECT_EQ(store->list().value(), (std::vector<Listed>{{"one", 5, 6}}));
  EXPECT_EQ(table.resume("two").error().code, "SESSION_UNKNOWN");
  EXPECT_TRUE(store->remove("one").has_value());
  EXPECT_EQ(table.resume("one").error().code, "SESSION_UNKNOWN");
  EXPECT_EQ(store->remove("one").error().code, "SESSION_UNKNOWN");
  EXPECT_TRUE(table.open(config("one")).has_value()) << "nothing of it is left";
}

TEST_P(AnyStore, KeepsWhatWasUndoneAndHowItEnded) {  // T-32
  const auto store = make();
  const Catalog catalog = test_catalog();
  Table table{catalog, *store, stopped(), 3};
  Session session = table.open(config("one")).value();
  play_on(table, session, 7);
  const auto send = [&](const char* id, PlayerId actor, Deed deed, Json content) {
    const auto answer = table.act(session, {.session = "one",
                                            .action_id = id,
                                            .actor = actor,
                                            .deed = deed,
                                            .content = std::move(content)});
    ASSERT_TRUE(answer.has_value()) << answer.error().message;
  };
  send("u", PlayerId{0}, Deed::undo, {{"to", 2}, {"agreed", {1}}});
  send("r", PlayerId{0}, Deed::redo, {{"agreed", {1}}});
  send("t", PlayerId::none(), Deed::timeout, {{"seat", 1}});
  auto resumed = table.resume("one");
  ASSERT_TRUE(resumed.has_value()) << resumed.error().message;
  EXPECT_EQ(canonical(resumed->to_json()), canonical(session.to_json()));
  EXPECT_EQ(resumed->redo_depth(), 4u);
  EXPECT_EQ(resumed->ending()->by, Ending::By::table);
}

TEST_P(AnyStore, OfTwoWritersOneIsRefused) {
  const auto store = make();
  const Catalog catalog = test_catalog();
  Table table{catalog, *store, stopped()};
  Session mine = table.open(config("one")).value();
  Session yours = table.resume("one").value();
  play_on(table, mine, 1);
  const Json before = yours.to_json();
  ActionEnvelope late = next_action(yours);
  late.action_id = "x";
  const auto answer = table.act(yours, late);
  ASSERT_FALSE(answer.has_value());
  EXPECT_EQ(answer.error().code, "REVISION_CONFLICT");
  EXPECT_EQ(yours.to_json(), before);
}

// S-50: several sessions at once; one that is refused does not stop the others.
TEST_P(AnyStore, KeepsEntriesOfSeveralSessionsTogether) {
  const auto store = make();
  const Catalog catalog = test_catalog();
  Table table{catalog, *store, stopped()};
  std::vector<Append> batch;
  for (const char* id : {"one", "two", "three"}) {
    Session session = table.open(config(id)).value();
    ASSERT_TRUE(session.act(next_action(session), [&](const LogEntry& entry, const State&) {
      batch.push_back({id, entry});
      return Applied{};
    }));
  }
  batch[1].entry.revision = 5;
  batch.push_back({"four", batch[0].entry});
  const auto answers = store->append(batch);
  ASSERT_EQ(answers.size(), 4u);
  EXPECT_TRUE(answers[0].has_value());
  EXPECT_EQ(answers[1].error().code, "REVISION_CONFLICT");
  EXPECT_TRUE(answers[2].has_value());
  EXPECT_EQ(answers[3].error().code, "SESSION_UNKNOWN");
  EXPECT_EQ(table.resume("one")->revision(), 1u);
  EXPECT_EQ(table.resume("two")->revision(), 0u);
  EXPECT_EQ(table.resume("three")->revision(), 1u);
}

// T-37
TEST_P(AnyStore, KeepsTheNewestTwoSnapshots) {
  const auto store = make();
  const Catalog catalog = test_catalog();
  Table table{catalog, *store, stopped(), 2};
  Session session = table.open(config("one")).value();
  play_on(table, session, 11);
  const Record record = store->load("one").value();
  ASSERT_EQ(record.snapshots.size(), 2u);
  EXPECT_EQ(record.snapshots[0].revision, 10u);
  EXPECT_EQ(record.snapshots[1].revision, 8u);
}

// Connect four under other rules: nothing may be dropped into the third column.
struct NarrowFour : play::games::ConnectFour {
  static GameInfo info() {
    GameInfo info = ConnectFour::info();
    info.fingerprint = 77;
    return info;
  }
  void list(OptionList& out) const {
    OptionList all;
    ConnectFour::list(all);
    for (const Option option : all)
      if (option.id != 2) out.add(option);
  }
};
// The same rules in other words.
struct SameFour : play::games::ConnectFour {
  static GameInfo info() {
    GameInfo info = ConnectFour::info();
    info.fingerprint = 78;
    return info;
  }
};
template <class Rules>
Catalog catalog_of() {
  Catalog catalog;
  catalog.add("connect-four", [](const std::string&, const OpenOptions&) -> Opened {
    return std::make_shared<play::games::NativeGame<Rules>>();
  });
  return catalog;
}

// T-37: rules that have changed are named as the cause, and there is a way to go on.
TEST_P(AnyStore, SaysThatTheRulesHaveChangedAndGoesOnFromThere) {
  const auto store = make();
  const Catalog old_rules = test_catalog();
  Table before{old_rules, *store, stopped(), 4};
  Session session = before.open(config("one")).value();
  play_on(before, session, 2);
  ASSERT_TRUE(before.act(session, {.session = "one",
                                   .action_id = "u",
                                   .actor = PlayerId{1},
                                   .deed = Deed::undo,
                                   .content = Json::object()}));
  play_on(before, session, 6);

  const Catalog same = catalog_of<SameFour>();
  Table reworded{same, *store, stopped(), 4};
  const auto changed = reworded.resume("one");
  ASSERT_FALSE(changed.has_value());
  EXPECT_EQ(changed.error().code, "RULES_CHANGED");
  EXPECT_NE(changed.error().message.find(store->name()), std::string::npos);
  const auto whole = reworded.migrate("one", "one-again");
  ASSERT_TRUE(whole.has_value()) << whole.error().message;
  EXPECT_EQ(whole->carried_over, session.revision());
  EXPECT_TRUE(whole->differences.empty());
  auto resumed = reworded.resume("one-again");
  ASSERT_TRUE(resumed.has_value()) << resumed.error().message;
  EXPECT_EQ(resumed->state().hash(), session.state().hash());
  EXPECT_EQ(resumed->log().back().at, session.log().back().at);

  const Catalog narrow = catalog_of<NarrowFour>();
  Table other{narrow, *store, stopped(), 4};
  const auto part = other.migrate("one", "one-narrow");
  ASSERT_TRUE(part.has_value()) << part.error().message;
  ASSERT_EQ(part->differences.size(), 1u);
  const std::uint64_t stopped_at = part->differences[0].revision;
  EXPECT_EQ(session.log()[stopped_at - 1].chosen["params"]["value"], "2");
  EXPECT_EQ(part->carried_over, stopped_at - 1);
  Session goes_on = other.resume("one-narrow").value();
  EXPECT_EQ(play_on(other, goes_on, 1), stopped_at);
  EXPECT_EQ(canonical(before.resume("one")->to_json()), canonical(session.to_json()))
      << "the old session is as it was";
}

TEST(SqliteStore, ReportsWhatIsNoStore) {
  const auto fails = [](const std::filesystem::path& path, Access access) {
    const auto store = sqlite_store(path, access);
    if (store) return std::string{"opened"};
    EXPECT_NE(store.error().message.find(path.string()), std::string::npos)
        << store.error().message;
    return store.error().code;
  };
  TemporaryStore file;
  EXPECT_EQ(fails("/no/such/folder/x.db", Access::create), "STORE_FAILED");
  EXPECT_EQ(fails(file.path, Access::write), "FILE_NOT_FOUND");
  EXPECT_EQ(fails(file.path, Access::read), "FILE_NOT_FOUND");
  EXPECT_EQ(fails(file.folder, Access::create), "STORE_FAILED");
  std::ofstream(file.path) << "this is no database, but long enough to be taken for one\n"
                           << std::string(2000, 'x');
  EXPECT_EQ(fails(file.path, Access::create), "STORE_DAMAGED");
  std::filesystem::remove(file.path);
  {
    SQLite::Database foreign{file.path.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE};
    foreign.exec("CREATE TABLE bookmarks (url TEXT)");
  }
  EXPECT_EQ(fails(file.path, Access::create), "STORE_FAILED") << "somebody else's database";
  std::filesystem::remove(file.path);
  ASSERT_TRUE(sqlite_store(file.path).has_value());
  SQLite::Database{file.path.string(), SQLite::OPEN_READWRITE}.exec("PRAGMA user_version = 9");
  EXPECT_EQ(fails(file.path, Access::create), "STORE_FAILED");
}

TEST(SqliteStore, AnotherProcessSeesTheSession) {
  TemporaryStore file;
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
  TemporaryStore file;
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
      while (!session.over()) {
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
