#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/core.h>

#include "table/store.h"

namespace parlor::table {
namespace {

constexpr int schema_version = 1;

Rejection failed(const std::exception& error) {
  return {Code::STORE_FAILED, error.what()};
}

class SqliteStore : public Store {
 public:
  explicit SqliteStore(const std::filesystem::path& file)
      : database_(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE) {
    database_.setBusyTimeout(5000);
    // Readers never wait for the writer, and a commit is on disk before it is answered.
    database_.exec("PRAGMA journal_mode = WAL");
    database_.exec("PRAGMA synchronous = FULL");
    database_.exec("PRAGMA foreign_keys = ON");
    const int version = database_.execAndGet("PRAGMA user_version").getInt();
    if (version > schema_version)
      throw std::runtime_error(
          fmt::format("the store has version {}, this program knows {}", version, schema_version));
    if (version == schema_version) return;
    SQLite::Transaction transaction{database_};
    database_.exec(
        "CREATE TABLE session (id TEXT PRIMARY KEY, created INTEGER NOT NULL, config TEXT NOT "
        "NULL)");
    database_.exec(
        "CREATE TABLE entry (session TEXT NOT NULL REFERENCES session(id) ON DELETE CASCADE, "
        "revision INTEGER NOT "
        "NULL, action TEXT NOT NULL, entry TEXT NOT NULL, PRIMARY KEY (session, revision), UNIQUE "
        "(session, action))");
    database_.exec(
        "CREATE TABLE snapshot (session TEXT NOT NULL REFERENCES session(id) ON DELETE CASCADE, "
        "revision INTEGER "
        "NOT NULL, state TEXT NOT NULL, PRIMARY KEY (session, revision))");
    database_.exec(fmt::format("PRAGMA user_version = {}", schema_version));
    transaction.commit();
  }

  Applied create(const SessionConfig& config, Time created) override try {
    SQLite::Statement exists{database_, "SELECT 1 FROM session WHERE id = ?"};
    exists.bind(1, config.id);
    if (exists.executeStep())
      return tl::unexpected(
          Rejection{Code::SESSION_EXISTS, fmt::format("there already is a session {}", config.id)});
    SQLite::Statement insert{database_, "INSERT INTO session VALUES (?, ?, ?)"};
    insert.bind(1, config.id);
    insert.bind(2, created);
    insert.bind(3, canonical(to_json(config)));
    insert.exec();
    return {};
  } catch (const std::exception& error) {
    return tl::unexpected(failed(error));
  }

  Applied append(const std::string& session, const LogEntry& entry,
                 const std::optional<Snapshot>& snapshot) override try {
    SQLite::Transaction transaction{database_, SQLite::TransactionBehavior::IMMEDIATE};
    SQLite::Statement latest{database_,
                             "SELECT (SELECT COUNT(*) FROM session WHERE id = ?1), (SELECT "
                             "COALESCE(MAX(revision), 0) FROM "
                             "entry WHERE session = ?1)"};
    latest.bind(1, session);
    latest.executeStep();
    if (latest.getColumn(0).getInt() == 0)
      return tl::unexpected(
          Rejection{Code::SESSION_UNKNOWN, fmt::format("there is no session {}", session)});
    const auto revision = static_cast<std::uint64_t>(latest.getColumn(1).getInt64());
    if (entry.revision != revision + 1)
      return tl::unexpected(Rejection{Code::REVISION_CONFLICT,
                                      fmt::format("the session is at revision {}", revision),
                                      {{"revision", revision}}});
    SQLite::Statement insert{database_, "INSERT INTO entry VALUES (?, ?, ?, ?)"};
    insert.bind(1, session);
    insert.bind(2, static_cast<std::int64_t>(entry.revision));
    insert.bind(3, entry.action_id);
    insert.bind(4, canonical(to_json(entry)));
    insert.exec();
    if (snapshot) {
      SQLite::Statement keep{database_, "INSERT OR REPLACE INTO snapshot VALUES (?, ?, ?)"};
      keep.bind(1, session);
      keep.bind(2, static_cast<std::int64_t>(snapshot->revision));
      keep.bind(3, canonical(snapshot->state));
      keep.exec();
    }
    transaction.commit();
    return {};
  } catch (const std::exception& error) {
    return tl::unexpected(failed(error));
  }

  tl::expected<StoredSession, Rejection> load(const std::string& session) const override try {
    SQLite::Transaction snapshot_of_now{database_};  // one consistent read
    StoredSession out;
    SQLite::Statement head{database_, "SELECT created, config FROM session WHERE id = ?"};
    head.bind(1, session);
    if (!head.executeStep())
      return tl::unexpected(
          Rejection{Code::SESSION_UNKNOWN, fmt::format("there is no session {}", session)});
    out.created = head.getColumn(0).getInt64();
    auto config = session_config_from_json(Json::parse(head.getColumn(1).getString()));
    if (!config) return tl::unexpected(std::move(config.error()));
    out.config = std::move(*config);

    SQLite::Statement entries{database_,
                              "SELECT entry FROM entry WHERE session = ? ORDER BY revision"};
    entries.bind(1, session);
    while (entries.executeStep()) {
      auto entry = log_entry_from_json(Json::parse(entries.getColumn(0).getString()));
      if (!entry) return tl::unexpected(std::move(entry.error()));
      out.log.push_back(std::move(*entry));
    }
    SQLite::Statement latest{
        database_,
        "SELECT revision, state FROM snapshot WHERE session = ? ORDER BY revision DESC LIMIT 1"};
    latest.bind(1, session);
    if (latest.executeStep())
      out.snapshot = Snapshot{static_cast<std::uint64_t>(latest.getColumn(0).getInt64()),
                              Json::parse(latest.getColumn(1).getString())};
    return out;
  } catch (const std::exception& error) {
    return tl::unexpected(failed(error));
  }

  std::vector<std::string> list() const override {
    std::vector<std::string> out;
    SQLite::Statement ids{database_, "SELECT id FROM session ORDER BY id"};
    while (ids.executeStep()) out.push_back(ids.getColumn(0).getString());
    return out;
  }

  Applied remove(const std::string& session) override try {
    SQLite::Statement erase{database_, "DELETE FROM session WHERE id = ?"};
    erase.bind(1, session);
    if (erase.exec() == 0)
      return tl::unexpected(
          Rejection{Code::SESSION_UNKNOWN, fmt::format("there is no session {}", session)});
    return {};
  } catch (const std::exception& error) {
    return tl::unexpected(failed(error));
  }

 private:
  mutable SQLite::Database database_;
};

}  // namespace

tl::expected<std::unique_ptr<Store>, Rejection> sqlite_store(
    const std::filesystem::path& file) try {
  return std::make_unique<SqliteStore>(file);
} catch (const std::exception& error) {
  return tl::unexpected(failed(error));
}

}  // namespace parlor::table
