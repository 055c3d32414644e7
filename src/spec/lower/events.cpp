// Event cards: what their declaration (gamedef/card_driven.h) leaves to code.
#include "spec/lower/events.h"

#include <algorithm>
#include <fmt/core.h>
#include <tuple>

#include "spec/lower/construct.h"
#include "spec/lower/sections.h"

namespace parlor::spec::lower {

void read_key(Reading& r, const Node& node, const FieldInfo& field, TargetDef& out) {
  if (field.name == "n") {
    out.min = out.max = read_int(r.cx, node, "n", 0);
    return;
  }
  // While an `each` target's effects run, the name stands for one of the chosen; afterwards for
  // all.
  const Type& item = r.type("selector");
  const Type many = out.each ? Type{} : list_of(item);
  out.id = declare_binding(r.cx, node, out.max != 1 ? many : item);
}

void check(Reading& r, TargetDef& out) {
  const Node* min = r.said("min");
  if (min == nullptr || r.said("max") == nullptr || out.min <= out.max) return;
  const auto step = r.cx.step("cardinality.min");
  r.cx.error(Code::BOUNDS_REVERSED, *min,
             fmt::format("min {} is greater than max {}", out.min, out.max));
}

// All targets are chosen before anything happens to them.
void read_key(Reading& r, const Node& node, const FieldInfo& field, EventPart& out) {
  read_plainly(r, node, field, out.targets);
  for (std::size_t i = 0; i < out.targets.size(); ++i) {
    const Node* effects = node.items[i].find("effects");
    if (effects == nullptr || effects->is_null()) continue;
    const auto item = r.cx.step(i);
    const auto step = r.cx.step("effects");
    out.targets[i].effects = read_effects(r.cx, *effects);
  }
}

void check(Reading& r, EligibilityOverride& out) {
  std::vector<std::string> windows;  // that the card-driven turn order declares
  if (const Node* declared = find_in_turn_flow(r.cx, {"windows"}))
    for (const Node& window : declared->items)
      if (const auto id = window.find_string("id")) windows.emplace_back(*id);
  r.at("windowId", [&](const Node& n) {
    if (!out.window.empty() && std::ranges::find(windows, out.window) == windows.end())
      r.cx.unknown(Code::WORD_UNKNOWN, n, "window", out.window, windows);
  });
}

void check(Reading& r, EventCardDef&) {
  const std::string_view mode = r.text("sideMode");
  if (mode != "dual" && (!mode.empty() || r.given("shaded") == nullptr)) return;
  for (const std::string_view side : {"unshaded", "shaded"}) r.fields.required(side);
}

void lower_event_decks(Context& cx) {
  read_section(cx, Section::eventDecks);
  UniqueIds decks{cx, "event deck"};
  UniqueIds cards{cx, "event card"};
  std::size_t at = 0;
  each_of_section(cx, Section::eventDecks, [&](const Node& node) {
    EventDeckDef& deck = cx.game.event_decks[at++];
    if (const Node* id = node.find("id")) decks.add(deck.id, *id, "id");
    const auto list = cx.step("cards");
    for (std::size_t i = 0; i < deck.cards.size(); ++i) {
      const auto item = cx.step(i);
      if (const Node* id = node.find("cards")->items[i].find("id"))
        cards.add(deck.cards[i].id, *id, "id");
    }
    std::ranges::stable_sort(deck.cards, {}, [](const EventCardDef& card) {
      return std::tuple{!card.order.has_value(), card.order.value_or(0), std::string_view{card.id}};
    });
  });
  std::ranges::stable_sort(cx.game.event_decks, {}, &EventDeckDef::id);
}

}  // namespace parlor::spec::lower
