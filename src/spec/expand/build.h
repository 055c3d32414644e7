// Builds nodes that all stand at one origin: for expansions that write language of their own.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spec/node.h"

namespace parlor::spec {

struct Build {
  Origin origin;

  Node text(std::string_view value) const { return Node::of_string(std::string{value}, origin); }
  Node number(std::int64_t value) const { return Node::of_integer(value, origin); }
  Node list(std::vector<Node> items) const {
    Node out = Node::of_list(origin);
    out.items = std::move(items);
    return out;
  }
  // A key with its value, which is moved out of the list it is given in: much may lie in it.
  struct Part {
    std::string_view key;
    mutable Node value;
  };
  using Parts = std::initializer_list<Part>;
  Node map(Parts parts) const {
    Node out = Node::of_map(origin);
    out.entries.reserve(parts.size());
    for (const Part& part : parts)
      out.entries.push_back(
          {std::string{part.key}, part.value.origin.place, std::move(part.value)});
    return out;
  }
};

}  // namespace parlor::spec
