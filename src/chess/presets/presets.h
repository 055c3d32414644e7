// The presets and piece types Parlor ships, by chapter. Each function adds its chapter to a list;
// standard.cpp puts them together and says which do not go with each other.
#pragma once

#include "chess/engine.h"

namespace parlor::chess::inline PARLOR_BOARD::presets {

void royalty(std::vector<Preset>& out);
void objectives(std::vector<Preset>& out);
void turns(std::vector<Preset>& out);
void movement(std::vector<Preset>& out);
void variants(std::vector<Preset>& out);
void damage(std::vector<Preset>& out);
// Registers the piece types as well.
void pieces(Rulebook& book, std::vector<Preset>& out);
void large_boards(Rulebook& book, std::vector<Preset>& out);
TypeInfo type_info(std::string id, std::string name, char letter,
                   std::array<std::string, 2> symbols, int value, Ways ways);

// A preset with its description and nothing else yet.
Preset describe(std::string id, std::string name, std::string category, std::string description);

}  // namespace parlor::chess::inline PARLOR_BOARD::presets
