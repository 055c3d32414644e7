// What a session tells to whom.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "play/card_games.h"
#include "table/ladder.h"
#include "table/session.h"

namespace parlor::table {
namespace {

using KuhnGame = play::games::NativeGame<play::games::KuhnPoker>;

SessionConfig told_config(std::string game) {
  SessionConfig config;
  config.id = "s1";
  config.game = std::move(game);
  config.seed = 7;
  return config;
}

const ActionEnvelope first_option{
    .session = "s1", .action_id = "a", .actor = PlayerId{0}, .content = {{"index", 0}}};

// M-53, and chance decisions are resolved by the session itself.
TEST(Told, ObservationsHideWhatOthersHold) {
  auto session = Session::create(std::make_shared<KuhnGame>(), told_config("kuhn"), [] {
                   return Time{5};
                 }).value();
  EXPECT_EQ(session.state().decision().kind, DecisionKind::action);
  const Json mine = session.observation(Viewer::player(PlayerId{0}));
  EXPECT_GT(mine["cards"][0], 0);
  EXPECT_EQ(mine["cards"][1], -1);
  EXPECT_TRUE(mine["decision"].contains("options"));
  EXPECT_FALSE(session.observation(Viewer::player(PlayerId{1}))["decision"].contains("options"));
}

// Two deals that look the same to a player give the same answers and observations, whatever the
// other holds; the hash of the whole state would tell.
TEST(Told, AnswersAreTheSameInWorldsThatLookTheSame) {  // T-17, S-12
  const auto game = std::make_shared<KuhnGame>();
  std::map<int, std::set<std::string>> answers;   // by the card one holds
  std::map<int, std::set<std::uint64_t>> hashes;  // of the whole state
  for (Seed seed = 0; seed < 60; ++seed) {
    SessionConfig config = told_config("kuhn");
    config.seed = seed;
    Session session = Session::create(game, config, [] { return Time{5}; }).value();
    const Viewer me = Viewer::player(PlayerId{0});
    const Answer answer = session.act(first_option).value();
    const Json seen = session.observation(me);
    EXPECT_FALSE(seen.contains("hash"));
    EXPECT_EQ(seen["viewHash"], fmt::format("{:016x}", answer.view_hash));
    const int card = seen["cards"][0];
    answers[card].insert(canonical(seen) + canonical(answer.events) +
                         canonical(session.entry_for(session.log()[0], me)));
    hashes[card].insert(session.state().hash());
  }
  ASSERT_EQ(answers.size(), 3u);
  for (const auto& [card, texts] : answers) {
    EXPECT_EQ(texts.size(), 1u) << "with card " << card;
    EXPECT_EQ(hashes[card].size(), 2u) << "with card " << card;
  }
}

// A game that says who sees what of an event.
struct Whispering : Ladder {
  Applied fallible_apply(std::uint64_t option, EventListener* listener) {
    const std::uint32_t first_only = 1;
    if (listener != nullptr) {
      listener->on_event(
          {"whispered", {{"card", 7}}, Audience::of_bits(first_only), {{"cards", 1}}});
      listener->on_event({"winked", {{"eye", "left"}}, Audience::of_bits(first_only)});
      // The referee sees it, the doorkeeper does not even notice; a player looks through neither.
      const std::uint32_t spectators = 1u << max_players;
      listener->on_event({"nodded",
                          {{"to", 2}},
                          Audience::of_bits(first_only, {{"doorkeeper", 0, 0},
                                                         {"referee", spectators, spectators}}),
                          {{"to", "somebody"}}});
    }
    apply(option);
    return {};
  }
};

TEST(Told, EventsAreToldToThoseWhoMayKnow) {  // T-17, S-11
  auto session = Session::create(std::make_shared<play::games::NativeGame<Whispering>>(),
                                 told_config("ladder"), [] { return Time{5}; })
                     .value();
  const Answer answer = session.act(first_option).value();
  const LogEntry& entry = session.log()[0];
  const auto told = [&](const Viewer& viewer) { return session.events_for(entry, viewer); };
  EXPECT_EQ(answer.events, told(Viewer::player(PlayerId{0})));
  EXPECT_EQ(told(Viewer::player(PlayerId{0})), Json::parse(R"([
    {"kind": "whispered", "data": {"card": 7}}, {"kind": "winked", "data": {"eye": "left"}},
    {"kind": "nodded", "data": {"to": 2}}])"));
  const Json outside = Json::parse(R"([{"kind": "whispered", "data": {"cards": 1}},
    {"kind": "nodded", "data": {"to": "somebody"}}])");
  EXPECT_EQ(told(Viewer::player(PlayerId{1})), outside);
  EXPECT_EQ(told(Viewer::observer()), outside);
  EXPECT_EQ(told(Viewer::everything()), told(Viewer::player(PlayerId{0})));
  EXPECT_EQ(session.entry_for(entry, Viewer::player(PlayerId{1}))["events"], outside);
  // Also after a while in a store.
  const auto read = log_entry_from_json(to_json(entry));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(session.events_for(*read, Viewer::player(PlayerId{1})), outside);
  // Observers that the game declares hear as they see (T-19).
  for (const LogEntry& kept : {entry, *read}) {
    EXPECT_EQ(session.events_for(kept, Viewer::observer("referee")).back()["data"]["to"], 2);
    EXPECT_EQ(session.events_for(kept, Viewer::observer("doorkeeper")).back()["kind"], "whispered");
    EXPECT_EQ(session.events_for(kept, Viewer::player(PlayerId{1}, "referee")).back()["kind"],
              "whispered");
  }
}

}  // namespace
}  // namespace parlor::table
