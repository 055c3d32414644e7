// Conditions on a zone that are nothing but numbers (V-06): how far it is from home, whether a card
// leads there. What they come to depends on attributes of the zone, which never change, and on a
// few numbers besides: variables, bindings, properties of a token. So for each of these numbers the
// zones for which such a condition holds are found once and looked up from then on, whatever the
// state.
#pragma once

#include <cstdint>

#include "kernel/program/program.h"

namespace parlor::kernel {

class Evaluator;

struct ZonesByNumbers {
  std::uint64_t holds[most_words];
  std::uint64_t answered[most_words];  // the others are a fault, which whoever asks them will say
};

// The zones of a condition that asks about the zone in this slot, until the next is asked for.
// Nothing: it is no such condition, or a number it needs is missing.
const ZonesByNumbers* zones_by_numbers(Evaluator& machine, NodeId condition, SlotId slot);

}  // namespace parlor::kernel
