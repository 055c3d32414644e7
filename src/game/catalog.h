// How a game is opened by name. Native games register an opener; games written as data are opened
// by the kernel. Command line, tests, server and Python all go through `Catalog::open`.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "game/game.h"

namespace parlor {

// Everything that may be said when a game is opened; what a game has no use for is a diagnostic.
struct OpenOptions {
  std::size_t players = 0;                       // 0: as few as the rules allow
  std::map<std::string, std::string> constants;  // --set name=value
  std::vector<std::string> rules;                // --rules, as "id[:scope][@turns]" or a file
  bool explicit_chance = false;
  std::string position;   // --position: a game's own text, e.g. FEN
  std::string layout;     // --layout
  std::string modifiers;  // --modifiers: a file
};

// What went wrong when a game was opened, with the texts its diagnostics quote.
struct OpenFailure {
  Diagnostics diagnostics;
  SourceTexts texts;
};
using Opened = tl::expected<std::shared_ptr<const Game>, OpenFailure>;

// A single error as a failure, for openers that have only one thing to say.
OpenFailure open_failure(Code code, std::string message,
                         std::vector<std::string> alternatives = {});

class Catalog {
 public:
  using Opener = std::function<Opened(const std::string& name, const OpenOptions& options)>;

  // A game known by name. Registering a name twice is a programming error.
  void add(std::string name, Opener opener);
  // Asked for everything that is not a known name, e.g. a path to a game file.
  void set_file_opener(Opener opener);

  Opened open(const std::string& name_or_path, const OpenOptions& options = {}) const;
  std::vector<std::string> names() const;  // sorted

 private:
  std::map<std::string, Opener> openers_;
  Opener file_opener_;
};

}  // namespace parlor
