#include "host/patch.h"

#include <algorithm>
#include <fmt/core.h>

namespace parlor::host {
namespace {

constexpr const char* gone = "-";
constexpr std::string_view gone_key = "\"-\"";

// Both in order: what only one has, and what both have.
template <class Members, class Both, class Before, class After>
void walk(const Members& before, const Members& after, const Both& both, const Before& only_before,
          const After& only_after) {
  auto old = before.begin();
  for (const auto& now : after) {
    while (old != before.end() && old->key != now.key && json_key_less(old->key, now.key))
      only_before(*old++);
    if (old != before.end() && old->key == now.key)
      both(*old++, now);
    else
      only_after(now);
  }
  while (old != before.end()) only_before(*old++);
}

void add_item(std::string& list, std::string_view item) {
  list += list.empty() ? "[" : ",";
  list += item;
}

void add_member(std::string& object, std::string_view key, std::string_view value) {
  object += object.empty() ? '{' : ',';
  object += key;
  object += ':';
  object += value;
}

// The members of an object that changed; what is gone from it goes to the list.
std::string changed_inside(const JsonPart& before, const JsonPart& after,
                           std::string& list_of_gone) {
  std::string out;
  walk(
      before.inside, after.inside,
      [&](const JsonMember& old, const JsonMember& now) {
        if (old.value != now.value) add_member(out, now.key, now.value);
      },
      [&](const JsonMember& old) {
        add_item(list_of_gone, fmt::format("[{},{}]", after.key, old.key));
      },
      [&](const JsonMember& now) { add_member(out, now.key, now.value); });
  if (!out.empty()) out += '}';
  return out;
}

}  // namespace

std::string make_patch(const JsonParts& before, const JsonParts& after) {
  std::vector<std::pair<std::string_view, std::string>> changed;
  std::string inside_gone, whole_gone;
  walk(
      before, after,
      [&](const JsonPart& old, const JsonPart& now) {
        if (old.value == now.value) return;
        std::string what = old.is_object() && now.is_object()
                               ? changed_inside(old, now, inside_gone)
                               : std::string{now.value};
        if (!what.empty()) changed.emplace_back(now.key, std::move(what));
      },
      [&](const JsonPart& old) { add_item(whole_gone, fmt::format("[{}]", old.key)); },
      [&](const JsonPart& now) { changed.emplace_back(now.key, now.value); });
  if (!whole_gone.empty()) add_item(inside_gone, std::string_view{whole_gone}.substr(1));
  if (!inside_gone.empty()) {
    const auto place = std::ranges::find_if(
        changed, [](const auto& one) { return json_key_less(gone_key, one.first); });
    changed.emplace(place, gone_key, inside_gone + "]");
  }
  std::string out;
  for (const auto& [key, value] : changed) add_member(out, key, value);
  return out.empty() ? "{}" : out + "}";
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
