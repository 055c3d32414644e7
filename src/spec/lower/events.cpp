#include "spec/lower/events.h"

#include <algorithm>
#include <fmt/core.h>

#include "spec/lower/sections.h"

namespace parlor::spec::lower {

// ---- Free operations

namespace {

void check_seat(Context& cx, const Node& node) {
  if (!node.is("self")) read_seat(cx, node);
}

// {prop: value}: what a token is taken for.
void check_assignment(Context& cx, const Node& node) {
  if (!node.is_map()) {
    wrong_shape(cx, node, "a mapping from properties to values");
    return;
  }
  for (const Entry& entry : node.entries) {
    const auto step = cx.step(entry.key);
    const Kind* kind = find_in(cx.symbols.props, entry.key);
    if (kind == nullptr)
      cx.unknown(Code::TOKEN_PROP_UNKNOWN,
                 Node::of_string(entry.key, {entry.key_place, node.origin.expansion}),
                 "token property", entry.key, names_of(cx.symbols.props));
    cx.note_prop_value(entry.key, entry.value);
    read_typed(cx, entry.value, kind != nullptr ? Type{*kind} : Type{});
  }
}

// Grants that follow one another, and what an earlier one leaves for a later one.
void check_sequence(Context& cx, Fields& grant) {
  const bool sequence = grant.maybe("sequence", [&](const Node& n) {
    Fields inner{cx, n, "sequence"};
    inner.need("batch", [&](const Node& batch) { read_id(cx, batch, "the name of a batch"); });
    inner.need("step", [&](const Node& step) { read_int(cx, step, "step", 0); });
    inner.maybe("progressionPolicy", [&](const Node& policy) {
      check_word(cx, policy, "progression policy", {"strictInOrder", "implementWhatCanInOrder"});
    });
  });
  grant.maybe("sequenceContext", [&](const Node& n) {
    if (!sequence) cx.error(Code::GRANT_INVALID, n, "sequenceContext needs `sequence`");
    Fields inner{cx, n, "sequenceContext"};
    for (const char* key : {"captureMoveZoneCandidatesAs", "requireMoveZoneCandidatesFrom"})
      inner.maybe(key, [&](const Node& name) { read_id(cx, name, "the name of captured zones"); });
  });
}

}  // namespace

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
      inner.need("assign", [&](const Node& map) { check_assignment(cx, map); });
    });
  });
  fields.maybe("uses", [&](const Node& n) { read_int(cx, n, "uses", 1); });
  fields.maybe("allowDuringMonsoon",
               [&](const Node& n) { read_bool(cx, n, "allowDuringMonsoon"); });
  fields.maybe("viabilityPolicy", [&](const Node& n) {
    check_word(cx, n, "viability policy",
               {"emitAlways", "requireUsableAtIssue", "requireUsableForEventPlay"});
  });
  const Node* completion = fields.optional("completionPolicy");
  fields.maybe("completionPolicy", [&](const Node& n) {
    check_word(cx, n, "completion policy", {"required", "skipIfNoLegalCompletion"});
  });
  fields.maybe("outcomePolicy", [&](const Node& n) {
    check_word(cx, n, "outcome policy", {"mustChangeGameplayState"});
  });
  const bool required = completion != nullptr && completion->is("required");
  if (required) fields.required("postResolutionTurnFlow");
  fields.maybe("postResolutionTurnFlow", [&](const Node& n) {
    check_word(cx, n, "turn flow", {"resumeCardFlow"});
    if (!required)
      cx.error(Code::GRANT_INVALID, n,
               "postResolutionTurnFlow is only for grants with `completionPolicy: required`");
  });
  check_sequence(cx, fields);
  fields.maybe("executionContext", [&](const Node& n) {
    if (!n.is_map()) wrong_shape(cx, n, "a mapping from keys to values");
    for (const Entry& entry : n.entries) {
      const auto step = cx.step(entry.key);
      read_value(cx, entry.value);
    }
  });
  for (const char* key : {"moveZoneBindings", "moveZoneProbeBindings"})
    fields.maybe(key, [&](const Node& n) { read_strings(cx, n, "a list of bindings"); });
  fields.maybe("id", [&](const Node& n) { read_id(cx, n, "the id of a grant"); });
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
    inner.maybe("n", [&](const Node& count) { read_int(cx, count, "n", 0); });
    inner.maybe("max", [&](const Node& count) { read_int(cx, count, "max", 0); });
    inner.maybe("min", [&](const Node& count) {
      const Int least = read_int(cx, count, "min", 0);
      if (max && max->is_integer() && least > max->integer)
        cx.error(Code::BOUNDS_REVERSED, count,
                 fmt::format("min {} is greater than max {}", least, max->integer));
    });
    const Node* most = exactly ? exactly : max;
    many = !(most && most->is_integer() && most->integer == 1);
  });
  fields.need("application", [&](const Node& n) {
    check_word(cx, n, "application", {"each", "aggregate"});
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
  fields.maybe("actionRestrictions", [&](const Node& list) {
    each_item(cx, list, "a list of restrictions", [&](const Node& item) {
      Fields inner{cx, item, "an action restriction"};
      inner.maybe("actionId", [&](const Node& n) { read_action(cx, n); });
      inner.maybe("actionClass", [&](const Node& n) { check_class(cx, n); });
      inner.maybe("blocked", [&](const Node& n) { read_bool(cx, n, "blocked"); });
      inner.maybe("maxParam", [&](const Node& n) { check_max_param(cx, n); });
    });
  });
}

// The windows that the card-driven turn order declares.
std::vector<std::string> declared_windows(const Context& cx) {
  std::vector<std::string> out;
  const Node* node = cx.doc.find(Section::turnOrder);
  for (const char* key : {"config", "turnFlow", "windows"})
    node = node != nullptr ? node->find(key) : nullptr;
  if (node == nullptr) return out;
  for (const Node& window : node->items)
    if (const auto id = window.find_string("id")) out.emplace_back(*id);
  return out;
}

void check_override(Context& cx, const Node& node) {
  Fields fields{cx, node, "an eligibility override"};
  fields.need("target", [&](const Node& n) {
    Fields inner{cx, n, "a target"};
    const Node* kind = inner.optional("kind");
    inner.need("kind", [&](const Node& k) { check_word(cx, k, "target", {"active", "seat"}); });
    if (kind && kind->is("seat"))
      inner.need("seat", [&](const Node& seat) { read_seat(cx, seat); });
  });
  fields.need("eligible", [&](const Node& n) { read_bool(cx, n, "eligible"); });
  fields.need("windowId", [&](const Node& n) {
    const std::string id = read_id(cx, n, "the id of a window");
    const std::vector<std::string> windows = declared_windows(cx);
    if (!id.empty() && std::ranges::find(windows, id) == windows.end())
      cx.unknown(Code::WORD_UNKNOWN, n, "window", id, windows);
  });
  fields.maybe("when", [&](const Node& n) { read_condition(cx, n); });
}

// The grants of an event are worked off in order, so each says where it stands.
void check_event_grant(Context& cx, const Node& grant) {
  check_grant(cx, grant);
  if (grant.is_map() && !grant.has("sequence"))
    cx.error(Code::GRANT_INVALID, grant, "a grant of an event card needs `sequence`").suggestion =
        "add `sequence: {batch: main, step: 0}`";
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
  fields.maybe("text", [&](const Node& n) { read_string(cx, n, "the text of a card"); });
  if (branch) fields.maybe("order", [&](const Node& n) { read_int(cx, n, "order"); });
  fields.maybe("effectTiming", [&](const Node& n) {
    check_word(cx, n, "effect timing", {"beforeGrants", "afterGrants"});
  });
  check_list(cx, fields, "targets", check_target);
  fields.maybe("effects", [&](const Node& n) { read_effects(cx, n); });
  check_list(cx, fields, "freeOperationGrants", check_event_grant);
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
    check_word(cx, n, "side mode", {"single", "dual"});
    dual = n.is("dual");
  });
  fields.maybe("order", [&](const Node& n) { read_int(cx, n, "order"); });
  fields.maybe("tags", [&](const Node& n) { read_strings(cx, n, "a list of tags"); });
  fields.maybe("metadata", [&](const Node& n) {
    if (!n.is_map()) wrong_shape(cx, n, "a mapping for metadata");
  });
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
