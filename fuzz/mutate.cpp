#include "fuzz/mutate.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>

#include "base/json.h"

namespace parlor::fuzz {
namespace {

// Numbers at which something ends: bits, signs, tables, what a double holds.
constexpr std::array<std::string_view, 34> numbers{"0",
                                                   "1",
                                                   "-1",
                                                   "2",
                                                   "3",
                                                   "7",
                                                   "8",
                                                   "15",
                                                   "16",
                                                   "17",
                                                   "63",
                                                   "64",
                                                   "65",
                                                   "127",
                                                   "128",
                                                   "255",
                                                   "256",
                                                   "257",
                                                   "999",
                                                   "1000",
                                                   "9999",
                                                   "10000",
                                                   "10001",
                                                   "32767",
                                                   "32768",
                                                   "65535",
                                                   "65536",
                                                   "2147483647",
                                                   "-2147483648",
                                                   "4294967296",
                                                   "9007199254740991",
                                                   "-9007199254740991",
                                                   "9223372036854775807",
                                                   "1e999"};

constexpr std::array<std::string_view, 28> words{
    "true",  "false",  "null", "~",    "\"\"", "[]",          "{}", "$",  "$zone", "$token",
    "actor", "active", "all",  "none", "left", "\"\\u0000\"", "*a", "&a", "<<",    "---",
    "- ",    ": ",     "{",    "}",    "[",    "]",           "#",  "```"};

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$' || c == '.' || static_cast<unsigned char>(c) >= 0x80;
}

// Words and numbers, quoted texts, runs of blanks, and everything else by itself.
std::vector<std::string> tokens_of(std::string_view text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    if (is_word(text[at]) || (text[at] == '-' && end < text.size() && is_word(text[end]))) {
      while (end < text.size() && is_word(text[end])) ++end;
    } else if (text[at] == ' ') {
      while (end < text.size() && text[end] == ' ') ++end;
    } else if (text[at] == '"') {
      while (end < text.size() && text[end] != '"' && text[end] != '\n')
        end += text[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, text.size());
    }
    out.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return out;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    out.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return out;
}

std::string joined(const std::vector<std::string>& parts) {
  std::string out;
  for (const std::string& part : parts) out += part;
  return out;
}

bool is_number(const std::string& token) {
  const std::size_t first = token.starts_with('-') ? 1 : 0;
  return token.size() > first && token.find_first_not_of("0123456789", first) == std::string::npos;
}

template <class List>
auto& any(List& list, Rng& rng) {
  return list[rng.below(std::size(list))];
}

// A run of parts: at, length.
std::pair<std::size_t, std::size_t> some(std::size_t size, Rng& rng) {
  const std::size_t at = rng.below(size);
  const std::size_t longest = std::min<std::size_t>(size - at, 1 + rng.below(12));
  return {at, 1 + rng.below(longest)};
}

// Takes out, repeats, moves or exchanges parts.
void rearrange(std::vector<std::string>& parts, const std::vector<std::string>& others, Rng& rng) {
  using Step = std::ptrdiff_t;
  if (parts.empty()) return;
  const auto [at, length] = some(parts.size(), rng);
  const std::vector<std::string> run(parts.begin() + Step(at), parts.begin() + Step(at + length));
  switch (rng.below(6)) {
    case 0:
      parts.erase(parts.begin() + Step(at), parts.begin() + Step(at + length));
      break;
    case 1:
      parts.insert(parts.begin() + Step(rng.below(parts.size())), run.begin(), run.end());
      break;
    case 2:
      std::swap(any(parts, rng), any(parts, rng));
      break;
    case 3:
      for (std::size_t times = 1 + rng.below(rng.below(8) == 0 ? 300 : 3); times > 0; --times)
        parts.insert(parts.begin() + Step(at), run.begin(), run.end());
      break;
    case 4: {
      if (others.empty()) return;
      const auto [from, count] = some(others.size(), rng);
      parts.insert(parts.begin() + Step(at), others.begin() + Step(from),
                   others.begin() + Step(from + count));
      break;
    }
    default:
      if (!others.empty()) any(parts, rng) = others[rng.below(others.size())];
  }
}

void change_token(std::vector<std::string>& tokens, Rng& rng) {
  if (tokens.empty()) return;
  std::string* token = &any(tokens, rng);
  // Numbers are where limits are, so they are looked for.
  for (int tries = 0; tries < 12 && !is_number(*token) && rng.below(3) != 0; ++tries)
    token = &any(tokens, rng);
  switch (rng.below(5)) {
    case 0:
      *token = any(words, rng);
      break;
    case 1:
      *token = any(tokens, rng);
      break;
    case 2:
      for (std::size_t depth = std::size_t{1} << rng.below(11); depth > 0; --depth)
        *token = rng.below(2) == 0 ? "[" + *token + "]" : "{a: " + *token + "}";
      break;
    default:
      *token = any(numbers, rng);
  }
}

void change_byte(std::string& text, Rng& rng) {
  if (text.empty()) return;
  const std::size_t at = rng.below(text.size());
  switch (rng.below(4)) {
    case 0:
      text[at] = static_cast<char>(rng.below(256));
      break;
    case 1:
      text.erase(at, 1 + rng.below(8));
      break;
    case 2:
      text.insert(at, 1, static_cast<char>(rng.below(128)));
      break;
    default:
      text[at] = static_cast<char>(text[at] ^ (1 << rng.below(8)));
  }
}

// ---- JSON

void collect(Json& value, std::vector<Json*>& out) {
  out.push_back(&value);
  if (value.is_structured())
    for (Json& child : value) collect(child, out);
}

Json another_value(const Json& value, const std::vector<Json*>& all, Rng& rng) {
  constexpr std::int64_t shifts[] = {-1, 1, -2, 2, 100, -100};
  if (value.is_number_integer() && rng.below(2) == 0)
    return static_cast<std::int64_t>(value.get<std::uint64_t>() +
                                     static_cast<std::uint64_t>(any(shifts, rng)));
  if (value.is_string() && rng.below(2) == 0) {
    std::string text = value.get<std::string>();
    // Hexadecimal stays hexadecimal: saved states hold bytes that way.
    if (!text.empty() && text.find_first_not_of("0123456789abcdef") == std::string::npos) {
      const std::size_t at = rng.below(text.size());
      text[at] = "0123456789abcdef"[rng.below(16)];
      if (rng.below(8) == 0) text.resize(2 * rng.below(text.size() / 2 + 1));
      if (rng.below(8) == 0) text += text.substr(0, 2 * rng.below(text.size() / 2 + 1));
    } else {
      change_byte(text, rng);
    }
    return text;
  }
  switch (rng.below(6)) {
    case 0:
      return nullptr;
    case 1:
      return parse_json(any(numbers, rng)).value_or(Json(1e300));
    case 2:
      return rng.below(2) == 0 ? Json::array() : Json::object();
    default:
      return *all[rng.below(all.size())];
  }
}

void change_json(Json& document, Rng& rng) {
  std::vector<Json*> all;
  collect(document, all);
  Json& at = *all[rng.below(all.size())];
  if (at.is_array() && !at.empty() && rng.below(2) == 0) {
    const std::size_t item = rng.below(at.size());
    switch (rng.below(3)) {
      case 0:
        at.erase(item);
        return;
      case 1:
        at.push_back(Json(at[item]));
        return;
      default:
        std::swap(at[item], at[rng.below(at.size())]);
        return;
    }
  }
  if (at.is_object() && !at.empty() && rng.below(2) == 0) {
    auto item = at.begin();
    std::advance(item, static_cast<std::ptrdiff_t>(rng.below(at.size())));
    const std::string key = item.key();
    if (rng.below(3) == 0) {
      const Json value = item.value();
      at[key + "x"] = value;
    }
    at.erase(key);
    return;
  }
  at = another_value(Json(at), all, rng);
}

}  // namespace

std::string mutate(std::string_view text, std::string_view other, std::size_t most, Rng& rng) {
  std::string out{text};
  // JSON after a first line that names what it is for is still JSON.
  const std::size_t head =
      text.starts_with('@') ? std::min(text.find('\n'), text.size() - 1) + 1 : 0;
  const std::string_view body = text.substr(head);
  const std::size_t changes = 1 + rng.below(rng.below(4) == 0 ? 8 : 2);
  if (body.starts_with('{') || body.starts_with('['))
    if (auto json = parse_json(body); json && rng.below(4) != 0) {
      for (std::size_t n = 0; n < changes; ++n) change_json(*json, rng);
      out = std::string{text.substr(0, head)} + canonical(*json);
      return out.size() <= most ? out : std::string{text.substr(0, most)};
    }
  for (std::size_t n = 0; n < changes; ++n) {
    switch (rng.below(8)) {
      case 0:
        change_byte(out, rng);
        break;
      case 1:
      case 2: {
        auto lines = lines_of(out);
        rearrange(lines, lines_of(other), rng);
        out = joined(lines);
        break;
      }
      case 3:
      case 4: {
        auto tokens = tokens_of(out);
        rearrange(tokens, tokens_of(other), rng);
        out = joined(tokens);
        break;
      }
      default: {
        auto tokens = tokens_of(out);
        change_token(tokens, rng);
        out = joined(tokens);
      }
    }
    if (out.size() > most) out.resize(most);
  }
  return out;
}

}  // namespace parlor::fuzz
