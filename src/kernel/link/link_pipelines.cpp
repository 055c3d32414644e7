// Pipelines become units. Their conditions, and `pre` of their actions, may need what a stage
// chooses (T-22): such a condition is undecided when the action is listed, and waits for its
// bindings. When they are made it is judged in the state the move began with; a cost that waits is
// paid then.
#include <fmt/format.h>

#include "kernel/link/linker.h"
#include "kernel/program/traits.h"
#include "kernel/state/flow_record.h"

namespace parlor::kernel {

namespace {

// What has to be bound before a condition can be judged, or a cost paid. When a templated name is
// bound is known only in play.
struct Needs {
  std::vector<std::string> names;
  bool templates = false;

  bool nothing() const { return names.empty() && !templates; }
  bool met(const std::set<std::string>& made) const {
    return std::ranges::all_of(names, [&](const std::string& name) { return made.contains(name); });
  }
};

}  // namespace

// Links one pipeline. Its own class because so much has to wait for its moment.
class PipelineLinker {
 public:
  PipelineLinker(Linker& linker, int action, const spec::PipelineDef& def)
      : l_(linker), p_(linker.p_), def_(def), action_(action), at_(def.at.index) {}

  PipelineInfo run(UnitId unit) {
    info_.id = def_.id;
    info_.unit = unit;
    info_.partial = def_.partial;
    info_.applicability = ahead(def_.applicability, not_legal);
    info_.legality = ahead(def_.legality, not_legal);
    info_.cost = ahead(def_.cost_validation, def_.partial ? part_of_cost : not_paid);
    wait_for_pre();
    note_start();
    l_.emit({.op = Op::remember_phase, .place = at_});
    keep_ = l_.emit({.op = Op::keep_state, .place = at_});
    l_.emit_activity_choice(action_, def_.stages.size(), at_);
    l_.emit_price(action_);
    if (!p_.actions[action_].price.empty()) l_.emit({.op = Op::drop_events, .place = at_});
    if (cost_needs_.nothing() && !pay()) cost_waits_ = true;
    cost_waits_ = cost_waits_ || !cost_needs_.nothing();
    l_.emit_activity_point(action_, 0, at_);
    for (std::size_t k = 0; k < def_.stages.size(); ++k) {
      link_stage(def_.stages[k]);
      l_.emit_activity_point(action_, k + 1, at_);
    }
    // What still waits was never decided: it does not say no, and what it would cost is due.
    if (cost_waits_ && !cost_paid_for_sure_) pay_at_the_end();
    l_.emit_activity_point(action_, after_stages, at_);
    if (p_.flow.cards) l_.emit({.op = Op::judge_move, .a = action_, .place = at_});
    info_.stages = std::ssize(def_.stages);
    return info_;
  }

 private:
  // Reasons of fail_unless and judge.
  static constexpr int not_legal = 0, not_paid = 1, part_of_cost = -1;

  struct Waiting {
    const spec::Condition* condition;
    Needs needs;
    int reason;
    int phase;       // judged only if the action began in this one; -1: always
    bool of_stage;   // judged in the state as it is, not in the one the move began with
    SlotId decided;  // tells it; none: there is but one moment
  };

  // What nodes made since `first` need that nothing is bound to yet.
  Needs needs_since(NodeId first) const {
    Needs needs;
    for (const NodeId n : IdRange(first, p_.nodes.next())) {
      if (p_.nodes[n].op == Ex::unbound) needs.names.push_back(p_.text(p_.nodes[n].a));
      if (p_.nodes[n].op == Ex::template_slot) needs.templates = true;
    }
    return needs;
  }

  // A condition as it is asked before any choice is made.
  NodeId ahead(const std::optional<spec::Condition>& c, int reason) {
    if (!c) return {};
    const NodeId before = p_.nodes.next();
    const NodeId node = l_.condition(*c);
    Needs needs = needs_since(before);
    if (needs.nothing()) return node;
    if (&c == &def_.cost_validation)
      cost_needs_ = std::move(needs);
    else
      wait(*c, std::move(needs), reason, -1);
    return node;
  }

  // What was asked just before the first statement. A free operation costs nothing.
  void note_start() {
    const spec::ActionDef& action = p_.def.actions[action_];
    const auto waits = [&](const spec::Condition& c) {
      return std::ranges::any_of(waiting_, [&](const Waiting& w) { return w.condition == &c; });
    };
    const auto holds = [&](const std::optional<spec::Condition>& c) {
      if (c && !waits(*c)) l_.known_.holds(*c);
    };
    if (p_.simultaneous) return l_.known_.start();
    holds(action.pre);
    holds(def_.applicability);
    holds(def_.legality);
    if (!def_.partial && !p_.flow.cards && cost_needs_.nothing()) holds(def_.cost_validation);
    l_.known_.start();
  }

  void wait(const spec::Condition& c, Needs needs, int reason, int phase) {
    const SlotId decided = needs.templates ? l_.scope_.fresh() : SlotId::none();
    waiting_.push_back({&c, std::move(needs), reason, phase, false, decided});
  }

  void wait_for_pre() {
    const spec::ActionDef& action = p_.def.actions[action_];
    auto look_at = [&](const spec::Condition& c, int phase) {
      const NodeId before = p_.nodes.next();
      l_.condition(c);
      if (Needs needs = needs_since(before); !needs.nothing())
        wait(c, std::move(needs), not_legal, phase);
      p_.nodes.resize(before.index());
    };
    for (std::size_t phase = 0; phase < p_.phases.size(); ++phase)
      if (const auto& pre = l_.phase_def(phase).default_pre;
          pre && p_.actions[action_].in_phase[phase])
        look_at(*pre, phase);
    if (action.pre) look_at(*action.pre, -1);
  }

  // Whether the state may be another than the one the move began with.
  bool changed() {
    for (int pc = p_.units[info_.unit].entry; pc < l_.here(); ++pc)
      if (!has(p_.code[pc].op, trait::reads)) {
        p_.code[keep_].x = 1;
        return true;
      }
    return false;
  }

  // `of_stage`, `decided`: as in Waiting.
  void judge(const spec::Condition& c, int reason, bool of_stage, SlotId decided) {
    const NodeId node = l_.condition(c);
    const int where = !of_stage && changed() ? 1 : 0;
    l_.refuses_ = true;
    l_.emit(
        {.op = Op::judge, .x = reason, .a = node, .b = where, .c = decided, .place = c.at.index});
  }

  // Validation of the cost, then the cost itself; what happens by it reaches no trigger. False,
  // with nothing left behind: it needs bindings that are not made yet.
  bool pay() {
    const Linker::Mark mark = l_.mark();
    const std::size_t nodes = p_.nodes.size();
    int skip = -1;
    const int free = p_.flow.cards ? l_.emit({.op = Op::skip_if_free, .place = at_}) : -1;
    if (def_.cost_validation && def_.partial) {
      const NodeId node = l_.condition(*def_.cost_validation);
      skip = l_.emit({.op = Op::jump_no, .b = node, .c = changed() ? 1 : 0, .place = at_});
    } else if (def_.cost_validation && cost_waits_) {
      judge(*def_.cost_validation, not_paid, false, SlotId::none());
    }
    const SlotId events = def_.cost_effects.empty() ? SlotId::none() : l_.scope_.fresh();
    if (!events.is_none()) l_.emit({.op = Op::mark_events, .a = events, .place = at_});
    const NodeId before = p_.nodes.next();
    if (skip >= 0 || free >= 0)
      l_.maybe(def_.cost_effects);
    else
      l_.effects(def_.cost_effects);
    if (const Needs needs = needs_since(before); !needs.nothing() && !at_the_end_) {
      cost_needs_.names.insert(cost_needs_.names.end(), needs.names.begin(), needs.names.end());
      cost_needs_.templates |= needs.templates;
      l_.back_to(mark);
      p_.nodes.resize(nodes);
      return false;
    }
    if (!events.is_none()) l_.emit({.op = Op::drop_events, .a = events, .place = at_});
    if (skip >= 0) p_.code[skip].a = l_.here();
    if (free >= 0) p_.code[free].a = l_.here();
    return true;
  }

  void pay_at_the_end() {
    at_the_end_ = true;
    if (paid_slot_.is_none()) {
      pay();
      return;
    }
    const NodeId paid = l_.add({.op = Ex::slot, .a = paid_slot_, .place = at_});
    const NodeId unpaid = l_.add({.op = Ex::not_of, .a = paid, .place = at_});
    const int skip = l_.emit({.op = Op::jump_unless, .b = unpaid, .place = at_});
    pay();
    p_.code[skip].a = l_.here();
  }

  // After an effect of a stage: what waits for nothing more is judged, and paid.
  void decide(bool skippable) {
    std::erase_if(waiting_, [&](const Waiting& w) {
      if (!w.needs.met(made_)) return false;
      const int skip =
          w.phase < 0 ? -1 : l_.emit({.op = Op::jump_origin, .b = w.phase, .place = at_});
      judge(*w.condition, w.reason, w.of_stage, w.decided);
      if (skip >= 0) p_.code[skip].a = l_.here();
      return !w.needs.templates;
    });
    if (!cost_waits_ || cost_emitted_ || cost_needs_.templates || !cost_needs_.met(made_) || !pay())
      return;
    cost_emitted_ = true;
    cost_paid_for_sure_ = !skippable;
    if (skippable)
      l_.emit({.op = Op::bind,
               .a = paid_slot_,
               .b = l_.constant(Value::boolean(true), at_),
               .place = at_});
  }

  void link_stage(const spec::StageDef& stage) {
    int over = -1;
    auto of_stage = [&](const spec::Condition& c, int reason) {
      const NodeId before = p_.nodes.next();
      const SlotId decided = l_.scope_.fresh();
      if (reason == part_of_cost)
        over =
            l_.emit({.op = Op::jump_no, .b = l_.condition(c), .c = 0, .d = decided, .place = at_});
      else
        judge(c, reason, true, decided);
      if (Needs needs = needs_since(before); !needs.nothing())
        waiting_.push_back(
            {&c, std::move(needs), reason == part_of_cost ? not_paid : reason, -1, true, decided});
    };
    if (stage.legality) of_stage(*stage.legality, not_legal);
    if (stage.cost_validation)
      of_stage(*stage.cost_validation, def_.partial ? part_of_cost : not_paid);
    if (over >= 0) {
      l_.predeclare(stage.effects, "");
      if (cost_waits_ && paid_slot_.is_none()) {
        paid_slot_ = l_.scope_.fresh();
        // Before the jump, so that it is there also if the stage is left out.
        p_.code[keep_].a = paid_slot_;
      }
    }
    const Known before = l_.known_;
    if (over >= 0) ++l_.maybe_;
    for (const spec::Effect& effect : stage.effects) {
      l_.effect(effect);
      exported_names({effect}, made_);
      decide(over >= 0);
    }
    if (over < 0) return;
    p_.code[over].a = l_.here();
    --l_.maybe_;
    l_.known_ = before;
    l_.known_.may_have_done(stage.effects);
    l_.known_.may_have_done(def_.cost_effects);
  }

  Linker& l_;
  Program& p_;
  const spec::PipelineDef& def_;
  int action_;
  std::uint32_t at_;
  PipelineInfo info_;
  int keep_ = -1;
  std::vector<Waiting> waiting_;
  std::set<std::string> made_;
  Needs cost_needs_;  // what the cost waits for
  bool cost_waits_ = false, cost_emitted_ = false, cost_paid_for_sure_ = false;
  bool at_the_end_ = false;
  SlotId paid_slot_;
};

void Linker::link_pipeline(int index, const spec::PipelineDef& def) {
  const auto action = std::find_if(p_.actions.begin(), p_.actions.end(),
                                   [&](const ActionInfo& info) { return info.id == def.action; });
  if (action == p_.actions.end())
    return unsupported(def.at.index, fmt::format("there is no action `{}`", def.action));
  action->pipelines.push_back(index);
  const int number = place_in(p_.actions, *action);
  const UnitId unit = begin_unit(fmt::format("pipeline {}", def.id));
  p_.pipelines.push_back(PipelineLinker(*this, number, def).run(unit));
  emit_action_end(number);
  end_unit(unit);
}

Linker::Mark Linker::mark() const {
  return {p_.code.size(), p_.extra.size(), loop_ranges_.size(), scope_, known_};
}

void Linker::back_to(const Mark& mark) {
  p_.code.resize(mark.code);
  p_.refuses.resize(mark.code);
  p_.extra.resize(mark.extra);
  loop_ranges_.resize(mark.loops);
  scope_ = mark.scope;
  known_ = mark.known;
  refuses_ = false;
  std::erase_if(p_.units[current_unit_].refuses_at_start,
                [&](int pc) { return std::cmp_greater_equal(pc, mark.code); });
  std::erase_if(p_.choice_names, [&](const auto& choice) {
    return std::cmp_greater_equal(choice.first, mark.code);
  });
}

}  // namespace parlor::kernel
