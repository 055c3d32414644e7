// Positions for fitting the evaluation of chess (docs/performance.md): quick games of the engine
// against itself that begin at random and now and then go astray, so that unusual material and
// exposed kings are among them. One FEN a line.
//
//   build/bench/bench_chess_positions COUNT [SEED]
#include <cstdio>
#include <cstdlib>
#include <fmt/core.h>

#include "chess/chess.h"
#include "chess/search.h"

using namespace parlor;
using namespace parlor::chess;

namespace {

constexpr std::uint64_t nodes_a_move = 250;
constexpr int longest_game = 160;

Move random_move(const Engine& engine, Rng& rng) {
  MoveList moves;
  engine.legal_moves(moves);
  return moves[rng.below(static_cast<std::uint32_t>(moves.size()))];
}

// Plays one game and prints every other position, but for checks; how many.
std::uint64_t play_game(const ChessGame& game, Analyst& analyst, Rng& rng) {
  State state = game.start(0).value();
  analyst.forget();
  const int astray = 6 + static_cast<int>(rng.below(6));
  std::uint64_t printed = 0;
  for (int ply = 0; ply < longest_game && !state.finished(); ++ply) {
    const Engine engine = game.engine(state.block());
    if (ply >= astray && rng.below(2) == 0 && !engine.in_check(engine.turn())) {
      fmt::print("{}\n", to_fen(engine));
      ++printed;
    }
    Move move = random_move(engine, rng);
    if (ply >= astray && rng.below(16) != 0) {
      const auto past = game.history(state.block()).past_hashes();
      move = analyst.think(engine, past, {.nodes = nodes_a_move}).line.front();
    }
    if (!state.apply(Option{move.bits})) break;
  }
  return printed;
}

}  // namespace

int main(int count, char** words) {
  const std::uint64_t wanted = count > 1 ? std::strtoull(words[1], nullptr, 10) : 1000;
  Rng rng(count > 2 ? std::strtoull(words[2], nullptr, 10) : 1);
  const auto game = ChessGame::open({});
  if (!game) return 1;
  Analyst analyst(std::size_t{1} << 12);
  for (std::uint64_t printed = 0; printed < wanted;) printed += play_game(**game, analyst, rng);
  return 0;
}
