// Games written as data, opened as games: text is compiled, a GameDef is read, and the kernel runs
// it.
#pragma once

#include <filesystem>

#include "game/catalog.h"

namespace parlor::cli {

// A game file (.md, .yaml, a folder) or a compiled GameDef (.json).
Opened open_data_game(const std::filesystem::path& file, const OpenOptions& options);

// Adds all shipped games by name, and everything else by path.
void register_data_games(Catalog& catalog);

}  // namespace parlor::cli
