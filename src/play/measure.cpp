// Numbers out of games that were watched, each with how far it can be trusted.
#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <numeric>
#include <set>

#include "play/evaluation.h"

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
  std::vector<double> lead_changes;  // of each game
  std::vector<double> decided_at;    // of each decisive one
  double comebacks = 0;
};

void add_drama(const GameSample& game, std::size_t players, float margin, Drama& drama) {
  if (game.moments.size() < 2) return;
  double changes = 0;
  int last = leader_unknown;
  for (const Moment& moment : game.moments) {
    const int now = leader(moment, players, margin);
    if (now == leader_unknown) continue;
    if (last != leader_unknown && now != last) changes += 1;
    last = now;
  }
  drama.lead_changes.push_back(changes);
  if (game.winners.size() != 1) return;
  const auto winner = static_cast<std::size_t>(game.winners[0]);
  // The final position belongs to the winner by definition: only what came before says something.
  const std::size_t count = game.moments.size() - 1;
  const float halfway = game.moments[count / 2].advantage[winner];
  if (halfway < -margin) drama.comebacks += 1;
  std::size_t behind = 0;
  for (std::size_t i = 0; i < count; ++i)
    if (game.moments[i].advantage[winner] <= 0) behind = i + 1;
  drama.decided_at.push_back(static_cast<double>(behind) / static_cast<double>(count));
}

std::vector<std::uint64_t> chosen_of(const UsageTable& table) {
  std::vector<std::uint64_t> counts;
  for (const auto& [name, usage] : table) counts.push_back(usage.chosen);
  return counts;
}

// What is counted of games before it becomes shares and means.
struct Counts {
  std::vector<double> lengths, moves, branching, scores, turnover;
  std::vector<double> decisions, options;  // of each game, and options in all of them together
  std::set<std::uint64_t> sequences, openings;
  std::size_t finished = 0, decisive = 0, draws = 0;
  std::vector<double> seats;  // wins of each seat; a win is shared
  Drama drama;
};

// What each game says about the mean of all decisions, which is the mean of these: decisions of one
// game depend on each other, so games are what is counted (a ratio of two sums).
std::vector<double> options_by_game(const Counts& counts) {
  const double decisions = std::accumulate(counts.decisions.begin(), counts.decisions.end(), 0.0);
  if (decisions == 0) return {};
  const double all = std::accumulate(counts.options.begin(), counts.options.end(), 0.0) / decisions;
  const double usual = decisions / static_cast<double>(counts.decisions.size());
  std::vector<double> out;
  for (std::size_t i = 0; i < counts.options.size(); ++i)
    out.push_back(all + (counts.options[i] - all * counts.decisions[i]) / usual);
  return out;
}

Counts count_games(const Study& study, std::span<const GameSample* const> games,
                   std::size_t players) {
  Counts out;
  out.seats.resize(players);
  const float margin = study.has_standing ? 0.0F : estimate_margin;
  for (const GameSample* game : games) {
    for (const auto options : game->branching) out.branching.push_back(options);
    out.decisions.push_back(static_cast<double>(game->branching.size()));
    out.options.push_back(std::accumulate(game->branching.begin(), game->branching.end(), 0.0));
    out.sequences.insert(game->sequence);
    out.openings.insert(game->opening);
    out.turnover.push_back(game->turnover);
    add_drama(*game, players, margin, out.drama);
    if (!game->finished) continue;
    ++out.finished;
    out.lengths.push_back(game->decisions);
    out.moves.push_back(game->moves);
    out.scores.insert(out.scores.end(), game->scores.begin(), game->scores.end());
    const auto winners = static_cast<double>(game->winners.size());
    out.decisive += game->winners.size() == 1 ? 1 : 0;
    out.draws += game->winners.empty() || game->winners.size() == players ? 1 : 0;
    for (std::size_t i = 0; game->winners.empty() && i < players; ++i)
      out.seats[i] += 1 / static_cast<double>(players);
    for (const std::uint8_t winner : game->winners)
      if (winner < players) out.seats[winner] += 1 / winners;
  }
  return out;
}

double mean_of(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

}  // namespace

Metrics measure(const Study& study, std::size_t players) {
  std::vector<const GameSample*> all;
  for (const GameSample& game : study.games) all.push_back(&game);
  Metrics metrics = measure(study, all, players);
  // Games in which the rules went wrong are nobody's win, but they were played.
  metrics.seat_scores.clear();
  metrics.seat_intervals.clear();
  for (const Tally& tally : study.result.seats) {
    const auto games = static_cast<double>(tally.games);
    metrics.seat_scores.push_back(tally.score());
    metrics.seat_intervals.push_back(wilson(tally.score() * games, games));
  }
  return metrics;
}

Metrics measure(const Study& study, std::span<const GameSample* const> games, std::size_t players) {
  Metrics metrics;
  Counts counts = count_games(study, games, players);
  const auto share = [&](const char* name, std::size_t part, std::size_t whole) {
    metrics.intervals[name] = wilson(static_cast<double>(part), static_cast<double>(whole));
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
  };
  const auto mean = [&](const char* name, std::span<const double> values) {
    metrics.intervals[name] = interval_of_mean(values);
    return mean_of(values);
  };
  mean("length", counts.lengths);
  mean("moves", counts.moves);
  mean("branching", options_by_game(counts));
  mean("scores", counts.scores);
  metrics.lead_changes = mean("leadChanges", counts.drama.lead_changes);
  metrics.decided_at = mean("decidedAt", counts.drama.decided_at);
  metrics.turnover = mean("interaction", counts.turnover);
  metrics.comebacks = share("comebacks", static_cast<std::size_t>(counts.drama.comebacks),
                            counts.drama.decided_at.size());
  metrics.finished = share("finished", counts.finished, games.size());
  metrics.decisive = share("decisive", counts.decisive, counts.finished);
  metrics.draws = share("draws", counts.draws, counts.finished);
  metrics.distinct_games = share("distinctGames", counts.sequences.size(), games.size());
  metrics.distinct_openings = share("distinctOpenings", counts.openings.size(), games.size());
  const auto actions = chosen_of(study.actions), values = chosen_of(study.values);
  metrics.action_entropy = normalised_entropy(actions);
  metrics.value_entropy = normalised_entropy(values);
  metrics.intervals["actionEntropy"] = interval_of_evenness(actions);
  metrics.intervals["valueEntropy"] = interval_of_evenness(values);
  metrics.length = summarise(std::move(counts.lengths));
  metrics.moves = summarise(std::move(counts.moves));
  metrics.branching = summarise(std::move(counts.branching));
  metrics.scores = summarise(std::move(counts.scores));
  for (const double wins : counts.seats) {
    const auto all = static_cast<double>(counts.finished);
    metrics.seat_scores.push_back(all == 0 ? 0 : wins / all);
    metrics.seat_intervals.push_back(wilson(wins, all));
  }
  return metrics;
}

Evenness evenness(const Evaluation& evaluation) {
  const Metrics& metrics = evaluation.metrics;
  if (evaluation.main.actions.size() < 2)
    return {"choices", metrics.value_entropy, metrics.intervals.at("valueEntropy")};
  return {"actions", metrics.action_entropy, metrics.intervals.at("actionEntropy")};
}

std::vector<std::string> guesses(const Evaluation& evaluation) {
  std::vector<std::string> out;
  if (evaluation.info.hidden_information)
    out.push_back(fmt::format(
        "What others hold is hidden: {} guessed at it, drawing at random from all that fitted what "
        "was known. People may read more out of each other's moves.",
        evaluation.main.agents));
  if (!evaluation.main.has_standing && !evaluation.main.games.empty())
    out.emplace_back(
        "The rules keep no score while a game goes on: who leads was estimated by random games "
        "from "
        "each position, which says little where random play does.");
  return out;
}

std::vector<WinRate> win_rates(const FortuneTable& table, std::size_t players) {
  std::vector<WinRate> out;
  for (const auto& [name, fortune] : table) {
    const auto games = static_cast<double>(fortune.games);
    out.push_back({name, fortune, fortune.wins / games, wilson(fortune.wins, games)});
  }
  // Those of which it is surest that they are not fair come first.
  const double fair = 1.0 / static_cast<double>(std::max<std::size_t>(players, 1));
  const auto surely_off = [fair](const WinRate& row) {
    return std::max({row.interval.low - fair, fair - row.interval.high});
  };
  std::ranges::stable_sort(out, std::greater<>{}, surely_off);
  return out;
}

}  // namespace parlor::play
