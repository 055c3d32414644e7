// Lays values and conditions of nothing but numbers, names and tokens out as scalar tapes
// (run/eval_scalars.cpp). They are pure: a run that is given up leaves nothing behind, and the same
// expression evaluated as it stands says what is wrong.
#include "kernel/link/linker.h"
#include "kernel/program/operands.h"
#include "kernel/program/traits.h"

namespace parlor::kernel {

namespace {

class ScalarTapes {
 public:
  explicit ScalarTapes(Program& program) : p_(program) {}

  void run() {
    Table<NodeId, bool> inside(p_.nodes.size());  // of an expression that has a tape
    // What uses an operand stands behind it.
    for (std::size_t left = p_.nodes.size(); left > 0; --left) {
      const NodeId i(left - 1);
      const Node n = p_.nodes[i];
      if (inside[i] || !can_begin(n)) continue;
      steps_.clear();
      const int result = lay_whole(i);
      if (result < 0 || steps_.size() < 2) continue;
      // The last step is the result.
      if (result + 1 != std::ssize(steps_)) continue;
      Operand& tape = n.op == Ex::if_value ? p_.nodes[i].d : p_.nodes[i].c;
      SetTape made;
      made.first = std::ssize(p_.scalar_steps);
      made.count = std::ssize(steps_);
      tape = append(p_.scalar_tapes, made);
      p_.scalar_steps.insert(p_.scalar_steps.end(), steps_.begin(), steps_.end());
      each_operand(p_, n, [&](NodeId part) { mark(part, inside); });
    }
  }

 private:
  static bool can_begin(const Node& n) {
    switch (n.op) {
      case Ex::all_of:
      case Ex::any_of:
        return n.d < 0 && n.b > 0;
      case Ex::not_of:
      case Ex::if_value:
        return true;
      default:
        return binary(n.op) != ScalarOp::constant;
    }
  }
  // constant: it is none of these.
  static ScalarOp binary(Ex op) {
    if (!has(op, trait::corners) && !has(op, trait::comparison)) return ScalarOp::constant;
#define SCALAR(name, help) \
  if (ex_name(op) == std::string_view(#name)) return ScalarOp::name;
#include "kernel/program/scalars.def"
#undef SCALAR
    return ScalarOp::constant;
  }

  const Node& at(NodeId n) const { return p_.nodes[n]; }
  void mark(NodeId node, Table<NodeId, bool>& inside) const {
    each_part(p_, node, [&](NodeId part) { inside[part] = true; });
  }

  // The number of the step's value; -1: there is no more room.
  int push(ScalarStep step) {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const ScalarStep& made = steps_[i];
      if (made.op == step.op && made.a == step.a && made.b == step.b && made.arg == step.arg &&
          made.fixed == step.fixed)
        return i;
    }
    return push_new(step);
  }
  int push_new(ScalarStep step) {
    if (std::ssize(steps_) >= max_scalar_tape) return -1;
    return append(steps_, step);
  }
  int push(ScalarOp op, int a, int b = 0, int arg = 0) {
    if (a < 0 || b < 0) return -1;
    ScalarStep step{.op = op, .arg = arg};
    step.a = a;
    step.b = b;
    return push(step);
  }
  int push_leaf(ScalarOp op, int arg, bool flag = false) { return push(op, 0, flag, arg); }
  int push_constant(Value v) { return push({ScalarOp::constant, 0, 0, 0, v}); }

  // The whole may stop where its answer is known.
  int lay_whole(NodeId node) {
    const Node& n = at(node);
    if (n.op != Ex::all_of && n.op != Ex::any_of) return lay(node);
    int result = -1;
    for (int i = 0; i < n.b; ++i) {
      const int part = lay_condition(p_.extra[n.a + i]);
      if (part < 0) return -1;
      ScalarStep stop{.op = n.op == Ex::all_of ? ScalarOp::stop_no : ScalarOp::stop_yes};
      stop.a = part;
      result = push_new(stop);
      if (result < 0) return -1;
    }
    return result;
  }

  int lay_condition(NodeId node) {
    if (at(node).op == Ex::yes || at(node).op == Ex::no)
      return push_constant(Value::boolean(at(node).op == Ex::yes));
    return lay(node);
  }

  int lay(NodeId node) {
    const Node& n = at(node);
    if (const ScalarOp op = binary(n.op); op != ScalarOp::constant) {
      const int left = lay(n.a);
      return push(op, left, left < 0 ? -1 : lay(n.b));
    }
    switch (n.op) {
      case Ex::constant: {
        const Value v = p_.constants[n.a];
        return v.is_list() || v.tag() == Tag::text ? -1 : push_constant(v);
      }
      case Ex::slot:
        return push_leaf(ScalarOp::slot, n.a);
      case Ex::active_player:
        return push_leaf(ScalarOp::active, 0);
      case Ex::player_number:
        // A number that is no player's is not noticed here but where a variable is asked for.
        return at(n.a).op == Ex::p_slot ? -1 : lay_player(n.a);
      case Ex::gvar:
        return push_leaf(ScalarOp::gvar, n.a, p_.gvars[n.a].boolean);
      case Ex::pvar:
        return push(ScalarOp::pvar, lay_player(n.b), p_.pvars[n.a].boolean ? 1 : 0, n.a);
      case Ex::zvar:
        return push(ScalarOp::zvar, lay_zone(n.b), 0, n.a);
      case Ex::zone_count:
        return push(ScalarOp::zone_count, lay_zone(n.a));
      case Ex::token_prop:
        if (n.b < 0) return -1;
        if (at(n.a).op == Ex::slot)
          return push_leaf(ScalarOp::token_prop, at(n.a).a << 12 | n.b, true);
        return push(ScalarOp::token_prop, lay(n.a), 0, n.b);
      case Ex::zone_attribute:
        return n.b < 0 ? -1 : push(ScalarOp::zone_attribute, lay_zone(n.a), 0, n.b);
      case Ex::zone_id:
        return lay_zone(n.a);
      case Ex::not_of:
        return push(ScalarOp::negate, lay_condition(n.a));
      case Ex::all_of:
      case Ex::any_of: {
        if (n.d >= 0 || n.b == 0) return -1;
        int result = -1;
        for (int i = 0; i < n.b; ++i) {
          const int part = lay_condition(p_.extra[n.a + i]);
          if (part < 0) return -1;
          result = i == 0
                       ? part
                       : push(n.op == Ex::all_of ? ScalarOp::both : ScalarOp::either, result, part);
          if (result < 0) return -1;
        }
        return result;
      }
      case Ex::if_value: {
        const int when = lay_condition(n.a), yes = when < 0 ? -1 : lay(n.b),
                  no = yes < 0 ? -1 : lay(n.c);
        return push(ScalarOp::select, yes, no, when);
      }
      default:
        return -1;
    }
  }

  int lay_zone(NodeId node) {
    const Node& n = at(node);
    if (n.op == Ex::z_const) return push_constant(Value::zone(n.a));
    return n.op == Ex::z_slot ? push_leaf(ScalarOp::zone_slot, n.a) : -1;
  }

  int lay_player(NodeId node) {
    const Node& n = at(node);
    switch (n.op) {
      case Ex::p_active:
        return push_leaf(ScalarOp::active, 0);
      case Ex::p_actor:
        return push_leaf(ScalarOp::actor, 0);
      case Ex::p_id:
        return push_constant(Value::integer(n.a));
      case Ex::p_slot:
        return lay(n.a);
      default:
        return -1;
    }
  }

  Program& p_;
  std::vector<ScalarStep> steps_;
};

}  // namespace

void Linker::lay_scalar_tapes() {
  ScalarTapes(p_).run();
}

}  // namespace parlor::kernel
