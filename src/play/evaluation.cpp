#include "play/evaluation.h"

#include <chrono>
#include <fmt/core.h>

#include "play/probes.h"

namespace parlor::play {
namespace {

Json to_json(const Summary& summary) {
  return {
      {"mean", summary.mean},   {"deviation", summary.deviation}, {"p5", summary.low},
      {"p25", summary.quarter}, {"median", summary.median},       {"p75", summary.three_quarters},
      {"p95", summary.high},    {"min", summary.least},           {"max", summary.most}};
}

Json to_json(const Interval& interval) {
  return Json::array({interval.low, interval.high});
}

Json to_json(const Metrics& metrics) {
  Json seats = Json::array();
  for (std::size_t i = 0; i < metrics.seat_scores.size(); ++i)
    seats.push_back(
        {{"score", metrics.seat_scores[i]}, {"interval", to_json(metrics.seat_intervals[i])}});
  Json intervals = Json::object();
  for (const auto& [name, interval] : metrics.intervals) intervals[name] = to_json(interval);
  return {{"length", to_json(metrics.length)},
          {"moves", to_json(metrics.moves)},
          {"branching", to_json(metrics.branching)},
          {"finished", metrics.finished},
          {"decisive", metrics.decisive},
          {"draws", metrics.draws},
          {"seats", seats},
          {"leadChanges", metrics.lead_changes},
          {"comebacks", metrics.comebacks},
          {"decidedAt", metrics.decided_at},
          {"actionEntropy", metrics.action_entropy},
          {"valueEntropy", metrics.value_entropy},
          {"interaction", metrics.turnover},
          {"distinctGames", metrics.distinct_games},
          {"distinctOpenings", metrics.distinct_openings},
          {"scores", to_json(metrics.scores)},
          {"intervals", intervals}};
}

Json to_json(const FortuneTable& table, std::size_t players) {
  Json out = Json::array();
  for (const WinRate& row : win_rates(table, players))
    out.push_back({{"name", row.name},
                   {"games", row.fortune.games},
                   {"winRate", row.rate},
                   {"interval", to_json(row.interval)}});
  return out;
}

Json to_json(const UsageTable& table) {
  Json out = Json::object();
  for (const auto& [name, usage] : table)
    out[name] = {{"offered", usage.offered},
                 {"chosen", usage.chosen},
                 {"contested", usage.contested},
                 {"preferred", usage.preferred}};
  return out;
}

// The steps of an evaluation, in the order they run.
class Evaluator {
 public:
  Evaluator(const Game& game, const EvaluationOptions& options) : game_(game), options_(options) {
    own_agents_ = options_.agents.empty();
    if (own_agents_) options_.agents = {default_agent(game.info(), options.iterations)};
  }

  tl::expected<Evaluation, Diagnostic> run() {
    const auto begin = std::chrono::steady_clock::now();
    result_.info = game_.info();
    result_.seed = options_.seed;
    if (auto done = play_main_sets(); !done) return tl::unexpected(done.error());
    result_.metrics = measure(result_.main, game_.info().players);
    result_.random_metrics = measure(result_.random, game_.info().players);
    look_for_loops();
    if (!endless_) compare_skill();
    if (!endless_) try_specialists();
    if (!stopped()) result_.forced_win = find_forced_win(game_, 2, options_.seed);
    list_unused();
    result_.flags = raise_flags(result_);
    result_.complete = !stopped();
    result_.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return std::move(result_);
  }

 private:
  bool stopped() const { return options_.cancel != nullptr && *options_.cancel; }

  StudyOptions settings(std::string_view stage, std::vector<std::string> agents,
                        std::uint64_t games, std::uint64_t stream) const {
    StudyOptions study;
    study.games = games;
    study.seed = derive_seed(options_.seed, stream);
    study.threads = options_.threads;
    study.max_decisions = options_.max_decisions;
    study.agents = std::move(agents);
    study.cancel = options_.cancel;
    if (options_.progress)
      study.progress = [this, stage](const SimulationProgress& p) { options_.progress(stage, p); };
    return study;
  }

  tl::expected<void, Diagnostic> play_main_sets() {
    random_settings_ = settings("random play", {"random"}, 4 * options_.games, 1);
    auto random = study(game_, random_settings_);
    if (!random) return tl::unexpected(random.error());
    result_.random = std::move(*random);
    // Where random games hardly ever end, search learns nothing from them: a few short looks at how
    // good play goes must do.
    endless_ = result_.random.result.unfinished * 2 > result_.random.result.games;
    auto agents = options_.agents;
    if (endless_ && own_agents_) agents.front() += ",depth=50";
    main_settings_ =
        settings("good play", std::move(agents),
                 endless_ ? std::min<std::uint64_t>(options_.games, 2) : options_.games, 2);
    main_settings_.moments = !endless_;
    auto main = study(game_, main_settings_);
    if (!main) return tl::unexpected(main.error());
    result_.main = std::move(*main);
    return {};
  }

  void look_for_loops() {
    result_.cut_games = result_.random.result.unfinished + result_.main.result.unfinished;
    if (result_.cut_games == 0) return;
    constexpr std::size_t most = 5;
    result_.repetitions = find_repetitions(game_, result_.random, random_settings_, most);
    if (result_.random.result.unfinished < most)
      for (Repetition& more : find_repetitions(game_, result_.main, main_settings_,
                                               most - result_.random.result.unfinished))
        result_.repetitions.push_back(std::move(more));
  }

  void compare_skill() {
    const std::size_t players = game_.info().players;
    if (players < 2) return;
    const std::string strong = options_.agents.front();
    const std::string middle =
        default_agent(game_.info(), std::max<std::size_t>(options_.iterations / 5, 2));
    skill_row(strong, "random", 3);
    if (own_agents_) skill_row(strong, middle, 4);
  }

  void skill_row(const std::string& stronger, const std::string& weaker, std::uint64_t stream) {
    if (stopped()) return;
    std::vector<std::string> agents(game_.info().players, weaker);
    agents.front() = stronger;
    SimulationOptions simulation;
    simulation.games = std::max<std::uint64_t>(options_.games / 2, 10);
    simulation.seed = derive_seed(options_.seed, stream);
    simulation.threads = options_.threads;
    simulation.max_decisions = options_.max_decisions;
    simulation.agents = agents;
    simulation.rotate = true;
    simulation.cancel = options_.cancel;
    if (options_.progress)
      simulation.progress = [this](const SimulationProgress& p) { options_.progress("skill", p); };
    const auto result = simulate(game_, simulation);
    if (!result) return;
    const Tally& tally = result->agents.front();
    const auto games = static_cast<double>(tally.games);
    result_.skill.push_back({stronger, weaker, tally, wilson(tally.score() * games, games)});
  }

  // Only actions that good players prefer are suspects.
  void try_specialists() {
    for (const auto& [action, usage] : result_.main.actions) {
      if (stopped()) return;
      if (usage.contested < 10 || usage.preferred * 2 < usage.contested) continue;
      result_.specialists.push_back(try_specialist(game_, action, options_));
    }
  }

  void list_unused() {
    for (const std::string& action : game_.info().actions)
      if (!result_.random.actions.contains(action) && !result_.main.actions.contains(action))
        result_.unreachable_actions.push_back(action);
    for (const auto& [name, usage] : result_.main.actions)
      if (usage.chosen == 0) result_.unused_actions.push_back(name);
    for (const auto& [name, usage] : result_.main.actions)
      if (dominates(usage)) result_.dominant_actions.push_back(name);
    for (const auto& [name, usage] : result_.main.values)
      if (usage.chosen == 0) result_.unused_values.push_back(name);
  }

  const Game& game_;
  EvaluationOptions options_;
  bool own_agents_ = false;
  bool endless_ = false;
  StudyOptions random_settings_;
  StudyOptions main_settings_;
  Evaluation result_;
};

}  // namespace

std::string default_agent(const GameInfo& info, std::size_t iterations) {
  return fmt::format("{}:iters={}", info.hidden_information ? "ismcts" : "mcts", iterations);
}

tl::expected<Evaluation, Diagnostic> evaluate(const Game& game, const EvaluationOptions& options) {
  return Evaluator(game, options).run();
}

Json to_json(const Evaluation& evaluation) {
  Json flags = Json::array(), skill = Json::array(), specialists = Json::array();
  for (const Flag& flag : evaluation.flags) flags.push_back(to_json(flag));
  for (const SkillRow& row : evaluation.skill)
    skill.push_back({{"stronger", row.stronger},
                     {"weaker", row.weaker},
                     {"games", row.tally.games},
                     {"score", row.tally.score()},
                     {"meanReturn", row.tally.mean_return()},
                     {"interval", to_json(row.interval)}});
  for (const Specialist& row : evaluation.specialists)
    specialists.push_back({{"action", row.action},
                           {"games", row.tally.games},
                           {"score", row.tally.score()},
                           {"interval", to_json(row.interval)}});
  return {{"game", evaluation.info.id},
          {"players", evaluation.info.players},
          {"seed", evaluation.seed},
          {"agents", evaluation.main.agents},
          {"games", evaluation.main.result.games},
          {"randomGames", evaluation.random.result.games},
          {"flags", flags},
          {"metrics", to_json(evaluation.metrics)},
          {"randomMetrics", to_json(evaluation.random_metrics)},
          {"outcomes", evaluation.main.result.outcomes},
          {"randomOutcomes", evaluation.random.result.outcomes},
          {"actions", to_json(evaluation.main.actions)},
          {"values", to_json(evaluation.main.values)},
          {"unreachableActions", evaluation.unreachable_actions},
          {"unusedActions", evaluation.unused_actions},
          {"unusedValues", evaluation.unused_values},
          {"dominantActions", evaluation.dominant_actions},
          {"winRates",
           {{"actions", to_json(evaluation.main.action_wins, evaluation.info.players)},
            {"values", to_json(evaluation.main.value_wins, evaluation.info.players)},
            {"openings", to_json(evaluation.main.opening_wins, evaluation.info.players)}}},
          {"guesses", guesses(evaluation)},
          {"skill", skill},
          {"specialists", specialists},
          {"seconds", evaluation.seconds},
          {"complete", evaluation.complete}};
}

}  // namespace parlor::play
