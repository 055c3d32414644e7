// Looking ahead: mates, draws, the goals of house rules (C-81, C-82).
#include "chess/search.h"

#include <cctype>
#include <gtest/gtest.h>

#include "chess/evaluate.h"
#include "chess/network.h"
#include "chess_table.h"
#include "rule_sets.h"

namespace parlor::chess {
namespace {

TEST(Search, FindsMatesAndRespectsRules) {
  ChessTable mate("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1");
  const SearchReport found = search(mate.engine(), {.depth = 3});
  EXPECT_EQ(to_uci(mate.engine(), found.line.at(0)), "a1a8");
  EXPECT_GT(found.score, mate_bound);
  // With capture-to-win any capture ends the game at once.
  ChessTable greedy("4k3/8/8/3p4/4P3/8/8/Q3K3 w - - 0 1", {"capture-to-win"});
  EXPECT_EQ(to_uci(greedy.engine(), search(greedy.engine(), {.depth = 2}).line.at(0)), "e4d5");
  // Two moves in a turn: mate needs both.
  ChessTable twice("7k/8/8/8/8/8/R7/1R2K3 w - - 0 1", {"double-move"});
  EXPECT_GT(search(twice.engine(), {.depth = 3}).score, mate_bound);
}

// Published mates in three; the key is the first move.
TEST(Search, FindsMatesInThree) {
  const std::vector<std::pair<const char*, const char*>> mates{
      {"r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", "f6a6"},
      {"1r3r1k/5Bpp/8/8/P2qQ3/5R2/1b4PP/5K2 w - - 0 1", "e4h7"},
      {"3r1r1k/1p3p1p/p2p4/4n1NN/6bQ/1BPq4/P3p1PP/1R5K w - - 0 1", "g5f7"},
      {"6k1/5pp1/7p/3n4/8/2P5/KQq4P/4R3 b - - 0 1", "d5c3"},
      {"3r4/pR2N3/2pkb3/5p2/8/2B5/qP3PPP/4R1K1 w - - 0 1", "c3e5"},
      {"r1b1r1k1/1pq1bp1p/p3pBp1/3pR3/7Q/2PB4/PP3PPP/5RK1 w - - 0 1", "h4h7"}};
  for (const auto& [fen, key] : mates) {
    ChessTable table(fen);
    const SearchReport found = search(table.engine(), {.depth = 12});
    EXPECT_EQ(to_uci(table.engine(), found.line.at(0)), key) << fen;
    EXPECT_EQ(found.score, mate_score - 5) << fen;
  }
}

std::string best_move(ChessTable& table, const SearchLimits& limits) {
  Analyst analyst(1 << 14);
  const auto past = table.game().history(table.state().block()).past_hashes();
  return to_uci(table.engine(), analyst.think(table.engine(), past, limits).line.at(0));
}

TEST(Search, IsTheSameEveryTime) {  // C-81
  ChessTable table("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3");
  const SearchReport one = search(table.engine(), {.depth = 7});
  const SearchReport two = search(table.engine(), {.depth = 7});
  EXPECT_EQ(one.nodes, two.nodes);
  EXPECT_EQ(one.line, two.line);
  const SearchReport few = search(table.engine(), {.nodes = 3000});
  EXPECT_EQ(few.nodes, search(table.engine(), {.nodes = 3000}).nodes);
  EXPECT_LE(few.nodes, 3000u);
}

// Two rooks down, but the checks never end.
TEST(Search, FindsPerpetualCheck) {  // C-81
  ChessTable table("6k1/6p1/8/7Q/8/8/1r4r1/7K w - - 0 1");
  const SearchReport found = search(table.engine(), {.depth = 10});
  EXPECT_EQ(found.score, 0);
}

// The position after Ka1-b1 has been there twice: whoever wins goes another way.
TEST(Search, KnowsWhatTheGameHasSeen) {  // C-81
  ChessTable table("7k/8/8/8/8/1Q6/8/K7 w - - 0 1");
  table.play("a1b1 h8h7 b1a1 h7h8 a1b1 h8h7 b1a1 h7h8");
  EXPECT_NE(best_move(table, {.depth = 4}), "a1b1");
}

TEST(Search, KnowsTheFiftyMoveRule) {  // C-81
  ChessTable table("8/8/8/4k3/8/8/4P3/R3K3 w - - 99 80");
  const std::string move = best_move(table, {.depth = 6});
  EXPECT_TRUE(move == "e2e3" || move == "e2e4") << move;
}

TEST(Search, ExchangesAreCounted) {  // C-81
  const auto holds = [](const char* fen, const char* move) {
    ChessTable table(fen);
    return exchange_holds(table.board(), parse_move(table.engine(), move).value());
  };
  EXPECT_TRUE(holds("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5"));
  EXPECT_FALSE(holds("4k3/8/4p3/3p4/8/3R4/8/4K3 w - - 0 1", "d3d5"));
  // A rook for a knight and a pawn; a knight for nothing, because a second rook stands behind.
  EXPECT_FALSE(holds("4k3/8/4p3/3n4/8/3R4/3R4/4K3 w - - 0 1", "d3d5"));
  EXPECT_TRUE(holds("3rk3/8/8/3n4/8/3R4/3R4/4K3 w - - 0 1", "d3d5"));
  EXPECT_FALSE(holds("3rk3/8/8/3p4/8/3Q4/3R4/4K3 w - - 0 1", "d3d5"));
  // Quiet moves too: a knight goes where a pawn strikes. With something to spare it may.
  EXPECT_FALSE(holds("4k3/8/2p5/8/8/2N5/8/4K3 w - - 0 1", "c3d5"));
  EXPECT_TRUE(holds("4k3/8/2p5/8/8/2N5/8/4K3 w - - 0 1", "c3e4"));
  ChessTable table("4k3/8/2p5/8/8/2N5/8/4K3 w - - 0 1");
  const Move move = parse_move(table.engine(), "c3d5").value();
  EXPECT_TRUE(exchange_holds(table.board(), move, -320));
  EXPECT_FALSE(exchange_holds(table.board(), move, -319));
}

// Positions looked ahead at are those that playing leads to, and captures are not forgotten.
TEST(Search, LookingAheadIsPlaying) {  // C-81
  for (const char* fen : {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                          "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
                          "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
                          "rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3"}) {
    ChessTable table(fen);
    const Engine root = table.engine();
    MoveList moves;
    root.legal_moves(moves);
    MoveList noisy;
    root.noisy_moves(noisy);
    for (const Move move : moves) {
      const bool loud = move.kind() == MoveKind::en_passant || move.promotion() != no_type ||
                        (move.kind() != MoveKind::castling && !root.board().empty(move.to()));
      EXPECT_EQ(noisy.contains(move), loud) << fen << ' ' << to_uci(root, move);
      ChessTable after(fen);
      after.play(to_uci(root, move));
      Position room{};
      Engine ahead(root.book(), room, root.ruled());
      ASSERT_TRUE(ahead.follow(root, move));
      EXPECT_EQ(ahead.board(), after.board()) << fen << ' ' << to_uci(root, move);
    }
  }
}

TEST(Search, MatesALoneKing) {  // C-81
  for (const char* fen : {"8/8/8/4k3/8/8/8/Q3K3 w - - 0 1", "8/8/8/4k3/8/8/8/R3K3 w - - 0 1"}) {
    ChessTable table(fen);
    Analyst analyst(1 << 16);
    for (int i = 0; i < 100 && table.result() == Result::ongoing; ++i) {
      const auto past = table.game().history(table.state().block()).past_hashes();
      const SearchReport found = analyst.think(table.engine(), past, {.nodes = 8000});
      table.play(to_uci(table.engine(), found.line.at(0)));
    }
    EXPECT_EQ(table.result(), Result::white_wins) << fen;
  }
}

// The position with colours exchanged.
std::string turned(const std::string& fen) {
  std::vector<std::string> ranks{""};
  std::size_t at = 0;
  for (; fen[at] != ' '; ++at)
    if (fen[at] == '/')
      ranks.emplace_back();
    else
      ranks.back() += static_cast<char>(std::islower(static_cast<unsigned char>(fen[at]))
                                            ? std::toupper(static_cast<unsigned char>(fen[at]))
                                            : std::tolower(static_cast<unsigned char>(fen[at])));
  std::string out;
  for (std::size_t i = ranks.size(); i-- > 0;) out += ranks[i] + (i != 0 ? "/" : "");
  return out + (fen[at + 1] == 'w' ? " b - - 0 1" : " w - - 0 1");
}

// What is kept of pawns changes nothing.
TEST(Evaluation, IsTheSameWithWhatWasSeenBefore) {  // C-81
  PawnTable seen{};
  ChessTable table("start");
  Rng rng{3};
  for (int ply = 0; ply < 200 && table.result() == Result::ongoing; ++ply) {
    const Outlook outlook = outlook_of(table.engine());
    EXPECT_EQ(known_worth(table.engine(), outlook, &seen), known_worth(table.engine(), outlook));
    MoveList moves;
    table.engine().legal_moves(moves);
    ASSERT_TRUE(table.state().apply(Option{moves[rng.below(moves.size())].bits}));
  }
}

// What was seen some moves ago and what has changed since is what is seen now.
TEST(Evaluation, TheNetworkSeesWhatHasChanged) {  // C-81
  ChessTable table("start");
  Rng rng{5};
  std::vector<std::pair<Board, Sight>> before;
  int judged = 0;
  for (int game = 0; game < 20; ++game, table = ChessTable("start"), before.clear())
    for (int ply = 0; ply < 120 && table.result() == Result::ongoing; ++ply) {
      const Board& board = table.board();
      Sight fresh;
      fresh.look(board);
      for (const auto& [old_board, old_sight] : before) {
        Sight followed;
        followed.look(board, old_board, old_sight);
        ASSERT_EQ(followed.judge(board), fresh.judge(board)) << table.fen();
      }
      before.insert(before.begin(), {board, fresh});
      if (before.size() > 4) before.pop_back();
      judged += fresh.judge(board) != 0 ? 1 : 0;
      MoveList moves;
      table.engine().legal_moves(moves);
      ASSERT_TRUE(table.state().apply(Option{moves[rng.below(moves.size())].bits}));
    }
  EXPECT_GT(judged, 1000);
}

// The position with its wings exchanged.
std::string mirrored(const std::string& fen) {
  std::string out;
  std::string rank;
  for (const char c : fen.substr(0, fen.find(' ')) + '/') {
    if (c != '/') {
      rank.insert(rank.begin(), c);
      continue;
    }
    out += (out.empty() ? "" : "/") + rank;
    rank.clear();
  }
  return out + fen.substr(fen.find(' '));
}

TEST(Evaluation, TheNetworkKnowsNeitherColoursNorWings) {  // C-81
  const auto judge = [](const std::string& fen) {
    ChessTable table(fen);
    Sight sight;
    sight.look(table.board());
    return sight.judge(table.board());
  };
  for (const char* fen : {"r1bqk2r/ppp2ppp/2n2n2/3p4/1b1P4/2N1PN2/PP3PPP/R1BQKB1R w - - 0 1",
                          "8/5k2/3p2p1/1p1P4/1P1K1P2/8/2r4P/3R4 b - - 0 1"}) {
    EXPECT_NE(judge(fen), 0) << fen;
    EXPECT_EQ(judge(turned(fen)), judge(fen)) << fen;
    EXPECT_EQ(judge(mirrored(fen)), judge(fen)) << fen;
  }
}

// The network has learnt chess as FIDE has it, and adds nothing elsewhere.
TEST(Evaluation, TheNetworkKeepsOutOfHouseRulesAndEndingsThatAreKnown) {  // C-81, C-82
  const auto knows = [](const char* fen, const std::vector<std::string>& rules = {}) {
    ChessTable table(fen, rules);
    return network_knows(table.engine(), outlook_of(table.engine()));
  };
  const char* usual = "r1bqk2r/ppp2ppp/2n2n2/3p4/1b1P4/2N1PN2/PP3PPP/R1BQKB1R w - - 0 1";
  EXPECT_TRUE(knows(usual));
  for (const char* rule : {"suicide-chess", "king-of-the-hill", "three-check", "piece-hp"})
    EXPECT_FALSE(knows(usual, {rule})) << rule;
  EXPECT_FALSE(knows("8/8/8/4k3/8/8/8/R3K3 w - - 0 1"));
  EXPECT_FALSE(knows("8/8/8/4k3/8/8/4P3/R3K3 w - - 0 1"));
}

TEST(Evaluation, LooksTheSameFromBothSides) {  // C-81
  for (const char* fen : {"r1bqk2r/ppp2ppp/2n2n2/3p4/1b1P4/2N1PN2/PP3PPP/R1BQKB1R w - - 0 1",
                          "8/5k2/3p2p1/1p1P4/1P1K1P2/8/2r4P/3R4 b - - 0 1",
                          "r4rk1/1pp2ppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP2PPP/R4RK1 w - - 0 1"})
    for (const char* rule : {"", "suicide-chess", "extinction-chess", "capture-all"}) {
      const std::vector<std::string> rules(rule[0] != 0 ? 1 : 0, rule);
      EXPECT_EQ(evaluate(ChessTable(fen, rules).engine()),
                evaluate(ChessTable(turned(fen), rules).engine()))
          << fen << rule;
    }
}

// House rules may put pawns there; nothing lies ahead of them.
TEST(Evaluation, PawnsOnTheLastRankAreLookedAt) {  // C-81
  for (const char* fen :
       {"PP2k3/1P6/8/8/8/8/6p1/4K1pp w - - 0 1", "P3k3/1p6/8/8/8/8/1P6/p3K3 b - - 0 1"})
    EXPECT_EQ(evaluate(ChessTable(fen, {"house-rules"}).engine()),
              evaluate(ChessTable(turned(fen), {"house-rules"}).engine()))
        << fen;
}

// Who may add rules while playing is played against as well as anybody: nothing is in force yet.
TEST(Evaluation, RoomForHouseRulesChangesNothing) {  // C-81
  for (const char* fen : {"r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
                          "8/5pk1/6p1/3R4/7P/6P1/r4PK1/8 b - - 0 40"})
    EXPECT_EQ(evaluate(ChessTable(fen, {"house-rules"}).engine()),
              evaluate(ChessTable(fen).engine()))
        << fen;
}

// C-82: the goal of the game decides what is good.
TEST(Evaluation, GoesByTheGoalOfTheGame) {
  const char* ahead = "4k3/pppppppp/8/8/8/8/PPPPPPPP/QRRQK3 w - - 0 1";
  EXPECT_GT(evaluate(ChessTable(ahead).engine()), 1000);
  EXPECT_LT(evaluate(ChessTable(ahead, {"suicide-chess"}).engine()), -1000);
  // A pawn more matters little, unless they are what must not die out.
  const char* one_pawn = "4k3/8/8/8/8/p7/P6P/4K3 b - - 0 1";
  const int usual = evaluate(ChessTable(one_pawn).engine());
  EXPECT_LT(evaluate(ChessTable(one_pawn, {"extinction-chess"}).engine()), usual - 200);
  const char* near = "4k3/8/8/8/8/8/p7/4K3 b - - 0 1";
  EXPECT_GT(evaluate(ChessTable(near, {"first-promotion-wins"}).engine()),
            evaluate(ChessTable(near).engine()) + 200);
  ChessTable hurt("4k3/8/8/8/3q4/8/8/3QK3 w - - 0 1", {"piece-hp"});
  const int before = evaluate(hurt.engine());
  hurt.play("d1d4");  // the black queen is hit, and it is Black's turn
  EXPECT_GT(-evaluate(hurt.engine()), before + 200);
}

// Plays against somebody who moves at random, taking turns with White; how many games are won.
int wins_against_chance(const std::vector<std::string>& rules, const std::string& fen, int games,
                        std::uint64_t nodes) {
  int wins = 0;
  for (int game = 0; game < games; ++game) {
    ChessTable table(fen, rules);
    Analyst analyst(1 << 14);
    Rng rng(static_cast<Seed>(game + 1));
    const Side us = game % 2 == 0 ? white : black;
    for (int i = 0; i < 400 && table.result() == Result::ongoing; ++i) {
      MoveList moves;
      table.engine().legal_moves(moves);
      Move move = moves[rng.below(moves.size())];
      if (table.engine().turn() == us) {
        const auto past = table.game().history(table.state().block()).past_hashes();
        move = analyst.think(table.engine(), past, {.nodes = nodes}).line.at(0);
      }
      EXPECT_TRUE(table.state().apply(Option{move.bits}));
    }
    if (table.result() == win_for(us)) ++wins;
  }
  return wins;
}

std::string fen_for(const Preset& preset) {
  const std::string layout = preset.layout.empty() ? "classic" : preset.layout;
  return find_layout(layout).value().fen;
}

void beats_chance_everywhere(int games, std::uint64_t nodes) {
  const Rulebook& book = standard_rulebook();
  ASSERT_GE(book.preset_count(), 25u);
  for (std::size_t i = 0; i < book.preset_count(); ++i) {
    const Preset& preset = book.preset(i);
    std::vector<std::string> rules = preset.module.requires_ids;
    rules.push_back(preset.module.id);
    EXPECT_EQ(wins_against_chance(rules, fen_for(preset), games, nodes), games) << preset.module.id;
  }
}
TEST(Search, BeatsARandomMoverUnderEveryPreset) {  // C-82
  beats_chance_everywhere(1, 400);
}
TEST(SlowSearch, BeatsARandomMoverTenTimesUnderEveryPreset) {  // C-82
  beats_chance_everywhere(10, 2000);
}

}  // namespace
}  // namespace parlor::chess
