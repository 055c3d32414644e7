#include <CLI/App.hpp>
#include <fmt/core.h>
#include <iostream>

#include "chess/modifiers/descriptor.h"
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

// A file with modifiers of chess: they have a version and a name, and no game has both.
bool holds_modifiers(const std::filesystem::path& file) {
  const std::string ending = file.extension().string();
  if (ending != ".yaml" && ending != ".yml" && ending != ".json") return false;
  const auto modifiers = open::read_modifiers(file);
  if (!modifiers) return false;
  const Json& first = modifiers->data.is_array() && !modifiers->data.empty()
                          ? modifiers->data.front()
                          : modifiers->data;
  return first.is_object() && first.contains("version") && first.contains("name") &&
         !first.contains("metadata");
}

int check_modifiers(Context& context, const std::string& file) {
  const auto modifiers = open::read_modifiers(file);
  if (!modifiers) return tell(context, file, modifiers.error().diagnostics, {});
  SourceTexts texts;
  texts.add(file, modifiers->text);
  const auto parsed = chess::modifiers::parse(modifiers->text, file, chess::standard_rulebook());
  return tell(context, file, parsed.diagnostics, texts);
}

int run_check(Context& context, const GameChoice& choice, const CheckOptions& check) {
  if (holds_modifiers(choice.game)) return check_modifiers(context, choice.game);
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
          .summary =
              "Look for mistakes in a game file, or one with modifiers of chess: what, where, and "
              "probably how to fix it",
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
