// The rules of the language, one small game each.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "game/conformance.h"
#include "kernel/builder.h"

namespace parlor::kernel {
namespace {

using namespace build;
using testing::ElementsAre;

std::vector<std::string> texts(const State& state) {
  OptionList options;
  state.list_options(options);
  std::vector<std::string> out;
  for (const Option option : options) out.push_back(state.option_text(option));
  return out;
}

void take(State& state, const Json& request) {
  const auto option = find_option(state, request);
  ASSERT_TRUE(option) << canonical(to_json(option.error()));
  const auto applied = state.apply(*option);
  ASSERT_TRUE(applied) << canonical(to_json(applied.error()));
}

// Games outlive the states of a test.
State start(std::shared_ptr<const KernelGame> game, Seed seed = 1) {
  static std::vector<std::shared_ptr<const KernelGame>> games;
  games.push_back(game);
  auto state = game->start(seed);
  if (!state) throw std::runtime_error(canonical(to_json(state.error())));
  return *state;
}

std::int64_t global_of(const State& state, const std::string& name) {
  return state.view()["globals"][name].get<std::int64_t>();
}

// A one-player-at-a-time game that never ends by itself: `go` runs the effects.
GameDef sandbox(Effects effects) {
  GameDef def = empty_game("sandbox");
  for (const char* var : {"a", "b", "c", "d"})
    def.global_vars.push_back(int_var(var, 0, -1000, 1000));
  def.zones.push_back(pile("deck"));
  def.zones.push_back(pile("out"));
  def.token_types.push_back({"card", {{"rank", PropType::integer}}, "", {}, {}});
  for (int rank = 1; rank <= 4; ++rank)
    def.setup.push_back(create("card", zone("deck:none"), {{"rank", num(rank)}}));
  def.actions.push_back(action("go", {"main"}, std::move(effects)));
  def.terminal.conditions.push_back(ends("never", truth(false), ResultKind::draw));
  return def;
}

TEST(KernelSemantics, WritesClampIntoTheBounds) {
  const auto game = open(sandbox({add(global("a"), num(5000)), set(global("b"), num(-2000))}));
  State state = start(game);
  take(state, "go");
  EXPECT_EQ(global_of(state, "a"), 1000);
  EXPECT_EQ(global_of(state, "b"), -1000);
}

// 15.5: such a choice fails the move, so the move is not offered.
TEST(KernelSemantics, AChoiceOfFewerThanNoneIsNotOffered) {
  for (const auto& [min, max] : {std::pair{-1, -1}, std::pair{0, -1}}) {
    GameDef def = sandbox({choose_n("$set", tokens_in(zone("deck:none")), num(min), num(max))});
    def.actions.push_back(action("end", {"main"}, {add(global("a"), num(1))}));
    const State state = start(open(std::move(def)));
    EXPECT_THAT(texts(state), ElementsAre("end")) << min << " to " << max;
  }
}

// The code with which every answer to the first choice of `go` is refused.
std::string fault_of_first_choice(Effects effects) {
  State state = start(open(sandbox(std::move(effects))));
  take(state, "go");
  OptionList options;
  state.list_options(options);
  const auto applied = state.apply(options[0]);
  return applied ? "" : applied.error().code;
}

TEST(KernelSemantics, T23ToAskAfterWhatWasDestroyedIsAFault) {
  const auto after = [](const Effect& then) {
    return fault_of_first_choice(
        {choose("$card", tokens_in(zone("deck:none"))), Effect{DestroyToken{"$card"}}, then});
  };
  EXPECT_EQ(after(set(global("a"), token_prop("$card", "rank"))), "RUN_TOKEN");
  EXPECT_EQ(after(move("$card", zone("out:none"))), "RUN_TOKEN");
  EXPECT_EQ(after(set(global("a"), num(1))), "");
  // In a loop the token is gone in the second round.
  EXPECT_EQ(fault_of_first_choice({choose("$card", tokens_in(zone("deck:none"))),
                                   for_each("$i", ints(num(1), num(2)),
                                            {set(global("a"), token_prop("$card", "rank")),
                                             Effect{DestroyToken{"$card"}}})}),
            "RUN_TOKEN");
}

TEST(KernelSemantics, CreatedTokensLieOnTopAndDrawsTakeFromTheTop) {
  const auto game = open(sandbox({draw(zone("deck:none"), zone("out:none"), num(2))}));
  State state = start(game);
  take(state, "go");
  std::vector<int> ranks;
  const Json view = state.view();
  for (const Json& token : view["zones"]["out:none"])
    ranks.push_back(token["props"]["rank"].get<int>());
  EXPECT_THAT(ranks, ElementsAre(4, 3));  // first drawn is the new top
}

TEST(KernelSemantics, AChoiceYieldsAndTheMoveGoesOn) {
  const auto game = open(sandbox({choose("$x", ints(num(1), num(3))), set(global("a"), bound("$x")),
                                  choose("$y", enums({"p", "q"})),
                                  when(eq(bound("$y"), text("q")), {set(global("b"), num(7))})}));
  State state = start(game);
  take(state, "go");
  EXPECT_EQ(state.decision().kind, DecisionKind::choose_one);
  EXPECT_THAT(texts(state), ElementsAre("1", "2", "3"));
  take(state, Json{{"value", 2}});
  EXPECT_THAT(texts(state), ElementsAre("p", "q"));
  const State half = game->load(state.save()).value();  // also in the middle of a move
  EXPECT_EQ(half, state);
  EXPECT_EQ(half.hash(), state.hash());
  State other = half;
  take(state, Json{{"value", "q"}});
  take(other, Json{{"value", "q"}});
  EXPECT_EQ(other, state);
  EXPECT_EQ(global_of(state, "a"), 2);
  EXPECT_EQ(global_of(state, "b"), 7);
}

TEST(KernelSemantics, ChooseNReachesEverySetOnce) {
  const auto game = open(sandbox({choose_n("$s", ints(num(1), num(4)), num(2), num(3)),
                                  set(global("a"), count(listed("$s")))}));
  State state = start(game);
  // C(4,2) + C(4,3) = 10 whole moves.
  EXPECT_EQ(perft(state, 1), 10u);
  take(state, "go");
  EXPECT_EQ(state.decision().kind, DecisionKind::choose_n);
  EXPECT_THAT(texts(state), ElementsAre("1", "2", "3"));  // 4 alone could not reach two
  take(state, Json{{"value", 2}});
  EXPECT_THAT(texts(state), ElementsAre("3", "4"));
  take(state, Json{{"value", 4}});
  EXPECT_THAT(texts(state), ElementsAre("confirm"));
  take(state, Json{{"value", nullptr}, {"confirm", true}});
  EXPECT_EQ(global_of(state, "a"), 2);
}

TEST(KernelSemantics, OrderedChooseNKeepsTheOrderOfSelection) {
  const auto game = open(sandbox({choose_n("$s", ints(num(1), num(3)), num(2), num(2), true)}));
  EXPECT_EQ(perft(start(game), 1), 6u);
}

TEST(KernelSemantics, OnlyOptionsThatCanBeCompletedAreOffered) {
  // After 1 there is nothing left to choose; K-14.
  const auto game =
      open(sandbox({choose("$x", ints(num(1), num(3))), choose("$y", ints(num(2), bound("$x"))),
                    set(global("a"), bound("$y"))}));
  State state = start(game);
  take(state, "go");
  EXPECT_THAT(texts(state), ElementsAre("2", "3"));
}

TEST(KernelSemantics, AnActionThatCannotBeCarriedThroughIsNotOffered) {
  GameDef def = sandbox({choose("$x", ints(num(1), gvar("a"))), set(global("b"), bound("$x"))});
  def.actions.push_back(action("grow", {"main"}, {add(global("a"), num(1))}));
  const auto game = open(def);
  State state = start(game);
  EXPECT_THAT(texts(state), ElementsAre("grow"));
  const auto why = state.why_not({{"action", "go"}, {"params", Json::object()}});
  ASSERT_TRUE(why);
  EXPECT_EQ(why->code, "ACTION_DEAD_END");
  take(state, "grow");
  EXPECT_THAT(texts(state), ElementsAre("go", "grow"));
}

TEST(KernelSemantics, LoopsTakeTheirItemsUpFrontAndForgetTheirBindings) {
  const auto game =
      open(sandbox({for_each("$t", tokens_in(zone("deck:none")),
                             {bind("$r", token_prop("$t", "rank")), add(global("a"), bound("$r")),
                              move("$t", zone("out:none"))}),
                    set(global("b"), zone_count(zone("out:none")))}));
  State state = start(game);
  take(state, "go");
  EXPECT_EQ(global_of(state, "a"), 10);
  EXPECT_EQ(global_of(state, "b"), 4);
}

TEST(KernelSemantics, ForEachCountsWhatItProcessed) {  // K-31, K-32
  ForEach loop{"$i", ints(num(1), num(9)),           {add(global("a"), num(1))}, num(4),
               "$n", {set(global("b"), bound("$n"))}};
  ForEach none{"$i",
               ints(num(1), num(9)),
               {add(global("a"), num(1))},
               num(0),
               "$n",
               {set(global("c"), plus(bound("$n"), num(5)))}};
  const auto game = open(sandbox({{loop, {}}, {none, {}}}));
  State state = start(game);
  take(state, "go");
  EXPECT_EQ(global_of(state, "a"), 4);
  EXPECT_EQ(global_of(state, "b"), 4);
  EXPECT_EQ(global_of(state, "c"), 5);
}

TEST(KernelSemantics, WhileStopsAtItsLimitWithAnError) {  // K-33
  While loop{less(gvar("a"), num(10)), {add(global("a"), num(1))}, num(3)};
  const auto game = open(sandbox({{loop, {}}}));
  State state = start(game);
  OptionList options;
  state.list_options(options);
  const auto applied = state.apply(options[0]);
  ASSERT_FALSE(applied);
  EXPECT_EQ(applied.error().code, "RUN_LIMIT");
  While enough{less(gvar("a"), num(10)), {add(global("a"), num(1))}, num(10)};
  State other = start(open(sandbox({{enough, {}}})));
  EXPECT_FALSE(other.finished());
}

TEST(KernelSemantics, IfLetsThroughWhatItsBranchBound) {
  const auto game =
      open(sandbox({choose("$x", ints(num(0), num(1))),
                    when(eq(bound("$x"), num(0)), {bind("$y", num(10))}, {bind("$y", num(20))}),
                    set(global("a"), bound("$y"))}));
  State state = start(game);
  State other = state;
  take(state, "go");
  take(state, Json{{"value", 0}});
  EXPECT_EQ(global_of(state, "a"), 10);
  take(other, "go");
  take(other, Json{{"value", 1}});
  EXPECT_EQ(global_of(other, "a"), 20);
}

TEST(KernelSemantics, LetRestoresAnOuterBinding) {
  Let inner{"$x", num(5), {set(global("a"), bound("$x")), bind("$z", num(3))}};
  const auto game = open(sandbox({bind("$x", num(1)),
                                  {inner, {}},
                                  set(global("b"), bound("$x")),
                                  set(global("c"), bound("$z"))}));
  State state = start(game);
  take(state, "go");
  EXPECT_EQ(global_of(state, "a"), 5);
  EXPECT_EQ(global_of(state, "b"), 1);
  EXPECT_EQ(global_of(state, "c"), 3);
}

TEST(KernelSemantics, NamesWithPlaceholdersAreKeyedByTheirValue) {
  const auto game = open(sandbox({bind("$k", num(1)), bind("$m@{$k}", num(11)), bind("$k", num(2)),
                                  bind("$m@{$k}", num(22)), set(global("a"), bound("$m@{$k}")),
                                  bind("$k", num(1)), set(global("b"), bound("$m@{$k}"))}));
  State state = start(game);
  take(state, "go");
  EXPECT_EQ(global_of(state, "a"), 22);
  EXPECT_EQ(global_of(state, "b"), 11);
}

TEST(KernelSemantics, ReduceFolds) {
  Reduce sum;
  sum.item_bind = "$i";
  sum.acc_bind = "$acc";
  sum.result_bind = "$sum";
  sum.over = ints(num(1), num(5));
  sum.initial = num(100);
  sum.next = plus(bound("$acc"), bound("$i"));
  sum.in = {set(global("a"), bound("$sum"))};
  State state = start(open(sandbox({{sum, {}}})));
  take(state, "go");
  EXPECT_EQ(global_of(state, "a"), 115);
}

TEST(KernelSemantics, EvaluateSubsetKeepsTheFirstBest) {
  EvaluateSubset best;
  best.source = tokens_in(zone("deck:none"));
  best.subset_size = num(2);
  best.subset_bind = "$pair";
  best.score = SpecValue{
      Aggregate{AggregateOp::sum, Box<Query>(listed("$pair")), "$t", {token_prop("$t", "rank")}},
      {}};
  best.result_bind = "$score";
  best.best_subset_bind = "$best";
  best.in = {set(global("a"), bound("$score")), set(global("b"), count(listed("$best")))};
  State state = start(open(sandbox({{best, {}}})));
  take(state, "go");
  EXPECT_EQ(global_of(state, "a"), 7);
  EXPECT_EQ(global_of(state, "b"), 2);
}

TEST(KernelSemantics, RemoveByPriorityWorksThroughItsGroups) {
  RemoveByPriority remove;
  remove.budget = num(3);
  remove.groups.push_back({"$t",
                           tokens_in(zone("deck:none"), prop_is("rank", num(2))),
                           zone("out:none"),
                           {},
                           "$first"});
  remove.groups.push_back({"$t", tokens_in(zone("deck:none")), zone("out:none"), {}, "$second"});
  remove.remaining_bind = "$left";
  remove.in = {set(global("a"), bound("$first")), set(global("b"), bound("$second")),
               set(global("c"), bound("$left"))};
  State state = start(open(sandbox({{remove, {}}})));
  take(state, "go");
  EXPECT_EQ(global_of(state, "a"), 1);
  EXPECT_EQ(global_of(state, "b"), 2);
  EXPECT_EQ(global_of(state, "c"), 0);
}

TEST(KernelSemantics, TransferMovesWhatFits) {
  TransferVar transfer{global("a"), global("b"), num(50), {}, {}, "$actual"};
  GameDef def =
      sandbox({set(global("a"), num(30)), {transfer, {}}, set(global("c"), bound("$actual"))});
  def.global_vars[0].min = 0;
  State state = start(open(def));
  take(state, "go");
  EXPECT_EQ(global_of(state, "a"), 0);
  EXPECT_EQ(global_of(state, "b"), 30);
  EXPECT_EQ(global_of(state, "c"), 30);
}

// ---- Phases and the order of one action

TEST(KernelOrder, OneActionRunsInTheDocumentedOrder) {  // K-04
  // Every step appends its digit to `log`.
  auto mark = [](Int digit) {
    return set(global("log"), plus(arith(ArithOp::multiply, gvar("log"), num(10)), num(digit)));
  };
  GameDef def = empty_game("order");
  def.zones.push_back(pile("table"));
  def.global_vars = {int_var("log", 0, 0, 1'000'000'000), int_var("seen", 0, 0, 100)};
  def.phases[0].after_effects = {mark(3)};
  def.phases[0].on_exit = {mark(5)};
  def.phases.push_back(phase("next"));
  def.phases[1].on_enter = {mark(6)};
  def.phases[1].after_effects = {mark(9)};  // not the originating phase: never runs
  ActionDef go = action("go", {"main"}, {mark(2), go_to("next")});
  go.cost = {mark(1)};
  def.actions.push_back(std::move(go));
  TriggerDef resolved;
  resolved.id = "resolved";
  resolved.event = EventKind::action_resolved;
  resolved.effects = {mark(4)};
  def.triggers.push_back(resolved);
  def.terminal.conditions.push_back(
      ends("done", cmp(CompareOp::greater, gvar("log"), num(0)), ResultKind::draw));
  State state = start(open(def));
  take(state, "go");
  EXPECT_EQ(global_of(state, "log"), 125634);
  EXPECT_EQ(state.outcome().reason, "done");
}

TEST(KernelOrder, ThePhasePreComesFirstAndShortCircuits) {  // K-02
  GameDef def = sandbox({});
  def.phases[0].default_pre = eq(gvar("a"), num(1));
  // Would be a division by zero.
  def.actions[0].pre = eq(arith(ArithOp::divide, num(1), gvar("b")), num(1));
  def.actions.push_back(action("other", {"main"}, {set(global("a"), num(0))}));
  def.phases[0].default_pre = cmp(CompareOp::not_equal, gvar("a"), num(0));
  const auto game = open(def);
  State state = start(game);
  EXPECT_TRUE(state.finished());
  EXPECT_EQ(state.outcome().reason, "noLegalMoves");
}

// K-03: wherever legality is decided, the phase has a say: in the list, in a move handed over
// whole, in a move asked about piece by piece, and for templates.
TEST(KernelOrder, ThePhasePreHoldsWhereverLegalityIsDecided) {
  GameDef def = sandbox({add(global("a"), bound("$n"))});
  def.actions[0].params.push_back({"$n", ints(num(1), num(3))});
  def.phases[0].default_pre = cmp(CompareOp::not_equal, bound("$n"), num(2));
  State state = start(open(def));
  const State before = state;
  EXPECT_THAT(texts(state), ElementsAre("go 1", "go 3"));
  EXPECT_EQ(legal_moves(state).size(), 2u);
  EXPECT_EQ(legal_choices(state, {"go", {{"n", 2}}, {}}).kind, LegalChoices::Kind::illegal);
  EXPECT_EQ(legal_choices(state, {"go", {{"n", 3}}, {}}).kind, LegalChoices::Kind::complete);
  EXPECT_FALSE(apply_move(state, {"go", {{"n", 2}}, {}}));
  EXPECT_FALSE(find_option(state, {{"action", "go"}, {"params", {{"n", 2}}}}));
  EXPECT_EQ(state, before);
  EXPECT_TRUE(apply_move(state, {"go", {{"n", 3}}, {}}));
}

TEST(KernelTemplates, AreOfferedOnlyWhileThePhasePreHolds) {  // K-03, K-11
  GameDef def = sandbox({});
  def.phases = {phase("main"), phase("rest")};
  def.phases[0].default_pre = eq(gvar("a"), num(0));
  PipelineDef pipeline;
  pipeline.id = "p";
  pipeline.action = "go";
  StageDef stage;
  stage.effects = {choose("$x", ints(num(1), num(2))), set(global("a"), bound("$x"))};
  pipeline.stages = {stage};
  def.pipelines.push_back(pipeline);
  def.actions.push_back(action("end", {"rest"}, {advance()}));
  State state = start(open(def));
  EXPECT_THAT(texts(state), ElementsAre("go"));
  ASSERT_TRUE(apply_move(state, {"go", Json::object(), {{{"value", 2}}}}));
  // The same phase has nothing to offer now, so the game goes on to the next.
  EXPECT_THAT(texts(state), ElementsAre("end"));
  const State before = state;
  EXPECT_EQ(legal_choices(state, {"go", Json::object(), {}}).kind, LegalChoices::Kind::illegal);
  EXPECT_FALSE(apply_move(state, {"go", Json::object(), {{{"value", 1}}}}));
  EXPECT_EQ(state, before);
  // Round the table and back to the first phase: still shut.
  for (int i = 0; i < 3; ++i) {
    take(state, "end");
    EXPECT_THAT(texts(state), ElementsAre("end"));
  }
}

TEST(KernelOrder, TriggersCascadeDepthFirstUpToTheCap) {
  GameDef def = sandbox({add(global("a"), num(1))});
  def.metadata.max_trigger_depth = 3;
  TriggerDef again;
  again.id = "again";
  again.event = EventKind::var_changed;
  again.var = "a";
  again.effects = {add(global("a"), num(1))};
  def.triggers.push_back(again);
  State state = start(open(def));
  struct Listener : EventListener {
    int truncated = 0, fired = 0;
    void on_event(const Event& event) override {
      truncated += event.kind == "triggerTruncated";
      fired += event.kind == "triggerFired";
    }
  } listener;
  OptionList options;
  state.list_options(options);
  ASSERT_TRUE(state.apply(options[0], &listener));
  EXPECT_EQ(listener.fired, 4);  // depths 0 to 3
  EXPECT_EQ(listener.truncated, 1);
  EXPECT_EQ(global_of(state, "a"), 5);
}

TEST(KernelOrder, InterruptsReturnToWhereTheyCameFrom) {
  GameDef def = sandbox({{PushInterruptPhase{"stop", "main"}, {}}});
  def.interrupts.push_back(phase("stop"));
  def.actions.push_back(
      action("answer", {"stop"}, {add(global("a"), num(1)), {PopInterruptPhase{}, {}}}));
  State state = start(open(def));
  take(state, "go");
  EXPECT_EQ(state.view()["phase"], "stop");
  EXPECT_THAT(texts(state), ElementsAre("answer"));
  take(state, "answer");
  EXPECT_EQ(state.view()["phase"], "main");
}

TEST(KernelOrder, RoundsCountAsTurnsPass) {  // M-20
  GameDef def = sandbox({advance()});
  def.metadata.max_players = 3;
  const auto game = open(def, {.players = 3});
  State state = start(game);
  for (int turn = 1; turn <= 7; ++turn) {
    EXPECT_EQ(state.view()["turn"], turn);
    EXPECT_EQ(state.view()["round"], (turn - 1) / 3 + 1);
    EXPECT_EQ(state.view()["active"], (turn - 1) % 3);
    take(state, "go");
  }
}

TEST(KernelOrder, LimitsCountPerTurn) {
  GameDef def = sandbox({});
  def.actions[0].limits.push_back({LimitScope::turn, 2, {}, {}});
  def.actions.push_back(action("end", {"main"}, {advance()}));
  State state = start(open(def));
  take(state, "go");
  take(state, "go");
  EXPECT_THAT(texts(state), ElementsAre("end"));
  take(state, "end");
  EXPECT_THAT(texts(state), ElementsAre("go", "end"));
}

TEST(KernelOrder, AnActionWhoseTriggersMakeItIllegalIsNotOffered) {  // K-14
  GameDef def = sandbox({add(global("a"), num(1))});
  TriggerDef strict;
  strict.id = "strict";
  strict.event = EventKind::turn_start;
  strict.effects = {Effect{Require{eq(gvar("a"), num(0))}, {}}};
  def.triggers.push_back(strict);
  def.actions.push_back(action("end", {"main"}, {advance()}));
  State state = start(open(def));
  EXPECT_THAT(texts(state), ElementsAre("go", "end"));
  take(state, "go");
  EXPECT_THAT(texts(state), ElementsAre("go"));
}

TEST(KernelOrder, AnActionWhoseTriggersFaultIsOfferedAndRefused) {  // T-23
  GameDef def = sandbox({add(global("a"), num(1))});
  TriggerDef broken;
  broken.id = "broken";
  broken.event = EventKind::turn_start;
  broken.effects = {set(global("b"), arith(ArithOp::divide, gvar("a"), gvar("c")))};
  def.triggers.push_back(broken);
  def.actions.push_back(action("end", {"main"}, {advance()}));
  EXPECT_FALSE(open(def)->start(1));  // the first turn starts, too
  def.triggers[0].when = cmp(CompareOp::greater, gvar("a"), num(0));
  State state = start(open(def));
  take(state, "go");
  EXPECT_THAT(texts(state), ElementsAre("go", "end"));
  OptionList options;
  state.list_options(options);
  const State before = state;
  const auto applied = state.apply(options[1]);
  ASSERT_FALSE(applied);
  EXPECT_TRUE(applied.error().fault);
  EXPECT_EQ(applied.error().details["values"], Json({"1"}));
  EXPECT_EQ(state, before);
}

TEST(KernelOrder, AFailingMoveChangesNothing) {
  GameDef def = sandbox({add(global("a"), num(1))});
  const SpecValue broken =
      arith(ArithOp::divide, num(1), arith(ArithOp::subtract, num(1), gvar("a")));
  def.terminal.conditions.push_back(ends("broken", eq(broken, num(5)), ResultKind::draw));
  State state = start(open(def));
  const State before = state;
  OptionList options;
  state.list_options(options);
  ASSERT_EQ(options.size(), 1u);
  const auto applied = state.apply(options[0]);
  ASSERT_FALSE(applied);
  EXPECT_EQ(applied.error().code, "RUN_DIVISION_BY_ZERO");
  EXPECT_TRUE(applied.error().fault);
  EXPECT_EQ(state, before);
}

// ---- Templates: actions with pipelines

TEST(KernelTemplates, AppearOnceAndAskTheirChoices) {  // K-10, K-12
  GameDef def = sandbox({});
  PipelineDef pipeline;
  pipeline.id = "p";
  pipeline.action = "go";
  pipeline.legality = less(bound("$x"), num(3));  // undecided until $x is chosen
  StageDef first, second;
  first.effects = {choose("$x", ints(num(1), num(5)))};
  second.effects = {set(global("a"), bound("$x"))};
  pipeline.stages = {first, second};
  def.pipelines.push_back(pipeline);
  const auto game = open(def);
  State state = start(game);
  const auto moves = legal_moves(state);
  ASSERT_EQ(moves.size(), 1u);
  EXPECT_TRUE(moves[0].is_template);
  EXPECT_EQ(moves[0].move.params, Json::object());
  const LegalChoices choices = legal_choices(state, {"go", Json::object(), {}});
  ASSERT_EQ(choices.kind, LegalChoices::Kind::pending);
  ASSERT_EQ(choices.options.size(), 5u);
  EXPECT_TRUE(choices.options[1].legal);
  EXPECT_FALSE(choices.options[2].legal);
  EXPECT_FALSE(apply_move(state, {"go", Json::object(), {}}));
  EXPECT_FALSE(apply_move(state, {"go", Json::object(), {{{"value", 4}}}}));
  EXPECT_TRUE(apply_move(state, {"go", Json::object(), {{{"value", 2}}}}));
  EXPECT_EQ(global_of(state, "a"), 2);
}

TEST(KernelTemplates, ThirtySpacesGiveOneMove) {  // K-10
  GameDef def = sandbox({});
  add_grid(def, 5, 6);
  PipelineDef pipeline;
  pipeline.id = "p";
  pipeline.action = "go";
  StageDef stage;
  stage.effects = {choose_n("$spaces", spaces(), num(0), num(30)),
                   set(global("a"), count(listed("$spaces")))};
  pipeline.stages = {stage};
  def.pipelines.push_back(pipeline);
  State state = start(open(def));
  EXPECT_EQ(legal_moves(state).size(), 1u);
  take(state, "go");
  EXPECT_EQ(texts(state).size(), 31u);
}

// ---- Chance and hidden information

GameDef card_game(bool two_hands) {
  GameDef def = empty_game("cards");
  def.zones = {pile("deck", Visibility::hidden),
               pile("hand", Visibility::owner, ZoneOwner::player)};
  def.token_types.push_back({"card", {{"rank", PropType::integer}}, "", {}, {}});
  def.global_vars.push_back(int_var("a", 0, 0, 100));
  for (int rank : {1, 1, 2, 2, 3, 3})
    def.setup.push_back(create("card", zone("deck:none"), {{"rank", num(rank)}}));
  def.setup.push_back(shuffle(zone("deck:none")));
  def.setup.push_back(draw(zone("deck:none"), owned("hand", player_id(0)), num(1)));
  if (two_hands) def.setup.push_back(draw(zone("deck:none"), owned("hand", player_id(1)), num(1)));
  def.actions.push_back(
      action("go", {"main"}, {roll("$die", 1, 6, {add(global("a"), bound("$die"))}), advance()}));
  def.terminal.conditions.push_back(
      ends("high", cmp(CompareOp::greater, gvar("a"), num(20)), ResultKind::draw));
  return def;
}

TEST(KernelChance, DealsBecomeWeightedDecisions) {
  const auto game = open(card_game(true), {.explicit_chance = true});
  State state = start(game);
  ASSERT_EQ(state.decision().kind, DecisionKind::chance);
  OptionList options;
  state.list_options(options);
  // One option per card, also for equal ones: cards keep their identity.
  EXPECT_EQ(options.size(), 6u);
  EXPECT_EQ(options.weights().size(), 6u);
  ASSERT_TRUE(state.apply(options[0]));
  state.list_options(options);
  EXPECT_EQ(options.size(), 5u);
  ASSERT_TRUE(state.apply(options[1]));
  EXPECT_EQ(state.decision().kind, DecisionKind::action);
  take(state, "go");
  state.list_options(options);
  EXPECT_EQ(state.decision().kind, DecisionKind::chance);
  EXPECT_EQ(options.size(), 6u);
}

TEST(KernelChance, APlayerSeesOnlyTheirHand) {
  const auto game = open(card_game(true));
  const State state = start(game, 5);
  const Json view = state.view(Viewer::player(PlayerId{0}));
  EXPECT_TRUE(view["zones"]["hand:0"].is_array());
  EXPECT_EQ(view["zones"]["hand:1"], 1);
  EXPECT_EQ(view["zones"]["deck:none"], 4);
}

TEST(KernelChance, ConformsBothWays) {
  for (const bool explicit_chance : {false, true}) {
    const auto game = open(card_game(true), {.explicit_chance = explicit_chance});
    ConformanceOptions economical;
    economical.games = 2;
    economical.max_decisions = 40;
    economical.deep_states = 8;
    EXPECT_THAT(check_conformance(*game, economical), testing::IsEmpty());
  }
}

// ---- Why not

TEST(KernelWhyNot, NamesTheConditionAndItsValues) {
  GameDef def = sandbox({});
  def.per_player_vars.push_back(int_var("streetBet", 0, 0, 100));
  def.global_vars.push_back(int_var("currentBet", 20, 0, 100));
  def.places.push_back({"poker.md", 12, 5, "actions.1.pre", 0});
  ActionDef check = action("check", {"main"}, {});
  check.pre = eq(pvar(actor(), "streetBet"), gvar("currentBet"));
  check.pre->at.index = 1;
  def.actions.push_back(check);
  const auto game = open(def);
  const State state = start(game);
  const auto why = state.why_not({{"action", "check"}, {"params", Json::object()}});
  ASSERT_TRUE(why);
  EXPECT_EQ(why->message, "check: streetBet (0) == currentBet (20) is false (poker.md:12)");
  EXPECT_EQ(why->details["line"], 12);
  EXPECT_EQ(state.why_not({{"action", "chekc"}})->code, "ACTION_UNKNOWN");
  EXPECT_FALSE(state.why_not({{"action", "go"}, {"params", Json::object()}}));
}

}  // namespace
}  // namespace parlor::kernel
