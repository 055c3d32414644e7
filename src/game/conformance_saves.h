// The part of the conformance suite that damages saved states. Not for use elsewhere.
#pragma once

#include <optional>
#include <string>

#include "game/game.h"

namespace parlor {

// Damages every field of the saved form of `state`, with values of the right kind and with
// nonsense, and loads the result. With the old checksum each must be refused; with one that fits it
// must be refused, or give a state that can be saved, loaded and played on. Says what went wrong,
// if anything.
std::optional<std::string> find_damage_accepted(const State& state, Rng& rng);

}  // namespace parlor
