// The typed form of the card-driven turn order (language.md 18) and of event cards (20).
#pragma once

#include "spec/gamedef/effects.h"

namespace parlor::spec {

enum class Duration : std::uint8_t { turn, next_turn, round, cycle };

// At most so much, or so many, in a parameter of a move.
struct MaxParam {
  std::string name;
  Int max = 0;
  PARLOR_FIELDS(visit("name", self.name); visit("max", self.max);)
};

// ---- Turn flow
struct WindowDef {
  std::string id;
  Duration duration = Duration::turn;
  std::vector<std::string> usages;
  PARLOR_FIELDS(visit("id", self.id); visit("duration", self.duration);
                visit("usages", self.usages);)
};
struct ActionClassOf {
  std::string action;
  ActionClass action_class = ActionClass::none;
  PARLOR_FIELDS(visit("actionId", self.action); visit("class", self.action_class);)
};
struct MatrixRow {
  ActionClass first = ActionClass::event;
  std::vector<ActionClass> second;
  PARLOR_FIELDS(visit("first", self.first); visit("second", self.second);)
};
struct PassReward {
  std::string seat;
  std::string resource;  // a global variable; nothing happens if there is none of this name
  Int amount = 0;
  PARLOR_FIELDS(visit("seat", self.seat); visit("resource", self.resource);
                visit("amount", self.amount);)
};
struct MonsoonRule {
  std::string action;
  std::optional<MaxParam> max_param;
  std::vector<std::string> total_names;  // maxParamsTotal
  std::optional<Int> total_max;
  std::string override_token;
  PARLOR_FIELDS(visit("actionId", self.action); visit("maxParam", self.max_param);
                visit("totalNames", self.total_names); visit("totalMax", self.total_max);
                visit("overrideToken", self.override_token);)
};
struct MonsoonDef {
  std::vector<MonsoonRule> restricted;
  bool block_pivotal = true;
  std::string pivotal_override_token;
  PARLOR_FIELDS(visit("restrictedActions", self.restricted);
                visit("blockPivotal", self.block_pivotal);
                visit("pivotalOverrideToken", self.pivotal_override_token);)
};
// Moves that agree with everything given.
struct MoveSelector {
  std::string action;  // empty: any
  std::optional<ActionClass> action_class;
  std::string card;
  std::vector<std::string> tags_all, tags_any;
  std::vector<NamedScalar> params;  // paramEquals
  PARLOR_FIELDS(visit("actionId", self.action); visit("actionClass", self.action_class);
                visit("eventCardId", self.card); visit("eventCardTagsAll", self.tags_all);
                visit("eventCardTagsAny", self.tags_any); visit("paramEquals", self.params);)
};
struct Cancellation {
  MoveSelector winner, canceled;
  PARLOR_FIELDS(visit("winner", self.winner); visit("canceled", self.canceled);)
};
struct PivotalDef {
  std::vector<std::string> actions;
  bool before_acts_only = true;         // requirePreActionWindow
  bool not_before_coup = true;          // disallowWhenLookaheadIsCoup
  std::vector<std::string> precedence;  // seats, the best first; empty: none given
  std::vector<Cancellation> cancellations;
  PARLOR_FIELDS(visit("actionIds", self.actions);
                visit("requirePreActionWindow", self.before_acts_only);
                visit("disallowWhenLookaheadIsCoup", self.not_before_coup);
                visit("precedence", self.precedence); visit("cancellation", self.cancellations);)
};
struct NamedSeat {
  std::string word, seat;
  PARLOR_FIELDS(visit("word", self.word); visit("seat", self.seat);)
};
struct TurnFlowDef {
  std::string played, lookahead, leader;  // full zone ids
  std::vector<std::string> seats;         // eligibility.seats
  std::vector<WindowDef> windows;
  std::vector<ActionClassOf> classes;
  std::vector<MatrixRow> matrix;
  std::vector<PassReward> rewards;
  bool free_operations_are_acts = false;  // Parlor's own
  std::optional<std::vector<std::string>> free_operation_actions;
  std::string seat_order_key;  // of the cards' metadata; empty: none
  std::vector<NamedSeat> seat_order_mapping;
  std::optional<MonsoonDef> monsoon;
  std::optional<PivotalDef> pivotal;
  PARLOR_FIELDS(visit("played", self.played); visit("lookahead", self.lookahead);
                visit("leader", self.leader); visit("seats", self.seats);
                visit("windows", self.windows); visit("actionClasses", self.classes);
                visit("optionMatrix", self.matrix); visit("passRewards", self.rewards);
                visit("freeOperationsAreActs", self.free_operations_are_acts);
                visit("freeOperationActionIds", self.free_operation_actions);
                visit("cardSeatOrderMetadataKey", self.seat_order_key);
                visit("cardSeatOrderMapping", self.seat_order_mapping);
                visit("monsoon", self.monsoon); visit("pivotal", self.pivotal);)
};
struct CoupPlanDef {
  std::vector<std::string> phases;
  std::vector<std::string> final_round_omits;
  std::optional<Int> max_consecutive;
  std::vector<std::string> seat_order;  // empty: the present one
  PARLOR_FIELDS(visit("phases", self.phases); visit("finalRoundOmitPhases", self.final_round_omits);
                visit("maxConsecutiveRounds", self.max_consecutive);
                visit("seatOrder", self.seat_order);)
};
struct CardDrivenDef {
  TurnFlowDef flow;
  std::optional<CoupPlanDef> coup;
  PARLOR_FIELDS(visit("turnFlow", self.flow); visit("coupPlan", self.coup);)
};

// ---- Event cards
struct TargetDef {
  std::string id;  // the binding
  Query selector;
  Int min = 0, max = 1;
  bool each = true;  // application; false: aggregate
  Effects effects;
  PlaceId at;
  PARLOR_FIELDS(visit("id", self.id); visit("selector", self.selector); visit("min", self.min);
                visit("max", self.max); visit("each", self.each); visit("effects", self.effects);
                visit("at", self.at);)
};
struct EligibilityOverride {
  std::string seat;  // empty: the acting seat
  bool eligible = true;
  std::string window;
  std::optional<Condition> when;
  PARLOR_FIELDS(visit("seat", self.seat); visit("eligible", self.eligible);
                visit("windowId", self.window); visit("when", self.when);)
};
struct ActionRestriction {
  std::string action;  // empty: any
  std::optional<ActionClass> action_class;
  bool blocked = false;
  std::optional<MaxParam> max_param;
  PARLOR_FIELDS(visit("actionId", self.action); visit("actionClass", self.action_class);
                visit("blocked", self.blocked); visit("maxParam", self.max_param);)
};
struct LastingEffectDef {
  std::string id;
  Duration duration = Duration::turn;
  Effects setup, teardown;
  std::vector<ActionRestriction> restrictions;
  PARLOR_FIELDS(visit("id", self.id); visit("duration", self.duration); visit("setup", self.setup);
                visit("teardown", self.teardown); visit("actionRestrictions", self.restrictions);)
};
// A side of a card, or a branch of a side.
struct EventPart {
  std::string id;            // of a branch
  std::optional<Int> order;  // of a branch
  std::string text;
  std::optional<bool> after_grants;  // effectTiming; none: not said, which is before
  std::vector<TargetDef> targets;
  Effects effects;
  std::vector<GrantDef> grants;
  std::vector<EligibilityOverride> overrides;
  std::vector<LastingEffectDef> lasting;
  PlaceId at;
  PARLOR_FIELDS(visit("id", self.id); visit("order", self.order); visit("text", self.text, beside);
                visit("afterGrants", self.after_grants); visit("targets", self.targets);
                visit("effects", self.effects); visit("freeOperationGrants", self.grants);
                visit("eligibilityOverrides", self.overrides);
                visit("lastingEffects", self.lasting); visit("at", self.at);)
};
struct EventSide {
  EventPart part;
  std::vector<EventPart> branches;  // as written
  PARLOR_FIELDS(visit("part", self.part); visit("branches", self.branches);)
};
struct EventCardDef {
  std::string id, title;
  std::optional<Int> order;
  std::vector<std::string> tags;
  nlohmann::json metadata = nlohmann::json::object();
  std::optional<Condition> play_condition;
  std::optional<EventSide> unshaded, shaded;
  PlaceId at;
  PARLOR_FIELDS(visit("id", self.id); visit("title", self.title, beside);
                visit("order", self.order); visit("tags", self.tags);
                visit("metadata", self.metadata); visit("playCondition", self.play_condition);
                visit("unshaded", self.unshaded); visit("shaded", self.shaded);
                visit("at", self.at);)
};
struct EventDeckDef {
  std::string id;
  std::string draw_zone, discard_zone;  // full zone ids
  bool shuffle_on_setup = false;        // kept: shuffling is said in setup
  std::vector<EventCardDef> cards;      // those with `order` first, by it; then by id
  PARLOR_FIELDS(visit("id", self.id); visit("drawZone", self.draw_zone);
                visit("discardZone", self.discard_zone);
                visit("shuffleOnSetup", self.shuffle_on_setup); visit("cards", self.cards);)
};

}  // namespace parlor::spec
