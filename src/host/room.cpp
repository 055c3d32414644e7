#include "host/room.h"

#include <fmt/core.h>

#include "host/secrets.h"

namespace parlor::host {

std::shared_ptr<Room> Room::make(Services& services, TableRow row, bool fresh) {
  return std::shared_ptr<Room>(new Room(services, std::move(row), fresh));
}

Room::Room(Services& services, TableRow row, bool fresh)
    : services_(services),
      strand_(std::make_shared<Strand>(services.tables)),
      row_(std::move(row)),
      fresh_(fresh),
      lives_(row_.seats.size()),
      chat_rate_(services.settings.chat) {}

Room::~Room() {
  services_.timers.cancel(timer_);
}

Applied Room::load() {
  // Whoever asked before it was lost asks again and gets the one that is taken from the archive.
  if (gone_)
    return tl::unexpected(Rejection{Code::STORE_FAILED, "the table could not be kept; ask again"});
  if (game_) return {};
  auto game = services_.games.open(row_.config.game, row_.config.options);
  if (!game) return tl::unexpected(std::move(game.error()));
  // It was taken anew: what is told from now on is numbered apart from what was told before.
  if (!fresh_) row_changed();
  const auto now = services_.timers.now();
  if (row_.state != TableState::open) {
    auto record = services_.archive.log(row_.id);
    if (!record) return tl::unexpected(std::move(record.error()));
    auto session = table::Session::restore(*game, std::move(*record),
                                           [&timers = services_.timers] { return timers.now(); });
    if (!session) return tl::unexpected(std::move(session.error()));
    session_ = std::move(*session);
    last_act_ = session_->updated();
  }
  if (!fresh_) {
    auto chat = services_.archive.chat(row_.id);
    if (!chat) return tl::unexpected(std::move(chat.error()));
    chat_ = std::move(*chat);
  }
  game_ = *game;
  scene_ = services_.games.scene(game_);
  clock_ = GameClock{row_.config.clock, players()};
  if (row_.clock.is_object()) {
    if (auto kept = GameClock::from_json(row_.config.clock, row_.clock.value("sides", Json())))
      clock_ = std::move(*kept);
    paused_ = row_.clock.value("paused", false);
    for (const Json& seat : row_.clock.value("standIns", Json::array()))
      if (const auto index = integer_in(seat, 0, static_cast<std::int64_t>(players()) - 1))
        lives_[static_cast<std::size_t>(*index)].stand_in = true;
  }
  for (std::size_t i = 0; i <= players(); ++i) channels_.emplace_back(row_.epoch);
  for (SeatLife& life : lives_) life.away_since = now;
  settle();
  return {};
}

void Room::keep_first(std::optional<HandleRow> sitter, std::optional<int> seat, Done<Sat> done) {
  Sat sat;
  if (sitter && seat) {
    const auto chosen = choose_seat(seat);
    if (!chosen) return done(tl::unexpected(chosen.error()));
    sat = take_seat(*chosen, *sitter);
  }
  row_changed();
  start_if_ready();
  finish<Sat>(std::move(done), std::move(sat));
}

bool Room::admits(const Caller& caller) const {
  if (row_.config.visibility != Visibility::closed) return true;
  if (!caller.invite_hash.empty() && same_secret(caller.invite_hash, row_.invite_hash)) return true;
  if (seat_of(caller)) return true;
  if (!caller.handle) return false;
  if (caller.handle->id == row_.creator) return true;
  for (const SeatRow& seat : row_.seats)
    if (seat.kind == SeatKind::human && seat.handle == caller.handle->id) return true;
  return false;
}

std::optional<PlayerId> Room::seat_of(const Caller& caller) const {
  if (caller.token_hash.empty()) return std::nullopt;
  for (std::size_t i = 0; i < players(); ++i)
    if (row_.seats[i].kind == SeatKind::human &&
        same_secret(row_.seats[i].token_hash, caller.token_hash))
      return PlayerId{i};
  return std::nullopt;
}

bool Room::idle() const {
  if (!in_flight_.empty() || !unsaid_.empty()) return false;
  // Nothing happens any more at a table that is over: who comes back reads it from the archive.
  const Time now = services_.timers.now();
  for (const Channel& channel : channels_)
    if (over() ? channel.attended() : channel.live(now)) return false;
  if (!session_ || over() || paused_) return true;
  const std::vector<PlayerId> pending = session_->state().pending();
  return std::ranges::none_of(pending, [&](PlayerId seat) { return plays_itself(seat.index()); });
}

void Room::close(int code, const std::string& reason, Time retry_after) {
  for (Channel& channel : channels_)
    say([&channel, code, reason, retry_after] { channel.dismiss(code, reason, retry_after); });
  flush();
}

// ---- What is said once it is kept.

void Room::say(Task task, Sorry otherwise) {
  unsaid_.emplace_back(std::move(task), std::move(otherwise));
}

void Room::flush() {
  if (gone_) return;
  if (row_dirty_) {
    row_dirty_ = false;
    row_.updated = std::max(row_.updated, services_.timers.now());
    Json stand_ins = Json::array();
    for (std::size_t i = 0; i < players(); ++i)
      if (lives_[i].stand_in) stand_ins.push_back(i);
    row_.clock = {{"sides", clock_.to_json()}, {"paused", paused_}, {"standIns", stand_ins}};
    const auto flag = clock_.next_flag();
    row_.deadline = flag ? std::optional{flag->at} : std::nullopt;
    writes_.insert(writes_.begin(), PutTable{row_});
    if (services_.changed)
      say([self = weak_from_this()] {
        if (const auto room = self.lock()) room->services_.changed(room->facts());
      });
  }
  if (writes_.empty()) {
    if (in_flight_.empty()) {
      const auto says = std::move(unsaid_);
      unsaid_.clear();
      for (const auto& [task, sorry] : says) task();
    } else {
      auto& waiting = in_flight_.back().says;
      std::move(unsaid_.begin(), unsaid_.end(), std::back_inserter(waiting));
      unsaid_.clear();
    }
    return;
  }
  if (!std::holds_alternative<PutTable>(writes_.front()))
    writes_.insert(writes_.begin(), Fence{row_.id, row_.epoch});
  in_flight_.push_back({std::move(unsaid_)});
  unsaid_.clear();
  Group group = std::move(writes_);
  writes_.clear();
  services_.writer.submit(std::move(group), [self = shared_from_this()](Applied answer) {
    self->strand_->dispatch([self, answer] { self->kept(answer); });
  });
}

void Room::kept(Applied answer) {
  if (gone_) return;
  if (!answer) return fail(answer.error());
  const Batch batch = std::move(in_flight_.front());
  in_flight_.pop_front();
  for (const auto& [task, sorry] : batch.says) task();
}

// What is in memory is ahead of what is kept, and nobody was told: forget it.
void Room::fail(const Rejection& rejection) {
  if (gone_) return;
  gone_ = true;
  for (const Batch& batch : in_flight_)
    for (const auto& [task, sorry] : batch.says)
      if (sorry) sorry(rejection);
  for (const auto& [task, sorry] : unsaid_)
    if (sorry) sorry(rejection);
  in_flight_.clear();
  unsaid_.clear();
  services_.timers.cancel(timer_);
  for (SeatLife& life : lives_)
    if (life.wanted) *life.wanted = false;
  const bool moved = rejection.code == code::TABLE_ELSEWHERE;
  for (Channel& channel : channels_)
    channel.dismiss(moved ? 4410 : 1011, moved ? "moved" : "the table could not be kept",
                    moved ? 0 : 1000);
  if (services_.lost) services_.lost(row_.id);
}

}  // namespace parlor::host
