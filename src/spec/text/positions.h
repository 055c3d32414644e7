// Where the constructs of the language hold text: what its own table (gamedef/language.h) says is
// expected in their fields, as far as it can be said in text.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "spec/gamedef/language.h"
#include "spec/node.h"

namespace parlor::spec::text {

enum class Holds : std::uint8_t {
  condition,
  condition_list,
  number,
  number_list,
  numbers,  // a mapping from names to numbers
  value,
  values,  // a mapping from names to values
  query,
  query_list,
  effects,
  filter,
  zone_filter,  // a condition, or {owner, condition}
  rows,
  spoken,  // a text with values in braces, or a list of texts and values
  node,
  each,  // a list of nodes
};

struct Positions;
struct Position {
  std::string_view key;
  Holds holds{};
  std::string_view element = {};     // the binding that bare names belong to
  const Positions* inner = nullptr;  // of `node` and `each`: what those hold
};

// What one construct has.
struct Positions {
  std::vector<Position> list;
  bool itself = false;          // there is one, and it is the whole construct: {require: CONDITION}
  std::string_view alone = {};  // the key that need not be written: {say: TEXT}

  const Position* find(std::string_view key) const;
};

// Nothing for what holds no text, or is no construct.
const Positions* positions_of(spec::Family family, std::string_view construct);

// The construct that a condition, a value (`ref` and `op`) or a query is.
const Positions* condition_positions(const Node& node);
const Positions* value_positions(const Node& node);
const Positions* query_positions(const Node& node);

// {when: CONDITION, reason: TEXT}: the condition; nullptr: it is none of these.
Node* reasoned(Node& node);
bool is_condition_operator(std::string_view op);
bool is_comparison(std::string_view op);

}  // namespace parlor::spec::text
