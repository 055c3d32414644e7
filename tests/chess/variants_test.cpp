// Variants that other programs play as well (C-87): what they do, and counts of those programs.
#include <fstream>
#include <gmock/gmock.h>
#include <sstream>

#include "chess/pgn.h"
#include "chess_table.h"
#include "source_dir.h"

namespace parlor::chess {
namespace {

using testing::HasSubstr;

struct CountedPosition {
  std::string rules;
  std::string fen;
  std::vector<std::uint64_t> counts;  // sequences of 1, 2, 3 moves
};

std::vector<CountedPosition> counted_positions() {
  std::ifstream in(PARLOR_SOURCE_DIR + "/tests/chess/data/variants.tsv");
  std::vector<CountedPosition> out;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    CountedPosition row;
    std::istringstream fields(line);
    std::string counts;
    std::getline(fields, row.rules, '\t');
    std::getline(fields, row.fen, '\t');
    std::getline(fields, counts);
    std::istringstream numbers(counts);
    for (std::uint64_t number = 0; numbers >> number;) row.counts.push_back(number);
    out.push_back(std::move(row));
  }
  return out;
}

// Every n-th position, as deep as is counted in a moment.
void counts_agree(std::size_t step, std::uint64_t most) {
  const auto rows = counted_positions();
  ASSERT_GE(rows.size(), 1000u);
  for (std::size_t i = 0; i < rows.size(); i += step) {
    ChessTable table(rows[i].fen, {rows[i].rules});
    for (std::size_t depth = 1; depth <= rows[i].counts.size(); ++depth) {
      if (rows[i].counts[depth - 1] > most) break;
      EXPECT_EQ(table.engine().perft(static_cast<int>(depth)), rows[i].counts[depth - 1])
          << rows[i].rules << ' ' << rows[i].fen << " depth " << depth;
    }
  }
}
TEST(Variants, CountLikeOtherPrograms) {  // C-87
  counts_agree(5, 20'000);
}
TEST(SlowVariants, CountLikeOtherProgramsEverywhere) {  // C-87
  counts_agree(1, 100'000'000);
}

TEST(KingOfTheHill, WinsInTheMiddle) {  // C-87
  ChessTable table("4k3/8/8/8/8/4K3/8/8 w - - 0 1", {"king-of-the-hill"});
  table.play("e3e4");
  EXPECT_EQ(table.result(), Result::white_wins);
  EXPECT_EQ(table.reason(), "king-of-the-hill");
}

TEST(ThreeCheck, CountsChecksAndTellsThemInFen) {  // C-87
  ChessTable table("4k3/8/8/8/8/8/8/R3K3 w - - 3+1 0 1", {"three-check"});
  EXPECT_THAT(table.state().describe(), HasSubstr("w - - 3+1 0 1"));
  table.play("a1a8 e8e7 a8a7 e7e8");
  EXPECT_THAT(table.state().describe(), HasSubstr(" 1+1 "));
  table.play("a7a8");
  EXPECT_EQ(table.result(), Result::white_wins);
  EXPECT_EQ(table.reason(), "three-checks");
}

TEST(RacingKings, NobodyGivesCheckAndBlackMayDrawLevel) {  // C-87
  ChessTable table("8/2K2k2/8/8/8/8/8/R7 w - - 0 1", {"racing-kings"});
  EXPECT_FALSE(table.legal("a1f1"));
  table.play("c7c8");
  EXPECT_EQ(table.result(), Result::ongoing);
  table.play("f7f8");
  EXPECT_EQ(table.reason(), "both-kings-home");
  // Too far away: it is over at once.
  ChessTable far("8/2K5/8/5k2/8/8/8/8 w - - 0 1", {"racing-kings"});
  far.play("c7c8");
  EXPECT_EQ(far.result(), Result::white_wins);
}

TEST(Horde, PawnsOfTheFirstRankStepTwiceAndTheLastOneLoses) {  // C-87
  ChessTable table("4k3/8/8/8/8/8/1r6/P7 w - - 0 1", {"horde"});
  EXPECT_TRUE(table.legal("a1a3"));
  table.play("a1a2 b2a2");
  EXPECT_EQ(table.result(), Result::black_wins);
  EXPECT_EQ(table.reason(), "horde-captured");
}

TEST(Atomic, CapturesExplode) {  // C-87
  ChessTable table("rnbqkbnr/pppp1ppp/8/4p3/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 1", {"atomic"});
  table.play("f3e5");
  EXPECT_FALSE(table.at("e5"));
  EXPECT_FALSE(table.at("f3"));
  EXPECT_TRUE(table.at("d7"));  // pawns stand it
  EXPECT_THAT(table.last_effects(), testing::ElementsAre("explosion at e5"));
  // A king that is blown up is a game lost; one's own may not be.
  ChessTable bomb("3rk3/4p3/8/8/8/8/4Q3/4K3 w - - 0 1", {"atomic"});
  bomb.play("e2e7");
  EXPECT_EQ(bomb.result(), Result::white_wins);
  ChessTable own("4k3/8/8/8/8/8/3qP3/4K3 w - - 0 1", {"atomic"});
  EXPECT_FALSE(own.legal("e1d2"));
}

TEST(Crazyhouse, CapturedPiecesComeBack) {  // C-87
  ChessTable table("4k3/8/8/3p4/4P3/8/8/4K3[N] w - - 0 1", {"crazyhouse"});
  EXPECT_TRUE(table.legal("N@f6"));
  EXPECT_FALSE(table.legal("P@e5"));
  table.play("e4d5");
  EXPECT_THAT(table.state().describe(), HasSubstr("[NP]"));
  table.play("e8d7");
  EXPECT_FALSE(table.legal("P@a8"));
  EXPECT_FALSE(table.legal("P@d5"));
  EXPECT_EQ(to_san(table.engine(), parse_move(table.engine(), "@c6").value()), "P@c6+");
  const Json option =
      table.state().option_json(Option{parse_move(table.engine(), "P@c6").value().bits});
  EXPECT_EQ(option["action"], "drop");
  EXPECT_EQ(option["params"], Json({{"piece", "pawn"}, {"to", "c6"}}));
  table.play("P@c6 d7d6 N@a1");
  EXPECT_THAT(table.state().describe(), HasSubstr("[]"));
  EXPECT_EQ(table.at("c6").type, pawn);
  // All of it can be saved, loaded and written down.
  const auto loaded = table.game().load(table.state().save());
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->hash(), table.state().hash());
  const auto back = read_pgn(to_pgn(table.state()));
  ASSERT_TRUE(back) << back.error();
  EXPECT_EQ(back->state.hash(), table.state().hash());
}

TEST(Crazyhouse, WhatWasPromotedFallsAsAPawn) {  // C-87
  ChessTable table("3r3k/P7/8/8/8/8/8/K7[] w - - 0 1", {"crazyhouse"});
  table.play("a7a8q d8a8");
  EXPECT_THAT(table.state().describe(), HasSubstr("[p]"));
  ChessTable marked("Q~2r3k/8/8/8/8/8/8/K7[] b - - 0 1", {"crazyhouse"});
  EXPECT_THAT(marked.state().describe(), HasSubstr("Q~2r3k"));
  marked.play("d8a8");
  EXPECT_THAT(marked.state().describe(), HasSubstr("[p]"));
}

TEST(Fen, WhatNoRuleInForceKnowsIsRefused) {  // C-87
  const auto opens = [](const char* fen, std::vector<rules::Activation> rules) {
    ChessConfig config;
    config.fen = fen;
    config.rules = std::move(rules);
    const auto game = ChessGame::open(std::move(config));
    return game && (*game)->start(0).has_value();
  };
  EXPECT_FALSE(opens("4k3/8/8/8/8/8/8/4K3[Q] w - - 0 1", {}));
  EXPECT_FALSE(opens("4k3/8/8/8/8/8/8/4K3[Q] w - - 0 1", {{"three-check"}}));
  EXPECT_FALSE(opens("4k3/8/8/8/8/8/8/4K3[K] w - - 0 1", {{"crazyhouse"}}));
  EXPECT_FALSE(opens("4k3/8/8/8/8/8/8/4K3 w - - 3+3 0 1", {{"crazyhouse"}}));
  EXPECT_FALSE(opens("4k3/8/8/8/8/8/8/4K3 w - - 9+3 0 1", {{"three-check"}}));
  EXPECT_TRUE(opens("4k3/8/8/8/8/8/8/4K3 w - - 3+3 0 1", {{"three-check"}}));
}

}  // namespace
}  // namespace parlor::chess
