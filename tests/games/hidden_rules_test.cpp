// What the rules hide stays hidden, way by way (T-13 to T-19).
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "game/scene.h"
#include "game/secrecy.h"
#include "games/hidden_games.h"
#include "games/histories.h"
#include "play/evaluation.h"

namespace parlor::games {
namespace {

using testing::HasSubstr;
using testing::Not;

// States need their game: those that were opened stay open.
State start_of(std::shared_ptr<const Game> game) {
  static std::vector<std::shared_ptr<const Game>> opened;
  opened.push_back(std::move(game));
  return start(*opened.back());
}
std::shared_ptr<const Game> open_hidden(const std::string& name) {
  return open_shipped("../tests/games/hidden/" + name);
}
Viewer seat(std::size_t player) {
  return Viewer::player(PlayerId{player});
}
void throw_hand(State& state, int what) {
  take(state, Json{{"action", "throw"}, {"params", {{"$what", what}}}});
}

// ---- T-13: sealed moves

TEST(SealedMoves, AreHiddenInformation) {
  EXPECT_TRUE(open_hidden("rock-paper-scissors")->info().hidden_information);
}

TEST(SealedMoves, AreShownToTheirOwnerAndToNobodyElse) {
  State state = start_of(open_hidden("rock-paper-scissors"));
  throw_hand(state, 2);
  const Json own = state.view(seat(0))["submissions"], other = state.view(seat(1))["submissions"];
  EXPECT_EQ(own[0]["move"]["params"]["$what"], 2);
  EXPECT_EQ(other[0]["handedIn"], true) << "everybody is told who has handed in";
  EXPECT_FALSE(other[0].contains("move"));
  EXPECT_FALSE(state.view(Viewer::observer())["submissions"][0].contains("move"));
}

TEST(SealedMoves, AreReplacedInOtherWorlds) {
  State state = start_of(open_hidden("rock-paper-scissors"));
  throw_hand(state, 2);
  EXPECT_EQ(resampled_worlds(state, seat(1), 60, 1).size(), 3U);
  EXPECT_EQ(resampled_worlds(state, seat(0), 60, 1).size(), 1U);
}

TEST(SealedMoves, AreNoTrivialWinToEvaluation) {
  play::EvaluationOptions options;
  options.games = 60;
  options.threads = 1;
  const auto report = play::evaluate(*open_hidden("rock-paper-scissors"), options).value();
  EXPECT_THAT(canonical(play::to_json(report)["flags"]), Not(HasSubstr("TRIVIAL_WIN")));
}

// ---- T-14: values inside tokens

TEST(HiddenValues, ADieUnderACupCanShowAnyFace) {
  const State state = start_of(open_hidden("guess-the-die"));
  EXPECT_EQ(resampled_worlds(state, seat(0), 300, 1).size(), 6U);
}

// ---- T-15: worlds mix only what tokens can pass between

// Money that goes from one player's account to the other's is no way for tokens, and a zone no
// token ever leaves unseen keeps its own.
TEST(Ways, AreThoseOfTokensOnly) {
  const auto game = open_text(R"(
metadata: {id: two-decks, players: {min: 2, max: 2}}
zones:
  - {id: red, owner: none, visibility: hidden, ordering: stack}
  - {id: blue, owner: none, visibility: hidden, ordering: stack}
tokenTypes: [{id: card, props: {colour: string}}]
perPlayerVars: [{name: money, type: int, init: 5, min: 0, max: 99}]
setup:
  - createToken: {type: card, zone: red, props: {colour: red}, count: 5}
  - createToken: {type: card, zone: blue, props: {colour: blue}, count: 5}
turnStructure: {phases: [{id: main}]}
actions:
  - id: pay
    phase: [main]
    effects:
      - transferVar: {from: {scope: pvar, player: actor, var: money}, to: {scope: pvar, player: left, var: money}, amount: 1}
      - advancePhase: {}
terminal: {conditions: [{when: {op: ">", left: {ref: clock, field: turn}, right: 9}, result: {type: draw}}]}
)");
  State state = start(*game);
  take(state, "pay");
  EXPECT_EQ(resampled_worlds(state, seat(0), 50, 1).size(), 1U) << "all red cards stay in red";
}

// ---- T-16: names of unseen tokens

TEST(UnseenTokens, AreNamedByTheirPlace) {
  const State state = start_of(open_hidden("thief"));
  OptionList options;
  state.list_options(options);
  ASSERT_EQ(options.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    const Json form = state.option_json(options[i], seat(0));
    EXPECT_EQ(form["params"]["$coin"], (Json{{"zone", "purse:1"}, {"place", i + 1}}));
    EXPECT_THAT(state.option_text(options[i], seat(0)), Not(HasSubstr("tok_")));
  }
}

TEST(UnseenTokens, AreFoundByTheirPlaceAndNotByTheirName) {
  const State state = start_of(open_hidden("thief"));
  OptionList options;
  state.list_options(options);
  EXPECT_TRUE(find_option(state, state.option_json(options[1], seat(0)), seat(0)));
  const Json by_name = state.option_json(options[1]);
  EXPECT_FALSE(find_option(state, by_name, seat(0))) << canonical(by_name);
}

// ---- T-17: what is told

TEST(Told, NobodyButToolsGetsTheHashOfTheState) {
  const auto game = open_shipped("kuhn-poker");
  std::map<std::string, std::set<std::uint64_t>> hashes;
  for (Seed seed = 1; seed <= 40; ++seed) {
    const State state = start(*game, seed);
    hashes[canonical(state.view(seat(0)))].insert(state.view_hash(seat(0)));
  }
  EXPECT_EQ(hashes.size(), 3U);
  for (const auto& [view, all] : hashes) EXPECT_EQ(all.size(), 1U) << view;
}

TEST(Told, OptionsGoToTheDeciderOnly) {
  const State state = start_of(open_shipped("kuhn-poker"));
  EXPECT_TRUE(decision_to_json(state, seat(0)).contains("options"));
  EXPECT_FALSE(decision_to_json(state, seat(1)).contains("options"));
}

// ---- T-18: what was revealed

std::string revealing(const std::string& reveal, const std::string& then = "") {
  return fmt::format(R"(
metadata: {{id: showing, players: {{min: 2, max: 2}}}}
zones:
  - {{id: hand, owner: player, visibility: owner, ordering: set}}
  - {{id: deck, owner: none, visibility: hidden, ordering: stack}}
tokenTypes: [{{id: card, props: {{n: int}}}}]
globalVars: [{{name: wanted, type: int, init: 2, min: 0, max: 9}}]
setup:
  - createToken: {{type: card, zone: "hand:0", props: {{n: 1}}}}
  - createToken: {{type: card, zone: "hand:0", props: {{n: 2}}}}
  - createToken: {{type: card, zone: deck, props: {{n: 2}}}}
turnStructure: {{phases: [{{id: main}}]}}
actions:
  - id: show
    phase: [main]
    effects:
{}
  - id: change
    phase: [main]
    effects: [{{setVar: {{scope: global, var: wanted, value: 1}}}}]
  - id: draw
    phase: [main]
    effects: [{{draw: {{from: deck, to: "hand:0", count: 1}}}}]
{}
terminal: {{conditions: [{{when: false, result: {{type: draw}}}}]}}
)",
                     reveal, then);
}
// The numbers of the cards in the first hand that the other player sees.
std::multiset<int> seen_numbers(const State& state) {
  std::multiset<int> out;
  const Json zone = state.view(seat(1))["zones"]["hand:0"];
  if (zone.is_number()) return out;
  for (const Json& card : zone.is_array() ? zone : zone["visible"])
    out.insert(card["props"]["n"].get<int>());
  return out;
}

TEST(Revealed, TokensStayShownWhenTheFilterWouldMeanOthers) {
  State state = start_of(open_text(revealing(
      R"(      - reveal: {zone: "hand:0", to: all, filter: {prop: n, op: eq, value: {ref: gvar, var: wanted}}})")));
  take(state, "show");
  EXPECT_EQ(seen_numbers(state), (std::multiset<int>{2}));
  take(state, "change");
  EXPECT_EQ(seen_numbers(state), (std::multiset<int>{2}));
}

TEST(Revealed, AFilterMayUseABinding) {
  State state = start_of(open_text(revealing(
      R"(      - forEach: {bind: $n, over: {query: intsInRange, min: 1, max: 1}, effects: [{reveal: {zone: "hand:0", to: all, filter: {prop: n, op: eq, value: {ref: binding, name: $n}}}}]})")));
  take(state, "show");
  EXPECT_EQ(seen_numbers(state), (std::multiset<int>{1}));
}

TEST(Revealed, WhatArrivesLaterIsShownOnlyIfTheRevealLasts) {
  for (const bool lasting : {false, true}) {
    State state = start_of(open_text(revealing(
        fmt::format(R"(      - reveal: {{zone: "hand:0", to: all, lasting: {}}})", lasting))));
    take(state, "show");
    take(state, "draw");
    EXPECT_EQ(seen_numbers(state).size(), lasting ? 3U : 2U);
  }
}

// ---- T-19, L-01: secret variables, counts, observers

TEST(SecretVariables, AreShownToTheirOwnerOnly) {
  State state = start_of(open_hidden("blind-auction"));
  take(state, Json{{"action", "bid"}, {"params", {{"$coins", 2}}}});
  EXPECT_EQ(state.view(seat(0))["players"][0]["bid"], 2);
  EXPECT_FALSE(state.view(seat(1))["players"][0].contains("bid"));
  EXPECT_FALSE(state.view(Viewer::observer())["globals"].contains("prize"));
}

// A refusal is handed on to whoever asked: what the rules saw when they went wrong stays with them.
TEST(SecretVariables, AreNotInTheRefusalsOfFaults_T10_T23) {
  State state = start_of(open_text(R"(
metadata: {id: faulty, players: {min: 2, max: 2}}
zones: [{id: table, owner: none, visibility: public, ordering: set}]
globalVars:
  - {name: secret, type: int, init: 4, min: 0, max: 6, visibility: hidden}
  - {name: shown, type: int, init: 0, min: 0, max: 6}
turnStructure: {phases: [{id: main}]}
actions:
  - id: divide
    phase: [main]
    effects:
      - setVar: {scope: global, var: secret, value: {op: "/", left: {ref: gvar, var: secret}, right: {ref: gvar, var: shown}}}
terminal: {conditions: [{when: false, result: {type: draw}}]}
)"));
  OptionList options;
  state.list_options(options);
  ASSERT_EQ(options.size(), 1u);
  const auto applied = state.apply(options[0]);
  ASSERT_FALSE(applied.has_value());
  EXPECT_EQ(applied.error().code, "RUN_DIVISION_BY_ZERO");
  EXPECT_FALSE(applied.error().details.contains("values")) << applied.error().message;
  EXPECT_THAT(applied.error().message, Not(HasSubstr("4")));
}

TEST(HiddenCounts, AreNotTold) {
  const State state = start_of(open_hidden("treasure"));
  EXPECT_EQ(state.view(seat(1))["zones"]["island1:0"], "hidden");
  EXPECT_TRUE(state.view(seat(0))["zones"]["island1:0"].is_array());
}

TEST(Observers, SeeWhatTheGameDeclares) {
  const auto game = open_text(revealing("      - reveal: {zone: deck, to: all}") + R"(
observability:
  observers:
    commentator: {zones: {hand: {tokens: public}}}
    blind: {zones: {_default: {tokens: hidden}}}
)");
  const State state = start(*game);
  EXPECT_EQ(game->info().observers, (std::vector<std::string>{"blind", "commentator"}));
  EXPECT_EQ(state.view(Viewer::observer())["zones"]["hand:0"], 2);
  EXPECT_EQ(state.view(Viewer::observer("commentator"))["zones"]["hand:0"].size(), 2U);
  EXPECT_EQ(state.view(Viewer::player(PlayerId{0}, "blind"))["zones"]["hand:0"], 2);
}

// T-19, S-11: an observer hears of a move what an observer sees: more than a spectator, or less.
TEST(Observers, HearWhatTheySee) {
  const auto game = open_text(R"(
metadata: {id: ears, players: {min: 2, max: 2}}
globalVars:
  - {name: done, type: int, init: 0, min: 0, max: 9}
  - {name: secret, type: int, init: 0, min: 0, max: 9, visibility: hidden}
perPlayerVars: [{name: purse, type: int, init: 0, min: 0, max: 9}]
zones:
  - {id: deck, owner: none, visibility: hidden, ordering: stack}
  - {id: hand, owner: player, visibility: owner, ordering: set}
  - {id: table, owner: none, visibility: public, ordering: set}
tokenTypes: [{id: card, props: {rank: int}}]
setup:
  - forEach:
      bind: $r
      over: {query: intsInRange, min: 1, max: 6}
      effects: [{createToken: {type: card, zone: deck, props: {rank: {ref: binding, name: $r}}}}]
  - {shuffle: {zone: deck}}
turnStructure: {phases: [{id: main}]}
actions:
  - id: go
    phase: [main]
    effects:
      - {draw: {from: deck, to: "hand:actor", count: 2}}
      - {addVar: {scope: pvar, player: actor, var: purse, delta: 1}}
      - {setVar: {scope: global, var: secret, value: 5}}
      - {chooseOne: {bind: $c, options: {query: tokensInZone, zone: "hand:actor"}}}
      - {moveToken: {token: $c, from: "hand:actor", to: table}}
      - {addVar: {scope: global, var: done, delta: 1}}
      - {advancePhase: {}}
terminal: {conditions: [{when: {op: ">=", left: {ref: gvar, var: done}, right: 3}, result: {type: draw}}]}
observability:
  observers:
    referee: {zones: {hand: {tokens: public}}, surfaces: {globalVars: public, perPlayerVars: public}}
    blind: {zones: {_default: {tokens: hidden}}}
    partner: {zones: {hand: {tokens: owner}}}
)");
  State state = start(*game);
  EventRecorder heard;
  for (int n = 0; n < 2; ++n) {
    OptionList options;
    state.list_options(options);
    ASSERT_TRUE(state.apply(options[0], &heard));
  }
  const auto told = [&](const Viewer& viewer) {
    std::map<std::string, int> out;  // how many events of a kind, and how many of them name a token
    for (const HeardEvent& event : heard.heard()) {
      const Json one = event_told({event.kind, event.data, event.seen_by, event.outside}, viewer);
      if (one.is_null()) continue;
      ++out[one["kind"]];
      if (one["data"].contains("token") || one["data"].contains("value"))
        ++out["named " + one["kind"].get<std::string>()];
    }
    return out;
  };
  auto spectator = told(Viewer::observer()), referee = told(Viewer::observer("referee")),
       blind = told(Viewer::observer("blind")), own = told(Viewer::player(PlayerId{0}, "partner")),
       other = told(Viewer::player(PlayerId{1}, "partner"));
  EXPECT_EQ(spectator["named tokenMoved"], 1);  // the card that went to the table
  EXPECT_EQ(spectator["tokenMoved"], 3);
  EXPECT_EQ(spectator["varChanged"], 2);  // purse and done
  EXPECT_EQ(referee["named tokenMoved"], 3);
  EXPECT_EQ(referee["named chosen"], 1);
  EXPECT_EQ(referee["varChanged"], 3);
  EXPECT_EQ(blind["named tokenMoved"], 0);
  EXPECT_EQ(blind["named chosen"], 0);
  EXPECT_EQ(blind["varChanged"], 1);  // variables of players are for whoever looks as a player
  EXPECT_EQ(own["named tokenMoved"], 3);
  EXPECT_EQ(other["named tokenMoved"], 1);
  EXPECT_EQ(told(Viewer::player(PlayerId{1}, "referee"))["named tokenMoved"], 3);
}

// ---- T-10: what a page draws ahead of a choice

const char* const looking_ahead = R"(
metadata: {id: oracle, players: {min: 2, max: 2}}
globalVars: [{name: done, type: int, init: 0, min: 0, max: 99}]
zones:
  - {id: deck, owner: none, visibility: hidden, ordering: stack}
  - {id: hand, owner: player, visibility: owner, ordering: set}
tokenTypes: [{id: card, props: {rank: int}}]
setup:
  - forEach:
      bind: $r
      over: {query: intsInRange, min: 1, max: 12}
      effects: [{createToken: {type: card, zone: deck, props: {rank: {ref: binding, name: $r}}}}]
  - {shuffle: {zone: deck}}
turnStructure: {phases: [{id: main}]}
actions:
  - id: look
    phase: [main]
    effects:
      - {draw: {from: deck, to: "hand:actor", count: 2}}
      - {chooseOne: {bind: $c, options: {query: tokensInZone, zone: "hand:actor"}}}
      - {addVar: {scope: global, var: done, delta: 1}}
      - {advancePhase: {}}
  - id: roll
    phase: [main]
    effects:
      - {rollRandom: {bind: $n, min: 1, max: 6, in: [{chooseOne: {bind: $m, options: {query: intsInRange, min: 1, max: {ref: binding, name: $n}}}}]}}
      - {addVar: {scope: global, var: done, delta: 1}}
      - {advancePhase: {}}
  - id: think
    phase: [main]
    effects:
      - {chooseOne: {bind: $n, options: {query: intsInRange, min: 1, max: 4}}}
      - {addVar: {scope: global, var: done, delta: 1}}
      - {advancePhase: {}}
terminal: {conditions: [{when: {op: ">=", left: {ref: gvar, var: done}, right: 3}, result: {type: draw}}]}
)";

TEST(PagesLookAhead, NeitherAtCardsNorAtDice) {
  const State state = start_of(open_text(looking_ahead));
  const Json page = typed_decision(state, seat(0), {.depth = 1});
  ASSERT_EQ(page["options"].size(), 3U);
  for (const Json& option : page["options"])
    EXPECT_EQ(option.contains("then"), option["action"] == "think") << option.dump();
}

}  // namespace
}  // namespace parlor::games
