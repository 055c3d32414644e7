// Effects that are short for others: refillToSize, discardDownTo, distributeTokens,
// `createToken` with a `count`, `draw` to a zone of `each`, and those of table_effects.h. They are
// written out at compile time, wherever an effect may stand.
#pragma once

#include "spec/expand/walk.h"

namespace parlor::spec {

void expand_builtins(Expander& expander);

}  // namespace parlor::spec
