#include "spec/read/scalar.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace parlor::spec {
namespace {

constexpr std::int64_t largest = (std::int64_t{1} << 53) - 1;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

template <std::size_t N>
bool any_of(std::string_view text, const std::array<std::string_view, N>& words) {
  return std::ranges::find(words, text) != words.end();
}

constexpr std::array<std::string_view, 5> null_words{"", "~", "null", "Null", "NULL"};
constexpr std::array<std::string_view, 3> true_words{"true", "True", "TRUE"};
constexpr std::array<std::string_view, 3> false_words{"false", "False", "FALSE"};

bool all_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_digit);
}

// [-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?
bool is_float(std::string_view text) {
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  std::size_t at = 0, before = 0, after = 0;
  while (at < text.size() && is_digit(text[at])) ++at, ++before;
  if (at < text.size() && text[at] == '.') {
    ++at;
    while (at < text.size() && is_digit(text[at])) ++at, ++after;
  }
  if (before + after == 0) return false;
  if (at == text.size()) return true;
  if (text[at] != 'e' && text[at] != 'E') return false;
  ++at;
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
  return all_digits(text.substr(at));
}

Node integer_node(std::string_view digits, int base, bool negative, Origin origin,
                  ScalarProblem& problem) {
  std::int64_t value = 0;
  const auto [end, status] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (status != std::errc{} || end != digits.data() + digits.size() || value > largest) {
    problem.out_of_range = true;
    value = largest;
  }
  return Node::of_integer(negative ? -value : value, origin);
}

}  // namespace

Node resolve_plain(std::string_view text, Origin origin, ScalarProblem& problem) {
  if (any_of(text, null_words)) return Node::of_null(origin);
  const char first = text[0];
  // Most scalars are words; only these can start a number or a boolean.
  if (!is_digit(first) && first != '-' && first != '+' && first != '.') {
    if (any_of(text, true_words)) return Node::of_boolean(true, origin);
    if (any_of(text, false_words)) return Node::of_boolean(false, origin);
    return Node::of_string(std::string{text}, origin);
  }
  const bool is_signed = first == '-' || first == '+';
  const std::string_view digits = text.substr(is_signed ? 1 : 0);
  if (all_digits(digits)) return integer_node(digits, 10, first == '-', origin, problem);
  if (text.starts_with("0o") || text.starts_with("0x")) {
    const int base = text[1] == 'o' ? 8 : 16;
    const std::string_view rest = text.substr(2);
    const std::string_view allowed = base == 8 ? "01234567" : "0123456789abcdefABCDEF";
    if (!rest.empty() && rest.find_first_not_of(allowed) == std::string_view::npos)
      return integer_node(rest, base, false, origin, problem);
  }
  if (is_float(text)) {
    const double value = std::strtod(std::string{text}.c_str(), nullptr);
    if (value == std::floor(value) && std::abs(value) <= static_cast<double>(largest))
      return Node::of_integer(static_cast<std::int64_t>(value), origin);
    Node out = Node::of_string(std::string{text}, origin);
    out.kind = Node::Kind::real;
    out.real = value;
    return out;
  }
  return Node::of_string(std::string{text}, origin);
}

bool looks_like_boolean(std::string_view text) {
  constexpr std::array<std::string_view, 12> words{"yes", "Yes", "YES", "no",  "No",  "NO",
                                                   "on",  "On",  "ON",  "off", "Off", "OFF"};
  return any_of(text, words);
}

}  // namespace parlor::spec
