// The examples of docs/files-and-macros.md are read, expanded and derived without complaint.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "source_dir.h"
#include "spec/front/front_testing.h"
#include "spec/spec.h"

namespace parlor::spec::testing {
namespace {

struct Example {
  std::size_t line;
  std::string text;
};

std::vector<Example> examples() {
  std::ifstream in{std::filesystem::path{PARLOR_SOURCE_DIR} / "docs/files-and-macros.md"};
  std::vector<Example> out;
  bool inside = false;
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (inside && line == "```") inside = false;
    if (inside) out.back().text += line + "\n";
    if (line == "```yaml") {
      inside = true;
      out.push_back({number, {}});
    }
  }
  return out;
}

TEST(Docs, EveryExampleIsRead) {
  const std::vector<Example> all = examples();
  ASSERT_GE(all.size(), 15u);
  for (const Example& example : all) {
    // The imported files of the example exist and are empty.
    const FrontResult r = read_files(
        {{"game.md", fenced(example.text)}, {"rules/actions.md", ""}, {"rules/cards.yaml", ""}},
        "game.md");
    EXPECT_EQ(codes(r), Codes{}) << "docs/files-and-macros.md:" << example.line << "\n"
                                 << rendered(r);
  }
}

TEST(EffectMacros, TheTwoOfARealGameCompile) {  // K-25
  const CompileResult r = compile_file(std::filesystem::path{PARLOR_SOURCE_DIR} /
                                       "tests/spec/macros/removal-and-placement.md");
  EXPECT_TRUE(r.game.has_value()) << render(r.diagnostics, r.texts, Colour::never);
}

}  // namespace
}  // namespace parlor::spec::testing
