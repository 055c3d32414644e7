// Picking one of n for agents: a multiplication instead of the two divisions of Rng::between. The
// bias is below n / 2^64. Game rules use Rng itself.
#pragma once

#include "base/rng.h"
#include "game/game.h"

namespace parlor::play {

inline std::size_t pick_below(Rng& rng, std::size_t size) {
  return static_cast<std::size_t>((Uint128{rng.next()} * size) >> 64);
}

// By weight for chance decisions, uniformly for players' decisions.
inline std::size_t pick_option(Rng& rng, const OptionList& options) {
  if (options.weights().empty()) return pick_below(rng, options.size());
  return draw_option(options, rng);
}

}  // namespace parlor::play
