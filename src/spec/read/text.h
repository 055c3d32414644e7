// One source file as read: its bytes and where its lines start, so that a byte offset can be
// turned into a line and a column.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "spec/place.h"
#include "spec/report.h"

namespace parlor::spec {

class TextFile {
 public:
  TextFile(std::uint16_t index, std::string text);

  std::uint16_t index() const { return index_; }
  std::string_view text() const { return text_; }
  // The place of bytes [begin, end); an end on a later line is cut off at the line's end. Readers
  // that go through the file say which line they have seen last, which saves the search.
  Place place(std::size_t begin, std::size_t end = 0, std::uint32_t near_line = 0) const;
  std::size_t line_start(std::uint32_t line) const { return starts_[line - 1]; }
  // A line by number, without its line break.
  std::string_view line(std::uint32_t number) const;
  std::uint32_t line_count() const { return static_cast<std::uint32_t>(starts_.size()); }

 private:
  std::uint32_t line_of(std::size_t offset, std::uint32_t near_line) const;

  std::uint16_t index_;
  std::string text_;
  std::vector<std::size_t> starts_;  // offsets of line starts
};

// Refuses what cannot be game text at all: invalid UTF-8, NUL and other control characters. False
// when the file must not be read any further.
bool check_encoding(const TextFile& file, Report& report);

}  // namespace parlor::spec
