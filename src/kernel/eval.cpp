// Values and conditions.
#include <fmt/format.h>

#include "kernel/machine.h"

namespace parlor::kernel {

Value Machine::fail(Code code, std::uint32_t place, const char* what, Value first, Value second) {
  if (!failed_) fault_ = Fault{code, place, what, first, second};
  failed_ = true;
  return {};
}

bool Machine::integer(int node, std::int64_t& out) {
  const Value v = value(node);
  if (!v.is_int()) {
    fail(Code::RUN_TYPE, p_->nodes[node].place, "a number is needed here", v);
    return false;
  }
  out = v.payload();
  return true;
}

Value Machine::value(int node) {
  const Node& n = p_->nodes[node];
  switch (n.op) {
    case Ex::constant:
      return p_->constants[n.a];
    case Ex::slot: {
      const Value v = slot(n.a);
      return v.is_none() ? fail(Code::RUN_BINDING_MISSING, n.place, "the binding has no value yet")
                         : v;
    }
    case Ex::gvar: {
      const std::int64_t v = memory_.gvar(n.a);
      return p_->gvars[n.a].boolean ? Value::boolean(v != 0) : Value::integer(v);
    }
    case Ex::pvar: {
      const int who = player(n.b);
      if (who < 0) return {};
      const std::int64_t v = memory_.pvar(who, n.a);
      return p_->pvars[n.a].boolean ? Value::boolean(v != 0) : Value::integer(v);
    }
    case Ex::zvar: {
      const int z = zone(n.b);
      return z < 0 ? Value{} : Value::integer(memory_.zvar(z, n.a));
    }
    case Ex::zone_count: {
      const int z = zone(n.a);
      return z < 0 ? Value{} : Value::integer(memory_.zone(z).count);
    }
    case Ex::token_prop: {
      const int t = token(n.a);
      if (t < 0) return {};
      const Value v = memory_.prop(t, n.b);
      return v.is_none() ? fail(Code::RUN_PROPERTY_MISSING, n.place,
                                "the token lacks this property", Value::token(t))
                         : v;
    }
    case Ex::active_player:
      return Value::integer(active_);
    case Ex::count: {
      std::int64_t count = 0;
      each(n.a, [&](Value) { return ++count, true; });
      return failed_ ? Value{} : Value::integer(count);
    }
    case Ex::count_bits:
      return count_bits(n.a);
    case Ex::add:
    case Ex::subtract:
    case Ex::multiply:
    case Ex::divide:
    case Ex::floor_div:
    case Ex::ceil_div:
    case Ex::modulo:
    case Ex::minimum:
    case Ex::maximum:
      return arithmetic(n);
    case Ex::fold:
      return fold(n);
    case Ex::if_value: {
      const Truth when = test(n.a);
      if (when == Truth::fault) return {};
      return value(when == Truth::yes ? n.b : n.c);
    }
    default:
      return value_rare(n);
  }
}

Value Machine::arithmetic(const Node& n) {
  std::int64_t left = 0, right = 0;
  if (!integer(n.a, left) || !integer(n.b, right)) return {};
  std::int64_t out = 0;
  bool overflow = false;
  auto divisor_ok = [&] {
    if (right == 0) fail(Code::RUN_DIVISION_BY_ZERO, n.place, "division by zero");
    return right != 0;
  };
  switch (n.op) {
    case Ex::add:
      out = left + right;
      break;
    case Ex::subtract:
      out = left - right;
      break;
    case Ex::multiply:
      overflow = __builtin_mul_overflow(left, right, &out);
      break;
    case Ex::divide:
      if (!divisor_ok()) return {};
      out = left / right;
      break;
    case Ex::floor_div:
      if (!divisor_ok()) return {};
      out = left / right - (left % right != 0 && (left < 0) != (right < 0) ? 1 : 0);
      break;
    case Ex::ceil_div:
      if (!divisor_ok()) return {};
      out = left / right + (left % right != 0 && (left < 0) == (right < 0) ? 1 : 0);
      break;
    case Ex::modulo:
      if (!divisor_ok()) return {};
      out = left % right;
      if (out != 0 && (out < 0) != (right < 0)) out += right;
      break;
    case Ex::minimum:
      out = std::min(left, right);
      break;
    default:
      out = std::max(left, right);
      break;
  }
  if (overflow || out > max_int || out < -max_int)
    return fail(Code::RUN_TYPE, n.place, "the result is too large for a number",
                Value::integer(left), Value::integer(right));
  return Value::integer(out);
}

Value Machine::fold(const Node& n) {
  std::int64_t result = 0;
  bool first = true;
  each(n.a, [&](Value item) {
    slot(n.b) = item;
    std::int64_t v = 0;
    if (!integer(n.c, v)) return false;
    if (n.x == 1) result += v;
    if (n.x == 2) result = first ? v : std::min(result, v);
    if (n.x == 3) result = first ? v : std::max(result, v);
    first = false;
    return true;
  });
  slot(n.b) = {};
  return failed_ ? Value{} : Value::integer(result);
}

namespace {
// Text put together piece by piece; only a long one is allocated.
class Joined {
 public:
  void add(std::string_view piece) {
    if (long_.empty() && size_ + piece.size() <= sizeof short_) {
      std::copy(piece.begin(), piece.end(), short_ + size_);
      size_ += piece.size();
      return;
    }
    if (long_.empty()) long_.assign(short_, size_);
    long_ += piece;
  }
  std::string_view view() const {
    return long_.empty() ? std::string_view(short_, size_) : std::string_view(long_);
  }

 private:
  char short_[200];
  std::size_t size_ = 0;
  std::string long_;
};
}  // namespace

Value Machine::concat(const Node& n) {
  if (n.b == 0) return value_of_text("");
  Joined text;
  const std::size_t begin = pile_.size();
  int lists = 0;
  for (int i = 0; i < n.b; ++i) {
    const Value v = value(p_->extra[n.a + i]);
    if (!failed_ && v.is_list()) {
      ++lists;
      for (std::size_t k = 0; k < list_size(v); ++k) pile_.push_back(list_at(v, k));
    } else if (!failed_ && v.is_symbol()) {
      text.add(p_->symbols.name(Id<struct SymbolTag, std::uint32_t>(v.payload())));
    } else if (!failed_) {
      text.add(text_of(v));
    }
    if (!failed_ && lists != 0 && lists != i + 1)
      fail(Code::RUN_TYPE, n.place, "lists and single values cannot be joined", v);
    if (failed_) break;
  }
  Value joined;
  if (!failed_)
    joined = lists != 0 ? make_list(std::span<const Value>(pile_).subspan(begin))
                        : value_of_text(text.view());
  pile_.resize(begin);
  return joined;
}

Value Machine::value_rare(const Node& n) {
  switch (n.op) {
    case Ex::template_slot:
      return template_value(n.a, n.place);
    case Ex::unbound:
      return fail(Code::RUN_BINDING_MISSING, n.place, "the binding is made nowhere",
                  Value::symbol(n.a));
    case Ex::gvar_named: {
      int var = 0;
      if (!find_var(0, value(n.a), var, n.place)) return {};
      return p_->gvars[var].boolean ? Value::boolean(memory_.gvar(var) != 0)
                                    : Value::integer(memory_.gvar(var));
    }
    case Ex::pvar_named: {
      int var = 0;
      const int who = player(n.b);
      if (who < 0 || !find_var(1, value(n.a), var, n.place)) return {};
      const std::int64_t v = memory_.pvar(who, var);
      return p_->pvars[var].boolean ? Value::boolean(v != 0) : Value::integer(v);
    }
    case Ex::zvar_named: {
      int var = 0;
      const int z = zone(n.b);
      if (z < 0 || !find_var(2, value(n.a), var, n.place)) return {};
      return Value::integer(memory_.zvar(z, var));
    }
    case Ex::token_id: {
      const int t = token(n.a);
      return t < 0 ? Value{} : Value::token(t);
    }
    case Ex::token_type: {
      const int t = token(n.a);
      return t < 0 ? Value{} : Value::symbol(p_->types[memory_.token(t).type].symbol);
    }
    case Ex::token_zone: {
      const int t = token(n.a);
      if (t < 0) return {};
      return Value::symbol(memory_.token(t).zone);
    }
    case Ex::zone_id: {
      const int z = zone(n.a);
      return z < 0 ? Value{} : Value::symbol(z);
    }
    case Ex::zone_category: {
      const int z = zone(n.a);
      if (z < 0) return {};
      if (p_->zones[z].category < 0)
        return fail(Code::RUN_PROPERTY_MISSING, n.place, "the zone has no category",
                    Value::symbol(z));
      return Value::symbol(p_->zones[z].category);
    }
    case Ex::zone_attribute: {
      const int z = zone(n.a);
      if (z < 0) return {};
      const Value v =
          p_->zone_attributes[static_cast<std::size_t>(z) * p_->attributes.size() + n.b];
      if (v.is_none())
        return fail(Code::RUN_PROPERTY_MISSING, n.place, "the zone lacks this attribute",
                    Value::symbol(z));
      return v.is_list()
                 ? fail(Code::RUN_TYPE, n.place, "the attribute is a list; use zonePropIncludes", v)
                 : v;
    }
    case Ex::asset_field: {
      const Value row = value(n.a);
      if (failed_) return {};
      if (row.tag() != Tag::row || (row.payload() >> 24) != n.b)
        return fail(Code::RUN_TYPE, n.place, "not a row of this table", row);
      const TableInfo& table = p_->tables[n.b];
      return table
          .cells[static_cast<std::size_t>(row.payload() & 0xffffff) * table.columns.size() + n.c];
    }
    case Ex::marker_state: {
      const int z = zone(n.a);
      if (z < 0) return {};
      const LatticeInfo& lattice = p_->lattices[n.b];
      const int state = memory_.marker(z, n.b);
      return Value::symbol(lattice.states[state < 0 ? lattice.initial : state]);
    }
    case Ex::global_marker_state:
      return Value::symbol(p_->global_lattices[n.a].states[memory_.global_marker(n.a)]);
    case Ex::active_seat: {
      if (active_ >= p_->def.seats.size())
        return fail(Code::RUN_NAME_UNKNOWN, n.place, "the active player has no seat name");
      return value_of_text(p_->def.seats[active_]);
    }
    case Ex::player_number: {
      const int who = player(n.a);
      return who < 0 ? Value{} : Value::integer(who);
    }
    case Ex::clock: {
      const Header& h = header();
      const std::int64_t fields[] = {h.turn, h.round, h.turn_in_round, h.round_start, p_->players};
      return Value::integer(fields[n.a]);
    }
    case Ex::step_to: {
      int z = zone(n.a);
      std::int64_t count = 1;
      if (z < 0 || !integer(n.c, count)) return {};
      int direction = -1;
      each_direction(n.b, Visit{[](void* d, Value v) {
                                  return *static_cast<int*>(d) = static_cast<int>(v.payload()),
                                         false;
                                },
                                &direction});
      if (failed_ || direction < 0) return fail(Code::RUN_ADJACENCY, n.place, "no direction");
      for (; count > 0 && z >= 0; --count) z = p_->zones[z].steps[direction];
      return z < 0 ? fail(Code::RUN_ADJACENCY, n.place, "the step leads off the board")
                   : Value::symbol(z);
    }
    case Ex::effect_modifier: {
      const Value target = n.b >= 0 ? value(n.b) : Value{};
      if (failed_) return {};
      std::int64_t sum = 0;
      const auto* records = memory_.at<EffectRecord>(p_->layout.effects);
      for (int i = 0; i < header().effects; ++i) {
        if (records[i].from_turn > header().turn || records[i].from_round > header().round)
          continue;
        if (n.b >= 0 && !records[i].target.is_none() && !equal_values(records[i].target, target))
          continue;
        for (const auto& [name, delta] : p_->effect_kinds[records[i].kind].deltas)
          if (name == n.a) sum += delta;
      }
      return Value::integer(sum);
    }
    case Ex::concat:
      return concat(n);
    default: {
      const Truth truth = test(static_cast<int>(&n - p_->nodes.data()));
      return truth == Truth::fault ? Value{} : Value::boolean(truth == Truth::yes);
    }
  }
}

bool Machine::equal_values(Value a, Value b) const {
  if (a == b) return true;
  return a.tag() == Tag::text && b.tag() == Tag::text && text_of(a) == text_of(b);
}

Truth Machine::test(int node) {
  const Node& n = p_->nodes[node];
  switch (n.op) {
    case Ex::yes:
      return Truth::yes;
    case Ex::no:
      return Truth::no;
    case Ex::all_of:
      for (int i = 0; i < n.b; ++i)
        if (const Truth t = test(p_->extra[n.a + i]); t != Truth::yes) return t;
      return Truth::yes;
    case Ex::any_of:
      for (int i = 0; i < n.b; ++i)
        if (const Truth t = test(p_->extra[n.a + i]); t != Truth::no) return t;
      return Truth::no;
    case Ex::not_of: {
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
      return any_bit(n.a);
    case Ex::zone_in:
      return zone_in(n);
    case Ex::any_connected:
      return any_connected(n);
    case Ex::no_bit: {
      const Truth any = any_bit(n.a);
      return any == Truth::fault ? any : any == Truth::yes ? Truth::no : Truth::yes;
    }
    case Ex::in_set: {
      const auto where = slot(n.d).payload();
      if (const Node& set = p_->nodes[n.a]; set.op == Ex::b_words) {
        const std::uint64_t word =
            p_->set_words[static_cast<std::size_t>(set.a * p_->words + (where >> 6))];
        return ((word >> (where & 63)) & 1) != 0 ? Truth::yes : Truth::no;
      }
      std::uint64_t words[4];
      if (!zone_bits(n.a, words)) return Truth::fault;
      return ((words[where >> 6] >> (where & 63)) & 1) != 0 ? Truth::yes : Truth::no;
    }
    case Ex::line_bits:
      return line_bits(n);
    case Ex::exists:
    case Ex::for_all: {
      const bool wanted = n.op == Ex::exists;
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
    default:
      return test_rare(n);
  }
}

Truth Machine::compare(const Node& n) {
  const Value left = value(n.a);
  if (left.is_none()) return Truth::fault;
  const Value right = value(n.b);
  if (right.is_none()) return Truth::fault;
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

Truth Machine::test_rare(const Node& n) {
  auto truth = [&](bool b) { return failed_ ? Truth::fault : b ? Truth::yes : Truth::no; };
  switch (n.op) {
    case Ex::in_list: {
      const Value item = value(n.a);
      if (failed_) return Truth::fault;
      const Value set = value(n.b);
      if (failed_) return Truth::fault;
      if (!set.is_list()) {
        fail(Code::RUN_TYPE, n.place, "`in` needs a list", set);
        return Truth::fault;
      }
      for (std::size_t i = 0; i < list_size(set); ++i) {
        const Value entry = list_at(set, i);
        if (equal_values(entry, item)) return Truth::yes;
        const bool both_text =
            !entry.is_int() && !entry.is_bool() && !item.is_int() && !item.is_bool();
        if (entry.tag() != item.tag() && !both_text) {
          fail(Code::RUN_TYPE, n.place, "`in` compares values of one type", item, entry);
          return Truth::fault;
        }
      }
      return Truth::no;
    }
    case Ex::adjacent: {
      const int left = zone(n.a);
      const int right = left < 0 ? -1 : zone(n.b);
      if (right < 0) return Truth::fault;
      const auto& around = p_->zones[left].neighbours;
      return truth(std::binary_search(around.begin(), around.end(), right));
    }
    case Ex::connected:
      return connected(n);
    case Ex::zone_includes: {
      const int z = zone(n.a);
      if (z < 0) return Truth::fault;
      const Value wanted = value(n.c);
      if (failed_) return Truth::fault;
      const Value list =
          n.b < 0 ? Value{}
                  : p_->zone_attributes[static_cast<std::size_t>(z) * p_->attributes.size() + n.b];
      if (!list.is_list()) {
        fail(list.is_none() ? Code::RUN_PROPERTY_MISSING : Code::RUN_TYPE, n.place,
             "zonePropIncludes needs a list attribute", Value::symbol(z));
        return Truth::fault;
      }
      for (std::size_t i = 0; i < list_size(list); ++i)
        if (equal_values(list_at(list, i), wanted)) return Truth::yes;
      return Truth::no;
    }
    case Ex::marker_allowed: {
      const int z = zone(n.a);
      const Value state = z < 0 ? Value{} : value(n.c);
      if (failed_) return Truth::fault;
      const auto& states = p_->lattices[n.b].states;
      for (std::size_t i = 0; i < states.size(); ++i)
        if (Value::symbol(states[i]) == state) return marker_state_ok(z, n.b, static_cast<int>(i));
      return Truth::no;
    }
    case Ex::shift_allowed: {
      const int z = zone(n.a);
      std::int64_t delta = 0;
      if (z < 0 || !integer(n.c, delta)) return Truth::fault;
      const LatticeInfo& lattice = p_->lattices[n.b];
      const int now = memory_.marker(z, n.b) < 0 ? lattice.initial : memory_.marker(z, n.b);
      const auto last = static_cast<std::int64_t>(lattice.states.size()) - 1;
      const int to = static_cast<int>(std::clamp<std::int64_t>(now + delta, 0, last));
      return to == now ? Truth::no : marker_state_ok(z, n.b, to);
    }
    case Ex::line_of:
      return line_of(n);
    default: {  // a value used as a condition
      const Value v = value(static_cast<int>(&n - p_->nodes.data()));
      if (failed_) return Truth::fault;
      if (!v.is_bool()) fail(Code::RUN_TYPE, n.place, "a condition needs true or false", v);
      return truth(v.payload() != 0);
    }
  }
}

Truth Machine::marker_state_ok(int z, int lattice_index, int state) {
  const LatticeInfo& lattice = p_->lattices[lattice_index];
  if (lattice.constraints.empty()) return Truth::yes;
  Scratch scratch(*this, lattice.unit, active_, actor_);
  slot(0) = Value::symbol(z);
  for (const auto& constraint : lattice.constraints) {
    const Truth when = test(constraint.when);
    if (when == Truth::fault) return when;
    if (when == Truth::yes && std::find(constraint.allowed.begin(), constraint.allowed.end(),
                                        state) == constraint.allowed.end())
      return Truth::no;
  }
  return Truth::yes;
}

Truth Machine::filter(int node, int t) {
  const Node& n = p_->nodes[node];
  switch (n.op) {
    case Ex::f_test:
      return filter_test(n, t);
    case Ex::f_all:
      for (int i = 0; i < n.b; ++i)
        if (const Truth r = filter(p_->extra[n.a + i], t); r != Truth::yes) return r;
      return Truth::yes;
    case Ex::f_any:
      for (int i = 0; i < n.b; ++i)
        if (const Truth r = filter(p_->extra[n.a + i], t); r != Truth::no) return r;
      return Truth::no;
    default: {
      const Truth r = filter(n.a, t);
      return r == Truth::fault ? r : r == Truth::yes ? Truth::no : Truth::yes;
    }
  }
}

Value Machine::field_of(const Node& n, int t) {
  switch (static_cast<spec::TokenTest::Field>(n.a)) {
    case spec::TokenTest::Field::prop:
      return n.b < 0 ? Value{} : memory_.prop(t, n.b);
    case spec::TokenTest::Field::token_id:
      return Value::token(t);
    case spec::TokenTest::Field::token_type:
      return Value::symbol(p_->types[memory_.token(t).type].symbol);
    case spec::TokenTest::Field::token_zone:
      return Value::symbol(memory_.token(t).zone);
    case spec::TokenTest::Field::zone_prop:
      break;
  }
  const ZoneInfo& z = p_->zones[memory_.token(t).zone];
  // Numbered by the linker: 0 id, 1 category, 2 zoneKind, 3 owner, 4 visibility, 5 ordering.
  static constexpr const char* kinds[] = {"board", "aux"};
  static constexpr const char* visibilities[] = {"public", "owner", "hidden"};
  static constexpr const char* orderings[] = {"stack", "queue", "set"};
  switch (n.b) {
    case 0:
      return Value::symbol(memory_.token(t).zone);
    case 1:
      return z.category < 0 ? Value{} : Value::symbol(z.category);
    case 2:
      return value_of_text(kinds[static_cast<int>(z.kind)]);
    case 3:
      return value_of_text(z.owner < 0 ? "none" : "player");
    case 4:
      return value_of_text(visibilities[static_cast<int>(z.visibility)]);
    case 5:
      return value_of_text(orderings[static_cast<int>(z.ordering)]);
    default:
      return {};
  }
}

Truth Machine::filter_test(const Node& n, int t) {
  return matches(static_cast<spec::FilterOp>(n.x), field_of(n, t), n.c, n.place);
}

Truth Machine::matches(spec::FilterOp op, Value have, int value_node, std::uint32_t place) {
  // A missing field makes the test false, whatever it asks.
  if (have.is_none()) return Truth::no;
  const Value wanted = value(value_node);
  if (failed_) return Truth::fault;
  const bool set = op == spec::FilterOp::in || op == spec::FilterOp::not_in;
  if (set != wanted.is_list()) {
    fail(Code::RUN_TYPE, place, set ? "in and notIn need a list" : "eq and neq need a single value",
         wanted);
    return Truth::fault;
  }
  bool found = false;
  if (set) {
    for (std::size_t i = 0; i < list_size(wanted) && !found; ++i)
      found = equal_values(list_at(wanted, i), have);
  } else {
    found = equal_values(have, wanted);
  }
  const bool positive = op == spec::FilterOp::eq || op == spec::FilterOp::in;
  return found == positive ? Truth::yes : Truth::no;
}

}  // namespace parlor::kernel
