// JSON as Parlor writes it: keys sorted by bytes, no blanks, integers only where it matters, so
// the same value always gives the same bytes.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace parlor {

using Json = nlohmann::json;  // objects are std::map: sorted by key

// The one byte-stable text of a value. Invalid UTF-8 is replaced, never thrown at the caller.
std::string canonical(const Json& value);
// The same with line breaks and two blanks of indentation, for files people read.
std::string canonical_pretty(const Json& value);
// Parses text; the error says what and where.
tl::expected<Json, std::string> parse_json(std::string_view text);

}  // namespace parlor
