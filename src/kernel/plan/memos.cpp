// Value numbering: which costly expressions are worth remembering while the state does not change,
// and which zones a query can be answered with by looking them up.
#include <fmt/format.h>
#include <map>
#include <set>

#include "kernel/link/linker.h"
#include "kernel/program/operands.h"
#include "kernel/program/traits.h"

namespace parlor::kernel {

namespace {

// What an operation binds for one of its operands: the slot, and the operand it is bound in.
struct Binder {
  SlotId slot;
  NodeId body;
};

class Meanings {
 public:
  explicit Meanings(Program& program) : p_(program) {}

  void run() {
    for (const NodeId n : p_.nodes.ids())
      if (is_costly(n) || is_junction(n)) look_at(n);
    for (const NodeId n : p_.nodes.ids()) find_invariants(n);
    std::map<std::string, int> numbers;
    for (const auto& [n, found] : meanings_) {
      const bool shared = uses_[found.text] > 1;
      const bool worth =
          is_junction(n) ? shared && has_costly_part(n) : shared || invariant_.contains(n);
      if (!worth) continue;
      Memo memo;
      memo.number = numbers.emplace(found.text, numbers.size()).first->second;
      std::copy(found.slots.begin(), found.slots.end(), memo.slots);
      node(n).d = append(p_.memos, memo);
    }
  }

 private:
  struct Meaning {
    std::string text;
    std::vector<SlotId> slots;  // bindings it depends on, in the order of the text
  };

  Node& node(NodeId n) { return p_.nodes[n]; }
  const Node& node(NodeId n) const { return p_.nodes[n]; }
  Operand extra(int n) const { return p_.extra[n]; }

  bool is_costly(NodeId index) const {
    const Node& n = node(index);
    switch (n.op) {
      case Ex::exists:
      case Ex::for_all:
        return n.c >= 0 || node(n.a).op != Ex::q_tokens;
      case Ex::fold:
        return true;
      case Ex::count:
        return node(n.a).op != Ex::q_tokens;
      case Ex::any_bit:
      case Ex::no_bit:
        return scans(n.a);
      default:
        return false;
    }
  }
  // A set some of whose zones are asked one by one.
  bool scans(NodeId set) const {
    bool found = false;
    each_part(p_, set, [&](NodeId part) { found |= node(part).op == Ex::b_scan; });
    return found;
  }
  bool is_junction(NodeId n) const { return node(n).op == Ex::all_of || node(n).op == Ex::any_of; }
  bool has_costly_part(NodeId n) const {
    bool found = false;
    each_part(p_, n, [&](NodeId part) { found |= is_costly(part); });
    return found;
  }

  Binder binder(const Node& n) const {
    switch (n.op) {
      case Ex::exists:
      case Ex::for_all:
      case Ex::fold:
      case Ex::q_filter:
        return {n.b, n.c};
      case Ex::q_zones:
      case Ex::q_connected:
        return {n.d, n.c};
      case Ex::b_scan:
        return {n.d, n.a};
      default:
        return {};
    }
  }

  void look_at(NodeId n) {
    std::string text;
    std::vector<SlotId> slots;
    std::vector<std::pair<SlotId, int>> bound;
    int depth = 0;
    if (!write(n, text, slots, bound, depth) || slots.size() > 2) return;
    ++uses_[text];
    meanings_[n] = {std::move(text), std::move(slots)};
  }

  // What the expression means, with bindings numbered as they come; false: it depends on more than
  // the state, the players and bindings.
  bool write(NodeId index, std::string& text, std::vector<SlotId>& slots,
             std::vector<std::pair<SlotId, int>>& bound, int& depth) const {
    const Node& n = node(index);
    const auto slot_text = [&](SlotId slot) {
      for (auto i = bound.rbegin(); i != bound.rend(); ++i)
        if (i->first == slot) return fmt::format(" ${}", i->second);
      auto found = std::find(slots.begin(), slots.end(), slot);
      if (found == slots.end()) found = slots.insert(slots.end(), slot);
      return fmt::format(" @{}", found - slots.begin());
    };
    if (!has(n.op, trait::pure)) return false;
    text += fmt::format("({}/{}", static_cast<int>(n.op), n.x);
    if (has(n.op, trait::by_a)) text += fmt::format(" {}", n.a);
    if (has(n.op, trait::by_b)) text += fmt::format(" {}", n.b);
    if (has(n.op, trait::by_c)) text += fmt::format(" {}", n.c);
    switch (n.op) {
      case Ex::constant:
        text += fmt::format(" {}", p_.constants[n.a].bits);
        break;
      case Ex::slot:
      case Ex::z_slot:
        text += slot_text(n.a);
        break;
      case Ex::in_set:
        text += slot_text(n.d);
        break;
      case Ex::q_rows:
        for (int i = 0; i < n.c; ++i)
          text += fmt::format(" {}:{}", extra(n.b + 3 * i), extra(n.b + 3 * i + 1));
        break;
      case Ex::q_ints:
        for (int i = 0; i < 5; ++i) text += extra(n.a + i) >= 0 ? " +" : " -";
        break;
      default:
        break;
    }
    // The plain form of a planned query says the same again.
    if (n.op == Ex::q_bits) return write(n.a, text, slots, bound, depth) && close(text);
    const Binder binds = binder(n);
    bool whole = true;
    const auto part = [&](NodeId operand) {
      if (!whole) return;
      const bool inside = operand == binds.body && !binds.slot.is_none();
      if (inside) bound.emplace_back(binds.slot, depth++);
      whole = write(operand, text, slots, bound, depth);
      if (inside) bound.pop_back();
    };
    each_operand(p_, n, part);
    return whole && close(text);
  }
  static bool close(std::string& text) {
    text += ')';
    return text.size() < 20'000;
  }

  // Costly parts of a loop's body that do not look at what the loop goes through.
  void find_invariants(NodeId n) {
    const Binder binds = binder(node(n));
    if (binds.slot.is_none() || binds.body.is_none()) return;
    each_part(p_, binds.body, [&](NodeId part) {
      const auto found = meanings_.find(part);
      if (found == meanings_.end() || !is_costly(part)) return;
      const auto& slots = found->second.slots;
      if (std::find(slots.begin(), slots.end(), binds.slot) == slots.end()) invariant_.insert(part);
    });
  }

  Program& p_;
  std::map<NodeId, Meaning> meanings_;
  std::map<std::string, int> uses_;
  std::set<NodeId> invariant_;
};

// The first thing a condition asks, if that is whether an attribute of the zone in this slot equals
// something that does not depend on the zone.
ZoneKey key_of(const Program& p, NodeId condition, SlotId slot) {
  const auto at = [&](NodeId n) -> const Node& { return p.nodes[n]; };
  while (at(condition).op == Ex::all_of && at(condition).b > 0)
    condition = p.extra[at(condition).a];
  const Node& n = at(condition);
  if (n.op != Ex::equal) return {};
  const Node& left = at(n.a);
  if (left.op != Ex::zone_attribute || left.b < 0 || at(left.a).op != Ex::z_slot ||
      at(left.a).a != slot || p.zones_by_attribute[left.b].empty())
    return {};
  bool depends = false;
  each_part(p, n.b, [&](NodeId part) {
    const Node& inner = at(part);
    depends |= (inner.op == Ex::slot || inner.op == Ex::z_slot) && inner.a == slot;
    depends |= inner.op == Ex::template_slot || inner.op == Ex::named || inner.op == Ex::in_set;
  });
  return depends ? ZoneKey{} : ZoneKey{left.b, n.b};
}

}  // namespace

void Linker::find_zone_keys() {
  p_.zone_keys.resize(p_.nodes.size());
  if (!p_.options.plan) return;
  const std::size_t attributes = p_.attributes.size();
  p_.zones_by_attribute.resize(attributes);
  for (std::size_t a = 0; a < attributes; ++a) {
    auto& index = p_.zones_by_attribute[a];
    for (const ZoneId z : p_.zones.ids()) {
      const Value v = p_.attribute(z, a);
      if (v.is_none()) continue;  // a comparison with what the zone lacks is false
      if (!v.is_int() && !v.is_bool() && !v.is_symbol()) {
        index.clear();
        break;
      }
      index.emplace_back(v.bits, z);
    }
    std::sort(index.begin(), index.end());
  }
  for (const NodeId i : p_.nodes.ids()) {
    const Node& n = p_.nodes[i];
    if (n.op == Ex::q_zones && n.b < 0 && n.c >= 0) p_.zone_keys[i] = key_of(p_, n.c, n.d);
    if (n.op != Ex::exists || n.b < 0 || n.c < 0) continue;
    const Node& from = p_.nodes[n.a];
    if (from.op == Ex::q_bits && p_.nodes[from.a].op == Ex::b_words)
      p_.zone_keys[i] = key_of(p_, n.c, n.b);
  }
}

void Linker::find_memos() {
  Meanings(p_).run();
}

}  // namespace parlor::kernel
