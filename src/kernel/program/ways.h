// Where tokens can get to, as far as the code of a Program says.
#pragma once

#include <vector>

#include "kernel/program/program.h"

namespace parlor::kernel {

// The zones an expression may mean, as far as its shape says.
std::vector<ZoneId> zones_meant(const Program& p, NodeId node);

// Every way a token can take: from which zones to which.
template <class F>
void each_way(const Program& p, F&& f) {
  for (const Instr& i : p.code) {
    if (i.op == Op::move_token || i.op == Op::move_adjacent)
      f(zones_meant(p, i.b), zones_meant(p, i.c));
    if (i.op == Op::move_all || i.op == Op::draw) f(zones_meant(p, i.a), zones_meant(p, i.b));
    if (i.op == Op::remove_group)
      f(zones_meant(p, p.extra[i.b + 2]), zones_meant(p, p.extra[i.b + 1]));
    if (i.op == Op::create_token) f(std::vector<ZoneId>{}, zones_meant(p, i.a));
  }
  for (const ZoneId z : p.zones.ids())
    if (!p.zones[z].reshuffle_from.is_none())
      f(std::vector<ZoneId>{p.zones[z].reshuffle_from}, std::vector<ZoneId>{z});
}

}  // namespace parlor::kernel
