// Several servers on one database (S-52, S-53, S-93): real processes, killed, stopped past their
// leases and resumed. What somebody was told is true afterwards, and nothing is there twice.
#include <csignal>
#include <fstream>
#include <random>
#include <set>
#include <sys/wait.h>
#include <thread>

#include "base/rng.h"
#include "host/patch.h"
#include "server/line.h"
#include "source_dir.h"
#include "table_pg/private_cluster.h"

namespace parlor::test {
namespace {

unsigned short free_port() {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in where{};
  where.sin_family = AF_INET;
  inet_pton(AF_INET, "127.0.0.1", &where.sin_addr);
  bind(fd, reinterpret_cast<sockaddr*>(&where), sizeof where);
  socklen_t size = sizeof where;
  getsockname(fd, reinterpret_cast<sockaddr*>(&where), &size);
  close(fd);
  return ntohs(where.sin_port);
}

std::string program() {
  const char* const given = std::getenv("PARLOR");
  return given != nullptr ? given : source_dir() + "/build/parlor";
}

// Long enough that no node loses a lease because the machine is busy; where a test waits for its
// end, shorter.
constexpr int long_lease = 60, short_lease = 3;

// A server in a process of its own.
class Node {
 public:
  Node(std::string name, const std::string& database, int lease_seconds)
      : port(free_port()),
        name_(std::move(name)),
        database_(database),
        lease_seconds_(lease_seconds) {
    begin();
  }
  ~Node() { end(SIGKILL); }
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  void begin() {
    const std::string config = fmt::format("/tmp/parlor-node-{}-{}.json", getpid(), name_);
    std::ofstream(config) << Json{
        {"node", name_},
        {"leaseSeconds", lease_seconds_},
        {"botDelayMs", 0},
        {"limits",
         {{"requestsPerSecond", 1000000},
          {"handlesPerHour", 1000000},
          {"tablesPerHour", 1000000},
          {"actsPerSecond", 1000000},
          {"socketsPerAddress",
           10000}}}}.dump();
    pid = fork();
    if (pid == 0) {
      const std::string log = config + ".log";
      (void)!freopen(log.c_str(), "a", stdout);
      (void)!freopen(log.c_str(), "a", stderr);
      const std::string listen = fmt::format("127.0.0.1:{}", port);
      const std::string store = "postgres:" + database_;
      execl(program().c_str(), "parlor", "serve", "--listen", listen.c_str(), "--store",
            store.c_str(), "--config", config.c_str(), nullptr);
      _exit(127);
    }
    for (int n = 0; n < patience / 25 && !Line{port}.open(); ++n)
      std::this_thread::sleep_for(std::chrono::milliseconds{25});
  }
  void stop() { kill(pid, SIGSTOP); }
  void resume() { kill(pid, SIGCONT); }
  void end(int signal) {
    if (pid <= 0) return;
    if (signal == SIGKILL) kill(pid, SIGCONT);
    kill(pid, signal);
    waitpid(pid, nullptr, 0);
    pid = 0;
  }

  const unsigned short port;
  pid_t pid = 0;

 private:
  const std::string name_, database_;
  const int lease_seconds_;
};

// Two people at a game that lasts, at a table made at one node.
struct TwoPeople {
  explicit TwoPeople(unsigned short port, const std::string& game = "gomoku",
                     Json more = Json::object()) {
    const auto made_by = [&](const char* name) -> std::string {
      return ask(port, "POST", "/api/v1/handles", "", {{"name", name}}).json().value("token", "");
    };
    const std::string ann = made_by("ann"), bob = made_by("bob");
    more.update({{"game", game}, {"sit", 0}});
    const Json made = ask(port, "POST", "/api/v1/tables", ann, more).json();
    EXPECT_TRUE(made.value("ok", false)) << made;
    id = made["table"]["id"];
    tokens = {made["seatToken"],
              ask(port, "POST", "/api/v1/tables/" + id + "/sit", bob).json()["seatToken"]};
    for (const std::string& token : tokens)
      EXPECT_EQ(ask(port, "POST", "/api/v1/tables/" + id + "/ready", token).status, 200);
  }
  std::string id;
  std::vector<std::string> tokens;
};

// Somebody who comes back until it works, wherever they are sent away.
struct Stubborn {
  Stubborn(std::string at_table, std::string with_token)
      : table(std::move(at_table)), token(std::move(with_token)) {}

  bool connect(unsigned short port, int wait = 3000) {
    socket = std::make_unique<Socket>(port, table);
    if (socket->reply.status != 101) return false;
    socket->send({{"t", "hello"}, {"token", token}, {"as", "seat"}});
    while (auto frame = socket->next(wait)) {
      hear(*frame);
      if ((*frame)["t"] == "sync") return true;
    }
    return false;
  }
  // Tries again and again.
  bool insist(unsigned short port) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds{patience};
    while (!connect(port, 1000)) {
      if (std::chrono::steady_clock::now() > until) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds{100});
    }
    return true;
  }
  // The next frame, if one comes in time.
  bool listen(int wait) {
    if (!socket || socket->closed != 0 || !socket->line.open()) return false;
    const auto frame = socket->next(wait);
    if (frame) hear(*frame);
    return frame.has_value();
  }
  void hear(const Json& frame) {
    const std::string kind = frame["t"];
    if (kind == "sync") state = frame["state"];
    if (kind == "update" && state.is_object()) {
      EXPECT_TRUE(host::apply_patch(state, frame["patch"])) << frame;
    }
    if (kind == "sync" || kind == "update") {
      rev = frame["rev"];
      const Json& decision = frame["decision"];
      options =
          decision.is_object() && decision.contains("options") ? decision["options"].size() : 0;
    }
    if (kind == "ack") acknowledged.insert(frame["id"].get<std::string>());
    if (kind == "over" || (kind == "sync" && frame["tableState"] == "finished")) over = true;
    if (kind == "bye") said_bye = frame["code"];
  }
  void act(Rng& rng) {
    const std::string name = fmt::format("r{}", rev);
    socket->send({{"t", "act"}, {"id", name}, {"rev", rev}, {"option", rng.below(options)}});
    options = 0;
  }

  const std::string table, token;
  std::unique_ptr<Socket> socket;
  Json state;
  std::uint64_t rev = 0, options = 0;
  std::set<std::string> acknowledged;
  bool over = false;
  int said_bye = 0;
};

// What the database has of a table: no gap, nothing twice, and everything that was acknowledged.
void expect_whole_log(const std::string& database, const std::string& table,
                      const std::vector<const Stubborn*>& people) {
  table_pg::Connection line{database};
  const auto rows =
      line.run("SELECT revision, actor, action_id FROM entry WHERE table_id = $1 ORDER BY revision",
               {table});
  std::set<std::pair<int, std::string>> kept;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows.number(i, 0), static_cast<std::int64_t>(i) + 1) << "a gap";
    EXPECT_TRUE(kept.emplace(static_cast<int>(rows.number(i, 1)), rows.text(i, 2)).second);
  }
  for (std::size_t seat = 0; seat < people.size(); ++seat)
    for (const std::string& name : people[seat]->acknowledged)
      EXPECT_TRUE(kept.contains({static_cast<int>(seat), name}))
          << "seat " << seat << " was told that " << name << " is kept";
}

TEST(Nodes, AnyOfThemTakesAnyRequest_S53) {
  NEED_POSTGRES();
  const std::string database = PrivateCluster::get()->database();
  Node a{"a", database, long_lease}, b{"b", database, long_lease};
  const TwoPeople table{a.port};
  // Seat 1 is connected to the node that does not run the table.
  Stubborn one{table.id, table.tokens[0]}, two{table.id, table.tokens[1]};
  ASSERT_TRUE(one.connect(a.port));
  ASSERT_TRUE(two.connect(b.port));
  Rng rng{1};
  for (int n = 0; n < 10; ++n) {
    Stubborn& mover = n % 2 == 0 ? one : two;
    while (mover.options == 0) ASSERT_TRUE(mover.listen(patience));
    mover.act(rng);
    for (Stubborn* person : {&one, &two})
      while (person->rev <= static_cast<std::uint64_t>(n)) ASSERT_TRUE(person->listen(patience));
  }
  EXPECT_EQ(one.state, two.state);
  const Json there = ask(b.port, "GET", "/api/v1/tables/" + table.id).json();
  EXPECT_EQ(there["table"]["state"], "playing") << there;
  EXPECT_TRUE(there["table"]["seats"][0]["connected"].get<bool>()) << "the true facts, from there";
  EXPECT_EQ(there.dump().find(std::to_string(a.port)), std::string::npos) << "no names of nodes";
  const Json listed = ask(b.port, "GET", "/api/v1/tables").json();
  EXPECT_EQ(listed["tables"].size(), 1u) << "the lobby is everybody's";
  EXPECT_EQ(ask(b.port, "GET", "/api/v1/tables/" + table.id + "/log", table.tokens[1])
                .json()["entries"]
                .size(),
            10u);
  // Nobody else gets in by the nodes' own door.
  Line stranger{a.port};
  stranger.send_bytes(
      "GET /internal/relay HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
      "Authorization: Bearer guess\r\n\r\n");
  EXPECT_EQ(read_reply(stranger).status, 404);
  expect_whole_log(database, table.id, {&one, &two});
}

TEST(Nodes, OneThatSleptPastItsLeaseIsTakenOverAndTold_S93) {
  NEED_POSTGRES();
  const std::string database = PrivateCluster::get()->database();
  Node a{"a", database, short_lease}, b{"b", database, short_lease};
  const TwoPeople table{a.port, "gomoku", {{"clock", "fischer:600+0"}}};
  Stubborn one{table.id, table.tokens[0]}, two{table.id, table.tokens[1]};
  ASSERT_TRUE(one.connect(a.port));
  ASSERT_TRUE(two.connect(a.port));
  Rng rng{2};
  one.act(rng);
  while (two.options == 0) ASSERT_TRUE(two.listen(patience));
  a.stop();
  // Until the lease ends the other node knows who has the table; then it takes it.
  Stubborn again{table.id, table.tokens[1]};
  ASSERT_TRUE(again.insist(b.port)) << "the other node took it over";
  EXPECT_EQ(again.rev, 1u);
  ASSERT_GT(again.options, 0u);
  again.act(rng);
  while (again.rev < 2) ASSERT_TRUE(again.listen(patience));
  // The one that slept wakes up with an act in its ear: it must not keep it.
  two.act(rng);
  a.resume();
  while (one.listen(patience)) {
  }
  while (two.listen(patience)) {
  }
  EXPECT_TRUE(two.acknowledged.empty()) << "an act that another node does not have";
  EXPECT_EQ(one.said_bye, 4410) << "moved";
  EXPECT_EQ(two.said_bye, 4410);
  // Whoever comes back to it is led to the other, and the game goes on; a node that has just woken
  // up on a busy machine may still be busy finding that out.
  ASSERT_TRUE(one.insist(a.port));
  EXPECT_EQ(one.rev, 2u);
  const Json clock = ask(a.port, "GET", "/api/v1/tables/" + table.id).json();
  EXPECT_EQ(clock["table"]["state"], "playing");
  ASSERT_GT(one.options, 0u);
  one.act(rng);
  while (again.rev < 3) ASSERT_TRUE(again.listen(patience));
  while (one.rev < 3) ASSERT_TRUE(one.listen(patience));
  EXPECT_EQ(one.state, again.state);
  expect_whole_log(database, table.id, {&one, &again});
}

TEST(Nodes, ThatLeaveGiveTheirTablesUpAtOnceAndFlagsFallElsewhere_S62_S35) {
  NEED_POSTGRES();
  const std::string database = PrivateCluster::get()->database();
  Node a{"a", database, long_lease}, b{"b", database, long_lease};
  const TwoPeople table{a.port, "gomoku", {{"clock", "move:7"}}};
  Stubborn one{table.id, table.tokens[0]};
  ASSERT_TRUE(one.connect(a.port));
  a.end(SIGTERM);
  while (one.listen(patience)) {
  }
  EXPECT_EQ(one.said_bye, 4412);
  // Who is told to come back tries until the table has been given up: soon, not when the lease
  // ends.
  const auto began = std::chrono::steady_clock::now();
  ASSERT_TRUE(one.insist(b.port));
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds{long_lease / 2});
  while (!one.over) ASSERT_TRUE(one.listen(patience)) << "the flag falls at the other node";
  const Json facts = ask(b.port, "GET", "/api/v1/tables/" + table.id).json();
  EXPECT_EQ(facts["table"]["result"]["winners"], Json::array({1})) << facts;
}

// ---- The long form: anything may happen to either node at any time.

void random_schedule(std::uint64_t seed, int seconds) {
  const std::string database = PrivateCluster::get()->database();
  Node a{"a", database, short_lease}, b{"b", database, short_lease};
  Rng rng{seed};
  std::vector<std::pair<std::unique_ptr<Stubborn>, std::unique_ptr<Stubborn>>> tables;
  for (int n = 0; n < 4; ++n) {
    const TwoPeople table{n % 2 == 0 ? a.port : b.port, "go"};
    tables.emplace_back(std::make_unique<Stubborn>(table.id, table.tokens[0]),
                        std::make_unique<Stubborn>(table.id, table.tokens[1]));
  }
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds{seconds};
  Node* const nodes[] = {&a, &b};
  Node* hurt = nullptr;
  auto hurt_until = std::chrono::steady_clock::now();
  bool stopped = false;
  int kills = 0, stops = 0;
  while (std::chrono::steady_clock::now() < until || hurt != nullptr) {
    const auto now = std::chrono::steady_clock::now();
    if (hurt == nullptr && now < until && rng.below(150) == 0) {
      hurt = nodes[rng.below(2)];
      stopped = rng.below(2) == 0;
      // Sometimes shorter than a lease, sometimes longer.
      hurt_until = now + std::chrono::milliseconds{500 + rng.below(4000)};
      if (stopped) {
        hurt->stop();
        ++stops;
      } else {
        hurt->end(SIGKILL);
        ++kills;
      }
    } else if (hurt != nullptr && now > hurt_until) {
      if (stopped)
        hurt->resume();
      else
        hurt->begin();
      hurt = nullptr;
    }
    for (auto& [one, two] : tables)
      for (Stubborn* person : {one.get(), two.get()}) {
        if (!person->socket || person->socket->closed != 0 || !person->socket->line.open()) {
          Node* const there = nodes[rng.below(2)];
          if (there != hurt) (void)person->connect(there->port, 300);
          continue;
        }
        while (person->listen(2)) {
        }
        if (person->options > 0 && person->socket->line.open()) person->act(rng);
        // Now and then somebody loses patience with a line that says nothing.
        if (rng.below(60) == 0) person->socket->line.hang_up();
      }
  }
  std::uint64_t acts = 0;
  for (auto& [one, two] : tables) {
    for (Stubborn* person : {one.get(), two.get()}) {
      while (person->listen(50)) {
      }
      EXPECT_TRUE(person->insist(a.port));
      acts += person->acknowledged.size();
    }
    // What was on its way when one of them came back is heard by both.
    const auto heard_by = std::chrono::steady_clock::now() + std::chrono::milliseconds{patience};
    while (one->rev != two->rev && std::chrono::steady_clock::now() < heard_by) {
      (void)one->listen(20);
      (void)two->listen(20);
    }
    EXPECT_EQ(one->rev, two->rev);
    EXPECT_EQ(one->state, two->state);
    expect_whole_log(database, one->table, {one.get(), two.get()});
  }
  fmt::print("{} acts acknowledged, {} kills, {} stops\n", acts, kills, stops);
  EXPECT_GT(acts, 0u);
}

TEST(Nodes, LoseNothingWhateverHappensToThem_S93) {
  NEED_POSTGRES();
  random_schedule(7, 12);
}

TEST(SlowNodes, LoseNothingWhateverHappensToThemForLong_S93) {
  NEED_POSTGRES();
  const char* const given = std::getenv("SOAK_SECONDS");
  random_schedule(std::random_device{}(), given == nullptr ? 300 : std::atoi(given));
}

}  // namespace
}  // namespace parlor::test
