// What seats are called.
#pragma once

#include "game/game.h"

namespace parlor {

// The name of a seat for people: "white", or "player 0"; "chance" for nobody's.
std::string seat_name(const Game& game, PlayerId player);

}  // namespace parlor
