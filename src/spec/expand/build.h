// Builds nodes that all stand at one origin: for expansions that write language of their own.
#pragma once

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
  Node map(std::vector<std::pair<std::string_view, Node>> entries) const {
    Node out = Node::of_map(origin);
    for (auto& [key, value] : entries) out.set(key, std::move(value));
    return out;
  }
};

}  // namespace parlor::spec
