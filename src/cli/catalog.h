// The one place where all games of the program are put together: native games, shipped games
// written as data, and game files given by path.
#pragma once

#include <filesystem>
#include <optional>

#include "game/catalog.h"

namespace parlor::cli {

Catalog make_catalog();

// The folder with the shipped games: $PARLOR_GAMES, else next to the program, else where it was
// installed, else in the source tree it was built from.
std::optional<std::filesystem::path> games_folder();

}  // namespace parlor::cli
