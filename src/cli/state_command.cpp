#include <CLI/App.hpp>
#include <fmt/core.h>
#include <iostream>

#include "cli/opening.h"

namespace parlor::cli {
namespace {

void print_state(Context& context, const State& state, const Viewer& viewer) {
  context.out << state.describe(viewer);
  context.out << fmt::format("\nhash {}\n", hash_hex(state.hash()));
  if (state.finished()) {
    context.out << "outcome " << canonical(to_json(state.outcome())) << '\n';
    return;
  }
  const Decision decision = state.decision();
  context.out << fmt::format("{} to decide ({}):\n", seat_name(state.game(), decision.player),
                             decision_kind_name(decision.kind));
  OptionList options;
  state.list_options(options);
  for (std::size_t i = 0; i < options.size(); ++i)
    context.out << fmt::format("  {:>3}  {}\n", i, state.option_text(options[i]));
}

Json state_to_json(const State& state, const Viewer& viewer) {
  Json out = state.view(viewer);
  out["decision"] = decision_to_json(state);
  out["outcome"] = state.finished() ? to_json(state.outcome()) : Json(nullptr);
  out["hash"] = hash_hex(state.hash());
  return out;
}

struct StateOptions {
  std::string moves, load;
  std::optional<std::size_t> viewer;
  bool saved = false;
};

int run_state(Context& context, const GameChoice& choice, const StateOptions& options) {
  const auto saved = read_saved(context, options.load);
  if (!saved) return saved.error();
  const auto opening = read_opening(context, choice, *saved);
  if (!opening) return opening.error();
  const auto game = open_game(context, *opening);
  if (!game) return game.error();
  auto state = start_game(context, **game, opening->seed, *saved);
  if (!state) return state.error();
  if (options.viewer && *options.viewer >= (*game)->info().players)
    return fail_usage(context, fmt::format("--viewer {}: players are numbered from 0 to {}",
                                           *options.viewer, (*game)->info().players - 1));
  const auto moves = read_moves(context, options.moves);
  if (!moves) return moves.error();
  if (const auto done = apply_moves(context, *state, *moves); !done) return done.error();

  const Viewer viewer =
      options.viewer ? Viewer::player(PlayerId{*options.viewer}) : Viewer::everything();
  if (options.saved)
    print_json(context, saved_with_opening(*state, *opening));
  else if (context.json)
    print_json(context, state_to_json(*state, viewer));
  else
    print_state(context, *state, viewer);
  return exit_fine;
}

}  // namespace

CommandSpec state_command() {
  return {.name = "state",
          .summary = "Show a state of a game: the start, a saved one, or after a list of moves",
          .example = "echo '[4, 0]' | parlor state tic-tac-toe --moves - --json",
          .declare = [](CLI::App& app) -> Run {
            auto choice = add_game_options(app, GameArgument::optional);
            auto options = std::make_shared<StateOptions>();
            app.add_option("--moves", options->moves,
                           "JSON list of moves to make first; - reads standard input");
            app.add_option("--viewer", options->viewer, "show only what this player may see");
            add_load_option(app, options->load);
            app.add_flag("--save", options->saved,
                         "print the saved form, which --load of state, play and trace reads");
            return [=](Context& context) { return run_state(context, *choice, *options); };
          }};
}

}  // namespace parlor::cli
