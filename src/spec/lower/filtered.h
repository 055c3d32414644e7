// The zones and the types of tokens that a filter of the game's text keeps.
#pragma once

#include "spec/gamedef/authored.h"

namespace parlor::spec::lower {

bool fits(const ZoneDef& zone, const ZoneFilter& filter);
// Full ids, in the order of the game.
std::vector<std::string> zones_that_fit(const GameDef& game, const ZoneFilter& filter);
std::vector<std::string> types_that_fit(const GameDef& game, const PieceFilter& filter);

}  // namespace parlor::spec::lower
