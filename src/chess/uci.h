// A UCI engine front, so that existing chess programs can talk to Parlor. House rules are the
// option `Rules`, set-ups the option `Layout`; everything else is the protocol as published.
#pragma once

#include <iosfwd>

#include "chess/chess.h"

namespace parlor::chess::inline PARLOR_BOARD {

// Reads commands until `quit` or the end of the input.
void run_uci(std::istream& in, std::ostream& out, const OpenOptions& options,
             const ModifierReader& read = {});

}  // namespace parlor::chess::inline PARLOR_BOARD
