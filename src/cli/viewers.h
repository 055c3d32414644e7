// --viewer: through whose eyes a command shows a game.
#pragma once

#include <memory>
#include <string>

#include "cli/command.h"
#include "game/game.h"

namespace parlor::cli {

std::shared_ptr<std::string> add_viewer_option(CLI::App& app);

// A seat by number or name, `spectator`, an observer the game declares, or SEAT:OBSERVER; nothing
// given: everything. On failure all was said already and the value is the exit code.
tl::expected<Viewer, int> read_viewer(Context& context, const Game& game, const std::string& text);

// What this viewer is told of a state: the view with "decision", "outcome" and "viewHash"; the hash
// of the state itself only for tools that see everything.
Json state_told(const State& state, const Viewer& viewer);

}  // namespace parlor::cli
