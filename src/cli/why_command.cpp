#include <CLI/App.hpp>
#include <fmt/format.h>
#include <iostream>

#include "cli/opening.h"
#include "cli/request.h"
#include "cli/viewers.h"

namespace parlor::cli {
namespace {

int tell(Context& context, const State& state, const std::string& asked, const Viewer& viewer) {
  const Json request = request_of(state, asked, viewer);
  const auto reason = state.why_not(request, viewer);
  // In the words of whoever asks: what they mean to a script is in the JSON.
  const auto json = parse_json(asked);
  const std::string shown = canonical(json ? *json : Json(asked));
  if (!reason) {
    if (context.json)
      print_json(context, {{"legal", true}, {"request", request}});
    else
      context.out << fmt::format("{} is legal now.\n", shown);
    return exit_fine;
  }
  if (context.json) {
    print_json(context, {{"legal", false}, {"request", request}, {"reason", to_json(*reason)}});
    return exit_fine;
  }
  context.out << fmt::format("{} is not legal: {}", shown, reason_text(state, *reason, viewer));
  return exit_fine;
}

// What is told on the way about phases that were passed over.
struct SkippedPhases : EventListener {
  std::vector<Json> all;
  SkippedPhases() { only_remarks_ = true; }
  void on_event(const Event& event) override {
    if (event.kind == "phaseSkipped") all.push_back(event.data);
  }
};

int tell_phase(Context& context, const State& state, const std::string& phase,
               const std::vector<Json>& skipped) {
  Json times = Json::array();
  for (const Json& event : skipped)
    if (event.value("phase", "") == phase) times.push_back(event);
  if (context.json) {
    print_json(context, {{"phase", phase}, {"skipped", times}});
    return exit_fine;
  }
  if (times.empty())
    context.out << fmt::format("Phase {} was not skipped on the way here.\n", phase);
  for (const Json& event : times) {
    const PlayerId player{event.value("player", 0)};
    context.out << fmt::format(
        "Phase {} was skipped for {}: nothing in it could be carried through.\n", phase,
        seat_name(state.game(), player));
    for (const Json& action : event.value("actions", Json::array()))
      context.out << fmt::format("  {}: {}\n", action.value("action", ""),
                                 action.value("reason", ""));
  }
  return exit_fine;
}

struct WhyOptions {
  std::vector<std::string> words;
  std::string moves, load, phase;
  std::shared_ptr<std::string> viewer;
};

int run_why(Context& context, const GameChoice& choice, const WhyOptions& options) {
  const std::string action = fmt::format("{}", fmt::join(options.words, " "));
  if (action.empty() == options.phase.empty())
    return fail_usage(context, "why is asked about an ACTION or about a --phase");
  const auto saved = read_saved(context, options.load);
  if (!saved) return saved.error();
  const auto opening = read_opening(context, choice, *saved);
  if (!opening) return opening.error();
  const auto game = open_game(context, *opening);
  if (!game) return game.error();
  const auto viewer = read_viewer(context, **game, *options.viewer);
  if (!viewer) return viewer.error();
  if (!options.phase.empty() && !viewer->sees_all() && (*game)->info().hidden_information)
    return fail_usage(context,
                      "--phase tells what could not be done with what is hidden; it cannot be "
                      "asked for a viewer");
  auto state = start_game(context, **game, opening->seed, *saved);
  if (!state) return state.error();
  const auto moves = read_moves(context, options.moves);
  if (!moves) return moves.error();
  SkippedPhases skipped;
  if (const auto done = apply_moves(context, *state, *moves, &skipped); !done) return done.error();
  if (!options.phase.empty()) return tell_phase(context, *state, options.phase, skipped.all);
  if (!viewer->id().is_none()) (*game)->let_decide(state->block(), viewer->id());
  return tell(context, *state, action, *viewer);
}

}  // namespace

CommandSpec why_command() {
  return {.name = "why",
          .summary =
              "Say why an action is not legal in a state: which condition failed, and what it saw",
          .example = "echo '[4]' | parlor why tic-tac-toe --moves - '{\"action\":\"place\"}'",
          .declare = [](CLI::App& app) -> Run {
            auto choice = add_game_options(app);
            auto options = std::make_shared<WhyOptions>();
            app.add_option("ACTION", options->words,
                           "an option's text, `name param=value …`, or JSON as in a moves file");
            app.add_option("--phase", options->phase,
                           "why this phase was skipped on the way, if it was");
            app.add_option("--moves", options->moves,
                           "JSON list of moves to make first; - reads standard input");
            options->viewer = add_viewer_option(app);
            add_load_option(app, options->load);
            return [=](Context& context) { return run_why(context, *choice, *options); };
          }};
}

}  // namespace parlor::cli
