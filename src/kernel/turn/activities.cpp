// Operations with special activities (19.5, G-91 … G-97): one move made of two.
#include <algorithm>

#include "kernel/run/machine.h"

namespace parlor::kernel {

bool Cards::is_activity_choice() const {
  const Instr& i = p_->code[frames_.back().pc];
  return i.op == Op::choose_one && i.x == activity_choice;
}

bool Cards::is_no_activity(Option option) {
  return option_value(option) == Value::symbol(p_->flow.none);
}

bool Cards::may_carry_activity() const {
  return p_->flow.cards && move_.grant == 0 && move_.action >= 0 &&
         move_.action_class == ActionClass::operation_plus_special_activity &&
         !p_->flow.activities[move_.action].empty();
}

// None goes with the move, or it was made and need not go together with what the operation does.
bool Cards::activity_is_settled() const {
  if (p_->tries_everything) return false;
  if (move_.made != 0) return p_->flow.constraints[move_.pipeline].empty();
  if (frames_.empty()) return false;
  const SlotId chosen = p_->units[frames_[0].unit].activity;
  return !chosen.is_none() && slot_of(frames_[0], chosen) == Value::symbol(p_->flow.none);
}

// One that may go with the operation.
const ActivityInfo* Cards::activity_called(Value name) const {
  const auto& all = p_->flow.activities[move_.action];
  const auto found = std::ranges::find(all, name, [&](const ActivityInfo& one) {
    return Value::symbol(p_->actions[one.action].symbol);
  });
  return found == all.end() ? nullptr : &*found;
}

// Whatever the operation does, the activity cannot go with it: a step of its order says no, and
// none before that can fault.
bool Cards::is_hopeless(const ActivityInfo& activity) {
  const ActionInfo& action = p_->actions[activity.action];
  const UnitId listing = listing_unit_;
  listing_unit_ = action.unit;
  bool hopeless = false;
  {
    Scratch scratch(*this, action.unit, active_, active_);
    for (const int step : activity.settled) {
      const Truth truth = whole().ask(activity.action, action.order[step]);
      if (truth == Truth::fault) clear_fault();
      hopeless = truth == Truth::no;
      if (truth != Truth::yes) break;
    }
  }
  listing_unit_ = listing;
  return hopeless;
}

// Nobody needs to try a hopeless activity at every point of an operation, or several of them: what
// may happen on the way to the last point (a fault hides nothing) is the same for all of them.
void Cards::drop_hopeless_activities(OptionList& answers) {
  const Frame& frame = frames_.back();
  const Instr &now = p_->code[frame.pc], &next = p_->code[frame.pc + 1];
  const bool which = now.op == Op::choose_one && now.x == activity_choice;
  if (!which && next.op != Op::choose_activity) return;
  if (!which) {  // at which point it comes
    const ActivityInfo* const chosen = activity_called(slot(next.a));
    if (answers.size() < 2 || chosen == nullptr || !is_hopeless(*chosen)) return;
    const Option last = answers[answers.size() - 1];
    answers.clear();
    return answers.add(last);
  }
  hopeful_.clear();
  bool some = false;
  for (std::size_t k = 0; k < answers.size(); ++k) {
    const ActivityInfo* const activity = activity_called(option_value(answers[k]));
    const bool hopeless = activity != nullptr && is_hopeless(*activity);
    if (!hopeless || !some) hopeful_.push_back(answers[k]);
    some = some || hopeless;
  }
  answers.clear();
  for (const Option answer : hopeful_) answers.add(answer);
}

bool Cards::choose_activity(const Instr& i) {
  const Value which = slot(i.a), when = slot(i.b);
  for (const ActivityInfo& activity : p_->flow.activities[i.c])
    if (which == Value::symbol(p_->actions[activity.action].symbol))
      move_.activity = activity.action;
  const Operand* e = &p_->extra[i.d];  // list of timings, $kept
  const auto& timings = p_->lists[e[0]];
  const int place = position_of(timings, when);
  move_.timing = place < 0 || place + 1 == std::ssize(timings) ? int{after_stages} : place;
  move_.kept = e[1].value;
  flow().move = move_;
  return true;
}

// The activity is a move of its own, judged as things stand now.
bool Cards::activity_point(const Instr& i) {
  if (move_.activity < 0 || move_.timing != i.a) return true;
  const int activity = move_.activity;
  const ActionInfo& action = p_->actions[activity];
  const int executor = active_;
  bool fine = true;
  {
    const UnitId listing = listing_unit_;
    listing_unit_ = action.unit;
    Scratch scratch(*this, action.unit, executor, executor);
    for (const Step& step : action.order) {
      if (step.ask == Ask::param || step.ask == Ask::completes || step.ask == Ask::row) continue;
      const Truth truth = whole().ask(activity, step);
      if (truth == Truth::fault) return false;
      if (truth == Truth::yes) continue;
      fine = false;
      break;
    }
    listing_unit_ = listing;
  }
  const int operation = move_.action;
  if (fine) {
    // Of several pipelines, the one that applies has to allow the operation.
    const auto& ops = p_->def.pipelines[whole().pipeline_found()].accompanying_ops;
    fine = !ops || std::ranges::find(*ops, p_->actions[operation].id) != ops->end();
  }
  if (!fine)
    return refuse(Code::RUN_STAGE, i.place, "the special activity cannot be carried out now",
                  Value::symbol(action.symbol));
  move_.made = 1;
  move_.pipeline = whole().pipeline_found();
  flow().move = move_;
  push_frame(p_->pipelines[whole().pipeline_found()].unit, executor, executor);
  return !failed_;
}

// What it chose is kept with the operation, where the two are compared.
void Cards::finish_activity() {
  if (move_.pipeline < 0) return;
  const auto& constraints = p_->flow.constraints[move_.pipeline];
  for (std::size_t k = 0; k < constraints.size(); ++k)
    slots_[frames_[0].slot_base + move_.kept + k] = whole().param_named(constraints[k].activity);
}

bool Cards::constraints_hold(const Instr& i) {
  if (move_.pipeline < 0) return true;
  const auto& constraints = p_->flow.constraints[move_.pipeline];
  const auto size = [&](Value v) {
    return v.is_none() ? std::size_t{0} : v.is_list() ? stored_size(v) : std::size_t{1};
  };
  const auto at = [&](Value v, std::size_t k) { return v.is_list() ? list_at(v, k) : v; };
  for (std::size_t k = 0; k < constraints.size(); ++k) {
    const Value activity = slot(SlotId(move_.kept), k);
    const Value operation = whole().param_named(constraints[k].operation);
    if (size(activity) == 0 || (!constraints[k].subset && size(operation) == 0)) continue;
    for (std::size_t a = 0; a < size(activity); ++a) {
      bool common = false;
      for (std::size_t o = 0; o < size(operation); ++o)
        common |= equal_values(at(activity, a), at(operation, o));
      if (common != constraints[k].subset)
        return refuse(Code::RUN_STAGE, i.place,
                      constraints[k].subset
                          ? "the special activity must stay within the operation"
                          : "the special activity must stay apart from the operation",
                      at(activity, a));
    }
  }
  return true;
}

}  // namespace parlor::kernel
