// What is offered can be carried through, however choices follow one another (V-02, T-23).
#include <gtest/gtest.h>

#include "kernel/builder.h"
#include "spec/spec.h"

namespace parlor::kernel {
namespace {

std::shared_ptr<const KernelGame> numbers_game(const std::string& effects) {
  const spec::CompileResult compiled = spec::compile_text(R"(
```yaml
metadata: {id: numbers, name: Numbers, players: 2}
zones: {box: public}
globalVars: {total: 0..99}
turnStructure: {phases: [main]}
actions:
  add:
    effects:
)" + effects + R"(
      - end phase
terminal: {long: {when: turn > 5, draw: true}}
```
)");
  if (!compiled.game)
    for (const Diagnostic& problem : compiled.diagnostics.all()) ADD_FAILURE() << problem.message;
  return compiled.game ? build::open(*compiled.game) : nullptr;
}

using OfferedTexts = std::vector<std::string>;

OfferedTexts texts_offered(const State& state) {
  OptionList options;
  state.list_options(options);
  OfferedTexts out;
  for (const Option option : options) out.push_back(state.option_text(option));
  return out;
}

void answer_with(State& state, const std::string& text) {
  OptionList options;
  state.list_options(options);
  for (const Option option : options)
    if (state.option_text(option) == text) {
      ASSERT_TRUE(state.apply(option)) << text;
      return;
    }
  FAIL() << text << " is not offered";
}

// Three numbers of 1 to 3 that make eight: 1 never leads there, and what is left after a 2 is 3 and
// 3. The first answer of each choice is the one that leads nowhere.
TEST(KernelLookAhead, TriesFurtherAnswersWhereTheFirstLeadsNowhere_V02) {
  const auto game = numbers_game(R"(
      - total = 0
      - for: $i in 1..3
        do:
          - choose $n from 1..3
          - total += $n
      - require total == 8)");
  ASSERT_TRUE(game);
  State state = game->start(1).value();
  EXPECT_EQ(texts_offered(state), (OfferedTexts{"add"}));
  answer_with(state, "add");
  EXPECT_EQ(texts_offered(state), (OfferedTexts{"2", "3"}));
  State other = state;
  answer_with(state, "2");
  EXPECT_EQ(texts_offered(state), (OfferedTexts{"3"}));
  answer_with(state, "3");
  EXPECT_EQ(texts_offered(state), (OfferedTexts{"3"}));
  answer_with(other, "3");
  EXPECT_EQ(texts_offered(other), (OfferedTexts{"2", "3"}));
  answer_with(other, "3");
  EXPECT_EQ(texts_offered(other), (OfferedTexts{"2"}));
}

// Growing numbers: an answer is offered as long as the rounds that are left find larger ones, and
// in the last round every answer will do.
TEST(KernelLookAhead, KnowsHowManyRoundsALoopHasLeft_V02) {
  const auto growing = [](int rounds) {
    return numbers_game(R"(
      - total = 0
      - for: $i in 1..)" +
                        std::to_string(rounds) + R"(
        do:
          - choose $n from 1..4 where $each > total
          - total = $n)");
  };
  const auto two = growing(2), four = growing(4), five = growing(5);
  ASSERT_TRUE(two && four && five);
  State state = two->start(1).value();
  answer_with(state, "add");
  EXPECT_EQ(texts_offered(state), (OfferedTexts{"1", "2", "3"}));
  answer_with(state, "2");
  EXPECT_EQ(texts_offered(state), (OfferedTexts{"3", "4"}));
  state = four->start(1).value();
  answer_with(state, "add");
  for (const char* only : {"1", "2", "3", "4"}) {
    EXPECT_EQ(texts_offered(state), (OfferedTexts{only}));
    answer_with(state, only);
  }
  // Nobody can go on five times: there is no move, turns pass, and the last of them ends the game.
  state = five->start(1).value();
  EXPECT_TRUE(state.finished());
  EXPECT_EQ(state.outcome().reason, "long");
}

// Which of the choices of a game may make a move illegal, in the order of the code.
std::string refusing_choices(const KernelGame& game) {
  const Program& program = game.program();
  std::string out;
  for (std::size_t pc = 0; pc < program.code.size(); ++pc)
    if (program.code[pc].op == Op::choose_one) out += program.refuses[pc] ? '!' : '.';
  return out;
}

// A choice has an option where a condition just said so, by whatever name, or where what was chosen
// before was chosen because of it; not where something may have changed since.
TEST(KernelLookAhead, KnowsChoicesThatHaveAnOption_V02) {
  const auto marks = [](const std::string& effects) {
    const auto game = numbers_game(effects);
    return game ? refusing_choices(*game) : "";
  };
  EXPECT_EQ(marks(R"(
      - if: total < 50 and any $x in 1..4 where $x > total
        then:
          - choose $n from 1..4 where $each > total
          - total = $n
        else:
          - choose $m from 1..4 where $each > total
          - total = $m)"),
            ".!");
  EXPECT_EQ(marks(R"(
      - while: any $x in 1..4 where $x > total
        limit: 9
        do:
          - choose $n from 1..4 where $each > total
          - total = $n
          - choose $m from 1..4 where $each > total
          - total = $m)"),
            ".!");
  EXPECT_EQ(marks(R"(
      - choose $a from 1..4 where any $y in 1..9 where $y > $each + total
      - choose $b from 1..9 where $each > $a + total
      - let $a = 9
      - choose $c from 1..9 where $each > $a + total
      - total = $c)"),
            "!.!");
  EXPECT_EQ(marks(R"(
      - if: any $x in 1..4 where $x > total
        then:
          - for: $i in 1..2
            do:
              - choose $n from 1..4 where $each > total
              - total = $n)"),
            "!");
}

// A loop inside another, the inner one in its last round while the outer one goes on.
TEST(KernelLookAhead, LooksBeyondTheLastRoundOfAnInnerLoop_V02) {
  const auto game = numbers_game(R"(
      - total = 0
      - for: $i in 1..2
        do:
          - for: $k in 1..2
            do:
              - choose $n from 1..5 where $each > total
              - total = $n)");
  ASSERT_TRUE(game);
  State state = game->start(1).value();
  answer_with(state, "add");
  EXPECT_EQ(texts_offered(state), (OfferedTexts{"1", "2"}));
  answer_with(state, "1");
  EXPECT_EQ(texts_offered(state), (OfferedTexts{"2", "3"}));
  answer_with(state, "3");
  EXPECT_EQ(texts_offered(state), (OfferedTexts{"4"}));
  answer_with(state, "4");
  EXPECT_EQ(texts_offered(state), (OfferedTexts{"5"}));
}

}  // namespace
}  // namespace parlor::kernel
