// How fast a game runs through the public interface, on one thread, in seconds of processor time.
#pragma once

#include "game/game.h"

namespace parlor::play {

struct GameSpeed {
  double playouts_per_second = 0;   // complete random games
  double decisions_per_second = 0;  // in those games: listing the options, picking and applying one
  double mcts_iterations_per_second = 0;
  double copy_nanoseconds = 0;
  double list_nanoseconds = 0;  // per decision
  std::size_t state_bytes = 0;
  double mean_length = 0;  // decisions per playout
  double mean_options = 0;
};

// Spends about `seconds` on each measurement.
tl::expected<GameSpeed, Rejection> measure_speed(const Game& game, double seconds, Seed seed);

}  // namespace parlor::play
