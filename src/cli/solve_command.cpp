#include <CLI/App.hpp>
#include <chrono>
#include <fmt/core.h>
#include <iostream>

#include "cli/opening.h"
#include "play/cfr.h"

namespace parlor::cli {
namespace {

struct SolveOptions {
  play::CfrSettings cfr;
  bool plain = false;
};

int run_solve(Context& context, GameChoice choice, SolveOptions options) {
  choice.explicit_chance = true;
  const auto game = open_game(context, choice);
  if (!game) return game.error();
  options.cfr.plus = !options.plain;
  const auto begin = std::chrono::steady_clock::now();
  const auto solution = play::solve(**game, options.cfr);
  if (!solution)
    return fail(context, Rejection{Code::AGENT_UNFIT, fmt::format("{} cannot be solved: {}",
                                                                  choice.game, solution.error())});
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const double first = (*solution)->value(PlayerId{0});
  const double second = (*solution)->value(PlayerId{1});
  if (context.json)
    print_json(context, {{"iterations", options.cfr.iterations},
                         {"nodes", (*solution)->nodes()},
                         {"informationSets", (*solution)->information_sets()},
                         {"values", {first, second}},
                         {"exploitability", (*solution)->exploitability()},
                         {"seconds", seconds}});
  else
    context.out << fmt::format(
        "{}: {} nodes, {} information sets, {} iterations in {:.2f} s\n"
        "  value           {:+.6f} for {}, {:+.6f} for {}\n"
        "  exploitability  {:.6f} (0: nobody can gain by playing differently)\n",
        choice.game, (*solution)->nodes(), (*solution)->information_sets(), options.cfr.iterations,
        seconds, first, seat_name(**game, PlayerId{0}), second, seat_name(**game, PlayerId{1}),
        (*solution)->exploitability());
  return exit_fine;
}

}  // namespace

CommandSpec solve_command() {
  return {.name = "solve",
          .summary = "Find a near-equilibrium of a small two-player game and how exploitable it is",
          .example = "parlor solve kuhn-poker --iters 2000",
          .declare = [](CLI::App& app) -> Run {
            auto choice = add_game_options(app);
            auto options = std::make_shared<SolveOptions>();
            app.add_option("--iters", options->cfr.iterations, "iterations")->capture_default_str();
            app.add_option("--nodes", options->cfr.most_nodes, "the largest game tree to try")
                ->capture_default_str();
            app.add_flag("--plain", options->plain, "plain CFR instead of CFR+");
            return [=](Context& context) { return run_solve(context, *choice, *options); };
          }};
}

}  // namespace parlor::cli
