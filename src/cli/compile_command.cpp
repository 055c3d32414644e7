#include <CLI/App.hpp>
#include <fmt/core.h>
#include <fstream>
#include <iostream>

#include "cli/opening.h"
#include "open/open.h"

namespace parlor::cli {
namespace {

int write(Context& context, const std::string& out, const std::string& text) {
  if (out.empty() || out == "-") {
    context.out << text;
    return exit_fine;
  }
  std::ofstream file{out, std::ios::binary};
  file << text;
  if (!file.flush())
    return fail(context, Rejection{Code::FILE_NOT_FOUND, fmt::format("cannot write `{}`", out)});
  if (context.json)
    print_json(context, {{"ok", true}, {"file", out}, {"bytes", text.size()}});
  else
    context.out << fmt::format("wrote {} ({} bytes)\n", out, text.size());
  return exit_fine;
}

int run_compile(Context& context, const GameChoice& choice, const std::string& out) {
  const auto opening = read_opening(context, choice);
  if (!opening) return opening.error();
  const auto path = open::find_game_file(choice.game);
  if (!path) return fail(context, path.error());
  auto compiled =
      open::compile_game_file(*path, opening->options, open::Files::by_path, opening->include);
  if (!compiled) return fail(context, compiled.error());
  spec::CompileResult& result = compiled->result;
  if (!result.game)
    return fail(context, OpenFailure{std::move(result.diagnostics), std::move(result.texts)});
  context.err << render(result.diagnostics, result.texts, context.err_colour);  // warnings
  return write(context, out, canonical_pretty(spec::to_json(*result.game)));
}

}  // namespace

CommandSpec compile_command() {
  return {.name = "compile",
          .summary = "Compile a game file to a GameDef, as JSON that is the same bytes every time",
          .example = "parlor compile games/tic-tac-toe.md -o tic-tac-toe.json",
          .declare = [](CLI::App& app) -> Run {
            auto choice = add_file_options(app);
            auto out = std::make_shared<std::string>();
            app.add_option("-o,--output", *out, "write to this file instead of standard output");
            return [=](Context& context) { return run_compile(context, *choice, *out); };
          },
          .json_help = "report errors, and what -o wrote, as JSON; a GameDef is JSON anyway"};
}

}  // namespace parlor::cli
