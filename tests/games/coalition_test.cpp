// Coalition: every rule, and what must hold in every game, with and without its expansion.
#include "games/coalition.h"

#include <fmt/format.h>

namespace parlor::games {
namespace {

using namespace coalition;

TEST(Coalition, HasItsTilesAndInfluence) {
  for (const std::size_t players : {2u, 3u, 4u}) {
    OpenOptions options;
    options.players = players;
    const State state = begin(open_shipped("coalition", options));
    std::map<std::string, int> kinds;
    std::map<std::string, std::multiset<int>> values;
    for (const char* zone : {"stack", "drawn"})
      for (const Token& tile : tokens_in(state, zone)) {
        ++kinds[tile.props["kind"]];
        if (tile.props["kind"] == "ressort")
          values[tile.props["ressort"]].insert(tile.props["value"].get<int>());
      }
    EXPECT_EQ(kinds, (std::map<std::string, int>{{"ressort", 36},
                                                 {"committee", 10},
                                                 {"grassroots", 8},
                                                 {"lobbyist", 9},
                                                 {"hotspot", 8}}));
    for (const char* ressort : {"domestic", "foreign", "media"})
      EXPECT_EQ(values[ressort], (std::multiset<int>{1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 5}));
    EXPECT_EQ(board_of(state)["cell_0_0"][0].props["kind"], "start");
    for (std::size_t p = 0; p < players; ++p)
      EXPECT_EQ(count(state, fmt::format("reserve:{}", p)), 6 - players);
    EXPECT_FALSE(state.game().info().hidden_information) << "all information is open";
  }
}

TEST(Coalition, TheSeedDecidesWhichTileComesNext) {
  const auto game = open_shipped("coalition");
  EXPECT_TRUE(game->info().has_chance);
  std::set<std::string> drawn;
  for (Seed seed = 0; seed < 20; ++seed)
    drawn.insert(canonical(tokens_in(start(*game, seed), "drawn")[0].props));
  EXPECT_GT(drawn.size(), 5u);
}

TEST(Coalition, TilesAreLaidNextToTheLayout) {
  State state = begin(Position().open());
  EXPECT_EQ(options_of(state, "lay").size(), 6u);
  EXPECT_THAT(option_texts(state), Each(StartsWith("lay ")));
  lay(state, "cell_1_0");
  EXPECT_EQ(count(state, "cell_1_0"), 1u);
  EXPECT_TRUE(options_of(state, "lay").empty()) << "one tile a turn";
  place(state, "cell_1_0");
  EXPECT_EQ(state.view()["active"], 1) << "one action a turn";
  EXPECT_EQ(options_of(state, "lay").size(), 8u);
}

TEST(Coalition, InfluenceIsPlacedFromTheReserveThreePerTile) {
  State state = begin(Position().pieces("cell_0_0", 0, 2).pieces("cell_0_0", 1, 3).open());
  lay(state, "cell_1_0");
  EXPECT_THAT(options_of(state, "place"),
              ::testing::UnorderedElementsAre("place cell_0_0", "place cell_1_0"));
  place(state, "cell_0_0");
  EXPECT_EQ(count(state, "reserve:0"), 3u);
  lay(state, "cell_0_1");
  EXPECT_THAT(options_of(state, "place"), Not(Contains("place cell_0_0")))
      << "three of the second player's are there";
  place(state, "cell_0_1");
  lay(state, "cell_2_0");
  EXPECT_THAT(options_of(state, "place"), Not(Contains("place cell_0_0")));
}

TEST(Coalition, InfluenceMovesToAdjacentTiles) {
  State state = begin(Position()
                          .tile("cell_1_0", "grassroots")
                          .tile("cell_2_0", "grassroots")
                          .effect("draw: {from: \"reserve:0\", to: cell_0_0, count: 1}")
                          .pieces("cell_1_0", 0, 3)
                          .open());
  lay(state, "cell_3_0");
  EXPECT_THAT(options_of(state, "move"),
              ::testing::UnorderedElementsAre("move cell_1_0 cell_0_0", "move cell_1_0 cell_2_0"))
      << "not onto a tile with three, nor where there is no tile";
  take(state, "move cell_1_0 cell_2_0");
  EXPECT_EQ(count(state, "cell_2_0"), 2u);
}

TEST(Coalition, FormalisingTurnsIncomeIntoInfluence) {
  Position position;
  position.tile("cell_1_0", "committee")
      .own(0, "domestic", 2)
      .own(0, "foreign", 1)
      .own(0, "media", 1);
  State none = begin(position.open());
  lay(none, "cell_0_1");
  EXPECT_EQ(code_of(none, request("formalise")), "ACTION_CONDITION") << "no control";
  position.pieces("cell_1_0", 0, 1);
  State tied = begin(Position(position).pieces("cell_1_0", 1, 1).open());
  lay(tied, "cell_0_1");
  EXPECT_EQ(code_of(tied, request("formalise")), "ACTION_CONDITION") << "a tie is no control";
  State poor = begin(Position(position).own(0, "media", 0).open());
  lay(poor, "cell_0_1");
  EXPECT_EQ(code_of(poor, request("formalise")), "ACTION_PRICE");
  State full = begin(Position(position).pieces("reserve:0", 0, 2).open());
  lay(full, "cell_0_1");
  EXPECT_EQ(count(full, "supply:0"), 0u);
  EXPECT_EQ(code_of(full, request("formalise")), "ACTION_CONDITION") << "not at seven";

  State state = begin(position.open());
  lay(state, "cell_0_1");
  const std::size_t reserve = count(state, "reserve:0");
  take(state, "formalise");
  EXPECT_EQ(var(state, 0, "domestic"), 1);
  EXPECT_EQ(var(state, 0, "foreign"), 0);
  EXPECT_EQ(var(state, 0, "media"), 0);
  EXPECT_EQ(count(state, "pending:0"), 1u);
  EXPECT_EQ(count(state, "reserve:0"), reserve) << "usable from the next turn";
  idle(state);
  EXPECT_EQ(count(state, "reserve:0"), reserve + 1);
}

TEST(Coalition, ConvertingGivesOneForTwo) {
  State state = begin(Position().own(0, "domestic", 3).own(0, "media", 1).open());
  lay(state, "cell_1_0");
  EXPECT_THAT(
      options_of(state, "convert"),
      ::testing::UnorderedElementsAre("convert domestic foreign", "convert domestic media"));
  take(state, "convert domestic media");
  EXPECT_EQ(var(state, 0, "domestic"), 1);
  EXPECT_EQ(var(state, 0, "media"), 2);
  EXPECT_EQ(state.view()["active"], 1) << "converting is the action";
}

TEST(Coalition, SkippingIsOnlyForWhoeverCanDoNothingElse) {
  State busy = begin(Position().open());
  lay(busy, "cell_1_0");
  EXPECT_EQ(code_of(busy, request("skip")), "ACTION_PHASE");
  State idle_state =
      begin(Position().effect("moveAll: {from: \"reserve:0\", to: \"supply:0\"}").open());
  lay(idle_state, "cell_1_0");
  EXPECT_THAT(option_texts(idle_state), ElementsAre("skip"));
  take(idle_state, "skip");
  EXPECT_EQ(idle_state.view()["active"], 1);
}

TEST(Coalition, RessortsPayTheirControllerAtTheEndOfARound) {
  Position position = rich().tile("cell_1_0", "ressort", "domestic", 5).pieces("cell_1_0", 0, 1);
  State state = begin(position.open());
  convert(state);
  EXPECT_EQ(var(state, 0, "domestic"), 0) << "the round goes on";
  convert(state);
  EXPECT_EQ(var(state, 0, "domestic"), 5);
  round(state);
  EXPECT_EQ(var(state, 0, "domestic"), 10);
  EXPECT_EQ(var(state, 1, "domestic"), 0);
  EXPECT_EQ(global(state, "noise"), 0);
}

TEST(Coalition, ATieSplitsAndTheRestIsNoise) {
  Position position = rich()
                          .tile("cell_1_0", "ressort", "domestic", 5)
                          .pieces("cell_1_0", 0, 2)
                          .pieces("cell_1_0", 1, 2);
  State state = begin(position.open());
  round(state);
  EXPECT_EQ(var(state, 0, "domestic"), 2);
  EXPECT_EQ(var(state, 1, "domestic"), 2);
  EXPECT_EQ(global(state, "noise"), 1);
  State nobody = begin(rich().tile("cell_1_0", "ressort", "domestic", 5).open());
  round(nobody);
  EXPECT_EQ(global(nobody, "noise"), 0) << "a tile with nobody on it pays nothing";
}

TEST(Coalition, LobbyistsAddWeightNextDoor) {
  // Player 1 has one piece on the ressort; player 0 none there, but leads two lobbyists beside it.
  Position position = rich()
                          .tile("cell_1_0", "ressort", "domestic", 4)
                          .tile("cell_2_0", "lobbyist")
                          .tile("cell_2_n1", "lobbyist");
  position.pieces("cell_1_0", 1, 1).pieces("cell_2_0", 0, 1).pieces("cell_2_n1", 0, 1);
  State state = begin(position.open());
  round(state);
  EXPECT_EQ(var(state, 0, "domestic"), 4);
  EXPECT_EQ(var(state, 1, "domestic"), 0);
  // A lobbyist that is tied adds nothing: one against one, and the value is split.
  State even = begin(Position(position).pieces("cell_2_0", 1, 1).open());
  round(even);
  EXPECT_EQ(var(even, 0, "domestic"), 2);
  EXPECT_EQ(var(even, 1, "domestic"), 2);
}

TEST(Coalition, AHotspotIsDecidedOnceWhenItIsSurrounded) {
  State state = begin(hotspot().pieces("cell_1_n1", 0, 2).pieces("cell_1_n1", 1, 1).open());
  const std::size_t reserve = count(state, "reserve:0");
  lay(state, "cell_0_n1");
  EXPECT_EQ(count(state, "reserve:0"), reserve + 1) << "the unique leader gains one";
  EXPECT_EQ(count(state, "reserve:1"), 4u);
  bool decided = false;
  for (const Token& token : tokens_in(state, "cell_1_n1"))
    if (token.type == "tile") decided = token.props["decided"].get<bool>();
  EXPECT_TRUE(decided);
  const std::size_t supply = count(state, "supply:0");
  for (int i = 0; i < 6; ++i) idle(state);
  EXPECT_EQ(count(state, "supply:0"), supply) << "once";
}

TEST(Coalition, ATiedHotspotGivesNothing) {
  State state = begin(hotspot().pieces("cell_1_n1", 0, 1).pieces("cell_1_n1", 1, 1).open());
  lay(state, "cell_0_n1");
  EXPECT_EQ(count(state, "supply:0") + count(state, "supply:1"), 4u);
  State empty = begin(hotspot().open());
  lay(empty, "cell_0_n1");
  EXPECT_EQ(count(empty, "supply:0"), 3u) << "nobody there: nobody leads";
  State full = begin(hotspot().pieces("cell_1_n1", 0, 3).open());
  lay(full, "cell_0_n1");
  EXPECT_EQ(count(full, "supply:0"), 0u) << "seven is the most there are";
}

TEST(Coalition, TheRoundIsFinishedWhenTheStackIsEmpty) {
  State state = begin(Position(1).tile("cell_1_0", "ressort", "domestic", 4).open());
  lay(state, "cell_0_1");
  place(state, "cell_1_0");
  ASSERT_FALSE(state.finished()) << "the second player still has a turn";
  EXPECT_TRUE(options_of(state, "lay").empty());
  place(state, "cell_0_0");
  ASSERT_TRUE(state.finished());
  EXPECT_EQ(var(state, 0, "domestic"), 4) << "settled once";
  const Outcome outcome = state.outcome();
  EXPECT_EQ(outcome.winners.size(), 2u) << "one piece each: ties share";
  EXPECT_EQ(outcome.reason, "stack-empty");
  EXPECT_EQ(code_of(state, request("place", {{"$cell", "cell_0_0:none"}})), "GAME_FINISHED");
  EXPECT_TRUE(option_texts(state).empty());
}

TEST(Coalition, MostInfluenceOnTheBoardWins) {
  State state = begin(Position(1).pieces("cell_0_0", 1, 2).open());
  lay(state, "cell_0_1");
  place(state, "cell_0_1");
  place(state, "cell_0_1");
  const Outcome outcome = state.outcome();
  ASSERT_EQ(outcome.winners.size(), 1u);
  EXPECT_EQ(outcome.winners[0], PlayerId{1});
}

TEST(Coalition, TilesThatFitNowhereAreSetAside) {
  OpenOptions options;
  options.constants["radius"] = "1";
  const auto game = open_shipped("coalition", options);
  const State end = play_randomly(*game, 3);
  EXPECT_EQ(count(end, "aside"), 71u - 6u);
  EXPECT_EQ(count(end, "stack") + count(end, "drawn"), 0u);
}

// ---- What must hold in every state

void check_invariants(const State& state, bool economy) {
  const Json view = state.view();
  const std::size_t players = view["players"].size();
  std::vector<int> pieces(players);
  int tiles = 0, cards = 0;
  for (const auto& [zone, tokens] : board_of(state)) {
    std::vector<int> here(players);
    int tiles_here = 0;
    for (const Token& token : tokens) {
      if (token.type == "influence") {
        const auto owner = token.props["owner"].get<std::size_t>();
        ++pieces[owner];
        ++here[owner];
      } else if (token.type == "tile") {
        ++tiles, ++tiles_here;
      } else {
        ++cards;
      }
    }
    if (!zone.starts_with("cell_")) continue;
    ASSERT_LE(tiles_here, 1) << zone;
    for (const int n : here) ASSERT_LE(n, 3) << "three per tile";
    if (tiles_here == 0) {
      ASSERT_TRUE(tokens.empty()) << "influence stands on tiles";
    }
  }
  for (const int n : pieces) ASSERT_EQ(n, 7) << "pieces are neither made nor lost";
  ASSERT_EQ(tiles, economy ? 77 : 72) << "every tile is in one place";
  ASSERT_EQ(cards, economy ? 10 : 0);
  for (const Json& player : view["players"])
    for (const auto& [name, value] : player.items())
      ASSERT_GE(value.get<std::int64_t>(), 0) << name;
}

void play_games(int games, bool economy) {
  for (int seed = 0; seed < games; ++seed) {
    OpenOptions options;
    if (economy) options.rules = {"economy"};
    static std::map<std::pair<bool, int>, std::shared_ptr<const Game>> opened;
    auto& game = opened[{economy, seed % 3}];
    options.players = static_cast<std::size_t>(2 + seed % 3);
    if (!game) game = open_shipped("coalition", options);
    State state = start(*game, static_cast<Seed>(seed));
    Rng rng(static_cast<std::uint64_t>(seed) + 77);
    OptionList list;
    int decisions = 0;
    for (; !state.finished() && decisions < 2000; ++decisions) {
      state.list_options(list);
      ASSERT_FALSE(list.empty());
      ASSERT_TRUE(state.apply(list[rng.below(list.size())]));
      if ((decisions + seed) % 40 == 0) check_invariants(state, economy);
      if (::testing::Test::HasFatalFailure()) return;
    }
    ASSERT_TRUE(state.finished()) << "every game ends";
    check_invariants(state, economy);
    if (::testing::Test::HasFatalFailure()) FAIL() << "seed " << seed;
  }
}

TEST(Coalition, KeepsItsInvariantsInRandomGames) {
  play_games(30, false);
}
TEST(CoalitionEconomy, KeepsItsInvariantsInRandomGames) {
  play_games(30, true);
}
TEST(SlowCoalition, TenThousandRandomGamesKeepTheInvariants) {
  play_games(10'000, false);
}
TEST(SlowCoalitionEconomy, TenThousandRandomGamesKeepTheInvariants) {
  play_games(10'000, true);
}

}  // namespace
}  // namespace parlor::games
