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
// Parses text from anywhere; the error says what and where. Text that is nested deeper than this is
// refused: whatever handles the value later may take it apart by recursion.
inline constexpr std::size_t max_json_nesting = 2'048;
tl::expected<Json, std::string> parse_json(std::string_view text);

// A whole number between two bounds, or nothing. Unlike `get` it takes no fractions, and no number
// too large for 64 bits is cut to another one.
std::optional<std::int64_t> integer_in(const Json& value, std::int64_t low, std::int64_t high);

}  // namespace parlor
