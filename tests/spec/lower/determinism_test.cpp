// The same text gives the same bytes, wherever it lies and in whatever order its files were made.
#include <algorithm>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/json.h"
#include "spec/lower/lower_testing.h"

namespace parlor::spec::testing {
namespace {

namespace fs = std::filesystem;

class Folder {
 public:
  explicit Folder(std::string_view name)
      : path_(fs::temp_directory_path() / fmt::format("parlor-{}-{}", name, getpid())) {
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const fs::path& path() const { return path_; }
  void write(const std::string& name, std::string_view yaml) const {
    std::ofstream{path_ / name, std::ios::binary} << fmt::format("```yaml\n{}\n```\n", yaml);
  }

 private:
  fs::path path_;
};

struct File {
  std::string name;
  std::string yaml;
};

const std::vector<File>& parts() {
  static const std::vector<File> out{
      {"a-game.md", std::string{world}},
      {"b-actions.md",
       "actions:\n  - { id: other, phase: [main] }\n"
       "  - { id: ask, phase: [main], effects: "
       "[{ pushInterruptPhase: { phase: ask, resumePhase: main } }] }"},
      {"c-vars.md", "globalVars: [{ name: c, type: int, init: 0, min: 0, max: 9 }]"},
      {"d-vars.md", "globalVars: [{ name: d, type: int, init: 0, min: 0, max: 9 }]"},
  };
  return out;
}

std::string bytes(const fs::path& path) {
  const CompileResult result = compile_file(path);
  EXPECT_TRUE(result.game) << rendered(result);
  return result.game ? canonical(to_json(*result.game)) : std::string{};
}

TEST(Determinism, TheOrderOfFilesOnDiskDoesNotMatter) {
  const Folder forwards{"forwards"}, backwards{"backwards"};
  std::vector<File> files = parts();
  for (const File& file : files) forwards.write(file.name, file.yaml);
  std::ranges::reverse(files);
  for (const File& file : files) backwards.write(file.name, file.yaml);
  EXPECT_EQ(bytes(forwards.path()), bytes(backwards.path()));
}

TEST(Determinism, ImportsCountInTheOrderTheyAreWritten) {
  const Folder folder{"imports"};
  for (const File& file : parts()) folder.write(file.name, file.yaml);
  folder.write("one.md", "imports: [a-game.md, b-actions.md, c-vars.md, d-vars.md]");
  folder.write("two.md", "imports: [a-game.md, b-actions.md, d-vars.md, c-vars.md]");
  const CompileResult one = compile_file(folder.path() / "one.md");
  const CompileResult two = compile_file(folder.path() / "two.md");
  ASSERT_TRUE(one.game && two.game) << rendered(one) << rendered(two);
  const auto names = [](const CompileResult& r) {
    std::vector<std::string> out;
    for (const VarDef& var : r.game->global_vars) out.push_back(var.name);
    return out;
  };
  EXPECT_EQ(names(one), (std::vector<std::string>{"pot", "open", "c", "d"}));
  EXPECT_EQ(names(two), (std::vector<std::string>{"pot", "open", "d", "c"}));
}

TEST(Determinism, WhereTheGameLiesDoesNotMatter) {
  const Folder here{"here"}, there{"there"};
  for (const File& file : parts()) {
    here.write(file.name, file.yaml);
    there.write(file.name, file.yaml);
  }
  EXPECT_EQ(bytes(here.path()), bytes(there.path()));
}

}  // namespace
}  // namespace parlor::spec::testing
