// Games written as text: where they are, and compiling them as the command line asks.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "game/catalog.h"
#include "spec/spec.h"

namespace parlor::cli {

// The folder with the shipped games: $PARLOR_GAMES, else next to the program, else where it was
// installed, else in the source tree it was built from.
std::optional<std::filesystem::path> games_folder();

// Name to file of every shipped game: games/NAME.md, or games/NAME/NAME.md for games of several
// files.
std::map<std::string, std::filesystem::path> shipped_games();

// The file of a shipped game, or the path itself if there is something.
tl::expected<std::filesystem::path, OpenFailure> find_game_file(const std::string& name_or_path);

// The modules that lie ready for a game: ID.rules.md in the folder of a game of several files,
// NAME.ID.rules.md beside a game of one.
std::vector<std::filesystem::path> module_files(const std::filesystem::path& game);

// A compiled game, and the modules it could have been opened with.
struct CompiledGame {
  spec::CompileResult result;
  std::vector<OfferedRule> offered;
};

// Compiles with --set and --rules. A rule is the id of a module of the game, or a module file. A
// `.json` file is a GameDef, which is taken as it is.
tl::expected<CompiledGame, OpenFailure> compile_game_file(
    const std::filesystem::path& file, const std::map<std::string, std::string>& constants,
    const std::vector<std::string>& rules);

}  // namespace parlor::cli
