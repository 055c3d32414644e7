// evaluateSubset: goes through all subsets of a size and keeps the best.
#include "kernel/run/machine.h"

namespace parlor::kernel {

// Cursor: source list, index list (the current combination), best score, best subset.
bool Statements::do_subset(const Instr& i) {
  switch (i.op) {
    case Op::subset_begin:
      return begin_subsets(i);
    case Op::subset_next:
      return next_subset(i);
    case Op::subset_score:
      return score_subset(i);
    default:
      slot(i.b) = slot(i.a, 2);
      if (i.c >= 0) slot(i.c) = slot(i.a, 3);
      std::fill_n(&slot(i.a), 6, Value{});
      return true;
  }
}

bool Statements::begin_subsets(const Instr& i) {
  std::int64_t size = 0;
  const Value source = collect(i.b);
  if (failed_ || !integer(i.c, size)) return false;
  const std::int64_t n = list_size(source);
  std::int64_t combinations = size < 0 || size > n ? 0 : 1;
  for (std::int64_t k = 1; k <= size && combinations <= 10'000 && combinations > 0; ++k)
    combinations = combinations * (n - size + k) / k;
  if (combinations == 0 || combinations > 10'000) {
    fail(combinations == 0 ? Code::RUN_SUBSET : Code::RUN_TOO_MANY, i.place,
         combinations == 0 ? "there is no subset of this size" : "there are too many subsets",
         Value::integer(n), Value::integer(size));
    return false;
  }
  const Value indices = make_blank_list(size);
  const Value subset = make_blank_list(size);
  if (failed_) return false;
  for (std::int64_t k = 0; k < size; ++k) arena_[indices.payload() + 1 + k] = Value::integer(k);
  slot(i.a) = source;
  slot(i.a, 1) = indices;
  slot(i.a, 2) = slot(i.a, 3) = slot(i.a, 4) = {};
  slot(i.a, 5) = subset;
  return true;
}

bool Statements::next_subset(const Instr& i) {
  const Value source = slot(i.a), indices = slot(i.a, 1);
  const auto size = list_size(indices), n = list_size(source);
  if (!source.is_list() || !indices.is_list() || size > n || indices.payload() >= constant_list) {
    fail(Code::RUN_TYPE, i.place, "the subset that was being looked at is lost");
    return false;
  }
  if (i.d >= 0 && slot(i.a, 4).is_none() && printed_subsets(i)) return true;
  Value* const index = own_items(indices);
  if (slot(i.a, 4).is_none()) {
    slot(i.a, 4) = Value::boolean(true);  // the first combination stands already
  } else {
    std::size_t k = size;
    while (k > 0 && index[k - 1] == Value::integer(n - size + k - 1)) --k;
    if (k == 0) {
      frames_.back().pc = i.c;
      return true;
    }
    index[k - 1] = Value::integer(index[k - 1].payload() + 1);
    for (; k < size; ++k) index[k] = Value::integer(index[k - 1].payload() + 1);
  }
  // One list is reused for every subset; the best one is copied when it is found.
  const Value subset = slot(i.a, 5);
  for (std::size_t k = 0; k < size; ++k) put_at(subset, k, list_at(source, index[k].payload()));
  slot(i.b) = subset;
  return true;
}

bool Statements::score_subset(const Instr& i) {
  std::int64_t score = 0;
  if (!integer(i.b, score)) return false;
  if (!slot(i.a, 2).is_none() && score <= slot(i.a, 2).payload()) return true;
  slot(i.a, 2) = Value::integer(score);
  const Value subset = slot(i.a, 5);
  if (slot(i.a, 3).is_none()) slot(i.a, 3) = make_blank_list(list_size(subset));
  if (failed_) return false;
  for (std::size_t k = 0; k < list_size(subset); ++k) put_at(slot(i.a, 3), k, list_at(subset, k));
  return true;
}

}  // namespace parlor::kernel
