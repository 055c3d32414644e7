// Published counts for FIDE chess (C-60), oracle counts for house rules (C-61), and those of the
// naive generator for rules no oracle knows (C-62).
#include <gtest/gtest.h>

#include "counts.h"

namespace parlor::chess {
namespace {

std::vector<std::uint64_t> count(const Count& c, std::size_t depth) {
  const auto game = open(c);
  const State start = game->start(0).value();
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

TEST(Perft, FidePositionsToDepthFour) {  // C-60
  for (const Count& c : fide()) EXPECT_EQ(count(c, 4), up_to(c.nodes, 4)) << c.name;
}

TEST(Perft, OracleCountsOfHouseRules) {  // C-61
  for (const Count& c : oracle()) EXPECT_EQ(count(c, 4), up_to(c.nodes, 4)) << c.name;
}

TEST(Perft, CountsOfRulesTheOracleDoesNotKnow) {  // C-62
  for (const Count& c : counted_naively()) EXPECT_EQ(count(c, 4), up_to(c.nodes, 4)) << c.name;
}

TEST(SlowPerft, OracleCountsToDepthFive) {  // C-61
  for (const Count& c : oracle()) EXPECT_EQ(count(c, 5), c.nodes) << c.name;
}

TEST(SlowPerft, CountsOfRulesTheOracleDoesNotKnowToDepthFive) {  // C-62
  for (const Count& c : counted_naively()) EXPECT_EQ(count(c, c.nodes.size()), c.nodes) << c.name;
}

// Where the numbers come from that no oracle gave.
std::vector<std::uint64_t> naive_count(const Count& c, std::size_t depth) {
  const naive::Position start = naive_start(c, *open(c));
  std::vector<std::uint64_t> out;
  for (std::size_t d = 1; d <= depth; ++d)
    out.push_back(naive::perft(start, c.how, static_cast<int>(d)));
  return out;
}

TEST(Perft, TheNaiveGeneratorCountsTheSame) {  // C-62
  for (const Count& c : counted_naively())
    EXPECT_EQ(naive_count(c, 2), up_to(c.nodes, 2)) << c.name;
}

TEST(SlowPerft, TheNaiveGeneratorCountsTheSameToDepthFour) {  // C-62
  for (const auto* list : {&oracle(), &counted_naively()})
    for (const Count& c : *list) EXPECT_EQ(naive_count(c, 4), up_to(c.nodes, 4)) << c.name;
}

TEST(SlowPerft, FidePositionsToTheEnd) {  // C-60
  for (const Count& c : fide()) EXPECT_EQ(count(c, c.nodes.size()), c.nodes) << c.name;
}

}  // namespace
}  // namespace parlor::chess
