// Sessions of real games with their modules, as somebody hosting them would run them.
#include <filesystem>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/rng.h"
#include "open/open.h"
#include "table/store.h"

namespace parlor::test {
namespace {

using table::ActionEnvelope;
using table::Session;
using table::SessionConfig;
using table::Snapshot;

table::Clock ticking() {
  return [now = table::Time{1000}]() mutable { return now++; };
}

SessionConfig config(std::string game, std::vector<std::string> rules) {
  SessionConfig out;
  out.id = "s";
  out.game = std::move(game);
  out.options.rules = std::move(rules);
  out.seed = 11;
  return out;
}

// Any option, but one with `wish` in its text if there is such a thing.
ActionEnvelope pick(const Session& session, Rng& rng, std::string_view wish = "nothing special") {
  OptionList options;
  session.state().list_options(options);
  std::size_t index = rng.below(options.size());
  for (std::size_t i = 0; i < options.size(); ++i)
    if (session.state().option_text(options[i]).find(wish) != std::string::npos) index = i;
  return {.session = "s",
          .action_id = fmt::format("a{}", session.revision()),
          .actor = session.state().decision().player,
          .content = {{"index", index}}};
}

ActionEnvelope ask(const Session& session, std::string action, Json params) {
  return {.session = "s",
          .action_id = "ask",
          .actor = session.state().decision().player,
          .content = {{"action", std::move(action)}, {"params", std::move(params)}}};
}

class SessionsOf : public ::testing::Test {
 protected:
  Session open(std::string game, std::vector<std::string> rules = {}) {
    auto session = table_.open(config(std::move(game), std::move(rules)));
    if (!session) throw std::runtime_error(session.error().message);
    return std::move(*session);
  }

  Catalog catalog_ = open::catalog(open::Files::by_path);
  std::unique_ptr<table::Store> store_ = table::memory_store();
  table::Table table_{catalog_, *store_, ticking(), 9};
};

// The bytes, and everything that is said about them.
void expect_same(const Session& left, const Session& right) {
  EXPECT_TRUE(std::ranges::equal(left.state().block().bytes(), right.state().block().bytes()));
  EXPECT_EQ(canonical(left.to_json()), canonical(right.to_json()));
}

// Cards are played in several steps: snapshots in the middle of a move are among those tried.
TEST_F(SessionsOf, CoalitionWithItsExpansionGoOnFromAnySnapshot) {  // M-50, M-52
  Session session = open("coalition", {"economy"});
  EXPECT_EQ(session.config().options.rules, std::vector<std::string>{"economy"});
  Rng rng{4};
  std::vector<Snapshot> snapshots;
  int halfway = 0;
  for (int i = 0; i < 400 && !session.state().finished(); ++i) {
    const auto answer = table_.act(session, pick(session, rng, "economy.measures"));
    ASSERT_TRUE(answer.has_value()) << answer.error().message;
    const bool mid_move = !session.state().finished() && !session.state().decision().starts_move;
    halfway += mid_move ? 1 : 0;
    if (mid_move || i % 60 == 0) snapshots.push_back(session.snapshot());
  }
  ASSERT_TRUE(session.state().finished());
  EXPECT_GT(halfway, 0);
  const auto resumed = table_.resume("s");
  ASSERT_TRUE(resumed.has_value()) << resumed.error().message;
  expect_same(*resumed, session);
  OpenOptions options;
  options.rules = {"economy"};
  const auto game = catalog_.open("coalition", options).value();
  for (const Snapshot& snapshot : snapshots) {
    table::Record record = session.record();
    record.snapshots = {snapshot};
    const auto from = Session::restore(game, std::move(record), ticking());
    ASSERT_TRUE(from.has_value()) << snapshot.revision << ": " << from.error().message;
    EXPECT_TRUE(from->remarks().empty()) << from->remarks()[0];
    expect_same(*from, session);
  }
}

TEST_F(SessionsOf, CoalitionSayWhyAnActionOfAModuleIsRefused) {  // M-03, M-14, M-43
  Session plain = open("coalition");
  const auto disabled = plain.act(ask(plain, "economy.measures.take", {{"$index", 0}}));
  ASSERT_FALSE(disabled.has_value());
  EXPECT_EQ(disabled.error().code, "ACTION_MODULE_DISABLED");
  EXPECT_EQ(plain.revision(), 0u);
  ASSERT_TRUE(store_->remove("s").has_value());

  Session session = open("coalition", {"economy"});
  Rng rng{1};
  ASSERT_TRUE(session.act(pick(session, rng)).has_value());  // lays the tile
  const Json before = session.to_json();
  const auto index = session.act(ask(session, "economy.measures.take", {{"$index", 7}}));
  ASSERT_FALSE(index.has_value());
  EXPECT_EQ(index.error().code, "OFFER_INDEX_INVALID");
  EXPECT_EQ(index.error().details, (Json{{"cards", 3}, {"index", 7}}));
  EXPECT_EQ(session.to_json(), before);
  EXPECT_TRUE(session.act(ask(session, "economy.measures.take", {{"$index", 2}})).has_value());
}

TEST_F(SessionsOf, PokerKeepItsSecrets) {  // M-53
  Session session = open("leduc-poker");
  Rng rng{5};
  bool moved = false;
  while (!session.state().finished()) {
    const auto answer = session.act(pick(session, rng, "c"));  // check or call, to see a card dealt
    ASSERT_TRUE(answer.has_value()) << answer.error().message;
    for (const Json& event : answer->events) {
      moved |= event["kind"] == "tokenMoved";
      EXPECT_FALSE(event["data"].contains("token")) << event;
    }
    if (session.state().finished()) break;
    for (const int player : {0, 1}) {
      const Json seen =
          session.observation(Viewer::player(PlayerId{static_cast<std::size_t>(player)}));
      const std::string own = fmt::format("hand:{}", player),
                        other = fmt::format("hand:{}", 1 - player);
      const Json all = session.state().view();
      EXPECT_EQ(seen["zones"][own], all["zones"][own]);
      EXPECT_NE(seen["zones"][other], all["zones"][other]);
    }
  }
  EXPECT_TRUE(moved) << "a card was dealt while it was played";
}

// Who was shown what is in the observations; an answer says only that something was.
TEST_F(SessionsOf, PokerDoNotNameTheCardsOfAShowdown) {  // M-53
  Session session = open("texas-holdem");
  Rng rng{2};
  bool shown = false;
  while (!session.state().finished() && !shown) {
    const auto answer = session.act(pick(session, rng, "all-in"));
    ASSERT_TRUE(answer.has_value()) << answer.error().message;
    for (const Json& event : answer->events) {
      shown |= event["kind"] == "revealed";
      EXPECT_FALSE(event["data"].contains("tokens")) << event;
    }
  }
  EXPECT_TRUE(shown);
}

// S-15: a table of Chess960 or from a position, with modifiers, can be resumed.
TEST_F(SessionsOf, ChessRememberHowTheyWereOpened) {  // T-32
  const Json shield = Json::parse(R"({"version": 1, "name": "Guard",
    "attributes": [{"name": "Guard", "low": 0, "high": 1}],
    "attach": [{"to": {"pieceTypes": ["knight"]},
                "primitives": [{"do": "seedAttribute", "attribute": "Guard", "value": 1}]}]})");
  SessionConfig layout = config("chess", {}), position = layout, modified = layout;
  layout.options.layout = "chess960:12";
  position.options.position = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
  modified.options.modifiers.data = shield;
  Rng rng{3};
  for (const SessionConfig& wanted : {layout, position, modified}) {
    auto session = table_.open(wanted);
    ASSERT_TRUE(session.has_value()) << session.error().message;
    for (int i = 0; i < 20 && !session->over(); ++i)
      ASSERT_TRUE(table_.act(*session, pick(*session, rng)).has_value());
    const auto resumed = table_.resume("s");
    ASSERT_TRUE(resumed.has_value()) << resumed.error().message;
    expect_same(*resumed, *session);
    ASSERT_TRUE(store_->remove("s").has_value());
  }
}

TEST_F(SessionsOf, DiceRememberThatTheyAreShown) {  // S-15
  SessionConfig wanted = config("pig", {});
  wanted.options.explicit_chance = true;
  auto session = table_.open(wanted).value();
  EXPECT_TRUE(session.game().info().explicit_chance);
  Rng rng{3};
  for (int i = 0; i < 30; ++i) ASSERT_TRUE(table_.act(session, pick(session, rng)).has_value());
  const auto resumed = table_.resume("s");
  ASSERT_TRUE(resumed.has_value()) << resumed.error().message;
  EXPECT_TRUE(resumed->game().info().explicit_chance);
  expect_same(*resumed, session);
}

// Presets of chess are modules like all others: the same ids, checks and refusals.
TEST_F(SessionsOf, ChessWithHouseRulesAreKeptTheSameWay) {  // M-01, M-50
  EXPECT_EQ(table_.open(config("chess", {"capture-to-win", "suicide-chess"})).error().code,
            "RULE_INCOMPATIBLE");
  EXPECT_EQ(table_.open(config("coalition", {"econmy"})).error().code, "RULE_UNKNOWN");
  Session session = open("chess", {"first-promotion-wins"});
  Rng rng{3};
  for (int i = 0; i < 40 && !session.state().finished(); ++i)
    ASSERT_TRUE(table_.act(session, pick(session, rng)).has_value());
  const auto resumed = table_.resume("s");
  ASSERT_TRUE(resumed.has_value()) << resumed.error().message;
  expect_same(*resumed, session);
}

}  // namespace
}  // namespace parlor::test
