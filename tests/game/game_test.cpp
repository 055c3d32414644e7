// The parts of the interface that all games share: finding options, counting, saving, opening.
#include "game/game.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "game/catalog.h"
#include "game/duel.h"
#include "game/streams.h"

namespace parlor {
namespace {

using test::Duel;
using testing::ElementsAre;

class GameTest : public testing::Test {
 protected:
  Duel duel_;
  State state_ = duel_.start(3).value();

  void choose(const Json& request) {
    const auto option = find_option(state_, request);
    ASSERT_TRUE(option) << option.error().message;
    ASSERT_TRUE(state_.apply(*option));
  }
};

TEST_F(GameTest, AnOptionIsFoundByIndexTextAndJson) {
  const Option tails{201};
  EXPECT_EQ(find_option(state_, 1).value(), tails);
  EXPECT_EQ(find_option(state_, Json{{"index", 1}}).value(), tails);
  EXPECT_EQ(find_option(state_, "tails").value(), tails);
  EXPECT_EQ(find_option(state_, Json{{"value", "tails"}}).value(), tails);
  choose("heads");
  EXPECT_EQ(find_option(state_, Json{{"action", "swap"}}).value(), Option{101})
      << "params may be omitted";
}

TEST_F(GameTest, WhatIsNotOfferedIsRefusedWithTheLegalOptions) {
  for (const Json& request :
       {Json(2), Json(-1), Json("edge"), Json{{"value", 5}}, Json{{"index", "0"}}, Json()}) {
    const auto found = find_option(state_, request);
    ASSERT_FALSE(found) << request;
    EXPECT_EQ(found.error().code, "OPTION_ILLEGAL");
    EXPECT_EQ(found.error().details["legal"].size(), 2u);
  }
  EXPECT_EQ(find_option(state_, Json::object()).error().code, "OPTION_AMBIGUOUS");
}

TEST_F(GameTest, OptionsOfChanceAreListedWithWeights) {
  OptionList options;
  state_.list_options(options);
  EXPECT_EQ(canonical(options_to_json(state_, options)),
            R"([{"index":0,"value":"heads","weight":2},{"index":1,"value":"tails","weight":1}])");
}

TEST_F(GameTest, ChanceIsDrawnByItsWeights) {
  OptionList options;
  state_.list_options(options);
  Rng rng = chance_stream(1);
  int heads = 0;
  for (int i = 0; i < 30'000; ++i) heads += draw_option(options, rng) == 0 ? 1 : 0;
  EXPECT_NEAR(heads, 20'000, 400);
}

TEST_F(GameTest, PerftCountsWholeMovesOrDecisions) {
  // The coin, then play or swap with one of three cards; after a swap the same player plays.
  EXPECT_EQ(perft(state_, 0), 1u);
  EXPECT_EQ(perft(state_, 1), 2u);
  EXPECT_EQ(perft(state_, 2), 2u * 6);
  EXPECT_EQ(perft(state_, 3), 2u * (3 * 6 + 3 * 3));
  EXPECT_EQ(perft(state_, 2, Counting::decisions), 2u * 2);
  EXPECT_EQ(perft(state_, 3, Counting::decisions), 2u * 2 * 3);
}

TEST_F(GameTest, PerftOfAFinishedGameIsZero) {
  Rng rng{7};
  OptionList options;
  while (!state_.finished()) {
    state_.list_options(options);
    ASSERT_TRUE(state_.apply(options[draw_option(options, rng)]));
  }
  EXPECT_EQ(perft(state_, 1), 0u);
  EXPECT_EQ(perft(state_, 0), 1u);
  EXPECT_EQ(find_option(state_, 0).error().code, "GAME_FINISHED");
  EXPECT_EQ(state_.try_apply(Option{1}).error().code, "GAME_FINISHED");
}

TEST_F(GameTest, ASaveNamesFormatVersionGameAndRules) {
  const Json saved = state_.save();
  EXPECT_EQ(saved["format"], "parlor-state");
  EXPECT_EQ(saved["version"], 2);
  EXPECT_EQ(saved["check"], save_check(saved["state"]));
  EXPECT_EQ(saved["game"], "duel");
  EXPECT_EQ(saved["fingerprint"], "d0e1");
  EXPECT_TRUE(duel_.load(saved).value() == state_);
}

TEST_F(GameTest, AStrangeSaveIsRefused) {
  const auto refused = [&](const char* key, const Json& value) {
    Json saved = state_.save();
    saved[key] = value;
    const auto loaded = duel_.load(saved);
    return loaded ? "accepted" : loaded.error().code;
  };
  EXPECT_EQ(refused("version", 1), "STATE_VERSION_UNSUPPORTED");
  EXPECT_EQ(refused("version", 3), "STATE_VERSION_UNSUPPORTED");
  EXPECT_EQ(refused("version", "2"), "STATE_VERSION_UNSUPPORTED");
  EXPECT_EQ(refused("check", nullptr), "STATE_INVALID");
  EXPECT_EQ(refused("check", "0"), "STATE_INVALID");
  EXPECT_EQ(refused("format", 7), "STATE_INVALID");
  EXPECT_EQ(refused("game", "chess"), "STATE_INVALID");
  EXPECT_EQ(refused("fingerprint", nullptr), "STATE_INVALID");
  EXPECT_EQ(refused("state", Json::array()), "STATE_INVALID");
  EXPECT_EQ(duel_.load(Json(3)).error().code, "STATE_INVALID");
}

TEST_F(GameTest, AnOutcomeIsWrittenWithReturnsWinnersAndReason) {
  const Outcome outcome{{1, -1}, {PlayerId{0}}, "score"};
  EXPECT_EQ(canonical(to_json(outcome)), R"({"reason":"score","returns":[1,-1],"winners":[0]})");
}

TEST(StateBlock, KeepsItsContentWhenItGrowsAndCopiesByValue) {
  EXPECT_TRUE(rc::check("any run of sizes", [] {
    StateBlock block;
    std::vector<std::byte> expected;
    for (const auto raw :
         *rc::gen::container<std::vector<std::uint16_t>>(rc::gen::arbitrary<std::uint16_t>())) {
      const std::size_t size = raw % 2000;
      block.resize(size);
      expected.resize(size);
      for (std::size_t i = size / 2; i < size; ++i)
        block.data()[i] = expected[i] = static_cast<std::byte>(raw);
      const StateBlock copy = block;
      RC_ASSERT(std::ranges::equal(copy.bytes(), expected));
    }
    RC_ASSERT(std::ranges::equal(block.bytes(), expected));
  }));
}

TEST(StateBlock, IsAlignedForAnyContent) {
  StateBlock block;
  block.resize(1);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block.data()) % StateBlock::alignment, 0u);
}

TEST(Streams, OfOneSeedAreDifferent) {
  EXPECT_NE(chance_stream(5).next(), agent_stream(5, PlayerId{0}).next());
  EXPECT_NE(agent_stream(5, PlayerId{0}).next(), agent_stream(5, PlayerId{1}).next());
  EXPECT_NE(Rng{5}.next(), chance_stream(5).next());
}

TEST(Streams, DoNotAlwaysBeginAlike) {
  int heads = 0;
  for (Seed seed = 0; seed < 1000; ++seed) heads += chance_stream(seed).below(2) == 0 ? 1 : 0;
  EXPECT_NEAR(heads, 500, 80);
}

TEST(Catalog, OpensByNameAndSuggestsTheNearest) {
  Catalog catalog;
  catalog.add("duel", [](const std::string&, const OpenOptions&) -> Opened {
    return std::make_shared<Duel>();
  });
  EXPECT_THAT(catalog.names(), ElementsAre("duel"));
  EXPECT_EQ(catalog.open("duel").value()->info().id, "duel");
  const auto missed = catalog.open("deul");
  ASSERT_FALSE(missed);
  const Diagnostic& d = missed.error().diagnostics.all()[0];
  EXPECT_EQ(d.code, Code::GAME_UNKNOWN);
  EXPECT_THAT(d.alternatives, ElementsAre("duel"));
}

}  // namespace
}  // namespace parlor
