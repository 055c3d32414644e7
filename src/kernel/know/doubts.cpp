// What values could be for those who do not know them. Where a secret is written (a rolled die in a
// cup, a bid that nobody sees), its bounds are remembered with it: hidden.cpp draws from them. The
// bounds are those of what happened: of the dice that were rolled and the choices there were.
#include <algorithm>

#include "kernel/know/observers.h"
#include "kernel/program/operands.h"
#include "kernel/program/traits.h"
#include "kernel/run/machine.h"

namespace parlor::kernel {
namespace {

Doubt certain(Value v) {
  return {v.payload(), v.payload()};
}

// Of a sum, a difference or a product every bound is one of the four combinations of bounds.
template <class F>
Doubt corners(const Doubt& a, const Doubt& b, F&& f) {
  const std::int64_t all[] = {f(a.low, b.low), f(a.low, b.high), f(a.high, b.low),
                              f(a.high, b.high)};
  return {*std::min_element(all, all + 4), *std::max_element(all, all + 4), a.known & b.known,
          a.wide || b.wide};
}

}  // namespace

SlotId Doubts::shadow_of(SlotId slot) const {
  if (frames_.empty()) return {};
  const auto& of_unit = p_->secrets.shadows_of_unit[frames_.back().unit];
  return slot.index() < of_unit.size() ? SlotId(of_unit[slot.index()]) : SlotId::none();
}

Doubt Doubts::slot_doubt(SlotId index) const {
  const Value v = slot(index);
  const SlotId shadow = shadow_of(index);
  if (shadow.is_none() || slot(shadow).is_none()) return certain(v);
  return {slot(shadow).payload(), slot(shadow, 1).payload(), knowers_in(shadow), false};
}

void Doubts::note_doubt(SlotId index, const Doubt& doubt) {
  const SlotId shadow = shadow_of(index);
  if (shadow.is_none()) return;
  slot(shadow) = Value::integer(doubt.low);
  slot(shadow, 1) = Value::integer(doubt.high);
  slot(shadow, 2) = Value::integer(doubt.known);
}

void Doubts::note_binding(const Instr& i) {
  const SlotId bound = i.op == Op::loop_next ? i.b : i.a;
  if (shadow_of(bound).is_none()) return;
  const bool from_slot = i.op == Op::copy_slot || i.op == Op::loop_next;
  const SlotId from = i.op == Op::loop_next ? i.a : i.b;
  note_doubt(bound, from_slot ? slot_doubt(from) : doubt(i.b));
}

// The values there were to choose from; texts count by their places in the list of all.
void Doubts::note_choice(SlotId index, Value options, int player) {
  if (shadow_of(index).is_none()) return;
  Doubt out{0, 0, std::uint32_t{1} << player, false};
  for (std::size_t k = 0; k < list_size(options); ++k) {
    const std::int64_t n = list_at(options, k).payload();
    out.low = k == 0 ? n : std::min(out.low, n);
    out.high = k == 0 ? n : std::max(out.high, n);
  }
  note_doubt(index, out);
}

void Doubts::note_params(const ActionInfo& action) {
  for (const ParamInfo& param : action.params) {
    if (shadow_of(param.slot).is_none()) continue;
    const Value chosen = slot(param.slot);
    Doubt out{chosen.payload(), chosen.payload(), std::uint32_t{1} << header().active, false};
    if (param.kind != ItemKind::token)
      each(param.domain, [&](Value v) {
        out.low = std::min(out.low, v.payload());
        out.high = std::max(out.high, v.payload());
        return true;
      });
    clear_fault();
    note_doubt(param.slot, out);
  }
}

// Who chose the token that this expression names.
std::uint32_t Doubts::pickers_of(NodeId node) const {
  if (!p_->secrets.shadows) return 0;
  const Node& n = p_->as_written().nodes[node];
  const SlotId shadow = n.op == Ex::slot ? shadow_of(n.a) : SlotId::none();
  return shadow.is_none() || slot(shadow).is_none() ? 0 : knowers_in(shadow);
}

Doubt Doubts::var_doubt(const Node& n) {
  const int scope = n.op == Ex::gvar ? 0 : n.op == Ex::pvar ? 1 : 2;
  const int owner = scope == 0 ? 0 : scope == 1 ? player(n.b) : zone(n.b).value;
  if (owner < 0) return {};
  const int cell = memory_.cell_of(scope, owner, n.a);
  const std::int64_t now = memory_.var_cell(cell);
  const auto& numbers = p_->secrets.number_of_cell;
  const int number = numbers.empty() ? -1 : numbers[cell];
  if (number < 0) return {now, now};
  const VarRange& range = memory_.var_range(number);
  if (range.low > range.high) return {now, now};
  return {range.low, range.high, range.known | var_sight(cell), false};
}

// Whoever does not know the token does not know its properties: they could be those of any other.
Doubt Doubts::prop_doubt(const Node& n) {
  const TokenId t = token(n.a);
  if (t.is_none()) return {};
  const Value now = memory_.prop(t, n.b);
  if (!p_->secrets.tokens) return certain(now);
  Doubt out = certain(now);
  out.known = memory_.sight(t).known;
  if (const int column = p_->secrets.column_of_prop[n.b]; column >= 0)
    if (const ValueRange range = memory_.ranges(t)[column]; range.low <= range.high) {
      out.low = range.low;
      out.high = range.high;
      return out;
    }
  if (out.known == ~std::uint32_t{0}) return out;
  for (const TokenId u : memory_.tokens()) {
    const Value other = memory_.prop(u, n.b);
    if (other.is_none() || memory_.sight(u).known == ~std::uint32_t{0}) continue;
    out.low = std::min(out.low, other.payload());
    out.high = std::max(out.high, other.payload());
  }
  return out;
}

Doubt Doubts::combined(const Node& n) {
  const Doubt a = doubt(n.a), b = doubt(n.b);
  switch (n.op) {
    case Ex::add:
      return corners(a, b, [](std::int64_t x, std::int64_t y) { return x + y; });
    case Ex::subtract:
      return corners(a, b, [](std::int64_t x, std::int64_t y) { return x - y; });
    case Ex::multiply:
      return corners(a, b, [](std::int64_t x, std::int64_t y) { return x * y; });
    case Ex::minimum:
      return corners(a, b, [](std::int64_t x, std::int64_t y) { return std::min(x, y); });
    default:
      return corners(a, b, [](std::int64_t x, std::int64_t y) { return std::max(x, y); });
  }
}

// Whether anything in an expression is in doubt now.
bool Doubts::reads_doubt(NodeId node) {
  const auto& asks = p_->secrets.asks_tokens;
  if (p_->secrets.tokens && node.index() < asks.size() && asks[node.index()]) return true;
  bool out = false;
  each_part(p_->as_written(), node, [&](NodeId part) {
    if (out) return;
    const Node& n = p_->as_written().nodes[part];
    if (n.op == Ex::f_test || n.op == Ex::number_of) out |= p_->secrets.tokens;
    if (n.op == Ex::slot || n.op == Ex::gvar || n.op == Ex::pvar || n.op == Ex::zvar ||
        n.op == Ex::token_prop) {
      out |= doubt(part).any();
      // A binding of the expression's own has nothing in it now.
      if (failed_) out = true;
      clear_fault();
    }
  });
  return out;
}

Doubt Doubts::doubt(NodeId node) {
  const Node& n = p_->as_written().nodes[node];
  switch (n.op) {
    case Ex::constant:
      return certain(p_->constants[n.a]);
    case Ex::slot:
      return slot_doubt(n.a);
    case Ex::gvar:
    case Ex::pvar:
    case Ex::zvar:
      return var_doubt(n);
    case Ex::token_prop:
      return prop_doubt(n);
    case Ex::if_value: {
      if (!reads_doubt(n.a)) return doubt(test(n.a) == Truth::yes ? n.b : n.c);
      const Doubt yes = doubt(n.b), no = doubt(n.c);
      return {std::min(yes.low, no.low), std::max(yes.high, no.high), 0, yes.wide || no.wide};
    }
    default:
      if (has(n.op, trait::corners)) return combined(n);
      break;
  }
  if (p_->as_written().nodes[node].op >= Ex::q_players) {  // a list
    Doubt out;
    each_operand(p_->as_written(), n, [&](NodeId part) {
      const Node& inner = p_->as_written().nodes[part];
      if (inner.op == Ex::slot) out = slot_doubt(inner.a);
    });
    return out;
  }
  const Value now = value(node);
  if (failed_) return clear_fault(), Doubt{};
  if (!reads_doubt(node)) return certain(now);
  return {now.payload(), now.payload(), 0, true};
}

bool Doubts::hides_tokens_in(ZoneId zone) const {
  for (const TokenId t : memory_.tokens_in(zone))
    if (!asker_->see(memory_, t)) return true;
  return false;
}

// A filter asks the tokens of these zones and nothing else but its values.
bool Doubts::hides_tokens_of(const Node& query) {
  bool unseen = hidden_from_asker(query.a);
  if (!unseen)
    each(query.a, [&](Value z) {
      unseen = hides_tokens_in(z.as_zone());
      return !unseen;
    });
  if (query.b >= 0)
    each_part(p_->as_written(), query.b, [&](NodeId part) {
      const bool filters = gives(p_->as_written().nodes[part].op) == Gives::filter;
      unseen = unseen || (!filters && hidden_from_asker(part));
    });
  return unseen;
}

bool Doubts::hidden_from_asker(NodeId node) {
  if (asker_ == nullptr || node.is_none() || asker_->see_all()) return false;
  if (!p_->secrets.any && !asker_->through_observer()) return false;
  const Node& n = p_->as_written().nodes[node];
  bool out = false;
  switch (n.op) {
    case Ex::gvar:
      return !asker_->see_gvar(n.a);
    case Ex::pvar: {
      const int who = player(n.b);
      out = who < 0 || !asker_->see_pvar(who, n.a);
      break;
    }
    case Ex::zvar: {
      const ZoneId z = zone(n.b);
      out = z.is_none() || !asker_->see_zvar(z, n.a);
      break;
    }
    case Ex::token_prop:
    case Ex::token_id:
    case Ex::token_type: {
      const TokenId t = token(n.a);
      out = t.is_none() || !asker_->see(memory_, t);
      break;
    }
    case Ex::number_of:
      out = is_unseen(value(n.a));
      break;
    case Ex::zone_count: {
      const ZoneId z = zone(n.a);
      out = z.is_none() || !asker_->see_count(z);
      break;
    }
    case Ex::q_map_tokens:
      out = hides_tokens_of(n);
      clear_fault();
      return out;
    case Ex::q_tokens: {
      const ZoneId z = zone(n.a);
      out = z.is_none() || hides_tokens_in(z);
      clear_fault();
      return out;
    }
    case Ex::f_test:
    case Ex::b_feature:
    case Ex::b_family:
    case Ex::b_within:
    case Ex::b_without:
    case Ex::b_player:
    case Ex::gvar_named:
    case Ex::pvar_named:
    case Ex::zvar_named:
      return true;
    default:
      break;
  }
  clear_fault();
  each_operand(p_->as_written(), n, [&](NodeId part) { out = out || hidden_from_asker(part); });
  return out;
}

// ---- Where it is written down

Doubt Doubts::var_write_doubt(const Instr& i, int cell) {
  if (p_->secrets.number_of_cell[cell] < 0) return {};
  Doubt out = doubt(i.c);
  clear_fault();
  if (i.op != Op::add_var) return out;
  const VarRange& range = memory_.var_range(p_->secrets.number_of_cell[cell]);
  const std::int64_t now = memory_.var_cell(cell);
  const bool before = range.low <= range.high;
  out.low += before ? range.low : now;
  out.high += before ? range.high : now;
  if (before) out.known &= range.known | var_sight(cell);
  return out;
}

namespace {
const VarInfo& var_of_cell(const Program& p, int cell) {
  const int globals = p.gvars.next().value, own = p.pvars.next().value;
  if (cell < globals) return p.gvars[VarId(cell)];
  cell -= globals;
  if (cell < p.players * own) return p.pvars[VarId(cell % own)];
  return p.zvars[VarId((cell - p.players * own) % p.zvars.next().value)];
}
}  // namespace

void Doubts::write_range(int cell, const Doubt& doubt) {
  if (p_->secrets.cells.empty()) return;
  const int number = p_->secrets.number_of_cell[cell];
  if (number < 0) return;
  const VarInfo& var = var_of_cell(*p_, cell);
  VarRange& range = memory_.var_range(number);
  range = {1, 0, 0, 0};
  if (!doubt.any()) return;
  const std::int64_t least = var.boolean ? 0 : var.min, most = var.boolean ? 1 : var.max;
  range.low = doubt.wide ? least : std::clamp(doubt.low, least, most);
  range.high = doubt.wide ? most : std::clamp(doubt.high, least, most);
  range.known = doubt.known;
}

// A change that everybody can follow moves what is in doubt along.
void Doubts::shift_range(int cell, std::int64_t by) {
  const int number = p_->secrets.number_of_cell[cell];
  if (number < 0) return;
  VarRange& range = memory_.var_range(number);
  if (range.low > range.high) return;
  const VarInfo& var = var_of_cell(*p_, cell);
  range.low = std::clamp(range.low + by, var.min, var.max);
  range.high = std::clamp(range.high + by, var.min, var.max);
}

void Doubts::blur_prop(TokenId t, int prop, NodeId node) {
  const int column = p_->secrets.column_of_prop[prop];
  if (column < 0) return;
  const Doubt doubt = this->doubt(node);
  clear_fault();
  ValueRange& range = memory_.ranges(t)[column];
  range = no_doubt;
  if (!doubt.any()) return;
  const TypeInfo& type = p_->types[memory_.token(t).type];
  if (type.cell[prop] == CellType::symbol) {
    range.low = 0;
    range.high = std::ssize(p_->secrets.words[prop]) - 1;
  } else if (doubt.wide) {  // as far as is known from the others
    range.low = doubt.low;
    range.high = doubt.high;
    for (const TokenId u : memory_.tokens())
      if (const Value v = memory_.prop(u, prop); v.is_int() || v.is_bool()) {
        range.low = std::min(range.low, v.index());
        range.high = std::max(range.high, v.index());
      }
  } else {
    constexpr std::int64_t least = INT32_MIN + 1, most = INT32_MAX;
    range.low = std::clamp(doubt.low, least, most);
    range.high = std::clamp(doubt.high, least, most);
  }
  knowledge().blurred(t, doubt.known);
}

}  // namespace parlor::kernel
