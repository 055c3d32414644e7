// A game whose actions are too many for a table of numbers (ActionSpace::Kind::factored), played
// step by step: first which action, then one parameter after the other, each a decision of its own
// with few options. Nothing else about the game changes; what was chosen so far is part of the
// state, of what its decider sees and of the numbers of `observe`, and nobody else's business.
#pragma once

#include <memory>

#include "game/game.h"

namespace parlor {

// The game itself if its actions have numbers as a whole.
std::shared_ptr<const Game> stepwise(std::shared_ptr<const Game> game);

// The game that is played step by step, or the game itself.
const Game& behind_steps(const Game& game);

}  // namespace parlor
