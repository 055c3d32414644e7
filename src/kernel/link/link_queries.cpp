#include <fmt/format.h>

#include "kernel/link/linker.h"
#include "kernel/state/zone_set.h"

namespace parlor::kernel {

using namespace spec;
using Val = kernel::Value;

ItemKind Linker::kind_of(const Query& q) const {
  return std::visit(overloaded{
                        [](const PlayersQuery&) { return ItemKind::player; },
                        [](const EnumsQuery&) { return ItemKind::symbol; },
                        [](const BooleansQuery&) { return ItemKind::boolean; },
                        [](const ZonesQuery&) { return ItemKind::zone; },
                        [](const AdjacentZonesQuery&) { return ItemKind::zone; },
                        [](const ConnectedZonesQuery&) { return ItemKind::zone; },
                        [](const TokenZonesQuery&) { return ItemKind::zone; },
                        [](const StepQuery&) { return ItemKind::zone; },
                        [](const RayQuery&) { return ItemKind::zone; },
                        [](const TokensInZoneQuery&) { return ItemKind::token; },
                        [](const TokensInMapSpacesQuery&) { return ItemKind::token; },
                        [](const TokensInAdjacentZonesQuery&) { return ItemKind::token; },
                        [](const GlobalMarkersQuery&) { return ItemKind::symbol; },
                        [](const DirectionsQuery&) { return ItemKind::symbol; },
                        [](const ActiveEffectsQuery&) { return ItemKind::symbol; },
                        [](const AssetRowsQuery&) { return ItemKind::row; },
                        [](const IntsInRangeQuery&) { return ItemKind::integer; },
                        [](const IntsInVarRangeQuery&) { return ItemKind::integer; },
                        [&](const NextInOrderQuery& r) { return kind_of(*r.source); },
                        [&](const FilterQuery& r) { return kind_of(*r.source); },
                        [&](const SortQuery& r) { return kind_of(*r.source); },
                        [&](const ConcatQuery& r) {
                          return r.sources.empty() ? ItemKind::unknown : kind_of(r.sources.front());
                        },
                        [&](const PrioritizedQuery& r) {
                          return r.tiers.empty() ? ItemKind::unknown : kind_of(r.tiers.front());
                        },
                        [](const auto&) { return ItemKind::unknown; },
                    },
                    q.node);
}

// The zones a query starts from, before owner and condition.
int Linker::zone_set(const ZonesQuery& q) {
  std::vector<std::uint64_t> words(p_.words);
  std::vector<ZoneId> members;
  for (const ZoneId z : p_.zones.ids()) {
    const ZoneInfo& info = p_.zones[z];
    const bool board = info.kind == ZoneKind::board;
    if (info.internal || (q.board_only && !board)) continue;
    if (!q.zone_kind.empty() && (q.zone_kind == "board") != board) continue;
    put_zone(words.data(), z);
    members.push_back(z);
  }
  if (const int known = position_of(p_.zone_sets, words); known >= 0) return known;
  p_.set_members.push_back(std::move(members));
  return append(p_.zone_sets, std::move(words));
}

NodeId Linker::results(const ZonesQuery& q, std::uint32_t at) {
  const int set = zone_set(q);
  const NodeId owner = q.owner.empty() ? NodeId::none() : player(q.owner.front(), at);
  NodeId where;
  SlotId slot;
  if (!q.condition.empty()) std::tie(where, slot) = scoped("$zone", q.condition.front());
  const NodeId plain =
      add({.op = Ex::q_zones, .a = set, .b = owner, .c = where, .d = slot, .place = at});
  if (!p_.options.plan || !owner.is_none()) return plain;
  const NodeId all = add({.op = Ex::b_words, .a = set, .place = at});
  if (q.condition.empty()) return add({.op = Ex::q_bits, .a = all, .b = plain, .place = at});
  const NodeId wanted = plan_set(q.condition.front(), "$zone", true);
  if (wanted.is_none()) return plain;
  return add({.op = Ex::q_bits, .a = both(all, wanted, at), .b = plain, .place = at});
}

NodeId Linker::results(const AssetRowsQuery& r, std::uint32_t at) {
  for (std::size_t t = 0; t < p_.tables.size(); ++t) {
    if (p_.tables[t].id != r.table) continue;
    std::vector<Operand> tests;
    for (const RowTest& test : r.where) {
      const auto& columns = p_.tables[t].columns;
      const auto column = std::find(columns.begin(), columns.end(), test.field);
      if (column == columns.end()) {
        unsupported(at, fmt::format("table `{}` has no field `{}`", r.table, test.field));
        continue;
      }
      tests.push_back(column - columns.begin());
      tests.push_back(test.op);
      tests.push_back(value(test.value));
    }
    return add({.op = Ex::q_rows,
                .x = r.cardinality,
                .a = t,
                .b = children(tests),
                .c = tests.size() / 3,
                .place = at});
  }
  unsupported(at, fmt::format("there is no table `{}`", r.table));
  return add({.op = Ex::q_empty, .place = at});
}

NodeId Linker::query(const Query& q) {
  return std::visit([&](const auto& node) { return results(node, q.at.index); }, q.node);
}

NodeId Linker::several(std::uint32_t at, Ex op, const std::vector<Query>& list, Operand c) {
  std::vector<Operand> nodes;
  for (const Query& child : list) nodes.push_back(query(child));
  const int first = children(nodes);
  return node(at, op, first, nodes.size(), c);
}

NodeId Linker::results(const PlayersQuery&, std::uint32_t at) {
  return node(at, Ex::q_players);
}

NodeId Linker::results(const EnumsQuery& r, std::uint32_t at) {
  std::vector<Val> items;
  for (const std::string& text : r.values) items.push_back(text_value(text));
  return node(at, Ex::q_values, list_of(std::move(items)));
}

NodeId Linker::results(const BooleansQuery& r, std::uint32_t at) {
  std::vector<Val> items;
  for (const bool truth : r.values) items.push_back(Val::boolean(truth));
  return node(at, Ex::q_values, list_of(std::move(items)));
}

NodeId Linker::results(const AdjacentZonesQuery& r, std::uint32_t at) {
  return node(at, Ex::q_adjacent, zone(r.zone, at));
}

NodeId Linker::results(const ConnectedZonesQuery& r, std::uint32_t at) {
  const NodeId z = zone(r.zone, at);
  NodeId via;
  SlotId slot;
  if (!r.via.empty()) via = via_condition(r.via.front(), slot);
  const int x = (r.include_start ? 1 : 0) | (r.allow_target_outside_via ? 2 : 0);
  return node(at, Ex::q_connected, z, r.max_depth ? *r.max_depth : -1, via, slot, x);
}

NodeId Linker::results(const TokensInZoneQuery& r, std::uint32_t at) {
  const NodeId z = zone(r.zone, at);
  return node(at, Ex::q_tokens, z, opt(r.filter));
}

NodeId Linker::results(const TokensInMapSpacesQuery& r, std::uint32_t at) {
  ZonesQuery zones;
  zones.board_only = true;
  zones.owner = r.owner;
  zones.condition = r.condition;
  const NodeId spaces = results(zones, at);
  return node(at, Ex::q_map_tokens, spaces, opt(r.filter));
}

NodeId Linker::results(const TokensInAdjacentZonesQuery& r, std::uint32_t at) {
  const NodeId z = zone(r.zone, at);
  return node(at, Ex::q_adjacent_tokens, z, opt(r.filter));
}

NodeId Linker::results(const TokenZonesQuery& r, std::uint32_t at) {
  return node(at, Ex::q_token_zones, query(*r.source), -1, -1, -1, r.dedupe ? 1 : 0);
}

NodeId Linker::results(const GlobalMarkersQuery& r, std::uint32_t at) {
  std::vector<Operand> lattices;
  for (const std::string& id : r.markers)
    lattices.push_back(lattice_index(p_.global_lattices, id, at));
  std::vector<Val> states;
  for (const std::string& state : r.states) states.push_back(text_value(state));
  const int list = states.empty() ? -1 : list_of(std::move(states));
  return node(at, Ex::q_global_markers, children(lattices), lattices.size(), list);
}

int Linker::range_parts(NodeId min, NodeId max, const auto& r) {
  std::vector<Operand> parts{min, max, opt(r.step), opt(r.max_results), r.always_include.size()};
  for (const spec::Value& v : r.always_include) parts.push_back(value(v));
  return children(parts);
}

NodeId Linker::results(const IntsInRangeQuery& r, std::uint32_t at) {
  const NodeId min = value(*r.min), max = value(*r.max);
  return add({.op = Ex::q_ints, .a = range_parts(min, max, r), .place = at});
}

NodeId Linker::results(const IntsInVarRangeQuery& r, std::uint32_t at) {
  const NodeId min = opt(r.min), max = opt(r.max);
  const int parts = range_parts(min, max, r);
  const int whose = r.per_player ? 1 : 0;
  if (r.var.kind != Name::Kind::literal)
    return node(at, Ex::q_var_ints, parts, name_value(r.var, at), whose, 1);
  const VarId var = p_.vars(whose).find(&VarInfo::name, r.var.text);
  return var.is_none() ? node(at, Ex::q_empty) : node(at, Ex::q_var_ints, parts, var, whose, 0);
}

NodeId Linker::results(const NextInOrderQuery& r, std::uint32_t at) {
  const NodeId source = query(*r.source), from = value(r.from);
  const auto [where, slot] = scoped(r.bind, r.where);
  const NodeId next = node(at, Ex::q_next, source, from, where, slot, r.include_from ? 1 : 0);
  return named(r.bind, slot, next, at);
}

NodeId Linker::results(const ConcatQuery& r, std::uint32_t at) {
  return several(at, Ex::q_concat, r.sources);
}

NodeId Linker::results(const PrioritizedQuery& r, std::uint32_t at) {
  return several(at, Ex::q_prioritized, r.tiers,
                 r.qualifier.empty() ? -1 : prop_index(r.qualifier));
}

NodeId Linker::results(const BindingQuery& r, std::uint32_t at) {
  return node(at, Ex::q_list, binding(r.name, at));
}

NodeId Linker::results(const GrantContextQuery& r, std::uint32_t at) {
  return p_.flow.cards ? node(at, Ex::q_list, expression(GrantContextRef{r.key}, at))
                       : node(at, Ex::q_empty);
}

NodeId Linker::results(const CapturedZonesQuery& r, std::uint32_t at) {
  return p_.flow.cards ? node(at, Ex::q_list, expression(CapturedZonesRef{r.key}, at))
                       : node(at, Ex::q_empty);
}

NodeId Linker::results(const StepQuery& r, std::uint32_t at) {
  const NodeId z = zone(r.zone, at);
  return node(at, Ex::q_step, z, directions(r.directions, at));
}

NodeId Linker::results(const RayQuery& r, std::uint32_t at) {
  const NodeId z = zone(r.zone, at), along = directions(r.directions, at), most = opt(r.max_steps);
  const NodeId set =
      p_.options.plan && !r.through.empty() ? plan_set(r.through.front(), "$zone") : NodeId::none();
  scope_.open(false);
  const SlotId slot = scope_.declare_inner("$zone");
  const NodeId through = !set.is_none()
                             ? add({.op = Ex::in_set, .a = set, .d = slot, .place = at})
                             : (r.through.empty() ? NodeId::none() : condition(r.through.front()));
  const NodeId until = r.until.empty() ? NodeId::none() : condition(r.until.front());
  scope_.close();
  return node(at, Ex::q_ray, z, along, children({through, until, most, slot}));
}

NodeId Linker::results(const DirectionsQuery& r, std::uint32_t at) {
  return node(at, Ex::q_directions, directions(r.directions, at));
}

NodeId Linker::results(const ActiveEffectsQuery& r, std::uint32_t at) {
  const int kind = position_of(p_.effect_kinds, r.effect, &EffectKindInfo::id);
  if (kind < 0 && !r.effect.empty())
    unsupported(at, fmt::format("there is no effect `{}`", r.effect));
  const NodeId owner = r.owner.empty() ? NodeId::none() : player(r.owner.front(), at);
  return node(at, Ex::q_effects, kind, owner, opt(r.target));
}

NodeId Linker::results(const FilterQuery& r, std::uint32_t at) {
  if (const NodeId planned = plan_filtered_directions(r, at); !planned.is_none()) return planned;
  const NodeId source = query(*r.source);
  const auto [where, slot] = scoped(r.bind, r.where);
  return named(r.bind, slot, node(at, Ex::q_filter, source, slot, where), at);
}

NodeId Linker::results(const SortQuery& r, std::uint32_t at) {
  const NodeId source = query(*r.source);
  const auto [by, slot] = each_number(r.bind, r.by);
  return named(
      r.bind, slot,
      add({.op = Ex::q_sort, .x = r.descending, .a = source, .b = slot, .c = by, .place = at}), at);
}

NodeId Linker::results(const MapQuery& r, std::uint32_t at) {
  const NodeId source = query(*r.source);
  const auto [each, slot] = each_number(r.bind, r.value);
  return named(r.bind, slot, node(at, Ex::q_map, source, slot, each), at);
}

}  // namespace parlor::kernel
