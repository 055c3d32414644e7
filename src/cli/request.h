// What a person types for a move, as a request that `find_option` and `Game::why_not` understand.
#pragma once

#include <string>
#include <vector>

#include "game/game.h"

namespace parlor::cli {

// JSON as in a moves file, an index, an option's text (or what the game takes for it, such as SAN),
// `action param=value …`, or the words that the decider sees on the screen.
Json request_of(const State& state, const std::string& text,
                const Viewer& viewer = Viewer::everything());
// What the text can mean, whatever the state.
std::vector<Json> readings_of(const std::string& text);

// A reason in one or several lines for people: things by the names they have on the screen. What
// only scripts want (ids, places that the message names already) is left out.
std::string reason_text(const State& state, const Rejection& reason, const Viewer& viewer);

}  // namespace parlor::cli
