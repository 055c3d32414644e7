// Sums over a selection (T-29). "Any of thirty cards that together cost no more than there is gold"
// has a billion sets to try, but what a sum can still come to is known at once: an item after which
// every sum is too large is not worth trying, nor are the sets that contain it.
#include <set>

#include "kernel/link/linker.h"
#include "kernel/program/operands.h"
#include "kernel/program/traits.h"

namespace parlor::kernel {

namespace {

// Reads the statements behind one chooseN for conditions that compare a sum over what it selects.
class BoundFinder {
 public:
  BoundFinder(const Program& program, int pc)
      : p_(program), pc_(pc), selected_{program.extra[program.code[pc].d + 3]} {}

  std::vector<SumBound> run(int end) {
    for (int pc = pc_ + 1; pc < end && follow(p_.code[pc]); ++pc) {
    }
    return std::move(found_);
  }

 private:
  const Node& node(NodeId n) const { return p_.nodes[n]; }

  // False: what comes after this may see another state, or is not always run.
  bool follow(const Instr& i) {
    switch (i.op) {
      case Op::bind:
        made_.insert(i.a);
        if (node(i.b).op == Ex::slot && selected_.contains(node(i.b).a)) selected_.insert(i.a);
        names_[i.a] = i.b;
        return true;
      case Op::copy_slot:
        made_.insert(i.a);
        if (selected_.contains(i.b)) selected_.insert(i.a);
        return true;
      case Op::fail_unless:
        condition(i.a);
        return true;
      case Op::judge:
        if (i.b == 0) condition(i.a);
        return true;
      case Op::mark_events:
      case Op::drop_events:
        return true;
      default:
        return false;
    }
  }

  void condition(NodeId n) {
    const Node& c = node(n);
    if (c.op == Ex::all_of)
      for (int i = 0; i < c.b; ++i) condition(p_.extra[c.a + i]);
    if (c.op != Ex::less && c.op != Ex::less_equal && c.op != Ex::greater &&
        c.op != Ex::greater_equal && c.op != Ex::equal)
      return;
    SumBound bound;
    bound.relation = c.op;
    int sums = 0;
    if (linear(c.a, 1, bound, sums) && linear(c.b, -1, bound, sums) && sums == 1)
      found_.push_back(std::move(bound));
  }

  // Takes an expression apart into the sum and what is added to it.
  bool linear(NodeId n, int sign, SumBound& out, int& sums) {
    const Node& e = node(n);
    if (e.op == Ex::add || e.op == Ex::subtract)
      return linear(e.a, sign, out, sums) && linear(e.b, e.op == Ex::add ? sign : -sign, out, sums);
    if (e.op == Ex::slot && !selected_.contains(e.a))
      if (const auto name = names_.find(e.a); name != names_.end())
        return linear(name->second, sign, out, sums);
    const bool sum = e.op == Ex::fold && e.x == 1;
    if ((sum || e.op == Ex::count) && goes_through_selection(e.a)) {
      out.sign = sign;
      out.item = sum ? SlotId(e.b) : SlotId::none();
      out.value = sum ? NodeId(e.c) : NodeId::none();
      ++sums;
      return !sum || independent(e.c, e.b);
    }
    out.rest.emplace_back(sign, n);
    return independent(n, SlotId::none());
  }

  bool goes_through_selection(NodeId query) const {
    const Node& q = node(query);
    return q.op == Ex::q_list && node(q.a).op == Ex::slot && selected_.contains(node(q.a).a);
  }

  bool known(SlotId slot, SlotId item) const {
    return slot == item || (!selected_.contains(slot) && !made_.contains(slot));
  }

  // Nothing in it is known only once the selection is made.
  bool independent(NodeId n, SlotId item) const {
    const Node& e = node(n);
    if (e.op == Ex::slot || e.op == Ex::z_slot) return known(e.a, item);
    bool out = has(e.op, trait::early);
    if (out) each_operand(p_, e, [&](NodeId part) { out = out && independent(part, item); });
    return out;
  }

  const Program& p_;
  int pc_;
  std::set<SlotId> selected_;       // slots that hold the selection
  std::set<SlotId> made_;           // slots that are bound after it
  std::map<SlotId, NodeId> names_;  // what they stand for
  std::vector<SumBound> found_;
};

}  // namespace

void Linker::find_sum_bounds() {
  for (const UnitInfo& unit : p_.units)
    for (int pc = unit.entry; pc < unit.end; ++pc)
      if (p_.code[pc].op == Op::choose_n)
        if (auto bounds = BoundFinder(p_, pc).run(unit.end); !bounds.empty())
          p_.sum_bounds[pc] = std::move(bounds);
}

}  // namespace parlor::kernel
