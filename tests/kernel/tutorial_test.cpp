// docs/tutorial.md is a game: it compiles as it stands, and it can be played to its end.
#include <filesystem>
#include <gtest/gtest.h>

#include "kernel/kernel.h"
#include "source_dir.h"
#include "spec/spec.h"

namespace parlor::spec {
namespace {

CompileResult tutorial(const std::string& stones) {
  CompileOptions options;
  options.constants = {{"stones", stones}};
  return compile_file(std::filesystem::path{PARLOR_SOURCE_DIR} / "docs/tutorial.md", options);
}

// Takes stones by the index of the option each time; the winner.
std::vector<PlayerId> winners_of(const Game& game, std::initializer_list<std::size_t> takes) {
  State state = game.start(1).value();
  OptionList options;
  for (const std::size_t take : takes) {
    state.list_options(options);
    if (take >= options.size()) return {};
    EXPECT_TRUE(state.try_apply(options[take]));
  }
  EXPECT_TRUE(state.finished());
  return state.outcome().winners;
}

TEST(Tutorial, TheGameCompilesAndCanBePlayed) {
  CompileResult result = tutorial("5");
  ASSERT_TRUE(result.game) << render(result.diagnostics, result.texts, Colour::never);
  EXPECT_TRUE(result.diagnostics.empty());
  const auto game = kernel::open_game(std::move(*result.game));
  ASSERT_TRUE(game);
  // 5 stones: 3 and 2 are taken, so the second player wins; 1, 1 and 3: the first.
  EXPECT_EQ(winners_of(**game, {2, 1}), std::vector<PlayerId>{PlayerId{1}});
  EXPECT_EQ(winners_of(**game, {0, 0, 2}), std::vector<PlayerId>{PlayerId{0}});
}

TEST(Tutorial, ConstantsCanBeSet) {
  EXPECT_EQ(tutorial("21").game->global_vars[0].init, 21);
}

}  // namespace
}  // namespace parlor::spec
