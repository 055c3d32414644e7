#include "base/json.h"

#include <algorithm>
#include <charconv>
#include <fmt/core.h>
#include <utility>

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

// A text that grows at its end. A string checks and counts with every character it is given; what
// is written here comes in so many small pieces that this was most of the work.
class Pen {
 public:
  explicit Pen(std::string& out) : out_(out) {}
  ~Pen() { out_.resize(used_); }
  Pen(const Pen&) = delete;
  Pen& operator=(const Pen&) = delete;

  void put(char c) { *room(1) = c; }
  void put(std::string_view text) { text.copy(room(text.size()), text.size()); }
  void put_quoted(std::string_view text) {
    char* const at = room(text.size() + 2);
    at[0] = '"';
    text.copy(at + 1, text.size());
    at[text.size() + 1] = '"';
  }
  template <class Number>
  void put_number(Number number) {
    constexpr std::size_t longest = 24;
    char* const at = room(longest);
    used_ -= static_cast<std::size_t>(at + longest - std::to_chars(at, at + longest, number).ptr);
  }

 private:
  // Twice what was written here, not twice the text: it may be long already, and all that is added
  // is filled first.
  char* room(std::size_t more) {
    constexpr std::size_t at_least = 64;
    if (out_.size() - used_ < more) out_.resize(used_ + more + std::max(at_least, used_ - began_));
    return out_.data() + std::exchange(used_, used_ + more);
  }

  std::string& out_;
  const std::size_t began_ = out_.size();
  std::size_t used_ = began_;  // of the string, which is longer
};

// What the library writes, character by character: for all that is seldom.
std::string seldom(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// All of it is looked at, which is faster than stopping at the first that does.
bool needs_escape(std::string_view text) {
  bool found = false;
  for (const char c : text) found |= static_cast<signed char>(c) < 0x20 || c == '"' || c == '\\';
  return found;
}

void write_text(std::string_view text, Pen& pen) {
  if (needs_escape(text)) return pen.put(seldom(Json(text)));
  pen.put_quoted(text);
}

void write(const Json& value, Pen& pen);

void write_list(const Json& list, Pen& pen) {
  char before = '[';
  for (const Json& item : list) {
    pen.put(before);
    write(item, pen);
    before = ',';
  }
  pen.put(list.empty() ? std::string_view{"[]"} : "]");
}

void write_object(const Json& object, Pen& pen) {
  char before = '{';
  for (const auto& [key, item] : object.get_ref<const Json::object_t&>()) {
    pen.put(before);
    write_text(key, pen);
    pen.put(':');
    write(item, pen);
    before = ',';
  }
  pen.put(object.empty() ? std::string_view{"{}"} : "}");
}

void write(const Json& value, Pen& pen) {
  switch (value.type()) {
    case Json::value_t::object:
      return write_object(value, pen);
    case Json::value_t::array:
      return write_list(value, pen);
    case Json::value_t::string:
      return write_text(value.get_ref<const std::string&>(), pen);
    case Json::value_t::boolean:
      return pen.put(value.get<bool>() ? std::string_view{"true"} : "false");
    case Json::value_t::null:
      return pen.put("null");
    case Json::value_t::number_integer:
      return pen.put_number(value.get<std::int64_t>());
    case Json::value_t::number_unsigned:
      return pen.put_number(value.get<std::uint64_t>());
    default:
      return pen.put(seldom(value));
  }
}

}  // namespace

std::string canonical(const Json& value) {
  std::string out;
  write_canonical(value, out);
  return out;
}

void write_canonical(const Json& value, std::string& out) {
  Pen pen(out);
  write(value, pen);
}
void write_canonical(std::string_view text, std::string& out) {
  Pen pen(out);
  write_text(text, pen);
}
void write_canonical(std::int64_t number, std::string& out) {
  Pen pen(out);
  pen.put_number(number);
}
void write_canonical(std::uint64_t number, std::string& out) {
  Pen pen(out);
  pen.put_number(number);
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
