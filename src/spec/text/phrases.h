// The sentences of the text notation, taken apart: phrases.def has the list.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace parlor::spec::text {

enum class Family : std::uint8_t { effect, query, condition, relation, value };

enum class FieldKind : std::uint8_t {
  value,
  condition,
  query,
  zone,
  player,
  binding,
  token,
  word,
  words,
  name,
  cell,
  directions,
  table,
  props,
  filter,
  position,
  amount,
};

// One piece of a pattern.
struct Part {
  enum class Kind : std::uint8_t { word, field, optional, set };
  Kind kind = Kind::word;
  std::string_view word;         // Kind::word
  std::string_view key, value;   // the node's key; Kind::set: what it is set to
  FieldKind field{};             // Kind::field
  std::string_view element;      // of a condition: the binding its bare names belong to
  std::vector<Part> parts = {};  // Kind::optional
};

struct Phrase {
  Family family{};
  std::string_view node;     // the effect's key, the query, the operator or the reference
  std::string_view pattern;  // as written in the list
  std::vector<Part> parts;
};

// Values that are written {name: {…}}, not {ref: name, …}.
bool is_wrapped_value(std::string_view node);

std::span<const Phrase> phrases();
// Those of a family that begin with a word, in order.
const std::vector<const Phrase*>& phrases_of(Family family, std::string_view first_word);
// Those that stand for a node, in order.
std::vector<const Phrase*> phrases_for(Family family, std::string_view node);

}  // namespace parlor::spec::text
