#include "spec/text/places.h"

#include <algorithm>

namespace parlor::spec::text {
namespace {

bool blank(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

// Follows a string through the raw text it was read from. Blanks are folded and quotes and
// backslashes come and go; everything else stands there in the same order.
std::vector<std::size_t> followed(std::string_view string, std::string_view raw, std::size_t at) {
  std::vector<std::size_t> out;
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

void Places::follow(const Node& string) {
  if (last_ == &string) return;
  last_ = &string;
  plain_ = false;
  offsets_.clear();
  const Place& place = string.origin.place;
  if (!place.known()) return;
  const File& source = file(place.file);
  if (place.line > source.lines.size()) return;
  const std::size_t at = source.lines[place.line - 1] + place.column - 1;
  plain_ = source.text.substr(std::min(at, source.text.size())).starts_with(string.text) &&
           string.text.find('\n') == std::string::npos;
  if (!plain_) offsets_ = followed(string.text, source.text, at);
}

Origin Places::of(const Node& string, std::size_t begin, std::size_t end) {
  follow(string);
  Origin out = string.origin;
  if (plain_ && begin <= string.text.size()) {
    const auto first = string.origin.place.column;
    out.place.column = first + static_cast<std::uint32_t>(begin);
    const std::size_t last = std::min(end, string.text.size() + 1);
    out.place.end_column = last > begin ? first + static_cast<std::uint32_t>(last) : 0;
    return out;
  }
  if (offsets_.empty() || begin >= offsets_.size()) return string.origin;
  const File& source = file(string.origin.place.file);
  const std::size_t at = offsets_[begin];
  const auto line = std::ranges::upper_bound(source.lines, at) - source.lines.begin();
  const std::size_t start = source.lines[static_cast<std::size_t>(line - 1)];
  out.place.line = static_cast<std::uint32_t>(line);
  out.place.column = static_cast<std::uint32_t>(at - start + 1);
  const std::size_t last = end > begin && end - 1 < offsets_.size() ? offsets_[end - 1] + 1 : at;
  const std::size_t line_end = std::min(source.text.find('\n', at), source.text.size());
  out.place.end_column =
      last > at ? static_cast<std::uint32_t>(std::min(last, line_end) - start + 1) : 0;
  return out;
}

}  // namespace parlor::spec::text
