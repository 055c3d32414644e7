#include "spec/derive/scenario.h"

#include <algorithm>
#include <fmt/core.h>
#include <map>

#include "spec/derive/pieces.h"

namespace parlor::spec {

Node EffectBuilder::map(std::vector<std::pair<std::string_view, Node>> entries) const {
  Node out = Node::of_map(origin);
  for (auto& [key, value] : entries) out.set(key, std::move(value));
  return out;
}

Node EffectBuilder::effect(std::string_view name,
                           std::vector<std::pair<std::string_view, Node>> entries) const {
  Node out = Node::of_map(origin);
  out.set(name, map(std::move(entries)));
  return out;
}

namespace {

std::string_view base_of(std::string_view zone) {
  return zone.substr(0, zone.find(':'));
}

const Node* find_id(const Node* list, std::string_view id, std::string_view key = "id") {
  if (list == nullptr) return nullptr;
  const auto found = std::ranges::find_if(
      list->items, [&](const Node& node) { return node.find_string(key) == id; });
  return found == list->items.end() ? nullptr : &*found;
}

std::vector<std::string> names_in(const Node* list, std::string_view key) {
  std::vector<std::string> out;
  if (list == nullptr) return out;
  for (const Node& item : list->items)
    if (const auto name = item.find_string(key)) out.emplace_back(*name);
  return out;
}

class ScenarioSetup {
 public:
  ScenarioSetup(GameSpecDoc& doc, const Selection& selection, const FrontLimits& limits,
                Report& report)
      : doc_(doc),
        payload_(*selection.scenario.payload),
        path_(selection.scenario.path()),
        pieces_(selection.pieces ? selection.pieces.payload : nullptr),
        report_(report),
        left_(limits.built_in_effects) {}

  std::vector<Node> run() {
    initialize();
    if (pieces_ != nullptr) {
      place();
      take_out_of_play();
      fill_pools();
    } else if (const Node* placements = payload_.find("initialPlacements");
               placements != nullptr && !placements->items.empty()) {
      report_
          .error(Code::ASSET_REFERENCE, placements->origin,
                 "the scenario places pieces, but the game has no piece catalog",
                 path_ + ".initialPlacements")
          .suggestion = "add a data asset of kind `pieceCatalog`";
    }
    return std::move(effects_);
  }

 private:
  using Line = std::pair<std::string, std::string>;  // piece type, seat

  void initialize();
  void initialize_track(const Node& entry, const std::string& path);
  void initialize_global_marker(const Node& entry, const std::string& path);
  void initialize_space_marker(const Node& entry, const std::string& path);
  void place();
  void take_out_of_play();
  void fill_pools();
  const Node* piece(const Node& entry, const std::string& path);
  void check_zone(const Node& zone, const std::string& path);
  void count_off(const Node& entry, std::int64_t count, const std::string& path);
  void create(const Node& piece, const Node& zone, std::int64_t count, const Node* status,
              const Origin& origin);
  void unknown(const Node& name, std::string_view what, const std::vector<std::string>& known,
               const std::string& path);
  bool check_state(const Node& lattice, const Node& state, const std::string& path);

  GameSpecDoc& doc_;
  const Node& payload_;
  std::string path_;
  const Node* pieces_;
  Report& report_;
  std::size_t left_;
  std::vector<Node> effects_;
  std::map<Line, std::int64_t> used_;
};

void ScenarioSetup::unknown(const Node& name, std::string_view what,
                            const std::vector<std::string>& known, const std::string& path) {
  Diagnostic& d = report_.error(Code::ASSET_REFERENCE, name.origin,
                                fmt::format("there is no {} `{}`", what, name.text), path);
  d.alternatives = did_you_mean(name.text, known);
  if (d.alternatives.empty() && !known.empty() && known.size() <= 12)
    d.suggestion = fmt::format("known are {}", name_list(known));
}

bool ScenarioSetup::check_state(const Node& lattice, const Node& state, const std::string& path) {
  const Node* states = lattice.find("states");
  if (states == nullptr || !states->is_list()) return true;
  std::vector<std::string> names;
  for (const Node& known : states->items) names.push_back(known.text);
  if (std::ranges::find(names, state.text) != names.end()) return true;
  Diagnostic& d = report_.error(Code::MARKER_STATE_UNKNOWN, state.origin,
                                fmt::format("the marker has no state `{}`", state.text), path);
  d.alternatives = did_you_mean(state.text, names);
  if (d.alternatives.empty()) d.suggestion = fmt::format("its states are {}", name_list(names));
  return false;
}

// `{trackId, value}`: the track starts there; no effect is needed.
void ScenarioSetup::initialize_track(const Node& entry, const std::string& path) {
  const Node& id = *entry.find("trackId");
  const Node* value = entry.find("value");
  Node* track = nullptr;
  for (Node& candidate : doc_.derived.tracks.items)
    if (candidate.find_string("id") == id.text) track = &candidate;
  if (track == nullptr)
    return unknown(id, "track", names_in(&doc_.derived.tracks, "id"), path + ".trackId");
  const std::int64_t min = track->find("min")->integer, max = track->find("max")->integer;
  if (value == nullptr || !value->is_integer() || value->integer < min || value->integer > max) {
    report_
        .error(
            Code::TRACK_VALUE, value != nullptr ? value->origin : entry.origin,
            fmt::format("the track `{}` needs an integer value from {} to {}", id.text, min, max),
            path)
        .suggestion = "change the value, or the track's bounds in the map";
    return;
  }
  track->set("initial", *value);
  for (Node& variable : doc_.need(Section::globalVars).items)
    if (variable.find_string("name") == id.text) variable.set("init", *value);
}

void ScenarioSetup::initialize_global_marker(const Node& entry, const std::string& path) {
  const Node& id = *entry.find("markerId");
  const Node* lattices = doc_.find(Section::globalMarkerLattices);
  const Node* lattice = find_id(lattices, id.text);
  if (lattice == nullptr)
    return unknown(id, "global marker", names_in(lattices, "id"), path + ".markerId");
  if (!check_state(*lattice, *entry.find("state"), path + ".state")) return;
  const EffectBuilder build{entry.origin};
  effects_.push_back(
      build.effect("setGlobalMarker", {{"marker", id}, {"state", *entry.find("state")}}));
}

void ScenarioSetup::initialize_space_marker(const Node& entry, const std::string& path) {
  const Node& id = *entry.find("markerId");
  const Node* lattice = find_id(&doc_.derived.marker_lattices, id.text);
  if (lattice == nullptr)
    return unknown(id, "marker lattice", names_in(&doc_.derived.marker_lattices, "id"),
                   path + ".markerId");
  check_zone(*entry.find("spaceId"), path + ".spaceId");
  if (!check_state(*lattice, *entry.find("state"), path + ".state")) return;
  const EffectBuilder build{entry.origin};
  effects_.push_back(build.effect(
      "setMarker",
      {{"space", *entry.find("spaceId")}, {"marker", id}, {"state", *entry.find("state")}}));
}

void ScenarioSetup::initialize() {
  const Node* list = payload_.find("initializations");
  if (list == nullptr) return;
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    const Node& entry = list->items[i];
    const std::string path = fmt::format("{}.initializations.{}", path_, i);
    if (entry.has("trackId")) {
      initialize_track(entry, path);
    } else if (entry.has("var") && entry.has("value")) {
      const EffectBuilder build{entry.origin};
      effects_.push_back(build.effect("setVar", {{"scope", build.text("global")},
                                                 {"var", *entry.find("var")},
                                                 {"value", *entry.find("value")}}));
    } else if (entry.has("markerId") && entry.has("state") && entry.has("spaceId")) {
      initialize_space_marker(entry, path);
    } else if (entry.has("markerId") && entry.has("state")) {
      initialize_global_marker(entry, path);
    } else {
      report_
          .error(Code::ASSET_INVALID, entry.origin, "this initialization is of no known form", path)
          .alternatives = {"{trackId, value}", "{var, value}", "{markerId, state}",
                           "{spaceId, markerId, state}"};
    }
  }
}

const Node* ScenarioSetup::piece(const Node& entry, const std::string& path) {
  const Node* types = pieces_->find("pieceTypes");
  const Node& id = *entry.find("pieceTypeId");
  const Node* found = find_id(types, id.text);
  if (found == nullptr) {
    unknown(id, "piece type", names_in(types, "id"), path + ".pieceTypeId");
    return nullptr;
  }
  const Node& seat = *entry.find("seat");
  if (seat.text != found->find("seat")->text) {
    Diagnostic& d = report_.error(Code::ASSET_REFERENCE, seat.origin,
                                  fmt::format("the piece type `{}` belongs to seat `{}`, not `{}`",
                                              id.text, found->find("seat")->text, seat.text),
                                  path + ".seat");
    d.alternatives = {found->find("seat")->text};
    relate(d, report_.source(), "the piece type is declared here", found->origin.place);
    return nullptr;
  }
  return found;
}

void ScenarioSetup::check_zone(const Node& zone, const std::string& path) {
  const Node* zones = doc_.find(Section::zones);
  if (zones == nullptr) return;
  for (const Node& known : zones->items)
    if (const auto id = known.find_string("id"); id && base_of(*id) == base_of(zone.text)) return;
  unknown(zone, "zone", names_in(zones, "id"), path);
}

void ScenarioSetup::count_off(const Node& entry, std::int64_t count, const std::string& path) {
  const Line line{entry.find("pieceTypeId")->text, entry.find("seat")->text};
  std::int64_t total = 0;
  for (const Node& stock : pieces_->find("inventory")->items)
    if (stock.find_string("pieceTypeId") == line.first && stock.find_string("seat") == line.second)
      total += stock.find("total")->integer;
  const std::int64_t before = used_[line];
  used_[line] += count;
  if (before > total || used_[line] <= total) return;  // reported once, where it is exceeded
  report_
      .error(Code::SCENARIO_PIECE_CONSERVATION, entry.find("count")->origin,
             fmt::format("the scenario uses {} pieces `{}`, but the inventory has {}", used_[line],
                         line.first, total),
             path)
      .suggestion = "lower the count or raise the inventory's total";
}

void ScenarioSetup::create(const Node& piece, const Node& zone, std::int64_t count,
                           const Node* status, const Origin& origin) {
  if (count < 0 || static_cast<std::size_t>(count) > left_) {
    if (left_ > 0)
      report_.error(Code::LIMIT_EFFECTS, origin, "the scenario creates too many pieces", path_);
    left_ = 0;
    return;
  }
  left_ -= static_cast<std::size_t>(count);
  const EffectBuilder build{origin};
  const Node effect = build.effect(
      "createToken",
      {{"type", *piece.find("id")}, {"zone", zone}, {"props", piece_props(piece, status)}});
  effects_.insert(effects_.end(), static_cast<std::size_t>(count), effect);
}

void ScenarioSetup::place() {
  const Node* list = payload_.find("initialPlacements");
  if (list == nullptr) return;
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    const Node& entry = list->items[i];
    const std::string path = fmt::format("{}.initialPlacements.{}", path_, i);
    check_zone(*entry.find("spaceId"), path + ".spaceId");
    const Node* type = piece(entry, path);
    if (type == nullptr) continue;
    count_off(entry, entry.find("count")->integer, path);
    create(*type, *entry.find("spaceId"), entry.find("count")->integer, entry.find("status"),
           entry.origin);
  }
}

void ScenarioSetup::take_out_of_play() {
  const Node* list = payload_.find("outOfPlay");
  if (list == nullptr) return;
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    const Node& entry = list->items[i];
    const std::string path = fmt::format("{}.outOfPlay.{}", path_, i);
    const Node* type = piece(entry, path);
    if (type == nullptr) continue;
    count_off(entry, entry.find("count")->integer, path);
    const Node* pool = find_id(payload_.find("seatPools"), entry.find("seat")->text, "seat");
    const Node* zone = pool != nullptr ? pool->find("outOfPlayZoneId") : nullptr;
    if (zone != nullptr) {
      create(*type, *zone, entry.find("count")->integer, nullptr, entry.origin);
      continue;
    }
    report_
        .error(
            Code::ASSET_REFERENCE, entry.origin,
            fmt::format("seat `{}` has no zone for pieces out of play", entry.find("seat")->text),
            path)
        .suggestion = "give `outOfPlayZoneId` in the seat's pool";
  }
}

void ScenarioSetup::fill_pools() {
  const Node* pools = payload_.find("seatPools");
  if (pools == nullptr) return;
  for (std::size_t i = 0; i < pools->items.size(); ++i) {
    const std::string path = fmt::format("{}.seatPools.{}", path_, i);
    for (const std::string_view key : {"availableZoneId", "outOfPlayZoneId"})
      if (const Node* zone = pools->items[i].find(key))
        check_zone(*zone, path + "." + std::string{key});
    const Node& seat = *pools->items[i].find("seat");
    if (!doc_.derived.seats.empty() &&
        std::ranges::find(doc_.derived.seats, seat.text) == doc_.derived.seats.end())
      unknown(seat, "seat", doc_.derived.seats, path + ".seat");
  }
  for (const Node& line : pieces_->find("inventory")->items) {
    const Node* pool = find_id(pools, line.find("seat")->text, "seat");
    const Node* type = find_id(pieces_->find("pieceTypes"), line.find("pieceTypeId")->text);
    if (pool == nullptr || type == nullptr) continue;
    // Several lines of one piece share what was placed: the earlier line is used up first.
    std::int64_t& used = used_[{line.find("pieceTypeId")->text, line.find("seat")->text}];
    const std::int64_t total = line.find("total")->integer;
    const std::int64_t taken = std::min(used, total);
    used -= taken;
    if (total > taken)
      create(*type, *pool->find("availableZoneId"), total - taken, nullptr, line.origin);
  }
}

void check_inventory(const Selection& selection, Report& report) {
  const Node* lines = selection.pieces.payload->find("inventory");
  const Node* types = selection.pieces.payload->find("pieceTypes");
  for (std::size_t i = 0; i < lines->items.size(); ++i) {
    const Node& id = *lines->items[i].find("pieceTypeId");
    if (find_id(types, id.text) != nullptr) continue;
    Diagnostic& d =
        report.error(Code::ASSET_REFERENCE, id.origin,
                     fmt::format("the catalog has no piece type `{}`", id.text),
                     fmt::format("{}.inventory.{}.pieceTypeId", selection.pieces.path(), i));
    d.alternatives = did_you_mean(id.text, names_in(types, "id"));
  }
}

}  // namespace

void derive_scenario(GameSpecDoc& doc, const Selection& selection, const FrontLimits& limits,
                     Report& report) {
  doc.derived.seat_pools = Node::of_list({});
  if (selection.pieces) check_inventory(selection, report);
  if (!selection.scenario) return;
  if (const Node* pools = selection.scenario.payload->find("seatPools"))
    doc.derived.seat_pools = *pools;
  std::vector<Node> effects = ScenarioSetup{doc, selection, limits, report}.run();
  derive_scenario_deck(doc, selection, effects, report);
  if (effects.empty()) return;
  Node& setup = doc.need(Section::setup);
  std::ranges::move(setup.items, std::back_inserter(effects));
  setup.items = std::move(effects);
}

}  // namespace parlor::spec
