// Clocks and bots: what happens by itself.
#include <fmt/core.h>

#include "host/room.h"
#include "host/secrets.h"

namespace parlor::host {

void Room::later(Time when, std::function<void(Room&)> work) {
  services_.timers.at(when, [self = weak_from_this(), work = std::move(work)] {
    const auto room = self.lock();
    if (!room) return;
    room->strand_->post([room, work] {
      if (!room->gone_) work(*room);
    });
  });
}

// A program decides for this seat.
bool Room::plays_itself(std::size_t seat) const {
  return row_.seats[seat].kind == SeatKind::bot || lives_[seat].stand_in;
}

// ---- Clocks.

void Room::arm_timer() {
  services_.timers.cancel(timer_);
  timer_ = 0;
  const auto flag = clock_.next_flag();
  if (gone_ || !flag || over()) return;
  timer_ = services_.timers.at(flag->at, [self = weak_from_this()] {
    const auto room = self.lock();
    if (!room) return;
    room->strand_->post([room] {
      if (!room->gone_) room->flag_fell();
    });
  });
}

void Room::flag_fell() {
  const auto flag = clock_.next_flag();
  if (!flag || over() || !session_) return;
  if (flag->at > services_.timers.now()) return arm_timer();
  if (row_.config.at_zero == AtZero::lose)
    (void)do_deed(envelope(table::Deed::timeout, {{"seat", flag->seat.value}}), {}, {});
  else
    decide_for(flag->seat);
  settle();
}

// Somebody has no time left and the table decides in their place.
void Room::decide_for(PlayerId seat) {
  clock_.stop(seat, services_.timers.now());
  row_changed();
  if (row_.config.at_zero == AtZero::bot) return ask_bot(seat, services_.settings.stand_in);
  State state = session_->state();
  if (!game_->let_decide(state.block(), seat)) return;
  OptionList options;
  state.list_options(options);
  std::size_t index = 0;
  if (row_.config.at_zero == AtZero::random) {
    Rng rng{new_seed(services_.random)};
    index = static_cast<std::size_t>(rng.below(options.size()));
  }
  auto deed = envelope(table::Deed::act, {{"index", index}}, seat);
  deed.action_id = fmt::format("~flag-{}", session_->revision());
  (void)do_deed(std::move(deed), {.seat = seat}, {});
}

void Room::pause(bool on) {
  paused_ = on;
  const Time now = services_.timers.now();
  if (on)
    clock_.stop_all(now);
  else
    follow_with_clock({}, {});
  row_changed();
  tell_everybody([&](std::size_t) { return ClockTold{0, clock_facts()}; });
}

// ---- Bots.

void Room::schedule_bots() {
  if (gone_ || !session_ || over() || paused_) return;
  for (const PlayerId seat : session_->state().pending()) {
    const std::size_t i = seat.index();
    if (!plays_itself(i)) continue;
    ask_bot(seat, row_.seats[i].kind == SeatKind::bot ? row_.seats[i].agent
                                                      : services_.settings.stand_in);
  }
}

void Room::ask_bot(PlayerId seat, const std::string& agent) {
  SeatLife& life = lives_[seat.index()];
  const std::uint64_t revision = session_->revision();
  if (life.thinking == revision) return;
  Search search{game_, session_->state(),          seat,
                agent, new_seed(services_.random), std::make_shared<std::atomic<bool>>(true)};
  search.one_by_one = is_upload(row_.config.game);
  if (!game_->let_decide(search.state.block(), seat)) return;
  life.thinking = revision;
  life.wanted = search.wanted;
  const auto again = [](Room& room, PlayerId who, std::uint64_t rev, Bots::Choice choice) {
    const Time earliest = room.last_act_ + room.services_.settings.bot_delay;
    if (room.services_.timers.now() >= earliest) return room.bot_chose(who, rev, choice);
    room.later(earliest, [who, rev, choice](Room& later) { later.bot_chose(who, rev, choice); });
  };
  services_.bots.choose(std::move(search),
                        [self = weak_from_this(), seat, revision, again](Bots::Choice choice) {
                          if (const auto room = self.lock())
                            room->strand_->post([room, seat, revision, choice, again] {
                              if (!room->gone_) again(*room, seat, revision, choice);
                            });
                        });
}

// Through the same door as people.
void Room::bot_chose(PlayerId seat, std::uint64_t revision, Bots::Choice choice) {
  if (!session_ || over() || session_->revision() != revision) return;
  if (paused_) {
    lives_[seat.index()].thinking = ~std::uint64_t{0};
    return;
  }
  const Time now = services_.timers.now();
  const PlayerId one[]{seat};
  // Only the search itself costs time, not waiting for its turn.
  clock_.start(one, session_->state().decision().starts_move, now - choice.took);
  auto deed = envelope(table::Deed::act, {{"index", choice.option}}, seat);
  deed.action_id = fmt::format("~bot-{}", revision);
  if (!do_deed(std::move(deed), {.seat = seat}, {})) play_anything(seat);
  settle();
}

// The rules went wrong over what a bot chose: anything else will do, and if nothing does, nobody
// can go on.
void Room::play_anything(PlayerId seat) {
  State state = session_->state();
  OptionList options;
  if (game_->let_decide(state.block(), seat)) state.list_options(options);
  for (std::size_t i = 0; i < options.size(); ++i) {
    auto deed = envelope(table::Deed::act, {{"index", i}}, seat);
    deed.action_id = fmt::format("~bot-{}", session_->revision());
    if (do_deed(std::move(deed), {.seat = seat}, {})) return;
  }
  (void)do_deed(envelope(table::Deed::abandoned, Json::object()), {}, {});
}

}  // namespace parlor::host
