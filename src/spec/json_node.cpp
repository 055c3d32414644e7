#include "spec/json_node.h"

#include <nlohmann/json.hpp>

namespace parlor::spec {

Node to_node(const nlohmann::json& json, const Origin& origin) {
  if (json.is_boolean()) return Node::of_boolean(json.get<bool>(), origin);
  if (json.is_number_integer()) return Node::of_integer(json.get<std::int64_t>(), origin);
  if (json.is_string()) return Node::of_string(json.get<std::string>(), origin);
  if (json.is_array()) {
    Node out = Node::of_list(origin);
    for (const nlohmann::json& item : json) out.items.push_back(to_node(item, origin));
    return out;
  }
  if (!json.is_object()) return Node::of_null(origin);
  Node out = Node::of_map(origin);
  for (const auto& [key, value] : json.items()) out.set(key, to_node(value, origin));
  return out;
}

}  // namespace parlor::spec
