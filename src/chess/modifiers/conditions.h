#pragma once

#include "chess/modifiers/descriptor.h"

namespace parlor::chess::inline PARLOR_BOARD::modifiers {

std::optional<std::size_t> column_of(const Engine& engine, const std::string& name);
// Of the piece as it stands now.
bool holds(const Engine& engine, const Piece& piece, const Condition& condition);

}  // namespace parlor::chess::inline PARLOR_BOARD::modifiers
