#include "table/store.h"

namespace parlor::table {
namespace {

// Whoever reads the message must know which file it is about.
tl::unexpected<Rejection> in_store(const Store& store, Rejection rejection) {
  rejection.message = store.name() + ": " + rejection.message;
  return tl::unexpected(std::move(rejection));
}

}  // namespace

tl::expected<std::shared_ptr<const Game>, Rejection> Table::open_game(
    const SessionConfig& config) const {
  auto game = catalog_.open(config.game, config.options);
  if (game) return *game;
  const auto problems = game.error().diagnostics.all();
  return tl::unexpected(Rejection{problems.front().code,
                                  problems.front().message,
                                  {{"diagnostics", to_json(game.error().diagnostics)}}});
}

tl::expected<Session, Rejection> Table::open(SessionConfig config) {
  auto game = open_game(config);
  if (!game) return tl::unexpected(std::move(game.error()));
  auto session = Session::create(std::move(*game), std::move(config), clock_);
  if (!session) return session;
  if (auto done = store_.create(session->record()); !done)
    return tl::unexpected(std::move(done.error()));
  return session;
}

tl::expected<Session, Rejection> Table::resume(const std::string& id, Trust trust) const {
  auto record = store_.load(id);
  if (!record) return tl::unexpected(std::move(record.error()));
  // Before the rules are looked at: settings that are damaged may name any game.
  if (auto damage = find_damage(*record)) return in_store(store_, std::move(*damage));
  auto game = open_game(record->config);
  if (!game) return tl::unexpected(std::move(game.error()));
  if (trust == Trust::nothing) record->snapshots.clear();
  auto session = Session::restore(std::move(*game), std::move(*record), clock_);
  if (!session) return in_store(store_, std::move(session.error()));
  return session;
}

tl::expected<Migration, Rejection> Table::migrate(const std::string& session,
                                                  const std::string& id) {
  auto record = store_.load(session);
  if (!record) return tl::unexpected(std::move(record.error()));
  if (auto damage = find_damage(*record)) return in_store(store_, std::move(*damage));
  auto game = open_game(record->config);
  if (!game) return tl::unexpected(std::move(game.error()));
  auto migration = Session::migrate(std::move(*game), *record, id, clock_);
  if (!migration) return migration;
  if (auto done = store_.create(migration->session.record()); !done)
    return tl::unexpected(std::move(done.error()));
  return migration;
}

tl::expected<Answer, Rejection> Table::act(Session& session, const ActionEnvelope& envelope) {
  return session.act(envelope, [&](const LogEntry& entry, const State& after) {
    Append append{session.config().id, entry};
    if (entry.revision % snapshot_every_ == 0)
      append.snapshot = make_snapshot(entry.revision, entry.chain, after);
    return store_.append(append);
  });
}

}  // namespace parlor::table
