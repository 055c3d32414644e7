// The part of the conformance suite about games that tell their ends (tells_ends.h). Not for use
// elsewhere.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "game/game.h"

namespace parlor {

// What was met in all finished states looked at.
struct EndsMet {
  std::map<std::uint32_t, Json> outcomes;  // by ending
};

// Whether a finished state is told of in the same way by number, by what is read and by the words
// of its hash. Says what went wrong, if anything; nothing where the game does not tell its ends.
std::optional<std::string> find_misread_end(const State& finished, EndsMet& met);

}  // namespace parlor
