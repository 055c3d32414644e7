// What a page is told of every shipped game: scenes, stages, decisions and events fit their schema,
// and events suffice to get from one stage to the next.
#include "game/scene.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "base/files.h"
#include "chess/chess.h"
#include "games/shipped.h"
#include "rounds.h"
#include "source_dir.h"
#include "spec/lower/json_schema.h"

namespace parlor::games {
namespace {

const spec::testing::JsonSchema& scene_schema() {
  static const spec::testing::JsonSchema schema(
      Json::parse(read_file(test::source_dir() + "/docs/scene.schema.json").value()));
  return schema;
}

std::shared_ptr<const Game> open_named(const std::string& name, const OpenOptions& options = {}) {
  return name == "chess" ? chess::open_chess(options).value() : open_shipped(name, options);
}

std::vector<Viewer> everybody_at(const Game& game) {
  std::vector<Viewer> out{Viewer::everything(), Viewer::observer()};
  for (std::size_t i = 0; i < game.info().players; ++i) out.push_back(Viewer::player(PlayerId{i}));
  return out;
}

std::set<std::string> drawn_zones(const Json& scene) {
  std::set<std::string> out;
  for (const Json& board : scene["boards"])
    for (const Json& cell : board["cells"]) out.insert(cell["zone"].get<std::string>());
  for (const Json& area : scene["areas"]) out.insert(area["id"].get<std::string>());
  return out;
}

// Zones, variables and markers; whose turn it is and what effects are in force is not told by
// events alone.
Json told_part(const Json& stage) {
  Json out = Json::object();
  for (const char* key : {"zones", "globals", "players", "zoneVars", "markers", "globalMarkers"})
    out[key] = stage[key];
  return out;
}

struct Watch {
  Viewer viewer;
  Json stage;
};

// Plays at random; every stage follows from the one before and the events. Gives how often
// something had to be settled that no event said.
std::size_t play_and_check(const Game& game, Seed seed, std::size_t decisions) {
  const Json scene = scene_of(game);
  EXPECT_EQ(scene_schema().violation({{"scene", scene}}), "");
  const SceneNames names(scene);
  const std::set<std::string> drawn = drawn_zones(scene);
  State state = game.start(seed).value();
  std::vector<Watch> watching;
  for (const Viewer& viewer : everybody_at(game))
    watching.push_back({viewer, stage_of(state, viewer)});
  Rng rng(seed, 77);
  OptionList options;
  std::size_t settled = 0;
  for (std::size_t n = 0; n < decisions && !state.finished(); ++n) {
    const bool look_closely = n < 12 || n % 16 == 0;
    state.list_options(options);
    EventRecorder recorder;
    if (!state.apply(options[draw_option(options, rng)], &recorder)) break;
    for (Watch& watch : watching) {
      const Json after = stage_of(state, watch.viewer);
      const Json events = told_events(names, recorder.heard(), watch.stage, after, watch.viewer);
      Json applied = watch.stage;
      apply_events(applied, events);
      if (told_part(applied) != told_part(after)) {
        ADD_FAILURE() << "decision " << n << ": "
                      << Json::diff(told_part(after), told_part(applied));
        return settled;
      }
      for (const Json& event : events) {
        settled += event.contains("settled") ? 1 : 0;
        // Whoever an event is about is named (W-10).
        if (event.contains("label") && event["data"].value("player", Json()).is_number()) {
          EXPECT_EQ(event["label"].get<std::string>().find("nobody"), std::string::npos) << event;
        }
      }
      if (look_closely) {
        EXPECT_EQ(scene_schema().violation({{"stage", after}}), "") << n;
        EXPECT_EQ(scene_schema().violation({{"events", events}}), "") << n;
        const Json decision = typed_decision(state, watch.viewer);
        EXPECT_EQ(scene_schema().violation({{"decision", decision}}), "") << n;
        for (const auto& [zone, content] : after["zones"].items())
          EXPECT_TRUE(drawn.contains(zone)) << zone << " is nowhere in the scene";
      }
      watch.stage = after;
      if (testing::Test::HasFailure()) return settled;
    }
  }
  return settled;
}

class ShippedScene : public testing::TestWithParam<std::string> {};

TEST_P(ShippedScene, FitsTheSchemaAndEventsSuffice) {  // W-01, W-07, W-08, W-10, W-11, W-58
  const auto smallest = open_shipped(GetParam());
  for (const std::size_t players :
       std::set{smallest->info().min_players, smallest->info().max_players}) {
    OpenOptions options;
    options.players = players;
    const auto game = open_shipped(GetParam(), options);
    SCOPED_TRACE(fmt::format("{} players", players));
    const std::size_t settled = play_and_check(*game, 5, test::thorough<std::size_t>(60));
    // Where nothing is hidden the rules say everything themselves.
    if (!game->info().hidden_information) {
      EXPECT_EQ(settled, 0u);
    }
  }
}

TEST_P(ShippedScene, IsTheSameEveryTimeAndHasAPlaceForEveryCell) {  // W-03
  const auto game = open_shipped(GetParam());
  const Json scene = scene_of(*game);
  EXPECT_EQ(canonical(scene), canonical(scene_of(*game)));
  for (const Json& board : scene["boards"]) {
    std::set<std::pair<std::int64_t, std::int64_t>> places;
    for (const Json& cell : board["cells"])
      places.emplace(cell["x"].get<std::int64_t>(), cell["y"].get<std::int64_t>());
    EXPECT_EQ(places.size(), board["cells"].size()) << "two cells at one place";
  }
}

INSTANTIATE_TEST_SUITE_P(Games, ShippedScene, testing::ValuesIn(shipped_with_modules()),
                         [](const auto& info) {
                           std::string name = info.param;
                           for (char& c : name)
                             if (c == '-' || c == '+') c = '_';
                           return name;
                         });

TEST(ChessScene, EventsSufficeWithEveryPreset) {  // W-10, W-11, W-58
  const auto plain = open_named("chess");
  EXPECT_EQ(play_and_check(*plain, 3, 80), 0u);
  std::size_t presets = 0;
  for (const OfferedRule& rule : plain->offered_rules()) {
    OpenOptions options;
    options.rules = rule.needs;
    options.rules.push_back(rule.id);
    SCOPED_TRACE(rule.id);
    EXPECT_EQ(play_and_check(*open_named("chess", options), 11, test::thorough<std::size_t>(40)),
              0u);
    ++presets;
  }
  EXPECT_GE(presets, 20u);
}

TEST(ChessScene, CastlingTellsOfTheRookToo) {  // W-10
  OpenOptions options;
  options.position = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1";
  const auto game = open_named("chess", options);
  State state = game->start(1).value();
  EventRecorder recorder;
  ASSERT_TRUE(state.apply(find_option(state, "e1c1").value(), &recorder));
  std::vector<std::string> moved;
  for (const HeardEvent& event : recorder.heard())
    if (event.kind == "tokenMoved")
      moved.push_back(event.data["from"].get<std::string>() + event.data["to"].get<std::string>());
  EXPECT_THAT(moved, testing::ElementsAre("e1c1", "a1d1"));
}

TEST(ChessScene, EnPassantTellsOfThePawnThatIsGone) {  // W-10
  OpenOptions options;
  options.position = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
  const auto game = open_named("chess", options);
  State state = game->start(1).value();
  EventRecorder recorder;
  ASSERT_TRUE(state.apply(find_option(state, "e5d6").value(), &recorder));
  EXPECT_TRUE(std::ranges::any_of(recorder.heard(), [](const HeardEvent& event) {
    return event.kind == "tokenDestroyed" && event.data["from"] == "d5";
  }));
}

TEST(Decisions, SayWhereToClick) {  // W-08
  const auto first = [](const Game& game, const std::string& text) {
    const State state = game.start(1).value();
    const Json decision = typed_decision(state, Viewer::player(PlayerId{0}));
    for (const Json& option : decision["options"])
      if (option["text"] == text) return option;
    return Json();
  };
  const Json step = first(*open_named("breakthrough"), "move cell_6_0 n");
  EXPECT_EQ(step["from"]["zone"], "cell_6_0:none");
  EXPECT_EQ(step["to"]["zone"], "cell_5_0:none");
  EXPECT_EQ(step["refs"][1], (Json{{"p", "$way"}, {"kind", "direction"}, {"dir", "n"}}));
  const Json pawn = first(*open_named("chess"), "e2e4");
  EXPECT_EQ(pawn["from"]["zone"], "e2");
  EXPECT_EQ(pawn["to"]["zone"], "e4");
  const Json stone = first(*open_named("tic-tac-toe"), "place cell_1_1");
  EXPECT_EQ(stone["at"]["zone"], "cell_1_1:none");
}

TEST(Decisions, CarryWhatFollowsIfAsked) {  // W-09
  const auto game = open_named("amazons");
  const State state = game->start(1).value();
  const Json bare = typed_decision(state, Viewer::everything());
  for (const Json& option : bare["options"]) EXPECT_FALSE(option.contains("then"));
  DecisionDetail detail;
  detail.depth = 1;
  detail.most = 5'000;
  const Json whole = typed_decision(state, Viewer::everything(), detail);
  EXPECT_TRUE(whole["options"][0].contains("then"));
  EXPECT_EQ(scene_schema().violation({{"decision", whole}}), "");
}

TEST(Scenes, SayEverythingThereIsToDraw) {  // W-02
  const Json scene = scene_of(*open_named("breakthrough"));
  EXPECT_EQ(scene["format"], "parlor.scene.1");
  EXPECT_EQ(scene["game"], "breakthrough");
  EXPECT_EQ(scene["name"], "Breakthrough");
  EXPECT_EQ(scene["players"], 2);
  ASSERT_EQ(scene["seats"].size(), 2u);
  EXPECT_EQ(scene["seats"][0]["name"], "white");
  EXPECT_NE(scene["seats"][0]["color"], scene["seats"][1]["color"]);
  ASSERT_EQ(scene["boards"].size(), 1u);
  const Json& board = scene["boards"][0];
  EXPECT_EQ(board["shape"], "square");
  ASSERT_EQ(board["cells"].size(), 64u);
  const Json& cell = board["cells"][9];
  EXPECT_EQ(cell["zone"], "cell_1_1:none");
  EXPECT_EQ(cell["row"], 1);
  EXPECT_EQ(cell["col"], 1);
  EXPECT_EQ(cell["x"], scene_unit);
  EXPECT_EQ(cell["y"], scene_unit);
  EXPECT_EQ(cell["label"], "b7");
  EXPECT_NE(cell["shade"], board["cells"][8]["shade"]);
  EXPECT_EQ(board["coordinates"]["columns"][0], "a");
  EXPECT_EQ(scene["tokens"]["pawn"]["colorBy"], (Json{{"seat", "owner"}}));
  ASSERT_EQ(scene["actions"].size(), 1u);
  EXPECT_EQ(scene["actions"][0]["params"],
            (Json::array({{{"name", "$from"}, {"kind", "zone"}},
                          {{"name", "$way"}, {"kind", "direction"}}})));
  EXPECT_FALSE(scene["phases"].empty());
  const auto north =
      std::ranges::find_if(scene["directions"], [](const Json& way) { return way["name"] == "n"; });
  ASSERT_NE(north, scene["directions"].end());
  EXPECT_EQ((*north)["dx"], 0);
  EXPECT_EQ((*north)["dy"], -scene_unit);
}

State after(const Game& game, Seed seed, std::initializer_list<const char*> moves) {
  State state = game.start(seed).value();
  for (const char* move : moves) {
    const auto option = find_option(state, move);
    EXPECT_TRUE(option.has_value()) << move;
    if (!option || !state.apply(*option)) break;
  }
  return state;
}

constexpr std::initializer_list<const char*> diagonal_for_x{
    "place cell_0_0", "place cell_0_1", "place cell_1_1", "place cell_0_2", "place cell_2_2"};

TEST(Stages, NameTheRowsThatEndedAGame) {  // W-07
  const Json row = Json::array({"cell_0_0:none", "cell_1_1:none", "cell_2_2:none"});
  const auto game = open_named("tic-tac-toe");
  const Json over = stage_of(after(*game, 1, diagonal_for_x), Viewer::observer());
  EXPECT_EQ(over["lines"], Json::array({row}));
  EXPECT_EQ(scene_schema().violation({{"stage", over}}), "");
  const State unfinished = after(*game, 1, {"place cell_0_0", "place cell_0_1"});
  EXPECT_FALSE(stage_of(unfinished, Viewer::observer()).contains("lines"));
  // A length that is worked out is asked of one cell after the other.
  const auto counted = open_changed("tic-tac-toe", {.replace = {{"line of 3", "line of three"}},
                                                    .sections = "globalVars: {three: 3..3}"});
  EXPECT_EQ(stage_of(after(*counted, 1, diagonal_for_x), Viewer::observer())["lines"],
            Json::array({row}));
}

TEST(Stages, SayWhoPlayedACardOfATrick) {  // W-07
  const auto game = open_named("hearts");
  State state = game->start(1).value();
  OptionList options;
  for (int n = 0; n < 200; ++n) {
    const Json stage = stage_of(state, Viewer::observer());
    const Json& trick = stage["zones"]["trick:none"]["tokens"];
    if (trick.size() == 3) {
      std::set<int> players;
      for (const Json& card : trick) players.insert(card["look"].value("by", -1));
      EXPECT_EQ(players.size(), 3u);
      EXPECT_FALSE(players.contains(-1));
      EXPECT_FALSE(players.contains(stage["active"].get<int>())) << "who is to play has not played";
      return;
    }
    state.list_options(options);
    ASSERT_TRUE(state.apply(options[0]));
  }
  FAIL() << "no trick was played";
}

std::size_t cards_seen_by_first(const State& state) {
  const Json zones = stage_of(state, Viewer::player(PlayerId{0}))["zones"];
  return zones["hand:0"]["tokens"].size() + zones["hand:1"]["tokens"].size();
}

TEST(Stages, ShowBothHandsAtAShowdownAndNoneAfterAFold) {  // W-07
  const auto kuhn = open_named("kuhn-poker"), leduc = open_named("leduc-poker");
  EXPECT_EQ(cards_seen_by_first(after(*kuhn, 3, {"bet", "bet"})), 2u);
  EXPECT_EQ(cards_seen_by_first(after(*kuhn, 3, {"bet", "pass"})), 1u);
  EXPECT_EQ(cards_seen_by_first(after(*leduc, 3, {"call", "call", "call", "call"})), 2u);
  EXPECT_EQ(cards_seen_by_first(after(*leduc, 3, {"raise", "fold"})), 1u);
}

}  // namespace
}  // namespace parlor::games
