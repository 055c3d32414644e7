#include <CLI/App.hpp>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <iostream>

#include "cli/command.h"
#include "spec/text/format.h"

namespace parlor::cli {
namespace {

namespace fs = std::filesystem;

struct FmtOptions {
  std::string file, game;
  bool tree = false, check = false, print = false;
};

// The game a file is part of: a folder's file of its own name, or the file itself.
fs::path game_of(const FmtOptions& options) {
  if (!options.game.empty()) return options.game;
  const fs::path file = options.file;
  std::error_code error;
  const fs::path folder = fs::absolute(file, error).parent_path();
  const fs::path whole = file.parent_path() / (folder.filename().string() + ".md");
  return fs::exists(whole, error) ? whole : file;
}

int run_fmt(Context& context, const FmtOptions& options) {
  const auto before = spec::read_file(options.file);
  if (!before)
    return fail(context, Diagnostic{.code = Code::FILE_NOT_FOUND,
                                    .message = fmt::format("cannot read {}", options.file)});
  const spec::FormatResult result = spec::format_file(
      options.file, game_of(options), options.tree ? spec::Notation::tree : spec::Notation::text);
  if (!result.text) {
    if (context.json)
      print_json(context, {{"ok", false}, {"diagnostics", to_json(result.diagnostics)}});
    else
      context.err << render(result.diagnostics, result.texts, context.err_colour);
    return exit_input;
  }
  const bool changed = *result.text != *before;
  if (options.print) {
    context.out << *result.text;
    return exit_fine;
  }
  if (changed && !options.check) {
    std::ofstream out{options.file, std::ios::binary};
    out << *result.text;
    if (!out.flush())
      return fail(context, Diagnostic{.code = Code::FILE_NOT_FOUND,
                                      .message = fmt::format("cannot write {}", options.file)});
  }
  const bool fine = !changed || !options.check;
  if (context.json)
    print_json(context, {{"ok", fine}, {"changed", changed}});
  else
    context.out << fmt::format("{}: {}\n", options.file,
                               !changed        ? "nothing to do"
                               : options.check ? "would be laid out otherwise"
                                               : "laid out");
  return fine ? exit_fine : exit_input;
}

}  // namespace

CommandSpec fmt_command() {
  return {.name = "fmt",
          .summary = "Lay a game file out in the text notation, or in the tree notation",
          .example = "parlor fmt my-game.md\nparlor fmt --check my-game.md",
          .declare = [](CLI::App& app) -> Run {
            auto options = std::make_shared<FmtOptions>();
            app.add_option("FILE", options->file, "a game file, a part of one, or a module")
                ->required();
            app.add_option("--game", options->game, "the game that the file is a part of");
            app.add_flag("--tree", options->tree, "write the tree notation");
            app.add_flag("--check", options->check,
                         "change nothing; fail if the file would change");
            app.add_flag("--print", options->print, "print the text instead of writing the file");
            return [=](Context& context) { return run_fmt(context, *options); };
          }};
}

}  // namespace parlor::cli
