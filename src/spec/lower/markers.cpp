// Marker lattices of spaces and of the game, their constraints, and stacking limits.
#include <algorithm>
#include <fmt/core.h>

#include "spec/lower/sections.h"

namespace parlor::spec::lower {
namespace {

MarkerLattice read_lattice(Context& cx, const Node& node, bool of_space) {
  MarkerLattice out;
  Fields fields{cx, node, "a marker"};
  fields.need("id", [&](const Node& n) { out.id = read_id(cx, n, "the id of a marker"); });
  fields.need("states", [&](const Node& n) {
    UniqueIds ids{cx, "state"};
    each_item(cx, n, "a list of states", [&](const Node& state) {
      std::string name = read_id(cx, state, "the name of a state");
      if (ids.add(name, state)) out.states.push_back(std::move(name));
    });
    if (n.is_list() && n.items.empty())
      cx.error(Code::LIST_EMPTY, n, "a marker needs at least one state");
  });
  fields.need("defaultState", [&](const Node& n) {
    out.default_state = read_id(cx, n, "the name of a state");
    if (!out.states.empty() && std::ranges::find(out.states, out.default_state) == out.states.end())
      cx.unknown(Code::MARKER_STATE_UNKNOWN, n, "state", out.default_state, out.states);
  });
  if (of_space) fields.allow({"constraints"});
  return out;
}

void read_constraints(Context& cx, const Node& node, MarkerLattice& lattice) {
  each_item(cx, node, "a list of constraints", [&](const Node& item) {
    LatticeConstraint out;
    Fields fields{cx, item, "a marker constraint"};
    fields.need("when", [&](const Node& n) {
      out.when = read_condition_with(cx, n, "$space", plain(Kind::zone));
    });
    fields.need("allowedStates", [&](const Node& n) {
      each_item(cx, n, "a list of states", [&](const Node& state) {
        out.allowed_states.push_back(read_id(cx, state, "the name of a state"));
        if (std::ranges::find(lattice.states, out.allowed_states.back()) == lattice.states.end())
          cx.unknown(Code::MARKER_STATE_UNKNOWN, state, "state", out.allowed_states.back(),
                     lattice.states);
      });
    });
    lattice.constraints.push_back(std::move(out));
  });
}

SpaceMarker read_space_marker(Context& cx, const Node& node) {
  SpaceMarker out;
  Fields fields{cx, node, "a space marker"};
  fields.need("spaceId", [&](const Node& n) { out.space = read_zone_id(cx, n); });
  fields.need("markerId", [&](const Node& n) { out.marker = read_marker(cx, n, false); });
  fields.need("state", [&](const Node& n) {
    out.state = read_id(cx, n, "the name of a state");
    const MarkerInfo* info = find_in(cx.symbols.markers, out.marker);
    if (info && std::ranges::find(info->states, out.state) == info->states.end())
      cx.unknown(Code::MARKER_STATE_UNKNOWN, n, "state", out.state, info->states);
  });
  return out;
}

// ---- Stacking

bool has_attributes(const ZoneDef& zone, const Node& wanted) {
  return std::ranges::all_of(wanted.entries, [&](const Entry& entry) {
    const auto found = std::ranges::find(zone.attributes, entry.key, &Attribute::name);
    if (found == zone.attributes.end()) return false;
    const Node& value = entry.value;
    if (value.is_integer()) return found->value == decltype(found->value){Int{value.integer}};
    if (value.is_boolean()) return found->value == decltype(found->value){value.boolean};
    if (value.is_string()) return found->value == decltype(found->value){value.text};
    return false;
  });
}

std::vector<std::string> read_zone_set(Context& cx, const Node& node) {
  std::vector<std::string> ids, categories;
  const Node* attributes = nullptr;
  Fields fields{cx, node, "a space filter"};
  fields.maybe("spaceIds", [&](const Node& n) {
    each_item(cx, n, "a list of zones",
              [&](const Node& id) { ids.push_back(read_zone_id(cx, id)); });
  });
  fields.maybe("category",
               [&](const Node& n) { categories = read_strings(cx, n, "a list of categories"); });
  fields.maybe("attributeEquals", [&](const Node& n) {
    if (!n.is_map()) wrong_shape(cx, n, "a mapping from attributes to values");
    attributes = &n;
  });
  const auto matches = [](const std::vector<std::string>& list, const std::string& name) {
    return list.empty() || std::ranges::find(list, name) != list.end();
  };
  std::vector<std::string> out;
  for (const ZoneDef& zone : cx.game.zones) {
    const std::string id = zone.base + ":none";
    if (zone.owner == ZoneOwner::none && matches(ids, id) && matches(categories, zone.category) &&
        (attributes == nullptr || has_attributes(zone, *attributes)))
      out.push_back(id);
  }
  std::ranges::sort(out);
  return out;
}

std::vector<std::string> read_piece_set(Context& cx, const Node& node) {
  std::vector<std::string> types, seats;
  Fields fields{cx, node, "a piece filter"};
  fields.maybe("pieceTypeIds", [&](const Node& n) {
    each_item(cx, n, "a list of piece types",
              [&](const Node& id) { types.push_back(read_token_type(cx, id)); });
  });
  fields.maybe("seats", [&](const Node& n) {
    each_item(cx, n, "a list of seats", [&](const Node& s) { seats.push_back(read_seat(cx, s)); });
  });
  const auto matches = [](const std::vector<std::string>& list, const std::string& name) {
    return list.empty() || std::ranges::find(list, name) != list.end();
  };
  std::vector<std::string> out;
  for (const TokenTypeDef& type : cx.game.token_types)
    if (matches(types, type.id) && matches(seats, type.seat)) out.push_back(type.id);
  std::ranges::sort(out);
  return out;
}

StackingConstraint read_stacking(Context& cx, const Node& node) {
  StackingConstraint out;
  bool prohibit = false;
  Fields fields{cx, node, "a stacking constraint"};
  fields.need("id", [&](const Node& n) { out.id = read_id(cx, n, "the id of a constraint"); });
  fields.maybe("description",
               [&](const Node& n) { out.description = read_string(cx, n, "a description"); });
  fields.need("spaceFilter", [&](const Node& n) { out.zones = read_zone_set(cx, n); });
  fields.need("pieceFilter", [&](const Node& n) { out.piece_types = read_piece_set(cx, n); });
  fields.need("rule", [&](const Node& n) {
    prohibit =
        read_word<bool>(cx, n, "stacking rule", {{"maxCount", false}, {"prohibit", true}}, false);
  });
  const auto count = [&](const Node& n) { out.max_count = read_int(cx, n, "maxCount", 0); };
  if (prohibit)
    fields.allow({"maxCount"});
  else
    fields.need("maxCount", count);
  return out;
}

}  // namespace

void declare_markers(Context& cx) {
  UniqueIds ids{cx, "global marker"};
  each_of_section(cx, Section::globalMarkerLattices, [&](const Node& node) {
    MarkerLattice lattice = read_lattice(cx, node, false);
    if (const Node* id = node.find("id"); id && !ids.add(lattice.id, *id)) return;
    cx.symbols.global_markers.emplace(lattice.id, MarkerInfo{lattice.states});
    cx.game.global_marker_lattices.push_back(std::move(lattice));
  });
  const Node& spaces = cx.doc.derived.marker_lattices;
  if (!spaces.is_list()) return;
  const auto step = cx.step("dataAssets.map.markerLattices");
  UniqueIds space_ids{cx, "marker"};
  each_item(cx, spaces, "a list of markers", [&](const Node& node) {
    MarkerLattice lattice = read_lattice(cx, node, true);
    if (const Node* id = node.find("id"); id && !space_ids.add(lattice.id, *id)) return;
    cx.symbols.markers.emplace(lattice.id, MarkerInfo{lattice.states});
    cx.game.marker_lattices.push_back(std::move(lattice));
  });
}

void lower_marker_rules(Context& cx) {
  const auto step = cx.step("dataAssets.map");
  if (const Node& lattices = cx.doc.derived.marker_lattices; lattices.is_list()) {
    const auto inner = cx.step("markerLattices");
    each_item(cx, lattices, "a list of markers", [&](const Node& node) {
      const Node* id = node.find("id");
      const Node* constraints = node.find("constraints");
      if (id == nullptr || constraints == nullptr || constraints->is_null()) return;
      const auto at = std::ranges::find(cx.game.marker_lattices, id->text, &MarkerLattice::id);
      if (at == cx.game.marker_lattices.end()) return;
      cx.scope = {};
      const auto key = cx.step("constraints");
      read_constraints(cx, *constraints, *at);
    });
  }
  if (const Node& markers = cx.doc.derived.space_markers; markers.is_list()) {
    const auto inner = cx.step("spaceMarkers");
    each_item(cx, markers, "a list of markers", [&](const Node& node) {
      cx.game.space_markers.push_back(read_space_marker(cx, node));
    });
  }
}

void lower_stacking(Context& cx) {
  const Node& list = cx.doc.derived.stacking_constraints;
  if (!list.is_list()) return;
  const auto step = cx.step("dataAssets.map.stackingConstraints");
  each_item(cx, list, "a list of constraints", [&](const Node& node) {
    cx.game.stacking_constraints.push_back(read_stacking(cx, node));
  });
}

}  // namespace parlor::spec::lower
