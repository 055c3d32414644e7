// A game's files: the entry file, what it imports, and what those import.
#pragma once

#include <deque>
#include <filesystem>
#include <map>
#include <set>

#include "base/source.h"
#include "spec/document.h"
#include "spec/front.h"
#include "spec/read/sections.h"
#include "spec/read/text.h"
#include "spec/report.h"

namespace parlor::spec {

class Loader {
 public:
  Loader(const FileLoader& files, const FrontOptions& options, Report& report, SourceTexts& texts)
      : files_(files),
        include_(options.include),
        limits_(options.limits),
        report_(report),
        texts_(texts) {}

  // Reads a file and everything it imports into `sections`, imported files first, each file once.
  // False if the entry file itself cannot be read.
  bool load(const std::string& entry, Sections& sections);
  // The same without imports.
  bool load_alone(const std::string& entry, Sections& sections);
  // Several files as one source: what a folder gives. Files with a `module` section are left out.
  void load_folder(const std::vector<std::string>& entries, Sections& sections);

 private:
  bool visit(const std::string& path, const Node* import, Sections& into);
  std::optional<Fragment> read_file(const std::string& path, const Node* import);
  void read_markdown(const TextFile& file, Fragment& fragment);
  void import_all(const std::string& path, const Node& imports, Sections& into);
  void import_file(const std::string& path, const Node& import, const std::string& at,
                   Sections& into);
  bool may_import(const std::filesystem::path& path) const;
  void report_cycle(const std::string& path, const Node& import);

  const FileLoader& files_;
  std::filesystem::path home_;  // the folder of the file that was loaded first
  const std::vector<std::filesystem::path>& include_;
  const FrontLimits& limits_;
  Report& report_;
  SourceTexts& texts_;
  std::deque<TextFile> read_;
  std::set<std::string, std::less<>> done_;
  std::vector<std::string> chain_;  // files being imported, outermost first
};

}  // namespace parlor::spec
