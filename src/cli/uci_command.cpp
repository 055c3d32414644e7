#include <CLI/App.hpp>

#include "chess/uci.h"
#include "cli/opening.h"
#include "open/open.h"
#include "rules/rules.h"

namespace parlor::cli {

CommandSpec uci_command() {
  return {.name = "uci",
          .summary = "Be a UCI chess engine: read commands, answer on standard output",
          .example = "echo 'go perft 5' | parlor uci --rules berolina-pawns",
          .declare = [](CLI::App& app) -> Run {
            auto options = std::make_shared<OpenOptions>();
            auto modifiers = std::make_shared<std::string>();
            app.add_option("--rules", options->rules,
                           "house rules, as id[:scope][@turns], or files")
                ->delimiter(',');
            app.add_option("--layout", options->layout, "the set-up `startpos` means");
            app.add_option("--modifiers", *modifiers, "a file with custom modifiers");
            return [=](Context& context) {
              if (!modifiers->empty()) {
                auto read = open::read_modifiers(*modifiers);
                if (!read) return fail(context, read.error());
                options->modifiers = std::move(*read);
              }
              options->rules = rules::joined_braces(options->rules);
              chess::run_uci(context.in, context.out, *options, open::read_modifiers);
              return exit_fine;
            };
          },
          .json_help = "has no effect: the protocol is text"};
}

}  // namespace parlor::cli
