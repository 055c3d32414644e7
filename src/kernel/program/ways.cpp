#include "kernel/program/ways.h"

#include <numeric>

namespace parlor::kernel {

std::vector<int> zones_meant(const Program& p, NodeId node) {
  std::vector<int> all(p.zones.size());
  std::iota(all.begin(), all.end(), 0);
  if (node.is_none()) return all;
  const Node& n = p.nodes[node];
  if (n.op == Ex::z_const) return {n.a};
  if (n.op == Ex::z_missing) return {};
  if (n.op == Ex::z_owned) return p.bases[n.a].zones;
  return all;
}

}  // namespace parlor::kernel
