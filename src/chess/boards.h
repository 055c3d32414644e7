// Which board a game is played on. Each is a compilation of its own (geometry.h); this is the one
// place where they meet.
#pragma once

#include <string_view>

#include "chess/chess.h"

namespace parlor::chess {

// Opens a game on a board of this size. opener.cpp defines it, once for each board.
template <int files, int ranks>
Opened open_on(const OpenOptions& options, const ModifierReader& read);

using BoardOpener = Opened (*)(const OpenOptions&, const ModifierReader&);
// The board other than 8×8 that these options ask for, by a set-up, a rule or the form of a
// position; nothing: it is 8×8.
BoardOpener other_board(const OpenOptions& options);

// The names of set-ups that are played on other boards.
std::vector<std::string> large_layouts();

}  // namespace parlor::chess
