// The part of the conformance suite that damages saved states. Not for use elsewhere.
#pragma once

#include <optional>
#include <string>

#include "game/game.h"

namespace parlor {

// Damages the saved form of `state` in many ways and loads the result. Each must be refused, or
// give a state that can be saved, loaded and played on. Says what went wrong, if anything.
std::optional<std::string> find_damage_accepted(const State& state, Rng& rng);

}  // namespace parlor
