#include "cli/request.h"

#include <algorithm>
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
  if (find_option(state, readings.front(), viewer)) return readings.front();
  // The words on the screen are the decider's; options that look alike are as good as each other.
  const PlayerId decider = state.decision().player;
  if (!decider.is_none() && (viewer.sees_all() || viewer.is(decider))) {
    OptionList options;
    state.list_options(options);
    const Viewer eyes = viewer.sees_all() ? Viewer::player(decider) : viewer;
    for (const Option option : options)
      if (state.option_label(option, eyes) == text) return state.option_json(option, viewer);
  }
  return readings.back();
}

std::string reason_text(const State& state, const Rejection& reason, const Viewer& viewer) {
  constexpr std::string_view for_scripts[] = {"legal",  "path",      "file",   "line",   "column",
                                              "cause",  "condition", "action", "values", "of",
                                              "module", "price",     "have"};
  // What the game itself says is for people.
  if (const auto own = reason.details.find("reason");
      own != reason.details.end() && own->is_string())
    return own->get<std::string>() + '\n';
  std::string out = fmt::format("{} [{}]\n", reason.message, reason.code);
  for (const auto& [key, value] : reason.details.items()) {
    if (std::ranges::find(for_scripts, key) != std::end(for_scripts)) continue;
    std::string text;
    if (value.is_array())
      for (const Json& item : value)
        text += (text.empty() ? "" : ", ") + state.value_label(item, viewer);
    else
      text = value.is_string() ? value.get<std::string>() : canonical(value);
    if (!text.empty()) out += fmt::format("  {}: {}\n", key == "domain" ? "possible" : key, text);
  }
  return out;
}

}  // namespace parlor::cli
