// Everything that can have happened, as far as a viewer knows: the course of play (course.h) is
// gone through from its beginning with every way tokens can have lain then. Where one went that the
// viewer cannot name, it may have been any of those that lay there; where the viewer learnt which
// it was, ways in which it lay elsewhere are out; and so are those that contradict at some decision
// what the rules call certain. If others pick at random, every way that is left is equally likely,
// so a placement is as likely as the number of ways that lead to it: this is exact, as long as
// there are not too many placements. Of more, some are taken at random, each as likely as it is.
#pragma once

#include <vector>

#include "kernel/know/observers.h"
#include "kernel/run/machine.h"

namespace parlor::kernel {

// Where tokens may lie now, each way with its weight.
struct Placements {
  std::size_t tokens = 0;
  std::vector<std::int16_t> zones;  // by placement and token: a zone, or one of those below
  std::vector<double> weights;      // the sum of this and all before

  static constexpr std::int16_t out_of_play = -1, not_made = -2, in_the_open = -3;

  // None: not in a zone that somebody does not see into.
  static ZoneId zone_of(std::int16_t code) { return code < 0 ? ZoneId::none() : ZoneId(code); }
  bool empty() const { return weights.empty(); }
  std::span<const std::int16_t> draw(Rng& rng) const;
};

// Depends on nothing but what the viewer knows. The last answer is kept, for whoever asks again.
// Empty: what is remembered does not say.
const Placements& possible_placements(Machine& machine, const Eyes& eyes);

}  // namespace parlor::kernel
