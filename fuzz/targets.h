// Everything that reads bytes from outside, one function each: whatever the bytes, there is an
// answer. A target ends the process when a promise is broken: an exception that escapes, a refusal
// without a code, a state that a refusal changed, text that does not survive being written and read
// again. Used by the libFuzzer program (main.cpp) and by the ordinary tests (tests/fuzz).
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace parlor::fuzz {

struct Target {
  std::string_view name;
  std::string_view what;  // is fed to it
  void (*run)(std::string_view input);
  // Inputs to begin with that are made by the program itself, such as saved games.
  std::vector<std::string> (*seeds)();
  // Files of the source tree to begin with, as folder and ending.
  std::vector<std::pair<std::string_view, std::string_view>> files = {};
  std::size_t longest = 20'000;  // bytes
};

std::span<const Target> targets();
const Target* find_target(std::string_view name);

// The inputs a run begins with: seeds(), the files, and fuzz/corpus/NAME.
std::vector<std::string> starting_points(const Target& target);

// The folder with the sources, games and corpora.
std::string source_folder();

// Ends the process, saying what promise was broken.
[[noreturn]] void broken(std::string_view promise, std::string_view details = {});

}  // namespace parlor::fuzz
