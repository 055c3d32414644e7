// Games that say how they ended into an Outcome that is there already: whoever plays thousands of
// games a second reads the ends of all of them without allocating. Others are asked for a new one.
#pragma once

#include "game/game.h"

namespace parlor {

class ReadsOutcome {
 public:
  virtual ~ReadsOutcome() = default;
  // The same as Game::outcome; what `out` held before is gone.
  virtual void read_outcome(const StateBlock& block, Outcome& out) const = 0;
};

}  // namespace parlor
