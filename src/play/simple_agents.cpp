// Agents without a tree: `greedy` looks one move ahead, `flat` plays every option out at random.
#include <limits>

#include "game/worlds.h"
#include "play/agent_list.h"
#include "play/playout.h"

namespace parlor::play {
namespace {

// How `seat` does compared with the best of the others.
std::int64_t lead(std::span<const std::int64_t> values, PlayerId seat) {
  std::int64_t best_other = std::numeric_limits<std::int64_t>::min();
  for (std::size_t i = 0; i < values.size(); ++i)
    if (i != seat.index()) best_other = std::max(best_other, values[i]);
  return values.size() < 2 ? values[0] : values[seat.index()] - best_other;
}

class GreedyAgent final : public Agent {
 public:
  GreedyAgent(const Game& game, std::size_t samples)
      : worlds_(needs_resampling(game.info()) ? game.worlds() : nullptr),
        scratch_(game, StateBlock{}),
        samples_(samples),
        players_(game.info().players) {
    // Without anything random a second look shows the same.
    certain_ = !game.info().has_chance && !game.info().hidden_information;
  }

  void sit_down(const State&, PlayerId seat, Seed seed) override {
    seat_ = seat;
    rng_ = Rng(seed);
  }

  std::size_t decide(const State& state, const OptionList& options) override {
    std::size_t best = 0;
    std::size_t ties = 0;
    double best_value = 0;
    if (worlds_) worlds_->look_at(state.block(), Viewer::player(seat_));
    for (std::size_t i = 0; i < options.size(); ++i) {
      const double value = worth(state, options[i]);
      if (i != 0 && value < best_value) continue;
      ties = i == 0 || value > best_value ? 1 : ties + 1;
      best_value = value;
      if (ties == 1 || pick_below(rng_, ties) == 0) best = i;
    }
    return best;
  }

 private:
  double worth(const State& state, Option option) {
    double sum = 0;
    std::size_t looks = 0;
    do {
      if (worlds_)
        worlds_->deal(scratch_.block(), rng_);
      else
        scratch_.block() = state.block();
      if (!scratch_.apply(option)) return std::numeric_limits<double>::lowest();
      const bool inside_move = finish_move();
      sum += judge();
      ++looks;
      if (certain_ && !inside_move) break;
    } while (looks < samples_);
    return sum / static_cast<double>(looks);
  }

  // Random choices up to the end of the move; true if there were any.
  bool finish_move() {
    constexpr int longest_move = 200;
    for (int i = 0; i < longest_move; ++i) {
      const Decision decision = scratch_.decision();
      const bool open = decision.kind != DecisionKind::finished && !decision.starts_move &&
                        (decision.kind == DecisionKind::chance || decision.player == seat_);
      if (!open) return i != 0;
      scratch_.list_options(options_);
      if (options_.empty() || !scratch_.apply(options_[pick_option(rng_, options_)])) return true;
    }
    return true;
  }

  double judge() {
    constexpr double end_of_game = 1e6;
    const auto values = std::span{returns_}.first(players_);
    if (scratch_.finished()) {
      scratch_.game().returns(scratch_.block(), values);
      return end_of_game * static_cast<double>(lead(values, seat_));
    }
    if (!scratch_.game().standing(scratch_.block(), values)) return 0;
    return static_cast<double>(lead(values, seat_));
  }

  std::unique_ptr<Worlds> worlds_;  // null: nothing is made up
  State scratch_;
  OptionList options_;
  std::size_t samples_;
  std::size_t players_;
  bool certain_;
  PlayerId seat_;
  Rng rng_;
  Returns returns_{};
};

class FlatAgent final : public Agent {
 public:
  FlatAgent(const Game& game, std::size_t playouts, std::size_t depth)
      : worlds_(needs_resampling(game.info()) ? game.worlds() : nullptr),
        scratch_(game, StateBlock{}),
        playouts_(playouts),
        depth_(depth),
        players_(game.info().players) {}

  void sit_down(const State&, PlayerId seat, Seed seed) override {
    seat_ = seat;
    rng_ = Rng(seed);
  }

  std::size_t decide(const State& state, const OptionList& options) override {
    if (options.size() == 1) return 0;
    totals_.assign(options.size(), 0);
    const std::size_t each = std::max<std::size_t>(1, playouts_ / options.size());
    const auto returns = std::span{returns_}.first(players_);
    if (worlds_) worlds_->look_at(state.block(), Viewer::player(seat_));
    for (std::size_t round = 0; round < each && !unwanted(); ++round)
      for (std::size_t i = 0; i < options.size(); ++i) {
        if (worlds_)
          worlds_->deal(scratch_.block(), rng_);
        else
          scratch_.block() = state.block();
        if (!scratch_.apply_and_list(options[i], listed_)) continue;
        play_out(scratch_, listed_, rng_, depth_, returns, {.wanted = wanted()});
        totals_[i] += returns[seat_.index()];
      }
    return static_cast<std::size_t>(std::ranges::max_element(totals_) - totals_.begin());
  }

 private:
  std::unique_ptr<Worlds> worlds_;  // null: nothing is made up
  State scratch_;
  OptionList listed_;
  std::size_t playouts_;
  std::size_t depth_;
  std::size_t players_;
  PlayerId seat_;
  Rng rng_;
  Returns returns_{};
  std::vector<std::int64_t> totals_;
};

}  // namespace

PreparedAgent prepare_greedy(const Game& game, const AgentSettings& settings) {
  return AgentMaker([&game, samples = settings.count("samples")] {
    return std::make_unique<GreedyAgent>(game, samples);
  });
}

PreparedAgent prepare_flat(const Game& game, const AgentSettings& settings) {
  return AgentMaker(
      [&game, playouts = settings.count("playouts"), depth = settings.count("depth")] {
        return std::make_unique<FlatAgent>(game, playouts, depth);
      });
}

}  // namespace parlor::play
