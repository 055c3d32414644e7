// Chess keeps every promise of the Game interface, with and without house rules.
#include "game/conformance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "chess/chess.h"
#include "counting_new.h"

namespace parlor::chess {
namespace {

struct Variant {
  std::vector<std::string> rules;
  std::string layout = {};
  bool counts_allocations = true;
  std::size_t games = 1;
};

std::vector<Violation> violations(const Variant& variant) {
  OpenOptions options;
  options.rules = variant.rules;
  options.layout = variant.layout;
  const auto game = open_chess(options);
  EXPECT_TRUE(game);
  ConformanceOptions how;
  how.games = variant.games;
  how.max_decisions = 80;
  how.deep_states = 3;
  how.max_options = 8;
  if (variant.counts_allocations) how.allocations = [] { return test::allocation_count; };
  return check_conformance(**game, how);
}

TEST(ChessConformance, PlainChess) {
  EXPECT_THAT(violations({{}, "", true, 3}), testing::IsEmpty());
}

TEST(ChessConformance, Chess960) {
  EXPECT_THAT(violations({{}, "chess960:123"}), testing::IsEmpty());
}

TEST(ChessConformance, HouseRulesAlone) {
  for (const char* rule :
       {"coregal", "weak-dual-king", "suicide-chess", "extinction-chess", "double-move",
        "berolina-pawns", "wrap-board", "knight-immunity", "piece-shield", "stamina"})
    EXPECT_THAT(violations({{rule}}), testing::IsEmpty()) << rule;
}

TEST(ChessConformance, HouseRulesTogether) {
  // Effects are described in words here, which allocates.
  EXPECT_THAT(
      violations({{"piece-hp", "king-heals", "poisoned-squares", "explosive-rook", "queen-splits"},
                  "",
                  false}),
      testing::IsEmpty());
  EXPECT_THAT(
      violations({{"berserker", "cannon", "wrap-board@20", "double-move:white"}, "", false}),
      testing::IsEmpty());
}

}  // namespace
}  // namespace parlor::chess
