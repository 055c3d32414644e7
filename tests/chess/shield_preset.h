// The example of docs/house-rules.md; the test compares the text between the marks with the page.
#pragma once

#include "chess/engine.h"

namespace parlor::chess {

// guide-begin
inline Preset shield_preset() {
  Preset preset;
  preset.module.id = "shield";
  preset.module.name = "Shield";
  preset.module.description = "Every piece survives its first capture.";
  preset.attributes = {{"Guard", 0, 1}};

  const auto seed = [](Engine& engine, const Piece& piece) {
    if (engine.in_scope(piece.side)) engine.set_attribute(piece, engine.own_attribute(0), 1);
  };
  preset.hooks.on_activate = [seed](Engine& engine) {
    for (const Square square : squares_of(engine.board().occupied()))
      seed(engine, engine.piece_at(square));
  };
  preset.hooks.on_piece_spawn = seed;
  preset.hooks.on_damage = [](Engine& engine, const Damage& damage) {
    const std::size_t guard = engine.own_attribute(0);
    const int held = engine.attribute(damage.target, guard);
    const int absorbed = std::min(held, damage.amount);
    engine.set_attribute(damage.target, guard, held - absorbed);
    return DamageAnswer::pass(damage.amount - absorbed);
  };
  return preset;
}
// guide-end

}  // namespace parlor::chess
