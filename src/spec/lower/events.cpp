#include "spec/lower/events.h"

#include <algorithm>
#include <fmt/core.h>

#include "spec/lower/sections.h"

namespace parlor::spec::lower {
namespace {

void any_word(Context& cx, const Node& node, std::string_view what,
              std::initializer_list<std::string_view> words) {
  std::vector<std::string> names{words.begin(), words.end()};
  if (std::ranges::none_of(names, [&](const std::string& name) { return node.is(name); }))
    report_word(cx, node, what, names);
}

void check_class(Context& cx, const Node& node) {
  any_word(cx, node, "action class",
           {"pass", "event", "operation", "limitedOperation", "operationPlusSpecialActivity",
            "specialActivity"});
}

void check_duration(Context& cx, const Node& node) {
  any_word(cx, node, "duration", {"turn", "nextTurn", "round", "cycle"});
}

void check_seat(Context& cx, const Node& node) {
  if (!node.is("self")) read_seat(cx, node);
}

// ---- Card-driven turn order

void check_turn_flow(Context& cx, const Node& node) {
  Fields fields{cx, node, "turnFlow"};
  fields.need("cardLifecycle", [&](const Node& n) {
    Fields inner{cx, n, "cardLifecycle"};
    for (const char* slot : {"played", "lookahead", "leader"})
      inner.need(slot, [&](const Node& zone) { read_zone_id(cx, zone); });
  });
  fields.need("eligibility", [&](const Node& n) {
    Fields inner{cx, n, "eligibility"};
    inner.need("seats", [&](const Node& list) {
      each_item(cx, list, "a list of seats", [&](const Node& seat) { read_seat(cx, seat); });
    });
    inner.allow({"overrideWindows"});
  });
  fields.need("windows", [&](const Node& n) {
    each_item(cx, n, "a list of windows", [&](const Node& window) {
      Fields inner{cx, window, "a window"};
      inner.need("id", [&](const Node& id) { read_id(cx, id, "the id of a window"); });
      inner.need("duration", [&](const Node& d) { check_duration(cx, d); });
      inner.maybe("usages", [&](const Node& u) { read_strings(cx, u, "a list of usages"); });
    });
  });
  fields.need("actionClassByActionId", [&](const Node& n) {
    if (!n.is_map()) wrong_shape(cx, n, "a mapping from actions to classes");
    for (const Entry& entry : n.entries) {
      const auto step = cx.step(entry.key);
      read_action(cx, Node::of_string(entry.key, {entry.key_place, n.origin.expansion}));
      check_class(cx, entry.value);
    }
  });
  fields.need("optionMatrix", [&](const Node& n) {
    each_item(cx, n, "a list of rows", [&](const Node& row) {
      Fields inner{cx, row, "a row of optionMatrix"};
      inner.need("first", [&](const Node& first) { check_class(cx, first); });
      inner.need("second", [&](const Node& second) {
        each_item(cx, second, "a list of classes", [&](const Node& c) { check_class(cx, c); });
      });
    });
  });
  fields.need("passRewards", [&](const Node& n) {
    each_item(cx, n, "a list of rewards", [&](const Node& reward) {
      Fields inner{cx, reward, "a pass reward"};
      inner.need("seat", [&](const Node& seat) { read_seat(cx, seat); });
      inner.need("resource", [&](const Node& var) {
        read_var_name(cx, var, cx.symbols.global_vars, "global variable");
      });
      inner.need("amount", [&](const Node& amount) { read_int(cx, amount, "amount"); });
    });
  });
  fields.need("durationWindows", [&](const Node& n) {
    each_item(cx, n, "a list of durations", [&](const Node& d) { check_duration(cx, d); });
  });
  fields.allow({"freeOperationActionIds", "cardSeatOrderMetadataKey", "cardSeatOrderMapping",
                "monsoon", "pivotal"});
}

}  // namespace

void check_card_driven(Context& cx, const Node& config) {
  Fields fields{cx, config, "cardDriven"};
  fields.need("turnFlow", [&](const Node& n) { check_turn_flow(cx, n); });
  fields.maybe("coupPlan", [&](const Node& n) {
    Fields inner{cx, n, "coupPlan"};
    inner.need("phases", [&](const Node& list) {
      each_item(cx, list, "a list of coup phases", [&](const Node& phase) {
        Fields step{cx, phase, "a coup phase"};
        step.need("id", [&](const Node& id) { read_phase(cx, id); });
        step.allow({"steps"});
      });
    });
    inner.maybe("finalRoundOmitPhases", [&](const Node& list) {
      each_item(cx, list, "a list of phases", [&](const Node& phase) { read_phase(cx, phase); });
    });
    inner.maybe("seatOrder", [&](const Node& list) {
      each_item(cx, list, "a list of seats", [&](const Node& seat) { read_seat(cx, seat); });
    });
    inner.maybe("maxConsecutiveRounds",
                [&](const Node& most) { read_int(cx, most, "maxConsecutiveRounds", 1); });
  });
}

// ---- Free operations

void check_grant(Context& cx, const Node& grant) {
  Fields fields{cx, grant, "grantFreeOperation"};
  fields.need("seat", [&](const Node& n) { check_seat(cx, n); });
  fields.need("operationClass", [&](const Node& n) { check_class(cx, n); });
  fields.maybe("executeAsSeat", [&](const Node& n) { check_seat(cx, n); });
  fields.maybe("actionIds", [&](const Node& n) {
    each_item(cx, n, "a list of actions", [&](const Node& action) { read_action(cx, action); });
  });
  fields.maybe("zoneFilter",
               [&](const Node& n) { read_condition_with(cx, n, "$zone", plain(Kind::zone)); });
  fields.maybe("tokenInterpretations", [&](const Node& n) {
    each_item(cx, n, "a list of interpretations", [&](const Node& item) {
      Fields inner{cx, item, "a token interpretation"};
      inner.need("when", [&](const Node& filter) { read_token_filter(cx, filter); });
      inner.need("assign", [&](const Node& map) {
        if (!map.is_map()) wrong_shape(cx, map, "a mapping from properties to values");
      });
    });
  });
  fields.maybe("uses", [&](const Node& n) { read_int(cx, n, "uses", 1); });
  fields.maybe("allowDuringMonsoon",
               [&](const Node& n) { read_bool(cx, n, "allowDuringMonsoon"); });
  fields.maybe("viabilityPolicy", [&](const Node& n) {
    any_word(cx, n, "viability policy",
             {"emitAlways", "requireUsableAtIssue", "requireUsableForEventPlay"});
  });
  const Node* completion = fields.optional("completionPolicy");
  fields.maybe("completionPolicy", [&](const Node& n) {
    any_word(cx, n, "completion policy", {"required", "skipIfNoLegalCompletion"});
  });
  fields.maybe("outcomePolicy", [&](const Node& n) {
    any_word(cx, n, "outcome policy", {"mustChangeGameplayState"});
  });
  const bool required = completion != nullptr && completion->is("required");
  if (required) fields.required("postResolutionTurnFlow");
  fields.maybe("postResolutionTurnFlow", [&](const Node& n) {
    any_word(cx, n, "turn flow", {"resumeCardFlow"});
    if (!required)
      cx.error(Code::GRANT_INVALID, n,
               "postResolutionTurnFlow is only for grants with `completionPolicy: required`");
  });
  const bool sequence = fields.optional("sequence") != nullptr;
  fields.maybe("sequence", [&](const Node& n) {
    Fields inner{cx, n, "sequence"};
    inner.need("batch", [&](const Node& batch) { read_id(cx, batch, "the name of a batch"); });
    inner.need("step", [&](const Node& step) { read_int(cx, step, "step", 0); });
    inner.maybe("progressionPolicy", [&](const Node& policy) {
      any_word(cx, policy, "progression policy", {"strictInOrder", "implementWhatCanInOrder"});
    });
  });
  fields.maybe("sequenceContext", [&](const Node& n) {
    if (!sequence) cx.error(Code::GRANT_INVALID, n, "sequenceContext needs `sequence`");
    Fields inner{cx, n, "sequenceContext"};
    inner.allow({"captureMoveZoneCandidatesAs", "requireMoveZoneCandidatesFrom"});
  });
  fields.maybe("executionContext", [&](const Node& n) {
    if (!n.is_map()) wrong_shape(cx, n, "a mapping from keys to values");
    for (const Entry& entry : n.entries) {
      const auto step = cx.step(entry.key);
      read_value(cx, entry.value);
    }
  });
  fields.allow({"id", "moveZoneBindings", "moveZoneProbeBindings"});
}

// ---- Event cards

namespace {

void check_target(Context& cx, const Node& node) {
  Type item;
  bool many = true, each = false;
  Fields fields{cx, node, "a target"};
  fields.need("selector", [&](const Node& n) { item = read_query(cx, n).item; });
  fields.need("cardinality", [&](const Node& n) {
    Fields inner{cx, n, "cardinality"};
    const Node* exactly = inner.optional("n");
    const Node* max = inner.optional("max");
    if (exactly == nullptr) inner.required("max");
    inner.optional("min");
    const Node* most = exactly ? exactly : max;
    many = !(most && most->is_integer() && most->integer == 1);
  });
  fields.need("application", [&](const Node& n) {
    any_word(cx, n, "application", {"each", "aggregate"});
    each = n.is("each");
  });
  // While an `each` target's effects run, the name stands for one of the chosen; afterwards for
  // all.
  fields.need("id", [&](const Node& n) {
    declare_binding(cx, n, many ? (each ? Type{} : list_of(item)) : item);
  });
  fields.maybe("effects", [&](const Node& n) { read_effects(cx, n); });
}

void check_lasting_effect(Context& cx, const Node& node) {
  Fields fields{cx, node, "a lasting effect"};
  fields.need("id", [&](const Node& n) { read_id(cx, n, "the id of a lasting effect"); });
  fields.need("duration", [&](const Node& n) { check_duration(cx, n); });
  fields.maybe("setupEffects", [&](const Node& n) { read_effects(cx, n); });
  fields.maybe("teardownEffects", [&](const Node& n) { read_effects(cx, n); });
  fields.allow({"actionRestrictions"});
}

void check_override(Context& cx, const Node& node) {
  Fields fields{cx, node, "an eligibility override"};
  fields.need("target", [&](const Node& n) {
    Fields inner{cx, n, "a target"};
    const Node* kind = inner.optional("kind");
    inner.need("kind", [&](const Node& k) { any_word(cx, k, "target", {"active", "seat"}); });
    if (kind && kind->is("seat"))
      inner.need("seat", [&](const Node& seat) { read_seat(cx, seat); });
  });
  fields.need("eligible", [&](const Node& n) { read_bool(cx, n, "eligible"); });
  fields.need("windowId", [&](const Node& n) { read_id(cx, n, "the id of a window"); });
  fields.maybe("when", [&](const Node& n) { read_condition(cx, n); });
}

template <class Check>
void check_list(Context& cx, Fields& fields, std::string_view key, Check check) {
  fields.maybe(key, [&](const Node& list) {
    each_item(cx, list, "a list", [&](const Node& item) { check(cx, item); });
  });
}

void check_side(Context& cx, const Node& node, bool branch) {
  Fields fields{cx, node, branch ? "a branch" : "a side of an event card"};
  if (branch) fields.need("id", [&](const Node& n) { read_id(cx, n, "the id of a branch"); });
  fields.allow({"text", "order"});
  fields.maybe("effectTiming", [&](const Node& n) {
    any_word(cx, n, "effect timing", {"beforeGrants", "afterGrants"});
  });
  check_list(cx, fields, "targets", check_target);
  fields.maybe("effects", [&](const Node& n) { read_effects(cx, n); });
  check_list(cx, fields, "freeOperationGrants", check_grant);
  check_list(cx, fields, "eligibilityOverrides", check_override);
  check_list(cx, fields, "lastingEffects", check_lasting_effect);
  if (branch) return;
  fields.maybe("branches", [&](const Node& list) {
    each_item(cx, list, "a list of branches", [&](const Node& item) {
      const std::size_t mark = cx.scope.mark();
      check_side(cx, item, true);
      cx.scope.leave(mark);
    });
  });
}

void check_card(Context& cx, const Node& node, UniqueIds& ids) {
  bool dual = false;
  Fields fields{cx, node, "an event card"};
  fields.need("id", [&](const Node& n) { ids.add(read_id(cx, n, "the id of a card"), n); });
  fields.need("title", [&](const Node& n) { read_string(cx, n, "the title of a card"); });
  fields.need("sideMode", [&](const Node& n) {
    any_word(cx, n, "side mode", {"single", "dual"});
    dual = n.is("dual");
  });
  fields.maybe("order", [&](const Node& n) { read_int(cx, n, "order"); });
  fields.maybe("tags", [&](const Node& n) { read_strings(cx, n, "a list of tags"); });
  fields.allow({"metadata"});
  const auto fresh = [&] {
    cx.scope = {};
    declare_move_bindings(cx);
  };
  fields.maybe("playCondition", [&](const Node& n) {
    fresh();
    read_condition(cx, n);
  });
  for (const char* side : {"unshaded", "shaded"}) {
    if (dual) fields.required(side);
    fields.maybe(side, [&](const Node& n) {
      fresh();
      check_side(cx, n, false);
    });
  }
}

}  // namespace

void check_event_decks(Context& cx) {
  UniqueIds decks{cx, "event deck"};
  UniqueIds cards{cx, "event card"};
  each_of_section(cx, Section::eventDecks, [&](const Node& node) {
    Fields fields{cx, node, "an event deck"};
    fields.need("id", [&](const Node& n) { decks.add(read_id(cx, n, "the id of a deck"), n); });
    fields.need("drawZone", [&](const Node& n) { read_zone_id(cx, n); });
    fields.need("discardZone", [&](const Node& n) { read_zone_id(cx, n); });
    fields.maybe("shuffleOnSetup", [&](const Node& n) { read_bool(cx, n, "shuffleOnSetup"); });
    fields.need("cards", [&](const Node& list) {
      each_item(cx, list, "a list of cards",
                [&](const Node& card) { check_card(cx, card, cards); });
    });
  });
  cx.scope = {};
}

}  // namespace parlor::spec::lower
