// Picking one of n for agents: a multiplication instead of the two divisions of Rng::between. The
// bias is below n / 2^64. Game rules use Rng itself.
#pragma once

#include "base/hash.h"
#include "base/rng.h"
#include "game/game.h"

namespace parlor::play {

// A generator whose whole state depends on the seed. Seeding with 64 bits only leaves the first
// word a multiple of 32, which would make the first draw from 2, 4, 8 ... always the same.
inline Rng seeded_rng(Seed seed) {
  return Rng((Uint128{mix(seed + 1)} << 64) | seed);
}

inline std::size_t pick_below(Rng& rng, std::size_t size) {
  return static_cast<std::size_t>((Uint128{rng.next()} * size) >> 64);
}

// By weight for chance decisions, uniformly for players' decisions.
inline std::size_t pick_option(Rng& rng, const OptionList& options) {
  if (options.weights().empty()) return pick_below(rng, options.size());
  return draw_option(options, rng);
}

}  // namespace parlor::play
