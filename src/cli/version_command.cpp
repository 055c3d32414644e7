#include <CLI/App.hpp>
#include <fmt/core.h>
#include <iostream>

#include "base/version.h"
#include "cli/command.h"

namespace parlor::cli {

CommandSpec version_command() {
  return {.name = "version",
          .summary = "Print the version of the program",
          .example = "parlor version",
          .declare = [](CLI::App&) -> Run {
            return [](Context& context) {
              if (context.json)
                print_json(context, {{"name", "parlor"}, {"version", parlor_version()}});
              else
                context.out << "parlor " << parlor_version() << '\n';
              return exit_fine;
            };
          }};
}

}  // namespace parlor::cli
