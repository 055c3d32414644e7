// T-37: several processes, files that cannot be written, files that may not grow.
#include <csignal>
#include <fstream>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "table/store_games.h"

namespace parlor::table {
namespace {

namespace fs = std::filesystem;

// Runs it in a process of its own; what it returns is the exit code.
template <class Work>
pid_t in_child(const Work& work) {
  const pid_t child = fork();
  if (child == 0) _exit(work());
  return child;
}
int exit_code(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

// Several processes make the same new store at the same moment, and all use it.
void open_together(std::size_t processes, int rounds) {
  const Catalog catalog = test_catalog();
  int failures = 0;
  for (int round = 0; round < rounds; ++round) {
    TemporaryStore file;
    int start[2];
    ASSERT_EQ(pipe(start), 0);
    std::vector<pid_t> children;
    for (std::size_t i = 0; i < processes; ++i)
      children.push_back(in_child([&] {
        close(start[1]);
        char go = 0;
        (void)!read(start[0], &go, 1);  // until the other end is closed
        const auto store = sqlite_store(file.path);
        const auto failed = [](int step, const std::string& why) {
          fmt::print(stderr, "step {}: {}\n", step, why);
          return step;
        };
        if (!store) return failed(1, store.error().message);
        Table table{catalog, **store, stopped()};
        auto session = table.open(config(fmt::format("s{}", i)));
        if (!session) return failed(2, session.error().message);
        const auto done = table.act(*session, next_action(*session));
        return done ? 0 : failed(3, done.error().message);
      }));
    close(start[0]);
    close(start[1]);
    for (const pid_t child : children) failures += exit_code(child) == 0 ? 0 : 1;
    const auto store = sqlite_store(file.path, Access::read);
    ASSERT_TRUE(store.has_value()) << store.error().message;
    EXPECT_EQ((*store)->list()->size(), processes);
  }
  EXPECT_EQ(failures, 0);
}

TEST(StoreProcesses, MayMakeTheSameStoreAtOnce) {
  open_together(2, 15);
  open_together(8, 5);
}
TEST(SlowStoreProcesses, MayMakeTheSameStoreAtOnce) {
  open_together(2, 120);
  open_together(8, 60);
}

// Somebody without rights reads what somebody else left.
class ReadOnly : public testing::Test {
 protected:
  // Root may write anything, so the reader becomes nobody.
  int as_reader(const std::function<int()>& work) {
    return exit_code(in_child([&] {
      if (geteuid() == 0 && setuid(65534) != 0) return 99;
      return work();
    }));
  }
  int read_session() {
    return as_reader([&] {
      const auto store = sqlite_store(file_.path, Access::write);
      if (!store) return 1;
      Table table{catalog_, **store, stopped()};
      auto session = table.resume("one");
      if (!session) return 2;
      if (session->revision() != 5) return 3;
      const auto refused = table.act(*session, next_action(*session));
      if (refused || refused.error().code != "STORE_FAILED") return 4;
      return refused.error().message.find(file_.path.string()) == std::string::npos ? 5 : 0;
    });
  }
  void take_rights_away() {
    for (const auto& entry : fs::directory_iterator{file_.folder})
      chmod(entry.path().c_str(), 0444);
    chmod(file_.folder.c_str(), 0555);
  }
  ~ReadOnly() override { chmod(file_.folder.c_str(), 0755); }

  TemporaryStore file_;
  Catalog catalog_ = test_catalog();
};

TEST_F(ReadOnly, AStoreCanBeRead) {
  {
    const auto store = sqlite_store(file_.path).value();
    Table table{catalog_, *store, stopped(), 2};
    Session session = table.open(config("one")).value();
    play_on(table, session, 5);
  }
  take_rights_away();
  EXPECT_EQ(read_session(), 0);
  chmod(file_.path.c_str(), 0000);
  EXPECT_EQ(read_session(), 1) << "but not one that cannot be read either";
}

TEST_F(ReadOnly, AStoreWhoseWriterIsGoneCanBeRead) {
  const pid_t writer = in_child([&] {
    const auto store = sqlite_store(file_.path).value();
    Table table{catalog_, *store, stopped(), 2};
    Session session = table.open(config("one")).value();
    play_on(table, session, 5);
    kill(getpid(), SIGKILL);
    return 0;
  });
  EXPECT_EQ(exit_code(writer), 1000 + SIGKILL);
  fs::remove(file_.path.string() + "-shm");
  take_rights_away();
  EXPECT_EQ(read_session(), 0);
}

TEST_F(ReadOnly, ReadingLeavesTheFileAsItIs) {
  {
    const auto store = sqlite_store(file_.path).value();
    Table table{catalog_, *store, stopped(), 2};
    Session session = table.open(config("one")).value();
    play_on(table, session, 5);
  }
  const auto before = fs::last_write_time(file_.path);
  {
    const auto store = sqlite_store(file_.path, Access::read).value();
    Table table{catalog_, *store, stopped()};
    Session session = table.resume("one").value();
    EXPECT_EQ(table.act(session, next_action(session)).error().code, "STORE_FAILED");
    EXPECT_EQ(store->remove("one").error().code, "STORE_FAILED");
  }
  EXPECT_EQ(fs::last_write_time(file_.path), before);
}

// A limit on the size of files is an error like a full disk, not the end of the process; whatever
// was acknowledged stays.
TEST(StoreProcesses, SurviveALimitOnTheSizeOfFiles) {
  TemporaryStore file;
  const Catalog catalog = test_catalog();
  const pid_t child = in_child([&] {
    const auto store = sqlite_store(file.path).value();
    Table table{catalog, *store, stopped(), 3};
    Session session = table.open(config("one")).value();
    play_on(table, session, 3);
    const rlimit small{64 * 1024, 64 * 1024};
    setrlimit(RLIMIT_FSIZE, &small);
    for (int i = 0; i < 40 && !session.over(); ++i) {
      const std::uint64_t before = session.revision();
      const auto answer = table.act(session, next_action(session));
      if (answer) continue;
      if (answer.error().code != "STORE_FAILED" || session.revision() != before) return 1;
      return static_cast<int>(10 + before);
    }
    return 2;
  });
  const int code = exit_code(child);
  ASSERT_GE(code, 13) << "killed by a signal, or nothing was refused";
  ASSERT_LT(code, 1000);
  const auto store = sqlite_store(file.path).value();
  const auto session = Table{catalog, *store, stopped()}.resume("one");
  ASSERT_TRUE(session.has_value()) << session.error().message;
  EXPECT_EQ(session->revision(), static_cast<std::uint64_t>(code - 10));
}

}  // namespace
}  // namespace parlor::table
