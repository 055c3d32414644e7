// A game for those who draw it and are clicked on: a page, a client in another language. Four
// messages, all JSON, documented in docs/page.md and held to docs/scene.schema.json by tests:
//
//   scene     what there is to draw; the same for every state of an opened game
//   stage     a state as one viewer sees it, in the words of the scene
//   decision  who decides, and the options with the places that mean them
//   events    what happened between two stages, told so that they suffice: applied to the stage
//             before they give the stage after
//
// Everybody who sends these (server, command line, the page's own engine, Python) makes them here.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "game/game.h"

namespace parlor {

inline constexpr const char* scene_format = "parlor.scene.1";
// Lengths on a board are whole numbers: a cell is this wide.
inline constexpr std::int64_t scene_unit = 1000;

// Game::scene() with what every scene has: format, game, name, players, seats with colours.
Json scene_of(const Game& game);
// Of a scene, to know whether one has it already: 16 hexadecimal digits.
std::string scene_hash(const Json& scene);

Json stage_of(const State& state, const Viewer& viewer);

struct DecisionDetail {
  int depth = 0;           // how far options carry the options that follow them; at most 3
  std::size_t most = 200;  // options in all that are carried so
};
// Null when the game is over. Options are there for the decider and for those who see everything.
Json typed_decision(const State& state, const Viewer& viewer, DecisionDetail detail = {});

// Keeps what it hears. An Event's kind may not outlive the call it came with.
struct HeardEvent {
  std::string kind;
  Json data;
  Audience seen_by = Audience::everybody();
  Json outside = nullptr;
};
class EventRecorder : public EventListener {
 public:
  void on_event(const Event& event) override {
    heard_.push_back({std::string(event.kind), event.data, event.seen_by, event.outside});
  }
  const std::vector<HeardEvent>& heard() const { return heard_; }
  std::vector<HeardEvent> take() { return std::exchange(heard_, {}); }

 private:
  std::vector<HeardEvent> heard_;
};

// What a scene calls things, for telling what happened in words. Made once for a scene.
struct SceneNames {
  SceneNames() = default;
  explicit SceneNames(const Json& scene);

  std::vector<std::string> seats;
  std::unordered_map<std::string, std::string> places;  // zones
  std::unordered_map<std::string, std::string> words;   // actions and variables
};

// The events between two stages of the same viewer: [{"kind", "data", "label"?}]. What they leave
// unsaid (a card that turns out to be visible at its new place, an order that nobody was told)
// follows at the end, marked "settled".
Json told_events(const SceneNames& names, const std::vector<HeardEvent>& heard, const Json& before,
                 const Json& after, const Viewer& viewer);
// The same for events that a viewer was told already ({"kind", "data"}), e.g. by a session's log.
Json completed_events(const SceneNames& names, Json told, const Json& before, const Json& after);
// What the events make of a stage.
void apply_events(Json& stage, const Json& events);

}  // namespace parlor
