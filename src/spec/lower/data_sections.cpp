// Sections the rules do not read: checked lightly and handed on as data.
#include <fmt/core.h>

#include "spec/lower/events.h"
#include "spec/lower/sections.h"

namespace parlor::spec::lower {
namespace {

void keep(Context& cx, Section section) {
  const Node* node = cx.doc.find(section);
  if (node == nullptr || (node->is_list() && node->items.empty())) return;
  cx.game.sections[std::string{section_name(section)}] = read_data(*node);
}

void check_observability(Context& cx) {
  const Node* node = cx.doc.find(Section::observability);
  if (node == nullptr) return;
  const auto step = cx.step("observability");
  Fields fields{cx, *node, "observability"};
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
      observer.allow({"extends", "description", "surfaces"});
      observer.maybe("zones", [&](const Node& zones) {
        for (const Entry& zone : zones.entries)
          if (zone.key != "_default" && !cx.symbols.zones.contains(zone.key))
            cx.unknown(Code::ZONE_UNKNOWN,
                       Node::of_string(zone.key, {zone.key_place, zones.origin.expansion}), "zone",
                       zone.key, names_of(cx.symbols.zones));
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

void check_derived_metrics(Context& cx) {
  UniqueIds ids{cx, "derived metric"};
  each_of_section(cx, Section::derivedMetrics, [&](const Node& node) {
    Fields fields{cx, node, "a derived metric"};
    fields.need("id", [&](const Node& n) { ids.add(read_id(cx, n, "an id"), n); });
    fields.need("computation", [&](const Node& n) {
      read_word<int>(cx, n, "computation",
                     {{"markerTotal", 0}, {"controlledPopulation", 0}, {"totalEcon", 0}}, 0);
    });
    fields.maybe("zoneFilter", [&](const Node& filter) {
      Fields inner{cx, filter, "a zone filter"};
      inner.maybe("zoneIds", [&](const Node& list) {
        each_item(cx, list, "a list of zones", [&](const Node& id) { read_zone_id(cx, id); });
      });
      inner.allow({"zoneKinds", "category", "attributeEquals"});
    });
    fields.need("requirements", [&](const Node& list) {
      each_item(cx, list, "a list of requirements", [&](const Node& item) {
        Fields inner{cx, item, "a requirement"};
        inner.need("key", [&](const Node& key) {
          const std::string name = read_id(cx, key, "an attribute");
          if (!name.empty() && !cx.symbols.attributes.contains(name))
            cx.unknown(Code::ZONE_ATTRIBUTE_UNKNOWN, key, "zone attribute", name,
                       names_of(cx.symbols.attributes));
        });
        inner.need("expectedType", [&](const Node& n) {
          read_word<int>(cx, n, "type", {{"number", 0}}, 0);
        });
      });
    });
    fields.need("runtime", [](const Node&) {});
  });
}

}  // namespace

void lower_data_sections(Context& cx) {
  check_event_decks(cx);
  check_observability(cx);
  check_phase_boundaries(cx);
  check_derived_metrics(cx);
  for (const Section section :
       {Section::eventDecks, Section::observability, Section::agents, Section::victoryStandings,
        Section::verbalization, Section::phaseBoundaries, Section::derivedMetrics, Section::offers})
    keep(cx, section);
}

}  // namespace parlor::spec::lower
