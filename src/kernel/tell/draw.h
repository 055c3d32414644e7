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
// Words after a heading, with line breaks where a page ends.
void add_list(std::string heading, const std::vector<std::string>& items,
              std::string_view separator, std::string& out);
// The words of a text in the same way.
void add_words(const std::string& heading, std::string_view text, std::string& out);

// Draws the board, if there is one that fits a terminal; gives the zones that were drawn.
Table<ZoneId, bool> draw_board(Machine& machine, const Wording& wording, const Eyes& eyes,
                               std::string& out);

}  // namespace parlor::kernel
