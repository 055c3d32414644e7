// Zones and tokens by number, and how far one gets over zones without going anywhere twice.
#include <algorithm>

#include "kernel/run/machine.h"

namespace parlor::kernel {

// b: the word for no zone and c: the word for no token.
Value Evaluator::number_of(const Node& n) {
  const Value v = value(n.a);
  if (failed_) return {};
  if (v.is_token()) return Value::integer(v.payload());
  if (v.is_symbol() && (v.payload() == n.b || v.payload() == n.c)) return Value::integer(-1);
  const int z = zone_of_value(v, n.place);
  return z < 0 ? Value{} : Value::integer(z);
}

Value Evaluator::zone_at(const Node& n) {
  std::int64_t number = 0;
  if (!integer(n.a, number)) return {};
  if (number == -1) return Value::symbol(n.b);
  if (number >= 0 && number < p_->zone_count) return Value::symbol(number);
  return fail(Code::RUN_NAME_UNKNOWN, n.place, "no zone has this number", Value::integer(number));
}

Value Evaluator::token_at(const Node& n) {
  std::int64_t number = 0;
  if (!integer(n.a, number)) return {};
  if (number < -1 || number >= static_cast<std::int64_t>(header().tokens))
    return fail(Code::RUN_TOKEN, n.place, "no token has this number", Value::integer(number));
  const bool there = number >= 0 && memory_.token(static_cast<int>(number)).zone >= 0;
  return there ? Value::token(static_cast<int>(number)) : Value::symbol(n.b);
}

namespace {
enum : int { off_path, may_walk, walked };  // what a zone is to a path
}  // namespace

// The longest way from one zone over open ones; `mark` is where the work space keeps what each is.
std::int64_t Evaluator::longest_from(std::size_t mark, int start, std::uint32_t place) {
  const std::size_t bottom = work_.size();
  const auto step_on = [&](int z) {
    work_[mark + static_cast<std::size_t>(z)] = walked;
    work_.push_back(z);
    work_.push_back(0);  // which of its neighbours comes next
  };
  step_on(start);
  std::size_t best = 1;
  while (work_.size() > bottom) {
    const std::size_t top = work_.size() - 2;
    const auto& next = p_->zones[work_[top]].neighbours;
    if (work_[top + 1] == std::ssize(next)) {
      work_[mark + static_cast<std::size_t>(work_[top])] = may_walk;
      work_.resize(top);
      continue;
    }
    const int other = next[work_[top + 1]++];
    if (work_[mark + static_cast<std::size_t>(other)] != may_walk) continue;
    if (!spend(1, place)) return 0;
    step_on(other);
    best = std::max(best, (work_.size() - bottom) / 2);
  }
  return static_cast<std::int64_t>(best);
}

Value Evaluator::longest_path(const Node& n) {
  const int from = n.a >= 0 ? zone(n.a) : -1;
  if (failed_) return {};
  const std::size_t mark = work_.size();
  work_.resize(mark + static_cast<std::size_t>(p_->zone_count), off_path);
  for (int z = 0; z < p_->zone_count && !failed_; ++z) {
    if (p_->zones[z].kind != spec::ZoneKind::board) continue;
    slot(n.d) = Value::symbol(z);
    if (test(n.c) == Truth::yes) work_[mark + static_cast<std::size_t>(z)] = may_walk;
  }
  slot(n.d) = {};
  std::int64_t best = 0;
  for (int z = 0; z < p_->zone_count && !failed_; ++z)
    if (work_[mark + static_cast<std::size_t>(z)] == may_walk && (from < 0 || from == z))
      best = std::max(best, longest_from(mark, z, n.place));
  work_.resize(mark);
  return failed_ ? Value{} : Value::integer(best);
}

}  // namespace parlor::kernel
