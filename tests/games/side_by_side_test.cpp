// L-40: shipped games beside plain programs that know nothing of the language: the same options at
// every decision of random games, the same positions, the same winners.
#include "games/side_by_side.h"

#include <fmt/ranges.h>

#include "games/plain_auction.h"
#include "games/plain_hearts.h"
#include "games/plain_kalah.h"
#include "games/plain_liars_dice.h"
#include "games/plain_love_letter.h"
#include "games/plain_onitama.h"
#include "games/plain_quoridor.h"
#include "games/plain_surveyors.h"
#include "games/plain_weir.h"
#include "rounds.h"

namespace parlor::games {
namespace {

template <class Plain>
void play(const std::string& name, Seed most, OpenOptions options = {}) {
  const auto game = open_shipped(name, options);
  const Seed games = test::thorough(most);
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
TEST(SideBySide, Hearts) {
  play<plain::Hearts>("hearts", 20);
}
TEST(SlowSideBySide, Hearts) {
  play<plain::Hearts>("hearts", 200);
}
TEST(SlowSideBySide, Kalah) {
  play<plain::Kalah>("kalah", 2000);
}
TEST(SlowSideBySide, Onitama) {
  play<plain::Onitama>("onitama", 300);
}

// With every number of players that is different.
template <class Plain>
void play_with(const std::string& name, Seed games, std::initializer_list<std::size_t> players) {
  for (const std::size_t count : players) {
    OpenOptions options;
    options.players = count;
    play<Plain>(name, games, options);
  }
}
TEST(SideBySide, LiarsDice) {
  play_with<plain::LiarsDice>("liars-dice", 70, {2, 3, 6});
}
TEST(SideBySide, LoveLetter) {
  play_with<plain::LoveLetter>("love-letter", 70, {2, 3, 4});
}
TEST(SideBySide, Auction) {
  play_with<plain::Auction>("auction", 70, {2, 3, 5});
}
TEST(SideBySide, Weir) {
  play_with<plain::Weir>("weir", 70, {2, 3, 4});
}
TEST(SlowSideBySide, LiarsDice) {
  play_with<plain::LiarsDice>("liars-dice", 200, {2, 4, 6});
}
TEST(SlowSideBySide, LoveLetter) {
  play_with<plain::LoveLetter>("love-letter", 200, {2, 3, 4});
}
TEST(SlowSideBySide, Auction) {
  play_with<plain::Auction>("auction", 200, {2, 3, 4, 5});
}
TEST(SlowSideBySide, Weir) {
  play_with<plain::Weir>("weir", 300, {2, 3, 4});
}
TEST(SlowSideBySide, Surveyors) {
  play_with<plain::Surveyors>("surveyors", 300, {2, 3, 4});
}
TEST(SideBySide, Surveyors) {  // L-04, L-06, L-09
  play_with<plain::Surveyors>("surveyors", 40, {2, 3, 4});
}

}  // namespace
}  // namespace parlor::games
