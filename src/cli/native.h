// --native: games written as data run as compiled code (V-12). What is printed, traced, saved and
// refused is the same with and without.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"

namespace parlor::cli {

enum class Native : std::uint8_t { no, yes, automatic };

// --native, --native=auto, --native=no: a word, which holds what counts if nothing is given.
void add_native_option(CLI::App& app, std::string& native);
Native native_of(const std::string& word);

// The game compiled, with a line that says so while it lasts; where that cannot be, a note, and the
// game as it is.
std::shared_ptr<const Game> make_native(Context& context, std::shared_ptr<const Game> game);

// How much is about to be played: so many games by these agents (none: tree search with so many
// iterations).
struct Workload {
  std::uint64_t games = 0;
  std::vector<std::string> agents;
  std::uint64_t iterations = 1000;
};
// What `automatic` decides: compiled if more than a million decisions are expected, judged by one
// random game. An agent that searches plays half a game for each of its iterations.
std::shared_ptr<const Game> make_native(Context& context, std::shared_ptr<const Game> game,
                                        Native native, const Workload& workload);

// The same games, compiled when they are opened.
Catalog native_catalog(Context& context);

}  // namespace parlor::cli
