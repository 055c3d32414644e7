// The one place where all games of the program are put together: native games, shipped games
// written as data, and game files given by path.
#pragma once

#include "game/catalog.h"

namespace parlor::cli {

Catalog make_catalog();

}  // namespace parlor::cli
