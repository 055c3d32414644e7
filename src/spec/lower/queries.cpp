// Queries: lists of things to choose from, to loop over or to count.
#include "spec/lower/queries.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>

#include "spec/slips.h"

namespace parlor::spec::lower {
namespace {

QueryResult players_query(Context&, Fields&) {
  return {PlayersQuery{}, plain(Kind::player)};
}

QueryResult enums_query(Context& cx, Fields& fields) {
  EnumsQuery out;
  fields.need("values",
              [&](const Node& n) { out.values = read_strings(cx, n, "a list of texts"); });
  return {std::move(out), plain(Kind::string)};
}

QueryResult booleans_query(Context& cx, Fields& fields) {
  BooleansQuery out;
  fields.need("values", [&](const Node& n) {
    each_item(cx, n, "a list of true and false",
              [&](const Node& item) { out.values.push_back(read_bool(cx, item, "a value")); });
  });
  return {std::move(out), plain(Kind::boolean)};
}

QueryResult asset_rows_query(Context& cx, Fields& fields) {
  AssetRowsQuery out;
  bool known = false;
  fields.need("tableId", [&](const Node& n) {
    out.table = read_id(cx, n, "the id of a table");
    known = cx.symbols.tables.contains(out.table);
    if (!known && !out.table.empty())
      cx.unknown(Code::TABLE_REFERENCE, n, "table", out.table, names_of(cx.symbols.tables));
  });
  fields.maybe("where", [&](const Node& n) { out.where = read_row_filter(cx, n, out.table); });
  fields.maybe("cardinality", [&](const Node& n) {
    out.cardinality = read_word<Cardinality>(cx, n, "cardinality",
                                             {{"many", Cardinality::many},
                                              {"exactlyOne", Cardinality::exactly_one},
                                              {"zeroOrOne", Cardinality::zero_or_one}},
                                             out.cardinality);
  });
  Type item{Kind::row, Kind::unknown, known ? out.table : ""};
  return {std::move(out), std::move(item)};
}

QueryResult global_markers_query(Context& cx, Fields& fields) {
  GlobalMarkersQuery out;
  const auto& known = cx.symbols.global_markers;
  fields.maybe("markers", [&](const Node& n) {
    each_item(cx, n, "a list of global markers", [&](const Node& item) {
      const std::string name = read_marker(cx, item, true);
      if (std::ranges::find(out.markers, name) == out.markers.end()) out.markers.push_back(name);
    });
  });
  if (out.markers.empty()) out.markers = names_of(known);
  fields.maybe("states", [&](const Node& n) {
    std::vector<std::string> all;
    for (const std::string& marker : out.markers)
      if (const MarkerInfo* info = find_in(known, marker))
        all.insert(all.end(), info->states.begin(), info->states.end());
    each_item(cx, n, "a list of marker states", [&](const Node& item) {
      out.states.push_back(read_id(cx, item, "a marker state"));
      if (item.is_string() && std::ranges::find(all, item.text) == all.end())
        cx.unknown(Code::MARKER_STATE_UNKNOWN, item, "state of these markers called", item.text,
                   all);
    });
  });
  return {std::move(out), plain(Kind::string)};
}

struct Progression {
  std::vector<Value>&step, &always_include, &max_results;
};

void read_progression(Context& cx, Fields& fields, Progression out) {
  fields.maybe("step", [&](const Node& n) {
    out.step.push_back(read_number(cx, n));
    if (n.is_integer() && n.integer < 1)
      cx.error(Code::NUMBER_RANGE, n, "step must be at least 1: the query would be empty");
  });
  fields.maybe("alwaysInclude", [&](const Node& n) {
    each_item(cx, n, "a list of numbers",
              [&](const Node& item) { out.always_include.push_back(read_number(cx, item)); });
  });
  fields.maybe("maxResults", [&](const Node& n) { out.max_results.push_back(read_number(cx, n)); });
}

QueryResult ints_in_range_query(Context& cx, Fields& fields) {
  IntsInRangeQuery out;
  const Node* min = fields.optional("min");
  const Node* max = fields.optional("max");
  fields.need("min", [&](const Node& n) { out.min = read_number(cx, n); });
  fields.need("max", [&](const Node& n) {
    out.max = read_number(cx, n);
    if (min && max && min->is_integer() && max->is_integer() && min->integer > max->integer)
      cx.error(Code::BOUNDS_REVERSED, n,
               fmt::format("min {} is greater than max {}: the query is always empty", min->integer,
                           max->integer));
  });
  read_progression(cx, fields, {out.step, out.always_include, out.max_results});
  return {std::move(out), plain(Kind::integer)};
}

QueryResult ints_in_var_range_query(Context& cx, Fields& fields) {
  IntsInVarRangeQuery out;
  fields.maybe("scope", [&](const Node& n) {
    out.per_player =
        read_word<bool>(cx, n, "variable scope", {{"global", false}, {"perPlayer", true}}, false);
  });
  std::optional<VarType> type;
  fields.need("var", [&](const Node& n) {
    out.var =
        read_var_name(cx, n, out.per_player ? cx.symbols.per_player_vars : cx.symbols.global_vars,
                      out.per_player ? "player variable" : "global variable", &type);
    if (type == VarType::boolean)
      cx.error(Code::TYPE_MISMATCH, n,
               fmt::format("`{}` is true or false and has no range", n.text));
  });
  fields.maybe("min", [&](const Node& n) { out.min.push_back(read_number(cx, n)); });
  fields.maybe("max", [&](const Node& n) { out.max.push_back(read_number(cx, n)); });
  read_progression(cx, fields, {out.step, out.always_include, out.max_results});
  return {std::move(out), plain(Kind::integer)};
}

constexpr std::string_view query_end = "it exists only inside the query";

QueryResult next_in_order_query(Context& cx, Fields& fields) {
  NextInOrderQuery out;
  TypedQuery source = need_query(cx, fields, "source");
  out.source = std::move(source.query);
  fields.need("from", [&](const Node& n) { out.from = read_typed(cx, n, source.item); });
  BoundCondition each =
      read_bound_condition(cx, fields, source.item, Presence::required, query_end);
  out.bind = std::move(each.bind);
  if (each.where) out.where = std::move(*each.where);
  fields.maybe("includeFrom",
               [&](const Node& n) { out.include_from = read_bool(cx, n, "includeFrom"); });
  return {std::move(out), source.item};
}

// Several queries one after the other; all must give the same kind of thing.
std::vector<Query> read_parts(Context& cx, Fields& fields, std::string_view key, Type& item) {
  std::vector<Query> out;
  fields.need(key, [&](const Node& list) {
    each_item(cx, list, "a list of queries", [&](const Node& n) {
      TypedQuery part = read_query(cx, n);
      if (!out.empty() && !compatible(item, part.item))
        cx.error(Code::QUERY_ITEMS_MIXED, n,
                 fmt::format("this gives {}, but the query before it gives {}", describe(part.item),
                             describe(item)));
      item = out.empty() ? part.item : either(item, part.item);
      out.push_back(std::move(part.query));
    });
    if (list.is_list() && list.items.empty())
      cx.error(Code::LIST_EMPTY, list, "at least one query is needed");
  });
  return out;
}

QueryResult concat_query(Context& cx, Fields& fields) {
  Type item;
  ConcatQuery out{read_parts(cx, fields, "sources", item)};
  return {std::move(out), item};
}

QueryResult prioritized_query(Context& cx, Fields& fields) {
  Type item;
  PrioritizedQuery out{read_parts(cx, fields, "tiers", item), {}};
  fields.maybe("qualifierKey", [&](const Node& n) {
    out.qualifier = read_id(cx, n, "the name of a token property");
    if (!out.qualifier.empty() && !cx.symbols.props.contains(out.qualifier))
      cx.unknown(Code::TOKEN_PROP_UNKNOWN, n, "token property", out.qualifier,
                 names_of(cx.symbols.props));
    if (item.known() && item.kind != Kind::token)
      cx.error(Code::TYPE_MISMATCH, n,
               fmt::format("qualifierKey is for tokens, but the tiers give {}", describe(item)));
  });
  return {std::move(out), item};
}

QueryResult binding_query(Context& cx, Fields& fields) {
  BindingQuery out;
  Type item;
  fields.allow({"displayName"});
  fields.need("name", [&](const Node& n) {
    out.name = read_id(cx, n, "the name of a binding");
    if (out.name.empty()) return;
    const Type type = use_binding(cx, n, out.name, Strictness::lenient);
    item = item_of(type);
    if (type.known() && type.kind != Kind::list)
      cx.error(Code::BINDING_KIND, n,
               fmt::format("`{}` holds {}, but a list is needed", out.name, describe(type)));
  });
  return {std::move(out), item};
}

QueryResult grant_context_query(Context& cx, Fields& fields) {
  GrantContextQuery out;
  fields.need("key", [&](const Node& n) { out.key = read_id(cx, n, "a key"); });
  return {std::move(out), {}};
}

QueryResult captured_zones_query(Context& cx, Fields& fields) {
  CapturedZonesQuery out;
  fields.need("key", [&](const Node& n) { out.key = read_key(cx, n); });
  return {std::move(out), plain(Kind::zone)};
}

QueryResult active_effects_query(Context& cx, Fields& fields) {
  ActiveEffectsQuery out;
  fields.maybe("effect", [&](const Node& n) {
    out.effect = read_id(cx, n, "the id of a timed effect");
    const auto& known = cx.symbols.timed_effects;
    if (!out.effect.empty() && std::ranges::find(known, out.effect) == known.end())
      cx.unknown(Code::TIMED_EFFECT_UNKNOWN, n, "timed effect", out.effect, known);
  });
  fields.maybe("owner", [&](const Node& n) { out.owner.push_back(read_player(cx, n)); });
  fields.maybe("target", [&](const Node& n) { out.target.push_back(read_value(cx, n).value); });
  return {std::move(out), plain(Kind::string)};
}

QueryResult filter_query(Context& cx, Fields& fields) {
  FilterQuery out;
  TypedQuery source = need_query(cx, fields, "source");
  out.source = std::move(source.query);
  BoundCondition each =
      read_bound_condition(cx, fields, source.item, Presence::required, query_end);
  out.bind = std::move(each.bind);
  if (each.where) out.where = std::move(*each.where);
  return {std::move(out), source.item};
}

using ReadQuery = QueryResult (*)(Context&, Fields&);
struct QueryKind {
  std::string_view name;
  ReadQuery read;
};
constexpr std::array query_kinds{
    QueryKind{"players", players_query},
    QueryKind{"enums", enums_query},
    QueryKind{"booleans", booleans_query},
    QueryKind{"zones", read_zones},
    QueryKind{"mapSpaces", read_map_spaces},
    QueryKind{"adjacentZones", read_adjacent_zones},
    QueryKind{"connectedZones", read_connected_zones},
    QueryKind{"tokensInZone", read_tokens_in_zone},
    QueryKind{"tokensInMapSpaces", read_tokens_in_map_spaces},
    QueryKind{"tokensInAdjacentZones", read_tokens_in_adjacent_zones},
    QueryKind{"tokenZones", read_token_zones},
    QueryKind{"assetRows", asset_rows_query},
    QueryKind{"globalMarkers", global_markers_query},
    QueryKind{"intsInRange", ints_in_range_query},
    QueryKind{"intsInVarRange", ints_in_var_range_query},
    QueryKind{"nextInOrderByCondition", next_in_order_query},
    QueryKind{"concat", concat_query},
    QueryKind{"prioritized", prioritized_query},
    QueryKind{"binding", binding_query},
    QueryKind{"grantContext", grant_context_query},
    QueryKind{"capturedSequenceZones", captured_zones_query},
    QueryKind{"step", read_step},
    QueryKind{"zonesInDirection", read_zones_in_direction},
    QueryKind{"ray", read_ray},
    QueryKind{"directions", read_direction_names},
    QueryKind{"activeEffects", active_effects_query},
    QueryKind{"filter", filter_query},
};

bool is_query_kind(std::string_view name) {
  return std::ranges::find(query_kinds, name, &QueryKind::name) != query_kinds.end();
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

QueryResult read_query_node(Context& cx, const Node& node) {
  const Node* kind = node.find("query");
  if (kind == nullptr) {
    no_query(cx, node);
    return {};
  }
  const std::string what = kind->is_string() ? fmt::format("`{}`", kind->text) : "a query";
  Fields fields{cx, node, what};
  fields.allow({"query"});
  for (const auto& entry : query_kinds)
    if (kind->is(entry.name)) return entry.read(cx, fields);
  fields.give_up();
  const auto step = cx.step("query");
  if (!kind->is_string()) {
    wrong_shape(cx, *kind, "the kind of query");
    return {};
  }
  std::vector<std::string> names;
  for (const auto& entry : query_kinds) names.emplace_back(entry.name);
  Diagnostic& d = cx.unknown(Code::QUERY_UNKNOWN, *kind, "query", kind->text, names);
  correct_slip(d, SlipOf::query, kind->text, names);
  return {};
}

}  // namespace

TypedQuery read_query(Context& cx, const Node& node) {
  QueryResult result = read_query_node(cx, node);
  return {{std::move(result.node), cx.place(node)}, std::move(result.item)};
}

TypedQuery need_query(Context& cx, Fields& fields, std::string_view key) {
  TypedQuery out;
  fields.need(key, [&](const Node& n) { out = read_query(cx, n); });
  return out;
}

Query read_token_query(Context& cx, const Node& node) {
  TypedQuery out = read_query(cx, node);
  if (!is_text(out.item) || out.item.kind == Kind::zone)
    cx.error(Code::TYPE_MISMATCH, node,
             fmt::format("this query gives {}, but tokens are needed", describe(out.item)));
  return std::move(out.query);
}

}  // namespace parlor::spec::lower
