// The modules that lie ready for a game written as data: module files and native modules. Which of
// them a game is opened with is decided by the same registry and the same checks as everywhere.
#pragma once

#include <filesystem>
#include <map>

#include "base/source.h"
#include "game/game.h"
#include "rules/rules.h"
#include "spec/front.h"
#include "spec/gamedef/gamedef.h"

namespace parlor::rules {

Module module_of(const spec::ModuleInfo& info);
OfferedRule offered_rule(const Module& module);

class Shelf {
 public:
  // Takes a module file in. Mistakes in its `module` section are reported once; a file that has
  // some is not offered.
  Diagnostics add_file(const std::filesystem::path& file,
                       const spec::FileReader& read = spec::read_file);
  Diagnostics add(const spec::ModuleInfo& info);

  // Every module, in the order of ids.
  std::vector<OfferedRule> offered() const;

  // The ids of the modules asked for as `id` or by the path of a file that was added, in id order;
  // or everything that is wrong with the set.
  tl::expected<std::vector<std::string>, Diagnostics> choose(
      const std::vector<std::string>& asked) const;

  const std::filesystem::path* file_of(std::string_view id) const;
  // What the diagnostics of the file added last quote.
  const SourceTexts& texts() const { return texts_; }

 private:
  Registry registry() const;

  std::map<std::string, Module, std::less<>> modules_;
  std::map<std::string, std::filesystem::path, std::less<>> files_;
  SourceTexts texts_;
};

}  // namespace parlor::rules
