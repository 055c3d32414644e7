// Numbers that depend on zones and players alone, found when linking, and conditions asked zone by
// zone that begin by comparing with one of them.
#include "kernel/link/linker.h"
#include "kernel/program/operands.h"
#include "kernel/program/traits.h"
#include "kernel/state/zone_set.h"

namespace parlor::kernel {

namespace {

// Computes an expression for one zone in a slot, another in a second one, and an active player.
class Fixed {
 public:
  explicit Fixed(const Program& program, SlotId slot) : p_(program), slot_(slot) {}

  // Whether it is made of nothing else; finds the other slot.
  bool fits(NodeId index) {
    const Node& n = at(index);
    if (n.op == Ex::z_slot) {
      if (n.a == slot_)
        asks_zone_ = true;
      else if (other_.is_none() || other_ == n.a)
        other_ = n.a;
      else
        return false;
      return true;
    }
    if (!has(n.op, trait::fixed)) return false;
    bool all = true;
    each_operand(p_, n, [&](NodeId part) { all = all && fits(part); });
    return all;
  }
  bool asks_zone() const { return asks_zone_; }
  SlotId other() const { return other_; }

  void stand(int player, ZoneId zone, ZoneId other) {
    player_ = player;
    zone_ = zone;
    other_zone_ = other;
  }
  // Nothing: an attribute is missing or no number, or it is too large.
  std::optional<std::int64_t> number(NodeId index) const {
    const Node& n = at(index);
    switch (n.op) {
      case Ex::constant:
        return small(p_.constants[n.a]);
      case Ex::active_player:
        return player_;
      case Ex::player_number:
        return at(n.a).op == Ex::p_id ? at(n.a).a.value : player_;
      case Ex::zone_attribute: {
        const Node& where = at(n.a);
        const ZoneId z = where.op == Ex::z_const ? ZoneId(where.a)
                         : where.a == slot_      ? zone_
                                                 : other_zone_;
        if (n.b < 0) return std::nullopt;
        return small(p_.attribute(z, n.b));
      }
      case Ex::if_value: {
        const auto when = truth(n.a);
        if (!when) return std::nullopt;
        return number(*when ? n.b : n.c);
      }
      default:
        return combined(n);
    }
  }

 private:
  static constexpr std::int64_t most = std::int64_t{1} << 24;

  const Node& at(NodeId index) const { return p_.nodes[index]; }
  static std::optional<std::int64_t> small(Value v) {
    if (!v.is_int() || std::abs(v.payload()) > most) return std::nullopt;
    return v.payload();
  }
  std::optional<std::int64_t> combined(const Node& n) const {
    const auto left = number(n.a), right = number(n.b);
    if (!left || !right) return std::nullopt;
    std::int64_t out = 0;
    switch (n.op) {
      case Ex::add:
        out = *left + *right;
        break;
      case Ex::subtract:
        out = *left - *right;
        break;
      case Ex::multiply:
        out = *left * *right;
        break;
      case Ex::minimum:
        out = std::min(*left, *right);
        break;
      case Ex::maximum:
        out = std::max(*left, *right);
        break;
      default:
        return std::nullopt;
    }
    return small(Value::integer(out));
  }
  std::optional<bool> truth(NodeId index) const {
    const Node& n = at(index);
    const auto left = number(n.a), right = number(n.b);
    if (!left || !right) return std::nullopt;
    switch (n.op) {
      case Ex::equal:
        return *left == *right;
      case Ex::not_equal:
        return *left != *right;
      case Ex::less:
        return *left < *right;
      case Ex::less_equal:
        return *left <= *right;
      case Ex::greater:
        return *left > *right;
      case Ex::greater_equal:
        return *left >= *right;
      default:
        return std::nullopt;
    }
  }

  const Program& p_;
  SlotId slot_;
  bool asks_zone_ = false;
  SlotId other_;
  int player_ = 0;
  ZoneId zone_ = {}, other_zone_ = {};
};

class ScanKeys {
 public:
  explicit ScanKeys(Program& program) : p_(program) {}

  void run() {
    Table<NodeId, std::int32_t> keys(p_.nodes.size(), -1);
    for (const NodeId i : p_.nodes.ids())
      if (const Node n = p_.nodes[i]; n.op == Ex::b_scan) keys[i] = key_of(n.a, n.d);
    if (!p_.scan_keys.empty()) p_.scan_key_of = std::move(keys);
  }

 private:
  const Node& at(NodeId index) const { return p_.nodes[index]; }
  Operand extra(int index) const { return p_.extra[index]; }

  // -1: the condition asks for nothing that can be looked up.
  std::int32_t key_of(NodeId condition, SlotId slot) {
    while (at(condition).op == Ex::all_of && at(condition).b > 0)
      condition = extra(at(condition).a);
    std::vector<NodeId> equals;
    if (at(condition).op == Ex::equal)
      equals.push_back(condition);
    else if (at(condition).op == Ex::any_of)
      for (int i = 0; i < at(condition).b; ++i) equals.push_back(extra(at(condition).a + i));
    ScanKey key;
    for (const NodeId equal : equals) {
      const Node& n = at(equal);
      if (n.op != Ex::equal) return -1;
      const NodeId wanted = is_plain(n.a, slot) ? n.a : n.b, number = wanted == n.a ? n.b : n.a;
      if (!is_plain(wanted, slot)) return -1;
      const int relation = relation_of(number, slot);
      if (relation < 0 || (key.relation >= 0 && key.relation != relation)) return -1;
      key.relation = relation;
      key.wanted.push_back(wanted);
    }
    if (key.relation < 0) return -1;
    return append(p_.scan_keys, std::move(key));
  }

  // It costs nothing to ask, whatever the zone.
  bool is_plain(NodeId index, SlotId slot) const {
    const Node& n = at(index);
    if (n.op == Ex::constant || n.op == Ex::gvar) return true;
    if (n.op == Ex::slot) return n.a != slot;
    return n.op == Ex::token_prop && at(n.a).op == Ex::slot && at(n.a).a != slot;
  }

  int relation_of(NodeId index, SlotId slot) {
    Fixed fixed(p_, slot);
    if (!fixed.fits(index) || !fixed.asks_zone()) return -1;
    if (const auto known = known_.find({index, slot}); known != known_.end()) return known->second;
    // The same expression may stand there several times.
    ZoneRelation made;
    made.other = fixed.other();
    const IdRange<ZoneId> others(made.other.is_none() ? 1 : p_.zones.size());
    const std::size_t zones = p_.zones.size();
    const std::size_t rows = p_.players * (made.other.is_none() ? 1 : zones);
    std::vector<std::optional<std::int64_t>> numbers;
    if (rows * zones > most_numbers_found) return -1;
    std::int64_t greatest = INT64_MIN;
    made.least = INT64_MAX;
    for (int player = 0; player < p_.players; ++player)
      for (const ZoneId other : others)
        for (const ZoneId z : p_.zones.ids()) {
          fixed.stand(player, z, other);
          numbers.push_back(fixed.number(index));
          if (!numbers.back()) continue;
          made.least = std::min(made.least, *numbers.back());
          greatest = std::max(greatest, *numbers.back());
        }
    if (greatest < made.least) return -1;
    made.span = greatest - made.least + 1;
    if (made.span > most_words_kept) return -1;
    const std::size_t words = p_.words, sets = made.span + 1;
    if (rows * sets * words > most_words_kept) return -1;
    made.zones.assign(rows * sets * words, 0);
    for (std::size_t row = 0; row < rows; ++row)
      for (const ZoneId z : p_.zones.ids()) {
        const auto number = numbers[row * zones + z.index()];
        const std::int64_t which = number ? *number - made.least : made.span;
        put_zone(&made.zones[(row * sets + which) * words], z);
      }
    // Equal ones are one.
    const auto same = std::ranges::find_if(p_.relations, [&](const ZoneRelation& known) {
      return known.other == made.other && known.least == made.least && known.zones == made.zones;
    });
    const int found = same != p_.relations.end() ? place_in(p_.relations, *same)
                                                 : append(p_.relations, std::move(made));
    return known_[{index, slot}] = found;
  }

  static constexpr std::size_t most_numbers_found = 1 << 17;
  static constexpr std::int64_t most_words_kept = 1 << 16;
  Program& p_;
  std::map<std::pair<NodeId, SlotId>, int> known_;
};

}  // namespace

void Linker::find_scan_keys() {
  if (p_.zones.size() <= most_words * 64) ScanKeys(p_).run();
}

}  // namespace parlor::kernel
