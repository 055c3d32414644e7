// Short ways to compile text and to look at what came out.
#pragma once

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "spec/spec.h"

namespace parlor::spec::testing {

inline CompileResult compile(std::string_view yaml, const CompileOptions& options = {}) {
  return compile_text(fmt::format("```yaml\n{}\n```\n", yaml), options);
}

inline std::string rendered(const CompileResult& result) {
  return render(result.diagnostics, result.texts, Colour::never);
}

// The codes of the diagnostics, in order.
inline std::vector<std::string> codes(const CompileResult& result) {
  std::vector<std::string> out;
  for (const Diagnostic& d : result.diagnostics.all()) out.emplace_back(code_name(d.code));
  return out;
}

// A game with something of everything. Rules to test are put into `actions` (an effect list), or
// appended as further sections.
inline constexpr std::string_view world = R"(metadata:
  id: world
  players: { min: 2, max: 4 }
  namedSets: { royal: [king, queen] }
globalVars:
  - { name: pot, type: int, init: 0, min: 0, max: 100 }
  - { name: open, type: boolean, init: true }
perPlayerVars:
  - { name: gold, type: int, init: 5, min: 0, max: 50 }
  - { name: ready, type: boolean, init: false }
zoneVars:
  - { name: heat, type: int, init: 0, min: 0, max: 9 }
globalMarkerLattices:
  - { id: weather, states: [sun, rain, storm], defaultState: sun }
zones:
  - { macro: grid, args: [3, 3] }
  - { id: deck, owner: none, visibility: hidden, ordering: stack, behavior: { type: deck, reshuffleFrom: discard } }
  - { id: discard, owner: none, visibility: public, ordering: stack }
  - { id: hand, owner: player, visibility: owner, ordering: set }
  - { id: town, owner: none, visibility: public, ordering: set, zoneKind: board, category: city,
      attributes: { pop: 3, coastal: true, terrain: [hill, river] }, adjacentTo: [{ to: "farm:none" }] }
  - { id: farm, owner: none, visibility: public, ordering: set, zoneKind: board, category: land,
      attributes: { pop: 1, coastal: false, terrain: [plain] } }
tokenTypes:
  - { id: card, props: { suit: string, rank: int, face: boolean } }
  - { id: pawn, props: { owner: int } }
dataAssets:
  - id: map1
    kind: map
    payload:
      spaces:
        - { id: "north:none", category: city, attributes: { pop: 2 }, adjacentTo: [{ to: "south:none" }] }
        - { id: "south:none", category: land, attributes: { pop: 1 }, adjacentTo: [{ to: "north:none" }] }
      markerLattices:
        - id: mood
          states: [calm, uneasy, revolt]
          defaultState: calm
          constraints:
            - { when: { op: "==", left: { ref: zoneProp, zone: $space, prop: category }, right: land }, allowedStates: [calm] }
      spaceMarkers: [{ spaceId: "north:none", markerId: mood, state: uneasy }]
  - id: tables
    kind: scenario
    payload:
      mapAssetId: map1
      settings:
        blinds: [{ level: 1, small: 5, note: a }, { level: 2, small: 10, note: b }]
      initialPlacements: []
effects:
  - { id: strike, blockActions: [other], costDelta: { gold: 1 }, modifiers: { pay: -1 } }
turnStructure:
  phases: [{ id: main }, { id: upkeep }]
  interrupts: [{ id: ask }]
terminal:
  conditions: [{ when: false, result: { type: draw } }]
)";

// The world with one action `act` that has these effects (each line indented by eight blanks).
inline std::string with_effects(std::string_view effects) {
  std::string indented;
  for (std::size_t at = 0; at < effects.size();) {
    const std::size_t end = std::min(effects.find('\n', at), effects.size());
    indented += fmt::format("      {}\n", effects.substr(at, end - at));
    at = end + 1;
  }
  return fmt::format(
      "{}actions:\n"
      "  - {{ id: other, phase: [main] }}\n"
      "  - id: act\n    phase: [main]\n"
      "    params: [{{ name: $tok, domain: {{ query: tokensInZone, zone: deck }} }},\n"
      "             {{ name: $cell, domain: {{ query: mapSpaces }} }},\n"
      "             {{ name: $who, domain: {{ query: players }} }},\n"
      "             {{ name: $num, domain: {{ query: intsInRange, min: 1, max: 3 }} }},\n"
      "             {{ name: $flag, domain: {{ query: booleans, values: [true, false] }} }}]\n"
      "    effects:\n"
      "      - pushInterruptPhase: {{ phase: ask, resumePhase: main }}\n{}",
      world, indented);
}

inline CompileResult compile_effects(std::string_view effects) {
  return compile(with_effects(effects));
}

}  // namespace parlor::spec::testing
