#include <CLI/App.hpp>
#include <fmt/core.h>
#include <iostream>

#include "cli/opening.h"
#include "cli/viewers.h"

namespace parlor::cli {
namespace {

void print_options(Context& context, State state, const Viewer& viewer) {
  if (!viewer.id().is_none()) state.game().let_decide(state.block(), viewer.id());
  const Decision decision = state.game().decision_told(state.block(), viewer);
  context.out << fmt::format("{} to decide ({})", seat_name(state.game(), decision.player),
                             decision_kind_name(decision.kind));
  if (!viewer.sees_all() && !viewer.is(decision.player)) {
    context.out << '\n';
    return;
  }
  context.out << ":\n";
  OptionList options;
  state.list_options(options);
  for (std::size_t i = 0; i < options.size(); ++i)
    context.out << fmt::format("  {:>3}  {}\n", i, state.option_text(options[i], viewer));
}

void print_state(Context& context, const State& state, const Viewer& viewer) {
  context.out << state.describe(viewer);
  // The hash of the whole state would tell players who try the few possible deals.
  if (viewer.sees_all())
    context.out << fmt::format("\nhash {}\n", hash_hex(state.hash()));
  else
    context.out << fmt::format("\nview {}\n", hash_hex(state.view_hash(viewer)));
  if (state.finished())
    context.out << "outcome " << canonical(to_json(state.outcome())) << '\n';
  else
    print_options(context, state, viewer);
}

struct StateOptions {
  std::string moves, load;
  std::shared_ptr<std::string> viewer;
  bool saved = false;
};

int run_state(Context& context, const GameChoice& choice, const StateOptions& options) {
  const auto saved = read_saved(context, options.load);
  if (!saved) return saved.error();
  const auto opening = read_opening(context, choice, *saved);
  if (!opening) return opening.error();
  const auto game = open_game(context, *opening);
  if (!game) return game.error();
  const auto viewer = read_viewer(context, **game, *options.viewer);
  if (!viewer) return viewer.error();
  if (options.saved && !viewer->sees_all())
    return fail_usage(context, "--save writes everything down; it cannot be asked for a viewer");
  auto state = start_game(context, **game, opening->seed, *saved);
  if (!state) return state.error();
  const auto moves = read_moves(context, options.moves);
  if (!moves) return moves.error();
  if (const auto done = apply_moves(context, *state, *moves); !done) return done.error();

  if (options.saved)
    print_line(context, saved_with_opening(*state, *opening));
  else if (context.json)
    print_json(context, state_told(*state, *viewer));
  else
    print_state(context, *state, *viewer);
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
            options->viewer = add_viewer_option(app);
            add_load_option(app, options->load);
            app.add_flag("--save", options->saved,
                         "print the saved form, which --load of state, why, play and trace reads");
            return [=](Context& context) { return run_state(context, *choice, *options); };
          }};
}

}  // namespace parlor::cli
