// What looking ahead found out, kept until something it asked for is another (V-02). Each thread
// remembers the state whose options it listed last, and for each option that was tried which zones
// the trial looked into. When the next list is made, the two states are compared: answers that
// looked into no zone that changed still hold. States need no history for this, so copies, undo and
// search are all the same; nothing of it is part of a state.
#pragma once

#include "kernel/run/machine.h"

namespace parlor::kernel {

// The numbers of tokens that have been in a zone, mixed: where they are not here no token there has
// them. Says more than what a state keeps of it (SeenFilter), and is no part of it.
class KnownNumbers {
 public:
  void clear() {
    places_.assign(most * 2, 0);
    size_ = 0;
  }
  bool full() const { return size_ == most; }
  void add(std::uint64_t mixed) {
    if (std::uint64_t& place = place_of(mixed); place == 0) {
      place = mixed | 1;
      ++size_;
    }
  }
  bool has(std::uint64_t mixed) { return place_of(mixed) != 0; }

 private:
  static constexpr std::size_t most = 4096;
  std::uint64_t& place_of(std::uint64_t mixed) {
    std::size_t at = static_cast<std::size_t>(mixed >> 32) % (2 * most);
    while (places_[at] != 0 && places_[at] != (mixed | 1)) at = (at + 1) % (2 * most);
    return places_[at];
  }
  std::vector<std::uint64_t> places_;
  std::size_t size_ = 0;
};

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

 private:
  static constexpr std::size_t most_answers = 2048;
  struct Answer {
    std::uint64_t option = 0;
    Reads reads;
    std::int64_t sums[most_trial_sums] = {};  // what the kept sums gained until the tail
    std::int64_t odd[most_trial_sums] = {};
    std::int64_t work = 0;
    int player = -1;
    bool holds = false;
    bool goes_on = false;  // with the tail; otherwise `way` is all
    bool compiled = false;
    Way way = Way::unknown;
  };

  // A tail that only asks whether a position is new: what numbers it has, which are kept sums.
  struct NewPosition {
    struct Number {
      int sum = -1;
      std::int64_t first = 0, modulus = 1;  // what the sum starts from
      std::int64_t now = 0;                 // the number as things stand
      std::int64_t min = 0, max = 0;
    };
    std::vector<Number> numbers;  // none: it asks something else
    int seen = -1;                // of Program::seen
  };

  // Which answers looked into what: a row of bits for each zone, or feature.
  class Readers {
   public:
    void clear(std::size_t rows) { bits_.assign(rows * most_answers / 64, 0); }
    std::uint64_t* row(std::size_t index) { return &bits_[index * most_answers / 64]; }
    // `words` are rows; the answer's bit in each becomes this.
    void mark(std::span<const std::uint64_t> words, std::size_t answer, bool on) {
      const std::uint64_t bit = std::uint64_t{1} << (answer % 64);
      for (std::size_t w = 0; w < words.size(); ++w)
        for (std::uint64_t left = words[w]; left != 0; left &= left - 1) {
          std::uint64_t& word =
              row(w * 64 + static_cast<std::size_t>(std::countr_zero(left)))[answer / 64];
          word = on ? word | bit : word & ~bit;
        }
    }
    // The answers of these rows.
    void gather(std::span<const std::uint64_t> words, std::span<std::uint64_t> answers) {
      for (std::size_t w = 0; w < words.size(); ++w)
        for (std::uint64_t left = words[w]; left != 0; left &= left - 1) {
          const std::uint64_t* const from =
              row(w * 64 + static_cast<std::size_t>(std::countr_zero(left)));
          for (std::size_t a = 0; a < answers.size(); ++a) answers[a] |= from[a];
        }
    }

   private:
    std::vector<std::uint64_t> bits_;
  };

  void compare(const Program& program, const StateBlock& block);
  Reads find_changes(const Program& program, const StateBlock& block);
  static bool facts_hold(const Program& program, const Reads& reads, const StateBlock& block);
  void forget(const Program& program);
  void mark(const Program& program, const Answer& answer, bool on);
  void drop_changed(const Program& program, const StateBlock& block, const Reads& changed);
  Answer& answer_for(const Program& program, Option option, int player);
  bool can_reuse(const Program& program, const Answer& answer, std::int64_t budget) const;
  static NewPosition new_position(const Program& program, const ActionInfo& action);
  void know_all(const Program& program);
  void know_token(const Program& program, const StateBlock& block, std::size_t token);
  bool surely_new(const Program& program, const ActionInfo& action, const Answer& answer,
                  std::int64_t& budget);
  static void note_gains(const Program& program, const StateBlock& block, const StateBlock& tried,
                         const ActionInfo& action, Answer& answer);
  bool try_compiled(const Program& running, const ActionInfo& action, const StateBlock& block,
                    Answer& answer, std::int64_t budget);
  Way try_tail(const Program& program, const ActionInfo& action, const StateBlock& block,
               const Answer& answer, std::int64_t& budget);
  Way try_whole(const Program& program, const ActionInfo& action, const StateBlock& block,
                Answer& answer, std::int64_t& budget);

  std::uint64_t serial_ = 0;   // of the program
  std::uint64_t listing_ = 0;  // that `state_` belongs to
  StateBlock state_;
  Workspace* workspace_ = nullptr;  // whose machine looks at `state_`
  std::vector<Answer> answers_;
  Readers readers_, askers_, feature_readers_;  // of Reads::zones, asked, features
  std::vector<NewPosition> tails_;              // by unit of the action
  std::vector<KnownNumbers> known_;             // by Program::seen
  std::int64_t ask_work_ = -1;  // what asking for a position takes in this state; -1: unknown
  std::vector<std::uint16_t> places_;  // number + 1 by option and player; 0: free
};

}  // namespace parlor::kernel
