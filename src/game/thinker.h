// A game's own way to look ahead: the search of alphabeta.h with the game's knowledge of what to
// try first and who stands better. The agent `alphabeta` uses it where there is one.
#pragma once

#include <atomic>
#include <chrono>

#include "base/rng.h"
#include "game/game.h"

namespace parlor {

struct ThinkingLimits {
  int depth = 100;                            // whole moves
  std::uint64_t nodes = 0;                    // positions; 0: no limit
  std::chrono::microseconds time{0};          // 0: no limit
  const std::atomic<bool>* wanted = nullptr;  // thinking ends when it turns false; null: never
};

class Thinker {
 public:
  virtual ~Thinker() = default;
  // A new game begins: nothing of the last one may change what is thought.
  virtual void forget() = 0;
  // One of the options of an unfinished state. Without a limit of time the same calls give the same
  // answers; `rng` decides between options that look alike.
  virtual Option think(const StateBlock& block, const ThinkingLimits& limits, Rng& rng) = 0;
};

}  // namespace parlor
