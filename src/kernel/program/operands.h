// Which operands of an operation are expressions or code addresses, as opcodes.def declares it: for
// everything that walks through a Program.
#pragma once

#include <array>

#include "kernel/program/program.h"

namespace parlor::kernel {

// One place where an operation has an expression, or several. Its fields a to d have the numbers 0
// to 3.
struct Held {
  enum class How : std::uint8_t {
    here,
    here_if_named,  // where d is 1: a name that is computed
    of_row,         // at this place of a row in the extra table
    of_records,     // at this place of each record there
    behind_row,     // as many as the number at this place says, behind it
  };
  How how = How::here;
  std::uint8_t field = 0;  // the expression, or where row or records begin
  std::uint8_t at = 0;
  std::uint8_t size = 0;   // of a record
  std::uint8_t count = 0;  // the field that says how many records there are
};

struct HeldList {
  std::array<Held, 8> items{};
  std::size_t size = 0;
};

// From the help of an operation.
HeldList held_by(std::string_view help);
const HeldList& held_by(Ex op);
const HeldList& held_by(Op op);

// Calls f(node) for every expression that a Node or an Instr is made of.
template <class Operation, class F>
void each_operand(const Program& p, const Operation& n, F&& f) {
  const Operand fields[] = {n.a, n.b, n.c, n.d};
  const auto one = [&](NodeId node) {
    if (!node.is_none()) f(node);
  };
  const auto extra = [&](int index) { return p.extra[static_cast<std::size_t>(index)]; };
  const HeldList& list = held_by(n.op);
  for (std::size_t k = 0; k < list.size; ++k) {
    const Held& held = list.items[k];
    const Operand first = fields[held.field];
    switch (held.how) {
      case Held::How::here_if_named:
        if (n.d != 1) break;
        [[fallthrough]];
      case Held::How::here:
        one(first);
        break;
      case Held::How::of_row:
        one(extra(first + held.at));
        break;
      case Held::How::of_records:
        for (int i = 0; i < fields[held.count]; ++i) one(extra(first + i * held.size + held.at));
        break;
      case Held::How::behind_row:
        for (int i = 1; i <= extra(first + held.at); ++i) one(extra(first + held.at + i));
        break;
    }
  }
  if constexpr (std::is_same_v<Operation, Instr>) {  // what a line of help cannot say
    if (n.op == Op::transfer_var)
      for (const int end : {n.a.value, n.a + 4})
        if (extra(end + 3) == 1) one(extra(end + 1));
    if (n.op != Op::issue_grant) return;
    const GrantInfo& grant = p.flow.grants[n.a];
    for (const auto& [key, node] : grant.context) one(node);
    for (const NodeId node : grant.fills) one(node);
    one(grant.filter);
  }
}

// Where a statement may go on besides at the next one: the code address in its operands; -1:
// nowhere.
int target_of(const Instr& i);

// Calls f(node) for this expression and everything it is made of.
template <class F>
void each_part(const Program& p, NodeId node, F&& f) {
  if (node.is_none()) return;
  f(node);
  each_operand(p, p.nodes[node], [&](NodeId part) { each_part(p, part, f); });
}

}  // namespace parlor::kernel
