// Kuhn and Leduc poker solved to their known values.
#include <gtest/gtest.h>

#include "games/shipped.h"
#include "play/cfr.h"

namespace parlor::games {
namespace {

double solved_value(const std::string& name, std::size_t iterations) {
  OpenOptions options;
  options.explicit_chance = true;
  const auto game = open_shipped(name, options);
  const auto solution = play::solve(*game, {.iterations = iterations});
  if (!solution) throw std::runtime_error(solution.error());
  EXPECT_LT((*solution)->exploitability(), 2e-3);
  return (*solution)->value(PlayerId{0});
}

TEST(KuhnPoker, IsWorthMinusOneEighteenthToTheFirstPlayer) {
  EXPECT_NEAR(solved_value("kuhn-poker", 1000), -1.0 / 18, 1e-3);
}

TEST(LeducPoker, IsWorthWhatIsPublished) {
  EXPECT_NEAR(solved_value("leduc-poker", 400), -0.0856, 1e-3);
}

}  // namespace
}  // namespace parlor::games
