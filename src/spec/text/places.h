// Where the characters of a string stand in the file it was written in, whatever YAML made of it:
// plain, in quotes, folded or as a block.
#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "spec/node.h"

namespace parlor::spec::text {

class Places {
 public:
  Places(const SourceTexts& texts, const SourceMap& source) : texts_(texts), source_(source) {}

  // Of bytes [begin, end) of the string's text.
  Origin of(const Node& string, std::size_t begin, std::size_t end);
  // Another string may come to lie where the last one lay.
  void forget() { last_ = nullptr; }

 private:
  struct File {
    std::string_view text;
    std::vector<std::size_t> lines;  // offsets of line starts
  };
  const File& file(std::uint16_t index);
  void follow(const Node& string);

  const SourceTexts& texts_;
  const SourceMap& source_;
  std::map<std::uint16_t, File> files_;
  // Of the string asked about last: whether it stands on its line as it is, and if it does not,
  // where each of its bytes stands; empty when it cannot be found.
  const Node* last_ = nullptr;
  bool plain_ = false;
  std::vector<std::size_t> offsets_;
};

}  // namespace parlor::spec::text
