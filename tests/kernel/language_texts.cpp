// Texts put together while playing are values like any other, and tokens keep them (T-25).
#include "kernel/language.h"

namespace parlor::language {

namespace {

// A man called after the player and the turn.
const std::string named =
    "- {createToken: {type: man, zone: deck, props: {n: 1, seen: false, kind: {concat: [man, '-', "
    "{ref: activePlayer}, '-', {ref: clock, field: turn}]}}}}\n";
const std::string rename_all =
    "- forEach: {bind: $m, over: {query: tokensInZone, zone: deck}, effects: [{setTokenProp: "
    "{token: $m, prop: kind, value: {concat: [{ref: tokenProp, token: $m, prop: kind}, '!']}}}]}\n";

}  // namespace

std::vector<Case> text_cases() {
  const auto kept = [](const std::string& text) {
    return "- {createToken: {type: man, zone: deck, props: {n: 1, seen: false, kind: " + text +
           "}}}\n";
  };
  return {
      {"L-22 concat of nothing is the empty text",
       "",
       kept("{concat: []}") + kept("'= join()'"),
       {"go"},
       {{"/zones/deck:none/0/props/kind", ""}, {"/zones/deck:none/1/props/kind", ""}}},
      {"L-22 concat of one number is its text",
       "",
       kept("{concat: [{ref: clock, field: turn}]}") + kept("'= join(7)'"),
       {"go"},
       {{"/zones/deck:none/0/props/kind", "7"}, {"/zones/deck:none/1/props/kind", "1"}}},
      {"T-25 a new token keeps a text put together",
       "",
       named,
       {"go"},
       {{"/zones/deck:none/0/props/kind", "man-0-1"}}},
      {"T-25 a text put together that stands in the file is that text",
       "",
       "- {createToken: {type: man, zone: deck, props: {n: 1, seen: false, kind: {concat: [to, "
       "wn]}}}}\n- forEach: {bind: $m, over: {query: tokensInZone, zone: deck, filter: {prop: "
       "kind, "
       "op: eq, value: {ref: zoneProp, zone: 'a:none', prop: category}}}, effects: [@1]}",
       {"go"},
       {{"/globals/t", 1}, {"/zones/deck:none/0/props/kind", "town"}}},
      {"T-25 setTokenProp keeps a text put together",
       "",
       named + rename_all,
       {"go"},
       {{"/zones/deck:none/0/props/kind", "man-0-1!"}}},
      {"T-25 texts that are kept stay with later moves",
       "",
       named + rename_all,
       {"go", "go", "end", "go"},
       {{"/zones/deck:none/0/props/kind", "man-1-2!"},
        {"/zones/deck:none/1/props/kind", "man-0-1!!"},
        {"/zones/deck:none/2/props/kind", "man-0-1!!!"}}},
      {"T-25 a text kept is found by the same text put together another way",
       "",
       named + "- if: {when: {op: exists, query: {query: tokensInZone, zone: deck, filter: {prop: "
               "kind, op: eq, value: {concat: ['man-0', '-1']}}}}, then: [@1], else: [@2]}",
       {"go"},
       {{"/globals/t", 1}}},
      {"T-25 a kept text can be handed on",
       "",
       named +
           "- {createToken: {type: card, zone: pile, props: {n: 0, kind: red}}}\n- forEach: {bind: "
           "$m, over: {query: tokensInZone, zone: deck}, effects: [{forEach: {bind: $c, over: "
           "{query: tokensInZone, zone: pile}, effects: [{setTokenProp: {token: $c, prop: kind, "
           "value: {ref: tokenProp, token: $m, prop: kind}}}]}}, {destroyToken: {token: $m}}]}",
       {"go"},
       {{"/zones/pile:none/0/props/kind", "man-0-1"}}},
      {"T-25 texts kept by tokens can be told apart and grouped",
       "",
       named + named + rename_all +
           "- {setVar: {scope: global, var: x, value: {aggregate: {op: count, query: {query: "
           "tokensInZone, zone: deck, filter: {prop: kind, op: in, value: {concat: [[red], "
           "['man-0-1!']]}}}}}}}",
       {"go"},
       {{"/globals/x", 2}}},
      {"T-25 a choice may be made among texts put together",
       "",
       named + "- {chooseOne: {bind: $c, options: {query: tokensInZone, zone: deck, filter: {prop: "
               "kind, op: neq, value: red}}}}\n- {setTokenProp: {token: $c, prop: kind, value: "
               "{concat: [{ref: tokenProp, token: $c, prop: kind}, '?']}}}",
       {"go", Json{{"value", "tok_man_0"}}},
       {{"/zones/deck:none/0/props/kind", "man-0-1?"}}},
      {"T-25 a text longer than 4096 bytes is an error",
       "",
       "- {bindValue: {bind: $t, value: '0123456789abcdef'}}\n- reduce: {itemBind: $i, accBind: "
       "$a, "
       "over: {query: intsInRange, min: 1, max: 9}, initial: {ref: binding, name: $t}, next: "
       "{concat: [{ref: binding, name: $a}, {ref: binding, name: $a}]}, resultBind: $r, in: []}",
       {"go"},
       {{"fault", "RUN_TOO_MANY"}}},
  };
}

}  // namespace parlor::language
