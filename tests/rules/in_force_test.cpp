// Modules that bind some seats, for some turns (A-20), and what hooks hear (A-25).
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "kernel/module.h"
#include "table.h"

namespace parlor::rules {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Strings = std::vector<std::string>;

constexpr const char* whisper = R"(
module: {id: w, name: Whisper}
actions: [{id: w.whisper, phase: [main], effects: [{addVar: {scope: global, var: said, delta: 1}}]}]
hooks:
  - {id: w.count, at: apply, actions: [say], effects: [{addVar: {scope: global, var: log, delta: 1}}]}
  - {id: w.heard, at: after, event: heard}
triggers: [{id: w.rich, event: {type: turnStart}, effects: [{addVar: {scope: pvar, player: active, var: gold, delta: 1}}]}]
)";

std::shared_ptr<const kernel::KernelGame> open_bound(std::vector<spec::Int> seats,
                                                     std::optional<spec::Int> turns) {
  auto compiled = compile(talk, {whisper});
  EXPECT_TRUE(compiled.game) << render(compiled.diagnostics, compiled.texts, Colour::never);
  compiled.game->modules[0].seats = std::move(seats);
  compiled.game->modules[0].turns = turns;
  return kernel::open_game(std::move(*compiled.game)).value();
}

TEST(InForce, ADataModuleCanBindSomeSeats) {  // A-20
  const auto game = open_bound({1}, std::nullopt);
  State state = *game->start(0);
  EXPECT_FALSE(offers(state, "w.whisper"));
  EXPECT_EQ(refused(state, "w.whisper").code, "MODULE_NOT_IN_FORCE");
  Heard heard;
  ASSERT_TRUE(make(state, "say", {{"$n", 1}}, {}, &heard));
  EXPECT_EQ(state.view()["globals"]["log"], 0) << "its hook does not look at others";
  EXPECT_EQ(heard.count("heard"), 0u);
  EXPECT_EQ(state.view()["players"][1]["gold"], 6) << "its trigger hears of the turn it binds";
  EXPECT_EQ(state.view()["players"][0]["gold"], 5);
  EXPECT_TRUE(offers(state, "w.whisper"));
  ASSERT_TRUE(make(state, "say", {{"$n", 1}}, {}, &heard));
  EXPECT_EQ(state.view()["globals"]["log"], 1);
  EXPECT_EQ(heard.count("heard"), 1u);
  EXPECT_THAT(game->info().rules, ElementsAre("w:1"));
}

TEST(InForce, ADataModuleCanLastSomeTurns) {  // A-20
  const auto game = open_bound({}, 2);
  State state = *game->start(0);
  for (int turn = 1; turn <= 4; ++turn) {
    EXPECT_EQ(offers(state, "w.whisper"), turn <= 2) << turn;
    ASSERT_TRUE(make(state, "say", {{"$n", 1}}));
    // Apply hooks go by the turn as it is when they run, and here the action has ended it.
    EXPECT_EQ(state.view()["globals"]["log"], 1);
  }
  EXPECT_EQ(refused(state, "w.whisper").details["turn"], 5);
  EXPECT_THAT(game->info().rules, ElementsAre("w@2"));
}

TEST(InForce, ScopeAndTurnsAreKeptInACompiledGame) {  // A-20
  auto compiled = compile(talk, {whisper});
  compiled.game->modules[0].seats = {0, 2};
  compiled.game->modules[0].turns = 7;
  const auto again = spec::gamedef_from_json(spec::to_json(*compiled.game));
  ASSERT_TRUE(again) << again.error();
  EXPECT_EQ(again->modules[0], compiled.game->modules[0]);
}

TEST(Activation, NamesSeveralSeats) {  // A-20
  const Strings seats{"red", "blue", "green"};
  const auto some = parse_activation("tax:red+green@3", seats);
  ASSERT_TRUE(some);
  EXPECT_EQ(some->scope.seats, 5);
  EXPECT_EQ(to_text(*some, seats), "tax:red+green@3");
  EXPECT_EQ(parse_activation("tax:red+blue+green", seats)->scope, Scope{});
  EXPECT_EQ(parse_activation("tax:red+nobody", seats).error().code, Code::RULE_SCOPE_UNKNOWN);
}

// Hears what is asked for.
class Ear : public kernel::NativeModule {
 public:
  spec::ModuleInfo info() const override {
    spec::ModuleInfo out;
    out.id = "ear";
    return out;
  }
  kernel::HookPoints points() const override {
    return {.before_validate = true, .apply = true, .after = true};
  }
  void before_validate(const kernel::ActionView& action) const override {
    heard.push_back(fmt::format("{}{}", action.id(), action.known() ? "" : "?"));
  }
  void apply(const kernel::ActionView& action, kernel::Changes& changes) const override {
    if (action.id() != "say") return;
    changes.run("ear.give", {{"$who", 1 - action.player()}, {"$n", 2}});
    changes.run("ear.give", {{"$who", action.player()}, {"$n", 10}});
  }
  void after(const kernel::ActionView& action, std::vector<kernel::ModuleEvent>&) const override {
    turns.push_back(action.turn());
  }
  mutable Strings heard;
  mutable std::vector<int> turns;
};

constexpr const char* gives = R"(
module: {id: ear}
hooks:
  - id: ear.give
    at: called
    binds: [$who, $n]
    effects:
      - setVar: {scope: global, var: log, value: {op: +, left: {op: "*", left: {ref: gvar, var: log}, right: 100}, right: {ref: binding, name: $n}}}
      - addVar: {scope: pvar, player: $who, var: gold, delta: {ref: binding, name: $n}}
)";

TEST(Hooks, BeforeValidateHearsEveryRequestAlsoThoseThatAreRefused) {  // A-25
  const auto ear = std::make_shared<Ear>();
  kernel::KernelOptions options;
  options.modules = {ear};
  const auto game = open(talk, {gives}, options);
  ASSERT_TRUE(game);
  State state = *game->start(0);
  EXPECT_EQ(refused(state, "say", {{"$n", 77}}).code, "ACTION_PARAMS");
  EXPECT_EQ(refused(state, "nonsense").code, "ACTION_UNKNOWN");
  ASSERT_TRUE(make(state, "say", {{"$n", 1}}));
  EXPECT_THAT(ear->heard, ElementsAre("say", "nonsense?", "say")) << "once each";
}

TEST(Hooks, ChangesDoWhatEffectsCan) {  // A-24
  const auto ear = std::make_shared<Ear>();
  kernel::KernelOptions options;
  options.modules = {ear};
  const auto game = open(talk, {gives}, options);
  ASSERT_TRUE(game);
  State state = *game->start(0);
  ASSERT_TRUE(make(state, "say", {{"$n", 1}}));
  EXPECT_EQ(state.view()["globals"]["log"], 210) << "in the order in which they were asked for";
  EXPECT_EQ(state.view()["players"][1]["gold"], 7);
  EXPECT_EQ(state.view()["players"][0]["gold"], 15);
}

TEST(Hooks, AfterSeesTheStateThatIsKept) {  // A-25
  const auto ear = std::make_shared<Ear>();
  kernel::KernelOptions options;
  options.modules = {ear};
  const auto game = open(talk, {gives}, options);
  ASSERT_TRUE(game);
  State state = *game->start(0);
  ASSERT_TRUE(make(state, "say", {{"$n", 1}}));
  EXPECT_THAT(ear->turns, ElementsAre(2)) << "the turn has passed";
}

TEST(Hooks, ModuleFilesShowValuesWithAState) {  // A-25
  const auto game = open(talk, {R"(
module: {id: sum}
hooks: [{id: sum.show, at: snapshot, show: {double: {op: "*", left: {ref: gvar, var: said}, right: 2}}}]
)"});
  ASSERT_TRUE(game);
  State state = *game->start(0);
  ASSERT_TRUE(make(state, "say", {{"$n", 3}}));
  EXPECT_EQ(state.view()["modules"], (Json{{"sum", {{"double", 6}}}}));
  EXPECT_EQ(state.view(Viewer::player(PlayerId{1}))["modules"]["sum"]["double"], 6);
}

TEST(Hooks, AnEmptyListOfActionsMeansNone) {  // A-25
  const auto game = open(talk, {R"(
module: {id: n}
hooks: [{id: n.never, at: validate, actions: [], reject: {code: NEVER}}]
)"});
  ASSERT_TRUE(game);
  State state = *game->start(0);
  EXPECT_TRUE(make(state, "say", {{"$n", 1}}));
}

constexpr const char* quiet = R"(
module: {id: q}
effects: [{id: q.hush, blockActions: [shout], modifiers: {calm: 3}}]
actions: [{id: q.start, phase: [main], effects: [{startEffect: {effect: q.hush, owner: actor, expires: {turn: 4}}}]}]
)";

TEST(Effects, AreNamedWhereTheyBlockAndInViews) {  // A-25
  const auto game = open(talk, {quiet});
  ASSERT_TRUE(game);
  State state = *game->start(0);
  ASSERT_TRUE(make(state, "q.start"));
  ASSERT_TRUE(make(state, "say", {{"$n", 1}}));
  const Rejection why = refused(state, "shout");
  EXPECT_EQ(why.code, "ACTION_BLOCKED");
  EXPECT_EQ(why.details["effect"], "q.hush");
  const Json view = state.view();
  EXPECT_EQ(view["effects"][0]["modifiers"], (Json{{"calm", 3}}));
  EXPECT_EQ(view["effects"][0]["id"], why.details["id"]);
  EXPECT_EQ(view["turnInRound"], 1);
  EXPECT_EQ(view["roundStartPlayer"], 0);
  Heard heard;
  ASSERT_TRUE(make(state, "say", {{"$n", 1}}, {}, &heard));
  const auto ended = std::ranges::find(heard.kinds, "effectEnded");
  ASSERT_NE(ended, heard.kinds.end());
  EXPECT_EQ(heard.data[static_cast<std::size_t>(ended - heard.kinds.begin())]["owner"], 0);
}

TEST(Effects, MoreThanAGameCanHoldAreRefused) {  // A-25
  const auto game = open(talk, {R"(
module: {id: many}
effects: [{id: many.one}]
actions:
  - id: many.start
    phase: [main]
    effects: [{forEach: {bind: $i, over: {query: intsInRange, min: 1, max: 65}, effects: [{startEffect: {effect: many.one}}]}}]
)"});
  ASSERT_TRUE(game);
  State state = *game->start(0);
  EXPECT_EQ(refused(state, "many.start").code, "EFFECTS_TOO_MANY");
}

}  // namespace
}  // namespace parlor::rules
