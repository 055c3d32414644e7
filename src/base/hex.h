// Whole numbers of 128 bits as hexadecimal text without prefix, as serialised states hold them.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "base/rng.h"

namespace parlor {

std::string to_hex(Uint128 value);
tl::expected<Uint128, std::string> parse_hex(std::string_view text);

}  // namespace parlor
