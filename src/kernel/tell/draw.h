// Boards as text, for people at a terminal.
#pragma once

#include <string>
#include <vector>

#include "kernel/run/machine.h"
#include "kernel/tell/boards.h"
#include "kernel/tell/wording.h"

namespace parlor::kernel {

// How many columns a text takes.
std::size_t width_of(std::string_view text);

// Draws the board, if there is one that fits a terminal; gives the zones that were drawn.
std::vector<bool> draw_board(Machine& machine, const Wording& wording, const Eyes& eyes,
                             std::string& out);

}  // namespace parlor::kernel
