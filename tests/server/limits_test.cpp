// How much, how deep and how long: every limit of docs/server.md is kept to at the limit and one
// step over it (S-63), and so are those of games that people send (S-55).
#include "server/running.h"
#include "source_dir.h"

namespace parlor::test {
namespace {

constexpr std::size_t kilobyte = 1024;

std::string padded(const std::string& before, const std::string& after, std::size_t bytes) {
  return before + std::string(bytes - before.size() - after.size(), 'x') + after;
}

TEST(Limits, OfHeaders_S63) {
  Running server;
  const auto with_header = [&](std::size_t bytes) {
    Line line{server.port};
    line.send_bytes(padded("GET /healthz HTTP/1.1\r\nHost: x\r\nX-Pad: ", "\r\n\r\n", bytes));
    return read_reply(line).status;
  };
  EXPECT_EQ(with_header(8 * kilobyte), 200);
  EXPECT_EQ(with_header(8 * kilobyte + 1), 431);
  EXPECT_EQ(with_header(9 * kilobyte), 431);
  EXPECT_EQ(with_header(100 * kilobyte), 431);
}

TEST(Limits, OfBodies_S63_S40) {
  Running server;
  const auto handle = [&](std::size_t bytes) {
    return ask(server.port, "POST", "/api/v1/handles", "",
               padded(R"({"name":"ann","pad":")", "\"}", bytes));
  };
  EXPECT_EQ(handle(64 * kilobyte).status, 201);
  const Reply refused = handle(64 * kilobyte + 1);
  EXPECT_EQ(refused.status, 413);
  EXPECT_EQ(refused.json()["error"]["code"], "REQUEST_TOO_LARGE") << refused.body;
  EXPECT_EQ(refused.json()["ok"], false);
  // What is announced as too large is not waited for.
  Line liar{server.port};
  liar.send_bytes(
      "POST /api/v1/handles HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n");
  EXPECT_EQ(read_reply(liar).status, 413);
  // In pieces of which nobody says how many there will be.
  Line chunks{server.port};
  chunks.send_bytes(
      "POST /api/v1/handles HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
  const std::string piece = "4000\r\n" + std::string(0x4000, ' ') + "\r\n";
  for (int n = 0; n < 5; ++n) chunks.send_bytes(piece);
  EXPECT_EQ(read_reply(chunks).status, 413);
}

TEST(Limits, OfTextsOfGames_S63_S55) {
  Running server;
  const auto check = [&](std::size_t bytes) {
    return ask(server.port, "POST", "/api/v1/check", "",
               padded(R"({"main":"../x","files":{"a.md":")", "\"}}", bytes))
        .status;
  };
  EXPECT_EQ(check(256 * kilobyte), 400) << "read, and then found to name another file";
  EXPECT_EQ(check(256 * kilobyte + 1), 413);
}

TEST(Limits, OfNesting_S63) {
  Running server;
  const auto body = [&](int levels) {  // the object is the first of them
    return ask(server.port, "POST", "/api/v1/handles", "",
               R"({"name":"ann","more":)" + std::string(levels - 1, '[') +
                   std::string(levels - 1, ']') + "}")
        .status;
  };
  EXPECT_EQ(body(8), 201);
  EXPECT_EQ(body(9), 400);
}

TEST(Limits, OfFrames_S63) {
  Running server;
  const std::string id = server.table(server.handle("ann"), {{"game", "pig"}})["table"]["id"];
  Socket socket{server.port, id};
  socket.send({{"t", "hello"}, {"as", "watch"}});
  socket.until("sync");
  socket.send_frame(padded(R"({"t":"ping","c":")", "\"}", 16 * kilobyte));
  EXPECT_TRUE(socket.until("pong"));
  socket.send_frame(padded(R"({"t":"ping","c":")", "\"}", 16 * kilobyte + 1));
  EXPECT_EQ(socket.wait_closed(), 1009);
}

TEST(Limits, OfNestingInFrames_S63) {
  Running server;
  const Json made = server.table(server.handle("ann"), {{"game", "pig"}, {"sit", 0}});
  Socket socket{server.port, made["table"]["id"]};
  socket.send({{"t", "hello"}, {"token", made["seatToken"]}});
  socket.until("sync");
  // The frame and its request are the first two levels.
  const auto refused = [&](int levels) {
    socket.send_frame(R"({"t":"act","id":"a","rev":0,"request":{"x":)" +
                      std::string(levels - 2, '[') + std::string(levels - 2, ']') + "}}");
    return socket.until("reject").value_or(Json())["error"]["code"];
  };
  EXPECT_EQ(refused(8), "TABLE_STATE") << "read: the game has not begun";
  EXPECT_EQ(refused(9), "REQUEST_INVALID");
  EXPECT_EQ(refused(5000), "REQUEST_INVALID");
  socket.send({{"t", "ping"}, {"c", 1}});
  EXPECT_TRUE(socket.until("pong")) << "the line stays";
}

TEST(Frames, OfStrangeMakeAreReadOrRefused_S66) {
  Running server;
  const std::string id = server.table(server.handle("ann"), {{"game", "pig"}})["table"]["id"];
  Socket bytewise{server.port, id};
  for (const char byte : Socket::frame_of(R"({"t":"hello","as":"watch"})"))
    bytewise.line.send_bytes({&byte, 1});
  EXPECT_TRUE(bytewise.until("sync"));
  // In pieces, with a ping between them.
  bytewise.line.send_bytes(Socket::frame_of(R"({"t":"pi)", 0x01));
  bytewise.line.send_bytes(Socket::frame_of("x", 0x89));
  bytewise.line.send_bytes(Socket::frame_of(R"(ng","c":7})", 0x80));
  EXPECT_EQ((*bytewise.until("pong"))["c"], 7);
  Socket binary{server.port, id};
  binary.line.send_bytes(Socket::frame_of("x", 0x82));
  EXPECT_EQ(binary.wait_closed(), 1003);
  Socket rude{server.port, id};
  rude.send({{"t", "act"}, {"id", "a"}, {"rev", 0}, {"option", 0}});
  EXPECT_EQ(rude.wait_closed(), 4401);
  Socket nonsense{server.port, id};
  nonsense.send_frame("nonsense");
  EXPECT_EQ(nonsense.wait_closed(), 4400);
  Socket nowhere{server.port, "nosuch"};
  nowhere.send({{"t", "hello"}, {"as", "watch"}});
  EXPECT_EQ(nowhere.wait_closed(), 4404);
}

TEST(Limits, OfTimeEndRequestsThatDoNotCome_S63_S66) {
  auto settings = free_settings();
  settings.limits.header_within = 300;
  Running server{settings};
  Line loris{server.port};
  loris.send_bytes("GET /healthz HT");
  while (loris.receive(patience)) {
  }
  EXPECT_FALSE(loris.open());
}

TEST(Limits, OfTimeEndSilentSockets_S63_S66) {
  auto settings = free_settings();
  settings.limits.hello_within = 300;
  Running server{settings};
  const std::string id = server.table(server.handle("ann"), {{"game", "pig"}})["table"]["id"];
  Socket silent{server.port, id};
  EXPECT_EQ(silent.wait_closed(), 4401);
}

// A line on which nobody answers is cut; one whose client only answers pings stays.
TEST(Limits, OfSilenceAreTwoPings_S63) {
  auto settings = free_settings();
  settings.limits.ping_every = 1'500;
  Running server{settings};
  const std::string id = server.table(server.handle("ann"), {{"game", "pig"}})["table"]["id"];
  Socket alive{server.port, id}, dead{server.port, id};
  for (Socket* one : {&alive, &dead}) {
    one->send({{"t", "hello"}, {"as", "watch"}});
    EXPECT_TRUE(one->until("sync"));
  }
  // One reads and answers, the other reads and says nothing, until it is cut.
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds{patience};
  while (dead.line.open() && std::chrono::steady_clock::now() < until) {
    (void)alive.next(20);
    (void)dead.line.receive(20);
  }
  EXPECT_FALSE(dead.line.open());
  EXPECT_TRUE(alive.line.open());
  alive.send({{"t", "ping"}, {"c", 1}});
  EXPECT_TRUE(alive.until("pong"));
}

// ---- Games of others (S-55).

// Counts to four million before the turn is over: more than a game of others may take for a move.
constexpr const char* endless = R"(
```yaml
metadata: {id: endless, name: Endless, players: 2}
zones: {table: public}
globalVars: {tally: 0..1000000000}
turnStructure: {phases: [play]}
actions:
  spin:
    effects:
      - for: $n in 1..2000
        do: [{for: $m in 1..2000, do: [tally += 1]}]
  rest:
    effects: [tally += 1]
terminal: {end: {when: tally >= 5, draw: true}}
```
)";

TEST(Uploads, WhoseRulesDoNotComeToAnEndAreSuspendedAndTheirTablesAbandoned_S55) {
  auto settings = free_settings();
  const char* const given = std::getenv("PARLOR");
  settings.program = given != nullptr ? given : source_dir() + "/build/parlor";
  settings.uploads = true;
  Running server{settings};
  const std::string ann = server.handle("ann");
  const Reply sent = ask(server.port, "POST", "/api/v1/uploads", ann,
                         {{"files", {{"mine.md", endless}}}, {"main", "mine.md"}});
  ASSERT_EQ(sent.status, 201) << sent.body;
  const std::string game = sent.json()["game"]["id"];
  const auto table = [&] {
    return server.table(
        ann, {{"game", game}, {"seats", {{{"kind", "human"}}, {{"kind", "bot"}}}}, {"sit", 0}});
  };
  const Json made = table(), other = table();
  ASSERT_TRUE(made.value("ok", false)) << made;
  const std::string id = made["table"]["id"];
  Socket socket{server.port, id};
  socket.send({{"t", "hello"}, {"token", made["seatToken"]}});
  ASSERT_TRUE(socket.until("sync"));  // of the waiting room; the game's comes when all are ready
  server.post(id + "/ready", made["seatToken"]);
  ASSERT_TRUE(socket.until("sync"));
  socket.send({{"t", "act"}, {"id", "a"}, {"rev", 0}, {"request", {{"action", "spin"}}}});
  const auto over = socket.until("over");
  ASSERT_TRUE(over);
  EXPECT_EQ((*over)["tableState"], "abandoned");
  const Json refused = table();
  EXPECT_EQ(refused["error"]["code"], "RUN_BUDGET") << refused;
  EXPECT_NE(refused["error"]["message"].get<std::string>().find("suspended"), std::string::npos);
}

}  // namespace
}  // namespace parlor::test
