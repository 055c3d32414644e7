// One sentence of the text notation to the nodes of the tree notation.
//
// Nothing is looked up here that needs types: a bare word becomes {ref: name, name: gold} and
// `$card.rank` becomes {ref: field, of: $card, name: rank}, and lowering finds out what they mean
// (lower/names.cpp), where the scope and the types are known. `pot = 3` becomes {set: {target,
// value}}.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "spec/node.h"

namespace parlor::spec::text {

// What a place in the document expects a text to be.
enum class Expect : std::uint8_t {
  condition,
  number,
  value,  // any value: text stays text unless it begins with `=`
  query,
  statement,
  loop,  // `$x in QUERY`
  zone,
  player,
  binding,
  filter,  // of tokens
  rows,    // of a table
};

// The parameters of a macro, by name; the type is empty when none is declared.
struct MacroParam {
  std::string name, type;
};

// The parameters of the macro whose body is read, with their types.
using Params = std::map<std::string, std::string, std::less<>>;
// Whether an argument of this type is the name of a binding.
bool names_binding(std::string_view type);

// What the parser knows of the game: only what changes how a sentence is put together.
struct Names {
  std::map<std::string, std::vector<MacroParam>, std::less<>> condition_macros, value_macros,
      effect_macros;
  std::set<std::string, std::less<>> token_types, seats;
  std::set<std::string, std::less<>> constants;  // those that no variable shares its name with
  // `next`, `previous`, `opponent`, where the game calls something of its own like that.
  std::set<std::string, std::less<>> taken_words;
  std::string only_phase;  // an action need not say its phase where there is one
};

struct TextError {
  std::size_t begin = 0, end = 0;  // offsets in the text
  std::string message, suggestion;
  std::vector<std::string> alternatives;
};

struct ParseRequest {
  std::string_view text;
  Expect expect = Expect::condition;
  const Names& names;
  const Params& params;      // of the macro whose body this is
  std::string_view element;  // the binding that bare names belong to
  std::function<Origin(std::size_t begin, std::size_t end)> origin;
};

struct ParseResult {
  std::optional<Node> node;
  TextError error;  // when there is no node
};

ParseResult parse(const ParseRequest& request);

// The deepest nesting of parentheses, calls and conditions.
inline constexpr int deepest_nesting = 60;

}  // namespace parlor::spec::text
