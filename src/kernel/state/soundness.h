// Whether a state that came from outside is one the machine can work on.
#pragma once

#include <optional>
#include <string>

#include "kernel/state/memory.h"

namespace parlor::kernel {

// Looks at everything the machine takes for granted in a block: numbers in their ranges, names and
// tokens that exist, a half-made move whose frames stand where a move can stand. Nothing of the
// rules runs. Says what is wrong, if anything.
std::optional<std::string> find_damage(const Program& program, const StateBlock& block);

}  // namespace parlor::kernel
