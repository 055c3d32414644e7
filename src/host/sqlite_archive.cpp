#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/core.h>
#include <mutex>
#include <sqlite3.h>

#include "host/archive.h"
#include "host/journal_mover.h"
#include "host/sqlite_schema.h"
#include "table/sqlite_files.h"

namespace parlor::host {
namespace {

namespace fs = std::filesystem;

constexpr int patience_ms = 10'000;
constexpr int chat_rows_read = 200;

#define TABLE_COLUMNS                                                                 \
  "SELECT id, config, state, creator, invite_hash, created, updated, result, clock, " \
  "deadline, epoch FROM game_table "
constexpr const char* table_of_id = TABLE_COLUMNS "WHERE id = ?";
constexpr const char* tables_of_state =
    TABLE_COLUMNS "WHERE state = ? ORDER BY updated DESC, id LIMIT ?";
#undef TABLE_COLUMNS

struct Bytes {
  const std::string& value;
};

void bind_one(SQLite::Statement& statement, int place, const Bytes& bytes) {
  statement.bind(place, bytes.value.data(), static_cast<int>(bytes.value.size()));
}
void bind_one(SQLite::Statement& statement, int place, const std::optional<Time>& time) {
  if (time) statement.bind(place, *time);
}
template <class Value>
void bind_one(SQLite::Statement& statement, int place, const Value& value) {
  statement.bind(place, value);
}

std::string blob(const SQLite::Column& column) {
  return {static_cast<const char*>(column.getBlob()), static_cast<std::size_t>(column.getBytes())};
}

std::int64_t as_signed(std::uint64_t value) {
  return static_cast<std::int64_t>(value);
}

// A connection with statements that are compiled once.
class Connection {
 public:
  Connection(const fs::path& file, int flags) : database_(file.string(), flags) {
    database_.setBusyTimeout(patience_ms);
  }
  SQLite::Database& database() { return database_; }

  template <class... Values>
  SQLite::Statement& prepare(const char* sql, const Values&... values) {
    auto& slot = statements_[sql];
    if (!slot) slot = std::make_unique<SQLite::Statement>(database_, sql);
    slot->reset();
    slot->clearBindings();
    int place = 0;
    (bind_one(*slot, ++place, values), ...);
    return *slot;
  }
  // A statement that stands on a row keeps the connection in the past.
  void let_go() {
    for (const auto& [sql, statement] : statements_) statement->tryReset();
  }
  template <class... Values>
  void run(const char* sql, const Values&... values) {
    prepare(sql, values...).exec();
  }

 private:
  SQLite::Database database_;
  std::map<const char*, std::unique_ptr<SQLite::Statement>> statements_;
};

class SqliteArchive final : public Archive {
 public:
  SqliteArchive(fs::path file, FaultPoint fault)
      : file_(std::move(file)),
        fault_(std::move(fault)),
        writer_(file_, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE) {
    writer_.database().exec("PRAGMA journal_mode = WAL");
    writer_.database().exec("PRAGMA synchronous = FULL");
    take_steps();
    reader_.emplace(file_, SQLite::OPEN_READWRITE);
    mover_.emplace(file_, writer_.database());
  }

  std::vector<Applied> write(std::span<const Group> groups) override {
    const std::lock_guard lock{write_mutex_};
    auto done = guarded<tl::expected<std::vector<Applied>, Rejection>>([&] {
      std::vector<Applied> answers;
      at("begin");
      SQLite::Transaction transaction{writer_.database(), SQLite::TransactionBehavior::IMMEDIATE};
      for (const Group& group : groups) answers.push_back(keep(group));
      at("before commit");
      transaction.commit();
      at("committed");
      mover_->after_commit();
      return answers;
    });
    if (done) return std::move(*done);
    return std::vector<Applied>(groups.size(), tl::unexpected(done.error()));
  }

  Read<std::optional<HandleRow>> handle_of_token(const std::string& token_hash) const override {
    return reading<std::optional<HandleRow>>([&](Connection& db) -> std::optional<HandleRow> {
      auto& row = db.prepare("SELECT id, name, created, seen FROM handle WHERE token_hash = ?",
                             Bytes{token_hash});
      if (!row.executeStep()) return std::nullopt;
      return HandleRow{row.getColumn(0).getString(), row.getColumn(1).getString(), token_hash,
                       row.getColumn(2).getInt64(), row.getColumn(3).getInt64()};
    });
  }

  Read<std::optional<TableRow>> table(const std::string& id) const override {
    return reading<std::optional<TableRow>>([&](Connection& db) -> std::optional<TableRow> {
      auto& row = db.prepare(table_of_id, id);
      if (!row.executeStep()) return std::nullopt;
      TableRow out = table_row(row);
      read_seats(db, out);
      return out;
    });
  }

  Read<std::vector<TableRow>> tables(const std::vector<TableState>& states,
                                     std::size_t most) const override {
    return reading<std::vector<TableRow>>([&](Connection& db) {
      std::vector<TableRow> out;
      for (const TableState state : states) {
        auto& row =
            db.prepare(tables_of_state, std::string{table_state_name(state)}, as_signed(most));
        while (row.executeStep()) out.push_back(table_row(row));
      }
      for (TableRow& row : out) read_seats(db, row);
      return out;
    });
  }

  Read<table::Record> log(const std::string& id) const override {
    auto found = reading<tl::expected<table::Record, Rejection>>(
        [&](Connection& db) { return read_log(db, id); });
    if (!found) return tl::unexpected(std::move(found.error()));
    return std::move(*found);
  }

  Read<std::optional<UploadRow>> upload(const std::string& id) const override {
    return reading<std::optional<UploadRow>>([&](Connection& db) -> std::optional<UploadRow> {
      auto& row = db.prepare(
          "SELECT owner, files, compiled, fingerprint, created, suspended FROM upload WHERE id = ?",
          id);
      if (!row.executeStep()) return std::nullopt;
      return UploadRow{.id = id,
                       .owner = row.getColumn(0).getString(),
                       .files = Json::parse(row.getColumn(1).getString()),
                       .compiled = Json::parse(row.getColumn(2).getString()),
                       .fingerprint = blob(row.getColumn(3)),
                       .created = row.getColumn(4).getInt64(),
                       .suspended = row.getColumn(5).getInt() != 0};
    });
  }

  Read<std::vector<ChatRow>> chat(const std::string& id) const override {
    return reading<std::vector<ChatRow>>([&](Connection& db) {
      std::vector<ChatRow> out;
      auto& row = db.prepare(
          "SELECT channel, author, text, at, seat FROM chat WHERE table_id = ? ORDER BY seq DESC "
          "LIMIT ?",
          id, chat_rows_read);
      while (row.executeStep())
        out.push_back({row.getColumn(0).getString(), row.getColumn(1).getString(),
                       row.getColumn(2).getString(), row.getColumn(3).getInt64(),
                       row.getColumn(4).getInt()});
      std::ranges::reverse(out);
      return out;
    });
  }

 private:
  // ---- Opening.

  void take_steps() {
    SQLite::Database& db = writer_.database();
    SQLite::Transaction transaction{db, SQLite::TransactionBehavior::IMMEDIATE};
    const int made_by = db.execAndGet("PRAGMA application_id").getInt();
    const bool empty = db.execAndGet("SELECT COUNT(*) FROM sqlite_master").getInt() == 0;
    if (!empty && made_by != archive_application_id)
      throw std::runtime_error("this is no archive of a server");
    int version = db.execAndGet("PRAGMA user_version").getInt();
    if (version > static_cast<int>(archive_steps.size()))
      throw std::runtime_error(fmt::format("the archive has version {}, this program knows {}",
                                           version, archive_steps.size()));
    if (version == static_cast<int>(archive_steps.size())) return;
    while (version < static_cast<int>(archive_steps.size()))
      db.exec(archive_steps[static_cast<std::size_t>(version++)]);
    db.exec(fmt::format("PRAGMA application_id = {}", archive_application_id));
    db.exec(fmt::format("PRAGMA user_version = {}", version));
    transaction.commit();
  }

  // ---- Failing.

  void at(std::string_view point) const {
    if (fault_) fault_(point);
  }
  Rejection failed(const SQLite::Exception& error) const {
    const bool broken =
        error.getErrorCode() == SQLITE_CORRUPT || error.getErrorCode() == SQLITE_NOTADB;
    return {broken ? Code::STORE_DAMAGED : Code::STORE_FAILED,
            fmt::format("the archive: {}", error.what())};
  }
  template <class Answer, class Work>
  Answer guarded(const Work& work) const {
    const table::FileSizeErrors signal_held;
    try {
      return work();
    } catch (const SQLite::Exception& error) {
      return tl::unexpected(failed(error));
    } catch (const std::exception& error) {
      return tl::unexpected(
          Rejection{Code::STORE_DAMAGED, fmt::format("the archive: {}", error.what())});
    }
  }
  template <class T, class Work>
  Read<T> reading(const Work& work) const {
    const std::lock_guard lock{read_mutex_};
    auto answer = guarded<Read<T>>([&]() -> Read<T> { return work(*reader_); });
    reader_->let_go();
    return answer;
  }

  // ---- Writing, inside a transaction. A group that is refused leaves nothing.

  Applied keep(const Group& group) {
    writer_.run("SAVEPOINT one");
    for (const Write& write : group) {
      if (auto done = std::visit([&](const auto& one) { return put(one); }, write); !done) {
        writer_.run("ROLLBACK TO one");
        writer_.run("RELEASE one");
        return done;
      }
      at("wrote");
    }
    writer_.run("RELEASE one");
    return {};
  }

  Applied put(const PutHandle& one) {
    writer_.run("INSERT OR REPLACE INTO handle VALUES (?, ?, ?, ?, ?)", one.row.id, one.row.name,
                Bytes{one.row.token_hash}, one.row.created, one.row.seen);
    return {};
  }
  Applied put(const DropHandle& one) {
    writer_.run("DELETE FROM handle WHERE id = ?", one.id);
    return {};
  }
  Applied put(const PutUpload& one) {
    writer_.run("INSERT OR REPLACE INTO upload VALUES (?, ?, ?, ?, ?, ?, ?)", one.row.id,
                one.row.owner, canonical(one.row.files), canonical(one.row.compiled),
                Bytes{one.row.fingerprint}, one.row.created, one.row.suspended ? 1 : 0);
    return {};
  }
  Applied put(const SuspendUpload& one) {
    writer_.run("UPDATE upload SET suspended = 1 WHERE id = ?", one.id);
    return {};
  }
  // The file belongs to one server.
  Applied put(const Fence&) { return {}; }
  Applied put(const PutTable& one) {
    const TableRow& row = one.row;
    writer_.run("INSERT OR REPLACE INTO game_table VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                row.id, row.config.game, canonical(to_json(row.config)),
                std::string{visibility_name(row.config.visibility)},
                std::string{table_state_name(row.state)}, row.creator, Bytes{row.invite_hash},
                row.created, row.updated, canonical(row.result), canonical(row.clock), row.deadline,
                as_signed(row.epoch));
    for (std::size_t i = 0; i < row.seats.size(); ++i) {
      const SeatRow& seat = row.seats[i];
      writer_.run("INSERT OR REPLACE INTO seat VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row.id,
                  as_signed(i), std::string{seat_kind_name(seat.kind)}, seat.handle, seat.name,
                  seat.agent, Bytes{seat.token_hash}, seat.ready ? 1 : 0);
    }
    return {};
  }
  Applied put(const BeginLog& one) {
    writer_.run("INSERT INTO log VALUES (?, ?, 0, ?)", one.table,
                canonical(table::header_to_json(one.record)), as_signed(one.record.chain));
    return {};
  }
  // An entry that does not follow the last one is refused: of two writers one comes first.
  Applied put(const AppendEntry& one) {
    writer_.run("UPDATE log SET revision = ?, chain = ? WHERE table_id = ? AND revision = ?",
                as_signed(one.entry.revision), as_signed(one.entry.chain), one.table,
                as_signed(one.entry.revision - 1));
    if (writer_.database().getChanges() != 1)
      return tl::unexpected(
          Rejection{Code::REVISION_CONFLICT, "somebody else acted at this table"});
    const int actor = one.entry.actor.is_none() ? -1 : one.entry.actor.value;
    writer_.run("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?)", one.table,
                as_signed(one.entry.revision), actor, one.entry.action_id,
                table::to_text(one.entry), one.entry.at);
    if (!one.snapshot) return {};
    writer_.run("INSERT OR REPLACE INTO snapshot VALUES (?, ?, ?)", one.table,
                as_signed(one.snapshot->revision), canonical(table::to_json(*one.snapshot)));
    writer_.run(
        "DELETE FROM snapshot WHERE table_id = ?1 AND revision NOT IN (SELECT revision FROM "
        "snapshot "
        "WHERE table_id = ?1 ORDER BY revision DESC LIMIT 2)",
        one.table);
    return {};
  }
  Applied put(const PutChat& one) {
    writer_.run(
        "INSERT INTO chat (table_id, channel, author, seat, text, at) VALUES (?, ?, ?, ?, ?, ?)",
        one.table, one.row.channel, one.row.author, one.row.seat, one.row.text, one.row.at);
    return {};
  }
  Applied put(const DropTable& one) {
    for (const char* sql :
         {"DELETE FROM game_table WHERE id = ?", "DELETE FROM seat WHERE table_id = ?",
          "DELETE FROM log WHERE table_id = ?", "DELETE FROM entry WHERE table_id = ?",
          "DELETE FROM snapshot WHERE table_id = ?", "DELETE FROM chat WHERE table_id = ?"})
      writer_.run(sql, one.id);
    return {};
  }

  // ---- Reading.

  static TableRow table_row(SQLite::Statement& row) {
    auto config = table_config_from_json(Json::parse(row.getColumn(1).getString()));
    const auto state = table_state_named(row.getColumn(2).getString());
    if (!config || !state) throw std::runtime_error("the settings of a table are damaged");
    TableRow out{.id = row.getColumn(0).getString(),
                 .config = std::move(*config),
                 .state = *state,
                 .creator = row.getColumn(3).getString(),
                 .invite_hash = blob(row.getColumn(4)),
                 .created = row.getColumn(5).getInt64(),
                 .updated = row.getColumn(6).getInt64(),
                 .result = Json::parse(row.getColumn(7).getString()),
                 .clock = Json::parse(row.getColumn(8).getString())};
    if (!row.getColumn(9).isNull()) out.deadline = row.getColumn(9).getInt64();
    out.epoch = static_cast<std::uint64_t>(row.getColumn(10).getInt64());
    return out;
  }
  static void read_seats(Connection& db, TableRow& out) {
    auto& row = db.prepare(
        "SELECT kind, handle, name, agent, token_hash, ready FROM seat WHERE table_id = ? ORDER BY "
        "seat",
        out.id);
    while (row.executeStep()) {
      const std::string kind = row.getColumn(0).getString();
      out.seats.push_back({.kind = kind == "human" ? SeatKind::human
                                   : kind == "bot" ? SeatKind::bot
                                                   : SeatKind::open,
                           .handle = row.getColumn(1).getString(),
                           .name = row.getColumn(2).getString(),
                           .agent = row.getColumn(3).getString(),
                           .token_hash = blob(row.getColumn(4)),
                           .ready = row.getColumn(5).getInt() != 0});
    }
  }
  static tl::expected<table::Record, Rejection> read_log(Connection& db, const std::string& id) {
    SQLite::Transaction one_moment{db.database()};
    auto& head = db.prepare("SELECT header, chain FROM log WHERE table_id = ?", id);
    if (!head.executeStep())
      return tl::unexpected(Rejection{Code::STORE_DAMAGED, "the log of the table is missing"});
    auto record = table::header_from_json(Json::parse(head.getColumn(0).getString()));
    if (!record) return record;
    record->chain = static_cast<std::uint64_t>(head.getColumn(1).getInt64());
    head.reset();
    auto& rows = db.prepare("SELECT body FROM entry WHERE table_id = ? ORDER BY revision", id);
    while (rows.executeStep()) {
      auto entry = table::log_entry_from_json(Json::parse(rows.getColumn(0).getString()));
      if (!entry) return tl::unexpected(std::move(entry.error()));
      record->log.push_back(std::move(*entry));
    }
    auto& kept =
        db.prepare("SELECT body FROM snapshot WHERE table_id = ? ORDER BY revision DESC", id);
    while (kept.executeStep()) {
      const auto json = parse_json(kept.getColumn(0).getString());
      if (!json) continue;  // a snapshot only saves time
      if (auto snapshot = table::snapshot_from_json(*json))
        record->snapshots.push_back(std::move(*snapshot));
    }
    return record;
  }

  const fs::path file_;
  const FaultPoint fault_;
  mutable std::mutex write_mutex_, read_mutex_;
  Connection writer_;
  mutable std::optional<Connection> reader_;
  std::optional<JournalMover> mover_;  // ends first
};

}  // namespace

tl::expected<std::unique_ptr<Archive>, Rejection> sqlite_archive(const fs::path& file,
                                                                 FaultPoint fault) {
  const table::FileSizeErrors signal_held;
  try {
    if (auto damage = table::find_journal_damage(file)) throw std::runtime_error(*damage);
    return std::make_unique<SqliteArchive>(file, std::move(fault));
  } catch (const std::exception& error) {
    return tl::unexpected(
        Rejection{Code::STORE_FAILED, fmt::format("{}: {}", file.string(), error.what())});
  }
}

}  // namespace parlor::host
