// Conditions become nodes: one function for each kind.
#include <fmt/format.h>

#include "kernel/link/linker.h"

namespace parlor::kernel {

using namespace spec;
using Val = kernel::Value;  // a value at run time; spec::Value is one in the rules

// A constant in one of two constant lists: decided here, or as soon as it is known which.
NodeId Linker::known_member(NodeId item, const spec::Value& set, std::uint32_t at) {
  const auto* either = std::get_if<IfValue>(&set.node);
  const auto* list = std::get_if<ListLiteral>(&set.node);
  const Node& node = p_.nodes[item];
  if ((either == nullptr && list == nullptr) || node.op != Ex::constant || !p_.options.plan)
    return NodeId::none();
  const Val wanted = p_.constants[node.a];
  if (list != nullptr) {
    bool member = false;
    for (const Scalar& entry : list->items) {
      const Val v = scalar(entry);
      if (!v.is_symbol() || !wanted.is_symbol()) return NodeId::none();
      member |= v == wanted;
    }
    return add({member ? Ex::yes : Ex::no, 0, -1, -1, -1, -1, at});
  }
  const auto* first = std::get_if<ListLiteral>(&either->then->node);
  const auto* second = std::get_if<ListLiteral>(&either->otherwise->node);
  if (first == nullptr || second == nullptr || !wanted.is_symbol()) return NodeId::none();
  auto holds = [&](const ListLiteral& list) {
    for (const Scalar& entry : list.items)
      if (scalar(entry) == wanted) return true;
    return false;
  };
  const bool in_first = holds(*first), in_second = holds(*second);
  if (in_first == in_second) return add({in_first ? Ex::yes : Ex::no, 0, -1, -1, -1, -1, at});
  const NodeId when = condition(*either->when);
  return in_first ? when : add({.op = Ex::not_of, .a = when, .place = at});
}

NodeId Linker::condition(const Condition& c) {
  return std::visit([&](const auto& node) { return test(node, c.at.index); }, c.node);
}

NodeId Linker::tests(Ex op, const std::vector<Condition>& args, std::uint32_t at) {
  std::vector<Operand> nodes;
  for (const Condition& arg : args) nodes.push_back(condition(arg));
  return add({op, 0, children(nodes), nodes.size(), -1, -1, at});
}

NodeId Linker::test(bool b, std::uint32_t at) {
  return add({b ? Ex::yes : Ex::no, 0, -1, -1, -1, -1, at});
}

NodeId Linker::test(const AllOf& r, std::uint32_t at) {
  return tests(Ex::all_of, r.args, at);
}

NodeId Linker::test(const AnyOf& r, std::uint32_t at) {
  return tests(Ex::any_of, r.args, at);
}

NodeId Linker::test(const Not& r, std::uint32_t at) {
  return add({.op = Ex::not_of, .a = condition(*r.arg), .place = at});
}

NodeId Linker::test(const Compare& r, std::uint32_t at) {
  static constexpr Ex ops[] = {Ex::equal,      Ex::not_equal, Ex::less,
                               Ex::less_equal, Ex::greater,   Ex::greater_equal};
  const NodeId left = value(r.left);
  return add({ops[static_cast<int>(r.op)], 0, left, value(r.right), -1, -1, at});
}

NodeId Linker::test(const In& r, std::uint32_t at) {
  const NodeId item = value(r.item);
  if (const NodeId known = known_member(item, r.set, at); !known.is_none()) return known;
  // A set that only a free operation has counts as empty outside of one.
  const bool grant = std::holds_alternative<GrantContextRef>(r.set.node) ||
                     std::holds_alternative<CapturedZonesRef>(r.set.node);
  const NodeId set =
      grant && !p_.flow.cards ? constant(Val::list(constant_list + list_of({})), at) : value(r.set);
  return add({.op = Ex::in_list, .x = grant ? 1 : 0, .a = item, .b = set, .place = at});
}

NodeId Linker::test(const Adjacent& r, std::uint32_t at) {
  const NodeId left = zone(r.left, at);
  return add({.op = Ex::adjacent, .a = left, .b = zone(r.right, at), .place = at});
}

NodeId Linker::test(const Connected& r, std::uint32_t at) {
  const NodeId from = zone(r.from, at), to = zone(r.to, at);
  NodeId via;
  SlotId slot;
  if (!r.via.empty()) via = via_condition(r.via.front(), slot);
  const NodeId node = add({.op = Ex::connected,
                           .x = r.allow_target_outside_via ? 1 : 0,
                           .a = from,
                           .b = to,
                           .c = via,
                           .d = slot,
                           .place = at});
  add({.op = Ex::no, .a = r.max_depth ? *r.max_depth : -1, .place = at});
  return node;
}

NodeId Linker::test(const ZonePropIncludes& r, std::uint32_t at) {
  const NodeId z = zone(r.zone, at);
  const int column = position_of(p_.attributes, r.prop);
  return add({.op = Ex::zone_includes, .a = z, .b = column, .c = value(r.value), .place = at});
}

NodeId Linker::test(const MarkerStateAllowed& r, std::uint32_t at) {
  const NodeId z = zone(r.space, at);
  return add({.op = Ex::marker_allowed,
              .a = z,
              .b = lattice_index(p_.lattices, r.marker, at),
              .c = value(r.state),
              .place = at});
}

NodeId Linker::test(const MarkerShiftAllowed& r, std::uint32_t at) {
  const NodeId z = zone(r.space, at);
  return add({.op = Ex::shift_allowed,
              .a = z,
              .b = lattice_index(p_.lattices, r.marker, at),
              .c = value(r.delta),
              .place = at});
}

NodeId Linker::test(const LineOf& r, std::uint32_t at) {
  const NodeId length = value(r.length);
  const NodeId through = r.zone.empty() ? NodeId::none() : zone(r.zone.front(), at);
  const NodeId along = directions(r.directions, at);
  if (through.is_none() && p_.options.plan)
    if (const NodeId set = plan_set(*r.where, "$zone"); !set.is_none())
      if (const NodeId planned = plan_lines(set, length, along, at); !planned.is_none())
        return planned;
  const auto [where, slot] = scoped("$zone", *r.where);
  return add({.op = Ex::line_of,
              .x = slot.value,
              .a = length,
              .b = where,
              .c = along,
              .d = through,
              .place = at});
}

NodeId Linker::test(const Exists& r, std::uint32_t at) {
  if (const auto* tokens = std::get_if<TokensInZoneQuery>(&r.query->node);
      tokens != nullptr && r.where.empty() && p_.options.plan)
    if (const NodeId set = plan_tokens(*tokens, at); !set.is_none())
      return add({.op = Ex::zone_in, .a = zone(tokens->zone, at), .b = set, .place = at});
  if (r.where.empty()) {
    const NodeId source = query(*r.query);
    const Node made = p_.nodes[source];
    if (made.op == Ex::q_bits) return add({.op = Ex::any_bit, .a = made.a, .place = at});
    return add({.op = Ex::exists, .a = source, .place = at});
  }
  if (const NodeId zones = plan_query(*r.query, r.bind); !zones.is_none())
    if (const NodeId set = plan_set(r.where.front(), r.bind, true); !set.is_none())
      return add({.op = Ex::any_bit, .a = both(zones, set, at), .place = at});
  if (const NodeId planned = plan_exists_direction(r, at); !planned.is_none()) return planned;
  if (const auto* walk = std::get_if<ConnectedZonesQuery>(&r.query->node))
    if (const NodeId planned = plan_walk(*walk, r.where.front(), r.bind, at); !planned.is_none())
      return planned;
  const NodeId source = query(*r.query);
  const auto [where, slot] = scoped(r.bind, r.where.front());
  return named(r.bind, slot,
               add({.op = Ex::exists, .a = source, .b = slot, .c = where, .place = at}), at);
}

NodeId Linker::test(const ForAll& r, std::uint32_t at) {
  if (const NodeId zones = plan_query(*r.query, r.bind); !zones.is_none())
    if (const NodeId set = plan_set(*r.where, r.bind); !set.is_none()) {
      const NodeId failing = add({.op = Ex::b_not, .a = set, .place = at});
      return add({.op = Ex::no_bit, .a = both(zones, failing, at), .place = at});
    }
  const NodeId source = query(*r.query);
  const auto [where, slot] = scoped(r.bind, *r.where);
  return named(r.bind, slot,
               add({.op = Ex::for_all, .a = source, .b = slot, .c = where, .place = at}), at);
}

}  // namespace parlor::kernel
