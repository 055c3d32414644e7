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

// Those of which it is surest that choosing them helps or hurts.
void print_wins(Context& context, std::string_view what, const play::FortuneTable& table,
                std::size_t players) {
  constexpr std::size_t most = 5;
  constexpr std::uint64_t fewest = 5;  // games, to be worth a line
  std::size_t shown = 0;
  for (const play::WinRate& row : play::win_rates(table, players)) {
    if (row.fortune.games < fewest) continue;
    if (shown++ == 0)
      context.out << fmt::format("\n  wins by {:<15} of games     95% interval   games\n", what);
    if (shown > most) {
      context.out << fmt::format("    … all {} are in --json and in the page of --html\n",
                                 table.size());
      return;
    }
    context.out << fmt::format("    {:<22} {:>6}   {:>5} to {:<5} {:>7}\n", row.name,
                               percent(row.rate), percent(row.interval.low),
                               percent(row.interval.high), row.fortune.games);
  }
}

// Measures with their intervals, one a line.
class Rows {
 public:
  Rows(Context& context, const play::Metrics& metrics) : context_(context), metrics_(metrics) {}

  void print(std::string_view name, const std::string& text) const {
    context_.out << fmt::format("  {:<22} {}\n", name, text);
  }
  std::string number(const char* name, double value) const {
    const play::Interval& interval = metrics_.intervals.at(name);
    return fmt::format("{:.1f} [{:.1f}, {:.1f}]", value, interval.low, interval.high);
  }
  std::string share(const char* name, double value) const {
    return share(value, metrics_.intervals.at(name));
  }
  static std::string share(double value, const play::Interval& interval) {
    return fmt::format("{} [{}, {}]", percent(value), percent(interval.low),
                       percent(interval.high));
  }
  static std::string range(const play::Summary& summary) {
    return fmt::format("({:.0f} to {:.0f})", summary.least, summary.most);
  }

 private:
  Context& context_;
  const play::Metrics& metrics_;
};

void print_results(const Rows& rows, const play::Evaluation& evaluation) {
  const play::Metrics& metrics = evaluation.metrics;
  rows.print("length", fmt::format("{} decisions {}", rows.number("length", metrics.length.mean),
                                   Rows::range(metrics.length)));
  rows.print("whole moves", fmt::format("{} {}", rows.number("moves", metrics.moves.mean),
                                        Rows::range(metrics.moves)));
  rows.print("branching",
             fmt::format("{} options {}", rows.number("branching", metrics.branching.mean),
                         Rows::range(metrics.branching)));
  rows.print("finished", rows.share("finished", metrics.finished));
  rows.print("one winner", rows.share("decisive", metrics.decisive) + " of finished games");
  rows.print("draws", rows.share("draws", metrics.draws) + " of finished games");
  rows.print(
      "scores",
      fmt::format("{}; a twentieth of them below {:.0f}, half between {:.0f} and {:.0f}, "
                  "most {:.0f}",
                  rows.number("scores", metrics.scores.mean), metrics.scores.low,
                  metrics.scores.quarter, metrics.scores.three_quarters, metrics.scores.most));
  for (std::size_t i = 0; i < metrics.seat_scores.size(); ++i)
    rows.print(fmt::format("wins of {}", evaluation.info.seats.size() > i ? evaluation.info.seats[i]
                                                                          : std::to_string(i)),
               Rows::share(metrics.seat_scores[i], metrics.seat_intervals[i]));
}

void print_course(const Rows& rows, const play::Evaluation& evaluation) {
  const play::Metrics& metrics = evaluation.metrics;
  rows.print("lead changes", rows.number("leadChanges", metrics.lead_changes) + " per game");
  rows.print("comebacks", rows.share("comebacks", metrics.comebacks) + " of decisive games");
  rows.print("decided after", rows.share("decidedAt", metrics.decided_at) + " of the game");
  const play::Evenness even = play::evenness(evaluation);
  rows.print(
      fmt::format("evenness of {}", even.of),
      fmt::format("{:.2f} [{:.2f}, {:.2f}]", even.value, even.interval.low, even.interval.high));
  rows.print("interaction",
             rows.share("interaction", metrics.turnover) + " of options change between turns");
  rows.print("different games", rows.share("distinctGames", metrics.distinct_games));
  for (const play::SkillRow& skill : evaluation.skill)
    rows.print("skill", fmt::format("{} wins {} [{}, {}] against {}, {} games", skill.stronger,
                                    percent(skill.tally.score()), percent(skill.interval.low),
                                    percent(skill.interval.high), skill.weaker, skill.tally.games));
}

void print_evaluation(Context& context, const play::Evaluation& evaluation, Seed seed) {
  context.out << fmt::format("{}: {} games by {}, {} random games, {:.1f} s, seed {}\n",
                             evaluation.info.id, evaluation.main.result.games,
                             evaluation.main.agents, evaluation.random.result.games,
                             evaluation.seconds, seed);
  context.out << "In brackets: 95% intervals over the games by " << evaluation.main.agents
              << ".\n\n";
  if (!evaluation.complete)
    context.out << "  Stopped early: this is about the games that were played until then.\n\n";
  const Rows rows{context, evaluation.metrics};
  print_results(rows, evaluation);
  print_course(rows, evaluation);
  const std::size_t players = evaluation.info.players;
  print_wins(context, "opening", evaluation.main.opening_wins, players);
  if (evaluation.main.action_wins.size() > 1)
    print_wins(context, "action", evaluation.main.action_wins, players);
  print_wins(context, "card or place", evaluation.main.value_wins, players);
  for (const std::string& guess : play::guesses(evaluation)) context.out << "\n  " << guess << '\n';
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
