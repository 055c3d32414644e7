// Offers: a face-up row that players take cards from into their hands and play (M-40 to M-43). The
// kernel knows nothing about them: an offer is written out into zones, a token type, variables,
// setup, actions, and validate hooks with the OFFER_… codes.
#pragma once

#include "spec/expand/walk.h"

namespace parlor::spec {

void expand_offers(Expander& expander);

}  // namespace parlor::spec
