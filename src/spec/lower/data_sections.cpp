// Sections the rules do not read: checked lightly and handed on as data.
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
  if (section == Section::observability) data.erase("certain");  // has become conditions
  if (!data.empty()) cx.game.sections[std::string{section_name(section)}] = std::move(data);
}

void check_extends(Context& cx, const Node& node, const Node& observers) {
  const std::string name = read_id(cx, node, "the name of an observer");
  if (name.empty() || name == "default" || name == "omniscient" || observers.has(name)) return;
  std::vector<std::string> names{"default", "omniscient"};
  for (const Entry& entry : observers.entries) names.push_back(entry.key);
  cx.unknown(Code::WORD_UNKNOWN, node, "observer", name, names);
}

// A word, or what is seen now and what agents may look ahead to.
void check_surface(Context& cx, const Node& node) {
  const Node* word = &node;
  if (node.is_map()) {
    Fields fields{cx, node, "what is seen of it"};
    fields.allow({"preview"});
    word = fields.optional("current");
  }
  if (word != nullptr) check_word(cx, *word, "visibility", {"public", "seatVisible", "hidden"});
}

// A surface is one thing, or a family whose members may differ: then `_default` is for the others.
void check_surfaces(Context& cx, const Node& node) {
  Fields fields{cx, node, "surfaces"};
  for (const char* key :
       {"globalVars", "globalMarkers", "perPlayerVars", "derivedMetrics", "victory",
        "activeCardIdentity", "activeCardTag", "activeCardMetadata", "activeCardAnnotation"})
    fields.maybe(key, [&](const Node& n) {
      if (!n.is_map() || n.has("current") || n.has("preview")) return check_surface(cx, n);
      for (const Entry& entry : n.entries) {
        const auto at = cx.step(entry.key);
        check_surface(cx, entry.value);
      }
    });
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

void check_observability(Context& cx) {
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
      Fields observer{cx, entry.value, "an observer"};
      observer.maybe("description", [&](const Node& n) { read_string(cx, n, "a description"); });
      observer.maybe("extends", [&](const Node& n) { check_extends(cx, n, observers); });
      observer.maybe("surfaces", [&](const Node& n) { check_surfaces(cx, n); });
      observer.maybe("zones", [&](const Node& zones) {
        if (!zones.is_map()) wrong_shape(cx, zones, "a mapping from zones to what is seen");
        for (const Entry& zone : zones.entries) {
          const auto at = cx.step(zone.key);
          Fields seen{cx, zone.value, "what an observer sees of a zone"};
          for (const char* key : {"tokens", "order"})
            seen.maybe(key, [&](const Node& n) {
              check_word(cx, n, "visibility", {"public", "owner", "hidden"});
            });
          if (zone.key != "_default" && !names_zones(cx, zone.key))
            cx.unknown(Code::ZONE_UNKNOWN,
                       Node::of_string(zone.key, {zone.key_place, zones.origin.expansion}), "zone",
                       zone.key, names_of(cx.symbols.zones));
        }
      });
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
  check_observability(cx);
  check_display(cx);
  check_agents(cx);
  check_phase_boundaries(cx);
  lower_derived_metrics(cx);
  lower_victory_standings(cx);
  for (const Section section :
       {Section::observability, Section::agents, Section::verbalization, Section::display,
        Section::phaseBoundaries, Section::offers})
    keep(cx, section);
}

}  // namespace parlor::spec::lower
