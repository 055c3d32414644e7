// Boards: `{macro: grid, args: [rows, cols]}` and `{macro: hex, args: [radius]}` in `zones` become
// one zone per cell, with coordinates as attributes, neighbours and named directions.
#pragma once

#include "spec/expand/walk.h"

namespace parlor::spec {

void expand_boards(Expander& expander);
// The board `lines`: a hand-made board, given by its lines.
void make_line_board(Expander& expander, const Node& item, std::string path,
                     std::vector<Node>& out);

}  // namespace parlor::spec
