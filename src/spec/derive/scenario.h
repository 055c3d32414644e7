// Setup from a scenario: initial values, placed pieces, pools and the composed event deck.
#pragma once

#include "spec/derive/select.h"
#include "spec/front.h"

namespace parlor::spec {

void derive_scenario(GameSpecDoc& doc, const Selection& selection, const FrontLimits& limits,
                     Report& report);

// The event deck a scenario composes, and its card placements: synthetic zones (appended to
// `zones`), a card token type if the game has none, and effects appended to `effects`.
void derive_scenario_deck(GameSpecDoc& doc, const Selection& selection, std::vector<Node>& effects,
                          Report& report);

// ---- building effects that all stand where an entry of the asset stands

struct EffectBuilder {
  Origin origin;

  Node text(std::string_view value) const { return Node::of_string(std::string{value}, origin); }
  Node number(std::int64_t value) const { return Node::of_integer(value, origin); }
  Node map(std::vector<std::pair<std::string_view, Node>> entries) const;
  Node effect(std::string_view name, std::vector<std::pair<std::string_view, Node>> entries) const;
};

}  // namespace parlor::spec
