// L-10: what hands show by place: the top or bottom of a pile, to whom, and for how long.
#include <algorithm>
#include <gtest/gtest.h>
#include <sstream>

#include "kernel/open.h"
#include "spec/spec.h"

namespace parlor {
namespace {

// Five cards in a hidden pile, 1 on top; the action `go` does what the test is about.
State after(const std::string& effects, const std::vector<std::string>& more = {},
            std::vector<Json>* concealed = nullptr) {
  std::string text = R"(```yaml
metadata: {id: shown, players: 3}
tokenTypes: {card: {n: int}}
zones: {pile: hidden stack, hand: private}
globalVars: {done: 0..9}
setup:
  - for: $n in 1..5
    do: create card in pile with n = 6 - $n
turnStructure: {phases: [main]}
actions:
)";
  const auto add = [&](const std::string& id, const std::string& what) {
    text += "  " + id + ":\n    effects:\n";
    std::istringstream lines{what};
    for (std::string line; std::getline(lines, line);) text += "      - " + line + "\n";
  };
  add("go", effects);
  for (std::size_t i = 0; i < more.size(); ++i) add("then" + std::to_string(i), more[i]);
  text += "terminal: {never: {when: done == 9, draw: true}}\n```\n";
  spec::CompileResult compiled = spec::compile_text(text, {}, "case.md");
  if (!compiled.game)
    throw std::runtime_error(render(compiled.diagnostics, compiled.texts, Colour::never));
  static std::vector<std::shared_ptr<const kernel::KernelGame>> kept;  // states need their games
  kept.push_back(open_kernel(*compiled.game));
  State state = kept.back()->start(7).value();
  OptionList options;
  struct Listener : EventListener {
    std::vector<Json> heard;
    void on_event(const Event& event) override {
      if (event.kind == "concealed") heard.push_back(event.data);
    }
  } listener;
  for (std::size_t step = 0; step <= more.size(); ++step) {
    const std::string wanted = step == 0 ? "go" : "then" + std::to_string(step - 1);
    state.list_options(options);
    for (const Option option : options)
      if (state.option_text(option) == wanted) {
        if (!state.apply(option, &listener)) throw std::runtime_error(wanted + " is refused");
        break;
      }
  }
  if (concealed != nullptr) *concealed = listener.heard;
  return state;
}

// The numbers of the cards in the pile that a player sees, in the order of the numbers.
std::vector<int> seen(const State& state, int player) {
  const Json pile = state.view(Viewer::player(PlayerId{player}))["zones"]["pile:none"];
  std::vector<int> out;
  const Json cards = pile.is_array() ? pile : pile.is_object() ? pile["visible"] : Json::array();
  for (const Json& card : cards) out.push_back(card["props"]["n"].get<int>());
  std::ranges::sort(out);
  return out;
}

using Numbers = std::vector<int>;

TEST(ByPlace, RevealShowsTheTopToEverybody) {
  const State state = after("reveal the top 2 of pile to all");
  for (int player = 0; player < 3; ++player) EXPECT_EQ(seen(state, player), (Numbers{1, 2}));
}

TEST(ByPlace, RevealShowsTheBottomToThoseItNames) {
  const State state = after("reveal the bottom 2 of pile to next");
  EXPECT_EQ(seen(state, 0), Numbers{});
  EXPECT_EQ(seen(state, 1), (Numbers{4, 5}));
  EXPECT_EQ(seen(state, 2), Numbers{});
}

TEST(ByPlace, MoreThanThereIsShowsAll) {
  EXPECT_EQ(seen(after("reveal the top 9 of pile to all"), 2), (Numbers{1, 2, 3, 4, 5}));
}

TEST(ByPlace, ConcealEndsItForThoseThatLieThere) {
  // Nobody forgets what was shown, so that it is concealed is told by the events, one a card.
  const auto concealed = [](const std::string& effects) {
    std::vector<Json> out;
    after("reveal the top 3 of pile to all", {effects}, &out);
    return out.size();
  };
  EXPECT_EQ(concealed("conceal the top 1 of pile"), 1u);
  EXPECT_EQ(concealed("conceal the top 2 of pile"), 2u);
  EXPECT_EQ(concealed("conceal the bottom 9 of pile"), 5u) << "no more than there are";
}

TEST(ByPlace, PeekShowsToTheActorAlone) {
  const State state = after("peek at the top 3 of pile");
  EXPECT_EQ(seen(state, 0), (Numbers{1, 2, 3})) << "what one has seen is not forgotten";
  EXPECT_EQ(seen(state, 1), Numbers{});
  EXPECT_EQ(seen(state, 2), Numbers{});
}

TEST(ByPlace, PeekIsForgottenWhenThePileIsShuffled) {
  const State state = after("peek at the bottom 1 of pile for previous", {"shuffle pile"});
  EXPECT_EQ(seen(after("peek at the bottom 1 of pile for previous"), 2), Numbers{5});
  for (int player = 0; player < 3; ++player) EXPECT_EQ(seen(state, player), Numbers{});
}

TEST(ByPlace, WhatWasPeekedAtStaysTheCardItWas) {
  const State state = after("peek at the top 1 of pile", {"draw 1 from pile to hand:next"});
  // The actor knows which card the other one got.
  const Json hand = state.view(Viewer::player(PlayerId{0}))["zones"]["hand:1"];
  ASSERT_TRUE(hand.is_array() && hand.size() == 1) << hand;
  EXPECT_EQ(hand[0]["props"]["n"], 1);
  const Json other = state.view(Viewer::player(PlayerId{2}))["zones"]["hand:1"];
  EXPECT_EQ(other, 1) << "one card, nobody else knows which";
}

}  // namespace
}  // namespace parlor
