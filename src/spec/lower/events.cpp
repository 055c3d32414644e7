// Event cards.
#include "spec/lower/events.h"

#include <algorithm>
#include <fmt/core.h>
#include <tuple>

#include "spec/lower/sections.h"

namespace parlor::spec::lower {
namespace {

void read_cardinality(Context& cx, const Node& node, TargetDef& out) {
  Fields fields{cx, node, "cardinality"};
  const bool exact = fields.optional("n") != nullptr;
  if (!exact) fields.required("max");
  fields.maybe("max", [&](const Node& n) { out.max = read_int(cx, n, "max", 0); });
  fields.maybe("min", [&](const Node& n) {
    out.min = read_int(cx, n, "min", 0);
    if (const Node* max = node.find("max"); max && max->is_integer() && out.min > max->integer)
      cx.error(Code::BOUNDS_REVERSED, n,
               fmt::format("min {} is greater than max {}", out.min, max->integer));
  });
  fields.maybe("n", [&](const Node& n) { out.min = out.max = read_int(cx, n, "n", 0); });
}

// Who or what is chosen. Its effects are read when all targets are known: all are chosen first.
TargetDef read_target(Context& cx, const Node& node) {
  TargetDef out;
  out.at = cx.place(node);
  Type item;
  Fields fields{cx, node, "a target"};
  fields.need("selector", [&](const Node& n) {
    TypedQuery query = read_query(cx, n);
    out.selector = std::move(query.query);
    item = query.item;
  });
  fields.need("cardinality", [&](const Node& n) { read_cardinality(cx, n, out); });
  fields.need("application", [&](const Node& n) {
    out.each = read_word<bool>(cx, n, "application", {{"each", true}, {"aggregate", false}}, true);
  });
  // While an `each` target's effects run, the name stands for one of the chosen; afterwards for
  // all.
  const bool many = out.max != 1;
  fields.need("id", [&](const Node& n) {
    out.id = declare_binding(cx, n, many ? (out.each ? Type{} : list_of(item)) : item);
  });
  fields.allow({"effects"});
  return out;
}

std::vector<TargetDef> read_targets(Context& cx, const Node& node) {
  std::vector<TargetDef> out = read_list(cx, node, "a list of targets", read_target);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Node* effects = node.items[i].find("effects");
    if (effects == nullptr || effects->is_null()) continue;
    const auto item = cx.step(i);
    const auto step = cx.step("effects");
    out[i].effects = read_effects(cx, *effects);
  }
  return out;
}

ActionRestriction read_restriction(Context& cx, const Node& node) {
  ActionRestriction out;
  Fields fields{cx, node, "an action restriction"};
  fields.maybe("actionId", [&](const Node& n) { out.action = read_action(cx, n); });
  fields.maybe("actionClass", [&](const Node& n) { out.action_class = read_class(cx, n); });
  fields.maybe("blocked", [&](const Node& n) { out.blocked = read_bool(cx, n, "blocked"); });
  fields.maybe("maxParam", [&](const Node& n) { out.max_param = read_max_param(cx, n); });
  return out;
}

LastingEffectDef read_lasting_effect(Context& cx, const Node& node) {
  LastingEffectDef out;
  Fields fields{cx, node, "a lasting effect"};
  fields.need("id", [&](const Node& n) { out.id = read_id(cx, n, "the id of a lasting effect"); });
  fields.need("duration", [&](const Node& n) { out.duration = read_duration(cx, n); });
  fields.maybe("setupEffects", [&](const Node& n) { out.setup = read_effects(cx, n); });
  fields.maybe("teardownEffects", [&](const Node& n) { out.teardown = read_effects(cx, n); });
  fields.maybe("actionRestrictions", [&](const Node& list) {
    out.restrictions = read_list(cx, list, "a list of restrictions", read_restriction);
  });
  return out;
}

// The windows that the card-driven turn order declares.
std::vector<std::string> declared_windows(const Context& cx) {
  std::vector<std::string> out;
  const Node* windows = find_in_turn_flow(cx, {"windows"});
  if (windows == nullptr) return out;
  for (const Node& window : windows->items)
    if (const auto id = window.find_string("id")) out.emplace_back(*id);
  return out;
}

EligibilityOverride read_override(Context& cx, const Node& node) {
  EligibilityOverride out;
  Fields fields{cx, node, "an eligibility override"};
  fields.need("target", [&](const Node& n) {
    Fields inner{cx, n, "a target"};
    const Node* kind = inner.optional("kind");
    inner.need("kind", [&](const Node& k) { check_word(cx, k, "target", {"active", "seat"}); });
    if (kind && kind->is("seat"))
      inner.need("seat", [&](const Node& seat) { out.seat = read_seat(cx, seat); });
  });
  fields.need("eligible", [&](const Node& n) { out.eligible = read_bool(cx, n, "eligible"); });
  fields.need("windowId", [&](const Node& n) {
    out.window = read_id(cx, n, "the id of a window");
    const std::vector<std::string> windows = declared_windows(cx);
    if (!out.window.empty() && std::ranges::find(windows, out.window) == windows.end())
      cx.unknown(Code::WORD_UNKNOWN, n, "window", out.window, windows);
  });
  fields.maybe("when", [&](const Node& n) { out.when = read_condition(cx, n); });
  return out;
}

// What a side and a branch have in common.
void read_part(Context& cx, Fields& fields, EventPart& out) {
  out.at = cx.place(fields.node());
  fields.maybe("text", [&](const Node& n) { out.text = read_string(cx, n, "the text of a card"); });
  fields.maybe("effectTiming", [&](const Node& n) {
    out.after_grants = read_word<bool>(cx, n, "effect timing",
                                       {{"beforeGrants", false}, {"afterGrants", true}}, false);
  });
  fields.maybe("targets", [&](const Node& n) { out.targets = read_targets(cx, n); });
  fields.maybe("effects", [&](const Node& n) { out.effects = read_effects(cx, n); });
  fields.maybe("freeOperationGrants",
               [&](const Node& n) { out.grants = read_list(cx, n, "a list", read_event_grant); });
  fields.maybe("eligibilityOverrides",
               [&](const Node& n) { out.overrides = read_list(cx, n, "a list", read_override); });
  fields.maybe("lastingEffects", [&](const Node& n) {
    out.lasting = read_list(cx, n, "a list", read_lasting_effect);
  });
}

EventPart read_branch(Context& cx, const Node& node, UniqueIds& ids) {
  EventPart out;
  const std::size_t mark = cx.scope.mark();
  {
    Fields fields{cx, node, "a branch"};
    fields.need("id", [&](const Node& n) {
      out.id = read_id(cx, n, "the id of a branch");
      ids.add(out.id, n);
    });
    fields.maybe("order", [&](const Node& n) { out.order = read_int(cx, n, "order"); });
    read_part(cx, fields, out);
  }
  cx.scope.leave(mark);
  return out;
}

EventSide read_side(Context& cx, const Node& node) {
  EventSide out;
  cx.scope = {};
  declare_move_bindings(cx);
  Fields fields{cx, node, "a side of an event card"};
  read_part(cx, fields, out.part);
  fields.maybe("branches", [&](const Node& list) {
    UniqueIds ids{cx, "branch"};
    each_item(cx, list, "a list of branches",
              [&](const Node& item) { out.branches.push_back(read_branch(cx, item, ids)); });
  });
  return out;
}

EventCardDef read_card(Context& cx, const Node& node, UniqueIds& ids) {
  EventCardDef out;
  out.at = cx.place(node);
  bool dual = node.has("shaded");
  Fields fields{cx, node, "an event card"};
  fields.need("id", [&](const Node& n) {
    out.id = read_id(cx, n, "the id of a card");
    ids.add(out.id, n);
  });
  fields.need("title",
              [&](const Node& n) { out.title = read_string(cx, n, "the title of a card"); });
  fields.maybe("sideMode", [&](const Node& n) {
    dual = read_word<bool>(cx, n, "side mode", {{"single", false}, {"dual", true}}, false);
  });
  fields.maybe("order", [&](const Node& n) { out.order = read_int(cx, n, "order"); });
  fields.maybe("tags", [&](const Node& n) { out.tags = read_strings(cx, n, "a list of tags"); });
  fields.maybe("metadata", [&](const Node& n) {
    if (n.is_map())
      out.metadata = read_data(n);
    else
      wrong_shape(cx, n, "a mapping for metadata");
  });
  fields.maybe("playCondition", [&](const Node& n) {
    cx.scope = {};
    declare_move_bindings(cx);
    out.play_condition = read_condition(cx, n);
  });
  if (dual) fields.required("unshaded");
  fields.maybe("unshaded", [&](const Node& n) { out.unshaded = read_side(cx, n); });
  if (dual) fields.required("shaded");
  fields.maybe("shaded", [&](const Node& n) { out.shaded = read_side(cx, n); });
  return out;
}

EventDeckDef read_deck(Context& cx, const Node& node, UniqueIds& decks, UniqueIds& cards) {
  EventDeckDef out;
  Fields fields{cx, node, "an event deck"};
  fields.need("id", [&](const Node& n) {
    out.id = read_id(cx, n, "the id of a deck");
    decks.add(out.id, n);
  });
  fields.need("drawZone", [&](const Node& n) { out.draw_zone = read_zone_id(cx, n); });
  fields.need("discardZone", [&](const Node& n) { out.discard_zone = read_zone_id(cx, n); });
  fields.maybe("shuffleOnSetup",
               [&](const Node& n) { out.shuffle_on_setup = read_bool(cx, n, "shuffleOnSetup"); });
  fields.need("cards", [&](const Node& list) {
    each_item(cx, list, "a list of cards",
              [&](const Node& card) { out.cards.push_back(read_card(cx, card, cards)); });
  });
  std::ranges::stable_sort(out.cards, {}, [](const EventCardDef& card) {
    return std::tuple{!card.order.has_value(), card.order.value_or(0), std::string_view{card.id}};
  });
  return out;
}

}  // namespace

void lower_event_decks(Context& cx) {
  UniqueIds decks{cx, "event deck"};
  UniqueIds cards{cx, "event card"};
  each_of_section(cx, Section::eventDecks, [&](const Node& node) {
    cx.game.event_decks.push_back(read_deck(cx, node, decks, cards));
  });
  std::ranges::stable_sort(cx.game.event_decks, {}, &EventDeckDef::id);
  cx.scope = {};
}

}  // namespace parlor::spec::lower
