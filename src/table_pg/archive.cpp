#include <algorithm>
#include <chrono>
#include <fmt/core.h>
#include <mutex>

#include "table_pg/connection.h"
#include "table_pg/migrations.h"
#include "table_pg/table_pg.h"

namespace parlor::table_pg {
namespace {

using namespace host;

// Any number will do, as long as all nodes use the same: one of them migrates at a time.
constexpr std::int64_t migration_lock = 0x7061726c6f72;
constexpr std::size_t chat_rows_read = 200;

#define MS(column) "(extract(epoch FROM " column ") * 1000)::bigint"
#define TIME(place) "to_timestamp(" place "::bigint / 1000.0)"
#define TABLE_COLUMNS \
  "id, config, state, creator, invite_hash, " MS("created") ", " MS("updated") ", result, " \
  "clock, " MS("deadline") ", epoch"

// ---- Writing. Everything about a table is written only by whoever took it last.

// $1 table, $2 epoch; those that come after are the statement's own.
#define FENCE "WITH fence AS (SELECT id FROM game_table WHERE id = $1 AND epoch = $2 FOR SHARE) "

constexpr const char* put_handle =
    "INSERT INTO handle VALUES ($1, $2, $3, " TIME("$4") ", " TIME("$5") ") "
    "ON CONFLICT (id) DO UPDATE SET name = EXCLUDED.name, token_hash = EXCLUDED.token_hash, "
    "seen = EXCLUDED.seen";
constexpr const char* put_upload = "INSERT INTO upload VALUES ($1, $2, $3, $4, $5, " TIME("$6") ")";
constexpr const char* suspend_upload = "UPDATE upload SET suspended = true WHERE id = $1";
constexpr const char* drop_handle = "DELETE FROM handle WHERE id = $1";
constexpr const char* put_table =
    "INSERT INTO game_table (id, epoch, game, config, visibility, state, creator, invite_hash, "
    "created, updated, result, clock, deadline, bots, node, lease_until) VALUES ($1, $2, $3, $4, "
    "$5, $6, $7, $8, " TIME("$9") ", " TIME("$10") ", $11, $12, " TIME("$13") ", $14, $15, "
    "now() + make_interval(secs => $16::int)) ON CONFLICT (id) DO UPDATE SET "
    "state = EXCLUDED.state, visibility = EXCLUDED.visibility, config = EXCLUDED.config, "
    "updated = EXCLUDED.updated, result = EXCLUDED.result, clock = EXCLUDED.clock, "
    "deadline = EXCLUDED.deadline, bots = EXCLUDED.bots WHERE game_table.epoch = EXCLUDED.epoch";
constexpr const char* put_seat = FENCE
    "INSERT INTO seat SELECT $1, $3::smallint, $4, $5, $6, $7, $8::bytea, $9::boolean FROM fence "
    "ON CONFLICT (table_id, seat) DO UPDATE SET kind = EXCLUDED.kind, handle = EXCLUDED.handle, "
    "name = EXCLUDED.name, agent = EXCLUDED.agent, token_hash = EXCLUDED.token_hash, "
    "ready = EXCLUDED.ready";
constexpr const char* begin_log =
    FENCE "INSERT INTO log SELECT $1, $3::jsonb, 0, $4::bigint FROM fence ON CONFLICT DO NOTHING";
// An entry that does not follow the last one is refused, too: of two writers one comes first.
constexpr const char* end_log = FENCE
    "UPDATE log SET revision = $3::bigint, chain = $4::bigint FROM fence "
    "WHERE table_id = fence.id AND revision = $3::bigint - 1";
constexpr const char* append_entry =
    FENCE "INSERT INTO entry SELECT $1, $3::bigint, $4::smallint, $5, $6::jsonb, " TIME(
        "$7") " FROM fence ON CONFLICT DO NOTHING";
constexpr const char* put_snapshot =
    FENCE "INSERT INTO snapshot SELECT $1, $3::bigint, $4::jsonb FROM fence ON CONFLICT DO NOTHING";
constexpr const char* drop_snapshots =
    "DELETE FROM snapshot WHERE table_id = $1 AND revision NOT IN (SELECT revision FROM snapshot "
    "WHERE table_id = $1 ORDER BY revision DESC LIMIT 2)";
constexpr const char* put_chat = FENCE
    "INSERT INTO chat (table_id, channel, author, seat, text, at) "
    "SELECT $1, $3, $4, $5::smallint, $6, " TIME("$7") " FROM fence";
constexpr std::array drop_table{
    "DELETE FROM game_table WHERE id = $1",     "DELETE FROM seat WHERE table_id = $1",
    "DELETE FROM log WHERE table_id = $1",      "DELETE FROM entry WHERE table_id = $1",
    "DELETE FROM snapshot WHERE table_id = $1", "DELETE FROM chat WHERE table_id = $1"};

// ---- Leases.

constexpr const char* take_table =
    "UPDATE game_table SET node = $2, epoch = epoch + 1, "
    "lease_until = now() + make_interval(secs => $3::int) "
    "WHERE id = $1 AND (lease_until < now() OR node = $2 OR node IS NULL) "
    "RETURNING " TABLE_COLUMNS;
// Those that are being written to at this moment are left for the next time: waiting for them while
// they wait for us would be a deadlock.
constexpr const char* renew_all =
    "UPDATE game_table SET lease_until = now() + make_interval(secs => $2::int) WHERE id IN "
    "(SELECT id FROM game_table WHERE node = $1 FOR NO KEY UPDATE SKIP LOCKED)";
constexpr const char* list_ours = "SELECT id, epoch FROM game_table WHERE node = $1";
constexpr const char* seen_now = "UPDATE node SET seen = now() WHERE id = $1";
constexpr const char* give_up_one =
    "UPDATE game_table SET node = NULL, lease_until = NULL "
    "WHERE id = $1 AND epoch = $2::bigint AND node = $3";
// Anybody may have them from now on, and what a bot or a flag waits for is looked after at once.
constexpr const char* give_up_all = "UPDATE game_table SET lease_until = now() WHERE node = $1";
constexpr const char* find_orphans =
    "SELECT id FROM game_table WHERE state = 'playing' AND "
    "((bots AND node IS NOT NULL AND lease_until < now()) OR "
    "(deadline < now() + interval '10 seconds' AND (node IS NULL OR lease_until < now()))) "
    "LIMIT 200";

#undef FENCE

std::string number(std::int64_t value) {
  return std::to_string(value);
}
std::string unsigned_number(std::uint64_t value) {
  return std::to_string(static_cast<std::int64_t>(value));
}

// The statements of one group and, of each, whether it must have written something.
struct Plan {
  std::vector<Connection::Sent> statements;
  std::vector<bool> must_write;

  void add(const char* sql, Values values, bool must) {
    statements.push_back({sql, std::move(values)});
    must_write.push_back(must);
  }
};

class Planner {
 public:
  Planner(const PgSettings& settings, Plan& plan) : settings_(settings), plan_(plan) {}

  void group(const Group& group) {
    for (const Write& write : group) std::visit([&](const auto& one) { put(one); }, write);
  }

 private:
  void put(const PutHandle& one) {
    plan_.add(put_handle,
              {one.row.id, one.row.name, bytes(one.row.token_hash), number(one.row.created),
               number(one.row.seen)},
              true);
  }
  void put(const PutUpload& one) {
    plan_.add(put_upload,
              {one.row.id, one.row.owner, canonical(one.row.files), canonical(one.row.compiled),
               bytes(one.row.fingerprint), number(one.row.created)},
              true);
  }
  void put(const SuspendUpload& one) { plan_.add(suspend_upload, {one.id}, false); }
  void put(const DropHandle& one) { plan_.add(drop_handle, {one.id}, false); }
  void put(const Fence& one) { epoch_ = unsigned_number(one.epoch); }
  void put(const PutTable& one) {
    const TableRow& row = one.row;
    epoch_ = unsigned_number(row.epoch);
    const bool bots = std::ranges::any_of(
        row.seats, [](const SeatRow& seat) { return seat.kind == SeatKind::bot; });
    plan_.add(put_table,
              {row.id, epoch_, row.config.game, canonical(to_json(row.config)),
               std::string{visibility_name(row.config.visibility)},
               std::string{table_state_name(row.state)}, row.creator, bytes(row.invite_hash),
               number(row.created), number(row.updated), canonical(row.result),
               canonical(row.clock), row.deadline ? Value{number(*row.deadline)} : Value{},
               bots ? "t" : "f", settings_.node, number(settings_.lease_seconds)},
              true);
    for (std::size_t i = 0; i < row.seats.size(); ++i) {
      const SeatRow& seat = row.seats[i];
      plan_.add(
          put_seat,
          {row.id, epoch_, unsigned_number(i), std::string{seat_kind_name(seat.kind)}, seat.handle,
           seat.name, seat.agent, bytes(seat.token_hash), seat.ready ? "t" : "f"},
          true);
    }
  }
  void put(const BeginLog& one) {
    plan_.add(begin_log,
              {one.table, epoch_, canonical(table::header_to_json(one.record)),
               unsigned_number(one.record.chain)},
              true);
  }
  void put(const AppendEntry& one) {
    const std::string revision = unsigned_number(one.entry.revision);
    plan_.add(end_log, {one.table, epoch_, revision, unsigned_number(one.entry.chain)}, true);
    plan_.add(append_entry,
              {one.table, epoch_, revision,
               number(one.entry.actor.is_none() ? -1 : one.entry.actor.value), one.entry.action_id,
               table::to_text(one.entry), number(one.entry.at)},
              true);
    if (!one.snapshot) return;
    plan_.add(put_snapshot,
              {one.table, epoch_, unsigned_number(one.snapshot->revision),
               canonical(table::to_json(*one.snapshot))},
              false);
    plan_.add(drop_snapshots, {one.table}, false);
  }
  void put(const PutChat& one) {
    plan_.add(put_chat,
              {one.table, epoch_, one.row.channel, one.row.author, number(one.row.seat),
               one.row.text, number(one.row.at)},
              true);
  }
  void put(const DropTable& one) {
    for (const char* sql : drop_table) plan_.add(sql, {one.id}, false);
  }

  const PgSettings& settings_;
  Plan& plan_;
  std::string epoch_ = "0";
};

class PgArchive final : public PgStore {
 public:
  explicit PgArchive(const PgSettings& settings)
      : settings_(settings), writer_(settings.conninfo), reader_(settings.conninfo) {
    migrate();
    register_node();
    measure_clock();
  }

  // Everything in one transaction, in two trips. If a group is refused, which is rare, each is
  // tried by itself: a refused one leaves nothing.
  std::vector<Applied> write(std::span<const Group> groups) override {
    const std::lock_guard lock{write_mutex_};
    auto done = guarded<tl::expected<bool, Rejection>>(writer_, [&] { return try_all(groups); });
    if (!done) return std::vector<Applied>(groups.size(), tl::unexpected(done.error()));
    std::vector<Applied> answers(groups.size());
    if (*done) return answers;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      auto one = guarded<tl::expected<bool, Rejection>>(
          writer_, [&] { return try_all(groups.subspan(i, 1)); });
      if (!one)
        answers[i] = tl::unexpected(one.error());
      else if (!*one)
        answers[i] = tl::unexpected(
            Rejection{host::code::TABLE_ELSEWHERE, "another server has taken the table over"});
    }
    return answers;
  }

  // ---- Reading.

  Read<std::optional<HandleRow>> handle_of_token(const std::string& token_hash) const override {
    return reading<std::optional<HandleRow>>([&]() -> std::optional<HandleRow> {
      const Rows rows = reader_.run(
          "SELECT id, name, " MS("created") ", " MS("seen") " FROM handle WHERE token_hash = $1",
          {bytes(token_hash)});
      if (rows.size() == 0) return std::nullopt;
      return HandleRow{rows.text(0, 0), rows.text(0, 1), token_hash, rows.number(0, 2),
                       rows.number(0, 3)};
    });
  }

  Read<std::optional<TableRow>> table(const std::string& id) const override {
    return reading<std::optional<TableRow>>([&]() -> std::optional<TableRow> {
      const Rows rows = reader_.run("SELECT " TABLE_COLUMNS " FROM game_table WHERE id = $1", {id});
      if (rows.size() == 0) return std::nullopt;
      std::vector<TableRow> out{table_row(rows, 0)};
      read_seats(out);
      return std::move(out.front());
    });
  }

  Read<std::vector<TableRow>> tables(const std::vector<TableState>& states,
                                     std::size_t most) const override {
    return reading<std::vector<TableRow>>([&] {
      std::vector<TableRow> out;
      for (const TableState state : states) {
        const Rows rows =
            reader_.run("SELECT " TABLE_COLUMNS
                        " FROM game_table WHERE state = $1 ORDER BY updated DESC, id "
                        "LIMIT $2::bigint",
                        {std::string{table_state_name(state)}, unsigned_number(most)});
        for (std::size_t i = 0; i < rows.size(); ++i) out.push_back(table_row(rows, i));
      }
      read_seats(out);
      return out;
    });
  }

  Read<table::Record> log(const std::string& id) const override {
    auto found = reading<tl::expected<table::Record, Rejection>>([&] { return read_log(id); });
    if (!found) return tl::unexpected(std::move(found.error()));
    return std::move(*found);
  }

  Read<std::optional<UploadRow>> upload(const std::string& id) const override {
    return reading<std::optional<UploadRow>>([&]() -> std::optional<UploadRow> {
      const Rows rows = reader_.run("SELECT owner, files, compiled, fingerprint, " MS(
                                        "created") ", suspended FROM upload WHERE id = $1",
                                    {id});
      if (rows.size() == 0) return std::nullopt;
      return UploadRow{.id = id,
                       .owner = rows.text(0, 0),
                       .files = Json::parse(rows.text(0, 1)),
                       .compiled = Json::parse(rows.text(0, 2)),
                       .fingerprint = raw_bytes(rows.text(0, 3)),
                       .created = rows.number(0, 4),
                       .suspended = rows.flag(0, 5)};
    });
  }

  Read<std::vector<ChatRow>> chat(const std::string& id) const override {
    return reading<std::vector<ChatRow>>([&] {
      std::vector<ChatRow> out;
      const Rows rows = reader_.run("SELECT channel, author, text, " MS("at")
                                    ", seat FROM chat WHERE table_id = $1 ORDER BY seq DESC "
                                    "LIMIT $2::bigint",
                                    {id, unsigned_number(chat_rows_read)});
      for (std::size_t i = rows.size(); i-- > 0;)
        out.push_back({rows.text(i, 0), rows.text(i, 1), rows.text(i, 2), rows.number(i, 3),
                       static_cast<int>(rows.number(i, 4))});
      return out;
    });
  }

  // ---- Leases.

  Read<Taken> take(const std::string& id) override {
    return reading<Taken>([&] {
      Taken out;
      const Rows rows =
          reader_.run(take_table, {id, settings_.node, number(settings_.lease_seconds)});
      if (rows.size() == 1) {
        std::vector<TableRow> taken{table_row(rows, 0)};
        read_seats(taken);
        out.row = std::move(taken.front());
        held_[id] = out.row->epoch;
        return out;
      }
      const Rows other = reader_.run(
          "SELECT coalesce(node.address, '?') FROM game_table LEFT JOIN node ON node.id = "
          "game_table.node WHERE game_table.id = $1",
          {id});
      if (other.size() == 1) out.elsewhere = other.text(0, 0);
      return out;
    });
  }
  void give_up(const std::string& id, std::uint64_t epoch) override {
    (void)reading<bool>([&] {
      if (const auto found = held_.find(id); found != held_.end() && found->second == epoch)
        held_.erase(found);
      reader_.run(give_up_one, {id, unsigned_number(epoch), settings_.node});
      return true;
    });
  }
  Read<std::vector<std::string>> renew() override {
    return reading<std::vector<std::string>>([&] {
      reader_.run(renew_all, {settings_.node, number(settings_.lease_seconds)});
      const Rows rows = reader_.run(list_ours, {settings_.node});
      std::map<std::string, std::uint64_t> ours;
      for (std::size_t i = 0; i < rows.size(); ++i)
        ours[rows.text(i, 0)] = static_cast<std::uint64_t>(rows.number(i, 1));
      std::vector<std::string> lost;
      for (const auto& [id, epoch] : held_)
        if (const auto found = ours.find(id); found == ours.end() || found->second != epoch)
          lost.push_back(id);
      for (const std::string& id : lost) held_.erase(id);
      reader_.run(seen_now, {settings_.node});
      return lost;
    });
  }
  Time renew_every() const override { return settings_.lease_seconds * Time{300}; }
  Read<std::vector<std::string>> orphans() override {
    return reading<std::vector<std::string>>([&] {
      const Rows rows = reader_.run(find_orphans);
      std::vector<std::string> out;
      for (std::size_t i = 0; i < rows.size(); ++i) out.push_back(rows.text(i, 0));
      return out;
    });
  }
  void leave() override {
    (void)reading<bool>([&] {
      held_.clear();
      reader_.run(give_up_all, {settings_.node});
      reader_.run("DELETE FROM node WHERE id = $1", {settings_.node});
      return true;
    });
  }

  const std::string& key() const override { return key_; }
  Time clock_offset() const override { return clock_offset_; }

 private:
  // ---- Opening.

  void migrate() {
    writer_.script("BEGIN");
    writer_.run("SELECT pg_advisory_xact_lock($1::bigint)", {number(migration_lock)});
    writer_.script("CREATE TABLE IF NOT EXISTS parlor_schema (version int NOT NULL)");
    const Rows known = writer_.run("SELECT version FROM parlor_schema");
    const std::size_t version =
        known.size() == 0 ? 0 : static_cast<std::size_t>(known.number(0, 0));
    if (version > migrations.size())
      throw std::runtime_error(fmt::format("the database has version {}, this program knows {}",
                                           version, migrations.size()));
    for (std::size_t i = version; i < migrations.size(); ++i) writer_.script(migrations[i]);
    if (known.size() == 0)
      writer_.run("INSERT INTO parlor_schema VALUES ($1::int)",
                  {unsigned_number(migrations.size())});
    else
      writer_.run("UPDATE parlor_schema SET version = $1::int",
                  {unsigned_number(migrations.size())});
    writer_.script("COMMIT");
  }
  void register_node() {
    writer_.run("INSERT INTO cluster (key) VALUES ($1) ON CONFLICT DO NOTHING",
                {settings_.fresh_key});
    key_ = writer_.run("SELECT key FROM cluster").text(0, 0);
    writer_.run(
        "INSERT INTO node VALUES ($1, $2, now()) ON CONFLICT (id) DO UPDATE SET "
        "address = EXCLUDED.address, seen = now()",
        {settings_.node, settings_.address});
  }
  void measure_clock() {
    const auto now = [] {
      return std::chrono::duration_cast<std::chrono::milliseconds>(
                 std::chrono::system_clock::now().time_since_epoch())
          .count();
    };
    const Time before = now();
    const Time there = writer_.run("SELECT " MS("clock_timestamp()")).number(0, 0);
    clock_offset_ = there - (before + now()) / 2;
  }

  // ---- Writing.

  // False: some of it was refused, and nothing is kept.
  bool try_all(std::span<const Group> groups) {
    Plan plan;
    plan.add("BEGIN", {}, false);
    for (const Group& group : groups) Planner{settings_, plan}.group(group);
    const std::vector<Rows> answers = writer_.together(plan.statements);
    bool all = true;
    for (std::size_t i = 0; i < answers.size(); ++i)
      all = all && (!plan.must_write[i] || answers[i].changed() == 1);
    writer_.script(all ? "COMMIT" : "ROLLBACK");
    if (all) note_new_tables(groups);
    return all;
  }
  void note_new_tables(std::span<const Group> groups) {
    const std::lock_guard lock{read_mutex_};
    for (const Group& group : groups)
      for (const Write& write : group)
        if (const auto* put = std::get_if<PutTable>(&write); put != nullptr)
          held_[put->row.id] = put->row.epoch;
  }

  template <class Answer, class Work>
  static Answer guarded(Connection& line, const Work& work) {
    try {
      line.heal();
      return work();
    } catch (const DatabaseError& error) {
      return tl::unexpected(
          Rejection{Code::STORE_FAILED, fmt::format("the database: {}", error.what())});
    } catch (const std::exception& error) {
      return tl::unexpected(
          Rejection{Code::STORE_DAMAGED, fmt::format("the database: {}", error.what())});
    }
  }
  template <class T, class Work>
  Read<T> reading(const Work& work) const {
    const std::lock_guard lock{read_mutex_};
    return guarded<Read<T>>(reader_, [&]() -> Read<T> { return work(); });
  }

  // ---- Reading, with the lock held.

  static TableRow table_row(const Rows& rows, std::size_t i) {
    auto config = table_config_from_json(Json::parse(rows.text(i, 1)));
    const auto state = table_state_named(rows.text(i, 2));
    if (!config || !state) throw std::runtime_error("the settings of a table are damaged");
    TableRow out{.id = rows.text(i, 0),
                 .config = std::move(*config),
                 .state = *state,
                 .creator = rows.text(i, 3),
                 .invite_hash = raw_bytes(rows.text(i, 4)),
                 .created = rows.number(i, 5),
                 .updated = rows.number(i, 6),
                 .result = Json::parse(rows.text(i, 7)),
                 .clock = Json::parse(rows.text(i, 8))};
    if (!rows.is_null(i, 9)) out.deadline = rows.number(i, 9);
    out.epoch = static_cast<std::uint64_t>(rows.number(i, 10));
    return out;
  }
  // All at once: as many trips for a thousand tables as for one.
  void read_seats(std::vector<TableRow>& tables) const {
    std::map<std::string, TableRow*> by_id;
    std::string list = "{";
    for (TableRow& row : tables) {
      by_id[row.id] = &row;
      list += (list.size() > 1 ? "," : "") + row.id;
    }
    const Rows rows = reader_.run(
        "SELECT table_id, kind, handle, name, agent, token_hash, ready FROM seat "
        "WHERE table_id = ANY($1::text[]) ORDER BY table_id, seat",
        {list + "}"});
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::string kind = rows.text(i, 1);
      by_id.at(rows.text(i, 0))
          ->seats.push_back({.kind = kind == "human" ? SeatKind::human
                                     : kind == "bot" ? SeatKind::bot
                                                     : SeatKind::open,
                             .handle = rows.text(i, 2),
                             .name = rows.text(i, 3),
                             .agent = rows.text(i, 4),
                             .token_hash = raw_bytes(rows.text(i, 5)),
                             .ready = rows.flag(i, 6)});
    }
  }
  tl::expected<table::Record, Rejection> read_log(const std::string& id) const {
    reader_.script("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");  // one moment
    const Rows head = reader_.run("SELECT header, chain FROM log WHERE table_id = $1", {id});
    const Rows entries =
        reader_.run("SELECT body FROM entry WHERE table_id = $1 ORDER BY revision", {id});
    const Rows kept =
        reader_.run("SELECT state FROM snapshot WHERE table_id = $1 ORDER BY revision DESC", {id});
    reader_.script("COMMIT");
    if (head.size() == 0)
      return tl::unexpected(Rejection{Code::STORE_DAMAGED, "the log of the table is missing"});
    auto record = table::header_from_json(Json::parse(head.text(0, 0)));
    if (!record) return record;
    record->chain = static_cast<std::uint64_t>(head.number(0, 1));
    for (std::size_t i = 0; i < entries.size(); ++i) {
      auto entry = table::log_entry_from_json(Json::parse(entries.text(i, 0)));
      if (!entry) return tl::unexpected(std::move(entry.error()));
      record->log.push_back(std::move(*entry));
    }
    for (std::size_t i = 0; i < kept.size(); ++i)
      if (auto snapshot = table::snapshot_from_json(Json::parse(kept.text(i, 0))))
        record->snapshots.push_back(std::move(*snapshot));
    return record;
  }

  const PgSettings settings_;
  std::mutex write_mutex_;
  mutable std::mutex read_mutex_;
  Connection writer_;
  mutable Connection reader_;
  std::map<std::string, std::uint64_t> held_;  // tables this node runs, and their epochs
  std::string key_;
  Time clock_offset_ = 0;
};

}  // namespace

tl::expected<std::unique_ptr<PgStore>, Rejection> open(const PgSettings& settings) {
  try {
    return std::make_unique<PgArchive>(settings);
  } catch (const std::exception& error) {
    std::string what = error.what();
    while (!what.empty() && what.back() == '\n') what.pop_back();
    return tl::unexpected(Rejection{Code::STORE_FAILED, fmt::format("the database: {}", what)});
  }
}

}  // namespace parlor::table_pg
