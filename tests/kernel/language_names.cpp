// Section 8 with its corrections: what names mean, templated ones above all (R-04, R-10 to R-12).
#include "kernel/language.h"

namespace parlor::language {

namespace {

// One card for each player, with the player's number.
const std::string numbered = R"(
- {createToken: {type: card, zone: deck, props: {n: 0, kind: red}}}
- {createToken: {type: card, zone: deck, props: {n: 1, kind: red}}}
- {createToken: {type: card, zone: deck, props: {n: 2, kind: blue}}}
)";

std::string bound(const std::string& name) {
  return "{ref: binding, name: '" + name + "'}";
}
std::string set_x(const std::string& value) {
  return "{setVar: {scope: global, var: x, value: " + value + "}}";
}
std::string add_x(const std::string& value) {
  return "{addVar: {scope: global, var: x, delta: " + value + "}}";
}
// Every case has `$s` = a.
std::string with_s(const std::string& effects) {
  return "- {bindValue: {bind: $s, value: a}}\n" + effects;
}
const std::string both = "{query: enums, values: [a, b]}";
const std::string choose_men =
    "- forEach: {bind: $s, over: " + both +
    ", effects: [{chooseOne: {bind: '$men@{$s}', options: {query: intsInRange, min: 1, max: 3}}}]}"
    "\n";

std::vector<Case> removals() {
  return {
      {"R-10 removeByPriority: what is removed is bound for `to`",
       "",
       numbered +
           "- removeByPriority: {budget: 3, groups: [{bind: $c, over: {query: tokensInZone, zone: "
           "deck}, to: {zoneExpr: {concat: ['hand:', {ref: tokenProp, token: $c, prop: n}]}}}]}",
       {"go"},
       {{"/zones/hand:0/0/id", "tok_card_0"},
        {"/zones/hand:1/0/id", "tok_card_1"},
        {"/zones/hand:2/0/id", "tok_card_2"}}},
      {"R-10 removeByPriority: what is removed is bound for `from`",
       "",
       numbered +
           "- removeByPriority: {budget: 1, groups: [{bind: $c, over: {query: tokensInZone, zone: "
           "deck}, from: {zoneExpr: {ref: tokenZone, token: $c}}, to: pile}]}",
       {"go"},
       {{"/zones/pile:none/0/id", "tok_card_2"}}},
      {"R-12 removeByPriority: templates name the item, the count and the rest",
       "",
       with_s(numbered +
              "- removeByPriority: {budget: 5, groups: [{bind: '$c@{$s}', over: {query: "
              "tokensInZone, zone: deck}, to: {zoneExpr: {concat: ['hand:', {ref: tokenProp, "
              "token: '$c@{$s}', prop: n}]}}, countBind: '$n@{$s}'}], remainingBind: '$r@{$s}'}\n"
              "- " +
              set_x("{op: +, left: {op: '*', left: " + bound("$n@{$s}") +
                    ", right: 2}, right: " + bound("$r@{$s}") + "}")),
       {"go"},
       {{"/globals/x", 8}, {"/zones/hand:1/0/id", "tok_card_1"}}},
  };
}

std::vector<Case> parameters() {
  return {
      {"R-11 a choice made in a forEach under a templated name is known after it",
       "",
       choose_men + "- forEach: {bind: $s, over: " + both + ", effects: [" +
           add_x("{op: '*', left: " + bound("$men@{$s}") + ", right: 2}") + "]}",
       {"go", value(2), value(3)},
       {{"/globals/x", 10}}},
      {"R-11 a choice made in a forEach is known in the rounds that follow",
       "",
       "- forEach: {bind: $s, over: " + both +
           ", effects: [{chooseOne: {bind: '$men@{$s}', options: {query: intsInRange, min: 1, max: "
           "3}}}, {bindValue: {bind: $first, value: a}}, " +
           add_x(bound("$men@{$first}")) + "]}",
       {"go", value(3), value(1)},
       {{"/globals/x", 6}}},
      {"R-11 the same name chosen again: the later choice counts",
       "",
       choose_men + choose_men + "- {bindValue: {bind: $s, value: b}}\n- " +
           set_x(bound("$men@{$s}")),
       {"go", value(1), value(1), value(2), value(3)},
       {{"/globals/x", 3}}},
      {"R-11 a choice made in a forEach is known in later stages",
       R"(
actions:
  - {id: op, phase: [main]}
actionPipelines:
  - id: profile
    actionId: op
    atomicity: atomic
    stages:
      - effects:
          - forEach: {bind: $s, over: {query: enums, values: [a, b]}, effects: [{chooseOne: {bind: "$men@{$s}", options: {query: intsInRange, min: 1, max: 3}}}]}
      - legality: {op: exists, query: {query: enums, values: [a, b]}, bind: $s, where: {op: '>', left: {ref: binding, name: "$men@{$s}"}, right: 2}}
        effects:
          - forEach: {bind: $s, over: {query: enums, values: [a, b]}, effects: [{addVar: {scope: global, var: x, delta: {ref: binding, name: "$men@{$s}"}}}]}
)",
       "",
       {"op", value(1)},
       {{"options", Json::array({value(3)})}}},
      {"R-11 a choice made after a roll is known after its `in`",
       "",
       with_s("- rollRandom: {bind: $d, min: 2, max: 2, in: [{chooseOne: {bind: '$men@{$s}', "
              "options: {query: intsInRange, min: 1, max: 3}}}]}\n- " +
              set_x(bound("$men@{$s}"))),
       {"go", value(3)},
       {{"/globals/x", 3}}},
      {"8 an explicit binding hides a parameter of the same name",
       "",
       choose_men +
           with_s("- let: {bind: '$men@{$s}', value: 7, in: [" + set_x(bound("$men@{$s}")) +
                  "]}\n- {setVar: {scope: global, var: y, "
                  "value: " +
                  bound("$men@{$s}") + "}}"),
       {"go", value(2), value(3)},
       {{"/globals/x", 7}, {"/globals/y", 2}}},
      {"8 what is no choice is gone after a forEach, templated or not",
       "",
       "- {bindValue: {bind: '$v', value: 1}}\n"
       "- forEach: {bind: $s, over: " +
           both +
           ", effects: [{bindValue: {bind: '$v@{$s}', value: "
           "5}}]}\n- forEach: {bind: $s, over: " +
           both +
           ", effects: [{rollRandom: {bind: '$v@{$s}', "
           "min: 2, max: 2, in: [" +
           add_x(bound("$v@{$s}")) + "]}}]}",
       {"go"},
       {{"/globals/x", 4}}},
  };
}

std::vector<Case> binders() {
  return {
      {"R-12 forEach.bind and countBind may be templates",
       "",
       with_s("- forEach: {bind: '$p@{$s}', over: {query: players}, effects: [" +
              add_x(bound("$p@{$s}")) +
              "], countBind: '$n@{$s}', in: [{setVar: {scope: global, "
              "var: y, value: " +
              bound("$n@{$s}") + "}}]}"),
       {"go"},
       {{"/globals/x", 3}, {"/globals/y", 3}}},
      {"R-12 a templated name is found by any name with that value",
       "",
       with_s("- {bindValue: {bind: $other, value: a}}\n- forEach: {bind: '$p@{$s}', over: {query: "
              "players}, effects: [" +
              add_x(bound("$p@{$other}")) + "]}"),
       {"go"},
       {{"/globals/x", 3}}},
      {"R-12 a name written out finds what a template made",
       "",
       with_s("- {bindValue: {bind: '$p@{$s}', value: 4}}\n- " + set_x(bound("$p@a"))),
       {"go"},
       {{"/globals/x", 4}}},
      {"R-12 a template finds what was made under the name written out",
       "",
       with_s("- {bindValue: {bind: '$p@a', value: 4}}\n- " + set_x(bound("$p@{$s}"))),
       {"go"},
       {{"/globals/x", 4}}},
      {"R-12 reduce: item, sum and result may be templates",
       "",
       with_s("- reduce: {itemBind: '$i@{$s}', accBind: '$a@{$s}', over: {query: intsInRange, min: "
              "1, max: 4}, initial: 0, next: {op: '-', left: " +
              bound("$i@{$s}") + ", right: " + bound("$a@{$s}") +
              "}, resultBind: '$r@{$s}', in: [" + set_x(bound("$r@{$s}")) + "]}"),
       {"go"},
       {{"/globals/x", 2}}},
      {"R-12 evaluateSubset: subset, result and best subset may be templates",
       "",
       with_s(numbered +
              "- evaluateSubset: {source: {query: tokensInZone, zone: deck}, subsetSize: 2, "
              "subsetBind: '$set@{$s}', compute: [{bindValue: {bind: '$v@{$s}', value: {aggregate: "
              "{op: sum, query: {query: binding, name: '$set@{$s}'}, bind: $c, valueExpr: {ref: "
              "tokenProp, token: $c, prop: n}}}}}], scoreExpr: " +
              bound("$v@{$s}") +
              ", resultBind: '$best@{$s}', bestSubsetBind: '$which@{$s}', in: []}\n- " +
              set_x(bound("$best@{$s}")) +
              "\n- forEach: {bind: $c, over: {query: binding, name: '$which@{$s}'}, effects: "
              "[{moveToken: {token: $c, from: deck, to: pile}}]}"),
       {"go"},
       {{"/globals/x", 3}, {"/zones/deck:none/0/id", "tok_card_0"}}},
      {"R-12 let and transferVar may bind templates",
       "",
       with_s(
           "- let: {bind: '$v@{$s}', value: 4, in: [" + set_x(bound("$v@{$s}")) +
           "]}\n"
           "- transferVar: {from: {scope: pvar, player: 0, var: p}, to: {scope: pvar, player: 1, "
           "var: p}, amount: 3, actualBind: '$got@{$s}'}\n- {setVar: {scope: global, var: y, "
           "value: " +
           bound("$got@{$s}") + "}}"),
       {"go"},
       {{"/globals/x", 4}, {"/globals/y", 1}}},
      {"R-12 rollRandom: a value bound under the templated name is used",
       "",
       with_s("- {bindValue: {bind: '$d@{$s}', value: 4}}\n- rollRandom: {bind: '$d@{$s}', min: 1, "
              "max: 6, in: [" +
              set_x(bound("$d@{$s}")) + "]}"),
       {"go"},
       {{"/globals/x", 4}}},
      {"R-12 aggregate.bind may be a template",
       "",
       with_s("- " + set_x("{aggregate: {op: sum, query: {query: players}, bind: '$p@{$s}', "
                           "valueExpr: {op: '*', left: 2, right: " +
                           bound("$p@{$s}") + "}}}")),
       {"go"},
       {{"/globals/x", 6}}},
      {"R-12 exists and forAll may bind templates",
       "",
       with_s(
           "- if: {when: {op: and, args: [{op: exists, query: {query: players}, bind: '$p@{$s}', "
           "where: {op: ==, left: " +
           bound("$p@{$s}") +
           ", right: 2}}, {op: not, arg: {op: "
           "forAll, query: {query: players}, bind: '$q@{$s}', where: {op: <, left: " +
           bound("$q@{$s}") + ", right: 2}}}]}, then: [@1], else: [@2]}"),
       {"go"},
       {{"/globals/t", 1}}},
      {"R-12 exists over zones may bind a template",
       "",
       with_s("- {createToken: {type: man, zone: b, props: {n: 1, kind: red, seen: false}}}\n"
              "- if: {when: {op: exists, query: {query: mapSpaces}, bind: '$z@{$s}', where: {op: "
              "exists, query: {query: tokensInZone, zone: '$z@{$s}'}}}, then: [@1], else: [@2]}"),
       {"go"},
       {{"/globals/t", 1}}},
      {"R-12 the queries filter and nextInOrderByCondition may bind templates",
       "",
       with_s("- " +
              set_x("{aggregate: {op: sum, query: {query: filter, source: {query: players}, "
                    "bind: '$p@{$s}', where: {op: '>', left: " +
                    bound("$p@{$s}") + ", right: 0}}, bind: $q, valueExpr: " + bound("$q") + "}}") +
              "\n- {setVar: {scope: global, var: y, value: {aggregate: {op: sum, query: {query: "
              "nextInOrderByCondition, source: {query: players}, from: 0, bind: '$p@{$s}', where: "
              "{op: '>', left: " +
              bound("$p@{$s}") + ", right: 1}}, bind: $q, valueExpr: " + bound("$q") + "}}}}"),
       {"go"},
       {{"/globals/x", 3}, {"/globals/y", 2}}},
      {"R-12 templates nest",
       "",
       "- {bindValue: {bind: $z, value: b}}\n- {bindValue: {bind: '$y@{$z}', value: a}}\n"
       "- {bindValue: {bind: '$d@{$y@{$z}}', value: 6}}\n- {bindValue: {bind: $s, value: a}}\n- " +
           set_x(bound("$d@{$s}")) +
           "\n- {setVar: {scope: global, var: y, value: " + bound("$d@{$y@{$z}}") + "}}",
       {"go"},
       {{"/globals/x", 6}, {"/globals/y", 6}}},
      {"R-12 a choice under a nested template stays known",
       "",
       "- {bindValue: {bind: '$y@b', value: a}}\n- forEach: {bind: $z, over: {query: enums, "
       "values: "
       "[b]}, effects: [{chooseOne: {bind: '$d@{$y@{$z}}', options: {query: intsInRange, min: 1, "
       "max: 3}}}]}\n- " +
           set_x(bound("$d@a")),
       {"go", value(2)},
       {{"/globals/x", 2}}},
      {"R-12 macros keep nested templates of their own apart",
       R"(
effectMacros:
  - id: twice
    params: []
    exports: []
    effects:
      - {bindValue: {bind: $z, value: b}}
      - {bindValue: {bind: "$y@{$z}", value: a}}
      - {bindValue: {bind: "$d@{$y@{$z}}", value: 3}}
      - {addVar: {scope: global, var: x, delta: {ref: binding, name: "$d@{$y@{$z}}"}}}
)",
       "- {bindValue: {bind: '$y@b', value: c}}\n- {macro: twice, args: {}}\n- {macro: twice, "
       "args: "
       "{}}\n- if: {when: {op: ==, left: {ref: binding, name: '$y@b'}, right: c}, then: [@1]}",
       {"go"},
       {{"/globals/x", 6}, {"/globals/t", 1}}},
      {"R-04 a placeholder that names no binding stays as it is written",
       "",
       "- {bindValue: {bind: '$v@{$nothing}', value: 5}}\n- " + set_x(bound("$v@{$nothing}")),
       {"go"},
       {{"/globals/x", 5}}},
  };
}

}  // namespace

std::vector<Case> name_cases() {
  std::vector<Case> out;
  for (const auto& group : {removals(), parameters(), binders()})
    out.insert(out.end(), group.begin(), group.end());
  return out;
}

}  // namespace parlor::language
