// What a Program hides, from whom, and which of its values may carry it.
#pragma once

#include "kernel/program.h"

namespace parlor::kernel {

inline constexpr std::uint32_t spectator_bit = std::uint32_t{1} << 16;  // see Audience

// Fills `program.secrets` and what hangs on it: the sight and place of zones, slots beside bindings
// that may hold what somebody does not know, option ids that name tokens by their place. Called
// when all code is there and before states are laid out.
void find_secrets(Program& program);

// Whether players pick tokens they do not see out of zones that are shuffled.
bool picks_from_pools(const Program& program);

}  // namespace parlor::kernel
