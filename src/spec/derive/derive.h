// What follows from a game's data assets: seats, zones and tracks from the map, token types from
// the piece catalog, setup from the scenario, tables to read at run time.
#pragma once

#include "spec/document.h"
#include "spec/front.h"
#include "spec/report.h"

namespace parlor::spec {

void derive(GameSpecDoc& doc, const FrontLimits& limits, Report& report);

}  // namespace parlor::spec
