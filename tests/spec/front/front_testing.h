// Short ways to run the front half on text and to say what it should answer.
#pragma once

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

#include "spec/front.h"

namespace parlor::spec::testing {

// A Markdown file with one YAML block.
inline std::string fenced(std::string_view yaml) {
  return fmt::format("```yaml\n{}\n```\n", yaml);
}

inline FrontResult read(std::string_view yaml, const FrontOptions& options = {}) {
  return read_game_text(fenced(yaml), options);
}

// Several files by name; the first is the entry.
inline FrontResult read_files(const std::map<std::string, std::string>& files,
                              std::string_view entry, const FrontOptions& options = {}) {
  return read_game(
      entry,
      [&](std::string_view path) -> std::optional<std::string> {
        const auto found = files.find(std::string{path});
        if (found == files.end()) return std::nullopt;
        return found->second;
      },
      options);
}

// "CODE line:column" of every diagnostic, in order.
inline std::vector<std::string> codes(const FrontResult& result) {
  std::vector<std::string> out;
  for (const Diagnostic& d : result.diagnostics.all())
    out.push_back(fmt::format("{} {}:{}", code_name(d.code), d.span.line, d.span.column));
  return out;
}

// Only the codes.
inline std::vector<Code> only_codes(const FrontResult& result) {
  std::vector<Code> out;
  for (const Diagnostic& d : result.diagnostics.all()) out.push_back(d.code);
  return out;
}

inline std::string rendered(const FrontResult& result) {
  return render(result.diagnostics, result.texts, Colour::never);
}

// The text of a section, or "" when it is absent.
inline std::string section_text(const FrontResult& result, Section section) {
  const Node* node = result.doc.find(section);
  return node == nullptr ? std::string{} : to_text(*node);
}

using Codes = std::vector<std::string>;

}  // namespace parlor::spec::testing
