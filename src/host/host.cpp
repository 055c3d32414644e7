#include "host/host.h"

#include <algorithm>
#include <fmt/core.h>

#include "game/seats.h"
#include "host/secrets.h"
#include "host/words.h"

namespace parlor::host {
namespace {

constexpr std::size_t tables_a_page = 50;
constexpr std::size_t most_restored = 100'000;
constexpr Time sweep_every = 30'000;
// Thousands of tables are not looked at in one go: those who play would wait for it.
constexpr std::size_t swept_at_once = 64;
constexpr Time sweep_goes_on_after = 10;
constexpr Time look_for_orphans_every = 5'000;

Rejection no_table() {
  return {code::TABLE_UNKNOWN, "there is no such table"};
}

TableFacts facts_of(const TableRow& row) {
  TableFacts out{.id = row.id,
                 .game = row.config.game,
                 .game_name = row.config.game,
                 .creator = row.creator,
                 .config = row.config,
                 .state = row.state,
                 .seats = {},
                 .result = row.result,
                 .created = row.created,
                 .updated = row.updated};
  for (const SeatRow& seat : row.seats)
    out.seats.push_back({.kind = seat.kind,
                         .name = {},
                         .who = seat.name,
                         .agent = seat.agent,
                         .ready = seat.ready});
  return out;
}

}  // namespace

Host::Host(HostParts parts)
    : parts_(std::move(parts)),
      writer_(parts_.archive, parts_.writing),
      bots_(parts_.bots),
      services_{.timers = parts_.timers,
                .tables = parts_.tables,
                .writer = writer_,
                .archive = parts_.archive,
                .games = parts_.games,
                .bots = bots_,
                .random = parts_.random,
                .encode = parts_.encode,
                .settings = parts_.settings,
                .counters = &counters_} {
  services_.changed = [this](const TableFacts& facts) {
    const std::lock_guard lock{mutex_};
    if (const auto found = tables_.find(facts.id); found != tables_.end())
      found->second.facts = facts;
  };
  services_.added = [this](const TableRow& row) {
    auto room = Room::make(services_, row, true);
    add_room(row, room);
    room->strand().post([room] {
      if (room->load()) room->keep_first(std::nullopt, std::nullopt, [](const auto&) {});
    });
  };
  services_.ran_away = [this](const std::string& game) {
    parts_.games.forget(game);
    writer_.submit({SuspendUpload{game}}, [](const Applied&) {});
  };
  services_.lost = [this](const std::string& id) {
    const std::lock_guard lock{mutex_};
    if (const auto found = tables_.find(id); found != tables_.end()) found->second.room.reset();
  };
}

Host::~Host() {
  *alive_ = false;
  for (const TimerId timer : {sweep_timer_, lease_timer_, orphan_timer_})
    parts_.timers.cancel(timer);
  writer_.forget();
  for (auto& [id, entry] : tables_) {
    parts_.timers.cancel(entry.touch);
    if (entry.room) entry.room->strand().forget();
  }
  tables_.clear();
}

Applied Host::start() {
  if (parts_.cluster != nullptr) {
    // What others run is none of our business; what nobody runs is taken when it needs somebody.
    schedule_sweep();
    every(parts_.cluster->renew_every(), &Host::lease_timer_, &Host::renew_leases);
    every(look_for_orphans_every, &Host::orphan_timer_, &Host::adopt_orphans);
    return {};
  }
  auto rows = parts_.archive.tables({TableState::open, TableState::playing}, most_restored);
  if (!rows) return tl::unexpected(std::move(rows.error()));
  const Time now = parts_.timers.now();
  // Bots whose move it is go on by themselves; one table after the other is looked at.
  Time when = now;
  const std::lock_guard lock{mutex_};
  for (const TableRow& row : *rows) {
    Entry& entry = tables_[row.id];
    entry.facts = facts_of(row);
    const bool bots =
        row.state == TableState::playing && std::ranges::any_of(row.seats, [](const SeatRow& seat) {
          return seat.kind == SeatKind::bot;
        });
    if (bots) touch_at(entry, row.id, when += 5);
    if (row.deadline && !bots) touch_at(entry, row.id, *row.deadline);
  }
  schedule_sweep();
  return {};
}

void Host::schedule_sweep() {
  sweep_timer_ = parts_.timers.at(parts_.timers.now() + sweep_every, [this, alive = alive_] {
    if (!*alive) return;
    sweep();
    const std::lock_guard lock{mutex_};
    schedule_sweep();
  });
}

// ---- Handles.

void Host::make_handle(const std::string& name, Done<MadeHandle> done) {
  const auto clean = clean_name(name);
  if (!clean)
    return done(tl::unexpected(Rejection{code::NAME_INVALID,
                                         "a name has 1 to 24 characters and no control characters",
                                         {{"field", "name"}}}));
  const Time now = parts_.timers.now();
  MadeHandle made{.handle = {.id = new_id(parts_.random),
                             .name = *clean,
                             .token_hash = {},
                             .created = now,
                             .seen = now},
                  .token = new_token(parts_.random)};
  made.handle.token_hash = sha256(made.token);
  writer_.submit({PutHandle{made.handle}}, [done, made](const Applied& kept) {
    if (kept)
      done(made);
    else
      done(tl::unexpected(kept.error()));
  });
}

void Host::rename_handle(const HandleRow& handle, const std::string& name, Done<HandleRow> done) {
  const auto clean = clean_name(name);
  if (!clean)
    return done(tl::unexpected(
        Rejection{code::NAME_INVALID, "a name has 1 to 24 characters and no control characters"}));
  HandleRow row = handle;
  row.name = *clean;
  row.seen = parts_.timers.now();
  writer_.submit({PutHandle{row}}, [done, row](const Applied& kept) {
    if (kept)
      done(row);
    else
      done(tl::unexpected(kept.error()));
  });
}

void Host::drop_handle(const HandleRow& handle, Done<bool> done) {
  writer_.submit({DropHandle{handle.id}}, [done](const Applied& kept) {
    if (kept)
      done(true);
    else
      done(tl::unexpected(kept.error()));
  });
}

tl::expected<Caller, Rejection> Host::caller(const std::string& token,
                                             const std::string& invite) const {
  Caller out;
  if (!invite.empty()) out.invite_hash = sha256(invite);
  if (token.empty()) return out;
  out.token_hash = sha256(token);
  auto handle = parts_.archive.handle_of_token(out.token_hash);
  if (!handle) return tl::unexpected(std::move(handle.error()));
  out.handle = std::move(*handle);
  return out;
}

// ---- Tables.

tl::expected<TableRow, Rejection> Host::new_row(const Caller& caller, const TableConfig& config,
                                                std::string& invite) {
  auto game = parts_.games.open_as_asked(config.game, config.options);
  if (!game) return tl::unexpected(std::move(game.error()));
  const std::size_t players = (*game)->info().players;
  const Time now = parts_.timers.now();
  TableRow row{.id = new_id(parts_.random),
               .config = config,
               .creator = caller.handle->id,
               .created = now,
               .updated = now};
  row.config.options.players = players;
  row.seats.resize(players);
  if (config.seats.size() > players)
    return tl::unexpected(Rejection{code::REQUEST_INVALID,
                                    fmt::format("the game has {} seats", players),
                                    {{"field", "seats"}}});
  for (std::size_t i = 0; i < config.seats.size(); ++i) {
    if (!config.seats[i].bot) continue;
    auto agent = limited_agent(config.seats[i].agent, **game, services_.limits_of(config.game));
    if (!agent) return tl::unexpected(std::move(agent.error()));
    row.seats[i].kind = SeatKind::bot;
    row.seats[i].agent = std::move(*agent);
    row.seats[i].ready = true;
  }
  if (config.visibility == Visibility::closed) {
    invite = new_token(parts_.random);
    row.invite_hash = sha256(invite);
  }
  return row;
}

void Host::make_table(const Caller& caller, const TableConfig& config, std::optional<int> sit,
                      Done<MadeTable> done) {
  if (!caller.handle)
    return done(tl::unexpected(Rejection{code::TOKEN_MISSING, "making a table takes a handle"}));
  if (draining_)
    return done(tl::unexpected(Rejection{code::DRAINING, "this server is going down"}));
  // Opening a game takes a while: not on the thread that asked.
  parts_.tables.post([this, caller, config, sit, done] {
    std::string invite;
    auto row = new_row(caller, config, invite);
    if (!row) return done(tl::unexpected(std::move(row.error())));
    auto room = Room::make(services_, *row, true);
    add_room(*row, room);
    room->strand().post([this, room, caller, sit, done, invite] {
      const auto undo = [this, room](const Rejection&) {
        const std::lock_guard lock{mutex_};
        tables_.erase(room->id());
      };
      if (auto loaded = room->load(); !loaded) {
        undo(loaded.error());
        return done(tl::unexpected(loaded.error()));
      }
      room->keep_first(caller.handle, sit,
                       [room, undo, done, invite](tl::expected<Sat, Rejection> sat) {
                         if (!sat) {
                           undo(sat.error());
                           // Whoever makes a table asks for a seat by another name.
                           if (sat.error().details.contains("field"))
                             sat.error().details["field"] = "sit";
                           return done(tl::unexpected(sat.error()));
                         }
                         done(MadeTable{room->facts(), *sat, invite});
                       });
    });
  });
}

void Host::add_room(const TableRow& row, std::shared_ptr<Room> room) {
  const std::lock_guard lock{mutex_};
  Entry& entry = tables_[row.id];
  entry.facts = facts_of(row);
  entry.room = std::move(room);
}

std::shared_ptr<Room> Host::find_room(const std::string& id) const {
  const auto found = tables_.find(id);
  return found == tables_.end() ? nullptr : found->second.room;
}

tl::expected<TableRow, Rejection> Host::take_row(const std::string& id) {
  if (parts_.cluster == nullptr) {
    auto row = parts_.archive.table(id);
    if (!row) return tl::unexpected(std::move(row.error()));
    if (!*row) return tl::unexpected(no_table());
    ++(*row)->epoch;
    return std::move(**row);
  }
  auto taken = parts_.cluster->take(id);
  if (!taken) return tl::unexpected(std::move(taken.error()));
  if (taken->row) return std::move(*taken->row);
  if (taken->elsewhere.empty()) return tl::unexpected(no_table());
  return tl::unexpected(Rejection{
      code::TABLE_ELSEWHERE, "another server runs this table", {{"node", taken->elsewhere}}});
}

// The room of a table, made from the archive if it is not in memory. Called with the lock not held.
tl::expected<std::shared_ptr<Room>, Rejection> Host::fetch_room(const std::string& id) {
  // One at a time: whoever takes a table a second time takes it from themselves.
  const std::lock_guard one_fetches{fetch_mutex_};
  {
    const std::lock_guard lock{mutex_};
    if (auto room = find_room(id)) return room;
  }
  auto row = take_row(id);
  if (!row) return tl::unexpected(std::move(row.error()));
  const std::lock_guard lock{mutex_};
  auto room = Room::make(services_, *row, false);
  Entry& entry = tables_[id];
  parts_.timers.cancel(entry.touch);
  entry.touch = 0;
  entry.facts = facts_of(*row);
  entry.room = room;
  return room;
}

void Host::at_table(const std::string& id, const Caller& caller,
                    std::function<void(const std::shared_ptr<Room>&)> work,
                    std::function<void(Rejection)> sorry) {
  {
    const std::lock_guard lock{mutex_};
    if (const auto room = find_room(id))
      return at_memory(room, caller, std::move(work), std::move(sorry));
  }
  // The archive may take a while: not on the thread that asked.
  parts_.tables.post(
      [this, id, caller, work = std::move(work), sorry = std::move(sorry)]() mutable {
        while (true) {
          auto room = fetch_room(id);
          if (!room) return sorry(std::move(room.error()));
          const std::lock_guard lock{mutex_};
          // A room that was sent away meanwhile must not be used beside a new one.
          if (find_room(id) == *room)
            return at_memory(*room, caller, std::move(work), std::move(sorry));
        }
      });
}

// With the lock held: nobody sends the room away meanwhile.
void Host::at_memory(const std::shared_ptr<Room>& room, const Caller& caller,
                     std::function<void(const std::shared_ptr<Room>&)> work,
                     std::function<void(Rejection)> sorry) {
  room->strand().post([room, caller, work = std::move(work), sorry = std::move(sorry)] {
    if (auto loaded = room->load(); !loaded) return sorry(std::move(loaded.error()));
    if (!room->admits(caller)) return sorry(no_table());
    work(room);
  });
}

// ---- Among other nodes.

void Host::every(Time interval, TimerId Host::*timer, void (Host::*work)()) {
  this->*timer = parts_.timers.at(parts_.timers.now() + interval, [=, this, alive = alive_] {
    if (!*alive) return;
    parts_.tables.post([=, this, alive = alive_] {
      if (*alive) (this->*work)();
    });
    const std::lock_guard lock{mutex_};
    every(interval, timer, work);
  });
}

void Host::renew_leases() {
  const auto lost = parts_.cluster->renew();
  if (!lost) return;  // the database is away: whatever is written now is refused
  for (const std::string& id : *lost) {
    std::shared_ptr<Room> room;
    {
      const std::lock_guard lock{mutex_};
      room = find_room(id);
    }
    if (room) room->strand().post([room] { room->moved(); });
  }
}

void Host::adopt_orphans() {
  if (draining_) return;
  const auto found = parts_.cluster->orphans();
  if (!found) return;
  for (const std::string& id : *found) touch(id);
}

void Host::leave() {
  if (parts_.cluster != nullptr) parts_.cluster->leave();
}

void Host::touch(const std::string& id) {
  at_table(
      id, {}, [](const auto&) {}, [](const Rejection&) {});
}

void Host::touch_at(Entry& entry, const std::string& id, Time when) {
  parts_.timers.cancel(entry.touch);
  entry.touch = parts_.timers.at(when, [this, id, alive = alive_] {
    if (*alive) parts_.tables.post([this, id] { touch(id); });
  });
}

// A table that nobody has asked for since the start has only what the archive knows of it.
void Host::name_by_game(TableFacts& facts) const {
  const auto unnamed = [](const SeatFacts& seat) { return seat.name.empty(); };
  if (!std::ranges::any_of(facts.seats, unnamed)) return;
  const auto game = parts_.games.open(facts.game, facts.config.options);
  if (!game) return;
  facts.game_name = (*game)->info().name;
  for (std::size_t i = 0; i < facts.seats.size(); ++i)
    facts.seats[i].name = seat_name(**game, PlayerId{i});
}

tl::expected<TablePage, Rejection> Host::list(const std::vector<TableState>& states,
                                              const std::string& game,
                                              const std::string& after) const {
  std::vector<TableFacts> found;
  const auto take = [&](const TableFacts& facts) {
    if (facts.config.visibility != Visibility::open) return;
    if (!game.empty() && facts.game != game) return;
    if (std::ranges::find(states, facts.state) != states.end()) found.push_back(facts);
  };
  const bool past =
      std::ranges::any_of(states, [](TableState s) { return s >= TableState::finished; });
  if (past || parts_.cluster != nullptr) {
    auto rows = parts_.archive.tables(states, 1'000);
    if (!rows) return tl::unexpected(std::move(rows.error()));
    for (const TableRow& row : *rows) take(facts_of(row));
  } else {
    const std::lock_guard lock{mutex_};
    for (const auto& [id, entry] : tables_) take(entry.facts);
  }
  std::ranges::sort(found, [](const TableFacts& a, const TableFacts& b) {
    return std::tie(b.created, a.id) < std::tie(a.created, b.id);
  });
  auto first = found.begin();
  if (!after.empty()) {
    first = std::ranges::find(found, after, &TableFacts::id);
    if (first != found.end()) ++first;
  }
  TablePage page;
  while (first != found.end() && page.tables.size() < tables_a_page)
    page.tables.push_back(std::move(*first++));
  if (first != found.end()) page.next = page.tables.back().id;
  for (TableFacts& facts : page.tables) name_by_game(facts);
  return page;
}

// ---- Leaving.

void Host::sweep() {
  std::vector<std::weak_ptr<Room>> rooms;
  {
    const std::lock_guard lock{mutex_};
    for (const auto& [id, entry] : tables_)
      if (entry.room) rooms.push_back(entry.room);
  }
  sweep_some(std::move(rooms));
}

void Host::sweep_some(std::vector<std::weak_ptr<Room>> rooms) {
  for (std::size_t n = 0; n < swept_at_once && !rooms.empty(); ++n) {
    if (const auto room = rooms.back().lock())
      room->strand().post([this, room, alive = alive_] {
        if (*alive && room->idle()) evict(room);
      });
    rooms.pop_back();
  }
  if (rooms.empty()) return;
  parts_.timers.at(parts_.timers.now() + sweep_goes_on_after,
                   [this, alive = alive_, rooms = std::move(rooms)]() mutable {
                     if (*alive) sweep_some(std::move(rooms));
                   });
}

void Host::evict(const std::shared_ptr<Room>& room) {
  const std::lock_guard lock{mutex_};
  // Posting happens under this lock: nobody can have asked for it since.
  if (room->strand().waiting()) return;
  const auto found = tables_.find(room->id());
  if (found == tables_.end() || found->second.room != room) return;
  found->second.facts = room->facts();
  found->second.room.reset();
  if (parts_.cluster != nullptr) {
    tables_.erase(found);
    // A trip to the database, so not here; should somebody want it again before, the epoch has
    // moved on.
    parts_.tables.post([this, alive = alive_, id = room->id(), epoch = room->epoch()] {
      if (*alive) parts_.cluster->give_up(id, epoch);
    });
    return;
  }
  if (room->over())
    tables_.erase(found);
  else if (const auto deadline = room->deadline())
    touch_at(found->second, room->id(), *deadline);
}

void Host::drain(int code, const std::string& reason, Time retry_after) {
  draining_ = true;
  std::vector<std::shared_ptr<Room>> rooms;
  {
    const std::lock_guard lock{mutex_};
    for (const auto& [id, entry] : tables_)
      if (entry.room) rooms.push_back(entry.room);
  }
  for (const auto& room : rooms)
    room->strand().post(
        [room, code, reason, retry_after] { room->close(code, reason, retry_after); });
}

Host::Gauges Host::gauges() const {
  Gauges out;
  {
    const std::lock_guard lock{mutex_};
    out.tables = tables_.size();
    for (const auto& [id, entry] : tables_) out.rooms += entry.room != nullptr;
  }
  out.bot_queue = bots_.waiting();
  out.writes_waiting = writer_.waiting();
  out.writes = writer_.counts();
  return out;
}

}  // namespace parlor::host
