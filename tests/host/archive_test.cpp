// What must survive does: both archives keep the same, whole or not at all (S-50, S-51, S-92).
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

#include "host/simulation.h"

namespace parlor::test {
namespace {

namespace fs = std::filesystem;

struct Folder {
  Folder() {
    std::string name = (fs::temp_directory_path() / "parlor-archive-XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path); }
  fs::path path;
};

TEST(Archives, KeepTablesSeatsAndHandles_S51) {
  const Folder folder;
  std::vector<std::unique_ptr<Archive>> archives;
  archives.push_back(memory_archive());
  archives.push_back(sqlite_archive(folder.path / "a.db").value());
  for (const auto& archive : archives) {
    const HandleRow ann{"h1", "ann", sha256("t"), 5, 6};
    TableRow row{
        .id = "t1",
        .config = table_config_from_json({{"game", "pig"}, {"visibility", "private"}}).value(),
        .creator = "h1",
        .invite_hash = sha256("i"),
        .created = 7,
        .updated = 8,
        .result = {{"a", 1}},
        .clock = {{"paused", false}},
        .deadline = 99,
        .epoch = 3,
        .seats = {{SeatKind::human, "h1", "ann", "", sha256("s"), true},
                  {SeatKind::bot, "", "", "random", "", true}}};
    const std::vector<Group> groups{{PutHandle{ann}, PutTable{row}}};
    ASSERT_TRUE(archive->write(groups).front());
    EXPECT_EQ(archive->handle_of_token(sha256("t")).value(), ann);
    EXPECT_EQ(archive->handle_of_token(sha256("x")).value(), std::nullopt);
    EXPECT_EQ(archive->table("t1").value(), row);
    EXPECT_EQ(archive->table("t2").value(), std::nullopt);
    EXPECT_EQ(archive->tables({TableState::open}, 10)->size(), 1u);
    EXPECT_TRUE(archive->tables({TableState::finished}, 10)->empty());
    row.state = TableState::finished;
    const std::vector<Group> change{{PutTable{row}, DropHandle{"h1"}}};
    ASSERT_TRUE(archive->write(change).front());
    EXPECT_EQ(archive->tables({TableState::finished}, 10)->size(), 1u);
    EXPECT_EQ(archive->handle_of_token(sha256("t")).value(), std::nullopt);
  }
}

// What waits to be kept does not wait for the journal, and the journal does not grow for ever.
TEST(Archives, TheJournalIsMovedWhileOthersWriteAndBeginsAnew_S80) {
  const Folder folder;
  const fs::path file = folder.path / "a.db";
  const auto archive = sqlite_archive(file).value();
  UploadRow row{.id = "u",
                .owner = "h",
                .files = std::string(200'000, 'x'),
                .compiled = nullptr,
                .fingerprint = "f"};
  std::size_t written = 0;
  const auto journal = [&] { return fs::file_size(file.string() + "-wal"); };
  while (written < 800'000'000 && (written < 40'000'000 || journal() > written / 2)) {
    row.created = static_cast<Time>(written);
    ASSERT_TRUE(archive->write(std::vector<Group>{{PutUpload{row}}}).front());
    written += 200'000;
  }
  EXPECT_LE(journal(), written / 2);
  EXPECT_EQ(archive->upload("u").value(), row);
}

TEST(Archives, RefuseAnEntryThatDoesNotFollowTheLastAndKeepNothingOfItsGroup_S50) {
  const Folder folder;
  std::vector<std::unique_ptr<Archive>> archives;
  archives.push_back(memory_archive());
  archives.push_back(sqlite_archive(folder.path / "a.db").value());
  for (auto& archive : archives) {
    Match match{{{"game", "connect-four"}}, {}, std::move(archive)};
    match.act(0, 0);
    const auto record = match.world.archive->log(match.id).value();
    ASSERT_EQ(record.log.size(), 1u);
    const std::vector<Group> again{{PutChat{match.id, {"players", "x", "y", 1, 0}},
                                    AppendEntry{match.id, record.log.front(), {}}}};
    EXPECT_EQ(match.world.archive->write(again).front().error().code, "REVISION_CONFLICT");
    EXPECT_EQ(match.world.archive->log(match.id)->log.size(), 1u);
    EXPECT_TRUE(match.world.archive->chat(match.id)->empty());
  }
}

TEST(Archives, OfALaterVersionOrAnotherProgramAreRefused_S51) {
  const Folder folder;
  (void)sqlite_archive(folder.path / "a.db").value();
  const std::string later =
      "sqlite3 " + (folder.path / "a.db").string() + " 'PRAGMA user_version=99'";
  if (std::system(later.c_str()) == 0) {
    EXPECT_FALSE(sqlite_archive(folder.path / "a.db"));
  }
  (void)table::sqlite_store(folder.path / "b.db").value();
  EXPECT_EQ(sqlite_archive(folder.path / "b.db").error().code, "STORE_FAILED");
  EXPECT_FALSE(sqlite_archive(folder.path / "no" / "such" / "folder.db"));
}

TEST(Archives, HoldNoTokens_S61) {
  const Folder folder;
  const fs::path file = folder.path / "a.db";
  Match match{{{"game", "kuhn-poker"}}, {}, sqlite_archive(file).value()};
  match.at([](Room&) {});
  std::string bytes;
  for (const auto& entry : fs::directory_iterator{folder.path}) {
    std::ifstream in{entry.path(), std::ios::binary};
    bytes += std::string{std::istreambuf_iterator<char>{in}, {}};
  }
  ASSERT_NE(bytes.find("kuhn-poker"), std::string::npos);
  for (const std::string& token :
       {match.ann.token, match.bob.token, match.seats[0].token, match.seats[1].token})
    EXPECT_EQ(bytes.find(token), std::string::npos);
}

// A process is killed at the n-th step of writing. It writes down what was acknowledged.
void play_until_killed(const fs::path& file, int out, int steps) {
  auto left = std::make_shared<int>(steps);
  auto archive = sqlite_archive(file, [left](std::string_view) {
    if (--*left == 0) kill(getpid(), SIGKILL);
  });
  Match match{{{"game", "connect-four"}}, {}, std::move(*archive)};
  const std::string opening = match.id + "\n";
  (void)!write(out, opening.data(), opening.size());
  std::size_t acks = 0;
  for (int n = 0; n < 7; ++n) {
    const int seat = n % 2;
    match.act(seat, static_cast<std::size_t>(n) % 3);
    const std::size_t now = match.clients[0]->count("ack") + match.clients[1]->count("ack");
    if (now > acks) (void)!write(out, "a", 1);
    acks = now;
  }
  _exit(0);
}

TEST(Crashes, LoseNoActThatWasAcknowledgedAndDoubleNone_S92) {
  bool ended = false;
  int killed = 0;
  for (int steps = 1; !ended && steps < 200; steps += stride) {
    const Folder folder;
    int pipes[2];
    ASSERT_EQ(pipe(pipes), 0);
    const pid_t child = fork();
    if (child == 0) {
      close(pipes[0]);
      play_until_killed(folder.path / "a.db", pipes[1], steps);
    }
    close(pipes[1]);
    std::string said;
    char block[256];
    for (ssize_t got = 0; (got = read(pipes[0], block, sizeof block)) > 0;)
      said.append(block, static_cast<std::size_t>(got));
    close(pipes[0]);
    int status = 0;
    waitpid(child, &status, 0);
    ended = WIFEXITED(status);
    killed += WIFSIGNALED(status) ? 1 : 0;
    const auto line = said.find('\n');
    if (line == std::string::npos) continue;  // killed before the game began
    const std::string id = said.substr(0, line);
    const std::size_t acknowledged = said.size() - line - 1;
    Simulation world{{}, sqlite_archive(folder.path / "a.db").value()};
    const auto record = world.archive->log(id);
    ASSERT_TRUE(record) << record.error().message;
    EXPECT_GE(record->log.size(), acknowledged) << "killed at step " << steps;
    EXPECT_LE(record->log.size(), acknowledged + 1) << "killed at step " << steps;
    EXPECT_FALSE(table::find_damage(*record));
    world.refused.clear();
    const ClientPtr watcher = world.join(id, {}, true);  // restores it, comparing every hash
    EXPECT_EQ(world.refused, "");
    EXPECT_EQ(watcher->rev, record->log.size());
  }
  EXPECT_TRUE(ended);
  EXPECT_GT(killed, rounds(30));
}

TEST(Crashes, OfTheStoreRefuseTheActAndTheTableGoesOnFromWhatIsKept) {
  const Folder folder;
  auto failing = std::make_shared<bool>(false);
  Match match{{{"game", "connect-four"}},
              {},
              sqlite_archive(folder.path / "a.db", [failing](std::string_view at) {
                if (*failing && at == "before commit") throw std::runtime_error("disk full");
              }).value()};
  match.act(0, 0);
  *failing = true;
  match.act(1, 0);
  EXPECT_EQ(match.clients[1]->count("ack"), 0u);
  EXPECT_NE(match.clients[1]->closed, 0);
  *failing = false;
  const ClientPtr again = match.world.join(match.id, match.seats[1].caller());
  EXPECT_EQ(again->rev, 1u);
  match.world.act(match.id, again, 1, 0);
  EXPECT_EQ(again->rev, 2u);
}

}  // namespace
}  // namespace parlor::test
