// The front half of the spec compiler: text -> one expanded document. Reading finds the YAML in
// Markdown, checks it strictly and merges imported files; expansion removes every constant, macro,
// template and batch; derivation turns data assets into ordinary sections. What comes out holds
// only plain language nodes, each with the place it was written.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "base/source.h"
#include "spec/document.h"

namespace parlor::spec {

// How far expansion may blow a text up, and how much is read at all. Exceeding is a diagnostic.
struct FrontLimits {
  std::size_t file_bytes = 1u << 20;
  std::size_t block_bytes = 512u << 10;
  std::size_t blocks_per_file = 128;
  std::size_t nesting = 256;
  std::size_t alias_nodes = 200'000;  // nodes made by YAML aliases, per file
  std::size_t built_in_effects = 20'000;
  std::size_t board_zones = 10'000;
  std::size_t macro_nodes = 2'000'000;  // nodes made by macros and templates
  std::size_t piece_combinations = 5'000;
  std::size_t diagnostics = 500;
};

// Gives the text of a file by its path relative to the entry file's folder ("" + name), or nothing.
// It is asked only for files that may be read: the entry, modules, and imports that lie in the
// folder of the file they were imported from first, or in one of the folders of `include`.
using FileLoader = std::function<std::optional<std::string>(std::string_view path)>;

// Gives the bytes of a file, or nothing if there is no such file or it cannot be read.
using FileReader = std::function<std::optional<std::string>(const std::filesystem::path& path)>;
std::optional<std::string> read_file(const std::filesystem::path& path);  // from the disk

struct FrontOptions {
  // name=value overrides of constants; values as written on the command line.
  std::vector<std::pair<std::string, std::string>> set;
  // Module files, merged after the base document in the order of their ids.
  std::vector<std::filesystem::path> modules;
  FileReader read = read_file;
  // Folders besides the game's own in which imports are looked for and may lie.
  std::vector<std::filesystem::path> include;
  FrontLimits limits;
};

struct FrontResult {
  GameSpecDoc doc;
  Diagnostics diagnostics;  // in source order; doc is only complete when there are no errors
  SourceTexts texts;
};

// Reads a `.md` file, a `.yaml`/`.yml` file, or a folder (all its `.md` files by name).
FrontResult read_game(const std::filesystem::path& path, const FrontOptions& options = {});
// The same from memory: `entry` is asked of the loader first, imports after it.
FrontResult read_game(std::string_view entry, const FileLoader& loader,
                      const FrontOptions& options = {});
// One text without imports.
FrontResult read_game_text(std::string_view text, const FrontOptions& options = {},
                           std::string_view name = "game.md");

// A module file on its own: only the section `module` means something then.
FrontResult read_module_file(const std::filesystem::path& path, const FrontOptions& options = {});

}  // namespace parlor::spec
