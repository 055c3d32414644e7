// Random games without cards, as text in the tree notation: nested conditions, sums, queries and
// effects that nobody would write on purpose, all of them well typed. The same number gives the
// same game.
#pragma once

#include <cstdint>
#include <string>

namespace parlor::generate {

std::string plain_game(std::uint64_t number);

}  // namespace parlor::generate
