// One YAML block to a node tree: the YAML 1.2 core schema, unique keys, no tags, one document.
#pragma once

#include <optional>

#include "spec/node.h"
#include "spec/read/text.h"
#include "spec/report.h"

namespace parlor::spec {

struct YamlLimits {
  std::size_t nesting = 256;
  std::size_t alias_nodes = 200'000;
};

struct YamlBlock {
  const TextFile* file;
  std::size_t begin = 0;  // offsets in the file
  std::size_t end = 0;
};

// Nothing when the block cannot be read (then there are errors) or is empty. `alias_nodes` of the
// limits is what is left for this file and is lowered by what the block used.
std::optional<Node> parse_yaml(const YamlBlock& block, YamlLimits& limits, Report& report);

// True if the block is YAML with a mapping at its root; reports nothing.
bool is_yaml_mapping(const YamlBlock& block);

}  // namespace parlor::spec
