#include <CLI/App.hpp>
#include <chrono>
#include <fmt/core.h>
#include <iostream>

#include "cli/opening.h"

namespace parlor::cli {
namespace {

struct PerftOptions {
  int depth = 0;
  bool divide = false;
  bool decisions = false;
  bool claims = false;

  Counting counting() const {
    if (decisions) return Counting::decisions;
    return claims ? Counting::all_options : Counting::whole_moves;
  }
};

int run_perft(Context& context, const GameChoice& choice, const PerftOptions& options) {
  const auto game = open_game(context, choice);
  if (!game) return game.error();
  const auto state = start_game(context, **game, choice.seed);
  if (!state) return state.error();

  const auto begin = std::chrono::steady_clock::now();
  std::vector<CountedMove> branches;
  std::uint64_t nodes = 0;
  if (options.divide && options.depth > 0) {
    branches = divide(*state, options.depth, options.counting());
    for (const CountedMove& branch : branches) nodes += branch.nodes;
  } else {
    nodes = perft(*state, options.depth, options.counting());
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

  if (context.json) {
    Json out{{"depth", options.depth}, {"nodes", nodes}, {"seconds", seconds}};
    if (options.divide) {
      Json& parts = out["divide"] = Json::object();
      for (const CountedMove& branch : branches)
        parts[branch.move] = parts.value(branch.move, std::uint64_t{0}) + branch.nodes;
    }
    print_json(context, out);
    return exit_fine;
  }
  for (const CountedMove& branch : branches)
    context.out << fmt::format("{}: {}\n", branch.move, branch.nodes);
  context.out << fmt::format("{}depth {}: {} nodes in {:.3f} s ({:.2f} million per second)\n",
                             branches.empty() ? "" : "\n", options.depth, nodes, seconds,
                             seconds > 0 ? static_cast<double>(nodes) / seconds / 1e6 : 0.0);
  return exit_fine;
}

}  // namespace

CommandSpec perft_command() {
  return {
      .name = "perft",
      .summary = "Count the sequences of moves to a depth, the standard test of move generation",
      .example = "parlor perft tic-tac-toe 5 --divide",
      .declare = [](CLI::App& app) -> Run {
        auto choice = add_game_options(app);
        auto options = std::make_shared<PerftOptions>();
        add_native_option(app, choice->native);
        app.add_option("DEPTH", options->depth, "number of moves")
            ->required()
            ->check(CLI::Range(0, 64))
            ->type_name("");
        app.add_flag("--divide", options->divide, "also count below each first move");
        app.add_flag("--decisions", options->decisions,
                     "count single decisions instead of whole moves");
        app.add_flag(
            "--claims", options->claims,
            "count all that can be chosen, as games are played: chess counts claims of a draw "
            "too and stops at draws");
        return [=](Context& context) { return run_perft(context, *choice, *options); };
      }};
}

}  // namespace parlor::cli
