#include "base/json.h"

#include <algorithm>
#include <fmt/core.h>

namespace parlor {
namespace {

// How deep lists and objects are nested at most; brackets inside texts do not count.
std::size_t nesting(std::string_view text) {
  std::size_t depth = 0, deepest = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return deepest;
}

}  // namespace

std::string canonical(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string canonical_pretty(const Json& value) {
  return value.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

tl::expected<Json, std::string> parse_json(std::string_view text) {
  // Values are copied, compared and written by recursion, which needs stack for every level.
  if (nesting(text) > max_json_nesting)
    return tl::unexpected(
        fmt::format("lists and objects are nested more than {} deep", max_json_nesting));
  try {
    return Json::parse(text);
  } catch (const Json::exception& error) {  // not JSON, or a number no machine can hold
    return tl::unexpected<std::string>(error.what());
  }
}

std::optional<std::int64_t> integer_in(const Json& value, std::int64_t low, std::int64_t high) {
  if (!value.is_number_integer()) return std::nullopt;
  if (value.is_number_unsigned() &&
      value.get<std::uint64_t>() > static_cast<std::uint64_t>(std::max<std::int64_t>(0, high)))
    return std::nullopt;
  const auto number = value.get<std::int64_t>();
  return number < low || number > high ? std::nullopt : std::optional{number};
}

}  // namespace parlor
