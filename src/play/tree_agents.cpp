// The agents `mcts` and `ismcts`: one search tree, or several side by side whose roots are added
// up.
#include <chrono>
#include <thread>

#include "play/agent_list.h"
#include "play/tree.h"

namespace parlor::play {
namespace {

class TreeAgent final : public Agent {
 public:
  TreeAgent(const Game& game, const TreeSettings& settings, double move_time, std::size_t threads)
      : decision_time_(settings.milliseconds), move_time_(move_time), move_left_(move_time) {
    TreeSettings share = settings;
    share.iterations = (settings.iterations + threads - 1) / threads;
    for (std::size_t i = 0; i < threads; ++i)
      trees_.push_back(std::make_unique<SearchTree>(game, share));
    reuse_ = settings.reuse;
  }

  void sit_down(const State&, PlayerId seat, Seed seed) override {
    seat_ = seat;
    for (std::size_t i = 0; i < trees_.size(); ++i) trees_[i]->begin(derive_seed(seed, i));
  }

  std::size_t decide(const State& state, const OptionList& options) override {
    if (state.decision().starts_move) move_left_ = move_time_;
    if (options.size() == 1) return 0;
    const MoveClock clock(*this);
    {
      std::vector<std::jthread> others;
      for (std::size_t i = 1; i < trees_.size(); ++i)
        others.emplace_back([this, i, &state] { trees_[i]->search(state, seat_, wanted()); });
      trees_[0]->search(state, seat_, wanted());
    }
    return most_visited(options);
  }

  void follow(Option option, const State& after) override {
    for (auto& tree : trees_) tree->advance(option, after);
  }
  bool needs_history() const override { return reuse_; }

 private:
  // While it lives a choice is searched for: it may take half of what its move has left, so that
  // however many follow the move comes in time.
  class MoveClock {
   public:
    explicit MoveClock(TreeAgent& agent) : agent_(agent) {
      if (agent.move_time_ == 0) return;
      double limit = std::max(1.0, agent.move_left_ / 2);
      if (agent.decision_time_ > 0) limit = std::min(limit, agent.decision_time_);
      for (auto& tree : agent.trees_) tree->limit_time(limit);
    }
    ~MoveClock() {
      const std::chrono::duration<double, std::milli> used = Clock::now() - begin_;
      agent_.move_left_ = std::max(0.0, agent_.move_left_ - used.count());
    }
    MoveClock(const MoveClock&) = delete;
    MoveClock& operator=(const MoveClock&) = delete;

   private:
    using Clock = std::chrono::steady_clock;
    TreeAgent& agent_;
    Clock::time_point begin_ = Clock::now();
  };

  // What is certain comes first, then visits of all trees together; the mean return decides ties.
  std::size_t most_visited(const OptionList& options) {
    constexpr std::int64_t certain = std::int64_t{1} << 40;
    visits_.assign(options.size(), 0);
    totals_.assign(options.size(), 0);
    for (const auto& tree : trees_) {
      tree->root_children(children_);
      for (const auto& child : children_) {
        const auto found = std::ranges::find(options, child.option);
        if (found == options.end()) continue;
        const auto index = static_cast<std::size_t>(found - options.begin());
        visits_[index] += child.visits;
        if (child.proof != SearchTree::Proof::none)
          visits_[index] += child.proof == SearchTree::Proof::win ? certain : -certain;
        totals_[index] += child.mean * child.visits;
      }
    }
    std::size_t best = 0;
    for (std::size_t i = 1; i < options.size(); ++i)
      if (visits_[i] > visits_[best] || (visits_[i] == visits_[best] && totals_[i] > totals_[best]))
        best = i;
    return best;
  }

  std::vector<std::unique_ptr<SearchTree>> trees_;
  bool reuse_ = true;
  double decision_time_, move_time_;  // milliseconds; 0: no limit
  double move_left_;
  PlayerId seat_;
  std::vector<SearchTree::RootChild> children_;
  std::vector<std::int64_t> visits_;
  std::vector<double> totals_;
};

PreparedAgent prepare_tree(const Game& game, const AgentSettings& settings) {
  TreeSettings tree;
  tree.milliseconds = settings.number("ms");
  tree.iterations = settings.count("iters");
  const double move_time = settings.number("move");
  if (tree.iterations == 0 && tree.milliseconds == 0 && move_time == 0) tree.iterations = 1000;
  tree.exploration = settings.number("c");
  tree.wide = settings.count("wide");
  tree.widening = settings.number("widen");
  tree.depth = settings.count("depth");
  tree.reuse = settings.number("reuse") != 0;
  const std::size_t threads = settings.count("threads");
  return AgentMaker([&game, tree, move_time, threads] {
    return std::make_unique<TreeAgent>(game, tree, move_time, threads);
  });
}

}  // namespace

PreparedAgent prepare_mcts(const Game& game, const AgentSettings& settings) {
  return prepare_tree(game, settings);
}
PreparedAgent prepare_ismcts(const Game& game, const AgentSettings& settings) {
  return prepare_tree(game, settings);
}

}  // namespace parlor::play
