// Free operations: what an effect or an event card lets a seat do for free.
#include <algorithm>
#include <fmt/core.h>
#include <utility>

#include "spec/lower/events.h"
#include "spec/lower/sections.h"

namespace parlor::spec::lower {
namespace {

std::string read_grant_seat(Context& cx, const Node& node) {
  return node.is("self") ? node.text : read_seat(cx, node);
}

// {prop: value}: what a token is taken for.
std::vector<NamedScalar> read_assignment(Context& cx, const Node& node) {
  if (node.is_map())
    for (const Entry& entry : node.entries) {
      const auto step = cx.step(entry.key);
      const Kind* kind = find_in(cx.symbols.props, entry.key);
      if (kind == nullptr)
        cx.unknown(Code::TOKEN_PROP_UNKNOWN,
                   Node::of_string(entry.key, {entry.key_place, node.origin.expansion}),
                   "token property", entry.key, names_of(cx.symbols.props));
      cx.note_prop_value(entry.key, entry.value);
      if (entry.value.is_scalar()) read_typed(cx, entry.value, kind ? Type{*kind} : Type{});
    }
  return read_named_scalars(cx, node, "a mapping from properties to values");
}

TokenInterpretation read_interpretation(Context& cx, const Node& node) {
  TokenInterpretation out;
  Fields fields{cx, node, "a token interpretation"};
  fields.need("when", [&](const Node& n) { out.when = read_token_filter(cx, n); });
  fields.need("assign", [&](const Node& n) { out.assign = read_assignment(cx, n); });
  return out;
}

// Grants that follow one another, and what an earlier one leaves for a later one.
void read_sequence(Context& cx, Fields& grant, GrantDef& out) {
  grant.maybe("sequence", [&](const Node& n) {
    GrantSequence& sequence = out.sequence.emplace();
    Fields inner{cx, n, "sequence"};
    inner.need("batch", [&](const Node& batch) {
      sequence.batch = read_id(cx, batch, "the name of a batch");
    });
    inner.need("step", [&](const Node& step) { sequence.step = read_int(cx, step, "step", 0); });
    inner.maybe("progressionPolicy", [&](const Node& policy) {
      sequence.strict =
          read_word<bool>(cx, policy, "progression policy",
                          {{"strictInOrder", true}, {"implementWhatCanInOrder", false}}, true);
    });
  });
  grant.maybe("sequenceContext", [&](const Node& n) {
    if (!out.sequence) cx.error(Code::GRANT_INVALID, n, "sequenceContext needs `sequence`");
    Fields inner{cx, n, "sequenceContext"};
    const auto read = [&](const Node& key) {
      return read_id(cx, key, "the name of captured zones");
    };
    inner.maybe("captureMoveZoneCandidatesAs", [&](const Node& k) { out.captures_as = read(k); });
    inner.maybe("requireMoveZoneCandidatesFrom",
                [&](const Node& k) { out.requires_from = read(k); });
  });
}

// When the grant counts as usable, what must come of it, and how the card goes on afterwards.
void read_policies(Context& cx, Fields& fields, GrantDef& out) {
  fields.maybe("viabilityPolicy", [&](const Node& n) {
    out.viability = read_word<Viability>(
        cx, n, "viability policy",
        {{"emitAlways", Viability::emit_always},
         {"requireUsableAtIssue", Viability::require_usable_at_issue},
         {"requireUsableForEventPlay", Viability::require_usable_for_event_play}},
        Viability::emit_always);
  });
  const bool blocks = fields.maybe("completionPolicy", [&](const Node& n) {
    out.completion = read_word<Completion>(
        cx, n, "completion policy",
        {{"required", Completion::required},
         {"skipIfNoLegalCompletion", Completion::skip_if_no_legal_completion}},
        Completion::optional);
  });
  fields.maybe("outcomePolicy", [&](const Node& n) {
    check_word(cx, n, "outcome policy", {"mustChangeGameplayState"});
    out.must_change = true;
  });
  if (out.completion == Completion::required) fields.required("postResolutionTurnFlow");
  fields.maybe("postResolutionTurnFlow", [&](const Node& n) {
    check_word(cx, n, "turn flow", {"resumeCardFlow"});
    out.resumes_flow = true;
    if (!blocks)
      cx.error(Code::GRANT_INVALID, n, "postResolutionTurnFlow needs a `completionPolicy`")
          .suggestion = "add `completionPolicy: required` or `skipIfNoLegalCompletion`";
  });
}

// Judged on the move to come: what that binds is not known here.
Condition read_filter_of_move_to_come(Context& cx, const Node& node) {
  Scope granting = std::exchange(cx.scope, Scope{});
  cx.scope.leave_open();
  declare_move_bindings(cx);
  Condition out = read_condition_with(cx, node, "$zone", plain(Kind::zone));
  cx.scope = std::move(granting);
  return out;
}

std::vector<NamedValue> read_execution_context(Context& cx, const Node& node) {
  std::vector<NamedValue> out;
  if (!node.is_map()) wrong_shape(cx, node, "a mapping from keys to values");
  for (const Entry& entry : node.entries) {
    const auto step = cx.step(entry.key);
    out.push_back({entry.key, read_value(cx, entry.value).value});
  }
  std::ranges::sort(out, {}, &NamedValue::name);
  return out;
}

}  // namespace

GrantDef read_grant(Context& cx, const Node& grant) {
  GrantDef out;
  out.at = cx.place(grant);
  Fields fields{cx, grant, "grantFreeOperation"};
  fields.need("seat", [&](const Node& n) { out.seat = read_grant_seat(cx, n); });
  fields.need("operationClass", [&](const Node& n) { out.operation_class = read_class(cx, n); });
  fields.maybe("executeAsSeat", [&](const Node& n) { out.execute_as = read_grant_seat(cx, n); });
  fields.maybe("actionIds", [&](const Node& n) { out.actions = read_actions(cx, n); });
  fields.maybe("zoneFilter",
               [&](const Node& n) { out.zone_filter = read_filter_of_move_to_come(cx, n); });
  fields.maybe("tokenInterpretations", [&](const Node& n) {
    out.interpretations = read_list(cx, n, "a list of interpretations", read_interpretation);
  });
  fields.maybe("uses", [&](const Node& n) { out.uses = read_int(cx, n, "uses", 1); });
  fields.maybe("allowDuringMonsoon",
               [&](const Node& n) { out.during_monsoon = read_bool(cx, n, "allowDuringMonsoon"); });
  read_policies(cx, fields, out);
  read_sequence(cx, fields, out);
  fields.maybe("executionContext",
               [&](const Node& n) { out.context = read_execution_context(cx, n); });
  fields.maybe("moveZoneBindings", [&](const Node& n) {
    out.zone_bindings = read_strings(cx, n, "a list of bindings");
  });
  fields.maybe("moveZoneProbeBindings", [&](const Node& n) {
    out.probe_bindings = read_strings(cx, n, "a list of bindings");
  });
  fields.maybe("id", [&](const Node& n) { out.id = read_id(cx, n, "the id of a grant"); });
  return out;
}

namespace {

bool restricted_by_monsoon(const Context& cx, std::string_view action) {
  const Node* rules = find_in_turn_flow(cx, {"monsoon", "restrictedActions"});
  return rules != nullptr && std::ranges::any_of(rules->items, [&](const Node& rule) {
           return rule.find_string("actionId") == action;
         });
}

}  // namespace

GrantDef read_event_grant(Context& cx, const Node& grant) {
  // Without what the event binds: the grants are the same whatever was chosen (G-05).
  Scope event = std::exchange(cx.scope, Scope{});
  declare_move_bindings(cx);
  GrantDef out = read_grant(cx, grant);
  cx.scope = std::move(event);
  if (grant.is_map() && !grant.has("sequence"))
    cx.error(Code::GRANT_INVALID, grant, "a grant of an event card needs `sequence`").suggestion =
        "add `sequence: {batch: main, step: 0}`";
  const Node* actions = grant.find("actionIds");
  if (actions == nullptr || !out.actions || out.during_monsoon) return out;
  const auto step = cx.step("actionIds");
  for (std::size_t i = 0; i < actions->items.size(); ++i) {
    if (!restricted_by_monsoon(cx, (*out.actions)[i])) continue;
    const auto item = cx.step(i);
    cx.error(Code::GRANT_INVALID, actions->items[i],
             fmt::format("`{}` is restricted by the monsoon", (*out.actions)[i]))
        .suggestion = "say that it is free of that: add `allowDuringMonsoon: true`";
  }
  return out;
}

}  // namespace parlor::spec::lower
