// What a Duel keeps in a StateBlock. Separate from duel.h because only the game and those who break
// it on purpose look inside.
#pragma once

#include <array>
#include <cstdint>

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

}  // namespace parlor::test
