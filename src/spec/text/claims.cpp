// What a game gives names to, from its sections as they are written.
#include <array>
#include <cctype>

#include "spec/expand/hygiene.h"
#include "spec/text/convert.h"
#include "spec/text/printer.h"

namespace parlor::spec::text {
namespace {

using Words = std::set<std::string, std::less<>>;

void add_strings(const Node& node, Words& out, bool keys = true) {
  if (node.is_string()) out.insert(node.text);
  for (const Node& item : node.items) add_strings(item, out, keys);
  for (const Entry& entry : node.entries) {
    if (keys) out.insert(entry.key);
    add_strings(entry.value, out, keys);
  }
}

// `name`/`id` of each entry, and those of batches.
void add_names(const Node* list, std::string_view key, Words& out) {
  if (list == nullptr) return;
  for (const Node& item : list->items) {
    if (const auto name = item.find_string(key)) out.emplace(name->substr(0, name->find(':')));
    if (const Node* batch = item.find("batch"))
      for (const std::string_view names : {"names", "ids"})
        if (const Node* all = batch->find(names)) add_strings(*all, out);
  }
}

// Those with a text for a value, or the type of texts.
void add_text_members(const Node* map, Claims& out) {
  if (map == nullptr) return;
  for (const Entry& entry : map->entries) {
    const bool text = entry.value.is_string() && !entry.value.is("int") &&
                      !entry.value.is("boolean") && !entry.value.is("player");
    (text ? out.text_members : out.other_members).insert(entry.key);
  }
}

void add_keys(const Node* map, Words& out) {
  if (map == nullptr) return;
  for (const Entry& entry : map->entries) out.insert(entry.key);
}

void add_asset(const Node& asset, Claims& out) {
  const Node* payload = asset.find("payload");
  if (payload == nullptr) return;
  add_strings(*payload, out.texts);
  add_names(payload->find("tracks"), "id", out.game_vars);
  add_names(payload->find("markerLattices"), "id", out.markers);
  add_names(payload->find("spaces"), "id", out.zones);
  add_names(payload->find("seats"), "id", out.seats);
  if (const Node* spaces = payload->find("spaces"))
    for (const Node& space : spaces->items) {
      add_keys(space.find("attributes"), out.attributes);
      add_text_members(space.find("attributes"), out);
    }
  if (const Node* types = payload->find("pieceTypes"))
    for (const Node& item : types->items) {
      const Node& type = item.has("generate") ? *item.find("generate") : item;
      add_keys(type.find("runtimeProps"), out.props);
      add_keys(type.find("derivedProps"), out.props);
      add_text_members(type.find("runtimeProps"), out);
      if (const Node* dimensions = type.find("statusDimensions")) {
        add_strings(*dimensions, out.props);
        add_strings(*dimensions, out.text_members);
      }
      add_names(type.find("dimensions"), "name", out.props);
    }
}

// Everything rules bind, and the texts they give to properties and states.
void add_rules(const Node& node, Claims& out) {
  for (const Node& item : node.items) add_rules(item, out);
  const bool assigns = node.has("token") || node.has("target");
  // Text may bind anything it mentions.
  for (std::size_t at = node.text.find('$'); at != std::string::npos;
       at = node.text.find('$', at + 1)) {
    std::size_t end = at + 1;
    while (end < node.text.size() &&
           (std::isalnum(static_cast<unsigned char>(node.text[end])) != 0 || node.text[end] == '_'))
      ++end;
    out.bindings.insert(node.text.substr(at, end - at));
    // A text that is nothing else mentions a name that is made elsewhere.
    if (end - at < node.text.size()) out.text_bindings.insert(node.text.substr(at, end - at));
  }
  // What goes through zones, tokens or players binds no text.
  bool things = false;
  for (const std::string_view key : {"over", "options", "query", "domain", "source", "selector"})
    if (const Node* query = node.find(key); query != nullptr && query->is_map())
      for (const std::string_view known : {"$zone", "$token", "$player", "$row"})
        things = things || element_name(*query) == known;
  for (const Entry& entry : node.entries) {
    if (entry.value.is_string() && is_binder_key(entry.key)) {
      out.bindings.insert(entry.value.text);
      if (!things) out.text_bindings.insert(entry.value.text);
    }
    if (entry.key == "name" && entry.value.is_string() && entry.value.text.starts_with('$')) {
      out.bindings.insert(entry.value.text);
      if (node.has("domain") && !things) out.text_bindings.insert(entry.value.text);
    }
    for (const std::string_view key :
         {"props", "values", "states", "attributes", "category", "namedSets", "set", "assign"})
      if (entry.key == key) add_strings(entry.value, out.texts, false);
    if (entry.key == "value" && assigns) add_strings(entry.value, out.texts, false);
    add_rules(entry.value, out);
  }
}

}  // namespace

int Claims::count(std::string_view word) const {
  int out = 0;
  for (const Words* kind : {&game_vars, &player_vars, &zone_vars, &constants, &named_sets,
                            &global_markers, &markers, &zones, &seats, &props, &attributes})
    out += kind->contains(word) ? 1 : 0;
  return out + (bindings.contains("$" + std::string{word}) ? 1 : 0);
}

bool Claims::holds_text(std::string_view member) const {
  return member == "category" || (text_members.contains(member) && !other_members.contains(member));
}

Claims claims_of(const Sections& sections) {
  Claims out;
  const auto section = [&](Section which) -> const Node* {
    const auto& node = sections[static_cast<std::size_t>(which)];
    return node ? &*node : nullptr;
  };
  add_names(section(Section::globalVars), "name", out.game_vars);
  add_names(section(Section::perPlayerVars), "name", out.player_vars);
  add_names(section(Section::zoneVars), "name", out.zone_vars);
  add_names(section(Section::globalMarkerLattices), "id", out.global_markers);
  add_names(section(Section::zones), "id", out.zones);
  out.attributes.emplace("category");
  add_keys(section(Section::constants), out.constants);
  if (const Node* metadata = section(Section::metadata))
    add_keys(metadata->find("namedSets"), out.named_sets);
  if (const Node* zones = section(Section::zones))
    for (const Node& zone : zones->items) {
      add_keys(zone.find("attributes"), out.attributes);
      add_text_members(zone.find("attributes"), out);
      if (zone.has("macro"))
        for (const std::string_view name : {"row", "col", "q", "r"}) out.attributes.emplace(name);
    }
  if (const Node* types = section(Section::tokenTypes))
    for (const Node& type : types->items) {
      add_keys(type.find("props"), out.props);
      add_text_members(type.find("props"), out);
    }
  if (const Node* assets = section(Section::dataAssets))
    for (const Node& asset : assets->items) add_asset(asset, out);
  for (const auto& node : sections)
    if (node) add_rules(*node, out);
  return out;
}

}  // namespace parlor::spec::text
