#include "host/patch.h"

namespace parlor::host {
namespace {

constexpr const char* gone = "-";

void note_gone(Json& patch, Json path) {
  patch[gone].push_back(std::move(path));
}

void compare_inside(const std::string& key, const Json& before, const Json& after, Json& patch) {
  Json changed = Json::object();
  for (const auto& [name, value] : after.items())
    if (const auto old = before.find(name); old == before.end() || *old != value)
      changed[name] = value;
  for (const auto& [name, value] : before.items())
    if (!after.contains(name)) note_gone(patch, {key, name});
  if (!changed.empty()) patch[key] = std::move(changed);
}

}  // namespace

Json make_patch(const Json& before, const Json& after) {
  Json patch = Json::object();
  for (const auto& [key, value] : after.items()) {
    const auto old = before.find(key);
    if (old == before.end())
      patch[key] = value;
    else if (old->is_object() && value.is_object())
      compare_inside(key, *old, value, patch);
    else if (*old != value)
      patch[key] = value;
  }
  for (const auto& [key, value] : before.items())
    if (!after.contains(key)) note_gone(patch, Json::array({key}));
  return patch;
}

bool apply_patch(Json& state, const Json& patch) {
  if (!state.is_object() || !patch.is_object()) return false;
  for (const Json& path : patch.value(gone, Json::array())) {
    if (!path.is_array() || path.empty() || path.size() > 2) return false;
    Json* place = &state;
    for (std::size_t i = 0; i < path.size(); ++i) {
      if (!path[i].is_string() || !place->is_object() || !place->contains(path[i])) return false;
      if (i + 1 == path.size())
        place->erase(path[i].get<std::string>());
      else
        place = &(*place)[path[i].get<std::string>()];
    }
  }
  for (const auto& [key, value] : patch.items()) {
    if (key == gone) continue;
    const auto there = state.find(key);
    if (there != state.end() && there->is_object() && value.is_object())
      there->update(value);
    else
      state[key] = value;
  }
  return true;
}

}  // namespace parlor::host
