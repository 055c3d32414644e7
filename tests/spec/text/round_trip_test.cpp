// Text to tree to text and back: the rules stay the same to the byte (E-25).
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <sstream>

#include "generate/card_game.h"
#include "generate/plain_game.h"
#include "rounds.h"
#include "source_dir.h"
#include "spec/spec.h"
#include "spec/text/format.h"

namespace parlor::spec {
namespace {

namespace fs = std::filesystem;
using Files = std::map<std::string, std::string, std::less<>>;

FileLoader loader(const Files& files) {
  return [&](std::string_view name) -> std::optional<std::string> {
    const auto found = files.find(name);
    return found == files.end() ? std::nullopt : std::optional{found->second};
  };
}

struct Game {
  std::string name, entry;
  Files files;
};

std::string file_text(const fs::path& path) {
  std::ifstream in{path, std::ios::binary};
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

// Every game that is shipped: a file, or a folder with a file of its own name.
std::vector<Game> shipped() {
  std::vector<Game> out;
  for (const auto& entry : fs::directory_iterator{fs::path{PARLOR_SOURCE_DIR} / "games"}) {
    const std::string name = entry.path().stem().string();
    Game game{name, name + ".md", {}};
    if (entry.is_directory()) {
      for (const auto& file : fs::directory_iterator{entry.path()})
        if (file.path().extension() == ".md" &&
            file.path().string().find(".rules.md") == std::string::npos)
          game.files.emplace(file.path().filename().string(), file_text(file.path()));
    } else if (entry.path().string().find(".rules.md") == std::string::npos) {
      game.files.emplace(game.entry, file_text(entry.path()));
    }
    if (game.files.contains(game.entry)) out.push_back(std::move(game));
  }
  return out;
}

std::optional<std::uint64_t> hash_of(const Game& game, std::string& said) {
  const CompileResult result = compile_files(game.entry, loader(game.files));
  said = render(result.diagnostics, result.texts, Colour::never);
  return result.game ? std::optional{rules_hash(*result.game)} : std::nullopt;
}

Game formatted(const Game& game, Notation notation) {
  Game out = game;
  for (auto& [name, text] : out.files) {
    const FormatResult result = format_files(name, game.entry, loader(game.files), notation);
    EXPECT_TRUE(result.text) << name << "\n"
                             << render(result.diagnostics, result.texts, Colour::never);
    if (result.text) text = *result.text;
  }
  return out;
}

void goes_around(const Game& game) {
  SCOPED_TRACE(game.name);
  std::string said;
  const auto before = hash_of(game, said);
  ASSERT_TRUE(before) << said;
  const Game text = formatted(game, Notation::text);
  const auto as_text = hash_of(text, said);
  ASSERT_TRUE(as_text) << said;
  EXPECT_EQ(*as_text, *before) << "the text notation says something else";
  const Game tree = formatted(text, Notation::tree);
  const auto as_tree = hash_of(tree, said);
  ASSERT_TRUE(as_tree) << said;
  EXPECT_EQ(*as_tree, *before) << "the tree notation says something else";
  EXPECT_EQ(formatted(text, Notation::text).files, text.files)
      << "formatting twice changes something";
}

TEST(RoundTrip, EveryShippedGameSaysTheSameInBothNotations) {  // E-24, E-25
  const std::vector<Game> games = shipped();
  const auto entries = fs::directory_iterator{fs::path{PARLOR_SOURCE_DIR} / "games"};
  EXPECT_EQ(games.size(), static_cast<std::size_t>(std::distance(begin(entries), end(entries))))
      << "something in games/ is no game";
  EXPECT_GE(games.size(), 27u);
  for (std::size_t i = 0; i < games.size(); i += test::stride) goes_around(games[i]);
}

// What people read first is how `parlor fmt` leaves it: every file of every shipped game, modules
// among them, and the tutorial.
TEST(RoundTrip, ShippedGamesAreLaidOutAsTheFormatterDoes_L31) {
  const auto laid_out = [](const fs::path& file, const fs::path& game) {
    const FormatResult result = format_file(file, game, Notation::text);
    ASSERT_TRUE(result.text) << render(result.diagnostics, result.texts, Colour::never);
    EXPECT_EQ(*result.text, file_text(file)) << file;
  };
  const fs::path games = fs::path{PARLOR_SOURCE_DIR} / "games";
  int files = 0;
  for (const auto& file : fs::recursive_directory_iterator{games}) {
    if (file.path().extension() != ".md") continue;
    const fs::path folder = file.path().parent_path();
    const fs::path whole = folder / (folder.filename().string() + ".md");
    laid_out(file.path(), fs::exists(whole) ? whole : file.path());
    ++files;
  }
  EXPECT_GE(files, 36);
  laid_out(fs::path{PARLOR_SOURCE_DIR} / "docs/tutorial.md",
           fs::path{PARLOR_SOURCE_DIR} / "docs/tutorial.md");
}

// Lines stay as they were broken by hand where a block is text already; comments stay where they
// were written, also behind what stands below a long text.
TEST(RoundTrip, LinesStayAsTheyWereBrokenByHand) {
  const std::string by_hand = R"(```yaml
metadata:
  id: kept
  players: 2
globalVars: {pot: 0..99, open: true}

conditionMacros:
  rich: pot > 50
turnStructure: {phases: {main: {actionDefaults: {afterEffects: [pot += 1, end phase]}}}}

actions:
  take:
    pre: >-
      open
      and pot < 90
    effects:
      - if: >-
          pot > 1
          and not rich
        then:  # the pot is worth taking, which is said here
          - pot += 2
      - >-  # one of a long list
        pot +=
        1
terminal: {full: {when: pot > 98, draw: true}}
```
)";
  const FormatResult kept = format_text(by_hand, Notation::text);
  ASSERT_TRUE(kept.text) << render(kept.diagnostics, kept.texts, Colour::never);
  EXPECT_EQ(*kept.text, by_hand);
  std::string loose = by_hand;
  loose.replace(loose.find("{pot: 0..99, open: true}"), 24, "{ pot: 0..99,   open: true }   ");
  const FormatResult tidied = format_text(loose, Notation::text);
  ASSERT_TRUE(tidied.text);
  EXPECT_EQ(*tidied.text, by_hand);
}

// Files of other people are written as these are.
TEST(RoundTrip, EveryTestGameSaysTheSameInBothNotations) {  // E-25
  const fs::path tests = fs::path{PARLOR_SOURCE_DIR} / "tests";
  int games = 0;
  for (const auto& file : fs::recursive_directory_iterator{tests}) {
    const std::string folder = fs::relative(file.path().parent_path(), tests).generic_string();
    if (file.path().extension() != ".md" || folder == "spec/broken" || folder == "reference" ||
        folder == "games")  // parts of games
      continue;
    const std::string name = file.path().filename().string();
    if (games++ % test::stride == 0) goes_around({name, name, {{name, file_text(file.path())}}});
  }
  EXPECT_GE(games, 80);
}

TEST(RoundTrip, GeneratedGamesSayTheSameInBothNotations) {  // E-25
  for (std::uint64_t number = 0; number < test::thorough(test::rounds(60u)); ++number)
    goes_around({fmt::format("plain game {}", number),
                 "plain.md",
                 {{"plain.md", generate::plain_game(number)}}});
}

TEST(RoundTrip, GeneratedCardGamesSayTheSameInBothNotations) {  // E-25
  for (std::uint64_t number = 0; number < test::thorough(test::rounds(60u)); ++number)
    goes_around({fmt::format("card game {}", number),
                 "cards.md",
                 {{"cards.md", generate::card_game(number)}}});
}

}  // namespace
}  // namespace parlor::spec
