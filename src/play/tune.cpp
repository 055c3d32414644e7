#include "play/tune.h"

#include <charconv>
#include <cmath>
#include <fmt/core.h>
#include <set>

#include "play/plot.h"
#include "play/report.h"

namespace parlor::play {
namespace {

constexpr std::array<std::string_view, 7> objective_names{
    "balance", "decisive", "drama", "variety", "skill", "length", "branching"};

Diagnostic usage(std::string message, std::vector<std::string> alternatives = {}) {
  Diagnostic diagnostic{.code = Code::USAGE, .message = std::move(message)};
  diagnostic.alternatives = std::move(alternatives);
  return diagnostic;
}

bool read_number(std::string_view text, std::int64_t& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc{} && end == text.data() + text.size();
}

// 1 when equal, falling with the ratio of the two.
double closeness(double value, double target) {
  if (value <= 0 || target <= 0) return 0;
  return std::min(value / target, target / value);
}

double judge_one(const Metrics& metrics, double skill, const Objective& objective) {
  if (objective.name == "decisive") return metrics.decisive;
  if (objective.name == "drama") return 1 - std::exp(-metrics.lead_changes / 3);
  if (objective.name == "variety") return 0.5 * (metrics.distinct_games + metrics.action_entropy);
  if (objective.name == "skill") return skill;
  if (objective.name == "length") return closeness(metrics.length.mean, objective.target);
  if (objective.name == "branching") return closeness(metrics.branching.mean, objective.target);
  const double fair =
      1.0 / static_cast<double>(std::max<std::size_t>(metrics.seat_scores.size(), 1));
  double worst = 0;
  for (const double score : metrics.seat_scores) worst = std::max(worst, std::abs(score - fair));
  return fair >= 1 ? 1 : 1 - worst / (1 - fair);
}

class Tuner {
 public:
  Tuner(const TuneOpener& open, const TuneOptions& options) : open_(open), options_(options) {
    rng_ = Rng(options.seed);
  }

  tl::expected<Tuning, OpenFailure> run() {
    for (std::size_t i = 0; i < options_.trials; ++i) {
      if (stopped()) {
        tuning_.complete = false;
        break;
      }
      const auto constants = propose(i);
      if (!constants) break;  // everything was tried
      auto trial = attempt(*constants, options_.games);
      if (!trial) return tl::unexpected(std::move(trial.error()));
      keep(std::move(*trial));
      if (options_.progress)
        options_.progress(i + 1, options_.trials, tuning_.trials[tuning_.best].score);
    }
    if (auto told = tell_apart(); !told) return tl::unexpected(std::move(told.error()));
    for (const auto& [cell, index] : cells_) tuning_.archive.push_back(index);
    return std::move(tuning_);
  }

 private:
  using Constants = std::map<std::string, std::int64_t>;

  std::int64_t random_value(const TuneRange& range) {
    return range.low + range.step * rng_.between(0, (range.high - range.low) / range.step);
  }

  // At first anything, then neighbours of what proved good: the best, or the best of some cell.
  std::optional<Constants> propose(std::size_t number) {
    for (int tries = 0; tries < 200; ++tries) {
      const bool explore =
          number < options_.trials / 3 + 1 || tuning_.trials.empty() || tries > 100;
      Constants constants = explore ? anything() : neighbour();
      if (tried_.insert(constants).second) return constants;
    }
    return std::nullopt;
  }

  Constants anything() {
    Constants constants;
    for (const TuneRange& range : options_.ranges) constants[range.name] = random_value(range);
    return constants;
  }

  Constants neighbour() {
    std::size_t parent = tuning_.best;
    if (rng_.below(2) == 0) {
      auto cell = cells_.begin();
      std::advance(cell, static_cast<std::ptrdiff_t>(rng_.below(cells_.size())));
      parent = cell->second;
    }
    Constants constants = tuning_.trials[parent].constants;
    const TuneRange& range = options_.ranges[rng_.below(options_.ranges.size())];
    const std::int64_t reach = std::max<std::int64_t>(1, (range.high - range.low) / range.step / 6);
    auto& value = constants[range.name];
    value = std::clamp(value + range.step * rng_.between(-reach, reach), range.low, range.high);
    return constants;
  }

  // The second best, of those that were played.
  std::optional<std::size_t> runner_up() const {
    std::optional<std::size_t> out;
    for (std::size_t i = 0; i < tuning_.trials.size(); ++i)
      if (i != tuning_.best && tuning_.trials[i].failure.empty() &&
          (!out || tuning_.trials[i].score > tuning_.trials[*out].score))
        out = i;
    return out;
  }

  // A lead after few games may be luck: the best and whoever is next play on, twice as many games
  // each time, until one of them is surely better or the budget is spent.
  tl::expected<void, OpenFailure> tell_apart() {
    std::uint64_t left = options_.budget;
    while (true) {
      tuning_.next = runner_up();
      if (!tuning_.next) return {};
      Trial& best = tuning_.trials[tuning_.best];
      Trial& next = tuning_.trials[*tuning_.next];
      tuning_.decided = best.interval.low > next.interval.high;
      const std::uint64_t games = 2 * std::max(best.games, next.games);
      if (tuning_.decided || stopped() || games * 2 > left) return {};
      left -= games * 2;
      for (Trial* trial : {&best, &next}) {
        auto again = attempt(trial->constants, games);
        if (!again) return tl::unexpected(std::move(again.error()));
        *trial = std::move(*again);
      }
      for (std::size_t i = 0; i < tuning_.trials.size(); ++i)
        if (tuning_.trials[i].failure.empty() &&
            tuning_.trials[i].score > tuning_.trials[tuning_.best].score)
          tuning_.best = i;
    }
  }

  bool stopped() const { return options_.cancel != nullptr && *options_.cancel; }

  tl::expected<Trial, OpenFailure> attempt(const Constants& constants, std::uint64_t games) {
    Trial trial;
    trial.constants = constants;
    const Opened game = open_(constants);
    if (!game) {
      // A typing mistake fails at once; a combination the rules refuse is only a bad trial.
      if (tuning_.trials.empty()) return tl::unexpected(game.error());
      trial.failure =
          game.error().diagnostics.empty() ? "refused" : game.error().diagnostics.all()[0].message;
      return trial;
    }
    tuning_.game = (*game)->info().id;
    tuning_.name = (*game)->info().name.empty() ? tuning_.game : (*game)->info().name;
    StudyOptions settings;
    settings.games = games;
    settings.seed = options_.seed;
    settings.threads = options_.threads;
    settings.max_decisions = options_.max_decisions;
    settings.agents = options_.agents;
    if (settings.agents.empty())
      settings.agents = {default_agent((*game)->info(), options_.iterations)};
    settings.moments = true;
    settings.cancel = options_.cancel;
    const auto played = study(**game, settings);
    if (!played) {
      OpenFailure failure;
      failure.diagnostics.add(played.error());
      return tl::unexpected(std::move(failure));
    }
    trial.metrics = measure(*played, (*game)->info().players);
    if (wants("skill")) trial.skill = measure_skill(**game, settings);
    trial.score = judge(trial.metrics, trial.skill, options_.objectives);
    trial.games = played->games.size();
    trial.interval = spread_of_score(*played, trial, (*game)->info().players);
    return trial;
  }

  // The same games drawn again and again with replacement: between which scores 95% of such draws
  // lie.
  Interval spread_of_score(const Study& played, const Trial& trial, std::size_t players) const {
    constexpr std::size_t draws = 200;
    if (played.games.empty()) return {trial.score, trial.score};
    Rng rng(options_.seed, 0x62);
    const auto count = static_cast<double>(played.games.size());
    const double skill_spread = std::sqrt(trial.skill * (1 - trial.skill) / count);
    std::vector<double> scores;
    std::vector<const GameSample*> games(played.games.size());
    for (std::size_t i = 0; i < draws; ++i) {
      for (const GameSample*& game : games) game = &played.games[rng.below(played.games.size())];
      double noise = -6;  // nearly normal
      for (int k = 0; k < 12; ++k) noise += static_cast<double>(rng.below(1 << 20)) / (1 << 20);
      const double skill = std::clamp(trial.skill + skill_spread * noise, 0.0, 1.0);
      scores.push_back(judge(measure(played, games, players), skill, options_.objectives));
    }
    std::ranges::sort(scores);
    return {std::min(percentile(scores, 0.025), trial.score),
            std::max(percentile(scores, 0.975), trial.score)};
  }

  bool wants(std::string_view name) const {
    return std::ranges::find(options_.objectives, name, &Objective::name) !=
           options_.objectives.end();
  }

  static double measure_skill(const Game& game, const StudyOptions& settings) {
    SimulationOptions simulation;
    simulation.games = settings.games;
    simulation.seed = settings.seed;
    simulation.threads = settings.threads;
    simulation.max_decisions = settings.max_decisions;
    simulation.agents.assign(game.info().players, "random");
    simulation.agents.front() = settings.agents.front();
    simulation.rotate = true;
    const auto result = simulate(game, simulation);
    return result ? result->agents.front().score() : 0;
  }

  void keep(Trial trial) {
    const std::size_t index = tuning_.trials.size();
    const auto bin = [](double value) {
      return value <= 0 ? 0 : static_cast<int>(2 * std::log2(value));
    };
    const std::pair cell{bin(trial.metrics.length.mean), bin(trial.metrics.branching.mean)};
    const bool opened = trial.failure.empty();
    tuning_.trials.push_back(std::move(trial));
    if (!opened) return;
    const double score = tuning_.trials[index].score;
    const auto [entry, fresh] = cells_.try_emplace(cell, index);
    if (!fresh && score > tuning_.trials[entry->second].score) entry->second = index;
    if (score > tuning_.trials[tuning_.best].score) tuning_.best = index;
  }

  const TuneOpener& open_;
  const TuneOptions& options_;
  Rng rng_;
  Tuning tuning_;
  std::set<Constants> tried_;
  std::map<std::pair<int, int>, std::size_t> cells_;
};

Json trial_json(const Trial& trial) {
  Json out{{"constants", trial.constants},
           {"score", trial.score},
           {"interval", Json::array({trial.interval.low, trial.interval.high})},
           {"games", trial.games},
           {"length", trial.metrics.length.mean},
           {"branching", trial.metrics.branching.mean},
           {"finished", trial.metrics.finished},
           {"decisive", trial.metrics.decisive},
           {"seats", trial.metrics.seat_scores},
           {"leadChanges", trial.metrics.lead_changes},
           {"skill", trial.skill}};
  if (!trial.failure.empty()) out["failure"] = trial.failure;
  return out;
}

std::string constants_text(const Trial& trial) {
  std::string text;
  for (const auto& [name, value] : trial.constants) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{} = {}", name, value);
  }
  return text;
}

}  // namespace

tl::expected<TuneRange, Diagnostic> parse_range(std::string_view text) {
  TuneRange range;
  const auto equals = text.find('=');
  const auto dots = text.find("..");
  const auto colon = text.find(':', dots == std::string_view::npos ? 0 : dots);
  if (equals != std::string_view::npos && dots != std::string_view::npos && equals < dots) {
    range.name = text.substr(0, equals);
    const auto high =
        text.substr(dots + 2, colon == std::string_view::npos ? colon : colon - dots - 2);
    const bool fine =
        read_number(text.substr(equals + 1, dots - equals - 1), range.low) &&
        read_number(high, range.high) &&
        (colon == std::string_view::npos || read_number(text.substr(colon + 1), range.step));
    if (fine && range.low <= range.high && range.step > 0 && !range.name.empty()) return range;
  }
  return tl::unexpected(
      usage(fmt::format("`{}` is no range; write `name=500..2000` or `name=500..2000:100`", text)));
}

tl::expected<std::vector<Objective>, Diagnostic> parse_objectives(std::string_view text) {
  std::vector<Objective> objectives;
  const std::vector<std::string> known(objective_names.begin(), objective_names.end());
  while (!text.empty()) {
    const auto comma = text.find(',');
    const std::string_view piece = text.substr(0, comma);
    const auto equals = piece.find('=');
    Objective objective{std::string(piece.substr(0, equals)), 0};
    if (std::ranges::find(known, objective.name) == known.end())
      return tl::unexpected(usage(fmt::format("there is no objective `{}`", objective.name),
                                  did_you_mean(objective.name, known)));
    std::int64_t target = 0;
    const bool needs_target = objective.name == "length" || objective.name == "branching";
    if (needs_target != (equals != std::string_view::npos) ||
        (needs_target && (!read_number(piece.substr(equals + 1), target) || target <= 0)))
      return tl::unexpected(
          usage(needs_target ? fmt::format("`{0}` needs a target, as in `{0}=40`", objective.name)
                             : fmt::format("`{}` takes no target", objective.name)));
    objective.target = static_cast<double>(target);
    objectives.push_back(std::move(objective));
    text = comma == std::string_view::npos ? "" : text.substr(comma + 1);
  }
  return objectives;
}

double judge(const Metrics& metrics, double skill, const std::vector<Objective>& objectives) {
  double score = metrics.finished;
  for (const Objective& objective : objectives) score *= judge_one(metrics, skill, objective);
  return score;
}

tl::expected<Tuning, OpenFailure> tune(const TuneOpener& open, const TuneOptions& options) {
  auto tuning = Tuner(open, options).run();
  if (!tuning) return tuning;
  for (const Objective& objective : options.objectives)
    tuning->aims += (tuning->aims.empty() ? "" : ", ") + objective.name +
                    (objective.target > 0 ? fmt::format(" {}", tidy_number(objective.target)) : "");
  return tuning;
}

Json to_json(const Tuning& tuning) {
  Json trials = Json::array(), archive = Json::array();
  for (const Trial& trial : tuning.trials) trials.push_back(trial_json(trial));
  for (const std::size_t index : tuning.archive)
    archive.push_back(trial_json(tuning.trials[index]));
  return {{"game", tuning.game},
          {"best", tuning.trials.empty() ? Json() : trial_json(tuning.trials[tuning.best])},
          {"next", tuning.next ? trial_json(tuning.trials[*tuning.next]) : Json()},
          {"decided", tuning.decided},
          {"archive", archive},
          {"trials", trials},
          {"complete", tuning.complete}};
}

namespace {

// Where the trials lie, and how good each was in the order they were made.
std::string trial_plots(const Tuning& tuning) {
  std::vector<ScatterPoint> kinds, course;
  for (std::size_t i = 0; i < tuning.trials.size(); ++i) {
    const Trial& trial = tuning.trials[i];
    if (!trial.failure.empty()) continue;
    const std::string tip = fmt::format("{}: score {:.3f}", constants_text(trial), trial.score);
    const bool best = i == tuning.best;
    kinds.push_back(
        {trial.metrics.length.mean, trial.metrics.branching.mean, trial.score, best, tip});
    course.push_back({static_cast<double>(i + 1), trial.score, trial.score, best, tip});
  }
  return fmt::format(
      "<section class=\"card\"><h2>What the rules can become</h2><p>Length and branching of every "
      "trial; the stronger the colour, the better; the ring marks the best</p>{}</section>"
      "<section class=\"card\"><h2>Search</h2><p>Score of every trial in the order they were made: "
      "random ones first, then neighbours of the best</p>{}</section>",
      scatter_plot(kinds, "decisions per game", "options per decision"),
      scatter_plot(course, "trial", "score"));
}

std::string archive_table(const Tuning& tuning) {
  std::string rows;
  std::vector<std::size_t> order = tuning.archive;
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return tuning.trials[a].score > tuning.trials[b].score;
  });
  for (const std::size_t index : order) {
    const Trial& trial = tuning.trials[index];
    const Metrics& m = trial.metrics;
    rows += fmt::format("<tr><td>{}{}</td>", escape_html(constants_text(trial)),
                        index == tuning.best ? " <b>(best)</b>" : "");
    for (const std::string& cell :
         {fmt::format("{:.3f}", trial.score),
          fmt::format("{:.3f} to {:.3f}", trial.interval.low, trial.interval.high),
          std::to_string(trial.games), fmt::format("{:.1f}", m.length.mean),
          fmt::format("{:.1f}", m.branching.mean),
          m.seat_scores.empty() ? std::string() : fmt::format("{:.0f}%", 100 * m.seat_scores[0]),
          fmt::format("{:.0f}%", 100 * m.draws), fmt::format("{:.0f}%", 100 * m.finished)})
      rows += fmt::format("<td class=\"n\">{}</td>", cell);
    rows += "</tr>";
  }
  std::string head = "<tr><th>constants</th>";
  for (const char* name :
       {"score", "95% interval", "games", "length", "branching", "first seat", "draws", "finished"})
    head += fmt::format("<th class=\"n\">{}</th>", name);
  return fmt::format(
      "<section class=\"card wide\"><h2>Archive</h2><p>The best trial of every kind of game, by "
      "length and branching</p><table>{}</tr>{}</table></section>",
      head, rows);
}

}  // namespace

std::string html_report(const Tuning& tuning) {
  const std::string best =
      tuning.trials.empty() ? "nothing" : constants_text(tuning.trials[tuning.best]);
  return html_page(fmt::format("{} – tuning", tuning.name),
                   fmt::format("<h1>{}</h1><p class=\"lead\">{} trials for {}{}<br>best: {}</p>"
                               "<div class=\"grid\">{}{}</div>",
                               escape_html(tuning.name), tuning.trials.size(),
                               escape_html(tuning.aims), tuning.complete ? "" : " · stopped early",
                               escape_html(best), trial_plots(tuning), archive_table(tuning)));
}

}  // namespace parlor::play
