// The back half of the spec compiler: checks an expanded document and turns it into a GameDef.
// Checking and lowering are one pass per construct, so nothing can be lowered that was not checked.
#pragma once

#include <map>

#include "base/diagnostics.h"
#include "spec/document.h"
#include "spec/gamedef/gamedef.h"

namespace parlor::spec {

// `resolved` collects what words of the text notation turned out to mean, by where they stand.
// Every mistake that can be known without playing is added to the diagnostics. The GameDef is only
// meaningful when none of them is an error.
// After a failed expansion only part of the document is there; what may be missing because of that
// is not asked for.
enum class Completeness : std::uint8_t { whole, partial };
GameDef lower_document(GameSpecDoc& doc, Diagnostics& diagnostics,
                       Completeness completeness = Completeness::whole,
                       std::multimap<Place, Node>* resolved = nullptr);
// Only what the first of the document's modules says about itself.
ModuleInfo lower_module(GameSpecDoc& doc, Diagnostics& diagnostics);

}  // namespace parlor::spec
