#include <CLI/App.hpp>
#include <fmt/core.h>
#include <iostream>

#include "cli/opening.h"
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

int run_check(Context& context, const GameChoice& choice) {
  const auto opening = read_opening(context, choice);
  if (!opening) return opening.error();
  const auto path = open::find_game_file(choice.game);
  if (!path) return tell(context, choice.game, path.error().diagnostics, path.error().texts);
  const auto compiled =
      open::compile_game_file(*path, opening->options, open::Files::by_path, opening->include);
  if (!compiled)
    return tell(context, choice.game, compiled.error().diagnostics, compiled.error().texts);
  return tell(context, choice.game, compiled->result.diagnostics, compiled->result.texts);
}

}  // namespace

CommandSpec check_command() {
  return {.name = "check",
          .summary = "Look for mistakes in a game file: what, where, and probably how to fix it",
          .example = "parlor check games/tic-tac-toe.md",
          .declare = [](CLI::App& app) -> Run {
            auto choice = add_file_options(app);
            return [choice](Context& context) { return run_check(context, *choice); };
          }};
}

}  // namespace parlor::cli
