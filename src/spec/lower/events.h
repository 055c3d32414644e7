// Card-driven turn order, event decks and free operations.
#pragma once

#include <initializer_list>

#include "spec/lower/readers.h"

namespace parlor::spec::lower {

CardDrivenDef read_card_driven(Context& cx, const Node& config);
GrantDef read_grant(Context& cx, const Node& grant);  // grantFreeOperation
// The grants of an event are worked off in order, so each says where it stands; they do not see
// what the event binds.
GrantDef read_event_grant(Context& cx, const Node& grant);
// What a grant asks of the move to come, whose bindings are not known here.
Condition read_filter_of_move_to_come(Context& cx, const Node& node);
void lower_event_decks(Context& cx);

// The node under these keys of the card-driven order's `turnFlow`, if it has one: for sections that
// are read before the turn order.
const Node* find_in_turn_flow(const Context& cx, std::initializer_list<std::string_view> keys);

// Reads every element of a list with `read(cx, item)`.
template <class Item>
std::vector<Item> read_list(Context& cx, const Node& node, std::string_view what,
                            Item (*read)(Context&, const Node&)) {
  std::vector<Item> out;
  each_item(cx, node, what, [&](const Node& item) { out.push_back(read(cx, item)); });
  return out;
}

}  // namespace parlor::spec::lower
