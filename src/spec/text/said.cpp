#include "spec/text/said.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "spec/json_node.h"
#include "spec/text/printer.h"

namespace parlor::spec {
namespace {

using Json = nlohmann::json;

// A binding of a macro by the name its author gave it (expand/hygiene.h).
std::string authored_name(std::string text) {
  constexpr std::string_view made = "$__macro_";
  for (std::size_t at = text.find(made); at != std::string::npos; at = text.find(made, at + 1)) {
    std::size_t end = at + 1;
    while (end < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_'))
      ++end;
    const std::size_t last = text.rfind('_', end - 1);
    text.replace(at, last + 1 - at, "$");
  }
  return text;
}

// Zones of nobody are written without owner.
std::string zone_name(std::string text) {
  if (text.ends_with(":none")) text.resize(text.size() - 5);
  return authored_name(std::move(text));
}

// Filters are lists of none or one.
void one_of(Json& object, const char* from, const char* to) {
  const auto found = object.find(from);
  if (found == object.end() || !found->is_array()) return;
  Json only = found->size() == 1 ? found->front() : Json();
  object.erase(from);
  if (!only.is_null()) object[to] = std::move(only);
}

// What the compiler keeps, as an author writes it.
Json as_written(const Json& kept) {
  if (kept.is_string()) return zone_name(kept.get<std::string>());
  if (kept.is_array()) {
    Json out = Json::array();
    for (const Json& item : kept) out.push_back(as_written(item));
    return out;
  }
  if (!kept.is_object()) return kept;
  if (kept.size() == 2 && kept.contains("base") && kept.contains("owner") &&
      kept["base"].is_string() && kept["owner"].is_string())
    return zone_name(kept["base"].get<std::string>() + ":" + kept["owner"].get<std::string>());
  Json out = Json::object();
  for (const auto& [key, value] : kept.items())
    if (key != "at" && !value.is_null()) out[key] = as_written(value);
  if (out.value("ref", "") == "zoneCount") return {{"zoneCount", out["zone"]}};
  const Json field = out.value("field", Json());
  if (field == "prop") out.erase("field");
  if (field == "tokenType") out["field"] = {{"kind", "tokenType"}};
  if (!out.contains("query") || !out["query"].is_string()) {
    one_of(out, "where", "where");
    one_of(out, "valueExpr", "valueExpr");
    return out;
  }
  one_of(out, "filter", "filter");
  one_of(out, "via", "via");
  one_of(out, "condition", out["query"] == "tokensInMapSpaces" ? "spaceFilter" : "filter");
  if (out["query"] == "zones" && out.value("boardOnly", false)) out["query"] = "mapSpaces";
  out.erase("boardOnly");
  std::erase_if(out.get_ref<Json::object_t&>(),
                [](const auto& entry) { return entry.second == false; });  // as if nothing was said
  return out;
}

text::Claims claims_of(const GameDef& game) {
  text::Claims out;
  for (const VarDef& var : game.global_vars) out.game_vars.insert(var.name);
  for (const VarDef& var : game.per_player_vars) out.player_vars.insert(var.name);
  for (const VarDef& var : game.zone_vars) out.zone_vars.insert(var.name);
  for (const MarkerLattice& lattice : game.marker_lattices) out.markers.insert(lattice.id);
  for (const MarkerLattice& lattice : game.global_marker_lattices)
    out.global_markers.insert(lattice.id);
  for (const ZoneDef& zone : game.zones) {
    out.zones.insert(zone.base);
    for (const auto& attribute : zone.attributes) out.attributes.insert(attribute.name);
  }
  for (const TokenTypeDef& type : game.token_types)
    for (const auto& prop : type.props) out.props.insert(prop.name);
  out.seats.insert(game.seats.begin(), game.seats.end());
  return out;
}

text::Names names_of(const GameDef& game) {
  text::Names out;
  for (const TokenTypeDef& type : game.token_types) out.token_types.insert(type.id);
  out.seats.insert(game.seats.begin(), game.seats.end());
  return out;
}

std::optional<std::string> print(const Json& part, const text::PrintContext& context) {
  const Node node = to_node(as_written(part), {});
  if (part.contains("query") && part["query"].is_string()) return print_query(node, context);
  if (auto condition = print_condition(node, context)) return condition;
  return print_value(node, context);
}

void each_part(const Json& json, const auto& visit) {
  if (!json.is_structured()) return;
  constexpr const char* kinds[] = {"op", "query", "ref", "aggregate", "concat", "if"};
  if (json.is_object() && json.contains("at") &&
      std::ranges::any_of(kinds, [&](const char* kind) { return json.contains(kind); }))
    visit(json);
  for (const auto& [key, value] : json.items()) each_part(value, visit);
}

}  // namespace

void Said::read() const {
  const text::Claims claims = claims_of(game_);
  const text::Names names = names_of(game_);
  Json rules = to_json(game_);
  for (const char* beside :
       {"places", "sections", "tables", "zones", "observers", "verbalization", "display"})
    rules.erase(beside);
  each_part(rules, [&](const Json& part) {
    if (auto text = print(part, {names, claims}))
      texts_.emplace(part["at"].get<std::uint32_t>(), std::move(*text));
  });
}

const std::string& Said::at(std::uint32_t place) const {
  static const std::string nothing;
  std::call_once(read_, [&] { read(); });
  const auto found = texts_.find(place);
  return found == texts_.end() ? nothing : found->second;
}

}  // namespace parlor::spec
