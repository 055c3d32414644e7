// Derived metrics and victory standings (section 22 of the language): numbers about the map that
// people and bots want to see and that no rule reads.
#pragma once

#include "kernel/know/observers.h"

namespace parlor::kernel {

// A sum over zones: of their weight times 2 or 1 by a marker's state, or of the weight of those
// that one side controls.
struct Tally {
  std::vector<std::pair<int, std::int64_t>> zones;  // zone, weight
  int lattice = -1;                                 // -1: by control
  int twice = -1, once = -1, unset = -1;            // states of the marker
  int seat_prop = -1;
  std::vector<Value> mine, theirs;
  bool against_all = false;      // more than all other tokens, not only more than `theirs`
  std::vector<bool> blocked_by;  // token types; empty: none
};
struct Metric {
  std::string id;
  Tally tally;
  bool open = true;  // reads only what everybody sees
};
struct Standing {
  std::string seat;
  int player = -1;
  std::int64_t threshold = 0;
  Tally tally;
  // Added to it: tokens of these types (empty: any) and this seat (none: any) in these zones, or a
  // variable.
  std::vector<int> zones;
  std::vector<bool> types;
  Value owner;
  int seat_prop = -1;
  int var = -1;
};
struct Metrics {
  std::vector<Metric> metrics;
  std::vector<Standing> standings;
  std::vector<std::string> tie_break;
};

// What the game's sections `derivedMetrics` and `victoryStandings` say; mistakes are diagnostics.
Metrics link_metrics(const Program& program, Diagnostics& diagnostics);

std::int64_t evaluate(const Memory& memory, const Tally& tally);
std::int64_t score_of(const Memory& memory, const Standing& standing);
// {id: number} of those the viewer may know.
Json metrics_json(const Memory& memory, const Metrics& metrics, const Eyes& eyes);
// [{"seat", "score", "threshold", "margin"}], the leader first.
Json standings_json(const Memory& memory, const Metrics& metrics);

}  // namespace parlor::kernel
