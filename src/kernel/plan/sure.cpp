// Which expressions cannot fault, whatever the state. What listing found out about those needs not
// be asked again when an option is made; about all others it is, so that a fault is never lost.
// Only plain shapes are known to be sure; saying no to a sound one costs a little time and nothing
// else.
#include "kernel/link/linker.h"
#include "kernel/program/operands.h"
#include "kernel/program/traits.h"

namespace parlor::kernel {

namespace {

class Sureness {
 public:
  // Parameters of the action are bound, and so is a zone that is being asked about. Other bindings
  // (`trusting`) are taken to be made before they are read.
  explicit Sureness(const Program& program, const ActionInfo* action, SlotId zone_slot = {},
                    bool trusting = false)
      : p_(program), action_(action), zone_slot_(zone_slot), trusting_(trusting) {}

  // A condition, players, a zone or a zone set.
  bool cannot_fault(NodeId node) const {
    const Node& n = at(node);
    switch (n.op) {
      // An attribute the zone lacks makes a comparison false.
      case Ex::equal:
      case Ex::not_equal:
        return (value(n.a) || attribute(n.a, false)) && (value(n.b) || attribute(n.b, false));
      case Ex::less:
      case Ex::less_equal:
      case Ex::greater:
      case Ex::greater_equal:
        return (integer(n.a) || attribute(n.a, true)) && (integer(n.b) || attribute(n.b, true));
      case Ex::line_bits:
        return cannot_fault(n.a) && integer(n.b);
      case Ex::p_slot:
        return is_param(n.a, ItemKind::player);
      case Ex::z_slot: {
        const ParamInfo* found = param(n.a);
        return n.a == zone_slot_ || (found != nullptr && found->kind == ItemKind::zone);
      }
      default: {
        bool sure = has(n.op, trait::sure);
        if (sure) each_operand(p_, n, [&](NodeId part) { sure = sure && cannot_fault(part); });
        return sure;
      }
    }
  }

  // A statement that changes at most variables of the game, and goes on behind itself.
  bool statement(const Instr& i) const {
    switch (i.op) {
      case Op::remember_phase:
      case Op::skip_if_free:
      case Op::mark_events:
      case Op::drop_events:
        return true;
      case Op::keep_state:
        return i.x == 0;
      case Op::set_var:
      case Op::add_var:
        return i.x == 0 && i.d != 1 && !p_.gvars[i.a].boolean &&
               p_.gvars[i.a].type == spec::VarType::integer && integer(i.c);
      default:
        return false;
    }
  }

  bool query(NodeId node) const {
    const Node& n = at(node);
    return n.op == Ex::q_bits ? cannot_fault(n.a) : n.op == Ex::q_players || n.op == Ex::q_values;
  }
  bool value(NodeId node) const {
    const Node& n = at(node);
    if (n.op == Ex::constant || n.op == Ex::gvar || n.op == Ex::global_marker_state) return true;
    if (n.op == Ex::pvar) return cannot_fault(n.b);
    if (n.op == Ex::zone_id) return cannot_fault(n.a);
    if (n.op == Ex::slot) return trusting_ || param(n.a) != nullptr;
    return integer(node);
  }

 private:
  const Node& at(NodeId node) const { return p_.nodes[node]; }

  const ParamInfo* param(SlotId slot) const {
    if (action_ != nullptr)
      for (const ParamInfo& param : action_->params)
        if (param.slot == slot) return &param;
    return nullptr;
  }
  bool is_param(NodeId node, ItemKind kind) const {
    const Node& n = at(node);
    const ParamInfo* found = n.op == Ex::slot ? param(n.a) : nullptr;
    return found != nullptr && found->kind == kind;
  }
  // Of a zone: as far as zones have it, it is a number, or at least no list.
  bool attribute(NodeId node, bool number) const {
    const Node& n = at(node);
    if (n.op == Ex::zone_category) return !number && cannot_fault(n.a);
    if (n.op != Ex::zone_attribute || !cannot_fault(n.a)) return false;
    for (const ZoneId z : p_.zones.ids()) {
      const Value v = p_.attribute(z, n.b);
      if (!v.is_none() && (v.is_list() || (number && !v.is_int()))) return false;
    }
    return true;
  }
  // All tokens have it, and it is a number.
  bool number(int prop) const {
    return p_.all_have(prop) && std::ranges::all_of(p_.types, [=](const TypeInfo& type) {
             return type.cell[prop] == CellType::integer;
           });
  }
  bool integer(NodeId node) const {
    const Node& n = at(node);
    switch (n.op) {
      case Ex::constant:
        return p_.constants[n.a].is_int();
      case Ex::gvar:
        return !p_.gvars[n.a].boolean;
      case Ex::pvar:
        return !p_.pvars[n.a].boolean && cannot_fault(n.b);
      case Ex::zvar:
        return cannot_fault(n.b);
      case Ex::zone_count:
        return cannot_fault(n.a);
      case Ex::active_player:
      case Ex::clock:
        return true;
      case Ex::player_number:
        return cannot_fault(n.a);
      case Ex::count:
        return query(n.a);
      case Ex::count_bits:
        return cannot_fault(n.a);
      case Ex::minimum:
      case Ex::maximum:
        return integer(n.a) && integer(n.b);
      case Ex::token_prop:
        return n.b >= 0 && p_.tokens_stay && is_param(n.a, ItemKind::token) && number(n.b);
      default:
        return is_param(node, ItemKind::integer) || is_param(node, ItemKind::player);
    }
  }
  const Program& p_;
  const ActionInfo* action_;
  SlotId zone_slot_;
  bool trusting_;
};

}  // namespace

bool sure_set(const Program& program, const ActionInfo& action, NodeId set) {
  return Sureness(program, &action).cannot_fault(set);
}

bool sure_value(const Program& program, NodeId value) {
  return Sureness(program, nullptr, {}, true).value(value);
}

bool sure_condition(const Program& program, NodeId condition, SlotId zone_slot) {
  return Sureness(program, nullptr, zone_slot, true).cannot_fault(condition);
}

bool sure_statement(const Program& program, const Instr& statement) {
  return Sureness(program, nullptr).statement(statement);
}

bool sure_step(const Program& program, const ActionInfo& action, const Step& step) {
  const Sureness sure(program, &action);
  switch (step.ask) {
    case Ask::limit:
    case Ask::blocked:
    case Ask::row:
    case Ask::coup_card:
    case Ask::pivotal:
    case Ask::monsoon:
    case Ask::lasting:
    case Ask::viable:
      return true;
    case Ask::phase_pre:
    case Ask::pre:
      return sure.cannot_fault(step.what);
    case Ask::actor:
      return sure.cannot_fault(step.what);
    // Asked anew whenever the action is begun: they say who carries it out and how.
    case Ask::executor:
    case Ask::pipeline:
    case Ask::hook:
    case Ask::price:
    case Ask::param:
    case Ask::completes:
      break;
  }
  return false;
}

}  // namespace parlor::kernel
