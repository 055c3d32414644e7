// Boards other than 8×8, and chess960 under every rule (C-87).
#include "chess/boards.h"

#include <fstream>
#include <gmock/gmock.h>
#include <sstream>

#include "chess/pgn.h"
#include "chess/uci.h"
#include "chess_table.h"
#include "game/conformance.h"
#include "rule_sets.h"
#include "source_dir.h"

namespace parlor::chess {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

// Kept until the end: a state needs its game.
const Game* opened(const OpenOptions& options) {
  static std::vector<std::shared_ptr<const Game>> games;
  auto game = open_chess(options);
  EXPECT_TRUE(game) << (game ? "" : game.error().diagnostics.all().front().message);
  return game ? games.emplace_back(*game).get() : nullptr;
}
OpenOptions on_board(const std::string& rule, const std::string& fen = "") {
  OpenOptions out;
  out.rules = {rule};
  out.position = fen;
  return out;
}
bool legal(const State& state, const std::string& move) {
  return find_option(state, move).has_value();
}
void play(State& state, const std::string& moves) {
  std::istringstream words(moves);
  for (std::string word; words >> word;) {
    const auto option = find_option(state, word);
    ASSERT_TRUE(option) << word << ": " << option.error().message;
    ASSERT_TRUE(state.apply(*option)) << word;
  }
}

struct CountedLarge {
  std::string rule, fen;
  std::vector<std::uint64_t> counts;
};
std::vector<CountedLarge> counted_large() {
  std::ifstream in(PARLOR_SOURCE_DIR + "/tests/chess/data/large_boards.tsv");
  std::vector<CountedLarge> out;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    CountedLarge row;
    std::istringstream fields(line);
    std::getline(fields, row.rule, '\t');
    std::getline(fields, row.fen, '\t');
    for (std::uint64_t number = 0; fields >> number;) row.counts.push_back(number);
    out.push_back(std::move(row));
  }
  return out;
}

void large_counts_agree(std::size_t step, std::uint64_t most) {
  const auto rows = counted_large();
  ASSERT_GE(rows.size(), 400u);
  for (std::size_t i = 0; i < rows.size(); i += step) {
    const Game* game = opened(on_board(rows[i].rule, rows[i].fen));
    ASSERT_TRUE(game);
    const State state = game->start(0).value();
    for (std::size_t depth = 1; depth <= rows[i].counts.size(); ++depth) {
      if (rows[i].counts[depth - 1] > most) break;
      EXPECT_EQ(perft(state, static_cast<int>(depth)), rows[i].counts[depth - 1])
          << rows[i].rule << ' ' << rows[i].fen << " depth " << depth;
    }
  }
}
TEST(LargeBoards, CountLikeFairyStockfish) {  // C-87
  large_counts_agree(3, 10'000);
}
TEST(SlowLargeBoards, CountLikeFairyStockfishEverywhere) {  // C-87
  large_counts_agree(1, 1'000'000'000);
}

// Published counts.
TEST(LargeBoards, CountFromTheStart) {  // C-87
  const State capablanca = opened(on_board("capablanca"))->start(0).value();
  const State grand = opened(on_board("grand-chess"))->start(0).value();
  EXPECT_EQ(perft(capablanca, 1), 28u);
  EXPECT_EQ(perft(capablanca, 2), 784u);
  EXPECT_EQ(perft(capablanca, 3), 25228u);
  EXPECT_EQ(perft(grand, 1), 65u);
  EXPECT_EQ(perft(grand, 2), 4225u);
  EXPECT_EQ(perft(grand, 3), 259514u);
}
TEST(SlowLargeBoards, CountFromTheStartFurther) {  // C-87
  EXPECT_EQ(perft(opened(on_board("capablanca"))->start(0).value(), 4), 805128u);
  EXPECT_EQ(perft(opened(on_board("grand-chess"))->start(0).value(), 4), 15921643u);
}

TEST(LargeBoards, AreFoundByRuleSetUpAndPosition) {  // C-87
  OpenOptions layout;
  layout.layout = "capablanca";
  EXPECT_THAT(opened(layout)->start(0).value().describe(), HasSubstr("RNABQKBCNR"));
  OpenOptions position;
  position.position = "4k5/10/10/10/10/10/10/10/10/5K3R w - - 0 1";
  State state = opened(position)->start(0).value();
  EXPECT_THAT(state.describe(), HasSubstr("5K3R"));
  EXPECT_THAT(state.describe(), HasSubstr("a b c d e f g h i j"));
  play(state, "j1j10");
  EXPECT_THAT(state.describe(), HasSubstr("in check"));
  OpenOptions nowhere;
  nowhere.position = "4k4/9/9/9/9/9/9/9/4K4 w - - 0 1";
  EXPECT_FALSE(open_chess(nowhere));
  EXPECT_THAT(large_layouts(), testing::ElementsAre("capablanca", "grand-chess"));
}

TEST(LargeBoards, TheKingOfCapablancaChessGoesThreeSquares) {  // C-87
  State state =
      opened(on_board("capablanca", "5k4/10/10/10/10/10/10/R4K3R w KQ - 0 1"))->start(0).value();
  EXPECT_TRUE(legal(state, "f1i1"));
  EXPECT_TRUE(legal(state, "f1c1"));
  EXPECT_TRUE(legal(state, "O-O"));
  play(state, "O-O-O");
  EXPECT_THAT(state.describe(), HasSubstr("2KR5R"));
}

TEST(LargeBoards, PawnsOfGrandChessBecomeWhatWasLost) {  // C-87
  State state = opened(on_board("grand-chess", "10/2P4k2/10/10/10/10/10/10/5K4/3QRRBBN1 w - - 0 1"))
                    ->start(0)
                    .value();
  EXPECT_TRUE(legal(state, "c9c10n"));
  EXPECT_TRUE(legal(state, "c9c10a"));
  EXPECT_FALSE(legal(state, "c9c10q"));
  EXPECT_FALSE(legal(state, "c9c10r"));
  EXPECT_FALSE(legal(state, "c9c10"));
  // Before the last rank they may, on it they must.
  State early = opened(on_board("grand-chess", "10/7k2/10/2P7/10/10/10/10/5K4/10 w - - 0 1"))
                    ->start(0)
                    .value();
  EXPECT_TRUE(legal(early, "c7c8"));
  EXPECT_TRUE(legal(early, "c7c8q"));
  // Nothing lost, nowhere to go.
  State stuck =
      opened(on_board("grand-chess", "10/2P4k2/10/10/10/10/10/10/5K4/QCARRBBNN1 w - - 0 1"))
          ->start(0)
          .value();
  EXPECT_FALSE(legal(stuck, "c9c10"));
  EXPECT_FALSE(legal(stuck, "c9c10q"));
}

TEST(LargeBoards, KeepEveryPromiseOfAGame) {  // C-87
  for (const char* rule : {"capablanca", "grand-chess"}) {
    ConformanceOptions how;
    how.games = 1;
    how.max_decisions = 60;
    how.deep_states = 2;
    how.max_options = 6;
    EXPECT_THAT(check_conformance(*opened(on_board(rule)), how), IsEmpty()) << rule;
  }
}

std::string uci_says(const std::string& commands) {
  std::istringstream in(commands);
  std::ostringstream out;
  run_uci(in, out, {});
  return out.str();
}
TEST(LargeBoards, SpeakUci) {  // C-80, C-87
  const std::string counted = uci_says(
      "setoption name UCI_Variant value grand\nposition startpos\ngo perft 2\n"
      "setoption name UCI_Variant value capablanca\nposition startpos\ngo perft 3\n"
      "setoption name UCI_Variant value chess\nposition startpos\ngo perft 3\n");
  EXPECT_THAT(counted, HasSubstr("Nodes searched: 4225"));
  EXPECT_THAT(counted, HasSubstr("Nodes searched: 25228"));
  EXPECT_THAT(counted, HasSubstr("Nodes searched: 8902"));
  // Squares have two digits, and mates are found there as elsewhere.
  const std::string mate = uci_says(
      "setoption name UCI_Variant value grand\n"
      "position fen 9k/R9/10/10/10/10/10/10/10/1R3K4 w - - 0 1 moves b1b2 j10i10\n"
      "go depth 4\n");
  EXPECT_THAT(mate, HasSubstr("bestmove b2b10"));
  EXPECT_THAT(mate, HasSubstr("score mate 1"));
  // A position alone says which board it is; settings are kept, and a wrong move changes nothing.
  const std::string switched = uci_says(
      "setoption name MultiPV value 2\nposition startpos moves e2e4\n"
      "position fen 9k/R9/10/10/10/10/10/10/10/1R3K4 w - - 0 1 moves b1b11\nd\n"
      "position fen 9k/R9/10/10/10/10/10/10/10/1R3K4 w - - 0 1\ngo depth 3\n");
  EXPECT_THAT(switched, HasSubstr("illegal move b1b11"));
  EXPECT_THAT(switched, HasSubstr("4P3"));
  EXPECT_THAT(switched, HasSubstr("multipv 2"));
  EXPECT_THAT(switched, HasSubstr("bestmove b1b10"));
}

TEST(LargeBoards, AreWrittenAsPgnAndReadAgain) {  // C-72, C-85, C-87
  for (const std::vector<std::string>& rules :
       {std::vector<std::string>{"capablanca"}, {"grand-chess"}, {"grand-chess", "piece-hp"}}) {
    OpenOptions options;
    options.rules = rules;
    State state = opened(options)->start(0).value();
    Rng rng{5};
    OptionList list;
    std::size_t plies = 0;
    for (; plies < 80 && !state.finished(); ++plies) {
      state.list_options(list);
      ASSERT_TRUE(state.apply(list[rng.below(list.size())]));
    }
    EXPECT_GT(plies, 20u);
    const std::string text = to_pgn(state);
    EXPECT_THAT(text, HasSubstr("[FEN \""));
    const auto back = read_pgn(text);
    ASSERT_TRUE(back) << back.error() << text;
    EXPECT_EQ(back->state.hash(), state.hash()) << text;
    EXPECT_EQ(to_pgn(back->state), text);
    EXPECT_EQ(back->chess().moves_made(back->state.block()).size(), plies) << text;
  }
}

// Other programs name the variant and nothing else.
TEST(Pgn, KnowsVariantsByName) {  // C-85, C-87
  const auto fen = [](const std::string& text) {
    const auto game = read_pgn(text);
    EXPECT_TRUE(game) << game.error();
    return game ? game->chess().fen(game->state.block()) : "";
  };
  EXPECT_THAT(fen("[Variant \"Grand\"]\n\n1. e5 f6 *"), HasSubstr("r8r/1nbqkcabn1"));
  EXPECT_THAT(fen("[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 *"), HasSubstr("[P]"));
  EXPECT_THAT(fen("[Variant \"King of the Hill\"]\n\n1. e4 e5 2. Ke2 a6 3. Ke3 a5 4. Kd3 *"),
              HasSubstr("3K4"));
  EXPECT_THAT(fen("[Variant \"Standard\"]\n\n1. e4 *"), HasSubstr("4P3"));
  // A board that is known by its form needs no rule.
  EXPECT_THAT(fen("[FEN \"5k4/2P7/10/10/10/10/10/5K4 w - - 0 1\"]\n\n1. c8=C+ *"),
              HasSubstr("2C2k4"));
}

// House rules are the same ones there.
TEST(LargeBoards, GoWithHouseRules) {  // C-87
  for (const char* board : {"capablanca", "grand-chess"})
    for (const std::string& rule : all_rule_ids()) {
      if (rule == "horde" || rule == "racing-kings") continue;  // they have a set-up of their own
      OpenOptions options;
      options.rules = {board, rule};
      if (rule == "king-heals" || rule == "poisoned-squares") options.rules.push_back("piece-hp");
      const Game* game = opened(options);
      ASSERT_TRUE(game) << rule;
      State state = game->start(0).value();
      Rng rng{7};
      OptionList list;
      for (int ply = 0; ply < 30 && !state.finished(); ++ply) {
        state.list_options(list);
        ASSERT_GT(list.size(), 0u);
        ASSERT_TRUE(state.apply(list[rng.below(list.size())])) << rule;
      }
      const auto loaded = game->load(state.save());
      ASSERT_TRUE(loaded) << rule << ' ' << loaded.error().message;
      EXPECT_EQ(loaded->hash(), state.hash()) << rule;
    }
}

// ---- Chess960

// Castling is one place in the code; here it is judged once more by what FIDE says of chess960, on
// the positions random games come to, whatever the rules in force do to other moves.
TEST(Chess960, CastlingUnderEveryRuleIsWhatFideSays) {  // C-87, A-23
  std::size_t castled = 0;
  for (const std::string& rule : all_rule_ids()) {
    if (rule == "horde" || rule == "racing-kings" || rule == "suicide-chess") continue;
    for (const int number : {0, 157, 300, 518, 692, 959}) {
      std::vector<rules::Activation> set{{rule}};
      if (!compatible(set)) set.push_back({"piece-hp"});
      const auto game = open_with(set, find_layout("chess960:" + std::to_string(number))->fen);
      State state = game->start(0).value();
      Rng rng{static_cast<std::uint64_t>(number)};
      OptionList list;
      for (int ply = 0; ply < 40 && !state.finished(); ++ply) {
        const Engine engine = game->engine(state.block());
        const Board& board = engine.board();
        const Side us = engine.turn();
        MoveList moves;
        engine.legal_moves(moves);
        EXPECT_EQ(engine.count_legal_moves(), moves.size()) << rule << ' ' << to_fen(engine);
        std::optional<Move> castling;
        for (const Move move : moves) {
          if (move.kind() != MoveKind::castling) continue;
          castling = move;
          EXPECT_TRUE(board.can_castle(us, wing_of(move)));
          EXPECT_EQ(board.side_on(move.to()), us);
          const int low = std::min({file_of(move.from()), file_of(move.to()),
                                    file_of(castled_king(us, wing_of(move))),
                                    file_of(castled_rook(us, wing_of(move)))});
          const int high = std::max({file_of(move.from()), file_of(move.to()),
                                     file_of(castled_king(us, wing_of(move))),
                                     file_of(castled_rook(us, wing_of(move)))});
          for (int file = low; file <= high; ++file) {
            const Square square = square_at(file, rank_of(move.from()));
            const bool mover = square == move.from() || square == move.to();
            EXPECT_TRUE(mover || board.empty(square)) << rule << ' ' << to_fen(engine);
          }
          const bool bound = engine.self_check_filter(us) && has(engine.royals(us), move.from());
          EXPECT_FALSE(bound && engine.in_check(us)) << rule << ' ' << to_fen(engine);
        }
        state.list_options(list);
        const Option pick = castling ? Option{castling->bits} : list[rng.below(list.size())];
        ASSERT_TRUE(state.apply(pick)) << rule;
        if (!castling) continue;
        ++castled;
        if (rule == "atomic" || rule == "stamina") continue;
        const Engine after = game->engine(state.block());
        EXPECT_TRUE(after.piece_at(castled_king(us, wing_of(*castling)))) << rule;
        EXPECT_TRUE(after.piece_at(castled_rook(us, wing_of(*castling)))) << rule;
      }
    }
  }
  EXPECT_GT(castled, 100u);
}

// The plain generator is the one that was compared with other programs; the general one agrees.
TEST(Chess960, TheGeneralPathCastlesLikeThePlainOne) {  // C-87, A-23
  Preset idle = make_preset("idle");
  idle.hooks.filter_moves = [](const Engine&, const Piece&, MoveSet&) {};
  const auto book = with_presets({std::move(idle)});
  for (const int number : {0, 40, 157, 300, 518, 692, 800, 959}) {
    const std::string fen = find_layout("chess960:" + std::to_string(number))->fen;
    ChessTable plain(fen, {});
    ChessTable general(fen, {"idle"}, book);
    Rng rng{static_cast<std::uint64_t>(number) + 1};
    OptionList list;
    for (int ply = 0; ply < 60 && !plain.state().finished(); ++ply) {
      ASSERT_EQ(perft(plain.state(), 2), perft(general.state(), 2)) << plain.fen();
      plain.state().list_options(list);
      const Option pick = list[rng.below(list.size())];
      ASSERT_TRUE(plain.state().apply(pick));
      ASSERT_TRUE(general.state().apply(pick));
    }
  }
}

}  // namespace
}  // namespace parlor::chess
