#include <CLI/App.hpp>
#include <fmt/core.h>
#include <iostream>

#include "cli/command.h"

namespace parlor::cli {
namespace {

Json summary(const std::string& name, const Opened& opened) {
  if (!opened)
    return {{"name", name}, {"ok", false}, {"diagnostics", to_json(opened.error().diagnostics)}};
  const GameInfo& info = (*opened)->info();
  return {{"name", name},
          {"ok", true},
          {"title", info.name},
          {"description", info.description},
          {"minPlayers", info.min_players},
          {"maxPlayers", info.max_players},
          {"chance", info.has_chance},
          {"hiddenInformation", info.hidden_information}};
}

std::string row(const std::string& name, const Opened& opened) {
  if (!opened) return fmt::format("{:<20} does not compile; see `parlor check {}`\n", name, name);
  const GameInfo& info = (*opened)->info();
  const std::string players = info.min_players == info.max_players
                                  ? std::to_string(info.min_players)
                                  : fmt::format("{}-{}", info.min_players, info.max_players);
  return fmt::format("{:<20} {:<8} {:<7} {:<7} {}\n", name, players, info.has_chance ? "yes" : "no",
                     info.hidden_information ? "yes" : "no", info.description);
}

int run_list(Context& context) {
  Json list = Json::array();
  std::string table = fmt::format("{:<20} {:<8} {:<7} {:<7} {}\n", "GAME", "PLAYERS", "CHANCE",
                                  "HIDDEN", "DESCRIPTION");
  int exit_code = exit_fine;
  for (const std::string& name : context.catalog.names()) {
    const Opened opened = context.catalog.open(name);
    if (!opened) exit_code = exit_input;
    list.push_back(summary(name, opened));
    table += row(name, opened);
  }
  if (context.json)
    print_json(context, list);
  else
    context.out << table;
  return exit_code;
}

}  // namespace

CommandSpec list_command() {
  return {.name = "list",
          .summary = "List the shipped games",
          .example = "parlor list",
          .declare = [](CLI::App&) -> Run { return run_list; }};
}

}  // namespace parlor::cli
