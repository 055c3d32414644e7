// Putting a game together: from a name or a file, with constants, modules, a set-up and modifiers.
// Command line, tests, servers and embedders all open games through this header.
//
//   const Catalog catalog = open::catalog();              // chess and the shipped games, by name
//   auto game = catalog.open("coalition", {.rules = {"economy"}});
//   if (!game) std::cout << render(game.error().diagnostics, game.error().texts, Colour::never);
//
// What an OpenOptions says is data that can be stored and sent: whoever has it opens the same game
// again. Only where `Files::by_path` is given may a name also be the path of a file.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "game/catalog.h"
#include "kernel/module.h"
#include "spec/spec.h"

namespace parlor::open {

// Whether the name of a game or of a module may be a path. Where names come from strangers it may
// not.
enum class Files : std::uint8_t { none, by_path };

// Every game there is: native ones, the shipped ones written as data and, if allowed, any game file
// (.md, .yaml, a folder, a compiled GameDef as .json).
// Games written as data can be opened with these native modules, and with those that lie ready
// (module_libraries), by their ids.
Catalog catalog(Files files = Files::none, kernel::NativeModules natives = {});

// The shared objects with native modules that whoever runs this program lets be used: those of the
// folder $PARLOR_MODULES. They are asked for by the ids of their modules, like any other; only
// where paths are allowed may one that lies elsewhere be named by its path.
std::vector<std::filesystem::path> module_libraries();
tl::expected<std::shared_ptr<const kernel::NativeModule>, Diagnostic> load_module(
    const std::filesystem::path& file);

// ---- Games written as text, for tools that want more than the game: where they are, and compiling
// them as `catalog` does.

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
  kernel::NativeModules natives = {};  // in force; the game has been extended by them
};

// Compiles with the constants and rules of `options`. A rule is the id of a module of the game or,
// if allowed, a module file. A `.json` file is a GameDef, which is taken as it is. However often a
// text is needed, `read` is asked for it once. Imports lie in the folder of the game (or module)
// that names them, or in one of the folders `include`.
using Folders = std::vector<std::filesystem::path>;
tl::expected<CompiledGame, OpenFailure> compile_game_file(
    const std::filesystem::path& file, const OpenOptions& options, Files files,
    const Folders& include = {}, const spec::FileReader& read = spec::read_file,
    const kernel::NativeModules& natives = {});
// The same as a game that can be played.
Opened open_game_file(const std::filesystem::path& file, const OpenOptions& options, Files files,
                      const Folders& include = {}, const kernel::NativeModules& natives = {});

// The modifiers in a YAML or JSON file, as data.
tl::expected<Modifiers, OpenFailure> read_modifiers(const std::filesystem::path& file);

}  // namespace parlor::open
