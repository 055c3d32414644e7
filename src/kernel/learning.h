// What those who learn ask of a game: numbers for its actions (actions.h) and its states as numbers
// (tensors.h). Made when somebody first asks, since most who open a game never do.
#pragma once

#include "kernel/actions.h"
#include "kernel/tensors.h"

namespace parlor::kernel {

struct Learning {
  ActionNumbers numbers;
  Tensors tensors;
};

}  // namespace parlor::kernel
