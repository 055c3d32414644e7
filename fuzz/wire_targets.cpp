// A server without sockets, in one thread and without time: whatever comes over the line is
// answered, and a refusal changes nothing.
#include "fuzz/wire_targets.h"

#include <deque>
#include <fmt/core.h>

#include "host/host.h"
#include "host/secrets.h"
#include "open/open.h"
#include "server/dialogue.h"
#include "server/router.h"

namespace parlor::fuzz {
namespace {

using namespace host;

class Queue final : public Executor {
 public:
  void post(Task task) override { tasks_.push_back(std::move(task)); }
  void run() {
    while (!tasks_.empty()) {
      const Task task = std::move(tasks_.front());
      tasks_.pop_front();
      task();
    }
  }

 private:
  std::deque<Task> tasks_;
};

class NoTime final : public Timers {
 public:
  Time now() const override { return 1'700'000'000'000; }
  TimerId at(Time, Task) override { return ++last_; }
  void cancel(TimerId) override {}

 private:
  TimerId last_ = 0;
};

// Opened once for all inputs: compiling a game takes a thousand times as long as a request. A few
// games have everything a server can be asked about: seats, luck, hidden cards, constants with a
// range, house rules, positions.
Games& shared_games() {
  static const Catalog all = open::catalog(open::Files::none);
  static const Catalog few = [] {
    Catalog out;
    for (const char* name : {"chess", "hex", "leduc-poker", "pig", "tic-tac-toe"})
      out.add(name, [](const std::string& asked, const OpenOptions& options) {
        return all.open(asked, options);
      });
    return out;
  }();
  static Games games{few, 256};
  return games;
}

// A table of two people that has begun.
struct World {
  World()
      : archive(memory_archive()),
        host({.timers = timers,
              .tables = queue,
              .bots = queue,
              .writing = queue,
              .archive = *archive,
              .games = shared_games(),
              .random =
                  [n = std::uint8_t{0}](std::span<std::uint8_t> out) mutable {
                    for (std::uint8_t& byte : out) byte = static_cast<std::uint8_t>(n += 37);
                  },
              .encode = wire::encode}),
        gate(unlimited().limits),
        router(host, gate, settings) {
    host.make_handle("ann", [&](auto made) { ann = made.value(); });
    queue.run();
    caller = {ann.handle, sha256(ann.token), {}};
    auto config = table_config_from_json({{"game", "leduc-poker"}}).value();
    host.make_table(caller, config, 0, [&](auto made) {
      table = made.value().table.id;
      seats[0] = made.value().sat.seat_token;
    });
    queue.run();
    at([&](Room& room) {
      room.sit(caller, 1, [&](auto sat) { seats[1] = sat.value().seat_token; });
    });
    for (const std::string& token : seats)
      at([&](Room& room) { room.ready({std::nullopt, sha256(token), {}}, true, [](auto) {}); });
  }
  // What was kept so far: whatever an input changes for good raises it.
  std::uint64_t written() const { return host.gauges().writes.groups; }

  // Most inputs are refused and leave everything as it was; then the next one finds the same world,
  // which takes much longer to make than an answer.
  static World& current() {
    if (!made_) made_ = std::make_unique<World>();
    return *made_;
  }
  static void make_anew() { made_.reset(); }

  void at(const std::function<void(Room&)>& work) {
    host.at_table(
        table, caller, [&](const std::shared_ptr<Room>& room) { work(*room); }, [](auto) {});
    queue.run();
  }
  static server::ServerSettings unlimited() {
    server::ServerSettings out;
    for (Rate* rate : {&out.limits.requests, &out.limits.handles, &out.limits.tables,
                       &out.limits.acts, &out.limits.why})
      rate->most = 1e12;
    return out;
  }

  Queue queue;
  NoTime timers;
  std::unique_ptr<Archive> archive;
  Host host;
  server::ServerSettings settings = unlimited();
  server::Gate gate;
  server::Router router;
  MadeHandle ann;
  Caller caller;
  std::string table;
  std::array<std::string, 2> seats;

 private:
  static inline std::unique_ptr<World> made_;
};

class Outlet final : public server::Outlet {
 public:
  explicit Outlet(Queue& queue) : queue_(queue) {}
  void send(FramePtr frame) override {
    auto json = parse_json(frame->text);
    if (!json || !json->is_object() || !json->contains("t"))
      broken("frames are objects", frame->text);
    if ((*json)["t"] == "reject" && (*json)["error"].value("code", "").empty())
      broken("a refusal has a code", frame->text);
    said.push_back(std::move(*json));
  }
  void close(int, std::string, Time) override { closed = true; }
  void post(Task task) override { queue_.post(std::move(task)); }
  Time lag() const override { return 0; }
  std::vector<Json> said;
  bool closed = false;

 private:
  Queue& queue_;
};

std::vector<std::string_view> requests_in(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty() && out.size() < 64) {
    const auto end = std::min(text.find('\n'), text.size());
    out.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace

// Lines are frames of the first seat, after its hello.
void run_frames(std::string_view text) {
  World& world = World::current();
  const auto outlet = std::make_shared<Outlet>(world.queue);
  const auto dialogue =
      std::make_shared<server::Dialogue>(world.host, world.gate, world.table, "127.0.0.1", outlet);
  dialogue->on_text(canonical({{"t", "hello"}, {"token", world.seats[0]}}));
  world.queue.run();
  const auto kept = [&] { return world.archive->log(world.table)->log.size(); };
  const std::uint64_t written = world.written();
  bool changed = false;
  for (const std::string_view line : requests_in(text)) {
    const std::size_t before = kept(), heard = outlet->said.size();
    dialogue->on_text(line);
    world.queue.run();
    bool refused = false, accepted = false;
    for (std::size_t i = heard; i < outlet->said.size(); ++i) {
      const Json& kind = outlet->said[i]["t"];
      refused |= kind == "reject";
      accepted |= kind == "ack" || kind == "update";
      changed |= outlet->said[i].contains("seq") && kind != "sync";  // told to others too
    }
    if (refused && !accepted && kept() != before) broken("a refusal changes nothing", line);
    if (outlet->closed) break;
  }
  dialogue->on_closed();
  world.queue.run();
  if (changed || world.written() != written) World::make_anew();
}

std::vector<std::string> frames_seeds() {
  return {
      R"({"t":"act","id":"a","rev":0,"option":0}
{"t":"act","id":"a","rev":0,"option":0}
{"t":"act","id":"b","rev":1,"request":{"action":"call","params":{}}})",
      R"({"t":"why","id":"w","request":{"action":"raise","params":{}}}
{"t":"offer","kind":"draw"}
{"t":"answer","kind":"draw","yes":true}
{"t":"chat","text":"hi"}
{"t":"ping","c":1}
{"t":"sync"})",
      R"({"t":"queue","acts":[{"request":{"action":"call"},"after":2,"if":{"act":{"action":"raise"}}}]}
{"t":"claim","what":"win","seat":1}
{"t":"resign","id":"r"})"};
}

// "METHOD TARGET\nheader: value\n…\n\nbody"; `@` in a header stands for the handle's token, `#` for
// the seat's,
// `$` in the target for the table.
void run_http(std::string_view text) {
  World& world = World::current();
  const std::uint64_t written = world.written();
  server::HttpRequest request;
  request.address = "127.0.0.1";
  const auto head_end = std::min(text.find("\n\n"), text.size());
  const auto lines = requests_in(text.substr(0, head_end));
  if (lines.empty()) return;
  const auto blank = std::min(lines[0].find(' '), lines[0].size());
  request.method = lines[0].substr(0, blank);
  request.target = lines[0].substr(std::min(blank + 1, lines[0].size()));
  if (const auto at = request.target.find('$'); at != std::string::npos)
    request.target.replace(at, 1, world.table);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto colon = std::min(lines[i].find(": "), lines[i].size());
    std::string value{lines[i].substr(std::min(colon + 2, lines[i].size()))};
    if (const auto at = value.find('@'); at != std::string::npos)
      value.replace(at, 1, world.ann.token);
    if (const auto at = value.find('#'); at != std::string::npos)
      value.replace(at, 1, world.seats[0]);
    request.headers[std::string{lines[i].substr(0, colon)}] = value;
  }
  if (head_end < text.size()) request.body = text.substr(head_end + 2);
  // A child process for every input would be too slow, and is not what is looked at here.
  for (const char* apart : {"check", "eval"})
    if (request.target.find(apart) != std::string::npos) return;
  int answers = 0;
  world.router.handle(request, [&](const server::HttpResponse& response) {
    ++answers;
    if (response.status < 200 || response.status > 599) broken("an answer has a status");
    if (response.status >= 400) {
      const auto json = parse_json(response.body);
      if (!json || (*json)["error"].value("code", "").empty())
        broken("a refusal has a code", response.body);
    }
    if (response.body.find(world.ann.token) != std::string::npos)
      broken("tokens are not told again", response.body);
  });
  world.queue.run();
  if (answers != 1) broken("every request is answered once", text);
  // Answers to requests with a key are remembered: that changes the world too.
  if (world.written() != written || request.headers.contains("idempotency-key")) World::make_anew();
}

std::vector<std::string> http_seeds() {
  return {
      "GET /api/v1/games",
      "GET /api/v1/tables?state=playing&game=pig&after=x",
      "GET /api/v1/tables/$",
      "GET /api/v1/tables/$/log?from=1\nauthorization: Bearer #",
      "GET /api/v1/tables/$/replay",
      "POST /api/v1/tables\nauthorization: Bearer @\nidempotency-key: "
      "k\n\n{\"game\":\"pig\",\"players\":3,"
      "\"clock\":\"fischer:3+2\",\"seats\":[{\"kind\":\"bot\",\"agent\":\"random\"}],\"sit\":1}",
      "POST /api/v1/tables/$/ready\nauthorization: Bearer #\n\n{}",
      "POST /api/v1/tables/$/kick\nauthorization: Bearer @\n\n{\"seat\":1}",
      "POST /api/v1/handles\norigin: http://x\nhost: x\n\n{\"name\":\"bob\"}",
      "PATCH /api/v1/handles/me\nauthorization: Bearer @\n\n{\"name\":\"eve\"}",
      "POST /api/v1/games/chess/options\n\n{\"rules\":[\"atomic\"]}"};
}

}  // namespace parlor::fuzz
