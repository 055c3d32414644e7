#include <CLI/App.hpp>
#include <fmt/core.h>
#include <iostream>

#include "cli/opening.h"
#include "cli/request.h"
#include "cli/viewers.h"

namespace parlor::cli {
namespace {

int tell(Context& context, const State& state, const Json& request, const Viewer& viewer) {
  const auto reason = state.why_not(request, viewer);
  if (!reason) {
    if (context.json)
      print_json(context, {{"legal", true}, {"request", request}});
    else
      context.out << fmt::format("{} is legal now.\n", canonical(request));
    return exit_fine;
  }
  if (context.json) {
    print_json(context, {{"legal", false}, {"request", request}, {"reason", to_json(*reason)}});
    return exit_fine;
  }
  context.out << fmt::format("{} is not legal: {}", canonical(request), reason_text(*reason));
  return exit_fine;
}

int run_why(Context& context, const GameChoice& choice, const std::string& moves_file,
            const std::string& action, const std::string& eyes) {
  const auto game = open_game(context, choice);
  if (!game) return game.error();
  const auto viewer = read_viewer(context, **game, eyes);
  if (!viewer) return viewer.error();
  auto state = start_game(context, **game, choice.seed);
  if (!state) return state.error();
  const auto moves = read_moves(context, moves_file);
  if (!moves) return moves.error();
  if (const auto done = apply_moves(context, *state, *moves); !done) return done.error();
  if (!viewer->id().is_none()) (*game)->let_decide(state->block(), viewer->id());
  return tell(context, *state, request_of(*state, action, *viewer), *viewer);
}

}  // namespace

CommandSpec why_command() {
  return {.name = "why",
          .summary =
              "Say why an action is not legal in a state: which condition failed, and what it saw",
          .example = "echo '[4]' | parlor why tic-tac-toe --moves - '{\"action\":\"place\"}'",
          .declare = [](CLI::App& app) -> Run {
            auto choice = add_game_options(app);
            auto moves = std::make_shared<std::string>();
            auto action = std::make_shared<std::string>();
            app.add_option("ACTION", *action,
                           "an option's text, `name param=value …`, or JSON as in a moves file")
                ->required();
            app.add_option("--moves", *moves,
                           "JSON list of moves to make first; - reads standard input");
            auto viewer = add_viewer_option(app);
            return [=](Context& context) {
              return run_why(context, *choice, *moves, *action, *viewer);
            };
          }};
}

}  // namespace parlor::cli
