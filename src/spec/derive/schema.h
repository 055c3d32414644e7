// Data assets have fixed forms, which are declared like everything else (gamedef/written.cpp):
// which keys a record has, which are required and what they hold. Unknown keys are errors.
#pragma once

#include <string>
#include <string_view>

#include "spec/document.h"
#include "spec/gamedef/language.h"
#include "spec/keys.h"

namespace parlor::spec {

// True when a mapping is of its form; otherwise everything that is wrong has been reported.
bool check_record(const Node& node, const Construct& record, std::string_view what,
                  const std::string& path, Report& report);

// Every asset: {id, kind, payload}, unique ids, and the payload's own form for the fixed kinds.
void check_assets(const GameSpecDoc& doc, Report& report);

}  // namespace parlor::spec
