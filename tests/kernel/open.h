// Opens a GameDef with the kernel, for tests.
#pragma once

#include <stdexcept>

#include "kernel/kernel.h"

namespace parlor {

inline std::shared_ptr<const kernel::KernelGame> open_kernel(spec::GameDef def,
                                                             std::size_t players = 0) {
  auto game = kernel::open_game(std::move(def), {.players = players});
  if (!game) {
    std::string text = "the kernel does not open the game:";
    for (const Diagnostic& d : game.error().all()) text += " " + d.message;
    throw std::runtime_error(text);
  }
  return *game;
}

}  // namespace parlor
