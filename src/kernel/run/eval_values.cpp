// Values: numbers, names, tokens and lists that expressions give.
#include "kernel/run/machine.h"

namespace parlor::kernel {

bool Evaluator::integer(NodeId node, std::int64_t& out) {
  const Value v = value(node);
  if (!v.is_int()) {
    fail(Code::RUN_TYPE, p_->nodes[node].place, "a number is needed here", v);
    return false;
  }
  out = v.payload();
  return true;
}

// Part of value_of.
[[gnu::always_inline]] inline Value Evaluator::token_prop(const Node& n) {
  const TokenId t = token(n.a);
  if (t.is_none()) return {};
  const Value v = seen_prop(t, n.b);
  return v.is_none() ? fail(Code::RUN_PROPERTY_MISSING, n.place, "the token lacks this property",
                            Value::token(t))
                     : v;
}

[[gnu::always_inline]] inline Value Evaluator::if_value(const Node& n) {
  if (n.d >= 0)
    if (const Value v = play_scalar(n.d); !v.is_none()) return v;
  const Truth when = test(n.a);
  if (when == Truth::fault) return {};
  return value(when == Truth::yes ? n.b : n.c);
}

// All but the commonest, which `value` answers by itself.
Value Evaluator::value_of(const Node& n) {
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
      const ZoneId z = zone(n.b);
      return z.is_none() ? Value{} : Value::integer(memory_.zvar(z, n.a));
    }
    case Ex::zone_count: {
      const ZoneId z = zone(n.a);
      if (z.is_none()) return {};
      note_read(z);
      return Value::integer(memory_.zone(z).count);
    }
    case Ex::token_prop:
      return token_prop(n);
    case Ex::active_player:
      return Value::integer(active_);
    case Ex::count:
      return n.d >= 0 ? remembered_value(n) : count(n);
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
      return n.d >= 0 ? remembered_value(n) : fold(n);
    case Ex::printed_value:
      return n.d >= 0 ? remembered_value(n) : printed_value(n);
    case Ex::zone_attribute:
      return zone_attribute(n);
    case Ex::if_value:
      return if_value(n);
    default:
      return value_rare(n);
  }
}

Value Evaluator::arithmetic(const Node& n) {
  if (n.c >= 0)
    if (const Value v = play_scalar(n.c); !v.is_none()) return v;
  std::int64_t left = 0, right = 0;
  if (!integer(n.a, left) || !integer(n.b, right)) return {};
  std::int64_t out = 0;
  bool overflow = false;
  auto divisor_ok = [&] {
    if (right == 0)
      fail(Code::RUN_DIVISION_BY_ZERO, n.place, "division by zero of", Value::integer(left));
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

Value Evaluator::count(const Node& n) {
  if (n.b >= 0 && surely_unseen(n)) return Value::integer(0);
  std::int64_t count = 0;
  each(n.a, [&](Value) { return ++count, true; });
  return failed_ ? Value{} : Value::integer(count);
}

// Whether the zone holds no token with the numbers that are counted: its filter says so.
bool Evaluator::surely_unseen(const Node& n) {
  const PropFilter filter = p_->prop_filters[p_->nodes[n.a].b];
  std::int64_t numbers[most_prop_tests] = {};
  for (int i = 0; i < filter.count; ++i) {
    const Value v = value(p_->prop_tests[filter.first + i].value);
    if (!v.is_int() || v.payload() <= INT32_MIN || v.payload() > INT32_MAX) return false;
    numbers[i] = v.payload();
  }
  const std::size_t bit = seen_bit(std::span(numbers, filter.count));
  return (memory_.seen(n.b)[bit / 64] >> (bit % 64) & 1) == 0;
}

Value Evaluator::fold(const Node& n) {
  std::int64_t result = 0;
  bool first = true;
  each(n.a, [&](Value item) {
    slot(n.b) = item;
    std::int64_t v = 0;
    if (!integer(n.c, v)) return false;
    if (n.x == 1 && std::abs(result += v) > max_int) {
      fail(Code::RUN_TYPE, n.place, "the sum is too large for a number", Value::integer(v));
      return false;
    }
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

Value Evaluator::concat(const Node& n) {
  if (n.b == 0) return value_of_text("");
  Joined text;
  const std::size_t begin = pile_.size();
  int lists = 0;
  for (int i = 0; i < n.b; ++i) {
    const Value v = value(p_->extra[n.a + i]);
    if (!failed_ && v.is_list()) {
      ++lists;
      if (pile_.size() - begin + list_size(v) > most_text) {
        fail(Code::RUN_TOO_MANY, n.place, "a list has grown too long");
        break;
      }
      for (std::size_t k = 0; k < list_size(v); ++k) pile_.push_back(list_at(v, k));
    } else if (!failed_ && v.is_symbol()) {
      text.add(p_->name(v.index()));
    } else if (!failed_) {
      text.add(text_of(v));
    }
    if (!failed_ && lists != 0 && lists != i + 1)
      fail(Code::RUN_TYPE, n.place, "lists and single values cannot be joined", v);
    if (failed_) break;
  }
  if (text.view().size() > longest_text)
    fail(Code::RUN_TOO_MANY, n.place, "the text is longer than 4096 bytes");
  Value joined;
  if (!failed_)
    joined = lists != 0 ? make_list(std::span<const Value>(pile_).subspan(begin))
                        : value_of_text(text.view());
  pile_.resize(begin);
  return joined;
}

Value Evaluator::zone_attribute(const Node& n) {
  const ZoneId z = zone(n.a);
  if (z.is_none()) return {};
  const Value v = p_->zone_attributes[z.index() * p_->attributes.size() + n.b];
  if (v.is_none())
    return fail(Code::RUN_PROPERTY_MISSING, n.place, "the zone lacks this attribute",
                Value::zone(z));
  return v.is_list()
             ? fail(Code::RUN_TYPE, n.place, "the attribute is a list; use zonePropIncludes", v)
             : v;
}

Value Evaluator::asset_field(const Node& n) {
  const Value row = value(n.a);
  if (failed_) return {};
  if (row.tag() != Tag::row || (row.payload() >> 24) != n.b)
    return fail(Code::RUN_TYPE, n.place, "not a row of this table", row);
  const TableInfo& table = p_->tables[n.b];
  return table.cells[(row.payload() & 0xffffff) * table.columns.size() + n.c];
}

Value Evaluator::step_to(const Node& n) {
  ZoneId z = zone(n.a);
  std::int64_t count = 1;
  if (z.is_none() || !integer(n.c, count)) return {};
  int direction = -1;
  each_direction(n.b, [&](Value v) { return direction = v.index(), false; });
  if (failed_ || direction < 0) return fail(Code::RUN_ADJACENCY, n.place, "no direction");
  auto walk = [&](std::int64_t steps) {
    for (; steps > 0 && !z.is_none(); --steps) z = p_->zones[z].steps[direction];
  };
  // After more steps than there are zones it goes round in a circle: only the rest of them counts.
  if (count > p_->zone_count) {
    walk(p_->zone_count);
    int round = 1;
    if (!z.is_none())
      for (ZoneId k = p_->zones[z].steps[direction]; k != z; k = p_->zones[k].steps[direction])
        ++round;
    count = (count - p_->zone_count) % round;
  }
  walk(count);
  return z.is_none() ? fail(Code::RUN_ADJACENCY, n.place, "the step leads off the board")
                     : Value::zone(z);
}

Value Evaluator::effect_modifier(const Node& n) {
  const Value target = n.b >= 0 ? value(n.b) : Value{};
  if (failed_) return {};
  std::int64_t sum = 0;
  const auto* records = memory_.at<EffectRecord>(p_->layout.effects);
  for (int i = 0; i < header().effects; ++i) {
    if (records[i].from_turn > header().turn || records[i].from_round > header().round) continue;
    if (n.b >= 0 && !records[i].target.is_none() && !equal_values(records[i].target, target))
      continue;
    for (const auto& [name, delta] : p_->effect_kinds[records[i].kind].deltas)
      if (name == n.a) sum += delta;
  }
  return Value::integer(sum);
}

Value Evaluator::named_var(const Node& n) {
  VarId var;
  if (n.op == Ex::gvar_named) {
    if (!find_var(0, value(n.a), var, n.place)) return {};
    return p_->gvars[var].boolean ? Value::boolean(memory_.gvar(var) != 0)
                                  : Value::integer(memory_.gvar(var));
  }
  if (n.op == Ex::pvar_named) {
    const int who = player(n.b);
    if (who < 0 || !find_var(1, value(n.a), var, n.place)) return {};
    const std::int64_t v = memory_.pvar(who, var);
    return p_->pvars[var].boolean ? Value::boolean(v != 0) : Value::integer(v);
  }
  const ZoneId z = zone(n.b);
  if (z.is_none() || !find_var(2, value(n.a), var, n.place)) return {};
  return Value::integer(memory_.zvar(z, var));
}

Value Evaluator::of_token(const Node& n) {
  const TokenId t = token(n.a);
  if (t.is_none()) return {};
  if (n.op == Ex::token_type) return Value::symbol(p_->types[memory_.token(t).type].symbol);
  return n.op == Ex::token_zone ? Value::zone(memory_.zone_of(t)) : Value::token(t);
}

Value Evaluator::of_zone(const Node& n) {
  const ZoneId z = zone(n.a);
  if (z.is_none()) return {};
  if (n.op == Ex::marker_state) {
    const LatticeInfo& lattice = p_->lattices[n.b];
    const int state = memory_.marker(z, n.b);
    return Value::symbol(lattice.states[state < 0 ? lattice.initial : state]);
  }
  if (n.op == Ex::zone_id) return Value::zone(z);
  if (p_->zones[z].category < 0)
    return fail(Code::RUN_PROPERTY_MISSING, n.place, "the zone has no category", Value::zone(z));
  return Value::symbol(p_->zones[z].category);
}

Value Evaluator::not_there(const Node& n) {
  if (n.op == Ex::unbound)
    return fail(Code::RUN_BINDING_MISSING, n.place, "the binding is made nowhere",
                Value::symbol(n.a));
  const Value name = value(n.a);
  return failed_ ? Value{}
                 : fail(Code::RUN_NAME_UNKNOWN, n.place, "no property has this name", name);
}

Value Evaluator::active_seat(const Node& n) {
  if (active_ >= p_->seat_symbols.size())
    return fail(Code::RUN_NAME_UNKNOWN, n.place, "the active player has no seat name");
  return Value::symbol(p_->seat_symbols[active_]);
}

Value Evaluator::value_rare(const Node& n) {
  switch (n.op) {
    case Ex::template_slot:
      return template_value(n.a, n.place);
    case Ex::named: {
      if (!open_name(n)) return {};
      const Value v = value(n.c);
      templates_.pop_back();
      return v;
    }
    case Ex::item:
      return item(n);
    case Ex::rank:
      return rank(n);
    case Ex::number_of:
      return number_of(n);
    case Ex::zone_at:
      return zone_at(n);
    case Ex::token_at:
      return token_at(n);
    case Ex::longest_path:
      return longest_path(n);
    case Ex::no_property:
    case Ex::unbound:
      return not_there(n);
    case Ex::gvar_named:
    case Ex::pvar_named:
    case Ex::zvar_named:
      return named_var(n);
    case Ex::token_id:
    case Ex::token_type:
    case Ex::token_zone:
      return of_token(n);
    case Ex::zone_id:
    case Ex::zone_category:
    case Ex::marker_state:
      return of_zone(n);
    case Ex::asset_field:
      return asset_field(n);
    case Ex::global_marker_state:
      return Value::symbol(p_->global_lattices[n.a].states[memory_.global_marker(n.a)]);
    case Ex::step_to:
      return step_to(n);
    case Ex::effect_modifier:
      return effect_modifier(n);
    case Ex::concat:
      return concat(n);
    default:
      return value_of_game(n);
  }
}

// How the game stands; or a condition where a value is wanted.
Value Evaluator::value_of_game(const Node& n) {
  switch (n.op) {
    case Ex::active_seat:
      return active_seat(n);
    case Ex::player_number: {
      const int who = player(n.a);
      return who < 0 ? Value{} : Value::integer(who);
    }
    case Ex::clock: {
      const Header& h = header();
      const std::int64_t fields[] = {h.turn, h.round, h.turn_in_round, h.round_start, p_->players};
      return Value::integer(fields[n.a]);
    }
    case Ex::move_name:
    case Ex::grant_fill:
    case Ex::grant_context:
    case Ex::captured_zones:
    case Ex::action_class:
    case Ex::free_operation:
      return whole().flow_value(n);
    default: {
      const Truth truth = test(p_->nodes.id_of(n));
      return truth == Truth::fault ? Value{} : Value::boolean(truth == Truth::yes);
    }
  }
}

}  // namespace parlor::kernel
