// What the kernel tells: events in order (Must 6), why something is not legal (Must 7), programs as
// text, and numbers about the map that no rule reads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernel/language.h"
#include "kernel/open.h"
#include "spec/spec.h"

namespace parlor {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// The game of a case of language.h: sections, and what the action `go` does.
std::shared_ptr<const kernel::KernelGame> game_of(const std::string& sections,
                                                  const std::string& effects,
                                                  kernel::KernelOptions options = {}) {
  language::Case c;
  c.sections = sections;
  c.effects = effects;
  const std::string text = language::game_text(c);
  spec::CompileResult result = spec::compile_text(text, {}, "case.md");
  if (!result.game)
    throw std::runtime_error(render(result.diagnostics, result.texts, Colour::never) + text);
  auto game = kernel::open_game(std::move(*result.game), options);
  if (!game) throw std::runtime_error(game.error().all().front().message);
  return *game;
}

struct Heard : EventListener {
  std::vector<std::string> kinds;
  std::vector<Json> data;
  void on_event(const Event& event) override {
    kinds.emplace_back(event.kind);
    data.push_back(event.data);
  }
};

void pick(State& state, const Json& request, EventListener* listener = nullptr) {
  const auto option = find_option(state, request);
  ASSERT_TRUE(option) << canonical(to_json(option.error()));
  const Applied applied = state.apply(*option, listener);
  ASSERT_TRUE(applied) << canonical(to_json(applied.error()));
}

// L-15: an announcement names players, bindings and variables, and is told to everybody or to some.
TEST(KernelEvents, SayTellsEverybodyOrSome) {
  const auto game = game_of("", R"(
- {addVar: {scope: global, var: x, delta: 3}}
- {bindValue: {bind: $n, value: 7}}
- {say: "{actor} has {$n} of {x}"}
- {say: {text: "a secret", to: right}}
)");
  State state = game->start(1).value();
  struct Notes : EventListener {
    std::vector<std::pair<std::string, std::vector<bool>>> all;
    void on_event(const Event& event) override {
      if (event.kind != "note") return;
      all.emplace_back(event.data["text"],
                       std::vector{event.seen_by.has(Viewer::player(PlayerId{0})),
                                   event.seen_by.has(Viewer::player(PlayerId{1})),
                                   event.seen_by.has(Viewer::observer())});
    }
  } heard;
  State silent = state;
  pick(silent, "go");
  pick(state, "go", &heard);
  ASSERT_EQ(heard.all.size(), 2u);
  EXPECT_EQ(heard.all[0].first, "player 0 has 7 of 3");
  EXPECT_EQ(heard.all[0].second, (std::vector{true, true, true}));
  EXPECT_EQ(heard.all[1].first, "a secret");
  EXPECT_EQ(heard.all[1].second, (std::vector{false, true, false}));
  EXPECT_EQ(state, silent);  // who listens changes nothing
}

// L-15: between braces stands any value; a player is told by name, wherever the number comes from.
TEST(KernelEvents, SayComputesWhatStandsInBraces_L15) {
  const auto game = game_of(R"(
globalVars: {x: 0..99, chief: {type: player, init: 2}, rival: {type: player, init: nobody}}
tokenTypes: {man: {n: int, kind: string, owner: player}}
setup:
  - {createToken: {type: man, zone: deck, props: {n: 1, kind: red, owner: 1}}}
)",
                            R"(
- let $man = first of tokens in deck
- let $two = 1 + 1
- {say: "{size of deck} and {$two * 3 + 1} of {$man.owner}, chief {chief}, rival {rival}, {player($two)}"}
- {say: "{actor}: {if size of deck == 1 then \"one\" else \"many\"} {$man.kind}"}
)");
  State state = game->start(1).value();
  Heard heard;
  pick(state, "go", &heard);
  std::vector<std::string> said;
  for (std::size_t i = 0; i < heard.kinds.size(); ++i)
    if (heard.kinds[i] == "note") said.push_back(heard.data[i]["text"]);
  EXPECT_THAT(said, ElementsAre("1 and 7 of player 1, chief player 2, rival nobody, player 2",
                                "player 0: one red"));
}

// A chain of triggers that is cut off is told with its place, and only if a trigger would fire.
TEST(KernelEvents, TriggersThatAreCutOffAreTold_L20) {
  const auto cut = [](int bound) {
    const auto game = game_of(
        "metadata: {id: shown, players: {min: 3, max: 3}, maxTriggerDepth: 3}\n"
        "triggers: [{id: echo, event: {type: varChanged, var: y}, when: y < " +
            std::to_string(bound) + ", effects: [y += 1]}]",
        "- y += 1");
    State state = game->start(1).value();
    Heard heard;
    pick(state, "go", &heard);
    for (std::size_t i = 0; i < heard.kinds.size(); ++i)
      if (heard.kinds[i] == "triggerTruncated") return heard.data[i];
    return Json();
  };
  EXPECT_EQ(cut(5), Json());
  const Json told = cut(6);
  ASSERT_TRUE(told.is_object());
  EXPECT_EQ(told["code"], "TRIGGER_DEPTH_EXCEEDED");
  EXPECT_EQ(told["trigger"], "echo");
  EXPECT_EQ(told["depth"], 3);
  EXPECT_EQ(told["details"]["path"], "triggers.0");
}

TEST(KernelEvents, ComeInTheOrderInWhichThingsHappen) {
  const auto game = game_of(R"(
globalMarkerLattices: [{id: mood, states: [calm, tense], defaultState: calm}]
turnStructure: {phases: [{id: main}, {id: after}]}
setup:
  - {createToken: {type: card, zone: deck, props: {n: 1, kind: red}}}
triggers:
  - {id: watcher, event: {type: varChanged, var: x}, effects: [@7]}
)",
                            R"(
- {addVar: {scope: global, var: x, delta: 1}}
- {shiftGlobalMarker: {marker: mood, delta: 1}}
- {chooseOne: {bind: $card, options: {query: tokensInZone, zone: deck}}}
- {moveToken: {token: $card, from: deck, to: pile}}
- {setTokenProp: {token: $card, prop: n, value: 5}}
- {rollRandom: {bind: $die, min: 6, max: 6, in: [{setVar: {scope: global, var: y, value: {ref: binding, name: $die}}}]}}
- {gotoPhaseExact: {phase: after}}
)");
  State state = game->start(1).value();
  Heard heard;
  pick(state, "go", &heard);
  EXPECT_THAT(heard.kinds, ElementsAre("action", "varChanged", "markerChanged"));
  EXPECT_EQ(heard.data[1], Json::parse(R"({"scope": "global", "var": "x", "old": 0, "new": 1})"));
  heard.kinds.clear();
  heard.data.clear();
  pick(state, 0, &heard);
  EXPECT_THAT(heard.kinds, ElementsAre("chosen", "tokenMoved", "tokenChanged", "rolled",
                                       "varChanged", "phaseEntered", "triggerFired", "varChanged",
                                       "turnStarted", "phaseEntered"));
  EXPECT_EQ(
      heard.data[1],
      Json::parse(
          R"({"token": "tok_card_0", "from": "deck:none", "to": "pile:none", "position": 0})"));
  EXPECT_EQ(heard.data[3]["result"], 6);
  EXPECT_EQ(heard.data[5]["phase"], "after");
  EXPECT_EQ(heard.data[6]["trigger"], "watcher");
}

TEST(KernelEvents, SayWhatIsShownToWhom) {
  const auto game = game_of(R"(
setup:
  - {createToken: {type: card, zone: deck, props: {n: 1, kind: red}}}
  - {createToken: {type: card, zone: deck, props: {n: 2, kind: blue}}}
)",
                            R"(
- {reveal: {zone: deck, to: left, filter: {prop: kind, op: eq, value: red}}}
- {reveal: {zone: deck, to: all}}
- {conceal: {zone: deck}}
)");
  State state = game->start(1).value();
  Heard heard;
  pick(state, "go", &heard);
  ASSERT_THAT(heard.kinds, ElementsAre("action", "revealed", "revealed", "concealed"));
  EXPECT_EQ(heard.data[1],
            Json::parse(R"x({"zone": "deck:none", "to": [2], "tokens": ["tok_card_0"],
                              "names": ["card (red, 1)"]})x"));
  EXPECT_EQ(heard.data[2]["to"], Json::parse("[0, 1, 2]"));
  EXPECT_EQ(heard.data[2]["tokens"].size(), 2u);
  EXPECT_EQ(heard.data[3], Json::parse(R"({"zone": "deck:none"})"));
}

TEST(KernelEvents, DoNotChangeWhatHappens) {
  const auto game = game_of("",
                            "- {rollRandom: {bind: $d, min: 1, max: 6, in: [{addVar: {scope: "
                            "global, var: x, delta: {ref: binding, name: $d}}}]}}");
  State silent = game->start(3).value(), heard = silent;
  Heard listener;
  pick(silent, "go");
  pick(heard, "go", &listener);
  EXPECT_EQ(silent, heard);
  EXPECT_EQ(silent.hash(), heard.hash());
}

// ---- Why not

Rejection why(const State& state, const Json& request) {
  auto answer = state.why_not(request);
  return answer ? *answer : Rejection("LEGAL", "");
}

TEST(KernelWhyNot, OfAnActionAndItsParameters) {
  const auto game = game_of(R"(
actions:
  - {id: end, phase: [main], effects: [{advancePhase: {}}]}
  - id: build
    phase: [main]
    params: [{name: $space, domain: {query: mapSpaces, filter: {op: "==", left: {zoneCount: $zone}, right: 0}}}]
    pre: {op: and, args: [{op: ">=", left: {ref: gvar, var: x}, right: 0}, {op: "<", left: {ref: zoneProp, zone: $space, prop: size}, right: 5}]}
    effects: [{createToken: {type: man, zone: $space}}]
    limits: [{scope: turn, max: 1}]
  - {id: later, phase: [second], effects: []}
turnStructure: {phases: [{id: main}, {id: second}]}
)",
                            "");
  State state = game->start(1).value();
  const auto build = [](const char* where) {
    return Json{{"action", "build"}, {"params", {{"$space", where}}}};
  };
  EXPECT_EQ(why(state, build("a:none")).code, "LEGAL");
  const Rejection size = why(state, build("b:none"));
  EXPECT_EQ(size.code, "ACTION_CONDITION");
  EXPECT_THAT(size.message, HasSubstr("size of b (5) < 5 is false (case.md:"));
  EXPECT_EQ(size.details["of"], "pre");
  EXPECT_GT(size.details["line"].get<int>(), 0);
  const Rejection unknown = why(state, build("deck:none"));
  EXPECT_EQ(unknown.code, "ACTION_PARAMS");
  EXPECT_EQ(unknown.details["domain"], Json({"a:none", "b:none", "c:none"}));
  EXPECT_EQ(why(state, {{"action", "build"}, {"params", Json::object()}}).code, "OPTION_AMBIGUOUS");
  EXPECT_EQ(why(state, {{"action", "build"}, {"params", {{"$way", 1}}}}).code, "ACTION_PARAMS");
  EXPECT_EQ(why(state, {{"action", "later"}, {"params", Json::object()}}).code, "ACTION_PHASE");
  EXPECT_EQ(why(state, "build b").code, "ACTION_CONDITION");  // as option texts say it
  EXPECT_EQ(why(state, {{"action", "build"}, {"params", {{"space", "deck"}}}}).code,
            "ACTION_PARAMS");
  pick(state, build("a:none"));
  EXPECT_EQ(why(state, build("c:none")).code, "ACTION_LIMIT");
}

// T-27: of a set in the making the reason is the one condition with what it saw, in the words of
// the screen too; not every way to go on, and nothing is called hidden where nothing is.
TEST(KernelWhyNot, OfAThingThatIsTooDearForASet) {
  const auto game = game_of(R"(
verbalization: {tokens: {card: "card of {n}"}}
setup:
  - forEach:
      bind: $n
      over: {query: intsInRange, min: 1, max: 9}
      effects: [{createToken: {type: card, zone: deck, props: {n: {ref: binding, name: $n}}}}]
)",
                            R"(
- {chooseN: {bind: $cards, options: {query: tokensInZone, zone: deck}, min: 1, max: 9}}
- require:
    op: "<="
    left: {aggregate: {op: sum, query: {query: binding, name: $cards}, bind: $c, valueExpr: {ref: tokenProp, token: $c, prop: n}}}
    right: 6
)");
  State state = game->start(1).value();
  pick(state, "go");
  pick(state, {{"value", "tok_card_4"}});  // card of 5
  const Rejection dear = why(state, "card of 4");
  EXPECT_EQ(dear.code, "ACTION_DEAD_END");
  EXPECT_THAT(dear.message, HasSubstr("(9) <= 6 is false"));
  EXPECT_LT(dear.message.size(), 250u) << dear.message;
  EXPECT_EQ(why(state, {{"value", "tok_card_3"}}).message, dear.message);
  EXPECT_EQ(why(state, "card of 1").code, "LEGAL");
  EXPECT_EQ(why(state, "card of 77").message, "\"card of 77\" is not among the choices");
}

// A card that whoever asks does not see has no place as far as they know.
TEST(KernelWhyNot, NamesAnUnseenCardAsItWasAskedFor) {
  const auto game = game_of(R"(
verbalization: {tokens: {card: "card of {n}"}}
zones:
  - {id: deck, owner: none, visibility: hidden, ordering: stack}
  - {id: pile, owner: none, visibility: public, ordering: stack}
  - {id: hand, owner: player, visibility: owner, ordering: set}
actions:
  - id: play
    phase: [main]
    params: [{name: $card, domain: {query: tokensInZone, zone: "hand:actor"}}]
    effects: [{moveToken: {token: $card, from: "hand:actor", to: pile}}]
setup:
  - forEach:
      bind: $n
      over: {query: intsInRange, min: 1, max: 6}
      effects: [{createToken: {type: card, zone: deck, props: {n: {ref: binding, name: $n}}}}]
  - {shuffle: {zone: deck}}
  - {draw: {from: deck, to: "hand:each", count: 2}}
)",
                            "[]");
  const State state = game->start(1).value();
  const Json theirs = state.view()["zones"]["hand:1"];
  const std::string face = "card of " + canonical(theirs[0]["props"]["n"]);
  const auto reason = state.why_not("play " + face, Viewer::player(PlayerId{0}));
  ASSERT_TRUE(reason);
  EXPECT_THAT(reason->message, HasSubstr("\"" + face + "\" is not among the values of `$card`"));
}

TEST(KernelWhyNot, OfAnOptionInsideAMove) {
  const auto game = game_of("", R"(
- {chooseOne: {bind: $n, options: {query: intsInRange, min: 0, max: 2}}}
- {require: {op: '>', left: {ref: binding, name: $n}, right: {ref: gvar, var: x}}}
)");
  State state = game->start(1).value();
  pick(state, "go");
  EXPECT_EQ(why(state, {{"value", 1}}).code, "LEGAL");
  const Rejection zero = why(state, {{"value", 0}});
  EXPECT_EQ(zero.code, "ACTION_DEAD_END");
  EXPECT_EQ(zero.details["cause"], "RUN_STAGE");
  EXPECT_EQ(zero.details["condition"], "$n (0) > x (0) is false");  // T-27
  EXPECT_THAT(zero.message, HasSubstr("$n (0) > x (0) is false (case.md:"));
  EXPECT_EQ(why(state, {{"value", 9}}).code, "OPTION_ILLEGAL");
}

// ---- Budgets

const char* const long_way = R"(
- {chooseOne: {bind: $a, options: {query: intsInRange, min: 1, max: 9}}}
- {chooseOne: {bind: $b, options: {query: intsInRange, min: 1, max: 9}}}
- {chooseOne: {bind: $c, options: {query: intsInRange, min: 1, max: 9}}}
- {require: {op: '>', left: {ref: binding, name: $a}, right: 8}}
)";

TEST(KernelLookAhead, SaysWhenItsBudgetRunsOut) {
  const auto enough = game_of("", long_way);
  EXPECT_EQ(why(enough->start(1).value(), "go").code, "LEGAL");
  kernel::KernelOptions little;
  little.look_ahead = 3;
  const auto game = game_of("", long_way, little);
  State state = game->start(1).value();
  OptionList options;
  state.list_options(options);
  EXPECT_EQ(options.size(), 2u);  // T-29: what it cannot decide is offered, and that is said
  EXPECT_EQ(game->undecided_options(), 1u);
  EXPECT_EQ(enough->undecided_options(), 0u);
  EXPECT_EQ(why(state, "go").code, "LEGAL");
}

TEST(KernelLookAhead, ReportsItAsAnEvent) {
  kernel::KernelOptions little;
  little.look_ahead = 3;
  const auto game = game_of(R"(
actions:
  - id: far
    phase: [main]
    effects: [{chooseOne: {bind: $a, options: {query: intsInRange, min: 1, max: 9}}}, {chooseOne: {bind: $b, options: {query: intsInRange, min: 1, max: {ref: binding, name: $a}}}}, {require: {op: '>', left: {ref: binding, name: $b}, right: 8}}]
  - {id: end, phase: [main], effects: [{advancePhase: {}}]}
)",
                            "", little);
  State state = game->start(1).value();
  Heard heard;
  pick(state, "end", &heard);
  ASSERT_THAT(heard.kinds, testing::Contains("lookAheadExhausted"));
  EXPECT_EQ(heard.data.back()["code"], "RUN_BUDGET");
  EXPECT_EQ(heard.data.back()["path"], "actions.0");
}

TEST(KernelLookAhead, LooksIntoThePhasesAnActionEnters) {  // K-14
  // Entering the second phase asks for a card, and there is none.
  const auto game = game_of(R"(
turnStructure: {phases: [{id: main}, {id: second, onEnter: [{if: {when: {op: "==", left: {ref: gvar, var: x}, right: 0}, then: [{chooseOne: {bind: $c, options: {query: tokensInZone, zone: deck}}}]}}]}]}
actions:
  - {id: on, phase: [main], effects: [{advancePhase: {}}]}
  - {id: raise, phase: [main, second], effects: [{addVar: {scope: global, var: x, delta: 1}}]}
)",
                            "");
  State state = game->start(1).value();
  OptionList options;
  state.list_options(options);
  ASSERT_EQ(options.size(), 1u);
  EXPECT_EQ(state.option_text(options[0]), "raise");
  pick(state, "raise");
  state.list_options(options);
  EXPECT_EQ(options.size(), 2u);
}

// ---- Explicit chance

TEST(KernelChance, ARandomPlaceIsADecision) {
  kernel::KernelOptions open;
  open.explicit_chance = true;
  const auto game = game_of(R"(
setup:
  - {createToken: {type: card, zone: deck, props: {n: 1, kind: red}}}
  - {createToken: {type: card, zone: pile, props: {n: 2, kind: red}}}
  - {createToken: {type: card, zone: pile, props: {n: 3, kind: red}}}
)",
                            R"(
- {forEach: {bind: $c, over: {query: tokensInZone, zone: deck}, effects: [{moveToken: {token: $c, from: deck, to: pile, position: random}}]}}
)",
                            open);
  for (int place = 0; place < 3; ++place) {
    State state = game->start(1).value();
    pick(state, "go");
    ASSERT_EQ(state.decision().kind, DecisionKind::chance);
    OptionList options;
    state.list_options(options);
    ASSERT_EQ(options.size(), 3u);
    ASSERT_TRUE(game->load(state.save()).value() == state);
    ASSERT_TRUE(state.apply(options[static_cast<std::size_t>(place)]));
    EXPECT_EQ(state.view()["zones"]["pile:none"][static_cast<std::size_t>(place)]["id"],
              "tok_card_0");
  }
}

// ---- Programs as text

TEST(KernelListing, ShowsEveryOperationWithItsLine) {
  const auto game = game_of("", R"(
- {chooseOne: {bind: $n, options: {query: intsInRange, min: 0, max: {ref: gvar, var: x}}}}
- {if: {when: {op: ">", left: {ref: binding, name: $n}, right: 1}, then: [{addVar: {scope: global, var: x, delta: 1}}]}}
)");
  const std::string text = game->listing();
  for (const char* word : {"action go", "action end", "choose_one", "jump_unless", "add_var",
                           "advance", "settle", "; case.md:"})
    EXPECT_THAT(text, HasSubstr(word));
  // One line for every operation, and those that may fail are marked.
  const auto lines = std::count(text.begin(), text.end(), '\n');
  EXPECT_GE(lines, static_cast<std::ptrdiff_t>(game->program().code.size()));
  EXPECT_THAT(text, HasSubstr("!"));
  EXPECT_EQ(text, game_of("", R"(
- {chooseOne: {bind: $n, options: {query: intsInRange, min: 0, max: {ref: gvar, var: x}}}}
- {if: {when: {op: ">", left: {ref: binding, name: $n}, right: 1}, then: [{addVar: {scope: global, var: x, delta: 1}}]}}
)")
                      ->listing());
}

// ---- Numbers about the map

const char* const map_sections = R"(
zones:
  - {id: box, owner: none, visibility: public, ordering: set}
dataAssets:
  - id: land
    kind: map
    payload:
      spaces:
        - {id: "east:none", category: city, attributes: {population: 3, econ: 2}, adjacentTo: []}
        - {id: "north:none", category: city, attributes: {population: 2, econ: 1}, adjacentTo: []}
        - {id: "west:none", category: province, attributes: {population: 1, econ: 4}, adjacentTo: []}
      markerLattices:
        - {id: support, states: [against, neutral, leaning, devoted], defaultState: neutral}
      spaceMarkers:
        - {spaceId: "east:none", markerId: support, state: devoted}
        - {spaceId: "west:none", markerId: support, state: leaning}
  - {id: seats, kind: seatCatalog, payload: {seats: [{id: crown}, {id: rebels}, {id: traders}]}}
tokenTypes:
  - {id: man, props: {side: string}}
  - {id: base, props: {side: string}}
  - {id: smoke, props: {side: string}}
setup:
  - {createToken: {type: man, zone: "east:none", props: {side: crown}}}
  - {createToken: {type: man, zone: "north:none", props: {side: rebels}}}
  - {createToken: {type: man, zone: "west:none", props: {side: crown}}}
  - {createToken: {type: man, zone: "west:none", props: {side: crown}}}
  - {createToken: {type: base, zone: "west:none", props: {side: rebels}}}
)";

const char* const metric_sections = R"(
derivedMetrics:
  - id: support-total
    computation: markerTotal
    requirements: [{key: population, expectedType: number}]
    runtime: {kind: markerTotal, markerId: support, markerConfig: {activeState: devoted, passiveState: leaning}}
  - id: crown-land
    computation: controlledPopulation
    requirements: [{key: population, expectedType: number}]
    runtime: {kind: controlledPopulation, controlFn: coin, seatGroupConfig: {coinSeats: [crown], insurgentSeats: [rebels], soloSeat: rebels, seatProp: side}}
  - id: rebel-cities
    computation: controlledPopulation
    zoneFilter: {category: [city]}
    requirements: [{key: population, expectedType: number}]
    runtime: {kind: controlledPopulation, controlFn: solo, seatGroupConfig: {coinSeats: [crown], insurgentSeats: [rebels], soloSeat: rebels, seatProp: side}}
  - id: crown-econ
    computation: totalEcon
    requirements: [{key: econ, expectedType: number}]
    runtime: {kind: totalEcon, controlFn: coin, blockedByTokenTypes: [smoke], seatGroupConfig: {coinSeats: [crown], insurgentSeats: [rebels], soloSeat: rebels, seatProp: side}}
victoryStandings:
  seatGroupConfig: {coinSeats: [crown], insurgentSeats: [rebels], soloSeat: rebels, seatProp: side}
  markerName: support
  defaultMarkerState: neutral
  entries:
    - {seat: crown, threshold: 5, formula: {type: markerTotalPlusZoneCount, markerConfig: {activeState: devoted, passiveState: leaning}, countZone: "box:none"}}
    - {seat: rebels, threshold: 2, formula: {type: controlledPopulationPlusMapBases, controlFn: solo, baseSeat: rebels, basePieceTypes: [base]}}
    - {seat: traders, threshold: 1, formula: {type: controlledPopulationPlusGlobalVar, controlFn: coin, varName: x}}
  tieBreakOrder: [traders, crown, rebels]
)";

TEST(KernelMetrics, CountMarkersControlAndResources) {  // section 22
  const auto game =
      game_of(std::string(map_sections) + metric_sections,
              "- {createToken: {type: smoke, zone: \"west:none\"}}\n"
              "- {setMarker: {space: \"north:none\", marker: support, state: devoted}}\n"
              "- {addVar: {scope: global, var: x, delta: 4}}");
  State state = game->start(1).value();
  EXPECT_EQ(
      state.view()["metrics"],
      Json::parse(R"({"support-total": 7, "crown-land": 4, "rebel-cities": 2, "crown-econ": 6})"));
  // Crown 7 - 5, rebels 2 + 1 - 2, traders 4 + 0 - 1.
  EXPECT_EQ(state.view()["standings"], Json::parse(R"([
      {"seat": "traders", "score": 4, "threshold": 1, "margin": 3},
      {"seat": "crown", "score": 7, "threshold": 5, "margin": 2},
      {"seat": "rebels", "score": 3, "threshold": 2, "margin": 1}])"));
  std::vector<std::int64_t> standing(3);
  ASSERT_TRUE(game->standing(state.block(), standing));
  EXPECT_THAT(standing, ElementsAre(2, 1, 3));
  pick(state, "go");
  EXPECT_EQ(
      state.view()["metrics"],
      Json::parse(R"({"support-total": 11, "crown-land": 4, "rebel-cities": 2, "crown-econ": 2})"));
  EXPECT_EQ(state.view()["standings"][0]["margin"], 7);
}

// A-05, A-06: the sums with a name are values like any other, and any value will do.
TEST(KernelMetrics, AreValuesLikeAnyOther) {
  const auto game = game_of(std::string(map_sections) + R"(
derivedMetrics:
  - {id: men, value: count(man in cells)}
  - {id: crowded, value: sum($z.population for $z in cells where size of $zone > 1)}
victoryStandings:
  entries:
    - {seat: crown, threshold: 2, value: count(tokens in cells where side == crown)}
    - {seat: rebels, threshold: 4, value: 3 * count(bases in cells)}
    - {seat: traders, threshold: 0, value: x}
)",
                            "- {addVar: {scope: global, var: x, delta: 4}}");
  State state = game->start(1).value();
  EXPECT_EQ(state.view()["metrics"], Json::parse(R"({"men": 4, "crowded": 1})"));
  std::vector<std::int64_t> standing(3);
  ASSERT_TRUE(game->standing(state.block(), standing));
  EXPECT_THAT(standing, ElementsAre(1, -1, 0));
  pick(state, "go");
  EXPECT_EQ(state.view()["standings"][0], Json::parse(R"(
      {"seat": "traders", "score": 4, "threshold": 0, "margin": 4})"));
}

// What a viewer may not see is not told by a number either; what lies open is.
TEST(KernelMetrics, TellNothingThatIsHidden) {
  const auto game = game_of(std::string(map_sections) + metric_sections + R"(
perPlayerVars:
  - {name: purse, type: int, init: 3, min: 0, max: 9, visibility: hidden}
)",
                            "");
  const auto open = game_of(std::string(map_sections) + metric_sections, "");
  const State state = game->start(1).value();
  EXPECT_EQ(state.view(Viewer::player(PlayerId{0}))["metrics"],
            open->start(1).value().view()["metrics"]);
  EXPECT_TRUE(state.view(Viewer::player(PlayerId{0})).contains("standings"));
  const auto told = game_of(std::string(map_sections) + R"(
perPlayerVars:
  - {name: purse, type: int, init: 3, min: 0, max: 9, visibility: hidden}
derivedMetrics:
  - {id: purses, value: sum($p.purse for $p in players)}
  - {id: men, value: count(man in east:none)}
victoryStandings:
  entries: [{seat: crown, threshold: 2, value: crown.purse}]
)",
                            "");
  const State secret = told->start(1).value();
  EXPECT_EQ(secret.view()["metrics"], Json::parse(R"({"men": 1, "purses": 9})"));
  EXPECT_EQ(secret.view(Viewer::player(PlayerId{0}))["metrics"], Json::parse(R"({"men": 1})"));
  EXPECT_TRUE(secret.view().contains("standings"));
  EXPECT_FALSE(secret.view(Viewer::player(PlayerId{0})).contains("standings"));
}

TEST(KernelMetrics, MistakesAreSaidWhenTheGameIsOpened) {
  std::string wrong = metric_sections;
  wrong.replace(wrong.find("markerId: support"), 17, "markerId: suppart");
  try {
    game_of(std::string(map_sections) + wrong, "");
    FAIL() << "the game was opened";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("there is no marker `suppart`"));
  }
}

// ---- Text for people

TEST(KernelDescribe, PutsEqualTokensTogether) {
  const auto game = game_of(R"(
setup:
  - {createToken: {type: card, zone: "hand:0", props: {n: 1, kind: red}}}
  - {createToken: {type: card, zone: "hand:0", props: {n: 2, kind: red}}}
  - {createToken: {type: card, zone: "hand:0", props: {n: 1, kind: red}}}
)",
                            "");
  EXPECT_THAT(game->start(1).value().describe(),
              HasSubstr("hand of player 0 (3): card (red, 1) ×2; card (red, 2)"));
}

}  // namespace
}  // namespace parlor
