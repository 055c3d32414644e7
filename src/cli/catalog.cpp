#include "cli/catalog.h"

#include "chess/chess.h"

namespace parlor::cli {

Catalog make_catalog() {
  Catalog catalog;
  chess::register_chess(catalog);
  return catalog;
}

}  // namespace parlor::cli
