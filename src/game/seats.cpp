#include "game/seats.h"

#include <fmt/core.h>

namespace parlor {

std::string seat_name(const Game& game, PlayerId player) {
  if (player.is_none()) return "chance";
  const auto& seats = game.info().seats;
  if (player.index() < seats.size() &&
      seats[player.index()].find_first_not_of("0123456789") != std::string::npos)
    return seats[player.index()];
  return fmt::format("player {}", player.value);
}

}  // namespace parlor
