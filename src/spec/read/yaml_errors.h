// Turns what the YAML parser says about a syntax error into what the author did wrong and how to
// fix it.
#pragma once

#include <string>
#include <vector>

#include "spec/read/yaml.h"

namespace parlor::spec {

struct YamlSyntaxError {
  std::string message;                     // the parser's words
  std::uint32_t line = 0;                  // in the block, from 1
  std::uint32_t column = 0;                // in characters, from 1
  std::vector<std::size_t> open_brackets;  // file offsets of `[` and `{` not closed yet
  std::size_t parsed_to = 0;               // file offset behind the last scalar that was read
  bool after_block_text = false;           // the last value was a `|` or `>` text
};

void explain_yaml_error(const YamlSyntaxError& error, const YamlBlock& block, Report& report);

}  // namespace parlor::spec
