#include "play/evaluation.h"

#include <chrono>
#include <fmt/core.h>
#include <set>

#include "play/probes.h"

namespace parlor::play {
namespace {

constexpr int leader_unknown = -1;
// An estimate by a few random games must differ by so much before somebody counts as leading.
constexpr float estimate_margin = 0.3F;

int leader(const Moment& moment, std::size_t players, float margin) {
  int best = 0;
  for (std::size_t i = 1; i < players; ++i)
    if (moment.advantage[i] > moment.advantage[static_cast<std::size_t>(best)])
      best = static_cast<int>(i);
  return moment.advantage[static_cast<std::size_t>(best)] > margin ? best : leader_unknown;
}

struct Drama {
  double lead_changes = 0;
  double comebacks = 0;
  double decided_at = 0;
  std::size_t games = 0;
  std::size_t decisive = 0;
};

void add_drama(const GameSample& game, std::size_t players, float margin, Drama& drama) {
  if (game.moments.size() < 2) return;
  ++drama.games;
  int last = leader_unknown;
  for (const Moment& moment : game.moments) {
    const int now = leader(moment, players, margin);
    if (now == leader_unknown) continue;
    if (last != leader_unknown && now != last) drama.lead_changes += 1;
    last = now;
  }
  if (game.winners.size() != 1) return;
  ++drama.decisive;
  const auto winner = static_cast<std::size_t>(game.winners[0]);
  // The final position belongs to the winner by definition: only what came before says something.
  const std::size_t count = game.moments.size() - 1;
  const float halfway = game.moments[count / 2].advantage[winner];
  if (halfway < -margin) drama.comebacks += 1;
  std::size_t behind = 0;
  for (std::size_t i = 0; i < count; ++i)
    if (game.moments[i].advantage[winner] <= 0) behind = i + 1;
  drama.decided_at += static_cast<double>(behind) / static_cast<double>(count);
}

double entropy_of(const UsageTable& table) {
  std::vector<std::uint64_t> counts;
  for (const auto& [name, usage] : table) counts.push_back(usage.chosen);
  return normalised_entropy(counts);
}

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
  return {{"length", to_json(metrics.length)},
          {"moves", to_json(metrics.moves)},
          {"branching", to_json(metrics.branching)},
          {"finished", metrics.finished},
          {"decisive", metrics.decisive},
          {"draws", metrics.draws},
          {"seats", seats},
          {"lead_changes", metrics.lead_changes},
          {"comebacks", metrics.comebacks},
          {"decided_at", metrics.decided_at},
          {"action_entropy", metrics.action_entropy},
          {"value_entropy", metrics.value_entropy},
          {"interaction", metrics.turnover},
          {"distinct_games", metrics.distinct_games},
          {"distinct_openings", metrics.distinct_openings}};
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

Metrics measure(const Study& study, std::size_t players) {
  Metrics metrics;
  std::vector<double> lengths, moves, branching;
  std::set<std::uint64_t> sequences, openings;
  std::size_t finished = 0, decisive = 0, draws = 0;
  Drama drama;
  const float margin = study.has_standing ? 0.0F : estimate_margin;
  for (const GameSample& game : study.games) {
    for (const auto options : game.branching) branching.push_back(options);
    sequences.insert(game.sequence);
    openings.insert(game.opening);
    metrics.turnover += game.turnover / static_cast<double>(study.games.size());
    add_drama(game, players, margin, drama);
    if (!game.finished) continue;
    ++finished;
    lengths.push_back(game.decisions);
    moves.push_back(game.moves);
    decisive += game.winners.size() == 1 ? 1 : 0;
    draws += game.winners.empty() || game.winners.size() == players ? 1 : 0;
  }
  const auto share = [](std::size_t part, std::size_t whole) {
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
  };
  metrics.length = summarise(std::move(lengths));
  metrics.moves = summarise(std::move(moves));
  metrics.branching = summarise(std::move(branching));
  metrics.finished = share(finished, study.games.size());
  metrics.decisive = share(decisive, finished);
  metrics.draws = share(draws, finished);
  metrics.lead_changes =
      drama.games == 0 ? 0 : drama.lead_changes / static_cast<double>(drama.games);
  metrics.comebacks =
      drama.decisive == 0 ? 0 : drama.comebacks / static_cast<double>(drama.decisive);
  metrics.decided_at =
      drama.decisive == 0 ? 0 : drama.decided_at / static_cast<double>(drama.decisive);
  metrics.action_entropy = entropy_of(study.actions);
  metrics.value_entropy = entropy_of(study.values);
  metrics.distinct_games = share(sequences.size(), study.games.size());
  metrics.distinct_openings = share(openings.size(), study.games.size());
  for (const Tally& tally : study.result.seats) {
    const auto games = static_cast<double>(tally.games);
    metrics.seat_scores.push_back(tally.score());
    metrics.seat_intervals.push_back(wilson(tally.score() * games, games));
  }
  return metrics;
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
                     {"mean_return", row.tally.mean_return()},
                     {"interval", to_json(row.interval)}});
  for (const Specialist& row : evaluation.specialists)
    specialists.push_back({{"action", row.action},
                           {"score", row.tally.score()},
                           {"interval", to_json(row.interval)}});
  return {{"game", evaluation.info.id},
          {"players", evaluation.info.players},
          {"seed", evaluation.seed},
          {"agents", evaluation.main.agents},
          {"games", evaluation.main.result.games},
          {"random_games", evaluation.random.result.games},
          {"flags", flags},
          {"metrics", to_json(evaluation.metrics)},
          {"random_metrics", to_json(evaluation.random_metrics)},
          {"outcomes", evaluation.main.result.outcomes},
          {"random_outcomes", evaluation.random.result.outcomes},
          {"actions", to_json(evaluation.main.actions)},
          {"values", to_json(evaluation.main.values)},
          {"unreachable_actions", evaluation.unreachable_actions},
          {"unused_actions", evaluation.unused_actions},
          {"unused_values", evaluation.unused_values},
          {"dominant_actions", evaluation.dominant_actions},
          {"skill", skill},
          {"specialists", specialists},
          {"seconds", evaluation.seconds},
          {"complete", evaluation.complete}};
}

}  // namespace parlor::play
