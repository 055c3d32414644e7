#include "table/session.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "play/board_games.h"
#include "play/card_games.h"
#include "table/ladder.h"

namespace parlor::table {
namespace {

using TicTacToeGame = play::games::NativeGame<play::games::TicTacToe>;

Clock ticking() {
  return [now = Time{1000}]() mutable { return now++; };
}

SessionConfig config_of(std::string game, std::optional<bool> allow_undo = std::nullopt) {
  SessionConfig config;
  config.id = "s1";
  config.game = std::move(game);
  config.seed = 7;
  config.allow_undo = allow_undo;
  return config;
}

Session new_session(std::optional<bool> allow_undo = std::nullopt) {
  return Session::create(std::make_shared<TicTacToeGame>(), config_of("tic-tac-toe", allow_undo),
                         ticking())
      .value();
}

ActionEnvelope place(const std::string& id, int player, int cell) {
  return {.session = "s1",
          .action_id = id,
          .actor = PlayerId{player},
          .content = {{"action", "place"}, {"params", {{"value", std::to_string(cell)}}}}};
}
const Json both = {{"agreed", {0, 1}}};
ActionEnvelope send(const std::string& id, int player, Deed deed, Json content = Json::object()) {
  return {.session = "s1",
          .action_id = id,
          .actor = player < 0 ? PlayerId::none() : PlayerId{player},
          .deed = deed,
          .content = std::move(content)};
}
ActionEnvelope undo(const std::string& id, Json content = both) {
  return send(id, 0, Deed::undo, std::move(content));
}
ActionEnvelope redo(const std::string& id) {
  return send(id, 0, Deed::redo, both);
}
std::string code_of(Session& session, const ActionEnvelope& envelope) {
  auto answer = session.act(envelope);
  return answer ? std::string{"accepted"} : answer.error().code;
}

// M-50: the revision starts at 0 and counts accepted actions; times come from the clock.
TEST(Session, CountsAcceptedActions) {
  Session session = new_session();
  EXPECT_EQ(session.revision(), 0u);
  EXPECT_EQ(session.created(), 1000);
  const auto answer = session.act(place("a", 0, 4));
  ASSERT_TRUE(answer.has_value()) << answer.error().message;
  EXPECT_EQ(answer->revision, 1u);
  EXPECT_EQ(answer->view_hash, session.state().view_hash(Viewer::player(PlayerId{0})));
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
  const auto again = session.act(place("a", 0, 4)).value();
  EXPECT_TRUE(again.repeated);
  EXPECT_EQ(again.revision, first.revision);
  EXPECT_EQ(again.view_hash, first.view_hash);
  EXPECT_EQ(session.revision(), 2u);
}

// M-51, M-14: rejections have their own codes and leave state, log and revision untouched.
TEST(Session, RejectionsChangeNothing) {
  Session session = new_session();
  ASSERT_TRUE(session.act(place("a", 0, 4)).has_value());
  const Json before = session.to_json();
  ActionEnvelope stale = place("b", 1, 0);
  stale.expected_revision = 0;
  EXPECT_EQ(code_of(session, stale), "REVISION_CONFLICT");
  EXPECT_EQ(session.act(stale).error().details["revision"], 1);
  EXPECT_EQ(code_of(session, place("b", 0, 0)), "ACTOR_NOT_DECIDING");
  EXPECT_EQ(code_of(session, place("b", 7, 0)), "ACTOR_UNKNOWN");
  EXPECT_EQ(code_of(session, place("b", 1, 4)), "OPTION_ILLEGAL");
  EXPECT_EQ(code_of(session, place("", 1, 0)), "ACTION_ID_MISSING");
  ActionEnvelope elsewhere = place("b", 1, 0);
  elsewhere.session = "s2";
  EXPECT_EQ(code_of(session, elsewhere), "SESSION_UNKNOWN");
  elsewhere.action_id = "a";
  EXPECT_EQ(code_of(session, elsewhere), "SESSION_UNKNOWN")
      << "its answer is not another session's";
  EXPECT_EQ(code_of(session, redo("b")), "REDO_EMPTY");
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
  ASSERT_TRUE(session.act(undo("u1")).has_value());
  ASSERT_TRUE(session.act(undo("u2")).has_value());
  EXPECT_EQ(session.state().hash(), hashes[2]);
  ASSERT_TRUE(session.act(redo("r1")).has_value());
  EXPECT_EQ(session.state().hash(), hashes[3]);
  EXPECT_EQ(session.revision(), 7u);
  ASSERT_TRUE(session.act(place("n", 1, 8)).has_value());  // ends what could be brought back
  EXPECT_EQ(session.act(redo("r2")).error().code, "REDO_EMPTY");
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(session.act(undo(fmt::format("v{}", i))).has_value());
  EXPECT_EQ(session.state().hash(), hashes[0]);
  EXPECT_EQ(session.act(undo("v9")).error().code, "UNDO_EMPTY");
}

// A game whose rules are fixed says so; whoever does not ask for everybody's consent is refused.
TEST(Session, RulesAreSwitchedOnlyWhereTheGameCan) {  // C-85
  Session session = new_session();
  const Json all = {0, 1};
  EXPECT_EQ(session.act(send("a", 0, Deed::rules, {{"rules", {"x"}}})).error().code,
            code_name(Code::CONSENT_MISSING));
  EXPECT_EQ(session.act(send("a", 0, Deed::rules, {{"rules", 3}, {"agreed", all}})).error().code,
            code_name(Code::ENVELOPE_INVALID));
  EXPECT_EQ(
      session.act(send("a", 0, Deed::rules, {{"rules", {"x"}}, {"agreed", all}})).error().code,
      code_name(Code::RULE_WHOLE_GAME));
  EXPECT_EQ(session.revision(), 0u);
}

TEST(Session, UndoMustBeAllowed) {
  Session forbidden = new_session(false);
  ASSERT_TRUE(forbidden.act(place("a", 0, 4)).has_value());
  EXPECT_EQ(forbidden.act(undo("u")).error().code, "UNDO_NOT_ALLOWED");
  // Hidden cards: not by default, because taking back would give knowledge away.
  EXPECT_FALSE(Session::create(std::make_shared<play::games::NativeGame<play::games::KuhnPoker>>(),
                               config_of("kuhn"), ticking())
                   ->undo_allowed());
}

tl::expected<Session, Rejection> restored(Record record) {
  return Session::restore(std::make_shared<TicTacToeGame>(), std::move(record), ticking());
}

// M-50: replaying the log from the seed gives byte-identical states, with or without a snapshot.
TEST(Session, RestoresByteIdentically) {
  Session session = new_session();
  for (int i = 0; i < 3; ++i)
    ASSERT_TRUE(session.act(place(fmt::format("m{}", i), i % 2, i)).has_value());
  ASSERT_TRUE(session.act(undo("u")).has_value());
  const Snapshot snapshot = session.snapshot();
  ASSERT_TRUE(session.act(redo("r")).has_value());
  ASSERT_TRUE(session.act(place("m9", 1, 5)).has_value());
  for (const bool with_snapshot : {false, true}) {
    Record record = session.record();
    if (with_snapshot) record.snapshots = {snapshot};
    auto again = restored(record);
    ASSERT_TRUE(again.has_value()) << again.error().message;
    EXPECT_EQ(canonical(again->to_json()), canonical(session.to_json()));
    EXPECT_TRUE(
        std::ranges::equal(again->state().block().bytes(), session.state().block().bytes()));
    EXPECT_EQ(again->undo_depth(), session.undo_depth());
    EXPECT_TRUE(again->remarks().empty());
  }
}

// Puts the chain right again after an entry was changed, as a bug of a store or program could.
void relink(Record& record) {
  std::uint64_t chain = first_link(record);
  for (LogEntry& entry : record.log) chain = entry.chain = next_link(chain, entry);
  record.chain = chain;
}

// T-37: whatever was changed, the chain shows; what could not have happened is refused even if the
// chain is right.
TEST(Session, ADamagedLogIsRefused) {
  Session session = new_session();
  ASSERT_TRUE(session.act(place("a", 0, 4)).has_value());
  ASSERT_TRUE(session.act(undo("u")).has_value());
  const std::vector<std::function<void(Record&)>> damages{
      [](Record& record) { record.log[0].hash ^= 1; },
      [](Record& record) { record.log[0].options[0].id = 99; },
      [](Record& record) { record.log[0].at += 1; },
      [](Record& record) { record.log[0].action_id = "b"; },
      [](Record& record) { record.log[0].events = "[1]"; },
      [](Record& record) { record.log[0].chosen = 1; },
      [](Record& record) { record.log.pop_back(); },
      [](Record& record) { record.log.erase(record.log.begin()); },
      [](Record& record) { record.chain ^= 1; },
      [](Record& record) { record.config.seed = 8; },
      [](Record& record) { record.created = 8; }};
  for (std::size_t i = 0; i < damages.size(); ++i) {
    Record record = session.record();
    damages[i](record);
    const auto again = restored(record);
    ASSERT_FALSE(again.has_value()) << i;
    EXPECT_EQ(again.error().code, "STORE_DAMAGED") << i;
  }
  const std::vector<std::pair<std::function<void(Record&)>, std::string>> lies{
      {[](Record& record) { record.log[0].hash ^= 1, record.log.resize(1); }, "SESSION_MISMATCH"},
      {[](Record& record) { record.log[0].options[0].id = 99, record.log.resize(1); },
       "SESSION_MISMATCH"},
      {[](Record& record) { record.log[1].hash ^= 1; }, "STORE_DAMAGED"},
      {[](Record& record) { record.log[1].deed = Deed::redo; }, "STORE_DAMAGED"},
      {[](Record& record) {
         record.log[1].content = {{"to", 7}};
       },
       "STORE_DAMAGED"},
      {[](Record& record) {
         record.log[1].content = {{"whom", 7}};
       },
       "STORE_DAMAGED"},
      {[](Record& record) { record.log[1].actor = PlayerId{5}; }, "STORE_DAMAGED"},
      {[](Record& record) { record.log[1].action_id = "a"; }, "STORE_DAMAGED"},
      {[](Record& record) { record.fingerprint ^= 1; }, "RULES_CHANGED"}};
  for (std::size_t i = 0; i < lies.size(); ++i) {
    Record record = session.record();
    lies[i].first(record);
    relink(record);
    const auto again = restored(record);
    ASSERT_FALSE(again.has_value()) << i;
    EXPECT_EQ(again.error().code, lies[i].second) << i;
  }
  EXPECT_FALSE(log_entry_from_json(Json{{"revision", 1}}).has_value());
  EXPECT_FALSE(session_config_from_json(Json::array()).has_value());
}

// T-37: a bad snapshot falls back to the log and says so; one of the future proves a loss.
TEST(Session, ABadSnapshotIsOnlyARemark) {
  Session session = new_session();
  for (int i = 0; i < 4; ++i)
    ASSERT_TRUE(session.act(place(fmt::format("m{}", i), i % 2, i)).has_value());
  const Snapshot good = session.snapshot();
  const Record record = session.record();
  const auto with = [&](Snapshot snapshot) {
    Record out = record;
    out.snapshots = {std::move(snapshot)};
    return out;
  };
  Snapshot altered = good;
  altered.state["state"] = 1;
  Snapshot wrong_state = make_snapshot(4, record.chain, new_session().state());
  Snapshot other_log = make_snapshot(4, 12345, session.state());
  Snapshot first = make_snapshot(0, first_link(record), new_session().state());
  for (const Snapshot& bad : {altered, wrong_state, other_log, first}) {
    const auto again = restored(with(bad));
    ASSERT_TRUE(again.has_value()) << again.error().message;
    EXPECT_EQ(again->to_json(), session.to_json());
    ASSERT_EQ(again->remarks().size(), 1u);
    EXPECT_NE(again->remarks()[0].find("snapshot"), std::string::npos);
  }
  Record shorter = with(good);
  shorter.log.pop_back();
  shorter.chain = shorter.log.back().chain;
  EXPECT_EQ(restored(shorter).error().code, "STORE_DAMAGED");
  shorter.snapshots[0].check ^= 1;  // then it proves nothing
  EXPECT_TRUE(restored(shorter).has_value());
}

TEST(Session, EverythingRoundTripsThroughJson) {
  Session session = new_session(true);
  ASSERT_TRUE(session.act(place("a", 0, 4)).has_value());
  ASSERT_TRUE(session.act(undo("u", Json{{"to", 0}})).has_value());
  ASSERT_TRUE(session.act(send("t", -1, Deed::timeout, {{"seat", 1}})).has_value());
  for (const LogEntry& entry : session.log())
    EXPECT_EQ(log_entry_from_json(to_json(entry)).value(), entry);
  const Snapshot snapshot = session.snapshot();
  EXPECT_EQ(snapshot_from_json(to_json(snapshot)).value(), snapshot);
  // S-15: how it was opened, all of it.
  SessionConfig config = config_of("chess", false);
  config.options = {.players = 2,
                    .constants = {{"size", "9"}},
                    .rules = {"atomic"},
                    .explicit_chance = true,
                    .position = "8/8 w",
                    .layout = "chess960:3",
                    .modifiers = {Json{{"version", 1}}, "", ""}};
  config.start = Json{{"format", "x"}};
  config.stakes = {-3, 2, 1};
  config.about = Json{{"seats", {"Ann", "Bob"}}};
  EXPECT_EQ(session_config_from_json(to_json(config)).value(), config);
  Record record = session.record();
  record.log.clear(), record.chain = 0;
  EXPECT_EQ(header_from_json(header_to_json(record)).value(), record);
}

// Entries are written down without values in between, in the order of canonical JSON; and those
// without a hash of what the actor sees, as tables of a server keep them, are read and chained too.
TEST(LogEntries, AreWrittenAsCanonicalJsonAndReadAgain) {
  Session session = new_session();
  ASSERT_TRUE(session.act(place("a \"ü\n", 0, 4)).has_value());
  ASSERT_TRUE(session.act(place("b", 1, 0), {}, Answering::by_revision).has_value());
  ASSERT_TRUE(session.act(send("c", 1, Deed::undo)).has_value());
  ASSERT_TRUE(session.act(send("d", 0, Deed::resign)).has_value());
  EXPECT_TRUE(session.log()[0].view_hash);
  EXPECT_FALSE(session.log()[1].view_hash);
  for (const LogEntry& entry : session.log()) {
    EXPECT_EQ(to_text(entry), canonical(Json::parse(to_text(entry))));
    EXPECT_EQ(log_entry_from_json(Json::parse(to_text(entry))).value(), entry);
  }
  EXPECT_FALSE(find_damage(session.record()));
}

// T-32, S-13: an id belongs to the seat that used it.
TEST(Session, ActionIdsBelongToASeat) {
  Session session = new_session();
  const auto mine = session.act(place("a", 0, 4)).value();
  EXPECT_EQ(code_of(session, place("a", 1, 4)), "OPTION_ILLEGAL") << "not player 0's answer";
  EXPECT_EQ(session.act(place("a", 1, 0))->revision, 2u);
  EXPECT_EQ(session.act(place("a", 0, 4))->revision, mine.revision);
  EXPECT_EQ(code_of(session, place("a", 0, 8)), "ACTION_ID_REUSED");
  EXPECT_EQ(session.act(place("a", 0, 8)).error().details["revision"], 1);
  EXPECT_EQ(code_of(session, send("a", 0, Deed::undo)), "ACTION_ID_REUSED");
  EXPECT_EQ(code_of(session, place("a", 9, 8)), "ACTOR_UNKNOWN");
  ActionEnvelope late = place("a", 0, 4);
  late.expected_revision = 0;  // as it was sent the first time
  EXPECT_TRUE(session.act(late)->repeated);
  EXPECT_EQ(session.revision(), 2u);
}

// T-32, S-14: nobody takes back what somebody else did without them.
TEST(Session, UndoBelongsToWhoActed) {
  Session session = new_session();
  ASSERT_TRUE(session.act(place("a", 0, 4)).has_value());
  EXPECT_EQ(code_of(session, send("u", 1, Deed::undo)), "CONSENT_MISSING");
  EXPECT_EQ(session.act(send("u", 1, Deed::undo)).error().details["seats"], Json::array({0}));
  EXPECT_EQ(code_of(session, send("u", 0, Deed::undo)), "accepted");
  EXPECT_EQ(code_of(session, send("r", 1, Deed::redo)), "CONSENT_MISSING");
  EXPECT_EQ(code_of(session, send("r", 0, Deed::redo)), "accepted");
  ASSERT_TRUE(session.act(place("b", 1, 0)).has_value());
  EXPECT_EQ(code_of(session, send("v", 0, Deed::undo, {{"to", 0}})), "CONSENT_MISSING");
  EXPECT_EQ(code_of(session, send("v", 0, Deed::undo, {{"to", 0}, {"agreed", {0}}})),
            "CONSENT_MISSING");
  EXPECT_EQ(code_of(session, send("v", 0, Deed::undo, {{"to", 0}, {"agreed", {1}}})), "accepted");
  EXPECT_EQ(session.undo_depth(), 0u);
  EXPECT_EQ(session.redo_depth(), 2u);
  EXPECT_EQ(code_of(session, send("w", -1, Deed::undo)), "ACTOR_UNKNOWN");
}

TEST(Session, UndoGoesToARevisionOfThisLine) {
  Session session = new_session();
  ASSERT_TRUE(session.act(place("a", 0, 0)).has_value());  // 1
  ASSERT_TRUE(session.act(place("b", 1, 1)).has_value());  // 2
  ASSERT_TRUE(session.act(undo("c")).has_value());         // 3: after the first action
  ASSERT_TRUE(session.act(place("d", 1, 5)).has_value());  // 4
  ASSERT_TRUE(session.act(place("e", 0, 6)).has_value());  // 5
  const auto to = [](std::uint64_t revision) {
    return undo(fmt::format("to{}", revision), {{"to", revision}, {"agreed", {0, 1}}});
  };
  EXPECT_EQ(code_of(session, to(2)), "UNDO_EMPTY") << "that action was replaced";
  EXPECT_EQ(code_of(session, to(5)), "UNDO_EMPTY") << "that is now";
  EXPECT_EQ(code_of(session, to(6)), "UNDO_EMPTY") << "that is to come";
  EXPECT_EQ(session.before_last_move_of(PlayerId{0}), 4u);
  EXPECT_EQ(session.before_last_move_of(PlayerId{1}), 1u);
  EXPECT_EQ(code_of(session, to(3)), "accepted");
  EXPECT_EQ(session.undo_depth(), 1u);
  EXPECT_EQ(session.state().hash(), session.log()[0].hash);
  EXPECT_EQ(session.before_last_move_of(PlayerId{0}), 0u);
  EXPECT_EQ(session.before_last_move_of(PlayerId{1}), std::nullopt);
}

// T-32, S-16
TEST(Session, ResultsOutsideTheRulesEndIt) {
  struct Case {
    ActionEnvelope envelope;
    std::vector<std::int64_t> returns;
    std::vector<PlayerId> winners;
    std::string reason;
  };
  const std::vector<Case> cases{
      {send("x", 1, Deed::resign), {1, -1}, {PlayerId{0}}, "resign"},
      {send("x", -1, Deed::timeout, {{"seat", 0}}), {-1, 1}, {PlayerId{1}}, "timeout"},
      {send("x", -1, Deed::draw_agreed, both), {0, 0}, {}, "drawAgreed"},
      {send("x", -1, Deed::abandoned), {0, 0}, {}, "abandoned"},
      {send("x", -1, Deed::abandoned, {{"seat", 1}}), {1, -1}, {PlayerId{0}}, "abandoned"},
      {send("x", -1, Deed::adjudicated,
            {{"returns", {3, -4}}, {"winners", {0}}, {"reason", "by the arbiter"}}),
       {3, -4},
       {PlayerId{0}},
       "by the arbiter"}};
  for (const Case& one : cases) {
    Session session = new_session();
    ASSERT_TRUE(session.act(place("a", 0, 4)).has_value());
    const State before = session.state();
    const auto answer = session.act(one.envelope);
    ASSERT_TRUE(answer.has_value()) << answer.error().message;
    EXPECT_EQ(session.state(), before);
    EXPECT_TRUE(session.over());
    const Ending ending = session.ending().value();
    EXPECT_EQ(ending.outcome.returns, one.returns) << one.reason;
    EXPECT_EQ(ending.outcome.winners, one.winners) << one.reason;
    EXPECT_EQ(ending.outcome.reason, one.reason);
    const Json seen = session.observation(Viewer::player(PlayerId{1}));
    EXPECT_EQ(seen["outcome"]["by"], "table");
    EXPECT_TRUE(seen["decision"].is_null());
    EXPECT_EQ(code_of(session, place("b", 1, 0)), "GAME_FINISHED");
    EXPECT_EQ(code_of(session, undo("u")), "GAME_FINISHED");
    EXPECT_EQ(code_of(session, send("y", 0, Deed::resign)), "GAME_FINISHED");
    EXPECT_TRUE(session.act(one.envelope)->repeated);
    auto again = restored(session.record());
    ASSERT_TRUE(again.has_value()) << again.error().message;
    EXPECT_EQ(canonical(again->to_json()), canonical(session.to_json()));
    EXPECT_EQ(code_of(*again, undo("u")), "GAME_FINISHED");
  }
}

TEST(Session, ResultsAreWorthWhatTheConfigSays) {
  SessionConfig config = config_of("tic-tac-toe");
  config.stakes = {.loser = -10, .others = 5, .draw = 2};
  const auto begin = [&] {
    return Session::create(std::make_shared<TicTacToeGame>(), config, ticking()).value();
  };
  Session session = begin();
  ASSERT_TRUE(session.act(send("x", 0, Deed::resign)).has_value());
  EXPECT_EQ(session.ending()->outcome.returns, (std::vector<std::int64_t>{-10, 5}));
  Session other = begin();
  ASSERT_TRUE(other.act(send("x", -1, Deed::draw_agreed, both)).has_value());
  EXPECT_EQ(other.ending()->outcome.returns, (std::vector<std::int64_t>{2, 2}));
}

TEST(Session, ResultsHaveTheirForm) {
  Session session = new_session();
  const std::vector<std::pair<ActionEnvelope, std::string>> wrong{
      {send("x", 0, Deed::timeout, {{"seat", 1}}), "RESULT_BY_TABLE"},
      {send("x", 0, Deed::adjudicated, {{"returns", {9, 9}}}), "RESULT_BY_TABLE"},
      {send("x", -1, Deed::resign), "ACTOR_UNKNOWN"},
      {send("x", 0, Deed::resign, {{"seat", 1}}), "ENVELOPE_INVALID"},
      {send("x", -1, Deed::timeout), "ENVELOPE_INVALID"},
      {send("x", -1, Deed::timeout, {{"seat", 2}}), "ENVELOPE_INVALID"},
      {send("x", -1, Deed::timeout, {{"seat", -1}}), "ENVELOPE_INVALID"},
      {send("x", -1, Deed::timeout, Json::array()), "ENVELOPE_INVALID"},
      {send("x", -1, Deed::draw_agreed, {{"agreed", {1}}}), "CONSENT_MISSING"},
      {send("x", -1, Deed::draw_agreed), "CONSENT_MISSING"},
      {send("x", -1, Deed::adjudicated, {{"returns", {1}}}), "ENVELOPE_INVALID"},
      {send("x", -1, Deed::adjudicated, {{"returns", {1, 0.5}}}), "ENVELOPE_INVALID"},
      {send("x", -1, Deed::adjudicated, {{"returns", {1, 0}}, {"winners", 0}}), "ENVELOPE_INVALID"},
      {send("x", -1, Deed::adjudicated, {{"returns", {1, 0}}, {"reason", 0}}), "ENVELOPE_INVALID"},
      {undo("x", {{"to", -1}}), "ENVELOPE_INVALID"},
      {undo("x", {{"to", "1"}}), "ENVELOPE_INVALID"},
      {undo("x", {{"agreed", {4}}}), "ENVELOPE_INVALID"},
      {undo("x", nullptr), "ENVELOPE_INVALID"},
      {send("x", 0, Deed::act, "\xff"), "ENVELOPE_INVALID"},
      {place("\xff", 0, 0), "ENVELOPE_INVALID"}};
  for (const auto& [envelope, code] : wrong)
    EXPECT_EQ(code_of(session, envelope), code)
        << deed_name(envelope.deed) << " " << canonical(envelope.content);
  EXPECT_EQ(session.revision(), 0u);
}

// T-38: what can be done to a session takes no names away from games.
TEST(Session, ActionsMayHaveAnyName) {
  SessionConfig config = config_of("ladder", true);
  auto session = Session::create(std::make_shared<LadderGame>(), config, ticking()).value();
  for (const char* name : {"undo", "option", "choose"}) {
    const PlayerId actor = session.state().decision().player;
    const auto answer = session.act(
        {.session = "s1", .action_id = name, .actor = actor, .content = Json{{"action", name}}});
    ASSERT_TRUE(answer.has_value()) << answer.error().message;
    EXPECT_EQ(session.log().back().chosen["action"], name);
  }
  ASSERT_TRUE(session.act({.session = "s1",
                           .action_id = "redo",
                           .actor = PlayerId{0},
                           .content = Json{{"action", "redo"}}}));
  EXPECT_EQ(session.revision(), 4u);
  EXPECT_EQ(session.undo_depth(), 4u);
  EXPECT_FALSE(session.state().decision().starts_move);
  // Inside the move it is a value like any other.
  ASSERT_TRUE(session.act({.session = "s1",
                           .action_id = "value",
                           .actor = PlayerId{0},
                           .content = Json{{"index", 0}}}));
  EXPECT_EQ(session.before_last_move_of(PlayerId{0}), 3u) << "the whole move, not its second half";
}

// One player throws a coin until it shows heads; until then nothing changes.
struct CoinTossing {
  static constexpr int players = 1;
  std::uint8_t thrown, over;

  static GameInfo info() {
    GameInfo info;
    info.id = "coin-tossing";
    info.players = info.min_players = info.max_players = players;
    info.has_chance = info.explicit_chance = true;
    return info;
  }
  void start(Rng&) {}
  Decision decision() const {
    if (over != 0) return {};
    if (thrown != 0) return {DecisionKind::chance, PlayerId::none(), false};
    return {DecisionKind::action, PlayerId{0}, true};
  }
  void list(OptionList& out) const {
    if (over != 0) return;
    if (thrown == 0) return out.add(Option{0});
    for (std::uint64_t side = 0; side < 2; ++side) out.add(Option{side}, 1);
  }
  void apply(std::uint64_t option) {
    over = thrown != 0 && option == 1;
    thrown = thrown == 0;
  }
  Outcome outcome() const { return {{1}, {PlayerId{0}}, "heads"}; }
  void returns(std::span<std::int64_t> out) const { out[0] = 1; }
  Json view(const Viewer&) const { return {{"thrown", thrown}}; }
  std::string text(std::uint64_t option) const { return fmt::format("{}", option); }
};

// A state that comes again gets other dice; a move taken back and made again gets the same.
TEST(Session, ChanceFallsAnewWhereAStateComesAgain) {
  const auto game = std::make_shared<play::games::NativeGame<CoinTossing>>();
  int throws = 0;
  for (Seed seed = 0; seed < 200; ++seed) {
    SessionConfig config = config_of("coin-tossing", true);
    config.seed = seed;
    Session session = Session::create(game, config, ticking()).value();
    for (int i = 0; i < 40 && !session.over(); ++i) {
      const auto toss = [&](std::string id) {
        return session.act(send(id, 0, Deed::act, {{"index", 0}})).value();
      };
      toss(fmt::format("a{}", i));
      const auto fell = session.log().back().options;
      ASSERT_EQ(code_of(session, send(fmt::format("u{}", i), 0, Deed::undo)), "accepted");
      toss(fmt::format("b{}", i));
      EXPECT_EQ(session.log().back().options, fell);
      ++throws;
    }
    ASSERT_TRUE(session.over()) << "seed " << seed;
  }
  EXPECT_NEAR(throws, 400, 80);  // two each
}

// A result by the rules says so.
TEST(Session, TheRulesEndItToo) {
  Session session = new_session();
  for (const int cell : {0, 3, 1, 4, 2})
    ASSERT_TRUE(
        session.act(place(fmt::format("m{}", cell), static_cast<int>(session.revision() % 2), cell))
            .has_value());
  EXPECT_TRUE(session.over());
  EXPECT_EQ(session.observation(Viewer::player(PlayerId{0}))["outcome"]["by"], "rules");
  EXPECT_EQ(code_of(session, send("x", 0, Deed::resign)), "GAME_FINISHED");
  EXPECT_EQ(code_of(session, undo("u")), "accepted") << "a move can be taken back even then";
  EXPECT_FALSE(session.over());
}

// A session may begin with any saved state.
TEST(Session, BeginsWhereASavedStateWas) {
  Session first = new_session();
  ASSERT_TRUE(first.act(place("a", 0, 4)).has_value());
  SessionConfig config = config_of("tic-tac-toe");
  config.start = first.state().save();
  const auto game = std::make_shared<TicTacToeGame>();
  Session second = Session::create(game, config, ticking()).value();
  EXPECT_EQ(second.state().hash(), first.state().hash());
  EXPECT_EQ(second.revision(), 0u);
  ASSERT_TRUE(second.act(place("b", 1, 0)).has_value());
  auto again = Session::restore(game, second.record(), ticking());
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_EQ(again->state(), second.state());
  config.start["state"] = 0;
  EXPECT_FALSE(Session::create(game, config, ticking()).has_value());
}

}  // namespace
}  // namespace parlor::table
