// The short forms that write several declarations at once: generated pieces, batches of markers,
// zones and variables, zones per seat, phases from templates, and profiles under their older name.
#pragma once

#include "spec/expand/walk.h"

namespace parlor::spec {

void expand_generated_pieces(Expander& expander);
void expand_id_batches(Expander& expander);
void expand_variable_batches(Expander& expander);
void expand_zone_templates(Expander& expander);
void expand_phase_templates(Expander& expander);
void expand_operation_profiles(Expander& expander);

}  // namespace parlor::spec
