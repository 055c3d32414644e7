// Triggers that set each other off without end.
#pragma once

#include <string>
#include <vector>

#include "spec/gamedef/gamedef.h"

namespace parlor::spec::lower {

// Triggers each of which sets off the next one whatever the state of the game, the last one the
// first again. While playing such a chain is cut off at `maxTriggerDepth`. What only happens under
// a condition is left alone: it may end by itself.
struct TriggerLoop {
  std::vector<std::size_t> triggers;  // numbers of them; begins with the smallest
  std::string told;                   // "a token enters `bog` → a token enters `fen` → …"
};

std::vector<TriggerLoop> find_trigger_loops(const GameDef& game);

}  // namespace parlor::spec::lower
