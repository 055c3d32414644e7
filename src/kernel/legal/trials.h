// What looking ahead found out, kept until something it asked for is another (V-02). Each thread
// remembers the state whose options it listed last, and for each option that was tried which zones
// the trial looked into. When the next list is made, the two states are compared: answers that
// looked into no zone that changed still hold. States need no history for this, so copies, undo and
// search are all the same; nothing of it is part of a state.
#pragma once

#include "kernel/run/machine.h"

namespace parlor::kernel {

class Trials {
 public:
  static Trials& of_this_thread();

  // The same as kernel::look_ahead of an option that begins this action, whose trial is local
  // (TrialPlan), and takes the same from the budget. `listing`: within one the state stays as it
  // is.
  Way look_ahead(const Program& program, const ActionInfo& action, const StateBlock& block,
                 std::uint64_t listing, Option option, std::int64_t& budget);

 private:
  struct Answer {
    std::uint64_t option = 0;
    Reads reads;
    std::int64_t sums[most_trial_sums] = {};  // what the kept sums gained until the tail
    std::int64_t odd[most_trial_sums] = {};
    std::int64_t work = 0;
    int player = -1;
    bool holds = false;
    bool goes_on = false;  // with the tail; otherwise `way` is all
    Way way = Way::unknown;
  };

  void compare(const Program& program, const StateBlock& block);
  Reads find_changes(const Program& program, const StateBlock& block) const;
  static bool facts_hold(const Program& program, const Reads& reads, const StateBlock& block);
  void forget();
  Answer& answer_for(Option option, int player);
  bool can_reuse(const Program& program, const Answer& answer, std::int64_t budget) const;
  Way try_tail(const Program& program, const ActionInfo& action, const StateBlock& block,
               const Answer& answer, std::int64_t& budget);
  Way try_whole(const Program& program, const ActionInfo& action, const StateBlock& block,
                Answer& answer, std::int64_t& budget);

  static constexpr std::size_t most_answers = 2048;
  std::uint64_t serial_ = 0;   // of the program
  std::uint64_t listing_ = 0;  // that `state_` belongs to
  StateBlock state_;
  Workspace* workspace_ = nullptr;  // whose machine looks at `state_`
  std::vector<Answer> answers_;
  std::vector<std::uint16_t> places_;  // number + 1 by option and player; 0: free
};

}  // namespace parlor::kernel
