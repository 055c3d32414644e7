// How much memory a state takes (V-23).
#include <gtest/gtest.h>

#include "games/shipped.h"

namespace parlor::games {
namespace {

constexpr std::size_t four_kilobytes = 4096;

// The sizes of all states between moves of a random game.
std::vector<std::size_t> sizes_of(const Game& game, Seed seed) {
  std::vector<std::size_t> out;
  State state = start(game, seed);
  OptionList options;
  Rng rng(seed, 1);
  for (int n = 0; n < 1000 && !state.finished(); ++n) {
    if (state.decision().kind == DecisionKind::action) out.push_back(state.block().size());
    state.list_options(options);
    EXPECT_TRUE(state.apply(options[rng.below(options.size())]));
  }
  return out;
}

// A half-made move is larger: it may keep the state it began with.
TEST(StateSizes, AreBelowFourKilobytesBetweenMoves_V23) {
  ASSERT_GE(shipped_names().size(), 28u);
  for (const std::string& name : shipped_names()) {
    const auto game = open_shipped(name);
    for (Seed seed = 1; seed <= 5; ++seed) {
      const std::vector<std::size_t> sizes = sizes_of(*game, seed);
      ASSERT_FALSE(sizes.empty()) << name;
      // Go remembers every position there was: of its states the one in the middle counts.
      const std::size_t size =
          name == "go" ? sizes[sizes.size() / 2] : *std::ranges::max_element(sizes);
      EXPECT_LT(size, four_kilobytes) << name << ", seed " << seed;
    }
  }
}

}  // namespace
}  // namespace parlor::games
