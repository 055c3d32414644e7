// The fuzz corpus, as it is and with random damage: whatever the bytes, there is an answer.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/rng.h"
#include "source_dir.h"
#include "spec/front/front_testing.h"
#include "spec/spec.h"

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
  return texts_in("fuzz/corpus/spec");
}

// As the fuzz target does it: without a fence the text is bare YAML, limits are small, and what
// compiles survives being written as JSON.
void expect_answer(const std::string& text) {
  CompileOptions options;
  options.limits.macro_nodes = 20'000;
  options.limits.alias_nodes = 5'000;
  options.limits.board_zones = 400;
  options.limits.built_in_effects = 400;
  options.limits.piece_combinations = 100;
  const bool markdown = text.find("```") != std::string::npos;
  const CompileResult result = compile_text(text, options, markdown ? "game.md" : "game.yaml");
  EXPECT_EQ(result.game.has_value(), !result.diagnostics.has_errors()) << text;
  EXPECT_EQ(render(result.diagnostics, result.texts, Colour::never).empty(),
            result.diagnostics.empty());
  if (!result.game) return;
  const auto back = gamedef_from_json(to_json(*result.game));
  EXPECT_TRUE(back && *back == *result.game) << text;
}

TEST(Corpus, EveryTextIsAnswered) {
  const std::vector<std::string> texts = corpus();
  ASSERT_GE(texts.size(), 10u);
  for (const std::string& text : texts) expect_answer(text);
}

// A short run of what the fuzz target does for hours: the corpus and the broken games, damaged.
TEST(Corpus, SurvivesDamage) {
  std::vector<std::string> texts = corpus();
  std::ranges::move(texts_in("tests/spec/broken"), std::back_inserter(texts));
  const std::string_view pieces[] = {"\t",   "\n", ": ",      "- ",      "[",     "]",   "{",
                                     "}",    "*",  "&a ",     "\"",      "'",     "|\n", "```",
                                     "\xff", "$",  "macro: ", "param: ", "args: "};
  Rng rng{2024};
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(rng.below(n)); };
  for (int round = 0; round < 600; ++round) {
    std::string text = texts[below(texts.size())];
    for (int change = 0; change < 4 && !text.empty(); ++change) {
      const std::size_t at = below(text.size());
      switch (below(4)) {
        case 0:
          text.erase(at, below(20));
          break;
        case 1:
          text.insert(at, pieces[below(std::size(pieces))]);
          break;
        case 2:
          text[at] = static_cast<char>(below(256));
          break;
        default:
          text.insert(at, text.substr(below(text.size()), below(60)));
      }
    }
    expect_answer(text);
  }
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
