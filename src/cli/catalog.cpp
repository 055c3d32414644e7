#include "cli/catalog.h"

#include "chess/chess.h"
#include "cli/data_games.h"

namespace parlor::cli {

Catalog make_catalog() {
  Catalog catalog;
  chess::register_chess(catalog);
  register_data_games(catalog);
  return catalog;
}

}  // namespace parlor::cli
