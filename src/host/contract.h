// What a client is shown of a game: the one place that decides it. Everything a table tells about
// a state goes through these functions.
#pragma once

#include "game/game.h"

namespace parlor::host {

// How the game looks, once for all its states; null: the game does not say.
Json scene_json(const Game& game);
// The state as this viewer sees it.
Json view_json(const State& state, const Viewer& viewer);
// The decision with, for those whose it is, its options: {"index", "label", "text", "action",
// "params"} or {"index", "label", "text", "value"}. Null when the game is over.
Json decision_json(const State& state, const Viewer& viewer);

}  // namespace parlor::host
