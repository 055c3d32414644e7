// The typed form of a free-operation grant: what an effect or an event card lets a seat do for
// free.
#pragma once

#include "spec/gamedef/expressions.h"

namespace parlor::spec {

// What a move is taken for on a card. `none`: the action has no class.
enum class ActionClass : std::uint8_t {
  none,
  pass,
  event,
  operation,
  limited_operation,
  operation_plus_special_activity,
  special_activity
};

// The classes an action may be said to have.
inline constexpr FieldSpec class_of_action =
    is::word.named("action class")
        .words(
            "pass event operation limitedOperation operationPlusSpecialActivity specialActivity");

struct NamedScalar {
  std::string name;
  Scalar value;
  PARLOR_FIELDS(visit("name", self.name); visit("value", self.value);)
};
struct NamedValue {
  std::string name;
  Value value;
  PARLOR_FIELDS(visit("name", self.name); visit("value", self.value);)
};

// During the free move.
struct TokenInterpretation {
  PARLOR_RECORD("a token interpretation", "", "Which tokens are taken for something else.")
  TokenFilter when;
  std::vector<NamedScalar> assign;  // by property
  PARLOR_FIELDS(visit("when", self.when, is::token_filter);
                visit("assign", self.assign, is::scalar.by(is::token_prop));)
  PARLOR_CHECKED
};

struct GrantSequence {
  PARLOR_RECORD("sequence", "", "Where a grant stands among those of its batch.")
  std::string batch;
  Int step = 0;
  bool strict = true;  // progressionPolicy; false: implementWhatCanInOrder
  PARLOR_FIELDS(visit("batch", self.batch, is::id.named("the name of a batch"));
                visit("step", self.step, is::count.from(0, {}));
                visit("strict", self.strict,
                      is::word.named("progression policy")
                          .words("strictInOrder implementWhatCanInOrder")
                          .truth("strictInOrder")
                          .called("progressionPolicy")
                          .optional());)
};

enum class Viability : std::uint8_t {
  emit_always,
  require_usable_at_issue,
  require_usable_for_event_play
};
enum class Completion : std::uint8_t { optional, required, skip_if_no_legal_completion };

struct GrantDef {
  PARLOR_RECORD("a grant", "", "A free operation.")
  std::string id;          // empty: made up when it is issued
  std::string seat;        // of the catalog, or "self"
  std::string execute_as;  // the same; empty: `seat`
  ActionClass operation_class = ActionClass::operation;
  std::optional<std::vector<std::string>> actions;  // none: turnFlow.freeOperationActionIds
  std::optional<Condition> zone_filter;  // `$zone` bound; reads bindings of the move to come
  std::vector<TokenInterpretation> interpretations;
  std::optional<std::vector<std::string>> zone_bindings;  // moveZoneBindings
  std::vector<std::string> probe_bindings;                // moveZoneProbeBindings: kept
  bool during_monsoon = false;
  Int uses = 1;
  Viability viability = Viability::emit_always;
  Completion completion = Completion::optional;
  bool must_change = false;   // outcomePolicy: mustChangeGameplayState
  bool resumes_flow = false;  // postResolutionTurnFlow: resumeCardFlow
  std::optional<GrantSequence> sequence;
  std::string captures_as, requires_from;  // sequenceContext
  std::vector<NamedValue> context;         // executionContext
  PlaceId at;
  PARLOR_FIELDS(
      visit("id", self.id, is::id.named("the id of a grant").optional());
      visit("seat", self.seat, is::seat.words("self"));
      visit("executeAsSeat", self.execute_as, is::seat.words("self").optional());
      visit("operationClass", self.operation_class, class_of_action);
      visit("actionIds", self.actions, is::actions.optional());
      visit("zoneFilter", self.zone_filter,
            is::condition.with("$zone").of_the_move_to_come().optional());
      visit("tokenInterpretations", self.interpretations, is::records.optional());
      visit("moveZoneBindings", self.zone_bindings,
            is::texts.named("a list of bindings").optional());
      visit("moveZoneProbeBindings", self.probe_bindings,
            is::texts.named("a list of bindings").optional());
      visit("allowDuringMonsoon", self.during_monsoon, is::flag.optional());
      visit("uses", self.uses, is::count.from(1, {}).optional());
      visit("viabilityPolicy", self.viability, is::word.named("viability policy").optional());
      visit(
          "completionPolicy", self.completion,
          is::word.named("completion policy").words("required skipIfNoLegalCompletion").optional());
      visit("mustChangeGameplayState", self.must_change,
            is::word.named("outcome policy")
                .words("mustChangeGameplayState")
                .truth("mustChangeGameplayState")
                .called("outcomePolicy")
                .optional());
      visit("resumeCardFlow", self.resumes_flow,
            is::word.named("turn flow")
                .words("resumeCardFlow")
                .truth("resumeCardFlow")
                .called("postResolutionTurnFlow")
                .optional());
      visit("sequence", self.sequence, is::record.optional());
      visit("captureMoveZoneCandidatesAs", self.captures_as,
            is::id.named("the name of captured zones")
                .inside("sequenceContext", "captureMoveZoneCandidatesAs")
                .optional());
      visit("requireMoveZoneCandidatesFrom", self.requires_from,
            is::id.named("the name of captured zones")
                .inside("sequenceContext", "requireMoveZoneCandidatesFrom")
                .optional());
      visit("executionContext", self.context, is::value.by(is::key).optional());
      visit("at", self.at);)
  PARLOR_CHECKED
};

}  // namespace parlor::spec
