// What a construct of the language has where: positions.def is the list.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "spec/node.h"

namespace parlor::spec::text {

enum class Holds : std::uint8_t {
  condition,
  conditionList,
  number,
  numberList,
  numbers,  // a mapping from names to numbers
  value,
  values,  // a mapping from names to values
  query,
  queryList,
  effects,
  filter,
  filterList,
  zoneFilter,  // a condition, or {owner, condition}
  rows,
  node,
  each,
};

struct Position {
  std::string_view construct, key;
  Holds holds;
  std::string_view detail;
};

// What a construct has, in the order of the list.
std::span<const Position> positions_of(std::string_view construct);
const Position* find_position(std::string_view construct, std::string_view key);

// The constructs that nodes are; empty for what is none.
std::string condition_construct(const Node& node);
// {when: CONDITION, reason: TEXT}: the condition; nullptr: it is none of these.
Node* reasoned(Node& node);
std::string value_construct(const Node& node);
std::string query_construct(const Node& node);
bool is_condition_operator(std::string_view op);

}  // namespace parlor::spec::text
