// Several things chosen by a person, in any order (L-12). The rules take a set in an order of their
// own, and so do logs and replays; whoever sits at the table names the things as they come to mind.
// Only the whole set is handed to the rules.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "game/game.h"

namespace parlor::cli {

class PickedSet {
 public:
  // The set to be chosen now; none where things are chosen one by one, or their order counts.
  static std::optional<PickedSet> of(const State& state, const Viewer& viewer);

  OptionList left() const;  // what is not picked
  bool has(Option option) const { return std::ranges::find(picked_, option) != picked_.end(); }
  const std::vector<Option>& picked() const { return picked_; }
  std::size_t least() const { return least_; }
  std::size_t most() const { return most_; }
  bool enough() const { return picked_.size() >= least_; }
  bool full() const { return picked_.size() == most_; }

  void pick(Option option) { picked_.push_back(option); }
  void put_back() { picked_.pop_back(); }
  void clear() { picked_.clear(); }
  // What is to be applied, one after the other; none if the rules do not take this set.
  std::optional<std::vector<Option>> steps(const State& state) const;

 private:
  std::vector<Option> items_;   // in the order of the rules
  std::vector<Option> picked_;  // in the order in which they were named
  std::size_t least_ = 0, most_ = 0;
};

}  // namespace parlor::cli
