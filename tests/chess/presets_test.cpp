// What each shipped preset does (section 4).
#include <gmock/gmock.h>

#include "chess_table.h"

namespace parlor::chess {
namespace {

using testing::ElementsAre;

TEST(Royalty, KnightmatePromotesToKing) {
  ChessTable table("4n3/P7/8/8/8/8/8/4N3 w - - 0 1", {"knightmate-rules"});
  EXPECT_TRUE(table.legal("a8=K"));
  EXPECT_FALSE(table.legal("a8=N"));
}

TEST(Royalty, RoyalKnightCastles) {
  ChessTable table("4n3/8/8/8/8/8/8/R3N2R w KQ - 0 1", {"knightmate-rules"});
  EXPECT_TRUE(table.legal("O-O"));
  table.play("O-O-O");
  EXPECT_EQ(table.at("c1").type, knight);
  EXPECT_EQ(table.at("d1").type, rook);
}

TEST(Royalty, KnightmateMatesKnightsAndNotKings) {
  ChessTable mate("k6n/8/4P3/5P2/8/8/7R/4N3 w - - 0 1", {"knightmate-rules"});
  EXPECT_TRUE(mate.engine().in_check(black));
  EXPECT_FALSE(mate.legal("Rxh8"));  // a royal cannot be taken
  mate = ChessTable("7n/8/4P3/5P2/8/8/8/R3N2k w - - 0 1", {"knightmate-rules"});
  mate.play("Ra8");  // f7 and g6 are guarded by pawns; the king on h1 does not matter
  EXPECT_EQ(mate.result(), Result::white_wins);
  EXPECT_EQ(mate.reason(), "checkmate");
}

TEST(Royalty, CoregalQueensMustNotBeLeftAttacked) {
  ChessTable table("4k3/8/8/3q4/8/8/3R4/K7 b - - 0 1", {"coregal"});
  EXPECT_TRUE(table.engine().in_check(black));
  EXPECT_FALSE(table.legal("Ke7"));
  EXPECT_FALSE(table.legal("Qd4"));  // still attacked
  EXPECT_TRUE(table.legal("Qxd2"));
  // A fork of both cannot be answered.
  ChessTable fork("q3k3/8/8/1N6/8/8/7K/8 w - - 0 1", {"coregal"});
  fork.play("Nc7");
  EXPECT_EQ(fork.reason(), "checkmate");
}

TEST(Royalty, DualKingsMustBothBeSafe) {
  ChessTable table("3kk3/8/8/8/8/8/4R3/3KK3 b - - 0 1", {"dual-king"});
  EXPECT_EQ(table.count(), 3u);  // only the attacked king can move out
  EXPECT_FALSE(table.legal("Kc8"));
}

TEST(Royalty, WeakDualKingGuardsOnlyTheLast) {
  ChessTable table("3kk3/8/8/8/8/8/4R3/3KK3 w - - 0 1", {"weak-dual-king"});
  EXPECT_FALSE(table.engine().in_check(black));
  table.play("Rxe8");
  EXPECT_TRUE(table.engine().in_check(black));
  EXPECT_EQ(table.count(), 3u);  // Kxe8, Kc7, Kd7
}

TEST(Objectives, FirstPromotionWins) {
  ChessTable table("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", {"first-promotion-wins"});
  table.play("a8=B");
  EXPECT_EQ(table.result(), Result::white_wins);
  EXPECT_EQ(table.reason(), "promotion");
}

TEST(Objectives, SuicideForcesCapturesAndEmptyWins) {
  ChessTable table("8/8/8/3p4/4P3/8/8/7K w - - 0 1", {"suicide-chess"});
  EXPECT_EQ(table.count(), 1u);
  table.play("exd5");
  EXPECT_EQ(table.result(), Result::black_wins);
  EXPECT_EQ(table.reason(), "no-pieces");
}

TEST(Objectives, SuicideWithoutAMoveWinsAndKingsCanBePromotedTo) {
  ChessTable stuck("8/8/8/8/p7/P7/8/7n b - - 0 1", {"suicide-chess"});
  stuck.play("Nf2");  // White's only pawn is blocked
  EXPECT_EQ(stuck.result(), Result::white_wins);
  EXPECT_EQ(stuck.reason(), "no-moves");
  ChessTable raise("8/P7/8/8/8/8/8/7n w - - 0 1", {"suicide-chess"});
  EXPECT_TRUE(raise.legal("a8=K"));
  ChessTable castle("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", {"suicide-chess"});
  EXPECT_FALSE(castle.legal("O-O"));
}

TEST(Objectives, CaptureAllEndsWithTheLastPiece) {
  ChessTable table("8/8/8/3k4/3Q4/8/8/7K w - - 0 1", {"capture-all"});
  table.play("Qxd5");
  EXPECT_EQ(table.result(), Result::white_wins);
}

TEST(Objectives, CaptureAllDrawsWhenStuckAndPromotesToKings) {
  ChessTable stuck("8/8/8/8/p7/P7/8/7n b - - 0 1", {"capture-all"});
  stuck.play("Nf2");
  EXPECT_EQ(stuck.result(), Result::draw);
  EXPECT_EQ(stuck.reason(), "stalemate");
  EXPECT_TRUE(ChessTable("8/P7/8/8/8/8/8/7n w - - 0 1", {"capture-all"}).legal("a8=K"));
}

TEST(Objectives, ExtinctionTargetIsPresetState) {
  ChessTable pawns("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", {"extinction-chess"});
  pawns.play("exd5");
  EXPECT_EQ(pawns.result(), Result::white_wins);
  EXPECT_EQ(pawns.reason(), "extinction");
  ChessTable queens("3qk3/8/8/3p4/4P3/8/8/3QK3 w - - 0 1", {"extinction-chess"});
  {
    Engine engine = queens.engine();
    const SelfScope self(engine, 0);
    EXPECT_EQ(engine.state("target"), pawn);
    EXPECT_TRUE(engine.set_state("target", queen));
  }
  queens.play("exd5");
  EXPECT_EQ(queens.result(), Result::ongoing);
  queens.play("Qxd5 Qxd5");
  EXPECT_EQ(queens.reason(), "extinction");
  // The king stays royal.
  EXPECT_FALSE(ChessTable("4k3/8/8/3p4/4P3/8/4r3/4K3 w - - 0 1", {"extinction-chess"}).legal("e5"));
}

TEST(Objectives, CaptureToWin) {
  ChessTable table("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", {"capture-to-win"});
  table.play("exd5");
  EXPECT_EQ(table.reason(), "first-capture");
}

TEST(Objectives, LastPieceStandingCountsWhenStuck) {
  ChessTable table("8/8/8/8/7p/7k/7P/8 w - - 0 1", {"last-piece-standing"});
  EXPECT_EQ(table.result(), Result::black_wins);
  EXPECT_EQ(table.reason(), "more-pieces");
}

TEST(Objectives, LastPieceStandingTakesTheLastOne) {
  ChessTable table("8/8/8/3k4/3Q4/8/8/7K w - - 0 1", {"last-piece-standing"});
  EXPECT_FALSE(table.engine().in_check(black));  // kings are ordinary
  table.play("Qxd5");
  EXPECT_EQ(table.result(), Result::white_wins);
  EXPECT_EQ(table.reason(), "last-piece");
  EXPECT_EQ(ChessTable("8/8/8/8/p7/P7/8/8 w - - 0 1", {"last-piece-standing"}).reason(),
            "equal-pieces");
}

TEST(Turns, MonsterMovesTwiceForItsScopeOnly) {
  ChessTable table("rnbqkbnr/pppppppp/8/8/8/8/2PPPP2/4K3 w kq - 0 1", {"monster-rules:white"});
  table.play("e4 d4");
  EXPECT_EQ(table.engine().turn(), black);
  table.play("e5");
  EXPECT_EQ(table.engine().turn(), white);
  EXPECT_EQ(table.board().full_move, 2);
}

TEST(Turns, RoyalsCannotBeTakenByTheSecondMove) {  // C-31
  ChessTable table("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", {"double-move"});
  table.play("Ra8");
  EXPECT_EQ(table.engine().turn(), white);
  EXPECT_FALSE(table.legal("Rxe8"));
}

TEST(Movement, BerolinaCapturesStraightAndPassesDiagonally) {
  ChessTable table("4k3/8/8/8/3p4/8/2P5/4K3 w - - 0 1", {"berolina-pawns"});
  EXPECT_TRUE(table.legal("c2e4"));
  table.play("c2e4");
  EXPECT_EQ(table.fen(), "4k3/8/8/8/3pP3/8/8/4K3 b - d3e4 0 1");
  EXPECT_TRUE(table.legal("d4d3"));  // en passant: straight ahead onto the square that was passed
  table.play("d4d3");
  EXPECT_FALSE(table.at("e4"));
  EXPECT_TRUE(table.at("d3"));
}

TEST(Movement, BerolinaSidewaysCaptures) {
  const char* const fen = "4k3/8/8/8/2nPp3/3p4/8/4K3 w - - 0 1";
  ChessTable table(fen, {"berolina-pawns-2"});
  EXPECT_TRUE(table.legal("d4c4"));
  EXPECT_TRUE(table.legal("d4e4"));
  EXPECT_FALSE(table.legal("d4d3"));  // never backwards
  EXPECT_FALSE(ChessTable(fen, {"berolina-pawns"}).legal("d4c4"));
}

TEST(Movement, BouncingBishopReflectsOffTheSides) {
  ChessTable table("4k3/8/8/8/8/8/8/K2B4 w - - 0 1", {"bouncing-pieces"});
  EXPECT_TRUE(table.legal("Bh5"));
  EXPECT_TRUE(table.legal("Bg6"));  // off the h-file
  EXPECT_TRUE(table.legal("Ba4"));
  EXPECT_TRUE(table.legal("Bb5"));              // off the a-file
  EXPECT_TRUE(table.engine().in_check(black));  // h5-g6-f7-e8
}

TEST(Movement, BouncingTwiceUsesAllEdges) {
  ChessTable table("k7/8/8/8/8/8/8/4K1B1 w - - 0 1", {"bouncing-pieces-2"});
  EXPECT_TRUE(table.legal("Bh2"));
  EXPECT_TRUE(table.legal("Bg3"));  // g1-h2-g3
  EXPECT_FALSE(ChessTable("k7/8/8/8/8/8/8/4K1B1 w - - 0 1").legal("Bg3"));
}

TEST(Movement, BouncingTwiceStopsAfterTwoEdges) {
  // The other diagonal is blocked, so a4 is reached only by d1-h5-e8-a4; b3 would be a third
  // bounce.
  ChessTable table("8/7k/8/8/8/8/2P5/3B2K1 w - - 0 1", {"bouncing-pieces-2"});
  EXPECT_TRUE(table.legal("Bh5"));
  EXPECT_TRUE(table.legal("Be8"));
  EXPECT_TRUE(table.legal("Ba4"));
  EXPECT_FALSE(table.legal("Bb3"));
  // A corner counts as two: the way back is the way it came, and no square is visited twice.
  ChessTable corner("8/8/8/8/7k/8/1B6/4K3 w - - 0 1", {"bouncing-pieces-2"});
  EXPECT_TRUE(corner.legal("Ba1"));
  EXPECT_FALSE(corner.legal("Bb2"));
}

TEST(Movement, OneBounceIsAllWithoutTheSecondRule) {
  ChessTable table("8/7k/8/8/8/8/2P5/3B2K1 w - - 0 1", {"bouncing-pieces"});
  EXPECT_TRUE(table.legal("Be8"));
  EXPECT_FALSE(table.legal("Ba4"));
}

TEST(Movement, CylinderJoinsTheFiles) {
  ChessTable table("4k3/8/8/8/7p/P5N1/8/4K2R w - - 0 1", {"wrap-board"});
  EXPECT_TRUE(table.legal("axh4"));
  EXPECT_TRUE(table.legal("Ra1"));
  EXPECT_TRUE(table.legal("Na4"));
}

TEST(Movement, KnightsLeapTwiceThroughEmptySquares) {
  ChessTable table("4k3/8/8/8/8/8/8/N3K3 w - - 0 1", {"knights-leap-twice"});
  EXPECT_TRUE(table.legal("Nd4"));   // by b3 or c2
  EXPECT_FALSE(table.legal("Na1"));  // not back to where it came from
  // Both squares between are taken: by an own piece and by one that can only be captured.
  ChessTable blocked("4k3/8/8/8/3p4/1p6/2P5/N3K3 w - - 0 1", {"knights-leap-twice"});
  EXPECT_FALSE(blocked.legal("Nxd4"));
  EXPECT_TRUE(blocked.legal("Nxb3"));
  ChessTable takes("4k3/8/8/8/3p4/8/2P5/N3K3 w - - 0 1", {"knights-leap-twice"});
  EXPECT_TRUE(takes.legal("Nxd4"));  // captures at the end
}

TEST(Movement, ImmuneKnightsAreNeverTaken) {
  ChessTable table("4k3/8/8/3n4/4P3/8/8/4K3 w - - 0 1", {"knight-immunity"});
  EXPECT_FALSE(table.legal("exd5"));
  ChessTable others("4k3/8/8/3b4/4P3/8/8/4K3 w - - 0 1", {"knight-immunity"});
  EXPECT_TRUE(others.legal("exd5"));
  // Rook and bishop could take the knight otherwise.
  ChessTable mate("5rbk/6pp/7N/8/8/8/8/K7 w - - 0 1", {"knight-immunity"});
  mate.play("Nf7");
  EXPECT_EQ(mate.reason(), "checkmate");
}

TEST(Movement, KnightImmunityBindsTheSidesInScope) {
  const char* const fen = "4k3/8/2n5/3n4/4P3/5N2/4p3/4K3 w - - 0 1";
  EXPECT_FALSE(ChessTable(fen, {"knight-immunity:white"}).legal("exd5"));
  EXPECT_TRUE(ChessTable(fen, {"knight-immunity:black"}).legal("exd5"));
}

TEST(Damage, HitPointsHoldOnce) {
  ChessTable table("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", {"piece-hp"});
  table.play("exd5");
  EXPECT_EQ(table.attribute("d5", "Hp"), 1);
  EXPECT_THAT(table.last_effects(), ElementsAre("d5 holds with 1 hp"));
  table.play("Kd8 exd5");
  EXPECT_EQ(table.at("d5").side, white);
}

TEST(Damage, AKingThatFallsLoses) {
  ChessTable table("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", {"piece-hp"});
  EXPECT_TRUE(table.legal("Rxe8"));
  table.play("Rxe8 Kd8");
  EXPECT_EQ(table.attribute("d8", "Hp"), 1);
  table.play("Rd2 Kc8 Rc2 Kb8 Rb2 Ka8 Kd1 Kb8 Rxb8");
  EXPECT_EQ(table.result(), Result::white_wins);
  EXPECT_EQ(table.reason(), "king-fell");
}

TEST(Damage, TheShieldGoesBeforeHitPoints) {
  for (const auto& order :
       {std::vector<std::string>{"piece-hp", "piece-shield"}, {"piece-shield", "piece-hp"}}) {
    ChessTable table("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", order);
    table.play("exd5");
    EXPECT_EQ(table.attribute("d5", "Shield"), 0);
    EXPECT_EQ(table.attribute("d5", "Hp"), 2);
  }
}

TEST(Damage, ShieldAloneSavesOnce) {
  ChessTable table("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", {"piece-shield"});
  table.play("exd5 Kd8 exd5");
  EXPECT_EQ(table.at("d5").side, white);
}

TEST(Damage, AShieldedCheckerCannotBeTakenAway) {
  // Capturing the rook only breaks its shield, so it does not answer the check.
  ChessTable table("4k3/8/8/8/8/8/4r1R1/4K3 w - - 0 1", {"piece-shield"});
  EXPECT_FALSE(table.legal("Rxe2"));
}

TEST(Damage, KingsHealWhenNotInCheck) {
  ChessTable table("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", {"piece-hp", "king-heals"});
  table.play("a3");
  EXPECT_EQ(table.attribute("e8", "Hp"), 3);
  EXPECT_EQ(table.attribute("e1", "Hp"), 2);
  table.play("Kd8");
  EXPECT_EQ(table.attribute("e1", "Hp"), 3);
  table.play("a4 Kc8");
  EXPECT_EQ(table.attribute("c8", "Hp"), 3);
}

TEST(Damage, KingsInCheckDoNotHeal) {
  ChessTable table("4k3/8/8/8/8/8/R7/4K3 w - - 0 1", {"piece-hp", "king-heals"});
  table.play("Re2");
  EXPECT_EQ(table.attribute("e8", "Hp"), 2);
  table.play("Kd8");
  EXPECT_EQ(table.attribute("d8", "Hp"), 2);  // its own move does not heal it
  table.play("Kd1");
  EXPECT_EQ(table.attribute("d8", "Hp"), 3);
}

TEST(Damage, ShieldsAbsorbPoison) {
  ChessTable table("start", {"piece-hp", "piece-shield", "poisoned-squares"});
  table.play("e4");
  EXPECT_EQ(table.attribute("e4", "Shield"), 0);  // poison is damage like any other
  EXPECT_EQ(table.attribute("e4", "Hp"), 2);
  table.play("a6");
  EXPECT_EQ(table.attribute("e4", "Hp"), 1);
}

TEST(Damage, PoisonedSquaresBite) {
  ChessTable table("start", {"piece-hp", "poisoned-squares"});
  table.play("e4");
  EXPECT_EQ(table.attribute("e4", "Hp"), 1);
  table.play("a6");
  EXPECT_FALSE(table.at("e4"));
}

TEST(Damage, ExplosiveRookHitsTheCross) {
  // The rook takes d5: b5, f5 and d7 are hit, own pieces too; g5 is too far.
  ChessTable table("4k3/3p4/8/1P1p1pp1/8/8/8/3RK3 w - - 0 1", {"explosive-rook"});
  table.play("Rxd5");
  EXPECT_EQ(table.at("d5").type, rook);
  EXPECT_FALSE(table.at("b5"));
  EXPECT_FALSE(table.at("f5"));
  EXPECT_FALSE(table.at("d7"));
  EXPECT_TRUE(table.at("g5"));
  EXPECT_THAT(table.last_effects(), ElementsAre("explosion at d5"));
}

TEST(Damage, ExplosionsDoNotChain) {
  // The rook on d7 is hit, but does not burst in its turn: d8 and b7 stand.
  ChessTable table("3bk3/1p1r4/8/3p4/8/8/8/3RK3 w - - 0 1", {"explosive-rook"});
  table.play("Rxd5");
  EXPECT_FALSE(table.at("d7"));
  EXPECT_TRUE(table.at("d8"));
  EXPECT_TRUE(table.at("b7"));
}

TEST(Damage, AnExplosionMustNotKillTheOwnKing) {
  ChessTable table("4k3/8/8/8/8/8/8/2RnK3 w - - 0 1", {"explosive-rook"});
  EXPECT_FALSE(table.legal("Rxd1"));
}

TEST(Damage, QueensSplit) {
  ChessTable table("4k3/8/8/3p4/8/8/8/3QK3 w - - 0 1", {"queen-splits"});
  table.play("Qxd5");
  EXPECT_EQ(table.at("d5").type, rook);
  EXPECT_EQ(table.at("d1").type, bishop);
  EXPECT_GT(table.at("d5").id, 4);  // both are new pieces
  EXPECT_GT(table.at("d1").id, 4);
  ChessTable healthy("4k3/8/8/3p4/8/8/8/3QK3 w - - 0 1", {"piece-hp", "queen-splits"});
  healthy.play("Qxd5 Kd8 Qxd5");
  EXPECT_EQ(healthy.attribute("d5", "Hp"), 2);  // on_piece_spawn gave them theirs
  EXPECT_EQ(healthy.attribute("d1", "Hp"), 2);
}

TEST(Damage, StaminaRunsOutWithinATurn) {
  ChessTable table("4k3/8/8/8/8/8/R7/4K3 w - - 0 1", {"stamina", "double-move"});
  table.play("Ra3 Ra4");
  EXPECT_EQ(table.attribute("a4", "Stamina"), 0);
  table.play("Kd8 Kd7");
  EXPECT_EQ(table.attribute("a4", "Stamina"), 1);
  table.play("Ra5");
  EXPECT_FALSE(table.legal("Ra6"));
}

TEST(Pieces, CannonCapturesOverOnePiece) {
  ChessTable table("r3k3/p7/8/8/P7/8/8/C3K3 w - - 0 1");
  EXPECT_TRUE(table.legal("Cxa7"));
  EXPECT_FALSE(table.legal("Cxa8"));
  EXPECT_TRUE(table.legal("Ca3"));
  EXPECT_FALSE(table.legal("Ca5"));
}

TEST(Pieces, BerserkerMayGoOnOnce) {
  ChessTable table("4k3/8/8/4pp2/3Z4/8/8/4K3 w - - 0 1", {"berserker"});
  table.play("Zxe5");
  EXPECT_EQ(table.engine().turn(), white);
  EXPECT_FALSE(table.legal("Kd1"));  // only the berserker
  EXPECT_TRUE(table.legal("pass"));
  ChessTable passing = table;
  passing.play("pass");
  EXPECT_EQ(passing.engine().turn(), black);
  table.play("Zxf5");
  EXPECT_EQ(table.engine().turn(), black);
}

TEST(Layouts, AreAsTheyAreDescribed) {
  const auto fen = [](const char* name) { return find_layout(name).value().fen; };
  EXPECT_EQ(fen("classic"), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
  EXPECT_EQ(fen("pawns-only"), "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1");
  EXPECT_EQ(fen("pawns-only-no-kings"), "8/pppppppp/8/8/8/8/PPPPPPPP/8 w - - 0 1");
  EXPECT_EQ(fen("dual-classic"), "rnbkkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKKBNR w KQkq - 0 1");
  EXPECT_EQ(fen("knightmate"), "rkbqnbkr/pppppppp/8/8/8/8/PPPPPPPP/RKBQNBKR w KQkq - 0 1");
  EXPECT_EQ(fen("monster"), "rnbqkbnr/pppppppp/8/8/8/8/2PPPP2/4K3 w kq - 0 1");
  EXPECT_EQ(fen("empty"), "8/8/8/8/8/8/8/8 w - - 0 1");
  EXPECT_THAT(find_layout("monstre").error().alternatives, testing::Contains("monster"));
}

TEST(Layouts, Chess960ByNumber) {
  EXPECT_EQ(chess960_back_rank(518), "RNBQKBNR");
  EXPECT_EQ(chess960_back_rank(0), "BBQNNRKR");
  EXPECT_EQ(chess960_back_rank(959), "RKRNNQBB");
  EXPECT_TRUE(find_layout("chess960:959"));
  EXPECT_FALSE(find_layout("chess960:960"));
}

}  // namespace
}  // namespace parlor::chess
