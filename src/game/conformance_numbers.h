// The part of the conformance suite about numbers for those who learn. Not for use elsewhere.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "game/game.h"

namespace parlor {

// What each number meant where it was met, over all states looked at.
struct NumbersMet {
  std::map<std::uint32_t, std::string> texts;
};

// Whether options have numbers of their own, in the space, that mean the same as before and are
// found by their names. Says what went wrong, if anything.
std::optional<std::string> find_misnumbered(const State& state, const OptionList& options,
                                            NumbersMet& met);

// Whether what a player sees in numbers is within its bounds, and the same in `other`, which the
// player cannot tell from `state`.
std::optional<std::string> find_misobserved(const State& state, const State& other,
                                            PlayerId player);

}  // namespace parlor
