// What a Duel keeps in a StateBlock. Separate from duel.h because only the game and those who break
// it on purpose look inside.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "game/game.h"

namespace parlor::test {

enum class Phase : std::uint8_t { coin, action, play_card, swap_card, finished };

struct DuelState {
  static constexpr std::size_t cards = 8, hand_size = 3, rounds = 3;

  std::array<std::uint8_t, cards> deck;                      // top first; 0: no card
  std::array<std::array<std::uint8_t, hand_size>, 2> hands;  // 0: already played
  std::array<std::uint8_t, 2> table;                         // 0: nothing played this round
  std::array<std::uint8_t, 2> score;
  std::array<std::uint8_t, 2> swapped;
  std::uint8_t deck_size;
  std::uint8_t active;
  std::uint8_t round;
  Phase phase;
};

// A guess at the deck that peeks: it begins from the order the cards really have.
inline void rotate_deck(StateBlock& block, Rng& rng) {
  auto& s = block.as<DuelState>();
  if (s.deck_size > 1)
    std::rotate(s.deck.begin(), s.deck.begin() + static_cast<int>(rng.below(s.deck_size)),
                s.deck.begin() + s.deck_size);
}

}  // namespace parlor::test
