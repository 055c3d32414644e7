// Runs the `parlor` program in-process, with a catalog of its own and text for standard input.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "base/json.h"
#include "cli/command.h"
#include "game/duel.h"
#include "open/open.h"
#include "opened_once.h"
#include "source_dir.h"

namespace parlor::test {

struct Result {
  int exit_code = 0;
  std::string out;
  std::string err;

  Json json() const { return parse_json(out).value_or(Json("not JSON: " + out)); }
};

inline Catalog duel_catalog() {
  Catalog catalog;
  catalog.add("duel", [](const std::string&, const OpenOptions& options) -> Opened {
    if (options.players != 0 && options.players != 2)
      return tl::unexpected(open_failure(Code::PLAYERS_UNSUPPORTED, "Duel is for two players"));
    return std::make_shared<Duel>();
  });
  return catalog;
}

// What the program itself ships. A game of it, or of a file of the sources, is compiled once for
// all tests of this process.
inline const Catalog& shipped() {
  static const Catalog real = open::catalog(open::Files::by_path);
  static OpenedOnce files(real);
  static const Catalog catalog = [] {
    Catalog out = opened_once(real);
    out.set_file_opener([](const std::string& name, const OpenOptions& options) {
      return name.starts_with(source_dir()) ? files.open(name, options) : real.open(name, options);
    });
    return out;
  }();
  return catalog;
}

inline Result run(const std::vector<std::string>& arguments, const std::string& input = "",
                  const Catalog& catalog = duel_catalog()) {
  std::istringstream in{input};
  std::ostringstream out, err;
  cli::Context context{.catalog = catalog, .in = in, .out = out, .err = err};
  const int exit_code = cli::run_program(arguments, context);
  return {exit_code, out.str(), err.str()};
}

}  // namespace parlor::test
