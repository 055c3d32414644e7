// Looks for leaks: two worlds that a viewer cannot tell apart must tell that viewer the same, byte
// for byte, whatever they ask. Used by the conformance suite for every game, and by tests for games
// and sessions that leak on purpose.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "game/game.h"

namespace parlor {

// The players, a spectator, and every observer the game declares: by itself and as a player looks
// through it.
std::vector<Viewer> viewers_of(const Game& game);
std::string viewer_name(const Viewer& viewer);

// Everything this viewer can ask for about a state, by where it comes from: view, description,
// decision, options with ids, texts, labels, JSON and numbers, question, what a page draws, what a
// learner gets, answers and refusals to `requests`. A viewer who may decide is asked as the
// decider.
Json everything_told(const State& state, const Viewer& viewer, const std::vector<Json>& requests);

// Requests somebody might try in this state: all that is offered, in the form of those who see
// everything (so with the true names of things), changed a little, and nonsense.
std::vector<Json> probing_requests(const State& state);

// What a viewer is told of some decisions, and what they can make of it afterwards.
struct Followed {
  State after;
  Json events;      // as this viewer is told them
  State knowledge;  // a world made with the same dice wherever the viewer knows the same

  // Somebody who was told this cannot tell the two apart.
  bool looks_like(const Followed& other) const {
    return events == other.events && knowledge == other.knowledge;
  }
};
// Nothing if the rules go wrong on the way.
std::optional<Followed> follow(const State& before, std::span<const Option> choices,
                               const Viewer& viewer);

struct Leak {
  std::string where;    // "view", "options", "why", "events", "guess" …
  std::string message;  // what differs
};
// Makes `worlds` others for the viewer and compares everything, also what is told about the next
// step, and whether what is made up depends on what is really there ("guess").
struct LeakSearch {
  int worlds = 2;
  // Also compares what is told of others' moves. For games that remember all that was open: where
  // a card is shown and shuffled away in one move, or a number is named that nothing keeps, two
  // worlds may differ in what was rightly told and yet lead to the same.
  bool others_moves = false;
};
std::optional<Leak> find_leak(const State& state, const Viewer& viewer, Rng& rng,
                              const LeakSearch& search = {});

}  // namespace parlor
