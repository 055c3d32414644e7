// The spec compiler: a game's text to a checked GameDef, or to diagnostics that say what is wrong,
// where, and how to fix it.
//
//   const CompileResult result = compile_file("games/tic-tac-toe.md");
//   if (!result.game) std::cout << render(result.diagnostics, result.texts, Colour::never);
//
// The stages are read (Markdown, YAML), expand (macros, templates), derive (data assets), and
// check + lower; front.h has the first three, lower/lower.h the last.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "base/source.h"
#include "spec/front.h"
#include "spec/gamedef/gamedef.h"

namespace parlor::spec {

struct CompileOptions {
  std::map<std::string, std::string> constants;  // overrides, as written on the command line
  std::vector<std::filesystem::path> rules;      // module files
  FileReader read = read_file;
  std::vector<std::filesystem::path>
      include;  // where imports may come from, besides the game's folder
  FrontLimits limits;
  bool unused = false;  // also tell of what is declared and never used
};

struct CompileResult {
  Diagnostics diagnostics;      // in source order, without duplicates, at most limits.diagnostics
  SourceTexts texts;            // what the diagnostics quote
  std::optional<GameDef> game;  // exactly if no diagnostic is an error
};

// A `.md` or `.yaml` file, or a folder of `.md` files. File names in places and diagnostics are
// relative to the entry file's folder.
CompileResult compile_file(const std::filesystem::path& path, const CompileOptions& options = {});
// The same from memory: `entry` is asked of the loader first, then modules and imports.
CompileResult compile_files(std::string_view entry, const FileLoader& files,
                            const CompileOptions& options = {});
// One text without imports.
CompileResult compile_text(std::string_view text, const CompileOptions& options = {},
                           std::string_view name = "game.md");

// What a module file says about itself: who it is, what it needs and what it does not go with.
struct ModuleResult {
  Diagnostics diagnostics;
  SourceTexts texts;
  std::optional<ModuleInfo> module;  // exactly if no diagnostic is an error
};
ModuleResult read_module(const std::filesystem::path& path, const FileReader& read = read_file);

}  // namespace parlor::spec
