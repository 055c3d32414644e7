// The game itself: what people do, and everything that follows from it.
#include <fmt/core.h>

#include "host/room.h"
#include "host/secrets.h"
#include "play/trace.h"

namespace parlor::host {

std::optional<Rejection> Room::not_playing() const {
  if (row_.state == TableState::open)
    return Rejection{code::TABLE_STATE, "the game has not begun", {{"state", "open"}}};
  if (over()) return Rejection{Code::GAME_FINISHED, "the game is over"};
  return std::nullopt;
}

// Ids that begin with `~` are the table's own: nobody else can have used them up.
table::ActionEnvelope Room::envelope(table::Deed deed, Json content, PlayerId actor) const {
  return {.session = row_.id,
          .action_id = fmt::format("~{}-{}", table::deed_name(deed), session_->revision()),
          .actor = actor,
          .deed = deed,
          .content = std::move(content)};
}

tl::expected<table::Answer, Rejection> Room::do_deed(
    table::ActionEnvelope envelope, const Charge& charge,
    const std::function<void(std::uint64_t)>& accepted) {
  const State before = session_->state();
  auto answer = session_->act(envelope, {}, table::Answering::by_revision);
  if (!answer && answer.error().code == code_name(Code::RUN_BUDGET) &&
      is_upload(row_.config.game) && envelope.deed == table::Deed::act)
    give_up_on_rules();
  if (!answer) return answer;
  if (answer->repeated) {
    if (accepted) accepted(answer->revision);
    return answer;
  }
  const table::LogEntry& entry = session_->log().back();
  AppendEntry append{row_.id, entry, std::nullopt};
  if (entry.revision % services_.settings.snapshot_every == 0)
    append.snapshot = session_->snapshot();
  keep(std::move(append));
  last_act_ = services_.timers.now();
  for (SeatLife& life : lives_)
    if (life.wanted) *life.wanted = false;
  follow_with_clock(entry, charge);
  if (services_.counters != nullptr) ++services_.counters->acts;
  if (accepted) accepted(answer->revision);
  tell_update(entry, before);
  if (!envelope.actor.is_none() && entry.deed == table::Deed::act) offers_after_act(envelope.actor);
  if (session_->over())
    end_table(entry.deed == table::Deed::abandoned && !entry.content.contains("seat")
                  ? TableState::abandoned
                  : TableState::finished);
  return answer;
}

void Room::follow_with_clock(const table::LogEntry& entry, const Charge& charge) {
  if (!clock_.limited()) return;
  const Time now = services_.timers.now();
  row_changed();
  if (!charge.seat.is_none()) clock_.stop(charge.seat, now, charge.lag, charge.at_least);
  const Decision decision = session_->state().decision();
  if (!charge.seat.is_none() && (session_->over() || decision.starts_move))
    clock_.reward(charge.seat);
  if (session_->over() || paused_) return clock_.stop_all(now);
  const bool walked = entry.deed == table::Deed::undo || entry.deed == table::Deed::redo;
  if (walked) clock_.stop_all(now);
  std::vector<PlayerId> deciders;
  for (const PlayerId seat : session_->state().pending())
    if (!plays_itself(seat.index())) deciders.push_back(seat);
  clock_.start(deciders, decision.starts_move || walked, now);
}

void Room::give_up_on_rules() {
  if (services_.ran_away) services_.ran_away(row_.config.game);
  (void)do_deed(envelope(table::Deed::abandoned, Json::object()), {}, {});
}

void Room::end_table(TableState state) {
  row_.state = state;
  const auto ending = session_->ending();
  row_.result = ending ? table::to_json(*ending) : Json(nullptr);
  clock_.stop_all(services_.timers.now());
  paused_ = false;
  offers_.clear();
  for (SeatLife& life : lives_) life.queued.clear();
  row_changed();
  if (services_.counters != nullptr) ++services_.counters->finished;
  tell_over();
}

void Room::settle() {
  // A queued act may make another one possible; each is used up, so this ends.
  while (play_queued()) {
  }
  flush();
  arm_timer();
  schedule_bots();
}

void Room::act(const ListenerPtr& from, PlayerId seat, const ActRequest& request) {
  if (auto wrong = not_playing(); wrong && !session_) {
    refuse(from, request.id, std::move(*wrong));
    return flush();
  }
  const bool known = session_->find_action(seat, request.id) != nullptr;
  if (paused_ && !known) {
    refuse(from, request.id, {code::TABLE_PAUSED, "the game is paused"});
    return flush();
  }
  const auto answer =
      do_deed({.session = row_.id,
               .action_id = request.id,
               .actor = seat,
               .content = request.content,
               .expected_revision = request.rev},
              {.seat = seat, .lag = request.lag, .at_least = 0}, [&](std::uint64_t rev) {
                reply(from, Ack{request.id, rev});
              });
  if (!answer) {
    refuse(from, request.id, answer.error());
    // Whoever is out of step gets everything, and is in step again.
    if (answer.error().code == code_name(Code::REVISION_CONFLICT))
      reply(from, sync_of(seat.index()));
  }
  settle();
}

void Room::why(const ListenerPtr& from, int seat, const std::string& id, const Json& request) {
  if (!session_) {
    refuse(from, id, {code::TABLE_STATE, "the game has not begun"});
    return flush();
  }
  const Viewer viewer = seat < 0 ? Viewer::observer() : Viewer::player(PlayerId{seat});
  WhyTold told{.id = id, .rev = session_->revision(), .legal = false, .reason = nullptr};
  State state = session_->state();
  const bool decides = seat >= 0 && game_->let_decide(state.block(), PlayerId{seat});
  if (session_->over()) {
    told.reason = parlor::to_json(Rejection{Code::GAME_FINISHED, "the game is over"});
  } else if (!decides) {
    told.reason = parlor::to_json(Rejection{Code::ACTOR_NOT_DECIDING, "somebody else decides now"});
  } else if (const auto option = find_option(state, request, viewer)) {
    told.legal = true;
  } else if (const auto reason = state.why_not(request, viewer)) {
    told.reason = parlor::to_json(*reason);
  } else {
    told.reason = parlor::to_json(option.error());
  }
  reply(from, told);
  flush();
}

void Room::resign(const ListenerPtr& from, PlayerId seat, const std::string& id) {
  if (auto wrong = not_playing()) {
    refuse(from, id, std::move(*wrong));
    return flush();
  }
  table::ActionEnvelope deed = envelope(table::Deed::resign, Json::object(), seat);
  if (!id.empty()) deed.action_id = id;
  const auto answer = do_deed(std::move(deed), {}, [&](std::uint64_t rev) {
    reply(from, Ack{id, rev});
  });
  if (!answer) refuse(from, id, answer.error());
  settle();
}

// ---- Acts for later.

void Room::queue(const ListenerPtr& from, PlayerId seat, std::vector<QueuedAct> acts) {
  SeatLife& life = lives_[seat.index()];
  if (auto wrong = not_playing()) {
    refuse(from, "", std::move(*wrong));
    return flush();
  }
  if (acts.size() > services_.settings.queue_most) {
    refuse(
        from, "",
        {code::QUEUE_FULL, fmt::format("at most {} acts can wait", services_.settings.queue_most)});
    return flush();
  }
  for (const QueuedAct& one : acts)
    if (!one.only_if.is_null() && game_->info().hidden_information) {
      refuse(from, "", {code::REQUEST_INVALID, "`if` is for games that hide nothing"});
      return flush();
    }
  life.queued.assign(std::make_move_iterator(acts.begin()), std::make_move_iterator(acts.end()));
  tell(seat.index(), QueueTold{0, life.queued.size(), std::nullopt});
  settle();
}

// Plays one act that waited for this moment; false if there is none.
bool Room::play_queued() {
  if (!session_ || over() || paused_) return false;
  for (const PlayerId seat : session_->state().pending()) {
    SeatLife& life = lives_[seat.index()];
    if (life.queued.empty() || plays_itself(seat.index())) continue;
    if (life.queued.front().after && session_->revision() < *life.queued.front().after) continue;
    const QueuedAct act = std::move(life.queued.front());
    life.queued.pop_front();
    std::optional<Rejection> dropped;
    const auto matches = [&] {
      for (auto entry = session_->log().rbegin(); entry != session_->log().rend(); ++entry)
        if (entry->actor != seat && entry->deed == table::Deed::act)
          return entry->chosen == act.only_if || entry->content == act.only_if;
      return false;
    };
    if (!act.only_if.is_null() && !matches()) {
      dropped = Rejection{code::QUEUE_CONDITION, "something else was played"};
    } else {
      auto deed = envelope(table::Deed::act, act.content, seat);
      deed.action_id = fmt::format("~queued-{}", session_->revision());
      auto answer =
          do_deed(std::move(deed),
                  {.seat = seat, .lag = 0, .at_least = services_.settings.queued_act_costs}, {});
      if (!answer) dropped = std::move(answer.error());
    }
    if (dropped) life.queued.clear();
    tell(seat.index(), QueueTold{0, life.queued.size(), dropped});
    return true;
  }
  return false;
}

// ---- What was played.

// What each act that is in force was in words, by revision: told as it was when it was done.
std::map<std::uint64_t, ChoiceTold> Room::choices_told(const Viewer& viewer) const {
  std::map<std::uint64_t, ChoiceTold> out;
  auto state = session_->config().start.is_null() ? game_->start(session_->config().seed)
                                                  : game_->load(session_->config().start);
  const auto play = [&](Option option) { return state->apply(option).has_value(); };
  if (!state || !std::ranges::all_of(session_->drawn_first(), play)) return out;
  for (const table::LogEntry* entry : session_->in_force()) {
    game_->let_decide(state->block(), entry->actor);
    const State before = *state;
    if (!std::ranges::all_of(entry->options, play)) break;  // other rules since then
    out[entry->revision] =
        game_->choice_told(before.block(), entry->options.front(), state->block(), viewer);
  }
  return out;
}

tl::expected<Json, Rejection> Room::log_for(const Caller& caller, std::uint64_t from) const {
  constexpr std::size_t most = 500;
  Json entries = Json::array();
  if (!session_) return Json{{"entries", entries}, {"rev", 0}, {"next", nullptr}};
  const auto seat = seat_of(caller);
  const bool everything = over() && row_.config.reveal;
  if (!everything && !seat && (!row_.config.spectators.allowed || row_.config.spectators.delay > 0))
    return tl::unexpected(Rejection{code::NOT_ALLOWED, "only the players may read this log"});
  const Viewer viewer = everything ? Viewer::everything()
                        : seat     ? Viewer::player(*seat)
                                   : Viewer::observer();
  const auto& log = session_->log();
  std::size_t place =
      from == 0 ? 0 : static_cast<std::size_t>(std::min<std::uint64_t>(from - 1, log.size()));
  const std::map<std::uint64_t, ChoiceTold> told = choices_told(viewer);
  for (; place < log.size() && entries.size() < most; ++place) {
    Json& entry = entries.emplace_back(session_->entry_for(log[place], viewer));
    const auto choice = told.find(log[place].revision);
    if (choice == told.end()) continue;
    entry["label"] = choice->second.label;
    entry["hidden"] = choice->second.hidden;
    // How far somebody is with what they hand in is theirs to know.
    if (!choice->second.hidden) entry["starts"] = log[place].starts_move;
  }
  return Json{{"entries", std::move(entries)},
              {"rev", log.size()},
              {"next", place < log.size() ? Json(place + 1) : Json(nullptr)}};
}

namespace {

struct Act {
  PlayerId actor;
  Option option;
  bool starts_move = false;
};

// Where several hand in moves at once, who has done so may hand in another one instead: what it
// replaces counts for nothing.
std::deque<Act> acts_in_force(State state, const table::Session& session) {
  std::deque<Act> out;
  const auto play = [&](Option option) { return state.apply(option).has_value(); };
  if (!std::ranges::all_of(session.drawn_first(), play)) return out;
  for (const table::LogEntry* entry : session.in_force()) {
    const auto waiting = state.game().pending(state.block());
    const bool again = state.decision().player != entry->actor &&
                       std::ranges::find(waiting, entry->actor) == waiting.end();
    for (auto last = out.end(); again && last != out.begin();) {
      --last;
      if (last->actor != entry->actor) continue;
      const bool first = last->starts_move;
      last = out.erase(last);
      if (first) break;
    }
    state.game().let_decide(state.block(), entry->actor);
    out.push_back({entry->actor, entry->options.front(), state.decision().starts_move});
    if (!std::ranges::all_of(entry->options, play)) break;
  }
  return out;
}

bool may_decide(State state, PlayerId player) {
  return state.game().let_decide(state.block(), player);
}

}  // namespace

// As `parlor replay` reads it: a line a decision, chance included, and the end. Where several
// decided at once, they follow each other there in the order of seats.
tl::expected<std::string, Rejection> Room::replay(const Caller&) const {
  if (!session_ || !over())
    return tl::unexpected(Rejection{code::TABLE_STATE, "the game is not over"});
  if (!row_.config.reveal)
    return tl::unexpected(Rejection{code::NOT_ALLOWED, "this table keeps its secrets"});
  auto state = game_->start(session_->config().seed);
  if (!state) return tl::unexpected(std::move(state.error()));
  std::deque<Act> acts = acts_in_force(*state, *session_);
  std::deque<Option> chance{session_->drawn_first().begin(), session_->drawn_first().end()};
  for (const table::LogEntry* entry : session_->in_force())
    chance.insert(chance.end(), entry->options.begin() + 1, entry->options.end());
  std::string out;
  OptionList options;
  std::size_t count = 0;
  while (!acts.empty() || !chance.empty()) {
    const PlayerId decider = state->decision().player;
    const auto act = std::ranges::find(acts, decider, &Act::actor);
    const bool by_chance = decider.is_none();
    if (by_chance ? chance.empty() : act == acts.end()) break;
    const Option option = by_chance ? chance.front() : act->option;
    by_chance ? chance.pop_front() : void(acts.erase(act));
    state->list_options(options);
    const auto picked =
        static_cast<std::size_t>(std::ranges::find(options, option) - options.begin());
    if (picked == options.size()) break;
    out += canonical(play::trace_line(*state, count++, options, picked)) + "\n";
    if (!state->apply(option)) break;
  }
  // Given up while moves were being handed in: those that came out of order are left out.
  const bool handing_in = !acts.empty() && may_decide(*state, acts.front().actor);
  if (!handing_in && state->hash() != session_->state().hash())
    return tl::unexpected(Rejection{Code::INTERNAL, "the log does not replay"});
  Json end = parlor::to_json(session_->config().options);
  end["game"] = row_.config.game;
  end["seed"] = session_->config().seed;
  end["decisions"] = count;
  end["hash"] = fmt::format("{:016x}", state->hash());
  end["outcome"] = state->finished() ? parlor::to_json(state->outcome()) : Json(nullptr);
  end["result"] = row_.result;
  return out + canonical(end) + "\n";
}

}  // namespace parlor::host
