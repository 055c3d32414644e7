// Which look-aheads ask for nothing but what lies in zones. Their answers are kept until one of the
// zones changes (legal/trials.h). Only shapes whose reading is noted while they run
// (HalfMove::note_read) are taken for such; saying no to another costs time and nothing else.
#include "kernel/link/linker.h"
#include "kernel/program/operands.h"
#include "kernel/program/traits.h"

namespace parlor::kernel {

namespace {

class Locality {
 public:
  explicit Locality(const Program& program) : p_(program) {}

  TrialPlan plan(const ActionInfo& action) {
    if (!action.look_ahead || !action.pipelines.empty() || !action.packed ||
        !action.before.empty() || !action.validate.empty())
      return {};
    for (const Step& step : action.order)
      if (step.ask == Ask::executor) return {};
    const UnitInfo& unit = p_.units[action.unit];
    int last = -1, tail = -1;
    for (int pc = unit.entry; pc < unit.end; ++pc)
      if (p_.refuses[pc]) last = pc;
    for (int pc = unit.entry; pc <= last && tail < 0; ++pc)
      if (!is_local(at(pc))) tail = pc;
    if (last < 0 || tail == unit.entry) return {};
    if (tail >= 0 && (p_.sums.size() > most_trial_sums || !is_tail(tail, last))) return {};
    // Nothing in front leads into the middle of what is behind, or writes what is asked there.
    for (int pc = unit.entry; pc < tail; ++pc)
      if (const int to = target_of(at(pc));
          (to > tail && to <= last) || at(pc).op == Op::set_var || at(pc).op == Op::add_var)
        return {};
    made_.local = true;
    made_.by_zone = action.params.size() == 1 && action.params[0].kind == ItemKind::zone &&
                    !action.order.empty() && action.order.back().ask == Ask::completes;
    made_.tail = tail;
    return made_;
  }

 private:
  const Instr& at(int pc) const { return p_.code[pc]; }
  const Node& node(NodeId n) const { return p_.nodes[n]; }

  // Which token it is does not matter: new ones have other numbers in other states.
  static bool tests_property(const Node& n) {
    return spec::TokenTest::Field{n.a} == spec::TokenTest::Field::prop && n.b >= 0;
  }

  // A token that another one names may lie anywhere.
  bool holds_numbers(int prop) const {
    return prop >= 0 && std::ranges::none_of(p_.types, [&](const TypeInfo& type) {
             return type.column[prop] >= 0 && type.cell[prop] == CellType::symbol;
           });
  }

  // ---- What asks only for what lies in zones
  bool is_local(const Instr& i) const {
    if (!has(i.op, trait::local)) return false;
    if (i.op == Op::move_token && spec::ZonePosition{i.x} != spec::ZonePosition::top) return false;
    // What is written nobody asks for: variables are not among what is local.
    if ((i.op == Op::set_var || i.op == Op::add_var) && i.d == 1) return false;
    bool local = true;
    each_operand(p_, i, [&](NodeId part) { local = local && is_local(part); });
    return local;
  }

  bool is_local(NodeId index) const {
    const Node& n = node(index);
    switch (n.op) {
      case Ex::count:
        if (n.b >= 0) return false;
        break;
      case Ex::token_prop:
        if (!holds_numbers(n.b)) return false;
        break;
      case Ex::q_bits:
        return is_local_set(n.a);
      case Ex::zone_in:
        return is_local(n.a) && is_local_set(n.b);
      case Ex::any_connected:
        return is_local(n.a) && is_local_set(n.b) && is_local_set(n.c);
      case Ex::q_connected:
        return is_local(n.a) && (n.c < 0 || is_local(n.c) ||
                                 (node(n.c).op == Ex::in_set && is_local_set(node(n.c).a)));
      case Ex::f_test:
        if (!tests_property(n)) return false;
        break;
      default:
        if (!has(n.op, trait::local)) return false;
    }
    bool local = true;
    each_operand(p_, n, [&](NodeId part) { local = local && is_local(part); });
    return local;
  }

  // Whether a zone is in it depends on what lies there alone.
  bool is_local_set(NodeId index) const {
    const Node& n = node(index);
    switch (n.op) {
      case Ex::b_family:
        return is_local(n.b) && is_local(n.c);
      case Ex::b_not:
      case Ex::b_keep:
        return is_local_set(n.a);
      case Ex::b_and:
      case Ex::b_or:
        return is_local_set(n.a) && is_local_set(n.b);
      case Ex::b_if:
        return is_local(n.a);
      default:
        return has(n.op, trait::leaf);
    }
  }

  // ---- What may come last: sums that are kept, variables, and tokens in a zone of the rules' own
  bool is_tail(int from, int last) {
    for (int pc = from; pc <= last; ++pc) {
      const Instr& i = at(pc);
      TrialPlan::Step step;
      switch (i.op) {
        case Op::reduce: {
          const Operand* e = &p_.extra[i.a];
          if (i.c < 0 || e[3] >= 0 || node(e[1]).op != Ex::constant) return false;
          const Value start = p_.constants[node(e[1]).a];
          if (!start.is_int() || start.payload() < 0 || start.payload() >= p_.sums[i.c].modulus)
            return false;
          step = {TrialPlan::Step::Kind::sum, i.b, i.c, start.payload()};
          bound_.push_back(i.b);
          break;
        }
        case Op::set_var:
          if (i.x != 0 || i.d == 1 || p_.gvars[i.a].boolean || node(i.c).op != Ex::slot ||
              !in_tail(i.c))
            return false;
          step = {TrialPlan::Step::Kind::var, node(i.c).a, i.a};
          break;
        case Op::fail_unless:
          if (!in_tail(i.a)) return false;
          step = {TrialPlan::Step::Kind::ask, {}, i.a};
          break;
        default:
          return false;
      }
      made_.steps.push_back(step);
    }
    return true;
  }

  bool in_tail(NodeId index) {
    const Node& n = node(index);
    switch (n.op) {
      case Ex::slot:
        return std::ranges::find(bound_, SlotId(n.a)) != bound_.end();
      case Ex::count: {
        const Node& tokens = node(n.a);
        if (tokens.op != Ex::q_tokens || node(tokens.a).op != Ex::z_const) return false;
        made_.zones.push_back(node(tokens.a).a);
        return tokens.b < 0 || in_tail(tokens.b);
      }
      case Ex::f_test:
        if (!tests_property(n)) return false;
        break;
      default:
        if (!has(n.op, trait::late)) return false;
    }
    bool fits = true;
    each_operand(p_, n, [&](NodeId part) { fits = fits && in_tail(part); });
    return fits;
  }

  const Program& p_;
  TrialPlan made_;
  std::vector<SlotId> bound_;  // slots that the tail has filled
};

}  // namespace

void Linker::find_local_trials() {
  if (p_.flow.cards || p_.flow.events || p_.secrets.any || !p_.natives.empty() || p_.uses_effects ||
      p_.zones.size() > most_words * 64)
    return;
  for (ActionInfo& action : p_.actions) action.trial = Locality(p_).plan(action);
}

}  // namespace parlor::kernel
