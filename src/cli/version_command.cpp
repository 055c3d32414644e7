#include <CLI/App.hpp>
#include <fmt/core.h>
#include <iostream>

#include "cli/command.h"

namespace parlor::cli {

CommandSpec version_command() {
  return {.name = "version",
          .summary = "Print the version of the program",
          .example = "parlor version",
          .declare = [](CLI::App&) -> Run {
            return [](Context& context) {
              if (context.json)
                print_json(context, {{"name", "parlor"}, {"version", PARLOR_VERSION}});
              else
                context.out << "parlor " << PARLOR_VERSION << '\n';
              return exit_fine;
            };
          }};
}

}  // namespace parlor::cli
