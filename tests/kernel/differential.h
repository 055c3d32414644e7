// Plays a game with two implementations at once and says where they first differ.
#pragma once

#include <string>

#include "game/game.h"
#include "reference/reference_game.h"

namespace parlor {

struct Comparison {
  std::string difference;  // empty: none
  int decisions = 0;
  bool finished = false;
};

// Same seed, same picks (drawn from `seed` too), at most so many decisions.
Comparison compare_play(const Game& game, const reference::ReferenceGame& reference, Seed seed,
                        int max_decisions);

}  // namespace parlor
