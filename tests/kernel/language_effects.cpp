// Sections 6, 15.2 to 15.4 and 16: variables, tokens, control flow, markers.
#include "kernel/language.h"

namespace parlor::language {

namespace {

const std::string three_cards = R"(
- {createToken: {type: card, zone: deck, props: {n: 1}}}
- {createToken: {type: card, zone: deck, props: {n: 2}}}
- {createToken: {type: card, zone: deck, props: {n: 3}}}
)";

const std::string first_card =
    "{query: tokensInZone, zone: deck, filter: {prop: n, op: eq, value: 1}}";

const std::string map_asset = R"(
zones:
  - {id: deck, owner: none, visibility: public, ordering: stack}
dataAssets:
  - id: seats
    kind: seatCatalog
    payload: {seats: [{id: north}, {id: south}, {id: west}]}
  - id: map
    kind: map
    payload:
      spaces:
        - {id: 'a:none', category: town, adjacentTo: []}
        - {id: 'b:none', category: wood, adjacentTo: []}
      markerLattices:
        - id: mood
          states: [calm, tense, riot]
          defaultState: calm
          constraints: [{when: {op: ==, left: {ref: zoneProp, zone: $space, prop: category}, right: wood}, allowedStates: [calm, tense]}]
      stackingConstraints:
        - {id: one, description: one card, spaceFilter: {spaceIds: ['a:none']}, pieceFilter: {pieceTypeIds: [card]}, rule: maxCount, maxCount: 1}
)";

}  // namespace

std::vector<Case> effect_cases() {
  return {
      {"15.2 transferVar moves what is there and fits",
       "",
       "- {addVar: {scope: global, var: y, delta: 4}}\n"
       "- {transferVar: {from: {scope: global, var: y}, to: {scope: pvar, player: actor, var: p}, "
       "amount: 99, actualBind: $got}}\n"
       "- {setVar: {scope: global, var: x, value: {ref: binding, name: $got}}}",
       {"go"},
       {{"/globals/x", 4}, {"/globals/y", 0}, {"/players/0/p", 5}}},
      {"15.2 transferVar: when min is not reached, as much as possible",
       "",
       "- {transferVar: {from: {scope: global, var: y}, to: {scope: pvar, player: actor, var: p}, "
       "amount: 1, min: 2}}",
       {"go"},
       {{"/globals/y", -4}, {"/players/0/p", 5}}},
      {"15.2 transferVar: max has the last word",
       "",
       "- {transferVar: {from: {scope: global, var: y}, to: {scope: pvar, player: actor, var: p}, "
       "amount: 1, min: 2, max: 3}}",
       {"go"},
       {{"/globals/y", -3}, {"/players/0/p", 4}}},
      {"A-02 resetVar gives a variable back what it began with, of a player only that one's",
       "",
       "- {setVar: {scope: pvar, player: 0, var: p, value: 4}}\n"
       "- {setVar: {scope: pvar, player: 1, var: p, value: 4}}\n"
       "- {setVar: {scope: global, var: y, value: -3}}\n"
       "- {setVar: {scope: global, var: flag, value: true}}\n"
       "- {resetVar: {scope: pvar, player: actor, var: p}}\n"
       "- {resetVar: {scope: global, var: flag}}",
       {"go"},
       {{"/players/0/p", 1}, {"/players/1/p", 4}, {"/globals/y", -3}, {"/globals/flag", false}}},
      {"A-02 resetVar of a space's variable; those who listen for it hear nothing if it was so",
       "triggers: [{event: {type: varChanged, var: y}, effects: [@7]}]",
       "- {setVar: {scope: zoneVar, zone: deck, var: z, value: 2}}\n"
       "- {resetVar: {scope: zoneVar, zone: deck, var: z}}\n"
       "- {resetVar: {scope: global, var: y}}",
       {"go"},
       {{"/globals/t", 0}, {"/globals/y", 0}, {"/zoneVars/deck:none/z", 0}}},
      {"15.3 createToken puts on top and counts up",
       "",
       three_cards,
       {"go"},
       {{"/zones/deck:none/0/id", "tok_card_2"}, {"/zones/deck:none/2/props/n", 1}}},
      {"15.3 moveToken to the bottom",
       "",
       three_cards +
           "- forEach: {bind: $c, over: {query: tokensInZone, zone: deck}, limit: 1, effects: "
           "[{moveToken: {token: $c, from: deck, to: deck, position: bottom}}]}",
       {"go"},
       {{"/zones/deck:none/2/id", "tok_card_2"}, {"/zones/deck:none/0/id", "tok_card_1"}}},
      {"T-23 moveToken from the wrong zone is a fault: offered, and refused",
       "",
       three_cards + "- forEach: {bind: $c, over: " + first_card +
           ", effects: [{moveToken: {token: $c, from: pile, to: deck}}]}",
       {"go"},
       {{"fault", "RUN_TOKEN"}}},
      {"15.3 moveAll keeps the order and puts the block on top",
       "",
       "- {createToken: {type: card, zone: pile, props: {n: 9}}}\n" + three_cards.substr(1) +
           "- {moveAll: {from: deck, to: pile, filter: {op: '!=', left: {ref: tokenProp, token: "
           "$token, prop: n}, right: 2}}}",
       {"go"},
       {{"/zones/pile:none/0/id", "tok_card_3"},
        {"/zones/pile:none/1/id", "tok_card_1"},
        {"/zones/pile:none/2/id", "tok_card_0"},
        {"/zones/deck:none/0/id", "tok_card_2"}}},
      {"15.3 draw takes from the top; the first drawn is the new top",
       "",
       three_cards + "- {draw: {from: deck, to: 'hand:actor', count: 2}}",
       {"go"},
       {{"/zones/hand:0/0/id", "tok_card_2"},
        {"/zones/hand:0/1/id", "tok_card_1"},
        {"/zones/deck:none/0/id", "tok_card_0"}}},
      {"15.3 draw of a short pile draws what is there",
       "",
       three_cards + "- {draw: {from: deck, to: 'hand:actor', count: 9}}",
       {"go"},
       {{"/zones/deck:none", Json::array()}, {"/zones/hand:0/2/id", "tok_card_0"}}},
      {"0.7 the count of draw is any value",
       "",
       three_cards +
           "- {draw: {from: deck, to: 'hand:actor', count: {op: '-', left: {ref: zoneCount, "
           "zone: deck}, right: 2}}}",
       {"go"},
       {{"/zones/hand:0/0/id", "tok_card_2"}, {"/zones/deck:none/0/id", "tok_card_1"}}},
      {"15.3 destroyToken",
       "",
       three_cards + "- forEach: {bind: $c, over: " + first_card +
           ", effects: [{destroyToken: {token: "
           "$c}}]}",
       {"go"},
       {{"/zones/deck:none/1/id", "tok_card_1"}, {"/zones/deck:none/2", "nothing there"}}},
      {"6 zone-entry rules run on moves, not on creation",
       "",
       "- {createToken: {type: man, zone: 'b:none', props: {n: 1, seen: false}}}\n"
       "- {createToken: {type: man, zone: 'a:none', props: {n: 2, seen: false}}}\n"
       "- forEach: {bind: $m, over: {query: tokensInZone, zone: 'a:none'}, effects: "
       "[{moveTokenAdjacent: {token: $m, from: 'a:none', direction: 'b:none'}}]}",
       {"go"},
       {{"/zones/b:none/0/props/seen", true}, {"/zones/b:none/1/props/seen", false}}},
      {"T-23 moveTokenAdjacent to a zone that is no neighbour is a fault",
       "",
       "- {createToken: {type: man, zone: 'a:none', props: {n: 2}}}\n"
       "- forEach: {bind: $m, over: {query: tokensInZone, zone: 'a:none'}, effects: "
       "[{moveTokenAdjacent: {token: $m, from: 'a:none', direction: 'c:none'}}]}",
       {"go"},
       {{"fault", "RUN_ADJACENCY"}}},
      {"7.1 stacking: a move that makes too many is illegal",
       map_asset,
       "- {createToken: {type: card, zone: 'a:none', props: {n: 1}}}\n"
       "- {createToken: {type: card, zone: 'a:none', props: {n: 2}}}",
       {"go"},
       {{"illegal", true}}},
      {"0.7 draw respects stacking",
       map_asset,
       three_cards + "- {draw: {from: deck, to: 'a:none', count: 2}}",
       {"go"},
       {{"illegal", true}}},
      {"16 a marker starts at its default and shifts",
       map_asset,
       "- {shiftMarker: {space: 'a:none', marker: mood, delta: 5}}",
       {"go"},
       {{"/markers/a:none/mood", "riot"}}},
      {"16 shiftMarker into a forbidden state does nothing",
       map_asset,
       "- {shiftMarker: {space: 'b:none', marker: mood, delta: 2}}\n- {addVar: {scope: global, "
       "var: "
       "x, delta: 1}}",
       {"go"},
       {{"/globals/x", 1}, {"/markers/b:none", "nothing there"}}},
      {"T-23 setMarker to a forbidden state is a fault",
       map_asset,
       "- {setMarker: {space: 'b:none', marker: mood, state: riot}}",
       {"go"},
       {{"fault", "RUN_MARKER"}}},
      {"16 flipGlobalMarker",
       "globalMarkerLattices: [{id: m, states: [u, v, w], defaultState: v}]",
       "- {flipGlobalMarker: {marker: m, stateA: u, stateB: v}}\n- {shiftGlobalMarker: {marker: m, "
       "delta: -4}}\n- {flipGlobalMarker: {marker: m, stateA: u, stateB: w}}\n- if: {when: {op: "
       "==, "
       "left: {ref: globalMarkerState, marker: m}, right: w}, then: [@1]}",
       {"go"},
       {{"/globals/t", 1}}},
      {"8 let hands on what is bound inside, not its own name",
       "",
       "- let: {bind: $a, value: 3, in: [{bindValue: {bind: $b, value: {op: +, left: {ref: "
       "binding, "
       "name: $a}, right: 4}}}]}\n- {setVar: {scope: global, var: x, value: {ref: binding, name: "
       "$b}}}",
       {"go"},
       {{"/globals/x", 7}}},
      {"K-31 forEach: the collection is taken once, before",
       "",
       "- {createToken: {type: card, zone: deck, props: {n: 1}}}\n"
       "- forEach: {bind: $c, over: {query: tokensInZone, zone: deck}, effects: [{createToken: "
       "{type: card, zone: deck, props: {n: 2}}}, {addVar: {scope: global, var: x, delta: 1}}]}",
       {"go"},
       {{"/globals/x", 1}, {"/zones/deck:none/1/id", "tok_card_0"}}},
      {"K-31 forEach: limit",
       "",
       "- forEach: {bind: $p, over: {query: players}, limit: {op: +, left: 1, right: 1}, effects: "
       "[{addVar: {scope: global, var: x, delta: 1}}]}",
       {"go"},
       {{"/globals/x", 2}}},
      {"K-31 forEach: a negative limit is a fault",
       "",
       "- forEach: {bind: $p, over: {query: players}, limit: {op: '-', left: {ref: gvar, var: y}, "
       "right: 1}, effects: [@1]}",
       {"go"},
       {{"fault", "RUN_LIMIT"}}},
      {"K-32 forEach: countBind is bound for `in`, also when it is 0",
       "",
       "- forEach: {bind: $c, over: {query: tokensInZone, zone: deck}, effects: [@1], countBind: "
       "$n, in: [@2, {addVar: {scope: global, var: x, delta: {ref: binding, name: $n}}}]}",
       {"go"},
       {{"/globals/t", 2}, {"/globals/x", 0}}},
      {"0.2 forEach has no silent cap",
       "",
       "- forEach: {bind: $i, over: {query: intsInRange, min: 1, max: 150}, effects: [{addVar: "
       "{scope: global, var: t, delta: 1}}]}",
       {"go"},
       {{"/globals/t", 150}}},
      {"additions: while",
       "",
       "- while: {when: {op: <, left: {ref: gvar, var: y}, right: 4}, limit: 4, effects: [{addVar: "
       "{scope: global, var: y, delta: 1}}]}",
       {"go"},
       {{"/globals/y", 4}}},
      {"K-33 while: wanting more rounds than the limit is a fault",
       "",
       "- while: {when: {op: <, left: {ref: gvar, var: y}, right: 4}, limit: 3, effects: [{addVar: "
       "{scope: global, var: y, delta: 1}}]}",
       {"go"},
       {{"fault", "RUN_LIMIT"}}},
      {"15.4 reduce",
       "",
       "- reduce: {itemBind: $i, accBind: $a, over: {query: intsInRange, min: 1, max: 4}, initial: "
       "0, next: {op: '-', left: {ref: binding, name: $i}, right: {ref: binding, name: $a}}, "
       "resultBind: $r, in: [{setVar: {scope: global, var: x, value: {ref: binding, name: $r}}}]}",
       {"go"},
       {{"/globals/x", 2}}},
      {"15.4 removeByPriority: group after group while budget remains",
       "",
       three_cards + "- removeByPriority: {budget: 2, groups: [{bind: $c, over: " + first_card +
           ", to: pile, countBind: $one}, {bind: $c, over: {query: tokensInZone, zone: deck}, to: "
           "pile, countBind: $rest}], remainingBind: $left, in: [{setVar: {scope: global, var: x, "
           "value: {op: +, left: {op: '*', left: {ref: binding, name: $one}, right: 3}, right: "
           "{ref: "
           "binding, name: $rest}}}}]}\n- {setVar: {scope: global, var: y, value: {ref: binding, "
           "name: $left}}}",
       {"go"},
       {{"/globals/x", 4},
        {"/globals/y", 0},
        {"/zones/pile:none/0/id", "tok_card_2"},
        {"/zones/deck:none/0/id", "tok_card_1"}}},
      {"15.4 evaluateSubset keeps the first best subset",
       "",
       three_cards +
           "- evaluateSubset: {source: {query: tokensInZone, zone: deck}, subsetSize: 2, "
           "subsetBind: $s, compute: [{bindValue: {bind: $v, value: {aggregate: {op: sum, query: "
           "{query: binding, name: $s}, bind: $c, valueExpr: {ref: tokenProp, token: $c, prop: "
           "n}}}}}], scoreExpr: {op: min, left: 4, right: {ref: binding, name: $v}}, resultBind: "
           "$best, bestSubsetBind: $set, in: []}\n"
           "- {setVar: {scope: global, var: x, value: {ref: binding, name: $best}}}\n"
           "- forEach: {bind: $c, over: {query: binding, name: $set}, effects: [{moveToken: "
           "{token: $c, from: deck, to: pile}}]}",
       {"go"},
       {{"/globals/x", 4},
        {"/zones/deck:none/0/id", "tok_card_0"},
        {"/zones/pile:none/0/id", "tok_card_1"}}},
  };
}

}  // namespace parlor::language
