#include <CLI/App.hpp>
#include <fmt/core.h>
#include <iostream>

#include "cli/opening.h"
#include "cli/request.h"

namespace parlor::cli {
namespace {

int tell(Context& context, const State& state, const Json& request) {
  const auto reason = state.why_not(request);
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
            const std::string& action) {
  const auto game = open_game(context, choice);
  if (!game) return game.error();
  auto state = start_game(context, **game, choice.seed);
  if (!state) return state.error();
  const auto moves = read_moves(context, moves_file);
  if (!moves) return moves.error();
  if (const auto done = apply_moves(context, *state, *moves); !done) return done.error();
  return tell(context, *state, request_of(*state, action));
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
            return [=](Context& context) { return run_why(context, *choice, *moves, *action); };
          }};
}

}  // namespace parlor::cli
