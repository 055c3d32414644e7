#include "spec/report.h"

#include <algorithm>
#include <fmt/core.h>

#include "spec/slips.h"

namespace parlor::spec {

Diagnostic& Report::add(Diagnostic diagnostic) {
  // Far more than is ever shown, so that sorting by place still shows the first ones.
  constexpr std::size_t most = 5'000;
  std::size_t& count = diagnostic.severity == Severity::error ? errors_ : warnings_;
  if (++count <= most) return diagnostics_.add(std::move(diagnostic));
  return overflow_ = std::move(diagnostic);
}

Diagnostic& Report::error(Code code, const Origin& origin, std::string message, std::string path) {
  return add(source_.at(code, origin, std::move(message), std::move(path)));
}

Diagnostic& Report::warning(Code code, const Origin& origin, std::string message,
                            std::string path) {
  Diagnostic out = source_.at(code, origin, std::move(message), std::move(path));
  out.severity = Severity::warning;
  return add(std::move(out));
}

namespace {

bool same_mistake(const Diagnostic& a, const Diagnostic& b) {
  return a.code == b.code && a.severity == b.severity && a.span == b.span &&
         a.message == b.message && a.related.empty() == b.related.empty();
}

// A mistake in a macro comes back with every use of it, and one in a short form with everything it
// stands for. It is one mistake: one diagnostic, with a few of the uses. Expects sorted
// diagnostics, in which the same place comes in a row.
Diagnostics fold_uses(const Diagnostics& diagnostics) {
  constexpr std::size_t shown = 3;
  Diagnostics out;
  const auto all = diagnostics.all();
  for (std::size_t i = 0; i < all.size();) {
    std::size_t end = i + 1;
    while (end < all.size() && same_mistake(all[i], all[end])) ++end;
    Diagnostic& kept = out.add(all[i]);
    const bool uses = !kept.related.empty();
    for (std::size_t use = i + 1; uses && use < end && use - i < shown; ++use)
      kept.related.push_back(all[use].related.front());
    if (uses && end - i > shown)
      kept.related.back().message += fmt::format(", and {} more times", end - i - shown);
    i = end;
  }
  return out;
}

}  // namespace

Diagnostics finish(Diagnostics diagnostics, std::size_t most) {
  diagnostics.sort();
  diagnostics = fold_uses(diagnostics);
  const auto all = diagnostics.all();
  if (all.size() <= most || most == 0) return diagnostics;
  Diagnostics out;
  for (const Diagnostic& diagnostic : all.first(most - 1)) out.add(diagnostic);
  // An error must stay an error even if the ones shown are warnings.
  const bool hidden_error = std::ranges::any_of(
      all.subspan(most - 1), [](const Diagnostic& d) { return d.severity == Severity::error; });
  out.add({.code = Code::DIAGNOSTICS_TRUNCATED,
           .severity = hidden_error ? Severity::error : Severity::warning,
           .message = fmt::format("{} more diagnostics are not shown", all.size() - most + 1)});
  return out;
}

std::vector<std::string> nearest(std::string_view name,
                                 std::span<const std::string_view> candidates) {
  return did_you_mean(name, std::vector<std::string>(candidates.begin(), candidates.end()));
}

std::vector<std::string> nearest(std::string_view name,
                                 const std::vector<std::string>& candidates) {
  return did_you_mean(name, candidates);
}

std::string name_list(std::span<const std::string> names, std::string_view last_word) {
  constexpr std::size_t most = 24;  // a longer list helps nobody
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i == most) return fmt::format("{} and {} more", out, names.size() - most);
    if (i > 0) out += i + 1 == names.size() ? fmt::format(" {} ", last_word) : ", ";
    out += fmt::format("`{}`", names[i]);
  }
  return out;
}

void relate(Diagnostic& diagnostic, const SourceMap& source, std::string message,
            const Place& place) {
  if (place.known()) diagnostic.related.push_back({std::move(message), source.span(place)});
}

std::string Path::text() const {
  std::string out = root_;
  for (const Piece& piece : pieces_) {
    if (!out.empty()) out += '.';
    out += piece.key.empty() ? std::to_string(piece.index) : std::string{piece.key};
  }
  return out;
}

bool is_compiler_mark(std::string_view key) {
  return key == "internalDecisionId" || key == "_k" || key == "_t" || key == "footprint";
}

bool is_prose(const Entry& entry) {
  constexpr std::string_view keys[] = {"comment",   "comments", "description", "note",     "notes",
                                       "rationale", "source",   "title",       "reference"};
  const auto is_text = [](const Node& node) { return node.is_string(); };
  const bool text = entry.value.is_string() ||
                    (entry.value.is_list() && std::ranges::all_of(entry.value.items, is_text));
  return text && std::ranges::find(keys, entry.key) != std::end(keys);
}

std::string prose_message(std::string_view what, std::string_view key) {
  return fmt::format("{} has no key `{}`: what it says is for people only", what, key);
}

}  // namespace parlor::spec
