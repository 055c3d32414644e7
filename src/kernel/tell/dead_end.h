// Why a move that may begin cannot be carried through.
#pragma once

#include <fmt/format.h>

#include "kernel/kernel.h"
#include "kernel/tell/explain.h"

namespace parlor::kernel {

// What stops a move after this option, found by trying it out. Where choices lie on the way, what
// stops each of them.
class DeadEnd {
 public:
  DeadEnd(const Program& program, const Eyes* asker)
      : p_(program), wording_(*program.wording), asker_(asker) {}

  // Nothing: it can be carried through, or it is not known that it cannot.
  std::optional<Rejection> explain(const StateBlock& block, Option option) {
    std::int64_t budget = work_of_instruction * p_.options.look_ahead;
    if (look_ahead(p_, block, option, budget) != Way::dead) return std::nullopt;
    return follow(block, option, 0);
  }

 private:
  static constexpr int most_choices = 8, deepest = 4;
  static constexpr const char* no_way = "no choice on the way leads to an end";

  Rejection follow(const StateBlock& block, Option option, int depth) {
    Lease lease(p_);
    Machine& trial = lease.machine();
    lease.block() = block;
    trial.attach(lease.block());
    trial.set_asker(asker_);
    trial.set_trial(Machine::Trial::looking);
    const bool starts = trial.depth() == 0;
    trial.begin_write();
    trial.steps_left = work_of_instruction * p_.options.look_ahead;
    const bool begun = starts ? trial.begin_move(option) : trial.answer(option);
    if (begun && !trial.waits()) trial.run(Until::move_complete);
    if (trial.failed()) return rejection_of(trial);
    if (!begun || trial.depth() == 0)
      return Rejection(Code::ACTION_DEAD_END, "it cannot be carried through");
    trial.detach();
    return of_choices(lease.block(), depth);
  }

  // The reasons of the answers, if they have one in common; otherwise each with its own.
  Rejection of_choices(const StateBlock& block, int depth) {
    Lease lease(p_);
    Machine& machine = lease.machine();
    machine.attach(readable(block));
    machine.set_asker(asker_);
    OptionList options;
    machine.list_raw(options);
    std::optional<Rejection> common;
    std::string text;
    bool same = true;
    int told = 0;
    for (const Option option : options) {
      if (depth >= deepest || told == most_choices) break;
      const bool confirm = machine.is_confirm(option);
      const Rejection why = follow(block, option, depth + 1);
      if (why.message == no_way) continue;  // the reason is too far away
      if (common && rule_of(*common) != rule_of(why)) same = false;
      if (!common || (same && confirm)) common = why;  // what is chosen already is what counts
      const std::string name = confirm ? label(wording_, "confirm")
                                       : Explainer(machine).say(machine.option_value(option));
      text += fmt::format("{}{}: {}", told++ == 0 ? "" : "; ", name, why.message);
    }
    if (!common) return Rejection(Code::RUN_CHOICE, no_way);
    if (same || depth > 0) return *common;
    return Rejection(Code::RUN_CHOICE, fmt::format("{}: {}", no_way, text));
  }

  // Which rule says no, whatever it saw.
  static std::pair<std::string, Json> rule_of(const Rejection& why) {
    Json place = why.details.value("path", Json());
    if (place.is_null()) place = why.message;
    return {std::string(why.code), std::move(place)};
  }

  const Program& p_;
  const Wording& wording_;
  const Eyes* asker_;
};

}  // namespace parlor::kernel
