#include <SQLiteCpp/SQLiteCpp.h>
#include <chrono>
#include <fmt/core.h>
#include <sqlite3.h>
#include <thread>
#include <unistd.h>

#include "table/sqlite_files.h"
#include "table/store.h"

namespace parlor::table {
namespace {

namespace fs = std::filesystem;

constexpr int schema_version = 2;
constexpr int application_id = 0x5041524c;  // "PARL"
constexpr std::chrono::milliseconds patience{10'000};

// What belongs to a session stands in one place each, and `head` says once more where its log ends:
// a log that lost its end does not look like a shorter one.
constexpr const char* schema =
    "CREATE TABLE session (id TEXT PRIMARY KEY, header TEXT NOT NULL) STRICT, WITHOUT ROWID;"
    "CREATE TABLE head (session TEXT PRIMARY KEY, revision INTEGER NOT NULL,"
    " updated INTEGER NOT NULL, chain INTEGER NOT NULL) STRICT, WITHOUT ROWID;"
    "CREATE TABLE entry (session TEXT NOT NULL, revision INTEGER NOT NULL, actor INTEGER NOT NULL,"
    " action TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (session, revision),"
    " UNIQUE (session, actor, action)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE snapshot (session TEXT NOT NULL, revision INTEGER NOT NULL, body TEXT NOT NULL,"
    " PRIMARY KEY (session, revision)) STRICT, WITHOUT ROWID;";

std::int64_t signed_word(std::uint64_t value) {
  return static_cast<std::int64_t>(value);
}

// Binds values in order and runs the statement to its end.
template <class... Values>
int run(SQLite::Database& database, const char* sql, const Values&... values) {
  SQLite::Statement statement{database, sql};
  int place = 0;
  (statement.bind(++place, values), ...);
  return statement.exec();
}

class SqliteStore : public Store {
 public:
  SqliteStore(fs::path file, Access access) : file_(std::move(file)) {
    if (auto damage = find_journal_damage(file_)) throw std::runtime_error(*damage);
    if (access != Access::read && open_to_write(access)) return;
    read_only_.emplace(file_);
    database_ = std::move(read_only_->database);
    if (!check_at_once()) throw std::runtime_error("there is nothing in it");
  }

  std::string name() const override { return file_.string(); }

  Applied create(const Record& record) override {
    return guarded<Applied>([&]() -> Applied {
      SQLite::Transaction transaction{*database_, SQLite::TransactionBehavior::IMMEDIATE};
      const std::string& id = record.config.id;
      if (exists(id))
        return tl::unexpected(
            Rejection{Code::SESSION_EXISTS, fmt::format("there already is a session {}", id)});
      run(*database_, "INSERT INTO session VALUES (?, ?)", id, canonical(header_to_json(record)));
      for (const LogEntry& entry : record.log) insert(id, entry);
      run(*database_, "INSERT INTO head VALUES (?, ?, ?, ?)", id, signed_word(record.log.size()),
          last_touched(record.created, record.log), signed_word(record.chain));
      transaction.commit();
      return {};
    });
  }

  std::vector<Applied> append(std::span<const Append> batch) override {
    auto done = guarded<tl::expected<std::vector<Applied>, Rejection>>([&] {
      SQLite::Transaction transaction{*database_, SQLite::TransactionBehavior::IMMEDIATE};
      std::vector<Applied> answers;
      for (const Append& one : batch) answers.push_back(keep(one));
      transaction.commit();
      return answers;
    });
    if (done) return std::move(*done);
    return std::vector<Applied>(batch.size(), tl::unexpected(done.error()));
  }

  tl::expected<Record, Rejection> header(const std::string& session) const override {
    return guarded<tl::expected<Record, Rejection>>([&] { return load_header(session); });
  }

  tl::expected<Record, Rejection> load(const std::string& session) const override {
    return guarded<tl::expected<Record, Rejection>>([&]() -> tl::expected<Record, Rejection> {
      SQLite::Transaction one_moment{*database_};
      auto record = load_header(session);
      if (!record) return record;
      if (auto rest = load_log(session, *record); !rest) return tl::unexpected(rest.error());
      if (auto rest = load_head(session, *record); !rest) return tl::unexpected(rest.error());
      load_snapshots(session, *record);
      return record;
    });
  }

  tl::expected<std::vector<Listed>, Rejection> list() const override {
    return guarded<tl::expected<std::vector<Listed>, Rejection>>([&] {
      std::vector<Listed> out;
      SQLite::Statement rows{
          *database_,
          "SELECT session, updated, revision FROM head UNION ALL SELECT id, 0, 0 "
          "FROM session WHERE id NOT IN (SELECT session FROM head) ORDER BY 1"};
      while (rows.executeStep())
        out.push_back({rows.getColumn(0).getString(), rows.getColumn(1).getInt64(),
                       static_cast<std::uint64_t>(rows.getColumn(2).getInt64())});
      return out;
    });
  }

  Applied remove(const std::string& session) override {
    return guarded<Applied>([&]() -> Applied {
      SQLite::Transaction transaction{*database_, SQLite::TransactionBehavior::IMMEDIATE};
      if (!exists(session)) return tl::unexpected(not_there(session));
      for (const char* sql :
           {"DELETE FROM session WHERE id = ?", "DELETE FROM head WHERE session = ?",
            "DELETE FROM entry WHERE session = ?", "DELETE FROM snapshot WHERE session = ?"})
        run(*database_, sql, session);
      transaction.commit();
      return {};
    });
  }

 private:
  // ---- Opening. What SQLite cannot do throws.

  // False if the store can only be read.
  bool open_to_write(Access access) {
    const FileSizeErrors signal_held;
    const auto give_up = std::chrono::steady_clock::now() + patience;
    while (true) {
      try {
        const int flags =
            SQLite::OPEN_READWRITE | (access == Access::create ? SQLite::OPEN_CREATE : 0);
        database_ = std::make_unique<SQLite::Database>(file_.string(), flags);
        if (sqlite3_db_readonly(database_->getHandle(), "main") != 0) return false;
        prepare();
        return true;
      } catch (const SQLite::Exception& error) {
        // Several processes may make the same store at once; not all of that waits by itself.
        const int code = error.getErrorCode();
        const bool busy = code == SQLITE_BUSY || code == SQLITE_LOCKED || code == SQLITE_PROTOCOL;
        const bool closed =
            code == SQLITE_READONLY || (code == SQLITE_CANTOPEN && fs::exists(file_));
        const bool late = std::chrono::steady_clock::now() > give_up;
        // While somebody else makes or clears away the log, SQLite says so of any store.
        if (closed && (late || !may_write())) return false;
        if (!(busy || closed) || late) throw;
        database_.reset();
        std::this_thread::sleep_for(std::chrono::milliseconds{5});
      }
    }
  }

  bool may_write() const {
    const fs::path folder = file_.has_parent_path() ? file_.parent_path() : fs::path{"."};
    return ::access(file_.c_str(), W_OK) == 0 && ::access(folder.c_str(), W_OK) == 0;
  }

  void prepare() {
    database_->setBusyTimeout(static_cast<int>(patience.count()));
    // Readers never wait for the writer, and a commit is on disk before it is answered.
    database_->exec("PRAGMA journal_mode = WAL");
    database_->exec("PRAGMA synchronous = FULL");
    database_->exec("PRAGMA cell_size_check = ON");
    if (check_at_once()) return;
    SQLite::Transaction transaction{*database_, SQLite::TransactionBehavior::IMMEDIATE};
    if (check_version()) return;  // somebody else was first
    database_->exec(schema);
    database_->exec(fmt::format("PRAGMA application_id = {}", application_id));
    database_->exec(fmt::format("PRAGMA user_version = {}", schema_version));
    transaction.commit();
  }

  // False for a file that is still empty.
  // All of one moment: somebody else may be making the store between two questions.
  bool check_at_once() {
    const SQLite::Transaction one_moment{*database_};
    return check_version();
  }
  bool check_version() {
    const int version = database_->execAndGet("PRAGMA user_version").getInt();
    const int made_by = database_->execAndGet("PRAGMA application_id").getInt();
    const bool empty = database_->execAndGet("SELECT COUNT(*) FROM sqlite_master").getInt() == 0;
    if (empty && version == 0 && made_by == 0) return false;
    if (made_by != application_id && version != 1)
      throw std::runtime_error("this is no store of sessions");
    if (version != schema_version)
      throw std::runtime_error(fmt::format(
          "the store has version {}, this program reads version {}", version, schema_version));
    return true;
  }

  // ---- Failing. Every message names the file.

  Rejection damaged(std::string_view what) const {
    return {Code::STORE_DAMAGED, fmt::format("{}: {} is damaged", name(), what)};
  }
  // A session that is gone and has left something behind was not removed.
  Rejection not_there(const std::string& session) const {
    SQLite::Statement rest{
        *database_,
        "SELECT 1 FROM head WHERE session = ?1 UNION ALL SELECT 1 FROM entry "
        "WHERE session = ?1 UNION ALL SELECT 1 FROM snapshot WHERE session = ?1"};
    rest.bind(1, session);
    if (rest.executeStep()) return damaged(fmt::format("session {}", session));
    return {Code::SESSION_UNKNOWN, fmt::format("{}: there is no session {}", name(), session)};
  }

  template <class Answer, class Work>
  Answer guarded(const Work& work) const {
    const FileSizeErrors signal_held;
    try {
      return work();
    } catch (const SQLite::Exception& error) {
      const bool broken =
          error.getErrorCode() == SQLITE_CORRUPT || error.getErrorCode() == SQLITE_NOTADB;
      return tl::unexpected(Rejection{broken ? Code::STORE_DAMAGED : Code::STORE_FAILED,
                                      fmt::format("{}: {}", name(), error.what())});
    } catch (const std::exception&) {
      return tl::unexpected(damaged("what was read"));
    }
  }

  static Json parse(const SQLite::Column& column) { return Json::parse(column.getString()); }

  // ---- Inside a transaction.

  bool exists(const std::string& session) const {
    SQLite::Statement row{*database_, "SELECT 1 FROM session WHERE id = ?"};
    row.bind(1, session);
    return row.executeStep();
  }

  void insert(const std::string& session, const LogEntry& entry) {
    run(*database_, "INSERT INTO entry VALUES (?, ?, ?, ?, ?)", session,
        signed_word(entry.revision), entry.actor.is_none() ? -1 : int{entry.actor.value},
        entry.action_id, to_text(entry));
  }

  Applied keep(const Append& one) {
    SQLite::Statement head{*database_, "SELECT revision FROM head WHERE session = ?"};
    head.bind(1, one.session);
    if (!head.executeStep()) return tl::unexpected(not_there(one.session));
    const auto revision = static_cast<std::uint64_t>(head.getColumn(0).getInt64());
    if (one.entry.revision != revision + 1)
      return tl::unexpected(Rejection{
          Code::REVISION_CONFLICT,
          fmt::format("somebody else acted: the session is at revision {} by now", revision),
          {{"revision", revision}}});
    insert(one.session, one.entry);
    run(*database_,
        "UPDATE head SET revision = ?, updated = MAX(updated, ?), chain = ? WHERE session = ?",
        signed_word(one.entry.revision), one.entry.at, signed_word(one.entry.chain), one.session);
    if (!one.snapshot) return {};
    run(*database_, "INSERT INTO snapshot VALUES (?, ?, ?)", one.session,
        signed_word(one.snapshot->revision), canonical(to_json(*one.snapshot)));
    run(*database_,
        "DELETE FROM snapshot WHERE session = ?1 AND revision NOT IN (SELECT revision FROM "
        "snapshot WHERE session = ?1 ORDER BY revision DESC LIMIT ?2)",
        one.session, signed_word(snapshots_kept));
    return {};
  }

  tl::expected<Record, Rejection> load_header(const std::string& session) const {
    SQLite::Statement header{*database_, "SELECT header FROM session WHERE id = ?"};
    header.bind(1, session);
    if (!header.executeStep()) return tl::unexpected(not_there(session));
    auto record = header_from_json(parse(header.getColumn(0)));
    if (!record || record->config.id != session)
      return tl::unexpected(damaged("the session's settings"));
    return record;
  }

  // After the log, which it must agree with.
  Applied load_head(const std::string& session, Record& record) const {
    SQLite::Statement head{*database_,
                           "SELECT revision, updated, chain FROM head WHERE session = ?"};
    head.bind(1, session);
    if (!head.executeStep()) return tl::unexpected(damaged(fmt::format("session {}", session)));
    record.chain = static_cast<std::uint64_t>(head.getColumn(2).getInt64());
    if (head.getColumn(0).getInt64() == signed_word(record.log.size()) &&
        head.getColumn(1).getInt64() == last_touched(record.created, record.log))
      return {};
    return tl::unexpected(damaged(fmt::format("the end of session {}", session)));
  }

  Applied load_log(const std::string& session, Record& record) const {
    SQLite::Statement entries{*database_,
                              "SELECT body FROM entry WHERE session = ? ORDER BY revision"};
    entries.bind(1, session);
    while (entries.executeStep()) {
      auto entry = log_entry_from_json(parse(entries.getColumn(0)));
      if (!entry)
        return tl::unexpected(damaged(fmt::format("log entry {}", record.log.size() + 1)));
      record.log.push_back(std::move(*entry));
    }
    return {};
  }

  // Whatever is wrong with a snapshot, the log is there.
  void load_snapshots(const std::string& session, Record& record) const {
    const auto remark = [&] {
      record.remarks.push_back(
          fmt::format("{}: a snapshot cannot be read; the log was used instead", name()));
    };
    try {
      SQLite::Statement rows{*database_,
                             "SELECT body FROM snapshot WHERE session = ? ORDER BY revision DESC"};
      rows.bind(1, session);
      while (rows.executeStep()) {
        const auto json = parse_json(rows.getColumn(0).getString());
        auto snapshot = json ? snapshot_from_json(*json) : tl::unexpected(damaged("a snapshot"));
        if (snapshot)
          record.snapshots.push_back(std::move(*snapshot));
        else
          remark();
      }
    } catch (const std::exception&) {
      remark();
    }
  }

  fs::path file_;
  std::optional<ReadOnlyDatabase> read_only_;
  std::unique_ptr<SQLite::Database> database_;
};

}  // namespace

tl::expected<std::unique_ptr<Store>, Rejection> sqlite_store(const fs::path& file, Access access) {
  std::error_code ignored;
  if (access != Access::create && !fs::is_regular_file(file, ignored))
    return tl::unexpected(
        Rejection{Code::FILE_NOT_FOUND, fmt::format("there is no store `{}`", file.string())});
  try {
    return std::make_unique<SqliteStore>(file, access);
  } catch (const SQLite::Exception& error) {
    const bool broken =
        error.getErrorCode() == SQLITE_CORRUPT || error.getErrorCode() == SQLITE_NOTADB;
    return tl::unexpected(Rejection{broken ? Code::STORE_DAMAGED : Code::STORE_FAILED,
                                    fmt::format("{}: {}", file.string(), error.what())});
  } catch (const std::exception& error) {
    return tl::unexpected(
        Rejection{Code::STORE_FAILED, fmt::format("{}: {}", file.string(), error.what())});
  }
}

}  // namespace parlor::table
