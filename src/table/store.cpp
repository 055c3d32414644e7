#include "table/store.h"

#include <fmt/core.h>

namespace parlor::table {
namespace {

Rejection unknown(const std::string& session) {
  return {Code::SESSION_UNKNOWN, fmt::format("there is no session {}", session)};
}

class MemoryStore : public Store {
 public:
  Applied create(const SessionConfig& config, Time created) override {
    if (!sessions_.try_emplace(config.id, StoredSession{config, created, {}, std::nullopt}).second)
      return tl::unexpected(
          Rejection{Code::SESSION_EXISTS, fmt::format("there already is a session {}", config.id)});
    return {};
  }

  Applied append(const std::string& session, const LogEntry& entry,
                 const std::optional<Snapshot>& snapshot) override {
    const auto found = sessions_.find(session);
    if (found == sessions_.end()) return tl::unexpected(unknown(session));
    StoredSession& stored = found->second;
    if (entry.revision != stored.log.size() + 1)
      return tl::unexpected(
          Rejection{Code::REVISION_CONFLICT,
                    fmt::format("the session is at revision {}", stored.log.size()),
                    {{"revision", stored.log.size()}}});
    stored.log.push_back(entry);
    if (snapshot) stored.snapshot = snapshot;
    return {};
  }

  tl::expected<StoredSession, Rejection> load(const std::string& session) const override {
    const auto found = sessions_.find(session);
    if (found == sessions_.end()) return tl::unexpected(unknown(session));
    return found->second;
  }

  std::vector<std::string> list() const override {
    std::vector<std::string> out;
    for (const auto& [id, ignored] : sessions_) out.push_back(id);
    return out;
  }

  Applied remove(const std::string& session) override {
    if (sessions_.erase(session) == 0) return tl::unexpected(unknown(session));
    return {};
  }

 private:
  std::map<std::string, StoredSession> sessions_;
};

}  // namespace

std::unique_ptr<Store> memory_store() {
  return std::make_unique<MemoryStore>();
}

tl::expected<std::shared_ptr<const Game>, Rejection> Table::open_game(
    const SessionConfig& config) const {
  OpenOptions options;
  options.players = config.players;
  options.rules = config.rules;
  options.constants = config.constants;
  auto game = catalog_.open(config.game, options);
  if (game) return *game;
  const auto problems = game.error().diagnostics.all();
  return tl::unexpected(Rejection{problems.front().code,
                                  problems.front().message,
                                  {{"diagnostics", to_json(game.error().diagnostics)}}});
}

tl::expected<Session, Rejection> Table::open(SessionConfig config) {
  auto game = open_game(config);
  if (!game) return tl::unexpected(std::move(game.error()));
  config.players = (*game)->info().players;
  auto session = Session::create(std::move(*game), std::move(config), clock_);
  if (!session) return session;
  if (auto done = store_.create(session->config(), session->created()); !done)
    return tl::unexpected(std::move(done.error()));
  return session;
}

tl::expected<Session, Rejection> Table::resume(const std::string& id) const {
  auto stored = store_.load(id);
  if (!stored) return tl::unexpected(std::move(stored.error()));
  auto game = open_game(stored->config);
  if (!game) return tl::unexpected(std::move(game.error()));
  return Session::restore(std::move(*game), std::move(stored->config), clock_, stored->created,
                          std::move(stored->log), stored->snapshot);
}

tl::expected<Answer, Rejection> Table::act(Session& session, const ActionEnvelope& envelope) {
  return session.act(envelope, [this](const Session& after, const LogEntry& entry) {
    std::optional<Snapshot> snapshot;
    if (entry.revision % snapshot_every_ == 0)
      snapshot = Snapshot{entry.revision, after.state().save()};
    return store_.append(after.config().id, entry, snapshot);
  });
}

}  // namespace parlor::table
