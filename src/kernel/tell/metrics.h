// Derived metrics and victory standings (section 22 of the language): numbers that people and bots
// want to see and that no rule reads.
#pragma once

#include "kernel/know/observers.h"
#include "kernel/run/machine.h"

namespace parlor::kernel {

// {id: number} of those the viewer may know. The machine's asker is that viewer.
Json metrics_json(Machine& machine, const Eyes& eyes);
// [{"seat", "score", "threshold", "margin"}], the leader first; nothing unless the viewer may know
// all of them.
Json standings_json(Machine& machine, const Eyes& eyes);

}  // namespace parlor::kernel
