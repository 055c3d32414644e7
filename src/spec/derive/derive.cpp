#include "spec/derive/derive.h"

#include "spec/derive/select.h"

namespace parlor::spec {

void derive(GameSpecDoc& doc, const FrontLimits&, Report& report) {
  const Selection selection = select_assets(doc, &report);
  doc.derived.scenario_id = selection.scenario.id;
  doc.derived.map_id = selection.map.id;
  doc.derived.piece_catalog_id = selection.pieces.id;
  doc.derived.seat_catalog_id = selection.seats.id;
  doc.derived.seats = seat_ids(selection);
}

}  // namespace parlor::spec
