// T-37: whatever happens to the bytes of a store, a session reads back as it was written or the
// damage is reported.
#include <SQLiteCpp/SQLiteCpp.h>
#include <csignal>
#include <fstream>
#include <sstream>
#include <sys/wait.h>

#include "base/rng.h"
#include "table/store_games.h"

namespace parlor::table {
namespace {

namespace fs = std::filesystem;

std::string bytes_of(const fs::path& path) {
  std::ifstream in{path, std::ios::binary};
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}
void write_bytes(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

// Two sessions, so that pages and rows of one can be taken for the other's.
Json fill(const fs::path& path) {
  const Catalog catalog = test_catalog();
  const auto store = sqlite_store(path).value();
  Table table{catalog, *store, stopped(), 3};
  Session other = table.open(config("eno")).value();
  Session session = table.open(config("one")).value();
  play_on(table, other, 2);
  play_on(table, session, 7);
  return session.to_json();
}

enum class Found { whole, reported, silent };

// What becomes of session "one" in these files.
Found look(const fs::path& path, const Json& written, std::string& told) {
  const Catalog catalog = test_catalog();
  const auto store = sqlite_store(path, Access::write);
  if (!store) {
    told = store.error().message;
    return Found::reported;
  }
  const auto session = Table{catalog, **store, stopped()}.resume("one");
  if (!session) {
    told = session.error().message;
    return Found::reported;
  }
  if (session->to_json() != written) return Found::silent;
  // Reading it was fine; listing must find it or fail.
  const auto listed = (*store)->list();
  if (!listed) {
    told = listed.error().message;
    return Found::reported;
  }
  for (const Listed& one : *listed)
    if (one.id == "one" && one.revision == 7) return Found::whole;
  return Found::silent;
}

struct Tally {
  int whole = 0, reported = 0;
  void take(Found found, const std::string& told, const std::string& path,
            const std::string& what) {
    EXPECT_NE(found, Found::silent) << what;
    if (found == Found::reported) {
      ++reported;
      EXPECT_NE(told.find(path), std::string::npos) << "names the file: " << told;
    } else {
      ++whole;
    }
  }
};

class DamagedStore : public testing::Test {
 protected:
  DamagedStore() : written_(fill(file_.path)), bytes_(bytes_of(file_.path)) {}

  void damage(const std::string& bytes, const std::string& what) {
    for (const char* suffix : {"-wal", "-shm"}) fs::remove(file_.path.string() + suffix);
    write_bytes(file_.path, bytes);
    std::string told;
    tally_.take(look(file_.path, written_, told), told, file_.path.string(), what);
  }

  TemporaryStore file_;
  Json written_;
  std::string bytes_;
  Tally tally_;
};

void flip_bits(const std::string& bytes, std::size_t stride, std::size_t first,
               const std::function<void(const std::string&, const std::string&)>& damage) {
  for (std::size_t at = first; at < bytes.size(); at += stride) {
    std::string copy = bytes;
    copy[at] = static_cast<char>(copy[at] ^ (1 << (at / stride % 8)));
    damage(copy, fmt::format("bit {} of byte {}", at / stride % 8, at));
  }
}

TEST_F(DamagedStore, IsWholeToBeginWith) {
  std::string told;
  EXPECT_EQ(look(file_.path, written_, told), Found::whole) << told;
}

TEST_F(DamagedStore, ShowsFlippedBits) {
  flip_bits(bytes_, 37, 0, [&](const auto& copy, const auto& what) { damage(copy, what); });
  // The places where SQLite keeps its own book.
  for (std::size_t page = 0; page < bytes_.size(); page += 4096)
    for (std::size_t at = page; at < page + 24; ++at)
      for (const int bit : {0, 3, 7}) {
        std::string copy = bytes_;
        copy[at] = static_cast<char>(copy[at] ^ (1 << bit));
        damage(copy, fmt::format("bit {} of byte {}", bit, at));
      }
  EXPECT_GT(tally_.reported, 50);
  EXPECT_GT(tally_.whole, 50) << "much of a small file is empty";
}

class SlowDamagedStore : public DamagedStore {};
TEST_F(SlowDamagedStore, ShowsAFlippedBitInEveryByte) {
  flip_bits(bytes_, 1, 0, [&](const auto& copy, const auto& what) { damage(copy, what); });
  EXPECT_GT(tally_.reported, 1000);
}

TEST_F(DamagedStore, ShowsTruncation) {
  for (std::size_t size = 1; size < bytes_.size(); size += 509)
    damage(bytes_.substr(0, size), fmt::format("cut off at {}", size));
  EXPECT_GT(tally_.reported, 5 * tally_.whole) << "only what is never read may be missing";
}

TEST_F(DamagedStore, ShowsWholePagesLost) {
  for (std::size_t page = 0; page < bytes_.size(); page += 4096) {
    std::string zeroed = bytes_;
    std::fill_n(zeroed.begin() + static_cast<std::ptrdiff_t>(page), 4096, '\0');
    damage(zeroed, fmt::format("page at {} zeroed", page));
    for (std::size_t from = 0; from < bytes_.size(); from += 4096) {
      std::string copied = bytes_;
      copied.replace(page, 4096, bytes_.substr(from, 4096));
      damage(copied, fmt::format("page at {} written to {}", from, page));
    }
  }
}

// What somebody with a database tool could do.
TEST_F(DamagedStore, ShowsRowsThatWereTamperedWith) {
  const std::vector<const char*> deeds{
      "DELETE FROM entry WHERE session = 'one' AND revision = 7",
      "DELETE FROM entry WHERE session = 'one' AND revision > 3",
      "DELETE FROM entry WHERE session = 'one' AND revision = 4",
      "DELETE FROM entry WHERE session = 'one'",
      "DELETE FROM session WHERE id = 'one'",
      "DELETE FROM head WHERE session = 'one'",
      "UPDATE head SET revision = 3, chain = 0 WHERE session = 'one'",
      "UPDATE head SET revision = 8 WHERE session = 'one'",
      "UPDATE head SET updated = 6 WHERE session = 'one'",
      "UPDATE session SET header = (SELECT header FROM session WHERE id = 'eno')",
      "UPDATE entry SET body = (SELECT body FROM entry WHERE session = 'eno' AND revision = 1) "
      "WHERE session = 'one' AND revision = 1",
      "UPDATE entry SET body = replace(body, '\"at\":5', '\"at\":6') WHERE session = 'one' AND "
      "revision = 2"};
  for (const char* sql : deeds) {
    write_bytes(file_.path, bytes_);
    SQLite::Database{file_.path.string(), SQLite::OPEN_READWRITE}.exec(sql);
    std::string told;
    EXPECT_EQ(look(file_.path, written_, told), Found::reported) << sql;
  }
}

// T-37: missing entries after a snapshot are an error, also when the head went back with them.
TEST_F(DamagedStore, ASnapshotProvesThatEntriesAreMissing) {
  {
    SQLite::Database database{file_.path.string(), SQLite::OPEN_READWRITE};
    database.exec("DELETE FROM entry WHERE session = 'one' AND revision > 5");
    const Json fifth = Json::parse(
        database.execAndGet("SELECT body FROM entry WHERE session = 'one' AND revision = 5")
            .getString());
    const auto chain = std::stoull(fifth["chain"].get<std::string>(), nullptr, 16);
    database.exec(fmt::format("UPDATE head SET revision = 5, chain = {} WHERE session = 'one'",
                              static_cast<std::int64_t>(chain)));
  }
  std::string told;
  EXPECT_EQ(look(file_.path, written_, told), Found::reported);
  EXPECT_NE(told.find("snapshot"), std::string::npos) << told;
}

TEST_F(DamagedStore, ADamagedSnapshotIsARemark) {
  SQLite::Database{file_.path.string(), SQLite::OPEN_READWRITE}.exec(
      "UPDATE snapshot SET body = replace(body, '1', '2')");
  const Catalog catalog = test_catalog();
  for (const char* sql :
       {"UPDATE snapshot SET body = replace(body, '1', '2')", "UPDATE snapshot SET body = '{'"}) {
    SQLite::Database{file_.path.string(), SQLite::OPEN_READWRITE}.exec(sql);
    const auto store = sqlite_store(file_.path).value();
    const auto session = Table{catalog, *store, stopped()}.resume("one");
    ASSERT_TRUE(session.has_value()) << session.error().message;
    EXPECT_EQ(session->to_json(), written_);
    EXPECT_EQ(session->remarks().size(), 2u);
  }
}

// A process that is killed leaves its journal behind. Damage there looks to SQLite like a write
// that was cut off: then the last transaction may be missing, but no earlier one without a report.
TEST(DamagedJournal, LosesTheLastActionAtMostWithoutSayingSo) {
  TemporaryStore file;
  ASSERT_TRUE(sqlite_store(file.path).has_value());
  const pid_t child = fork();
  if (child == 0) {
    const Catalog catalog = test_catalog();
    const auto store = sqlite_store(file.path).value();
    Table table{catalog, *store, stopped(), 3};
    Session session = table.open(config("one")).value();
    play_on(table, session, 7);
    kill(getpid(), SIGKILL);
  }
  waitpid(child, nullptr, 0);
  const std::string journal = file.path.string() + "-wal";
  const std::string main_bytes = bytes_of(file.path), journal_bytes = bytes_of(journal);
  ASSERT_GT(journal_bytes.size(), 8u * 4096u);
  const Catalog catalog = test_catalog();
  int whole = 0, one_less = 0, reported = 0;
  flip_bits(journal_bytes, 397, 3, [&](const std::string& copy, const std::string& what) {
    fs::remove(file.path.string() + "-shm");
    write_bytes(file.path, main_bytes);
    write_bytes(journal, copy);
    const auto store = sqlite_store(file.path);
    if (!store) {
      EXPECT_NE(store.error().message.find(journal), std::string::npos) << store.error().message;
      ++reported;
      return;
    }
    const auto session = Table{catalog, **store, stopped()}.resume("one");
    if (!session)
      ++reported;
    else if (session->revision() == 7)
      ++whole;
    else if (session->revision() == 6)
      ++one_less;
    else
      ADD_FAILURE() << what << " leaves revision " << session->revision();
  });
  EXPECT_GT(reported, 100);
  EXPECT_LT(one_less, reported / 3);
  EXPECT_EQ(whole, 0) << "every byte of a journal counts";
}

}  // namespace
}  // namespace parlor::table
