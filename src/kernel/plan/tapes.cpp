// Zone sets as tapes: every planned set becomes a run of steps without branches or recursion, in
// which a part that occurs twice is computed once.
#include "kernel/link/linker.h"

namespace parlor::kernel {

namespace {

class TapeWriter {
 public:
  explicit TapeWriter(Program& program) : p_(program) {}

  // The tape of a node, or none when the node is as short by itself or the tape would be too long.
  SetTape write(NodeId root) {
    steps_.clear();
    known_.clear();
    const Node& n = p_.nodes[root];
    if (!has_parts(n.op)) return {};
    emit(root);
    if (std::ssize(steps_) > max_tape) return {};
    SetTape tape;
    tape.first = std::ssize(p_.set_steps);
    tape.count = std::ssize(steps_);
    p_.set_steps.insert(p_.set_steps.end(), steps_.begin(), steps_.end());
    return tape;
  }

 private:
  static bool has_parts(Ex op) {
    return op == Ex::b_not || op == Ex::b_and || op == Ex::b_or || op == Ex::b_step ||
           op == Ex::b_shift || op == Ex::b_ray;
  }

  int add(SetStep step) { return append(steps_, step); }
  int add(SetOp op, int a, int b) { return add({op, 0, 0, a, b, 0}); }
  int leaf(SetOp op, Operand arg, int a = 0) { return add({op, 0, 0, a, 0, arg}); }
  int words(const std::uint64_t* from) {
    const std::vector<std::uint64_t> wanted(from, from + p_.words);
    if (const int known = position_of(p_.zone_sets, wanted); known >= 0) return known;
    p_.set_members.emplace_back();
    return append(p_.zone_sets, wanted);
  }
  int feature(int number) {
    return leaf(SetOp::feature, p_.layout.features + number * p_.words * 8);
  }

  int shift(int set, int direction) {
    const ShiftInfo& info = p_.shifts[direction];
    if (info.groups.size() != 1) return leaf(SetOp::far_shift, direction, set);
    return add({SetOp::shift, 0, info.groups[0].turn, set, 0, words(info.valid)});
  }
  int ray(int over, int good, int direction) {
    const ShiftInfo& info = p_.shifts[direction];
    if (info.groups.size() != 1 || info.longest > UINT8_MAX)
      return add({SetOp::far_ray, 0, 0, over, good, direction});
    return add({SetOp::ray, info.longest, info.groups[0].turn, over, good, words(info.valid)});
  }
  int joined(SetOp op, int so_far, int next) { return so_far < 0 ? next : add(op, so_far, next); }

  // The number of the step that gives this node's set.
  int emit(NodeId index) {
    if (const auto known = known_.find(index); known != known_.end()) return known->second;
    // Too long already: what follows is thrown away, and must not take long either.
    if (std::ssize(steps_) > max_tape) return 0;
    const int made = emit_new(index, p_.nodes[index]);
    known_[index] = made;
    return made;
  }

  int emit_new(NodeId index, const Node n) {
    switch (n.op) {
      case Ex::b_words:
        return leaf(SetOp::words, n.a);
      case Ex::b_feature:
        return feature(n.a);
      case Ex::b_within:
      case Ex::b_without: {
        const int zones = leaf(SetOp::words, n.a);
        return add(n.op == Ex::b_within ? SetOp::both : SetOp::less, zones, feature(n.b));
      }
      case Ex::b_player:
        return leaf(SetOp::player, n.a, n.b);
      case Ex::b_active:
        return leaf(SetOp::active, n.a, n.x);
      case Ex::b_keep:
        return leaf(SetOp::keep, index);
      case Ex::b_not:
        return add(SetOp::complement, emit(n.a), 0);
      case Ex::b_or: {
        const int left = emit(n.a);
        return add(SetOp::either, left, emit(n.b));
      }
      case Ex::b_and: {
        const int left = emit(n.a);
        const Node& right = p_.nodes[n.b];
        if (right.op == Ex::b_not) return add(SetOp::less, left, emit(right.a));
        return add(SetOp::both, left, emit(n.b));
      }
      case Ex::b_shift:
        return shift(emit(n.a), n.b);
      case Ex::b_step:
        return step(n);
      case Ex::b_ray: {
        const int over = emit(n.a), good = emit(n.b);
        int out = -1;
        for (const Value way : p_.lists[p_.nodes[n.c].a])
          out = joined(SetOp::either, out, ray(over, good, way.index()));
        return out < 0 ? leaf(SetOp::node, index) : out;
      }
      default:
        return leaf(SetOp::node, index);
    }
  }

  // Some step leads into the set, or every step there is does.
  int step(const Node& n) {
    const int to = emit(n.a);
    int out = -1;
    for (const Value way : p_.lists[p_.nodes[n.b].a]) {
      const int direction = way.index();
      int from = shift(to, direction);
      if (n.x == 1) {
        std::uint64_t open[most_words];
        for (std::size_t w = 0; w < most_words; ++w) open[w] = ~p_.shifts[direction].valid[w];
        from = add(SetOp::either, from, leaf(SetOp::words, words(open)));
      }
      out = joined(n.x == 1 ? SetOp::both : SetOp::either, out, from);
    }
    if (out >= 0) return out;
    std::uint64_t none[most_words] = {}, all[most_words];
    std::fill_n(all, most_words, ~std::uint64_t{0});
    return leaf(SetOp::words, words(n.x == 1 ? all : none));
  }

  Program& p_;
  std::vector<SetStep> steps_;
  std::map<NodeId, int> known_;
};

}  // namespace

void Linker::lay_tapes() {
  p_.tapes.resize(p_.nodes.size());
  TapeWriter writer(p_);
  for (const NodeId n : p_.nodes.ids()) p_.tapes[n] = writer.write(n);
}

}  // namespace parlor::kernel
