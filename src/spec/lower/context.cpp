#include "spec/lower/context.h"

#include <fmt/core.h>

namespace parlor::spec::lower {

Context::Context(const GameSpecDoc& d, GameDef& g, Diagnostics& diagnostics)
    : doc(d), game(g), diagnostics_(diagnostics) {
  game.places.assign(1, PlaceRecord{});
}

Context::Step::Step(std::string& path, std::string_view name) : path_(path), length_(path.size()) {
  if (!path.empty()) path += '.';
  path += name;
}

Diagnostic& Context::add(Diagnostic diagnostic) {
  std::size_t& count = diagnostic.severity == Severity::error ? errors_ : warnings_;
  if (++count <= most_reported) return diagnostics_.add(std::move(diagnostic));
  return surplus_ = std::move(diagnostic);
}

Diagnostic& Context::error_at(Code code, const Origin& origin, std::string path,
                              std::string message) {
  return add(doc.source.at(code, origin, std::move(message), std::move(path)));
}

Diagnostic& Context::error(Code code, const Node& node, std::string message) {
  return error_at(code, node.origin, path_, std::move(message));
}

Diagnostic& Context::warning(Code code, const Node& node, std::string message) {
  return warning_at(code, node.origin, path_, std::move(message));
}

Diagnostic& Context::warning_at(Code code, const Origin& origin, std::string path,
                                std::string message) {
  Diagnostic out = doc.source.at(code, origin, std::move(message), std::move(path));
  out.severity = Severity::warning;
  return add(std::move(out));
}

Diagnostic& Context::unknown(Code code, const Node& node, std::string_view what,
                             std::string_view name, const std::vector<std::string>& candidates) {
  Diagnostic& out = error(code, node, fmt::format("there is no {} `{}`", what, name));
  if (!flooded()) suggest(out, what, name, candidates);
  return out;
}

PlaceId Context::place(const Node& node) {
  const Place& at = node.origin.place;
  if (!at.known()) return {};
  game.places.push_back({std::string{doc.source.file(at.file)}, at.line, at.column, path_,
                         via(node.origin.expansion)});
  return {static_cast<std::uint32_t>(game.places.size() - 1)};
}

Int Context::via(ExpansionIndex expansion) {
  if (expansion == 0) return 0;
  if (const auto found = via_.find(expansion); found != via_.end()) return found->second;
  const Expansion& step = doc.source.expansion(expansion);
  const Int outer = via(step.parent);
  Int index = outer;
  if (step.invocation.known()) {
    game.places.push_back({std::string{doc.source.file(step.invocation.file)}, step.invocation.line,
                           step.invocation.column, step.name, outer});
    index = static_cast<Int>(game.places.size() - 1);
  }
  via_.emplace(expansion, index);
  return index;
}

std::string quoted_list(std::span<const std::string> names, std::string_view last_word) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) out += i + 1 == names.size() ? fmt::format(" {} ", last_word) : ", ";
    out += fmt::format("`{}`", names[i]);
  }
  return out;
}

void suggest(Diagnostic& diagnostic, std::string_view what, std::string_view name,
             const std::vector<std::string>& candidates) {
  constexpr std::size_t few = 12;
  diagnostic.alternatives = did_you_mean(name, candidates);
  for (const std::string_view quote : {"\u201c", "\u201d", "\u2018", "\u2019"})
    if (name.find(quote) != std::string_view::npos)
      diagnostic.suggestion = "typographic quotes are part of the text; write \" instead";
  if (!diagnostic.alternatives.empty() || !diagnostic.suggestion.empty()) return;
  if (candidates.empty())
    diagnostic.suggestion = fmt::format("the game declares no {} at all", what);
  else if (candidates.size() <= few)
    diagnostic.suggestion = fmt::format("use {}", quoted_list(candidates));
}

}  // namespace parlor::spec::lower
