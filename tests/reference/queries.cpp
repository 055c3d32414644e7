// Queries: section 14 of the language, without the int ranges.
#include "reference/run.h"

namespace parlor::reference {

using namespace spec;

namespace {

bool has(const List& list, const Val& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

List strings(const std::vector<std::string>& items) {
  return List(items.begin(), items.end());
}

constexpr std::size_t most_results = 10'000;

}  // namespace

bool Run::zone_fits(const std::string& zone, const std::vector<PlayerSel>& owner,
                    const std::vector<Condition>& condition, const Context& c) {
  if (!owner.empty()) {
    const auto found = rules_.zone_owner.find(zone);
    if (found == rules_.zone_owner.end()) return false;
    const std::vector<int> wanted = players(owner[0], c);
    if (std::find(wanted.begin(), wanted.end(), found->second) == wanted.end()) return false;
  }
  return (condition.empty() || holds(condition[0], with(c, "$zone", zone))) && net_keeps(zone, c);
}

List Run::tokens_in(const std::string& zone, const std::vector<TokenFilter>& filter,
                    const Context& c) {
  List out;
  for (const Token& token : w.zones.at(zone))
    if (filter.empty() || passes(filter[0], token, zone, c)) out.push_back(TokenItem{token.id});
  return out;
}

List Run::connected_zones(const ConnectedZonesQuery& node, const Context& c) {
  const std::string start = one_zone(node.zone, c);
  const Int most = node.max_depth.value_or(static_cast<Int>(rules_.zones.size()) - 1);
  List out;
  if (node.include_start) out.push_back(start);
  std::set<std::string> seen{start};
  std::vector<std::string> ring{start};
  for (Int depth = 0; depth < most && !ring.empty(); ++depth) {
    std::vector<std::string> next;
    for (const std::string& zone : ring) {
      for (const std::string& neighbour : rules_.neighbours(zone)) {
        if (seen.contains(neighbour)) continue;
        const bool open = node.via.empty() || holds(node.via[0], with(c, "$zone", neighbour));
        if (!open && !node.allow_target_outside_via) continue;
        seen.insert(neighbour);
        out.push_back(neighbour);
        if (open) next.push_back(neighbour);
      }
    }
    ring = std::move(next);
  }
  return out;
}

List Run::rows(const AssetRowsQuery& node, const Context& c) {
  const auto table = std::find_if(def().tables.begin(), def().tables.end(),
                                  [&](const TableDef& t) { return t.id == node.table; });
  if (table == def().tables.end()) throw RuntimeError("MISSING_VAR", "no table " + node.table);
  List out;
  for (std::size_t r = 0; r < table->rows.size(); ++r) {
    bool fits = true;
    for (const RowTest& test : node.where) {
      const auto column = std::find_if(table->columns.begin(), table->columns.end(),
                                       [&](const PropDef& p) { return p.name == test.field; });
      if (column == table->columns.end())
        throw RuntimeError("MISSING_VAR", "no field " + test.field);
      const auto index = static_cast<std::size_t>(column - table->columns.begin());
      fits = fits && relate(test.op, table->rows[r][index], value(test.value, c));
    }
    if (fits) out.push_back(RowItem{table->id, r});
  }
  if (node.cardinality == Cardinality::exactly_one && out.empty())
    throw RuntimeError("DATA_ASSET_CARDINALITY_NO_MATCH", node.table);
  if (node.cardinality != Cardinality::many && out.size() > 1)
    throw RuntimeError("DATA_ASSET_CARDINALITY_MULTIPLE_MATCHES", node.table);
  return out;
}

List Run::ray(const RayQuery& node, const Context& c) {
  const std::string start = one_zone(node.zone, c);
  const Int most = node.max_steps.empty() ? static_cast<Int>(rules_.zones.size())
                                          : integer(node.max_steps[0], c);
  List out;
  for (const std::string& way : directions(node.directions, c)) {
    std::string zone = start;
    for (Int n = 0; n < most; ++n) {
      const auto next = rules_.step(zone, way);
      if (!next) break;
      const Context there = with(c, "$zone", *next);
      if (!node.through.empty() && !holds(node.through[0], there)) {
        if (!node.until.empty() && holds(node.until[0], there)) out.push_back(*next);
        break;
      }
      out.push_back(*next);
      zone = *next;
    }
  }
  return out;
}

List Run::next_in_order(const NextInOrderQuery& node, const Context& c) {
  const List items = query(*node.source, c);
  Val from;
  try {
    from = value(node.from, c);
  } catch (const RuntimeError& error) {
    if (error.code == "MISSING_BINDING") return {};
    throw;
  }
  const auto anchor = std::find(items.begin(), items.end(), from);
  if (anchor == items.end()) return {};
  const auto at = static_cast<std::size_t>(anchor - items.begin());
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Val& item = items[(at + i + (node.include_from ? 0 : 1)) % items.size()];
    if (holds(node.where, with(c, fill_in(node.bind, c), item))) return {item};
  }
  return {};
}

List Run::same_kind(const std::vector<Query>& sources, const Context& c) {
  List out;
  for (const Query& source : sources)
    for (const Val& item : query(source, c)) {
      if (!out.empty() && out[0].v.index() != item.v.index())
        throw RuntimeError("TYPE_MISMATCH", "a concatenation of different kinds");
      out.push_back(item);
    }
  return out;
}

std::vector<List> Run::tiers(const Query& node, const Context& c) {
  const auto* tiered = std::get_if<PrioritizedQuery>(&node.node);
  if (!tiered) return {query(node, c)};
  same_kind(tiered->tiers, c);
  std::vector<List> out;
  for (const Query& tier : tiered->tiers) out.push_back(query(tier, c));
  return out;
}

List Run::admissible(const std::vector<List>& tiers, const std::string& qualifier,
                     const List& taken) {
  List out;
  std::set<std::string> blocked;  // qualifier values an earlier tier still has to give
  const auto key = [&](const Val& item) -> std::string {
    if (qualifier.empty()) return "";
    const Spot spot = find_token(text_of(item));
    const auto props = seen_props(token_at(spot), spot.zone);
    const auto found = props.find(qualifier);
    return found == props.end() ? "" : canonical(json_of(found->second));
  };
  for (const List& tier : tiers) {
    std::set<std::string> left;
    for (const Val& item : tier) {
      if (has(taken, item) || has(out, item)) continue;
      left.insert(key(item));
      if (!blocked.contains(key(item))) out.push_back(item);
    }
    blocked.merge(left);
  }
  return out;
}

List Run::query(const Query& node, const Context& c) {
  List result = std::visit(
      Cases{
          [&](const PlayersQuery&) {
            List out;
            for (int p = 0; p < rules_.players; ++p) out.push_back(p);
            return out;
          },
          [](const EnumsQuery& x) { return strings(x.values); },
          [](const BooleansQuery& x) {
            List out;
            for (const bool b : x.values) out.push_back(b);
            return out;
          },
          [&](const ZonesQuery& x) {
            List out;
            for (const auto& [id, zone] : rules_.zones) {
              if (zone->internal) continue;
              const std::string kind = zone->kind == ZoneKind::board ? "board" : "aux";
              if ((x.board_only && kind != "board") ||
                  (!x.zone_kind.empty() && x.zone_kind != kind))
                continue;
              if (zone_fits(id, x.owner, x.condition, c)) out.push_back(id);
            }
            return out;
          },
          [&](const AdjacentZonesQuery& x) {
            return strings(rules_.neighbours(one_zone(x.zone, c)));
          },
          [&](const ConnectedZonesQuery& x) { return connected_zones(x, c); },
          [&](const TokensInZoneQuery& x) { return tokens_in(one_zone(x.zone, c), x.filter, c); },
          [&](const TokensInMapSpacesQuery& x) {
            List out;
            for (const auto& [id, zone] : rules_.zones) {
              if (zone->kind != ZoneKind::board || zone->internal) continue;
              if (!zone_fits(id, x.owner, x.condition, c)) continue;
              const List found = tokens_in(id, x.filter, c);
              out.insert(out.end(), found.begin(), found.end());
            }
            return out;
          },
          [&](const TokensInAdjacentZonesQuery& x) {
            List out;
            for (const std::string& zone : rules_.neighbours(one_zone(x.zone, c))) {
              const List found = tokens_in(zone, x.filter, c);
              out.insert(out.end(), found.begin(), found.end());
            }
            return out;
          },
          [&](const TokenZonesQuery& x) {
            List out;
            for (const Val& item : query(*x.source, c)) {
              const Val zone = find_token(text_of(item)).zone;
              if (!x.dedupe || !has(out, zone)) out.push_back(zone);
            }
            return out;
          },
          [&](const AssetRowsQuery& x) { return rows(x, c); },
          [&](const GlobalMarkersQuery& x) {
            List out;
            for (const std::string& marker : x.markers) {
              const std::string& state = w.global_markers.at(marker);
              const bool fits = x.states.empty() || has(strings(x.states), state);
              if (fits && !has(out, marker)) out.push_back(marker);
            }
            return out;
          },
          [&](const IntsInRangeQuery& x) {
            return range(bound(*x.min, c), bound(*x.max, c), x.step, x.always_include,
                         x.max_results, c);
          },
          [&](const IntsInVarRangeQuery& x) { return var_range(x, c); },
          [&](const NextInOrderQuery& x) { return next_in_order(x, c); },
          [&](const ConcatQuery& x) { return same_kind(x.sources, c); },
          [&](const PrioritizedQuery& x) { return same_kind(x.tiers, c); },
          [&](const BindingQuery& x) {
            const Val bound = binding(x.name, c);
            const auto* list = std::get_if<List>(&bound.v);
            if (!list) throw RuntimeError("MISSING_VAR", x.name + " is not a list");
            return *list;
          },
          [&](const GrantContextQuery& x) {
            const Val* found = granted(x.key);
            if (!found) return List{};
            const auto* list = std::get_if<List>(&found->v);
            return list ? *list : List{*found};
          },
          [&](const CapturedZonesQuery& x) { return captured(x.key, c).value_or(List{}); },
          [&](const StepQuery& x) {
            List out;
            const std::string zone = one_zone(x.zone, c);
            for (const std::string& way : directions(x.directions, c))
              if (const auto next = rules_.step(zone, way)) out.push_back(*next);
            return out;
          },
          [&](const RayQuery& x) { return ray(x, c); },
          [&](const DirectionsQuery& x) { return strings(directions(x.directions, c)); },
          [&](const ActiveEffectsQuery& x) { return active_effects(x, c); },
          [&](const FilterQuery& x) {
            List out;
            for (const Val& item : query(*x.source, c))
              if (holds(x.where, with(c, fill_in(x.bind, c), item))) out.push_back(item);
            return out;
          },
          [&](const SortQuery& x) {
            std::vector<std::pair<Int, Val>> keyed;
            for (const Val& item : query(*x.source, c)) {
              const Int by = integer(x.by, with(c, fill_in(x.bind, c), item));
              keyed.emplace_back(x.descending ? -by : by, item);
            }
            std::stable_sort(keyed.begin(), keyed.end(),
                             [](const auto& a, const auto& b) { return a.first < b.first; });
            List out;
            for (const auto& [by, item] : keyed) out.push_back(item);
            return out;
          },
          [&](const MapQuery& x) {
            List out;
            for (const Val& item : query(*x.source, c))
              out.push_back(value(x.value, with(c, fill_in(x.bind, c), item)));
            return out;
          },
      },
      node.node);
  if (result.size() > most_results) throw RuntimeError("QUERY_BOUNDS_EXCEEDED", "too many results");
  return result;
}

}  // namespace parlor::reference
