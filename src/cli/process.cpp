#include <exception>
#include <iostream>
#include <unistd.h>

#include "cli/command.h"
#include "open/open.h"

namespace parlor::cli {

int run_process(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  const Catalog catalog = open::catalog(open::Files::by_path);
  Context context{.catalog = catalog,
                  .in = std::cin,
                  .out = std::cout,
                  .err = std::cerr,
                  .out_colour = colour_for(STDOUT_FILENO),
                  .err_colour = colour_for(STDERR_FILENO),
                  .interactive = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1};
  try {
    return run_program({argv + 1, argv + argc}, context);
  } catch (const std::exception& error) {
    return fail(context, Rejection{Code::INTERNAL, error.what()});
  }
}

}  // namespace parlor::cli
