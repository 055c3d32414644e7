#include "spec/place.h"

#include <fmt/core.h>

namespace parlor::spec {
namespace {

std::string_view kind_text(ExpansionKind kind) {
  switch (kind) {
    case ExpansionKind::none:
      return "text";
    case ExpansionKind::alias:
      return "alias";
    case ExpansionKind::constant:
      return "constant";
    case ExpansionKind::effect_macro:
      return "macro";
    case ExpansionKind::condition_macro:
      return "condition macro";
    case ExpansionKind::value_macro:
      return "value macro";
    case ExpansionKind::phase_template:
      return "phase template";
    case ExpansionKind::zone_template:
      return "zone template";
    case ExpansionKind::batch:
      return "batch";
    case ExpansionKind::generate:
      return "generated pieces";
    case ExpansionKind::board:
      return "board";
    case ExpansionKind::builtin:
      return "built-in";
    case ExpansionKind::data_asset:
      return "data asset";
  }
  return {};
}

}  // namespace

std::uint16_t SourceMap::add_file(std::string name) {
  files_.push_back(std::move(name));
  return static_cast<std::uint16_t>(files_.size() - 1);
}

std::string_view SourceMap::file(std::uint16_t index) const {
  return index < files_.size() ? std::string_view{files_[index]} : std::string_view{};
}

ExpansionIndex SourceMap::add_expansion(Expansion expansion) {
  expansions_.push_back(std::move(expansion));
  return static_cast<ExpansionIndex>(expansions_.size() - 1);
}

SourceSpan SourceMap::span(const Place& place) const {
  if (!place.known()) return {};
  return {std::string{file(place.file)}, place.line, place.column, 0, place.end_column};
}

std::vector<RelatedPlace> SourceMap::story(ExpansionIndex index) const {
  constexpr std::size_t longest = 12;  // deeper nesting is forbidden anyway
  std::vector<RelatedPlace> out;
  for (; index != 0 && out.size() < longest; index = expansions_[index].parent) {
    const Expansion& step = expansions_[index];
    const std::string what = step.name.empty()
                                 ? std::string{kind_text(step.kind)}
                                 : fmt::format("{} `{}`", kind_text(step.kind), step.name);
    out.push_back({fmt::format("expanded from {} used here", what), span(step.invocation)});
  }
  return out;
}

Diagnostic SourceMap::at(Code code, const Origin& origin, std::string message,
                         std::string path) const {
  Diagnostic out{.code = code, .message = std::move(message)};
  out.path = std::move(path);
  out.span = span(origin.place);
  out.related = story(origin.expansion);
  return out;
}

}  // namespace parlor::spec
