// Card-driven turn order, event cards and free operations: what is written is what the GameDef
// says, and what contradicts itself is refused (card-driven.md F, G).
#include <gtest/gtest.h>

#include "base/json.h"
#include "spec/lower/json_schema.h"
#include "spec/lower/lower_testing.h"

namespace parlor::spec::testing {
namespace {

using Codes = std::vector<std::string>;

// A game that says everything there is to say. Tests change single words of it.
constexpr std::string_view unrest = R"(metadata: { id: unrest, players: { min: 2, max: 2 } }
globalVars:
  - { name: gold, type: int, init: 5, min: 0, max: 50 }
  - { name: alms, type: int, init: 5, min: 0, max: 50 }
zones:
  - { id: pile, owner: none, visibility: hidden, ordering: stack }
  - { id: played, owner: none, visibility: public, ordering: queue }
  - { id: upcoming, owner: none, visibility: public, ordering: queue }
  - { id: chronicle, owner: none, visibility: public, ordering: queue }
  - { id: town, zoneKind: board, owner: none, visibility: public, ordering: set }
tokenTypes:
  - { id: band, props: { faction: string, hidden: boolean } }
dataAssets:
  - { id: seats, kind: seatCatalog, payload: { seats: [{ id: crown }, { id: rebels }] } }
setup:
  - { createToken: { type: band, zone: town, props: { faction: rebels, hidden: true } } }
turnStructure:
  phases: [{ id: main }, { id: reckoning }, { id: harvest }]
actions:
  - { id: pass, phase: [main], tags: [pass] }
  - { id: event, phase: [main], capabilities: [cardEvent] }
  - { id: train, phase: [main] }
  - { id: raid, phase: [main] }
  - { id: surprise, phase: [main] }
terminal:
  conditions: [{ when: false, result: { type: draw } }]
  checkpoints: [{ id: always, seat: crown, timing: finalCoup, when: true }]
turnOrder:
  type: cardDriven
  config:
    turnFlow:
      cardLifecycle: { played: "played:none", lookahead: upcoming, leader: chronicle }
      eligibility: { seats: [crown, rebels] }
      windows:
        - { id: stays, duration: nextTurn, usages: [eligibilityOverride] }
        - { id: now, duration: turn }
      actionClassByActionId: { train: operation, raid: specialActivity, pass: pass, event: event, surprise: event }
      optionMatrix:
        - { first: operation, second: [limitedOperation, event] }
      passRewards:
        - { seat: crown, resource: gold, amount: 3 }
      durationWindows: [turn, nextTurn, round, cycle]
      freeOperationsAreActs: true
      freeOperationActionIds: [train]
      cardSeatOrderMetadataKey: seatOrder
      cardSeatOrderMapping: { R: rebels, C: crown }
      monsoon:
        restrictedActions:
          - { actionId: raid, maxParam: { name: $spaces, max: 2 }, overrideToken: dry }
          - { actionId: train, maxParamsTotal: { names: [$a, $b], max: 4 } }
        blockPivotal: false
        pivotalOverrideToken: rain
      pivotal:
        actionIds: [surprise]
        requirePreActionWindow: false
        disallowWhenLookaheadIsCoup: false
        interrupt:
          precedence: [rebels, crown]
          cancellation:
            - winner: { actionId: surprise, eventCardId: flood, eventCardTagsAll: [wet], eventCardTagsAny: [old], paramEquals: { side: shaded, n: 2 } }
              canceled: { actionClass: event }
    coupPlan:
      phases: [{ id: reckoning, steps: [count] }, { id: harvest, steps: [reap] }]
      finalRoundOmitPhases: [harvest]
      maxConsecutiveRounds: 1
      seatOrder: [rebels, crown]
eventDecks:
  - id: second
    drawZone: pile
    discardZone: played
    cards: []
  - id: first
    drawZone: pile
    discardZone: "played:none"
    shuffleOnSetup: true
    cards:
      - { id: zeal, title: Zeal, sideMode: single, unshaded: {} }
      - { id: ardour, title: Ardour, sideMode: single, unshaded: {} }
      - id: flood
        title: Flood
        sideMode: dual
        order: 7
        tags: [wet]
        metadata: { seatOrder: [R, C] }
        playCondition: { op: ">", left: { ref: gvar, var: gold }, right: 0 }
        unshaded:
          text: Water everywhere.
          effectTiming: afterGrants
          targets:
            - id: $space
              selector: { query: mapSpaces }
              cardinality: { min: 1, max: 2 }
              application: aggregate
              effects: [{ addVar: { scope: global, var: gold, delta: 11 } }]
          effects: [{ addVar: { scope: global, var: gold, delta: 12 } }]
          freeOperationGrants:
            - id: help
              seat: self
              executeAsSeat: rebels
              operationClass: limitedOperation
              actionIds: [train]
              zoneFilter: { op: "==", left: { ref: zoneProp, zone: $zone, prop: id }, right: "town:none" }
              tokenInterpretations: [{ when: { prop: hidden, op: eq, value: true }, assign: { faction: crown, hidden: false } }]
              moveZoneBindings: [$targets]
              moveZoneProbeBindings: [$probes]
              allowDuringMonsoon: true
              uses: 2
              viabilityPolicy: requireUsableForEventPlay
              completionPolicy: required
              outcomePolicy: mustChangeGameplayState
              postResolutionTurnFlow: resumeCardFlow
              sequence: { batch: relief, step: 1, progressionPolicy: implementWhatCanInOrder }
              sequenceContext: { captureMoveZoneCandidatesAs: wetland, requireMoveZoneCandidatesFrom: dryland }
              executionContext: { rate: { ref: gvar, var: gold }, kind: [a, b] }
          eligibilityOverrides:
            - { target: { kind: seat, seat: rebels }, eligible: false, windowId: stays, when: true }
          lastingEffects:
            - id: fog
              duration: round
              setupEffects: [{ addVar: { scope: global, var: gold, delta: 13 } }]
              teardownEffects: [{ addVar: { scope: global, var: gold, delta: 14 } }]
              actionRestrictions: [{ actionId: raid, blocked: true }, { actionClass: operation, maxParam: { name: $k, max: 3 } }]
        shaded:
          branches:
            - { id: north, order: 2, effects: [{ addVar: { scope: global, var: gold, delta: 15 } }] }
            - { id: south, effectTiming: beforeGrants }
)";

std::string changed(std::string_view from, std::string_view to) {
  std::string out{unrest};
  const std::size_t at = out.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  EXPECT_EQ(out.find(from, at + 1), std::string::npos) << "twice: " << from;
  return out.replace(at, from.size(), to);
}

Codes codes_of(std::string_view from, std::string_view to) {
  return codes(compile(changed(from, to)));
}

const GameDef& unrest_game() {
  static const CompileResult result = compile(unrest);
  EXPECT_TRUE(result.game) << rendered(result);
  EXPECT_EQ(codes(result), Codes{}) << rendered(result);
  return *result.game;
}

const TurnFlowDef& flow() {
  return unrest_game().turn_order.cards->flow;
}

const EventCardDef& flood() {
  return unrest_game().event_decks.at(0).cards.at(0);
}

TEST(CardDriven, SurvivesJsonAndFitsTheSchema) {
  const nlohmann::json json = to_json(unrest_game());
  EXPECT_EQ(JsonSchema{gamedef_schema()}.violation(json), "");
  const auto back = gamedef_from_json(json);
  ASSERT_TRUE(back) << back.error();
  EXPECT_TRUE(*back == unrest_game());
  EXPECT_EQ(canonical(to_json(*back)), canonical(json));
  EXPECT_EQ(rules_hash(*back), rules_hash(unrest_game()));
  EXPECT_FALSE(unrest_game().sections.contains("eventDecks"));
}

// One word of everything that can be written. Each change must reach the GameDef.
TEST(CardDriven, EveryWordIsRead) {
  const std::pair<const char*, const char*> changes[] = {
      {"played: \"played:none\"", "played: pile"},
      {"lookahead: upcoming", "lookahead: pile"},
      {"leader: chronicle", "leader: pile"},
      {"eligibility: { seats: [crown, rebels]", "eligibility: { seats: [rebels, crown]"},
      {"duration: nextTurn, usages", "duration: cycle, usages"},
      {"usages: [eligibilityOverride]", "usages: [actionPipeline]"},
      {"train: operation, raid", "train: specialActivity, raid"},
      {"first: operation, second", "first: event, second"},
      {"[limitedOperation, event]", "[event]"},
      {"seat: crown, resource", "seat: rebels, resource"},
      {"resource: gold", "resource: alms"},
      {"amount: 3", "amount: 4"},
      {"freeOperationsAreActs: true", "freeOperationsAreActs: false"},
      {"freeOperationActionIds: [train]", "freeOperationActionIds: []"},
      {"      freeOperationActionIds: [train]\n", ""},
      {"MetadataKey: seatOrder", "MetadataKey: order"},
      {"{ R: rebels, C: crown }", "{ R: rebels, K: crown }"},
      {"$spaces, max: 2", "$spaces, max: 3"},
      {"overrideToken: dry", "overrideToken: wet"},
      {"names: [$a, $b]", "names: [$a]"},
      {"max: 4 }", "max: 5 }"},
      {"blockPivotal: false", "blockPivotal: true"},
      {"pivotalOverrideToken: rain", "pivotalOverrideToken: hail"},
      {"actionIds: [surprise]", "actionIds: []"},
      {"requirePreActionWindow: false", "requirePreActionWindow: true"},
      {"disallowWhenLookaheadIsCoup: false", "disallowWhenLookaheadIsCoup: true"},
      {"precedence: [rebels, crown]", "precedence: [crown, rebels]"},
      {"winner: { actionId: surprise", "winner: { actionId: event"},
      {"eventCardId: flood", "eventCardId: zeal"},
      {"eventCardTagsAll: [wet]", "eventCardTagsAll: [dry]"},
      {"eventCardTagsAny: [old]", "eventCardTagsAny: [new]"},
      {"paramEquals: { side: shaded, n: 2 }", "paramEquals: { side: shaded }"},
      {"canceled: { actionClass: event }", "canceled: { actionClass: operation }"},
      {"finalRoundOmitPhases: [harvest]", "finalRoundOmitPhases: []"},
      {"maxConsecutiveRounds: 1", "maxConsecutiveRounds: 2"},
      {"seatOrder: [rebels, crown]", "seatOrder: [crown]"},
      {"shuffleOnSetup: true", "shuffleOnSetup: false"},
      {"drawZone: pile\n    discardZone: \"played:none\"",
       "drawZone: town\n    discardZone: \"played:none\""},
      {"discardZone: \"played:none\"", "discardZone: town"},
      {"order: 7", "order: 8"},
      {"tags: [wet]\n", "tags: [dry]\n"},
      {"seatOrder: [R, C]", "seatOrder: [C, R]"},
      {"left: { ref: gvar, var: gold }, right: 0", "left: { ref: gvar, var: gold }, right: 1"},
      {"effectTiming: afterGrants", "effectTiming: beforeGrants"},
      {"min: 1, max: 2 }\n", "min: 0, max: 2 }\n"},
      {"cardinality: { min: 1, max: 2 }", "cardinality: { n: 2 }"},
      {"application: aggregate", "application: each"},
      {"delta: 11", "delta: 10"},
      {"delta: 12", "delta: 10"},
      {"id: help", "id: aid"},
      {"seat: self", "seat: crown"},
      {"executeAsSeat: rebels", "executeAsSeat: crown"},
      {"operationClass: limitedOperation", "operationClass: operation"},
      {"actionIds: [train]\n              zone", "actionIds: [raid]\n              zone"},
      {"right: \"town:none\"", "right: \"pile:none\""},
      {"op: eq, value: true", "op: eq, value: false"},
      {"faction: crown, hidden: false", "faction: rebels, hidden: false"},
      {"moveZoneBindings: [$targets]", "moveZoneBindings: []"},
      {"moveZoneProbeBindings: [$probes]", "moveZoneProbeBindings: []"},
      {"uses: 2", "uses: 3"},
      {"requireUsableForEventPlay", "requireUsableAtIssue"},
      {"completionPolicy: required", "completionPolicy: skipIfNoLegalCompletion"},
      {"              outcomePolicy: mustChangeGameplayState\n", ""},
      {"batch: relief", "batch: aid"},
      {"step: 1,", "step: 0,"},
      {"implementWhatCanInOrder", "strictInOrder"},
      {"CandidatesAs: wetland", "CandidatesAs: bog"},
      {"CandidatesFrom: dryland", "CandidatesFrom: bog"},
      {"kind: [a, b]", "kind: [a]"},
      {"kind: seat, seat: rebels", "kind: active"},
      {"eligible: false", "eligible: true"},
      {"windowId: stays", "windowId: now"},
      {", when: true }\n          lasting", " }\n          lasting"},
      {"id: fog", "id: mist"},
      {"duration: round", "duration: cycle"},
      {"delta: 13", "delta: 10"},
      {"delta: 14", "delta: 10"},
      {"actionId: raid, blocked: true", "actionId: raid, blocked: false"},
      {"actionClass: operation, maxParam", "actionClass: event, maxParam"},
      {"name: $k, max: 3", "name: $k, max: 2"},
      {"id: north, order: 2", "id: north, order: 3"},
      {"delta: 15", "delta: 10"},
      {"id: south, effectTiming: beforeGrants", "id: south"},
  };
  for (const auto& [from, to] : changes) {
    const CompileResult result = compile(changed(from, to));
    ASSERT_TRUE(result.game) << from << "\n" << rendered(result);
    EXPECT_FALSE(*result.game == unrest_game()) << from;
    EXPECT_NE(rules_hash(*result.game), rules_hash(unrest_game())) << from;
  }
}

TEST(CardDriven, ProseIsKeptButIsNoRule) {
  for (const auto& [from, to] : {std::pair{"title: Flood", "title: Deluge"},
                                 std::pair{"text: Water everywhere.", "text: Wet."}}) {
    const CompileResult result = compile(changed(from, to));
    ASSERT_TRUE(result.game) << rendered(result);
    EXPECT_NE(canonical(to_json(*result.game)), canonical(to_json(unrest_game()))) << from;
    EXPECT_EQ(rules_hash(*result.game), rules_hash(unrest_game())) << from;
  }
}

TEST(CardDriven, ZonesAreNamedInFullHoweverTheyWereWritten) {
  EXPECT_EQ(flow().played, "played:none");
  EXPECT_EQ(flow().lookahead, "upcoming:none");
  EXPECT_EQ(flow().leader, "chronicle:none");
  EXPECT_EQ(unrest_game().event_decks[0].draw_zone, "pile:none");
  EXPECT_EQ(unrest_game().event_decks[0].discard_zone, "played:none");
}

TEST(CardDriven, DecksGoByIdCardsByOrderThenIdBranchesAsWritten) {
  std::vector<std::string> decks, cards, branches;
  for (const EventDeckDef& deck : unrest_game().event_decks) decks.push_back(deck.id);
  for (const EventCardDef& card : unrest_game().event_decks[0].cards) cards.push_back(card.id);
  for (const EventPart& branch : flood().shaded->branches) branches.push_back(branch.id);
  EXPECT_EQ(decks, (Codes{"first", "second"}));
  EXPECT_EQ(cards, (Codes{"flood", "ardour", "zeal"}));
  EXPECT_EQ(branches, (Codes{"north", "south"}));
  EXPECT_EQ(flood().shaded->branches[0].after_grants, std::nullopt);
  EXPECT_EQ(flood().shaded->branches[1].after_grants, false);
}

TEST(CardDriven, WhatIsLeftOutHasItsDefault) {
  const CompileResult result = compile(changed(R"(
            - id: help
              seat: self
              executeAsSeat: rebels
              operationClass: limitedOperation
              actionIds: [train]
              zoneFilter: { op: "==", left: { ref: zoneProp, zone: $zone, prop: id }, right: "town:none" }
              tokenInterpretations: [{ when: { prop: hidden, op: eq, value: true }, assign: { faction: crown, hidden: false } }]
              moveZoneBindings: [$targets]
              moveZoneProbeBindings: [$probes]
              allowDuringMonsoon: true
              uses: 2
              viabilityPolicy: requireUsableForEventPlay
              completionPolicy: required
              outcomePolicy: mustChangeGameplayState
              postResolutionTurnFlow: resumeCardFlow
              sequence: { batch: relief, step: 1, progressionPolicy: implementWhatCanInOrder }
              sequenceContext: { captureMoveZoneCandidatesAs: wetland, requireMoveZoneCandidatesFrom: dryland }
              executionContext: { rate: { ref: gvar, var: gold }, kind: [a, b] }
)",
                                               R"(
            - { seat: self, operationClass: operation, sequence: { batch: b, step: 0 } }
)"));
  ASSERT_TRUE(result.game) << rendered(result);
  GrantDef plain;
  plain.seat = "self";
  plain.sequence = GrantSequence{"b", 0, true};
  EXPECT_EQ(result.game->event_decks[0].cards[0].unshaded->part.grants.at(0), plain);
  EXPECT_FALSE(plain.actions);  // those of turnFlow.freeOperationActionIds (G-04)
}

TEST(CardDriven, TheActionTheCompilerAddsToPlayCardsIsAnEvent) {
  std::string text = changed("  - { id: event, phase: [main], capabilities: [cardEvent] }\n", "");
  text.replace(text.find("event: event, surprise"), 14, "");
  const CompileResult result = compile(text);
  ASSERT_TRUE(result.game) << rendered(result);
  const auto& classes = result.game->turn_order.cards->flow.classes;
  const auto found = std::ranges::find(classes, "event", &ActionClassOf::action);
  ASSERT_NE(found, classes.end());
  EXPECT_EQ(found->action_class, ActionClass::event);
}

TEST(CardDriven, EffectsOfATargetSeeTheTargetsThatFollow) {
  const CompileResult result = compile(
      changed(R"(effects: [{ addVar: { scope: global, var: gold, delta: 11 } }])",
              R"(effects: [{ bindValue: { bind: $x, value: { ref: binding, name: $other } } }]
            - { id: $other, selector: { query: players }, cardinality: { n: 1 }, application: each })"));
  EXPECT_EQ(codes(result), Codes{}) << rendered(result);
}

// ---- What is refused

TEST(CardDrivenRules, ActionsAreOfTheClassOfWhatTheyDo) {
  EXPECT_EQ(codes_of("pass: pass, event", "pass: operation, event"), Codes{"ACTION_CLASS_WRONG"});
  EXPECT_EQ(codes_of("pass: pass, event", "event"), Codes{"ACTION_CLASS_WRONG"});
  EXPECT_EQ(codes_of("event: event, surprise", "event: operation, surprise"),
            Codes{"ACTION_CLASS_WRONG"});
  EXPECT_EQ(codes_of("surprise: event", "surprise: operation"), Codes{"ACTION_CLASS_WRONG"});
}

TEST(CardDrivenRules, SeveralPivotalActionsNeedAPrecedence) {
  std::string text = changed("actionIds: [surprise]", "actionIds: [surprise, event]");
  EXPECT_EQ(codes(compile(text)), Codes{});
  const std::size_t at = text.find("        interrupt:");
  text.erase(at, text.find("    coupPlan:") - at);
  EXPECT_EQ(codes(compile(text)), Codes{"KEY_MISSING"});
}

TEST(CardDrivenRules, CoupPhasesNeedSteps) {
  EXPECT_EQ(codes_of("steps: [count]", "steps: []"), Codes{"LIST_EMPTY"});
  EXPECT_EQ(codes_of(", steps: [count]", ""), Codes{"KEY_MISSING"});
}

TEST(CardDrivenRules, G01_GrantsOfEventsNeedASequence) {
  EXPECT_EQ(codes_of("              sequence: { batch: relief, step: 1, progressionPolicy: "
                     "implementWhatCanInOrder }\n              sequenceContext: { "
                     "captureMoveZoneCandidatesAs: wetland, requireMoveZoneCandidatesFrom: "
                     "dryland }\n",
                     ""),
            Codes{"GRANT_INVALID"});
}

TEST(CardDrivenRules, G03_TheSeatsOfAGrantExist) {
  EXPECT_EQ(codes_of("seat: self", "seat: church"), Codes{"SEAT_UNKNOWN"});
  EXPECT_EQ(codes_of("executeAsSeat: rebels", "executeAsSeat: church"), Codes{"SEAT_UNKNOWN"});
  EXPECT_EQ(codes(compile(changed(
                "delta: 12 } }",
                "delta: 12 } }, { grantFreeOperation: { seat: church, operationClass: event } }"))),
            Codes{"SEAT_UNKNOWN"});
}

TEST(CardDrivenRules, G04_ResumingTheCardNeedsACompletionPolicy) {
  EXPECT_EQ(codes_of("completionPolicy: required", "completionPolicy: skipIfNoLegalCompletion"),
            Codes{});
  EXPECT_EQ(codes_of("              completionPolicy: required\n", ""), Codes{"GRANT_INVALID"});
  EXPECT_EQ(codes_of("              postResolutionTurnFlow: resumeCardFlow\n", ""),
            Codes{"KEY_MISSING"});
}

TEST(CardDrivenRules, G05_GrantsOfEventsDoNotSeeTheTargets) {
  EXPECT_EQ(codes_of("rate: { ref: gvar, var: gold }", "rate: { ref: binding, name: $space }"),
            Codes{"BINDING_UNBOUND"});
}

TEST(CardDrivenRules, G08_AGrantOfARestrictedActionSaysThatItMay) {
  EXPECT_EQ(codes_of("              allowDuringMonsoon: true\n", ""), Codes{"GRANT_INVALID"});
  EXPECT_EQ(codes_of("allowDuringMonsoon: true", "allowDuringMonsoon: false"),
            Codes{"GRANT_INVALID"});
  // The grants of effects are not asked.
  EXPECT_EQ(codes(compile(changed("delta: 12 } }",
                                  "delta: 12 } }, { grantFreeOperation: { seat: self, "
                                  "operationClass: operation, actionIds: [raid] } }"))),
            Codes{});
}

TEST(CardDrivenRules, F11_ARewardWithoutAVariableIsOnlyAWarning) {
  const CompileResult result = compile(changed("resource: gold", "resource: golt"));
  EXPECT_TRUE(result.game);
  EXPECT_EQ(codes(result), Codes{"VAR_UNKNOWN"});
}

TEST(CardDrivenRules, BranchesOfASideHaveDifferentNames) {
  EXPECT_EQ(codes_of("id: south", "id: north"), Codes{"DUPLICATE_ID"});
}

}  // namespace
}  // namespace parlor::spec::testing
