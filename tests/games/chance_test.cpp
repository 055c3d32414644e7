// Chance as players meet it (T-01): the first die, the first card, the opening roll.
#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <set>

#include "games/shipped.h"

namespace parlor::games {
namespace {

constexpr Seed games_played = 6'000;
// Six standard deviations of how often one of `sides` comes up.
double tolerance(double sides) {
  return 6 * std::sqrt(static_cast<double>(games_played) / sides * (1 - 1 / sides));
}

class FaceListener : public EventListener {
 public:
  void on_event(const Event& event) override {
    if (event.kind == "rolled" && face == 0) face = event.data.at("result").get<std::int64_t>();
  }
  std::int64_t face = 0;
};

TEST(Chance, ThePigsFirstDieShowsEveryFace) {
  const auto game = open_shipped("pig");
  std::array<int, 7> seen{};
  for (Seed seed = 0; seed < games_played; ++seed) {
    State state = start(*game, seed);
    OptionList options;
    state.list_options(options);
    FaceListener die;
    ASSERT_TRUE(state.apply(options[0], &die));
    ++seen.at(static_cast<std::size_t>(die.face));
  }
  EXPECT_EQ(seen[0], 0);
  for (std::size_t face = 1; face <= 6; ++face)
    EXPECT_NEAR(seen[face], 1'000, tolerance(6)) << face;
}

std::string deck_of(int cards) {
  return R"(
metadata: {id: deck, players: {min: 2, max: 2}}
zones: [{id: deck, owner: none, visibility: hidden, ordering: stack}]
tokenTypes: [{id: card, props: {n: int}}]
setup:
  - forEach: {bind: $n, over: {query: intsInRange, min: 1, max: )" +
         std::to_string(cards) +
         R"(}, effects: [{createToken: {type: card, zone: deck, props: {n: {ref: binding, name: $n}}}}]}
  - {shuffle: {zone: deck}}
turnStructure: {phases: [{id: main}]}
turnOrder: {type: roundRobin}
actions: [{id: go, actor: active, phase: main}]
terminal: {conditions: []}
)";
}

TEST(Chance, TheFirstShuffleMovesEveryCardEverywhere) {
  for (const int cards : {2, 3, 13, 52}) {
    const auto game = open_text(deck_of(cards));
    std::vector<int> top(static_cast<std::size_t>(cards)), bottom(top);
    for (Seed seed = 0; seed < games_played; ++seed) {
      const Json deck = start(*game, seed).view()["zones"]["deck:none"];
      ++top.at(deck.front()["props"]["n"].get<std::size_t>() - 1);
      ++bottom.at(deck.back()["props"]["n"].get<std::size_t>() - 1);
    }
    const double expected = static_cast<double>(games_played) / cards;
    for (const auto* place : {&top, &bottom})
      for (const int count : *place) EXPECT_NEAR(count, expected, tolerance(cards)) << cards;
  }
}

TEST(Chance, BackgammonsOpeningRollsAreAllThere) {
  const auto game = open_shipped("backgammon");
  std::set<std::string> seen;
  for (Seed seed = 0; seed < 600; ++seed) seen.insert(start(*game, seed).describe());
  // 30 ordered pairs of different dice; equal ones are rolled again.
  EXPECT_EQ(seen.size(), 30u);
}

}  // namespace
}  // namespace parlor::games
