// Whether a position was there before, asked of many moves at once (trials.h): a memory of
// positions keeps tokens with numbers in a zone of the rules' own, and the numbers a move leads to
// are kept sums, of which it is known what the move adds to them.
#pragma once

#include "kernel/legal/kept_answers.h"
#include "kernel/state/memory.h"

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
    if (std::uint32_t& place = place_of(mixed); place == 0) {
      place = kept_of(mixed);
      ++size_;
    }
  }
  bool has(std::uint64_t mixed) { return place_of(mixed) != 0; }

 private:
  static constexpr int place_bits = 13;
  static constexpr std::size_t most = std::size_t{1} << (place_bits - 1);
  // What is kept of a value are the bits behind those that say where.
  static std::uint32_t kept_of(std::uint64_t mixed) {
    return static_cast<std::uint32_t>(mixed << place_bits >> 32) | 1;
  }
  std::uint32_t& place_of(std::uint64_t mixed) {
    auto at = static_cast<std::size_t>(mixed >> (64 - place_bits));
    while (places_[at] != 0 && places_[at] != kept_of(mixed)) at = (at + 1) % (2 * most);
    return places_[at];
  }
  std::vector<std::uint32_t> places_;
  std::size_t size_ = 0;
};

// A tail (TrialPlan) that only asks whether a position is new: what numbers it has.
class NewPosition {
 public:
  NewPosition() = default;
  NewPosition(const Program& program, const TrialPlan& trial);

  bool is_all() const { return count_ != 0; }  // otherwise the tail asks something else
  std::size_t seen() const { return static_cast<std::size_t>(seen_); }  // of Program::seen
  ZoneId zone() const { return zone_; }

  // From now on positions lie this far from those of this state.
  void begin_at(const SumRecord* sums) {
    for (int i = 0; i < count_; ++i) {
      Number& number = numbers_[i];
      number.now = (number.first + sums[number.sum].sum) % number.modulus;
    }
  }
  // The numbers of the position that an answer leads to, mixed.
  std::uint64_t mixed(const KeptAnswers& answers, std::size_t answer) const {
    std::uint64_t out = 0;
    for (int i = 0; i < count_; ++i)
      out += lies_at(numbers_[i], answers.gains(numbers_[i].sum)[answer]) * number_keys[i];
    return out;
  }
  // Those of sixty-four answers whose positions a zone with this filter may hold.
  std::uint64_t maybe_seen(const KeptAnswers& answers, std::size_t first, std::uint64_t which,
                           const std::uint64_t* filter) const;

 private:
  struct Number {
    int sum = -1;
    std::int64_t first = 0, modulus = 1;  // what the sum starts from
    std::int64_t now = 0;                 // the number as things stand
  };
  static std::uint64_t lies_at(const Number& number, std::int64_t gain) {
    const std::int64_t sum = number.now + gain, less = sum - number.modulus;
    return static_cast<std::uint64_t>(less < 0 ? sum : less);
  }
  bool add_number(const Program& program, const TrialPlan& trial, VarId variable);

  Number numbers_[most_prop_tests];
  int count_ = 0, seen_ = -1;
  ZoneId zone_;
};

// Where the condition says that no token of a zone has the numbers of some variables, and it is
// kept what the zone holds: the count. Nothing: it says something else.
const Node* asks_for_new(const Program& program, NodeId condition);
// Whether what is kept of the zone says that there is no such token, as the variables stand.
bool surely_new(const Program& program, const Memory& memory, NodeId condition);

}  // namespace parlor::kernel
