// Token types from a piece catalog.
#pragma once

#include "spec/derive/select.h"

namespace parlor::spec {

// An authored `tokenTypes` section replaces what the catalog would give.
void derive_token_types(GameSpecDoc& doc, const Selection& selection);

// The props a new piece has: its runtime props, every status dimension with its default, and what
// `status` (may be absent) says.
Node piece_props(const Node& piece_type, const Node* status);

}  // namespace parlor::spec
