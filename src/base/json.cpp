#include "base/json.h"

namespace parlor {

std::string canonical(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string canonical_pretty(const Json& value) {
  return value.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

tl::expected<Json, std::string> parse_json(std::string_view text) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    return tl::unexpected<std::string>(error.what());
  }
}

}  // namespace parlor
