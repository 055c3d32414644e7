// Constants: `{ref: constant, name: x}` becomes the value itself, everywhere, before anything else
// is expanded; so constants may stand in board sizes, macro arguments and data.
#pragma once

#include "spec/expand/walk.h"

namespace parlor::spec {

// Checks the section and applies `--set` overrides. An override must be of the declared type.
void prepare_constants(Expander& expander,
                       const std::vector<std::pair<std::string, std::string>>& overrides);
// Replaces the references; true when that was all of them. Those that name a macro's parameter are
// left for another call after the macros are gone.
bool fold_constants(Expander& expander);

}  // namespace parlor::spec
