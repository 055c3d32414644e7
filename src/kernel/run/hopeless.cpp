// Answers to a pending chooseN that lead to no good sum (T-29): what plan/bounds.cpp found out
// about the selection, asked of the items that are left.
#include <algorithm>

#include "kernel/run/machine.h"

namespace parlor::kernel {

namespace {

// What the sum of a selection can come to when it is made larger by `least` to `most` of the items
// that are left.
struct Reach {
  std::int64_t low = 0, high = 0;
};

Reach reach(std::int64_t sum, std::vector<std::int64_t>& left, std::int64_t least,
            std::int64_t most) {
  std::sort(left.begin(), left.end());
  const std::int64_t size = std::ssize(left);
  Reach out{sum, sum};
  for (std::int64_t k = 0; k < std::min(most, size); ++k) {
    const std::int64_t small = left[k];
    const std::int64_t large = left[size - 1 - k];
    if (k < least || small < 0) out.low += small;
    if (k < least || large > 0) out.high += large;
  }
  return out;
}

bool can_hold(Ex relation, std::int64_t low, std::int64_t high) {
  switch (relation) {
    case Ex::less:
      return low < 0;
    case Ex::less_equal:
      return low <= 0;
    case Ex::greater:
      return high > 0;
    case Ex::greater_equal:
      return high >= 0;
    default:
      return low <= 0 && high >= 0;
  }
}

}  // namespace

// What the items of the pending chooseN add to a sum, into weights_, and what is added to that.
// False: it cannot be computed now, and then nothing is said about it.
bool Statements::weigh(const SumBound& bound, Value options, std::int64_t& rest) {
  weights_.assign(list_size(options), 1);
  for (std::size_t k = 0; k < weights_.size() && !bound.value.is_none(); ++k) {
    slot(bound.item) = list_at(options, k);
    if (!integer(bound.value, weights_[k])) break;
  }
  if (!bound.item.is_none()) slot(bound.item) = {};
  rest = 0;
  for (const auto& [sign, node] : bound.rest) {
    std::int64_t term = 0;
    if (failed_ || !integer(node, term)) break;
    rest += sign * term;
  }
  const bool fine = !failed_;
  clear_fault();
  return fine;
}

// Leaves out of the answers to the pending chooseN those after which some sum can come to nothing
// good.
void Statements::drop_hopeless(OptionList& answers) {
  constexpr std::size_t most_items = 400;
  const auto found = p_->sum_bounds.find(frames_.back().pc);
  if (found == p_->sum_bounds.end()) return;
  const Selection now = selection();
  if (list_size(now.options) > most_items) return;
  const std::int64_t count = list_size(now.selected);
  for (const SumBound& bound : found->second) {
    std::int64_t rest = 0, sum = 0;
    if (!weigh(bound, now.options, rest)) continue;
    for (std::size_t k = 0; k < list_size(now.selected); ++k)
      sum += weights_[list_at(now.selected, k).payload()];
    hopeful_.clear();
    for (const Option option : answers) {
      Reach range{sum, sum};
      if (!is_confirm(option)) {
        const std::size_t index = option.id;
        left_.clear();
        for (std::size_t k = now.ordered ? 0 : index + 1; k < weights_.size(); ++k)
          if (k != index && !is_selected(k)) left_.push_back(weights_[k]);
        range = reach(sum + weights_[index], left_, now.min - count - 1, now.max - count - 1);
      }
      const std::int64_t low = rest + (bound.sign > 0 ? range.low : -range.high);
      const std::int64_t high = rest + (bound.sign > 0 ? range.high : -range.low);
      if (can_hold(bound.relation, low, high)) hopeful_.push_back(option);
    }
    answers.clear();
    for (const Option option : hopeful_) answers.add(option);
  }
}

}  // namespace parlor::kernel
