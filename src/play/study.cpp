#include "play/study.h"

#include <fmt/format.h>
#include <set>
#include <thread>

#include "base/hash.h"

namespace parlor::play {
namespace {

constexpr std::size_t most_described = 200;  // options looked at in one decision
constexpr std::size_t most_recorded = 5000;  // decisions recorded of one game

// What an option's parameters name, as people call it: copies of a card are one card.
void collect_values(const State& state, const Json& json, std::vector<std::string>& out) {
  if (json.is_string())
    out.push_back(state.value_label(json));
  else if (json.is_structured())
    for (const auto& part : json) collect_values(state, part, out);
}

std::vector<std::string> values_of(const State& state, const Json& option) {
  std::vector<std::string> values;
  if (option.contains("params")) collect_values(state, option["params"], values);
  if (option.contains("value")) collect_values(state, option["value"], values);
  return values;
}

void count_use(UsageTable& table, const std::set<std::string>& offered,
               const std::set<std::string>& chosen) {
  for (const std::string& name : offered) {
    Usage& usage = table[name];
    const bool contested = offered.size() > 1;
    const bool taken = chosen.contains(name);
    ++usage.offered;
    usage.chosen += taken ? 1 : 0;
    usage.contested += contested ? 1 : 0;
    usage.preferred += contested && taken ? 1 : 0;
  }
}

// Records the games of one thread.
class Recorder final : public GameObserver {
 public:
  Recorder(const Game& game, const StudyOptions& options)
      : options_(options), players_(game.info().players), scratch_(game, StateBlock{}) {
    resamples_ = needs_resampling(game.info());
  }

  void on_start(const State&) override {
    sample_ = {};
    for (auto& options : last_options_) options.clear();
    for (Used& used : used_) used = {};
    turnover_ = turnovers_ = 0;
  }

  void on_decision(const State& state, const OptionList& options, std::size_t picked) override {
    const Decision decision = state.decision();
    sample_.sequence = hash_combine(sample_.sequence, options[picked].id);
    if (decision.kind == DecisionKind::chance) return;
    sample_.moves += decision.starts_move ? 1 : 0;
    if (sample_.decisions++ >= most_recorded) return;
    if (sample_.decisions <= 2) sample_.opening = sample_.sequence;
    sample_.branching.push_back(static_cast<std::uint32_t>(options.size()));
    describe(state, decision, options, picked);
    if (options_.moments && decision.starts_move) judge(state);
  }

  void on_end(const State& state, const GameRecord& record) override {
    sample_.index = record.index;
    sample_.decisions = static_cast<std::uint32_t>(record.decisions);
    sample_.finished = record.finished;
    if (record.finished) {
      for (const PlayerId winner : record.outcome->winners) sample_.winners.push_back(winner.value);
      sample_.scores.assign(record.outcome->returns.begin(), record.outcome->returns.end());
      share_wins();
    }
    if (options_.moments) judge(state);
    sample_.turnover = turnovers_ == 0 ? 0 : turnover_ / turnovers_;
    games.push_back(std::move(sample_));
  }

  std::vector<GameSample> games;
  UsageTable actions;
  UsageTable values;
  FortuneTable action_wins, value_wins, opening_wins;
  bool has_standing = false;

 private:
  void describe(const State& state, const Decision& decision, const OptionList& options,
                std::size_t picked) {
    std::set<std::string> offered, offered_values, chosen_values, texts;
    std::string chosen;
    for (std::size_t i = 0; i < options.size(); ++i) {
      if (i >= most_described && i != picked) continue;
      const Json json = state.option_json(options[i]);
      const std::string name = action_name(json);
      offered.insert(name);
      for (auto& value : values_of(state, json)) {
        if (i == picked) chosen_values.insert(value);
        offered_values.insert(std::move(value));
      }
      if (i == picked) chosen = name;
      if (decision.starts_move) texts.insert(canonical(json));
    }
    Used& used = used_[decision.player.index()];
    if (used.opening.empty()) used.opening = state.option_label(options[picked]);
    if (decision.kind == DecisionKind::action) used.actions.insert(chosen);
    used.values.insert(chosen_values.begin(), chosen_values.end());
    if (decision.kind == DecisionKind::action) count_use(actions, offered, {chosen});
    count_use(values, offered_values, chosen_values);
    if (decision.starts_move) compare_options(decision.player, std::move(texts));
  }

  // A win belongs to all that the winner chose on the way to it.
  void share_wins() {
    const auto winners = static_cast<double>(sample_.winners.size());
    for (std::size_t player = 0; player < players_; ++player) {
      double won = winners == 0 ? 1.0 / static_cast<double>(players_) : 0;
      for (const std::uint8_t winner : sample_.winners) won += winner == player ? 1 / winners : 0;
      const auto count = [won](FortuneTable& table, const std::string& name) {
        ++table[name].games;
        table[name].wins += won;
      };
      const Used& used = used_[player];
      for (const std::string& name : used.actions) count(action_wins, name);
      for (const std::string& name : used.values) count(value_wins, name);
      if (!used.opening.empty()) count(opening_wins, used.opening);
    }
  }

  // The share of this player's options that came or went since their last turn.
  void compare_options(PlayerId player, std::set<std::string> now) {
    auto& before = last_options_[player.index()];
    if (!before.empty()) {
      std::size_t common = 0;
      for (const auto& text : now) common += before.contains(text) ? 1 : 0;
      const std::size_t all = before.size() + now.size() - common;
      turnover_ += 1 - static_cast<double>(common) / static_cast<double>(all);
      turnovers_ += 1;
    }
    before = std::move(now);
  }

  void judge(const State& state) {
    Returns standing{};
    std::array<double, max_players> worth{};
    const auto players = std::span{standing}.first(players_);
    if (state.finished()) {
      if (has_standing && state.game().standing(state.block(), players))
        std::copy(players.begin(), players.end(), worth.begin());
      else
        estimate_end(state, players, worth);
    } else if (state.game().standing(state.block(), players)) {
      has_standing = true;
      std::copy(players.begin(), players.end(), worth.begin());
    } else {
      estimate(state, worth);
    }
    Moment moment{sample_.decisions, {}, {}};
    double total = 0;
    for (std::size_t i = 0; i < players_; ++i) total += worth[i];
    for (std::size_t i = 0; i < players_; ++i) {
      const double others =
          players_ < 2 ? 0 : (total - worth[i]) / static_cast<double>(players_ - 1);
      moment.worth[i] = static_cast<float>(worth[i]);
      moment.advantage[i] = static_cast<float>(worth[i] - others);
    }
    sample_.moments.push_back(moment);
  }

  static void estimate_end(const State& state, std::span<std::int64_t> returns,
                           std::array<double, max_players>& worth) {
    state.game().returns(state.block(), returns);
    std::copy(returns.begin(), returns.end(), worth.begin());
  }

  // The mean returns of random games from here.
  void estimate(const State& state, std::array<double, max_players>& worth) {
    Rng rng(state.hash());
    Returns returns{};
    for (std::size_t i = 0; i < options_.playouts; ++i) {
      scratch_.block() = state.block();
      // What is there counts, whoever sees it; only the dice are new.
      if (resamples_) scratch_.game().resample_hidden(scratch_.block(), Viewer::everything(), rng);
      scratch_.list_options(listed_);
      play_out(scratch_, listed_, rng, options_.max_decisions, std::span{returns}.first(players_));
      for (std::size_t p = 0; p < players_; ++p)
        worth[p] += static_cast<double>(returns[p]) / static_cast<double>(options_.playouts);
    }
  }

  const StudyOptions& options_;
  std::size_t players_;
  State scratch_;
  bool resamples_ = false;
  OptionList listed_;
  GameSample sample_;
  std::array<std::set<std::string>, max_players> last_options_;
  double turnover_ = 0;
  double turnovers_ = 0;
  // What each player has chosen in this game.
  struct Used {
    std::set<std::string> actions, values;
    std::string opening;
  };
  std::array<Used, max_players> used_;
};

void add(FortuneTable& sum, const FortuneTable& part) {
  for (const auto& [name, fortune] : part) {
    sum[name].games += fortune.games;
    sum[name].wins += fortune.wins;
  }
}

void add(UsageTable& sum, const UsageTable& part) {
  for (const auto& [name, usage] : part) {
    Usage& total = sum[name];
    total.offered += usage.offered;
    total.chosen += usage.chosen;
    total.contested += usage.contested;
    total.preferred += usage.preferred;
  }
}

}  // namespace

std::string action_name(const Json& option) {
  if (const auto found = option.find("action"); found != option.end() && found->is_string())
    return found->get<std::string>();
  return "choose";
}

tl::expected<Study, Diagnostic> study(const Game& game, const StudyOptions& options) {
  SimulationOptions simulation;
  simulation.games = options.games;
  simulation.seed = options.seed;
  simulation.threads = options.threads != 0 ? options.threads : std::thread::hardware_concurrency();
  simulation.threads = std::max(1U, simulation.threads);
  simulation.max_decisions = options.max_decisions;
  simulation.agents = options.agents;
  simulation.rotate = options.rotate;
  simulation.cancel = options.cancel;
  simulation.progress = options.progress;
  std::vector<std::unique_ptr<Recorder>> recorders;
  for (unsigned i = 0; i < simulation.threads; ++i)
    recorders.push_back(std::make_unique<Recorder>(game, options));
  simulation.observer = [&recorders](unsigned thread) { return recorders[thread].get(); };
  auto result = simulate(game, simulation);
  if (!result) return tl::unexpected(result.error());

  Study study;
  study.agents = fmt::format("{}", fmt::join(options.agents, " , "));
  study.result = std::move(*result);
  for (auto& recorder : recorders) {
    for (GameSample& sample : recorder->games) study.games.push_back(std::move(sample));
    add(study.actions, recorder->actions);
    add(study.values, recorder->values);
    add(study.action_wins, recorder->action_wins);
    add(study.value_wins, recorder->value_wins);
    add(study.opening_wins, recorder->opening_wins);
    study.has_standing = study.has_standing || recorder->has_standing;
  }
  std::ranges::sort(study.games, {}, &GameSample::index);
  return study;
}

}  // namespace parlor::play
