// Random card-driven games, as text in the game language: cards with sides, branches, targets,
// grants, overrides and lasting effects, option matrices, seasons, pivotal events, coup rounds and
// interrupts, in combinations nobody would write on purpose. The same number gives the same game.
#pragma once

#include <cstdint>
#include <string>

namespace parlor::generate {

std::string card_game(std::uint64_t number);

}  // namespace parlor::generate
