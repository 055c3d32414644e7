#include "table/session.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "play/board_games.h"
#include "play/card_games.h"

namespace parlor::table {
namespace {

using TicTacToeGame = play::games::NativeGame<play::games::TicTacToe>;
using KuhnGame = play::games::NativeGame<play::games::KuhnPoker>;

Clock ticking() {
  return [now = Time{1000}]() mutable { return now++; };
}

Session new_session(std::optional<bool> allow_undo = std::nullopt) {
  SessionConfig config{.id = "s1",
                       .game = "tic-tac-toe",
                       .rules = {},
                       .constants = {},
                       .seed = 7,
                       .players = 2,
                       .allow_undo = allow_undo};
  return Session::create(std::make_shared<TicTacToeGame>(), config, ticking()).value();
}

ActionEnvelope place(const std::string& id, int player, int cell) {
  return {.session = "s1",
          .action_id = id,
          .actor = PlayerId{player},
          .type = "place",
          .payload = {{"value", std::to_string(cell)}}};
}
ActionEnvelope turn_back(const std::string& id, const std::string& type) {
  return {.session = "s1", .action_id = id, .actor = PlayerId{0}, .type = type};
}

// M-50: the revision starts at 0 and counts accepted actions; times come from the clock.
TEST(Session, CountsAcceptedActions) {
  Session session = new_session();
  EXPECT_EQ(session.revision(), 0u);
  EXPECT_EQ(session.created(), 1000);
  const auto answer = session.act(place("a", 0, 4));
  ASSERT_TRUE(answer.has_value()) << answer.error().message;
  EXPECT_EQ(answer->revision, 1u);
  EXPECT_EQ(answer->hash, session.state().hash());
  EXPECT_EQ(session.updated(), 1001);
  const Json json = session.to_json();
  EXPECT_EQ(json["revision"], 1);
  EXPECT_EQ(json["log"][0]["action"], "a");
  EXPECT_EQ(json["config"]["game"], "tic-tac-toe");
}

// M-51: a repeated action id returns the first answer again and does nothing.
TEST(Session, RepeatedActionIdsAreHarmless) {
  Session session = new_session();
  const auto first = session.act(place("a", 0, 4)).value();
  ASSERT_TRUE(session.act(place("b", 1, 0)).has_value());
  const auto again = session.act(place("a", 0, 8)).value();
  EXPECT_TRUE(again.repeated);
  EXPECT_EQ(again.revision, first.revision);
  EXPECT_EQ(again.hash, first.hash);
  EXPECT_EQ(session.revision(), 2u);
}

// M-51, M-14: rejections have their own codes and leave state, log and revision untouched.
TEST(Session, RejectionsChangeNothing) {
  Session session = new_session();
  ASSERT_TRUE(session.act(place("a", 0, 4)).has_value());
  const Json before = session.to_json();
  const auto code_of = [&](const ActionEnvelope& envelope) {
    auto answer = session.act(envelope);
    return answer ? std::string{"accepted"} : answer.error().code;
  };
  ActionEnvelope stale = place("b", 1, 0);
  stale.expected_revision = 0;
  EXPECT_EQ(code_of(stale), "REVISION_CONFLICT");
  EXPECT_EQ(session.act(stale).error().details["revision"], 1);
  EXPECT_EQ(code_of(place("b", 0, 0)), "ACTOR_NOT_DECIDING");
  EXPECT_EQ(code_of(place("b", 7, 0)), "ACTOR_UNKNOWN");
  EXPECT_EQ(code_of(place("b", 1, 4)), "OPTION_ILLEGAL");
  EXPECT_EQ(code_of(place("", 1, 0)), "ACTION_ID_MISSING");
  ActionEnvelope elsewhere = place("b", 1, 0);
  elsewhere.session = "s2";
  EXPECT_EQ(code_of(elsewhere), "SESSION_UNKNOWN");
  elsewhere.action_id = "a";
  EXPECT_EQ(code_of(elsewhere), "SESSION_UNKNOWN") << "its answer is not another session's";
  EXPECT_EQ(code_of(turn_back("b", "redo")), "REDO_EMPTY");
  EXPECT_EQ(session.to_json(), before);
}

// M-52
TEST(Session, UndoAndRedoWalkTheLine) {
  Session session = new_session();
  std::vector<std::uint64_t> hashes{session.state().hash()};
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(session.act(place(fmt::format("m{}", i), i % 2, i)).has_value());
    hashes.push_back(session.state().hash());
  }
  ASSERT_TRUE(session.act(turn_back("u1", "undo")).has_value());
  ASSERT_TRUE(session.act(turn_back("u2", "undo")).has_value());
  EXPECT_EQ(session.state().hash(), hashes[2]);
  ASSERT_TRUE(session.act(turn_back("r1", "redo")).has_value());
  EXPECT_EQ(session.state().hash(), hashes[3]);
  EXPECT_EQ(session.revision(), 7u);
  ASSERT_TRUE(session.act(place("n", 1, 8)).has_value());  // ends what could be brought back
  EXPECT_EQ(session.act(turn_back("r2", "redo")).error().code, "REDO_EMPTY");
  for (int i = 0; i < 4; ++i)
    ASSERT_TRUE(session.act(turn_back(fmt::format("v{}", i), "undo")).has_value());
  EXPECT_EQ(session.state().hash(), hashes[0]);
  EXPECT_EQ(session.act(turn_back("v9", "undo")).error().code, "UNDO_EMPTY");
}

TEST(Session, UndoMustBeAllowed) {
  Session forbidden = new_session(false);
  ASSERT_TRUE(forbidden.act(place("a", 0, 4)).has_value());
  EXPECT_EQ(forbidden.act(turn_back("u", "undo")).error().code, "UNDO_NOT_ALLOWED");
  // Hidden cards: not by default, because taking back would give knowledge away.
  SessionConfig config{.id = "k",
                       .game = "kuhn",
                       .rules = {},
                       .constants = {},
                       .seed = 1,
                       .players = 2,
                       .allow_undo = std::nullopt};
  EXPECT_FALSE(Session::create(std::make_shared<KuhnGame>(), config, ticking())->undo_allowed());
}

// M-50: replaying the log from the seed gives byte-identical states, with or without a snapshot.
TEST(Session, RestoresByteIdentically) {
  Session session = new_session();
  std::optional<Snapshot> snapshot;
  for (int i = 0; i < 3; ++i)
    ASSERT_TRUE(session.act(place(fmt::format("m{}", i), i % 2, i)).has_value());
  ASSERT_TRUE(session.act(turn_back("u", "undo")).has_value());
  snapshot = session.snapshot();
  ASSERT_TRUE(session.act(turn_back("r", "redo")).has_value());
  ASSERT_TRUE(session.act(place("m9", 1, 5)).has_value());

  for (const auto& from : {std::optional<Snapshot>{}, snapshot}) {
    auto restored = Session::restore(std::make_shared<TicTacToeGame>(), session.config(), ticking(),
                                     session.created(), session.log(), from);
    ASSERT_TRUE(restored.has_value()) << restored.error().message;
    EXPECT_EQ(canonical(restored->to_json()), canonical(session.to_json()));
    EXPECT_TRUE(
        std::ranges::equal(restored->state().block().bytes(), session.state().block().bytes()));
    EXPECT_EQ(restored->undo_depth(), session.undo_depth());
  }
}

TEST(Session, ADamagedLogIsRefused) {
  Session session = new_session();
  ASSERT_TRUE(session.act(place("a", 0, 4)).has_value());
  auto log = session.log();
  log[0].hash ^= 1;
  EXPECT_EQ(Session::restore(std::make_shared<TicTacToeGame>(), session.config(), ticking(), 0, log)
                .error()
                .code,
            "STATE_INVALID");
  log = session.log();
  log[0].options[0].id = 99;
  EXPECT_EQ(Session::restore(std::make_shared<TicTacToeGame>(), session.config(), ticking(), 0, log)
                .error()
                .code,
            "OPTION_ILLEGAL");
  EXPECT_FALSE(log_entry_from_json(Json{{"revision", 1}}).has_value());
  EXPECT_FALSE(session_config_from_json(Json::array()).has_value());
}

TEST(Session, EntriesAndConfigsRoundTripThroughJson) {
  Session session = new_session(true);
  ASSERT_TRUE(session.act(place("a", 0, 4)).has_value());
  EXPECT_EQ(log_entry_from_json(to_json(session.log()[0])).value(), session.log()[0]);
  EXPECT_EQ(session_config_from_json(to_json(session.config())).value(), session.config());
}

// M-53, and chance decisions are resolved by the session itself.
TEST(Session, ObservationsHideWhatOthersHold) {
  SessionConfig config{.id = "k",
                       .game = "kuhn",
                       .rules = {},
                       .constants = {},
                       .seed = 3,
                       .players = 2,
                       .allow_undo = std::nullopt};
  auto session = Session::create(std::make_shared<KuhnGame>(), config, ticking()).value();
  EXPECT_EQ(session.state().decision().kind, DecisionKind::action);
  const Json mine = session.observation(PlayerId{0});
  EXPECT_GT(mine["cards"][0], 0);
  EXPECT_EQ(mine["cards"][1], -1);
  EXPECT_TRUE(mine["decision"].contains("options"));
  EXPECT_FALSE(session.observation(PlayerId{1})["decision"].contains("options"));
}

}  // namespace
}  // namespace parlor::table
