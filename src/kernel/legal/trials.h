// What looking ahead found out, kept until something it asked for is another (V-02). Each thread
// remembers the state whose options it listed last, and for each option that was tried what the
// trial looked into. When the next list is made, the two states are compared: answers that looked
// into nothing that changed still hold. States need no history for this, so copies, undo and search
// are all the same; nothing of it is part of a state.
#pragma once

#include "kernel/legal/new_positions.h"
#include "kernel/run/machine.h"

namespace parlor::kernel {

class Trials {
 public:
  // Compiled code makes no lists and begins no trial twice, as the interpreter does: what it
  // counts, so many times, is never less than what the interpreter counts.
  static constexpr std::int64_t at_most_more = 4;
  static Trials& of_this_thread();
  // Each listing of a thread has a number of its own.
  static std::uint64_t next_listing() {
    static constinit thread_local std::uint64_t listings = 0;
    return ++listings;
  }

  // The same as kernel::look_ahead of an option that begins this action, whose trial is local
  // (TrialPlan), and takes the same from the budget. `listing`: within one the state stays as it
  // is. `compiled`, if given: compiled code may try, and becomes true where it did; it counts more
  // work than the interpreter would.
  Way look_ahead(const Program& program, const ActionInfo& action, const StateBlock& block,
                 std::uint64_t listing, Option option, std::int64_t& budget, bool* compiled);

  // The same of all options of an action whose only parameter is a zone (TrialPlan::by_zone): those
  // that lead nowhere are taken out of the set. False: the budget might not last, whoever gets how
  // much of it; nothing was taken from it then.
  bool look_ahead(const Program& program, const ActionInfo& action, const StateBlock& block,
                  std::uint64_t listing, std::span<std::uint64_t> zones, std::int64_t& budget,
                  bool* compiled);

 private:
  using Answer = KeptAnswers::Answer;
  // One of those who ask, and whether compiled code may answer.
  struct Asked {
    const Program& program;  // that runs
    const Program& p;        // as it was written
    const ActionInfo& action;
    const StateBlock& block;
    bool* compiled;
  };
  // Sixty-four options of an action whose parameter is a zone.
  struct Table {
    std::size_t first = 0;           // number of the first answer
    std::uint64_t zone = 0, id = 0;  // that its option stands for, and the action's id
    Option option(std::size_t place) const { return Option{id + ((zone + place) << action_bits)}; }
  };
  struct Found {
    std::int64_t budget = 0;
    std::uint64_t once = 0, open = 0;
  };

  void compare(const Program& p, const StateBlock& block);
  void begin(const Program& p, const StateBlock& block);
  void look_back(const Program& p, const StateBlock& block);
  void note_changes(const Program& p, const StateBlock& block);
  void compare_tokens(const Program& p, const StateBlock& block, std::uint64_t* changed);
  void compare_token(const Program& p, const std::byte* now, std::byte* then,
                     std::uint64_t* changed);
  void compare_features(const Program& p, const StateBlock& block,
                        std::span<std::uint64_t> changed) const;
  void know_all(const Program& p);
  void know_token(const Program& p, const std::byte* token);

  void begin_listing(const Program& p, const StateBlock& block, std::uint64_t listing);
  std::uint64_t usable(const Asked& asked, std::size_t first);
  bool can_reuse(const Asked& asked, std::size_t number, std::int64_t budget);
  std::int64_t work_of(const Asked& asked, std::size_t first, std::uint64_t which,
                       std::int64_t budget);
  static void note_gains(const Asked& asked, const StateBlock& tried, const Reads& reads,
                         Answer& answer);
  void try_compiled(const Asked& asked, const Table& table, std::uint64_t which,
                    std::int64_t budget);
  Way try_whole(const Asked& asked, Option option, std::size_t number, std::int64_t& budget);
  bool try_unknown(const Asked& asked, const Table& table, std::uint64_t which, Found& found);
  Way try_tail(const Asked& asked, std::size_t number, std::int64_t& budget);
  std::uint64_t try_tails(const Asked& asked, std::size_t first, std::uint64_t which,
                          std::int64_t& budget);
  bool never_there(const Program& p, const NewPosition& position, std::size_t number,
                   std::int64_t& budget);
  Machine& machine_here(const Program& p);

  std::uint64_t serial_ = 0;   // of the program
  std::uint64_t listing_ = 0;  // that `state_` belongs to
  StateBlock state_;
  Workspace* workspace_ = nullptr;
  bool attached_ = false;  // its machine looks at `state_`
  bool odd_sums_ = false;  // some kept sum does not count everything
  KeptAnswers answers_;
  // The same of a state from which much may begin.
  StateBlock back_state_;
  KeptAnswers back_;
  bool looks_back_ = false;
  int look_back_in_ = 0;             // so many listings more; 0: it does already
  std::vector<NewPosition> tails_;   // by unit of the action
  std::vector<KnownNumbers> known_;  // by Program::seen
};

}  // namespace parlor::kernel
