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
  const ZoneId z = zone_of_value(v, n.place);
  return z.is_none() ? Value{} : Value::integer(z.value);
}

Value Evaluator::zone_at(const Node& n) {
  std::int64_t number = 0;
  if (!integer(n.a, number)) return {};
  if (number == -1) return Value::symbol(n.b);
  if (number >= 0 && number < p_->zone_count) return Value::zone(ZoneId(number));
  return fail(Code::RUN_NAME_UNKNOWN, n.place, "no zone has this number", Value::integer(number));
}

Value Evaluator::token_at(const Node& n) {
  std::int64_t number = 0;
  if (!integer(n.a, number)) return {};
  if (number < -1 || number >= header().tokens)
    return fail(Code::RUN_TOKEN, n.place, "no token has this number", Value::integer(number));
  const bool there = number >= 0 && !memory_.zone_of(TokenId(number)).is_none();
  return there ? Value::token(TokenId(number)) : Value::symbol(n.b);
}

namespace {
enum : int { off_path, may_walk, walked };  // what a zone is to a path
}  // namespace

// The longest way from one zone over open ones; `mark` is where the work space keeps what each is.
std::int64_t Evaluator::longest_from(std::size_t mark, ZoneId start, std::uint32_t place) {
  const std::size_t bottom = work_.size();
  const auto step_on = [&](ZoneId z) {
    work_[mark + z.index()] = walked;
    work_.push_back(z.value);
    work_.push_back(0);  // which of its neighbours comes next
  };
  step_on(start);
  std::size_t best = 1;
  while (work_.size() > bottom) {
    const std::size_t top = work_.size() - 2;
    const ZoneId here(work_[top]);
    const auto& next = p_->zones[here].neighbours;
    if (work_[top + 1] == std::ssize(next)) {
      work_[mark + here.index()] = may_walk;
      work_.resize(top);
      continue;
    }
    const ZoneId other = next[work_[top + 1]++];
    if (work_[mark + other.index()] != may_walk) continue;
    if (!spend(1, place)) return 0;
    step_on(other);
    best = std::max(best, (work_.size() - bottom) / 2);
  }
  return best;
}

Value Evaluator::longest_path(const Node& n) {
  const ZoneId from = n.a >= 0 ? zone(n.a) : ZoneId::none();
  if (failed_) return {};
  const std::size_t mark = work_.size();
  work_.resize(mark + p_->zones.size(), off_path);
  for (const ZoneId z : p_->zones.ids()) {
    if (failed_) break;
    if (p_->zones[z].kind != spec::ZoneKind::board) continue;
    slot(n.d) = Value::zone(z);
    if (test(n.c) == Truth::yes) work_[mark + z.index()] = may_walk;
  }
  slot(n.d) = {};
  std::int64_t best = 0;
  for (const ZoneId z : p_->zones.ids())
    if (!failed_ && work_[mark + z.index()] == may_walk && (from.is_none() || from == z))
      best = std::max(best, longest_from(mark, z, n.place));
  work_.resize(mark);
  return failed_ ? Value{} : Value::integer(best);
}

}  // namespace parlor::kernel
