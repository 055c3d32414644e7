// Sums that are kept while tokens come and go, filters that compare nothing but properties, and
// what is kept of zones that are asked for tokens by them.
#include "kernel/link/linker.h"
#include "kernel/state/zone_set.h"

namespace parlor::kernel {

namespace {

// What each token in a zone counts: a property and a number, or a number alone.
struct TokenNumber {
  int prop = -1;
  std::int64_t addend = 0;
};

class SumShape {
 public:
  explicit SumShape(const Program& program) : p_(program) {}

  const Node& at(NodeId node) const { return p_.nodes[node]; }

  std::optional<std::int64_t> number(NodeId node) const {
    const Node& n = at(node);
    if (n.op != Ex::constant) return std::nullopt;
    const Value v = p_.constants[n.a];
    // Small enough for sums over all tokens of a game to stay numbers.
    constexpr std::int64_t most = std::int64_t{1} << 31;
    if (!v.is_int() || v.payload() >= most || v.payload() <= -most) return std::nullopt;
    return v.payload();
  }

  // All tokens of the zone in this slot.
  bool all_tokens(NodeId query, SlotId zone_slot) const {
    const Node& n = at(query);
    return n.op == Ex::q_tokens && n.b < 0 && is_zone(n.a, zone_slot);
  }
  bool is_zone(NodeId node, SlotId slot) const {
    return at(node).op == Ex::z_slot && at(node).a == slot;
  }

  // A number that says what lies in the zone, as a sum over its tokens.
  std::optional<TokenNumber> content(NodeId node, SlotId zone_slot) const {
    const Node& n = at(node);
    if (n.op == Ex::zone_count && is_zone(n.a, zone_slot)) return TokenNumber{-1, 1};
    if (n.op == Ex::count && all_tokens(n.a, zone_slot)) return TokenNumber{-1, 1};
    if (n.op != Ex::fold || n.x != 1 || !all_tokens(n.a, zone_slot)) return std::nullopt;
    return token_number(n.c, n.b);
  }

 private:
  std::optional<TokenNumber> token_number(NodeId node, int token_slot) const {
    if (const auto fixed = number(node)) return TokenNumber{-1, *fixed};
    const Node& n = at(node);
    if (n.op == Ex::token_prop && n.b >= 0 && at(n.a).op == Ex::slot && at(n.a).a == token_slot)
      return TokenNumber{n.b, 0};
    if (n.op != Ex::add) return std::nullopt;
    auto left = token_number(n.a, token_slot), right = token_number(n.b, token_slot);
    if (!left || !right || (left->prop >= 0 && right->prop >= 0)) return std::nullopt;
    const std::int64_t addend = left->addend + right->addend;
    if (std::abs(addend) >= std::int64_t{1} << 31) return std::nullopt;
    return TokenNumber{std::max(left->prop, right->prop), addend};
  }

  const Program& p_;
};

}  // namespace

// A reduce over a constant set of zones whose next number is (number × factor + content) modulo
// something, the content being a sum over the zone's tokens: it is linear in them. -1: any other.
int Linker::plan_sum(NodeId over, NodeId next, SlotId item, SlotId acc) {
  if (!p_.options.plan) return -1;
  const SumShape shape(p_);
  const Node& zones = shape.at(over);
  const Node& modulo = shape.at(next);
  if (zones.op != Ex::q_bits || shape.at(zones.a).op != Ex::b_words || modulo.op != Ex::modulo)
    return -1;
  const auto modulus = shape.number(modulo.b);
  const Node& sum = shape.at(modulo.a);
  if (!modulus || *modulus < 1 || sum.op != Ex::add || shape.at(sum.a).op != Ex::multiply)
    return -1;
  const Node& product = shape.at(sum.a);
  const auto factor = shape.number(product.b);
  if (!factor || *factor < 1 || shape.at(product.a).op != Ex::slot || shape.at(product.a).a != acc)
    return -1;
  const auto content = shape.content(sum.b, item);
  if (!content) return -1;
  // Plain evaluation must not find a number too large on its way: 2^15 tokens of below 2^32 each.
  if (*factor > (max_int - (std::int64_t{1} << 47)) / *modulus) return -1;

  KeptSum kept;
  kept.zones = shape.at(zones.a).a;
  kept.prop = content->prop;
  kept.addend = content->addend;
  kept.factor = *factor;
  kept.modulus = *modulus;
  for (std::size_t s = 0; s < p_.sums.size(); ++s) {
    const KeptSum& other = p_.sums[s];
    if (p_.zone_sets[other.zones] == p_.zone_sets[kept.zones] && other.prop == kept.prop &&
        other.addend == kept.addend && other.factor == kept.factor && other.modulus == kept.modulus)
      return s;
  }
  // The last zone counts once, the one before it `factor` times, and so on.
  kept.weights.assign(p_.zones.size(), -1);
  std::int64_t weight = 1 % kept.modulus;
  const auto& words = p_.zone_sets[kept.zones];
  for (ZoneId z = p_.zones.next(); z.value-- > 0;) {
    if (!has_zone(words.data(), z)) continue;
    kept.weights[z] = weight;
    weight = weight * kept.factor % kept.modulus;
  }
  kept.whole = weight;
  return append(p_.sums, std::move(kept));
}

void Linker::find_prop_filters() {
  if (!proves_) return;
  p_.prop_filters.resize(p_.nodes.size());
  const auto test_of = [&](NodeId node) -> std::optional<PropTest> {
    const Node& n = p_.nodes[node];
    using Field = spec::TokenTest::Field;
    const Field field{n.a};
    const bool type = field == Field::token_type;
    if (n.op != Ex::f_test || (!type && (field != Field::prop || n.b < 0))) return std::nullopt;
    return PropTest{type ? -1 : n.b.value, n.c, spec::FilterOp{n.x}, n.place};
  };
  for (const NodeId node : p_.nodes.ids()) {
    const Node n = p_.nodes[node];
    PropFilter filter;
    filter.first = std::ssize(p_.prop_tests);
    const bool several = n.op == Ex::f_all && n.b > 0 && n.b <= most_prop_tests;
    if (!several && n.op != Ex::f_test) continue;
    for (int i = 0; i < (several ? n.b.value : 1); ++i) {
      const auto test = test_of(several ? NodeId(p_.extra[n.a + i]) : node);
      if (!test) break;
      p_.prop_tests.push_back(*test);
      ++filter.count;
    }
    if (filter.count == (several ? n.b.value : 1))
      p_.prop_filters[node] = filter;
    else
      p_.prop_tests.resize(filter.first);
  }
  for (Node& n : p_.nodes)
    if (n.op == Ex::count && p_.options.plan) n.b = seen_filter(n.a);
}

// For a count of the tokens with given numbers in a zone that only rules look at: it may hold many.
int Linker::seen_filter(NodeId query) {
  const Node& tokens = p_.nodes[query];
  if (tokens.op != Ex::q_tokens || tokens.b < 0) return -1;
  const Node& where = p_.nodes[tokens.a];
  const PropFilter filter = p_.prop_filters[tokens.b];
  if (where.op != Ex::z_const || !p_.zones[where.a].internal || filter.count == 0) return -1;
  SeenFilter wanted;
  wanted.zone = where.a;
  for (int i = 0; i < filter.count; ++i) {
    const PropTest& test = p_.prop_tests[filter.first + i];
    if (test.prop < 0 || test.op != spec::FilterOp::eq || !sure_value(p_, test.value)) return -1;
    for (const TypeInfo& type : p_.types)
      if (type.column[test.prop] >= 0 && type.cell[test.prop] != CellType::integer) return -1;
    wanted.props.push_back(test.prop);
  }
  for (std::size_t s = 0; s < p_.seen.size(); ++s)
    if (p_.seen[s].zone == wanted.zone && p_.seen[s].props == wanted.props) return s;
  return append(p_.seen, std::move(wanted));
}

}  // namespace parlor::kernel
