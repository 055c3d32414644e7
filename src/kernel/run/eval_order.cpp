// First and last: results of queries by a number of each, and players by whose turn comes.
#include <algorithm>

#include "kernel/run/machine.h"

namespace parlor::kernel {

// Numbers are asked for first, then the results are given on, so that nothing a receiver does
// changes the order.
bool Evaluator::query_sort(const Node& n, Visit visit) {
  const std::size_t first = sorted_.size();
  each(n.a, [&](Value found) {
    slot(n.b) = found;
    std::int64_t by = 0;
    if (!integer(n.c, by)) return false;
    sorted_.push_back({n.x != 0 ? -by : by, sorted_.size(), found});
    return true;
  });
  slot(n.b) = {};
  const std::size_t last = sorted_.size();
  std::sort(sorted_.begin() + first, sorted_.end(), [](const Sorted& a, const Sorted& b) {
    return a.by != b.by ? a.by < b.by : a.place < b.place;
  });
  bool go_on = !failed_;
  for (std::size_t i = first; go_on && i < last; ++i) go_on = visit(sorted_[i].item);
  sorted_.resize(first);
  return go_on && !failed_;
}

bool Evaluator::query_map(const Node& n, Visit visit) {
  bool go_on = true;
  each(n.a, [&](Value found) {
    slot(n.b) = found;
    const Value made = value(n.c);
    return go_on = !failed_ && visit(made);
  });
  slot(n.b) = {};
  return go_on && !failed_;
}

Value Evaluator::item(const Node& n) {
  std::int64_t at = 0;
  if (!integer(n.b, at)) return {};
  std::int64_t count = 0;
  if (at < 0) {
    each(n.a, [&](Value) { return ++count, true; });
    if (failed_) return {};
    at += count + 1;
  }
  Value out;
  std::int64_t place = 0;
  if (at > 0) each(n.a, [&](Value found) { return ++place < at || (out = found, false); });
  if (failed_) return {};
  if (at <= 0 || place < at)
    return fail(Code::RUN_ITEM, n.place, "the query has no result at this place",
                Value::integer(at));
  return out;
}

Value Evaluator::rank(const Node& n) {
  slot(n.d) = value(n.b);
  std::int64_t mine = 0;
  if (failed_ || !integer(n.c, mine)) return {};
  std::int64_t before = 0;
  each(n.a, [&](Value other) {
    slot(n.d) = other;
    std::int64_t theirs = 0;
    if (!integer(n.c, theirs)) return false;
    before += n.x != 0 ? theirs > mine : theirs < mine;
    return true;
  });
  slot(n.d) = {};
  return failed_ ? Value{} : Value::integer(before + 1);
}

namespace {

// The one so many places on in a list that goes round; where nobody is found: by seats.
template <class Entry>
int in_circle(const Entry* order, int size, int player, int on, int players) {
  for (int i = 0; i < size; ++i)
    if (order[i] == player) {
      const int other = order[(i + on + size) % size];
      return other < 0 ? player : other;  // the order keeps this place for nobody
    }
  return (player + on + players) % players;
}

}  // namespace

int Evaluator::turn_after(int player) const {
  const auto& fixed = p_->turn_sequence;
  if (!fixed.empty()) return in_circle(fixed.data(), std::ssize(fixed), player, 1, p_->players);
  if (!p_->uses_turn_plan || memory_.turn_plan().order[0] == 0) return (player + 1) % p_->players;
  return in_circle(memory_.turn_plan().order, p_->players, player + 1, 1, p_->players) - 1;
}

int Evaluator::turn_before(int player) const {
  const auto& fixed = p_->turn_sequence;
  if (!fixed.empty()) return in_circle(fixed.data(), std::ssize(fixed), player, -1, p_->players);
  if (!p_->uses_turn_plan || memory_.turn_plan().order[0] == 0)
    return (player + p_->players - 1) % p_->players;
  return in_circle(memory_.turn_plan().order, p_->players, player + 1, -1, p_->players) - 1;
}

}  // namespace parlor::kernel
