#include <CLI/App.hpp>
#include <fmt/core.h>
#include <iostream>

#include "cli/opening.h"
#include "cli/trial.h"
#include "open/open.h"

namespace parlor::cli {
namespace {

int tell(Context& context, const std::string& file, const Diagnostics& diagnostics,
         const SourceTexts& texts) {
  const bool ok = !diagnostics.has_errors();
  if (context.json) {
    print_json(context, {{"ok", ok}, {"diagnostics", to_json(diagnostics)}});
  } else {
    context.out << render(diagnostics, texts, context.out_colour);
    if (ok) context.out << fmt::format("{}: no errors\n", file);
  }
  return ok ? exit_fine : exit_input;
}

struct CheckOptions {
  bool deep = false;
  std::uint64_t decisions = 5000;
};

int run_check(Context& context, const GameChoice& choice, const CheckOptions& check) {
  const auto opening = read_opening(context, choice);
  if (!opening) return opening.error();
  const auto path = open::find_game_file(choice.game);
  if (!path) return tell(context, choice.game, path.error().diagnostics, path.error().texts);
  const auto compiled =
      open::compile_game_file(*path, opening->options, open::Files::by_path, opening->include);
  if (!compiled)
    return tell(context, choice.game, compiled.error().diagnostics, compiled.error().texts);
  Diagnostics found = compiled->result.diagnostics;
  if (const auto& game = compiled->result.game) {
    found.append(find_opening_problems(*game));
    if (check.deep && !found.has_errors())
      found.append(find_playing_problems(*game, check.decisions));
  }
  return tell(context, choice.game, found, compiled->result.texts);
}

}  // namespace

CommandSpec check_command() {
  return {.name = "check",
          .summary = "Look for mistakes in a game file: what, where, and probably how to fix it",
          .example = "parlor check games/tic-tac-toe.md",
          .declare = [](CLI::App& app) -> Run {
            auto choice = add_file_options(app);
            auto options = std::make_shared<CheckOptions>();
            app.add_flag("--deep", options->deep,
                         "also play at random and report where the rules go wrong");
            app.add_option("--decisions", options->decisions,
                           "about how many random decisions --deep makes")
                ->capture_default_str();
            return [=](Context& context) { return run_check(context, *choice, *options); };
          }};
}

}  // namespace parlor::cli
