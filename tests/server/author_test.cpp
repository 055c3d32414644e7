// For those who write games: their texts are looked at in a process of its own, with limits, and
// may be played where the server allows it (S-55, S-63).
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "server/running.h"
#include "source_dir.h"

namespace parlor::test {
namespace {

server::ServerSettings with_program(bool uploads) {
  auto settings = free_settings();
  const char* const given = std::getenv("PARLOR");
  settings.program = given != nullptr ? given : source_dir() + "/build/parlor";
  settings.uploads = uploads;
  return settings;
}

std::string text_of(const std::string& game) {
  std::ifstream file{source_dir() + "/games/" + game};
  std::stringstream out;
  out << file.rdbuf();
  return out.str();
}

Json bundle(const std::string& text) {
  return {{"files", {{"mine.md", text}}}, {"main", "mine.md"}};
}

TEST(Authors, AreToldWhatTheCompilerSays) {
  Running server{with_program(false)};
  const auto check = [&](const Json& body) {
    return ask(server.port, "POST", "/api/v1/check", "", body);
  };
  const Json fine = check(bundle(text_of("tic-tac-toe.md"))).json();
  EXPECT_TRUE(fine["ok"].get<bool>()) << fine;
  std::string wrong = text_of("tic-tac-toe.md");
  wrong.replace(wrong.find("where empty"), 11, "where emptty");
  const Reply answer = check(bundle(wrong));
  EXPECT_EQ(answer.status, 200);
  const Json said = answer.json();
  EXPECT_FALSE(said["ok"].get<bool>());
  ASSERT_FALSE(said["diagnostics"].empty());
  EXPECT_EQ(said["diagnostics"][0]["file"], "mine.md") << said;
  // Nothing outside the bundle is read.
  std::string outside = text_of("tic-tac-toe.md");
  outside.insert(outside.find("metadata:"), "imports: [../../../etc/passwd]\n");
  const Json refused = check(bundle(outside)).json();
  EXPECT_FALSE(refused["ok"].get<bool>()) << refused;
  EXPECT_EQ(refused.dump().find("root:"), std::string::npos);
  EXPECT_EQ(check({{"files", {{"../x.md", "a"}}}, {"main", "../x.md"}}).status, 400);
  Json many{{"files", Json::object()}, {"main", "f0"}};
  for (int n = 0; n < 33; ++n) many["files"]["f" + std::to_string(n)] = "";
  EXPECT_EQ(check(many).status, 400);
}

// Out of memory, for example, or killed: the child is gone before it has read what it is sent.
TEST(Authors, AreToldWhenTheCompilerDiesAndTheServerLives_S55) {
  auto settings = free_settings();
  settings.program = "/bin/true";
  Running server{settings};
  for (int again = 0; again < 3; ++again) {
    const Reply answer =
        ask(server.port, "POST", "/api/v1/check", "", bundle(std::string(200'000, 'x')));
    EXPECT_EQ(answer.status, 200);
    EXPECT_FALSE(answer.json()["ok"].get<bool>());
    EXPECT_FALSE(answer.json()["diagnostics"].empty());
  }
  EXPECT_EQ(ask(server.port, "GET", "/healthz").status, 200);
}

TEST(Authors, GetAShortEvaluation) {
  Running server{with_program(false)};
  const Reply answer =
      ask(server.port, "POST", "/api/v1/eval", "", bundle(text_of("tic-tac-toe.md")));
  EXPECT_EQ(answer.status, 200);
  const Json said = answer.json();
  ASSERT_TRUE(said["ok"].get<bool>()) << said.dump().substr(0, 500);
  EXPECT_TRUE(said["evaluation"].contains("flags")) << said["evaluation"].dump().substr(0, 300);
  const Json wrong = ask(server.port, "POST", "/api/v1/eval", "", bundle("nothing")).json();
  EXPECT_FALSE(wrong["ok"].get<bool>());
  EXPECT_FALSE(wrong["diagnostics"].empty());
}

TEST(Uploads, AreOffUnlessTheServerTakesThem_S55) {
  Running server{with_program(false)};
  const std::string ann = server.handle("ann");
  EXPECT_EQ(
      ask(server.port, "POST", "/api/v1/uploads", ann, bundle(text_of("tic-tac-toe.md"))).status,
      403);
}

TEST(Uploads, ArePlayedLikeAnyGame_S55) {
  Running server{with_program(true)};
  const std::string ann = server.handle("ann");
  const auto send = [&](const std::string& token, const Json& body) {
    return ask(server.port, "POST", "/api/v1/uploads", token, body);
  };
  EXPECT_EQ(send("", bundle("x")).status, 401);
  EXPECT_EQ(send(ann, bundle("x")).status, 422);
  const Reply answer = send(ann, bundle(text_of("tic-tac-toe.md")));
  ASSERT_EQ(answer.status, 201) << answer.body;
  const std::string id = answer.json()["game"]["id"];
  EXPECT_TRUE(id.starts_with("u-"));
  const auto table = [&](const std::string& agent) {
    return server.table(ann, {{"game", id},
                              {"seats", {{{"kind", "human"}}, {{"kind", "bot"}, {"agent", agent}}}},
                              {"sit", 0}});
  };
  EXPECT_EQ(table("mcts:ms=1000")["error"]["code"], "AGENT_PARAMETER") << "a budget of their own";
  const Json made = table("mcts:ms=20");
  ASSERT_TRUE(made.value("ok", false)) << made;
  Socket socket{server.port, made["table"]["id"]};
  socket.send({{"t", "hello"}, {"token", made["seatToken"]}});
  server.post(made["table"]["id"].get<std::string>() + "/ready", made["seatToken"]);
  const auto act = [&](const Json& frame) {
    if (frame["t"] != "sync" && frame["t"] != "update") return;
    if (frame["decision"].is_object() && frame["decision"].contains("options"))
      socket.send(
          {{"t", "act"}, {"id", "r" + frame["rev"].dump()}, {"rev", frame["rev"]}, {"option", 0}});
  };
  EXPECT_TRUE(socket.until("over", act));
  // Too large a board is no game here.
  std::string large = text_of("tic-tac-toe.md");
  large.replace(large.find("grid(3, 3)"), 10, "grid(40, 40)");
  EXPECT_EQ(send(ann, bundle(large)).status, 422);
}

}  // namespace
}  // namespace parlor::test
