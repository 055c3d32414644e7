// The engine against the naive one, position by position and move by move in random games (C-62),
// and the general path against the plain one.
#include <algorithm>
#include <map>

#include "chess_table.h"
#include "counts.h"

namespace parlor::chess {
namespace {

std::vector<std::string> engine_moves(const State& state) {
  OptionList options;
  state.list_options(options);
  std::vector<std::string> out;
  for (const Option option : options)
    if (const std::string text = state.option_text(option); text != "claim-draw")
      out.push_back(text);
  std::ranges::sort(out);
  return out;
}

std::string placement(const naive::Position& p) {
  std::string out;
  for (int square = 0; square < 64; ++square)
    out += naive::at(p, square) == 0 ? '.' : naive::at(p, square);
  return out;
}

std::string placement(const Engine& engine) {
  std::string out;
  for (Square square = 0; square < 64; ++square) {
    const Piece piece = engine.piece_at(square);
    const char letter = piece ? engine.book().type(piece.type).letter : '.';
    out += piece && piece.side == black ? static_cast<char>(letter - 'A' + 'a') : letter;
  }
  return out;
}

// Plays random games on both and compares every position and its moves. Returns how many there
// were.
std::size_t compare(const Count& c, std::uint64_t seed) {
  const auto opened = open(c);
  const ChessGame& game = *opened;
  Rng rng{seed};
  std::size_t positions = 0;
  OptionList options;
  for (int round = 0; round < 20; ++round) {
    State state = game.start(0).value();
    naive::Position other = naive_start(c, game);
    for (int ply = 0; ply < 70 && !state.finished(); ++ply) {
      const Engine engine = game.engine(state.block());
      const std::string fen = to_fen(engine.board(), game.book());
      std::map<std::string, naive::Move> expected;
      for (const naive::Move& move : naive::legal(other, c.how)) expected[naive::name(move)] = move;
      std::vector<std::string> names;
      for (const auto& [name, move] : expected) names.push_back(name);
      const auto found = engine_moves(state);
      EXPECT_EQ(found, names) << fen;
      EXPECT_EQ(placement(engine), placement(other)) << fen;
      if (testing::Test::HasFailure()) return positions;
      ++positions;
      const std::string& choice = found[rng.below(found.size())];
      other = naive::played(other, c.how, expected[choice]);
      EXPECT_TRUE(state.apply(find_option(state, choice).value()));
    }
  }
  return positions;
}

TEST(Differential, PlainChess) {
  EXPECT_GT(compare({}, 1), 1000u);
}

// Some rules end games soon; 20 games give fewer positions then.
TEST(Differential, EveryRuleMoveByMove) {  // C-61, C-62
  std::uint64_t seed = 1;
  std::size_t positions = 0;
  for (const auto* list : {&oracle(), &counted_naively()})
    for (const Count& c : *list) {
      SCOPED_TRACE(c.name);
      positions += compare(c, ++seed);
      if (testing::Test::HasFailure()) return;
    }
  EXPECT_GT(positions, 20000u);
}

TEST(Differential, RulesTogetherInAnyOrder) {  // C-71
  std::uint64_t seed = 100;
  std::size_t positions = 0;
  for (Count c : together())
    for (const bool turned : {false, true}) {
      if (turned) std::ranges::reverse(c.rules);
      SCOPED_TRACE(c.name + (turned ? ", turned" : ""));
      positions += compare(c, ++seed);
      if (testing::Test::HasFailure()) return;
    }
  EXPECT_GT(positions, 15000u);
}

TEST(Differential, HitPointsAreKeptByHandToo) {
  ChessTable table("start", {"piece-hp"});
  Rng rng{9};
  for (int game = 0; game < 10; ++game) {
    State state = table.game().start(0).value();
    std::map<std::string, int> hp;
    for (Square square = 0; square < 64; ++square)
      if (!table.game().position(state.block()).board.empty(square)) hp[square_name(square)] = 2;
    OptionList options;
    for (int ply = 0; ply < 80 && !state.finished(); ++ply) {
      state.list_options(options);
      const Move move{static_cast<std::uint32_t>(options[rng.below(options.size())].id)};
      if (move.kind() == MoveKind::claim_draw) continue;
      const Engine before = table.game().engine(state.block());
      const std::string from = square_name(move.from());
      const std::string to = square_name(move.to());
      if (move.kind() == MoveKind::castling) {
        const Side side = before.turn();
        const int king_hp = hp[from];
        const int rook_hp = hp[to];
        hp.erase(from);
        hp.erase(to);
        hp[square_name(castled_king(side, wing_of(move)))] = king_hp;
        hp[square_name(castled_rook(side, wing_of(move)))] = rook_hp;
      } else {
        const std::string victim =
            move.kind() == MoveKind::en_passant ? square_name(move.victim()) : to;
        const bool survives = hp.contains(victim) && --hp[victim] > 0;
        if (!survives) {
          hp.erase(victim);
          hp[to] = hp[from];
          hp.erase(from);
        }
      }
      ASSERT_TRUE(state.apply(Option{move.bits}));
      const Engine after = table.game().engine(state.block());
      std::map<std::string, int> found;
      for (const Square square : squares_of(after.board().occupied()))
        found[square_name(square)] = static_cast<int>(*after.get(after.piece_at(square).id, "Hp"));
      ASSERT_EQ(found, hp);
    }
  }
}

// A preset that asks for every hook of the query but changes nothing: the general path must then
// give exactly what the plain one gives.
TEST(Differential, TheGeneralPathIsPlainChessWithoutRules) {
  Preset idle = make_preset("idle");
  idle.hooks.transform_move_generator = [](const Engine&, const Piece&, Targets targets) {
    return targets;
  };
  idle.hooks.filter_moves = [](const Engine&, const Piece&, MoveSet&) {};
  Preset royal = idle;
  royal.module.id = "idle-royal";
  royal.hooks.get_royal_pieces = [](const Engine& engine, Side side) -> std::optional<Bitboard> {
    return engine.board().of(side, king);
  };
  Preset damage = idle;
  damage.module.id = "idle-damage";
  damage.hooks.on_damage = [](Engine&, const Damage& d) { return DamageAnswer::pass(d.amount); };
  const auto book = with_presets({std::move(idle), std::move(royal), std::move(damage)});
  const std::vector<std::pair<std::string, std::uint64_t>> counts{
      {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 97862},
      {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 2812},
      {"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 9467},
      {"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 62379}};
  for (const char* rule : {"idle", "idle-royal", "idle-damage"})
    for (const auto& [fen, nodes] : counts) {
      ChessTable table(fen, {rule}, book);
      EXPECT_EQ(perft(table.state(), 3), nodes) << rule << " " << fen;
    }
}

}  // namespace
}  // namespace parlor::chess
