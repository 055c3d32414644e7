// Playing a game that came from a fuzzed text or a fuzzed state, and watching that it keeps its
// promises meanwhile.
#pragma once

#include "game/game.h"

namespace parlor::fuzz {

// Looks at the state from all sides: views, texts, saving and loading.
void look_at(const State& state);
// A few decisions at random. Refusals are fine if they have a code and change nothing.
void play_on(State state, std::size_t decisions, Rng& rng);
// Starts and plays a game.
void play(const Game& game, std::size_t decisions, std::uint64_t seed);
// The refusal has a code.
void check_refusal(const Rejection& rejection);

}  // namespace parlor::fuzz
