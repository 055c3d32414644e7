// Queries: lists of things to choose from, to loop over or to count.
#include <fmt/core.h>

#include "spec/lower/construct.h"
#include "spec/slips.h"

namespace parlor::spec::lower {
namespace {

bool is_query_kind(std::string_view name) {
  return find_construct(Family::query, name) != nullptr;
}

// A list, a zone or a binding where a query should be: say which query gives its contents.
void no_query(Context& cx, const Node& node) {
  Diagnostic& d = wrong_shape(cx, node, "a query");
  d.suggestion = "write {query: …}, e.g. {query: players}";
  if (node.is_list() && std::ranges::all_of(node.items, &Node::is_string)) {
    d.suggestion = fmt::format("write {{query: enums, values: {}}}", to_text(node));
  } else if (node.is_list() && !node.items.empty() &&
             std::ranges::all_of(node.items, &Node::is_integer)) {
    d.suggestion = fmt::format("write {{query: intsInRange, min: {}, max: {}}}",
                               node.items.front().integer, node.items.back().integer);
  } else if (const auto type = node.find_string("type"); type && is_query_kind(*type)) {
    d.suggestion = fmt::format("write {{query: {}, …}}", *type);
  } else if (node.is_string()) {
    const std::string_view base = std::string_view{node.text}.substr(0, node.text.find(':'));
    if (node.text.starts_with('$'))
      d.suggestion = fmt::format("write {{query: binding, name: {}}}", node.text);
    else if (cx.symbols.zones.contains(base))
      d.suggestion = fmt::format("write {{query: tokensInZone, zone: {}}}", node.text);
    else if (is_query_kind(node.text))
      d.suggestion = fmt::format("write {{query: {}}}", node.text);
  }
}

void read_zone_filter(Context& cx, const Node& node, std::vector<PlayerSel>& owner,
                      std::vector<Condition>& condition) {
  if (node.has("op") || node.is_boolean()) {
    condition.push_back(read_condition_with(cx, node, "$zone", plain(Kind::zone)));
    return;
  }
  if (node.is_map() && !node.has("owner") && !node.has("condition")) {
    Diagnostic& d = wrong_shape(cx, node, "a zone filter");
    d.suggestion = "write {owner: …}, {condition: …} or a condition {op: …}; `$zone` is the zone";
    return;
  }
  Fields fields{cx, node, "a zone filter"};
  fields.maybe("owner", [&](const Node& n) { owner.push_back(read_player(cx, n, Many::yes)); });
  fields.maybe("condition", [&](const Node& n) {
    condition.push_back(read_condition_with(cx, n, "$zone", plain(Kind::zone)));
  });
}

// Bare, or as the `condition` that filters of other zone queries have.
Condition read_neighbour_filter(Context& cx, const Node& node) {
  if (!node.is_map() || node.has("op"))
    return read_condition_with(cx, node, "$zone", plain(Kind::zone));
  Condition out;
  Fields fields{cx, node, "a zone filter"};
  fields.need("condition",
              [&](const Node& n) { out = read_condition_with(cx, n, "$zone", plain(Kind::zone)); });
  return out;
}

// A condition on `$zone` is the query `filter` in other words.
void add_neighbour_filter(Reading& r, Query& out) {
  if (!std::holds_alternative<AdjacentZonesQuery>(out.node)) return;
  r.fields.maybe("filter", [&](const Node& n) {
    FilterQuery filtered;
    filtered.bind = "$zone";
    filtered.where = read_neighbour_filter(r.cx, n);
    filtered.source = Query{std::move(out.node), r.cx.place(n)};
    out.node = std::move(filtered);
  });
}

}  // namespace

TypedQuery read_query(Context& cx, const Node& node) {
  TypedQuery out;
  out.query.at = cx.place(node);
  const Node* kind = node.find("query");
  if (kind == nullptr) {
    no_query(cx, node);
    return out;
  }
  const std::string what = kind->is_string() ? fmt::format("`{}`", kind->text) : "a query";
  Fields fields{cx, node, what};
  fields.allow({"query"});
  if (const auto* shape =
          kind->is_string() ? find_shape(Family::query, "query", kind->text) : nullptr) {
    Reading reading{cx, fields, *shape->construct};
    out.query.node = read_shape<Query>(reading, *shape);
    out.item = reading.gives();
    if (const auto* texts = std::get_if<EnumsQuery>(&out.query.node))
      out.item = one_of(texts->values);
    if (const auto* ways = std::get_if<DirectionsQuery>(&out.query.node);
        ways != nullptr && ways->directions.kind == DirectionSel::Kind::all)
      out.item = one_of(cx.symbols.directions);
    add_neighbour_filter(reading, out.query);
    return out;
  }
  fields.give_up();
  const auto step = cx.step("query");
  if (!kind->is_string()) {
    wrong_shape(cx, *kind, "the kind of query");
    return out;
  }
  const std::vector<std::string> names = construct_names(Family::query);
  Diagnostic& d = cx.unknown(Code::QUERY_UNKNOWN, *kind, "query", kind->text, names);
  correct_slip(d, SlipOf::query, kind->text, names);
  return out;
}

Query read_token_query(Context& cx, const Node& node) {
  TypedQuery out = read_query(cx, node);
  if (!is_text(out.item) || out.item.kind == Kind::zone)
    cx.error(Code::TYPE_MISMATCH, node,
             fmt::format("this query gives {}, but tokens are needed", describe(out.item)));
  return std::move(out.query);
}

// ---- What the declarations of queries leave to code

void check(Reading& r, ZonesQuery& out) {
  out.board_only = r.construct.name() == "mapSpaces";
}

void read_key(Reading& r, const Node& node, const FieldInfo&, ZonesQuery& out) {
  read_zone_filter(r.cx, node, out.owner, out.condition);
}

void read_key(Reading& r, const Node& node, const FieldInfo&, TokensInMapSpacesQuery& out) {
  read_zone_filter(r.cx, node, out.owner, out.condition);
}

void check(Reading& r, IntsInRangeQuery&) {
  check_bounds_order(r, "max", ": the query is always empty");
}

void check(Reading& r, PrioritizedQuery&) {
  const Type& item = r.type("tiers");
  if (!item.known() || item.kind == Kind::token) return;
  r.at("qualifierKey", [&](const Node& n) {
    r.cx.error(Code::TYPE_MISMATCH, n,
               fmt::format("qualifierKey is for tokens, but the tiers give {}", describe(item)));
  });
}

namespace {

// States that one of these markers can have.
void read_states(Context& cx, const Node& node, const std::vector<std::string>& markers,
                 std::vector<std::string>& out) {
  std::vector<std::string> all;
  for (const std::string& marker : markers)
    if (const MarkerInfo* info = find_in(cx.symbols.global_markers, marker))
      all.insert(all.end(), info->states.begin(), info->states.end());
  each_item(cx, node, "a list of marker states", [&](const Node& item) {
    out.push_back(read_id(cx, item, "a marker state"));
    if (item.is_string() && std::ranges::find(all, item.text) == all.end())
      cx.unknown(Code::MARKER_STATE_UNKNOWN, item, "state of these markers called", item.text, all);
  });
}

}  // namespace

void read_key(Reading& r, const Node& node, const FieldInfo& field, GlobalMarkersQuery& out) {
  if (field.name == "states")
    return read_states(r.cx, node,
                       out.markers.empty() ? names_of(r.cx.symbols.global_markers) : out.markers,
                       out.states);
  each_item(r.cx, node, "a list of global markers", [&](const Node& item) {
    const std::string name = read_declared(r.cx, item, Expects::global_marker);
    if (std::ranges::find(out.markers, name) == out.markers.end()) out.markers.push_back(name);
  });
}

void check(Reading& r, GlobalMarkersQuery& out) {
  if (out.markers.empty()) out.markers = names_of(r.cx.symbols.global_markers);
}

void read_key(Reading& r, const Node& node, const FieldInfo& field, IntsInVarRangeQuery& out) {
  const Symbols& symbols = r.cx.symbols;
  std::optional<VarType> type;
  out.var =
      read_var_name(r.cx, node, out.per_player ? symbols.per_player_vars : symbols.global_vars,
                    out.per_player ? "player variable" : "global variable", &type);
  r.set_type(field, type_of_var(type));
  if (type == VarType::boolean)
    r.cx.error(Code::TYPE_MISMATCH, node,
               fmt::format("`{}` is true or false and has no range", node.text));
}

}  // namespace parlor::spec::lower
