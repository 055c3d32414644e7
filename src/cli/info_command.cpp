#include <CLI/App.hpp>
#include <fmt/format.h>
#include <iostream>

#include "cli/opening.h"

namespace parlor::cli {
namespace {

Json info_to_json(const Game& game) {
  const GameInfo& info = game.info();
  Json rules = Json::array();
  for (const OfferedRule& rule : game.offered_rules()) rules.push_back(rule.id);
  return {{"id", info.id},
          {"name", info.name},
          {"description", info.description},
          {"players", info.players},
          {"minPlayers", info.min_players},
          {"maxPlayers", info.max_players},
          {"seats", info.seats},
          {"chance", info.has_chance},
          {"explicitChance", info.explicit_chance},
          {"hiddenInformation", info.hidden_information},
          {"observers", info.observers},
          {"rules", info.rules},
          {"offeredRules", rules},
          {"fingerprint", hash_hex(info.fingerprint)},
          {"parts", game.parts()}};
}

// A part of the rules in one line: a list by the names of its entries, anything else as it is.
std::string part_line(const Json& part) {
  if (!part.is_array()) return part.is_string() ? part.get<std::string>() : canonical(part);
  std::vector<std::string> names;
  for (const Json& entry : part) {
    if (entry.is_string())
      names.push_back(entry.get<std::string>());
    else if (entry.is_object() && entry.contains("id"))
      names.push_back(entry["id"].get<std::string>());
    else if (entry.is_object() && entry.contains("name"))
      names.push_back(entry["name"].get<std::string>());
    else
      names.push_back(canonical(entry));
  }
  constexpr std::size_t most = 12;
  const std::size_t count = names.size();
  if (count > most) {
    names.resize(most);
    names.push_back(fmt::format("… {} more", count - most));
  }
  return fmt::format("{}: {}", count, fmt::join(names, ", "));
}

void print_info(Context& context, const Game& game) {
  const GameInfo& info = game.info();
  context.out << fmt::format("{} ({})\n", info.name, info.id);
  if (!info.description.empty()) context.out << info.description << '\n';
  context.out << '\n';
  const auto line = [&](std::string_view what, const std::string& value) {
    if (!value.empty()) context.out << fmt::format("{:<14} {}\n", what, value);
  };
  line("players",
       info.min_players == info.max_players
           ? std::to_string(info.players)
           : fmt::format("{} (takes {} to {})", info.players, info.min_players, info.max_players));
  line("seats", fmt::format("{}", fmt::join(info.seats, ", ")));
  line("chance", info.has_chance ? "yes" : "no");
  line("hidden", info.hidden_information ? "yes" : "no");
  line("active rules", fmt::format("{}", fmt::join(info.rules, ", ")));
  if (const auto offered = game.offered_rules(); !offered.empty())
    line("offered rules", fmt::format("{} (see `parlor rules {}`)", offered.size(), info.id));
  line("fingerprint", hash_hex(info.fingerprint));
  const Json parts = game.parts();
  for (const auto& [name, part] : parts.items())
    if (!part.empty()) line(name, part_line(part));
}

int run_info(Context& context, const GameChoice& choice, bool code) {
  const auto game = open_game(context, choice);
  if (!game) return game.error();
  if (context.json) {
    Json out = info_to_json(**game);
    if (code) out["code"] = (*game)->listing();
    print_json(context, out);
    return exit_fine;
  }
  if (!code) {
    print_info(context, **game);
    return exit_fine;
  }
  const std::string listing = (*game)->listing();
  context.out << (listing.empty() ? "This game has no compiled code to show.\n" : listing);
  return exit_fine;
}

}  // namespace

CommandSpec info_command() {
  return {.name = "info",
          .summary = "Say what a game consists of: players, phases, actions, zones, variables",
          .example = "parlor info tic-tac-toe",
          .declare = [](CLI::App& app) -> Run {
            auto choice = add_game_options(app);
            auto code = std::make_shared<bool>(false);
            app.add_flag("--code", *code, "print the compiled rules");
            return [=](Context& context) { return run_info(context, *choice, *code); };
          }};
}

}  // namespace parlor::cli
