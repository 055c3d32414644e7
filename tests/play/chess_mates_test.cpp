// The general alpha-beta agent on chess: published mates in three, found without knowing chess.
#include <gtest/gtest.h>

#include "chess/chess.h"
#include "play/agent.h"

namespace parlor::play {
namespace {

struct Mate {
  const char* fen;
  const char* key;  // the first move
};

std::string first_move(const Mate& mate) {
  OpenOptions options;
  options.position = mate.fen;
  const auto game = chess::open_chess(options).value();
  const State state = game->start(0).value();
  const auto agent = find_agent("alphabeta:depth=9", *game).value()();
  agent->begin(state, state.decision().player, 1);
  OptionList moves;
  state.list_options(moves);
  return state.option_text(moves[agent->choose(state, moves)]);
}

TEST(AlphaBeta, FindsMatesInThree) {
  for (const Mate& mate :
       {Mate{"r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", "f6a6"},
        Mate{"1r3r1k/5Bpp/8/8/P2qQ3/5R2/1b4PP/5K2 w - - 0 1", "e4h7"},
        Mate{"6k1/5pp1/7p/3n4/8/2P5/KQq4P/4R3 b - - 0 1", "d5c3"},
        Mate{"3r1r1k/1p3p1p/p2p4/4n1NN/6bQ/1BPq4/P3p1PP/1R5K w - - 0 1", "g5f7"},
        Mate{"3r4/pR2N3/2pkb3/5p2/8/2B5/qP3PPP/4R1K1 w - - 0 1", "c3e5"},
        Mate{"r1b1r1k1/1pq1bp1p/p3pBp1/3pR3/7Q/2PB4/PP3PPP/5RK1 w - - 0 1", "h4h7"}})
    EXPECT_EQ(first_move(mate), mate.key) << mate.fen;
}

}  // namespace
}  // namespace parlor::play
