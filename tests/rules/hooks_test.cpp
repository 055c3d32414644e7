// The pipeline of one action: M-10 to M-14, for hooks of the game, of module files and of native
// modules.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "kernel/module.h"
#include "table.h"

namespace parlor::rules {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using Strings = std::vector<std::string>;

// Hooks at every point that write a digit or report an event named after themselves.
std::string hooks_of(const std::string& prefix, int digit) {
  return fmt::format(R"(
hooks:
  - {{id: {0}after, at: after, event: {0}after}}
  - {{id: {0}apply, at: apply, actions: [say], effects: [{{setVar: {{scope: global, var: log, value: {{op: +, left: {{op: "*", left: {{ref: gvar, var: log}}, right: 10}}, right: {1}}}}}}}]}}
  - {{id: {0}validate, at: validate, when: {{op: ==, left: {{ref: gvar, var: said}}, right: -1}}, reject: {{code: NEVER}}}}
  - {{id: {0}before, at: beforeValidate, event: {0}before}}
)",
                     prefix, digit);
}

// Writes down every hook that is really run.
class Recorder : public kernel::NativeModule {
 public:
  explicit Recorder(std::string id) : id_(std::move(id)) {}
  spec::ModuleInfo info() const override { return {id_, "1", "Recorder", "", {}, {}}; }
  kernel::HookPoints points() const override { return {true, true, true, true, true}; }
  void before_validate(const kernel::ActionView& action) const override { note("before", action); }
  std::optional<Rejection> validate(const kernel::ActionView& action) const override {
    note("validate", action);
    if (action.id() != "shout") return std::nullopt;
    return Rejection("TOO_LOUD", "nobody may shout",
                     {{"gold", *action.of_player(action.player(), "gold")}});
  }
  void apply(const kernel::ActionView& action, kernel::Changes& changes) const override {
    note("apply", action);
    changes.add_global("log", 1);
    changes.add_player(action.player(), "gold", 1);
  }
  void after(const kernel::ActionView& action,
             std::vector<kernel::ModuleEvent>& events) const override {
    note("after", action);
    events.push_back(
        {id_ + ".seen", {{"said", *action.global("said")}, {"n", *action.param("$n")}}});
  }
  Json snapshot(const kernel::StateView& state) const override {
    return {{"double", 2 * *state.global("said")}};
  }
  mutable Strings seen;

 private:
  void note(const char* point, const kernel::ActionView& action) const {
    if (!action.trial())
      seen.push_back(fmt::format("{} {} {}", point, action.id(), action.player()));
  }
  std::string id_;
};

TEST(Hooks, RunOnceEachInTheDocumentedOrder) {  // M-10
  const auto recorder = std::make_shared<Recorder>("b");
  kernel::KernelOptions options;
  options.modules = {recorder};
  const auto game =
      open(std::string(talk) + hooks_of("base-", 1),
           {"module: {id: c}" + hooks_of("c.", 4), "module: {id: a}" + hooks_of("a.", 2),
            "module: {id: b}" + hooks_of("b.", 3)},
           options);
  ASSERT_TRUE(game);
  State state = *game->start(0);
  Heard heard;
  OptionList list;
  for (int i = 0; i < 3; ++i) state.list_options(list);  // asking is not running
  EXPECT_TRUE(recorder->seen.empty());
  ASSERT_TRUE(make(state, "say", {{"$n", 2}}, {}, &heard));
  // Base, a, b (data, then native: 3 and +1), c.
  EXPECT_EQ(state.view()["globals"]["log"], ((12 * 10 + 3) + 1) * 10 + 4);
  Strings hooks;
  for (const std::string& kind : heard.kinds)
    if (kind.ends_with("before") || kind.ends_with("after") || kind == "action" ||
        kind == "b.seen" || kind == "varChanged" || kind == "turnStarted")
      hooks.push_back(kind);
  EXPECT_THAT(hooks,
              ElementsAre("base-before", "a.before", "b.before", "c.before", "action",
                          "varChanged",                                            // the effect
                          "turnStarted",                                           // afterEffects
                          "varChanged", "varChanged", "varChanged", "varChanged",  // apply hooks
                          "varChanged", "varChanged",                              //
                          "base-after", "a.after", "b.after", "b.seen", "c.after"));
  EXPECT_THAT(recorder->seen,
              ElementsAre("before say 0", "validate say 0", "apply say 0", "after say 0"));
}

// A choice in the middle, looking ahead to the end, and saving in between make no hook run again.
TEST(Hooks, RunOnceForAnActionOfSeveralSteps) {  // M-10
  const auto recorder = std::make_shared<Recorder>("b");
  kernel::KernelOptions options;
  options.modules = {recorder};
  const auto game = open(talk, {R"(
module: {id: pick}
actions:
  - id: pick.two
    phase: [main]
    params: [{name: $n, domain: {query: intsInRange, min: 0, max: 1}}]
    effects:
      - chooseOne: {bind: $x, options: {query: intsInRange, min: 1, max: 3}}
      - addVar: {scope: global, var: said, delta: {ref: binding, name: $x}}
      - require: {op: ">", left: {ref: gvar, var: said}, right: 1}
hooks: [{id: pick.count, at: apply, actions: [pick.two], effects: [{addVar: {scope: global, var: log, delta: 100}}]}]
)"},
                         options);
  ASSERT_TRUE(game);
  State state = *game->start(0);
  Heard heard;
  OptionList list;
  state.list_options(list);
  ASSERT_TRUE(
      state.apply(*find_option(state, {{"action", "pick.two"}, {"params", {{"$n", 1}}}}), &heard));
  state.list_options(list);
  EXPECT_EQ(list.size(), 2u) << "1 would leave too little said";
  state = *game->load(state.save());
  ASSERT_TRUE(state.apply(list[0], &heard));
  EXPECT_THAT(recorder->seen, ElementsAre("before pick.two 0", "validate pick.two 0",
                                          "apply pick.two 0", "after pick.two 0"));
  EXPECT_EQ(state.view()["globals"]["log"], 101);
  EXPECT_EQ(heard.count("b.seen"), 1u);
}

// Everybody hands in a move against the same state; the hooks run when the moves are made.
constexpr const char* sealed = R"(
metadata: {id: sealed, players: {min: 2, max: 2}}
zones: [{id: box, owner: none, visibility: public, ordering: set}]
globalVars:
  - {name: said, type: int, init: 0, min: 0, max: 1000}
  - {name: log, type: int, init: 0, min: 0, max: 1000000000}
perPlayerVars: [{name: gold, type: int, init: 5, min: 0, max: 50}]
turnOrder: {type: simultaneous}
turnStructure: {phases: [{id: main}]}
actions:
  - id: say
    phase: [main]
    params: [{name: $n, domain: {query: intsInRange, min: 1, max: 3}}]
    effects:
      - chooseOne: {bind: $x, options: {query: intsInRange, min: 1, max: 3}}
      - addVar: {scope: global, var: said, delta: {ref: binding, name: $x}}
      - require: {op: <, left: {ref: gvar, var: said}, right: 5}
  - {id: shout, phase: [main], params: [{name: $n, domain: {query: intsInRange, min: 1, max: 1}}]}
terminal: {conditions: [{when: {op: ">=", left: {ref: gvar, var: said}, right: 500}, result: {type: draw}}]}
)";

State hand_in(const State& from, int value, EventListener* listener) {
  State state = from;
  OptionList list;
  EXPECT_TRUE(
      state.apply(*find_option(state, {{"action", "say"}, {"params", {{"$n", 1}}}}), listener));
  state.list_options(list);
  EXPECT_TRUE(state.apply(*find_option(state, {{"value", value}}), listener));
  return state;
}

TEST(Hooks, RunOncePerActionInSimultaneousOrder) {  // T-36, M-10
  const auto recorder = std::make_shared<Recorder>("b");
  kernel::KernelOptions options;
  options.modules = {recorder};
  const auto game = open(sealed, {}, options);
  ASSERT_TRUE(game);
  Heard heard;
  State state = hand_in(*game->start(0), 1, &heard);
  EXPECT_TRUE(recorder->seen.empty()) << "handed in, not made";
  state = hand_in(state, 3, &heard);
  EXPECT_THAT(recorder->seen,
              ElementsAre("before say 0", "validate say 0", "apply say 0", "after say 0",
                          "before say 1", "validate say 1", "apply say 1", "after say 1"));
  EXPECT_EQ(state.view()["globals"]["log"], 2);
  EXPECT_EQ(heard.count("b.seen"), 2u);
  EXPECT_EQ(heard.count("action"), 2u);
}

TEST(Hooks, OfASubmissionThatBecameImpossibleNeverRun) {  // T-36
  const auto recorder = std::make_shared<Recorder>("b");
  kernel::KernelOptions options;
  options.modules = {recorder};
  const auto game = open(sealed, {}, options);
  ASSERT_TRUE(game);
  Heard heard;
  const State state = hand_in(hand_in(*game->start(0), 3, &heard), 3, &heard);
  EXPECT_THAT(recorder->seen,
              ElementsAre("before say 0", "validate say 0", "apply say 0", "after say 0"));
  EXPECT_EQ(heard.count("submissionSkipped"), 1u);
  EXPECT_EQ(heard.count("action"), 1u) << "nothing is told of a move that was not made";
  EXPECT_EQ(state.view()["globals"]["said"], 3);
}

TEST(Hooks, AVetoRefusesASubmission) {  // T-36, M-11
  const auto recorder = std::make_shared<Recorder>("b");
  kernel::KernelOptions options;
  options.modules = {recorder};
  const auto game = open(sealed, {}, options);
  ASSERT_TRUE(game);
  State state = *game->start(0);
  EXPECT_FALSE(offers(state, "shout 1"));
  // The option as it would be listed, sent by somebody who does not ask first.
  const State before = state;
  const Applied applied = state.apply(Option{1});
  ASSERT_FALSE(applied);
  EXPECT_EQ(applied.error().code, "TOO_LOUD");
  EXPECT_TRUE(state == before);
  EXPECT_TRUE(recorder->seen.empty());
}

TEST(Hooks, ANativeVetoIsWhatTheCallerGets) {  // M-11, M-12
  const auto recorder = std::make_shared<Recorder>("guard");
  kernel::KernelOptions options;
  options.modules = {recorder};
  const auto game = open(talk, {}, options);
  ASSERT_TRUE(game);
  State state = *game->start(0);
  EXPECT_THAT(offered(state), ElementsAre("say 1", "say 2", "say 3"))
      << "vetoed options are not offered";
  const Rejection why = refused(state, "shout");
  EXPECT_EQ(why.code, "TOO_LOUD");
  EXPECT_EQ(why.message, "nobody may shout");
  EXPECT_EQ(why.details, (Json{{"gold", 5}}));
  EXPECT_THAT(recorder->seen, ElementsAre("before shout 0"))  // A-25
      << "a refused action has no hooks behind its validation";
  EXPECT_EQ(state.view()["modules"]["guard"]["double"], 0) << "snapshot hooks show in the view";
  EXPECT_EQ(state.view(Viewer::player(PlayerId{0}))["modules"]["guard"]["double"], 0)
      << "and where nothing is hidden, for everybody (A-25)";
}

TEST(Hooks, ADataVetoIsWhatTheCallerGets) {  // M-11
  const auto game = open(talk, {R"(
module: {id: calm}
hooks:
  - id: calm.small
    at: validate
    actions: [say]
    when: {op: ">", left: {ref: binding, name: $n}, right: {ref: gvar, var: said}}
    reject: {code: CALM_TOO_MUCH, message: say less, details: {asked: {ref: binding, name: $n}, said: {ref: gvar, var: said}, who: {ref: player, player: actor}}}
)"});
  ASSERT_TRUE(game);
  State state = *game->start(0);
  EXPECT_THAT(offered(state), ElementsAre("shout"));
  const Rejection why = refused(state, "say", {{"$n", 2}});
  EXPECT_EQ(why.code, "CALM_TOO_MUCH");
  EXPECT_EQ(why.message, "say less");
  EXPECT_EQ(why.details, (Json{{"asked", 2}, {"said", 0}, {"who", 0}}));
  ASSERT_TRUE(make(state, "shout"));
  EXPECT_TRUE(make(state, "say", {{"$n", 2}}));
}

TEST(Hooks, AHookThatFaultsHidesNothingAndRefusesTheAction) {  // M-12, T-23
  const auto game = open(talk, {R"(
module: {id: broken}
hooks:
  - {id: broken.division, at: validate, actions: [say], when: {op: ">", left: {op: /, left: 1, right: {ref: gvar, var: said}}, right: 5}, reject: {code: X}}
)"});
  ASSERT_TRUE(game);
  State state = *game->start(0);
  EXPECT_THAT(offered(state), ElementsAre("say 1", "say 2", "say 3", "shout"));
  const Rejection refusal = refused(state, "say", {{"$n", 1}});
  EXPECT_EQ(refusal.code, "RUN_DIVISION_BY_ZERO");
  EXPECT_TRUE(refusal.fault);
}

class Throws : public Recorder {
 public:
  explicit Throws(const char* where) : Recorder("throws"), where_(where) {}
  void before_validate(const kernel::ActionView&) const override { fall("before"); }
  std::optional<Rejection> validate(const kernel::ActionView& action) const override {
    if (action.id() == "say") fall("validate");
    return std::nullopt;
  }
  void apply(const kernel::ActionView&, kernel::Changes& changes) const override {
    fall("apply");
    if (where_ == std::string("unknown")) changes.add_global("no such thing", 1);
  }
  void after(const kernel::ActionView&, std::vector<kernel::ModuleEvent>&) const override {
    fall("after");
  }

 private:
  void fall(const char* here) const {
    if (std::string_view(where_) == here) throw std::runtime_error("dropped it");
  }
  const char* where_;
};

TEST(Hooks, ANativeHookThatThrowsRefusesTheActionAndChangesNothing) {  // M-12, M-14
  for (const char* where : {"before", "validate", "apply", "after", "unknown"}) {
    kernel::KernelOptions options;
    options.modules = {std::make_shared<Throws>(where)};
    const auto game = open(talk, {}, options);
    ASSERT_TRUE(game);
    State state = *game->start(0);
    const Rejection why = refused(state, "say", {{"$n", 1}});
    EXPECT_EQ(why.code, "HOOK_FAILED") << where;
    EXPECT_EQ(why.details["module"], "throws");
  }
}

TEST(Hooks, GatesComeBeforeValidateHooks) {  // M-11, M-14
  const std::string base = R"(
metadata: {id: gates, players: {min: 2, max: 2}}
zones: [{id: box, owner: none, visibility: public, ordering: set}]
globalVars: [{name: n, type: int, init: 0, min: 0, max: 99}]
perPlayerVars: [{name: gold, type: int, init: 1, min: 0, max: 9}]
effects: [{id: strike, blockActions: [blocked]}]
turnStructure: {phases: [{id: main}, {id: late}]}
actions:
  - {id: go, phase: [main], effects: [{addVar: {scope: global, var: n, delta: 1}}]}
  - {id: next, phase: [main], effects: [{advancePhase: {}}]}
  - {id: late, phase: [late], effects: [{advancePhase: {}}]}
  - {id: never, phase: [main], pre: false}
  - {id: other, phase: [main], actor: left}
  - {id: once, phase: [main], limits: [{scope: turn, max: 1}]}
  - {id: blocked, phase: [main]}
  - {id: strike, phase: [main], effects: [{startEffect: {effect: strike}}]}
  - {id: dear, phase: [main], price: {gold: 2}}
terminal: {conditions: [{when: {op: ">", left: {ref: gvar, var: n}, right: 9}, result: {type: draw}}]}
hooks: [{id: no, at: validate, actions: [late, never, other, once, blocked, dear], when: {op: ">", left: {ref: gvar, var: n}, right: 0}, reject: {code: HOOK_SAYS_NO}}]
)";
  const auto game = open(base);
  ASSERT_TRUE(game);
  State state = *game->start(0);
  ASSERT_TRUE(make(state, "once"));
  ASSERT_TRUE(make(state, "strike"));
  const auto expect_gates = [&] {
    EXPECT_EQ(refused(state, "late").code, "ACTION_PHASE");
    EXPECT_EQ(refused(state, "never").code, "ACTION_CONDITION");
    EXPECT_EQ(refused(state, "other").code, "ACTION_ACTOR");
    EXPECT_EQ(refused(state, "once").code, "ACTION_LIMIT");
    EXPECT_EQ(refused(state, "blocked").code, "ACTION_BLOCKED");
    EXPECT_EQ(refused(state, "go", {{"what", 1}}).code, "ACTION_PARAMS");
  };
  expect_gates();
  const Rejection dear = refused(state, "dear");
  EXPECT_EQ(dear.code, "ACTION_PRICE");
  EXPECT_EQ(dear.details["price"], (Json{{"gold", 2}}));
  EXPECT_EQ(dear.details["have"], (Json{{"gold", 1}}));
  ASSERT_TRUE(make(state, "go"));
  expect_gates();  // the hook would say no now, but is not asked before the gates
  EXPECT_EQ(refused(state, "dear").code, "HOOK_SAYS_NO") << "hooks come before the price";
}

// What it shows depends on how often it was asked, or it falls.
class Fickle : public Recorder {
 public:
  explicit Fickle(bool throws) : Recorder("fickle"), throws_(throws) {}
  kernel::HookPoints points() const override { return {.snapshot = true}; }
  Json snapshot(const kernel::StateView&) const override {
    if (throws_) throw std::runtime_error("dropped it");
    return asked_++;
  }

 private:
  bool throws_;
  mutable int asked_ = 0;
};

std::shared_ptr<const kernel::KernelGame> with_fickle(bool throws) {
  kernel::KernelOptions options;
  options.modules = {std::make_shared<Fickle>(throws)};
  return open(talk, {}, options);
}

// A debug build asks twice and stops; a release build shows what it got.
TEST(HooksDeathTest, ASnapshotHookMustBeDeterministic) {  // M-13
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto game = with_fickle(false);
  ASSERT_TRUE(game);
  const State state = *game->start(0);
  EXPECT_DEBUG_DEATH(state.view(), "a snapshot hook must be deterministic");
}

TEST(Hooks, ASnapshotHookThatThrowsSaysSoInTheView) {  // M-12, M-13
  const auto game = with_fickle(true);
  ASSERT_TRUE(game);
  const State state = *game->start(0);
  const Json view = state.view();
  EXPECT_EQ(view["modules"]["fickle"]["error"]["code"], "HOOK_FAILED");
  EXPECT_EQ(view["modules"]["fickle"]["error"]["message"], "module fickle failed: dropped it");
}

class Idle : public Recorder {
 public:
  Idle() : Recorder("idle") {}
  kernel::HookPoints points() const override { return {}; }
};

TEST(Hooks, AModuleThatHooksNothingAddsNoCode) {
  kernel::KernelOptions options;
  options.modules = {std::make_shared<Idle>()};
  const auto plain = open(talk), data = open(talk, {"module: {id: idle}"}),
             native = open(talk, {}, options);
  ASSERT_TRUE(plain && data && native);
  const std::string code = kernel::disassemble(plain->program());
  EXPECT_EQ(kernel::disassemble(data->program()), code);
  EXPECT_EQ(kernel::disassemble(native->program()), code);
  for (const auto& game : {data, native}) {
    EXPECT_EQ(game->start(1)->block().size(), plain->start(1)->block().size());
    for (const auto& action : game->program().actions)
      EXPECT_TRUE(action.before.empty() && action.validate.empty());
  }
}

}  // namespace
}  // namespace parlor::rules
