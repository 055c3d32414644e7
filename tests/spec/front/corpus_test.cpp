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

std::vector<std::string> corpus() {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator{fs::path{PARLOR_SOURCE_DIR} / "fuzz/corpus/spec"})
    paths.push_back(entry.path());
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

FrontOptions small_limits() {
  FrontOptions out;
  out.limits.macro_nodes = 20'000;
  out.limits.alias_nodes = 5'000;
  out.limits.board_zones = 400;
  out.limits.built_in_effects = 400;
  return out;
}

TEST(Corpus, EveryTextIsAnswered) {
  const std::vector<std::string> texts = corpus();
  ASSERT_GE(texts.size(), 10u);
  for (const std::string& text : texts) {
    // As the fuzz target reads them: without a fence it is bare YAML.
    const bool markdown = text.find("```") != std::string::npos;
    const CompileResult result = compile_text(text, {}, markdown ? "game.md" : "game.yaml");
    EXPECT_EQ(result.game.has_value(), !result.diagnostics.has_errors());
    render(result.diagnostics, result.texts, Colour::never);
  }
}

TEST(Corpus, SurvivesDamage) {
  const std::vector<std::string> texts = corpus();
  const std::string_view pieces[] = {"\t",   "\n", ": ",      "- ",      "[",     "]",   "{",
                                     "}",    "*",  "&a ",     "\"",      "'",     "|\n", "```",
                                     "\xff", "$",  "macro: ", "param: ", "args: "};
  Rng rng{std::uint64_t{2024}};
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(rng.below(n)); };
  for (int round = 0; round < 300; ++round) {
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
    const FrontResult result = read_game_text(text, small_limits());
    // Damage is hardly ever harmless; either way every diagnostic can be shown.
    EXPECT_NO_FATAL_FAILURE(rendered(result));
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
