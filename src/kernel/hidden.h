// What players cannot see: who sees a token, and which zones may hold each other's unseen tokens.
#pragma once

#include "kernel/machine.h"

namespace parlor::kernel {

bool can_see(Machine& machine, const Viewer& viewer, int token);

// Zones in groups: tokens can pass unseen from zone to zone of one group, and so, for somebody who
// does not see them, any of them may lie in any place of the group. It depends on the rules alone:
// if it depended on where tokens lie, dealing them anew would tell something about that. Groups
// whose content everybody can tell are left out; if none is left, the game hides nothing.
std::vector<std::vector<int>> mixing_zones(const Program& program);

}  // namespace parlor::kernel
