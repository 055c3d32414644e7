// Runs the `parlor` program in-process, with a catalog of its own and text for standard input.
#pragma once

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "base/json.h"
#include "cli/command.h"
#include "game/duel.h"
#include "open/open.h"
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

// What the program itself ships. A game that is opened as it is, or a file of the sources, is
// compiled once for all tests of this process.
inline const Catalog& shipped() {
  static const Catalog catalog = [] {
    static const Catalog real = open::catalog(open::Files::by_path);
    const auto open = [](const std::string& name, const OpenOptions& options) {
      static std::map<std::string, Opened> opened;
      static const std::vector<std::string> names = real.names();
      const bool stays = std::ranges::binary_search(names, name) || name.starts_with(source_dir());
      if (options != OpenOptions{} || !stays) return real.open(name, options);
      const auto found = opened.find(name);
      return found != opened.end() ? found->second
                                   : opened.emplace(name, real.open(name, options)).first->second;
    };
    Catalog out;
    for (const std::string& name : real.names()) out.add(name, open);
    out.set_file_opener(open);
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
