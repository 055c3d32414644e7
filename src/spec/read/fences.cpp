#include "spec/read/fences.h"

#include <fmt/core.h>

namespace parlor::spec {
namespace {

constexpr std::string_view ticks = "```";

bool label_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

bool says_yaml(std::string_view label) {
  std::string lower{label};
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower == "yaml" || lower == "yml";
}

// Where the body starts when a line break follows the label, else npos.
std::size_t after_line_break(std::string_view text, std::size_t at) {
  if (text.substr(at).starts_with("\r\n")) return at + 2;
  if (text.substr(at).starts_with("\n")) return at + 1;
  return std::string_view::npos;
}

bool first_on_its_line(std::string_view text, std::size_t at) {
  while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '>')) --at;
  return at == 0 || text[at - 1] == '\n';
}

void warn_about_tildes(const TextFile& file, std::size_t from, std::size_t to, Report& report) {
  const std::string_view text = file.text();
  for (std::size_t at = text.find("~~~", from); at < to; at = text.find("~~~", at + 3)) {
    std::size_t end = at + 3;
    while (end < text.size() && label_character(text[end])) ++end;
    if (!first_on_its_line(text, at) || !says_yaml(text.substr(at + 3, end - at - 3))) continue;
    report.warning(Code::FENCE_IGNORED, {file.place(at, end)}, "a block between `~~~` is not read")
        .suggestion = "use three backticks: ```yaml";
  }
}

}  // namespace

std::vector<Fence> find_fences(const TextFile& file, Report& report) {
  const std::string_view text = file.text();
  std::vector<Fence> out;
  std::size_t at = 0, outside = 0;
  while ((at = text.find(ticks, at)) != std::string_view::npos) {
    std::size_t label_end = at + ticks.size();
    while (label_end < text.size() && label_character(text[label_end])) ++label_end;
    const std::string_view label = text.substr(at + ticks.size(), label_end - at - ticks.size());
    const std::size_t begin = after_line_break(text, label_end);
    if (begin == std::string_view::npos) {
      if (says_yaml(label) && first_on_its_line(text, at))
        report
            .warning(Code::FENCE_IGNORED, {file.place(at, label_end)},
                     fmt::format("this block is not read: something follows the label `{}`", label))
            .suggestion = "end the line right after the label: ```yaml";
      ++at;
      continue;
    }
    const std::size_t end = text.find(ticks, begin);
    if (end == std::string_view::npos) {
      if (says_yaml(label))
        report
            .error(Code::FENCE_UNCLOSED, {file.place(at, label_end)},
                   "the block that starts here is never closed")
            .suggestion = "end it with a line of three backticks";
      ++at;
      continue;
    }
    warn_about_tildes(file, outside, at, report);
    if (says_yaml(label) && !first_on_its_line(text, end))
      report
          .warning(Code::FENCE_BACKTICKS, {file.place(end, end + ticks.size())},
                   "three backticks inside the block end it here")
          .suggestion = "put the closing backticks on a line of their own, and none into the YAML";
    if (label.empty() || says_yaml(label)) out.push_back({at, begin, end, label, !label.empty()});
    at = outside = end + ticks.size();
  }
  warn_about_tildes(file, outside, text.size(), report);
  return out;
}

}  // namespace parlor::spec
