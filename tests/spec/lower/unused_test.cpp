// L-20: what is declared and never used is told, of shipped games too.
#include <filesystem>
#include <gtest/gtest.h>

#include "source_dir.h"
#include "spec/spec.h"

namespace parlor::spec {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> shipped_games() {
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(fs::path(PARLOR_SOURCE_DIR) / "games")) {
    const fs::path inside = entry.path() / (entry.path().filename().string() + ".md");
    if (entry.path().extension() == ".md") out.push_back(entry.path());
    if (entry.is_directory() && fs::exists(inside)) out.push_back(inside);
  }
  return out;
}

TEST(Unused, NothingIsInShippedGames_L20) {
  CompileOptions options;
  options.unused = true;
  const std::vector<fs::path> games = shipped_games();
  EXPECT_GE(games.size(), 26u);
  for (const fs::path& game : games) {
    const CompileResult result = compile_file(game, options);
    EXPECT_TRUE(result.diagnostics.all().empty())
        << render(result.diagnostics, result.texts, Colour::never);
  }
}

}  // namespace
}  // namespace parlor::spec
