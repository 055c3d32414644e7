// {macro: memory, id, of, by, with?} in `zones`: a zone that remembers positions, one token for
// each. `observe`, `remember`, `forget` and {ref: timesSeen} are written out in terms of that zone
// and of two variables that hold the fingerprint of the position last observed.
#pragma once

#include "spec/expand/walk.h"

namespace parlor::spec {

// Before macros are expanded: what a memory looks at may use them.
void expand_memories(Expander& expander);

}  // namespace parlor::spec
