// People at a server: scripted ones who play random legal options over real sockets and check every
// frame they are told (S-44), and what that costs the server. It starts the server itself.
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
//   --steady PERCENT  wrong if the server's memory grows by more in the second half of the time
//
// A table that is over is left, and another one made. Prints one line for each figure. Ends with 1
// if a frame did not fit.
#include <algorithm>
#include <arpa/inet.h>
#include <chrono>
#include <csignal>
#include <fmt/format.h>
#include <fstream>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "base/rng.h"
#include "host/contract.h"
#include "host/patch.h"

namespace {

using namespace parlor;
using Clock = std::chrono::steady_clock;

[[noreturn]] void give_up(const std::string& why) {
  fmt::print(stderr, "server_load: {}\n", why);
  std::exit(1);
}

int connect_to(unsigned short port) {
  const int line = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in where{};
  where.sin_family = AF_INET;
  where.sin_port = htons(port);
  inet_pton(AF_INET, "127.0.0.1", &where.sin_addr);
  if (connect(line, reinterpret_cast<sockaddr*>(&where), sizeof where) != 0) {
    close(line);
    return -1;
  }
  const int one = 1;
  setsockopt(line, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  return line;
}

void send_all(int line, std::string_view text) {
  while (!text.empty()) {
    const ssize_t done = send(line, text.data(), text.size(), MSG_NOSIGNAL);
    if (done <= 0) give_up("the server hung up");
    text.remove_prefix(static_cast<std::size_t>(done));
  }
}

// What has arrived, into the buffer; false: nothing more for now.
bool receive(int line, std::string& buffer, bool wait) {
  char block[65536];
  const ssize_t got = recv(line, block, sizeof block, wait ? 0 : MSG_DONTWAIT);
  if (got == 0) give_up("the server hung up");
  if (got < 0) return false;
  buffer.append(block, static_cast<std::size_t>(got));
  return true;
}

// One line for many requests. A server closes lines on which nothing is asked for a while.
class Asker {
 public:
  explicit Asker(unsigned short port) : port_(port), line_(connect_to(port)) {}
  ~Asker() { close(line_); }
  bool open() const { return line_ >= 0; }

  Json ask(std::string_view method, const std::string& path, const std::string& token,
           const Json& body) {
    const std::string text = body.dump();
    if (was_closed()) {
      close(line_);
      line_ = connect_to(port_);
    }
    send_all(line_, fmt::format("{} /api/v1{} HTTP/1.1\r\nHost: 127.0.0.1\r\n{}Content-Length: "
                                "{}\r\n\r\n{}",
                                method, path,
                                token.empty() ? "" : "Authorization: Bearer " + token + "\r\n",
                                text.size(), text));
    std::size_t end = 0;
    while ((end = buffer_.find("\r\n\r\n")) == std::string::npos) receive(line_, buffer_, true);
    const auto at = buffer_.find("Content-Length: ");
    const std::size_t length = std::stoull(buffer_.substr(at + 16));
    while (buffer_.size() < end + 4 + length) receive(line_, buffer_, true);
    const auto json = parse_json(buffer_.substr(end + 4, length));
    buffer_.erase(0, end + 4 + length);
    if (!json || !json->value("ok", false)) give_up(path + ": " + (json ? json->dump() : "?"));
    return *json;
  }

 private:
  bool was_closed() const {
    char byte = 0;
    return recv(line_, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
  }

  unsigned short port_;
  int line_;
  std::string buffer_;
};

std::string frame_of(const std::string& text) {
  std::string out = "\x81";
  if (text.size() < 126) {
    out += static_cast<char>(0x80 | text.size());
  } else {
    out += static_cast<char>(0x80 | 126);
    out += static_cast<char>(text.size() >> 8);
    out += static_cast<char>(text.size() & 255);
  }
  return out + std::string(4, '\0') + text;  // a mask that changes nothing
}

struct Tally {
  std::uint64_t frames = 0, checked = 0, wrong = 0, acks = 0, rejects = 0, over = 0;
  std::vector<double> act_ms, fan_ms;
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
  Clock::time_point acted;
  bool waiting = false;
  Person* first_watcher = nullptr;  // of those who watch
  std::string latest;               // its latest update

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

  void act(Rng& rng) {
    acted = Clock::now();
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
      waiting = false;
    } else if (kind == "reject") {
      ++tally.rejects;
      waiting = false;
    } else if (kind == "over") {
      ++tally.over;
      over = true;
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

// The whole frames of a buffer. Pings are answered.
template <class Take>
void take_frames(Person& person, const Take& take) {
  std::size_t from = 0;
  const std::string& b = person.buffer;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(b[from + i]); };
  while (b.size() - from >= 2) {
    std::size_t length = byte(1) & 127, head = 2;
    if (length == 126) {
      if (b.size() - from < 4) break;
      length = static_cast<std::size_t>(byte(2)) << 8 | byte(3);
      head = 4;
    } else if (length == 127) {
      if (b.size() - from < 10) break;
      length = 0;
      for (std::size_t i = 2; i < 10; ++i) length = length << 8 | byte(i);
      head = 10;
    }
    if (b.size() - from < head + length) break;
    const int kind = byte(0) & 15;
    const std::string_view payload{b.data() + from + head, length};
    if (kind == 1) take(payload);
    if (kind == 8) give_up("a socket was closed");
    if (kind == 9) {
      std::string pong = frame_of(std::string{payload});
      pong[0] = static_cast<char>(0x8a);
      send_all(person.line, pong);
    }
    from += head + length;
  }
  person.buffer.erase(0, from);
  if (person.buffer.empty()) person.buffer.shrink_to_fit();
}

struct Wishes {
  std::string parlor = "build/parlor", store = "memory", game = "connect-four";
  unsigned short port = 18180;
  std::size_t tables = 1000, spectators = 0;
  double acts = 500, seconds = 10, steady = 0;
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
  explicit Served(const Wishes& wishes) {
    const std::string config = fmt::format("/tmp/parlor-load-{}.json", getpid());
    std::ofstream(config)
        << R"({"limits":{"requestsPerSecond":1000000000,"handlesPerHour":1000000000,
      "tablesPerHour":1000000000,"actsPerSecond":1000000000,"whyPerSecond":1000000000,
      "socketsPerAddress":1000000,"sockets":1000000}})";
    if (connect_to(wishes.port) >= 0) give_up("somebody else has the port already");
    pid_ = fork();
    if (pid_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGTERM);  // it ends with us
      const std::string listen = fmt::format("127.0.0.1:{}", wishes.port);
      execl(wishes.parlor.c_str(), "parlor", "serve", "--listen", listen.c_str(), "--store",
            wishes.store.c_str(), "--config", config.c_str(), nullptr);
      _exit(127);
    }
    for (int n = 0; n < 300; ++n) {
      if (const int line = connect_to(wishes.port); line >= 0) {
        close(line);
        unlink(config.c_str());
        return;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds{50});
    }
    give_up("the server does not come up");
  }
  ~Served() {
    kill(pid_, SIGTERM);
    waitpid(pid_, nullptr, 0);
  }
  // A number of /proc/PID/status, in KB.
  std::size_t resident() const {
    std::ifstream status(fmt::format("/proc/{}/status", pid_));
    for (std::string line; std::getline(status, line);)
      if (line.starts_with("VmRSS:")) return std::stoull(line.substr(6));
    return 0;
  }

 private:
  pid_t pid_ = 0;
};

double percentile(std::vector<double>& values, double part) {
  if (values.empty()) return 0;
  const auto at = static_cast<std::size_t>(part * static_cast<double>(values.size() - 1));
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(at));
  return values[at];
}

class Evening {
 public:
  explicit Evening(const Wishes& wishes)
      : wishes_(wishes), server_(wishes), people_(wishes.tables * 2 + wishes.spectators) {
    epoll_ = epoll_create1(EPOLL_CLOEXEC);
  }

  int run() {
    const std::size_t bare = server_.resident();
    seat_everybody();
    settle();
    const std::size_t full = server_.resident();
    fmt::print("sockets                    {}\n", people_.size());
    fmt::print("resident before            {} KB\n", bare);
    fmt::print("resident with all          {} KB, {:.1f} KB a socket with its table\n", full,
               static_cast<double>(full - bare) / static_cast<double>(people_.size()));
    tally_ = {};
    play();
    report();
    return tally_.wrong == 0 && tally_.rejects == 0 && !grew_ ? 0 : 1;
  }

 private:
  void seat_everybody() {
    asker_.emplace(wishes_.port);
    if (!asker_->open()) give_up("cannot connect");
    ann_ = asker_->ask("POST", "/handles", "", {{"name", "ann"}})["token"];
    acts_.resize(wishes_.tables);
    for (std::size_t t = 0; t < wishes_.tables; ++t) {
      const std::string id = seat_two(t);
      if (t == 0)
        for (std::size_t i = 0; i < wishes_.spectators; ++i) {
          Person& person = people_[wishes_.tables * 2 + i];
          person.first_watcher = &people_[wishes_.tables * 2];
          join(person, t, id, "");
          if (i % 100 == 99) listen_to_all();
        }
      if (t % 100 == 99) listen_to_all();
    }
  }
  // Two people at a new table, who are told that it begins.
  std::string seat_two(std::size_t t) {
    const Json made =
        asker_->ask("POST", "/tables", ann_, {{"game", wishes_.game}, {"players", 2}, {"sit", 0}});
    const std::string id = made["table"]["id"];
    const std::string second =
        asker_->ask("POST", "/tables/" + id + "/sit", ann_, {{"seat", 1}})["seatToken"];
    const std::string tokens[] = {made["seatToken"], second};
    for (std::size_t seat = 0; seat < 2; ++seat) {
      asker_->ask("POST", "/tables/" + id + "/ready", tokens[seat], Json::object());
      join(people_[t * 2 + seat], t, id, tokens[seat]);
    }
    return id;
  }
  void begin_anew(std::size_t t) {
    for (Person* person : {&people_[t * 2], &people_[t * 2 + 1]}) {
      close(person->line);
      *person = {};
    }
    seat_two(t);
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
      take_frames(person, [&](std::string_view text) { person.take(tally_, text, acts_); });
    }
    return ready > 0;
  }
  void listen_to_all() {
    while (listen(0)) {
    }
  }
  void settle() {
    const auto until = Clock::now() + std::chrono::seconds{60};
    while (Clock::now() < until &&
           !std::ranges::all_of(people_, [](const Person& one) { return one.joined; }))
      listen(50);
    while (listen(300)) {
    }
  }

  // Acts at an even pace, by whoever may.
  void play() {
    const auto began = Clock::now();
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
        person.act(rng);
        ++sent;
      }
      listen(1);
      if (half_ == 0 && passed > wishes_.seconds / 2) half_ = server_.resident();
    }
    took_ = std::chrono::duration<double>(Clock::now() - began).count();
    while (listen(300)) {
    }
  }

  void report() {
    fmt::print("acts acknowledged          {} in {:.1f} s, {:.0f} a second\n", tally_.acks, took_,
               static_cast<double>(tally_.acks) / took_);
    fmt::print("act to ack                 p50 {:.2f} ms, p99 {:.2f} ms, worst {:.2f} ms\n",
               percentile(tally_.act_ms, 0.5), percentile(tally_.act_ms, 0.99),
               percentile(tally_.act_ms, 1));
    if (!tally_.fan_ms.empty())
      fmt::print("act to those who watch     p50 {:.2f} ms, p99 {:.2f} ms, worst {:.2f} ms\n",
                 percentile(tally_.fan_ms, 0.5), percentile(tally_.fan_ms, 0.99),
                 percentile(tally_.fan_ms, 1));
    fmt::print("frames                     {}, {} of them checked, {} wrong, {} refused\n",
               tally_.frames, tally_.checked, tally_.wrong, tally_.rejects);
    const std::size_t end = server_.resident();
    const double growth = 100.0 * (static_cast<double>(end) / static_cast<double>(half_) - 1);
    fmt::print("resident at the end        {} KB, {:+.1f} % since half of the time\n", end, growth);
    grew_ = wishes_.steady > 0 && growth > wishes_.steady;
  }

  const Wishes wishes_;
  Served server_;
  std::vector<Person> people_;
  std::vector<Clock::time_point> acts_;  // the latest at each table
  std::optional<Asker> asker_;
  std::string ann_;
  Tally tally_;
  std::size_t half_ = 0;  // resident then
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
