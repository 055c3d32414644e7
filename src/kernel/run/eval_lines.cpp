// Directions, rays along them, and rows.
#include "kernel/run/machine.h"

namespace parlor::kernel {

bool Evaluator::each_direction(NodeId node, Visit visit) {
  const Node& n = p_->nodes[node];
  if (n.op == Ex::d_list) {
    for (const Value v : p_->lists[n.a])
      if (!visit(v)) return false;
    return true;
  }
  const Value v = value(n.a);
  if (failed_) return false;
  auto one = [&](Value name) {
    if (name.is_symbol() && name.payload() < std::ssize(p_->direction_of_symbol))
      if (const int d = p_->direction_of_symbol[name.payload()]; d >= 0)
        return visit(Value::integer(d));
    fail(Code::RUN_NAME_UNKNOWN, n.place, "no direction has this name", name);
    return false;
  };
  if (!v.is_list()) return one(v);
  for (std::size_t i = 0; i < list_size(v); ++i)
    if (!one(list_at(v, i))) return false;
  return true;
}

bool Evaluator::query_step(const Node& n, Visit visit) {
  const ZoneId z = zone(n.a);
  if (z.is_none()) return false;
  return each_direction(n.b, [&](Value direction) {
    const ZoneId to = p_->zones[z].steps[direction.payload()];
    return to.is_none() || visit(Value::zone(to));
  });
}

bool Evaluator::query_ray(const Node& n, Visit visit) {
  const Operand* e = &p_->extra[n.c];  // #while #until #max steps $zone
  const ZoneId start = zone(n.a);
  std::int64_t most = INT64_MAX;
  if (start.is_none() || (e[2] >= 0 && !integer(e[2], most))) return false;
  bool go_on = true;
  // Steps may lead into a circle that does not come back to the start: no ray is longer than the
  // board has zones.
  most = std::min<std::int64_t>(most, p_->zone_count);
  // A planned condition is a set, computed once.
  std::uint64_t passable[most_words];
  const bool planned = e[0] >= 0 && p_->nodes[e[0]].op == Ex::in_set;
  if (planned && !zone_bits(p_->nodes[e[0]].a, passable)) return false;
  auto along = [&](Value direction) {
    ZoneId z = start;
    for (std::int64_t steps = 0; steps < most; ++steps) {
      z = p_->zones[z].steps[direction.payload()];
      if (z.is_none() || z == start) return true;
      if (e[0] >= 0) {
        slot(e[3]) = Value::zone(z);
        Truth holds = planned ? (has_zone(passable, z) ? Truth::yes : Truth::no) : test(e[0]);
        const bool stops = holds == Truth::no;
        if (stops && e[1] >= 0) holds = test(e[1]);
        if (holds == Truth::fault) return go_on = false;
        if (holds == Truth::yes && !(go_on = visit(Value::zone(z)))) return false;
        if (stops) return true;
      } else if (!(go_on = visit(Value::zone(z)))) {
        return false;
      }
    }
    return true;
  };
  each_direction(n.b, along);
  if (e[3] >= 0) slot(e[3]) = {};
  return go_on && !failed_;
}

// At least `length` zones in a row. A row follows a direction; its opposite sees the same rows.
Truth Evaluator::line_of(const Node& n) {
  std::int64_t length = 0;
  if (!integer(n.a, length)) return Truth::fault;
  const ZoneId through = n.d >= 0 ? zone(n.d) : ZoneId::none();
  const std::size_t zones = p_->zones.size();
  if (failed_ || !spend(zones, n.place)) return Truth::fault;
  const std::size_t mark = work_.size();  // what is known about each zone: -1 nothing yet
  work_.resize(mark + zones, -1);
  auto holds = [&](ZoneId z) {
    int known = work_[mark + z.index()];
    if (known < 0) {
      slot(SlotId(n.x)) = Value::zone(z);
      known = test(n.b) == Truth::yes ? 1 : 0;
      work_[mark + z.index()] = known;
    }
    return known == 1;
  };
  bool found = false;
  auto along = [&](Value direction) {
    const std::size_t d = direction.payload();
    const int back = p_->opposite[d];
    if (!through.is_none()) {
      // Circles end where they began, or after as many steps as there are zones.
      std::int64_t run = holds(through) ? 1 : 0;
      auto follow = [&](std::size_t way) {
        int left = p_->zone_count;
        for (ZoneId z = p_->zones[through].steps[way];
             run > 0 && !z.is_none() && z != through && left-- > 0 && holds(z);
             z = p_->zones[z].steps[way])
          ++run;
      };
      follow(d);
      if (back >= 0) follow(back);
      found = run >= length && length > 0;
    } else {
      for (const ZoneId start : p_->zones.ids()) {
        if (found || failed_) break;
        if (p_->zones[start].kind != spec::ZoneKind::board) continue;
        std::int64_t run = 0;
        ZoneId z = start;
        for (; !z.is_none() && run < length && run < p_->zone_count && holds(z);
             z = p_->zones[z].steps[d])
          ++run;
        // A row of all zones that still goes on is a circle, and as long as one likes.
        found = run >= length || (run == p_->zone_count && !z.is_none());
      }
    }
    return !found && !failed_;
  };
  each_direction(n.c, along);
  slot(SlotId(n.x)) = {};
  work_.resize(mark);
  return failed_ ? Truth::fault : found ? Truth::yes : Truth::no;
}

}  // namespace parlor::kernel
