// Statements as C++.
#include <algorithm>

#include "kernel/printed/move_parts.h"

namespace parlor::kernel {

// ---- Statements

void Printer::hand_over_slots(const std::string& to) {
  for (const auto& [slot, made] : params_) line("{}[{}] = {};", to, slot, as_value(made));
  for (const auto& [slot, about] : move_slots_) line("{}[{}] = slot_{};", to, slot, slot);
  for (const int slot : own_params_) {  // what could be said of them by others
    const int shadow = shadow_of(slot).value;
    line("{0}[{1}] = {0}[{1} + 1] = Value::integer({0}[{2}].payload());", to, shadow, slot);
    line("{}[{} + 2] = Value::integer(std::int64_t{{1}} << own);", to, shadow);
  }
}

// Of the variables of a scope that are numbers the one with this name.
void Printer::set_named_variable(const Instr& i) {
  const Made made = value(i.c), name = value(i.a.value);
  const std::string n = number(made), key = fresh('k'), var = fresh('n'), to = fresh('n');
  std::string owner;
  if (i.x == 1) owner = player(i.b);
  if (i.x == 2) owner = zone(i.b);
  std::string which, least, most;
  const auto& vars = p_.vars(i.x);
  for (const VarId id : vars.ids()) {
    const VarInfo& info = vars[id];
    const auto symbol = p_.symbols.find(info.name);
    least += fmt::format("{}, ", info.min);
    most += fmt::format("{}, ", info.max);
    if (symbol && !info.boolean && info.type == spec::VarType::integer)
      which += fmt::format("{}.bits == {}u ? {} : ", key,
                           Value::symbol(static_cast<Symbol>(symbol->value)).bits, id);
  }
  line("const Value {} = {};", key, as_value(name));
  line("const int {} = {}-1;", var, which);
  give_up_if(var + " < 0");
  const std::size_t globals = p_.gvars.size(),
                    players = globals + static_cast<std::size_t>(p_.players) * p_.pvars.size();
  std::string cell = fmt::format("place({})", var);
  if (i.x == 1) cell += fmt::format(" + {} + place({}) * {}", globals, owner, p_.pvars.size());
  if (i.x == 2) cell += fmt::format(" + {} + place({}) * {}", players, owner, p_.zvars.size());
  line("std::int64_t {} = {};", to, n);
  if (i.op == Op::add_var)
    line("{} += v.at<std::int64_t>({} + ({}) * 8);", to, p_.layout.globals, cell);
  const std::string low = table(fmt::format("least_{}", i.x), "std::int64_t", least),
                    high = table(fmt::format("most_{}", i.x), "std::int64_t", most);
  line("{0} = {0} < {1}[{3}] ? {1}[{3}] : {0} > {2}[{3}] ? {2}[{3}] : {0};", to, low, high, var);
  write_cell_of_var(cell, to, {i.x, owner, var});
}

void Printer::set_variable(const Instr& i) {
  if (i.d == 1) return set_named_variable(i);
  const Made made = value(i.c);
  const auto& vars = p_.vars(i.x);
  const VarInfo& info = vars[i.a];
  std::string cell = fmt::format("{}", i.a);
  const std::size_t globals = p_.gvars.size(),
                    players = globals + static_cast<std::size_t>(p_.players) * p_.pvars.size();
  std::string owner;
  if (i.x == 1) owner = player(i.b);
  if (i.x == 2) owner = zone(i.b);
  if (i.x == 1)
    cell = fmt::format("{} + place({}) * {}", globals + static_cast<std::size_t>(i.a), owner,
                       p_.pvars.size());
  if (i.x == 2)
    cell = fmt::format("{} + place({}) * {}", players + static_cast<std::size_t>(i.a), owner,
                       p_.zvars.size());
  std::string n;
  if (info.boolean) {
    if (i.op == Op::add_var) cannot("adding to what is true or false");
    if (made.kind != Kind::boolean) give_up_if(fmt::format("!{}.is_bool()", as_value(made)));
    n = made.kind == Kind::boolean ? fmt::format("std::int64_t{{{}}}", made.text)
                                   : fmt::format("{}.payload()", as_value(made));
  } else {
    n = number(made);
  }
  const std::string to = fresh('n');
  line("std::int64_t {} = {};", to, n);
  if (i.op == Op::add_var)
    line("{} += v.at<std::int64_t>({} + ({}) * 8);", to, p_.layout.globals, cell);
  if (!info.boolean)
    line("{0} = {0} < {1} ? {1} : {0} > {2} ? {2} : {0};", to,
         fmt::format("std::int64_t{{{}}}", info.min), fmt::format("std::int64_t{{{}}}", info.max));
  write_cell_of_var(cell, to, {i.x, owner, fmt::format("{}", i.a)});
}

// Whether a variable, or (none) any of a scope, may hold what somebody does not know.
bool Printer::may_be_secret(int scope, VarId var) const {
  if (p_.secrets.cells.empty()) return false;
  const int globals = p_.gvars.next().value, own = p_.pvars.next().value;
  return std::ranges::any_of(p_.secrets.cells, [&](int cell) {
    const int players = globals + p_.players * own;
    const int where = cell < globals ? 0 : cell < players ? 1 : 2;
    if (where != scope) return false;
    const int which = where == 0   ? cell
                      : where == 1 ? (cell - globals) % own
                                   : (cell - players) % p_.zvars.next().value;
    return var.is_none() || which == var.value;
  });
}

// Of all variables the one with this number. Triggers may hear of it.
void Printer::write_cell_of_var(const std::string& cell, const std::string& to,
                                const WrittenVar& var) {
  const std::string at = fresh('c');
  line("const std::size_t {} = {};", at, cell);
  if (stretching_ && p_.emits_var_events)
    line("const auto {}_before = v.at<std::int64_t>({} + {} * 8);", at, p_.layout.globals, at);
  line(
      "write_hashed(v.ref<std::uint64_t>({}), v.var_keys[{}], v.ref<std::int64_t>({} + {} * 8), "
      "{});",
      offset_in_header(&Header::hash), at, p_.layout.globals, at, to);
  if (stretching_ && p_.emits_var_events)
    line("if ({0}_before != {1}) v.calls->changed(v, {2}, {3}, {4}, {0}_before, {1});", at, to,
         var.scope, var.owner.empty() ? "0" : var.owner, var.number);
}

// A reduce whose sum is kept; where that does not say enough the machine goes through it.
bool Printer::kept_sum(const Instr& i) {
  if (i.c < 0 || extra(i.a + 3) >= 0) return false;
  const KeptSum& def = p_.sums[i.c];
  const std::string first = integer(extra(i.a + 1)), kept = fresh('s');
  line("const auto {} = v.at<SumRecord>({});", kept,
       p_.layout.sums + static_cast<std::size_t>(i.c) * sizeof(SumRecord));
  give_up_if(fmt::format("{0}.odd != 0 || {1} < 0 || {1} >= {2}", kept, first, def.modulus));
  assign(i.b, {fmt::format("(({}) * {} + {}.sum) % {}", first, def.whole, kept, def.modulus),
               Kind::integer});
  return true;
}

// So many rounds at most, as long as something holds.
bool Printer::while_statement(const Instr& i) {
  if (i.op == Op::while_begin) {
    const std::string limit = integer(i.b);
    assign(i.a, {limit, Kind::integer});
    assign(i.a + 1, {stretching_ && names_ ? "v.calls->names(v)" : "std::int64_t{0}",
                     Kind::integer});  // templated names, of which moves that are printed have none
    return true;
  }
  if (stretching_ && names_)
    give_up_if(fmt::format("v.calls->names(v) > v.slots[{}].payload()", i.a + 1));
  const std::string when = truth(i.b);
  if (stretching_) let_go_of_bindings();
  line("if (!{}) goto at_{};", when, i.c);
  const std::string left = number(local(i.a));
  give_up_if(left + " <= 0");
  assign(i.a, {left + " - 1", Kind::integer});
  return true;
}

void Printer::begin_loop(const Instr& i) {
  if (node(i.b).op == Ex::q_list) return cannot("a list of the machine's");
  const std::string name = fmt::format("loop_{}", i.a);
  const Node& query = node(i.b);
  std::string limit;
  if (i.c >= 0) {
    limit = integer(i.c);
    give_up_if(limit + " < 0");
  }
  if (i.c < 0 && query.op == Ex::q_bits && can_set(query.a)) {
    spend(1);
    const std::string found = set(query.a);
    line("{} = {};", name, found);
    return;
  }
  line("{0}.size = {0}.next = 0;", name);
  std::vector<Kind> kinds;
  const std::string r = loop(i.b, [&](const Made& item) {
    kinds.push_back(kept_kind(item.kind, p_.tokens_stay));
    const bool typed = loop_kinds_[i.a].first != Kind::any;
    if (typed && loop_kinds_[i.a].first != kinds.back()) cannot("a loop over several kinds");
    give_up_if(fmt::format("!{}.add({})", name, typed ? item.text : as_value(item)));
  });
  give_up_with(r);
  if (i.c >= 0)
    line("if (static_cast<std::int64_t>({0}.size) > {1}) {0}.size = place({1});", name, limit);
  const bool uniform = !kinds.empty() &&
                       std::ranges::all_of(kinds, [&](Kind kind) { return kind == kinds.front(); });
  next_loop_kinds_[i.a] = {uniform ? kinds.front() : Kind::any, false};
}

void Printer::next_round(const Instr& i) {
  const std::string name = fmt::format("loop_{}", i.a);
  const auto [kind, bits] = loop_kinds_[i.a];
  if (i.d >= 0 && bits) cannot("how many rounds there were");
  line("if ({}) {{",
       bits ? fmt::format("!{}.any()", name) : fmt::format("{0}.next >= {0}.size", name));
  line("  slot_{} = {{}};", i.b);
  if (i.d >= 0) {
    ++depth_;
    assign(i.d, {fmt::format("static_cast<std::int64_t>({}.next)", name), Kind::integer});
    --depth_;
  }
  line("  goto at_{};", i.c);
  line("}}");
  if (bits) {
    const std::string z = fresh('z');
    line("int {} = 0;", z);
    line("{0}.each([&](int z) {{ {1} = z; return false; }});", name, z);
    line("{}.drop({});", name, z);
    assign(i.b, {z, Kind::zone});
  } else {
    assign(i.b, {fmt::format("{0}.at({0}.next)", name), kind});
    line("++{}.next;", name);
  }
}

// A statement that asks nobody and leads nowhere else: luck, whatever somebody does not see, and
// values that are not printed.
bool Printer::machine_may_do(const Instr& i) const {
  switch (i.op) {
    case Op::roll:
      return i.d < 0;
    case Op::pay:
      return !p_.uses_effects;
    default:
      return has(i.op, trait::by_machine);
  }
}

// The machine carries out a statement alone, or several that belong together.
bool Printer::by_machine(const Instr& i) {
  if (trying_ || (i.op != Op::subset_begin && !whole_loops_.contains(pc_) && !machine_may_do(i)))
    return false;
  const int end = behind(pc_);
  by_machine_because_.emplace(pc_, why_);
  if (unit_->slots > 0) line("for (int k = 0; k < {}; ++k) view.slots[k] = {{}};", unit_->slots);
  hand_over_slots("view.slots");
  late_ = helped_ = true;
  catch_up();
  line("if (!v.help->step(v, {}, {}, {}, acting)) return trouble;", unit_ - p_.units.data(), pc_,
       end);
  take_slots_back(pc_, end);
  return true;
}

// What the machine has bound meanwhile. Lists are the machine's, and gone with it.
void Printer::take_slots_back(int from, int end) {
  const auto value = [&](int slot) {
    if (slot < 0) return;
    MoveSlot& about = next_slots_[slot];
    about = {about.first < 0 ? pc_ : about.first, Kind::any};
    line("slot_{0} = view.slots[{0}].is_list() ? Value{{}} : view.slots[{0}];", slot);
  };
  const auto number = [&](int slot) {
    const std::string n = fmt::format("view.slots[{}]", slot);
    give_up_if(fmt::format("!{}.is_int()", n));
    assign(slot, {n + ".payload()", Kind::integer});
  };
  const bool alone = end == from + 1;
  for (int at = from; at < end; ++at) {
    const Instr& i = code(at);
    if (i.op == Op::roll) alone ? number(i.a) : value(i.a);
    if (i.op == Op::transfer_var && i.b >= 0) alone ? number(i.b) : value(i.b);
    if (i.op == Op::subset_end) number(i.b);
    if (i.op == Op::bind || i.op == Op::copy_slot) value(i.a);
    if (i.op == Op::loop_next) value(i.d);
    const int bound = i.op == Op::loop_next ? i.b.value : i.a.value;
    if (const SlotId shadow = binds_secret(i) ? shadow_of(bound) : SlotId::none();
        !shadow.is_none())
      for (int k = 0; k < 3; ++k) value(shadow.value + k);
  }
}

bool Printer::statement(const Instr& i) {
  const std::string before = out_;
  const auto left = left_;
  const std::int64_t work = static_work_, token_work = token_work_;
  const auto slots = next_slots_;
  if (!whole_loops_.contains(pc_) && printed_statement(i) && fits()) return true;
  out_ = before;
  left_ = left;
  next_slots_ = slots;
  static_work_ = work;
  token_work_ = token_work;
  left_something_ = unprintable_ = false;
  return by_machine(i);
}

// What steers, without changing the state.
bool Printer::control_statement(const Instr& i) {
  switch (i.op) {
    case Op::jump:
      line("goto at_{};", i.a);
      return true;
    case Op::jump_unless: {
      const std::string when = truth(i.b);
      if (stretching_) let_go_of_bindings();
      line("if (!{}) goto at_{};", when, i.a);
      return true;
    }
    case Op::fail_unless: {
      const std::string holds = truth(i.a);
      if (trying_)
        line("if (!{}) return no;", holds);
      else
        give_up_if("!" + holds);
      return true;
    }
    case Op::choose_one:
      if (trying_) try_answers(i);
      return trying_;
    case Op::clear_slots:
      if (stretching_ && i.b > 0)
        line("for (int k = {}; k < {}; ++k) v.slots[k] = {{}};", i.a, i.a + i.b);
      for (int k = i.a; !stretching_ && k < i.a + i.b; ++k)
        if (move_slots_.contains(k)) line("slot_{} = {{}};", k);
      return true;
    case Op::loop_begin:
      begin_loop(i);
      return true;
    case Op::loop_next:
      next_round(i);
      return true;
    case Op::while_begin:
    case Op::while_next:
      return while_statement(i);
    default:
      return false;
  }
}

bool Printer::printed_statement(const Instr& i) {
  if (binds_secret(i)) return false;
  switch (i.op) {
    case Op::set_var:
    case Op::add_var:
      if (may_be_secret(i.x, i.d == 1 ? VarId::none() : VarId(i.a))) return false;
      set_variable(i);
      return true;
    case Op::set_active: {
      const std::string who = player(i.a);
      line("v.ref<std::uint8_t>({}) = static_cast<std::uint8_t>({});",
           offset_in_header(&Header::active), who);
      return true;
    }
    case Op::bind:
      assign(i.a, value(i.b));
      return true;
    case Op::copy_slot: {
      const Made from = local_or_param(i.b);
      assign(i.a, from);
      return true;
    }
    case Op::reduce:
      return kept_sum(i);
    case Op::pay:
      return !trying_ && pay(i);
    case Op::spend_charges:  // without effects in force there are none
      return !trying_;
    case Op::settle:
      if (!trying_) return settle(i);
      line("return yes;");
      return i.b < 0;
    default:
      if (control_statement(i) || phase_statement(i)) return true;
      if (!trying_ && turn_statement(i)) return true;
      return keeps_secrets(i) && token_statement(i);
  }
}

}  // namespace parlor::kernel
