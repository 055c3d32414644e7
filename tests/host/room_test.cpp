// Tables before and while a game is played, with simulated time (S-90): every rule with its
// refusal.
#include <future>

#include "host/simulation.h"

namespace parlor::test {
namespace {

using table::Deed;

// ---- Sitting down.

TEST(Seats, AreTakenOnceAndTheTokenIsTheSeats_S32) {
  Simulation world;
  const Person ann = world.person("ann"), bob = world.person("bob");
  const auto made = world.table(ann, {{"game", "connect-four"}}, 0);
  EXPECT_EQ(made.table.seats.size(), 2u);
  EXPECT_EQ(made.sat.seat, 0);
  EXPECT_EQ(world.sit(made.table.id, bob, 0).seat, nobody);
  EXPECT_EQ(world.refused, "SEAT_TAKEN");
  EXPECT_EQ(world.sit(made.table.id, bob).seat, 1);
  EXPECT_EQ(world.sit(made.table.id, bob).seat, nobody);
  EXPECT_EQ(world.refused, "SEAT_TAKEN");
}

TEST(Seats, WhoStandsUpLosesTheSeatForGood_S32) {
  Simulation world;
  const Person ann = world.person("ann");
  const auto made = world.table(ann, {{"game", "connect-four"}}, 0);
  const Seated old{0, made.sat.seat_token};
  const ClientPtr client = world.join(made.table.id, old.caller());
  world.at(made.table.id, {}, [&](Room& room) { room.stand(old.caller(), [](auto) {}); });
  EXPECT_EQ(client->closed, 4403);
  EXPECT_EQ(world.facts(made.table.id).seats[0].kind, SeatKind::open);
  const Seated again = world.sit(made.table.id, ann, 0);
  EXPECT_NE(again.token, old.token);
  world.ready(made.table.id, old);
  EXPECT_EQ(world.refused, "NOT_ALLOWED");
}

TEST(Seats, AreChosenAsTheTableSays_S32) {
  Simulation world;
  const Person ann = world.person("ann");
  const auto fixed = world.table(ann, {{"game", "pig"}, {"players", 4}, {"seatChoice", "fixed"}});
  EXPECT_EQ(world.sit(fixed.table.id, ann, 3).seat, 0);
  std::set<int> seen;
  for (int i = 0; i < 12; ++i) {
    const auto random =
        world.table(ann, {{"game", "pig"}, {"players", 4}, {"seatChoice", "random"}});
    seen.insert(world.sit(random.table.id, ann, 0).seat);
  }
  EXPECT_GT(seen.size(), 1u);
}

TEST(Seats, OnlyTheCreatorSeatsBotsStartsAndKicks_S33) {
  Simulation world;
  const Person ann = world.person("ann"), bob = world.person("bob");
  const std::string id = world.table(ann, {{"game", "connect-four"}}).table.id;
  std::string code;
  const Done<TableFacts> note = [&](tl::expected<TableFacts, Rejection> done) {
    code = done ? "" : done.error().code;
  };
  world.at(id, {}, [&](Room& room) { room.seat_bot(bob.caller(), 0, "random", note); });
  EXPECT_EQ(code, "NOT_ALLOWED");
  world.at(id, {}, [&](Room& room) { room.start(bob.caller(), note); });
  EXPECT_EQ(code, "NOT_ALLOWED");
  world.sit(id, bob, 1);
  world.at(id, {}, [&](Room& room) { room.kick(bob.caller(), 1, note); });
  EXPECT_EQ(code, "NOT_ALLOWED");
  world.at(id, {}, [&](Room& room) { room.kick(ann.caller(), 1, note); });
  EXPECT_EQ(code, "");
  EXPECT_EQ(world.facts(id).seats[1].kind, SeatKind::open);
  world.at(id, {}, [&](Room& room) { room.seat_bot(ann.caller(), 0, "nosuch", note); });
  EXPECT_EQ(code, "AGENT_UNKNOWN");
}

TEST(Starting, WaitsUntilAllSeatsAreFilledAndAllPeopleReady_S33) {
  Simulation world;
  const Person ann = world.person("ann"), bob = world.person("bob");
  const auto made = world.table(ann, {{"game", "connect-four"}}, 0);
  const Seated first{0, made.sat.seat_token};
  world.ready(made.table.id, first);
  EXPECT_EQ(world.facts(made.table.id).state, TableState::open);
  const Seated second = world.sit(made.table.id, bob, 1);
  EXPECT_EQ(world.facts(made.table.id).state, TableState::open);
  world.ready(made.table.id, second);
  EXPECT_EQ(world.facts(made.table.id).state, TableState::playing);
  EXPECT_EQ(world.sit(made.table.id, bob).seat, nobody);
  EXPECT_EQ(world.refused, "TABLE_STATE");
}

TEST(Starting, BotsFillTheRestWhenTheCreatorSaysSo_S33) {
  Simulation world;
  const Person ann = world.person("ann");
  const auto made = world.table(ann, {{"game", "connect-four"}}, 0);
  world.at(made.table.id, {}, [&](Room& room) { room.start(ann.caller(), [](auto) {}); });
  const TableFacts facts = world.facts(made.table.id);
  EXPECT_EQ(facts.state, TableState::playing);
  EXPECT_EQ(facts.seats[1].kind, SeatKind::bot);
}

TEST(Tables, OfGamesThatDoNotOpenAreRefusedWithDiagnostics_S40) {
  Simulation world;
  const Person ann = world.person("ann");
  const auto code = [&](const Json& config) {
    const auto made = world.try_table(ann, config, 0);
    return made ? std::string{} : made.error().code;
  };
  EXPECT_EQ(code({{"game", "nosuch"}}), "GAME_UNKNOWN");
  EXPECT_EQ(code({{"game", "games/pig.md"}}), "GAME_UNKNOWN");
  EXPECT_EQ(code({{"game", "/etc/passwd"}}), "GAME_UNKNOWN");
  EXPECT_EQ(code({{"game", "connect-four"}, {"players", 5}}), "PLAYERS_UNSUPPORTED");
  EXPECT_NE(code({{"game", "chess"}, {"rules", {"nosuch"}}}), "");
  EXPECT_EQ(code({{"game", "chess"}, {"seats", {{{"kind", "bot"}, {"agent", "mcts:ms=9999"}}}}}),
            "AGENT_PARAMETER");
  EXPECT_EQ(code({{"game", "chess"}, {"seats", {{{"kind", "bot"}, {"agent", "mcts:threads=2"}}}}}),
            "AGENT_PARAMETER");
}

TEST(Tables, TakeConstantsAsFarAsTheGameDeclares_S19) {
  Simulation world;
  const Person ann = world.person("ann");
  const auto code = [&](const char* game, const Json& constants) {
    const auto made = world.try_table(ann, {{"game", game}, {"constants", constants}}, 0);
    return made ? std::string{} : made.error().code;
  };
  EXPECT_EQ(code("hex", {{"size", 2}}), "");
  EXPECT_EQ(code("hex", {{"size", 1}}), "NUMBER_RANGE");
  EXPECT_EQ(code("hex", {{"size", 20}}), "NUMBER_RANGE");
  EXPECT_EQ(code("hex", {{"size", 2'000'000'000}}), "NUMBER_RANGE");
  EXPECT_EQ(code("hex", {{"size", "many"}}), "NUMBER_RANGE");
  EXPECT_EQ(code("hex", {{"sise", 5}}), "CONSTANT_UNKNOWN");
  EXPECT_EQ(code("go", {{"moves", 500}}), "CONSTANT_FIXED") << "it has no range";
  EXPECT_EQ(code("go", {{"moves", 400}, {"size", 5}}), "") << "as it is anyway";
}

// What a game declares must open: strangers are offered it.
TEST(Tables, OpenAtBothEndsOfEveryRange_S19) {
  Games games{test_catalog()};
  int ranges = 0;
  for (const std::string& name : test_catalog().names()) {
    const Json scene = games.scene(games.open(name, {}).value())->scene;
    for (const Json& constant : scene["constants"])
      for (const char* end : {"min", "max"}) {
        if (!constant.contains(end)) continue;
        ++ranges;
        OpenOptions asked;
        asked.constants[constant["name"].get<std::string>()] = constant[end].dump();
        const auto game = games.open_as_asked(name, asked);
        EXPECT_TRUE(game) << name << " " << constant << (game ? "" : game.error().message);
      }
  }
  EXPECT_GE(ranges, 40);
}

// A game that takes long to compile is nobody's trouble but theirs who asked for it.
TEST(Tables, OpenWhileAnotherGameIsBeingCompiled) {
  std::promise<void> begun, others_are_served;
  Catalog catalog;
  catalog.add("slow", [&](const std::string&, const OpenOptions& options) {
    begun.set_value();
    EXPECT_EQ(others_are_served.get_future().wait_for(std::chrono::seconds{20}),
              std::future_status::ready);
    return test_catalog().open("hex", options);
  });
  catalog.add("quick", [&](const std::string&, const OpenOptions& options) {
    return test_catalog().open("tic-tac-toe", options);
  });
  Games games{catalog};
  auto slow = std::async(std::launch::async, [&] { return games.open("slow", {}).value(); });
  begun.get_future().wait();
  const auto quick = games.open("quick", {}).value();
  EXPECT_EQ(games.scene(quick), games.scene(quick));
  others_are_served.set_value();
  const auto opened = slow.get();
  EXPECT_EQ(games.open("slow", {}).value(), opened);
}

TEST(Tables, OfAGameForgottenWhileItIsOpenedAreNotMadeAgain) {
  const Catalog none, fresh = open::catalog(open::Files::none);
  Games games{none};
  int opened = 0;
  games.set_uploads(
      [&](const std::string& name,
          const OpenOptions& options) -> tl::expected<std::shared_ptr<const Game>, Rejection> {
        if (++opened == 1) games.forget(name);
        return fresh.open("hex", options).value();
      });
  const auto first = games.open("u-1", {}).value(), second = games.open("u-1", {}).value();
  EXPECT_NE(first, second);
  EXPECT_EQ(games.open("u-1", {}).value(), second);
  EXPECT_EQ(opened, 2);
}

TEST(Tables, PrivateOnesAreUnknownToStrangers_S40) {
  Simulation world;
  const Person ann = world.person("ann"), bob = world.person("bob");
  const auto made = world.table(ann, {{"game", "connect-four"}, {"visibility", "private"}}, 0);
  ASSERT_FALSE(made.invite.empty());
  const auto seen_by = [&](const Caller& caller) {
    world.refused.clear();
    world.at(made.table.id, caller, [](Room&) {});
    return world.refused;
  };
  EXPECT_EQ(seen_by(bob.caller()), "TABLE_UNKNOWN");
  EXPECT_EQ(seen_by({}), "TABLE_UNKNOWN");
  EXPECT_EQ(seen_by(ann.caller()), "");
  EXPECT_EQ(seen_by({std::nullopt, {}, sha256(made.invite)}), "");
  EXPECT_EQ(seen_by({std::nullopt, {}, sha256("guess")}), "TABLE_UNKNOWN");
  world.refused.clear();
  world.at("nosuch", bob.caller(), [](Room&) {});
  EXPECT_EQ(world.refused, "TABLE_UNKNOWN");
  EXPECT_TRUE(world.host->list({TableState::open}, "", "")->tables.empty());
}

TEST(Lobby, ListsPublicTablesInPagesOfFifty) {
  Simulation world;
  const Person ann = world.person("ann");
  std::set<std::string> made, listed;
  for (int i = 0; i < 120; ++i) {
    made.insert(world.table(ann, {{"game", i % 2 == 0 ? "pig" : "tic-tac-toe"}}).table.id);
    world.advance(1);
  }
  (void)world.table(ann, {{"game", "pig"}, {"visibility", "unlisted"}});
  std::string after;
  int pages = 0;
  do {
    const auto page = world.host->list({TableState::open}, "", after).value();
    EXPECT_LE(page.tables.size(), 50u);
    for (const TableFacts& facts : page.tables) EXPECT_TRUE(listed.insert(facts.id).second);
    after = page.next;
  } while (!after.empty() && ++pages < 10);
  EXPECT_EQ(listed, made);
  EXPECT_EQ(world.host->list({TableState::open}, "pig", "")->tables.size(), 50u);
  EXPECT_TRUE(world.host->list({TableState::playing}, "", "")->tables.empty());
}

// ---- Playing.

TEST(Acts, AreAcknowledgedAndToldToEverybody_S42) {
  Match match;
  const ClientPtr watcher = match.world.join(match.id, {}, true);
  match.act(0, 3);
  ASSERT_NE(match.clients[0]->last("ack"), nullptr);
  EXPECT_EQ((*match.clients[0]->last("ack"))["rev"], 1);
  for (const ClientPtr& client : {match.clients[0], match.clients[1], watcher}) {
    const Json* update = client->last("update");
    ASSERT_NE(update, nullptr);
    EXPECT_EQ((*update)["rev"], 1);
    EXPECT_EQ((*update)["by"], 0);
    EXPECT_EQ(client->rev, 1u);
  }
  EXPECT_EQ(match.clients[1]->count("ack"), 0u);
  EXPECT_TRUE(match.clients[1]->decision.contains("options"));
  EXPECT_FALSE(match.clients[0]->decision.contains("options"));
}

TEST(Acts, ForAnotherRevisionAreRefusedWithAFreshSync_S42) {
  Match match;
  match.act(0, 3);
  match.clients[1]->rev = 0;
  const std::size_t syncs = match.clients[1]->count("sync");
  match.act(1, 3);
  EXPECT_EQ(match.clients[1]->error(), "REVISION_CONFLICT");
  EXPECT_EQ(match.clients[1]->count("sync"), syncs + 1);
  EXPECT_EQ(match.clients[1]->rev, 1u);
  match.act(1, 3);
  EXPECT_EQ(match.clients[1]->rev, 2u);
}

// Where all write down their bids at once, whoever is slower has seen nothing that changes theirs.
TEST(Acts, HandedInWhileOthersDidSoAreTakenAsTheyWereMeant_S17_S42) {
  Match match{{{"game", "auction"}}};
  match.act(0, 5);
  ASSERT_EQ(match.clients[1]->rev, 1u) << "told that somebody has handed in";
  const Json asked = match.clients[1]->decision["options"];
  match.clients[1]->rev = 0;
  match.act(1, 7);
  EXPECT_EQ(match.clients[1]->count("reject"), 0u);
  ASSERT_EQ(match.clients[1]->rev, 2u);
  EXPECT_EQ(match.clients[1]->state["players"][1]["bid"], 7);
  // The next lot lies there: what is sent now for the one before means nothing any more, though
  // the same may be bid as then.
  match.clients[0]->rev = 1;
  match.act(0, 3);
  EXPECT_EQ(match.clients[0]->error(), "REVISION_CONFLICT");
  EXPECT_EQ(match.clients[0]->rev, 2u);
  // Who has handed in already may still change it after somebody else did, and is not asked anew.
  match.act(0, 2);
  match.clients[0]->rev = 2;
  match.act(0, 4);
  EXPECT_EQ(match.clients[0]->error(), "REVISION_CONFLICT") << "one's own act is one to know of";
}

// Sets are handed in choice by choice; each seat goes its own way through them.
TEST(Acts, OfFourWhoPassCardsAtOnceNeverCollide_S17_S42) {
  Simulation world;
  const Person ann = world.person("ann");
  const MadeTable made = world.table(ann, {{"game", "hearts"}, {"players", 4}}, 0);
  std::vector<Seated> seats{{0, made.sat.seat_token}};
  for (int seat = 1; seat < 4; ++seat) seats.push_back(world.sit(made.table.id, ann, seat));
  std::vector<ClientPtr> clients;
  for (const Seated& seat : seats) clients.push_back(world.join(made.table.id, seat.caller()));
  for (const Seated& seat : seats) world.ready(made.table.id, seat);
  // All decide on what they were told at the same time, and only then hear of each other.
  for (int round = 0; round < 3; ++round) {
    std::vector<std::uint64_t> seen;
    for (const ClientPtr& client : clients) seen.push_back(client->rev);
    for (std::size_t seat = 0; seat < 4; ++seat) {
      if (!clients[seat]->decision.contains("options")) continue;
      const std::uint64_t now = clients[seat]->rev;
      clients[seat]->rev = seen[seat];
      world.act(made.table.id, clients[seat], static_cast<int>(seat), 0);
      EXPECT_GT(clients[seat]->rev, now);
    }
  }
  for (const ClientPtr& client : clients) EXPECT_EQ(client->count("reject"), 0u);
  EXPECT_GE(clients[0]->rev, 12u);
}

TEST(Acts, SentAgainAreAnsweredAgainAndDoneOnce_S42) {
  Match match;
  match.world.act(match.id, match.clients[0], 0, 3, "same");
  match.clients[0]->rev = 0;
  match.world.act(match.id, match.clients[0], 0, 3, "same");
  EXPECT_EQ(match.clients[0]->count("ack"), 2u);
  EXPECT_EQ(match.clients[0]->count("reject"), 0u);
  EXPECT_EQ(match.clients[1]->rev, 1u);
  match.world.act(match.id, match.clients[0], 0, 4, "same");
  EXPECT_EQ(match.clients[0]->error(), "ACTION_ID_REUSED");
}

TEST(Acts, OutOfTurnOrIllegalOnesChangeNothing_S90) {
  Match match;
  match.act(1, 0);
  EXPECT_EQ(match.clients[1]->error(), "ACTOR_NOT_DECIDING");
  match.act(0, 99);
  EXPECT_NE(match.clients[0]->error(), "");
  EXPECT_EQ(match.clients[0]->count("update"), 0u);
}

TEST(Acts, BeforeTheGameAndAfterItAreRefused_S90) {
  Simulation world;
  const Person ann = world.person("ann");
  const auto made = world.table(ann, {{"game", "connect-four"}}, 0);
  const ClientPtr client = world.join(made.table.id, Seated{0, made.sat.seat_token}.caller());
  world.act(made.table.id, client, 0, 0);
  EXPECT_EQ(client->error(), "TABLE_STATE");
  Match match;
  match.at([&](Room& room) { room.resign(match.clients[0], PlayerId{0}, ""); });
  match.act(1, 0);
  EXPECT_EQ(match.clients[1]->error(), "GAME_FINISHED");
}

TEST(Tabs, SeveralOfOneSeatAllHearAndAllMayAct_S45) {
  Match match;
  const ClientPtr other = match.world.join(match.id, match.seats[0].caller());
  match.world.act(match.id, other, 0, 2);
  EXPECT_EQ(other->count("ack"), 1u);
  EXPECT_EQ(match.clients[0]->count("ack"), 0u);
  EXPECT_EQ(match.clients[0]->rev, 1u);
  EXPECT_EQ(canonical(match.clients[0]->state), canonical(other->state));
}

TEST(Resigning, EndsTheGameAndTellsTheSeed_S16_S33) {
  Match match;
  match.act(0, 0);
  for (const Json& frame : match.clients[0]->frames) EXPECT_FALSE(frame.contains("seed"));
  match.at([&](Room& room) { room.resign(match.clients[1], PlayerId{1}, "r"); });
  const Json* over = match.clients[0]->last("over");
  ASSERT_NE(over, nullptr);
  EXPECT_EQ((*over)["outcome"]["winners"], Json::array({0}));
  EXPECT_EQ((*over)["outcome"]["by"], "table");
  EXPECT_TRUE(over->contains("seed"));
  EXPECT_EQ(match.world.facts(match.id).state, TableState::finished);
}

TEST(Why, SaysWhetherSomethingIsLegal) {
  Match match;
  match.at([&](Room& room) {
    room.why(match.clients[0], 0, "w1", {{"index", 0}});
    room.why(match.clients[0], 0, "w2",
             {{"action", "drop"}, {"params", {{"$cell", "cell_0_0:none"}}}});
    room.why(match.clients[1], 1, "w3", {{"index", 0}});
  });
  const Json& legal = match.clients[0]->frames[match.clients[0]->frames.size() - 2];
  EXPECT_EQ(legal["legal"], true);
  EXPECT_EQ((*match.clients[0]->last("why"))["legal"], false);
  EXPECT_TRUE((*match.clients[0]->last("why"))["reason"].contains("code"));
  EXPECT_EQ((*match.clients[1]->last("why"))["reason"]["code"], "ACTOR_NOT_DECIDING");
}

// ---- Queued acts.

TEST(QueuedActs, ArePlayedWhenTheTurnComesIfLegal_S38) {
  Match match{{{"game", "connect-four"}, {"clock", "fischer:60+0"}}};
  const auto drop = [](int row, int column) {
    return Json{{"action", "drop"},
                {"params", {{"$cell", fmt::format("cell_{}_{}:none", row, column)}}}};
  };
  match.at([&](Room& room) {
    room.queue(match.clients[1], PlayerId{1}, {{drop(5, 6), {}, {}}, {drop(4, 6), {}, {}}});
  });
  match.act(0, 0);
  EXPECT_EQ(match.clients[0]->rev, 2u);
  const Json& clock = (*match.clients[0]->last("update"))["clock"];
  EXPECT_EQ(clock["left"][1], 59'900) << "a queued act costs at least 100 ms";
  match.act(0, 0);
  EXPECT_EQ(match.clients[0]->rev, 4u);
}

TEST(QueuedActs, ThatAreNotLegalThenAreDropped_S38) {
  Match match;
  const Json low{{"action", "drop"}, {"params", {{"$cell", "cell_5_0:none"}}}};
  match.at([&](Room& room) {
    room.queue(match.clients[1], PlayerId{1}, {{low, {}, {}}, {low, {}, {}}});
  });
  match.act(0, 0);  // takes that very cell
  EXPECT_EQ(match.clients[1]->count("queuedDropped"), 1u);
  EXPECT_EQ((*match.clients[1]->last("queuedDropped"))["waiting"], 0);
  EXPECT_EQ(match.clients[1]->rev, 1u);
  EXPECT_EQ(match.clients[0]->count("queuedDropped"), 0u) << "that is nobody else's business";
}

TEST(QueuedActs, MayDependOnWhatTheOtherPlays_S38) {
  Match match;
  const auto cell = [](int column) {
    return Json{{"action", "drop"}, {"params", {{"$cell", fmt::format("cell_5_{}:none", column)}}}};
  };
  match.at([&](Room& room) {
    room.queue(match.clients[1], PlayerId{1}, {{cell(1), {}, cell(3)}});
  });
  match.act(0, 2);
  EXPECT_EQ(match.clients[1]->rev, 1u);
  EXPECT_EQ((*match.clients[1]->last("queuedDropped"))["error"]["code"], "QUEUE_CONDITION");
  match.act(1, 0);
  match.at([&](Room& room) {
    room.queue(match.clients[1], PlayerId{1}, {{cell(1), {}, cell(3)}});
  });
  match.act(0, 3);
  EXPECT_EQ(match.clients[1]->rev, 4u);
}

TEST(QueuedActs, AreAtMostFour_S38) {
  Match match;
  match.at([&](Room& room) {
    room.queue(match.clients[1], PlayerId{1}, std::vector<QueuedAct>(5, {{{"index", 0}}, {}, {}}));
  });
  EXPECT_EQ(match.clients[1]->error(), "QUEUE_FULL");
}

// ---- Bots.

TEST(Bots, PlayThroughTheSameDoorAndNotTooFast_S37) {
  Simulation world;
  const Person ann = world.person("ann");
  const auto made =
      world.table(ann,
                  {{"game", "connect-four"},
                   {"seats", {{{"kind", "human"}}, {{"kind", "bot"}, {"agent", "random"}}}}},
                  0);
  const Seated seat{0, made.sat.seat_token};
  const ClientPtr client = world.join(made.table.id, seat.caller());
  world.ready(made.table.id, seat);
  world.act(made.table.id, client, 0, 3);
  world.advance(299);
  EXPECT_EQ(client->rev, 1u);
  world.advance(1);
  EXPECT_EQ(client->rev, 2u);
  EXPECT_EQ((*client->last("update"))["by"], 1);
}

TEST(Bots, PlayAWholeGameAmongThemselves_S37) {
  Simulation world;
  const Person ann = world.person("ann");
  const std::string id = world.table(ann, {{"game", "tic-tac-toe"}}).table.id;
  const ClientPtr watcher = world.join(id, {}, true);
  world.at(id, {}, [&](Room& room) { room.start(ann.caller(), [](auto) {}); });
  world.advance(10'000);
  EXPECT_EQ(watcher->count("over"), 1u);
  EXPECT_EQ(world.facts(id).state, TableState::finished);
}

// ---- The log and the replay.

TEST(Replays, AreWhatTheProgramReads) {
  Match match{{{"game", "leduc-poker"}, {"explicitChance", true}}};
  match.at([&](Room& room) { EXPECT_EQ(room.replay({}).error().code, "TABLE_STATE"); });
  for (int i = 0; i < 20 && match.world.facts(match.id).state == TableState::playing; ++i) {
    const int decider = match.clients[0]->decision["decider"].get<int>();
    match.act(decider, 0);
  }
  ASSERT_EQ(match.world.facts(match.id).state, TableState::finished);
  match.at([&](Room& room) {
    const auto replay = room.replay({});
    ASSERT_TRUE(replay) << replay.error().message;
    EXPECT_NE(replay->find("\"picked\""), std::string::npos);
    EXPECT_NE(replay->find("\"seed\""), std::string::npos);
  });
}

TEST(Logs, TellPlayersWhatTheyMayKnowUntilItIsOver) {
  Match match{{{"game", "kuhn-poker"}}};
  match.act(0, 1);
  match.at([&](Room& room) {
    const Json theirs = room.log_for(match.seats[1].caller(), 0).value();
    EXPECT_FALSE(theirs["entries"][0].contains("hash"));
    EXPECT_EQ(theirs["rev"], 1);
  });
  match.act(1, 0);
  ASSERT_EQ(match.world.facts(match.id).state, TableState::finished);
  match.at([&](Room& room) {
    EXPECT_TRUE(room.log_for({}, 0).value()["entries"][0].contains("hash"));
    EXPECT_EQ(room.log_for({}, 2).value()["entries"].size(), 1u);
  });
}

// Who comes later, or comes again, reads what was chosen as those read it who were there (W-28).
TEST(Logs, HaveTheWordsThatWereTold_W28) {
  Match match{{{"game", "auction"}}};  // sealed bids
  std::vector<std::string> told;
  for (int i = 0; i < 6; ++i) {
    match.act(i % 2, static_cast<std::size_t>(i));  // both hand in, one after the other
    const Json& update = *match.clients[1]->last("update");
    told.push_back(update["label"].get<std::string>() + (update["hidden"] == true ? "?" : ""));
  }
  match.at([&](Room& room) {
    std::vector<std::string> read;
    const Json log = room.log_for(match.seats[1].caller(), 0).value();
    for (const Json& entry : log["entries"])
      read.push_back(entry["label"].get<std::string>() + (entry["hidden"] == true ? "?" : ""));
    EXPECT_EQ(read, told);
    EXPECT_TRUE(std::ranges::any_of(read, [](const auto& line) { return line.ends_with("?"); }));
  });
}

}  // namespace
}  // namespace parlor::test
