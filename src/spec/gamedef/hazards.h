// What can go wrong while playing, found without playing (T-23, T-24): divisions whose divisor can
// be zero, properties that a token of its type never has, phases that lie behind.
#pragma once

#include "base/diagnostics.h"
#include "spec/gamedef/gamedef.h"

namespace parlor::spec {

// Warnings: the rules may know that it never comes to that.
void find_hazards(const GameDef& game, Diagnostics& diagnostics);

}  // namespace parlor::spec
