#include <CLI/App.hpp>
#include <fmt/core.h>
#include <iostream>

#include "cli/command.h"
#include "game/streams.h"

namespace parlor::cli {
namespace {

// How long random games are, roughly: enough to tell a quick game from an evening.
struct Length {
  std::size_t decisions = 0;
  bool cut_off = false;
};

Length typical_length(const Game& game) {
  constexpr std::size_t games = 3, most = 500;
  Length length;
  OptionList options;
  for (Seed seed = 0; seed < games; ++seed) {
    auto state = game.start(seed);
    if (!state) continue;
    Rng rng = chance_stream(seed);
    std::size_t n = 0;
    for (; n < most && !state->finished(); ++n) {
      state->list_options(options);
      if (options.empty() || !state->apply(options[draw_option(options, rng)])) break;
    }
    length.cut_off = length.cut_off || n == most;
    length.decisions += n;
  }
  length.decisions /= games;
  return length;
}

Json summary(const std::string& name, const Opened& opened) {
  if (!opened)
    return {{"name", name}, {"ok", false}, {"diagnostics", to_json(opened.error().diagnostics)}};
  const GameInfo& info = (*opened)->info();
  const Length length = typical_length(**opened);
  return {{"name", name},
          {"ok", true},
          {"title", info.name},
          {"description", info.description},
          {"minPlayers", info.min_players},
          {"maxPlayers", info.max_players},
          {"chance", info.has_chance},
          {"hiddenInformation", info.hidden_information},
          {"length", {{"decisions", length.decisions}, {"atLeast", length.cut_off}}}};
}

constexpr std::string_view columns = "{:<18} {:<8} {:<7} {:<7} {:<7} {}\n";

std::string row(const Json& game) {
  const auto name = game["name"].get<std::string>();
  if (!game["ok"])
    return fmt::format("{:<18} does not compile; see `parlor check {}`\n", name, name);
  const auto fewest = game["minPlayers"].get<std::size_t>();
  const auto most = game["maxPlayers"].get<std::size_t>();
  const auto yes_no = [&](const char* key) { return game[key].get<bool>() ? "yes" : "no"; };
  return fmt::format(
      columns, name, fewest == most ? std::to_string(most) : fmt::format("{}-{}", fewest, most),
      fmt::format("{}{}", game["length"]["decisions"].get<std::size_t>(),
                  game["length"]["atLeast"].get<bool>() ? "+" : ""),
      yes_no("chance"), yes_no("hiddenInformation"), game["description"].get<std::string>());
}

int run_list(Context& context) {
  Json list = Json::array();
  int exit_code = exit_fine;
  for (const std::string& name : context.catalog.names()) {
    const Opened opened = context.catalog.open(name);
    if (!opened) exit_code = exit_input;
    list.push_back(summary(name, opened));
  }
  if (context.json) {
    print_json(context, {{"ok", exit_code == exit_fine}, {"games", list}});
    return exit_code;
  }
  context.out << fmt::format(columns, "GAME", "PLAYERS", "LENGTH", "CHANCE", "HIDDEN",
                             "WHAT IT IS");
  for (const Json& game : list) context.out << row(game);
  return exit_code;
}

}  // namespace

CommandSpec list_command() {
  return {.name = "list",
          .summary = "List the shipped games, with the number of decisions in a random game",
          .example = "parlor list",
          .declare = [](CLI::App&) -> Run { return run_list; }};
}

}  // namespace parlor::cli
