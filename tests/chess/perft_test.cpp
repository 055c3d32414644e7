// Published counts for FIDE chess (C-60) and oracle counts for house rules (C-61).
#include <gtest/gtest.h>

#include "chess/chess.h"

namespace parlor::chess {
namespace {

struct Count {
  std::string name;
  std::vector<std::string> rules;
  std::string layout;
  std::string fen;
  std::vector<std::uint64_t> nodes;  // by depth, from 1
};

std::vector<std::uint64_t> count(const Count& c, std::size_t depth) {
  OpenOptions options;
  options.rules = c.rules;
  options.layout = c.layout;
  options.position = c.fen;
  const auto game = open_chess(options);
  if (!game) {
    ADD_FAILURE() << game.error().diagnostics.all().front().message;
    return {};
  }
  const State start = (*game)->start(1).value();
  std::vector<std::uint64_t> out;
  for (std::size_t d = 1; d <= depth; ++d) out.push_back(perft(start, static_cast<int>(d)));
  return out;
}

std::vector<std::uint64_t> up_to(const std::vector<std::uint64_t>& nodes, std::size_t depth) {
  return {nodes.begin(),
          nodes.begin() + static_cast<std::ptrdiff_t>(std::min(depth, nodes.size()))};
}

const std::vector<Count>& fide() {
  static const std::vector<Count> counts{
      {"start", {}, "classic", "", {20, 400, 8902, 197281, 4865609, 119060324}},
      {"kiwipete",
       {},
       "",
       "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
       {48, 2039, 97862, 4085603, 193690690}},
      {"third",
       {},
       "",
       "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
       {14, 191, 2812, 43238, 674624, 11030083}},
      {"fourth",
       {},
       "",
       "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
       {6, 264, 9467, 422333, 15833292}},
      {"fifth",
       {},
       "",
       "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
       {44, 1486, 62379, 2103487, 89941194}},
      {"sixth",
       {},
       "",
       "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
       {46, 2079, 89890, 3894594, 164075551}},
  };
  return counts;
}

const std::vector<Count>& oracle() {
  static const std::vector<Count> counts{
      {"knightmate", {"knightmate-rules"}, "knightmate", "", {18, 324, 6765, 139774}},
      {"knightmate on classic", {"knightmate-rules"}, "classic", "", {20, 396, 8626, 184996}},
      {"coregal", {"coregal"}, "", "", {20, 400, 8882, 195896}},
      {"dual king", {"dual-king"}, "", "", {20, 400, 8682, 187762}},
      {"weak dual king", {"weak-dual-king"}, "", "", {20, 400, 8682, 188104}},
      {"first promotion",
       {"first-promotion-wins"},
       "pawns-only-no-kings",
       "",
       {16, 256, 3846, 57744}},
      {"suicide", {"suicide-chess"}, "", "", {20, 400, 8067, 153299}},
      {"capture all", {"capture-all"}, "", "", {20, 400, 8902, 197742}},
      {"extinction", {"extinction-chess"}, "", "", {20, 400, 8902, 197281}},
      {"capture to win", {"capture-to-win"}, "", "", {20, 400, 8902, 196558}},
      {"berolina", {"berolina-pawns"}, "", "", {30, 900, 28328, 882717}},
      {"berolina sideways", {"berolina-pawns-2"}, "", "", {30, 900, 28328, 883157}},
      {"cannons for knights", {"cannon"}, "", "", {18, 322, 6778, 142674}},
      {"monster, single moves", {}, "monster", "", {10, 200, 1984, 44146}},
      {"dual king position",
       {"dual-king"},
       "",
       "3kk3/8/8/8/8/8/4R3/3KK3 b - - 0 1",
       {3, 57, 407, 8460}},
      {"weak dual king position",
       {"weak-dual-king"},
       "",
       "3kk3/8/8/8/8/8/4R3/3KK3 b - - 0 1",
       {8, 150, 1649, 33845}},
      {"coregal position",
       {"coregal"},
       "",
       "rn2kb1r/ppp1pppp/6q1/8/2PP2b1/5B2/PP3P1P/R1BQK1NR w KQkq - 0 1",
       {25, 765, 20421, 586489}},
      {"extinction position",
       {"extinction-chess"},
       "",
       "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1",
       {7, 41, 291, 2121}},
  };
  return counts;
}

TEST(Perft, FidePositionsToDepthFour) {  // C-60
  for (const Count& c : fide()) EXPECT_EQ(count(c, 4), up_to(c.nodes, 4)) << c.name;
}

TEST(Perft, OracleCountsOfHouseRules) {  // C-61
  for (const Count& c : oracle()) EXPECT_EQ(count(c, 4), c.nodes) << c.name;
}

// Counted with the oracle where it knows the rule.
TEST(SlowPerft, OracleCountsToDepthFive) {  // C-61
  const std::vector<Count> counts{
      {"knightmate", {"knightmate-rules"}, "knightmate", "", {18, 324, 6765, 139774, 3249033}},
      {"suicide", {"suicide-chess"}, "", "", {20, 400, 8067, 153299, 2732672}},
      {"capture all", {"capture-all"}, "", "", {20, 400, 8902, 197742, 4897256}},
      {"cannons for knights", {"cannon"}, "", "", {18, 322, 6778, 142674, 3443940}},
      {"extinction", {"extinction-chess"}, "", "", {20, 400, 8902, 197281, 4865609}},
  };
  for (const Count& c : counts) EXPECT_EQ(count(c, 5), c.nodes) << c.name;
}

TEST(SlowPerft, FidePositionsToTheEnd) {  // C-60
  for (const Count& c : fide()) EXPECT_EQ(count(c, c.nodes.size()), c.nodes) << c.name;
}

}  // namespace
}  // namespace parlor::chess
