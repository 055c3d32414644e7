// Card-driven turn order, event decks and free operations.
#pragma once

#include <initializer_list>

#include "spec/lower/readers.h"

namespace parlor::spec::lower {

GrantDef read_grant(Context& cx, const Node& grant);  // grantFreeOperation
// The grants of an event are worked off in order, so each says where it stands.
GrantDef read_event_grant(Context& cx, const Node& grant);
// What a grant asks of the move to come, whose bindings are not known here.
Condition read_filter_of_move_to_come(Context& cx, const Node& node);
void lower_event_decks(Context& cx);

// The node under these keys of the card-driven order's `turnFlow`, if it has one: for sections that
// are read before the turn order.
const Node* find_in_turn_flow(const Context& cx, std::initializer_list<std::string_view> keys);

}  // namespace parlor::spec::lower
