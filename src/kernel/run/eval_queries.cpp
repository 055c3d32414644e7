// Queries: ordered lists of results, handed to a visitor one by one.
#include "kernel/program/spread.h"
#include "kernel/run/machine.h"
#include "kernel/run/zone_numbers.h"

namespace parlor::kernel {

Value Evaluator::collect(NodeId node) {
  // Results may make lists of their own, so they are gathered first and laid down afterwards.
  std::vector<Value>& pile = pile_;
  const std::size_t begin = pile.size();
  each(node, [&](Value v) {
    if (pile.size() - begin >= max_results) {
      fail(Code::RUN_TOO_MANY, p_->nodes[node].place, "the query has more than 10 000 results");
      return false;
    }
    pile.push_back(v);
    return true;
  });
  Value list;
  if (!failed_) list = make_list(std::span<const Value>(pile).subspan(begin));
  pile.resize(begin);
  return list;
}

bool Evaluator::has_result(NodeId node) {
  if (const Node& n = p_->nodes[node]; n.op == Ex::q_bits && reads_ == nullptr)
    return spend(1, n.place) && any_bit(n.a) == Truth::yes;
  bool found = false;
  each(node, [&](Value) { return !(found = true); });
  return found && !failed_;
}

// What a loop goes through. A list is gone through as it is: only its end tells how long it is.
Value Evaluator::items_of(NodeId node) {
  const Node& n = p_->nodes[node];
  if (n.op != Ex::q_list) return collect(node);
  const Value list = value(n.a);
  return failed_ || (list.is_list() && stored_size(list) < max_results) ? list : collect(node);
}

bool Evaluator::all_tokens(ZoneId z, NodeId filter_node, Visit visit) {
  note_read(z);
  if (!spend(memory_.zone(z).count, 0)) return false;
  if (!filter_node.is_none() && !p_->prop_filters.empty() && !takes_for_others())
    if (const PropFilter filter = p_->prop_filters[filter_node]; filter.count != 0)
      return tokens_by_props(z, filter, visit);
  for (const TokenId t : memory_.tokens_in(z)) {
    if (!filter_node.is_none()) {
      const Truth keep = filter(filter_node, t);
      if (keep == Truth::fault) return false;
      if (keep == Truth::no) continue;
    }
    if (!visit(Value::token(t))) return false;
  }
  return true;
}

// Where the row lets the class be taken without an activity, none is the last answer. A trial asks
// whether there is a way at all: without an activity is the shortest.
bool Evaluator::query_activities(const Node& n, Visit visit) {
  const auto& all = p_->lists[n.a];
  if (!spend(std::ssize(all), n.place)) return false;
  const bool none = whole().row_holds(),
             first = none && foresees_nothing() && !p_->tries_everything;
  if (first && !visit(Value::symbol(p_->flow.none))) return false;
  for (const Value v : all)
    if (!visit(v)) return false;
  return !none || first || visit(Value::symbol(p_->flow.none));
}

bool Evaluator::query(NodeId node, Visit visit) {
  const Node& n = p_->nodes[node];
  if (!spend(1, n.place)) return false;
  switch (n.op) {
    case Ex::q_players:
      for (int i = 0; i < p_->players; ++i)
        if (!visit(Value::integer(i))) return false;
      return true;
    case Ex::q_activities:
      return query_activities(n, visit);
    case Ex::q_values:
      if (!spend(std::ssize(p_->lists[n.a]), n.place)) return false;
      for (const Value v : p_->lists[n.a])
        if (!visit(v)) return false;
      return true;
    case Ex::q_bits:
      return query_bits(n.a, visit);
    case Ex::q_zones:
      return query_zones(n, visit);
    case Ex::q_adjacent: {
      const ZoneId z = zone(n.a);
      if (z.is_none()) return false;
      for (const ZoneId other : p_->zones[z].neighbours)
        if (!visit(Value::zone(other))) return false;
      return true;
    }
    case Ex::q_tokens: {
      const ZoneId z = zone(n.a);
      return !z.is_none() && all_tokens(z, n.b, visit);
    }
    case Ex::q_step:
      return query_step(n, visit);
    case Ex::q_ray:
      return query_ray(n, visit);
    case Ex::q_ways:
      return query_ways(n, visit);
    case Ex::q_filter:
      return query_filter(n, visit);
    case Ex::q_concat:
    case Ex::q_prioritized:
      for (int i = 0; i < n.b; ++i)
        if (!query(p_->extra[n.a + i], visit)) return false;
      return true;
    case Ex::q_list:
      return query_list(n, visit);
    case Ex::q_ints:
    case Ex::q_var_ints:
      return query_ints(n, visit);
    case Ex::printed_query:
      ++steps_left;  // it counts its work itself
      return printed_query(n, visit);
    default:
      return query_rare(n, visit);
  }
}

bool Evaluator::query_filter(const Node& n, Visit visit) {
  bool go_on = true;
  each(n.a, [&](Value item) {
    slot(n.b) = item;
    const Truth keep = test(n.c);
    if (keep == Truth::fault) return go_on = false;
    return keep == Truth::no || (go_on = visit(item));
  });
  slot(n.b) = {};
  return go_on && !failed_;
}

bool Evaluator::query_list(const Node& n, Visit visit) {
  const Value list = value(n.a);
  if (failed_) return false;
  if (!list.is_list()) {
    fail(Code::RUN_TYPE, n.place, "the binding is not a list", list);
    return false;
  }
  const std::size_t size = list_size(list);
  if (!spend(size, n.place)) return false;
  for (std::size_t i = 0; i < size; ++i)
    if (!visit(list_at(list, i))) return false;
  return true;
}

bool Evaluator::query_zones(const Node& n, Visit visit) {
  const std::uint32_t owners = n.b >= 0 ? players(n.b) : 0;
  if (failed_ || !spend(std::ssize(p_->set_members[n.a]), n.place)) return false;
  bool go_on = true;
  KeyedZones keyed;
  if (const ZoneKey& key = p_->zone_keys[p_->nodes.id_of(n)];
      key.attribute >= 0 && move_.grant == 0 && keyed_zones(key, keyed)) {
    for (const auto& [bits, z] : keyed) {
      if (!std::binary_search(p_->set_members[n.a].begin(), p_->set_members[n.a].end(), z))
        continue;
      slot(n.d) = Value::zone(z);
      const Truth keep = test(n.c);
      if (keep == Truth::fault) return false;
      if (keep == Truth::yes && !(go_on = visit(Value::zone(z)))) break;
    }
    slot(n.d) = {};
    return go_on;
  }
  if (const auto* known = n.b < 0 && n.c >= 0 ? zones_by_numbers(*this, n.c, n.d) : nullptr) {
    const auto has = [](const std::uint64_t* words, ZoneId z) { return has_zone(words, z); };
    const auto& members = p_->set_members[n.a];
    if (std::ranges::all_of(members, [&](ZoneId z) { return has(known->answered, z); })) {
      // Whoever is told of a zone may ask for others meanwhile.
      const ZonesByNumbers found = *known;
      for (const ZoneId z : members) {
        if (!has(found.holds, z)) continue;
        slot(n.d) = Value::zone(z);
        if (!(go_on = visit(Value::zone(z)))) break;
      }
      slot(n.d) = {};
      return go_on;
    }
  }
  for (const ZoneId z : p_->set_members[n.a]) {
    const ZoneInfo& info = p_->zones[z];
    if (n.b >= 0 && (info.owner < 0 || ((owners >> info.owner) & 1) == 0)) continue;
    if (n.c >= 0) {
      slot(n.d) = Value::zone(z);
      const Truth keep = test(n.c);
      if (keep == Truth::fault) return false;
      if (keep == Truth::no) continue;
    }
    if (move_.grant != 0 && !whole().net_allows(z)) {
      if (failed_) return false;
      continue;
    }
    go_on = visit(Value::zone(z));
    if (!go_on) break;
  }
  if (n.d >= 0) slot(n.d) = {};
  return go_on;
}

bool Evaluator::query_connected(const Node& n, Visit visit) {
  const ZoneId start = zone(n.a);
  if (start.is_none()) return false;
  const std::size_t mark = work_.size();
  // Seen zones first, then (zone, depth) pairs still to be looked at.
  const std::size_t words = (p_->zones.size() + 31) / 32;
  work_.resize(mark + words, 0);
  const auto word_of = [&](ZoneId z) -> int& { return work_[mark + z.index() / 32]; };
  const auto first_visit = [&](ZoneId z) {
    word_of(z) |= static_cast<int>(1u << (z.index() % 32));
  };
  const auto seen = [&](ZoneId z) {
    return ((static_cast<unsigned>(word_of(z)) >> (z.index() % 32)) & 1) != 0;
  };
  // A planned condition is a set, computed once.
  std::uint64_t allowed[most_words];
  const bool planned = n.c >= 0 && p_->nodes[n.c].op == Ex::in_set;
  if (planned && !zone_bits(p_->nodes[n.c].a, allowed)) {
    work_.resize(mark);
    return false;
  }
  first_visit(start);
  bool go_on = (n.x & 1) == 0 || visit(Value::zone(start));
  work_.push_back(start.value);
  work_.push_back(0);
  for (std::size_t i = mark + words; go_on && i < work_.size(); i += 2) {
    if (n.b >= 0 && work_[i + 1] >= n.b) continue;
    const auto& around = p_->zones[ZoneId(work_[i])].neighbours;
    if (!spend(std::ssize(around), n.place)) {
      go_on = false;
      break;
    }
    for (const ZoneId other : around) {
      if (seen(other)) continue;
      note_read(other);
      Truth via = Truth::yes;
      if (planned) {
        via = has_zone(allowed, other) ? Truth::yes : Truth::no;
      } else if (n.c >= 0) {
        slot(n.d) = Value::zone(other);
        via = test(n.c);
      }
      if (via == Truth::fault) {
        go_on = false;
        break;
      }
      // Zones that fail are listed on request but never entered.
      if (via == Truth::no && (n.x & 2) == 0) continue;
      first_visit(other);
      if (via == Truth::yes) {
        work_.push_back(other.value);
        work_.push_back(work_[i + 1] + 1);
      }
      if (!(go_on = visit(Value::zone(other)))) break;
    }
  }
  if (n.d >= 0) slot(n.d) = {};
  work_.resize(mark);
  return go_on;
}

Truth Evaluator::connected(const Node& n) {
  const ZoneId from = zone(n.a);
  const ZoneId to = from.is_none() ? ZoneId::none() : zone(n.b);
  if (to.is_none()) return Truth::fault;
  const int depth = p_->nodes[NodeId(p_->nodes.id_of(n).value + 1)].a;
  Node walk = n;
  walk.op = Ex::q_connected;
  walk.b = depth;
  walk.x = n.x != 0 ? 2 : 0;
  bool found = false;
  auto reach = [&](Value v) { return !(found = v == Value::zone(to)); };
  query_connected(walk, reach);
  return failed_ ? Truth::fault : found && from != to ? Truth::yes : Truth::no;
}

bool Evaluator::query_rows(const Node& n, Visit visit) {
  const TableInfo& table = p_->tables[n.a];
  if (!spend(std::int64_t{table.rows} * (1 + n.c), n.place)) return false;
  int found = 0;
  Value first;
  // Rows that can fit: those the index of the first test gives, or all.
  const std::pair<std::uint64_t, int>* indexed = nullptr;
  int rows = table.rows;
  if (n.c > 0 && spec::FilterOp{p_->extra[n.b + 1]} == spec::FilterOp::eq)
    if (const auto& index = table.rows_by_column[p_->extra[n.b]]; !index.empty()) {
      const Value v = value(p_->extra[n.b + 2]);
      if (failed_) return false;
      if (v.is_int() || v.is_bool() || v.is_symbol()) {
        const auto begin = std::lower_bound(index.begin(), index.end(), std::pair{v.bits, -1});
        indexed = index.data() + (begin - index.begin());
        for (rows = 0; begin + rows != index.end() && begin[rows].first == v.bits;) ++rows;
      }
    }
  for (int k = 0; k < rows; ++k) {
    const int row = indexed != nullptr ? indexed[k].second : k;
    bool keep = true;
    for (int i = 0; i < n.c && keep; ++i) {
      const Operand* test_of = &p_->extra[n.b + 3 * i];
      const Value have = table.cells[row * table.columns.size() + test_of[0]];
      const Truth t = matches(spec::FilterOp{test_of[1]}, have, test_of[2], n.place);
      if (t == Truth::fault) return false;
      keep = t == Truth::yes;
    }
    if (!keep) continue;
    if (found++ == 0) first = Value::row(n.a, row);
    if (n.x == 0 && !visit(Value::row(n.a, row))) return false;
  }
  if (n.x == 0) return true;
  if (found > 1 || (found == 0 && n.x == 1)) {
    fail(Code::RUN_ROWS, n.place, found == 0 ? "no row fits" : "several rows fit");
    return false;
  }
  return found == 0 || visit(first);
}

// The progression, with required values and thinning as the language defines them.
bool Evaluator::query_ints(const Node& n, Visit visit) {
  const Operand* e = &p_->extra[n.a];
  std::int64_t min = 0, max = 0, step = 1, most = -1;
  // A bound that needs a binding nobody has made yet, or is no number, gives an empty result.
  auto number = [&](NodeId node, std::int64_t& out) {
    const Value v = value(node);
    if (failed_) return false;
    if (v.is_int()) out = v.payload();
    return v.is_int();
  };
  auto nothing = [&] { return !failed_ || undecided_binding(); };
  if (n.op == Ex::q_var_ints) {
    VarId var = n.b;
    if (n.d == 1) {
      const Value name = value(n.b);
      if (failed_ || !find_var(n.c == 1 ? 1 : 0, name, var, n.place)) return false;
    }
    const VarInfo& info = n.c == 1 ? p_->pvars[var] : p_->gvars[var];
    std::int64_t low = info.min, high = info.max;
    if ((e[0] >= 0 && !number(e[0], low)) || (e[1] >= 0 && !number(e[1], high))) return nothing();
    min = std::max(low, info.min);
    max = std::min(high, info.max);
  } else if (!number(e[0], min) || !number(e[1], max)) {
    return nothing();
  }
  if ((e[2] >= 0 && !number(e[2], step)) || step <= 0 || min > max) return nothing();
  if (e[3] >= 0 && (!number(e[3], most) || most < 1 || (most < 2 && min < max))) return nothing();

  if (e[4] == 0 && most < 0) {
    if ((max - min) / step >= most_numbers) {
      fail(Code::RUN_TOO_MANY, n.place, "the range has more than 100 000 numbers",
           Value::integer(min), Value::integer(max));
      return false;
    }
    for (std::int64_t v = min; v <= max; v += step)
      if (!spend(1, n.place) || !visit(Value::integer(v))) return false;
    return (max - min) % step == 0 || visit(Value::integer(max));
  }
  return some_ints(n, min, max, step, most, visit);
}

// Some numbers must be there; of the others, only as many as there is room for.
bool Evaluator::some_ints(const Node& n, std::int64_t min, std::int64_t max, std::int64_t step,
                          std::int64_t most, Visit visit) {
  const Operand* e = &p_->extra[n.a];
  // On the stack of numbers: the required ones, then the others.
  const std::size_t mark = numbers_.size();
  auto leave = [&](bool go_on) { return numbers_.resize(mark), go_on; };
  numbers_.push_back(min);
  numbers_.push_back(max);
  for (int i = 0; i < e[4]; ++i) {
    const Value v = value(e[5 + i]);
    if (failed_ || !v.is_int()) return leave(!failed_ || undecided_binding());
    if (v.payload() >= min && v.payload() <= max) numbers_.push_back(v.payload());
  }
  const Spread range{min, max, step, most};
  const std::size_t required = require_numbers(&numbers_[mark], numbers_.size() - mark);
  if (std::cmp_greater((max - min) / step, max_results)) {
    fail(Code::RUN_TOO_MANY, n.place, "the range has more than 10 000 numbers");
    return leave(false);
  }
  if (!spend((max - min) / step, n.place)) return leave(false);
  const std::int64_t optional = optional_numbers(range, &numbers_[mark], required);
  const std::int64_t offered = most < 0 ? optional : std::min(optional, most);
  numbers_.resize(mark + required + offered);
  const std::size_t count = spread_numbers(range, &numbers_[mark], required, optional);
  for (std::size_t i = 0; i < count; ++i)
    if (!visit(Value::integer(numbers_[mark + i]))) return leave(false);
  return leave(true);
}

bool Evaluator::query_next(const Node& n, Visit visit) {
  const Value from = value(n.b);
  if (failed_) return undecided_binding();  // an anchor nobody has named yet is no anchor
  const Value list = collect(n.a);
  if (failed_) return false;
  const std::size_t size = list_size(list);
  if (!spend(size, n.place)) return false;
  std::size_t anchor = 0;
  while (anchor < size && !equal_values(list_at(list, anchor), from)) ++anchor;
  if (anchor == size) return true;
  for (std::size_t i = 0; i < size; ++i) {
    const Value item = list_at(list, (anchor + i + (n.x != 0 ? 0 : 1)) % size);
    slot(n.d) = item;
    const Truth holds = test(n.c);
    if (holds == Truth::fault) return false;
    if (holds == Truth::no) continue;
    slot(n.d) = {};
    return visit(item);
  }
  slot(n.d) = {};
  return true;
}

bool Evaluator::query_effects(const Node& n, Visit visit) {
  const std::uint32_t owners = n.b >= 0 ? players(n.b) : 0;
  const Value target = n.c >= 0 && !failed_ ? value(n.c) : Value{};
  if (failed_) return false;
  for (int i = 0; i < header().effects; ++i) {
    const EffectRecord record = memory_.at<EffectRecord>(p_->layout.effects)[i];
    if (record.from_turn > header().turn || record.from_round > header().round) continue;
    if (n.a >= 0 && record.kind != n.a) continue;
    if (n.b >= 0 && (record.owner < 0 || ((owners >> record.owner) & 1) == 0)) continue;
    if (n.c >= 0 && !equal_values(record.target, target)) continue;
    if (!visit(Value::symbol(p_->effect_kinds[record.kind].symbol))) return false;
  }
  return true;
}

bool Evaluator::query_named(const Node& n, Visit visit) {
  // Gathered first: whoever gets the results does not know the name.
  if (!open_name(n)) return false;
  const Value list = collect(n.c);
  templates_.pop_back();
  for (std::size_t i = 0; !failed_ && i < list_size(list); ++i)
    if (!visit(list_at(list, i))) return false;
  return !failed_;
}

bool Evaluator::query_token_zones(const Node& n, Visit visit) {
  const Value list = collect(n.a);
  if (failed_) return false;
  const std::size_t mark = work_.size();
  bool go_on = true;
  for (std::size_t i = 0; i < list_size(list) && go_on; ++i) {
    const Value item = list_at(list, i);
    if (!item.is_token() || item.payload() >= header().tokens ||
        memory_.zone_of(item.as_token()).is_none()) {
      fail(Code::RUN_TOKEN, n.place, "tokenZones needs tokens that are in play", item);
      return false;
    }
    const ZoneId z = memory_.zone_of(item.as_token());
    if (n.x == 1 && std::find(work_.begin() + mark, work_.end(), z.value) != work_.end()) continue;
    work_.push_back(z.value);
    go_on = visit(Value::zone(z));
  }
  work_.resize(mark);
  return go_on;
}

bool Evaluator::query_markers(const Node& n, Visit visit) {
  for (int i = 0; i < n.b; ++i) {
    const int lattice = p_->extra[n.a + i];
    const LatticeInfo& info = p_->global_lattices[lattice];
    const Value state = Value::symbol(info.states[memory_.global_marker(lattice)]);
    if (n.c >= 0) {
      const auto& states = p_->lists[n.c];
      if (std::find(states.begin(), states.end(), state) == states.end()) continue;
    }
    if (!visit(value_of_text(info.id))) return false;
  }
  return true;
}

bool Evaluator::query_rare(const Node& n, Visit visit) {
  switch (n.op) {
    case Ex::named:
      return query_named(n, visit);
    case Ex::q_connected:
      return query_connected(n, visit);
    case Ex::q_adjacent_tokens: {
      const ZoneId z = zone(n.a);
      if (z.is_none()) return false;
      for (const ZoneId other : p_->zones[z].neighbours)
        if (!all_tokens(other, n.b, visit)) return false;
      return true;
    }
    case Ex::q_map_tokens: {
      bool go_on = true;
      each(n.a, [&](Value z) { return go_on = all_tokens(z.as_zone(), n.b, visit); });
      return go_on && !failed_;
    }
    case Ex::q_token_zones:
      return query_token_zones(n, visit);
    case Ex::q_rows:
      return query_rows(n, visit);
    case Ex::q_global_markers:
      return query_markers(n, visit);
    case Ex::q_next:
      return query_next(n, visit);
    case Ex::q_sort:
      return query_sort(n, visit);
    case Ex::q_map:
      return query_map(n, visit);
    case Ex::q_directions: {
      return each_direction(n.a, [&](Value direction) {
        return visit(Value::symbol(p_->direction_symbols[direction.payload()]));
      });
    }
    case Ex::q_effects:
      return query_effects(n, visit);
    default:
      return true;
  }
}

}  // namespace parlor::kernel
