// What goes over the line is what game/scene.h makes, for every shipped game and every viewer
// (W-01 … W-11, S-44). That patches and events lead from stage to stage is checked by every Client.
#include "host/patch.h"
#include "host/simulation.h"

namespace parlor::test {
namespace {

// A table of a game with all its seats taken by people who are connected, and one who watches.
struct FullTable {
  explicit FullTable(const std::string& name, Json more = Json::object()) {
    const auto made_game = test_catalog().open(name, {}).value();
    const Person ann = world.person("ann");
    more["game"] = name;
    const MadeTable made = world.table(ann, more, 0);
    id = made.table.id;
    std::vector<Seated> seats{{made.sat.seat, made.sat.seat_token}};
    for (std::size_t i = 1; i < made_game->info().players; ++i)
      seats.push_back(world.sit(id, world.person("p" + std::to_string(i)), static_cast<int>(i)));
    for (const Seated& seat : seats) clients.push_back(world.join(id, seat.caller()));
    clients.push_back(world.join(id, {}, true));
    for (const Seated& seat : seats) world.ready(id, seat);
  }
  // One act at random; false when nobody can.
  bool act(Rng& rng) {
    for (std::size_t i = 0; i + 1 < clients.size(); ++i) {
      const Json& decision = clients[i]->decision;
      if (!decision.is_object() || !decision.contains("options")) continue;
      world.act(id, clients[i], static_cast<int>(i), rng.below(decision["options"].size()));
      return true;
    }
    return false;
  }

  Simulation world;
  std::string id;
  std::vector<ClientPtr> clients;
};

// Every game; with sanitizers each fifth from here on.
std::vector<std::string> some_games(std::size_t first) {
  const std::vector<std::string> all = test_catalog().names();
  std::vector<std::string> out;
  for (std::size_t i = sanitized ? first : 0; i < all.size(); i += stride) out.push_back(all[i]);
  return out;
}

TEST(Contract, EveryGameIsToldInStagesDecisionsAndEventsThatSuffice_W07_W08_W10_W11_S44) {
  std::size_t games = 0;
  for (const std::string& name : some_games(0)) {
    FullTable table{name};
    Rng rng{7};
    int acts = 0;
    while (acts < rounds(25) && table.act(rng)) ++acts;
    EXPECT_GT(acts, 0) << name;
    for (const ClientPtr& client : table.clients) {
      EXPECT_TRUE(client->state.contains("zones")) << name;
      EXPECT_EQ(client->count("reject"), 0u) << name << client->error();
      for (const auto& [id, zone] : client->state["zones"].items())
        EXPECT_TRUE(zone.contains("count") && zone["tokens"].is_array()) << name << id;
    }
    ++games;
  }
  EXPECT_GE(games, 20u / stride);
}

// A change is made from the parts of a stage that it is about; nothing gets lost by that.
TEST(Contract, ChangesMadeFromPartsSayWhatWholeStagesSay_W11_S44) {
  std::size_t compared = 0;
  for (const std::string& name : some_games(1)) {
    const auto game = test_catalog().open(name, {}).value();
    const SceneNames names{scene_of(*game)};
    std::vector<Viewer> viewers{Viewer::observer()};
    for (std::size_t i = 0; i < game->info().players; ++i)
      viewers.push_back(Viewer::player(PlayerId{i}));
    State state = game->start(3).value();
    Rng rng{5};
    OptionList options;
    for (int acts = 0; acts < thorough(rounds(60)) && !state.finished(); ++acts) {
      const State before = state;
      state.list_options(options);
      EventRecorder recorder;
      ASSERT_TRUE(state.apply(options[rng.below(options.size())], &recorder));
      for (const Viewer& viewer : viewers) {
        Json told = Json::array();
        for (const HeardEvent& event : recorder.heard())
          if (Json one = event_told({event.kind, event.data, event.seen_by, event.outside}, viewer);
              !one.is_null())
            told.push_back(std::move(one));
        const Json whole =
            completed_events(names, told, stage_of(before, viewer), stage_of(state, viewer));
        const StagePtr after = make_stage(state, viewer);
        const ChangePtr change =
            make_change(names, make_stage(before, viewer)->text, *after, std::move(told));
        ASSERT_EQ(change->events, canonical(whole)) << name << " act " << acts;
        Json patched = stage_of(before, viewer);
        ASSERT_TRUE(apply_patch(patched, Json::parse(change->patch))) << name;
        ASSERT_EQ(canonical(patched), after->text) << name << " act " << acts;
        ++compared;
      }
    }
  }
  EXPECT_GE(compared, thorough(rounds(1000u)) / stride);
}

TEST(Contract, OptionsAreTypedAndForTheDeciderAlone_W08) {
  FullTable table{"breakthrough"};
  const Json& mine = table.clients[0]->decision;
  const Json& option = mine["options"][0];
  for (const char* key : {"index", "id", "label", "text", "action", "refs", "from", "to"})
    EXPECT_TRUE(option.contains(key)) << key << option;
  EXPECT_EQ(option["refs"][0]["kind"], "zone");
  for (const std::size_t other : {1u, 2u}) {
    EXPECT_FALSE(table.clients[other]->decision.contains("options"));
    EXPECT_EQ(table.clients[other]->decision["decider"], 0);
  }
}

TEST(Contract, WholeMovesAreCarriedForThoseWhoAskAndWhereNothingIsGivenAway_W09) {
  const auto deep = [](const std::string& game) {
    Match match{{{"game", game}}};
    const ClientPtr client = std::make_shared<Client>();
    match.at([&](Room& room) {
      room.join(client, {match.seats[0].caller(), false, {}, true}, [](const auto&) {});
    });
    match.world.run();
    bool then = false;
    for (const Json& option : client->decision.value("options", Json::array()))
      then = then || option.contains("then");
    return then;
  };
  EXPECT_TRUE(deep("amazons"));
  EXPECT_FALSE(deep("backgammon")) << "the dice of the next roll";
  EXPECT_FALSE(deep("texas-holdem"));
}

TEST(Contract, WhereNothingIsHiddenAllSeeTheSame_S46) {
  std::size_t alike = 0;
  for (const std::string& name : test_catalog().names()) {
    const auto game = test_catalog().open(name, {}).value();
    if (!all_see_alike(*game)) continue;
    ++alike;
    State state = game->start(3).value();
    Rng rng{3};
    OptionList options;
    for (int n = 0; n < 12 && !state.finished(); ++n) {
      const std::string seen = canonical(stage_of(state, Viewer::observer()));
      for (std::size_t i = 0; i < game->info().players; ++i)
        ASSERT_EQ(canonical(stage_of(state, Viewer::player(PlayerId{i}))), seen) << name;
      state.list_options(options);
      ASSERT_TRUE(state.apply(options[draw_option(options, rng)]));
    }
  }
  EXPECT_GE(alike, 10u);
}

TEST(Contract, MemoriesAndLogsOfTheRulesStayInside_S20) {
  const auto played = [](const char* name, int moves) {
    static std::vector<std::shared_ptr<const Game>> games;  // states need theirs
    const auto game = games.emplace_back(test_catalog().open(name, {}).value());
    State state = game->start(5).value();
    Rng rng{5};
    OptionList options;
    for (int n = 0; n < moves && !state.finished(); ++n) {
      state.list_options(options);
      EXPECT_TRUE(state.apply(options[draw_option(options, rng)]));
    }
    return state;
  };
  const auto bytes = [](const State& state) {
    return canonical(stage_of(state, Viewer::observer())).size();
  };
  // Sixty stones are told, and nothing that grows with the number of positions there were.
  const std::size_t stones = bytes(played("go", 60)) - bytes(played("go", 0));
  EXPECT_LT(stones, 60u * 260u);
  EXPECT_EQ(canonical(stage_of(played("go", 60), Viewer::observer())).find("memory"),
            std::string::npos);
  EXPECT_LT(bytes(played("chess", 200)), bytes(played("chess", 0)) + 1000u);
}

// Keeps the very frames it was given.
class Keeper final : public Listener {
 public:
  void hear(FramePtr frame) override { frames.push_back(std::move(frame)); }
  void dismiss(int, std::string, Time) override {}
  std::vector<FramePtr> frames;
};

TEST(Contract, AllWhoWatchShareOneBuffer_S46) {
  Match match;
  const auto one = std::make_shared<Keeper>(), two = std::make_shared<Keeper>();
  for (const auto& keeper : {one, two})
    match.at([&](Room& room) { room.join(keeper, {{}, true, {}, false}, [](const auto&) {}); });
  const std::size_t one_before = one->frames.size(), two_before = two->frames.size();
  match.act(0, 3);
  ASSERT_GT(one->frames.size(), one_before);
  EXPECT_EQ(one->frames[one_before], two->frames[two_before]) << "the same, not a copy";
}

TEST(Contract, TheSceneIsNamedInEverySyncAndSharedByAllTablesOfAGame_W01) {
  Simulation world;
  const Person ann = world.person("ann");
  const MadeTable made = world.table(ann, {{"game", "hex"}}, 0);
  const ClientPtr client = world.join(made.table.id, {}, true);
  const auto game = world.games.open("hex", {}).value();
  const ScenePtr scene = world.games.scene(game);
  EXPECT_EQ((*client->last("sync"))["scene"], scene->hash);
  EXPECT_EQ(scene->hash, "sha256-" + sha256_hex(canonical(scene_of(*game))));
  EXPECT_EQ(world.games.scene(game), scene) << "made once";
}

}  // namespace
}  // namespace parlor::test
