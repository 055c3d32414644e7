// What is declared and never used, and zones that are always empty (L-20).
#pragma once

#include "base/diagnostics.h"
#include "spec/document.h"
#include "spec/gamedef/gamedef.h"

namespace parlor::spec {

// Warnings, for a game without errors. Games whose rules come from elsewhere as well (cards,
// modules) are left alone.
void find_unused(const GameDef& game, const GameSpecDoc& doc, Diagnostics& diagnostics);
// Where something is wrong, what nothing uses may be what was meant: nobody is told of it then.
Diagnostics without_unused(const Diagnostics& diagnostics);

}  // namespace parlor::spec
