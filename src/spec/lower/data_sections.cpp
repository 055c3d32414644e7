// Sections of what is beside the rules: who sees what, and what is handed on as data.
#include <algorithm>
#include <fmt/core.h>

#include "spec/lower/events.h"
#include "spec/lower/sections.h"

namespace parlor::spec::lower {
namespace {

void keep(Context& cx, Section section) {
  const Node* node = cx.doc.find(section);
  if (node == nullptr || (node->is_list() && node->items.empty())) return;
  nlohmann::json data = read_data(*node);
  if (!data.empty()) cx.game.sections[std::string{section_name(section)}] = std::move(data);
}

constexpr const char* the_others = "_default";

std::string read_extends(Context& cx, const Node& node, const Node& observers) {
  std::string name = read_id(cx, node, "the name of an observer");
  if (name.empty() || name == "default" || name == "omniscient" || observers.has(name)) return name;
  std::vector<std::string> names{"default", "omniscient"};
  for (const Entry& entry : observers.entries) names.push_back(entry.key);
  cx.unknown(Code::WORD_UNKNOWN, node, "observer", name, names);
  return {};
}

// A word, or what is seen now and what agents may look ahead to.
Seen read_surface(Context& cx, const Node& node) {
  const Node* word = &node;
  if (node.is_map()) {
    Fields fields{cx, node, "what is seen of it"};
    fields.allow({"preview"});
    word = fields.optional("current");
  }
  if (word == nullptr) return Seen::as_declared;
  return read_word<Seen>(
      cx, *word, "visibility",
      {{"public", Seen::open}, {"seatVisible", Seen::seat}, {"hidden", Seen::hidden}},
      Seen::as_declared);
}

// A surface is one thing, or a family whose members may differ: then `_default` is for the others.
Named<Seen> read_family(Context& cx, const Node& node) {
  Named<Seen> out;
  if (!node.is_map() || node.has("current") || node.has("preview")) {
    const Seen seen = read_surface(cx, node);
    if (seen != Seen::as_declared) out[the_others] = seen;
    return out;
  }
  for (const Entry& entry : node.entries) {
    const auto at = cx.step(entry.key);
    out[entry.key] = read_surface(cx, entry.value);
  }
  return out;
}

void read_surfaces(Context& cx, const Node& node, ObserverDef& out) {
  Fields fields{cx, node, "surfaces"};
  const auto family = [&](const char* key, Named<Seen>& into) {
    fields.maybe(key, [&](const Node& n) { into = read_family(cx, n); });
  };
  family("globalVars", out.global_vars);
  family("globalMarkers", out.global_markers);
  family("perPlayerVars", out.per_player_vars);
  family("derivedMetrics", out.metrics);
  family("victory", out.victory);
  Named<Seen> unused;  // the card in play is told to everybody
  for (const char* key :
       {"activeCardIdentity", "activeCardTag", "activeCardMetadata", "activeCardAnnotation"})
    family(key, unused);
}

// Zones are named by their base, which means all of that name, or one by its full id.
bool names_zones(const Context& cx, std::string_view name) {
  const std::size_t colon = name.find(':');
  const ZoneInfo* zone = find_in(cx.symbols.zones, name.substr(0, colon));
  if (zone == nullptr || colon == std::string_view::npos) return zone != nullptr;
  const std::string_view whose = name.substr(colon + 1);
  if (zone->owner == ZoneOwner::none) return whose == "none";
  for (Int player = 0; player < cx.symbols.max_players; ++player)
    if (whose == std::to_string(player)) return true;
  return false;
}

// What is said of one of tokens and order alone is meant for both.
SeenZone read_seen_zone(Context& cx, const Node& node) {
  SeenZone out;
  Fields fields{cx, node, "what an observer sees of a zone"};
  const auto read = [&](const char* key, Seen& into) {
    fields.maybe(key, [&](const Node& n) {
      into =
          read_word<Seen>(cx, n, "visibility",
                          {{"public", Seen::open}, {"owner", Seen::seat}, {"hidden", Seen::hidden}},
                          Seen::as_declared);
    });
  };
  read("tokens", out.tokens);
  read("order", out.order);
  if (out.tokens == Seen::as_declared) out.tokens = out.order;
  if (out.order == Seen::as_declared) out.order = out.tokens;
  return out;
}

ObserverDef read_observer(Context& cx, const Node& node, const Node& observers) {
  ObserverDef out;
  Fields fields{cx, node, "an observer"};
  fields.maybe("description",
               [&](const Node& n) { out.description = read_string(cx, n, "a description"); });
  fields.maybe("extends", [&](const Node& n) { out.extends = read_extends(cx, n, observers); });
  fields.maybe("surfaces", [&](const Node& n) { read_surfaces(cx, n, out); });
  fields.maybe("zones", [&](const Node& zones) {
    if (!zones.is_map()) wrong_shape(cx, zones, "a mapping from zones to what is seen");
    for (const Entry& zone : zones.entries) {
      const auto at = cx.step(zone.key);
      out.zones[zone.key] = read_seen_zone(cx, zone.value);
      if (zone.key != the_others && !names_zones(cx, zone.key))
        cx.unknown(Code::ZONE_UNKNOWN,
                   Node::of_string(zone.key, {zone.key_place, zones.origin.expansion}), "zone",
                   zone.key, names_of(cx.symbols.zones));
    }
  });
  return out;
}

void lower_observability(Context& cx) {
  const Node* node = cx.doc.find(Section::observability);
  if (node == nullptr) return;
  const auto step = cx.step("observability");
  Fields fields{cx, *node, "observability"};
  fields.maybe("certain", [&](const Node& list) {
    each_item(cx, list, "a list of conditions", [&](const Node& n) {
      cx.scope = {};
      cx.game.certain.push_back(read_condition(cx, n));
    });
  });
  fields.maybe("observers", [&](const Node& observers) {
    if (!observers.is_map()) {
      wrong_shape(cx, observers, "a mapping from names to observers");
      return;
    }
    for (const Entry& entry : observers.entries) {
      const auto inner = cx.step(entry.key);
      if (entry.key == "omniscient" || entry.key == "default")
        cx.error_at(Code::NAME_RESERVED, {entry.key_place, observers.origin.expansion}, cx.path(),
                    fmt::format("the observer `{}` is built in", entry.key))
            .suggestion = "choose another name";
      cx.game.observers[entry.key] = read_observer(cx, entry.value, observers);
    }
  });
}

void check_phase_boundaries(Context& cx) {
  UniqueIds ids{cx, "phase boundary"};
  each_of_section(cx, Section::phaseBoundaries, [&](const Node& node) {
    Fields fields{cx, node, "a phase boundary"};
    fields.need("id", [&](const Node& n) { ids.add(read_id(cx, n, "an id"), n); });
    fields.need("kind", [&](const Node& n) {
      read_word<int>(cx, n, "boundary", {{"phaseEntry", 0}, {"phaseExit", 0}, {"condition", 0}}, 0);
    });
    fields.maybe("phaseId", [&](const Node& n) { read_phase(cx, n); });
    fields.allow({"schedule", "condition"});
  });
}

// What is said to programs that play: only its outline is known here.
void check_agents(Context& cx) {
  const Node* node = cx.doc.find(Section::agents);
  if (node == nullptr) return;
  const auto step = cx.step("agents");
  const auto map_at = [&](std::string_view key, std::string_view what) -> const Node* {
    const Node* found = node->find(key);
    if (found == nullptr || found->is_null() || found->is_map()) return found;
    const auto inner = cx.step(key);
    wrong_shape(cx, *found, what);
    return nullptr;
  };
  map_at("parameters", "a mapping from parameters to what they are");
  map_at("library", "a mapping for the library");
  const Node* profiles = map_at("profiles", "a mapping from names to profiles");
  if (profiles != nullptr)
    for (const Entry& profile : profiles->entries) {
      const auto inner = cx.step("profiles");
      const auto at = cx.step(profile.key);
      if (!profile.value.is_map()) wrong_shape(cx, profile.value, "a mapping for a profile");
    }
  const Node* bindings = map_at("bindings", "a mapping from seats to profiles");
  if (bindings == nullptr) return;
  std::vector<std::string> names;
  if (profiles != nullptr)
    for (const Entry& profile : profiles->entries) names.push_back(profile.key);
  const auto inner = cx.step("bindings");
  for (const Entry& binding : bindings->entries) {
    const auto at = cx.step(binding.key);
    const std::string profile = read_id(cx, binding.value, "the name of a profile");
    if (!profile.empty() && std::ranges::find(names, profile) == names.end())
      cx.unknown(Code::WORD_UNKNOWN, binding.value, "profile", profile, names);
  }
}

}  // namespace

void lower_data_sections(Context& cx) {
  lower_event_decks(cx);
  lower_observability(cx);
  lower_verbalization(cx);
  lower_display(cx);
  check_agents(cx);
  check_phase_boundaries(cx);
  lower_derived_metrics(cx);
  lower_victory_standings(cx);
  for (const Section section : {Section::agents, Section::phaseBoundaries, Section::offers})
    keep(cx, section);
}

}  // namespace parlor::spec::lower
