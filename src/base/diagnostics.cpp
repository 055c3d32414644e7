#include "base/diagnostics.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <tuple>
#include <unistd.h>

namespace parlor {
namespace {

struct CodeEntry {
  std::string_view name;
  std::string_view help;
};

constexpr CodeEntry code_entries[] = {
#define CODE(name, help) {#name, help},
#include "base/codes.def"
#undef CODE
};

constexpr Code code_values[] = {
#define CODE(name, help) Code::name,
#include "base/codes.def"
#undef CODE
};

auto order_of(const Diagnostic& d) {
  return std::tie(d.span.file, d.span.line, d.span.column, d.path, d.severity, d.code, d.message);
}

struct Palette {
  std::string_view error = "", warning = "", info = "", dim = "", bold = "", reset = "";
};

Palette palette(Colour colour) {
  if (colour == Colour::never) return {};
  return {"\033[1;31m", "\033[1;33m", "\033[1;36m", "\033[2m", "\033[1m", "\033[0m"};
}

std::string_view severity_colour(const Palette& p, Severity severity) {
  switch (severity) {
    case Severity::error:
      return p.error;
    case Severity::warning:
      return p.warning;
    case Severity::info:
      return p.info;
  }
  return {};
}

// The quoted line with a caret below it. Tabs are shown as one blank so that the caret fits.
std::string code_frame(const SourceSpan& span, const SourceTexts& texts, const Palette& p,
                       std::string_view caret_colour) {
  constexpr std::size_t widest = 160;
  const std::string_view full = texts.line(span.file, span.line);
  if (full.empty()) return {};
  std::size_t column = span.column == 0 ? 0 : span.column - 1;
  column = std::min(column, full.size());
  // A very long line is shown around the column that matters.
  const std::size_t first = column > widest / 2 ? column - widest / 2 : 0;
  std::string quoted{full.substr(first, widest)};
  std::ranges::replace(quoted, '\t', ' ');
  std::size_t width = 1;
  if (span.end_column > span.column && (span.end_line == 0 || span.end_line == span.line))
    width = span.end_column - span.column;
  width = std::max<std::size_t>(1, std::min(width, quoted.size() - (column - first)));

  const std::string number = std::to_string(span.line);
  const std::string margin(number.size(), ' ');
  std::string out;
  out += fmt::format("{}{} |{}\n", p.dim, margin, p.reset);
  out += fmt::format("{}{} |{} {}\n", p.dim, number, p.reset, quoted);
  out +=
      fmt::format("{}{} |{} {}{}{}{}\n", p.dim, margin, p.reset, std::string(column - first, ' '),
                  caret_colour, std::string(width, '^'), p.reset);
  return out;
}

std::string place(const SourceSpan& span) {
  if (!span.known()) return span.file;
  return fmt::format("{}:{}:{}", span.file, span.line, span.column);
}

}  // namespace

std::string_view code_name(Code code) {
  return code_entries[static_cast<std::size_t>(code)].name;
}
std::string_view code_help(Code code) {
  return code_entries[static_cast<std::size_t>(code)].help;
}
std::span<const Code> all_codes() {
  return code_values;
}

std::optional<Code> find_code(std::string_view name) {
  for (const Code code : all_codes())
    if (code_name(code) == name) return code;
  return std::nullopt;
}

std::string_view severity_name(Severity severity) {
  constexpr std::array<std::string_view, 3> names{"error", "warning", "info"};
  return names[static_cast<std::size_t>(severity)];
}

Diagnostic& Diagnostics::add(Diagnostic diagnostic) {
  return list_.emplace_back(std::move(diagnostic));
}

void Diagnostics::append(const Diagnostics& other) {
  list_.insert(list_.end(), other.list_.begin(), other.list_.end());
}

void Diagnostics::sort() {
  std::ranges::stable_sort(list_,
                           [](const auto& a, const auto& b) { return order_of(a) < order_of(b); });
  const auto [first, last] = std::ranges::unique(
      list_, [](const auto& a, const auto& b) { return order_of(a) == order_of(b); });
  list_.erase(first, last);
}

bool Diagnostics::has_errors() const {
  return std::ranges::any_of(list_, [](const auto& d) { return d.severity == Severity::error; });
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Optimal string alignment with three rolling rows.
  std::vector<std::size_t> before(b.size() + 1), previous(b.size() + 1), current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, previous[j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        current[j] = std::min(current[j], before[j - 2] + 1);
    }
    std::swap(before, previous);
    std::swap(previous, current);
  }
  return previous[b.size()];
}

std::vector<std::string> did_you_mean(std::string_view name,
                                      std::span<const std::string> candidates, std::size_t most) {
  const auto lower = [](std::string_view text) {
    std::string out{text};
    for (char& c : out)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return out;
  };
  constexpr std::size_t longest = 64;  // nobody mistypes more, and the distance is quadratic
  if (name.size() > longest) return {};
  const std::string wanted = lower(name);
  const std::size_t limit = std::max<std::size_t>(1, (name.size() + 1) / 3);
  std::size_t left = 2000;  // a text with thousands of mistakes must not compare millions of names
  std::vector<std::pair<std::size_t, std::string_view>> near;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > longest || candidate == name) continue;
    if (candidate.size() > name.size() + limit || name.size() > candidate.size() + limit) continue;
    if (left-- == 0) break;
    const std::size_t distance = edit_distance(wanted, lower(candidate));
    if (distance <= limit) near.emplace_back(distance, candidate);
  }
  std::ranges::sort(near);
  std::vector<std::string> out;
  for (const auto& [distance, candidate] : near) {
    if (out.size() == most) break;
    if (std::ranges::find(out, candidate) == out.end()) out.emplace_back(candidate);
  }
  return out;
}

Colour colour_for(int file_descriptor) {
  const char* no_colour = std::getenv("NO_COLOR");
  if (no_colour != nullptr && *no_colour != '\0') return Colour::never;
  return isatty(file_descriptor) == 1 ? Colour::always : Colour::never;
}

std::string render(const Diagnostic& d, const SourceTexts& texts, Colour colour) {
  const Palette p = palette(colour);
  const std::string_view tint = severity_colour(p, d.severity);
  std::string out = fmt::format("{}{}[{}]{}{}: {}{}\n", tint, severity_name(d.severity),
                                code_name(d.code), p.reset, p.bold, d.message, p.reset);
  const std::string where = place(d.span);
  if (!where.empty() || !d.path.empty())
    out +=
        fmt::format("{} --> {}{}{}\n", p.dim, p.reset, where,
                    d.path.empty() ? "" : fmt::format("{}({})", where.empty() ? "" : "  ", d.path));
  out += code_frame(d.span, texts, p, tint);
  if (!d.suggestion.empty()) out += fmt::format("{}help:{} {}\n", p.bold, p.reset, d.suggestion);
  if (!d.alternatives.empty()) {
    std::string names;
    for (const auto& alternative : d.alternatives)
      names += fmt::format("{}`{}`", names.empty() ? "" : ", ", alternative);
    out += fmt::format("{}did you mean:{} {}\n", p.bold, p.reset, names);
  }
  for (const auto& related : d.related) {
    out +=
        fmt::format("{}note:{} {} ({})\n", p.bold, p.reset, related.message, place(related.span));
    out += code_frame(related.span, texts, p, p.info);
  }
  return out;
}

std::string render(const Diagnostics& diagnostics, const SourceTexts& texts, Colour colour) {
  std::string out;
  std::size_t errors = 0, warnings = 0;
  for (const auto& d : diagnostics.all()) {
    if (!out.empty()) out += '\n';
    out += render(d, texts, colour);
    errors += d.severity == Severity::error ? 1 : 0;
    warnings += d.severity == Severity::warning ? 1 : 0;
  }
  if (errors + warnings > 0)
    out += fmt::format("\n{} error{}, {} warning{}\n", errors, errors == 1 ? "" : "s", warnings,
                       warnings == 1 ? "" : "s");
  return out;
}

nlohmann::json to_json(const Diagnostic& d) {
  nlohmann::json out{{"code", code_name(d.code)},     {"severity", severity_name(d.severity)},
                     {"message", d.message},          {"path", d.path},
                     {"file", d.span.file},           {"line", d.span.line},
                     {"column", d.span.column},       {"suggestion", nullptr},
                     {"alternatives", d.alternatives}};
  if (!d.suggestion.empty()) out["suggestion"] = d.suggestion;
  if (!d.related.empty()) {
    auto& related = out["related"] = nlohmann::json::array();
    for (const auto& r : d.related)
      related.push_back({{"message", r.message},
                         {"file", r.span.file},
                         {"line", r.span.line},
                         {"column", r.span.column}});
  }
  return out;
}

nlohmann::json to_json(const Diagnostics& diagnostics) {
  auto out = nlohmann::json::array();
  for (const auto& d : diagnostics.all()) out.push_back(to_json(d));
  return out;
}

}  // namespace parlor
