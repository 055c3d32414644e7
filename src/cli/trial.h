// What playing a game tells about its rules that reading them does not.
#pragma once

#include "base/diagnostics.h"
#include "spec/gamedef/gamedef.h"

namespace parlor::cli {

// What would stop the game from being opened or started, for every number of players its rules
// allow (T-28).
Diagnostics find_opening_problems(const spec::GameDef& game);

// Plays about so many random decisions with every number of players, and says what went wrong on
// the way: faults of the rules are errors; phases nobody could act in, and look-aheads that gave
// up, are warnings.
Diagnostics find_playing_problems(const spec::GameDef& game, std::uint64_t decisions);

}  // namespace parlor::cli
