// Notation, PGN, draws, saving and broken input (C-05, C-07, C-08).
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sstream>

#include "chess/pgn.h"
#include "chess_table.h"

namespace parlor::chess {
namespace {

using testing::HasSubstr;

std::string san(ChessTable& table, const std::string& uci) {
  return to_san(table.engine(), parse_move(table.engine(), uci).value());
}

// A state keeps the moves that led to it, 16 bytes each: with half a long game it stays small.
TEST(Log, OfTwoHundredMovesFitsIntoFourKilobytes_V23) {
  const auto game = ChessGame::open({}).value();
  State state = game->start(1).value();
  const std::size_t first = state.block().size();
  OptionList options;
  Rng rng(4);
  for (int n = 0; n < 200; ++n) {
    state.list_options(options);
    ASSERT_FALSE(options.empty()) << n;
    ASSERT_TRUE(state.apply(options[rng.below(options.size())]));
  }
  EXPECT_EQ(state.block().size(), first + 200 * 16);
  EXPECT_LT(state.block().size(), 4096u);
}

TEST(San, IsTakenWhereverAnOptionIsNamed) {
  const auto game = ChessGame::open({}).value();
  const State state = game->start(1).value();
  const auto knight = find_option(state, "Nf3");
  ASSERT_TRUE(knight);
  EXPECT_EQ(state.option_text(*knight), "g1f3");
  EXPECT_FALSE(find_option(state, "Nf6"));
}

TEST(San, NamesWhatIsNeeded) {  // C-07
  ChessTable two("4k3/8/8/8/8/8/8/R2RK3 w - - 0 1");
  EXPECT_EQ(san(two, "a1c1"), "Rac1");
  ChessTable file("4k3/8/8/R7/8/8/8/R3K3 w - - 0 1");
  EXPECT_EQ(san(file, "a1a3"), "R1a3");
  ChessTable three("1k6/8/8/8/4Q2Q/8/8/K6Q w - - 0 1");
  EXPECT_EQ(san(three, "h4e1"), "Qh4e1");
  ChessTable pawns("4k3/P7/8/2pP4/8/8/8/4K3 w - c6 0 1");
  EXPECT_EQ(san(pawns, "d5c6"), "dxc6");
  EXPECT_EQ(san(pawns, "a7a8q"), "a8=Q+");
  ChessTable mate("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1");
  EXPECT_EQ(san(mate, "a1a8"), "Ra8#");
  EXPECT_EQ(san(mate, "e1c1"), "O-O-O");
}

TEST(San, ReadsWhatPeopleWrite) {
  ChessTable table("start");
  for (const char* text : {"Nf3", "Ng1f3", "Ngf3", "g1f3", "Nf3!?", "Nf3+"})
    EXPECT_EQ(to_uci(table.engine(), parse_move(table.engine(), text).value()), "g1f3") << text;
  EXPECT_FALSE(parse_move(table.engine(), "Nf4"));
  EXPECT_FALSE(parse_move(table.engine(), ""));
  EXPECT_FALSE(parse_move(table.engine(), "====="));
}

TEST(Fen, RoundTrips) {  // C-07
  for (const char* fen :
       {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 12 34", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
        "rk2r3/8/8/8/8/8/8/RK2R3 w EAea - 0 1", "1r1k2r1/8/8/8/8/8/8/1R1K2R1 w KQkq - 0 1",
        "4k3/2C5/8/8/3z4/8/8/4K3 w - - 0 1"}) {
    const auto board = parse_fen(fen, standard_rulebook());
    ASSERT_TRUE(board) << fen;
    const std::string again = to_fen(*board, standard_rulebook());
    EXPECT_EQ(to_fen(parse_fen(again, standard_rulebook()).value(), standard_rulebook()), again);
    if (std::string_view(fen).find("EAea") == std::string_view::npos) {
      EXPECT_EQ(again, fen);
    }
  }
}

TEST(Fen, BrokenTextIsRefusedWithAReason) {
  for (const char* fen :
       {"", "x", "8/8/8/8/8/8/8 w - - 0 1", "9/8/8/8/8/8/8/8 w - - 0 1",
        "8/8/8/8/8/8/8/8 x - - 0 1", "8/8/8/8/8/8/8/8 w KQ - 0 1", "8/8/8/8/8/8/8/8 w - e9 0 1",
        "8/8/8/8/8/8/8/8 w - e3 0 1", "8/8/8/8/8/8/8/8 w - - x 1", "P7/8/8/8/8/8/8/8 w - - 0 1",
        "8/8/8/8/8/8/8/8 w - - 0 1 7", "ppppppppp/8/8/8/8/8/8/8 w - - 0 1",
        "yyyyyyyy/8/8/8/8/8/8/8 w - - 0 1"}) {
    OpenOptions options;
    options.position = fen;
    const auto game = open_chess(options);
    if (std::string_view(fen).empty()) continue;
    ASSERT_FALSE(game) << fen;
    EXPECT_EQ(game.error().diagnostics.all().front().code, Code::CHESS_FEN_INVALID) << fen;
  }
  OpenOptions exposed;
  exposed.position = "4k3/8/8/8/8/8/8/4RK2 w - - 0 1";
  EXPECT_FALSE(open_chess(exposed));  // Black is in check, White to move
}

TEST(Opening, ListsEveryMistake) {
  OpenOptions options;
  options.rules = {"berolina-pawn", "double-move",   "monster-rules",
                   "king-heals",    "coregal:green", "stamina@0"};
  options.layout = "clasic";
  const auto game = open_chess(options);
  ASSERT_FALSE(game);
  EXPECT_EQ(game.error().diagnostics.all().size(), 3u);  // what cannot be read comes first
  options.rules = {"berolina-pawn", "double-move", "monster-rules", "king-heals"};
  options.layout = "";
  const auto rules = open_chess(options);
  ASSERT_FALSE(rules);
  const auto all = rules.error().diagnostics.all();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].code, Code::RULE_UNKNOWN);
  EXPECT_THAT(all[0].alternatives, testing::Contains("berolina-pawns"));
  EXPECT_EQ(all[1].code, Code::RULE_INCOMPATIBLE);
  EXPECT_EQ(all[2].code, Code::RULE_REQUIREMENT_MISSING);
}

TEST(Draws, ThreefoldIsAClaimAndFivefoldEnds) {  // C-08
  ChessTable table("start");
  table.play("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1");
  EXPECT_FALSE(find_option(table.state(), "claim-draw"));
  ChessTable again("start");
  again.play("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
  EXPECT_EQ(again.count(), 21u);
  ASSERT_TRUE(again.state().try_apply(find_option(again.state(), "claim-draw").value()));
  EXPECT_EQ(again.reason(), "threefold-repetition");
  EXPECT_EQ(again.state().outcome().returns, (std::vector<std::int64_t>{0, 0}));
  ChessTable five("start");
  five.play("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
  EXPECT_EQ(five.reason(), "fivefold-repetition");
}

// FIDE 9.2.3: a right to capture en passant that nobody can use does not tell positions apart.
TEST(Draws, UselessEnPassantRightsDoNotCount) {  // C-08
  for (const std::vector<std::string>& rules :
       {std::vector<std::string>{}, {"piece-hp"}, {"berolina-pawns"}}) {
    const bool berolina = !rules.empty() && rules[0] == "berolina-pawns";
    ChessTable table("start", rules);
    table.play(berolina ? "e2c4 Nf6 Nf3 Ng8 Ng1 Nf6 Nf3 Ng8 Ng1"
                        : "e4 Nf6 Nf3 Ng8 Ng1 Nf6 Nf3 Ng8 Ng1");
    EXPECT_TRUE(find_option(table.state(), "claim-draw")) << table.fen();
  }
  ChessTable usable("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", {"piece-hp"});
  EXPECT_THAT(usable.play("e4").fen(), HasSubstr(" e3 "));
  ChessTable straight("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", {"berolina-pawns"});
  EXPECT_THAT(straight.play("e2c4").fen(), HasSubstr(" d3"));
}

TEST(Draws, FiftyMovesIsAClaimAndSeventyFiveEnd) {  // C-08
  ChessTable table("4k3/8/8/8/8/8/8/R3K3 w - - 99 80");
  table.play("Ra2");
  EXPECT_TRUE(find_option(table.state(), "claim-draw"));
  ChessTable end("4k3/8/8/8/8/8/8/R3K3 w - - 149 100");
  end.play("Ra2");
  EXPECT_EQ(end.reason(), "seventy-five-moves");
}

TEST(Draws, StalemateAndDeadPositions) {  // C-08
  EXPECT_EQ(ChessTable("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").reason(), "stalemate");
  for (const char* fen : {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/4KB2 w - - 0 1",
                          "4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1"})
    // Rules that may be added while playing are not in force yet.
    for (const char* rule : {"", "house-rules"})
      EXPECT_EQ(ChessTable(fen, std::vector<std::string>(rule[0] != 0 ? 1 : 0, rule)).reason(),
                "insufficient-material")
          << fen << rule;
  EXPECT_EQ(ChessTable("4kb2/8/8/8/8/8/8/4KB2 w - - 0 1").reason(), "");
  EXPECT_EQ(ChessTable("4k3/8/8/8/8/8/8/3NKN2 w - - 0 1").reason(), "");
}

TEST(Log, RemembersMoves) {  // C-05
  ChessTable table("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", {"piece-hp"});
  table.play("exd5 Kd7");
  const auto records = table.game().history(table.state().block()).records();
  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[1].moved, pawn);
  EXPECT_EQ(records[1].captured, pawn);
  EXPECT_THAT(records[1].effects, testing::ElementsAre("d5 holds with 1 hp"));
  EXPECT_EQ(records[2].moved, king);
  EXPECT_EQ(records[2].hash, table.engine().key());
}

TEST(Pgn, RoundTripsWithRulesAndEffects) {  // C-07
  ChessTable table("4k3/8/8/3p4/4P3/8/8/4K2R w K - 0 1", {"piece-hp", "king-heals"});
  table.play("exd5 Kd7 O-O d4");
  const std::string text = to_pgn(table.state(), {{"White", "Ada"}});
  EXPECT_THAT(text, HasSubstr("[White \"Ada\"]"));
  EXPECT_THAT(text, HasSubstr("[Rules \"piece-hp,king-heals\"]"));
  EXPECT_THAT(text, HasSubstr("1. exd5 {d5 holds with 1 hp} 1... Kd7 2. O-O d4 *"));
  const auto back = read_pgn(text);
  ASSERT_TRUE(back) << back.error();
  EXPECT_EQ(back->state.hash(), table.state().hash());
  EXPECT_EQ(to_pgn(back->state, {{"White", "Ada"}}), text);
}

// Passing, several moves a turn, royal knights, other pieces, pawns that go diagonally.
TEST(Pgn, RandomGamesRoundTrip) {  // C-07
  const std::vector<std::vector<std::string>> sets{{},
                                                   {"double-move"},
                                                   {"monster-rules:white", "piece-hp@12"},
                                                   {"berserker", "cannon"},
                                                   {"berolina-pawns-2", "queen-splits"},
                                                   {"suicide-chess", "wrap-board"},
                                                   {"knightmate-rules", "bouncing-pieces-2"},
                                                   {"piece-shield", "explosive-rook", "stamina"}};
  Rng rng{11};
  for (const auto& rules : sets) {
    ChessTable table("start", rules);
    OptionList options;
    for (int ply = 0; ply < 60 && !table.state().finished(); ++ply) {
      table.state().list_options(options);
      ASSERT_TRUE(table.state().apply(options[rng.below(options.size())]));
    }
    const std::string text = to_pgn(table.state());
    const auto back = read_pgn(text);
    ASSERT_TRUE(back) << back.error() << "\n" << text;
    EXPECT_EQ(back->chess().fen(back->state.block()), to_fen(table.engine())) << text;
    EXPECT_EQ(to_pgn(back->state), text);
  }
}

TEST(Pgn, UnknownRulesAreNamed) {
  const auto game = read_pgn("[Rules \"piece-hp,no-such-rule\"]\n\n1. e4");
  ASSERT_FALSE(game);
  EXPECT_THAT(game.error(), HasSubstr("no-such-rule"));
}

TEST(Pgn, ReadsOrdinaryGames) {
  const auto game = read_pgn(
      "[Event \"Casual\"]\n\n1. e4 e5 2. Bc4 {slow} Nc6 (2... Nf6 3. d3 (3. Nf3)) 3.Qh5?! $6 Nf6?? "
      "4. Qxf7# 1-0\n");
  ASSERT_TRUE(game) << game.error();
  EXPECT_EQ(game->state.outcome().reason, "checkmate");
  EXPECT_FALSE(read_pgn("1. e4 e5 2. Ke3"));
  EXPECT_FALSE(read_pgn("[FEN \"nonsense\"]\n\n1. e4"));
}

TEST(Save, OldVersionsAreMigrated) {  // C-07
  ChessTable table("start", {"piece-hp:white@30"});
  table.play("e4 e5");
  Json saved = table.state().save();
  EXPECT_EQ(saved["state"]["version"], 3);
  Json& old = saved["state"];
  old["version"] = 1;
  old["presets"] = {"piece-hp:white@28"};
  old.erase("halfMoves");
  old.erase("hadRoyals");
  const auto load = [&] {
    saved["check"] = save_check(saved["state"]);
    return table.game().load(saved);
  };
  const auto loaded = load();
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_TRUE(*loaded == table.state());
  old["version"] = 4;
  EXPECT_THAT(load().error().message, HasSubstr("version 4 of the format is newer than 3"));
  old["version"] = "two";
  EXPECT_THAT(load().error().message, HasSubstr("`version` is not a whole number"));
  old.erase("version");
  EXPECT_THAT(load().error().message, HasSubstr("`version` is missing"));
}

TEST(Save, AClaimedDrawIsLoadedAsItWas) {  // T-34
  for (const char* fen :
       {"8/8/8/4k3/8/8/8/R3K3 w - - 100 80", "8/8/8/4k3/8/8/8/R3K3 b - - 120 80"}) {
    ChessTable table(fen);
    table.play("claim-draw");
    ASSERT_TRUE(table.state().finished());
    EXPECT_EQ(table.state().outcome().reason, "fifty-moves");
    const auto loaded = table.game().load(table.state().save());
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_TRUE(*loaded == table.state());
    EXPECT_EQ(loaded->hash(), table.state().hash());
    EXPECT_EQ(canonical(loaded->save()), canonical(table.state().save()));
  }
  ChessTable repeated("start");
  repeated.play("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 claim-draw");
  EXPECT_EQ(repeated.state().outcome().reason, "threefold-repetition");
  EXPECT_TRUE(repeated.game().load(repeated.state().save()).value() == repeated.state());
}

TEST(Save, AClaimThatCouldNotBeMadeIsRefused) {  // T-30
  ChessTable table("8/8/8/4k3/8/8/8/R3K3 w - - 100 80");
  table.play("claim-draw");
  const Json claimed = table.state().save();
  const auto load = [&](Json saved) {
    saved["check"] = save_check(saved["state"]);
    return table.game().load(saved);
  };
  Json early = claimed;
  early["state"]["fen"] = "8/8/8/4k3/8/8/8/R3K3 w - - 10 80";
  EXPECT_FALSE(load(early));
  Json goes_on = claimed;
  goes_on["state"]["log"].push_back(claimed["state"]["log"].back());
  EXPECT_FALSE(load(goes_on));
}

}  // namespace
}  // namespace parlor::chess
