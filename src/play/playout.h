// Playing on at random to the end of the game: the judgement of Monte Carlo agents.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <span>

#include "game/game.h"
#include "play/loop.h"

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

// How long somebody thinks: until a moment, and only as long as the answer is wanted.
struct Patience {
  using Clock = std::chrono::steady_clock;
  Clock::time_point until = Clock::time_point::max();
  const std::atomic<bool>* wanted = nullptr;  // null: always

  bool is_out() const {
    if (wanted != nullptr && !wanted->load(std::memory_order_relaxed)) return true;
    return until != Clock::time_point::max() && Clock::now() >= until;
  }
};

// Plays `state` on for at most `limit` decisions and fills the returns, one per player. `options`
// are those of the state, and room that is used again. Where patience is out sooner, the game is
// judged as it stands: one long game, of rules that are slow, must not keep anybody waiting.
inline void play_out(State& state, OptionList& options, Rng& rng, std::size_t limit,
                     std::span<std::int64_t> returns, const Patience& patience = {}) {
  struct Hurried : Random {
    const Patience& patience;

    bool goes_on(std::uint64_t made) {
      constexpr std::uint64_t between_looks = 8;  // decisions: looking takes as long as a fast one
      return made % between_looks != between_looks - 1 || !patience.is_out();
    }
  };
  if (play_on_from(state, options, limit, Hurried{{rng}, patience}) == Stop::finished)
    state.game().returns(state.block(), returns);
  else
    judge_unfinished(state, returns);
}

}  // namespace parlor::play
