#include "spec/lower/context.h"

#include <fmt/core.h>

namespace parlor::spec::lower {

Context::Context(GameSpecDoc& d, GameDef& g, Diagnostics& diagnostics)
    : doc(d), game(g), report(d.source, diagnostics) {
  game.places.assign(1, PlaceRecord{});
}

Diagnostic& Context::error_at(Code code, const Origin& origin, std::string path,
                              std::string message) {
  return report.error(code, origin, std::move(message), std::move(path));
}

Diagnostic& Context::error(Code code, const Node& node, std::string message) {
  return error_at(code, node.origin, path(), std::move(message));
}

Diagnostic& Context::warning(Code code, const Node& node, std::string message) {
  return warning_at(code, node.origin, path(), std::move(message));
}

Diagnostic& Context::warning_at(Code code, const Origin& origin, std::string path,
                                std::string message) {
  return report.warning(code, origin, std::move(message), std::move(path));
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
  game.places.push_back({std::string{doc.source.file(at.file)}, at.line, at.column, path(),
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
    diagnostic.suggestion = fmt::format("use {}", name_list(candidates, "or"));
}

}  // namespace parlor::spec::lower
