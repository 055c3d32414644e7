// What a state holds while a move waits for an answer: what is still wanted of it, and nothing that
// tells how it came there.
#include "kernel/run/half_move.h"

#include <cstddef>
#include <cstring>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "kernel/kernel.h"
#include "spec/spec.h"

namespace parlor::kernel {
namespace {

std::shared_ptr<const Game> open_text(const char* text) {
  const spec::CompileResult compiled = spec::compile_text(text);
  if (!compiled.game) return nullptr;
  return open_game(*compiled.game).value_or(nullptr);
}

State begin(const Game& game, const std::string& action) {
  State state = game.start(1).value();
  const auto option = find_option(state, {{"action", action}});
  EXPECT_TRUE(option.has_value());
  if (option) {
    EXPECT_TRUE(state.apply(*option));
  }
  return state;
}

Option nth(const State& state, std::size_t n) {
  OptionList options;
  state.list_options(options);
  return options[std::min(n, options.size() - 1)];
}

constexpr const char* choices = R"game(
```yaml
metadata: {id: many-choices, name: Many choices, players: 2}
globalVars: {sum: 0..1000}
zones: {cell: "grid(3, 3)"}
turnStructure: {phases: [play]}
actions:
  wander:
    effects:
      - for: $n in 1..40
        do:
          - choose $cell from cells
          - sum += 1
  gather:
    effects:
      - choose 0..6 as $some from cells
      - sum += count($some)
terminal: {done: {when: sum > 900, draw: true}}
```
)game";

TEST(HalfMoves, KeepNothingOfChoicesThatAreOver) {
  const auto game = open_text(choices);
  ASSERT_TRUE(game);
  State state = begin(*game, "wander");
  ASSERT_TRUE(state.apply(nth(state, 0)));
  const std::size_t size = state.block().size();
  for (std::size_t k = 1; k < 39; ++k) {
    ASSERT_EQ(state.block().size(), size) << "choice " << k;
    ASSERT_TRUE(state.apply(nth(state, k % 9)));
  }
}

TEST(HalfMoves, KeepTheSameWhateverWasAskedOnTheWay) {
  const auto game = open_text(choices);
  ASSERT_TRUE(game);
  State state = begin(*game, "gather");
  std::size_t before = state.block().size();
  for (int taken = 0; taken < 5; ++taken) {
    ASSERT_TRUE(state.apply(nth(state, 1)));
    EXPECT_LE(state.block().size(), before + 16) << "one more that was taken";
    before = state.block().size();
    const auto loaded = game->load(state.save());
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->hash(), state.hash());
    EXPECT_EQ(loaded->block().size(), state.block().size());
    EXPECT_EQ(std::memcmp(loaded->block().data(), state.block().data(), before), 0);
  }
}

// As versions before wrote them: with lists of choices that are over.
TEST(HalfMoves, OfSavesWithMoreInThemAreTheSame) {
  const auto game = open_text(choices);
  ASSERT_TRUE(game);
  State state = begin(*game, "wander");
  ASSERT_TRUE(state.apply(nth(state, 3)));
  Json saved = game->save_block(state.block());
  std::string move = saved["move"];
  constexpr std::size_t tail = 2 * sizeof(MoveTail), arena = tail - 2 * offsetof(MoveTail, arena);
  ASSERT_EQ(move.substr(move.size() - arena + 2, 6), "000000") << "few words";
  std::string words = move.substr(move.size() - arena, 2);
  words = fmt::format("{:02x}", std::stoi(words, nullptr, 16) + 2);
  move.replace(move.size() - arena, 2, words);
  // A list of one value.
  move.insert(move.size() - tail,
              "0100000000000000"
              "0900000000000000");
  saved["move"] = move;
  StateBlock block;
  ASSERT_TRUE(game->load_block(saved, block));
  EXPECT_EQ(game->hash(block), state.hash());
  EXPECT_EQ(block.size(), state.block().size());
}

}  // namespace
}  // namespace parlor::kernel
