// What happens in a space, said where the space is declared (L-09): `onEnter` becomes a trigger,
// and `use $space` does what the `onUse` of that space says. Of rounds, `cleanUp` and `startPlayer`
// become a trigger as well (L-13). `teams` give every player a variable `team` (L-07).
#pragma once

#include "spec/expand/walk.h"

namespace parlor::spec {

// Before macros are expanded: the effects may use them.
void expand_spaces(Expander& expander);

}  // namespace parlor::spec
