// More than one move in a turn.
#include "chess/presets/presets.h"

namespace parlor::chess::inline PARLOR_BOARD::presets {

void turns(std::vector<Preset>& out) {
  const auto two_moves = [](const Engine& engine, const MoveEvent& event, int half_moves) {
    return !engine.in_scope(event.mover) || half_moves >= 2;
  };
  Preset twice = describe("double-move", "Double move", "multi-move", "Each turn is two moves.");
  twice.hooks.should_advance_turn = two_moves;
  out.push_back(std::move(twice));

  Preset monster =
      describe("monster-rules", "Monster", "multi-move",
               "The sides it is for move twice a turn; meant for one side with few pieces.");
  monster.hooks.should_advance_turn = two_moves;
  out.push_back(std::move(monster));
}

}  // namespace parlor::chess::inline PARLOR_BOARD::presets
