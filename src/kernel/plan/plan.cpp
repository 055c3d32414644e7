// Plans: zone queries whose conditions are simple become operations on zone sets that the memory
// keeps up to date, chosen from the shape of the expression alone. What cannot be planned stays as
// it is; with LinkOptions::plan off nothing is planned, and both ways give the same answers.
#include "kernel/link/linker.h"
#include "kernel/state/memory.h"
#include "kernel/state/zone_set.h"

namespace parlor::kernel {

using namespace spec;
using Val = kernel::Value;

namespace {

// The name by which plans know a zone: its binding, or the token that stands there; empty: none.
std::string name_of(const ZoneSel& sel) {
  if (sel.kind == ZoneSel::Kind::binding) return sel.text;
  if (sel.kind != ZoneSel::Kind::expression) return "";
  if (const auto* ref = std::get_if<BindingRef>(&sel.expr.front().node)) return ref->name;
  if (const auto* ref = std::get_if<TokenZoneRef>(&sel.expr.front().node))
    return "zone of " + ref->token;
  return "";
}

bool is_zone(const ZoneSel& sel, const std::string& bind) {
  return !bind.empty() && name_of(sel) == bind;
}

// The zone a condition starts from: that of its first step or ray.
const ZoneSel* start_of(const Condition& c) {
  auto first = [](const std::vector<Condition>& args) -> const ZoneSel* {
    for (const Condition& arg : args)
      if (const ZoneSel* found = start_of(arg)) return found;
    return nullptr;
  };
  auto of_query = [](const Query& q) -> const ZoneSel* {
    if (const auto* step = std::get_if<StepQuery>(&q.node)) return &step->zone;
    if (const auto* ray = std::get_if<RayQuery>(&q.node)) return &ray->zone;
    return nullptr;
  };
  if (const auto* all = std::get_if<AllOf>(&c.node)) return first(all->args);
  if (const auto* any = std::get_if<AnyOf>(&c.node)) return first(any->args);
  if (const auto* none = std::get_if<Not>(&c.node)) return start_of(*none->arg);
  if (const auto* some = std::get_if<Exists>(&c.node)) {
    const ZoneSel* found = of_query(*some->query);
    return found != nullptr ? found : first(some->where);
  }
  if (const auto* every = std::get_if<ForAll>(&c.node)) {
    const ZoneSel* found = of_query(*every->query);
    return found != nullptr ? found : start_of(*every->where);
  }
  return nullptr;
}

// count > 0, count != 0, count >= 1: 1; count == 0, count < 1, count <= 0: 0; anything else: -1.
int asks_for_some(CompareOp op, const spec::Value& right) {
  const auto* n = std::get_if<Int>(&right.node);
  if (n == nullptr) return -1;
  if (*n == 0 && (op == CompareOp::greater || op == CompareOp::not_equal)) return 1;
  if (*n == 1 && op == CompareOp::greater_equal) return 1;
  if (*n == 0 && (op == CompareOp::equal || op == CompareOp::less_equal)) return 0;
  if (*n == 1 && op == CompareOp::less) return 0;
  return -1;
}

}  // namespace

// Zones whose attribute compares so with a constant.
NodeId Linker::plan_attribute(const ZonePropRef& ref, CompareOp op, const spec::Value& right,
                              std::uint32_t at) {
  const int attribute = position_of(p_.attributes, ref.prop);
  if (attribute < 0) return NodeId::none();
  const NodeId fixed = value(right);
  if (p_.nodes[fixed].op != Ex::constant) return NodeId::none();
  const Val wanted = p_.constants[p_.nodes[fixed].a];
  std::vector<std::uint64_t> words(p_.words);
  std::vector<ZoneId> members;
  for (const ZoneId z : p_.zones.ids()) {
    const Val v = p_.attribute(z, attribute);
    if (v.is_none()) continue;  // a comparison with what the zone lacks is false
    if (v.is_list()) return NodeId::none();
    bool in = false;
    if (op == CompareOp::equal || op == CompareOp::not_equal) {
      in = (v == wanted) == (op == CompareOp::equal);
    } else {
      if (!v.is_int() || !wanted.is_int()) return NodeId::none();
      in = holds(op, v.payload(), wanted.payload());
    }
    if (!in) continue;
    put_zone(words.data(), z);
    members.push_back(z);
  }
  p_.zone_sets.push_back(std::move(words));
  p_.set_members.push_back(std::move(members));
  return add({.op = Ex::b_words, .a = p_.zone_sets.size() - 1, .place = at});
}

namespace {

// What a sum of attributes and numbers comes to for one zone ("row % 2"); nothing where that
// depends on anything else, or might fault.
std::optional<std::int64_t> known_number(const Program& p, const spec::Value& value,
                                         const std::string& bind, ZoneId zone) {
  if (const auto* number = std::get_if<Int>(&value.node)) return *number;
  if (const auto* ref = std::get_if<ZonePropRef>(&value.node)) {
    const int found = position_of(p.attributes, ref->prop);
    if (!is_zone(ref->zone, bind) || found < 0) return std::nullopt;
    const Val v = p.attribute(zone, found);
    if (!v.is_int()) return std::nullopt;
    return v.payload();
  }
  const auto* sum = std::get_if<Arith>(&value.node);
  if (sum == nullptr) return std::nullopt;
  const auto a = known_number(p, *sum->left, bind, zone);
  const auto b = known_number(p, *sum->right, bind, zone);
  constexpr std::int64_t small = 1'000'000;  // nothing overflows
  if (!a || !b || std::abs(*a) > small || std::abs(*b) > small) return std::nullopt;
  if (sum->op == ArithOp::add) return *a + *b;
  if (sum->op == ArithOp::subtract) return *a - *b;
  if (sum->op == ArithOp::multiply) return *a * *b;
  if (sum->op == ArithOp::modulo && *a >= 0 && *b > 0) return *a % *b;
  return std::nullopt;
}

// Zones for which a comparison of such sums holds, or nothing.
std::optional<std::vector<ZoneId>> known_zones(const Program& p, const Compare& c,
                                               const std::string& bind) {
  std::vector<ZoneId> out;
  for (const ZoneId z : p.zones.ids()) {
    const auto a = known_number(p, c.left, bind, z), b = known_number(p, c.right, bind, z);
    if (!a || !b) return std::nullopt;
    if (holds(c.op, *a, *b)) out.push_back(z);
  }
  return out;
}

}  // namespace

NodeId Linker::plan_compare(const Compare& c, const std::string& bind, std::uint32_t at) {
  if (std::holds_alternative<Arith>(c.left.node))
    if (auto members = known_zones(p_, c, bind)) {
      std::vector<std::uint64_t> words(p_.words);
      for (const ZoneId z : *members) put_zone(words.data(), z);
      p_.zone_sets.push_back(std::move(words));
      p_.set_members.push_back(std::move(*members));
      return add({.op = Ex::b_words, .a = p_.zone_sets.size() - 1, .place = at});
    }
  if (const auto* prop = std::get_if<ZonePropRef>(&c.left.node);
      prop != nullptr && is_zone(prop->zone, bind))
    return plan_attribute(*prop, c.op, c.right, at);
  const int some = asks_for_some(c.op, c.right);
  if (some < 0) return NodeId::none();
  NodeId set;
  if (const auto* size = std::get_if<ZoneCountRef>(&c.left.node);
      size != nullptr && is_zone(size->zone, bind))
    set = add({.op = Ex::b_feature, .a = feature({}), .place = at});
  if (const auto* sum = std::get_if<Aggregate>(&c.left.node);
      sum != nullptr && sum->op == AggregateOp::count)
    if (const auto* q = std::get_if<TokensInZoneQuery>(&sum->query->node);
        q != nullptr && is_zone(q->zone, bind))
      set = plan_tokens(*q, at);
  if (set.is_none()) return NodeId::none();
  return some == 1 ? set : add({.op = Ex::b_not, .a = set, .place = at});
}

// Both sets; the commonest pairs are one operation.
NodeId Linker::both(NodeId left, NodeId right, std::uint32_t at) {
  const Node l = p_.nodes[left], r = p_.nodes[right];
  if (l.op == Ex::b_words && r.op == Ex::b_feature)
    return add({.op = Ex::b_within, .a = l.a, .b = r.a, .place = at});
  if (l.op == Ex::b_words && r.op == Ex::b_not) {
    const Node inner = p_.nodes[r.a];
    if (inner.op == Ex::b_feature)
      return add({.op = Ex::b_without, .a = l.a, .b = inner.a, .place = at});
  }
  if (l.op == Ex::b_words && r.op == Ex::b_and) {
    const NodeId first = both(left, r.a, at);
    return add({.op = Ex::b_and, .a = first, .b = r.b, .place = at});
  }
  // What is asked zone by zone is asked only of the zones the other set leaves over.
  if (r.op == Ex::b_scan)
    return add({.op = Ex::b_scan,
                .x = r.x,
                .a = r.a,
                .b = both(left, r.b, at),
                .c = r.c,
                .d = r.d,
                .place = at});
  return add({.op = Ex::b_and, .a = left, .b = right, .place = at});
}

// The condition once for each direction, with the direction known: pairs of direction and set.
// Nothing when one of them cannot be planned.
std::vector<std::pair<int, NodeId>> Linker::plan_each_way(const DirectionSel& ways,
                                                          const std::string& item,
                                                          const Condition& where,
                                                          const std::string& bind,
                                                          std::uint32_t at) {
  std::vector<std::pair<int, NodeId>> sets;
  const NodeId list = directions(ways, at);
  if (p_.nodes[list].op != Ex::d_list) return sets;
  const std::vector<Val> all = p_.lists[p_.nodes[list].a];
  const auto outer = known_directions_.extract(item);
  for (const Val d : all) {
    known_directions_[item] = d.index();
    const NodeId set = plan_set(where, bind);
    known_directions_.erase(item);
    if (set.is_none()) {
      sets.clear();
      break;
    }
    sets.emplace_back(d.index(), set);
  }
  if (!outer.empty()) known_directions_[item] = outer.mapped();
  return sets;
}

// Directions that one zone may go: one set for each of them.
NodeId Linker::plan_filtered_directions(const FilterQuery& q, std::uint32_t at) {
  const auto* source = std::get_if<DirectionsQuery>(&q.source->node);
  const ZoneSel* start = source == nullptr ? nullptr : start_of(q.where);
  if (!p_.options.plan || start == nullptr || name_of(*start).empty()) return NodeId::none();
  const auto sets = plan_each_way(source->directions, q.bind, q.where, name_of(*start), at);
  std::vector<Operand> numbers;
  for (const auto& [direction, set] : sets) {
    for (std::size_t k = 0; k < numbers.size(); k += 2)
      if (numbers[k] == direction) return NodeId::none();
    numbers.push_back(direction);
    numbers.push_back(set);
  }
  if (sets.empty()) return NodeId::none();
  return add({.op = Ex::q_ways,
              .a = zone(*start, at),
              .b = children(numbers),
              .c = sets.size(),
              .place = at});
}

// Whether one zone may go some direction: it is in a set.
NodeId Linker::plan_exists_direction(const Exists& c, std::uint32_t at) {
  const auto* source = std::get_if<DirectionsQuery>(&c.query->node);
  if (!p_.options.plan || source == nullptr || c.where.empty()) return NodeId::none();
  const ZoneSel* start = start_of(c.where.front());
  if (start == nullptr || name_of(*start).empty()) return NodeId::none();
  const NodeId set = plan_directions(*c.query, name_of(*start), c.bind, c.where.front(), false, at);
  return set.is_none() ? NodeId::none()
                       : add({.op = Ex::zone_in, .a = zone(*start, at), .b = set, .place = at});
}

NodeId Linker::plan_directions(const Query& q, const std::string& bind, const std::string& item,
                               const Condition& where, bool every, std::uint32_t at) {
  const auto* ways = std::get_if<DirectionsQuery>(&q.node);
  if (ways == nullptr || item.empty()) return NodeId::none();
  NodeId set;
  for (const auto& [direction, part] : plan_each_way(ways->directions, item, where, bind, at))
    set = set.is_none() ? part : add({every ? Ex::b_and : Ex::b_or, 0, set, part, -1, -1, at});
  return set;
}

NodeId Linker::plan_set(const Condition& c, const std::string& bind, bool scans) {
  if (is_template(bind)) return NodeId::none();
  const std::uint32_t at = c.at.index;
  if (const auto* compare = std::get_if<Compare>(&c.node)) {
    if (const NodeId set = plan_compare(*compare, bind, at); !set.is_none()) return set;
  } else if (const auto* some = std::get_if<Exists>(&c.node)) {
    const auto* q = std::get_if<TokensInZoneQuery>(&some->query->node);
    if (q != nullptr && some->where.empty() && is_zone(q->zone, bind))
      if (const NodeId set = plan_tokens(*q, at); !set.is_none()) return set;
    static const Condition always{true, {}};
    const Condition& where = some->where.empty() ? always : some->where.front();
    if (const NodeId set = plan_steps(*some->query, bind, some->bind, where, false, at);
        !set.is_none())
      return set;
    if (const NodeId set = plan_ray(*some->query, bind, some->bind, where, at); !set.is_none())
      return set;
    if (const NodeId set = plan_directions(*some->query, bind, some->bind, where, false, at);
        !set.is_none())
      return set;
  } else if (const auto* every = std::get_if<ForAll>(&c.node)) {
    if (const NodeId set = plan_steps(*every->query, bind, every->bind, *every->where, true, at);
        !set.is_none())
      return set;
    if (const NodeId set =
            plan_directions(*every->query, bind, every->bind, *every->where, true, at);
        !set.is_none())
      return set;
  } else if (const auto* none = std::get_if<Not>(&c.node)) {
    if (const NodeId set = plan_set(*none->arg, bind); !set.is_none())
      return add({.op = Ex::b_not, .a = set, .place = at});
  } else if (const auto* any = std::get_if<AnyOf>(&c.node)) {
    NodeId set;
    for (const Condition& arg : any->args) {
      const NodeId part = plan_set(arg, bind);
      if (part.is_none()) return NodeId::none();
      set = set.is_none() ? part : add({.op = Ex::b_or, .a = set, .b = part, .place = at});
    }
    return set;
  } else if (const auto* all = std::get_if<AllOf>(&c.node)) {
    return plan_all(*all, bind, scans, at);
  }
  // A condition that does not look at the zone holds for all of them or for none.
  const NodeId before = p_.nodes.next();
  const auto [node, slot] = scoped(bind, c);
  for (const NodeId n : IdRange(before, p_.nodes.next())) {
    const Node& made = p_.nodes[n];
    if ((made.op == Ex::slot || made.op == Ex::z_slot) && made.a == slot) return NodeId::none();
  }
  // Asked although no zone may be left to ask it of: only what cannot fault.
  if (!sure_condition(p_, node, slot)) return NodeId::none();
  return add({.op = Ex::b_if, .a = node, .place = at});
}

// All of several. What cannot be planned is asked zone by zone: last, of those the rest leaves
// over, or where it might fault in its place, so that plans fault where plain evaluation does.
NodeId Linker::plan_all(const AllOf& all, const std::string& bind, bool scans, std::uint32_t at) {
  std::vector<std::pair<NodeId, SlotId>> last;  // condition and slot of what cannot fault
  NodeId set;
  Node scan;  // being made: what comes after it goes into its operand c
  auto finish = [&] {
    if (scan.op == Ex::b_scan) set = add(scan);
    scan = {};
  };
  bool planned = false;
  for (const Condition& arg : all.args) {
    if (const NodeId part = plan_set(arg, bind, scans); !part.is_none()) {
      const NodeId before = scan.op == Ex::b_scan ? NodeId(scan.c) : set;
      const NodeId joined = before.is_none() ? part : both(before, part, at);
      if (scan.op == Ex::b_scan)
        scan.c = joined;
      else
        set = joined;
      planned = true;
      continue;
    }
    if (!scans) return NodeId::none();
    const auto [node, slot] = scoped(bind, arg);
    if (sure_condition(p_, node, slot)) {
      last.emplace_back(node, slot);
      continue;
    }
    finish();
    if (set.is_none())
      set = add({.op = Ex::b_if, .a = add({.op = Ex::yes, .place = at}), .place = at});
    scan = {.op = Ex::b_scan, .x = 1, .a = node, .b = set, .d = slot, .place = at};
  }
  finish();
  if (!planned) return NodeId::none();
  for (const auto& [node, slot] : last)
    set = add({.op = Ex::b_scan, .a = node, .b = set, .d = slot, .place = at});
  return set;
}

// Zones one step from which (in some direction, or in every direction there is) a condition holds;
// zones that enclose something.
NodeId Linker::plan_steps(const Query& q, const std::string& bind, const std::string& item,
                          const Condition& where, bool every, std::uint32_t at) {
  const auto* step = std::get_if<StepQuery>(&q.node);
  if (step == nullptr || !is_zone(step->zone, bind)) return NodeId::none();
  // What is asked of the neighbour must not look at the zone itself.
  const std::string name = item.empty() ? "$__step" : item;
  const NodeId before = p_.nodes.next();
  scope_.open(false);
  const SlotId outer = scope_.declare_inner(bind);
  const NodeId set = plan_set(where, name);
  scope_.close();
  for (const NodeId n : IdRange(before, p_.nodes.next())) {
    const Node& made = p_.nodes[n];
    if ((made.op == Ex::slot || made.op == Ex::z_slot) && made.a == outer) return NodeId::none();
  }
  if (set.is_none()) return NodeId::none();
  const NodeId along = directions(step->directions, at);
  if (p_.nodes[along].op != Ex::d_list) return NodeId::none();
  return add({.op = Ex::b_step, .x = every ? 1 : 0, .a = set, .b = along, .place = at});
}

// Zones from which a ray comes to a zone where a condition holds: passing over zones of `while`,
// and taking in the zone behind them if `until` holds for it.
NodeId Linker::plan_ray(const Query& q, const std::string& bind, const std::string& item,
                        const Condition& where, std::uint32_t at) {
  const auto* ray = std::get_if<RayQuery>(&q.node);
  if (ray == nullptr || !is_zone(ray->zone, bind) || !ray->max_steps.empty() ||
      ray->through.empty())
    return NodeId::none();
  const NodeId before = p_.nodes.next();
  scope_.open(false);
  const SlotId outer = scope_.declare_inner(bind);
  const NodeId over = plan_set(ray->through.front(), "$zone");
  const NodeId end =
      over.is_none() || ray->until.empty() ? NodeId::none() : plan_set(ray->until.front(), "$zone");
  const NodeId wanted =
      over.is_none() ? NodeId::none() : plan_set(where, item.empty() ? "$__ray" : item);
  scope_.close();
  for (const NodeId n : IdRange(before, p_.nodes.next())) {
    const Node& made = p_.nodes[n];
    if ((made.op == Ex::slot || made.op == Ex::z_slot) && made.a == outer) return NodeId::none();
  }
  if (wanted.is_none() || (end.is_none() && !ray->until.empty())) return NodeId::none();
  const NodeId along = directions(ray->directions, at);
  const Node& list = p_.nodes[along];
  if (list.op != Ex::d_list) return NodeId::none();
  // Where steps lead round in a circle a ray ends before its own start; a set does not know it.
  for (const Val d : p_.lists[list.a])
    if (p_.shifts[d.payload()].longest < 0) return NodeId::none();
  // Good zones: passed over and wanted, or the one that stops the ray and is wanted.
  NodeId good = add({.op = Ex::b_and, .a = over, .b = wanted, .place = at});
  if (!end.is_none()) {
    const NodeId stops = add({.op = Ex::b_and,
                              .a = add({.op = Ex::b_not, .a = over, .place = at}),
                              .b = end,
                              .place = at});
    good = add({.op = Ex::b_or,
                .a = good,
                .b = add({.op = Ex::b_and, .a = stops, .b = wanted, .place = at}),
                .place = at});
  }
  return add({.op = Ex::b_ray, .a = over, .b = good, .c = along, .place = at});
}

// The results of a query over zones as a set.
NodeId Linker::plan_query(const Query& q, const std::string&) {
  const auto* zones = std::get_if<ZonesQuery>(&q.node);
  if (!p_.options.plan || zones == nullptr || !zones->owner.empty()) return NodeId::none();
  const NodeId all = add({.op = Ex::b_words, .a = zone_set(*zones), .place = q.at.index});
  if (zones->condition.empty()) return all;
  const NodeId wanted = plan_set(zones->condition.front(), "$zone", true);
  return wanted.is_none() ? NodeId::none() : both(all, wanted, q.at.index);
}

// Whether a walk comes to a zone that satisfies a condition: with sets for both, no list is needed.
NodeId Linker::plan_walk(const ConnectedZonesQuery& walk, const Condition& where,
                         const std::string& bind, std::uint32_t at) {
  if (!p_.options.plan || walk.via.empty() || walk.max_depth) return NodeId::none();
  const NodeId start = zone(walk.zone, at);
  const NodeId through = plan_set(walk.via.front(), "$zone");
  const NodeId wanted = through.is_none() ? NodeId::none() : plan_set(where, bind);
  if (wanted.is_none()) return NodeId::none();
  return add({.op = Ex::any_connected,
              .x = (walk.include_start ? 1 : 0) | (walk.allow_target_outside_via ? 2 : 0),
              .a = start,
              .b = through,
              .c = wanted,
              .place = at});
}

// A condition of connections: as a set where it can be planned.
NodeId Linker::via_condition(const Condition& c, SlotId& slot) {
  if (p_.options.plan) {
    if (const NodeId set = plan_set(c, "$zone"); !set.is_none()) {
      slot = scope_.fresh();
      return add({.op = Ex::in_set, .a = set, .d = slot, .place = c.at.index});
    }
  }
  NodeId node;
  std::tie(node, slot) = scoped("$zone", c);
  return node;
}

}  // namespace parlor::kernel
