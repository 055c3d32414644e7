// T-26: what a game's file is called, how it is cut into blocks, and every word that is no rule may
// change; fingerprint, hashes, saved games and traces stay what they were.
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <regex>
#include <sstream>
#include <unistd.h>

#include "games/shipped.h"
#include "kernel/kernel.h"
#include "play/trace.h"
#include "source_dir.h"
#include "spec/spec.h"

namespace parlor::games {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
  std::stringstream out;
  out << std::ifstream(path).rdbuf();
  return out.str();
}

// A game's text with the same rules: comments, blank lines and prose added, every section in a
// block of its own, lists cut in two, and what it imports under other names.
class Rewriter {
 public:
  std::string rewrite(const std::string& text) {
    out_ = "Prose before everything else.\n\n";
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) take(line);
    return out_ + "\nAnd a last word.\n";
  }
  int blocks_added = 0;

 private:
  void take(const std::string& line) {
    static const std::regex key("^([A-Za-z]+):( *)(#.*)?$"), any_key("^[A-Za-z]+:.*");
    std::smatch match;
    if (line.starts_with("```")) {
      inside_ = !inside_ && line == "```yaml";
      first_ = true;
      out_ += line + "\n";
      if (inside_) out_ += "# a comment, and a blank line\n\n";
      return;
    }
    if (inside_ && std::regex_match(line, any_key)) {
      if (!first_) cut("");
      first_ = false;
      items_ = 0;
      section_ = std::regex_match(line, match, key) ? match[1].str() : "";
    }
    if (inside_ && line.starts_with("  - ") && !section_.empty() && ++items_ == 2) cut(section_);
    static const std::regex file("([a-z-]+\\.md)");
    const bool imports = line.starts_with("imports:");
    out_ += (imports ? std::regex_replace(line, file, "other-$1") : line) + "\n";
  }
  void cut(const std::string& section) {
    out_ += "```\n\nA few words in between.\n\n```yaml\n# cut here\n";
    if (!section.empty()) out_ += section + ":\n";
    ++blocks_added;
  }

  std::string out_, section_;
  bool inside_ = false, first_ = true;
  int items_ = 0;
};

struct Opened {
  std::shared_ptr<const kernel::KernelGame> game;
  spec::GameDef def;
};

Opened open_at(const fs::path& path, const std::vector<fs::path>& rules) {
  spec::CompileOptions options;
  options.rules = rules;
  auto compiled = spec::compile_file(path, options);
  if (!compiled.game)
    throw std::runtime_error(render(compiled.diagnostics, compiled.texts, Colour::never));
  auto game = kernel::open_game(*compiled.game);
  if (!game) throw std::runtime_error(render(game.error(), compiled.texts, Colour::never));
  return {*game, std::move(*compiled.game)};
}

class Fingerprints : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    folder_ = fs::path{::testing::TempDir()} / fmt::format("fingerprint-{}", getpid());
    fs::create_directories(folder_);
    const std::string name = GetParam().substr(0, GetParam().find('+'));
    fs::path original = fs::path{test::source_dir()} / "games" / (name + ".md");
    if (!fs::exists(original)) original = original.parent_path() / name / (name + ".md");
    std::vector<fs::path> rules, other_rules;
    for (const auto& entry : fs::directory_iterator{original.parent_path()}) {
      if (entry.path().extension() != ".md") continue;
      std::ofstream(folder_ / ("other-" + entry.path().filename().string()))
          << Rewriter{}.rewrite(content(entry.path()));
    }
    if (const auto plus = GetParam().find('+'); plus != std::string::npos) {
      const std::string module = GetParam().substr(plus + 1) + ".rules.md";
      rules.push_back(original.parent_path() / module);
      other_rules.push_back(folder_ / ("other-" + module));
    }
    before_ = open_at(original, rules);
    after_ = open_at(folder_ / ("other-" + original.filename().string()), other_rules);
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path folder_;
  Opened before_, after_;
};

TEST_P(Fingerprints, StayWhenOnlyWordsFilesAndBlocksChange) {  // T-26
  EXPECT_EQ(before_.game->info().fingerprint, after_.game->info().fingerprint);
  ASSERT_EQ(before_.def.places.size(), after_.def.places.size());
  const std::string& file = after_.def.places.back().file;
  EXPECT_TRUE(file.starts_with("other-") && before_.def.places.back().file != file)
      << "places are kept, and are those of the file that was read";
  // A game that was compiled and written as JSON is the same game.
  auto again = kernel::open_game(*spec::gamedef_from_json(spec::to_json(before_.def)));
  ASSERT_TRUE(again);
  EXPECT_EQ((*again)->info().fingerprint, before_.game->info().fingerprint);
}

TEST_P(Fingerprints, OldSavesAndTracesAreGood) {  // T-26
  State old_state = start(*before_.game, 11), new_state = start(*after_.game, 11);
  Rng rng(Seed{5});
  OptionList options;
  for (std::size_t n = 0; n < 40 && !old_state.finished(); ++n) {
    old_state.list_options(options);
    const std::size_t picked = draw_option(options, rng);
    const Json line = play::trace_line(old_state, n, options, picked);
    new_state.list_options(options);
    ASSERT_EQ(canonical(play::trace_line(new_state, n, options, picked)), canonical(line)) << n;
    if (n % 8 == 3) {
      auto loaded = after_.game->load(old_state.save());
      ASSERT_TRUE(loaded) << loaded.error().message;
      new_state = *loaded;
    }
    ASSERT_TRUE(old_state.apply(options[picked]));
    ASSERT_TRUE(new_state.apply(options[picked]));
  }
  EXPECT_EQ(old_state.hash(), new_state.hash());
}

TEST_P(Fingerprints, ChangeWithAnyRule) {  // T-26
  spec::GameDef def = before_.def;
  def.metadata.name += "!";
  def.metadata.description += " More words.";
  def.places.clear();
  EXPECT_EQ(spec::rules_hash(def), spec::rules_hash(before_.def));
  def.actions.front().limits.push_back({spec::LimitScope::game, 99, {}, {}});
  EXPECT_NE(spec::rules_hash(def), spec::rules_hash(before_.def));
  def = before_.def;
  ++def.metadata.max_trigger_depth;
  EXPECT_NE(spec::rules_hash(def), spec::rules_hash(before_.def));
}

INSTANTIATE_TEST_SUITE_P(Shipped, Fingerprints, ::testing::ValuesIn(shipped_with_modules()),
                         [](const auto& info) {
                           return std::regex_replace(info.param, std::regex("[^A-Za-z0-9]"), "_");
                         });

TEST(FingerprintsOfAllGames, AreTestedForEveryShippedGame) {
  EXPECT_GE(shipped_with_modules().size(), 19u);
}

}  // namespace
}  // namespace parlor::games
