// A node tree as YAML, laid out by one hand: short things on a line, long things below each other,
// with the comments and blank lines of the text it was read from.
#pragma once

#include <string>
#include <string_view>

#include "spec/node.h"

namespace parlor::spec::text {

// Whose line breaks count: those of whoever wrote the text, if it says what the tree does already,
// or those of the rules here.
enum class Breaks : std::uint8_t { written, ruled };

// `source` is the text of the block the tree was read from, `first_line` the number of its first
// line in its file, which is what the nodes' places count.
std::string lay_out(const Node& root, std::string_view source, std::uint32_t first_line,
                    Breaks breaks);

}  // namespace parlor::spec::text
