// What those who learn ask of a game: numbers for its actions (actions.h) and its states as numbers
// (tensors.h). Made when somebody first asks, since most who open a game never do.
#pragma once

#include "kernel/learn/actions.h"
#include "kernel/learn/tensors.h"

namespace parlor::kernel {

struct Learning {
  ActionNumbers numbers;
  Tensors tensors;
};

// The least and the most that a game can give a player, from the declared bounds of what its score
// reads; nothing where they do not say.
struct ReturnBounds {
  std::int64_t low = -1, high = 1;
};
std::optional<ReturnBounds> bounds_of_returns(const Program& program);

}  // namespace parlor::kernel
