#include <CLI/App.hpp>
#include <fmt/core.h>
#include <fstream>
#include <iostream>

#include "cli/opening.h"
#include "cli/progress.h"
#include "play/tune.h"

namespace parlor::cli {
namespace {

struct TuneCommandOptions {
  play::TuneOptions tuning;
  std::string objective = "balance";
  std::string agents;
  std::string html;
};

// `--set` values with a range are searched, the others are fixed.
tl::expected<void, Diagnostic> read_options(GameChoice& choice, TuneCommandOptions& options) {
  std::vector<std::string> fixed;
  for (const std::string& constant : choice.constants) {
    if (constant.find("..") == std::string::npos) {
      fixed.push_back(constant);
      continue;
    }
    auto range = play::parse_range(constant);
    if (!range) return tl::unexpected(range.error());
    options.tuning.ranges.push_back(std::move(*range));
  }
  choice.constants = std::move(fixed);
  if (options.tuning.ranges.empty())
    return tl::unexpected(Diagnostic{
        .code = Code::USAGE,
        .message = "nothing to search: give a range, as in --set 'startingChips=500..2000'"});
  auto objectives = play::parse_objectives(options.objective);
  if (!objectives) return tl::unexpected(objectives.error());
  options.tuning.objectives = std::move(*objectives);
  options.tuning.agents = play::split_agents(options.agents);
  options.tuning.seed = choice.seed;
  return {};
}

void print_tuning(Context& context, const play::Tuning& tuning) {
  context.out << fmt::format("{}: {} trials\n\n  {:>7} {:^16} {:>6} {:>8} {:>10}   constants\n",
                             tuning.game, tuning.trials.size(), "score", "95% interval", "games",
                             "length", "branching");
  std::vector<std::size_t> order = tuning.archive;
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return tuning.trials[a].score > tuning.trials[b].score;
  });
  for (const std::size_t index : order) {
    const play::Trial& trial = tuning.trials[index];
    context.out << fmt::format("  {:>7.3f} {:>7.3f}…{:<8.3f} {:>6} {:>8.1f} {:>10.1f} {}",
                               trial.score, trial.interval.low, trial.interval.high, trial.games,
                               trial.metrics.length.mean, trial.metrics.branching.mean,
                               index == tuning.best ? '*' : ' ');
    for (const auto& [name, value] : trial.constants)
      context.out << fmt::format(" {}={}", name, value);
    context.out << '\n';
  }
  if (!tuning.next) return;
  const play::Trial& next = tuning.trials[*tuning.next];
  const std::string other = fmt::format("the next ({:.3f} over {} games:", next.score, next.games);
  context.out << "\n  The best is " << (tuning.decided ? "surely better than " : "ahead of ")
              << other;
  for (const auto& [name, value] : next.constants)
    context.out << fmt::format(" {}={}", name, value);
  context.out << (tuning.decided ? "): the intervals are apart.\n"
                                 : "), but the intervals overlap: it may be luck. More --budget "
                                   "looks longer.\n");
}

int run_tune(Context& context, GameChoice choice, TuneCommandOptions options) {
  if (auto read = read_options(choice, options); !read)
    return fail(context, read.error(), exit_usage);
  const Interrupt interrupt;
  options.tuning.cancel = &Interrupt::stopped();
  if (!context.json)
    if (auto bar = progress_bar("trials"))
      options.tuning.progress = [bar](std::size_t done, std::size_t trials, double) {
        bar({done, trials, 0, 0});
      };
  const auto fixed = read_opening(context, choice);
  if (!fixed) return fixed.error();
  const play::TuneOpener open = [&](const std::map<std::string, std::int64_t>& constants) {
    Opening trial = *fixed;
    for (const auto& [name, value] : constants)
      trial.options.constants[name] = std::to_string(value);
    auto game = open_game(context.catalog, trial);
    if (game)
      *game = make_native(context, std::move(*game), fixed->native,
                          {options.tuning.games, options.tuning.agents, options.tuning.iterations});
    return game;
  };
  const auto tuning = play::tune(open, options.tuning);
  if (options.tuning.progress) clear_progress_bar();
  if (!tuning) return fail(context, tuning.error());
  if (!options.html.empty()) std::ofstream(options.html) << play::html_report(*tuning);
  if (context.json)
    print_json(context, play::to_json(*tuning));
  else
    print_tuning(context, *tuning);
  return exit_fine;
}

}  // namespace

CommandSpec tune_command() {
  return {.name = "tune",
          .summary = "Search for constants that make a game fairer, longer, shorter or livelier",
          .example =
              "parlor tune GAME --set 'startingChips=500..2000:100' --objective balance,length=40",
          .declare = [](CLI::App& app) -> Run {
            auto choice = add_game_options(app);
            auto options = std::make_shared<TuneCommandOptions>();
            play::TuneOptions& tuning = options->tuning;
            choice->native = "auto";
            add_native_option(app, choice->native);
            app.add_option("--objective", options->objective,
                           "balance, decisive, drama, variety, skill, length=N, branching=N; "
                           "several with commas")
                ->capture_default_str();
            app.add_option("--trials", tuning.trials, "how many sets of values to try")
                ->capture_default_str();
            app.add_option("--games", tuning.games, "games per trial")->capture_default_str();
            app.add_option("--budget", tuning.budget,
                           "games to play on with until the best is surely better than the next")
                ->capture_default_str();
            app.add_option("--agents", options->agents, "who plays; default: tree search");
            app.add_option("--iters", tuning.iterations, "iterations of that tree search")
                ->capture_default_str();
            app.add_option("--max-decisions", tuning.max_decisions,
                           "cut a game off after so many decisions")
                ->capture_default_str();
            app.add_option("--html", options->html,
                           "also write the archive with a plot to this file");
            return [=](Context& context) { return run_tune(context, *choice, *options); };
          }};
}

}  // namespace parlor::cli
