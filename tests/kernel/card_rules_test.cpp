// Card-driven games beyond the fixtures: what people are told, luck, other turn orders.
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

#include "game/conformance.h"
#include "kernel/card_fixtures.h"
#include "kernel/open.h"
#include "source_dir.h"
#include "spec/spec.h"

namespace parlor::kernel {
namespace {

using testing::HasSubstr;

std::string text_of_fixture(const std::string& file) {
  std::ifstream in(PARLOR_SOURCE_DIR + "/tests/kernel/cards/" + file + ".md");
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::shared_ptr<const KernelGame> open_text(const std::string& text, KernelOptions options = {}) {
  spec::CompileResult compiled = spec::compile_text(text);
  EXPECT_TRUE(compiled.game) << render(compiled.diagnostics, compiled.texts, Colour::never);
  auto game = open_game(std::move(*compiled.game), options);
  EXPECT_TRUE(game);
  return *game;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

void pick(State& state, const std::string& option) {
  const auto found = find_option(state, Json(option), Viewer::everything());
  ASSERT_TRUE(found) << option;
  ASSERT_TRUE(state.apply(*found));
}

std::string why(const State& state, const Json& request) {
  const auto refused = state.why_not(request, Viewer::everything());
  return refused ? refused->message : "legal";
}

TEST(CardRules, WhyNamesTheOptionMatrix_F51) {
  const auto game = open_text(text_of_fixture("flow/matrix"));
  State state = game->start(0).value();
  pick(state, "event c1 unshaded");
  const std::string told = why(state, {{"action", "march"}, {"params", Json::object()}});
  EXPECT_THAT(told, HasSubstr("second eligible after event: only operation or pass"));
  EXPECT_EQ(why(state, {{"action", "op"}, {"params", Json::object()}}), "legal");
}

TEST(CardRules, WhyNamesTheGrantThatHasToBeUsed_G31) {
  const auto game = open_text(text_of_fixture("free/required-self"));
  State state = game->start(1).value();
  const Json decision = told(state)["decision"];
  for (const Json& option : decision["options"])
    if (option["action"] == "event") {
      const auto found = find_option(state, option, Viewer::everything());
      ASSERT_TRUE(found);
      ASSERT_TRUE(state.apply(*found));
      break;
    }
  EXPECT_THAT(why(state, {{"action", "pass"}, {"params", Json::object()}}),
              HasSubstr("a free operation has to be made first"));
}

TEST(CardRules, WhyNamesWhatCancels_F55) {
  const auto game = open_text(text_of_fixture("flow/cancellation"));
  State state = game->start(0).value();
  EXPECT_EQ(why(state, {{"action", "op"}, {"params", Json::object()}}),
            "op is cancelled while strike is open");
  pick(state, "event c1 unshaded");
  EXPECT_EQ(why(state, {{"action", "op"}, {"params", Json::object()}}),
            "op is cancelled while raid is open");
}

// A cancellation may cover everything that is open, the winner included: then the seat may pass.
TEST(CardRules, WhereEverythingIsCancelledOneMayPass_F58) {
  std::string text = text_of_fixture("flow/cancellation");
  text = replaced(text, "canceled: {actionClass: operation}", "canceled: {}");
  const auto game = open_text(text);
  State state = game->start(0).value();
  const Json decision = told(state)["decision"];
  ASSERT_EQ(decision["options"].size(), 1u) << decision;
  EXPECT_EQ(decision["options"][0]["action"], "pass");
  pick(state, "pass");
  EXPECT_EQ(state.decision().player, PlayerId{1});
}

TEST(CardRules, WhyNamesTheSeason_F56) {
  const auto game = open_text(text_of_fixture("flow/monsoon"));
  State state = game->start(0).value();
  std::string told;
  for (int k = 0; k < 12 && told.find("season") == std::string::npos && !state.finished(); ++k) {
    told = why(state, {{"action", "sail"}, {"params", Json::object()}});
    if (told == "legal") pick(state, "pass");
  }
  EXPECT_THAT(told, HasSubstr("the season before it forbids"));
}

TEST(CardRules, ThePersonAtTheTerminalSeesCardOrderAndGrants) {
  const auto game = open_text(text_of_fixture("free/required-self"));
  const State state = game->start(1).value();
  const std::string text = game->describe(state.block(), Viewer::everything());
  EXPECT_THAT(text, HasSubstr("card: c1"));
  EXPECT_THAT(text, HasSubstr("order: red, blue, green"));
}

TEST(CardRules, AShuffledPileIsChanceWhereChanceIsExplicit) {
  std::string text = text_of_fixture("flow/reveal-empty");
  text = replaced(text, "\nturnStructure:", "\n- shuffle: {zone: deck}\nturnStructure:");
  const auto game = open_text(text, {.explicit_chance = true});
  State state = game->start(0).value();
  ASSERT_EQ(state.decision().kind, DecisionKind::chance);
  OptionList options;
  state.list_options(options);
  EXPECT_GT(options.size(), 1u);
  for (int k = 0; k < 100 && !state.finished(); ++k) {
    options.clear();
    state.list_options(options);
    ASSERT_TRUE(state.apply(options[0]));
  }
  ConformanceOptions few;
  few.games = 2;
  few.max_decisions = 40;
  few.deep_states = 3;
  EXPECT_THAT(check_conformance(*game, few), testing::IsEmpty());
}

TEST(CardRules, EventCardsArePlayedInAnyTurnOrder_R13) {
  std::string text = text_of_fixture("flow/event-sides");
  const std::size_t from = text.find("\nturnOrder:"), to = text.find("\nactions:");
  ASSERT_TRUE(from != std::string::npos && to != std::string::npos);
  text = text.substr(0, from) + text.substr(to);
  text = replaced(text, "zone: deck\n", "zone: played\n");
  const auto game = open_text(text);
  State state = game->start(0).value();
  const Json options = told(state)["decision"]["options"];
  const bool offered = std::any_of(options.begin(), options.end(), [](const Json& option) {
    return option["action"] == "event" && option["params"].contains("eventCardId");
  });
  EXPECT_TRUE(offered) << options;
  for (int k = 0; k < 20 && !state.finished(); ++k) {
    OptionList list;
    state.list_options(list);
    ASSERT_TRUE(state.apply(list[list.size() - 1]));
    EXPECT_TRUE(game->consistent(state.block()));
  }
}

}  // namespace
}  // namespace parlor::kernel
