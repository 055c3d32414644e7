// A line that cuts, delays and says things twice (S-94): whoever comes back with what they have
// ends where the table is (S-43), and what was sent twice was done once (S-42).
#include <atomic>
#include <list>
#include <map>
#include <poll.h>

#include "base/rng.h"
#include "host/patch.h"
#include "server/running.h"

namespace parlor::test {
namespace {

// Between a client and the server. Each connection is forwarded by a thread of its own, byte for
// byte, until it is cut at a place that chance chooses. Some are played to the server a second
// time, whole, as a network that repeats itself would.
class BadLine {
 public:
  BadLine(unsigned short to, std::uint64_t seed) : to_(to), seed_(seed) {
    door_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in where{};
    where.sin_family = AF_INET;
    inet_pton(AF_INET, "127.0.0.1", &where.sin_addr);
    bind(door_, reinterpret_cast<sockaddr*>(&where), sizeof where);
    listen(door_, 64);
    socklen_t size = sizeof where;
    getsockname(door_, reinterpret_cast<sockaddr*>(&where), &size);
    port = ntohs(where.sin_port);
    accepting_ = std::thread([this] { accept_all(); });
  }
  ~BadLine() {
    stopping_ = true;
    accepting_.join();
    for (std::thread& one : carrying_) one.join();
    close(door_);
  }
  unsigned short port = 0;
  std::atomic<int> cuts = 0, repeats = 0;

 private:
  void accept_all() {
    std::uint64_t count = 0;
    while (!stopping_) {
      pollfd waiting{door_, POLLIN, 0};
      if (poll(&waiting, 1, 20) <= 0) continue;
      const int client = accept4(door_, nullptr, nullptr, SOCK_CLOEXEC);
      if (client >= 0)
        carrying_.emplace_back([this, client, seed = seed_ + ++count] { carry(client, seed); });
    }
  }
  void carry(int client, std::uint64_t seed) {
    Rng rng{seed};
    Line server{to_};
    std::string said;                            // by the client
    std::size_t left = 400 + rng.below(40'000);  // games whose first frame is longer never begin
    while (!stopping_ && left > 0) {
      pollfd waiting[2]{{client, POLLIN, 0}, {server.descriptor(), POLLIN, 0}};
      if (poll(waiting, 2, 20) <= 0) continue;
      if (rng.below(8) == 0) std::this_thread::sleep_for(std::chrono::milliseconds{rng.below(12)});
      char block[2048];
      const std::size_t most = std::min<std::size_t>(left, 1 + rng.below(sizeof block));
      if ((waiting[0].revents & (POLLIN | POLLHUP)) != 0) {
        const ssize_t got = recv(client, block, most, 0);
        if (got <= 0) break;
        said.append(block, static_cast<std::size_t>(got));
        server.send_bytes({block, static_cast<std::size_t>(got)});
        left -= static_cast<std::size_t>(got);
      } else if ((waiting[1].revents & (POLLIN | POLLHUP)) != 0) {
        const ssize_t got = recv(server.descriptor(), block, most, 0);
        if (got <= 0) break;
        if (send(client, block, static_cast<std::size_t>(got), MSG_NOSIGNAL) <= 0) break;
        left -= static_cast<std::size_t>(got);
      }
    }
    if (left == 0) ++cuts;
    close(client);
    server.hang_up();
    if (rng.below(2) != 0 || stopping_) return;
    ++repeats;
    Line again{to_};
    again.send_bytes(said);
    while (again.receive(50)) {
    }
  }

  const unsigned short to_;
  const std::uint64_t seed_;
  int door_ = -1;
  std::atomic<bool> stopping_ = false;
  std::thread accepting_;
  std::list<std::thread> carrying_;
};

// Plays a seat and comes back whenever the line is gone, with what it has.
class Returning {
 public:
  Returning(unsigned short port, std::string table, std::string token, std::uint64_t seed)
      : port_(port), table_(std::move(table)), token_(std::move(token)), rng_(seed) {}

  void step() {
    if (!socket_ || !socket_->line.open() || socket_->closed != 0) return come_back();
    const auto frame = socket_->next(30);
    if (!frame) {
      // Nothing came. What was sent may be lost: it is sent again, under the same name.
      if (socket_->line.open() && !pending_.is_null()) socket_->send(pending_);
      return;
    }
    hear(*frame);
  }
  void come_back() {
    socket_ = std::make_unique<Socket>(port_, table_);
    if (socket_->reply.status != 101) return socket_.reset();
    Json hello{{"t", "hello"}, {"token", token_}, {"as", "seat"}};
    if (seq_ > 0) hello["since"] = {{"rev", rev}, {"seq", seq_}};
    socket_->send(hello);
    ++connections;
  }

  Json state;
  std::uint64_t rev = 0;
  std::map<std::uint64_t, Json> acknowledged;  // by the revision it led to: what was sent
  int connections = 0;
  bool over = false, playing = true;
  bool waits() const { return !pending_.is_null(); }

 private:
  void hear(const Json& frame) {
    const std::string kind = frame["t"];
    if (frame.contains("seq") && kind != "welcome") {
      const std::uint64_t seq = frame["seq"];
      if (kind != "sync" && seq_ != 0) {
        EXPECT_EQ(seq, seq_ + 1) << "nothing is skipped, nothing is said twice";
      }
      seq_ = seq;
    }
    if (kind == "sync") state = frame["state"];
    if (kind == "update") {
      EXPECT_TRUE(host::apply_patch(state, frame["patch"]));
    }
    if (kind == "ack") {
      // Sent again, it is answered again, and with the same.
      const std::string id = frame["id"];
      const auto [known, first] =
          acknowledged.emplace(frame["rev"].get<std::uint64_t>(), sent_[id]);
      EXPECT_TRUE(first || known->second == sent_[id]) << frame;
      if (pending_.is_object() && pending_["id"] == id) pending_ = nullptr;
    }
    if (kind == "reject" && pending_.is_object() && frame["id"] == pending_["id"])
      pending_ = nullptr;
    if (kind == "over" || (kind == "sync" && frame["tableState"] == "finished")) over = true;
    if (kind != "sync" && kind != "update") return;
    rev = frame["rev"];
    const Json& decision = frame["decision"];
    if (playing && decision.is_object() && decision.contains("options") && socket_->line.open()) {
      // What was decided once under a name is not decided anew when the line comes back.
      const std::string id = "r" + std::to_string(rev);
      const auto decided =
          sent_.emplace(id, Json{{"index", rng_.below(decision["options"].size())}}).first;
      pending_ = {{"t", "act"}, {"id", id}, {"rev", rev}, {"option", decided->second["index"]}};
      socket_->send(pending_);
    }
  }

  const unsigned short port_;
  const std::string table_, token_;
  Rng rng_;
  std::unique_ptr<Socket> socket_;
  std::uint64_t seq_ = 0;
  Json pending_;
  std::map<std::string, Json> sent_;  // what was decided under each name
};

// How often the lines were cut.
int play_over_bad_lines(const std::string& game, std::uint64_t seed, std::uint64_t acts) {
  Running server;
  const std::string ann = server.handle("ann"), bob = server.handle("bob");
  const Json made = server.table(ann, {{"game", game}, {"sit", 0}});
  const std::string id = made["table"]["id"];
  const std::string tokens[] = {made["seatToken"],
                                server.post(id + "/sit", bob).json()["seatToken"]};
  for (const std::string& token : tokens) server.post(id + "/ready", token);
  BadLine line{server.port, seed};
  Returning one{line.port, id, tokens[0], seed}, two{line.port, id, tokens[1], seed + 1};
  // Only what stands still waits so long.
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds{300};
  const auto step_until = [&](const auto& done) {
    while (!done() && std::chrono::steady_clock::now() < until) {
      one.step();
      two.step();
    }
    return done();
  };
  EXPECT_TRUE(step_until([&] {
    return std::min(one.rev, two.rev) >= acts || (one.over && two.over);
  })) << game
      << " stands still";
  // They stop playing, and hear what is left to be heard.
  one.playing = two.playing = false;
  EXPECT_TRUE(step_until([&] {
    if (one.waits() || two.waits() || one.rev != two.rev) return false;
    const Json log = ask(server.port, "GET", "/api/v1/tables/" + id + "/log", tokens[0]).json();
    return log["rev"] == one.rev;
  })) << game
      << ": " << one.rev << " and " << two.rev;
  // What both have is what the table has, and what was acknowledged is in its log once.
  for (int seat = 0; seat < 2; ++seat) {
    const Returning& person = seat == 0 ? one : two;
    const Json log = ask(server.port, "GET", "/api/v1/tables/" + id + "/log", tokens[seat]).json();
    Socket fresh{server.port, id};
    fresh.send({{"t", "hello"}, {"token", tokens[seat]}});
    const auto sync = fresh.until("sync");
    if (!sync) {
      ADD_FAILURE() << "silence";
      return 0;
    }
    EXPECT_EQ(person.rev, (*sync)["rev"].get<std::uint64_t>()) << game;
    EXPECT_EQ(canonical(person.state), canonical((*sync)["state"])) << game;
    for (const auto& [rev, content] : person.acknowledged) {
      const Json& entry = log["entries"][rev - 1];
      EXPECT_EQ(entry["actor"], seat) << "acknowledged, and not there";
      EXPECT_EQ(entry["content"], content);
    }
  }
  return line.cuts;
}

TEST(BadLines, ChangeNothingForThoseWhoComeBack_S94_S43) {
  int cuts = play_over_bad_lines("reversi", 3, 30);
  cuts += play_over_bad_lines("leduc-poker", 5, 12);
  EXPECT_GE(cuts, 2);
}

TEST(SlowBadLines, ChangeNothingForThoseWhoComeBackForLong_S94_S43) {
  const char* const given = std::getenv("SOAK_SECONDS");
  const auto until = std::chrono::steady_clock::now() +
                     std::chrono::seconds{given == nullptr ? 60 : std::atoi(given)};
  int cuts = 0, games = 0;
  for (std::uint64_t seed = 100; games < 5 || std::chrono::steady_clock::now() < until; ++seed)
    for (const char* game :
         {"reversi", "connect-four", "leduc-poker", "auction", "nine-mens-morris"}) {
      cuts += play_over_bad_lines(game, seed, 60);
      ++games;
    }
  EXPECT_GE(cuts, games) << "a line that never breaks shows nothing";
}

}  // namespace
}  // namespace parlor::test
