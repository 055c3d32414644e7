// Asking a person at a terminal for a line: with editing, history and completion where there is
// libedit and a terminal, plainly elsewhere.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"

namespace parlor::cli {

class Prompt {
 public:
  explicit Prompt(Context& context) : context_(context) {}
  // A line without control characters and blanks around it; nothing at the end of the input.
  // `words`: what the tabulator may complete.
  std::optional<std::string> ask(const std::string& prompt, std::vector<std::string> words);

 private:
  Context& context_;
};

// What somebody typed or sent, without anything that a terminal would obey.
std::string without_controls(std::string_view text);

}  // namespace parlor::cli
