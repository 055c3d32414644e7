// What all commands declare, gathered for those who write pages about them: the manual and the
// completions of shells.
#pragma once

#include <string>
#include <vector>

namespace parlor::cli {

struct FlagPage {
  std::string names;  // "-h,--help"
  std::string value;  // what it takes, e.g. "N"; empty: nothing
  std::string help;
  std::vector<std::string> long_names;  // "--help"
};

struct CommandPage {
  std::string name;
  std::string summary;
  std::string example;
  std::vector<FlagPage> positionals;  // by `names`
  std::vector<FlagPage> flags;
  std::vector<CommandPage> verbs;  // `parlor session new`
};

std::vector<CommandPage> command_pages();

}  // namespace parlor::cli
