#include "spec/text/phrases.h"

#include <algorithm>
#include <array>
#include <atomic>
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

struct Line {
  Family family;
  std::string_view node, pattern;
};
constexpr Line lines[] = {
#define PHRASE(family, node, pattern) {Family::family, #node, pattern},
#include "spec/text/phrases.def"
#undef PHRASE
};

Phrase read_phrase(const Line& line) {
  std::string_view rest = line.pattern;
  return {line.family, line.node, line.pattern, read_parts(rest)};
}

// Empty: it begins with something else.
std::string_view first_word_of(std::string_view pattern) {
  const std::string_view word = take_word(pattern);
  return word.front() == '<' || word.front() == '[' ? std::string_view{} : word;
}

// Phrases that begin alike. Most games use a few: each group is read when it is first asked for,
// and kept until the program is gone, since taking them apart costs more than reading them.
struct Group {
  std::vector<const Line*> written;
  std::atomic<const std::vector<const Phrase*>*> read = nullptr;
};
using Groups = std::map<std::pair<Family, std::string_view>, Group>;

}  // namespace

bool is_wrapped_value(std::string_view node) {
  constexpr std::array<std::string_view, 9> names{
      "item",        "rank",     "distance", "components", "largestComponent",
      "longestPath", "numberOf", "zoneAt",   "tokenAt"};
  return std::ranges::find(names, node) != names.end();
}

std::span<const Phrase> phrases() {
  static const auto& list = *[] {
    auto* out = new std::vector<Phrase>;
    for (const Line& line : lines) out->push_back(read_phrase(line));
    return out;
  }();
  return list;
}

const std::vector<const Phrase*>& phrases_of(Family family, std::string_view first_word) {
  static Groups& groups = *[] {
    auto* out = new Groups;
    for (const Line& line : lines)
      (*out)[{line.family, first_word_of(line.pattern)}].written.push_back(&line);
    return out;
  }();
  static const std::vector<const Phrase*> none;
  const auto found = groups.find({family, first_word});
  if (found == groups.end()) return none;
  Group& group = found->second;
  if (const auto* read = group.read.load(std::memory_order_acquire)) return *read;
  auto* made = new std::vector<const Phrase*>;
  for (const Line* line : group.written) made->push_back(new Phrase(read_phrase(*line)));
  const std::vector<const Phrase*>* other = nullptr;  // somebody else may have been faster
  return group.read.compare_exchange_strong(other, made) ? *made : *other;
}

std::vector<const Phrase*> phrases_for(Family family, std::string_view node) {
  std::vector<const Phrase*> out;
  for (const Phrase& phrase : phrases())
    if (phrase.family == family && phrase.node == node) out.push_back(&phrase);
  return out;
}

}  // namespace parlor::spec::text
