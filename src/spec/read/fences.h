// The YAML blocks of a Markdown text.
//
// This is a scan of its own and not a Markdown parser's, because the language fixes exactly what a
// block is: three backticks, a label of [A-Za-z0-9_-]*, a line break, and everything up to the next
// three backticks, found in one pass from left to right. CommonMark differs in indentation, longer
// fences, tildes, info strings and backticks inside the block, so using it would read other games.
#pragma once

#include <string_view>
#include <vector>

#include "spec/read/text.h"

namespace parlor::spec {

struct Fence {
  std::size_t open = 0;   // offset of the first backtick
  std::size_t begin = 0;  // body, without the line break after the label
  std::size_t end = 0;
  std::string_view label;
  bool labelled = false;  // `yaml` or `yml`; false: no label, YAML only if it looks like it
};

// The blocks that may hold YAML, in order. Reports what looks like a block but is not one.
std::vector<Fence> find_fences(const TextFile& file, Report& report);

}  // namespace parlor::spec
