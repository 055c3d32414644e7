// Whole small games through the public interface.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "game/conformance.h"
#include "kernel/builder.h"
#include "rounds.h"

namespace parlor::kernel {
namespace {

using namespace build;

TEST(KernelPlay, TicTacToeHasItsPublishedCounts) {
  const std::uint64_t counts[] = {9, 72, 504, 3024, 15120, 54720};
  for (const bool plan : {true, false}) {
    const auto game = open(n_in_a_row("ttt", 3, 3, 3), {.plan = plan});
    const State state = game->start(1).value();
    for (int depth = 1; depth <= (plan ? 6 : 4); ++depth)
      EXPECT_EQ(perft(state, depth), counts[depth - 1]) << depth;
  }
}

TEST(SlowKernelPlay, TicTacToeToTheEnd) {
  const std::uint64_t counts[] = {148176, 200448, 127872};
  const auto game = open(n_in_a_row("ttt", 3, 3, 3));
  const State state = game->start(1).value();
  for (int depth = 7; depth <= 9; ++depth)
    EXPECT_EQ(perft(state, depth), counts[depth - 7]) << depth;
}

TEST(KernelPlay, ConnectFourHasItsPublishedCounts) {
  const std::uint64_t counts[] = {7, 49, 343, 2401, 16807};
  const auto game = open(n_in_a_row("c4", 6, 7, 4, true));
  const State state = game->start(1).value();
  for (int depth = 1; depth <= 5; ++depth)
    EXPECT_EQ(perft(state, depth), counts[depth - 1]) << depth;
}

void expect_conforming(const Game& game) {
  ConformanceOptions options;
  options.games = test::rounds(options.games);
  EXPECT_THAT(check_conformance(game, options), testing::IsEmpty());
}

TEST(KernelPlay, TicTacToeConforms) {
  expect_conforming(*open(n_in_a_row("ttt", 3, 3, 3)));
}

}  // namespace
}  // namespace parlor::kernel
