#include "spec/read/text.h"

#include <algorithm>
#include <fmt/core.h>

namespace parlor::spec {
namespace {

// Length of the valid UTF-8 sequence at the front, 0 if there is none.
std::size_t sequence_length(std::string_view rest) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(rest[i]); };
  const unsigned char lead = byte(0);
  std::size_t length = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
  if (length == 0 || lead > 0xf4 || rest.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  if (lead == 0xe0 && byte(1) < 0xa0) return 0;  // overlong
  if (lead == 0xed && byte(1) > 0x9f) return 0;  // surrogates
  if (lead == 0xf0 && byte(1) < 0x90) return 0;  // overlong
  if (lead == 0xf4 && byte(1) > 0x8f) return 0;  // beyond U+10FFFF
  return length;
}

bool forbidden_control(unsigned char c) {
  return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f;
}

}  // namespace

TextFile::TextFile(std::uint16_t index, std::string text) : index_(index), text_(std::move(text)) {
  starts_.push_back(0);
  for (std::size_t at = text_.find('\n'); at != std::string::npos; at = text_.find('\n', at + 1))
    starts_.push_back(at + 1);
}

std::uint32_t TextFile::line_of(std::size_t offset, std::uint32_t near_line) const {
  constexpr std::uint32_t steps = 4;
  if (near_line > 0 && near_line <= starts_.size() && starts_[near_line - 1] <= offset)
    for (std::uint32_t line = near_line; line < near_line + steps; ++line)
      if (line == starts_.size() || starts_[line] > offset) return line;
  return static_cast<std::uint32_t>(std::ranges::upper_bound(starts_, offset) - starts_.begin());
}

Place TextFile::place(std::size_t begin, std::size_t end, std::uint32_t near_line) const {
  begin = std::min(begin, text_.size());
  Place out{.file = index_};
  out.line = line_of(begin, near_line);
  const std::size_t start = starts_[out.line - 1];
  out.column = static_cast<std::uint32_t>(begin - start + 1);
  if (end > begin) {
    const std::size_t line_end = out.line == starts_.size() ? text_.size() : starts_[out.line] - 1;
    const std::size_t stop = std::min(end, line_end);
    out.end_column = stop > begin ? static_cast<std::uint32_t>(stop - start + 1) : 0;
  }
  return out;
}

std::string_view TextFile::line(std::uint32_t number) const {
  if (number == 0 || number > starts_.size()) return {};
  const std::size_t begin = starts_[number - 1];
  const std::size_t end = number < starts_.size() ? starts_[number] - 1 : text_.size();
  std::string_view out = std::string_view{text_}.substr(begin, end - begin);
  if (out.ends_with('\r')) out.remove_suffix(1);
  return out;
}

bool check_encoding(const TextFile& file, Report& report) {
  const std::string_view text = file.text();
  for (std::size_t at = 0; at < text.size();) {
    const auto c = static_cast<unsigned char>(text[at]);
    if (c >= 0x20 && c < 0x7f) {  // nearly all of any game
      ++at;
      continue;
    }
    if (forbidden_control(c)) {
      report
          .error(Code::TEXT_CONTROL_CHARACTER, {file.place(at)},
                 fmt::format("the file contains the control character 0x{:02x}", c))
          .suggestion =
          c == 0 ? "the file is binary, or saved as UTF-16; save it as UTF-8 text"
                 : "delete the character; tabs and line breaks are the only ones allowed";
      return false;
    }
    const std::size_t length = sequence_length(text.substr(at));
    if (length == 0) {
      report
          .error(Code::TEXT_ENCODING, {file.place(at)},
                 fmt::format("byte 0x{:02x} is not valid UTF-8 here", c))
          .suggestion = "save the file as UTF-8";
      return false;
    }
    at += length;
  }
  return true;
}

}  // namespace parlor::spec
