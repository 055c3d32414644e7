// A host in a world where time stands still until a test moves it on, everything happens in one
// thread and in order, and randomness is counted. Whatever happens happens again the same way.
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <fmt/core.h>
#include <map>
#include <set>

#include "host/host.h"
#include "host/patch.h"
#include "host/secrets.h"
#include "open/open.h"
#include "opened_once.h"
#include "rounds.h"
#include "wire/wire.h"

namespace parlor::test {

using namespace parlor::host;

class QueueExecutor final : public Executor {
 public:
  void post(Task task) override { tasks_.push_back(std::move(task)); }
  bool run_one() {
    if (tasks_.empty()) return false;
    Task task = std::move(tasks_.front());
    tasks_.pop_front();
    task();
    return true;
  }
  void forget() { tasks_.clear(); }

 private:
  std::deque<Task> tasks_;
};

class SimulatedTimers final : public Timers {
 public:
  Time now() const override { return now_; }
  TimerId at(Time when, Task task) override {
    waiting_.emplace(std::pair{when, ++last_}, std::move(task));
    return last_;
  }
  void cancel(TimerId timer) override {
    std::erase_if(waiting_, [&](const auto& one) { return one.first.second == timer; });
  }
  // The next task that is due by then, if any; time moves on to it.
  std::optional<Task> due(Time until) {
    if (waiting_.empty() || waiting_.begin()->first.first > until) {
      now_ = std::max(now_, until);
      return std::nullopt;
    }
    now_ = std::max(now_, waiting_.begin()->first.first);
    Task task = std::move(waiting_.begin()->second);
    waiting_.erase(waiting_.begin());
    return task;
  }

 private:
  Time now_ = 1'700'000'000'000;
  TimerId last_ = 0;
  std::map<std::pair<Time, TimerId>, Task> waiting_;
};

inline const Catalog& test_catalog() {
  static const Catalog real = open::catalog(open::Files::none);
  static const Catalog all = opened_once(real);
  return all;
}

// Somebody who is connected: remembers what was said, and follows the state as a client does.
class Client final : public Listener {
 public:
  void hear(FramePtr frame) override {
    Json json = Json::parse(frame->text);
    follow(json);
    texts.push_back(frame->text);
    frames.push_back(std::move(json));
  }
  void dismiss(int code, std::string reason, Time) override {
    closed = code;
    why_closed = std::move(reason);
  }
  const Json* last(std::string_view kind) const {
    for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame)
      if ((*frame)["t"] == kind) return &*frame;
    return nullptr;
  }
  std::size_t count(std::string_view kind) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(frames, [&](const Json& frame) { return frame["t"] == kind; }));
  }
  std::string error() const {  // of the last refusal
    const Json* reject = last("reject");
    return reject == nullptr ? "" : (*reject)["error"]["code"].get<std::string>();
  }
  void follow(const Json& frame) {
    const std::string kind = frame["t"];
    if (frame.contains("seq")) {
      if (kind != "welcome" && kind != "sync" && seq != 0) {
        EXPECT_EQ(frame["seq"], seq + 1) << frame;
      }
      if (kind != "welcome") seq = frame["seq"];
    }
    if (kind == "sync") state = frame["state"];
    if (kind == "update" && !believes) (void)apply_patch(state, frame["patch"]);
    if (kind == "update" && believes) {
      Json told = state;
      EXPECT_TRUE(apply_patch(state, frame["patch"])) << frame;
      // What happened is enough to get there, too (W-11).
      apply_events(told, frame["events"]);
      for (const char* part :
           {"zones", "globals", "players", "zoneVars", "markers", "globalMarkers"})
        EXPECT_EQ(told[part], state[part]) << frame;
    }
    if (kind == "sync" || kind == "update") {
      rev = frame["rev"];
      decision = frame["decision"];
      view_hash = frame["viewHash"];
      if (state.is_object() && believes) {
        EXPECT_EQ(view_hash, stage_hash(state)) << frame;
      }
    }
  }

  // Servers broken on purpose are not held to what they say.
  static inline bool believes = true;
  std::vector<Json> frames;
  std::vector<std::string> texts;
  Json state, decision;
  std::string view_hash;
  std::uint64_t rev = 0, seq = 0;
  int closed = 0;
  std::string why_closed;
};
using ClientPtr = std::shared_ptr<Client>;

struct Person {
  HandleRow handle;
  std::string token;
  Caller caller() const { return {handle, sha256(token), {}}; }
};

struct Seated {
  int seat = nobody;
  std::string token;
  Caller caller() const { return {std::nullopt, sha256(token), {}}; }
};

class Simulation {
 public:
  explicit Simulation(Settings settings = {}, std::unique_ptr<Archive> given = memory_archive(),
                      Encode encode = wire::encode)
      : archive(std::move(given)),
        settings_(std::move(settings)),
        encode_(encode),
        games(test_catalog()) {
    start();
  }

  // The process ends and begins again; only the archive stays.
  void restart() {
    host.reset();
    executor.forget();
    start();
  }

  void run() {
    while (executor.run_one()) {
    }
  }
  void advance(Time milliseconds) {
    const Time until = timers.now() + milliseconds;
    run();
    while (auto task = timers.due(until)) {
      (*task)();
      run();
    }
  }

  Person person(const std::string& name) {
    Person out;
    host->make_handle(name, [&](tl::expected<MadeHandle, Rejection> made) {
      ASSERT_TRUE(made) << made.error().message;
      out = {made->handle, made->token};
    });
    run();
    return out;
  }
  tl::expected<MadeTable, Rejection> try_table(const Person& who, const Json& config,
                                               std::optional<int> sit = {}) {
    tl::expected<MadeTable, Rejection> out = tl::unexpected(Rejection{Code::INTERNAL, "no answer"});
    auto read = table_config_from_json(config);
    if (!read) return tl::unexpected(read.error());
    host->make_table(who.caller(), *read, sit, [&](auto made) { out = std::move(made); });
    run();
    return out;
  }
  MadeTable table(const Person& who, const Json& config, std::optional<int> sit = {}) {
    auto made = try_table(who, config, sit);
    EXPECT_TRUE(made) << (made ? "" : made.error().message);
    return made ? *made : MadeTable{};
  }
  // Does something at a table, as somebody.
  void at(const std::string& id, const Caller& caller, const std::function<void(Room&)>& work) {
    host->at_table(
        id, caller, [&](const std::shared_ptr<Room>& room) { work(*room); },
        [&](const Rejection& rejection) { refused = rejection.code; });
    run();
  }
  Seated sit(const std::string& id, const Person& who, std::optional<int> seat = {}) {
    Seated out;
    refused.clear();
    at(id, who.caller(), [&](Room& room) {
      room.sit(who.caller(), seat, [&](tl::expected<Sat, Rejection> sat) {
        if (sat)
          out = {sat->seat, sat->seat_token};
        else
          refused = sat.error().code;
      });
    });
    return out;
  }
  void ready(const std::string& id, const Seated& seat) {
    refused.clear();
    at(id, seat.caller(), [&](Room& room) {
      room.ready(seat.caller(), true, [&](tl::expected<TableFacts, Rejection> done) {
        if (!done) refused = done.error().code;
      });
    });
  }
  TableFacts facts(const std::string& id) {
    TableFacts out;
    at(id, {}, [&](Room& room) { out = room.facts(); });
    return out;
  }
  ClientPtr join(const std::string& id, const Caller& caller, bool watch = false,
                 std::optional<std::uint64_t> since = {}, ClientPtr client = {}) {
    if (!client) client = std::make_shared<Client>();
    at(id, caller, [&](Room& room) {
      room.join(client, {caller, watch, since}, [&](tl::expected<int, Rejection> seat) {
        if (!seat) refused = seat.error().code;
      });
    });
    return client;
  }
  void leave(const std::string& id, const ClientPtr& client) {
    at(id, everybody, [&](Room& room) { room.leave(client.get()); });
  }
  void act(const std::string& id, const ClientPtr& client, int seat, std::size_t option,
           std::string action_id = {}) {
    if (action_id.empty()) action_id = "a" + std::to_string(++acts_);
    at(id, everybody, [&](Room& room) {
      room.act(client, PlayerId{seat}, {action_id, client->rev, {{"index", option}}, 0});
    });
  }

  std::unique_ptr<Archive> archive;
  QueueExecutor executor;
  SimulatedTimers timers;
  Caller everybody;  // enough for public tables
  std::string refused;

 private:
  void start() {
    host.emplace(HostParts{.timers = timers,
                           .tables = executor,
                           .bots = executor,
                           .writing = executor,
                           .archive = *archive,
                           .games = games,
                           .random =
                               [this](std::span<std::uint8_t> out) {
                                 for (std::uint8_t& byte : out)
                                   byte = static_cast<std::uint8_t>(random_.below(256));
                               },
                           .encode = encode_,
                           .settings = settings_});
    EXPECT_TRUE(host->start());
    run();
  }
  Settings settings_;
  Encode encode_;
  Rng random_{20261116};
  std::uint64_t acts_ = 0;

 public:
  Games games;
  std::optional<Host> host;
};

// Two people at a table that has begun, both connected.
struct Match {
  explicit Match(Json config = {{"game", "connect-four"}}, Settings settings = {},
                 std::unique_ptr<Archive> archive = memory_archive())
      : world(std::move(settings), std::move(archive)) {
    ann = world.person("ann");
    bob = world.person("bob");
    const MadeTable made = world.table(ann, config, 0);
    id = made.table.id;
    seats[0] = {made.sat.seat, made.sat.seat_token};
    seats[1] = world.sit(id, bob, 1);
    clients[0] = world.join(id, seats[0].caller());
    clients[1] = world.join(id, seats[1].caller());
    for (const Seated& seat : seats) world.ready(id, seat);
  }
  void act(int seat, std::size_t option) {
    world.act(id, clients[static_cast<std::size_t>(seat)], seat, option);
  }
  void at(const std::function<void(Room&)>& work) { world.at(id, {}, work); }

  Simulation world;
  Person ann, bob;
  std::string id;
  std::array<Seated, 2> seats;
  std::array<ClientPtr, 2> clients;
};

}  // namespace parlor::test
