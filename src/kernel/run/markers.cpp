// Statements that change markers, on zones and by themselves.
#include "kernel/run/machine.h"

namespace parlor::kernel {

namespace {

int find_state(const LatticeInfo& lattice, Value state) {
  return state.is_symbol() ? position_of(lattice.states, state.index()) : -1;
}

}  // namespace

// Which state a marker that is in state `now` comes to; -1: failed.
int Statements::new_marker_state(const Instr& i, const LatticeInfo& lattice, int now) {
  if (i.op == Op::set_marker || i.op == Op::set_global_marker) {
    const Value state = value(i.b);
    if (failed_) return -1;
    const int to = find_state(lattice, state);
    if (to < 0) no_such_state(i, lattice, state);
    return to;
  }
  std::int64_t delta = 0;
  if (!integer(i.b, delta)) return -1;
  const auto last = std::ssize(lattice.states) - 1;
  return std::clamp<std::int64_t>(now + delta, 0, last);
}

bool Statements::no_such_state(const Instr& i, const LatticeInfo& lattice, Value state) {
  fail(Code::RUN_MARKER, i.place, "the marker has no such state", value_of_text(lattice.id), state);
  return false;
}

// Of a zone; none: it stands by itself.
void Statements::tell_marker(ZoneId z, const LatticeInfo& lattice, int from, int to) {
  if (listener_ == nullptr || from == to) return;
  const int marker = !z.is_none() ? -1 : place_in(p_->global_lattices, lattice);
  Json data{{"marker", lattice.id},
            {"old", p_->text(lattice.states[from])},
            {"new", p_->text(lattice.states[to])}};
  if (!z.is_none()) data["space"] = p_->zones[z].id;
  report("markerChanged", std::move(data), ~std::uint32_t{0}, nullptr, {.marker = marker});
}

bool Statements::step_marker(const Instr& i) {
  if (i.op == Op::set_marker || i.op == Op::shift_marker) return do_zone_marker(i);
  if (i.op == Op::flip_global_marker) return do_flip_marker(i);
  const LatticeInfo& lattice = p_->global_lattices[i.x];
  const int now = memory_.global_marker(i.x);
  const int to = new_marker_state(i, lattice, now);
  if (to < 0) return false;
  memory_.write_global_marker(i.x, to);
  tell_marker(ZoneId::none(), lattice, now, to);
  return true;
}

bool Statements::do_zone_marker(const Instr& i) {
  const LatticeInfo& lattice = p_->lattices[i.x];
  const ZoneId z = zone(i.a);
  if (z.is_none()) return false;
  const int now = memory_.marker(z, i.x) < 0 ? lattice.initial : memory_.marker(z, i.x);
  const int to = new_marker_state(i, lattice, now);
  if (to < 0) return false;
  if (i.op == Op::shift_marker && to == now) return true;
  const Truth allowed = marker_state_ok(z, i.x, to);
  if (allowed == Truth::fault) return false;
  if (allowed == Truth::no) {
    if (i.op == Op::shift_marker) return true;
    fail(Code::RUN_MARKER, i.place, "a constraint forbids this state here", Value::zone(z),
         Value::symbol(lattice.states[to]));
    return false;
  }
  memory_.write_marker(z, i.x, to);
  tell_marker(z, lattice, now, to);
  return true;
}

bool Statements::do_flip_marker(const Instr& i) {
  const Value name = value(i.a), first = value(i.b), second = value(i.c);
  if (failed_) return false;
  for (std::size_t l = 0; l < p_->global_lattices.size(); ++l) {
    const LatticeInfo& lattice = p_->global_lattices[l];
    if (lattice.id != text_of(name)) continue;
    const int a = find_state(lattice, first), b = find_state(lattice, second);
    if (a < 0 || b < 0) return no_such_state(i, lattice, a < 0 ? first : second);
    const int now = memory_.global_marker(l);
    if (a == b || (now != a && now != b)) {
      fail(Code::RUN_MARKER, i.place, "the marker is in neither of two different states", first,
           second);
      return false;
    }
    memory_.write_global_marker(l, now == a ? b : a);
    tell_marker(ZoneId::none(), lattice, now, now == a ? b : a);
    return true;
  }
  fail(Code::RUN_NAME_UNKNOWN, i.place, "no marker has this name", name);
  return false;
}

}  // namespace parlor::kernel
