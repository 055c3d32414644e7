// Where sessions are kept. A store knows nothing about rules: it holds records and promises that
// what `append` has acknowledged is still there after a crash, or that its loss is noticed when the
// session is restored.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "table/session.h"

namespace parlor::table {

// An entry to keep, with a snapshot of the state after it or without.
struct Append {
  std::string session;
  LogEntry entry;
  std::optional<Snapshot> snapshot = std::nullopt;
};

struct Listed {
  std::string id;
  Time updated = 0;
  std::uint64_t revision = 0;
  friend bool operator==(const Listed&, const Listed&) = default;
};

class Store {
 public:
  virtual ~Store() = default;
  virtual std::string name() const { return "memory"; }  // for messages: the file
  // Takes a session in that has no log yet, or all of one at once.
  virtual Applied create(const Record& record) = 0;
  // Keeps all that can be, and answers for each. An entry that does not follow the last one is
  // refused, so two writers cannot both think they came first. What several sessions append goes to
  // the disk together.
  virtual std::vector<Applied> append(std::span<const Append> batch) = 0;
  Applied append(const Append& one) { return std::move(append(std::span{&one, 1}).front()); }
  // What there is before the first entry, without the log.
  virtual tl::expected<Record, Rejection> header(const std::string& session) const {
    return load(session);
  }
  // Everything as it was kept; whether it is whole, `Session::restore` finds out.
  virtual tl::expected<Record, Rejection> load(const std::string& session) const = 0;
  virtual tl::expected<std::vector<Listed>, Rejection> list() const = 0;  // by id
  virtual Applied remove(const std::string& session) = 0;
};

// A log needs a way back in case the newest snapshot is damaged; older ones are removed.
inline constexpr std::size_t snapshots_kept = 2;

std::unique_ptr<Store> memory_store();

// One SQLite file. A store that cannot be written, or is opened for reading, can be read.
enum class Access : std::uint8_t {
  create,  // made if missing
  write,   // must be there
  read     // must be there, and stays as it is
};
tl::expected<std::unique_ptr<Store>, Rejection> sqlite_store(const std::filesystem::path& file,
                                                             Access access = Access::create);

enum class Trust : std::uint8_t { snapshots, nothing };

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
  // `Trust::nothing` applies the whole log, without the shortcut of snapshots.
  tl::expected<Session, Rejection> resume(const std::string& session,
                                          Trust trust = Trust::snapshots) const;
  // For a session whose rules have changed: makes another of id `id` that is played by the rules of
  // now, as far as the old log can be followed. The old one stays as it is.
  tl::expected<Migration, Rejection> migrate(const std::string& session, const std::string& id);
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
