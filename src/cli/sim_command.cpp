#include <CLI/App.hpp>
#include <fmt/core.h>
#include <iostream>

#include "cli/opening.h"
#include "cli/progress.h"
#include "cli/ranks.h"

namespace parlor::cli {
namespace {

struct SimOptions {
  play::SimulationOptions simulation;
  std::string agents = "random";
};

void print_tallies(Context& context, std::string_view title, const std::vector<std::string>& names,
                   const std::vector<play::Tally>& tallies) {
  context.out << fmt::format("\n  {:<24} {:>9} {:>9} {:>9} {:>8} {:>12}\n", title, "wins", "shared",
                             "losses", "score", "mean return");
  for (std::size_t i = 0; i < tallies.size(); ++i) {
    const play::Tally& tally = tallies[i];
    context.out << fmt::format("  {:<24} {:>9} {:>9} {:>9} {:>7.1f}% {:>12.3f}\n", names[i],
                               tally.wins, tally.shared, tally.losses, 100 * tally.score(),
                               tally.mean_return());
  }
}

void print_result(Context& context, const Game& game, const play::SimulationOptions& options,
                  const play::SimulationResult& result) {
  const double games = static_cast<double>(std::max<std::uint64_t>(result.games, 1));
  context.out << fmt::format(
      "{}: {} games in {:.2f} s ({} games/s, {} decisions/s), seed {}\n", game.info().id,
      result.games, result.seconds, short_number(games / result.seconds),
      short_number(static_cast<double>(result.decisions) / result.seconds), options.seed);
  if (!result.complete)
    context.out << fmt::format("  stopped early: {} games were asked for\n", options.games);
  context.out << fmt::format("  length     {} to {} decisions, mean {:.1f}\n", result.shortest,
                             result.longest, static_cast<double>(result.decisions) / games);
  context.out << "  ended by  ";
  std::string_view separator = " ";
  for (const auto& [reason, count] : result.outcomes) {
    context.out << fmt::format("{}{} {} ({:.1f}%)", separator, reason.empty() ? "end" : reason,
                               count, 100 * static_cast<double>(count) / games);
    separator = ", ";
  }
  context.out << '\n';
  for (const auto& [place, fault] : result.faults)
    context.out << fmt::format(
        "  bug in the rules: {}: {}\n    ended {} games; first game {} (seed {}) after {} "
        "decisions\n",
        fault.rejection.value("code", ""), fault.rejection.value("message", ""), fault.games,
        fault.first_game, fault.seed, fault.decisions);
  for (const auto& [phase, skip] : result.skipped) {
    const Json first = skip.event.value("actions", Json::array());
    context.out << fmt::format(
        "  phase {} was skipped {} times: nothing in it could be carried through\n    first in "
        "game {} "
        "(seed {}){}{}\n",
        phase, skip.times, skip.first_game, skip.seed, first.empty() ? "" : ": ",
        first.empty()
            ? ""
            : fmt::format("{}: {}", first[0].value("action", ""), first[0].value("reason", "")));
  }
  for (const auto& [trigger, cut] : result.cut_off)
    context.out << fmt::format("  {}: {} times, first in game {} (seed {})\n",
                               cut.event.value("message", ""), cut.times, cut.first_game, cut.seed);
  if (result.undecided != 0)
    context.out << fmt::format(
        "  looking ahead gave up {} times: what it could not decide was offered\n",
        result.undecided);
  std::vector<std::string> seats, agents;
  for (std::size_t i = 0; i < game.info().players; ++i) {
    seats.push_back(seat_name(game, PlayerId{i}));
    agents.push_back(options.agents[options.agents.size() == 1 ? 0 : i]);
    if (!options.rotate) seats.back() += fmt::format(" ({})", agents.back());
  }
  print_tallies(context, "seat", seats, result.seats);
  if (options.rotate) print_tallies(context, "agent", agents, result.agents);
}

// The part of the games that falls to this rank: every so many-th, so that all ranks are busy
// equally long.
void take_share(play::SimulationOptions& simulation, const Ranks& ranks) {
  const auto rank = static_cast<std::uint64_t>(ranks.rank());
  simulation.stride = static_cast<std::uint64_t>(ranks.count());
  simulation.first_game = rank;
  simulation.games = simulation.games > rank
                         ? (simulation.games - rank + simulation.stride - 1) / simulation.stride
                         : 0;
  if (simulation.threads == 0) simulation.threads = ranks.threads();
}

// What all ranks found together; meaningful at the first one.
play::SimulationResult merge(const Ranks& ranks, const play::SimulationResult& own) {
  if (ranks.count() == 1) return own;
  play::SimulationResult sum;
  for (const std::string& text : ranks.gather(canonical(play::record(own))))
    sum.add(play::restore(parse_json(text).value()));
  return sum;
}

int run_share(Context& context, GameChoice choice, SimOptions options, const Ranks& ranks) {
  play::SimulationOptions& simulation = options.simulation;
  simulation.agents = play::split_agents(options.agents);
  // Solvers need to see chance; nobody has to know that to use one.
  for (const std::string& agent : simulation.agents)
    if (agent.starts_with("cfr")) choice.explicit_chance = true;
  const auto opening = read_opening(context, choice);
  if (!opening) return opening.error();
  auto game = open_game(context, *opening);
  if (!game) return game.error();
  if (opening->native == Native::automatic)
    *game = make_native(context, std::move(*game), Native::automatic,
                        {.games = simulation.games, .agents = simulation.agents});
  simulation.seed = choice.seed;
  simulation.opening = to_json(*opening);
  const Interrupt interrupt;
  simulation.cancel = &Interrupt::stopped();
  if (!context.json && ranks.first()) simulation.progress = progress_bar("games");
  const std::uint64_t asked_for = simulation.games;
  take_share(simulation, ranks);
  const auto own = play::simulate(**game, simulation);
  if (simulation.progress) clear_progress_bar();
  if (!own) return fail(context, own.error(), exit_usage);
  const play::SimulationResult result = merge(ranks, *own);
  if (!ranks.first()) return exit_fine;
  simulation.games = asked_for;
  if (context.json) {
    Json out = play::to_json(result);
    out["seed"] = simulation.seed;
    print_json(context, out);
    return exit_fine;
  }
  print_result(context, **game, simulation, result);
  return exit_fine;
}

int run_sim(Context& context, const GameChoice& choice, const SimOptions& options) {
  const auto ranks = Ranks::begin();
  if (!ranks) return fail_usage(context, ranks.error());
  if (ranks->first()) return run_share(context, choice, options, *ranks);
  // All ranks would say the same: only the first one talks.
  std::ostream nowhere(nullptr);
  Context quiet{.catalog = context.catalog,
                .in = context.in,
                .out = nowhere,
                .err = nowhere,
                .json = context.json};
  return run_share(quiet, choice, options, *ranks);
}

}  // namespace

CommandSpec sim_command() {
  return {
      .name = "sim",
      .summary = "Let agents play many games on all cores and count the results",
      .example = "parlor sim connect-four --games 200 --agents mcts:iters=500,random --rotate",
      .declare = [](CLI::App& app) -> Run {
        auto choice = add_game_options(app);
        auto options = std::make_shared<SimOptions>();
        play::SimulationOptions& simulation = options->simulation;
        choice->native = "auto";
        add_native_option(app, choice->native);
        app.add_option("--games", simulation.games, "how many games")->capture_default_str();
        app.add_option("--agents", options->agents,
                       "one agent for all seats, or one per seat: name:key=value,key=value,…")
            ->capture_default_str();
        app.add_flag("--rotate", simulation.rotate, "agents move on by one seat with every game");
        app.add_option("--threads", simulation.threads, "0: one per core")->capture_default_str();
        app.add_option("--max-decisions", simulation.max_decisions,
                       "cut a game off after so many decisions")
            ->capture_default_str();
        app.add_option("--traces", simulation.traces,
                       "write every game to its own file in this folder");
        return [=](Context& context) { return run_sim(context, *choice, *options); };
      }};
}

}  // namespace parlor::cli
