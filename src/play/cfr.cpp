#include "play/cfr.h"

#include <fmt/core.h>

#include "base/hash.h"
#include "play/agent_list.h"
#include "play/playout.h"

namespace parlor::play {

void InformationSet::begin(const State& state, PlayerId player) {
  player_ = player;
  key_ = player.value;
  last_view_ = 0;
  look(state);
}

void InformationSet::follow(PlayerId decider, Option option, const State& after) {
  if (decider == player_) key_ = hash_combine(key_, option.id);
  look(after);
}

// Only what changes is news: a player does not notice hidden choices of others.
void InformationSet::look(const State& state) {
  const std::uint64_t view = hash_text(canonical(state.view(Viewer::player(player_))));
  if (view == last_view_) return;
  last_view_ = view;
  key_ = hash_combine(key_, view);
}

const std::vector<CfrSolution::Choice>* CfrSolution::strategy(std::uint64_t key) const {
  const auto found = strategies_.find(key);
  return found == strategies_.end() ? nullptr : &found->second;
}

// The whole game as a tree of plain nodes, and what is learnt about its information sets.
class CfrSolver {
 public:
  CfrSolver(const Game& game, const CfrSettings& settings) : game_(game), settings_(settings) {}

  tl::expected<std::shared_ptr<const CfrSolution>, std::string> run() {
    auto start = game_.start(0);
    if (!start) return tl::unexpected(start.error().message);
    std::array<InformationSet, 2> seen;
    for (std::uint8_t player = 0; player < 2; ++player)
      seen[player].begin(*start, PlayerId{player});
    nodes_.emplace_back();
    if (!grow(0, *start, seen, 0))
      return tl::unexpected(
          cancelled()
              ? std::string("it was interrupted")
              : fmt::format(
                    "its game tree has more than {} nodes, or games of more than {} decisions",
                    settings_.most_nodes, longest_game));
    for (std::size_t i = 1; i <= settings_.iterations; ++i) {
      if (cancelled()) break;
      for (std::uint8_t player = 0; player < 2; ++player) pass(player, static_cast<double>(i));
    }
    return finish();
  }

 private:
  static constexpr std::uint8_t chance = 2;
  static constexpr std::uint8_t terminal = 3;
  static constexpr int longest_game = 1000;  // the stack is deep enough for so many decisions

  struct Node {
    std::uint8_t decider = terminal;
    std::uint32_t set = 0;
    std::uint32_t first_child = 0;
    std::uint32_t children = 0;
    std::array<double, 2> returns{};
    double weight = 0;  // probability, for children of chance
    double reach = 0;   // best response: of opponent and chance
    double best = 0;    // best response: value, once known
    bool known = false;
  };
  struct Set {
    std::uint64_t key;
    std::uint8_t player;
    std::uint32_t first = 0;  // into regrets_ and sums_
    std::vector<Option> options;
    std::vector<std::uint32_t> members;  // nodes
    int response = -1;
  };

  bool cancelled() const {
    return settings_.cancel != nullptr && settings_.cancel->load(std::memory_order_relaxed);
  }

  // Adds everything below node `at`; false when the tree grows too large.
  bool grow(std::uint32_t at, const State& state, const std::array<InformationSet, 2>& seen,
            int depth) {
    if (depth > longest_game) return false;
    const Decision decision = state.decision();
    if (decision.kind == DecisionKind::finished) {
      Returns returns{};
      game_.returns(state.block(), std::span{returns}.first(2));
      nodes_[at].returns = {static_cast<double>(returns[0]), static_cast<double>(returns[1])};
      return true;
    }
    OptionList options;
    state.list_options(options);
    const auto first = static_cast<std::uint32_t>(nodes_.size());
    if (nodes_.size() + options.size() > settings_.most_nodes || cancelled()) return false;
    nodes_.resize(nodes_.size() + options.size());
    nodes_[at].first_child = first;
    nodes_[at].children = static_cast<std::uint32_t>(options.size());
    if (decision.kind == DecisionKind::chance)
      weigh(at, options);
    else
      join_set(at, decision.player, seen[decision.player.index()].key(), options);
    for (std::size_t i = 0; i < options.size(); ++i) {
      State child = state;
      if (!child.apply(options[i])) continue;
      auto after = seen;
      for (InformationSet& set : after) set.follow(decision.player, options[i], child);
      if (!grow(first + static_cast<std::uint32_t>(i), child, after, depth + 1)) return false;
    }
    return true;
  }

  void weigh(std::uint32_t at, const OptionList& options) {
    nodes_[at].decider = chance;
    double total = 0;
    for (const auto weight : options.weights()) total += weight;
    for (std::uint32_t i = 0; i < options.size(); ++i)
      nodes_[nodes_[at].first_child + i].weight = options.weights()[i] / total;
  }

  void join_set(std::uint32_t at, PlayerId player, std::uint64_t key, const OptionList& options) {
    nodes_[at].decider = player.value;
    const auto [found, fresh] = set_of_key_.emplace(key, static_cast<std::uint32_t>(sets_.size()));
    if (fresh) {
      sets_.push_back({key,
                       player.value,
                       static_cast<std::uint32_t>(regrets_.size()),
                       {options.begin(), options.end()},
                       {},
                       -1});
      regrets_.resize(regrets_.size() + options.size());
      sums_.resize(regrets_.size());
    }
    nodes_[at].set = found->second;
    sets_[found->second].members.push_back(at);
  }

  // One update of `player`'s strategy. What all nodes of a set say is added up before it counts.
  void pass(std::uint8_t player, double iteration) {
    match_regrets();
    gains_.assign(regrets_.size(), 0);
    iteration_ = iteration;
    improve(0, player, 1, 1);
    for (std::size_t i = 0; i < regrets_.size(); ++i) {
      regrets_[i] += gains_[i];
      if (settings_.plus) regrets_[i] = std::max(regrets_[i], 0.0);
    }
  }

  // The current strategy: in proportion to positive regret.
  void match_regrets() {
    current_.resize(regrets_.size());
    for (const Set& set : sets_) {
      double total = 0;
      for (std::size_t i = 0; i < set.options.size(); ++i)
        total += std::max(0.0, regrets_[set.first + i]);
      for (std::size_t i = 0; i < set.options.size(); ++i)
        current_[set.first + i] = total > 0 ? std::max(0.0, regrets_[set.first + i]) / total
                                            : 1.0 / static_cast<double>(set.options.size());
    }
  }

  double average(const Set& set, std::uint32_t option) const {
    double total = 0;
    for (std::size_t i = 0; i < set.options.size(); ++i) total += sums_[set.first + i];
    if (total <= 0) return 1.0 / static_cast<double>(set.options.size());
    return sums_[set.first + option] / total;
  }

  // One pass for `player`; returns their value. `own` and `other` are the reach probabilities.
  double improve(std::uint32_t at, std::uint8_t player, double own, double other) {
    const Node node = nodes_[at];
    if (node.decider == terminal) return node.returns[player];
    double value = 0;
    if (node.decider == chance) {
      for (std::uint32_t i = 0; i < node.children; ++i) {
        const double weight = nodes_[node.first_child + i].weight;
        value += weight * improve(node.first_child + i, player, own, other * weight);
      }
      return value;
    }
    const Set& set = sets_[node.set];
    constexpr std::size_t few = 64;
    std::array<double, few> small{};
    std::vector<double> large(node.children > few ? node.children : 0);
    double* worth = node.children > few ? large.data() : small.data();
    for (std::uint32_t i = 0; i < node.children; ++i) {
      const double share = current_[set.first + i];
      const bool mine = node.decider == player;
      worth[i] = improve(node.first_child + i, player, mine ? own * share : own,
                         mine ? other : other * share);
      value += share * worth[i];
    }
    if (node.decider == player) learn(set, node.children, worth, value, own, other);
    return value;
  }

  void learn(const Set& set, std::uint32_t options, const double* worth, double value, double own,
             double other) {
    const double importance = settings_.plus ? iteration_ : 1;
    for (std::uint32_t i = 0; i < options; ++i)
      sums_[set.first + i] += importance * own * current_[set.first + i];
    for (std::uint32_t i = 0; i < options; ++i) gains_[set.first + i] += other * (worth[i] - value);
  }

  double average_value(std::uint32_t at, std::uint8_t player) const {
    const Node& node = nodes_[at];
    if (node.decider == terminal) return node.returns[player];
    double value = 0;
    for (std::uint32_t i = 0; i < node.children; ++i) {
      const std::uint32_t child = node.first_child + i;
      const double share =
          node.decider == chance ? nodes_[child].weight : average(sets_[node.set], i);
      if (share > 0) value += share * average_value(child, player);
    }
    return value;
  }

  // Probability that chance and the opponent of `player` lead to each node.
  void reach(std::uint32_t at, std::uint8_t player, double probability) {
    Node& node = nodes_[at];
    node.reach = probability;
    node.known = false;
    for (std::uint32_t i = 0; i < node.children; ++i) {
      const std::uint32_t child = node.first_child + i;
      const double share = node.decider == chance   ? nodes_[child].weight
                           : node.decider == player ? 1
                                                    : average(sets_[node.set], i);
      reach(child, player, probability * share);
    }
  }

  double best_response(std::uint32_t at, std::uint8_t player) {
    if (nodes_[at].known) return nodes_[at].best;
    const Node node = nodes_[at];
    double value = 0;
    if (node.decider == terminal) {
      value = node.returns[player];
    } else if (node.decider == player) {
      value = best_response(
          node.first_child + static_cast<std::uint32_t>(respond(node.set, player)), player);
    } else {
      for (std::uint32_t i = 0; i < node.children; ++i) {
        const std::uint32_t child = node.first_child + i;
        const double share =
            node.decider == chance ? nodes_[child].weight : average(sets_[node.set], i);
        value += share * best_response(child, player);
      }
    }
    nodes_[at].best = value;
    nodes_[at].known = true;
    return value;
  }

  // The one option that is best for all nodes of the set together.
  int respond(std::uint32_t index, std::uint8_t player) {
    Set& set = sets_[index];
    if (set.response >= 0) return set.response;
    double best = 0;
    int response = 0;
    for (std::uint32_t option = 0; option < set.options.size(); ++option) {
      double value = 0;
      for (const std::uint32_t member : set.members)
        if (nodes_[member].reach > 0)
          value +=
              nodes_[member].reach * best_response(nodes_[member].first_child + option, player);
      if (option == 0 || value > best) {
        best = value;
        response = static_cast<int>(option);
      }
    }
    return sets_[index].response = response;
  }

  std::shared_ptr<const CfrSolution> finish() {
    auto solution = std::make_shared<CfrSolution>();
    solution->nodes_ = nodes_.size();
    double gain = 0;
    for (std::uint8_t player = 0; player < 2; ++player) {
      solution->values_[player] = average_value(0, player);
      reach(0, player, 1);
      gain += best_response(0, player) - solution->values_[player];
    }
    solution->exploitability_ = gain / 2;
    for (const Set& set : sets_) {
      auto& strategy = solution->strategies_[set.key];
      for (std::uint32_t i = 0; i < set.options.size(); ++i)
        strategy.push_back({set.options[i], average(set, i)});
    }
    return solution;
  }

  const Game& game_;
  CfrSettings settings_;
  double iteration_ = 0;
  std::vector<Node> nodes_;
  std::vector<Set> sets_;
  std::unordered_map<std::uint64_t, std::uint32_t> set_of_key_;
  std::vector<double> regrets_;
  std::vector<double> sums_;     // of the strategies so far, for the average
  std::vector<double> current_;  // the strategy of this pass
  std::vector<double> gains_;    // of regret in this pass
};

tl::expected<std::shared_ptr<const CfrSolution>, std::string> solve(const Game& game,
                                                                    const CfrSettings& settings) {
  const GameInfo& info = game.info();
  if (info.players != 2)
    return tl::unexpected(fmt::format("it has {} players, not two", info.players));
  if (info.has_chance && !info.explicit_chance)
    return tl::unexpected(std::string("its chance does not show as decisions"));
  return CfrSolver(game, settings).run();
}

namespace {

class CfrAgent final : public Agent {
 public:
  explicit CfrAgent(std::shared_ptr<const CfrSolution> solution) : solution_(std::move(solution)) {}

  void sit_down(const State& state, PlayerId seat, Seed seed) override {
    rng_ = Rng(seed);
    seen_.begin(state, seat);
    decider_ = state.decision().player;
  }
  std::size_t decide(const State&, const OptionList& options) override {
    const auto* strategy = solution_->strategy(seen_.key());
    if (strategy == nullptr) return pick_below(rng_, options.size());
    double ticket = static_cast<double>(rng_.next() >> 11) * 0x1p-53;
    std::size_t last = 0;
    for (const auto& [option, probability] : *strategy) {
      const auto found = std::ranges::find(options, option);
      if (found == options.end()) continue;
      if (probability > 0) last = static_cast<std::size_t>(found - options.begin());
      if (ticket < probability) return last;
      ticket -= probability;
    }
    return last;
  }
  void follow(Option option, const State& after) override {
    seen_.follow(decider_, option, after);
    decider_ = after.decision().player;
  }
  bool needs_history() const override { return true; }

 private:
  std::shared_ptr<const CfrSolution> solution_;
  InformationSet seen_;
  PlayerId decider_;
  Rng rng_;
};

}  // namespace

PreparedAgent prepare_cfr(const Game& game, const AgentSettings& settings) {
  auto solution =
      solve(game, {settings.count("iters"), settings.number("plus") != 0, settings.count("nodes")});
  if (!solution) return tl::unexpected(solution.error());
  return AgentMaker([shared = *solution] { return std::make_unique<CfrAgent>(shared); });
}

}  // namespace parlor::play
