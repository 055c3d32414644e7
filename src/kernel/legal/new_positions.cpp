#include "kernel/legal/new_positions.h"

namespace parlor::kernel {

namespace {

// The variable with the i-th of the numbers that a count asks for.
VarId variable_of(const Program& p, const Node& count, int i) {
  const PropFilter filter = p.prop_filters[p.nodes[count.a].b];
  return p.nodes[p.prop_tests[filter.first + i].value].a;
}

}  // namespace

const Node* asks_for_new(const Program& p, NodeId condition) {
  const auto node = [&](NodeId n) -> const Node& { return p.nodes[n]; };
  const Node& equal = node(condition);
  if (equal.op != Ex::equal) return nullptr;
  const Node &count = node(equal.a), &none = node(equal.b);
  if (count.op != Ex::count || count.b < 0 || none.op != Ex::constant ||
      p.constants[none.a] != Value::integer(0))
    return nullptr;
  const PropFilter filter = p.prop_filters[node(count.a).b];
  for (int i = 0; i < filter.count; ++i) {
    const Node& wanted = node(p.prop_tests[filter.first + i].value);
    if (wanted.op != Ex::gvar || p.gvars[wanted.a].boolean) return nullptr;
  }
  return &count;
}

bool surely_new(const Program& p, const Memory& memory, NodeId condition) {
  const Node* const count = asks_for_new(p, condition);
  if (count == nullptr) return false;
  std::int64_t numbers[most_prop_tests] = {};
  const int size = p.prop_filters[p.nodes[count->a].b].count;
  for (int i = 0; i < size; ++i) {
    numbers[i] = memory.gvar(variable_of(p, *count, i));
    if (numbers[i] <= INT32_MIN || numbers[i] > INT32_MAX) return false;
  }
  const std::size_t bit = seen_bit({numbers, static_cast<std::size_t>(size)});
  return (memory.seen(count->b)[bit / 64] >> (bit % 64) & 1) == 0;
}

NewPosition::NewPosition(const Program& p, const TrialPlan& trial) {
  using Kind = TrialPlan::Step::Kind;
  const Node* const count = trial.steps.empty() || trial.steps.back().kind != Kind::ask
                                ? nullptr
                                : asks_for_new(p, trial.steps.back().what);
  if (count == nullptr) return;
  const int size = p.prop_filters[p.nodes[count->a].b].count;
  for (int i = 0; i < size; ++i)
    if (!add_number(p, trial, variable_of(p, *count, i))) {
      count_ = 0;
      return;
    }
  seen_ = count->b;
  zone_ = p.seen[seen()].zone;
}

// The sum that the variable holds when it is asked for; false: it is another number, or not sure to
// be one that a token can have.
bool NewPosition::add_number(const Program& p, const TrialPlan& trial, VarId variable) {
  using Kind = TrialPlan::Step::Kind;
  Number number;
  SlotId slot;
  for (std::size_t k = trial.steps.size() - 1; k-- > 0;) {
    const TrialPlan::Step& step = trial.steps[k];
    if (step.kind == Kind::ask) return false;
    if (step.kind == Kind::var && slot.is_none() && step.what == variable) slot = step.slot;
    if (step.kind != Kind::sum || slot.is_none() || step.slot != slot || number.sum >= 0) continue;
    const KeptSum& def = p.sums[step.what];
    number.sum = step.what;
    number.first = step.start * def.whole % def.modulus;
    number.modulus = def.modulus;
  }
  const VarInfo& info = p.gvars[variable];
  if (number.sum < 0 || number.modulus > std::int64_t{1} << 31 || info.min > 0 ||
      info.max < number.modulus - 1)
    return false;
  numbers_[count_++] = number;
  return true;
}

std::uint64_t NewPosition::maybe_seen(const KeptAnswers& answers, std::size_t first,
                                      std::uint64_t which, const std::uint64_t* filter) const {
  std::uint64_t out = 0;
  const auto ask = [&](const auto& mixed_of) {
    for (std::uint64_t left = which; left != 0; left &= left - 1) {
      const auto place = static_cast<std::size_t>(std::countr_zero(left));
      const std::size_t bit = seen_bit(mixed_of(first + place));
      out |= (filter[bit / 64] >> (bit % 64) & 1) << place;
    }
  };
  if (count_ != 2) {
    ask([&](std::size_t answer) { return mixed(answers, answer); });
    return out;
  }
  // Two numbers are the commonest: what does not change stays in registers.
  const Number one = numbers_[0], other = numbers_[1];
  const std::int64_t *const gains = answers.gains(one.sum), *const other_gains =
                                                                answers.gains(other.sum);
  ask([&](std::size_t answer) {
    return lies_at(one, gains[answer]) * number_keys[0] +
           lies_at(other, other_gains[answer]) * number_keys[1];
  });
  return out;
}

}  // namespace parlor::kernel
