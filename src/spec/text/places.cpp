#include "spec/text/places.h"

#include <algorithm>

namespace parlor::spec::text {
namespace {

bool blank(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

// Follows a string through the raw text it was read from. Blanks are folded and quotes and
// backslashes come and go; everything else stands there in the same order.
std::vector<std::size_t> follow(std::string_view string, std::string_view raw, std::size_t at) {
  std::vector<std::size_t> out;
  if (raw.substr(at).starts_with(string)) {
    for (std::size_t i = 0; i <= string.size(); ++i) out.push_back(at + i);
    return out;
  }
  if (at < raw.size() && (raw[at] == '>' || raw[at] == '|')) at = raw.find('\n', at);
  for (const char c : string) {
    if (at >= raw.size()) return {};
    if (blank(c)) {
      out.push_back(at);
      continue;
    }
    while (at < raw.size() && raw[at] != c) {
      if (!blank(raw[at]) && raw[at] != '\\' && raw[at] != '\'' && raw[at] != '"') return {};
      ++at;
    }
    out.push_back(at++);
  }
  out.push_back(at);
  return out;
}

}  // namespace

const Places::File& Places::file(std::uint16_t index) {
  const auto [entry, added] = files_.try_emplace(index);
  File& out = entry->second;
  if (!added) return out;
  out.text = texts_.text(source_.file(index));
  out.lines.push_back(0);
  for (std::size_t i = out.text.find('\n'); i != std::string_view::npos;
       i = out.text.find('\n', i + 1))
    out.lines.push_back(i + 1);
  return out;
}

const std::vector<std::size_t>& Places::offsets(const Node& string) {
  if (last_ == &string) return offsets_;
  last_ = &string;
  offsets_.clear();
  const Place& place = string.origin.place;
  if (!place.known()) return offsets_;
  const File& source = file(place.file);
  if (place.line > source.lines.size()) return offsets_;
  std::size_t at = source.lines[place.line - 1] + place.column - 1;
  // The place of a block of text may be its first line: its sign stands further up.
  offsets_ = follow(string.text, source.text, at);
  return offsets_;
}

Origin Places::of(const Node& string, std::size_t begin, std::size_t end) {
  const std::vector<std::size_t>& where = offsets(string);
  if (where.empty() || begin >= where.size()) return string.origin;
  const File& source = file(string.origin.place.file);
  const std::size_t at = where[begin];
  const auto line = std::ranges::upper_bound(source.lines, at) - source.lines.begin();
  const std::size_t start = source.lines[static_cast<std::size_t>(line - 1)];
  Origin out = string.origin;
  out.place.line = static_cast<std::uint32_t>(line);
  out.place.column = static_cast<std::uint32_t>(at - start + 1);
  const std::size_t last = end > begin && end - 1 < where.size() ? where[end - 1] + 1 : at;
  const std::size_t line_end = std::min(source.text.find('\n', at), source.text.size());
  out.place.end_column =
      last > at ? static_cast<std::uint32_t>(std::min(last, line_end) - start + 1) : 0;
  return out;
}

}  // namespace parlor::spec::text
