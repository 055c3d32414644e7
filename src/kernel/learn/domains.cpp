// What a query can give, whatever the state: known from the rules alone (actions.h).
#include <algorithm>

#include "kernel/learn/learning.h"

namespace parlor::kernel {
namespace {

constexpr std::int64_t most_integers = 256;     // of one domain
constexpr std::int64_t widest_table = 1 << 20;  // of values by payload

struct Interval {
  std::int64_t low = 0, high = 0;
  bool known = false;
};

// The numbers an expression can give, from the declared bounds of what it reads.
Interval interval_of(const Program& p, NodeId node) {
  const Node& n = p.nodes[node];
  const auto bounds = [](const VarInfo& var) { return Interval{var.min, var.max, true}; };
  const auto both = [&](NodeId first, NodeId second, auto combine) {
    const Interval a = interval_of(p, first), b = interval_of(p, second);
    constexpr std::int64_t large = std::int64_t{1} << 40;  // no overflow below
    if (!a.known || !b.known || std::min(a.low, b.low) < -large || std::max(a.high, b.high) > large)
      return Interval{};
    return combine(a, b);
  };
  switch (n.op) {
    case Ex::constant: {
      const Value v = p.constants[n.a];
      return {v.payload(), v.payload(), v.is_int()};
    }
    case Ex::gvar:
      return bounds(p.gvars[n.a]);
    case Ex::pvar:
      return bounds(p.pvars[n.a]);
    case Ex::zvar:
      return bounds(p.zvars[n.a]);
    case Ex::active_player:
    case Ex::player_number:
      return {0, p.players - 1, true};
    case Ex::add:
      return both(n.a, n.b, [](Interval a, Interval b) {
        return Interval{a.low + b.low, a.high + b.high, true};
      });
    case Ex::subtract:
      return both(n.a, n.b, [](Interval a, Interval b) {
        return Interval{a.low - b.high, a.high - b.low, true};
      });
    case Ex::minimum:
      return both(n.a, n.b, [](Interval a, Interval b) {
        return Interval{std::min(a.low, b.low), std::min(a.high, b.high), true};
      });
    case Ex::maximum:
      return both(n.a, n.b, [](Interval a, Interval b) {
        return Interval{std::max(a.low, b.low), std::max(a.high, b.high), true};
      });
    case Ex::if_value:
      return both(n.b, n.c, [](Interval a, Interval b) {
        return Interval{std::min(a.low, b.low), std::max(a.high, b.high), true};
      });
    default:
      return {};
  }
}

// What queries can give, collected.
class Offered {
 public:
  Offered(const Program& program, int tokens, Domain& out)
      : p_(program), tokens_(tokens), out_(out) {}

  void query(NodeId node) {
    const Node& n = p_.nodes[node];
    switch (n.op) {
      case Ex::q_players:
        out_.players = true;
        return integers({0, p_.players - 1, true});
      case Ex::q_activities:
        out_.values.add(Value::symbol(p_.flow.none));
        [[fallthrough]];
      case Ex::q_values:
        for (const Value v : p_.lists[n.a]) out_.values.add(v);
        return;
      case Ex::q_zones:
        for (const ZoneId z : p_.set_members[n.a]) zone(z);
        return;
      case Ex::q_bits:
        return query(n.b);
      case Ex::q_adjacent:
        return every_zone([](const ZoneInfo& z) -> const auto& { return z.neighbours; });
      case Ex::q_step:
      case Ex::q_ray:
        return every_zone([](const ZoneInfo& z) -> const auto& { return z.steps; });
      case Ex::q_connected:
      case Ex::q_token_zones:
        for (const ZoneId z : p_.zones.ids()) zone(z);
        return;
      case Ex::q_directions:
      case Ex::q_ways:
        for (const Symbol direction : p_.direction_symbols)
          out_.values.add(Value::symbol(direction));
        return;
      case Ex::q_tokens:
      case Ex::q_map_tokens:
      case Ex::q_adjacent_tokens:
        for (int t = 0; t < tokens_; ++t) out_.values.add(Value::token(TokenId(t)));
        out_.open |= tokens_ < 0;
        return;
      case Ex::q_ints:
      case Ex::q_var_ints:
        return ranges(n);
      case Ex::q_next:
      case Ex::q_filter:
      case Ex::q_sort:
        return query(n.a);
      case Ex::named:
        return query(n.c);
      case Ex::q_concat:
      case Ex::q_prioritized:
        for (int i = 0; i < n.b; ++i) query(p_.extra[n.a + i]);
        return;
      case Ex::q_empty:
        return;
      default:  // lists, rows, effects in force: known only while playing
        out_.open = true;
    }
  }

 private:
  void zone(ZoneId z) { out_.values.add(Value::zone(z)); }
  template <class Targets>
  void every_zone(Targets targets) {
    Table<ZoneId, bool> reached(p_.zones.size());
    for (const ZoneInfo& info : p_.zones)
      for (const ZoneId z : targets(info))
        if (!z.is_none()) reached[z] = true;
    for (const ZoneId z : p_.zones.ids())
      if (reached[z]) zone(z);
  }
  void integers(const Interval& range) {
    if (!range.known || range.high - range.low >= most_integers) {
      out_.open = true;
      return;
    }
    for (std::int64_t v = range.low; v <= range.high; ++v)
      if (!out_.values.add(Value::integer(v))) out_.open = true;
  }
  void ranges(const Node& n) {
    const Operand* e = &p_.extra[n.a];
    const auto given = [&](NodeId node) {
      return !node.is_none() ? interval_of(p_, node) : Interval{};
    };
    const Interval low = given(e[0]), high = given(e[1]);
    Interval range{low.low, std::max(low.low, high.high), low.known && high.known};
    if (n.op == Ex::q_var_ints) {
      if (n.d == 1) return void(out_.open = true);
      const VarInfo& var = (n.c == 1 ? p_.pvars : p_.gvars)[n.b];
      range.low = low.known ? std::max(low.low, var.min) : var.min;
      range.high = std::max(range.low, high.known ? std::min(high.high, var.max) : var.max);
      range.known = true;
    }
    integers(range);
    for (int i = 0; i < e[4]; ++i) integers(interval_of(p_, e[5 + i]));
  }

  const Program& p_;
  int tokens_;
  Domain& out_;
};

}  // namespace

bool ValueNumbers::add(Value value) {
  if (find(value) >= 0) return true;
  Table& table = tables_[static_cast<std::size_t>(value.tag())];
  const std::int64_t payload = value.payload();
  if (table.place.empty()) table.low = payload;
  const auto high = table.low + std::ssize(table.place);
  if (std::max(payload, high) - std::min(payload, table.low) > widest_table) return false;
  if (payload < table.low) {
    table.place.insert(table.place.begin(), table.low - payload, -1);
    table.low = payload;
  }
  const std::size_t at = payload - table.low;
  if (at >= table.place.size()) table.place.resize(at + 1, -1);
  table.place[at] = size();
  values_.push_back(value);
  return true;
}

void ValueNumbers::add_all(const ValueNumbers& other) {
  for (const Value value : other.values_) add(value);
}

Domain domain_of_query(const Program& program, NodeId node, int tokens) {
  Domain out;
  Offered(program, tokens, out).query(node);
  return out;
}

std::optional<ReturnBounds> bounds_of_returns(const Program& program) {
  ReturnBounds out;
  const bool scored = std::ranges::any_of(program.terminals, [](const TerminalInfo& terminal) {
    return terminal.result == spec::ResultKind::score;
  });
  if (!scored || program.score.is_none()) return out;
  const Interval score = interval_of(program, program.score);
  if (!score.known) return std::nullopt;
  const bool highest = program.def.terminal.scoring->highest;
  out.low = std::min(out.low, highest ? score.low : -score.high);
  out.high = std::max(out.high, highest ? score.high : -score.low);
  return out;
}

}  // namespace parlor::kernel
