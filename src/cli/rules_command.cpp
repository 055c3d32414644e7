#include <CLI/App.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <iostream>

#include "cli/opening.h"

namespace parlor::cli {
namespace {

// `called`: what was typed for the game, which is what works again.
void print_rules(Context& context, const Game& game, const std::string& called) {
  const auto rules = game.offered_rules();
  if (rules.empty()) {
    context.out << fmt::format("{} offers no house rules.\n", game.info().id);
    return;
  }
  std::string category;
  for (const OfferedRule& rule : rules) {
    if (rule.category != category) context.out << fmt::format("\n{}\n", rule.category);
    category = rule.category;
    context.out << fmt::format("  {:<28} {}\n", rule.id,
                               rule.description.empty() ? rule.name : rule.description);
    if (!rule.needs.empty())
      context.out << fmt::format("{:31}needs {}\n", "", fmt::join(rule.needs, ", "));
    if (!rule.incompatible_with.empty())
      context.out << fmt::format("{:31}not with {}\n", "", fmt::join(rule.incompatible_with, ", "));
  }
  // One that needs no other.
  auto alone =
      std::ranges::find_if(rules, [](const OfferedRule& rule) { return rule.needs.empty(); });
  if (alone == rules.end()) return;
  context.out << fmt::format("\nTry: parlor play {} --rules {}\n", called, alone->id);
}

void print_hooks(Context& context, const Game& game) {
  const auto points = game.hook_points();
  if (context.json) {
    Json list = Json::array();
    for (const HookPoint& point : points)
      list.push_back({{"name", point.name}, {"help", point.help}});
    return print_json(context, {{"hooks", list}});
  }
  if (points.empty()) context.out << fmt::format("Rules cannot hook into {}.\n", game.info().id);
  for (const HookPoint& point : points)
    context.out << fmt::format("  {:<26} {}\n", point.name, point.help);
}

int run_rules(Context& context, const GameChoice& choice, bool hooks) {
  const auto game = open_game(context, choice);
  if (!game) return game.error();
  if (hooks) return print_hooks(context, **game), exit_fine;
  if (context.json) {
    Json list = Json::array();
    for (const OfferedRule& rule : (*game)->offered_rules()) list.push_back(to_json(rule));
    print_json(context, {{"rules", list}});
  } else {
    print_rules(context, **game, choice.game);
  }
  return exit_fine;
}

}  // namespace

CommandSpec rules_command() {
  return {.name = "rules",
          .summary = "List the house rules and expansions a game offers",
          .example = "parlor rules chess",
          .declare = [](CLI::App& app) -> Run {
            auto choice = add_game_options(app);
            auto hooks = std::make_shared<bool>(false);
            app.add_flag("--hooks", *hooks, "list the points at which rules can hook in");
            return
                [choice, hooks](Context& context) { return run_rules(context, *choice, *hooks); };
          }};
}

}  // namespace parlor::cli
