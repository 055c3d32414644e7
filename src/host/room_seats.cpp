// Before the game: who sits where, who is ready.
#include <array>
#include <fmt/core.h>

#include "host/room.h"
#include "host/secrets.h"

namespace parlor::host {
namespace {

Rejection forbidden(std::string message) {
  return {code::NOT_ALLOWED, std::move(message)};
}

// Evenly among `count`, from bytes nobody can foresee.
std::size_t random_below(const Random& random, std::size_t count) {
  Rng rng{new_seed(random)};
  return static_cast<std::size_t>(rng.below(count));
}

}  // namespace

std::optional<Rejection> Room::not_open() const {
  if (row_.state == TableState::open) return std::nullopt;
  return Rejection{code::TABLE_STATE,
                   fmt::format("the table is {}, not open", table_state_name(row_.state)),
                   {{"state", table_state_name(row_.state)}}};
}

std::optional<Rejection> Room::not_creator(const Caller& caller) const {
  if (caller.handle && caller.handle->id == row_.creator) return std::nullopt;
  return forbidden("only who made the table may do that");
}

tl::expected<std::size_t, Rejection> Room::choose_seat(std::optional<int> wish) const {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < players(); ++i)
    if (row_.seats[i].kind == SeatKind::open) open.push_back(i);
  const Rejection taken{code::SEAT_TAKEN, "somebody sits there already", {{"open", open}}};
  if (open.empty()) return tl::unexpected(taken);
  switch (row_.config.seat_choice) {
    case SeatChoice::fixed:
      return open.front();
    case SeatChoice::random:
      return open[random_below(services_.random, open.size())];
    case SeatChoice::pick:
      break;
  }
  if (!wish) return open.front();
  if (*wish < 0 || static_cast<std::size_t>(*wish) >= players())
    return tl::unexpected(Rejection{code::REQUEST_INVALID,
                                    fmt::format("there are seats 0 to {}", players() - 1),
                                    {{"field", "seat"}}});
  if (std::ranges::find(open, static_cast<std::size_t>(*wish)) == open.end())
    return tl::unexpected(taken);
  return static_cast<std::size_t>(*wish);
}

// A new token for whoever sits down: who leaves loses the seat for good.
Sat Room::take_seat(std::size_t seat, const HandleRow& who) {
  Sat sat{static_cast<int>(seat), new_token(services_.random)};
  row_.seats[seat] = {.kind = SeatKind::human,
                      .handle = who.id,
                      .name = who.name,
                      .agent = {},
                      .token_hash = sha256(sat.seat_token),
                      .ready = false};
  lives_[seat] = {};
  lives_[seat].away_since = services_.timers.now();
  row_changed();
  return sat;
}

void Room::empty_seat(std::size_t seat) {
  row_.seats[seat] = {};
  lives_[seat] = {};
  // Whoever looks through this seat's eyes has no right to any more.
  Channel& channel = channels_[seat];
  say([&channel] { channel.dismiss(4403, "the seat is no longer yours", 0); });
  row_changed();
}

void Room::sit(const Caller& caller, std::optional<int> seat, Done<Sat> done) {
  if (!caller.handle)
    return done(tl::unexpected(Rejection{code::TOKEN_MISSING, "sitting down takes a handle"}));
  if (auto wrong = not_open()) return done(tl::unexpected(*wrong));
  const auto chosen = choose_seat(seat);
  if (!chosen) return done(tl::unexpected(chosen.error()));
  Sat sat = take_seat(*chosen, *caller.handle);
  tell_seats();
  finish<Sat>(std::move(done), std::move(sat));
}

void Room::stand(const Caller& caller, Done<TableFacts> done) {
  const auto seat = seat_of(caller);
  if (!seat) return done(tl::unexpected(forbidden("that takes the token of a seat")));
  if (auto wrong = not_open()) return done(tl::unexpected(*wrong));
  empty_seat(seat->index());
  tell_seats();
  finish<TableFacts>(std::move(done), facts());
}

void Room::ready(const Caller& caller, bool is_ready, Done<TableFacts> done) {
  const auto seat = seat_of(caller);
  if (!seat) return done(tl::unexpected(forbidden("that takes the token of a seat")));
  if (row_.state == TableState::playing && is_ready)
    return finish<TableFacts>(std::move(done), facts());
  if (auto wrong = not_open()) return done(tl::unexpected(*wrong));
  row_.seats[seat->index()].ready = is_ready;
  row_changed();
  tell_seats();
  start_if_ready();
  finish<TableFacts>(std::move(done), facts());
}

void Room::seat_bot(const Caller& caller, int seat, const std::string& agent,
                    Done<TableFacts> done) {
  if (auto wrong = not_creator(caller)) return done(tl::unexpected(*wrong));
  if (auto wrong = not_open()) return done(tl::unexpected(*wrong));
  if (seat < 0 || static_cast<std::size_t>(seat) >= players())
    return done(tl::unexpected(Rejection{code::REQUEST_INVALID, "there is no such seat"}));
  SeatRow& row = row_.seats[static_cast<std::size_t>(seat)];
  if (row.kind == SeatKind::human)
    return done(tl::unexpected(Rejection{code::SEAT_TAKEN, "somebody sits there already"}));
  auto limited = limited_agent(agent, *game_, services_.limits_of(row_.config.game));
  if (!limited) return done(tl::unexpected(std::move(limited.error())));
  row = {};
  row.kind = SeatKind::bot;
  row.agent = std::move(*limited);
  row.ready = true;
  row_changed();
  tell_seats();
  start_if_ready();
  finish<TableFacts>(std::move(done), facts());
}

// Bots fill what is empty, and nobody is waited for.
void Room::start(const Caller& caller, Done<TableFacts> done) {
  if (auto wrong = not_creator(caller)) return done(tl::unexpected(*wrong));
  if (auto wrong = not_open()) return done(tl::unexpected(*wrong));
  for (SeatRow& seat : row_.seats)
    if (seat.kind == SeatKind::open) {
      seat.kind = SeatKind::bot;
      seat.agent = services_.settings.stand_in;
      seat.ready = true;
    }
  for (SeatRow& seat : row_.seats) seat.ready = true;
  if (auto begun = begin(); !begun) return done(tl::unexpected(begun.error()));
  finish<TableFacts>(std::move(done), facts());
}

void Room::kick(const Caller& caller, int seat, Done<TableFacts> done) {
  if (auto wrong = not_creator(caller)) return done(tl::unexpected(*wrong));
  if (auto wrong = not_open()) return done(tl::unexpected(*wrong));
  if (seat < 0 || static_cast<std::size_t>(seat) >= players() ||
      row_.seats[static_cast<std::size_t>(seat)].kind == SeatKind::open)
    return done(tl::unexpected(Rejection{code::REQUEST_INVALID, "nobody sits there"}));
  empty_seat(static_cast<std::size_t>(seat));
  tell_seats();
  finish<TableFacts>(std::move(done), facts());
}

void Room::start_if_ready() {
  if (row_.state != TableState::open) return;
  bool somebody = false;
  for (const SeatRow& seat : row_.seats) {
    if (seat.kind == SeatKind::open || !seat.ready) return;
    somebody |= seat.kind == SeatKind::human;
  }
  // A table of bots alone begins when its creator says so.
  if (somebody) (void)begin();  // a game whose set-up fails stays an open table
}

Applied Room::begin() {
  table::SessionConfig config{.id = row_.id,
                              .game = row_.config.game,
                              .options = row_.config.options,
                              .seed = new_seed(services_.random)};
  if (!row_.config.undo) config.allow_undo = false;
  auto session = table::Session::create(game_, std::move(config),
                                        [&timers = services_.timers] { return timers.now(); });
  if (!session) return tl::unexpected(std::move(session.error()));
  session_ = std::move(*session);
  row_.state = TableState::playing;
  row_changed();
  keep(BeginLog{row_.id, session_->record()});
  const Time now = services_.timers.now();
  last_act_ = now;
  for (SeatLife& life : lives_)
    if (life.away_since) life.away_since = now;
  if (services_.counters != nullptr) ++services_.counters->started;
  follow_with_clock({}, {});
  for (std::size_t i = 0; i < channels_.size(); ++i) tell_afresh(i);
  if (session_->over()) end_table(TableState::finished);
  return {};
}

}  // namespace parlor::host
