// Everything that is short for something else, written out: afterwards the document holds plain
// language only. The order is part of the language (what may appear inside what):
//   constants, profiles under their older name, generated pieces, marker and variable batches,
//   zone templates, phase templates, condition macros, effect macros, boards, built-in effects.
#pragma once

#include "spec/document.h"
#include "spec/front.h"
#include "spec/keys.h"

namespace parlor::spec {

void expand(GameSpecDoc& doc, const FrontOptions& options, Report& report);

}  // namespace parlor::spec
