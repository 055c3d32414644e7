// How modules become part of a game: M-01 to M-04.
#include <fmt/format.h>
#include <functional>
#include <gmock/gmock.h>

#include "kernel/module.h"
#include "spec/gamedef/forms.h"
#include "table.h"

namespace parlor::rules {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;
using Strings = std::vector<std::string>;

TEST(Compose, AModuleAddsEverySection) {  // M-04
  const auto game = open(talk, {R"(
module: {id: tax, version: 1.2.0, name: Tax, description: Talking costs.}
constants: {tax.rate: 2}
globalVars: [{name: tax.chest, type: int, init: 0, min: 0, max: 99}]
perPlayerVars: [{name: tax.paid, type: int, init: 0, min: 0, max: 99}]
zones: [{id: tax.office, owner: none, visibility: public, ordering: set}]
tokenTypes: [{id: tax.form, props: {page: int}}]
setup: [{createToken: {type: tax.form, zone: tax.office, props: {page: 1}}}]
effectMacros:
  - {id: tax.take, params: [], exports: [], effects: [{addVar: {scope: global, var: tax.chest, delta: {ref: constant, name: tax.rate}}}]}
triggers: [{id: tax.collect, event: {type: actionResolved, action: say}, effects: [{macro: tax.take, args: {}}]}]
actions: [{id: tax.pay, phase: [main], price: {gold: 1}, effects: [{addVar: {scope: pvar, player: actor, var: tax.paid, delta: 1}}]}]
)"});
  ASSERT_TRUE(game);
  EXPECT_THAT(game->info().rules, ElementsAre("tax"));
  State state = *game->start(1);
  EXPECT_TRUE(offers(state, "tax.pay"));
  ASSERT_TRUE(make(state, "say", {{"$n", 1}}));
  EXPECT_EQ(state.view()["globals"]["tax.chest"], 2);
  ASSERT_TRUE(make(state, "tax.pay"));
  EXPECT_EQ(state.view()["players"][1]["tax.paid"], 1);
  EXPECT_EQ(state.view()["players"][1]["gold"], 4);
}

TEST(Compose, NamesAreOwned) {  // M-02
  const auto result = compile(talk, {R"(
module: {id: tax}
globalVars: [{name: chest, type: int, init: 0, min: 0, max: 99}, {batch: {names: [tax.a, b], type: int, init: 0, min: 0, max: 9}}]
actions: [{id: say, phase: [main]}, {id: tax.ok, phase: [main]}]
hooks: [{id: taxing, at: after, event: x}]
)"});
  EXPECT_EQ(codes(result.diagnostics), Strings(4, "MODULE_NAME_UNOWNED"));
  EXPECT_THAT(result.diagnostics.all()[0].suggestion, HasSubstr("tax.chest"));
  EXPECT_NE(result.diagnostics.all()[0].span.line, 0u);
}

TEST(Compose, ARedeclaredNameIsADuplicate) {  // M-02
  const std::string base =
      std::string(talk) + "triggers: [{id: tax.x, event: {type: turnStart}, effects: []}]\n";
  EXPECT_THAT(
      codes(compile(
                base,
                {"module: {id: tax}\ntriggers: [{id: tax.x, event: {type: turnEnd}, effects: []}]"})
                .diagnostics),
      ElementsAre("DUPLICATE_ID"));
  EXPECT_THAT(codes(compile(talk, {"module: {id: tax}\nmetadata: {id: other}"}).diagnostics),
              ElementsAre("MODULE_SECTION_CONFLICT"));
  EXPECT_THAT(codes(compile(talk, {"setup: []\nglobalVars: []"}).diagnostics),
              ElementsAre("MODULE_MISSING"));
  EXPECT_THAT(codes(compile(talk, {"module: {id: a}", "module: {id: a}"}).diagnostics),
              ElementsAre("RULE_DUPLICATE"));
}

TEST(Compose, ModulesComeInTheOrderOfTheirIds) {  // M-01, M-10
  const auto add = [](std::string id, int digit) {
    return fmt::format(
        "module: {{id: {}}}\nsetup: [{{setVar: {{scope: global, var: log, value: "
        "{{op: +, left: {{op: \"*\", left: {{ref: gvar, var: log}}, right: 10}}, right: {}}}}}}}]",
        id, digit);
  };
  const auto game = open(talk, {add("zeta", 3), add("alpha", 1), add("beta", 2)});
  ASSERT_TRUE(game);
  EXPECT_THAT(game->info().rules, ElementsAre("alpha", "beta", "zeta"));
  EXPECT_EQ(game->start(0)->view()["globals"]["log"], 123);
}

TEST(Compose, RoundResetsJoinThoseOfTheGame) {  // M-04, M-22
  const std::string base = std::string(talk) + "rounds: {resetEachRound: [log]}\n";
  const auto result = compile(base, {"module: {id: a}\nglobalVars: [{name: a.n, type: int, init: "
                                     "0, min: 0, max: 9}]\nrounds: {resetEachRound: [a.n]}"});
  ASSERT_TRUE(result.game);
  EXPECT_THAT(result.game->rounds.reset_each_round, ElementsAre("log", "a.n"));
}

TEST(Compose, WordsJoinThoseOfTheGame) {  // M-04
  const std::string base =
      std::string(talk) + "verbalization: {labels: {say: speak}, omit: [log]}\n";
  const auto result = compile(
      base, {"module: {id: a}\nglobalVars: [{name: a.n, type: int, init: 0, min: 0, max: 9}]\n"
             "verbalization: {labels: {say: mumble, a.n: number}, omit: [a.n], values: {}}"});
  ASSERT_TRUE(result.game);
  ASSERT_TRUE(result.game->verbalization);
  EXPECT_EQ(spec::encoded(spec::Part::of(*result.game->verbalization)),
            Json::parse(R"({"labels": {"say": "speak", "a.n": "number"}, "omit": ["log", "a.n"]})"))
      << "what the game calls something stays";
}

Strings ids(const tl::expected<std::vector<Request>, Diagnostics>& chosen) {
  Strings out;
  for (const Request& request : chosen.value()) out.push_back(request.id);
  return out;
}

TEST(Shelf, ReportsEveryViolationAtOnce) {  // M-01
  const Folder folder;
  open::Shelf shelf;
  const auto put = [&](std::string id, std::string more = "") {
    EXPECT_TRUE(
        shelf
            .add_file(folder.write(id + ".rules.md", fmt::format("module: {{id: {}{}}}", id, more)))
            .empty());
  };
  put("a", ", requires: [b]");
  put("b", ", requires: [c]");
  put("c");
  put("x", ", incompatibleWith: [c]");
  put("one", ", requires: [two]");
  put("two", ", requires: [one]");
  EXPECT_EQ(ids(shelf.choose({"c", "b", "a"})), (Strings{"a", "b", "c"}));
  // Requirements of requirements count, and a one-sided "not with" holds for both.
  EXPECT_THAT(codes(shelf.choose({"a"}).error()),
              ElementsAre("RULE_REQUIREMENT_MISSING", "RULE_REQUIREMENT_MISSING"));
  EXPECT_THAT(codes(shelf.choose({"c", "x", "nope", "c"}).error()),
              UnorderedElementsAre("RULE_INCOMPATIBLE", "RULE_UNKNOWN", "RULE_DUPLICATE",
                                   "RULE_INCOMPATIBLE"));
  EXPECT_THAT(codes(shelf.choose({"one", "two"}).error()), ElementsAre("RULE_CYCLE"));
  EXPECT_THAT(codes(shelf.choose({"c", "my.rules.md", "nope"}).error()),
              ElementsAre("FILE_NOT_FOUND", "RULE_UNKNOWN"));
  EXPECT_EQ(ids(shelf.choose({"c:0", "b:0+1@3"})), (Strings{"b", "c"})) << "scopes overlap";
  EXPECT_THAT(codes(shelf.choose({"c:0", "b:1"}).error()), ElementsAre("RULE_REQUIREMENT_MISSING"));
  EXPECT_EQ(ids(shelf.choose({"c:0", "x:1"})), (Strings{"c", "x"})) << "for different players";
  EXPECT_THAT(codes(shelf.choose({"c@0"}).error()), ElementsAre("RULE_TURNS_INVALID"));
  EXPECT_THAT(codes(shelf.add_file(folder.write("again.rules.md", "module: {id: a}"))),
              ElementsAre("RULE_DUPLICATE"));
  EXPECT_THAT(codes(shelf.add_file(folder.write("bad.rules.md", "module: {id: Bad Id}"))),
              ElementsAre("MODULE_ID"));
  EXPECT_THAT(codes(shelf.add_file(folder.write("none.rules.md", "setup: []"))),
              ElementsAre("MODULE_MISSING"));
}

TEST(Shelf, OffersModulesWithWhatTheyNeed) {  // M-01
  const Folder folder;
  open::Shelf shelf;
  const auto file = folder.write("b.rules.md",
                                 "module: {id: b, version: 2.1.0, name: Bee, description: Buzzes., "
                                 "requires: [a], incompatibleWith: [c]}");
  EXPECT_TRUE(shelf.add_file(file).empty());
  EXPECT_TRUE(shelf.add_file(folder.write("a.rules.md", "module: {id: a}")).empty());
  const auto offered = shelf.offered();
  ASSERT_EQ(offered.size(), 2u);
  EXPECT_EQ(offered[1].id, "b");
  EXPECT_EQ(offered[1].name, "Bee");
  EXPECT_THAT(offered[1].needs, ElementsAre("a"));
  EXPECT_THAT(offered[1].incompatible_with, ElementsAre("c"));
  EXPECT_EQ(offered[1].details["version"], "2.1.0");
  EXPECT_EQ(ids(shelf.choose({"a", file.string()})), (Strings{"a", "b"}))
      << "a file may be named by its path";
}

TEST(Compose, ADisabledModuleDoesNotExist) {  // M-03, M-14
  kernel::KernelOptions options;
  options.offered = {{.id = "tax",
                      .name = "Tax",
                      .description = {},
                      .category = {},
                      .needs = {},
                      .incompatible_with = {}}};
  const auto game = open(talk, {}, options);
  ASSERT_TRUE(game);
  State state = *game->start(0);
  const Rejection why = refused(state, "tax.pay");
  EXPECT_EQ(why.code, "ACTION_MODULE_DISABLED");
  EXPECT_EQ(why.details["module"], "tax");
  EXPECT_EQ(refused(state, "nonsense").code, "ACTION_UNKNOWN");
  EXPECT_TRUE(game->info().rules.empty());
  EXPECT_FALSE(state.view()["globals"].contains("tax.chest"));
}

class Extends : public kernel::NativeModule {
 public:
  explicit Extends(std::string var, std::vector<std::string> needs = {})
      : var_(std::move(var)), needs_(std::move(needs)) {}
  spec::ModuleInfo info() const override {
    spec::ModuleInfo out;
    out.id = "ext";
    out.requires_ids = needs_;
    return out;
  }
  kernel::HookPoints points() const override { return {}; }
  void extend(spec::GameDef& game) const override {
    game.global_vars.push_back({var_, spec::VarType::integer, 7, 0, 9, true});
    if (var_ == "ext.meddles") game.actions[0].phases.clear();
  }

 private:
  std::string var_;
  std::vector<std::string> needs_;
};

TEST(Extend, NativeModulesAreHeldToTheSameRules) {  // M-02, M-04
  const auto try_with = [](std::string var, std::vector<std::string> needs = {}) {
    spec::GameDef def = *compile(talk).game;
    return codes(
        kernel::extend(def, {std::make_shared<Extends>(std::move(var), std::move(needs))}));
  };
  EXPECT_EQ(try_with("ext.number"), Strings{});
  EXPECT_EQ(try_with("number"), Strings{"MODULE_NAME_UNOWNED"});
  EXPECT_EQ(try_with("ext.meddles"), Strings{"MODULE_SECTION_CONFLICT"});
  EXPECT_EQ(try_with("ext.number", {"more"}), Strings{"RULE_REQUIREMENT_MISSING"});
  spec::GameDef def = *compile(talk).game;
  ASSERT_TRUE(kernel::extend(def, {std::make_shared<Extends>("ext.number")}).empty());
  const auto game = kernel::open_game(def).value();
  EXPECT_EQ(game->start(0)->view()["globals"]["ext.number"], 7);
  EXPECT_THAT(game->info().rules, ElementsAre("ext"));
}

// Does what it is told to a game.
class Tampers : public kernel::NativeModule {
 public:
  explicit Tampers(std::function<void(spec::GameDef&)> how) : how_(std::move(how)) {}
  spec::ModuleInfo info() const override {
    spec::ModuleInfo out;
    out.id = "t";
    return out;
  }
  kernel::HookPoints points() const override { return {}; }
  void extend(spec::GameDef& game) const override { how_(game); }

 private:
  std::function<void(spec::GameDef&)> how_;
};

TEST(Extend, WhatAFileMayNotDoANativeModuleMayNot) {  // A-24
  const auto after = [](std::function<void(spec::GameDef&)> how) {
    spec::GameDef def = *compile(talk).game;
    return codes(kernel::extend(def, {std::make_shared<Tampers>(std::move(how))}));
  };
  const Strings refused{"MODULE_SECTION_CONFLICT"};
  EXPECT_EQ(after([](auto& g) { g.terminal.conditions.clear(); }), refused);
  EXPECT_EQ(after([](auto& g) { g.phases[0].after_effects.clear(); }), refused);
  EXPECT_EQ(after([](auto& g) { g.interrupts.push_back(g.phases[0]); }), refused);
  EXPECT_EQ(after([](auto& g) { g.metadata.max_players = 9; }), refused);
  EXPECT_EQ(after([](auto& g) { g.rounds.rotate_start_player = true; }), refused);
  EXPECT_EQ(after([](auto& g) { g.seats = {"red", "blue", "green"}; }), refused);
  EXPECT_EQ(after([](auto& g) { g.actions[0].id = "t.mine"; }), refused);
  EXPECT_EQ(after([](auto& g) { g.global_vars.pop_back(); }), refused);
  EXPECT_EQ(after([](auto& g) { g.sections["agents"] = {{"x", 1}}; }), refused);
  EXPECT_EQ(after([](auto& g) { g.modules.push_back({}); }), refused);
  EXPECT_EQ(after([](auto& g) { g.constants["three"] = 3; }), Strings{"MODULE_NAME_UNOWNED"});
  EXPECT_EQ(after([](auto& g) { g.constants["t.three"] = 3; }), Strings{});
  EXPECT_EQ(after([](auto& g) {
              g.setup.insert(g.setup.end(), g.actions[0].effects.begin(),
                             g.actions[0].effects.end());
            }),
            Strings{})
      << "a file may add to the set-up";
}

}  // namespace
}  // namespace parlor::rules
