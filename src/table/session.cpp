#include "table/session.h"

#include <fmt/core.h>

#include "base/hash.h"
#include "game/streams.h"

namespace parlor::table {
namespace {

class EventRecorder : public EventListener {
 public:
  void on_event(const Event& event) override {
    events.push_back({{"kind", event.kind}, {"data", event.data}});
  }
  Json events = Json::array();
};

// The form find_option understands.
Json request_of(const ActionEnvelope& envelope, const Decision& decision) {
  if (envelope.type == "option") return envelope.payload;
  if (!decision.starts_move && envelope.type == "choose") return envelope.payload;
  return {{"action", envelope.type}, {"params", envelope.payload}};
}

tl::unexpected<Rejection> refuse(Code code, std::string message, Json details = Json::object()) {
  return tl::unexpected(Rejection{code, std::move(message), std::move(details)});
}

}  // namespace

Session::Session(std::shared_ptr<const Game> game, SessionConfig config, Clock clock, State state)
    : game_(std::move(game)),
      config_(std::move(config)),
      clock_(std::move(clock)),
      state_(std::move(state)) {}

tl::expected<Session, Rejection> Session::create(std::shared_ptr<const Game> game,
                                                 SessionConfig config, Clock clock) {
  auto start = game->start(config.seed);
  if (!start) return tl::unexpected(std::move(start.error()));
  Session session{std::move(game), std::move(config), std::move(clock), std::move(*start)};
  session.created_ = session.clock_();
  std::vector<Option> drawn;  // before the first action; follows from the seed, so it needs no log
  if (auto done = session.resolve_chance(session.state_, drawn, nullptr); !done)
    return tl::unexpected(std::move(done.error()));
  return session;
}

tl::expected<Session, Rejection> Session::restore(std::shared_ptr<const Game> game,
                                                  SessionConfig config, Clock clock, Time created,
                                                  std::vector<LogEntry> log,
                                                  const std::optional<Snapshot>& snapshot) {
  auto session = create(std::move(game), std::move(config), std::move(clock));
  if (!session) return session;
  session->created_ = created;
  std::uint64_t applied = 0;
  if (snapshot && snapshot->revision <= log.size()) {
    auto state = session->game_->load(snapshot->state);
    if (!state) return tl::unexpected(std::move(state.error()));
    session->state_ = std::move(*state);
    applied = snapshot->revision;
  }
  for (std::size_t i = 0; i < log.size(); ++i) {
    LogEntry& entry = log[i];
    if (entry.revision != i + 1)
      return refuse(Code::STATE_INVALID,
                    fmt::format("log entry {} has revision {}", i + 1, entry.revision));
    session->follow(entry);
    if (i >= applied) {
      if (entry.options.empty()) {
        auto state = session->state_at(session->position_);
        if (!state) return tl::unexpected(std::move(state.error()));
        session->state_ = std::move(*state);
      }
      for (const Option option : entry.options)
        if (auto done = session->state_.try_apply(option); !done)
          return tl::unexpected(std::move(done.error()));
    }
    if (i + 1 >= applied && session->state_.hash() != entry.hash)
      return refuse(
          Code::STATE_INVALID,
          fmt::format("after log entry {} the state differs from the one recorded", i + 1));
    session->commit(std::move(entry));
  }
  return session;
}

tl::expected<Answer, Rejection> Session::act(const ActionEnvelope& envelope, const Keep& keep) {
  if (envelope.session != config_.id)
    return refuse(Code::SESSION_UNKNOWN,
                  fmt::format("this is session {}, not {}", config_.id, envelope.session));
  if (const LogEntry* earlier = find_action(envelope.action_id)) return answer_to(*earlier, true);
  if (auto rejection = check(envelope)) return tl::unexpected(std::move(*rejection));

  const State before = state_;
  auto entry = envelope.type == "undo"   ? step_back(envelope)
               : envelope.type == "redo" ? step_forward(envelope)
                                         : play(envelope);
  if (!entry) return tl::unexpected(std::move(entry.error()));
  entry->revision = revision() + 1;
  entry->at = clock_();
  entry->hash = state_.hash();
  if (keep)
    if (auto kept = keep(*this, *entry); !kept) {
      state_ = before;
      return tl::unexpected(std::move(kept.error()));
    }
  Answer answer = answer_to(*entry, false);
  follow(*entry);
  commit(std::move(*entry));
  return answer;
}

// The log knows everything. Where something is hidden, an answer does not say which tokens moved,
// changed or were shown: what of that its reader may see is in the observation.
Answer Session::answer_to(const LogEntry& entry, bool repeated) const {
  Answer out{entry.revision, entry.events, entry.hash, repeated};
  if (!game_->info().hidden_information) return out;
  for (Json& event : out.events) {
    Json& data = event["data"];
    if (!data.is_object()) continue;
    data.erase("tokens");
    if (data.contains("token"))
      for (const char* key : {"token", "old", "new"}) data.erase(key);
  }
  return out;
}

std::optional<Rejection> Session::check(const ActionEnvelope& envelope) const {
  if (envelope.action_id.empty())
    return Rejection{Code::ACTION_ID_MISSING,
                     "an action needs an id of its own, so that it can be sent again safely"};
  if (envelope.expected_revision && *envelope.expected_revision != revision())
    return Rejection{Code::REVISION_CONFLICT,
                     fmt::format("the session is at revision {}, not {}", revision(),
                                 *envelope.expected_revision),
                     {{"revision", revision()}}};
  if (envelope.actor.is_none() || envelope.actor.index() >= game_->info().players)
    return Rejection{Code::ACTOR_UNKNOWN, "there is no such player in this session"};
  return std::nullopt;
}

tl::expected<LogEntry, Rejection> Session::play(const ActionEnvelope& envelope) {
  const Decision decision = state_.decision();
  if (decision.kind == DecisionKind::finished)
    return refuse(Code::GAME_FINISHED, "the game is over");
  if (decision.player != envelope.actor)
    return refuse(Code::ACTOR_NOT_DECIDING,
                  fmt::format("player {} cannot act now: the decision is player {}'s",
                              envelope.actor.value, decision.player.value),
                  {{"decider", decision.player.value}});
  const Json request = request_of(envelope, decision);
  const auto option = find_option(state_, request);
  if (!option) {
    if (auto why = state_.why_not(request)) return tl::unexpected(std::move(*why));
    return tl::unexpected(option.error());
  }
  LogEntry entry{.action_id = envelope.action_id,
                 .actor = envelope.actor,
                 .type = envelope.type,
                 .payload = envelope.payload};
  EventRecorder recorder;
  State next = state_;  // chance may still fail after the player's option was applied
  if (auto done = next.apply(*option, &recorder); !done)
    return tl::unexpected(std::move(done.error()));
  entry.options.push_back(*option);
  if (auto done = resolve_chance(next, entry.options, &recorder); !done)
    return tl::unexpected(std::move(done.error()));
  state_ = std::move(next);
  entry.events = std::move(recorder.events);
  return entry;
}

Applied Session::resolve_chance(State& state, std::vector<Option>& applied,
                                EventListener* listener) {
  OptionList options;
  while (state.decision().kind == DecisionKind::chance) {
    state.list_options(options);
    // Seeded by the state itself: replaying from a snapshot draws the same without more
    // bookkeeping.
    Rng rng(config_.seed, hash_combine(chance_stream_number, state.hash()));
    const Option option = options[draw_option(options, rng)];
    if (auto done = state.apply(option, listener); !done) return done;
    applied.push_back(option);
  }
  return {};
}

bool Session::undo_allowed() const {
  const GameInfo& info = game_->info();
  return config_.allow_undo.value_or(!info.has_chance && !info.hidden_information);
}

tl::expected<LogEntry, Rejection> Session::step_back(const ActionEnvelope& envelope) {
  if (!undo_allowed())
    return refuse(Code::UNDO_NOT_ALLOWED, "this session does not take moves back");
  if (position_ == 0) return refuse(Code::UNDO_EMPTY, "there is nothing to take back");
  auto state = state_at(position_ - 1);
  if (!state) return tl::unexpected(std::move(state.error()));
  state_ = std::move(*state);
  return LogEntry{.action_id = envelope.action_id,
                  .actor = envelope.actor,
                  .type = "undo",
                  .payload = envelope.payload};
}

tl::expected<LogEntry, Rejection> Session::step_forward(const ActionEnvelope& envelope) {
  if (!undo_allowed())
    return refuse(Code::UNDO_NOT_ALLOWED, "this session does not take moves back");
  if (position_ == line_.size()) return refuse(Code::REDO_EMPTY, "there is nothing to bring back");
  auto state = state_at(position_ + 1);
  if (!state) return tl::unexpected(std::move(state.error()));
  state_ = std::move(*state);
  return LogEntry{.action_id = envelope.action_id,
                  .actor = envelope.actor,
                  .type = "redo",
                  .payload = envelope.payload};
}

tl::expected<State, Rejection> Session::state_at(std::size_t position) const {
  auto fresh = create(game_, config_, clock_);
  if (!fresh) return tl::unexpected(std::move(fresh.error()));
  State state = std::move(fresh->state_);
  for (std::size_t i = 0; i < position; ++i)
    for (const Option option : line_[i])
      if (auto done = state.try_apply(option); !done)
        return tl::unexpected(std::move(done.error()));
  return state;
}

void Session::follow(const LogEntry& entry) {
  if (entry.type == "undo") {
    if (position_ > 0) --position_;
  } else if (entry.type == "redo") {
    if (position_ < line_.size()) ++position_;
  } else {
    line_.resize(position_);  // a new move ends what could be brought back
    line_.push_back(entry.options);
    ++position_;
  }
}

void Session::commit(LogEntry entry) {
  entry_of_action_.emplace(entry.action_id, log_.size());
  log_.push_back(std::move(entry));
}

const LogEntry* Session::find_action(const std::string& action_id) const {
  const auto found = entry_of_action_.find(action_id);
  return found == entry_of_action_.end() ? nullptr : &log_[found->second];
}

Json Session::to_json() const {
  Json entries = Json::array();
  for (const LogEntry& entry : log_) entries.push_back(table::to_json(entry));
  return {{"session", config_.id},
          {"revision", revision()},
          {"created", created_},
          {"updated", updated()},
          {"config", table::to_json(config_)},
          {"state", state_.save()},
          {"log", std::move(entries)}};
}

Json Session::observation(PlayerId player) const {
  const Decision decision = state_.decision();
  Json out = state_.view(Viewer::player(player));
  out["revision"] = revision();
  out["outcome"] = state_.finished() ? parlor::to_json(state_.outcome()) : Json(nullptr);
  out["decision"] = nullptr;
  if (decision.kind == DecisionKind::finished) return out;
  out["decision"] = {{"kind", decision_kind_name(decision.kind)},
                     {"decider", decision.player.value}};
  if (decision.player == player) {
    OptionList options;
    state_.list_options(options);
    out["decision"]["options"] = options_to_json(state_, options);
  }
  return out;
}

}  // namespace parlor::table
