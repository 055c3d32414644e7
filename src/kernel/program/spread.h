// A few numbers of a range, spread evenly: what `at most` offers. The interpreter and compiled code
// find them by these same lines, so this header needs nothing else.
#pragma once

#include <cstddef>
#include <cstdint>

namespace parlor::kernel {

// How many numbers there are besides the required ones.
struct Spread {
  std::int64_t min, max, step;
  std::int64_t most;  // -1: all
};

inline void sort_numbers(std::int64_t* numbers, std::size_t count) {
  for (std::size_t k = 1; k < count; ++k)
    for (std::size_t at = k; at > 0 && numbers[at] < numbers[at - 1]; --at) {
      const std::int64_t less = numbers[at];
      numbers[at] = numbers[at - 1];
      numbers[at - 1] = less;
    }
}

// Sorts the numbers that must be there, each once; how many they are.
inline std::size_t require_numbers(std::int64_t* numbers, std::size_t count) {
  sort_numbers(numbers, count);
  std::size_t kept = 0;
  for (std::size_t k = 0; k < count; ++k)
    if (kept == 0 || numbers[kept - 1] != numbers[k]) numbers[kept++] = numbers[k];
  return kept;
}

// How many numbers of the range are not required.
inline std::int64_t optional_numbers(const Spread& range, const std::int64_t* numbers,
                                     std::size_t required) {
  std::int64_t in_range = 0;
  for (std::size_t k = 0; k < required; ++k)
    in_range += (numbers[k] - range.min) % range.step == 0 ? 1 : 0;
  return (range.max - range.min) / range.step + 1 - in_range;
}

// Behind the required ones go as many of the others as there is room for: `optional` of them are
// there. Returns how many numbers there are then, in order.
inline std::size_t spread_numbers(const Spread& range, std::int64_t* numbers, std::size_t required,
                                  std::int64_t optional) {
  const auto must = static_cast<std::int64_t>(required);
  if (range.most >= 0 && must + optional > range.most && range.step != 1 && must > range.most)
    return 0;
  const std::int64_t kept = range.most >= 0 && must > range.most ? range.most : must;
  std::int64_t room = optional;
  if (range.most >= 0 && range.most - kept < room) room = range.most - kept;
  std::size_t count = static_cast<std::size_t>(kept);
  // Required numbers below the one being looked for.
  std::size_t passed = 0;
  std::int64_t passed_in_range = 0;
  for (std::int64_t i = 0; i < room; ++i) {
    std::int64_t v = range.min + (i * optional / room + passed_in_range) * range.step;
    for (; passed < required && numbers[passed] <= v; ++passed) {
      if ((numbers[passed] - range.min) % range.step != 0) continue;
      ++passed_in_range;
      v += range.step;
    }
    numbers[count++] = v;
  }
  sort_numbers(numbers, count);
  return count;
}

}  // namespace parlor::kernel
