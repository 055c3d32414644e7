// The agent `alphabeta`: the search of game/alphabeta.h, for two players with perfect information
// and nothing random. Depth counts whole moves; choices inside a move are searched to the end of
// the move. A game that knows how to be played (Game::thinker) thinks for itself, with the same
// search.
#include "game/alphabeta.h"

#include "base/hash.h"
#include "game/thinker.h"
#include "play/agent_list.h"
#include "play/playout.h"

namespace parlor::play {
namespace {

using alphabeta::Candidate;
using alphabeta::MoveId;
using alphabeta::Value;

struct AlphaBetaSettings {
  ThinkingLimits limits;
  std::size_t table_entries;
};

// Any game, as the search sees it: moves are the indices of options.
class AnyGame {
 public:
  static constexpr std::size_t levels = 512;
  static constexpr std::size_t history_slots = 4096;
  static constexpr bool selective = false;

  explicit AnyGame(const Game& game) : game_(game) {}

  void begin(const State& state) {
    if (stack_.empty())
      for (std::size_t i = 0; i < levels; ++i)
        stack_.push_back({State{game_, StateBlock{}}, {}, {}});
    stack_[0].state.block() = state.block();
    stack_[0].decision = state.decision();
    stack_[0].state.list_options(stack_[0].options);
  }

  int side(std::size_t level) const {
    const Decision& decision = stack_[level].decision;
    return decision.kind == DecisionKind::finished ? 0 : static_cast<int>(decision.player.index());
  }
  bool whole(std::size_t level) const { return stack_[level].decision.starts_move; }
  std::optional<Value> ended(std::size_t level) {
    if (stack_[level].decision.kind != DecisionKind::finished) return std::nullopt;
    game_.returns(stack_[level].state.block(), std::span{returns_}.first(2));
    return (returns_[0] - returns_[1]) * (alphabeta::win / 2);
  }
  Value standing(std::size_t level) {
    constexpr Value most = alphabeta::decided - 1;
    if (!game_.standing(stack_[level].state.block(), std::span{returns_}.first(2))) return 0;
    const auto us = static_cast<std::size_t>(side(level));
    return std::clamp((returns_[us] - returns_[1 - us]) / 2, -most, most);
  }
  std::uint64_t key(std::size_t level) const {
    return hash_combine(stack_[level].state.hash(), stack_[level].decision.player.value);
  }
  void list(std::size_t level, bool, std::vector<Candidate>& out) {
    Level& here = stack_[level];
    here.state.list_options(here.options);
    for (std::size_t i = 0; i < here.options.size(); ++i)
      out.push_back({static_cast<MoveId>(i),
                     static_cast<std::int32_t>(mix(here.options[i].id) % history_slots)});
  }
  bool play(std::size_t level, MoveId move) {
    Level& next = stack_[level + 1];
    next.state.block() = stack_[level].state.block();
    if (!next.state.apply(stack_[level].options[move])) return false;
    next.decision = next.state.decision();
    return true;
  }

 private:
  struct Level {
    State state;
    OptionList options;
    Decision decision;
  };
  const Game& game_;
  std::vector<Level> stack_;
  Returns returns_{};
};

class AlphaBetaAgent final : public Agent {
 public:
  AlphaBetaAgent(const Game& game, const AlphaBetaSettings& settings)
      : settings_(settings), policy_(game), table_(settings.table_entries) {}

  void sit_down(const State&, PlayerId, Seed seed) override {
    rng_ = Rng(seed);
    table_.clear();
    search_.forget();
  }

  std::size_t decide(const State& state, const OptionList& options) override {
    if (options.size() == 1) return 0;
    policy_.begin(state);
    table_.begin_search();
    // Equal moves are equally likely to be chosen: the root starts in random order.
    order_.resize(options.size());
    for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = static_cast<MoveId>(i);
    for (std::size_t i = order_.size() - 1; i > 0; --i)
      std::swap(order_[i], order_[pick_below(rng_, i + 1)]);
    alphabeta::Watch watch(wanted());
    if (settings_.limits.time.count() != 0)
      watch.allow(settings_.limits.time, settings_.limits.time);
    alphabeta::Limits limits;
    limits.depth = settings_.limits.depth;
    limits.nodes = settings_.limits.nodes;
    limits.watch = &watch;
    return search_.best(order_, limits);
  }

 private:
  AlphaBetaSettings settings_;
  AnyGame policy_;
  alphabeta::Table table_;
  alphabeta::Search<AnyGame> search_{policy_, table_};
  std::vector<MoveId> order_;
  Rng rng_;
};

// A game that thinks for itself.
class ThinkingAgent final : public Agent {
 public:
  ThinkingAgent(std::unique_ptr<Thinker> thinker, const ThinkingLimits& limits)
      : thinker_(std::move(thinker)), limits_(limits) {}

  void sit_down(const State&, PlayerId, Seed seed) override {
    rng_ = Rng(seed);
    thinker_->forget();
  }
  std::size_t decide(const State& seen, const OptionList& options) override {
    if (options.size() == 1) return 0;
    limits_.wanted = wanted();
    const Option option = thinker_->think(seen.block(), limits_, rng_);
    return static_cast<std::size_t>(std::ranges::find(options, option) - options.begin()) %
           options.size();
  }

 private:
  std::unique_ptr<Thinker> thinker_;
  ThinkingLimits limits_;
  Rng rng_;
};

}  // namespace

PreparedAgent prepare_alphabeta(const Game& game, const AgentSettings& settings) {
  AlphaBetaSettings chosen;
  chosen.limits.depth = static_cast<int>(settings.number("depth"));
  chosen.limits.nodes = settings.count("nodes");
  chosen.limits.time =
      std::chrono::microseconds(static_cast<std::int64_t>(settings.number("ms") * 1000));
  chosen.table_entries = std::size_t{1} << static_cast<int>(settings.number("table"));
  return AgentMaker([&game, chosen]() -> std::unique_ptr<Agent> {
    if (auto thinker = game.thinker(chosen.table_entries))
      return std::make_unique<ThinkingAgent>(std::move(thinker), chosen.limits);
    return std::make_unique<AlphaBetaAgent>(game, chosen);
  });
}

}  // namespace parlor::play
