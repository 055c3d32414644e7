#include "cli/catalog.h"

#include <cstdlib>
#include <system_error>

#include "chess/chess.h"

namespace parlor::cli {

namespace fs = std::filesystem;

std::optional<fs::path> games_folder() {
  std::error_code error;
  if (const char* chosen = std::getenv("PARLOR_GAMES"); chosen != nullptr && *chosen != '\0')
    return fs::path{chosen};
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& folder :
       {program / "games", program / "../games", program / "../share/parlor/games",
        fs::path{PARLOR_SOURCE_DIR} / "games"})
    if (fs::is_directory(folder, error)) return folder.lexically_normal();
  return std::nullopt;
}

Catalog make_catalog() {
  Catalog catalog;
  chess::register_chess(catalog);
  return catalog;
}

}  // namespace parlor::cli
