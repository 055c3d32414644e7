// The last step of planning: zone sets that mean the same become one node, sets known before the
// game begins become constants, and sets that several expressions need are kept while the state
// does not change (b_keep).
#include <fmt/format.h>

#include "kernel/link/linker.h"
#include "kernel/program/operands.h"
#include "kernel/program/traits.h"
#include "kernel/state/memory.h"

namespace parlor::kernel {

namespace {

bool is_set(Ex op) {
  return gives(op) == Gives::set && has(op, trait::shared);
}

class SharedSets {
 public:
  explicit SharedSets(Program& program)
      : p_(program),
        same_(program.nodes.size()),
        cost_(program.nodes.size(), 0),
        uses_(program.nodes.size(), 0) {}

  void run() {
    // Operands stand before what uses them, so one pass sees every operand first.
    const auto every = p_.nodes.ids();
    for (const NodeId n : every) {
      if (is_set(node(n).op))
        same_[n] = merge(n);
      else
        redirect_user(node(n));
    }
    for (ActionInfo& action : p_.actions) {
      use(action.ways_from);
      for (auto& [way, set] : action.ways) use(set);
    }
    for (const NodeId n : every)
      if (same_[n] == n && uses_[n] > 1 && cost_[n] >= worth_keeping) keep(n);
  }

 private:
  static constexpr int worth_keeping = 6;   // operations
  static constexpr int never = -1'000'000;  // depends on more than the state

  Node& node(NodeId n) { return p_.nodes[n]; }

  // Points a reference to the one node of its set.
  template <class Reference>
  void use(Reference& reference) {
    const NodeId set = reference;
    if (set.is_none() || same_[set].is_none()) return;
    reference = same_[set];
    ++uses_[same_[set]];
  }

  void redirect_user(Node& n) {
    switch (n.op) {
      case Ex::any_bit:
      case Ex::no_bit:
      case Ex::count_bits:
      case Ex::q_bits:
      case Ex::in_set:
      case Ex::line_bits:
        return use(n.a);
      case Ex::zone_in:
        return use(n.b);
      case Ex::q_ways:
        for (int i = 0; i < n.c; ++i) use(p_.extra[n.b + 2 * i + 1]);
        return;
      case Ex::any_connected:
        use(n.b);
        return use(n.c);
      default:
        return;
    }
  }

  // The node that stands for this set from now on.
  NodeId merge(NodeId index) {
    Node& n = node(index);
    switch (n.op) {
      case Ex::b_words:
        n.a = words_like(p_.zone_sets[n.a]);
        break;
      case Ex::b_not:
      case Ex::b_step:
        n.a = same_[n.a];
        break;
      case Ex::b_and:
      case Ex::b_or:
      case Ex::b_ray:
        n.a = same_[n.a];
        n.b = same_[n.b];
        break;
      case Ex::b_scan:
        n.b = same_[n.b];
        if (n.c >= 0) n.c = same_[n.c];
        break;
      default:
        break;
    }
    if (const NodeId simpler = simplify(index); simpler != index) return simpler;
    const std::string key = key_of(node(index));
    if (!key.empty()) {
      const auto [known, fresh] = known_.emplace(key, index);
      if (!fresh) return known->second;
    }
    count_uses(node(index));
    cost_[index] = cost_of(node(index));
    return index;
  }

  void count_uses(const Node& n) {
    const bool first = n.op == Ex::b_not || n.op == Ex::b_step || n.op == Ex::b_shift ||
                       n.op == Ex::b_and || n.op == Ex::b_or || n.op == Ex::b_ray;
    const bool second =
        n.op == Ex::b_and || n.op == Ex::b_or || n.op == Ex::b_ray || n.op == Ex::b_scan;
    if (first) ++uses_[n.a];
    if (second) ++uses_[n.b];
    if (n.op == Ex::b_scan && n.c >= 0) ++uses_[n.c];
  }

  int words_like(std::vector<std::uint64_t> words) {
    if (const int known = position_of(p_.zone_sets, words); known >= 0) return known;
    p_.set_members.emplace_back();
    return append(p_.zone_sets, std::move(words));
  }
  NodeId become(NodeId index, const std::vector<std::uint64_t>& words) {
    node(index) = {.op = Ex::b_words, .a = words_like(words), .place = node(index).place};
    return index;
  }
  const std::vector<std::uint64_t>* constant(NodeId set) {
    return node(set).op == Ex::b_words ? &p_.zone_sets[node(set).a] : nullptr;
  }
  static bool all(const std::vector<std::uint64_t>* words, std::uint64_t value) {
    return words != nullptr &&
           std::all_of(words->begin(), words->end(), [&](std::uint64_t w) { return w == value; });
  }

  // Constants, single directions and families of players in their shortest form; gives another
  // node's index when the set is that one.
  NodeId simplify(NodeId index) {
    const Node n = node(index);
    const std::uint64_t ones = ~std::uint64_t{0};
    if (n.op == Ex::b_if) {
      const Ex when = node(n.a).op;
      if (when != Ex::yes && when != Ex::no) return turn_of(index);
      return become(index, std::vector<std::uint64_t>(p_.words, when == Ex::yes ? ones : 0));
    }
    if (n.op == Ex::b_not) {
      if (const auto* inner = constant(n.a)) {
        std::vector<std::uint64_t> words = *inner;
        for (std::uint64_t& word : words) word = ~word;
        return become(index, words);
      }
      if (node(n.a).op == Ex::b_not) return node(n.a).a;
    }
    if (n.op == Ex::b_and || n.op == Ex::b_or) {
      const auto *left = constant(n.a), *right = constant(n.b);
      const std::uint64_t neutral = n.op == Ex::b_and ? ones : 0;
      if (n.a == n.b || all(right, neutral) || all(left, ~neutral)) return n.a;
      if (all(left, neutral) || all(right, ~neutral)) return n.b;
      if (left != nullptr && right != nullptr) {
        std::vector<std::uint64_t> words = *left;
        for (std::size_t w = 0; w < words.size(); ++w)
          words[w] = n.op == Ex::b_and ? words[w] & (*right)[w] : words[w] | (*right)[w];
        return become(index, words);
      }
      if (n.op == Ex::b_and) shorten_and(node(index));
    }
    if (n.op == Ex::b_step && n.x == 0) {
      const auto& ways = p_.lists[node(n.b).a];
      if (ways.size() == 1)
        node(index) = {.op = Ex::b_shift, .a = n.a, .b = ways[0].index(), .place = n.place};
    }
    if (n.op == Ex::b_family) shorten_family(node(index));
    return index;
  }

  // "It is this player's turn", or not.
  NodeId turn_of(NodeId index) {
    Node when = node(node(index).a);
    const bool negated = when.op == Ex::not_of;
    if (negated) when = node(when.a);
    if (when.op != Ex::equal && when.op != Ex::not_equal) return index;
    const Node &left = node(when.a), &right = node(when.b);
    const bool active = left.op == Ex::active_player ||
                        (left.op == Ex::player_number && node(left.a).op == Ex::p_active);
    if (!active || right.op != Ex::constant || !p_.constants[right.a].is_int()) return index;
    const std::int64_t player = p_.constants[right.a].payload();
    if (player < 0 || player >= p_.players) return index;
    const bool other = negated != (when.op == Ex::not_equal);
    node(index) = {.op = Ex::b_active, .x = other ? 1 : 0, .a = player, .place = node(index).place};
    return index;
  }

  // The commonest pairs are one operation.
  void shorten_and(Node& n) {
    const Node &left = node(n.a), &right = node(n.b);
    if (left.op == Ex::b_active) n.x = 1;
    if (left.op != Ex::b_words) return;
    if (right.op == Ex::b_feature)
      n = {.op = Ex::b_within, .a = left.a, .b = right.a, .place = n.place};
    else if (right.op == Ex::b_not && node(right.a).op == Ex::b_feature)
      n = {.op = Ex::b_without, .a = left.a, .b = node(right.a).a, .place = n.place};
  }

  // A family asked for a value known now is one of its features; one of all players' numbers may
  // be asked for a player named by their seat at the table.
  void shorten_family(Node& n) {
    const Node& who = node(n.b);
    if (who.op == Ex::constant) {
      const Operand* member = &p_.extra[n.a];
      const std::int32_t wanted = Memory::encode_cell(CellType{member[0]}, p_.constants[who.a]);
      for (int i = member[1]; i > 0; --i)
        if (member += 2; *member == wanted) {
          n = {.op = Ex::b_feature, .a = member[1], .place = n.place};
          return;
        }
      return;
    }
    int which = who.op == Ex::active_player ? 0 : -1;
    if (who.op == Ex::player_number) {
      const Ex sel = node(who.a).op;
      which = sel == Ex::p_active  ? 0
              : sel == Ex::p_actor ? 1
              : sel == Ex::p_left  ? 2
              : sel == Ex::p_right ? 3
                                   : -1;
    }
    const Operand* e = &p_.extra[n.a];
    if (which < 0 || CellType{e[0]} != CellType::integer || e[1] != p_.players) return;
    std::vector<std::int32_t> features;
    for (int player = 0; player < p_.players; ++player) {
      if (e[2 + 2 * player] != player) return;
      features.push_back(e[3 + 2 * player]);
    }
    auto found = std::search(p_.extra.begin(), p_.extra.end(), features.begin(), features.end());
    const auto first = found - p_.extra.begin();
    if (found == p_.extra.end()) p_.extra.insert(p_.extra.end(), features.begin(), features.end());
    n = {.op = Ex::b_player, .a = first, .b = which, .place = n.place};
  }

  // What the set is, so that equal keys are equal sets; empty: like no other.
  std::string key_of(const Node& n) {
    if (n.op == Ex::b_scan || n.op == Ex::b_family) return "";
    const std::string name = ex_name(n.op);
    if (n.op == Ex::b_if) {
      const std::string when = meaning(n.a);
      return when.empty() ? "" : name + when;
    }
    std::string key = fmt::format("{} {} {} {}", name, n.x, n.a, n.b);
    if (n.op == Ex::b_step) key = fmt::format("{} {} {}{}", name, n.x, n.a, ways_text(n.b));
    if (n.op == Ex::b_ray) key += ways_text(n.c);
    return key;
  }
  std::string ways_text(NodeId list) {
    std::string out;
    for (const Value way : p_.lists[node(list).a]) out += fmt::format(" >{}", way.payload());
    return out;
  }

  // A condition or value that depends on nothing but the state and the players; empty: any other.
  std::string meaning(NodeId index) {
    const Node& n = node(index);
    const std::string name = ex_name(n.op);
    switch (n.op) {
      case Ex::constant:
        return fmt::format("={}", p_.constants[n.a].bits);
      case Ex::gvar:
      case Ex::p_id:
        return fmt::format("{}{}", name, n.a);
      case Ex::pvar: {
        const std::string who = meaning(n.b);
        return who.empty() ? "" : fmt::format("{}{} {}", name, n.a, who);
      }
      case Ex::any_bit:
      case Ex::no_bit:
        return cost_[n.a] < 0 ? "" : fmt::format("{} #{}", name, n.a);
      default:
        return is_set(n.op) || !has(n.op, trait::shared) ? "" : of_parts(n, name);
    }
  }
  std::string of_parts(const Node& n, const std::string& name) {
    std::string out = "(" + name;
    bool whole = true;
    each_operand(p_, n, [&](NodeId part) {
      const std::string inner = meaning(part);
      whole = whole && !inner.empty();
      out += " " + inner;
    });
    return whole ? out + ")" : "";
  }

  int directions_of(NodeId list) { return std::ssize(p_.lists[node(list).a]); }
  int cost_of(const Node& n) {
    switch (n.op) {
      case Ex::b_scan:
      case Ex::b_family:
        return never;
      case Ex::b_if:
        return meaning(n.a).empty() ? never : 4;
      case Ex::b_not:
      case Ex::b_shift:
        return std::max(never, 1 + cost_[n.a]);
      case Ex::b_and:
      case Ex::b_or:
        return std::max(never, 1 + cost_[n.a] + cost_[n.b]);
      case Ex::b_step:
        return std::max(never, cost_[n.a] + directions_of(n.b));
      case Ex::b_ray:
        return std::max(never, cost_[n.a] + cost_[n.b] + 5 * directions_of(n.c));
      case Ex::b_player:
        return 2;
      default:
        return 1;
    }
  }

  void keep(NodeId index) {
    const NodeId computed = p_.nodes.push_back(node(index));
    node(index) = {
        .op = Ex::b_keep, .a = computed, .b = p_.kept_sets++, .place = node(index).place};
  }

  Program& p_;
  Table<NodeId, NodeId> same_;  // the node of the same set that stays; none: not a set
  Table<NodeId, int> cost_;     // about how many operations; negative: cannot be kept
  Table<NodeId, int> uses_;
  std::map<std::string, NodeId> known_;
};

}  // namespace

void Linker::share_sets() {
  if (p_.options.plan) SharedSets(p_).run();
}

}  // namespace parlor::kernel
