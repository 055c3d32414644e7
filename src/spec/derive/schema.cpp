#include "spec/derive/schema.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <map>

#include "spec/slips.h"

namespace parlor::spec {
namespace {

using H = Holds;

bool holds(const Node& node, Holds what) {
  switch (what) {
    case H::text:
      return node.is_string();
    case H::integer:
      return node.is_integer();
    case H::boolean:
      return node.is_boolean();
    case H::scalar:
      return node.is_string() || node.is_integer() || node.is_boolean();
    case H::texts:
      return node.is_list() && std::ranges::all_of(node.items, &Node::is_string);
    case H::list:
      return node.is_list();
    case H::map:
      return node.is_map();
    case H::anything:
      return true;
  }
  return false;
}

std::string_view holds_text(Holds what) {
  switch (what) {
    case H::text:
      return "a string";
    case H::integer:
      return "an integer";
    case H::boolean:
      return "true or false";
    case H::scalar:
      return "an integer, a string, true or false";
    case H::texts:
      return "a list of strings";
    case H::list:
      return "a list";
    case H::map:
      return "a mapping";
    case H::anything:
      return "anything";
  }
  return {};
}

// ---- the forms

constexpr FieldRule asset_rules[] = {{"id", H::text, true},
                                     {"kind", H::text, true},
                                     {"payload", H::anything, true},
                                     {"tableContracts", H::list}};

constexpr FieldRule map_rules[] = {{"spaces", H::list, true}, {"provisionalAdjacency", H::list},
                                   {"tracks", H::list},       {"markerLattices", H::list},
                                   {"spaceMarkers", H::list}, {"stackingConstraints", H::list}};
constexpr FieldRule space_rules[] = {{"id", H::text, true},
                                     {"category", H::text},
                                     {"attributes", H::map},
                                     {"adjacentTo", H::list},
                                     {"directions", H::map}};
constexpr FieldRule provisional_rules[] = {
    {"from", H::text, true}, {"to", H::text, true}, {"reason", H::text}};
constexpr FieldRule track_rules[] = {{"id", H::text, true},     {"scope", H::text, true},
                                     {"seat", H::text},         {"min", H::integer, true},
                                     {"max", H::integer, true}, {"initial", H::integer, true}};
constexpr FieldRule lattice_rules[] = {{"id", H::text, true},
                                       {"states", H::texts, true},
                                       {"defaultState", H::text, true},
                                       {"constraints", H::list}};
constexpr FieldRule lattice_constraint_rules[] = {{"when", H::anything, true},
                                                  {"allowedStates", H::texts, true}};
constexpr FieldRule space_marker_rules[] = {
    {"spaceId", H::text, true}, {"markerId", H::text, true}, {"state", H::text, true}};
constexpr FieldRule stacking_rules[] = {
    {"id", H::text, true},         {"description", H::text}, {"spaceFilter", H::map, true},
    {"pieceFilter", H::map, true}, {"rule", H::text, true},  {"maxCount", H::integer}};
constexpr FieldRule space_filter_rules[] = {
    {"spaceIds", H::texts}, {"category", H::texts}, {"attributeEquals", H::map}};
constexpr FieldRule piece_filter_rules[] = {{"pieceTypeIds", H::texts}, {"seats", H::texts}};

constexpr FieldRule catalog_rules[] = {{"pieceTypes", H::list, true}, {"inventory", H::list, true}};
constexpr FieldRule piece_type_rules[] = {
    {"id", H::text, true},          {"seat", H::text, true},  {"statusDimensions", H::texts, true},
    {"transitions", H::list, true}, {"runtimeProps", H::map}, {"onZoneEntry", H::list}};
constexpr FieldRule transition_rules[] = {
    {"dimension", H::text, true}, {"from", H::text, true}, {"to", H::text, true}};
constexpr FieldRule inventory_rules[] = {
    {"pieceTypeId", H::text, true}, {"seat", H::text, true}, {"total", H::integer, true}};

constexpr FieldRule seat_catalog_rules[] = {{"seats", H::list, true}};
constexpr FieldRule seat_rules[] = {{"id", H::text, true}};

constexpr FieldRule scenario_rules[] = {
    {"mapAssetId", H::text},         {"pieceCatalogAssetId", H::text},
    {"seatCatalogAssetId", H::text}, {"scenarioName", H::text},
    {"yearRange", H::anything},      {"settings", H::anything},
    {"initialPlacements", H::list},  {"outOfPlay", H::list},
    {"seatPools", H::list},          {"initializations", H::list},
    {"cardPlacements", H::list},     {"deckComposition", H::map},
    {"eventDeckAssetId", H::text}};
constexpr FieldRule placement_rules[] = {{"spaceId", H::text, true},
                                         {"pieceTypeId", H::text, true},
                                         {"seat", H::text, true},
                                         {"count", H::integer, true},
                                         {"status", H::map}};
constexpr FieldRule out_of_play_rules[] = {
    {"pieceTypeId", H::text, true}, {"seat", H::text, true}, {"count", H::integer, true}};
constexpr FieldRule pool_rules[] = {
    {"seat", H::text, true}, {"availableZoneId", H::text, true}, {"outOfPlayZoneId", H::text}};
constexpr FieldRule initialization_rules[] = {{"trackId", H::text}, {"var", H::text},
                                              {"value", H::scalar}, {"markerId", H::text},
                                              {"state", H::text},   {"spaceId", H::text}};
constexpr FieldRule card_placement_rules[] = {
    {"cardId", H::text, true}, {"zoneId", H::text, true}, {"count", H::integer}};
constexpr FieldRule composition_rules[] = {{"materializationStrategy", H::text, true},
                                           {"pileCount", H::integer, true},
                                           {"eventsPerPile", H::integer, true},
                                           {"coupsPerPile", H::integer, true},
                                           {"includedCardIds", H::texts},
                                           {"excludedCardIds", H::texts},
                                           {"includedCardTags", H::texts},
                                           {"excludedCardTags", H::texts},
                                           {"pileFilters", H::list}};
constexpr FieldRule pile_filter_rules[] = {
    {"piles", H::list, true},       {"includedCardIds", H::texts},  {"excludedCardIds", H::texts},
    {"includedCardTags", H::texts}, {"excludedCardTags", H::texts}, {"metadataEquals", H::map}};

// The objects in a list below a payload.
struct ListRule {
  std::string_view key;
  std::span<const FieldRule> rules;
  std::string_view what;
  std::string_view unique;  // a field that must differ, or ""
};

constexpr ListRule map_lists[] = {
    {"spaces", space_rules, "a space", "id"},
    {"provisionalAdjacency", provisional_rules, "a provisional adjacency", ""},
    {"tracks", track_rules, "a track", "id"},
    {"markerLattices", lattice_rules, "a marker lattice", "id"},
    {"spaceMarkers", space_marker_rules, "a space marker", ""},
    {"stackingConstraints", stacking_rules, "a stacking constraint", "id"}};
constexpr ListRule catalog_lists[] = {{"pieceTypes", piece_type_rules, "a piece type", "id"},
                                      {"inventory", inventory_rules, "an inventory line", ""}};
constexpr ListRule seat_lists[] = {{"seats", seat_rules, "a seat", "id"}};
constexpr ListRule scenario_lists[] = {
    {"initialPlacements", placement_rules, "a placement", ""},
    {"outOfPlay", out_of_play_rules, "an out-of-play entry", ""},
    {"seatPools", pool_rules, "a seat pool", "seat"},
    {"initializations", initialization_rules, "an initialization", ""},
    {"cardPlacements", card_placement_rules, "a card placement", ""}};

struct KindRule {
  std::string_view kind;
  std::span<const FieldRule> rules;
  std::span<const ListRule> lists;
};

constexpr KindRule kinds[] = {{"map", map_rules, map_lists},
                              {"pieceCatalog", catalog_rules, catalog_lists},
                              {"seatCatalog", seat_catalog_rules, seat_lists},
                              {"scenario", scenario_rules, scenario_lists}};

void check_unique(const Node& list, const ListRule& rule, const std::string& path, Report& report) {
  if (rule.unique.empty()) return;
  std::map<std::string_view, const Node*> seen;
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const Node* id = list.items[i].find(rule.unique);
    if (id == nullptr || !id->is_string()) continue;
    const auto [first, fresh] = seen.emplace(id->text, id);
    if (fresh) continue;
    Diagnostic& d = report.error(Code::ASSET_DUPLICATE_ID, id->origin,
                                 fmt::format("{} `{}` is given twice", rule.what, id->text),
                                 fmt::format("{}.{}.{}", path, i, rule.unique));
    d.suggestion = "rename or remove one of them";
    relate(d, report.source(), "first given here", first->second->origin.place);
  }
}

void check_lists(const Node& payload, std::span<const ListRule> lists, const std::string& path,
                 Report& report) {
  for (const ListRule& rule : lists) {
    const Node* list = payload.find(rule.key);
    if (list == nullptr || !list->is_list()) continue;
    const std::string list_path = fmt::format("{}.{}", path, rule.key);
    for (std::size_t i = 0; i < list->items.size(); ++i)
      check_object(list->items[i], rule.rules, rule.what, fmt::format("{}.{}", list_path, i),
                   report);
    check_unique(*list, rule, list_path, report);
  }
}

// Objects inside the objects: lattice constraints, filters, transitions, pile filters.
void check_inner(const Node& payload, std::string_view list_key, std::string_view key,
                 std::span<const FieldRule> rules, std::string_view what, const std::string& path,
                 Report& report) {
  const Node* list = payload.find(list_key);
  if (list == nullptr || !list->is_list()) return;
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    const Node* inner = list->items[i].find(key);
    if (inner == nullptr) continue;
    const std::string inner_path = fmt::format("{}.{}.{}.{}", path, list_key, i, key);
    if (inner->is_map()) check_object(*inner, rules, what, inner_path, report);
    for (std::size_t j = 0; j < inner->items.size(); ++j)
      check_object(inner->items[j], rules, what, fmt::format("{}.{}", inner_path, j), report);
  }
}

void check_details(std::string_view kind, const Node& payload, const std::string& path,
                   Report& report) {
  if (kind == "map") {
    check_inner(payload, "markerLattices", "constraints", lattice_constraint_rules,
                "a lattice constraint", path, report);
    check_inner(payload, "stackingConstraints", "spaceFilter", space_filter_rules, "`spaceFilter`",
                path, report);
    check_inner(payload, "stackingConstraints", "pieceFilter", piece_filter_rules, "`pieceFilter`",
                path, report);
  } else if (kind == "pieceCatalog") {
    check_inner(payload, "pieceTypes", "transitions", transition_rules, "a transition", path,
                report);
  } else if (kind == "seatCatalog") {
    if (const Node* seats = payload.find("seats");
        seats != nullptr && seats->is_list() && seats->items.empty())
      report.error(Code::ASSET_INVALID, seats->origin, "a seat catalog needs at least one seat",
                   path + ".seats");
  } else if (const Node* composition = payload.find("deckComposition"); composition != nullptr) {
    const std::string inner = path + ".deckComposition";
    check_object(*composition, composition_rules, "a deck composition", inner, report);
    const Node* filters = composition->find("pileFilters");
    if (filters == nullptr) return;
    for (std::size_t i = 0; i < filters->items.size(); ++i)
      check_object(filters->items[i], pile_filter_rules, "a pile filter",
                   fmt::format("{}.pileFilters.{}", inner, i), report);
  }
}

}  // namespace

bool check_object(const Node& node, std::span<const FieldRule> rules, std::string_view what,
                  const std::string& path, Report& report) {
  if (!node.is_map()) {
    Diagnostic& d =
        report.error(Code::ASSET_INVALID, node.origin,
                     fmt::format("{} is a mapping, not {}", what, describe(node)), path);
    if (node.is_string() && !rules.empty())
      d.suggestion = fmt::format("write {{{}: {}{}}}", rules.front().key, node.text,
                                 rules.size() > 1 ? ", …" : "");
    return false;
  }
  Keys keys{report, node, what, path};
  for (const FieldRule& rule : rules) {
    keys.allow(rule.key);
    if (rule.required && node.find(rule.key) == nullptr) keys.miss(rule.key);
  }
  bool fine = keys.check([&](const std::vector<std::string>& missing) {
    for (const std::string& key : missing)
      report.error(Code::ASSET_INVALID, node.origin, fmt::format("{} needs `{}`", what, key), path)
          .suggestion =
          fmt::format("add `{}: …` ({})", key,
                      holds_text(std::ranges::find(rules, key, &FieldRule::key)->holds));
    return true;
  });
  for (const FieldRule& rule : rules) {
    const Node* value = node.find(rule.key);
    if (value == nullptr || holds(*value, rule.holds)) continue;
    fine = false;
    report.error(Code::ASSET_INVALID, value->origin,
                 fmt::format("`{}` of {} must be {}, not {}", rule.key, what,
                             holds_text(rule.holds), describe(*value)),
                 fmt::format("{}.{}", path, rule.key));
  }
  return fine;
}

void check_assets(const GameSpecDoc& doc, Report& report) {
  const Node* assets = doc.find(Section::dataAssets);
  if (assets == nullptr) return;
  constexpr ListRule unique{"dataAssets", asset_rules, "a data asset", "id"};
  check_unique(*assets, unique, "dataAssets", report);
  for (std::size_t i = 0; i < assets->items.size(); ++i) {
    const Node& asset = assets->items[i];
    const std::string path = fmt::format("dataAssets.{}", i);
    if (!check_object(asset, asset_rules, "a data asset", path, report)) continue;
    const Node& payload = *asset.find("payload");
    const auto kind = std::ranges::find(kinds, asset.find("kind")->text, &KindRule::kind);
    if (kind == std::end(kinds)) {
      std::vector<std::string> names;
      for (const KindRule& rule : kinds) names.emplace_back(rule.kind);
      const auto near = did_you_mean(asset.find("kind")->text, names);
      if (near.empty()) continue;
      report
          .warning(Code::ASSET_INVALID, asset.find("kind")->origin,
                   fmt::format("the kind `{}` is free-form data; did you mean `{}`?",
                               asset.find("kind")->text, near.front()),
                   path + ".kind")
          .alternatives = near;
      continue;
    }
    check_object(payload, kind->rules, fmt::format("a {} asset", kind->kind), path + ".payload",
                 report);
    check_lists(payload, kind->lists, path + ".payload", report);
    check_details(kind->kind, payload, path + ".payload", report);
  }
}

}  // namespace parlor::spec
