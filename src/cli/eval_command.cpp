#include <CLI/App.hpp>
#include <fmt/core.h>
#include <fstream>
#include <iostream>

#include "cli/opening.h"
#include "cli/progress.h"
#include "play/report.h"

namespace parlor::cli {
namespace {

struct EvalOptions {
  play::EvaluationOptions evaluation;
  std::string agents;
  std::string html;
  double seconds = 0;
};

std::string percent(double share) {
  return fmt::format("{:.0f}%", 100 * share);
}

void print_flags(Context& context, const play::Evaluation& evaluation) {
  if (evaluation.flags.empty()) {
    context.out << "\n  No flags: nothing suspicious was found.\n";
    return;
  }
  context.out << '\n';
  for (const play::Flag& flag : evaluation.flags)
    context.out << fmt::format("  {}: {}\n      {}\n", code_name(flag.code), flag.message,
                               code_help(flag.code));
}

void print_evaluation(Context& context, const play::Evaluation& evaluation, Seed seed) {
  const play::Metrics& metrics = evaluation.metrics;
  const auto row = [&context](std::string_view name, const std::string& text) {
    context.out << fmt::format("  {:<22} {}\n", name, text);
  };
  context.out << fmt::format("{}: {} games by {}, {} random games, {:.1f} s, seed {}\n\n",
                             evaluation.info.id, evaluation.main.result.games,
                             evaluation.main.agents, evaluation.random.result.games,
                             evaluation.seconds, seed);
  if (!evaluation.complete)
    context.out << "  Stopped early: this is about the games that were played until then.\n\n";
  row("length", fmt::format("{:.1f} decisions ({:.0f} to {:.0f})", metrics.length.mean,
                            metrics.length.least, metrics.length.most));
  row("whole moves", fmt::format("{:.1f} ({:.0f} to {:.0f})", metrics.moves.mean,
                                 metrics.moves.least, metrics.moves.most));
  row("branching", fmt::format("{:.1f} options ({:.0f} to {:.0f})", metrics.branching.mean,
                               metrics.branching.least, metrics.branching.most));
  row("one winner / draws",
      fmt::format("{} / {} of finished games", percent(metrics.decisive), percent(metrics.draws)));
  for (std::size_t i = 0; i < metrics.seat_scores.size(); ++i)
    row(fmt::format("score of {}", evaluation.info.seats.size() > i ? evaluation.info.seats[i]
                                                                    : std::to_string(i)),
        fmt::format("{} (95% interval {} to {})", percent(metrics.seat_scores[i]),
                    percent(metrics.seat_intervals[i].low),
                    percent(metrics.seat_intervals[i].high)));
  row("lead changes", fmt::format("{:.1f} per game", metrics.lead_changes));
  row("comebacks", fmt::format("{} of decisive games", percent(metrics.comebacks)));
  row("decided after", fmt::format("{} of the game", percent(metrics.decided_at)));
  row("evenness of actions", fmt::format("{:.2f}", metrics.action_entropy));
  row("interaction", fmt::format("{} of options change between turns", percent(metrics.turnover)));
  row("different games", percent(metrics.distinct_games));
  for (const play::SkillRow& skill : evaluation.skill)
    row("skill", fmt::format("{} scores {} against {}", skill.stronger,
                             percent(skill.tally.score()), skill.weaker));
  print_flags(context, evaluation);
}

int run_eval(Context& context, const GameChoice& choice, EvalOptions options) {
  auto game = open_game(context, choice);
  if (!game) return game.error();
  play::EvaluationOptions& evaluation = options.evaluation;
  evaluation.agents = play::split_agents(options.agents);
  if (native_of(choice.native) == Native::automatic)
    *game = make_native(context, std::move(*game), Native::automatic,
                        {evaluation.games, evaluation.agents, evaluation.iterations});
  evaluation.seed = choice.seed;
  const Interrupt interrupt{options.seconds};
  evaluation.cancel = &Interrupt::stopped();
  if (!context.json)
    if (auto bar = progress_bar("games"))
      evaluation.progress = [bar](std::string_view, const play::SimulationProgress& p) { bar(p); };
  const auto result = play::evaluate(**game, evaluation);
  if (evaluation.progress) clear_progress_bar();
  if (!result) return fail(context, result.error(), exit_usage);
  if (!options.html.empty()) {
    std::ofstream file(options.html);
    file << play::html_report(*result);
    if (!file.flush())
      return fail(context, Rejection{Code::FILE_NOT_FOUND,
                                     fmt::format("cannot write the report to {}", options.html)});
  }
  if (context.json) {
    Json out = play::to_json(*result);
    out["seed"] = choice.seed;
    print_json(context, out);
  } else {
    print_evaluation(context, *result, choice.seed);
  }
  if (!options.html.empty() && !context.json)
    context.out << fmt::format("\n  The report is in {}\n", options.html);
  return exit_fine;
}

}  // namespace

CommandSpec eval_command() {
  return {
      .name = "eval",
      .summary = "Say whether a game works, is fair and is fun: measures, and flags with evidence",
      .example = "parlor eval connect-four --games 200 --html report.html",
      .declare = [](CLI::App& app) -> Run {
        auto choice = add_game_options(app);
        auto options = std::make_shared<EvalOptions>();
        play::EvaluationOptions& evaluation = options->evaluation;
        choice->native = "auto";
        add_native_option(app, choice->native);
        app.add_option("--games", evaluation.games,
                       "games of the main agents; four times as many are played at random")
            ->capture_default_str();
        app.add_option("--agents", options->agents,
                       "the main agents, one for all seats or one per seat; default: tree search");
        app.add_option("--iters", evaluation.iterations, "iterations of that tree search")
            ->capture_default_str();
        app.add_option("--seconds", options->seconds,
                       "stop after so long and report what was found until then; 0: no limit")
            ->check(CLI::NonNegativeNumber)
            ->capture_default_str();
        app.add_option("--html", options->html, "also write a report with plots to this file");
        app.add_option("--threads", evaluation.threads, "0: one per core")->capture_default_str();
        app.add_option("--max-decisions", evaluation.max_decisions,
                       "cut a game off after so many decisions")
            ->capture_default_str();
        return [=](Context& context) { return run_eval(context, *choice, *options); };
      }};
}

}  // namespace parlor::cli
