// Event cards, card-driven turns and free operations: checked like everything else, kept as data.
#pragma once

#include "spec/lower/readers.h"

namespace parlor::spec::lower {

void check_card_driven(Context& cx, const Node& config);
void check_grant(Context& cx, const Node& grant);  // grantFreeOperation
void check_event_decks(Context& cx);

}  // namespace parlor::spec::lower
