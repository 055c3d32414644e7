#include "base/hex.h"

#include <algorithm>

namespace parlor {

std::string to_hex(Uint128 value) {
  std::string digits;
  do {
    digits += "0123456789abcdef"[static_cast<unsigned>(value & 15)];
    value >>= 4;
  } while (value != 0);
  std::ranges::reverse(digits);
  return digits;
}

tl::expected<Uint128, std::string> parse_hex(std::string_view text) {
  if (text.empty() || text.size() > 32)
    return tl::unexpected<std::string>("not a 128-bit hexadecimal number");
  Uint128 value = 0;
  for (const char c : text) {
    unsigned digit = 0;
    if (c >= '0' && c <= '9')
      digit = static_cast<unsigned>(c - '0');
    else if (c >= 'a' && c <= 'f')
      digit = static_cast<unsigned>(c - 'a') + 10;
    else if (c >= 'A' && c <= 'F')
      digit = static_cast<unsigned>(c - 'A') + 10;
    else
      return tl::unexpected<std::string>("not a hexadecimal digit");
    value = (value << 4) | digit;
  }
  return value;
}

}  // namespace parlor
