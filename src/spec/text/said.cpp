#include "spec/text/said.h"

#include <functional>
#include <nlohmann/json.hpp>

#include "spec/gamedef/forms.h"
#include "spec/json_node.h"
#include "spec/text/printer.h"

namespace parlor::spec {
namespace {

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

// What the compiler keeps, as an author writes it.
Node written(Part part);

Node text(std::string_view text) {
  return Node::of_string(std::string{text}, {});
}
template <class T>
Node written_as(const T& thing) {
  return written(Part::of(thing));
}

Node map(std::string_view key, Node value) {
  Node out = Node::of_map({});
  out.set(key, std::move(value));
  return out;
}

void author(Node& node) {
  if (node.is_string()) node.text = zone_name(std::move(node.text));
  for (Node& item : node.items) author(item);
  for (Entry& entry : node.entries) author(entry.value);
}

// What has no parts is written as in JSON.
Node plain(Part part) {
  Node out = to_node(encoded(part), {});
  author(out);
  return out;
}

Node written_zone(const ZoneSel& zone) {
  if (zone.kind == ZoneSel::Kind::expression) return map("zoneExpr", written_as(zone.expr.front()));
  if (zone.kind != ZoneSel::Kind::owned) return plain(Part::of(zone));
  const Node owner = plain(Part::of(zone.owner));
  return text(zone_name(zone.text + ":" + (owner.is_string() ? owner.text : to_text(owner))));
}

Node written_items(Part list) {
  Node out = Node::of_list({});
  for (std::size_t i = 0; i < list.count(); ++i) out.items.push_back(written(list.item(i)));
  return out;
}

Node written_filter(const TokenFilter& filter) {
  constexpr std::string_view words[] = {"", "and", "or", "not"};
  if (filter.kind != TokenFilter::Kind::test) {
    Node out = map("op", text(words[static_cast<std::size_t>(filter.kind)]));
    const bool one = filter.kind == TokenFilter::Kind::none_of;
    out.set(one ? "arg" : "args",
            one ? written_filter(filter.args.front()) : written_items(Part::of(filter.args)));
    return out;
  }
  const TokenTest& test = filter.test;
  Node out = Node::of_map({});
  if (test.field != TokenTest::Field::prop)
    out.set("field", map("kind", text(enum_name(test.field))));
  if (!test.prop.empty()) out.set("prop", text(test.prop));
  out.set("op", text(enum_name(test.op)));
  out.set("value", written_as(test.value));
  return out;
}

// A filter or the like is a list of none or one.
bool is_one(const Member& member) {
  const Expects expects = member.spec.expects;
  return expects == Expects::condition || expects == Expects::value ||
         expects == Expects::token_filter;
}

Node written_fields(Part record) {
  Node out = Node::of_map({});
  for (const Member& member : record.form->members) {
    const Part part = record.member(member);
    const auto* truth = part.as<bool>();  // false: as if nothing was said
    if (part.empty() || part.form->sort == Form::Sort::place || (truth != nullptr && !*truth))
      continue;
    const bool one = part.form->sort == Form::Sort::list && is_one(member);
    out.set(member.name, written(one ? part.item(0) : part));
  }
  return out;
}

// `query` with the filter that its owners and its condition are written as.
Node filtered(Node query, std::string_view key, const std::vector<PlayerSel>& owner,
              const std::vector<Condition>& condition) {
  for (const char* kept : {"owner", "condition", "boardOnly"}) query.erase(kept);
  if (owner.empty() && condition.empty()) return query;
  Node filter = condition.empty() ? Node::of_map({}) : written_as(condition.front());
  if (!owner.empty()) {
    Node both = map("owner", plain(Part::of(owner.front())));
    if (!condition.empty()) both.set("condition", std::move(filter));
    filter = std::move(both);
  }
  query.set(key, std::move(filter));
  return query;
}

Node written_node(Part node) {
  const Part chosen = node.chosen();
  if (const auto* count = chosen.as<ZoneCountRef>())
    return map("zoneCount", written_zone(count->zone));
  if (chosen.as<ConcatValue>() != nullptr) return map("concat", written(chosen));
  Node out = written(chosen);
  const Tag* tag = node.alternative().tag;
  if (tag == nullptr) return out;
  if (tag->value.empty()) return map(tag->key, std::move(out));
  out.set(tag->key, text(tag->value));
  if (const auto* zones = chosen.as<ZonesQuery>()) {
    if (zones->board_only) out.set("query", text("mapSpaces"));
    return filtered(std::move(out), "filter", zones->owner, zones->condition);
  }
  if (const auto* tokens = chosen.as<TokensInMapSpacesQuery>())
    return filtered(std::move(out), "spaceFilter", tokens->owner, tokens->condition);
  return out;
}

Node written(Part part) {
  switch (part.form->sort) {
    case Form::Sort::zone:
      return written_zone(*part.as<ZoneSel>());
    case Form::Sort::direction:
      if (const auto& expr = part.as<DirectionSel>()->expr; !expr.empty())
        return written_as(expr.front());
      return plain(part);
    case Form::Sort::filter:
      return written_filter(*part.as<TokenFilter>());
    case Form::Sort::optional:
    case Form::Sort::box:
      return written(part.item(0));
    case Form::Sort::list:
      return written_items(part);
    case Form::Sort::record:
      return written_fields(part);
    case Form::Sort::choice:
      return written(part.chosen());
    case Form::Sort::node:
      return written_node(part);
    default:
      return plain(part);
  }
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

std::optional<std::string> print(Part part, const text::PrintContext& context) {
  if (part.as<Query>() != nullptr) return print_query(written(part), context);
  if (part.as<Condition>() != nullptr) return print_condition(written(part), context);
  return part.as<Value>() != nullptr ? print_value(written(part), context) : std::nullopt;
}

}  // namespace

void Said::read() const {
  const text::Claims claims = claims_of(game_);
  const text::Names names = names_of(game_);
  const std::function<void(Part)> visit = [&](Part part) {
    if (part.form->sort == Form::Sort::node && part.place().index != 0)
      if (auto text = print(part, {names, claims}))
        texts_.emplace(part.place().index, std::move(*text));
    each_part(part, visit);
  };
  visit(Part::of(game_));
}

const std::string& Said::at(std::uint32_t place) const {
  static const std::string nothing;
  std::call_once(read_, [&] { read(); });
  const auto found = texts_.find(place);
  return found == texts_.end() ? nothing : found->second;
}

}  // namespace parlor::spec
