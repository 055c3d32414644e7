// Where a piece of text stands: file, line and column. Lines and columns count from 1, columns in
// bytes; line 0 means "nowhere in particular".
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace parlor {

struct SourceSpan {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::uint32_t end_line = 0;    // 0: same as line
  std::uint32_t end_column = 0;  // exclusive; 0: one character

  bool known() const { return line != 0; }
  friend auto operator<=>(const SourceSpan&, const SourceSpan&) = default;
};

// The texts diagnostics may quote, by the file name their spans use.
class SourceTexts {
 public:
  void add(std::string file, std::string text);
  // All of a file; empty when it is unknown.
  std::string_view text(std::string_view file) const;
  // One line without its line break; empty when the file or line is unknown.
  std::string_view line(std::string_view file, std::uint32_t number) const;

 private:
  std::map<std::string, std::string, std::less<>> texts_;
};

}  // namespace parlor
