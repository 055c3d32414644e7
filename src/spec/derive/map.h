// What a map asset gives: board zones, a variable per track, marker lattices and stacking rules.
#pragma once

#include "spec/derive/select.h"

namespace parlor::spec {

void derive_map(GameSpecDoc& doc, const Selection& selection, Report& report);

}  // namespace parlor::spec
