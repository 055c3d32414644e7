// What could have happened, as far as a viewer knows: the game is played again in all ways (or in
// many), and those are kept in which the viewer was told the same at every step. For games whose
// chance is explicit.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "game/game.h"

namespace parlor::games {

struct History {
  std::vector<Option> options;
  State state;
  double weight = 1;  // how likely, if everybody but the viewer plays uniformly
};

// All that a viewer is told at one moment.
std::string told_at(const State& state, const Viewer& viewer);

// Every history that the viewer cannot tell from this one, which begins at `start`; equal states
// are one. `most` > 0: of more than so many at a step only some are followed.
std::vector<History> histories_like(const State& start, const std::vector<Option>& options,
                                    const Viewer& viewer, std::size_t most = 0);

// What lies where and what every variable is, without the names of tokens and without the order of
// what nobody can order: two states with the same are the same world.
std::string world_of(const State& state);

// Shares of worlds, 1 in all.
using Worlds = std::map<std::string, double>;
Worlds worlds_of(const std::vector<History>& histories);
Worlds resampled_worlds(const State& state, const Viewer& viewer, int times, Seed seed);

}  // namespace parlor::games
