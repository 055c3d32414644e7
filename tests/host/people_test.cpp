// What people do around a game: offers, clocks, being away, chat, watching (S-90).
#include "host/simulation.h"

namespace parlor::test {
namespace {

void offer(Match& match, int seat, OfferKind kind) {
  match.at([&](Room& room) {
    room.offer(match.clients[static_cast<std::size_t>(seat)], PlayerId{seat}, kind);
  });
}
void answer(Match& match, int seat, OfferKind kind, bool yes) {
  match.at([&](Room& room) {
    room.answer(match.clients[static_cast<std::size_t>(seat)], PlayerId{seat}, kind, yes);
  });
}
std::string bot_seat_error(const ClientPtr& client) {
  return client->error();
}

// ---- Offers.

TEST(Undo, TakesTheAskersLastMoveBackWithTheConsentOfTheOthers_S34) {
  Match match;
  const std::string before = canonical(match.clients[0]->state);
  match.act(0, 3);
  match.act(1, 3);
  offer(match, 0, OfferKind::undo);
  EXPECT_EQ(match.clients[1]->rev, 2u);
  EXPECT_EQ((*match.clients[1]->last("offers"))["offers"][0]["waiting"], Json({1}));
  answer(match, 1, OfferKind::undo, true);
  EXPECT_EQ(match.clients[1]->rev, 3u);
  EXPECT_EQ(canonical(match.clients[0]->state), before);
  EXPECT_EQ((*match.clients[1]->last("offers"))["ended"]["how"], "accepted");
}

TEST(Undo, IsRefusedByTheOtherOrWithdrawnByPlayingOn_S34) {
  Match match;
  match.act(0, 3);
  offer(match, 0, OfferKind::undo);
  answer(match, 1, OfferKind::undo, false);
  EXPECT_EQ((*match.clients[0]->last("offers"))["ended"]["how"], "refused");
  EXPECT_EQ(match.clients[0]->rev, 1u);
  match.act(1, 0);
  offer(match, 0, OfferKind::undo);
  match.act(0, 0);
  EXPECT_EQ((*match.clients[0]->last("offers"))["ended"]["how"], "withdrawn");
  answer(match, 1, OfferKind::undo, true);
  EXPECT_EQ(match.clients[1]->error(), "OFFER_UNKNOWN");
}

TEST(Undo, IsNotAllowedWhereItWouldTellSomething_S34) {
  Match poker{{{"game", "kuhn-poker"}}};
  poker.act(0, 0);
  offer(poker, 0, OfferKind::undo);
  EXPECT_EQ(poker.clients[0]->error(), "UNDO_NOT_ALLOWED");
  Match strict{{{"game", "connect-four"}, {"undo", "off"}}};
  strict.act(0, 0);
  offer(strict, 0, OfferKind::undo);
  EXPECT_EQ(strict.clients[0]->error(), "UNDO_NOT_ALLOWED");
  Match early;
  offer(early, 0, OfferKind::undo);
  EXPECT_EQ(early.clients[0]->error(), "UNDO_EMPTY");
}

TEST(Undo, GivesNoTimeBack_S34) {
  Match match{{{"game", "connect-four"}, {"clock", "fischer:60+0"}}};
  match.world.advance(10'000);
  match.act(0, 3);
  offer(match, 0, OfferKind::undo);
  answer(match, 1, OfferKind::undo, true);
  EXPECT_EQ((*match.clients[0]->last("update"))["clock"]["left"][0], 50'000);
}

TEST(Draws, NeedEverybody_S34) {
  Match match;
  offer(match, 0, OfferKind::draw);
  offer(match, 0, OfferKind::draw);
  EXPECT_EQ(match.clients[0]->error(), "OFFER_OPEN");
  offer(match, 1, OfferKind::draw);  // the same as saying yes
  const Json* over = match.clients[0]->last("over");
  ASSERT_NE(over, nullptr);
  EXPECT_EQ((*over)["outcome"]["returns"], Json({0, 0}));
  EXPECT_EQ((*over)["outcome"]["reason"], "drawAgreed");
}

TEST(Draws, BotsTakeThemOnlyWhenTheyAreNotAhead_S34) {
  Simulation world;
  const Person ann = world.person("ann");
  const auto made =
      world.table(ann,
                  {{"game", "tic-tac-toe"},
                   {"seats", {{{"kind", "human"}}, {{"kind", "bot"}, {"agent", "random"}}}}},
                  0);
  const Seated seat{0, made.sat.seat_token};
  const ClientPtr client = world.join(made.table.id, seat.caller());
  world.ready(made.table.id, seat);
  // Whoever begins is ahead in random play: the bot is glad of a draw.
  world.at(made.table.id, {},
           [&](Room& room) { room.offer(client, PlayerId{0}, OfferKind::draw); });
  world.run();
  EXPECT_EQ(client->count("over"), 1u) << bot_seat_error(client);
}

TEST(Aborting, LeavesAnAbandonedTable_S34) {
  Match match;
  offer(match, 1, OfferKind::abort);
  answer(match, 0, OfferKind::abort, true);
  EXPECT_EQ(match.world.facts(match.id).state, TableState::abandoned);
}

TEST(Pauses, StopClocksAndActsUntilSomebodyGoesOn_S34) {
  Match match{{{"game", "connect-four"}, {"clock", "move:30"}}};
  match.world.advance(10'000);
  offer(match, 0, OfferKind::pause);
  answer(match, 1, OfferKind::pause, true);
  match.world.advance(100'000);
  EXPECT_EQ(match.clients[0]->count("over"), 0u);
  match.act(0, 0);
  EXPECT_EQ(match.clients[0]->error(), "TABLE_PAUSED");
  offer(match, 1, OfferKind::pause);
  match.act(0, 0);
  EXPECT_EQ(match.clients[0]->rev, 1u);
}

TEST(Rematches, BeginAtANewTableOneSeatFurther_S34) {
  Match match;
  offer(match, 0, OfferKind::rematch);
  EXPECT_EQ(match.clients[0]->error(), "TABLE_STATE");
  match.at([&](Room& room) { room.resign(match.clients[0], PlayerId{0}, ""); });
  offer(match, 0, OfferKind::rematch);
  answer(match, 1, OfferKind::rematch, true);
  const Json* told = match.clients[0]->last("rematch");
  ASSERT_NE(told, nullptr);
  EXPECT_EQ((*told)["seat"], 1);
  const std::string next = (*told)["table"];
  EXPECT_EQ(match.world.facts(next).state, TableState::playing);
  const Seated seat{1, (*told)["seatToken"]};
  const ClientPtr client = match.world.join(next, seat.caller());
  EXPECT_EQ((*client->last("welcome"))["you"], 1);
  EXPECT_NE((*match.clients[1]->last("rematch"))["seatToken"], (*told)["seatToken"]);
}

// ---- Clocks.

TEST(Flags, FallOnTime_S35) {
  Match match{{{"game", "connect-four"}, {"clock", "fischer:60+0"}}};
  match.world.advance(59'999);
  EXPECT_EQ(match.clients[0]->count("over"), 0u);
  match.world.advance(1);
  const Json* over = match.clients[0]->last("over");
  ASSERT_NE(over, nullptr);
  EXPECT_EQ((*over)["outcome"]["winners"], Json({1}));
  EXPECT_EQ((*over)["outcome"]["reason"], "timeout");
}

TEST(Flags, AreWhatTheTableSaysTheyAre_S35) {
  for (const char* way : {"first", "random", "bot"}) {
    Match match{{{"game", "connect-four"}, {"clock", "move:5"}, {"atZero", way}}};
    match.world.advance(5'000);
    match.world.advance(400);
    EXPECT_EQ(match.clients[0]->rev, 1u) << way;
    EXPECT_EQ(match.clients[0]->count("over"), 0u) << way;
    match.act(1, 0);
    EXPECT_EQ(match.clients[0]->rev, 2u) << way;
  }
}

TEST(Flags, FallAfterARestartAtTheSameMoment_S35) {
  Match match{{{"game", "connect-four"}, {"clock", "fischer:60+0"}}};
  match.world.advance(10'000);
  match.world.restart();
  match.world.advance(49'999);
  EXPECT_EQ(match.world.host->gauges().rooms, 0u) << "nothing was touched";
  match.world.advance(1);
  EXPECT_EQ(match.world.facts(match.id).state, TableState::finished);
}

// ---- Being away.

TEST(Presence, IsToldWhenTheFirstComesAndTheLastGoes_S36) {
  Match match;
  const ClientPtr tab = match.world.join(match.id, match.seats[1].caller());
  const std::size_t before = match.clients[0]->count("presence");
  match.world.leave(match.id, tab);
  EXPECT_EQ(match.clients[0]->count("presence"), before);
  match.world.leave(match.id, match.clients[1]);
  EXPECT_EQ((*match.clients[0]->last("presence"))["on"], false);
}

TEST(Claims, NeedSomebodyWhoIsAwayForLong_S36) {
  Match match;
  const auto claim = [&](const char* what) {
    match.at([&](Room& room) { room.claim(match.clients[0], PlayerId{0}, what, {}); });
  };
  claim("win");
  EXPECT_EQ(match.clients[0]->error(), "CLAIM_TOO_EARLY");
  match.world.leave(match.id, match.clients[1]);
  match.world.advance(59'999);
  claim("win");
  EXPECT_EQ(match.clients[0]->error(), "CLAIM_TOO_EARLY");
  match.world.advance(1);
  claim("everything");
  EXPECT_EQ(match.clients[0]->error(), "REQUEST_INVALID");
  claim("win");
  EXPECT_EQ((*match.clients[0]->last("over"))["outcome"]["winners"], Json::array({0}));
}

TEST(Claims, MayGiveTheSeatToABotUntilItsOwnerIsBack_S36) {
  Match match;
  match.act(0, 0);
  match.world.leave(match.id, match.clients[1]);
  match.world.advance(60'000);
  match.at([&](Room& room) { room.claim(match.clients[0], PlayerId{0}, "bot", {}); });
  match.world.advance(1'000);
  EXPECT_EQ(match.clients[0]->rev, 2u) << "the bot has played";
  match.clients[1] = match.world.join(match.id, match.seats[1].caller());
  match.act(0, 0);
  match.world.advance(5'000);
  EXPECT_EQ(match.clients[0]->rev, 3u) << "the seat decides for itself again";
  match.act(1, 0);
  EXPECT_EQ(match.clients[0]->rev, 4u);
}

TEST(Claims, OfADrawAreEven_S36) {
  Match match;
  match.world.leave(match.id, match.clients[1]);
  match.world.advance(60'000);
  match.at([&](Room& room) { room.claim(match.clients[0], PlayerId{0}, "draw", {}); });
  EXPECT_EQ((*match.clients[0]->last("over"))["outcome"]["returns"], Json({0, 0}));
}

// ---- Chat.

TEST(ChatAtATable, IsHeardByAllAndKept_S39) {
  Match match;
  const ClientPtr watcher = match.world.join(match.id, {}, true);
  match.at([&](Room& room) { room.chat(match.clients[0], 0, "ann", "hello\x07"); });
  EXPECT_EQ((*match.clients[1]->last("chat"))["text"], "hello");
  EXPECT_EQ((*watcher->last("chat"))["author"], "ann");
  match.world.restart();
  const ClientPtr again = match.world.join(match.id, match.seats[1].caller());
  EXPECT_EQ((*again->last("sync"))["chat"][0]["text"], "hello");
}

TEST(ChatAtATable, IsLimited_S39) {
  Match match;
  const auto chat = [&](const std::string& text) {
    match.at([&](Room& room) { room.chat(match.clients[0], 0, "ann", text); });
  };
  chat(std::string(501, 'x'));
  EXPECT_EQ(match.clients[0]->error(), "REQUEST_INVALID");
  for (int i = 0; i < 5; ++i) chat("x");
  EXPECT_EQ(match.clients[1]->count("chat"), 5u);
  chat("x");
  EXPECT_EQ(match.clients[0]->error(), "RATE_LIMITED");
  Match quiet{{{"game", "connect-four"}, {"chat", "off"}}};
  quiet.at([&](Room& room) { room.chat(quiet.clients[0], 0, "ann", "x"); });
  EXPECT_EQ(quiet.clients[0]->error(), "NOT_ALLOWED");
}

TEST(ChatAtATable, OfSpectatorsPlayersSeeWhenItIsOver_S39) {
  Match match{{{"game", "connect-four"}, {"chat", "all"}}};
  const ClientPtr watcher = match.world.join(match.id, {}, true);
  match.at([&](Room& room) { room.chat(watcher, nobody, "eve", "take the middle"); });
  EXPECT_EQ(watcher->count("chat"), 1u);
  EXPECT_EQ(match.clients[0]->count("chat"), 0u);
  const ClientPtr again = match.world.join(match.id, match.seats[0].caller());
  EXPECT_TRUE((*again->last("sync"))["chat"].empty());
  match.at([&](Room& room) { room.resign(match.clients[0], PlayerId{0}, ""); });
  const ClientPtr later = match.world.join(match.id, match.seats[0].caller());
  EXPECT_EQ((*later->last("sync"))["chat"].size(), 1u);
}

// ---- Watching.

TEST(Spectators, SeeOnlyWhatEverybodyMaySee_S10) {
  Match match{{{"game", "kuhn-poker"}}};
  const ClientPtr watcher = match.world.join(match.id, {}, true);
  EXPECT_TRUE(watcher->state["zones"].contains("hand:0"));
  for (const std::string& text : watcher->texts)
    EXPECT_EQ(text.find("tok_card"), std::string::npos) << text;
  EXPECT_NE(match.clients[0]->texts.back().find("tok_card"), std::string::npos);
}

TEST(Spectators, MayBeOffOrDelayed_S31) {
  Match off{{{"game", "connect-four"}, {"spectators", "off"}}};
  off.world.refused.clear();
  (void)off.world.join(off.id, {}, true);
  EXPECT_EQ(off.world.refused, "NOT_ALLOWED");
  Match late{{{"game", "connect-four"}, {"spectators", "delayed:30"}}};
  const ClientPtr watcher = late.world.join(late.id, {}, true);
  EXPECT_TRUE(watcher->state.is_null());
  late.world.advance(20'000);
  late.act(0, 3);
  late.world.advance(10'000);
  EXPECT_EQ(watcher->rev, 0u);
  EXPECT_FALSE(watcher->state.is_null()) << "the beginning is half a minute old now";
  late.world.advance(19'999);
  EXPECT_EQ(watcher->rev, 0u);
  late.world.advance(1);
  EXPECT_EQ(watcher->rev, 1u);
  EXPECT_EQ(canonical(watcher->state), canonical(late.clients[0]->state));
}

// ---- Coming back.

TEST(Restarts, GoOnWithEveryTable_S82) {
  Match match;
  match.act(0, 3);
  match.act(1, 2);
  const std::string state = canonical(match.clients[0]->state);
  match.world.restart();
  EXPECT_EQ(match.world.host->gauges().tables, 1u);
  const ClientPtr again =
      match.world.join(match.id, match.seats[0].caller(), false, match.clients[0]->seq);
  EXPECT_EQ(canonical(again->state), state) << "numbers of another life count for nothing";
  EXPECT_EQ(again->rev, 2u);
  match.clients[0] = again;
  match.act(0, 3);
  EXPECT_EQ(again->rev, 3u);
}

TEST(Restarts, LetBotsGoOn_S82) {
  Simulation world;
  const Person ann = world.person("ann");
  const std::string id = world.table(ann, {{"game", "connect-four"}}).table.id;
  world.at(id, {}, [&](Room& room) { room.start(ann.caller(), [](auto) {}); });
  world.advance(1'000);
  ASSERT_EQ(world.facts(id).state, TableState::playing);
  world.restart();
  world.advance(60'000);
  EXPECT_EQ(world.facts(id).state, TableState::finished);
}

TEST(Rooms, WhereNobodyIsLeaveTheMemoryAndComeBack_S82) {
  Match match;
  match.act(0, 3);
  for (const ClientPtr& client : match.clients) match.world.leave(match.id, client);
  EXPECT_EQ(match.world.host->gauges().rooms, 1u);
  match.world.advance(200'000);
  EXPECT_EQ(match.world.host->gauges().rooms, 0u);
  const ClientPtr again = match.world.join(match.id, match.seats[1].caller());
  EXPECT_EQ(again->rev, 1u);
}

// A busy server would otherwise hold minutes of games that are over.
TEST(Rooms, OfFinishedGamesLeaveWithTheLastPerson_S83) {
  Match match;
  match.act(0, 3);
  match.at([&](Room& room) { room.resign(match.clients[0], PlayerId{0}, ""); });
  ASSERT_EQ(match.world.facts(match.id).state, TableState::finished);
  match.world.leave(match.id, match.clients[0]);
  match.world.advance(60'000);
  EXPECT_EQ(match.world.host->gauges().rooms, 1u) << "somebody is still looking at it";
  const std::string state = canonical(match.clients[1]->state);
  match.world.leave(match.id, match.clients[1]);
  match.world.advance(60'000);
  EXPECT_EQ(match.world.host->gauges().rooms, 0u);
  const ClientPtr again =
      match.world.join(match.id, match.seats[1].caller(), false, match.clients[1]->seq);
  EXPECT_EQ(canonical(again->state), state);
}

TEST(Draining, TellsEverybodyToComeBack_S62) {
  Match match;
  match.world.host->drain(4412, "bye", 2000);
  match.world.run();
  EXPECT_EQ(match.clients[0]->closed, 4412);
  EXPECT_EQ(match.clients[1]->closed, 4412);
  EXPECT_EQ(match.world.try_table(match.ann, {{"game", "pig"}}).error().code, "DRAINING");
}

}  // namespace
}  // namespace parlor::test
