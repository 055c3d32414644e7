// The agent `alphabeta`: iterative deepening with a transposition table, for two players with
// perfect information and nothing random. Depth counts whole moves; choices inside a move are
// searched to the end of the move.
#include <chrono>
#include <limits>

#include "base/hash.h"
#include "play/agent_list.h"
#include "play/playout.h"

namespace parlor::play {
namespace {

using Value = std::int64_t;
constexpr Value infinite = std::numeric_limits<Value>::max() / 4;
constexpr Value win = 1'000'000'000;  // per point of the game's returns
constexpr Value most_standing = 500'000'000;
constexpr std::size_t longest_line = 512;  // decisions below the root

struct AlphaBetaSettings {
  int depth;
  std::uint64_t nodes;
  double milliseconds;
  int table_bits;
};

class AlphaBetaAgent final : public Agent {
 public:
  AlphaBetaAgent(const Game& game, const AlphaBetaSettings& settings)
      : game_(game), settings_(settings), table_(std::size_t{1} << settings.table_bits) {}

  void sit_down(const State&, PlayerId, Seed seed) override {
    rng_ = Rng(seed);
    std::ranges::fill(table_, Entry{});
    std::ranges::fill(history_, 0);
  }

  std::size_t decide(const State& state, const OptionList& options) override {
    if (options.size() == 1) return 0;
    prepare(state);
    me_ = state.decision().player;
    deadline_ = Clock::now() +
                std::chrono::microseconds(static_cast<std::int64_t>(settings_.milliseconds * 1000));
    // Equal moves are equally likely to be chosen: the root starts in random order.
    order_.resize(options.size());
    for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = i;
    for (std::size_t i = order_.size() - 1; i > 0; --i)
      std::swap(order_[i], order_[pick_below(rng_, i + 1)]);
    for (int depth = 1; depth <= settings_.depth && !stopped_; ++depth)
      if (search_root(options, depth)) break;
    return order_.front();
  }

 private:
  using Clock = std::chrono::steady_clock;
  enum class Bound : std::uint8_t { none, exact, at_least, at_most };
  struct Entry {
    std::uint64_t key = 0;
    Value value = 0;
    std::uint64_t option = 0;
    std::int16_t depth = 0;
    Bound bound = Bound::none;
  };
  struct Ranked {
    std::int64_t rank;
    std::size_t index;  // keeps equals in the game's own order
    Option option;
  };
  struct Level {
    State state;
    OptionList options;
    std::vector<Ranked> ordered;
  };

  void prepare(const State& state) {
    if (levels_.empty())
      for (std::size_t i = 0; i <= longest_line; ++i)
        levels_.push_back({State{game_, StateBlock{}}, {}, {}});
    levels_[0].state.block() = state.block();
    visited_ = 0;
    stopped_ = false;
  }

  // Searches all root moves; the best one comes first afterwards. True: nothing more to find.
  bool search_root(const OptionList& options, int depth) {
    Value best = -infinite;
    std::size_t best_at = 0;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      levels_[1].state.block() = levels_[0].state.block();
      if (!levels_[1].state.apply(options[order_[i]])) continue;
      const Value value = from_child(1, depth, best, infinite, me_);
      if (stopped_) break;
      if (value > best) {
        best = value;
        best_at = i;
      }
    }
    if (!stopped_ || best > -infinite)
      std::rotate(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(best_at),
                  order_.begin() + static_cast<std::ptrdiff_t>(best_at) + 1);
    return best >= win / 2 || best <= -win / 2;
  }

  // The value for `parent` of the state at `level`, which was just reached by one of its options.
  Value from_child(std::size_t level, int depth, Value alpha, Value beta, PlayerId parent) {
    const Decision decision = levels_[level].state.decision();
    if (decision.kind == DecisionKind::finished) {
      game_.returns(levels_[level].state.block(), std::span{returns_}.first(2));
      const Value gain = returns_[parent.index()] - returns_[1 - parent.index()];
      const auto line = static_cast<Value>(level);  // sooner wins and later losses are better
      return gain > 0 ? gain * win / 2 - line : gain < 0 ? gain * win / 2 + line : 0;
    }
    const int rest = decision.starts_move ? depth - 1 : depth;
    if (decision.player == parent) return negamax(level, rest, alpha, beta, decision);
    return -negamax(level, rest, -beta, -alpha, decision);
  }

  bool out_of_budget() {
    ++visited_;
    if (settings_.nodes != 0 && visited_ >= settings_.nodes) stopped_ = true;
    if (settings_.milliseconds > 0 && visited_ % 256 == 0 && Clock::now() >= deadline_)
      stopped_ = true;
    return stopped_;
  }

  Value standing(const State& state, PlayerId player) {
    if (!game_.standing(state.block(), std::span{returns_}.first(2))) return 0;
    return std::clamp(returns_[player.index()] - returns_[1 - player.index()], -most_standing,
                      most_standing) /
           2;
  }

  Value negamax(std::size_t level, int depth, Value alpha, Value beta, const Decision& decision) {
    Level& here = levels_[level];
    if (out_of_budget()) return 0;
    if ((depth <= 0 && decision.starts_move) || level >= longest_line)
      return standing(here.state, decision.player);
    const std::uint64_t key = hash_combine(here.state.hash(), decision.player.value);
    Entry& entry = table_[key & (table_.size() - 1)];
    std::uint64_t first = ~std::uint64_t{0};
    if (entry.key == key && entry.bound != Bound::none) {
      first = entry.option;
      // Distances to the end depend on the path, so decided values are searched again.
      if (entry.depth >= depth && std::abs(entry.value) < win / 4) {
        if (entry.bound == Bound::exact) return entry.value;
        if (entry.bound == Bound::at_least && entry.value >= beta) return entry.value;
        if (entry.bound == Bound::at_most && entry.value <= alpha) return entry.value;
      }
    }
    order_options(here, first);
    const Value floor = alpha;
    Value best = -infinite;
    Option best_option{};
    for (const auto& [rank, index, option] : here.ordered) {
      levels_[level + 1].state.block() = here.state.block();
      if (!levels_[level + 1].state.apply(option)) continue;
      const Value value =
          from_child(level + 1, depth, std::max(alpha, best), beta, decision.player);
      if (stopped_) return 0;
      if (value > best) {
        best = value;
        best_option = option;
      }
      if (best >= beta) {
        history_[mix(option.id) % history_.size()] += static_cast<std::int64_t>(depth) * depth + 1;
        break;
      }
    }
    const Bound bound = best >= beta    ? Bound::at_least
                        : best <= floor ? Bound::at_most
                                        : Bound::exact;
    entry = {key, best, best_option.id, static_cast<std::int16_t>(depth), bound};
    return best;
  }

  // The table's move first, then what caused cut-offs elsewhere.
  void order_options(Level& here, std::uint64_t first) {
    here.state.list_options(here.options);
    here.ordered.clear();
    for (std::size_t i = 0; i < here.options.size(); ++i) {
      const Option option = here.options[i];
      const std::int64_t rank = option.id == first ? std::numeric_limits<std::int64_t>::max()
                                                   : history_[mix(option.id) % history_.size()];
      here.ordered.push_back({rank, i, option});
    }
    std::ranges::sort(here.ordered, [](const Ranked& a, const Ranked& b) {
      return a.rank != b.rank ? a.rank > b.rank : a.index < b.index;
    });
  }

  const Game& game_;
  AlphaBetaSettings settings_;
  std::vector<Entry> table_;
  std::array<std::int64_t, 4096> history_{};
  std::vector<Level> levels_;
  std::vector<std::size_t> order_;
  PlayerId me_;
  Rng rng_;
  Returns returns_{};
  std::uint64_t visited_ = 0;
  bool stopped_ = false;
  Clock::time_point deadline_;
};

}  // namespace

PreparedAgent prepare_alphabeta(const Game& game, const AgentSettings& settings) {
  const AlphaBetaSettings chosen{static_cast<int>(settings.number("depth")),
                                 settings.count("nodes"), settings.number("ms"),
                                 static_cast<int>(settings.number("table"))};
  return AgentMaker([&game, chosen] { return std::make_unique<AlphaBetaAgent>(game, chosen); });
}

}  // namespace parlor::play
