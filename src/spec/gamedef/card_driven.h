// The typed form of the card-driven turn order (language.md 18) and of event cards (20).
#pragma once

#include "spec/gamedef/effects.h"

namespace parlor::spec {

enum class Duration : std::uint8_t { turn, next_turn, round, cycle };

struct MaxParam {
  PARLOR_RECORD("maxParam", "", "At most so much, or so many, in a parameter of a move.")
  std::string name;
  Int max = 0;
  PARLOR_FIELDS(visit("name", self.name, is::id.named("the name of a parameter"));
                visit("max", self.max, is::count.from(0, {}));)
};

// ---- Turn flow
struct WindowDef {
  PARLOR_RECORD("a window", "", "How long a change of eligibility may hold.")
  std::string id;
  Duration duration = Duration::turn;
  std::vector<std::string> usages;
  PARLOR_FIELDS(visit("id", self.id, is::id.named("the id of a window"));
                visit("duration", self.duration, is::word.named("duration"));
                visit("usages", self.usages, is::texts.named("a list of usages").optional());)
};
struct ActionClassOf {
  std::string action;
  ActionClass action_class = ActionClass::none;
  PARLOR_FIELDS(visit("actionId", self.action); visit("class", self.action_class);)
};
struct MatrixRow {
  PARLOR_RECORD("a row of optionMatrix", "", "What the second to act may do after the first.")
  ActionClass first = ActionClass::event;
  std::vector<ActionClass> second;
  PARLOR_FIELDS(visit("first", self.first,
                      is::word.named("first action class")
                          .words("event operation operationPlusSpecialActivity"));
                visit("second", self.second, class_of_action);)
};
struct PassReward {
  PARLOR_RECORD("a pass reward", "", "What a seat gets for passing.")
  std::string seat;
  std::string resource;  // a global variable; nothing happens if there is none of this name
  Int amount = 0;
  PARLOR_FIELDS(visit("seat", self.seat, is::seat);
                visit("resource", self.resource, is::id.named("the name of a global variable"));
                visit("amount", self.amount, is::count);)
  PARLOR_CHECKED
};
struct MonsoonRule {
  PARLOR_RECORD("a restricted action", "", "An action that the last card before a coup limits.")
  std::string action;
  std::optional<MaxParam> max_param;
  std::vector<std::string> total_names;  // maxParamsTotal
  std::optional<Int> total_max;
  std::string override_token;
  PARLOR_FIELDS(visit("actionId", self.action, is::action);
                visit("maxParam", self.max_param, is::record.optional());
                visit("totalNames", self.total_names,
                      is::texts.named("a list of names").inside("maxParamsTotal", "names"));
                visit("totalMax", self.total_max,
                      is::count.from(0, {}).inside("maxParamsTotal", "max"));
                visit("overrideToken", self.override_token, is::id.named("a token").optional());)
};
struct MonsoonDef {
  PARLOR_RECORD("monsoon", "", "What the last card before a coup limits.")
  std::vector<MonsoonRule> restricted;
  bool block_pivotal = true;
  std::string pivotal_override_token;
  PARLOR_FIELDS(visit("restrictedActions", self.restricted, is::records);
                visit("blockPivotal", self.block_pivotal, is::flag.optional());
                visit("pivotalOverrideToken", self.pivotal_override_token,
                      is::id.named("a token").optional());)
};
struct MoveSelector {
  PARLOR_RECORD("a move selector", "", "Moves that agree with everything given.")
  std::string action;  // empty: any
  std::optional<ActionClass> action_class;
  std::string card;
  std::vector<std::string> tags_all, tags_any;
  std::vector<NamedScalar> params;  // paramEquals
  PARLOR_FIELDS(visit("actionId", self.action, is::action.optional());
                visit("actionClass", self.action_class, class_of_action.optional());
                visit("eventCardId", self.card, is::id.named("the id of a card").optional());
                visit("eventCardTagsAll", self.tags_all,
                      is::texts.named("a list of tags").optional());
                visit("eventCardTagsAny", self.tags_any,
                      is::texts.named("a list of tags").optional());
                visit("paramEquals", self.params, is::scalar.by(is::text).optional());)
};
struct Cancellation {
  PARLOR_RECORD("a cancellation", "", "A pivotal event that undoes another.")
  MoveSelector winner, canceled;
  PARLOR_FIELDS(visit("winner", self.winner, is::record);
                visit("canceled", self.canceled, is::record);)
};
struct PivotalDef {
  PARLOR_RECORD("pivotal", "", "Events that are played instead of the card.")
  std::vector<std::string> actions;
  bool before_acts_only = true;         // requirePreActionWindow
  bool not_before_coup = true;          // disallowWhenLookaheadIsCoup
  std::vector<std::string> precedence;  // seats, the best first; empty: none given
  std::vector<Cancellation> cancellations;
  PARLOR_FIELDS(visit("actionIds", self.actions, is::actions);
                visit("requirePreActionWindow", self.before_acts_only, is::flag.optional());
                visit("disallowWhenLookaheadIsCoup", self.not_before_coup, is::flag.optional());
                visit("precedence", self.precedence, is::seats.inside("interrupt", "precedence"));
                visit("cancellation", self.cancellations,
                      is::records.inside("interrupt", "cancellation").optional());)
  PARLOR_CHECKED
};
struct NamedSeat {
  std::string word, seat;
  PARLOR_FIELDS(visit("word", self.word); visit("seat", self.seat);)
};
struct TurnFlowDef {
  PARLOR_RECORD("turnFlow", "", "Who may act on a card, and how.")
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
  PARLOR_FIELDS(
      visit("played", self.played, is::zone_id.within("cardLifecycle", "played"));
      visit("lookahead", self.lookahead, is::zone_id.within("cardLifecycle", "lookahead"));
      visit("leader", self.leader, is::zone_id.within("cardLifecycle", "leader"));
      visit("seats", self.seats, is::seats.within("eligibility", "seats"));
      visit("windows", self.windows, is::records);
      visit("actionClasses", self.classes,
            class_of_action.by(is::action).called("actionClassByActionId"));
      visit("optionMatrix", self.matrix, is::records.named("a list of rows"));
      visit("passRewards", self.rewards, is::records);
      visit("freeOperationsAreActs", self.free_operations_are_acts, is::flag.optional());
      visit("freeOperationActionIds", self.free_operation_actions, is::actions.optional());
      visit("cardSeatOrderMetadataKey", self.seat_order_key,
            is::id.named("a key of the cards' metadata").optional());
      visit("cardSeatOrderMapping", self.seat_order_mapping, is::seat.by(is::text).optional());
      visit("monsoon", self.monsoon, is::record.optional());
      visit("pivotal", self.pivotal, is::record.optional());)
  PARLOR_WRITTEN({"overrideWindows", is::data.inside("eligibility", "overrideWindows").optional()},
                 {"durationWindows", is::texts.by_hand()})
  PARLOR_CHECKED
};
struct CoupPlanDef {
  PARLOR_RECORD("coupPlan", "", "What happens when a coup card is turned up.")
  std::vector<std::string> phases;
  std::vector<std::string> final_round_omits;
  std::optional<Int> max_consecutive;
  std::vector<std::string> seat_order;  // empty: the present one
  PARLOR_FIELDS(visit("phases", self.phases);
                visit("finalRoundOmitPhases", self.final_round_omits, is::phases.optional());
                visit("maxConsecutiveRounds", self.max_consecutive,
                      is::count.from(1, {}).optional());
                visit("seatOrder", self.seat_order, is::seats.optional());)
  PARLOR_WRITTEN({"phases", is::records.by_hand(), "a coup phase"})
};
struct CardDrivenDef {
  PARLOR_RECORD("cardDriven", "", "A turn order of cards.")
  TurnFlowDef flow;
  std::optional<CoupPlanDef> coup;
  PARLOR_FIELDS(visit("turnFlow", self.flow, is::record);
                visit("coupPlan", self.coup, is::record.optional());)
};

// ---- Event cards
struct TargetDef {
  PARLOR_RECORD("a target", "", "What an event asks for before it happens.")
  std::string id;  // the binding
  Query selector;
  Int min = 0, max = 1;
  bool each = true;  // application; false: aggregate
  Effects effects;
  PlaceId at;
  PARLOR_FIELDS(visit("id", self.id, is::id.by_hand().after("each"));
                visit("selector", self.selector, is::query);
                visit("min", self.min, is::count.from(0).within("cardinality", "min").optional());
                visit("max", self.max, is::count.from(0).within("cardinality", "max").unless("n"));
                visit("each", self.each,
                      is::word.named("application")
                          .words("each aggregate")
                          .truth("each")
                          .called("application"));
                visit("effects", self.effects); visit("at", self.at);)
  // Its effects are read when all targets are known: all are chosen first.
  PARLOR_WRITTEN({"n", is::count.from(0).inside("cardinality", "n").by_hand().optional()},
                 {"effects", is::effects.optional()})
  PARLOR_CHECKED
};
struct EligibilityOverride {
  PARLOR_RECORD("an eligibility override", "", "Who may act on a card, or may not.")
  std::string seat;  // empty: the acting seat
  bool eligible = true;
  std::string window;
  std::optional<Condition> when;
  PARLOR_FIELDS(visit("seat", self.seat, is::seat.inside("target", "seat").where("kind", "seat"));
                visit("eligible", self.eligible, is::flag);
                visit("windowId", self.window, is::id.named("the id of a window"));
                visit("when", self.when, is::condition.optional());)
  PARLOR_WRITTEN({"kind", is::word.named("target").words("active seat").within("target", "kind")})
  PARLOR_CHECKED
};
struct ActionRestriction {
  PARLOR_RECORD("an action restriction", "", "What a lasting effect forbids or limits.")
  std::string action;  // empty: any
  std::optional<ActionClass> action_class;
  bool blocked = false;
  std::optional<MaxParam> max_param;
  PARLOR_FIELDS(visit("actionId", self.action, is::action.optional());
                visit("actionClass", self.action_class, class_of_action.optional());
                visit("blocked", self.blocked, is::flag.optional());
                visit("maxParam", self.max_param, is::record.optional());)
};
struct LastingEffectDef {
  PARLOR_RECORD("a lasting effect", "", "What holds for a while.")
  std::string id;
  Duration duration = Duration::turn;
  Effects setup, teardown;
  std::vector<ActionRestriction> restrictions;
  PARLOR_FIELDS(visit("id", self.id, is::id.named("the id of a lasting effect"));
                visit("duration", self.duration, is::word.named("duration"));
                visit("setup", self.setup, is::effects.called("setupEffects").optional());
                visit("teardown", self.teardown, is::effects.called("teardownEffects").optional());
                visit("actionRestrictions", self.restrictions, is::records.optional());)
};
// A side of a card, or a branch of a side.
struct EventPart {
  PARLOR_RECORD("a branch", "", "One branch of what an event does.")
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
  PARLOR_FIELDS(visit("id", self.id, is::id.named("the id of a branch"));
                visit("order", self.order, is::count.optional());
                visit("text", self.text, beside, is::text.named("the text of a card").optional());
                visit("afterGrants", self.after_grants,
                      is::word.named("effect timing")
                          .words("beforeGrants afterGrants")
                          .truth("afterGrants")
                          .called("effectTiming")
                          .optional());
                visit("targets", self.targets, is::records.by_hand().optional());
                visit("effects", self.effects, is::effects.optional());
                // The same whatever was chosen, so they do not see what the event binds (G-05).
                visit("freeOperationGrants", self.grants, is::records.of_a_move().optional());
                visit("eligibilityOverrides", self.overrides, is::records.optional());
                visit("lastingEffects", self.lasting, is::records.optional());
                visit("at", self.at);)
};
struct EventSide {
  PARLOR_RECORD("a side of an event card", "", "What an event does.")
  EventPart part;
  std::vector<EventPart> branches;  // as written
  PARLOR_FIELDS(visit("part", self.part, is::record.whole("id order"));
                visit("branches", self.branches,
                      is::records.in_a_block().once("branch").optional());)
};
struct EventCardDef {
  PARLOR_RECORD("an event card", "", "What somebody may play, with one side or two.")
  std::string id, title;
  std::optional<Int> order;
  std::vector<std::string> tags;
  nlohmann::json metadata = nlohmann::json::object();
  std::optional<Condition> play_condition;
  std::optional<EventSide> unshaded, shaded;
  PlaceId at;
  PARLOR_FIELDS(visit("id", self.id, is::id.named("the id of a card"));
                visit("title", self.title, beside, is::text.named("the title of a card"));
                visit("order", self.order, is::count.optional());
                visit("tags", self.tags, is::texts.named("a list of tags").optional());
                visit("metadata", self.metadata, is::data.optional());
                visit("playCondition", self.play_condition, is::condition.optional());
                visit("unshaded", self.unshaded, is::record.of_a_move().optional());
                visit("shaded", self.shaded, is::record.of_a_move().optional());
                visit("at", self.at);)
  PARLOR_WRITTEN({"sideMode", is::word.named("side mode").words("single dual").optional()})
  PARLOR_CHECKED
};
struct EventDeckDef {
  PARLOR_RECORD("an event deck", "", "Event cards, and where they are drawn from.")
  std::string id;
  std::string draw_zone, discard_zone;  // full zone ids
  bool shuffle_on_setup = false;        // kept: shuffling is said in setup
  std::vector<EventCardDef> cards;      // those with `order` first, by it; then by id
  PARLOR_FIELDS(visit("id", self.id, is::id.named("the id of a deck"));
                visit("drawZone", self.draw_zone, is::zone_id);
                visit("discardZone", self.discard_zone, is::zone_id);
                visit("shuffleOnSetup", self.shuffle_on_setup, is::flag.optional());
                visit("cards", self.cards, is::records.of_a_move());)
};

}  // namespace parlor::spec
