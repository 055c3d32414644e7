#include <CLI/App.hpp>
#include <fmt/core.h>
#include <fstream>
#include <iostream>

#include "cli/opening.h"
#include "kernel/kernel.h"
#include "kernel/printed/print.h"

namespace parlor::cli {
namespace {

int run_native(Context& context, const GameChoice& choice, const std::string& out) {
  const auto game = open_game(context, choice);
  if (!game) return game.error();
  const auto* data = dynamic_cast<const kernel::KernelGame*>(game->get());
  if (data == nullptr)
    return fail_usage(context, fmt::format("{} is no game written as data: it is C++ already",
                                           (*game)->info().id));
  const std::string source = kernel::print_library(data->program());
  if (out.empty() || out == "-") {
    context.out << source;
    return exit_fine;
  }
  std::ofstream file{out, std::ios::binary};
  file << source;
  if (!file.flush())
    return fail(context, Rejection{Code::FILE_NOT_FOUND, fmt::format("cannot write `{}`", out)});
  if (context.json)
    print_json(context, {{"ok", true}, {"file", out}, {"bytes", source.size()}});
  else
    context.out << fmt::format("wrote {} ({} bytes)\n", out, source.size());
  return exit_fine;
}

}  // namespace

CommandSpec native_command() {
  return {.name = "native",
          .summary = "Print the rules of a game as C++, to compile them into a program",
          .example = "parlor native hex -o hex.cpp",
          .declare = [](CLI::App& app) -> Run {
            auto choice = add_game_options(app);
            auto out = std::make_shared<std::string>();
            app.add_option("-o,--output", *out, "write to this file instead of standard output");
            return [=](Context& context) { return run_native(context, *choice, *out); };
          },
          .json_help = "report errors, and what -o wrote, as JSON; the source is C++"};
}

}  // namespace parlor::cli
