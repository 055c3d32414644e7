// The fuzz corpus: the same bytes always give the same answer. (tests/fuzz feeds it to the
// targets.)
#include <filesystem>
#include <fstream>
#include <sstream>

#include "source_dir.h"
#include "spec/front/front_testing.h"

namespace parlor::spec::testing {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> texts_in(std::string_view folder) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator{fs::path{PARLOR_SOURCE_DIR} / folder})
    if (entry.path().extension() != ".expected") paths.push_back(entry.path());
  std::ranges::sort(paths);
  std::vector<std::string> out;
  for (const fs::path& path : paths) {
    std::ifstream in{path, std::ios::binary};
    std::ostringstream text;
    text << in.rdbuf();
    out.push_back(text.str());
  }
  return out;
}

std::vector<std::string> corpus() {
  return texts_in("fuzz/corpus/game");
}

TEST(Corpus, TheSameTextGivesTheSameAnswer) {
  for (const std::string& text : corpus()) {
    const FrontResult a = read_game_text(text), b = read_game_text(text);
    EXPECT_EQ(rendered(a), rendered(b));
    for (const Section section : all_sections())
      EXPECT_EQ(section_text(a, section), section_text(b, section));
  }
}

}  // namespace
}  // namespace parlor::spec::testing
