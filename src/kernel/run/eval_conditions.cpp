// Conditions: yes, no, or a fault.
#include "kernel/run/machine.h"
#include "kernel/run/zone_numbers.h"

namespace parlor::kernel {

// The zones that have the attribute's value, the only ones a query asks for; false: the value
// cannot be found out, and zones are asked one by one (which is a fault only if one is asked).
bool Evaluator::keyed_zones(const ZoneKey& key, KeyedZones& out) {
  const Value v = value(key.value);
  if (failed_) {
    clear_fault();
    return false;
  }
  if (!v.is_int() && !v.is_bool() && !v.is_symbol()) return false;
  const auto& index = p_->zones_by_attribute[key.attribute];
  const auto first =
      std::lower_bound(index.begin(), index.end(), std::pair{v.bits, ZoneId::none()});
  auto last = first;
  while (last != index.end() && last->first == v.bits) ++last;
  out = {first, last};
  return true;
}

// Whether some zone of a constant set satisfies a condition that only zones with a certain
// attribute can.
Truth Evaluator::any_of_zones(const Node& n) {
  KeyedZones zones;
  if (!keyed_zones(p_->zone_keys[p_->nodes.id_of(n)], zones)) return quantified(n);
  const Node& from = p_->nodes[n.a];
  const std::uint64_t* set = p_->words_of(p_->nodes[from.a].a);
  Truth found = Truth::no;
  for (const auto& [bits, z] : zones) {
    if (!has_zone(set, z)) continue;
    slot(n.b) = Value::zone(z);
    found = test(n.c);
    if (found != Truth::no) break;
  }
  slot(n.b) = {};
  return found;
}

template <class F>
Value Evaluator::remembered(const Memo& memo, F&& compute) {
  Value keys[2];
  Remembered& known = memo_of(memo, keys);
  if (known.stamp == stamp() && known.number == memo.number && known.keys[0] == keys[0] &&
      known.keys[1] == keys[1])
    return known.result;
  const Value result = compute();
  if (failed_) return result;
  for (const Value v : {keys[0], keys[1], result})
    if (v.is_list() || v.tag() == Tag::text) return result;  // they are more than their handles
  known = {stamp(), memo.number, {keys[0], keys[1]}, result};
  return result;
}

Truth Evaluator::remembered_truth(const Node& n) {
  const Value v = remembered(p_->memos[n.d], [&] {
    const Truth t = compute_truth(n);
    return t == Truth::fault ? Value{} : Value::boolean(t == Truth::yes);
  });
  return failed_ ? Truth::fault : v.payload() != 0 ? Truth::yes : Truth::no;
}

Value Evaluator::remembered_value(const Node& n) {
  return remembered(p_->memos[n.d], [&] {
    return n.op == Ex::fold ? fold(n) : n.op == Ex::count ? count(n) : printed_value(n);
  });
}

// Conditions that may have a memo, without it.
Truth Evaluator::compute_truth(const Node& n) {
  switch (n.op) {
    case Ex::all_of:
      for (int i = 0; i < n.b; ++i)
        if (const Truth t = test(p_->extra[n.a + i]); t != Truth::yes) return t;
      return Truth::yes;
    case Ex::any_of:
      for (int i = 0; i < n.b; ++i)
        if (const Truth t = test(p_->extra[n.a + i]); t != Truth::no) return t;
      return Truth::no;
    case Ex::any_bit:
      return any_bit(n.a);
    case Ex::no_bit: {
      const Truth any = any_bit(n.a);
      return any == Truth::fault ? any : any == Truth::yes ? Truth::no : Truth::yes;
    }
    case Ex::printed_truth:
      return printed_truth(n);
    default:
      return p_->zone_keys[p_->nodes.id_of(n)].attribute >= 0 ? any_of_zones(n) : quantified(n);
  }
}

Truth Evaluator::quantified(const Node& n) {
  const bool wanted = n.op == Ex::exists;
  if (const Node& from = p_->nodes[n.a];
      from.op == Ex::q_bits && n.b >= 0 && n.c >= 0 && reads_ == nullptr)
    if (const auto* known = zones_by_numbers(*this, n.c, n.b)) {
      std::uint64_t set[most_words];
      if (!zone_bits(from.a, set)) return Truth::fault;
      std::uint64_t open = 0, found = 0;
      for (std::size_t w = 0; w < p_->words; ++w) {
        open |= set[w] & ~known->answered[w];
        found |= set[w] & (wanted ? known->holds[w] : ~known->holds[w]);
      }
      if (open == 0 && spend(1, from.place)) return (found != 0) == wanted ? Truth::yes : Truth::no;
      if (failed_) return Truth::fault;
    }
  bool found = false;
  each(n.a, [&](Value item) {
    if (n.b >= 0) slot(n.b) = item;
    const Truth t = n.c < 0 ? Truth::yes : test(n.c);
    if (t == Truth::fault) return false;
    found = (t == Truth::yes) == wanted;
    return !found;
  });
  if (n.b >= 0) slot(n.b) = {};
  if (failed_) return Truth::fault;
  return found == wanted ? Truth::yes : Truth::no;
}

Truth Evaluator::in_set(const Node& n) {
  const auto where = slot(n.d).payload();
  if (const Node& set = p_->nodes[n.a]; set.op == Ex::b_words) {
    const std::uint64_t word = p_->set_words[set.a * p_->words + (where >> 6)];
    return ((word >> (where & 63)) & 1) != 0 ? Truth::yes : Truth::no;
  }
  std::uint64_t words[most_words];
  if (!zone_bits(n.a, words)) return Truth::fault;
  return ((words[where >> 6] >> (where & 63)) & 1) != 0 ? Truth::yes : Truth::no;
}

Truth Evaluator::test(NodeId node) {
  const Node& n = p_->nodes[node];
  switch (n.op) {
    case Ex::yes:
      return Truth::yes;
    case Ex::no:
      return Truth::no;
    case Ex::all_of:
      if (n.d >= 0) return remembered_truth(n);
      if (n.c >= 0)
        if (const Value v = play_scalar(n.c); !v.is_none()) return played(v);
      for (int i = 0; i < n.b; ++i)
        if (const Truth t = test(p_->extra[n.a + i]); t != Truth::yes) return t;
      return Truth::yes;
    case Ex::any_of:
      if (n.d >= 0) return remembered_truth(n);
      if (n.c >= 0)
        if (const Value v = play_scalar(n.c); !v.is_none()) return played(v);
      for (int i = 0; i < n.b; ++i)
        if (const Truth t = test(p_->extra[n.a + i]); t != Truth::no) return t;
      return Truth::no;
    case Ex::not_of: {
      if (n.c >= 0)
        if (const Value v = play_scalar(n.c); !v.is_none()) return played(v);
      const Truth t = test(n.a);
      return t == Truth::fault ? t : t == Truth::yes ? Truth::no : Truth::yes;
    }
    case Ex::equal:
    case Ex::not_equal:
    case Ex::less:
    case Ex::less_equal:
    case Ex::greater:
    case Ex::greater_equal:
      return compare(n);
    case Ex::any_bit:
      return n.d >= 0 ? remembered_truth(n) : any_bit(n.a);
    case Ex::zone_in:
      return zone_in(n);
    case Ex::any_connected:
      return any_connected(n);
    case Ex::no_bit:
      return n.d >= 0 ? remembered_truth(n) : compute_truth(n);
    case Ex::in_set:
      return in_set(n);
    case Ex::line_bits:
      return line_bits(n);
    case Ex::exists:
    case Ex::for_all:
    case Ex::printed_truth:
      return n.d >= 0 ? remembered_truth(n) : compute_truth(n);
    default:
      return test_rare(n);
  }
}

// What an operand that has no value makes of its comparison: an attribute that the zone lacks makes
// it false, as a property that a token lacks does in a filter; anything else is a fault.
Truth Evaluator::without(NodeId operand) {
  const Ex op = p_->nodes[operand].op;
  if (fault_.code != Code::RUN_PROPERTY_MISSING ||
      (op != Ex::zone_attribute && op != Ex::zone_category))
    return Truth::fault;
  clear_fault();
  return Truth::no;
}

Truth Evaluator::compare(const Node& n) {
  if (n.c >= 0)
    if (const Value v = play_scalar(n.c); !v.is_none()) return played(v);
  const Value left = value(n.a);
  if (left.is_none()) return without(n.a);
  const Value right = value(n.b);
  if (right.is_none()) return without(n.b);
  bool holds = false;
  if (n.op == Ex::equal || n.op == Ex::not_equal) {
    holds = equal_values(left, right) == (n.op == Ex::equal);
    return holds ? Truth::yes : Truth::no;
  }
  if (!left.is_int() || !right.is_int()) {
    fail(Code::RUN_TYPE, n.place, "only numbers can be compared by size", left, right);
    return Truth::fault;
  }
  const std::int64_t a = left.payload(), b = right.payload();
  switch (n.op) {
    case Ex::less:
      holds = a < b;
      break;
    case Ex::less_equal:
      holds = a <= b;
      break;
    case Ex::greater:
      holds = a > b;
      break;
    default:
      holds = a >= b;
      break;
  }
  return holds ? Truth::yes : Truth::no;
}

Truth Evaluator::in_list(const Node& n) {
  const Value item = value(n.a);
  if (failed_) return without(n.a);
  const Value set = value(n.b);
  if (failed_ && n.x == 1 && fault_.code == Code::RUN_BINDING_MISSING) {
    clear_fault();
    return Truth::no;
  }
  if (failed_) return Truth::fault;
  if (!set.is_list()) {
    fail(Code::RUN_TYPE, n.place, "`in` needs a list", set);
    return Truth::fault;
  }
  if (!spend(list_size(set) / 8, n.place)) return Truth::fault;
  for (std::size_t i = 0; i < list_size(set); ++i) {
    const Value entry = list_at(set, i);
    if (equal_values(entry, item)) return Truth::yes;
    const bool both_text = !entry.is_int() && !entry.is_bool() && !item.is_int() && !item.is_bool();
    if (entry.tag() != item.tag() && !both_text) {
      fail(Code::RUN_TYPE, n.place, "`in` compares values of one type", item, entry);
      return Truth::fault;
    }
  }
  return Truth::no;
}

Truth Evaluator::zone_includes(const Node& n) {
  const ZoneId z = zone(n.a);
  if (z.is_none()) return Truth::fault;
  const Value wanted = value(n.c);
  if (failed_) return Truth::fault;
  const Value list =
      n.b < 0 ? Value{} : p_->zone_attributes[z.index() * p_->attributes.size() + n.b];
  if (!list.is_list()) {
    fail(list.is_none() ? Code::RUN_PROPERTY_MISSING : Code::RUN_TYPE, n.place,
         "zonePropIncludes needs a list attribute", Value::zone(z));
    return Truth::fault;
  }
  for (std::size_t i = 0; i < list_size(list); ++i)
    if (equal_values(list_at(list, i), wanted)) return Truth::yes;
  return Truth::no;
}

Truth Evaluator::marker_allowed(const Node& n) {
  const ZoneId z = zone(n.a);
  const Value state = z.is_none() ? Value{} : value(n.c);
  if (failed_) return Truth::fault;
  const auto& states = p_->lattices[n.b].states;
  const int wanted = state.is_symbol() ? position_of(states, state.index()) : -1;
  return wanted < 0 ? Truth::no : marker_state_ok(z, n.b, wanted);
}

Truth Evaluator::shift_allowed(const Node& n) {
  const ZoneId z = zone(n.a);
  std::int64_t delta = 0;
  if (z.is_none() || !integer(n.c, delta)) return Truth::fault;
  const LatticeInfo& lattice = p_->lattices[n.b];
  const int now = memory_.marker(z, n.b) < 0 ? lattice.initial : memory_.marker(z, n.b);
  const auto last = std::ssize(lattice.states) - 1;
  const int to = std::clamp<std::int64_t>(now + delta, 0, last);
  return to == now ? Truth::no : marker_state_ok(z, n.b, to);
}

Truth Evaluator::test_rare(const Node& n) {
  auto truth = [&](bool b) { return failed_ ? Truth::fault : b ? Truth::yes : Truth::no; };
  switch (n.op) {
    case Ex::carries_activity:
      return truth(move_.grant == 0 &&
                   move_.action_class == ActionClass::operation_plus_special_activity &&
                   frames_.size() == 1);
    case Ex::in_list:
      return in_list(n);
    case Ex::adjacent: {
      const ZoneId left = zone(n.a);
      const ZoneId right = left.is_none() ? ZoneId::none() : zone(n.b);
      if (right.is_none()) return Truth::fault;
      const auto& around = p_->zones[left].neighbours;
      return truth(std::binary_search(around.begin(), around.end(), right));
    }
    case Ex::connected:
      return connected(n);
    case Ex::zone_includes:
      return zone_includes(n);
    case Ex::marker_allowed:
      return marker_allowed(n);
    case Ex::shift_allowed:
      return shift_allowed(n);
    case Ex::line_of:
      return line_of(n);
    case Ex::named: {
      if (!open_name(n)) return Truth::fault;
      const Truth t = test(n.c);
      templates_.pop_back();
      return t;
    }
    default: {  // a value used as a condition
      const Value v = value(p_->nodes.id_of(n));
      if (failed_) return Truth::fault;
      if (!v.is_bool()) fail(Code::RUN_TYPE, n.place, "a condition needs true or false", v);
      return truth(v.payload() != 0);
    }
  }
}

Truth Evaluator::marker_state_ok(ZoneId z, int lattice_index, int state) {
  const LatticeInfo& lattice = p_->lattices[lattice_index];
  if (lattice.constraints.empty()) return Truth::yes;
  if (marker_questions_ == most_marker_questions) {
    fail(Code::RUN_BUDGET, 0, "constraints of markers ask one another without end",
         value_of_text(lattice.id));
    return Truth::fault;
  }
  Scratch scratch(*this, lattice.unit, active_, actor_);
  slot(SlotId(0)) = Value::zone(z);
  ++marker_questions_;
  Truth allowed = Truth::yes;
  for (const auto& constraint : lattice.constraints) {
    const Truth when = test(constraint.when);
    if (when == Truth::fault)
      allowed = Truth::fault;
    else if (when == Truth::yes &&
             std::ranges::find(constraint.allowed, state) == constraint.allowed.end())
      allowed = Truth::no;
    if (allowed != Truth::yes) break;
  }
  --marker_questions_;
  return allowed;
}

// A condition that needs a choice not yet made is undecided (K-12): it will be asked again when the
// choice is made, and until then it does not say no.
bool Evaluator::undecided_binding() {
  if (fault_.code != Code::RUN_BINDING_MISSING) return false;
  clear_fault();
  return true;
}

}  // namespace parlor::kernel
