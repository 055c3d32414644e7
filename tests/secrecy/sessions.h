// Looks for leaks in sessions: two of them are begun in worlds that a viewer cannot tell apart and
// go on alike; as long as the game itself tells the viewer the same in both, whatever the sessions
// tell that viewer is the same, byte for byte. What "the game itself tells" is followed apart from
// the sessions (game/secrecy.h), so a session cannot excuse its own leaks.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "game/secrecy.h"
#include "table/session.h"

namespace parlor::test {

// A session as those meet it who play at it or watch. Tests replace it by ones that tell too much.
class Door {
 public:
  explicit Door(table::Session session) : session_(std::move(session)) {}
  virtual ~Door() = default;

  const table::Session& session() const { return session_; }

  // The answer or the refusal, as data.
  virtual Json act(const table::ActionEnvelope& envelope);
  virtual Json observation(const Viewer& viewer) const { return session_.observation(viewer); }
  virtual Json events(const table::LogEntry& entry, const Viewer& viewer) const {
    return session_.events_for(entry, viewer);
  }
  virtual Json entry(const table::LogEntry& entry, const Viewer& viewer) const {
    return session_.entry_for(entry, viewer);
  }
  virtual Json ending(const Viewer&) const;

 protected:
  table::Session session_;
};
using MakeDoor = std::function<std::unique_ptr<Door>(table::Session)>;
std::unique_ptr<Door> plain_door(table::Session session);

struct SessionSearch {
  int decisions = 6;  // that two sessions go on together, as long as they look the same
  // How many pairs of sessions were compared, and how many decisions they shared.
  int pairs = 0, shared = 0;
};
// Two sessions that have gone on alike, for those who look at what is kept of them. `name`: how the
// game is opened.
struct AlikeSessions {
  table::Session one, other;
};
std::optional<AlikeSessions> play_alike(const std::shared_ptr<const Game>& game,
                                        const std::string& name, const State& state,
                                        const Viewer& viewer, Rng& rng, int decisions);

// From this state on, for this viewer. The first difference that is a leak.
std::optional<Leak> find_session_leak(const std::shared_ptr<const Game>& game, const State& state,
                                      const Viewer& viewer, Rng& rng, SessionSearch& search,
                                      const MakeDoor& make = plain_door);

}  // namespace parlor::test
