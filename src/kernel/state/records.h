// The records of zones and tokens in a state's block: what compiled code reads, too, so this header
// needs nothing else.
#pragma once

#include <cstdint>

#include "kernel/program/ids.h"
#include "kernel/program/value.h"

namespace parlor::kernel {

// Links hold index + 1, so that zero bytes are an empty zone.
struct ZoneRecord {
  std::uint16_t head, tail, count;
};
struct TokenRecord {
  std::uint16_t next, prev;
  std::int16_t zone;  // -1: destroyed
  std::uint16_t type;
  // followed by one int32 cell per column
};
// A timed effect that is in force, or will be.
struct EffectRecord {
  Small<std::int16_t> kind;
  Small<std::int8_t> owner;          // -1: nobody
  Small<std::int8_t> until_turn_of;  // -1: nobody
  std::int32_t created;              // turn
  std::int32_t from_turn, from_round;
  std::int32_t until_turn, until_round;
  std::int32_t charges;  // -1: unlimited
  std::uint32_t serial;
  Value target;  // none: no target
};
// What is kept of a KeptSum.
struct SumRecord {
  std::int64_t sum;  // from 0 to below the modulus
  std::int64_t odd;  // tokens in its zones that lack the number it asks for
};
inline constexpr std::int32_t missing_cell = INT32_MIN;
// A cell of text holds a symbol; below 0 a token; from here on a text the state keeps.
inline constexpr std::int32_t first_text_cell = 1 << 30;

}  // namespace parlor::kernel
