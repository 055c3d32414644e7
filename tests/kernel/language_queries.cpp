// Section 14: queries, seen as the options of a choice.
#include <fmt/core.h>
#include <set>

#include "kernel/language.h"

namespace parlor::language {

namespace {

// The options of a chooseOne over a query, after some effects.
Case options(std::string name, const std::string& query, const std::vector<Json>& values,
             const std::string& before = "", const std::string& sections = "") {
  Json listed = Json::array();
  for (const Json& value : values) listed.push_back({{"value", value}});
  return {std::move(name),
          sections,
          before + "\n- {chooseOne: {bind: $choice, options: " + query + "}}",
          {"go"},
          {{"options", listed}}};
}

const std::string men = R"(
- {createToken: {type: man, zone: 'b:none', props: {n: 1, kind: red}}}
- {createToken: {type: man, zone: 'a:none', props: {n: 2, kind: red}}}
- {createToken: {type: man, zone: 'a:none', props: {n: 3, kind: blue}}}
)";

const std::string row_board = R"(
zones:
  - {macro: grid, args: [2, 3]}
  - {id: deck, owner: none, visibility: public, ordering: stack}
)";

// What intsInRange offers, written down number by number: both ends and what is always included,
// and of the others as many as there is room for, evenly spread.
std::vector<Json> range(int min, int max, int step, int most, const std::vector<int>& always) {
  std::set<int> required{min, max}, rest;
  for (int n : always)
    if (n >= min && n <= max) required.insert(n);
  for (int n = min; n <= max; n += step)
    if (!required.contains(n)) rest.insert(n);
  const std::vector<int> others(rest.begin(), rest.end());
  const std::size_t room = static_cast<std::size_t>(most) - required.size();
  for (std::size_t i = 0; i < room; ++i) required.insert(others[i * others.size() / room]);
  return {required.begin(), required.end()};
}

// Long ranges of which few numbers are offered, with what is always included on and beside their
// steps.
void add_ranges(std::vector<Case>& cases) {
  for (int step : {1, 2, 3, 7})
    for (int most : {4, 5, 8, 9})
      for (const std::vector<int>& always :
           std::vector<std::vector<int>>{{}, {4, 9}, {2, 2}, {58, 59}, {30, 99}}) {
        cases.push_back(
            options(fmt::format("14 intsInRange: 2 to 60 by {}, {} of them, always {}", step, most,
                                Json(always).dump()),
                    fmt::format("{{query: intsInRange, min: 2, max: 60, step: {}, maxResults: {}, "
                                "alwaysInclude: {}}}",
                                step, most, Json(always).dump()),
                    range(2, 60, step, most, always)));
      }
}

}  // namespace

std::vector<Case> query_cases() {
  std::vector<Case> cases{
      options("14 players in order", "{query: players}", {0, 1, 2}),
      options("14 enums as listed", "{query: enums, values: [zebra, ape]}", {"zebra", "ape"}),
      options("14 zones: by id, with a condition on $zone",
              "{query: zones, filter: {op: in, item: {ref: zoneProp, zone: $zone, prop: id}, set: "
              "['deck:none', 'c:none', 'hand:1']}}",
              {"c:none", "deck:none", "hand:1"}),
      options("14 zones of an owner", "{query: zones, filter: {owner: allOther}}",
              {"hand:1", "hand:2"}),
      options("14 mapSpaces are the zones of the board", "{query: mapSpaces}",
              {"a:none", "b:none", "c:none"}),
      options("14 adjacentZones", "{query: adjacentZones, zone: 'b:none'}", {"a:none", "c:none"}),
      options("14 connectedZones in order of discovery", "{query: connectedZones, zone: 'c:none'}",
              {"b:none", "a:none"}),
      options("14 connectedZones: includeStart and maxDepth",
              "{query: connectedZones, zone: 'c:none', includeStart: true, maxDepth: 1}",
              {"c:none", "b:none"}),
      options("14 connectedZones: allowTargetOutsideVia lists what it does not enter",
              "{query: connectedZones, zone: 'a:none', allowTargetOutsideVia: true, via: {op: ==, "
              "left: {ref: zoneProp, zone: $zone, prop: category}, right: town}}",
              {"b:none"}),
      options("14 tokensInZone from the top", "{query: tokensInZone, zone: 'a:none'}",
              {"tok_man_2", "tok_man_1"}, men),
      options("14 tokensInMapSpaces zone by zone", "{query: tokensInMapSpaces}",
              {"tok_man_2", "tok_man_1", "tok_man_0"}, men),
      options("14 tokensInAdjacentZones", "{query: tokensInAdjacentZones, zone: 'c:none'}",
              {"tok_man_0"}, men),
      options("14 tokenZones without repeats",
              "{query: tokenZones, source: {query: tokensInMapSpaces}}", {"a:none", "b:none"}, men),
      options("14 intsInRange", "{query: intsInRange, min: 2, max: 5}", {2, 3, 4, 5}),
      options("14 intsInRange: step, and max always",
              "{query: intsInRange, min: 0, max: 7, step: 3}", {0, 3, 6, 7}),
      options("14 intsInRange: alwaysInclude inside the range",
              "{query: intsInRange, min: 0, max: 9, step: 5, alwaysInclude: [7, 12]}",
              {0, 5, 7, 9}),
      options("14 intsInRange: thinned to maxResults",
              "{query: intsInRange, min: 0, max: 10, maxResults: 5}", {0, 1, 4, 7, 10}),
      {"14 intsInRange: empty when min > max, so the action is not offered",
       "",
       "- {chooseOne: {bind: $choice, options: {query: intsInRange, min: 3, max: {ref: gvar, var: "
       "x}}}}",
       {"go"},
       {{"illegal", true}}},
      options("14 intsInVarRange: the variable's bounds, narrowed",
              "{query: intsInVarRange, var: x, min: 8, max: 99}", {8, 9, 10}),
      options("14 nextInOrderByCondition goes round, the anchor last",
              "{query: nextInOrderByCondition, source: {query: players}, from: 1, bind: $c, where: "
              "{op: <=, left: {ref: binding, name: $c}, right: 1}}",
              {0}),
      options("14 nextInOrderByCondition: includeFrom starts at the anchor",
              "{query: nextInOrderByCondition, source: {query: players}, from: 1, bind: $c, "
              "includeFrom: true, where: {op: <=, left: {ref: binding, name: $c}, right: 1}}",
              {1}),
      options("14 concat",
              "{query: concat, sources: [{query: intsInRange, min: 5, max: 6}, {query: "
              "players}]}",
              {5, 6, 0, 1, 2}),
      options("14 binding: a list made before", "{query: binding, name: $list}",
              {"tok_man_2", "tok_man_1"},
              men + "- {chooseN: {bind: $list, options: {query: tokensInZone, zone: 'a:none'}, n: "
                    "2}}"),
      options("14 globalMarkers in a state", "{query: globalMarkers, states: [off]}", {"m2"},
              "- {setGlobalMarker: {marker: m1, state: 'on'}}",
              "globalMarkerLattices: [{batch: {ids: [m1, m2], states: ['off', 'on'], defaultState: "
              "'off'}}]"),
      options("additions: step", "{query: step, zone: 'cell_0_0:none'}",
              {"cell_0_1:none", "cell_1_1:none", "cell_1_0:none"}, "", row_board),
      options("additions: zonesInDirection to the edge",
              "{query: zonesInDirection, zone: 'cell_0_0:none', directions: e}",
              {"cell_0_1:none", "cell_0_2:none"}, "", row_board),
      options("additions: ray stops, and takes the zone that stopped it when until holds",
              "{query: ray, zone: 'cell_0_0:none', directions: [e, s], while: {op: ==, left: {ref: "
              "zoneCount, zone: $zone}, right: 0}, until: {op: ==, left: {ref: zoneCount, zone: "
              "$zone}, right: 1}}",
              {"cell_0_1:none", "cell_0_2:none", "cell_1_0:none"},
              "- {createToken: {type: card, zone: 'cell_0_2:none', props: {n: 1}}}", row_board),
      options("additions: filter",
              "{query: filter, source: {query: players}, bind: $p, where: {op: '!=', left: {ref: "
              "binding, name: $p}, right: 1}}",
              {0, 2}),
  };
  add_ranges(cases);
  return cases;
}

}  // namespace parlor::language
