// Conditions and filters: sections 12, 13 and 16 of the language.
#include "reference/run.h"

namespace parlor::reference {

using namespace spec;

// A comparison with an attribute that the zone lacks is false.
std::optional<Val> Run::operand(const Value& node, const Context& c) {
  try {
    return value(node, c);
  } catch (const RuntimeError& error) {
    if (error.code == "ZONE_PROP_NOT_FOUND" && std::holds_alternative<ZonePropRef>(node.node))
      return std::nullopt;
    throw;
  }
}

bool Run::compare(const Compare& node, const Context& c) {
  const std::optional<Val> first = operand(node.left, c);
  const std::optional<Val> second = first ? operand(node.right, c) : std::nullopt;
  if (!first || !second) return false;
  if (node.op == CompareOp::equal || node.op == CompareOp::not_equal) {
    const bool same = first->is_scalar() && *first == *second;
    return same == (node.op == CompareOp::equal);
  }
  const auto* lower = std::get_if<Int>(&first->v);
  const auto* upper = std::get_if<Int>(&second->v);
  if (!lower || !upper) throw RuntimeError("TYPE_MISMATCH", "only numbers have a size");
  const Int left = *lower, right = *upper;
  switch (node.op) {
    case CompareOp::less:
      return left < right;
    case CompareOp::less_equal:
      return left <= right;
    case CompareOp::greater:
      return left > right;
    default:
      return left >= right;
  }
}

bool Run::contains(const In& node, const Context& c) {
  const std::optional<Val> item = operand(node.item, c);
  if (!item) return false;
  if (const auto* key = std::get_if<GrantContextRef>(&node.set.node); key && !granted(key->key))
    return false;
  if (const auto* key = std::get_if<CapturedZonesRef>(&node.set.node);
      key && !captured(key->key, c))
    return false;
  return relate(FilterOp::in, *item, value(node.set, c));
}

bool Run::connected(const Connected& node, const Context& c) {
  const std::string from = one_zone(node.from, c);
  const std::string to = one_zone(node.to, c);
  const Int most = node.max_depth.value_or(static_cast<Int>(rules_.zones.size()) - 1);
  std::set<std::string> seen{from};
  std::vector<std::string> ring{from};
  for (Int depth = 0; depth < most && !ring.empty(); ++depth) {
    std::vector<std::string> next;
    for (const std::string& zone : ring) {
      for (const std::string& neighbour : rules_.neighbours(zone)) {
        if (seen.contains(neighbour)) continue;
        const bool open = node.via.empty() || holds(node.via[0], with(c, "$zone", neighbour));
        if ((open || node.allow_target_outside_via) && neighbour == to) return true;
        if (!open) continue;
        seen.insert(neighbour);
        next.push_back(neighbour);
      }
    }
    ring = std::move(next);
  }
  return false;
}

bool Run::line_of(const LineOf& node, const Context& c) {
  const Int length = integer(node.length, c);
  std::vector<std::string> starts;
  if (!node.zone.empty()) {
    starts = {one_zone(node.zone[0], c)};
  } else {
    for (const auto& [id, zone] : rules_.zones)
      if (!zone->directions.empty()) starts.push_back(id);
  }
  const auto good = [&](const std::string& zone) {
    return holds(*node.where, with(c, "$zone", zone));
  };
  // How many zones beyond `zone` follow each other that way.
  const auto run = [&](std::string zone, const std::string& way) {
    Int n = 0;
    for (auto next = rules_.step(zone, way); next && n < length && good(*next);
         next = rules_.step(zone, way)) {
      zone = *next;
      ++n;
    }
    return n;
  };
  for (const std::string& start : starts) {
    if (!good(start)) continue;
    for (const std::string& way : directions(node.directions, c)) {
      std::string back;
      for (const DirectionDef& d : def().directions)
        if (d.name == way) back = d.opposite;
      const Int n = 1 + run(start, way) + (back.empty() ? 0 : run(start, back));
      if (n >= length) return true;
    }
  }
  return false;
}

const MarkerLattice& Run::lattice(const std::string& id) const {
  for (const MarkerLattice& lattice : def().marker_lattices)
    if (lattice.id == id) return lattice;
  throw RuntimeError("MISSING_VAR", "no marker " + id);
}

const MarkerLattice& Run::global_lattice(const std::string& id) const {
  for (const MarkerLattice& lattice : def().global_marker_lattices)
    if (lattice.id == id) return lattice;
  throw RuntimeError("MISSING_VAR", "no global marker " + id);
}

std::string Run::marker_state(const MarkerLattice& lattice, const std::string& space) const {
  const auto in_space = w.markers.find(space);
  if (in_space == w.markers.end()) return lattice.default_state;
  const auto found = in_space->second.find(lattice.id);
  return found == in_space->second.end() ? lattice.default_state : found->second;
}

bool Run::state_allowed(const MarkerLattice& lattice, const std::string& space,
                        const std::string& state, const Context& c) {
  const auto lists = [&](const std::vector<std::string>& states) {
    return std::find(states.begin(), states.end(), state) != states.end();
  };
  if (!lists(lattice.states)) return false;
  for (const LatticeConstraint& constraint : lattice.constraints)
    if (holds(constraint.when, with(c, "$space", space)) && !lists(constraint.allowed_states))
      return false;
  return true;
}

bool Run::holds(const Condition& condition, const Context& c) {
  return std::visit(
      Cases{
          [](const bool& x) { return x; },
          [&](const AllOf& x) {
            for (const Condition& arg : x.args)
              if (!holds(arg, c)) return false;
            return true;
          },
          [&](const AnyOf& x) {
            for (const Condition& arg : x.args)
              if (holds(arg, c)) return true;
            return false;
          },
          [&](const Not& x) { return !holds(*x.arg, c); },
          [&](const Compare& x) { return compare(x, c); },
          [&](const In& x) { return contains(x, c); },
          [&](const Adjacent& x) {
            const auto& near = rules_.neighbours(one_zone(x.left, c));
            return std::find(near.begin(), near.end(), one_zone(x.right, c)) != near.end();
          },
          [&](const Connected& x) { return connected(x, c); },
          [&](const ZonePropIncludes& x) {
            const Val set = zone_prop(one_zone(x.zone, c), x.prop);
            const auto* list = std::get_if<List>(&set.v);
            if (!list) throw RuntimeError("TYPE_MISMATCH", x.prop + " is not a list");
            return std::find(list->begin(), list->end(), value(x.value, c)) != list->end();
          },
          [&](const MarkerStateAllowed& x) {
            return state_allowed(lattice(x.marker), one_zone(x.space, c), text(x.state, c), c);
          },
          [&](const MarkerShiftAllowed& x) {
            const MarkerLattice& marker = lattice(x.marker);
            const std::string space = one_zone(x.space, c);
            const std::string old = marker_state(marker, space);
            const Int last = static_cast<Int>(marker.states.size()) - 1;
            const Int at =
                std::find(marker.states.begin(), marker.states.end(), old) - marker.states.begin();
            const Int to = std::clamp(at + integer(x.delta, c), Int{0}, last);
            return to != at &&
                   state_allowed(marker, space, marker.states[static_cast<std::size_t>(to)], c);
          },
          [&](const LineOf& x) { return line_of(x, c); },
          [&](const Exists& x) {
            for (const Val& item : query(*x.query, c)) {
              const Context inner = x.bind.empty() ? c : with(c, fill_in(x.bind, c), item);
              if (x.where.empty() || holds(x.where[0], inner)) return true;
            }
            return false;
          },
          [&](const ForAll& x) {
            for (const Val& item : query(*x.query, c))
              if (!holds(*x.where, with(c, fill_in(x.bind, c), item))) return false;
            return true;
          },
      },
      condition.node);
}

Run::Verdict Run::judge(const std::optional<Condition>& condition, const Context& c) {
  if (!condition) return Verdict::yes;
  try {
    return holds(*condition, c) ? Verdict::yes : Verdict::no;
  } catch (const RuntimeError& error) {
    if (error.code == "MISSING_BINDING") return Verdict::undecided;
    throw;
  }
}

bool Run::relate(FilterOp op, const Val& item, const Val& against) {
  if (!item.is_scalar()) throw RuntimeError("TYPE_MISMATCH", "a filter compares scalars");
  if (op == FilterOp::eq || op == FilterOp::neq) {
    if (!against.is_scalar()) throw RuntimeError("TYPE_MISMATCH", "eq needs a scalar");
    return (item == against) == (op == FilterOp::eq);
  }
  const auto* list = std::get_if<List>(&against.v);
  if (!list) throw RuntimeError("TYPE_MISMATCH", "in needs a list");
  for (const Val& member : *list)
    if (member.v.index() != item.v.index())
      throw RuntimeError("TYPE_MISMATCH", "a list of another type");
  const bool found = std::find(list->begin(), list->end(), item) != list->end();
  return found == (op == FilterOp::in);
}

bool Run::test(const TokenTest& test, const Token& token, const std::string& zone,
               const Context& c) {
  std::optional<Val> field;
  switch (test.field) {
    case TokenTest::Field::token_id:
      field = token.id;
      break;
    case TokenTest::Field::token_type:
      field = token.type;
      break;
    case TokenTest::Field::token_zone:
      field = zone;
      break;
    case TokenTest::Field::prop:
      if (test.prop == "id") field = token.id;
      if (const auto props = seen_props(token, zone); props.contains(test.prop))
        field = props.at(test.prop);
      else if (test.prop == "type")
        field = token.type;
      break;
    case TokenTest::Field::zone_prop: {
      const ZoneDef& z = *rules_.zones.at(zone);
      if (test.prop == "id") field = zone;
      if (test.prop == "category" && !z.category.empty()) field = z.category;
      if (test.prop == "zoneKind") field = z.kind == ZoneKind::board ? "board" : "aux";
      if (test.prop == "owner") field = z.owner == ZoneOwner::none ? "none" : "player";
      if (test.prop == "visibility")
        field = z.visibility == Visibility::visible_to_all ? "public"
                : z.visibility == Visibility::owner        ? "owner"
                                                           : "hidden";
      if (test.prop == "ordering")
        field = z.ordering == Ordering::stack   ? "stack"
                : z.ordering == Ordering::queue ? "queue"
                                                : "set";
      break;
    }
  }
  // A field that is not there makes every test false, also neq and notIn.
  if (!field) return false;
  return relate(test.op, *field, value(test.value, c));
}

bool Run::passes(const TokenFilter& filter, const Token& token, const std::string& zone,
                 const Context& c) {
  switch (filter.kind) {
    case TokenFilter::Kind::test:
      return test(filter.test, token, zone, c);
    case TokenFilter::Kind::all_of:
      for (const TokenFilter& arg : filter.args)
        if (!passes(arg, token, zone, c)) return false;
      return true;
    case TokenFilter::Kind::any_of:
      for (const TokenFilter& arg : filter.args)
        if (passes(arg, token, zone, c)) return true;
      return false;
    case TokenFilter::Kind::none_of:
      return !passes(filter.args.at(0), token, zone, c);
  }
  return false;
}

}  // namespace parlor::reference
