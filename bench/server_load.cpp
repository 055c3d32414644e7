// People at a server: scripted ones who play random legal options over real sockets and check every
// frame they are told (S-44, S-84), and what that costs the server. It starts the server itself.
//
//   build/bench/bench_server_load --tables 5000 --acts 1000 --seconds 30 --store memory
//   build/bench/bench_server_load --tables 1 --spectators 5000 --acts 2 --seconds 20
//
//   --parlor FILE     the program (build/parlor)
//   --game NAME       what is played (connect-four)
//   --store STORE     memory, sqlite:FILE, postgres:CONNINFO
//   --port PORT       where (18180)
//   --seconds N       how long it is measured
//   --acts N          acts a second, over all tables
//   --steady PERCENT  wrong if the server's memory grows by more in the second half of the time, or
//                     if it has more descriptors open at the end than at half of the time
//   --restart yes     ends the server afterwards and starts it again on the same store: how long
//                     until it is ready, until everybody is back, and how late a flag falls
//   --json yes        prints the figures as one JSON object
//
// An act counts from the moment it was due, so that whatever holds up this program counts too. What
// the machine did by itself is told beside it: its disk alone before anybody plays, and the time it
// gave to somebody else meanwhile.
// A table that is over is left, and another one made. Prints one line for each figure. Ends with 1
// if a frame did not fit. bench/server_goals.py holds the figures against what is wanted.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "base/rng.h"
#include "host/contract.h"
#include "host/patch.h"
#include "load_line.h"
#include "load_machine.h"

namespace {

using namespace parlor;
using namespace parlor::load;
using Clock = std::chrono::steady_clock;

struct Tally {
  std::uint64_t frames = 0, checked = 0, wrong = 0, acks = 0, rejects = 0, over = 0;
  std::vector<double> act_ms, fan_ms;
  std::vector<Clock::time_point> act_due;  // of each in act_ms
};

// Somebody with a socket. Those who watch the same table are told the same bytes, which the first
// of them checks for all.
struct Person {
  int line = -1;
  int table = 0;
  std::string buffer;
  Json state;
  std::uint64_t rev = 0, options = 0;
  bool joined = false, over = false;
  Clock::time_point acted, over_at;
  bool waiting = false;
  Person* first_watcher = nullptr;            // of those who watch
  std::string latest;                         // its latest update
  std::pair<std::string, std::string> place;  // table and token

  void open(unsigned short port, const std::string& id, const std::string& token) {
    line = connect_to(port);
    if (line < 0) give_up("cannot connect");
    send_all(line, "GET /api/v1/tables/" + id +
                       "/ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: "
                       "Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "
                       "dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
    std::size_t end = 0;
    while ((end = buffer.find("\r\n\r\n")) == std::string::npos) receive(line, buffer, true);
    if (!buffer.starts_with("HTTP/1.1 101")) give_up(buffer);
    buffer.erase(0, end + 4);
    const Json hello = token.empty() ? Json{{"t", "hello"}, {"as", "watch"}}
                                     : Json{{"t", "hello"}, {"as", "seat"}, {"token", token}};
    send_all(line, frame_of(hello.dump()));
  }

  void act(Rng& rng, Clock::time_point due) {
    acted = due;
    waiting = true;
    send_all(line, frame_of(fmt::format(R"({{"t":"act","id":"r{}","rev":{},"option":{}}})", rev,
                                        rev, rng.below(options))));
    options = 0;
  }

  void take(Tally& tally, std::string_view text, const std::vector<Clock::time_point>& acts) {
    ++tally.frames;
    if (first_watcher != nullptr && first_watcher != this && joined &&
        text == first_watcher->latest) {
      tally.fan_ms.push_back(since(acts[static_cast<std::size_t>(table)]));
      ++tally.checked;
      return;
    }
    const auto parsed = parse_json(text);
    if (!parsed) give_up("a frame is no JSON");
    const Json& frame = *parsed;
    const std::string kind = frame["t"];
    if (kind == "ack") {
      ++tally.acks;
      tally.act_ms.push_back(since(acted));
      tally.act_due.push_back(acted);
      waiting = false;
    } else if (kind == "reject") {
      ++tally.rejects;
      waiting = false;
    } else if (kind == "over") {
      ++tally.over;
      over = true;
      over_at = Clock::now();
      options = 0;
    } else if (kind == "sync") {
      state = frame["state"];
      joined = !state.is_null();
      see(frame);
    } else if (kind == "update") {
      ++tally.checked;
      if (!host::apply_patch(state, frame["patch"]) ||
          host::stage_hash(state) != frame["viewHash"].get<std::string>())
        ++tally.wrong;
      if (first_watcher != nullptr) {
        latest = text;
        tally.fan_ms.push_back(since(acts[static_cast<std::size_t>(table)]));
      }
      see(frame);
    }
  }

 private:
  static double since(Clock::time_point then) {
    return std::chrono::duration<double, std::milli>(Clock::now() - then).count();
  }
  void see(const Json& frame) {
    rev = frame["rev"];
    const Json& decision = frame["decision"];
    options = decision.is_object() && decision.contains("options") ? decision["options"].size() : 0;
  }
};

struct Wishes {
  std::string parlor = "build/parlor", store = "memory", game = "connect-four";
  unsigned short port = 18180;
  std::size_t tables = 1000, spectators = 0;
  double acts = 500, seconds = 10, steady = 0;
  bool restart = false, json = false;
};

Wishes read_wishes(int count, char** words) {
  Wishes out;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string key = words[i], value = words[i + 1];
    if (key == "--parlor")
      out.parlor = value;
    else if (key == "--store")
      out.store = value;
    else if (key == "--game")
      out.game = value;
    else if (key == "--port")
      out.port = static_cast<unsigned short>(std::stoul(value));
    else if (key == "--tables")
      out.tables = std::stoul(value);
    else if (key == "--spectators")
      out.spectators = std::stoul(value);
    else if (key == "--acts")
      out.acts = std::stod(value);
    else if (key == "--steady")
      out.steady = std::stod(value);
    else if (key == "--restart")
      out.restart = value == "yes";
    else if (key == "--json")
      out.json = value == "yes";
    else if (key == "--seconds")
      out.seconds = std::stod(value);
    else
      give_up("there is no option " + key);
  }
  return out;
}

// The server, without limits for the one address everybody has here.
class Served {
 public:
  explicit Served(const Wishes& wishes) : wishes_(wishes) {
    if (connect_to(wishes.port) >= 0) give_up("somebody else has the port already");
    start();
  }
  ~Served() { stop(); }

  void start() {
    const std::string config = fmt::format("/tmp/parlor-load-{}.json", getpid());
    std::ofstream(config)
        << R"({"limits":{"requestsPerSecond":1000000000,"handlesPerHour":1000000000,
      "tablesPerHour":1000000000,"actsPerSecond":1000000000,"whyPerSecond":1000000000,
      "socketsPerAddress":1000000,"sockets":1000000}})";
    pid_ = fork();
    if (pid_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGTERM);  // it ends with us
      const std::string listen = fmt::format("127.0.0.1:{}", wishes_.port);
      execl(wishes_.parlor.c_str(), "parlor", "serve", "--listen", listen.c_str(), "--store",
            wishes_.store.c_str(), "--config", config.c_str(), nullptr);
      _exit(127);
    }
    for (int n = 0; n < 3000; ++n) {
      if (const int line = connect_to(wishes_.port); line >= 0) {
        close(line);
        unlink(config.c_str());
        return;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds{10});
    }
    give_up("the server does not come up");
  }
  void stop() {
    if (pid_ == 0) return;
    kill(pid_, SIGTERM);
    waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }

  // In KB.
  std::size_t resident() const {
    std::ifstream status(fmt::format("/proc/{}/status", pid_));
    for (std::string line; std::getline(status, line);)
      if (line.starts_with("VmRSS:")) return std::stoull(line.substr(6));
    return 0;
  }
  std::size_t descriptors() const {
    const std::filesystem::directory_iterator open(fmt::format("/proc/{}/fd", pid_));
    return static_cast<std::size_t>(std::distance(begin(open), end(open)));
  }
  double processor_seconds() const {
    std::ifstream stat(fmt::format("/proc/{}/stat", pid_));
    std::string word;
    double ticks = 0;
    for (int field = 1; field <= 15 && stat >> word; ++field)
      if (field >= 14) ticks += std::stod(word);  // user and system
    return ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
  }

 private:
  const Wishes wishes_;
  pid_t pid_ = 0;
};

class Evening {
 public:
  explicit Evening(const Wishes& wishes)
      : wishes_(wishes), server_(wishes), people_(wishes.tables * 2 + wishes.spectators) {
    epoll_ = epoll_create1(EPOLL_CLOEXEC);
  }

  int run() {
    const std::size_t bare = server_.resident();
    seat_everybody();
    settle(people_.size());
    const std::size_t full = server_.resident();
    const auto a_socket = [&](std::size_t resident) {
      return static_cast<double>(resident - bare) / static_cast<double>(people_.size());
    };
    figures_["sockets"] = people_.size();
    fmt::print("sockets                    {}\n", people_.size());
    fmt::print("resident before            {} KB\n", bare);
    fmt::print("resident with all          {} KB, {:.1f} KB a socket with its table\n", full,
               a_socket(full));
    look_at_disk();
    tally_ = {};
    const double began = server_.processor_seconds(), stolen = stolen_ms();
    play();
    processor_ = server_.processor_seconds() - began;
    stolen_ = stolen_ms() - stolen;
    report();
    figures_["kbPerSocket"] = a_socket(server_.resident());
    fmt::print("                           {:.1f} KB a socket with its table\n",
               figures_["kbPerSocket"].get<double>());
    if (wishes_.restart) restart();
    if (wishes_.json) fmt::print("{}\n", figures_.dump());
    return tally_.wrong == 0 && tally_.rejects == 0 && !grew_ ? 0 : 1;
  }

 private:
  void look_at_disk() {
    constexpr std::string_view sqlite = "sqlite:";
    if (!wishes_.store.starts_with(sqlite)) return;
    const std::filesystem::path file{wishes_.store.substr(sqlite.size())};
    auto ms = disk_alone(file.has_parent_path() ? file.parent_path() : ".", 4);
    fmt::print("the disk alone             {}\n", times("diskMs", ms));
  }
  std::string times(const char* key, std::vector<double>& ms) {
    figures_[key] = {
        {"p50", percentile(ms, 0.5)}, {"p99", percentile(ms, 0.99)}, {"worst", percentile(ms, 1)}};
    return fmt::format("p50 {:.2f} ms, p99 {:.2f} ms, worst {:.2f} ms", percentile(ms, 0.5),
                       percentile(ms, 0.99), percentile(ms, 1));
  }
  void seat_everybody() {
    asker_.emplace(wishes_.port);
    if (!asker_->open()) give_up("cannot connect");
    ann_ = asker_->ask("POST", "/handles", "", {{"name", "ann"}})["token"];
    acts_.resize(wishes_.tables);
    make_tables();
    for (std::size_t t = 0; t < wishes_.tables; ++t) {
      join_two(t);
      if (t == 0)
        for (std::size_t i = 0; i < wishes_.spectators; ++i) {
          Person& person = people_[wishes_.tables * 2 + i];
          person.first_watcher = &people_[wishes_.tables * 2];
          join(person, t, people_[0].place.first, "");
          if (i % 100 == 99) listen_to_all();
        }
      if (t % 100 == 99) listen_to_all();
    }
  }
  // Many ask at once, since whoever asks waits until a disk has what was said.
  void make_tables() {
    constexpr std::size_t askers = 32;
    std::vector<std::thread> asking;
    for (std::size_t n = 0; n < std::min(askers, wishes_.tables); ++n)
      asking.emplace_back([this, n] {
        Asker asker{wishes_.port};
        for (std::size_t t = n; t < wishes_.tables; t += askers) make_table(asker, t);
      });
    for (std::thread& one : asking) one.join();
  }
  // A table that has begun, with places for two.
  void make_table(Asker& asker, std::size_t t, const std::string& clock = "none") {
    const Json made =
        asker.ask("POST", "/tables", ann_,
                  {{"game", wishes_.game}, {"players", 2}, {"sit", 0}, {"clock", clock}});
    const std::string id = made["table"]["id"];
    const std::string second =
        asker.ask("POST", "/tables/" + id + "/sit", ann_, {{"seat", 1}})["seatToken"];
    const std::string tokens[] = {made["seatToken"], second};
    for (std::size_t seat = 0; seat < 2; ++seat) {
      asker.ask("POST", "/tables/" + id + "/ready", tokens[seat], Json::object());
      people_[t * 2 + seat].place = {id, tokens[seat]};
    }
  }
  void join_two(std::size_t t) {
    for (Person* person : {&people_[t * 2], &people_[t * 2 + 1]})
      join(*person, t, person->place.first, person->place.second);
  }
  void begin_anew(std::size_t t) {
    for (Person* person : {&people_[t * 2], &people_[t * 2 + 1]}) {
      close(person->line);
      *person = {};
    }
    make_table(*asker_, t);
    join_two(t);
  }
  void join(Person& person, std::size_t table, const std::string& id, const std::string& token) {
    person.table = static_cast<int>(table);
    person.open(wishes_.port, id, token);
    epoll_event event{EPOLLIN, {.ptr = &person}};
    epoll_ctl(epoll_, EPOLL_CTL_ADD, person.line, &event);
  }
  // Takes what has come; waits that long for something.
  bool listen(int milliseconds) {
    epoll_event events[512];
    const int ready = epoll_wait(epoll_, events, 512, milliseconds);
    for (int i = 0; i < ready; ++i) {
      auto& person = *static_cast<Person*>(events[i].data.ptr);
      while (receive(person.line, person.buffer, false)) {
      }
      take_frames(person.line, person.buffer,
                  [&](std::string_view text) { person.take(tally_, text, acts_); });
    }
    return ready > 0;
  }
  void listen_to_all() {
    while (listen(0)) {
    }
  }
  void settle(std::size_t how_many) {
    const auto until = Clock::now() + std::chrono::seconds{60};
    const auto here = std::span{people_}.first(how_many);
    while (Clock::now() < until &&
           !std::ranges::all_of(here, [](const Person& one) { return one.joined; }))
      listen(50);
    while (listen(300)) {
    }
  }

  // Acts at an even pace, by whoever may.
  void play() {
    const auto began = began_ = Clock::now();
    const auto until = began + std::chrono::duration<double>(wishes_.seconds);
    Rng rng{7};
    std::uint64_t sent = 0;
    std::size_t at = 0;
    const std::size_t players = wishes_.tables * 2;
    while (Clock::now() < until) {
      const double passed = std::chrono::duration<double>(Clock::now() - began).count();
      for (std::size_t tried = 0;
           static_cast<double>(sent) < passed * wishes_.acts && tried < players; ++tried) {
        Person& person = people_[at++ % players];
        const auto table = static_cast<std::size_t>(person.table);
        if (wishes_.spectators == 0 && people_[table * 2].over && people_[table * 2 + 1].over)
          begin_anew(table);
        if (person.options == 0 || person.waiting) continue;
        acts_[static_cast<std::size_t>(person.table)] = Clock::now();
        person.act(
            rng, began + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(
                             static_cast<double>(sent) / wishes_.acts)));
        ++sent;
      }
      listen(1);
      if (half_ == 0 && passed > wishes_.seconds / 2) {
        half_ = server_.resident();
        half_open_ = server_.descriptors();
      }
    }
    took_ = std::chrono::duration<double>(Clock::now() - began).count();
    while (listen(300)) {
    }
  }

  void report() {
    const auto acts = static_cast<double>(tally_.acks);
    figures_["actsPerSecond"] = acts / took_;
    figures_["processorMsPerAct"] = 1000 * processor_ / std::max(1.0, acts);
    figures_["wrong"] = tally_.wrong;
    figures_["refused"] = tally_.rejects;
    fmt::print("acts acknowledged          {} in {:.1f} s, {:.0f} a second\n", tally_.acks, took_,
               acts / took_);
    tell_slow_moments();
    fmt::print("act to ack                 {}\n", times("actMs", tally_.act_ms));
    figures_["stolenMs"] = stolen_;
    fmt::print("taken by other machines    {:.0f} ms of {:.0f}\n", stolen_,
               1000 * took_ * std::thread::hardware_concurrency());
    if (!tally_.fan_ms.empty())
      fmt::print("act to those who watch     {}\n", times("watchMs", tally_.fan_ms));
    fmt::print("processor time an act      {:.3f} ms\n",
               figures_["processorMsPerAct"].get<double>());
    fmt::print("frames                     {}, {} of them checked, {} wrong, {} refused\n",
               tally_.frames, tally_.checked, tally_.wrong, tally_.rejects);
    const std::size_t end = server_.resident(), open = server_.descriptors();
    const double growth = 100.0 * (static_cast<double>(end) / static_cast<double>(half_) - 1);
    fmt::print("resident at the end        {} KB, {:+.1f} % since half of the time\n", end, growth);
    fmt::print("descriptors at the end     {}, {} at half of the time\n", open, half_open_);
    // A few are opened and closed all the time by those who begin another game.
    grew_ = wishes_.steady > 0 && (growth > wishes_.steady || open > half_open_ + 20);
  }

  // Whether slow answers come together: of the moments with the slowest, when and how many.
  void tell_slow_moments() {
    constexpr double moment = 0.2;
    std::map<int, std::vector<double>> by_moment;
    for (std::size_t i = 0; i < tally_.act_ms.size(); ++i) {
      const double at = std::chrono::duration<double>(tally_.act_due[i] - began_).count();
      by_moment[static_cast<int>(at / moment)].push_back(tally_.act_ms[i]);
    }
    std::vector<std::pair<double, int>> slowest;
    for (auto& [which, ms] : by_moment) slowest.emplace_back(percentile(ms, 0.9), which);
    std::ranges::sort(slowest, std::greater{});
    for (const auto& [ms, which] :
         std::span{slowest}.first(std::min<std::size_t>(3, slowest.size())))
      fmt::print(
          "a slow moment              at {:.1f} s: p90 {:.1f} ms, worst {:.1f} ms of {} acts\n",
          which * moment, ms, percentile(by_moment[which], 1), by_moment[which].size());
  }

  // Ends the server and starts it again: what was kept is there, and flags fall when they should.
  void restart() {
    constexpr int flag_seconds = 40;  // everybody is back by then
    for (std::size_t seat : {0, 1}) close(people_[seat].line);
    people_[0] = people_[1] = {};
    make_table(*asker_, 0, fmt::format("move:{}", flag_seconds));
    const auto flag_at = Clock::now() + std::chrono::seconds{flag_seconds};
    join_two(0);
    listen(200);
    server_.stop();
    for (Person& person : people_) close(person.line);
    auto began = Clock::now();
    server_.start();
    asker_.emplace(wishes_.port);
    (void)asker_->ask("GET", "/tables", "", Json::object());
    const auto passed = [&] { return std::chrono::duration<double>(Clock::now() - began).count(); };
    figures_["readySeconds"] = passed();
    began = Clock::now();
    for (std::size_t i = 0; i < wishes_.tables * 2; ++i) {
      const auto place = people_[i].place;
      people_[i] = {};
      people_[i].place = place;
      join(people_[i], i / 2, place.first, place.second);
      if (i % 100 == 99) listen_to_all();
    }
    settle(wishes_.tables * 2);
    figures_["backSeconds"] = passed();
    while (!people_[0].over && Clock::now() < flag_at + std::chrono::seconds{60}) listen(5);
    const double late =
        std::chrono::duration<double, std::milli>(people_[0].over_at - flag_at).count();
    figures_["flagLateMs"] = people_[0].over ? late : 1e9;
    fmt::print("ready after a restart      {:.2f} s\n", figures_["readySeconds"].get<double>());
    fmt::print("everybody is back          {:.2f} s later\n",
               figures_["backSeconds"].get<double>());
    fmt::print("a flag falls               {:+.0f} ms after its time\n",
               figures_["flagLateMs"].get<double>());
  }

  const Wishes wishes_;
  Served server_;
  std::vector<Person> people_;
  std::vector<Clock::time_point> acts_;  // the latest at each table
  std::optional<Asker> asker_;
  std::string ann_;
  Tally tally_;
  std::size_t half_ = 0, half_open_ = 0;  // resident then, and descriptors
  Clock::time_point began_;               // when the measured time did
  double processor_ = 0;                  // seconds, while it was measured
  double stolen_ = 0;                     // milliseconds, likewise
  Json figures_ = Json::object();
  bool grew_ = false;
  int epoll_ = -1;
  double took_ = 0;
};

}  // namespace

int main(int count, char** words) {
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  return Evening(read_wishes(count, words)).run();
}
