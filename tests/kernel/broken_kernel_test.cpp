// The property of legality is worth something only if it notices when it is broken: a kernel with
// one defect each, and all of them are caught (T-20).
#include <gtest/gtest.h>

#include "kernel/differential.h"
#include "kernel/language.h"
#include "kernel/open.h"
#include "secrecy/forwarding.h"
#include "spec/spec.h"

namespace parlor {
namespace {

enum class Defect {
  none,
  hides_last_option,     // something legal is missing
  hides_faults,          // what faults is not offered
  offers_dead_ends,      // choices are offered that lead nowhere
  offers_too_much,       // options of the state before
  lists_out_of_order,    // the order is part of the rules
  swallows_faults,       // a fault counts as made
  faults_change_things,  // a refusal leaves something behind
  faults_look_illegal,   // a fault is not called one
  why_refuses_legal,     // a reason against what is listed
  why_allows_all,        // no reason against what is not
  faults_end_the_game,   // and somebody wins
  wrong_parameters,      // the option does something else than it says
};

class BrokenKernel final : public test::Forwarding {
 public:
  BrokenKernel(std::shared_ptr<const kernel::KernelGame> game, Defect defect)
      : Forwarding(game), game_(std::move(game)), defect_(defect) {}

  void list_options(const StateBlock& block, OptionList& out) const override {
    OptionList all;
    const bool inside = decision(block).kind == DecisionKind::choose_one;
    if (defect_ == Defect::offers_dead_ends && inside)
      game_->list_raw_options(block, all);
    else
      game_->list_options(block, all);
    std::vector<Option> kept(all.begin(), all.end());
    if (defect_ == Defect::hides_faults)
      std::erase_if(kept, [&](Option option) {
        StateBlock copy = block;
        const auto done = game_->apply(copy, option, nullptr);
        return !done && done.error().fault;
      });
    if (defect_ == Defect::hides_last_option && kept.size() > 2) kept.pop_back();
    if (defect_ == Defect::lists_out_of_order && kept.size() > 1) std::swap(kept[0], kept[1]);
    if (defect_ == Defect::offers_too_much && decision(block).kind == DecisionKind::action) {
      const std::vector<Option> now = kept;
      for (const Option option : before_)
        if (std::find(kept.begin(), kept.end(), option) == kept.end()) kept.push_back(option);
      before_ = now;
    }
    for (const Option option : kept) out.add(option);
  }
  Applied apply(StateBlock& block, Option option, EventListener* listener) const override {
    if (defect_ == Defect::wrong_parameters && decision(block).kind == DecisionKind::choose_one)
      option.id ^= 1;
    Applied done = game_->apply(block, option, listener);
    if (done || !done.error().fault) return done;
    if (defect_ == Defect::swallows_faults) return {};
    if (defect_ == Defect::faults_look_illegal) done.error().fault = false;
    if (defect_ == Defect::faults_change_things) block.resize(block.size() + 8);
    if (defect_ != Defect::faults_end_the_game) return done;
    ended_ = true;
    return {};
  }
  std::optional<Rejection> why_not(const StateBlock& block, const Json& request,
                                   const Viewer& viewer) const override {
    if (defect_ == Defect::why_refuses_legal) return Rejection(Code::OPTION_ILLEGAL, "no");
    if (defect_ == Defect::why_allows_all) return std::nullopt;
    return game_->why_not(block, request, viewer);
  }
  Decision decision(const StateBlock& block) const override {
    return ended_ ? Decision{} : game_->decision(block);
  }

 private:
  std::shared_ptr<const kernel::KernelGame> game_;
  Defect defect_;
  mutable std::vector<Option> before_;
  mutable bool ended_ = false;
};

// A little of everything that decides whether something may be done: parameters, a price, choices
// with dead ends, a pipeline whose legality waits, and rules that go wrong.
const language::Case game_of_everything{"",
                                        R"(
setup:
  - {setVar: {scope: global, var: x, value: 3}}
  - {createToken: {type: card, zone: deck, props: {n: 1, kind: red}}}
actions:
  - {id: end, phase: [main], effects: [{advancePhase: {}}]}
  - id: move
    phase: [main]
    params: [{name: $space, domain: {query: mapSpaces}}]
    pre: {op: '>', left: {ref: zoneProp, zone: $space, prop: size}, right: {ref: gvar, var: y}}
    price: {p: 1}
    effects: [{addVar: {scope: global, var: y, delta: 1}}]
  - id: split
    phase: [main]
    effects:
      - {chooseOne: {bind: $n, options: {query: intsInRange, min: 0, max: 3}}}
      - {require: {op: '!=', left: {ref: binding, name: $n}, right: 2}}
      - {setVar: {scope: global, var: x, value: {op: /, left: 6, right: {ref: binding, name: $n}}}}
      - {advancePhase: {}}
  - {id: buy, phase: [main]}
actionPipelines:
  - id: buying
    actionId: buy
    targeting: {}
    atomicity: atomic
    legality: {op: '<=', left: {ref: binding, name: $m}, right: {ref: gvar, var: x}}
    costEffects: []
    stages:
      - effects: [{chooseOne: {bind: $m, options: {query: intsInRange, min: 1, max: 5}}}, {advancePhase: {}}]
)",
                                        "",
                                        {},
                                        {}};

std::string first_difference(Defect defect) {
  const spec::CompileResult compiled =
      spec::compile_text(language::game_text(game_of_everything), {}, "everything.md");
  if (!compiled.game) return render(compiled.diagnostics, compiled.texts, Colour::never);
  const reference::ReferenceGame reference(*compiled.game);
  for (Seed seed = 0; seed < 20; ++seed) {
    const BrokenKernel broken(open_kernel(*compiled.game), defect);
    const Comparison result = compare_play(broken, reference, seed, 12);
    if (!result.difference.empty()) return result.difference;
  }
  return "";
}

TEST(BrokenKernels, T20ASoundOneIsNotBlamed) {
  EXPECT_EQ(first_difference(Defect::none), "");
}

TEST(BrokenKernels, T20EveryDefectIsCaught) {
  for (int defect = 1; defect <= static_cast<int>(Defect::wrong_parameters); ++defect)
    EXPECT_NE(first_difference(static_cast<Defect>(defect)), "") << "defect " << defect;
}

}  // namespace
}  // namespace parlor
