// Worlds that a search makes again and again are kept (V-22); nobody can tell.
#include <gtest/gtest.h>
#include <thread>

#include "games/shipped.h"

namespace parlor::games {
namespace {

// The world for this seat and these dice, and the dice afterwards.
std::pair<StateBlock, std::uint64_t> world(const State& state, PlayerId seat, Seed dice) {
  std::pair<StateBlock, std::uint64_t> out{state.block(), 0};
  Rng rng(dice);
  state.game().resample_hidden(out.first, Viewer::player(seat), rng);
  out.second = rng.next();
  return out;
}

// A thread that has not dealt yet knows no worlds.
TEST(KeptWorlds, AreThoseThatDealingAnewGives_V22) {
  for (const char* name : {"kuhn-poker", "leduc-poker", "hearts", "love-letter", "texas-holdem"}) {
    const auto game = open_shipped(name);
    State state = start(*game, 5);
    OptionList options;
    Rng rng(7);
    for (int n = 0; n < 12 && !state.finished(); ++n) {
      const PlayerId seat = state.decision().player;
      for (Seed dice = 1; dice <= 20; ++dice) {
        const auto kept = world(state, seat, dice);
        std::pair<StateBlock, std::uint64_t> anew;
        std::thread([&] { anew = world(state, seat, dice); }).join();
        ASSERT_EQ(kept.first.size(), anew.first.size()) << name;
        ASSERT_EQ(std::memcmp(kept.first.data(), anew.first.data(), anew.first.size()), 0)
            << name << " after " << n << ", dice " << dice;
        ASSERT_EQ(kept.second, anew.second) << name;
      }
      state.list_options(options);
      ASSERT_TRUE(state.apply(options[rng.below(options.size())]));
    }
  }
}

}  // namespace
}  // namespace parlor::games
