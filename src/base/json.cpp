#include "base/json.h"

#include <algorithm>
#include <charconv>
#include <fmt/core.h>
#include <iterator>

#include "base/json_text.h"

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

// What the library writes, character by character: for all that is seldom.
void write_seldom(const Json& value, std::string& out) {
  out += value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool needs_no_escape(char c) {
  return static_cast<signed char>(c) >= 0x20 && c != '"' && c != '\\';
}

void write_text(std::string_view text, std::string& out) {
  if (!std::ranges::all_of(text, needs_no_escape)) return write_seldom(Json(text), out);
  out += '"';
  out += text;
  out += '"';
}

void write(const Json& value, std::string& out);

void write_list(const Json& list, std::string& out) {
  char before = '[';
  for (const Json& item : list) {
    out += before;
    write(item, out);
    before = ',';
  }
  out += list.empty() ? "[]" : "]";
}

void write_object(const Json& object, std::string& out) {
  char before = '{';
  for (const auto& [key, item] : object.get_ref<const Json::object_t&>()) {
    out += before;
    write_text(key, out);
    out += ':';
    write(item, out);
    before = ',';
  }
  out += object.empty() ? "{}" : "}";
}

template <class Number>
void write_number(Number number, std::string& out) {
  char digits[24];
  out.append(digits, std::to_chars(digits, std::end(digits), number).ptr);
}

void write(const Json& value, std::string& out) {
  switch (value.type()) {
    case Json::value_t::object:
      return write_object(value, out);
    case Json::value_t::array:
      return write_list(value, out);
    case Json::value_t::string:
      return write_text(value.get_ref<const std::string&>(), out);
    case Json::value_t::boolean:
      out += value.get<bool>() ? "true" : "false";
      return;
    case Json::value_t::null:
      out += "null";
      return;
    case Json::value_t::number_integer:
      return write_number(value.get<std::int64_t>(), out);
    case Json::value_t::number_unsigned:
      return write_number(value.get<std::uint64_t>(), out);
    default:
      return write_seldom(value, out);
  }
}

}  // namespace

std::string canonical(const Json& value) {
  std::string out;
  write_canonical(value, out);
  return out;
}

void write_canonical(const Json& value, std::string& out) {
  write(value, out);
}
void write_canonical(std::string_view text, std::string& out) {
  write_text(text, out);
}
void write_canonical(std::int64_t number, std::string& out) {
  write_number(number, out);
}
void write_canonical(std::uint64_t number, std::string& out) {
  write_number(number, out);
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
    // The library's own number of the mistake helps nobody: "[json.exception.parse_error.101] …".
    const std::string_view said{error.what()};
    const auto number_ends = said.find("] ");
    return tl::unexpected(std::string{said.substr(number_ends == said.npos ? 0 : number_ends + 2)});
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
