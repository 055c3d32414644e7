// Sessions made again from what was kept of them.
#include <fmt/core.h>

#include "table/deeds.h"
#include "table/session.h"

namespace parlor::table {
namespace {

tl::unexpected<Rejection> damaged(std::uint64_t revision, std::string_view what) {
  return tl::unexpected(Rejection{Code::STORE_DAMAGED,
                                  fmt::format("log entry {} {}", revision, what),
                                  {{"revision", revision}}});
}

Rejection rules_changed(const Record& record, const GameInfo& info) {
  return {Code::RULES_CHANGED,
          fmt::format("the rules of {} are not those session {} was begun with", record.config.game,
                      record.config.id),
          {{"recorded", fmt::format("{:016x}", record.fingerprint)},
           {"now", fmt::format("{:016x}", info.fingerprint)}}};
}

ActionEnvelope envelope_of(const LogEntry& entry, const std::string& session) {
  return {.session = session,
          .action_id = entry.action_id,
          .actor = entry.actor,
          .deed = entry.deed,
          .content = entry.content};
}

}  // namespace

Record Session::record() const {
  Record out{.config = *config_,
             .created = created_,
             .fingerprint = game_->info().fingerprint,
             .log = log_};
  out.chain = log_.empty() ? first_link(out) : log_.back().chain;
  return out;
}

tl::expected<Session, Rejection> Session::restore(std::shared_ptr<const Game> game, Record record,
                                                  Clock clock) {
  if (auto damage = find_damage(record)) return tl::unexpected(std::move(*damage));
  if (record.fingerprint != game->info().fingerprint)
    return tl::unexpected(rules_changed(record, game->info()));
  auto session = create(std::move(game), std::move(record.config), std::move(clock));
  if (!session) return session;
  session->created_ = record.created;
  session->remarks_ = std::move(record.remarks);
  if (auto done = session->take_in(std::move(record.log)); !done)
    return tl::unexpected(std::move(done.error()));
  session->use_snapshots(record.snapshots);
  auto state = session->history_.state_at(session->history_.position(), session->log_);
  if (!state) return tl::unexpected(std::move(state.error()));
  session->state_ = std::move(*state);
  return session;
}

// The log without any state: entries must be such that `act` could have made them.
Applied Session::take_in(std::vector<LogEntry> log) {
  for (LogEntry& entry : log) {
    if (auto wrong = check(envelope_of(entry, config_->id)))
      return damaged(entry.revision, fmt::format("cannot be: {}", wrong->message));
    if (ended_ || find_action(entry.actor, entry.action_id) != nullptr)
      return damaged(entry.revision, "cannot be there");
    const auto target = history_.target_of(entry);
    if (!target) return damaged(entry.revision, "cannot be: " + target.error().message);
    if (!moves_on(entry.deed) && entry.hash != history_.hash_at(*target, log_))
      return damaged(entry.revision, "does not lead where it says");
    note(std::move(entry));
  }
  return {};
}

// A snapshot is a shortcut: without it the log is replayed from further back.
void Session::use_snapshots(const std::vector<Snapshot>& snapshots) {
  for (const Snapshot& snapshot : snapshots) {
    const auto remark = [&](std::string_view what) {
      remarks_.push_back(fmt::format("the snapshot at revision {} {}; the log was used instead",
                                     snapshot.revision, what));
    };
    if (!is_intact(snapshot)) {
      remark("is damaged");
      continue;
    }
    if (snapshot.revision == 0 || snapshot.chain != log_[snapshot.revision - 1].chain) {
      remark("belongs to another log");
      continue;
    }
    const auto position = history_.position_at(snapshot.revision);
    if (!position) continue;  // of actions that were taken back since
    auto state = game_->load(snapshot.state);
    if (!state || state->hash() != history_.hash_at(*position, log_))
      remark("cannot be loaded");
    else
      history_.keep(*position, std::move(*state));
  }
}

tl::expected<Migration, Rejection> Session::migrate(std::shared_ptr<const Game> game,
                                                    const Record& record, std::string id,
                                                    Clock clock) {
  if (auto damage = find_damage(record)) return tl::unexpected(std::move(*damage));
  SessionConfig config = record.config;
  config.id = std::move(id);
  auto session = create(std::move(game), std::move(config), std::move(clock));
  if (!session) return tl::unexpected(std::move(session.error()));
  Migration out{std::move(*session), {}, record.log.size(), 0};
  bool same = true;
  for (const LogEntry& old : record.log) {
    auto next = out.session.repeat(old);
    if (!next) {
      out.differences.push_back({old.revision, next.error().message});
      break;
    }
    out.session.seal(*next);
    if (same && next->entry.hash != old.hash) {
      same = false;
      out.differences.push_back({old.revision, "the state after it is another one"});
    }
    out.session.commit(std::move(*next));
    ++out.carried_over;
  }
  return out;
}

// What an old entry meant, done now. What was chosen counts, not its number in a list.
tl::expected<Session::Step, Rejection> Session::repeat(const LogEntry& old) {
  LogEntry entry{.revision = revision() + 1,
                 .action_id = old.action_id,
                 .at = old.at,
                 .actor = old.actor,
                 .deed = old.deed,
                 .content = old.content};
  if (auto wrong = check(envelope_of(old, config_->id))) return tl::unexpected(std::move(*wrong));
  if (old.deed != Deed::act || ended_) return step(std::move(entry));
  auto state = asking(old.actor);
  if (!state) return tl::unexpected(std::move(state.error()));
  const auto option = find_option(*state, old.chosen);
  const auto drawn = std::span{old.options}.subspan(old.options.empty() ? 0 : 1);
  if (option) return choose(std::move(entry), std::move(*state), *option, drawn);
  if (auto why = state->why_not(old.chosen)) return tl::unexpected(std::move(*why));
  return tl::unexpected(option.error());
}

}  // namespace parlor::table
