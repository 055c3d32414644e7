// The whole server over real sockets: routes, frames, limits, and a tour of shipped games.
#include <filesystem>

#include "host/patch.h"
#include "server/running.h"

namespace parlor::test {
namespace {

// ---- Routes.

TEST(Routes, AnswerAsTheDocumentationSays) {
  Running server;
  const Reply made = ask(server.port, "POST", "/api/v1/handles", "", {{"name", "ann"}});
  EXPECT_EQ(made.status, 201);
  EXPECT_EQ(made.json()["ok"], true);
  EXPECT_EQ(made.json()["handle"]["name"], "ann");
  const std::string ann = made.json()["token"], bob = server.handle("bob");
  const Reply table = ask(server.port, "POST", "/api/v1/tables", ann,
                          {{"game", "connect-four"},
                           {"players", 2},
                           {"rules", Json::array()},
                           {"constants", Json::object()},
                           {"visibility", "public"},
                           {"clock", "none"},
                           {"seats", {{{"kind", "human"}}, {{"kind", "human"}}}},
                           {"sit", 0}});
  EXPECT_EQ(table.status, 201) << table.body;
  EXPECT_EQ(table.json()["seat"], 0);
  EXPECT_EQ(table.json()["table"]["state"], "open");
  EXPECT_EQ(table.json()["table"]["seats"].size(), 2u);
  const std::string id = table.json()["table"]["id"], first = table.json()["seatToken"];
  EXPECT_EQ(server.post(id + "/sit", bob, {{"seat", 0}}).status, 409);
  const Reply sat = server.post(id + "/sit", bob, {{"seat", 1}});
  EXPECT_EQ(sat.status, 200);
  EXPECT_EQ(sat.json()["seat"], 1);
  EXPECT_EQ(ask(server.port, "GET", "/api/v1/tables").json()["tables"][0]["id"], id);
  EXPECT_EQ(server.post(id + "/ready", first).status, 200);
  EXPECT_EQ(server.post(id + "/ready", sat.json()["seatToken"]).json()["table"]["state"],
            "playing");
  const Reply games = ask(server.port, "GET", "/api/v1/games");
  EXPECT_EQ(games.status, 200);
  EXPECT_EQ(games.json()["games"].size(), 29u);
  EXPECT_TRUE(games.has("ETag"));
  EXPECT_EQ(ask(server.port, "GET", "/api/v1/games/hex").json()["game"]["id"], "hex");
  EXPECT_EQ(ask(server.port, "GET", "/healthz").status, 200);
  EXPECT_EQ(ask(server.port, "GET", "/readyz").status, 200);
  EXPECT_EQ(ask(server.port, "GET", "/metrics").status, 404);
  EXPECT_NE(ask(server.admin, "GET", "/metrics").body.find("parlor_tables 1"), std::string::npos);
  EXPECT_EQ(ask(server.port, "GET", "/api/v1/tables/" + id + "/replay").status, 409);
}

TEST(Routes, RefuseWithTheRightStatus_S40) {
  Running server;
  const std::string ann = server.handle("ann");
  const auto status = [&](const char* method, const char* target, const std::string& token,
                          const Json& body) {
    return ask(server.port, method, std::string{"/api/v1/"} + target, token, body).status;
  };
  EXPECT_EQ(status("POST", "tables", "", {{"game", "pig"}}), 401);
  EXPECT_EQ(status("POST", "tables", "nonsense", {{"game", "pig"}}), 401);
  EXPECT_EQ(status("POST", "tables", ann, "{"), 400);
  EXPECT_EQ(status("POST", "tables", ann, {{"game", "pig"}, {"players", 99}}), 400);
  EXPECT_EQ(status("POST", "tables", ann, {{"game", "pig"}, {"players", 9}}), 422);
  EXPECT_EQ(status("POST", "tables", ann, {{"game", "../../etc/passwd"}}), 404);
  EXPECT_EQ(status("GET", "tables/nosuch", ann, nullptr), 404);
  EXPECT_EQ(status("GET", "nosuch", ann, nullptr), 404);
  EXPECT_EQ(status("PUT", "tables", ann, nullptr), 405);
  EXPECT_EQ(status("POST", "handles", "", {{"name", ""}}), 400);
  // What is wrong is called as whoever asked called it, and without our libraries' own numbers.
  EXPECT_EQ(server.table(ann, {{"game", "pig"}, {"sit", 7}})["error"]["details"]["field"], "sit");
  const Json unread = ask(server.port, "POST", "/api/v1/tables", ann, "{").json();
  EXPECT_EQ(unread["error"]["code"], "JSON_INVALID");
  EXPECT_EQ(unread["error"]["message"].get<std::string>().find("exception"), std::string::npos);
  const Reply options =
      ask(server.port, "POST", "/api/v1/games/chess/options", "", {{"rules", {"nosuch"}}});
  EXPECT_EQ(options.status, 422);
  EXPECT_TRUE(options.json().contains("diagnostics"));
}

TEST(Routes, DoTheSameOnceForTheSameKey_S41) {
  Running server;
  const std::string ann = server.handle("ann");
  const auto make = [&](const std::string& key) {
    return ask(server.port, "POST", "/api/v1/tables", ann, {{"game", "pig"}},
               "Idempotency-Key: " + key + "\r\n")
        .json()["table"]["id"];
  };
  EXPECT_EQ(make("k1"), make("k1"));
  EXPECT_NE(make("k1"), make("k2"));
}

TEST(Routes, RefusePagesOfOtherHosts_S60) {
  auto settings = free_settings();
  settings.origins = {"https://friend.example"};
  Running server{settings};
  const auto status = [&](const std::string& headers) {
    return ask(server.port, "POST", "/api/v1/handles", "", {{"name", "ann"}}, headers).status;
  };
  EXPECT_EQ(status(""), 201);
  EXPECT_EQ(status("Origin: http://127.0.0.1\r\n"), 201);
  EXPECT_EQ(status("Origin: https://friend.example\r\n"), 201);
  EXPECT_EQ(status("Origin: https://evil.example\r\n"), 403);
  EXPECT_EQ(status("Origin: null\r\n"), 403);
  EXPECT_EQ(status("Sec-Fetch-Site: cross-site\r\n"), 403);
  const std::string id = server.table(server.handle("ann"), {{"game", "pig"}})["table"]["id"];
  EXPECT_EQ(Socket(server.port, id, 0, "Origin: https://evil.example\r\n").reply.status, 403);
  EXPECT_EQ(Socket(server.port, id, 0, "Origin: http://127.0.0.1\r\n").reply.status, 101);
  EXPECT_EQ(Socket(server.port, id, 0, "Sec-WebSocket-Protocol: chat\r\n").reply.status, 400);
}

TEST(Routes, CarryHeadersThatKeepBrowsersSafe_S67) {
  Running server;
  for (const char* target : {"/api/v1/games", "/nosuch", "/healthz"}) {
    const Reply reply = ask(server.port, "GET", target);
    for (const char* header :
         {"Content-Security-Policy: default-src 'none'", "X-Content-Type-Options: nosniff",
          "Referrer-Policy: no-referrer", "Cross-Origin-Opener-Policy: same-origin"})
      EXPECT_TRUE(reply.has(header)) << target << " " << header;
  }
}

// ---- Limits; those of size and time are in limits_test.cpp.

TEST(Limits, OfRatesAndSocketsHold_S64) {
  auto settings = free_settings();
  settings.limits.handles = {3, 3'600'000};
  settings.limits.sockets_per_address = 2;
  Running server{settings};
  const std::string ann = server.handle("ann");
  EXPECT_FALSE(server.handle("b").empty());
  EXPECT_FALSE(server.handle("c").empty());
  const Reply refused = ask(server.port, "POST", "/api/v1/handles", "", {{"name", "d"}});
  EXPECT_EQ(refused.status, 429);
  EXPECT_TRUE(refused.has("Retry-After"));
  const std::string id = server.table(ann, {{"game", "pig"}})["table"]["id"];
  const Socket one{server.port, id}, two{server.port, id}, three{server.port, id};
  EXPECT_EQ(two.reply.status, 101);
  EXPECT_EQ(three.reply.status, 429);
  EXPECT_TRUE(three.reply.has("Retry-After"));
}

// A watcher who reads nothing is sent away, and nobody waits for them.
TEST(SlowReaders, AreSentAwayAndNobodyWaits_S65) {
  Running server;
  const std::string ann = server.handle("ann");
  const Json made = server.table(ann, {{"game", "connect-four"}, {"chat", "all"}, {"sit", 0}});
  const std::string id = made["table"]["id"];
  Socket slow{server.port, id, 4096};
  slow.send({{"t", "hello"}, {"as", "watch"}});
  slow.until("sync");
  Socket seat{server.port, id};
  seat.send({{"t", "hello"}, {"token", made["seatToken"]}});
  seat.until("sync");
  // Readiness goes back and forth; everybody is told each time. Only one of the two listens.
  bool sent_away = false;
  for (int n = 0; n < 4000 && !sent_away; ++n) {
    ASSERT_EQ(server.post(id + "/ready", made["seatToken"], {{"ready", n % 2 == 0}}).status, 200);
    ASSERT_TRUE(seat.until("seats"));
    if (n % 20 == 0)
      sent_away =
          ask(server.admin, "GET", "/metrics").body.find("reason=\"slow\"") != std::string::npos;
  }
  EXPECT_TRUE(sent_away);
}

// ---- Whole games.

// Plays a seat at random, checking everything it is told, until the end.
struct Player {
  Player(unsigned short port, const std::string& id, const std::string& token, std::uint64_t seed)
      : socket(port, id), rng(seed) {
    socket.send({{"t", "hello"}, {"token", token}, {"as", "seat"}});
  }
  // False when the game is over.
  bool step() {
    const auto frame = socket.next();
    if (!frame) {
      ADD_FAILURE() << "silence; closed with " << socket.closed;
      return false;
    }
    const std::string kind = (*frame)["t"];
    if (kind == "sync") state = (*frame)["state"];
    if (kind == "update") {
      EXPECT_TRUE(host::apply_patch(state, (*frame)["patch"]));
    }
    EXPECT_NE(kind, "reject") << *frame;
    if (kind == "welcome" && !(*frame)["you"].is_null()) you = (*frame)["you"];
    if (kind == "ack") acknowledged = (*frame)["rev"];
    if (kind == "sync" || kind == "update") {
      rev = (*frame)["rev"];
      options =
          (*frame)["decision"].is_object() ? (*frame)["decision"].value("options", Json()) : Json();
    }
    // Where all hand in their moves at once, others may be faster: an act is taken all the same.
    // Who has handed in could change it, but would be too late once the last one has, too.
    if (options.size() > 0 && acknowledged && rev >= *acknowledged && !handed_in()) {
      acknowledged.reset();
      socket.send({{"t", "act"},
                   {"id", "a" + std::to_string(rev)},
                   {"rev", rev},
                   {"option", rng.below(options.size())}});
    }
    return kind != "over";
  }
  bool handed_in() const {
    return state.is_object() && state.contains("submissions") &&
           state["submissions"][you].value("handedIn", false);
  }
  Socket socket;
  Rng rng;
  Json state, options;
  std::size_t you = 0;
  std::uint64_t rev = 0;
  std::optional<std::uint64_t> acknowledged = 0;  // where the latest act led; nothing: on its way
};

// One person against bots; resigns when it takes too long. The replay is one that can be checked.
void tour(Running& server, const std::string& ann, const std::string& game, int longest) {
  const Json info = ask(server.port, "GET", "/api/v1/games/" + game).json()["game"];
  Json seats = Json::array({{{"kind", "human"}}});
  for (int i = 1; i < info["players"]["min"].get<int>(); ++i)
    seats.push_back({{"kind", "bot"}, {"agent", "random"}});
  const Json made = server.table(ann, {{"game", game}, {"seats", seats}, {"sit", 0}});
  ASSERT_TRUE(made.value("ok", false)) << game << made;
  const std::string id = made["table"]["id"];
  Player player{server.port, id, made["seatToken"], 7};
  ASSERT_EQ(server.post(id + "/ready", made["seatToken"]).status, 200);
  int frames = 0;
  while (player.step())
    if (++frames == longest) player.socket.send({{"t", "resign"}});
  const Reply replay = ask(server.port, "GET", "/api/v1/tables/" + id + "/replay");
  EXPECT_EQ(replay.status, 200) << game << replay.body;
  EXPECT_NE(replay.body.find("\"outcome\""), std::string::npos);
}

TEST(Tour, OfEveryShippedGameWithABotAndAPerson_S96) {
  Running server;
  const std::string ann = server.handle("ann");
  int games = 0;
  const Json listed = ask(server.port, "GET", "/api/v1/games").json();
  for (const Json& game : listed["games"]) {
    tour(server, ann, game["id"], 25);
    ++games;
  }
  EXPECT_EQ(games, 29);
}

TEST(Tour, OfTwoPeopleAtHoldem_S96) {
  Running server;
  const std::string ann = server.handle("ann"), bob = server.handle("bob");
  const Json made = server.table(ann, {{"game", "kuhn-poker"}, {"sit", 0}});
  const std::string id = made["table"]["id"];
  const std::string second = server.post(id + "/sit", bob).json()["seatToken"];
  Player one{server.port, id, made["seatToken"], 1};
  std::thread other([&] {
    Player two{server.port, id, second, 2};
    while (two.step()) {
    }
  });
  server.post(id + "/ready", made["seatToken"]);
  server.post(id + "/ready", second);
  while (one.step()) {
  }
  other.join();
  EXPECT_EQ(ask(server.port, "GET", "/api/v1/tables/" + id).json()["table"]["state"], "finished");
}

// ---- Going down and coming up again.

TEST(Draining, LosesNothingThatWasAcknowledged_S62) {
  auto settings = free_settings();
  std::string name = (std::filesystem::temp_directory_path() / "parlor-server-XXXXXX").string();
  const std::filesystem::path folder = mkdtemp(name.data());
  settings.store = "sqlite:" + (folder / "a.db").string();
  std::string id, token;
  std::uint64_t acknowledged = 0;
  {
    Running server{settings};
    const std::string ann = server.handle("ann");
    const Json made =
        server.table(ann, {{"game", "gomoku"},
                           {"seats", {{{"kind", "human"}}, {{"kind", "bot"}, {"agent", "random"}}}},
                           {"sit", 0}});
    id = made["table"]["id"];
    token = made["seatToken"];
    Player player{server.port, id, token, 3};
    server.post(id + "/ready", token);
    while (player.rev < 6) ASSERT_TRUE(player.step());
    acknowledged = player.rev;
    std::thread closing([&] { server.stop(); });
    EXPECT_EQ(player.socket.wait_closed(), 4412);
    closing.join();
    EXPECT_EQ(server.journal.str().find(token), std::string::npos)
        << "tokens are not for logs (S-61)";
    EXPECT_EQ(server.journal.str().find(ann), std::string::npos);
  }
  Running again{settings};
  const Json listed = ask(again.port, "GET", "/api/v1/tables?state=playing").json()["tables"][0];
  EXPECT_EQ(listed["gameName"], "Gomoku") << "tables that nobody has asked for yet are named, too";
  EXPECT_EQ(listed["seats"][0]["name"], "black");
  Socket socket{again.port, id};
  socket.send({{"t", "hello"}, {"token", token}, {"since", {{"seq", 3}, {"rev", 1}}}});
  const auto sync = socket.until("sync");
  ASSERT_TRUE(sync);
  EXPECT_GE((*sync)["rev"].get<std::uint64_t>(), acknowledged);
  again.stop();
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace parlor::test
