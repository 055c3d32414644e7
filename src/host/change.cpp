#include "host/change.h"

#include <algorithm>
#include <cassert>
#include <set>

#include "base/json_members.h"
#include "host/patch.h"

namespace parlor::host {
namespace {

using Names = std::set<std::string_view>;  // as they are written

constexpr const char* beside_zones[]{"globals", "players", "markers", "globalMarkers"};

// Names of what two objects do not have in common. Both are in order.
void note_differences(const JsonMembers& before, const JsonMembers& after, Names& out) {
  auto old = before.begin();
  for (const JsonMember& now : after) {
    while (old != before.end() && old->key != now.key && json_key_less(old->key, now.key))
      out.insert(old++->key);
    const bool both = old != before.end() && old->key == now.key;
    if (!both || old->value != now.value) out.insert(now.key);
    if (both) ++old;
  }
  for (; old != before.end(); ++old) out.insert(old->key);
}

// Zones and tokens that events name.
struct ToldNames {
  explicit ToldNames(const Json& told) {
    const auto note = [](const Json& data, const char* key, std::vector<std::string>& out) {
      const auto found = data.find(key);
      if (found != data.end() && found->is_string()) out.push_back(canonical(*found));
    };
    for (const Json& event : told) {
      const auto data = event.find("data");
      if (data == event.end() || !data->is_object()) continue;
      for (const char* key : {"from", "to", "zone"}) note(*data, key, zones);
      note(*data, "token", tokens);
    }
  }
  std::vector<std::string> zones, tokens;  // as they are written
};

void note_holders(const JsonMembers& zones, const std::vector<std::string>& tokens, Names& out) {
  for (const JsonMember& zone : zones)
    if (std::ranges::any_of(tokens, [&](const std::string& token) {
          return zone.value.find(token) != std::string_view::npos;
        }))
      out.insert(zone.key);
}

const JsonMembers& inside_of(const JsonParts& stage, std::string_view key) {
  static const JsonMembers none;
  const JsonPart* const part = json_part(stage, key);
  return part == nullptr ? none : part->inside;
}

Json values_in(const JsonMembers& members, const Names& names) {
  Json out = Json::object();
  for (const JsonMember& member : members)
    if (names.contains(member.key)) out[json_key_text(member.key)] = Json::parse(member.value);
  return out;
}

}  // namespace

// Events are completed from what they name and what differs. A board has hundreds of zones of which
// few are touched, so no more than these is made values of.
ChangePtr make_change(const SceneNames& names, std::string_view before, const Stage& after,
                      Json told) {
  const JsonParts old = json_parts(before), now = json_parts(after.text);
  const ToldNames named(told);
  Names zones{named.zones.begin(), named.zones.end()};
  note_differences(inside_of(old, "zones"), inside_of(now, "zones"), zones);
  for (const JsonParts* stage : {&old, &now})
    note_holders(inside_of(*stage, "zones"), named.tokens, zones);
  Names vars = zones;
  note_differences(inside_of(old, "zoneVars"), inside_of(now, "zoneVars"), vars);
  const auto part_of = [&](const JsonParts& stage) {
    Json out = Json::object();
    for (const char* key : beside_zones) {
      const JsonPart* const part = json_part(stage, key);
      out[key] = part == nullptr ? Json(nullptr) : Json::parse(part->value);
    }
    out["zones"] = values_in(inside_of(stage, "zones"), zones);
    out["zoneVars"] = values_in(inside_of(stage, "zoneVars"), vars);
    return out;
  };
  ChangeText out{
      .events = canonical(completed_events(names, std::move(told), part_of(old), part_of(now))),
      .patch = make_patch(old, now)};
#ifndef NDEBUG
  Json patched = Json::parse(before);
  assert(apply_patch(patched, Json::parse(out.patch)) && canonical(patched) == after.text);
#endif
  return std::make_shared<const ChangeText>(std::move(out));
}

}  // namespace parlor::host
