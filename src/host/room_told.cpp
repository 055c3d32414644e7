// What a table says, to whom. Every kind of viewer has a channel; what it says is made once for all
// who listen there.
#include <array>
#include <fmt/core.h>

#include "game/seats.h"
#include "host/contract.h"
#include "host/room.h"

namespace parlor::host {
namespace {

constexpr std::array<std::string_view, 5> offer_kinds{"undo", "draw", "rematch", "pause", "abort"};

int seat_number(PlayerId seat) {
  return seat.is_none() ? nobody : seat.value;
}

// Gives what is counted its number; what has none stays as it is.
std::uint64_t number(Told& told, Channel& channel) {
  return std::visit(
      [&](auto& one) -> std::uint64_t {
        if constexpr (requires { one.seq; }) return one.seq = channel.next_seq();
        return 0;
      },
      told);
}

}  // namespace

std::string_view offer_kind_name(OfferKind kind) {
  return offer_kinds[static_cast<std::size_t>(kind)];
}

std::optional<OfferKind> offer_kind_named(std::string_view name) {
  for (std::size_t i = 0; i < offer_kinds.size(); ++i)
    if (offer_kinds[i] == name) return static_cast<OfferKind>(i);
  return std::nullopt;
}

Viewer Room::viewer_of(std::size_t channel) const {
  return channel < players() ? Viewer::player(PlayerId{channel}) : Viewer::observer();
}

// ---- Facts.

TableFacts Room::facts() const {
  return {.id = row_.id,
          .game = row_.config.game,
          .game_name = game_ ? game_->info().name : row_.config.game,
          .creator = row_.creator,
          .config = row_.config,
          .state = row_.state,
          .seats = seat_facts(),
          .result = row_.result,
          .created = row_.created,
          .updated = row_.updated};
}

std::vector<SeatFacts> Room::seat_facts() const {
  std::vector<SeatFacts> out;
  for (std::size_t i = 0; i < players(); ++i) {
    const SeatRow& seat = row_.seats[i];
    out.push_back({.kind = seat.kind,
                   .name = game_ ? seat_name(*game_, PlayerId{i}) : std::string{},
                   .who = seat.name,
                   .agent = seat.agent,
                   .ready = seat.ready,
                   .connected = i < channels_.size() && !channels_[i].listeners().empty(),
                   .stand_in = lives_[i].stand_in});
  }
  return out;
}

std::vector<OfferFacts> Room::offer_facts() const {
  std::vector<OfferFacts> out;
  for (const Offer& offer : offers_) {
    OfferFacts facts{.kind = offer.kind, .by = seat_number(offer.by), .agreed = {}, .waiting = {}};
    for (const std::size_t seat : asked(offer))
      (offer.agreed.contains(seat) ? facts.agreed : facts.waiting)
          .push_back(static_cast<int>(seat));
    out.push_back(std::move(facts));
  }
  return out;
}

ClockFacts Room::clock_facts() const {
  ClockFacts out{.rule = to_text(row_.config.clock),
                 .left = {},
                 .running = {},
                 .now = services_.timers.now(),
                 .deadline = {},
                 .paused = paused_};
  if (!clock_.limited()) return out;
  for (std::size_t i = 0; i < players(); ++i) {
    out.left.push_back(clock_.left(PlayerId{i}, out.now));
    out.running.push_back(clock_.running(PlayerId{i}));
  }
  if (const auto flag = clock_.next_flag()) out.deadline = flag->at;
  return out;
}

// ---- What one viewer sees.

StagePtr Room::Stages::of(std::size_t channel) {
  StagePtr& made = made_[all_see_alike(*room_.game_) ? room_.spectators() : channel];
  if (!made) made = kept(channel);
  if (!made) made = make_stage(state_, room_.viewer_of(channel));
  return made;
}

StagePtr Room::Stages::kept(std::size_t channel) const {
  const bool alike = all_see_alike(*room_.game_);
  for (std::size_t i = 0; i < room_.channels_.size(); ++i) {
    const std::optional<Moment>& last = room_.channels_[i].last;
    if ((i == channel || alike) && last && last->state && last->rev == revision_)
      return last->state;
  }
  return nullptr;
}

Moment Room::look(std::size_t channel, Stages& stages) const {
  Moment out;
  out.clock = clock_facts();
  if (!session_) return out;
  const auto ending = session_->ending();
  out.rev = session_->revision();
  out.state = stages.of(channel);
  out.decision =
      ending ? Json(nullptr)
             : decision_json(session_->state(), viewer_of(channel), channels_[channel].complete);
  out.outcome = ending ? table::to_json(*ending) : Json(nullptr);
  return out;
}

// The next change is told as the difference to this. What is told later must be kept; of the rest
// only what is short, since there may be thousands of tables.
void Room::show(std::size_t channel, Moment moment) {
  constexpr std::size_t short_enough = 8 * 1024;
  if (!delayed(channel)) {
    if (moment.state && moment.state->text.size() > short_enough) moment.state.reset();
    moment.decision = nullptr;
  }
  channels_[channel].last = std::move(moment);
}

Sync Room::sync_of(std::size_t channel) {
  Channel& to = channels_[channel];
  Moment moment;
  if (delayed(channel)) {
    moment = to.last.value_or(Moment{});
  } else if (session_) {
    Stages stages{*this, session_->state(), session_->revision()};
    moment = look(channel, stages);
    if (!to.last) show(channel, moment);
  } else {
    moment.clock = clock_facts();
  }
  Sync out{.seq = to.seq(),
           .scene = scene_->hash,
           .moment = std::move(moment),
           .table_state = row_.state,
           .seats = seat_facts(),
           .offers = offer_facts(),
           .chat = {}};
  for (const ChatRow& row : chat_)
    if (row.channel == "players" || channel == spectators() || over()) out.chat.push_back(row);
  return out;
}

// ---- Saying it.

bool Room::delayed(std::size_t channel) const {
  return channel == spectators() && row_.config.spectators.delay > 0;
}

bool Room::heard(std::size_t channel) const {
  return delayed(channel) || channels_[channel].live(services_.timers.now());
}

void Room::at_channel(std::size_t channel, std::function<void()> work) {
  if (!delayed(channel)) return work();
  later(services_.timers.now() + row_.config.spectators.delay,
        [work = std::move(work)](Room& room) {
          work();
          room.flush();
        });
}

void Room::tell(std::size_t channel, Told told) {
  Channel& to = channels_[channel];
  const std::uint64_t seq = number(told, to);
  std::string text = services_.encode(told);
  text.shrink_to_fit();  // the latest are kept
  auto frame = std::make_shared<const Frame>(Frame{seq, std::move(text)});
  if (services_.counters != nullptr) ++services_.counters->updates;
  say([&to, frame = std::move(frame)] { to.deliver(frame); });
}

void Room::tell_everybody(const std::function<Told(std::size_t)>& what) {
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    if (!heard(i)) {
      channels_[i].skip();
      continue;
    }
    at_channel(i, [this, i, told = what(i)] { tell(i, told); });
  }
}

void Room::tell_players(const std::function<Told(std::size_t)>& what) {
  for (std::size_t i = 0; i < players(); ++i)
    if (heard(i))
      tell(i, what(i));
    else
      channels_[i].skip();
}

void Room::reply(const ListenerPtr& to, const Told& told) {
  if (!to) return;
  say([to, frame = std::make_shared<const Frame>(Frame{0, services_.encode(told)})] {
    to->hear(frame);
  });
}

void Room::refuse(const ListenerPtr& to, const std::string& id, Rejection rejection) {
  if (services_.counters != nullptr) ++services_.counters->refused;
  reply(to, Reject{id, session_ ? session_->revision() : 0, std::move(rejection)});
}

void Room::resync(const ListenerPtr& from, int seat) {
  reply(from, sync_of(seat < 0 ? spectators() : static_cast<std::size_t>(seat)));
  flush();
}

ChoiceTold Room::choice_of(const table::LogEntry& entry, const State& before,
                           const Viewer& viewer) const {
  if (entry.deed != table::Deed::act || entry.options.empty())
    return {std::string{table::deed_name(entry.deed)}, false};
  State asked = before;
  game_->let_decide(asked.block(), entry.actor);
  return game_->choice_told(asked.block(), entry.options.front(), session_->state().block(),
                            viewer);
}

void Room::tell_update(const table::LogEntry& entry, const State& before) {
  // Those who see the same are told the same.
  StagePtr latest_before, latest_after;
  ChangePtr latest;
  Stages old_stages{*this, before, entry.revision - 1};
  Stages stages{*this, session_->state(), entry.revision};
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    if (!heard(i)) {
      channels_[i].skip();
      continue;
    }
    const Viewer viewer = viewer_of(i);
    Moment moment = look(i, stages);
    Update update{.seq = 0,
                  .by = seat_number(entry.actor),
                  .deed = std::string{table::deed_name(entry.deed)},
                  .choice = choice_of(entry, before, viewer),
                  .change = {},
                  .rev = moment.rev,
                  .decision = {},
                  .view_hash = moment.state->hash,
                  .clock = moment.clock};
    if (delayed(i)) {
      at_channel(
          i, [this, i, told = session_->events_for(entry, viewer), moment, update]() mutable {
            const StagePtr had = channels_[i].last ? channels_[i].last->state : StagePtr{};
            if (had)
              update.change = make_change(scene_->names, had->text, *moment.state, std::move(told));
            update.decision = moment.decision;
            tell_change(i, had, std::move(moment), std::move(update));
          });
      continue;
    }
    const StagePtr had = channels_[i].last ? old_stages.of(i) : StagePtr{};
    if (had && (had != latest_before || moment.state != latest_after)) {
      latest =
          make_change(scene_->names, had->text, *moment.state, session_->events_for(entry, viewer));
      latest_before = had;
      latest_after = moment.state;
    }
    update.change = latest;
    update.decision = std::move(moment.decision);
    tell_change(i, had, std::move(moment), std::move(update));
  }
}

void Room::tell_change(std::size_t channel, const StagePtr& had, Moment moment, Update update) {
  show(channel, std::move(moment));
  if (!had) return tell(channel, sync_of(channel));
  tell(channel, std::move(update));
}

void Room::tell_afresh(std::size_t channel) {
  channels_[channel].last.reset();
  if (!heard(channel)) return channels_[channel].skip();
  Stages stages{*this, session_->state(), session_->revision()};
  Moment moment = look(channel, stages);
  at_channel(channel, [this, channel, moment = std::move(moment)] {
    show(channel, moment);
    tell(channel, sync_of(channel));
  });
}

void Room::tell_seats() {
  tell_everybody([&](std::size_t) { return SeatsTold{0, row_.state, seat_facts()}; });
}

void Room::tell_offers(std::string ended, std::string how) {
  tell_everybody([&](std::size_t) { return OffersTold{0, offer_facts(), ended, how}; });
}

void Room::tell_over() {
  const Seed seed = session_->config().seed;
  tell_everybody([&](std::size_t) {
    return Over{0, row_.result, row_.state,
                row_.config.reveal ? std::optional{seed} : std::nullopt};
  });
}

}  // namespace parlor::host
