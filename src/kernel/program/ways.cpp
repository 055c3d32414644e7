#include "kernel/program/ways.h"

namespace parlor::kernel {

std::vector<ZoneId> zones_meant(const Program& p, NodeId node) {
  std::vector<ZoneId> all;
  for (const ZoneId z : p.zones.ids()) all.push_back(z);
  if (node.is_none()) return all;
  const Node& n = p.nodes[node];
  if (n.op == Ex::z_const) return {n.a};
  if (n.op == Ex::z_missing) return {};
  if (n.op == Ex::z_owned) return p.bases[n.a].zones;
  return all;
}

}  // namespace parlor::kernel
