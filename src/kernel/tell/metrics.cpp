#include "kernel/tell/metrics.h"

#include <algorithm>

namespace parlor::kernel {
namespace {

// Values are worked out as whoever is active would.
Machine::Scratch shown_scratch(Machine& machine) {
  return {machine, machine.program().shown_unit, machine.header().active, machine.header().active};
}

bool open_to(Machine& machine, const Eyes& eyes, NodeId value) {
  return eyes.see_all() || !machine.program().secrets.any || !machine.hidden_from_asker(value);
}

}  // namespace

Json metrics_json(Machine& machine, const Eyes& eyes) {
  const Program& p = machine.program();
  const Machine::Scratch scratch = shown_scratch(machine);
  Json out = Json::object();
  for (std::size_t i = 0; i < p.metrics.size(); ++i) {
    const MetricInfo& metric = p.metrics[i];
    std::int64_t number = 0;
    if (!eyes.see_metric(i, open_to(machine, eyes, metric.value))) continue;
    out[metric.id] = machine.integer(metric.value, number) ? Json(number) : Json();
    machine.clear_fault();  // what cannot be told is not told
  }
  return out;
}

Json standings_json(Machine& machine, const Eyes& eyes) {
  const Program& p = machine.program();
  const Machine::Scratch scratch = shown_scratch(machine);
  const bool open = std::ranges::all_of(p.standings, [&](const StandingInfo& standing) {
    return open_to(machine, eyes, standing.value);
  });
  if (!eyes.see_standings(open)) return {};
  struct Line {
    std::int64_t margin, score;
    std::ptrdiff_t rank;
    const StandingInfo* standing;
  };
  const auto& order = p.def.standings.tie_break_order;
  std::vector<Line> lines;
  for (const StandingInfo& standing : p.standings) {
    std::int64_t score = 0;
    if (!machine.integer(standing.value, score)) return machine.clear_fault(), Json();
    const auto rank = std::ranges::find(order, standing.seat) - order.begin();
    lines.push_back({score - standing.threshold, score, rank, &standing});
  }
  std::ranges::sort(lines, [](const Line& a, const Line& b) {
    return std::tie(b.margin, a.rank, a.standing->seat) <
           std::tie(a.margin, b.rank, b.standing->seat);
  });
  Json out = Json::array();
  for (const Line& line : lines)
    out.push_back({{"seat", line.standing->seat},
                   {"score", line.score},
                   {"threshold", line.standing->threshold},
                   {"margin", line.margin}});
  return out;
}

}  // namespace parlor::kernel
