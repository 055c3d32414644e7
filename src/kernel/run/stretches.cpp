// Code as far as it is compiled in stretches (printed/code.h): the interpreter runs what lies
// between them.
#include "kernel/legal/trials.h"
#include "kernel/printed/code_stretches.h"
#include "kernel/run/machine.h"

namespace parlor::kernel {

static_assert(most_list_values == most_arena);

// Goes on by compiled code from where the machine stands. Nothing: there is more to be run.
std::optional<Run> Statements::run_stretch(const PrintedFunction& function) {
  Frame& frame = frames_.back();
  const std::int32_t begun = frame.pc;
  Stretch at{
      .pc = begun,
      .steps = frame.trigger_index,
      .stops = until_ == Until::nothing_refuses && frames_.size() == 1 && !whole().move_is_judged(),
      .foresees_nothing = foresees_nothing(),
      .watched = watch_ != nullptr,
      .decides = until_ == Until::decision,
      .lists = &arena_};
  PrintedView view = printed_view();
  // It counts otherwise than the interpreter: so many times what it counts is never less.
  const std::int64_t given = steps_left / Trials::at_most_more;
  std::int64_t work = given;
  view.work = &work;
  view.block = &memory_.block();
  view.var_keys = p_->var_keys.data();
  view.token_keys = p_->token_keys.data();
  view.token_key_count = p_->token_keys.size();
  view.mixed = &memory_.mixed();
  int answer = trouble;
  if (function.helped) {
    PrintedHelp help = help_of_machine(*p_, work, remarks_ != nullptr);
    view.help = &help;
    answer = function.stretch(view, at);
  } else {
    answer = function.stretch(view, at);
  }
  whole().count_compiled();
  steps_left -= Trials::at_most_more * (given - work);
  tell_machine(view, at);
  if (answer == done) {
    drop_frames();
    return Run::done;
  }
  if (at.stepped == trouble) return Run::failed;
  if (at.stepped == stop) {
    if (yield_) return Run::yielded;
    if (complete_ || (until_ == Until::nothing_refuses && nothing_refuses())) return Run::done;
    return {};
  }
  // What it could not do is done, and said, by the interpreter, as if nobody had begun with it.
  if (failed_) clear_fault();
  for (int k = 0; k < function.bind_count; k += 2)
    if (function.binds[k] == at.pc) slot(SlotId(function.binds[k + 1])) = {};
  frame.pc = at.pc;
  frame.trigger_index = at.steps;
  if (at.stops && at.pc != begun && nothing_refuses()) return Run::done;
  return {};
}

}  // namespace parlor::kernel
