// The kernel against the reference evaluator: same options, same views, same outcome at every
// decision of shipped games and of random small ones.
#include "kernel/differential.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "generate/card_game.h"
#include "generate/random_game.h"
#include "kernel/card_fixtures.h"
#include "kernel/open.h"
#include "rounds.h"
#include "source_dir.h"
#include "spec/spec.h"

namespace parlor {
namespace {

using generate::GamePlan;
using reference::ReferenceGame;

void expect_agreement(const char* what, bool faulty) {
  const bool same = rc::check(what, [faulty] {
    const GamePlan plan = *generate::game_plans(faulty);
    const spec::GameDef def = generate::make_game(plan);
    const auto game = open_kernel(def);
    const ReferenceGame reference(def);
    const auto seed = static_cast<Seed>(*rc::gen::inRange(0, 1000));
    const Comparison result = compare_play(*game, reference, seed, 30);
    if (!result.difference.empty()) RC_FAIL(result.difference);
    RC_CLASSIFY(result.finished, "finished");
    RC_CLASSIFY(result.faults > 0, "with faults");
  });
  EXPECT_TRUE(same);
}

TEST(Differential, T20RandomGamesPlayTheSame) {
  expect_agreement("kernel and reference agree", false);
}

TEST(Differential, T20GamesWhoseRulesGoWrongPlayTheSame) {
  expect_agreement("kernel and reference agree where rules fault", true);
}

// Cards: every small game of tests/kernel/cards, and games of random cards (F-01 … F-81, G-01 …
// G-97).
TEST(Differential, CardFixturesPlayTheSame) {
  int games = 0;
  for (const char* kind : {"flow", "free"})
    for (const kernel::CardFixture& fixture : kernel::card_fixtures(kind)) {
      const auto game = kernel::open_fixture(fixture);
      const ReferenceGame reference(game->program().def, fixture.expected["players"].get<int>());
      ++games;
      for (Seed seed = 1; seed <= test::thorough<Seed>(3); ++seed)
        EXPECT_EQ(compare_play(*game, reference, seed, 30, 2).difference, "") << fixture.name;
    }
  EXPECT_GE(games, 58);
}

// Card games number `from` to `to`. Gives how many games came to their end.
int compare_card_games(std::uint64_t from, std::uint64_t to) {
  int finished = 0;
  for (std::uint64_t number = from; number < to; ++number) {
    const spec::CompileResult compiled = spec::compile_text(generate::card_game(number));
    EXPECT_TRUE(compiled.game) << number << "\n"
                               << render(compiled.diagnostics, compiled.texts, Colour::never);
    if (!compiled.game) continue;
    const auto game = open_kernel(*compiled.game);
    const ReferenceGame reference(*compiled.game);
    for (Seed seed = 1; seed <= 2; ++seed) {
      const Comparison result = compare_play(*game, reference, seed, 50, 2);
      EXPECT_EQ(result.difference, "") << "card game " << number << ", seed " << seed;
      EXPECT_EQ(result.faults, 0) << "card game " << number << ", seed " << seed;
      finished += result.finished ? 1 : 0;
    }
  }
  return finished;
}

TEST(Differential, RandomCardGamesPlayTheSame) {
  const auto games = test::thorough<std::uint64_t>(50);
  EXPECT_GT(compare_card_games(0, games), static_cast<int>(games) / 2);
}
// Those that once differed: what a coup card's instruction grants belongs to nobody's event (G-73);
// a free move is bound by what its action is, not by what it is taken for (G-32); grants that show
// a move the same give one option, however they came about (G-40, G-72).
TEST(Differential, CardGamesThatOnceDifferedPlayTheSame) {
  for (const std::uint64_t number : {50, 72, 187, 193, 222, 297, 358, 474})
    compare_card_games(number, number + 1);
}
TEST(SlowDifferential, ManyRandomCardGamesPlayTheSame) {
  EXPECT_GT(compare_card_games(50, 600), 300);
}

// How far the naive evaluator can follow a shipped game in a second or so.
int patience(const std::string& game) {
  static const std::map<std::string, int> decisions = {
      {"hex", 12},       {"go", 8},           {"gomoku", 6},        {"amazons", 6},
      {"coalition", 12}, {"insurgency", 14},  {"texas-holdem", 10}, {"backgammon", 14},
      {"quoridor", 12},  {"salt-charter", 16}};
  const auto found = decisions.find(game);
  return found == decisions.end() ? 30 : found->second;
}

std::filesystem::path games_folder() {
  return std::filesystem::path(test::source_dir()) / "games";
}

// Games of one file, and folders of a game.
std::vector<std::string> shipped_games() {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator(games_folder()))
    if (entry.is_directory() || entry.path().extension() == ".md")
      out.push_back(entry.path().stem().string());
  std::sort(out.begin(), out.end());
  return out;
}

TEST(Differential, T20EveryShippedGameIsCompared) {
  const std::vector<std::string> games = shipped_games();
  EXPECT_GE(games.size(), 18u);
  for (const char* name : {"coalition", "insurgency", "texas-holdem", "backgammon", "tic-tac-toe"})
    EXPECT_NE(std::find(games.begin(), games.end(), name), games.end()) << name;
}

class DifferentialShipped : public testing::TestWithParam<std::string> {};

TEST_P(DifferentialShipped, PlaysTheSame) {
  const auto folder = games_folder() / GetParam();
  const spec::CompileResult compiled =
      spec::compile_file(folder.string() + (std::filesystem::is_directory(folder) ? "" : ".md"));
  ASSERT_TRUE(compiled.game) << render(compiled.diagnostics, compiled.texts, Colour::never);
  const auto game = open_kernel(*compiled.game);
  const ReferenceGame reference(*compiled.game);
  for (Seed seed = 1; seed <= test::thorough<Seed>(2); ++seed) {
    const Comparison result = compare_play(*game, reference, seed, patience(GetParam()), 2);
    EXPECT_EQ(result.difference, "");
    EXPECT_TRUE(result.finished || result.decisions > 3);
    EXPECT_EQ(result.faults, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Games, DifferentialShipped, testing::ValuesIn(shipped_games()),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace parlor
