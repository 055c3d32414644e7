// The modules that lie ready for a game written as data: module files and native modules. Which of
// them a game is opened with is decided by the same registry and the same checks as everywhere.
#pragma once

#include <filesystem>
#include <map>

#include "base/source.h"
#include "game/game.h"
#include "kernel/module.h"
#include "rules/rules.h"
#include "spec/front.h"

namespace parlor::open {

OfferedRule offered_rule(const rules::Module& module);

class Shelf {
 public:
  // Takes a module file in. Mistakes in its `module` section are reported once; a file that has
  // some is not offered.
  Diagnostics add_file(const std::filesystem::path& file,
                       const spec::FileReader& read = spec::read_file);
  Diagnostics add(const rules::Module& module);
  // A native module. A file of the same id is its other half.
  Diagnostics add_native(std::shared_ptr<const kernel::NativeModule> module);

  // Every module, in the order of ids.
  std::vector<OfferedRule> offered() const;

  // The modules asked for as `id[:scope][@turns]`, the id being that of a module or the path of a
  // file that was added, in id order; or everything that is wrong with the set.
  tl::expected<std::vector<rules::Request>, Diagnostics> choose(
      const std::vector<std::string>& asked) const;

  const std::filesystem::path* file_of(std::string_view id) const;
  std::shared_ptr<const kernel::NativeModule> native(std::string_view id) const;  // or null
  // What the diagnostics of the file added last quote.
  const SourceTexts& texts() const { return texts_; }

 private:
  std::map<std::string, rules::Module, std::less<>> modules_;
  std::map<std::string, std::filesystem::path, std::less<>> files_;
  std::map<std::string, std::shared_ptr<const kernel::NativeModule>, std::less<>> natives_;
  SourceTexts texts_;
};

}  // namespace parlor::open
