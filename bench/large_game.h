// A generated game of 16 files and 1.6 MB that uses every kind of macro, template and data asset.
#pragma once

#include <fmt/core.h>
#include <map>
#include <string>

namespace parlor::bench {

constexpr int part_count = 15;
constexpr std::size_t part_bytes = 106'000;
constexpr int macros_per_part = 12;
constexpr int cards_per_part = 8;

// An action that uses the macros of its part, the shared ones, built-ins and every kind of
// expression.
inline std::string one_action(int part, int n) {
  return fmt::format(R"(  - id: act-{0}-{1}
    actor: active
    executor: actor
    phase: [bet-flop, bet-turn]
    params:
      - name: $where
        domain: {{ query: zones, filter: {{ condition: {{ op: ">", left: {{ ref: zoneCount, zone: $zone }}, right: 0 }} }} }}
    pre: {{ op: and, args: [{{ conditionMacro: rich-{0}, args: {{ amount: {2} }} }}, {{ op: "<", left: {{ ref: gvar, var: turns }}, right: 50 }}] }}
    cost:
      - addVar: {{ scope: pvar, player: actor, var: coins, delta: -{2} }}
    effects:
      - if:
          when: {{ op: ">=", left: {{ ref: pvar, player: actor, var: coins }}, right: {2} }}
          then:
            - setVar: {{ scope: global, var: turns, value: {{ op: "+", left: {{ ref: gvar, var: turns }}, right: 1 }} }}
            - {{ macro: reward-{0}-{3}, args: {{ who: actor, amount: {2} }} }}
          else:
            - forEach:
                bind: $t
                over: {{ query: tokensInZone, zone: $where, filter: {{ prop: suit, op: in, value: [hearts, spades] }} }}
                effects:
                  - setTokenProp: {{ token: $t, prop: strength, value: {{ ref: constant, name: strong }} }}
      - refillToSize: {{ zone: "hand:actor", fromZone: deck, size: 2 }}
    limits: [{{ scope: turn, max: 2 }}]
)",
                     part, n, n % 7 + 1, n % macros_per_part);
}

inline std::string one_macro(int part, int n) {
  return fmt::format(R"(  - id: reward-{0}-{1}
    params: [{{ name: who, type: playerSelector }}, {{ name: amount, type: number }}]
    exports: []
    effects:
      - bindValue: {{ bind: $bonus, value: {{ op: "*", left: {{ param: amount }}, right: {1} }} }}
      - {{ macro: gain, args: {{ who: {{ param: who }}, amount: {{ param: amount }} }} }}
      - addVar: {{ scope: global, var: wood, delta: {{ ref: binding, name: $bonus }} }}
)",
                     part, n);
}

inline std::string one_card(int part, int n) {
  return fmt::format(R"(      - id: card-{0}-{1}
        title: Card {1} of part {0}
        sideMode: dual
        metadata: {{ year: {1} }}
        unshaded:
          targets:
            - {{ id: $place, selector: {{ query: mapSpaces }}, cardinality: {{ max: 2 }}, application: each,
                effects: [{{ createToken: {{ type: guard, zone: $place }} }}] }}
          effects: [{{ macro: gain, args: {{ who: active, amount: {1} }} }}]
        shaded:
          branches:
            - {{ id: a, effects: [{{ addVar: {{ scope: global, var: stone, delta: 1 }} }}] }}
            - {{ id: b, effects: [{{ addVar: {{ scope: global, var: wood, delta: 1 }} }}] }}
)",
                     part, n);
}

inline std::string one_part(int part) {
  std::string text = fmt::format(R"(# Part {0}

```yaml
conditionMacros:
  - id: rich-{0}
    params: [{{ name: amount }}]
    condition: {{ op: ">=", left: {{ ref: pvar, player: actor, var: coins }}, right: {{ param: amount }} }}
effectMacros:
)",
                                 part);
  for (int n = 0; n < macros_per_part; ++n) text += one_macro(part, n);
  text +=
      "```\n\n```yaml\neventDecks:\n  - id: events\n    drawZone: deck\n"
      "    discardZone: discard\n    cards:\n";
  for (int n = 0; n < cards_per_part; ++n) text += one_card(part, n);
  text += "```\n\n```yaml\nactions:\n";
  for (int n = 0; text.size() < part_bytes; ++n) text += one_action(part, n);
  return text + "```\n";
}

constexpr std::string_view entry_text = R"(
constants: { strong: 7 }
globalVars:
  - { name: turns, type: int, init: 0, min: 0, max: 1000 }
  - batch: { names: [wood, stone], type: int, init: 0, min: 0, max: 500 }
perPlayerVars:
  - { name: coins, type: int, init: 10, min: 0, max: 100 }
globalMarkerLattices:
  - batch: { ids: [bridge, tower], states: [intact, destroyed], defaultState: intact }
zones:
  - { macro: grid, args: [10, 10] }
  - { macro: hex, args: [3] }
  - { id: deck, owner: none, visibility: hidden, ordering: stack }
  - { id: discard, owner: none, visibility: public, ordering: stack }
  - { id: hand, owner: player, visibility: owner, ordering: set }
  - template: { idPattern: "box-{seat}", perSeat: true, owner: none, visibility: public, ordering: set }
dataAssets:
  - { id: seats, kind: seatCatalog, payload: { seats: [{ id: north }, { id: east }, { id: south }, { id: west }] } }
  - id: pieces
    kind: pieceCatalog
    payload:
      pieceTypes:
        - { id: guard, seat: north, statusDimensions: [], transitions: [], runtimeProps: { strength: 3, suit: clubs } }
        - generate:
            idPattern: "card-{suit}-{rank}"
            seat: north
            statusDimensions: []
            transitions: []
            dimensions:
              - { name: suit, values: [hearts, spades, clubs, diamonds] }
              - { name: rank, values: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13] }
            derivedProps:
              strength: { from: suit, map: { hearts: 2 }, default: "1" }
            inventoryPerCombination: 1
      inventory: [{ pieceTypeId: guard, seat: north, total: 4 }]
  - id: start
    kind: scenario
    payload:
      settings: { blinds: [{ level: 1, small: 5 }, { level: 2, small: 10 }] }
      seatPools: [{ seat: north, availableZoneId: "deck:none" }]
effectMacros:
  - id: gain
    params: [{ name: who, type: playerSelector }, { name: amount, type: number }]
    exports: []
    effects:
      - let:
          bind: $sum
          value: { op: "+", left: { ref: pvar, player: { param: who }, var: coins }, right: { param: amount } }
          in:
            - setVar: { scope: pvar, player: { param: who }, var: coins, value: { ref: binding, name: $sum } }
phaseTemplates:
  - id: betting
    params: [{ name: street }, { name: cards }]
    phase:
      id: "bet-{street}"
      onEnter:
        - draw: { from: deck, to: "hand:each", count: "{cards}" }
      actionDefaults:
        pre: { op: ">=", left: { ref: gvar, var: turns }, right: 0 }
        afterEffects:
          - discardDownTo: { zone: "hand:actor", size: 7, to: discard }
turnStructure:
  phases:
    - { fromTemplate: betting, args: { street: flop, cards: 3 } }
    - { fromTemplate: betting, args: { street: turn, cards: 1 } }
setup:
  - distributeTokens: { tokens: { query: tokensInZone, zone: deck }, destinations: { query: mapSpaces }, max: 2 }
triggers:
  - { event: { type: turnStart }, effects: [{ macro: gain, args: { who: active, amount: 1 } }] }
terminal:
  conditions:
    - { when: { op: ">", left: { ref: gvar, var: turns }, right: 40 }, result: { type: draw } }
)";

// The files of the game by name; `game.md` is the entry.
inline const std::map<std::string, std::string>& large_game() {
  static const auto files = [] {
    std::map<std::string, std::string> out;
    std::string imports;
    for (int part = 0; part < part_count; ++part) {
      out[fmt::format("part{}.md", part)] = one_part(part);
      imports += fmt::format("  - part{}.md\n", part);
    }
    out["game.md"] = fmt::format(
        "# A large game\n\n```yaml\nmetadata: {{ id: large, players: {{ min: 2, max: 4 }} }}\n"
        "imports:\n{}{}```\n",
        imports, entry_text);
    return out;
  }();
  return files;
}

inline std::size_t large_game_bytes() {
  std::size_t out = 0;
  for (const auto& [name, text] : large_game()) out += text.size();
  return out;
}

}  // namespace parlor::bench
