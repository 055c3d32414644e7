// Where randomness outside a state comes from. One seed opens a game; these streams are derived
// from it, so that a game, its chance decisions and every player's choices never share numbers and
// one seed always gives one game.
#pragma once

#include "game/game.h"

namespace parlor {

// The streams of a seed. The state itself draws from stream 0.
inline constexpr std::uint64_t chance_stream_number = 1;
inline constexpr std::uint64_t first_agent_stream_number = 2;

// Draws the outcomes of chance decisions.
constexpr Rng chance_stream(Seed seed) {
  return Rng(seed, chance_stream_number);
}

// The choices of the agent that plays for `player`.
constexpr Rng agent_stream(Seed seed, PlayerId player) {
  return Rng(seed, first_agent_stream_number + player.value);
}

}  // namespace parlor
