#include "spec/derive/derive.h"

#include "spec/derive/map.h"
#include "spec/derive/pieces.h"
#include "spec/derive/scenario.h"
#include "spec/derive/schema.h"
#include "spec/derive/select.h"
#include "spec/derive/tables.h"

namespace parlor::spec {

void derive(GameSpecDoc& doc, const FrontLimits& limits, Report& report) {
  check_assets(doc, report);
  const Selection selection = select_assets(doc, &report);
  doc.derived.scenario_id = selection.scenario.id;
  doc.derived.map_id = selection.map.id;
  doc.derived.piece_catalog_id = selection.pieces.id;
  doc.derived.seat_catalog_id = selection.seats.id;
  doc.derived.seats = seat_ids(selection);
  // The rest relies on assets being of their form.
  if (report.errors() > 0) return;
  derive_map(doc, selection, report);
  derive_token_types(doc, selection);
  derive_scenario(doc, selection, limits, report);
  derive_tables(doc, report);
  resolve_table_references(doc, report);
}

}  // namespace parlor::spec
