#include <algorithm>

#include "spec/expand/macros.h"

namespace parlor::spec {
namespace {

const Node* argument(const Arguments& args, const Node& node) {
  const Node* name = param_name(node);
  if (name == nullptr) return nullptr;
  const auto found =
      std::ranges::find(args, name->text, &std::pair<std::string, const Node*>::first);
  return found == args.end() ? nullptr : found->second;
}

}  // namespace

const Node* param_name(const Node& node) {
  if (!node.is_map() || node.entries.size() != 1 || node.entries[0].key != "param") return nullptr;
  return node.entries[0].value.is_string() ? &node.entries[0].value : nullptr;
}

void substitute(Node& node, const Arguments& args, bool splice) {
  if (const Node* value = argument(args, node)) {
    node = *value;
    return;
  }
  for (Entry& entry : node.entries) substitute(entry.value, args, splice);
  bool grew = false;
  for (Node& item : node.items) {
    const Node* value = argument(args, item);
    if (value == nullptr)
      substitute(item, args, splice);
    else
      grew = true;
  }
  if (!grew) return;
  std::vector<Node> out;
  for (Node& item : node.items) {
    const Node* value = argument(args, item);
    if (value == nullptr)
      out.push_back(std::move(item));
    else if (splice && value->is_list())
      out.insert(out.end(), value->items.begin(), value->items.end());
    else
      out.push_back(*value);
  }
  node.items = std::move(out);
}

namespace {

std::size_t count_with(const Node& node, const Arguments& args,
                       const std::vector<std::size_t>& sizes) {
  if (const Node* value = argument(args, node))
    for (std::size_t i = 0; i < args.size(); ++i)
      if (args[i].second == value) return sizes[i];
  Node alone;
  alone.text = node.text;
  std::size_t out = count_nodes(alone);
  for (const Node& item : node.items) out += count_with(item, args, sizes);
  for (const Entry& entry : node.entries) out += count_with(entry.value, args, sizes);
  return out;
}

}  // namespace

std::size_t count_substituted(const Node& node, const Arguments& args) {
  std::vector<std::size_t> sizes;
  for (const auto& [name, value] : args)
    sizes.push_back(value == nullptr ? 1 : count_nodes(*value));
  return count_with(node, args, sizes);
}

}  // namespace parlor::spec
