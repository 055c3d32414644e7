// The records of zones and tokens in a state's block: what compiled code reads, too, so this header
// needs nothing else.
#pragma once

#include <cstdint>

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
// What is kept of a KeptSum.
struct SumRecord {
  std::int64_t sum;  // from 0 to below the modulus
  std::int64_t odd;  // tokens in its zones that lack the number it asks for
};
inline constexpr std::int32_t missing_cell = INT32_MIN;
// A cell of text holds a symbol; below 0 a token; from here on a text the state keeps.
inline constexpr std::int32_t first_text_cell = 1 << 30;

}  // namespace parlor::kernel
