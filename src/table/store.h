// Where sessions are kept. A store knows nothing about rules: it holds configurations, log entries
// and snapshots, and promises that what `append` has acknowledged is still there after a crash.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "game/catalog.h"
#include "table/session.h"

namespace parlor::table {

struct StoredSession {
  SessionConfig config;
  Time created = 0;
  std::vector<LogEntry> log;
  std::optional<Snapshot> snapshot;  // the latest
};

class Store {
 public:
  virtual ~Store() = default;
  virtual Applied create(const SessionConfig& config, Time created) = 0;
  // All or nothing: the entry, and the snapshot if there is one. Refuses an entry that does not
  // follow the last one, so two writers cannot both think they came first.
  virtual Applied append(const std::string& session, const LogEntry& entry,
                         const std::optional<Snapshot>& snapshot) = 0;
  virtual tl::expected<StoredSession, Rejection> load(const std::string& session) const = 0;
  virtual std::vector<std::string> list() const = 0;  // sorted ids
  virtual Applied remove(const std::string& session) = 0;
};

std::unique_ptr<Store> memory_store();
// One SQLite file in WAL mode; made if missing.
tl::expected<std::unique_ptr<Store>, Rejection> sqlite_store(const std::filesystem::path& file);

// Sessions over a store: every accepted action is stored before it is answered, with a snapshot
// every `snapshot_every` actions so that long games load quickly.
class Table {
 public:
  Table(const Catalog& catalog, Store& store, Clock clock, std::uint64_t snapshot_every = 32)
      : catalog_(catalog),
        store_(store),
        clock_(std::move(clock)),
        snapshot_every_(snapshot_every) {}

  tl::expected<Session, Rejection> open(SessionConfig config);
  tl::expected<Session, Rejection> resume(const std::string& session) const;
  // Applies and stores. When storing fails the action is refused and `session` stays as it was.
  tl::expected<Answer, Rejection> act(Session& session, const ActionEnvelope& envelope);

 private:
  tl::expected<std::shared_ptr<const Game>, Rejection> open_game(const SessionConfig& config) const;

  const Catalog& catalog_;
  Store& store_;
  Clock clock_;
  std::uint64_t snapshot_every_;
};

}  // namespace parlor::table
