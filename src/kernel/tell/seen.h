// What a view (for tools and players) and a stage (for those who draw) have in common.
#pragma once

#include "kernel/kernel.h"
#include "kernel/run/machine.h"
#include "kernel/tell/metrics.h"

namespace parlor::kernel {

// All but zones: phase, turn, round, active, globals, players, zoneVars, markers, globalMarkers,
// effects; metrics, standings and turnFlow where the game has them.
Json seen_beside_zones(Machine& machine, const Eyes& eyes, int active);
// Whose turn it is, as far as it is the viewer's business.
int active_told(const KernelGame& game, const StateBlock& block, const Eyes& eyes,
                const Viewer& viewer);

}  // namespace parlor::kernel
