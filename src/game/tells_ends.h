// Games that say how they ended at next to no cost: whoever plays millions of games asks for the
// end of every one of them. Other games are asked through Game itself.
#pragma once

#include "base/hash_chains.h"
#include "game/game.h"

namespace parlor {

class TellsEnds {
 public:
  virtual ~TellsEnds() = default;
  // The same as Game::outcome; what `out` held before is gone.
  virtual void read_outcome(const StateBlock& block, Outcome& out) const = 0;
  // A small number for how a finished game ended: all that end with the same number have the same
  // outcome, so that it need be read only once. `no_ending`: this outcome is one of its own.
  virtual std::uint32_t ending(const StateBlock& block) const = 0;
  static constexpr std::uint32_t no_ending = ~std::uint32_t{0};
  // Game::hash of a state as a chain of words (base/hash_chains.h), and how many there are. Of many
  // states the chains are computed side by side.
  virtual std::size_t hash_words(const StateBlock& block, HashLane lane) const = 0;
};

}  // namespace parlor
