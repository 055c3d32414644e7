// Where randomness outside a state comes from. One seed opens a game; these streams are derived
// from it, so that a game, its chance decisions and every player's choices never share numbers and
// one seed always gives one game.
#pragma once

#include "game/game.h"

namespace parlor {

// The first word of a generator seeded with 64 bits is a multiple of 32, so it is thrown away: a
// coin would always fall on the same side first.
constexpr Rng warm_stream(std::uint64_t seed) {
  Rng rng{seed};
  rng.next();
  return rng;
}

// Draws the outcomes of chance decisions.
constexpr Rng chance_stream(Seed seed) {
  return warm_stream(seed ^ std::uint64_t{0xbf58476d1ce4e5b9});
}

// The choices of the agent that plays for `player`.
constexpr Rng agent_stream(Seed seed, PlayerId player) {
  return warm_stream(seed ^
                     ((std::uint64_t{player.value} + 1) * std::uint64_t{0x9e3779b97f4a7c15}));
}

}  // namespace parlor
