// Keeping a macro's bindings apart from everybody else's.
//
// Before arguments are put in, every binding the macro's body makes and does not export gets a
// name of its own for this one use. The order matters: text that comes in as an argument still
// means what it meant where it was written, so neither side can capture the other's names.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "spec/node.h"

namespace parlor::spec {

// The keys whose value is the name of a binding that is made there.
bool is_binder_key(std::string_view key);
// Names made anywhere below a node, in order of appearance, each once.
std::vector<std::string> declared_bindings(const Node& node);

class Renaming {
 public:
  void add(const std::string& name, std::string replacement);
  // What a name becomes; itself when it is not renamed.
  std::string of(const std::string& name) const;
  // Renames in all strings below a node: whole names, names in zone selectors ("hand:$p") and in
  // templates ("$moved@{$space}").
  void apply(Node& node) const;

 private:
  std::string rewrite(const std::string& text) const;
  std::string rewrite_parts(std::string_view text) const;

  std::map<std::string, std::string, std::less<>> names_;
  std::vector<std::pair<std::string, std::string>> prefixes_;  // of templated names, longest first
};

// "$__macro_<id>_<path>_<stem>" with everything but letters and digits of id and path as "_".
std::string local_name(std::string_view macro, std::string_view path, std::string_view name);

}  // namespace parlor::spec
