// Running a server: what it is started with, the files of the page, logs and metrics (S-01, S-68,
// S-70, S-71).
#include <filesystem>
#include <fstream>
#include <sstream>

#include "server/rules_text.h"
#include "server/running.h"
#include "server/settings.h"
#include "source_dir.h"

namespace parlor::test {
namespace {

TEST(Settings, HaveTheDefaultsThatAreDocumented_S01) {
  const server::ServerSettings settings;
  EXPECT_EQ(settings.listen, "127.0.0.1:8080");
  EXPECT_EQ(settings.store, "sqlite:parlor.db");
  EXPECT_FALSE(settings.uploads);
  EXPECT_EQ(settings.lease_seconds, 10);
}

TEST(Settings, LeaveACoreToPeopleWhereBotsThink_S04) {
  const server::ServerSettings settings;
  EXPECT_EQ(settings.table_threads, 0u) << "as many as there are cores";
  EXPECT_EQ(settings.bot_threads, 0u) << "all cores but one";
}

// What sockets cost is paid by the few sources that know them; a header would spread it.
TEST(Layers, OnlyTheServerKnowsSockets_S02_S03) {
  std::vector<std::string> knowing;
  for (const auto& entry : std::filesystem::recursive_directory_iterator{source_dir() + "/src"}) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file{entry.path()};
    std::stringstream text;
    text << file.rdbuf();
    if (text.str().find("#include <boost/") == std::string::npos) continue;
    const std::string folder = entry.path().parent_path().filename().string();
    EXPECT_EQ(folder, "server") << entry.path();
    if (entry.path().extension() == ".cpp") knowing.push_back(entry.path().string());
  }
  EXPECT_FALSE(knowing.empty());
  EXPECT_LE(knowing.size(), 3u);
}

TEST(Settings, AreReadWithCare_S01) {
  server::ServerSettings settings;
  ASSERT_TRUE(server::read_settings({{"listen", "0.0.0.0:1"},
                                     {"store", "postgres:dbname=x"},
                                     {"node", "a"},
                                     {"peer", "10.0.0.1:1"},
                                     {"uploads", true},
                                     {"limits", {{"actsPerSecond", 3}}}},
                                    settings));
  EXPECT_EQ(settings.store, "postgres:dbname=x");
  EXPECT_TRUE(settings.uploads);
  EXPECT_EQ(settings.limits.acts.most, 3);
  EXPECT_FALSE(server::read_settings({{"lissten", "x"}}, settings));
  EXPECT_FALSE(server::read_settings({{"uploads", "yes"}}, settings));
  EXPECT_FALSE(server::read_settings({{"limits", {{"actsPerSecond", -1}}}}, settings));
}

TEST(Stores, ThatAreNoneAreRefusedWithWords_S01) {
  auto settings = free_settings();
  for (const char* store : {"floppy:", "postgres:host=/nowhere dbname=x", "sqlite:/nowhere/x.db"}) {
    settings.store = store;
    static const Catalog all = open::catalog(open::Files::none);
    std::ostringstream journal;
    server::Server server{all, settings, journal};
    const auto started = server.start();
    ASSERT_FALSE(started) << store;
    EXPECT_FALSE(started.error().message.empty());
  }
}

TEST(Page, ThatIsNotThereIsSaidAtTheStart_S01) {
  auto settings = free_settings();
  settings.web = "/nowhere/dist";
  static const Catalog all = open::catalog(open::Files::none);
  std::ostringstream journal;
  server::Server server{all, settings, journal};
  const auto started = server.start();
  ASSERT_FALSE(started);
  EXPECT_NE(started.error().message.find("/nowhere/dist"), std::string::npos);
}

TEST(Settings, AreWhatClientsAreToldToKeepTo_S63_S64) {
  auto settings = free_settings();
  settings.limits.acts.most = 3;
  settings.limits.ping_every = 7'000;
  Running server{settings};
  const std::string id = server.table(server.handle("ann"), {{"game", "pig"}})["table"]["id"];
  Socket socket{server.port, id};
  socket.send({{"t", "hello"}, {"as", "watch"}});
  const Json limits = socket.until("welcome").value_or(Json())["limits"];
  EXPECT_EQ(limits["actsPerSecond"], 3);
  EXPECT_EQ(limits["pingSeconds"], 7);
  EXPECT_EQ(limits["frameBytes"], 16 * 1024);
}

TEST(Page, FilesAreServedAsTheyMayBeKept_S70) {
  std::string name = (std::filesystem::temp_directory_path() / "parlor-page-XXXXXX").string();
  const std::filesystem::path folder = mkdtemp(name.data());
  const auto put = [&](const char* file, const char* text) {
    std::ofstream(folder / file) << text;
  };
  put("index.html", "<p>hello");
  put("page-3f2a9c1b.js", "let long = 1;");
  put("page-3f2a9c1b.js.gz", "packed");
  auto settings = free_settings();
  settings.web = folder.string();
  Running server{settings};
  const Reply index = ask(server.port, "GET", "/");
  EXPECT_EQ(index.body, "<p>hello");
  EXPECT_TRUE(index.has("no-cache") || index.has("no-store")) << index.head;
  EXPECT_EQ(ask(server.port, "GET", "/t/abc").body, "<p>hello") << "addresses inside the page";
  const Reply plain = ask(server.port, "GET", "/page-3f2a9c1b.js");
  EXPECT_EQ(plain.body, "let long = 1;");
  EXPECT_TRUE(plain.has("immutable")) << plain.head;
  const Reply packed =
      ask(server.port, "GET", "/page-3f2a9c1b.js", "", nullptr, "Accept-Encoding: gzip\r\n");
  EXPECT_EQ(packed.body, "packed");
  EXPECT_TRUE(packed.has("Content-Encoding: gzip")) << packed.head;
  // A mistyped address: the page for people, JSON for programs.
  const Reply nowhere =
      ask(server.port, "GET", "/nowhere/else", "", nullptr, "Accept: text/html,*/*\r\n");
  EXPECT_EQ(nowhere.status, 404);
  EXPECT_EQ(nowhere.body, "<p>hello");
  EXPECT_EQ(ask(server.port, "GET", "/nowhere/else").json()["error"]["code"], "ROUTE_UNKNOWN");
  EXPECT_EQ(ask(server.port, "GET", "/../../etc/passwd").status, 404);
  EXPECT_EQ(ask(server.port, "GET", "/%2e%2e/%2e%2e/etc/passwd").status, 404);
  server.stop();
  std::filesystem::remove_all(folder);
}

TEST(Rules, AreHtmlWithoutAnythingThatRuns_S68) {
  Running server;
  const Json game = ask(server.port, "GET", "/api/v1/games/tic-tac-toe").json()["game"];
  const std::string html = game["rulesHtml"];
  EXPECT_NE(html.find("<p>"), std::string::npos);
  for (const char* bad : {"<script", "javascript:", "onerror", "<iframe"})
    EXPECT_EQ(html.find(bad), std::string::npos) << bad;
  // Names of people are data: what they call themselves comes back as it is, in JSON.
  const std::string name = "<img src=x onerror=1>";
  const std::string token = server.handle(name);
  const Json made = server.table(token, {{"game", "hex"}, {"sit", 0}});
  EXPECT_EQ(made["table"]["seats"][0]["handle"], name);
}

TEST(Logs, AreJsonLinesWithoutSecrets_S71) {
  Running server;
  const std::string ann = server.handle("ann");
  const Json made =
      server.table(ann, {{"game", "leduc-poker"},
                         {"seats", {{{"kind", "human"}}, {{"kind", "bot"}, {"agent", "random"}}}},
                         {"sit", 0}});
  Socket socket{server.port, made["table"]["id"]};
  socket.send({{"t", "hello"}, {"token", made["seatToken"]}});
  server.post(made["table"]["id"].get<std::string>() + "/ready", made["seatToken"]);
  while (const auto frame = socket.next()) {
    if ((*frame)["t"] == "over") break;
    if (!frame->contains("decision") || !(*frame)["decision"].is_object()) continue;
    if ((*frame)["decision"].contains("options"))
      socket.send(
          {{"t", "act"}, {"id", (*frame)["rev"].dump()}, {"rev", (*frame)["rev"]}, {"option", 0}});
  }
  const std::string metrics = ask(server.admin, "GET", "/metrics").body;
  for (const char* line :
       {"parlor_sockets ", "parlor_tables ", "parlor_acts_total ", "parlor_act_milliseconds_bucket",
        "parlor_act_milliseconds_count ", "parlor_store_microseconds_total ", "parlor_bot_queue "})
    EXPECT_NE(metrics.find(line), std::string::npos) << line << "\n" << metrics;
  EXPECT_EQ(ask(server.port, "GET", "/metrics").status, 404) << "at the admin's door only";
  server.stop();
  std::istringstream lines{server.journal.str()};
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const auto json = parse_json(line);
    ASSERT_TRUE(json) << line;
    EXPECT_TRUE(json->contains("event") && json->contains("at")) << line;
    for (const std::string& secret : {ann, made["seatToken"].get<std::string>()})
      EXPECT_EQ(line.find(secret), std::string::npos);
  }
  EXPECT_GE(count, 2u);
}

}  // namespace
}  // namespace parlor::test
