// Event cards.
#include "spec/lower/events.h"

#include <algorithm>
#include <fmt/core.h>
#include <tuple>

#include "spec/lower/construct.h"
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

// The windows that the card-driven turn order declares.
std::vector<std::string> declared_windows(const Context& cx) {
  std::vector<std::string> out;
  const Node* windows = find_in_turn_flow(cx, {"windows"});
  if (windows == nullptr) return out;
  for (const Node& window : windows->items)
    if (const auto id = window.find_string("id")) out.emplace_back(*id);
  return out;
}

// What a side and a branch have in common.
void read_part(Context& cx, Fields& fields, EventPart& out) {
  static const Construct& side = *find_construct(Family::record, EventPart::record.key);
  out.at = cx.place(fields.node());
  Reading reading{cx, fields, side};
  read_construct(reading, out);
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

}  // namespace

void read_into(Reading& r, const Node& node, const FieldInfo&, std::vector<TargetDef>& out) {
  Context& cx = r.cx;
  out = read_list(cx, node, "a list of targets", read_target);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Node* effects = node.items[i].find("effects");
    if (effects == nullptr || effects->is_null()) continue;
    const auto item = cx.step(i);
    const auto step = cx.step("effects");
    out[i].effects = read_effects(cx, *effects);
  }
}

void check(Reading& r, EligibilityOverride& out) {
  Context& cx = r.cx;
  r.fields.need("target", [&](const Node& n) {
    Fields inner{cx, n, "a target"};
    const Node* kind = inner.optional("kind");
    inner.need("kind", [&](const Node& k) { check_word(cx, k, "target", {"active", "seat"}); });
    if (kind && kind->is("seat"))
      inner.need("seat", [&](const Node& seat) { out.seat = read_seat(cx, seat); });
  });
  r.at("windowId", [&](const Node& n) {
    const std::vector<std::string> windows = declared_windows(cx);
    if (!out.window.empty() && std::ranges::find(windows, out.window) == windows.end())
      cx.unknown(Code::WORD_UNKNOWN, n, "window", out.window, windows);
  });
}

// A card is read in the scope of the event move, each of its sides afresh.
void read_into(Reading& r, const Node& node, const FieldInfo&, EventCardDef& out) {
  static const Construct& card = *find_construct(Family::record, EventCardDef::record.key);
  Context& cx = r.cx;
  out.at = cx.place(node);
  cx.scope = {};
  declare_move_bindings(cx);
  Fields fields{cx, node, card.name()};
  Reading reading{cx, fields, card};
  read_construct(reading, out);
  bool dual = node.has("shaded");
  fields.maybe("sideMode", [&](const Node& n) {
    dual = read_word<bool>(cx, n, "side mode", {{"single", false}, {"dual", true}}, false);
  });
  if (dual) fields.required("unshaded");
  fields.maybe("unshaded", [&](const Node& n) { out.unshaded = read_side(cx, n); });
  if (dual) fields.required("shaded");
  fields.maybe("shaded", [&](const Node& n) { out.shaded = read_side(cx, n); });
}

namespace {

EventDeckDef read_deck(Context& cx, const Node& node, UniqueIds& decks, UniqueIds& cards) {
  EventDeckDef out = read_record<EventDeckDef>(cx, node);
  const auto unique = [&](UniqueIds& ids, const Node& whole, const std::string& id) {
    const auto step = cx.step("id");
    if (const Node* written = whole.find("id")) ids.add(id, *written);
  };
  unique(decks, node, out.id);
  const auto list = cx.step("cards");
  for (std::size_t i = 0; i < out.cards.size(); ++i) {
    const auto item = cx.step(i);
    unique(cards, node.find("cards")->items[i], out.cards[i].id);
  }
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
