#include <CLI/App.hpp>
#include <fmt/core.h>
#include <iostream>

#include "../bench/baselines.h"
#include "../bench/uci_perft.h"
#include "cli/opening.h"
#include "cli/progress.h"
#include "play/speed.h"

namespace parlor::cli {
namespace {

struct BenchOptions {
  std::vector<std::string> games;
  double seconds = 0.3;
  Seed seed = 1;
  std::string native = "no";
};

struct Baselines {
  double tic_tac_toe;
  double connect_four;
};

// What a game is compared with, in moves per second of plain C++, and the ratio that is the goal.
struct Goal {
  std::string_view game;
  double Baselines::*yardstick;
  double ratio;
};
constexpr Goal goals[] = {{"tic-tac-toe", &Baselines::tic_tac_toe, 0.30},
                          {"connect-four", &Baselines::connect_four, 0.25},
                          {"breakthrough", &Baselines::tic_tac_toe, 0.06},
                          {"hex", &Baselines::tic_tac_toe, 0.08},
                          {"reversi", &Baselines::tic_tac_toe, 0.02},
                          {"english-draughts", &Baselines::tic_tac_toe, 0.02}};

// Chess is compared by counting moves, with the engine that also plays variants. Nothing if it is
// not installed.
void compare_chess(const Game& game, double seconds, Json& row) {
  const int depth = seconds < 0.1 ? 4 : 5;
  const auto theirs = bench::uci_perft(bench::fairy_stockfish(), "startpos", depth);
  const auto state = game.start(0);
  if (!theirs || !state) return;
  const double begin = bench::cpu_seconds();
  const std::uint64_t nodes = perft(*state, depth);
  const double used = bench::cpu_seconds() - begin;
  row["perftPerSecond"] = static_cast<double>(nodes) / used;
  row["ratio"] = static_cast<double>(nodes) / used / theirs->per_second();
  row["goal"] = 1.0;
  row["comparedWith"] = "perft of fairy-stockfish";
}

Json measure_game(Context& context, const std::string& name, const BenchOptions& options,
                  const Baselines& baselines) {
  auto game = context.catalog.open(name);
  if (!game) return {{"game", name}, {"error", "cannot be opened"}};
  if (native_of(options.native) == Native::yes) *game = make_native(context, std::move(*game));
  const auto speed = play::measure_speed(**game, options.seconds, options.seed);
  if (!speed) return {{"game", name}, {"error", speed.error().message}};
  Json row{{"game", name},
           {"playoutsPerSecond", speed->playouts_per_second},
           {"decisionsPerSecond", speed->decisions_per_second},
           {"mctsIterationsPerSecond", speed->mcts_iterations_per_second},
           {"bytesPerState", speed->state_bytes},
           {"nsPerCopy", speed->copy_nanoseconds},
           {"nsPerList", speed->list_nanoseconds},
           {"meanLength", speed->mean_length},
           {"meanOptions", speed->mean_options}};
  for (const Goal& goal : goals)
    if (goal.game == name) {
      row["ratio"] = speed->decisions_per_second / (baselines.*goal.yardstick);
      row["goal"] = goal.ratio;
      row["comparedWith"] = "plain C++";
    }
  if (name == "chess") compare_chess(**game, options.seconds, row);
  return row;
}

void print_row(Context& context, const Json& row) {
  if (row.contains("error")) {
    context.out << fmt::format("  {:<22} {}\n", row["game"].get<std::string>(),
                               row["error"].get<std::string>());
    return;
  }
  const auto number = [&row](const char* key) { return row[key].get<double>(); };
  std::string ratio;
  if (row.contains("ratio"))
    ratio = fmt::format("{:.3f} of {} (goal {:.2f})", number("ratio"),
                        row["comparedWith"].get<std::string>(), number("goal"));
  context.out << fmt::format(
      "  {:<22} {:>10} {:>12} {:>10} {:>7} {:>7.0f} {:>8.0f} {:>8.1f} {:>8.1f}  {}\n",
      row["game"].get<std::string>(), short_number(number("playoutsPerSecond")),
      short_number(number("decisionsPerSecond")), short_number(number("mctsIterationsPerSecond")),
      row["bytesPerState"].get<std::size_t>(), number("nsPerCopy"), number("nsPerList"),
      number("meanLength"), number("meanOptions"), ratio);
  context.out.flush();
}

int run_bench(Context& context, const BenchOptions& options) {
  const Baselines baselines{
      bench::measure_baseline<bench::PlainTicTacToe>(options.seconds).moves_per_second(),
      bench::measure_baseline<bench::PlainConnectFour>(options.seconds).moves_per_second()};
  if (!context.json)
    context.out << fmt::format(
        "one thread, seconds of processor time, through the public interface\n"
        "plain C++ for comparison: tic-tac-toe {} moves/s, connect four {} moves/s\n\n"
        "  {:<22} {:>10} {:>12} {:>10} {:>7} {:>7} {:>8} {:>8} {:>8}  {}\n",
        short_number(baselines.tic_tac_toe), short_number(baselines.connect_four), "game",
        "playouts/s", "decisions/s", "mcts it/s", "bytes", "ns/copy", "ns/list", "length",
        "options", "ratio");
  Json rows = Json::array();
  const auto names = options.games.empty() ? context.catalog.names() : options.games;
  for (const std::string& name : names) {
    rows.push_back(measure_game(context, name, options, baselines));
    if (!context.json) print_row(context, rows.back());
  }
  if (context.json)
    print_json(
        context,
        {{"baselines",
          {{"tic-tac-toe", baselines.tic_tac_toe}, {"connect-four", baselines.connect_four}}},
         {"games", rows},
         {"seconds", options.seconds}});
  return exit_fine;
}

}  // namespace

CommandSpec bench_command() {
  return {
      .name = "bench",
      .summary = "Measure how fast every game runs, next to plain C++ in the same run",
      .example = "parlor bench\nparlor bench chess tic-tac-toe --seconds 1 --json > new.json",
      .declare = [](CLI::App& app) -> Run {
        auto options = std::make_shared<BenchOptions>();
        app.add_option("GAME", options->games, "only these games; default: all shipped ones");
        app.add_option("--seconds", options->seconds, "processor time for each measurement")
            ->check(CLI::Range(0.001, 3600.0))
            ->capture_default_str();
        app.add_option("--seed", options->seed, "seed of the random games")->capture_default_str();
        add_native_option(app, options->native);
        return [=](Context& context) { return run_bench(context, *options); };
      }};
}

}  // namespace parlor::cli
