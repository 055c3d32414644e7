#include "host/contract.h"

#include <fmt/core.h>

#include "base/hash.h"
#include "host/secrets.h"

namespace parlor::host {
namespace {

constexpr DecisionDetail whole_moves{.depth = 3, .most = 200};

// Options are tried on the true state: what luck or hidden cards bring must not be seen there.
bool may_look_ahead(const Game& game) {
  const GameInfo& info = game.info();
  return !info.hidden_information && (!info.has_chance || info.explicit_chance);
}

std::string hash_of(std::string_view text) {
  return fmt::format("{:016x}", hash_text(text));
}

}  // namespace

ScenePtr make_scene(const Game& game) {
  Json scene = scene_of(game);
  std::string hash = "sha256-" + sha256_hex(canonical(scene));
  SceneNames names(scene);
  return std::make_shared<const SceneMade>(
      SceneMade{std::move(scene), std::move(names), std::move(hash)});
}

StagePtr make_stage(const State& state, const Viewer& viewer) {
  std::string text = canonical(stage_of(state, viewer));
  text.shrink_to_fit();  // the latest is kept
  std::string hash = hash_of(text);
  return std::make_shared<const Stage>(Stage{std::move(text), std::move(hash)});
}

std::string stage_hash(const Json& stage) {
  return hash_of(canonical(stage));
}

bool all_see_alike(const Game& game) {
  return !game.info().hidden_information;
}

Json decision_json(const State& state, const Viewer& viewer, bool complete) {
  const bool ahead = complete && may_look_ahead(state.game());
  return typed_decision(state, viewer, ahead ? whole_moves : DecisionDetail{});
}

}  // namespace parlor::host
