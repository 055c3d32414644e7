// A game file laid out in the text notation, or in the tree notation: `parlor fmt`.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostics.h"
#include "spec/front.h"

namespace parlor::spec {

enum class Notation : std::uint8_t { text, tree };

struct FormatResult {
  Diagnostics diagnostics;
  SourceTexts texts;
  std::optional<std::string> text;  // exactly if no diagnostic is an error
};

// `game` is the file that `path` is a part of; the names it declares decide what a word means.
// Prose, comments and the order of things stay.
FormatResult format_file(const std::filesystem::path& path, const std::filesystem::path& game,
                         Notation notation, const FileReader& read = read_file);
// The same from memory: both are asked of the loader.
FormatResult format_files(std::string_view path, std::string_view game, const FileLoader& files,
                          Notation notation);
// One text without imports.
FormatResult format_text(std::string_view text, Notation notation,
                         std::string_view name = "game.md");

}  // namespace parlor::spec
