// Short declarations: `globalVars: {pot: 0..100}`, `seats: [x, o]`, `players: 2..4`. Each stands
// for exactly one long form and is replaced by it as soon as it is read.
#pragma once

#include "spec/document.h"

namespace parlor::spec::text {

// The section's value in its long form; one that is no short form comes back as it is.
Node long_form(Section section, Node value);
// `seats: [x, o]` at the top of a block: the entry of `dataAssets` it stands for.
Node seat_catalog(Node seats);

}  // namespace parlor::spec::text
