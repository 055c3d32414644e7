#include "cli/request.h"

#include <fmt/core.h>
#include <sstream>

namespace parlor::cli {
namespace {

// A word as JSON if it is a number, true or false; else a text.
Json word_value(const std::string& word) {
  const auto parsed = parse_json(word);
  return parsed && !parsed->is_structured() ? *parsed : Json(word);
}

}  // namespace

std::vector<Json> readings_of(const std::string& text) {
  if (const auto json = parse_json(text)) return {*json};
  std::istringstream words{text};
  std::string word;
  words >> word;
  Json request{{"action", word}};
  while (words >> word) {
    const auto equals = word.find('=');
    if (equals == std::string::npos) return {text};  // only the game knows what the words mean
    request["params"][word.substr(0, equals)] = word_value(word.substr(equals + 1));
  }
  return {text, request};
}

Json request_of(const State& state, const std::string& text, const Viewer& viewer) {
  const std::vector<Json> readings = readings_of(text);
  return find_option(state, readings.front(), viewer) ? readings.front() : readings.back();
}

std::string reason_text(const Rejection& reason) {
  std::string out = fmt::format("{} [{}]\n", reason.message, reason.code);
  for (const auto& [key, value] : reason.details.items()) {
    if (key == "legal") continue;
    out += fmt::format("  {}: {}\n", key,
                       value.is_string() ? value.get<std::string>() : canonical(value));
  }
  return out;
}

}  // namespace parlor::cli
