// Run-time tables: every list of flat objects in a data asset, with inferred types and keys and the
// contracts its author declares.
#pragma once

#include "spec/document.h"
#include "spec/report.h"

namespace parlor::spec {

void derive_tables(GameSpecDoc& doc, Report& report);
// `tableId: settings.blinds` in the rules becomes `<scenario>::settings.blinds`.
void resolve_table_references(GameSpecDoc& doc, Report& report);

}  // namespace parlor::spec
