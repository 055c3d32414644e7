// L-40: shipped games beside plain programs that know nothing of the language: the same options at
// every decision of random games, the same positions, the same winners.
#include "games/side_by_side.h"

#include <fmt/ranges.h>

#include "games/plain_kalah.h"
#include "games/plain_liars_dice.h"
#include "games/plain_onitama.h"
#include "games/plain_quoridor.h"

namespace parlor::games {
namespace {

template <class Plain>
void play(const std::string& name, Seed games, OpenOptions options = {}) {
  const auto game = open_shipped(name, options);
  int decisions = 0;
  for (Seed seed = 1; seed <= games; ++seed) {
    play_side_by_side<Plain>(*game, seed, &decisions);
    if (testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GT(decisions, static_cast<int>(games) * 4) << "hardly anything was played";
}

TEST(SideBySide, Kalah) {
  play<plain::Kalah>("kalah", 200);
}
TEST(SideBySide, Onitama) {
  play<plain::Onitama>("onitama", 100);
}
TEST(SideBySide, Quoridor) {
  play<plain::Quoridor>("quoridor", 6);
}
TEST(SlowSideBySide, Quoridor) {
  play<plain::Quoridor>("quoridor", 200);
}
TEST(SideBySide, LiarsDice) {
  for (const std::size_t players : {2, 3, 6}) {
    OpenOptions options;
    options.players = players;
    play<plain::LiarsDice>("liars-dice", 70, options);
  }
}

}  // namespace
}  // namespace parlor::games
