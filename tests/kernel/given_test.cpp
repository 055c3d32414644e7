// What every token certainly has (plan/given.cpp): nobody asks for it again, so saves that lack it
// are no states of the game.
#include <gtest/gtest.h>

#include "kernel/kernel.h"
#include "kernel/program/program.h"
#include "spec/spec.h"

namespace parlor::kernel {
namespace {

std::shared_ptr<const KernelGame> cards(const std::string& rules) {
  const spec::CompileResult compiled = spec::compile_text(R"(
```yaml
metadata: {id: cards, name: Cards, players: 2}
globalVars: {sum: 0..99}
tokenTypes:
  card: {rank: int, mark: string}
  coin: {worth: int}
zones: {pile: public, out: public}
turnStructure: {phases: {main: {actionDefaults: {afterEffects: end phase}}}}
)" + rules + "terminal: {long: {when: turn > 9, draw: true}}\n```\n");
  for (const Diagnostic& problem : compiled.diagnostics.all()) ADD_FAILURE() << problem.message;
  return compiled.game ? open_game(*compiled.game).value_or(nullptr) : nullptr;
}

constexpr const char* all_marked = R"(
setup:
  - create 3 card in pile with rank = 1, mark = 'x'
  - create coin in pile with worth = 2
actions: {take: {params: {$card: tokens in pile where type == card}, effects: [sum += $card.rank, 'move $card to out']}}
)";
constexpr const char* some_marked = R"(
setup:
  - create 3 card in pile with rank = 1, mark = 'x'
  - create card in pile with rank = 1
  - create coin in pile with worth = 2
actions: {take: {params: {$card: tokens in pile where type == card}, effects: [sum += $card.rank, 'destroy $card']}}
)";

std::string given(const Program& p) {
  std::string out;
  for (const TypeInfo& type : p.types)
    for (std::size_t prop = 0; prop < p.props.size(); ++prop)
      if (type.given[prop]) out += type.id + "." + p.props[prop] + " ";
  return out;
}

TEST(KernelGiven, IsWhatWhoeverMakesATokenGivesIt_V11) {
  const auto all = cards(all_marked), some = cards(some_marked);
  ASSERT_TRUE(all && some);
  EXPECT_EQ(given(all->program()), "card.mark card.rank coin.worth ");
  EXPECT_EQ(given(some->program()), "card.rank coin.worth ");
  EXPECT_TRUE(all->program().tokens_stay);
  EXPECT_FALSE(some->program().tokens_stay);
  // A coin has no rank.
  const auto rank = static_cast<int>(
      std::ranges::find(all->program().props, "rank") - all->program().props.begin());
  EXPECT_FALSE(all->program().all_have(rank));
}

// Where the checksum fits, whoever wrote it.
bool loads(const Game& game, Json save) {
  save["check"] = save_check(save["state"]);
  return game.load(save).has_value();
}

TEST(KernelGiven, ASaveThatLacksItIsRefused_V11) {
  for (const bool always : {true, false}) {
    const auto game = cards(always ? all_marked : some_marked);
    ASSERT_TRUE(game);
    const Json save = game->start(1)->save();
    ASSERT_TRUE(loads(*game, save));
    Json unmarked = save, unranked = save, nowhere = save;
    unmarked["state"]["tokens"][0]["props"].erase("mark");
    unranked["state"]["tokens"][0]["props"].erase("rank");
    Json& pile = nowhere["state"]["zones"]["pile:none"];
    pile.erase(pile.size() - 1);
    EXPECT_EQ(loads(*game, unmarked), !always);
    EXPECT_FALSE(loads(*game, unranked));
    EXPECT_EQ(loads(*game, nowhere), !always);
  }
}

// A phase in which something can always be done asks no action for its options.
TEST(KernelGiven, WhoeverCanAlwaysMoveIsNotAsked_V11) {
  const auto free = cards("actions: {wait: {}, look: {pre: sum > 3}}\n"),
             bound = cards("actions: {wait: {pre: sum < 9}, look: {pre: sum > 3}}\n");
  ASSERT_TRUE(free && bound);
  EXPECT_TRUE(free->program().phases[0].always);
  EXPECT_FALSE(bound->program().phases[0].always);
}

}  // namespace
}  // namespace parlor::kernel
