// Plays a game with two implementations at once and says where they first differ. This is the
// property of legality (T-20): what is listed applies, faults of the rules aside; what applies is
// listed; and `why` agrees with both. The reference is the judge.
#pragma once

#include <string>

#include "game/game.h"
#include "reference/reference_game.h"

namespace parlor {

struct Comparison {
  std::string difference;  // empty: none
  int decisions = 0;
  int faults = 0;  // options both refused because the rules went wrong
  bool finished = false;
};

// Same seed, same picks (drawn from `seed` too), at most so many decisions. At each, `tried`
// options are made on copies.
Comparison compare_play(const Game& game, const reference::ReferenceGame& reference, Seed seed,
                        int max_decisions, std::size_t tried = 4);

}  // namespace parlor
