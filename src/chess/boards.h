// Which board a game is played on. Each is a compilation of its own (geometry.h); this is the one
// place where they meet.
#pragma once

#include <string_view>

#include "chess/chess.h"
#include "chess/pgn.h"

namespace parlor::chess {

// Opens a game on a board of this size. opener.cpp defines it, once for each board.
template <int files, int ranks>
Opened open_on(const OpenOptions& options, const ModifierReader& read);

// What there is of one board.
struct BoardServices {
  int files, ranks;
  std::string_view name;  // of its set-up and its rule
  Opened (*open)(const OpenOptions&, const ModifierReader&);
  ReadPgn (*read_pgn)(std::string_view, std::string_view*);
};
// The board other than 8×8 that these options ask for, by a set-up, a rule or the form of a
// position; nothing: it is 8×8.
const BoardServices* other_board(const OpenOptions& options);

// The names of set-ups that are played on other boards.
std::vector<std::string> large_layouts();

}  // namespace parlor::chess
