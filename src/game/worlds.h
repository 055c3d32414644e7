// Worlds of one state that a viewer cannot tell from it, made again and again: every iteration of a
// search begins with one. What comes out, and what is drawn for it, is what `Game::resample_hidden`
// of a copy of the state would give; what is the same every time is done once.
//
//   auto worlds = game.worlds();
//   worlds->look_at(state.block(), viewer);
//   while (searching) worlds->deal(scratch.block(), rng);
#pragma once

#include "game/game.h"

namespace parlor {

class Worlds {
 public:
  virtual ~Worlds() = default;
  // From now on of this state, which is copied.
  virtual void look_at(const StateBlock& real, const Viewer& viewer) = 0;
  // Makes `world` one of them, whatever it was before. False: none was found that fits for certain,
  // and what the viewer may do there can differ. Allocates nothing once warm.
  virtual bool deal(StateBlock& world, Rng& rng) = 0;
};

}  // namespace parlor
