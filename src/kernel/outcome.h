// The end of a game as the waist reports it.
#pragma once

#include "kernel/machine.h"

namespace parlor::kernel {

Outcome final_outcome(Machine& machine);
void final_returns(Machine& machine, std::span<std::int64_t> out);
bool standing(Machine& machine, std::span<std::int64_t> out);

}  // namespace parlor::kernel
