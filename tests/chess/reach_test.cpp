// What everybody can reach (C-85): parameters of presets, the promotion event, a board to try rules
// on, drawings of the pieces.
#include <filesystem>
#include <gmock/gmock.h>

#include "chess/pgn.h"
#include "chess/trial.h"
#include "source_dir.h"

namespace parlor::chess {
namespace {

using testing::HasSubstr;

std::string problem_of(const std::string& rule) {
  OpenOptions options;
  options.rules = {rule};
  const auto game = open_chess(options);
  return game ? "" : game.error().diagnostics.all().front().message;
}

TEST(Parameters, ARuleIsAskedForWithThem) {  // C-85
  Trial trial("4k3/8/8/8/8/n7/8/R3K1N1 w - - 0 1", {"extinction-chess{target: knight}"});
  EXPECT_EQ(trial.game().info().rules.front(), "extinction-chess{target: knight}");
  trial.play("a1a3");
  EXPECT_EQ(trial.result(), Result::white_wins);
  EXPECT_EQ(trial.reason(), "extinction");
  EXPECT_EQ(Trial("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", {"piece-hp{points: 5}"}).attribute("a1", "Hp"),
            5);
  Trial once("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", {"three-check{checks: 1}"});
  EXPECT_EQ(once.play("a1a8").reason(), "three-checks");
}

TEST(Parameters, GoWithScopeAndTurns) {  // C-85
  const auto rule = rules::parse_activation("piece-hp{points: 3}:white@9", seat_names()).value();
  EXPECT_EQ(rule.parameters.at("points"), "3");
  EXPECT_EQ(rule.turns, 9u);
  EXPECT_EQ(rules::to_text(rule, seat_names()), "piece-hp{points: 3}:white@9");
  EXPECT_THAT(rules::split_rules("a{x: 1, y: 2},b"), testing::ElementsAre("a{x: 1, y: 2}", "b"));
}

TEST(Parameters, MistakesAreNamed) {  // C-85
  EXPECT_THAT(problem_of("extinction-chess{target: dragon}"),
              HasSubstr("`dragon` is no kind of piece"));
  EXPECT_THAT(problem_of("extinction-chess{goal: knight}"), HasSubstr("has no parameter `goal`"));
  EXPECT_THAT(problem_of("piece-hp{points: 99}"), HasSubstr("a number from 1 to 9"));
  EXPECT_THAT(problem_of("piece-hp{points}"), HasSubstr("`name: value`"));
  EXPECT_THAT(problem_of("piece-hp{points: 2"), HasSubstr("not closed"));
}

TEST(Parameters, AreKeptBySavesAndPgn) {  // C-85
  Trial trial("4k3/8/8/8/8/n7/8/R3K1N1 w - - 0 1", {"extinction-chess{target: knight}"});
  trial.play("a1b1");
  const auto loaded = trial.game().load(trial.state().save());
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->hash(), trial.state().hash());
  const std::vector<rules::Activation> more{
      rules::parse_activation("extinction-chess{target: knight}", seat_names()).value(),
      rules::parse_activation("piece-hp{points: 4}", seat_names()).value()};
  ASSERT_TRUE(trial.game().set_active_presets(trial.state().block(), more));
  trial.play("e8d7");
  const auto back = read_pgn(to_pgn(trial.state()));
  ASSERT_TRUE(back) << back.error() << to_pgn(trial.state());
  EXPECT_EQ(back->state.hash(), trial.state().hash());
}

class Heard : public EventListener {
 public:
  void on_event(const Event& event) override {
    kinds.emplace_back(event.kind);
    if (event.kind == "tokenChanged" && event.data["prop"] == "type") changed = event.data;
  }
  std::vector<std::string> kinds;
  Json changed;
};

TEST(Events, APromotionIsTold) {  // C-85
  Trial trial("4k3/P7/8/8/8/8/8/4K3 w - - 0 1");
  OptionList options;
  trial.state().list_options(options);
  Heard heard;
  for (const Option option : options)
    if (trial.state().option_text(option) == "a7a8q") {
      ASSERT_TRUE(trial.state().apply(option, &heard));
      break;
    }
  EXPECT_THAT(heard.kinds, testing::IsSupersetOf({"tokenMoved", "tokenChanged"}));
  EXPECT_EQ(heard.changed["old"], "pawn");
  EXPECT_EQ(heard.changed["new"], "queen");
}

TEST(Trial, SaysWhatCannotBePlayed) {  // C-85
  Trial trial("4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
  EXPECT_THAT(trial.play("a1a8 e8e8").refusal(), HasSubstr("e8e8"));
  EXPECT_EQ(trial.play("Ke7").refusal(), "");
  EXPECT_THROW(Trial("nonsense"), std::invalid_argument);
  EXPECT_THROW(Trial("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", {"no-such-rule"}), std::invalid_argument);
}

TEST(Assets, EveryKindOfPieceIsDrawn) {  // C-85
  const Rulebook& book = standard_rulebook();
  for (std::size_t type = 1; type < book.type_count(); ++type)
    for (const std::string& asset : book.type(static_cast<PieceType>(type)).assets)
      EXPECT_TRUE(std::filesystem::exists(PARLOR_SOURCE_DIR + "/assets/" + asset)) << asset;
}

}  // namespace
}  // namespace parlor::chess
