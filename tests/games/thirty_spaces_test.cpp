// K-10: thirty eligible spaces do not explode. Decisions, options and look-ahead are counted, not
// time.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "games/shipped.h"
#include "kernel/kernel.h"

namespace parlor::games {
namespace {

using testing::ElementsAre;

// An operation over any number of thirty spaces: each costs one coin and asks for a piece to put
// there, so that it can run into a dead end. `pieces` in the box.
std::string thirty_spaces(int pieces) {
  return fmt::format(R"(
metadata: {{id: thirty, players: {{min: 2, max: 2}}}}
turnStructure: {{phases: [{{id: main}}]}}
terminal: {{conditions: [{{when: false, result: {{type: draw}}}}]}}
zones:
  - {{macro: grid, args: [5, 6]}}
  - {{id: box, owner: none, visibility: public, ordering: set}}
tokenTypes: [{{id: pawn, props: {{owner: int}}}}]
globalVars: [{{name: coins, type: int, init: 30, min: 0, max: 30}}]
setup:
  - forEach: {{bind: $i, over: {{query: intsInRange, min: 1, max: {}}}, effects: [{{createToken: {{type: pawn, zone: box, props: {{owner: 0}}}}}}]}}
actions: [{{id: settle, phase: [main]}}, {{id: pass, phase: [main], effects: [{{advancePhase: {{}}}}]}}]
actionPipelines:
  - id: settle-profile
    actionId: settle
    legality: true
    costValidation: {{op: ">=", left: {{ref: gvar, var: coins}}, right: 1}}
    costEffects: []
    targeting: {{select: upToN, max: 30}}
    atomicity: atomic
    stages:
      - stage: choose
        effects: [{{chooseN: {{bind: $spaces, options: {{query: mapSpaces}}, min: 1, max: 30}}}}]
      - stage: settle
        effects:
          - forEach:
              bind: $space
              over: {{query: binding, name: $spaces}}
              effects:
                - addVar: {{scope: global, var: coins, delta: -1}}
                - chooseOne: {{bind: "$who@{{$space}}", options: {{query: tokensInZone, zone: box}}}}
                - moveToken: {{token: "$who@{{$space}}", from: box, to: $space}}
)",
                     pieces);
}

TEST(ThirtySpaces, AnOperationIsOneOptionAndItsListsStayLinear) {
  const auto game = open_text(thirty_spaces(30));
  State state = start(*game);
  EXPECT_THAT(option_texts(state), ElementsAre("settle", "pass"));
  take(state, "settle");
  std::size_t decisions = 0, listed = 0;
  OptionList options;
  while (!state.decision().starts_move) {
    state.list_options(options);
    ASSERT_LE(options.size(), 31u);
    listed += options.size();
    ++decisions;
    ASSERT_TRUE(state.apply(options[0]).has_value());  // add the first, or place the first
  }
  EXPECT_EQ(decisions, 30u + 1 + 30);  // adds, confirm, one choice a space
  EXPECT_LE(listed, 61u * 31u);
  EXPECT_EQ(global(state, "coins"), 0);
}

// Looking ahead needs little: with a hundredth of its budget nothing changes.
TEST(ThirtySpaces, LookingAheadStaysSmall) {
  const std::int64_t little = 20'000;
  const auto game = open_text(thirty_spaces(30), little);
  State state = start(*game);
  take(state, "settle");
  EXPECT_EQ(option_texts(state).size(), 30u);
  for (int i = 0; i < 15; ++i) take(state, option_texts(state)[1]);  // every second space
  EXPECT_THAT(option_texts(state), ElementsAre("confirm"));
  take(state, "confirm");
  EXPECT_EQ(option_texts(state).size(), 30u);
}

// More spaces than pieces: what would lead nowhere is not offered. That no larger set is better
// than one whose fourth space finds no piece is seen from the one set (T-29), so little is tried.
TEST(ThirtySpaces, DeadEndsAreNotOffered) {
  const auto game = open_text(thirty_spaces(3), 20'000);
  State state = start(*game);
  take(state, "settle");
  for (int i = 0; i < 3; ++i) take(state, option_texts(state)[0]);
  EXPECT_THAT(option_texts(state), ElementsAre("confirm"));
  EXPECT_EQ(dynamic_cast<const kernel::KernelGame&>(*game).undecided_options(), 0u);
}

}  // namespace
}  // namespace parlor::games
