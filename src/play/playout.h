// Playing on at random to the end of the game: the judgement of Monte Carlo agents.
#pragma once

#include <array>
#include <span>

#include "game/game.h"
#include "play/dice.h"

namespace parlor::play {

using Returns = std::array<std::int64_t, max_players>;

// Whether play can go differently after the same choices, or the decider does not know where they
// stand: then look-ahead starts from `resample_hidden`.
inline bool needs_resampling(const GameInfo& info) {
  return info.hidden_information || (info.has_chance && !info.explicit_chance);
}

// What a game that was not played to its end is worth: +1 to those who stand best, -1 to the rest,
// if the game says how players stand; otherwise nothing.
inline void judge_unfinished(const State& state, std::span<std::int64_t> returns) {
  Returns standing{};
  const auto players = std::span{standing}.first(returns.size());
  std::ranges::fill(returns, 0);
  if (!state.game().standing(state.block(), players)) return;
  const std::int64_t best = std::ranges::max(players);
  if (best == std::ranges::min(players)) return;
  for (std::size_t i = 0; i < returns.size(); ++i) returns[i] = players[i] == best ? 1 : -1;
}

class Playout {
 public:
  // Plays `state` on for at most `limit` decisions and fills the returns, one per player.
  void run(State& state, Rng& rng, std::size_t limit, std::span<std::int64_t> returns) {
    for (std::size_t i = 0; i < limit; ++i) {
      if (state.finished()) return state.game().returns(state.block(), returns);
      state.list_options(options_);
      if (options_.empty()) break;
      if (!state.apply(options_[pick_option(rng, options_)])) break;
    }
    if (state.finished()) return state.game().returns(state.block(), returns);
    judge_unfinished(state, returns);
  }

 private:
  OptionList options_;
};

}  // namespace parlor::play
