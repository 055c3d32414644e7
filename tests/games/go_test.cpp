// Go against a plain program: captures, suicide, positional superko, area scoring.
#include <algorithm>
#include <gtest/gtest.h>

#include "games/naive_go.h"
#include "games/shipped.h"

namespace parlor::games {
namespace {

std::string go_text(const State& state, int size) {
  return text_of(board_of(state), "cell", size, size, by_owner('b', 'w'));
}

State random_go_game(const Game& game, int size, Seed seed) {
  State state = start(game, seed);
  naive::Go reference(size);
  Rng rng(seed);
  const auto text = [&](const State& s) { return go_text(s, size); };
  while (!state.finished()) {
    const auto expected_moves = reference.moves();
    Texts expected;
    for (const naive::Go& next : expected_moves) expected.push_back(next.board);
    std::ranges::sort(expected);
    EXPECT_EQ(results(state, text), expected) << reference.board;
    if (::testing::Test::HasFailure()) return state;
    const std::vector<State> moves = whole_moves(state);
    state = moves[rng.below(moves.size())];
    const std::string board = text(state);
    // Passing keeps the board; superko makes every other result unique.
    for (const naive::Go& next : expected_moves)
      if (next.board == board) {
        reference = next;
        break;
      }
  }
  const Outcome outcome = state.outcome();
  const int black = reference.area('b'), white = reference.area('w') + 7;
  EXPECT_EQ(outcome.winners, black == white  ? (std::vector<PlayerId>{PlayerId(0), PlayerId(1)})
                             : black > white ? (std::vector<PlayerId>{PlayerId(0)})
                                             : (std::vector<PlayerId>{PlayerId(1)}));
  return state;
}

std::shared_ptr<const Game> open_go(int size) {
  OpenOptions options;
  options.constants["size"] = std::to_string(size);
  return open_shipped("go", options);
}

std::uint64_t naive_perft(const naive::Go& game, int depth) {
  if (depth == 0) return 1;
  std::uint64_t nodes = 0;
  for (const naive::Go& next : game.moves()) nodes += naive_perft(next, depth - 1);
  return nodes;
}

TEST(Go, CountsAgreeWithThePlainProgram) {
  EXPECT_EQ(perft(start(*open_go(9)), 2), naive_perft(naive::Go(9), 2));
  for (int depth = 1; depth <= 6; ++depth)
    EXPECT_EQ(perft(start(*open_go(2)), depth), naive_perft(naive::Go(2), depth)) << depth;
  for (int depth = 1; depth <= 4; ++depth)
    EXPECT_EQ(perft(start(*open_go(3)), depth), naive_perft(naive::Go(3), depth)) << depth;
}

TEST(SlowGo, DeeperCountsAgreeWithThePlainProgram) {
  for (int depth = 7; depth <= 11; ++depth)
    EXPECT_EQ(perft(start(*open_go(2)), depth), naive_perft(naive::Go(2), depth)) << depth;
  EXPECT_EQ(perft(start(*open_go(3)), 6), naive_perft(naive::Go(3), 6));
}

TEST(Go, SmallRandomGamesAgreeWithThePlainProgram) {
  const auto game = open_go(3);
  for (Seed seed = 1; seed <= 6 && !HasFailure(); ++seed) random_go_game(*game, 3, seed);
}

TEST(SlowGo, RandomGamesAgreeWithThePlainProgram) {
  const auto game = open_go(5);
  for (Seed seed = 1; seed <= 4 && !HasFailure(); ++seed) random_go_game(*game, 5, seed);
}

}  // namespace
}  // namespace parlor::games
