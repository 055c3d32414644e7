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

// Custom modifiers as data. Where they were written is kept only to show mistakes there.
struct Modifiers {
  Json data;         // null: none
  std::string text;  // as written; empty: the data is all there is
  std::string file;

  bool empty() const { return data.is_null(); }
  friend bool operator==(const Modifiers& a, const Modifiers& b) { return a.data == b.data; }
};

// Everything that may be said when a game is opened: enough to open the same game again elsewhere.
// What a game has no use for is a diagnostic.
struct OpenOptions {
  std::size_t players = 0;                       // 0: as few as the rules allow
  std::map<std::string, std::string> constants;  // --set name=value
  std::vector<std::string> rules;                // --rules, as "id[:scope][@turns]" or a file
  bool explicit_chance = false;
  std::string position;  // --position: a game's own text, e.g. FEN
  std::string layout;    // --layout
  Modifiers modifiers;   // --modifiers

  friend bool operator==(const OpenOptions&, const OpenOptions&) = default;
};
// As traces and sessions keep them: "players", and of "rules", "set", "position", "layout",
// "modifiers", "explicitChance" those that say something. The object read may hold other keys too.
Json to_json(const OpenOptions& options);
tl::expected<OpenOptions, std::string> open_options_from_json(const Json& json);

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
