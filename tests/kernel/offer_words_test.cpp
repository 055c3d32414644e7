// L-30b and L-32: what people read about the cards of an offer, and about what things cost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernel/open.h"
#include "spec/spec.h"

namespace parlor {
namespace {

using testing::HasSubstr;

constexpr const char* market = R"game(```yaml
metadata: {id: stalls, players: 2}
perPlayerVars: {gold: 0..20 = 9, wood: 0..20 = 9}
globalVars: {pot: 0..99}
effects: {feast: {costDelta: {gold: 2}, costActions: [goods.play.tools]}}
turnStructure: {phases: [main]}
offers:
  goods:
    faceUp: 2
    take: {phase: main, effects: end turn}
    play: {phase: main}
    cards:
      - {id: tools, name: Fine tools, price: {gold: 2, wood: 1}, text: three more in the pot, effects: pot += 3}
      - {id: rest, name: A day of rest, effects: end turn}
actions:
  celebrate: {phase: main, effects: start feast}
terminal: {full: {when: pot > 90, draw: true}}
WORDS```
)game";

std::shared_ptr<const kernel::KernelGame> open_market(const std::string& words = "") {
  std::string text = market;
  text.replace(text.find("WORDS"), 5, words);
  spec::CompileResult result = spec::compile_text(text, {}, "stalls.md");
  if (!result.game)
    throw std::runtime_error(render(result.diagnostics, result.texts, Colour::never));
  return open_kernel(*result.game);
}

std::vector<std::string> labels(const State& state) {
  OptionList options;
  state.list_options(options);
  std::vector<std::string> out;
  for (const Option option : options) out.push_back(state.option_label(option));
  return out;
}

void choose(State& state, const std::string& label) {
  OptionList options;
  state.list_options(options);
  for (const Option option : options)
    if (state.option_label(option) == label) {
      ASSERT_TRUE(state.apply(option)) << label;
      return;
    }
  FAIL() << label << " is not among " << Json(labels(state)).dump();
}

TEST(OfferWords, CardsHaveTheirNamesPricesAndTexts) {  // L-30b, L-32
  const auto game = open_market();
  const State state = game->start(3).value();
  const std::string text = state.describe(Viewer::player(PlayerId{0}));
  EXPECT_THAT(text, HasSubstr("Fine tools (2 gold, 1 wood: three more in the pot)"));
  EXPECT_THAT(text, HasSubstr("A day of rest"));
  EXPECT_THAT(text, testing::Not(HasSubstr("slot")));
  EXPECT_THAT(text, testing::Not(HasSubstr("plays")));
}

TEST(OfferWords, TakingACardNamesIt) {  // L-30b: `take measure 0` named no card
  const auto game = open_market();
  const State state = game->start(3).value();
  EXPECT_THAT(labels(state), testing::IsSupersetOf({std::string("take Fine tools"),
                                                    std::string("take A day of rest")}));
}

TEST(OfferWords, CountersOfTheExpansionAreNotShown) {  // L-32
  const auto game = open_market();
  const std::string text = game->start(3).value().describe(Viewer::everything());
  EXPECT_THAT(text, testing::Not(HasSubstr("played=")));
  EXPECT_THAT(text, testing::Not(HasSubstr("recycled=")));
}

TEST(OfferWords, WhatCanBeDoneSaysWhatItCostsNow) {  // L-30b
  const auto game = open_market();
  State state = game->start(3).value();
  choose(state, "take Fine tools");
  choose(state, "celebrate");
  choose(state, "take A day of rest");
  EXPECT_THAT(state.describe(Viewer::player(PlayerId{0})),
              HasSubstr("costs: play Fine tools: 4 gold, 1 wood"))
      << "with what is in force";
  EXPECT_THAT(state.describe(Viewer::player(PlayerId{1})), testing::Not(HasSubstr("costs:")))
      << "for whoever decides";
}

TEST(OfferWords, WhatTheGameSaysItselfHolds) {
  const auto game = open_market(
      "verbalization: {labels: {goods.take: buy}, values: {cardId: {tools: Hammers}}}\n");
  EXPECT_THAT(labels(game->start(3).value()), testing::Contains("buy Hammers"));
}

TEST(OfferWords, WordsAreNoRules) {
  const auto plain = open_market();
  const auto said = open_market("verbalization: {labels: {goods.take: buy}}\n");
  EXPECT_EQ(plain->info().fingerprint, said->info().fingerprint);
}

}  // namespace
}  // namespace parlor
