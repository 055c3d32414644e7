// Module files: which names they may declare, and how they become part of a game (M-01 to M-04).
#pragma once

#include <vector>

#include "spec/document.h"
#include "spec/report.h"

namespace parlor::spec {

// Adds modules to a game, before expansion and in their order (rules/hooks.def): lists are
// appended, constants and per-round resets join the game's, other singletons may not exist twice.
// Each module's own `module` section is kept in `doc.modules`. Reports files that are no modules,
// ids used twice, and every name that does not begin with the id of its module.
void compose(GameSpecDoc& doc, std::vector<Sections>&& modules, Report& report);

}  // namespace parlor::spec
