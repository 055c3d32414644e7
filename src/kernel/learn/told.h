// What of a game's variables and token types is told to those who learn: everything that players
// are shown, and what they are not shown (`omit`, `material: false`) as far as an action or the end
// of the game asks for it. A memory of positions is never told: its fingerprints are arbitrary
// numbers.
#pragma once

#include "kernel/program/program.h"

namespace parlor::kernel {

struct Told {
  std::vector<VarId> globals, of_players, of_zones;
  std::vector<bool> types;  // of tokens

  explicit Told(const Program& program);
};

}  // namespace parlor::kernel
