#include "spec/text/phrases.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace parlor::spec::text {
namespace {

FieldKind kind_of_field(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, FieldKind>, 17> kinds{{
      {"value", FieldKind::value},
      {"condition", FieldKind::condition},
      {"query", FieldKind::query},
      {"zone", FieldKind::zone},
      {"player", FieldKind::player},
      {"binding", FieldKind::binding},
      {"token", FieldKind::token},
      {"word", FieldKind::word},
      {"words", FieldKind::words},
      {"name", FieldKind::name},
      {"cell", FieldKind::cell},
      {"directions", FieldKind::directions},
      {"table", FieldKind::table},
      {"props", FieldKind::props},
      {"filter", FieldKind::filter},
      {"position", FieldKind::position},
      {"amount", FieldKind::amount},
  }};
  return std::ranges::find(kinds, name, &std::pair<std::string_view, FieldKind>::first)->second;
}

std::string_view take_word(std::string_view& rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  const std::string_view out = rest.substr(0, rest.find(' '));
  rest.remove_prefix(out.size());
  return out;
}

Part read_field_part(std::string_view text) {
  Part out;
  text = text.substr(1, text.size() - 2);
  const std::size_t colon = text.find(':');
  out.kind = Part::Kind::field;
  out.key = text.substr(0, colon);
  const std::string_view kind = text.substr(colon + 1);
  const std::size_t slash = kind.find('/');
  out.field = kind_of_field(kind.substr(0, slash));
  if (slash != std::string_view::npos) out.element = kind.substr(slash + 1);
  return out;
}

std::vector<Part> read_parts(std::string_view& rest) {
  std::vector<Part> out;
  out.reserve(10);  // of nearly every pattern: it is read once in every program that reads text
  while (true) {
    const std::string_view word = take_word(rest);
    if (word.empty() || word == "]") return out;
    Part part;
    if (word == "[") {
      part.kind = Part::Kind::optional;
      part.parts = read_parts(rest);
    } else if (word.front() == '<') {
      part = read_field_part(word);
    } else if (word.size() > 1 && word.front() == '=') {
      part.kind = Part::Kind::set;
      part.key = word.substr(1, word.find(':') - 1);
      part.value = word.substr(word.find(':') + 1);
    } else {
      part.word = word;
    }
    out.push_back(std::move(part));
  }
}

std::vector<Phrase> read_phrases() {
  struct Line {
    Family family;
    std::string_view node, pattern;
  };
  constexpr Line lines[] = {
#define PHRASE(family, node, pattern) {Family::family, #node, pattern},
#include "spec/text/phrases.def"
#undef PHRASE
  };
  std::vector<Phrase> out;
  out.reserve(std::size(lines));
  for (const Line& line : lines) {
    std::string_view rest = line.pattern;
    out.push_back({line.family, line.node, line.pattern, read_parts(rest)});
  }
  return out;
}

}  // namespace

bool is_wrapped_value(std::string_view node) {
  constexpr std::array<std::string_view, 9> names{
      "item",        "rank",     "distance", "components", "largestComponent",
      "longestPath", "numberOf", "zoneAt",   "tokenAt"};
  return std::ranges::find(names, node) != names.end();
}

std::span<const Phrase> phrases() {
  static const std::vector<Phrase> list = read_phrases();
  return list;
}

const std::vector<const Phrase*>& phrases_of(Family family, std::string_view first_word) {
  using Index = std::map<std::pair<Family, std::string_view>, std::vector<const Phrase*>>;
  static const Index index = [] {
    Index out;
    for (const Phrase& phrase : phrases())
      out[{phrase.family, phrase.parts.front().word}].push_back(&phrase);
    return out;
  }();
  static const std::vector<const Phrase*> none;
  const auto found = index.find({family, first_word});
  return found == index.end() ? none : found->second;
}

std::vector<const Phrase*> phrases_for(Family family, std::string_view node) {
  std::vector<const Phrase*> out;
  for (const Phrase& phrase : phrases())
    if (phrase.family == family && phrase.node == node) out.push_back(&phrase);
  return out;
}

}  // namespace parlor::spec::text
