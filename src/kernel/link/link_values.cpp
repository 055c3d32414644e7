// Values become nodes.
#include <fmt/format.h>

#include "kernel/link/linker.h"

namespace parlor::kernel {

using namespace spec;
using Val = kernel::Value;  // a value at run time; spec::Value is one in the rules

namespace {
constexpr const char* clock_fields[] = {"turn", "round", "turnInRound", "roundStartPlayer",
                                        "playerCount"};
}  // namespace

NodeId Linker::value(const spec::Value& v) {
  return std::visit([&](const auto& e) { return expression(e, v.at.index); }, v.node);
}

NodeId Linker::expression(Int n, std::uint32_t at) {
  return number(n, at);
}

NodeId Linker::expression(bool b, std::uint32_t at) {
  return constant(Val::boolean(b), at);
}

NodeId Linker::expression(const std::string& s, std::uint32_t at) {
  if (grant_filter_ != nullptr && s.find("{$") != std::string::npos) return text_of_grant(s, at);
  return constant(text_value(s), at);
}

NodeId Linker::expression(const ListLiteral& list, std::uint32_t at) {
  std::vector<Val> items;
  for (const Scalar& item : list.items) items.push_back(scalar(item));
  return constant(Val::list(constant_list + list_of(std::move(items))), at);
}

NodeId Linker::expression(const GvarRef& r, std::uint32_t at) {
  if (r.var.kind != Name::Kind::literal) return node(at, Ex::gvar_named, name_value(r.var, at));
  const VarId var = p_.gvars.find(&VarInfo::name, r.var.text);
  if (var.is_none()) unsupported(at, fmt::format("there is no global variable `{}`", r.var.text));
  return node(at, Ex::gvar, std::max(VarId(0), var));
}

NodeId Linker::expression(const PvarRef& r, std::uint32_t at) {
  const NodeId who = player(r.player, at);
  if (r.var.kind != Name::Kind::literal)
    return node(at, Ex::pvar_named, name_value(r.var, at), who);
  const VarId var = p_.pvars.find(&VarInfo::name, r.var.text);
  if (var.is_none())
    unsupported(at, fmt::format("there is no variable of players `{}`", r.var.text));
  return node(at, Ex::pvar, std::max(VarId(0), var), who);
}

NodeId Linker::expression(const ZoneVarRef& r, std::uint32_t at) {
  const NodeId z = zone(r.zone, at);
  if (r.var.kind != Name::Kind::literal) return node(at, Ex::zvar_named, name_value(r.var, at), z);
  const VarId var = p_.zvars.find(&VarInfo::name, r.var.text);
  if (var.is_none()) unsupported(at, fmt::format("there is no variable of zones `{}`", r.var.text));
  return node(at, Ex::zvar, std::max(VarId(0), var), z);
}

NodeId Linker::expression(const ZoneCountRef& r, std::uint32_t at) {
  return node(at, Ex::zone_count, zone(r.zone, at));
}

NodeId Linker::expression(const TokenPropRef& r, std::uint32_t at) {
  const NodeId t = binding(r.token, at);
  const int prop = prop_index(r.prop);
  if (prop < 0 && r.prop == "id") return node(at, Ex::token_id, t);
  if (prop < 0 && r.prop == "type") return node(at, Ex::token_type, t);
  if (prop < 0) unsupported(at, fmt::format("no token type has a property `{}`", r.prop));
  return node(at, Ex::token_prop, t, std::max(0, prop));
}

// One question after the other: is it this property, or that one.
NodeId Linker::expression(const ComputedPropRef& r, std::uint32_t at) {
  NodeId out = node(at, Ex::no_property, value(*r.prop));
  for (auto prop = r.among.rbegin(); prop != r.among.rend(); ++prop) {
    const NodeId name = value(*r.prop);
    const NodeId same = node(at, Ex::equal, name, constant(text_value(*prop), at));
    out = node(at, Ex::if_value, same, expression(TokenPropRef{r.token, *prop}, at), out);
  }
  return out;
}

NodeId Linker::expression(const NumberOf& r, std::uint32_t at) {
  return node(at, Ex::number_of, value(*r.of), symbol("nowhere"), symbol("nothing"));
}

NodeId Linker::expression(const ZoneAt& r, std::uint32_t at) {
  return node(at, Ex::zone_at, value(*r.number), symbol("nowhere"));
}

NodeId Linker::expression(const TokenAt& r, std::uint32_t at) {
  return node(at, Ex::token_at, value(*r.number), symbol("nothing"));
}

NodeId Linker::expression(const LongestPath& r, std::uint32_t at) {
  const NodeId from = r.from ? zone(*r.from, at) : NodeId::none();
  const auto [where, slot] = scoped("$zone", *r.where);
  return add({.op = Ex::longest_path, .a = from, .c = where, .d = slot, .place = at});
}

NodeId Linker::expression(const TokenZoneRef& r, std::uint32_t at) {
  return node(at, Ex::token_zone, binding(r.token, at));
}

NodeId Linker::expression(const ZonePropRef& r, std::uint32_t at) {
  const NodeId z = zone(r.zone, at);
  if (r.prop == "id") return node(at, Ex::zone_id, z);
  const auto found = std::find(p_.attributes.begin(), p_.attributes.end(), r.prop);
  if (found == p_.attributes.end()) {
    if (r.prop != "category") unsupported(at, fmt::format("no zone has an attribute `{}`", r.prop));
    return node(at, Ex::zone_category, z);
  }
  return node(at, Ex::zone_attribute, z, found - p_.attributes.begin());
}

NodeId Linker::expression(const BindingRef& r, std::uint32_t at) {
  return binding(r.name, at);
}

NodeId Linker::expression(const AssetFieldRef& r, std::uint32_t at) {
  const NodeId row = binding(r.row, at);
  for (std::size_t t = 0; t < p_.tables.size(); ++t) {
    if (p_.tables[t].id != r.table) continue;
    const auto& columns = p_.tables[t].columns;
    const auto column = std::find(columns.begin(), columns.end(), r.field);
    if (column != columns.end()) return node(at, Ex::asset_field, row, t, column - columns.begin());
  }
  unsupported(at, fmt::format("there is no field `{}` in table `{}`", r.field, r.table));
  return row;
}

NodeId Linker::expression(const MarkerStateRef& r, std::uint32_t at) {
  return node(at, Ex::marker_state, zone(r.space, at), lattice_index(p_.lattices, r.marker, at));
}

NodeId Linker::expression(const GlobalMarkerStateRef& r, std::uint32_t at) {
  return node(at, Ex::global_marker_state, lattice_index(p_.global_lattices, r.marker, at));
}

NodeId Linker::expression(const ActivePlayerRef&, std::uint32_t at) {
  return node(at, Ex::active_player, -1);
}

NodeId Linker::expression(const ActiveSeatRef&, std::uint32_t at) {
  return node(at, Ex::active_seat, -1);
}

NodeId Linker::expression(const PlayerRef& r, std::uint32_t at) {
  if (r.player.kind == PlayerSel::Kind::id && r.player.id >= 0 && r.player.id < p_.players)
    return number(r.player.id, at);
  return node(at, Ex::player_number, player(r.player, at));
}

NodeId Linker::expression(const ClockRef& r, std::uint32_t at) {
  for (int i = 0; i < 5; ++i)
    if (r.field == clock_fields[i]) return node(at, Ex::clock, i);
  unsupported(at, fmt::format("the clock has no field `{}`", r.field));
  return number(0, at);
}

NodeId Linker::expression(const GrantContextRef& r, std::uint32_t at) {
  if (p_.flow.cards) return node(at, Ex::grant_context, constant(Val::symbol(symbol(r.key)), at));
  return node(at, Ex::unbound, symbol(r.key));
}

NodeId Linker::expression(const CapturedZonesRef& r, std::uint32_t at) {
  if (p_.flow.cards)
    return node(at, Ex::captured_zones,
                r.key.kind == spec::Name::Kind::literal
                    ? constant(Val::symbol(symbol(r.key.text)), at)
                    : name_value(r.key, at));
  return node(at, Ex::unbound, symbol(r.key.text));
}

NodeId Linker::expression(const StepRef& r, std::uint32_t at) {
  return node(at, Ex::step_to, zone(r.zone, at), directions(r.direction, at), value(*r.count));
}

NodeId Linker::expression(const EffectModifierRef& r, std::uint32_t at) {
  const NodeId target = opt(r.target);
  return node(at, Ex::effect_modifier, position_of(p_.modifiers, r.name), target);
}

NodeId Linker::expression(const Arith& r, std::uint32_t at) {
  static constexpr Ex ops[] = {Ex::add,      Ex::subtract, Ex::multiply, Ex::divide, Ex::floor_div,
                               Ex::ceil_div, Ex::modulo,   Ex::minimum,  Ex::maximum};
  const NodeId left = value(*r.left), right = value(*r.right);
  const Node& first = p_.nodes[left];
  const Node& second = p_.nodes[right];
  if (first.op == Ex::constant && second.op == Ex::constant && r.op <= ArithOp::subtract) {
    const Val a = p_.constants[first.a], b = p_.constants[second.a];
    if (a.is_int() && b.is_int())
      return number(r.op == ArithOp::add ? a.payload() + b.payload() : a.payload() - b.payload(),
                    at);
  }
  return node(at, ops[static_cast<int>(r.op)], left, right);
}

NodeId Linker::expression(const Aggregate& r, std::uint32_t at) {
  const NodeId source = query(*r.query);
  const Node made = p_.nodes[source];
  if (r.op == AggregateOp::count)
    return made.op == Ex::q_bits ? node(at, Ex::count_bits, made.a) : node(at, Ex::count, source);
  scope_.open(false);
  const SlotId slot = bind_inner(r.bind);
  const NodeId each = value(r.value.front());
  scope_.close();
  const NodeId sum =
      add({.op = Ex::fold, .x = r.op, .a = source, .b = slot, .c = each, .place = at});
  return named(r.bind, slot, sum, at);
}

NodeId Linker::expression(const ItemOf& r, std::uint32_t at) {
  return node(at, Ex::item, query(*r.query), value(*r.at));
}

// A value for each result of a query, and the slot it finds the result in.
std::pair<NodeId, SlotId> Linker::each_number(const std::string& bind, const spec::Value& each) {
  scope_.open(false);
  const SlotId slot = bind_inner(bind);
  const NodeId node = value(each);
  scope_.close();
  return {node, slot};
}

NodeId Linker::expression(const RankOf& r, std::uint32_t at) {
  const NodeId of = value(*r.of), source = query(*r.query);
  const auto [by, slot] = each_number(r.bind, *r.by);
  return named(r.bind, slot,
               add({.op = Ex::rank,
                    .x = r.descending,
                    .a = source,
                    .b = of,
                    .c = by,
                    .d = slot,
                    .place = at}),
               at);
}

NodeId Linker::expression(const ConcatValue& r, std::uint32_t at) {
  std::vector<Operand> parts;
  for (const spec::Value& part : r.parts) parts.push_back(value(part));
  return node(at, Ex::concat, children(parts), parts.size());
}

NodeId Linker::expression(const IfValue& r, std::uint32_t at) {
  const NodeId when = condition(*r.when);
  return node(at, Ex::if_value, when, value(*r.then), value(*r.otherwise));
}

}  // namespace parlor::kernel
