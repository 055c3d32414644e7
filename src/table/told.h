// How a session tells apart what everybody may know and what only some may.
#pragma once

#include "game/game.h"

namespace parlor::table {

// Among the seats of "seenBy": those who only watch.
inline constexpr const char* spectators = "spectators";

// An event as the log keeps it, with who may know it.
Json event_kept(const Event& event, std::size_t players);

// Through whose eyes an actor looks; the table itself sees everything.
inline Viewer viewer_of(PlayerId actor) {
  return actor.is_none() ? Viewer::everything() : Viewer::player(actor);
}

}  // namespace parlor::table
