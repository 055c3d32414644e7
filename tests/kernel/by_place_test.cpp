// L-10: what hands show by place: the top or bottom of a pile, to whom, and for how long.
#include <algorithm>
#include <gtest/gtest.h>
#include <sstream>

#include "kernel/open.h"
#include "spec/spec.h"

namespace parlor {
namespace {

// Five cards in a hidden pile, shuffled; the action `go` does what the test is about.
State after(const std::string& effects, const std::vector<std::string>& more = {},
            std::vector<Json>* concealed = nullptr) {
  std::string text = R"(```yaml
metadata: {id: shown, players: 3}
tokenTypes: {card: {n: int}}
zones: {pile: hidden stack, hand: private}
globalVars: {done: 0..9}
setup:
  - for: $n in 1..5
    do: create card in pile with n = $n
  - shuffle pile
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

using Numbers = std::vector<int>;

Numbers sorted(Numbers numbers) {
  std::ranges::sort(numbers);
  return numbers;
}

// The numbers of the cards in a zone that somebody sees, the top first.
Numbers seen(const State& state, const Viewer& viewer, const std::string& zone = "pile:none") {
  const Json there = state.view(viewer)["zones"][zone];
  const Json cards = there.is_array()    ? there
                     : there.is_object() ? there["visible"]
                                         : Json::array();
  Numbers out;
  for (const Json& card : cards) out.push_back(card["props"]["n"].get<int>());
  return out;
}
Numbers seen(const State& state, int player) {
  return sorted(seen(state, Viewer::player(PlayerId{player})));
}

// What lies there, from the first to before the last of these places.
Numbers lie(const State& state, std::size_t first, std::size_t last) {
  const Numbers all = seen(state, Viewer::everything());
  EXPECT_EQ(all.size(), 5u);
  return sorted(Numbers(all.begin() + static_cast<std::ptrdiff_t>(first),
                        all.begin() + static_cast<std::ptrdiff_t>(last)));
}

// The cards of a zone that a player knows: they lie there in every world that fits what they know.
Numbers known(const State& state, int player, const std::string& zone = "pile:none") {
  const Numbers real = seen(state, Viewer::everything(), zone);
  std::vector<bool> same(real.size(), true);
  Rng rng{11};
  for (int i = 0; i < 40; ++i) {
    State world = state;
    world.game().resample_hidden(world.block(), Viewer::player(PlayerId{player}), rng);
    const Numbers made = seen(world, Viewer::everything(), zone);
    for (std::size_t k = 0; k < real.size(); ++k) same[k] = same[k] && made.at(k) == real[k];
  }
  Numbers out;
  for (std::size_t k = 0; k < real.size(); ++k)
    if (same[k]) out.push_back(real[k]);
  return sorted(out);
}

TEST(ByPlace, RevealShowsTheTopToEverybody) {
  const State state = after("reveal the top 2 of pile to all");
  for (int player = 0; player < 3; ++player) EXPECT_EQ(seen(state, player), lie(state, 0, 2));
}

TEST(ByPlace, RevealShowsTheBottomToThoseItNames) {
  const State state = after("reveal the bottom 2 of pile to next");
  EXPECT_EQ(seen(state, 0), Numbers{});
  EXPECT_EQ(seen(state, 1), lie(state, 3, 5));
  EXPECT_EQ(seen(state, 2), Numbers{});
}

TEST(ByPlace, MoreThanThereIsShowsAll) {
  EXPECT_EQ(seen(after("reveal the top 9 of pile to all"), 2), (Numbers{1, 2, 3, 4, 5}));
}

TEST(ByPlace, ConcealEndsItForThoseThatLieThere) {
  const std::string shown = "reveal the top 3 of pile to all";
  const State state = after(shown, {"conceal the top 2 of pile"});
  EXPECT_EQ(seen(state, 1), lie(state, 2, 3));
  EXPECT_EQ(known(state, 1), lie(state, 0, 3)) << "nobody forgets what was shown";
  const auto told = [&](const std::string& effects) {
    std::vector<Json> out;
    after(shown, {effects}, &out);
    return out.size();
  };
  EXPECT_EQ(told("conceal the top 1 of pile"), 1u);
  EXPECT_EQ(told("conceal the bottom 9 of pile"), 5u) << "no more than there are";
}

TEST(ByPlace, WhatThePeekingPlayerHasSeenIsKnownAndNotInSightAnyMore) {
  const State state = after("peek at the top 3 of pile");
  EXPECT_EQ(known(state, 0), lie(state, 0, 3));
  for (int player = 0; player < 3; ++player) EXPECT_EQ(seen(state, player), Numbers{});
  for (int player = 1; player < 3; ++player) EXPECT_EQ(known(state, player), Numbers{});
}

TEST(ByPlace, PeekIsForgottenWhenThePileIsShuffled) {
  const State before = after("peek at the bottom 1 of pile for previous");
  EXPECT_EQ(known(before, 2), lie(before, 4, 5));
  EXPECT_EQ(known(before, 0), Numbers{});
  const State state = after("peek at the bottom 1 of pile for previous", {"shuffle pile"});
  for (int player = 0; player < 3; ++player) EXPECT_EQ(known(state, player), Numbers{});
}

TEST(ByPlace, WhatWasPeekedAtStaysTheCardItWas) {
  const State state = after("peek at the top 1 of pile", {"draw 1 from pile to hand:next"});
  const Numbers dealt = seen(state, Viewer::everything(), "hand:1");
  ASSERT_EQ(dealt.size(), 1u);
  EXPECT_EQ(known(state, 0, "hand:1"), dealt) << "who looked knows which card the other one got";
  EXPECT_EQ(known(state, 2, "hand:1"), Numbers{}) << "nobody else does";
}

}  // namespace
}  // namespace parlor
