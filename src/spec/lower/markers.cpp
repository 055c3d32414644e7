// Marker lattices of spaces and of the game, their constraints, and stacking limits: what their
// declarations leave to code.
#include <algorithm>
#include <fmt/core.h>

#include "spec/lower/construct.h"
#include "spec/lower/filtered.h"
#include "spec/lower/sections.h"

namespace parlor::spec::lower {
namespace {

void check_state(Context& cx, const Node& node, const std::vector<std::string>& states) {
  if (node.is_string() && std::ranges::find(states, node.text) == states.end())
    cx.unknown(Code::MARKER_STATE_UNKNOWN, node, "state", node.text, states);
}

void read_constraint(Context& cx, const Node& node, MarkerLattice& lattice) {
  lattice.constraints.push_back(read_record<LatticeConstraint>(cx, node));
  const Node* states = node.find("allowedStates");
  if (states == nullptr) return;
  const auto step = cx.step("allowedStates");
  for (std::size_t i = 0; i < states->items.size(); ++i) {
    const auto item = cx.step(i);
    check_state(cx, states->items[i], lattice.states);
  }
}

// What a data asset has of something, each at its path.
template <class Read>
void each_of_map(Context& cx, std::string_view key, const Node& list, const Read& read) {
  if (!list.is_list()) return;
  const auto map = cx.step("dataAssets.map");
  const auto step = cx.step(key);
  each_item(cx, list, "a list", read);
}

}  // namespace

void check(Reading& r, MarkerLattice& out) {
  if (!out.states.empty())
    r.at("defaultState", [&](const Node& n) { check_state(r.cx, n, out.states); });
  const bool global = r.in<GameDef>() != nullptr;
  if (global)
    if (const Entry* entry = r.node().find_entry("constraints"))
      r.cx.error_at(Code::KEY_UNKNOWN, {entry->key_place, r.node().origin.expansion}, r.cx.path(),
                    "a marker of the game has no key `constraints`")
          .suggestion = "constraints say what a marker may be in a space";
  auto& known = global ? r.cx.symbols.global_markers : r.cx.symbols.markers;
  known.emplace(out.id, MarkerInfo{out.states});
}

void read_key(Reading& r, const Node& node, const FieldInfo& field, StackingConstraint& out) {
  if (field.key == "spaceFilter")
    out.zones = zones_that_fit(r.cx.game, read_record<SpaceFilter>(r.cx, node));
  else
    out.piece_types = types_that_fit(r.cx.game, read_record<PieceFilter>(r.cx, node));
}

void check(Reading& r, StackingConstraint& out) {
  const std::string_view rule = r.text("rule");
  std::ranges::sort(out.zones);
  std::ranges::sort(out.piece_types);
  if (rule == "prohibit") out.max_count = 0;
  if (rule == "maxCount") r.fields.required("maxCount");
}

void declare_markers(Context& cx) {
  read_section(cx, Section::globalMarkerLattices);
  UniqueIds ids{cx, "marker"};
  each_of_map(cx, "markerLattices", cx.doc.derived.marker_lattices, [&](const Node& node) {
    auto lattice = read_record<MarkerLattice>(cx, node);
    const Node* id = node.find("id");
    if (id == nullptr || ids.add(lattice.id, *id, "id"))
      cx.game.marker_lattices.push_back(std::move(lattice));
  });
}

void lower_marker_rules(Context& cx) {
  each_of_map(cx, "markerLattices", cx.doc.derived.marker_lattices, [&](const Node& node) {
    const Node* id = node.find("id");
    const Node* constraints = node.find("constraints");
    if (id == nullptr || constraints == nullptr || constraints->is_null()) return;
    const auto at = std::ranges::find(cx.game.marker_lattices, id->text, &MarkerLattice::id);
    if (at == cx.game.marker_lattices.end()) return;
    cx.scope = {};
    const auto key = cx.step("constraints");
    each_item(cx, *constraints, "a list of constraints",
              [&](const Node& item) { read_constraint(cx, item, *at); });
  });
  each_of_map(cx, "spaceMarkers", cx.doc.derived.space_markers, [&](const Node& node) {
    cx.game.space_markers.push_back(read_record<SpaceMarker>(cx, node));
  });
}

void lower_stacking(Context& cx) {
  each_of_map(cx, "stackingConstraints", cx.doc.derived.stacking_constraints,
              [&](const Node& node) {
                cx.game.stacking_constraints.push_back(read_record<StackingConstraint>(cx, node));
              });
}

}  // namespace parlor::spec::lower
