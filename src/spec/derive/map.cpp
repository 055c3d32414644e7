#include "spec/derive/map.h"

#include <algorithm>
#include <fmt/core.h>

namespace parlor::spec {
namespace {

Node list_or_empty(const Node& payload, std::string_view key) {
  const Node* list = payload.find(key);
  return list != nullptr ? *list : Node::of_list(payload.origin);
}

std::string_view target(const Node& edge) {
  if (edge.is_string()) return edge.text;
  return edge.find_string("to").value_or(std::string_view{});
}

Node zone_from_space(const Node& space) {
  const auto text = [&](std::string_view value) {
    return Node::of_string(std::string{value}, space.origin);
  };
  Node zone = Node::of_map(space.origin);
  zone.set("id", *space.find("id"));
  zone.set("zoneKind", text("board"));
  zone.set("owner", text("none"));
  zone.set("visibility", text("public"));
  zone.set("ordering", text("set"));
  for (const std::string_view key : {"category", "attributes"})
    if (const Node* node = space.find(key)) zone.set(key, *node);
  if (const Node* edges = space.find("adjacentTo")) {
    Node sorted = *edges;
    for (Node& edge : sorted.items) {
      if (!edge.is_string()) continue;  // the short form: just the neighbour's id
      Node full = Node::of_map(edge.origin);
      full.set("to", edge);
      edge = std::move(full);
    }
    std::ranges::stable_sort(sorted.items, {}, target);
    zone.set("adjacentTo", std::move(sorted));
  }
  if (const Node* directions = space.find("directions")) zone.set("directions", *directions);
  return zone;
}

// A track is an int variable; its bounds are checked here, where the track was written.
Node variable_from_track(const Node& track, const std::string& path, Report& report) {
  const std::int64_t min = track.find("min")->integer, max = track.find("max")->integer;
  const std::int64_t initial = track.find("initial")->integer;
  if (min > max || initial < min || initial > max)
    report
        .error(Code::TRACK_VALUE, track.find(min > max ? "min" : "initial")->origin,
               min > max ? fmt::format("the track `{}` goes from {} to {}", track.find("id")->text,
                                       min, max)
                         : fmt::format("the track `{}` starts at {}, outside {} to {}",
                                       track.find("id")->text, initial, min, max),
               path)
        .suggestion = "min <= initial <= max";
  Node out = Node::of_map(track.origin);
  out.set("name", *track.find("id"));
  out.set("type", Node::of_string("int", track.origin));
  out.set("init", *track.find("initial"));
  out.set("min", *track.find("min"));
  out.set("max", *track.find("max"));
  return out;
}

void check_scope(const Node& track, const std::vector<std::string>& seats, const std::string& path,
                 Report& report) {
  const Node& scope = *track.find("scope");
  const Node* seat = track.find("seat");
  if (!scope.is("global") && !scope.is("seat")) {
    Diagnostic& d =
        report.error(Code::ASSET_INVALID, scope.origin,
                     fmt::format("a track's scope is `global` or `seat`, not {}", describe(scope)),
                     path + ".scope");
    d.alternatives = {"global", "seat"};
  } else if (scope.is("seat") && seat == nullptr) {
    report.error(Code::ASSET_INVALID, track.origin, "a track with `scope: seat` needs a `seat`",
                 path);
  } else if (seat != nullptr && !seats.empty() &&
             std::ranges::find(seats, seat->text) == seats.end()) {
    Diagnostic& d = report.error(Code::ASSET_REFERENCE, seat->origin,
                                 fmt::format("there is no seat `{}`", seat->text), path + ".seat");
    d.alternatives = did_you_mean(seat->text, seats);
    if (d.alternatives.empty()) d.suggestion = fmt::format("the seats are {}", name_list(seats));
  }
}

const Node* by_id(const Node& list, std::string_view id) {
  const auto found =
      std::ranges::find_if(list.items, [&](const Node& n) { return n.find_string("id") == id; });
  return found == list.items.end() ? nullptr : &*found;
}

// A space is called by its base or by its full id, whichever the map itself uses.
bool has_space(const Node& spaces, std::string_view id) {
  const auto base = [](std::string_view name) { return name.substr(0, name.find(':')); };
  return std::ranges::any_of(
      spaces.items, [&](const Node& space) { return base(space.find("id")->text) == base(id); });
}

std::vector<std::string> ids(const Node& list) {
  std::vector<std::string> out;
  for (const Node& item : list.items)
    if (const auto id = item.find_string("id")) out.emplace_back(*id);
  return out;
}

void check_state(const Node& lattice, const Node& state, const std::string& path, Report& report) {
  std::vector<std::string> states;
  for (const Node& known : lattice.find("states")->items) states.push_back(known.text);
  if (std::ranges::find(states, state.text) != states.end()) return;
  Diagnostic& d = report.error(
      Code::MARKER_STATE_UNKNOWN, state.origin,
      fmt::format("the marker `{}` has no state `{}`", lattice.find("id")->text, state.text), path);
  d.alternatives = did_you_mean(state.text, states);
  if (d.alternatives.empty()) d.suggestion = fmt::format("its states are {}", name_list(states));
}

void check_markers(const Node& lattices, const Node& spaces, const Node& markers,
                   const std::string& path, Report& report) {
  for (std::size_t i = 0; i < lattices.items.size(); ++i) {
    const Node& lattice = lattices.items[i];
    const std::string at = fmt::format("{}.markerLattices.{}", path, i);
    check_state(lattice, *lattice.find("defaultState"), at + ".defaultState", report);
    const Node* constraints = lattice.find("constraints");
    if (constraints == nullptr) continue;
    for (std::size_t c = 0; c < constraints->items.size(); ++c)
      for (const Node& state : constraints->items[c].find("allowedStates")->items)
        check_state(lattice, state, fmt::format("{}.constraints.{}.allowedStates", at, c), report);
  }
  const auto missing = [&](const Node& name, std::string_view what, const Node& list,
                           const std::string& at) {
    Diagnostic& d = report.error(Code::ASSET_REFERENCE, name.origin,
                                 fmt::format("the map has no {} `{}`", what, name.text), at);
    d.alternatives = did_you_mean(name.text, ids(list));
  };
  for (std::size_t i = 0; i < markers.items.size(); ++i) {
    const Node& marker = markers.items[i];
    const std::string at = fmt::format("{}.spaceMarkers.{}", path, i);
    if (!has_space(spaces, marker.find("spaceId")->text))
      missing(*marker.find("spaceId"), "space", spaces, at + ".spaceId");
    const Node* lattice = by_id(lattices, marker.find("markerId")->text);
    if (lattice == nullptr)
      missing(*marker.find("markerId"), "marker lattice", lattices, at + ".markerId");
    else
      check_state(*lattice, *marker.find("state"), at + ".state", report);
  }
}

}  // namespace

void derive_map(GameSpecDoc& doc, const Selection& selection, Report& report) {
  Derived& derived = doc.derived;
  derived.tracks = derived.marker_lattices = derived.space_markers = derived.stacking_constraints =
      Node::of_list({});
  if (!selection.map) return;
  const Node& payload = *selection.map.payload;
  const std::string path = selection.map.path();
  derived.tracks = list_or_empty(payload, "tracks");
  derived.marker_lattices = list_or_empty(payload, "markerLattices");
  derived.space_markers = list_or_empty(payload, "spaceMarkers");
  derived.stacking_constraints = list_or_empty(payload, "stackingConstraints");
  const Node& spaces = *payload.find("spaces");
  check_markers(derived.marker_lattices, spaces, derived.space_markers, path, report);

  std::vector<Node> zones;
  for (const Node& space : spaces.items) zones.push_back(zone_from_space(space));
  Node& authored = doc.need(Section::zones);
  std::ranges::move(authored.items, std::back_inserter(zones));
  authored.items = std::move(zones);

  for (std::size_t i = 0; i < derived.tracks.items.size(); ++i) {
    const Node& track = derived.tracks.items[i];
    const std::string at = fmt::format("{}.tracks.{}", path, i);
    check_scope(track, derived.seats, at, report);
    doc.need(Section::globalVars).items.push_back(variable_from_track(track, at, report));
  }
}

}  // namespace parlor::spec
