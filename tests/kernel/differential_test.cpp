// The kernel against the reference evaluator: same options, same views, same outcome at every
// decision of shipped games and of random small ones.
#include "kernel/differential.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "generate/random_game.h"
#include "kernel/open.h"
#include "source_dir.h"
#include "spec/spec.h"

namespace parlor {
namespace {

using generate::GamePlan;
using reference::ReferenceGame;

TEST(Differential, RandomGamesPlayTheSame) {
  const bool same = rc::check("kernel and reference agree", [] {
    const GamePlan plan = *generate::game_plans();
    const spec::GameDef def = generate::make_game(plan);
    const auto game = open_kernel(def);
    const ReferenceGame reference(def);
    const auto seed = static_cast<Seed>(*rc::gen::inRange(0, 1000));
    const Comparison result = compare_play(*game, reference, seed, 30);
    if (!result.difference.empty()) RC_FAIL(result.difference);
    RC_CLASSIFY(result.finished, "finished");
  });
  EXPECT_TRUE(same);
}

// How far the naive evaluator can follow a shipped game in a second or so.
int patience(const std::string& game) {
  static const std::map<std::string, int> decisions = {
      {"hex", 12}, {"go", 8}, {"gomoku", 6}, {"amazons", 6}, {"texas-holdem", 30}};
  const auto found = decisions.find(game);
  return found == decisions.end() ? 40 : found->second;
}

std::vector<std::string> shipped_games() {
  std::vector<std::string> out;
  const std::filesystem::path folder = std::filesystem::path(test::source_dir()) / "games";
  if (std::filesystem::exists(folder))
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.path().extension() == ".md") out.push_back(entry.path().stem().string());
  std::sort(out.begin(), out.end());
  return out;
}

class DifferentialShipped : public testing::TestWithParam<std::string> {};

TEST_P(DifferentialShipped, PlaysTheSame) {
  const auto path = std::filesystem::path(test::source_dir()) / "games" / (GetParam() + ".md");
  const spec::CompileResult compiled = spec::compile_file(path);
  ASSERT_TRUE(compiled.game) << render(compiled.diagnostics, compiled.texts, Colour::never);
  if (compiled.game->turn_order.kind == spec::TurnOrderKind::card_driven)
    GTEST_SKIP() << "card-driven order is not part of the reference";
  const auto game = open_kernel(*compiled.game);
  const ReferenceGame reference(*compiled.game);
  for (Seed seed = 1; seed <= 2; ++seed)
    EXPECT_EQ(compare_play(*game, reference, seed, patience(GetParam())).difference, "");
}

INSTANTIATE_TEST_SUITE_P(Games, DifferentialShipped, testing::ValuesIn(shipped_games()),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace parlor
