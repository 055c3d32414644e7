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

// Tokens that satisfy `when` are taken for something else during the free move.
struct TokenInterpretation {
  TokenFilter when;
  std::vector<NamedScalar> assign;  // by property
  PARLOR_FIELDS(visit("when", self.when); visit("assign", self.assign);)
};

struct GrantSequence {
  std::string batch;
  Int step = 0;
  bool strict = true;  // progressionPolicy; false: implementWhatCanInOrder
  PARLOR_FIELDS(visit("batch", self.batch); visit("step", self.step); visit("strict", self.strict);)
};

enum class Viability : std::uint8_t {
  emit_always,
  require_usable_at_issue,
  require_usable_for_event_play
};
enum class Completion : std::uint8_t { optional, required, skip_if_no_legal_completion };

struct GrantDef {
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
  PARLOR_FIELDS(visit("id", self.id); visit("seat", self.seat);
                visit("executeAsSeat", self.execute_as);
                visit("operationClass", self.operation_class); visit("actionIds", self.actions);
                visit("zoneFilter", self.zone_filter);
                visit("tokenInterpretations", self.interpretations);
                visit("moveZoneBindings", self.zone_bindings);
                visit("moveZoneProbeBindings", self.probe_bindings);
                visit("allowDuringMonsoon", self.during_monsoon); visit("uses", self.uses);
                visit("viabilityPolicy", self.viability);
                visit("completionPolicy", self.completion);
                visit("mustChangeGameplayState", self.must_change);
                visit("resumeCardFlow", self.resumes_flow); visit("sequence", self.sequence);
                visit("captureMoveZoneCandidatesAs", self.captures_as);
                visit("requireMoveZoneCandidatesFrom", self.requires_from);
                visit("executionContext", self.context); visit("at", self.at);)
};

}  // namespace parlor::spec
