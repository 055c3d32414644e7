#include "table/session.h"

#include <algorithm>
#include <fmt/core.h>

#include "base/hash.h"
#include "base/json_text.h"
#include "game/seats.h"
#include "game/streams.h"
#include "game/switches_rules.h"
#include "table/deeds.h"
#include "table/told.h"

namespace parlor::table {
namespace {

class EventRecorder : public EventListener {
 public:
  explicit EventRecorder(std::size_t players) : players_(players) {}
  void on_event(const Event& event) override {
    events_ += events_.empty() ? '[' : ',';
    write_canonical(event_kept(event, players_), events_);
  }
  std::string take() { return events_.empty() ? "[]" : std::move(events_) + ']'; }

 private:
  std::size_t players_;
  std::string events_;
};

// All that a player decides by, but for who has handed in and who has not.
Json seen_while_handing_in(const State& state, const Viewer& viewer) {
  Json out{{"view", state.view(viewer)}, {"decision", decision_to_json(state, viewer)}};
  for (const char* key : {"submissions", "active"}) out["view"].erase(key);
  if (out["decision"].is_object()) out["decision"].erase("pending");
  return out;
}

tl::unexpected<Rejection> refuse(Code code, std::string message, Json details = Json::object()) {
  return tl::unexpected(Rejection{code, std::move(message), std::move(details)});
}

}  // namespace

Session::Session(std::shared_ptr<const Game> game, SessionConfig config, Clock clock, State state)
    : game_(std::move(game)),
      config_(std::make_shared<const SessionConfig>(std::move(config))),
      clock_(std::move(clock)),
      state_(state),
      history_(std::move(state)) {}

tl::expected<Session, Rejection> Session::create(std::shared_ptr<const Game> game,
                                                 SessionConfig config, Clock clock) {
  auto start = config.start.is_null() ? game->start(config.seed) : game->load(config.start);
  if (!start) return tl::unexpected(std::move(start.error()));
  config.options.players = game->info().players;
  Session session{std::move(game), std::move(config), std::move(clock), std::move(*start)};
  session.created_ = session.clock_();
  if (auto done = session.resolve_chance(session.state_, session.drawn_first_, nullptr); !done)
    return tl::unexpected(std::move(done.error()));
  session.history_ = History{session.state_};
  return session;
}

tl::expected<Answer, Rejection> Session::act(const ActionEnvelope& envelope, const Keep& keep,
                                             Answering answering) {
  if (auto rejection = check(envelope)) return tl::unexpected(std::move(*rejection));
  if (const LogEntry* earlier = find_action(envelope.actor, envelope.action_id)) {
    if (earlier->deed == envelope.deed && earlier->content == envelope.content)
      return answer_to(*earlier, true, answering);
    return refuse(Code::ACTION_ID_REUSED,
                  fmt::format("the id {} was used for something else, at revision {}",
                              envelope.action_id, earlier->revision),
                  {{"revision", earlier->revision}});
  }
  if (envelope.expected_revision && *envelope.expected_revision != revision() &&
      !(envelope.deed == Deed::act && asked_the_same(envelope.actor, *envelope.expected_revision)))
    return refuse(Code::REVISION_CONFLICT,
                  fmt::format("the session is at revision {}, not {}", revision(),
                              *envelope.expected_revision),
                  {{"revision", revision()}});
  auto next = step(LogEntry{.revision = revision() + 1,
                            .action_id = envelope.action_id,
                            .at = clock_(),
                            .actor = envelope.actor,
                            .deed = envelope.deed,
                            .content = envelope.content});
  if (!next) return tl::unexpected(std::move(next.error()));
  seal(*next, answering);
  if (keep)
    if (auto kept = keep(next->entry, next->after); !kept)
      return tl::unexpected(std::move(kept.error()));
  Answer answer = answer_to(next->entry, false, answering);
  commit(std::move(*next));
  return answer;
}

// Where several hand in their moves at once, somebody else may have been faster: that is no reason
// to ask anew. What others handed in is seen by nobody until all have, so a player who sees and is
// asked the same as then means the same.
bool Session::asked_the_same(PlayerId player, std::uint64_t since) {
  constexpr std::uint64_t furthest = 64;  // at most so many are looked at
  if (since >= revision() || revision() - since > furthest || over()) return false;
  for (std::uint64_t r = since; r < revision(); ++r)
    if (log_[r].deed != Deed::act || log_[r].actor == player) return false;
  State now = state_;
  if (!game_->let_decide(now.block(), player)) return false;
  const auto position = history_.position_at(since);
  if (!position) return false;
  auto then = history_.state_at(*position, log_);
  const Viewer viewer = Viewer::player(player);
  return then && seen_while_handing_in(*then, viewer) == seen_while_handing_in(state_, viewer);
}

std::optional<Rejection> Session::check(const ActionEnvelope& envelope) const {
  if (envelope.session != config_->id)
    return Rejection{Code::SESSION_UNKNOWN,
                     fmt::format("this is session {}, not {}", config_->id, envelope.session)};
  if (envelope.action_id.empty())
    return Rejection{Code::ACTION_ID_MISSING,
                     "an action needs an id of its own, so that it can be sent again safely"};
  const bool seated = !envelope.actor.is_none() && envelope.actor.index() < game_->info().players;
  if (is_of_a_seat(envelope.deed) ? !seated : !seated && !envelope.actor.is_none())
    return Rejection{Code::ACTOR_UNKNOWN, "there is no such player in this session"};
  if (!is_of_a_seat(envelope.deed) && seated)
    return Rejection{Code::RESULT_BY_TABLE,
                     fmt::format("a player cannot say `{}`", deed_name(envelope.deed))};
  return check_content(envelope, game_->info().players);
}

tl::expected<Session::Step, Rejection> Session::step(LogEntry entry) {
  if (ended_) return refuse(Code::GAME_FINISHED, "the game is over");
  switch (entry.deed) {
    case Deed::act:
      return play(std::move(entry));
    case Deed::undo:
    case Deed::redo:
      return walk(std::move(entry));
    case Deed::rules:
      return switch_rules(std::move(entry));
    default:
      if (state_.finished()) return refuse(Code::GAME_FINISHED, "the game is over");
      return Step{std::move(entry), state_};
  }
}

// The state with this player as the decider: where several decide at once, any of them may be next.
tl::expected<State, Rejection> Session::asking(PlayerId player) const {
  const Decision decision = state_.decision();
  if (decision.kind == DecisionKind::finished)
    return refuse(Code::GAME_FINISHED, "the game is over");
  State state = state_;
  if (game_->let_decide(state.block(), player)) return state;
  return refuse(Code::ACTOR_NOT_DECIDING,
                fmt::format("{} cannot act now: {} decides", seat_name(*game_, player),
                            seat_name(*game_, decision.player)),
                {{"decider", decision.player.value}});
}

tl::expected<Session::Step, Rejection> Session::play(LogEntry entry) const {
  auto state = asking(entry.actor);
  if (!state) return tl::unexpected(std::move(state.error()));
  const Viewer actor = Viewer::player(entry.actor);
  const auto option = find_option(*state, entry.content, actor);
  if (option) return choose(std::move(entry), std::move(*state), *option, {});
  game_->hear_refused(state->block(), entry.content, nullptr);
  if (auto why = state->why_not(entry.content, actor)) return tl::unexpected(std::move(*why));
  return tl::unexpected(option.error());
}

tl::expected<Session::Step, Rejection> Session::choose(LogEntry entry, State state, Option option,
                                                       std::span<const Option> drawn) const {
  entry.chosen = state.option_json(option);
  entry.starts_move = state.decision().starts_move;
  EventRecorder recorder{game_->info().players};
  if (auto done = state.apply(option, &recorder); !done)
    return tl::unexpected(std::move(done.error()));
  entry.options.push_back(option);
  if (auto done = resolve_chance(state, entry.options, &recorder, drawn); !done)
    return tl::unexpected(std::move(done.error()));
  entry.events = recorder.take();
  entry.events.shrink_to_fit();
  return Step{std::move(entry), std::move(state)};
}

Applied Session::resolve_chance(State& state, std::vector<Option>& applied, EventListener* listener,
                                std::span<const Option> drawn) const {
  OptionList options;
  while (state.decision().kind == DecisionKind::chance) {
    state.list_options(options);
    // Where we are says what falls, without more bookkeeping: whoever takes a move back and makes
    // it again gets the same dice, and a game that comes back to the same state gets others.
    const std::uint64_t place = hash_combine(history_.position(), applied.size());
    Rng rng(config_->seed, hash_combine(hash_combine(chance_stream_number, state.hash()), place));
    Option option = options[draw_option(options, rng)];
    if (!drawn.empty()) {
      if (std::ranges::find(options, drawn.front()) != options.end()) option = drawn.front();
      drawn = drawn.subspan(1);
    }
    if (auto done = state.apply(option, listener); !done) return done;
    applied.push_back(option);
  }
  return {};
}

bool Session::undo_allowed() const {
  const GameInfo& info = game_->info();
  return config_->allow_undo.value_or(!info.has_chance && !info.hidden_information);
}

// Where everybody agrees, the game goes on under other rules.
tl::expected<Session::Step, Rejection> Session::switch_rules(LogEntry entry) const {
  if (state_.finished()) return refuse(Code::GAME_FINISHED, "the game is over");
  State state = state_;
  if (auto done = set_rules(state, rules_of(entry.content)); !done)
    return tl::unexpected(std::move(done.error()));
  return Step{std::move(entry), std::move(state)};
}

// Back or forward along the line.
tl::expected<Session::Step, Rejection> Session::walk(LogEntry entry) {
  if (!undo_allowed())
    return refuse(Code::UNDO_NOT_ALLOWED, "this session does not take moves back");
  const auto target = history_.target_of(entry);
  if (!target) return tl::unexpected(target.error());
  if (auto missing = consent_missing(entry, *target)) return tl::unexpected(std::move(*missing));
  auto state = history_.state_at(*target, log_);
  if (!state) return tl::unexpected(std::move(state.error()));
  return Step{std::move(entry), std::move(*state)};
}

// Every action belongs to the seat that took it.
std::optional<Rejection> Session::consent_missing(const LogEntry& entry, std::size_t target) const {
  const std::vector<PlayerId> agreed = agreed_seats(entry.content);
  const auto [first, last] = std::minmax({target, history_.position()});
  std::vector<int> missing;
  for (std::size_t place = first; place < last; ++place) {
    const PlayerId owner = log_[history_.revision_at(place) - 1].actor;
    if (owner != entry.actor && std::ranges::find(agreed, owner) == agreed.end() &&
        std::ranges::find(missing, int{owner.value}) == missing.end())
      missing.push_back(owner.value);
  }
  if (missing.empty()) return std::nullopt;
  std::ranges::sort(missing);
  std::string names;
  for (const int seat : missing)
    names += (names.empty() ? "" : ", ") + seat_name(*game_, PlayerId{seat});
  return Rejection{Code::CONSENT_MISSING,
                   fmt::format("that takes the consent of {}, who acted there too", names),
                   {{"seats", missing}}};
}

std::optional<std::uint64_t> Session::before_last_move_of(PlayerId seat) const {
  for (std::size_t place = history_.position(); place-- > 0;) {
    const LogEntry& entry = log_[history_.revision_at(place) - 1];
    if (entry.actor == seat && entry.starts_move)
      return place == 0 ? 0 : history_.revision_at(place - 1);
  }
  return std::nullopt;
}

void Session::seal(Step& step, Answering answering) const {
  step.entry.hash = step.after.hash();
  if (answering == Answering::in_full)
    step.entry.view_hash = step.after.view_hash(viewer_of(step.entry.actor));
  step.entry.chain = next_link(chain(), step.entry);
}

std::uint64_t Session::chain() const {
  return log_.empty() ? first_link(record()) : log_.back().chain;
}

void Session::commit(Step step) {
  const bool acted = moves_on(step.entry.deed);
  note(std::move(step.entry));
  if (acted) history_.remember(history_.position(), step.after);
  state_ = std::move(step.after);
}

void Session::note(LogEntry entry) {
  history_.follow(entry);
  if (is_result(entry.deed)) ended_ = result_of(entry, config_->stakes, game_->info().players);
  entry_of_action_.emplace(std::pair{entry.actor, entry.action_id}, log_.size());
  log_.push_back(std::move(entry));
}

const LogEntry* Session::find_action(PlayerId actor, const std::string& action_id) const {
  const auto found = entry_of_action_.find({actor, action_id});
  return found == entry_of_action_.end() ? nullptr : &log_[found->second];
}

std::vector<const LogEntry*> Session::in_force() const {
  std::vector<const LogEntry*> out;
  for (std::size_t place = 0; place < history_.position(); ++place)
    out.push_back(&log_[history_.revision_at(place) - 1]);
  return out;
}

std::optional<Ending> Session::ending() const {
  if (ended_) return Ending{*ended_, Ending::By::table};
  if (state_.finished()) return Ending{state_.outcome(), Ending::By::rules};
  return std::nullopt;
}

}  // namespace parlor::table
