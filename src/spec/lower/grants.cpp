// Free operations: what an effect or an event card lets a seat do for free. What their declaration
// (gamedef/grants.h) leaves to code.
#include <algorithm>
#include <fmt/core.h>
#include <utility>

#include "spec/lower/construct.h"
#include "spec/lower/events.h"
#include "spec/lower/sections.h"

namespace parlor::spec::lower {

// What a token is taken for: properties it could have.
void check(Reading& r, TokenInterpretation&) {
  Context& cx = r.cx;
  r.at("assign", [&](const Node& node) {
    for (const Entry& entry : node.entries) {
      const auto step = cx.step(entry.key);
      const Kind* kind = find_in(cx.symbols.props, entry.key);
      cx.note_prop_value(entry.key, entry.value);
      if (entry.value.is_scalar()) read_typed(cx, entry.value, kind ? Type{*kind} : Type{});
    }
  });
}

Condition read_filter_of_move_to_come(Context& cx, const Node& node) {
  Scope granting = std::exchange(cx.scope, Scope{});
  cx.scope.leave_open();
  declare_move_bindings(cx);
  Condition out = read_condition_with(cx, node, "$zone", plain(Kind::zone));
  cx.scope = std::move(granting);
  return out;
}

void check(Reading& r, GrantDef& out) {
  if (out.completion == Completion::required) r.fields.required("postResolutionTurnFlow");
  const auto invalid = [&](std::string_view key, std::string_view lacks) -> Diagnostic& {
    const auto step = r.cx.step(key);
    return r.cx.error(Code::GRANT_INVALID, *r.given(key), fmt::format("{} needs {}", key, lacks));
  };
  if (out.resumes_flow && r.given("completionPolicy") == nullptr)
    invalid("postResolutionTurnFlow", "a `completionPolicy`").suggestion =
        "add `completionPolicy: required` or `skipIfNoLegalCompletion`";
  if (r.given("sequenceContext") != nullptr && !out.sequence)
    invalid("sequenceContext", "`sequence`");
}

GrantDef read_grant(Context& cx, const Node& grant) {
  static const Construct& record = *find_construct(Family::record, GrantDef::record.key);
  GrantDef out;
  out.at = cx.place(grant);
  Fields fields{cx, grant, "grantFreeOperation"};
  Reading reading{cx, fields, record};
  read_construct(reading, out);
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
  GrantDef out = read_grant(cx, grant);
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
