// What a client is shown of a game: the messages of game/scene.h, as tables send them. Everything a
// table tells about a state goes through these functions.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "game/scene.h"

namespace parlor::host {

// How an opened game looks, once for all its states and all tables that play it.
struct SceneMade {
  Json scene;
  SceneNames names;
  std::string hash;  // "sha256-" and 64 digits, of the canonical text
};
using ScenePtr = std::shared_ptr<const SceneMade>;
ScenePtr make_scene(const Game& game);

// A state as somebody sees it, as canonical JSON. Whoever sees the same shares it.
struct Stage {
  std::string text;
  std::string hash;
};
using StagePtr = std::shared_ptr<const Stage>;
StagePtr make_stage(const State& state, const Viewer& viewer);
// Of what a client has, whole: 16 digits.
std::string stage_hash(const Json& stage);

// Everybody sees the same stage.
bool all_see_alike(const Game& game);

// Null when the game is over. `complete`: options carry what follows them, if that tells nothing
// which is decided by luck or hidden.
Json decision_json(const State& state, const Viewer& viewer, bool complete);

}  // namespace parlor::host
