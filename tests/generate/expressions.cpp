// Random values, conditions, filters and queries.
#include <algorithm>

#include "generate/grammar.h"

namespace parlor::generate {

std::uint32_t Grammar::below(std::uint32_t n) {
  return at_ < gene_.size() ? gene_[at_++] % n : 0;
}

PlayerSel Grammar::one_player(const Scope& scope) {
  using Kind = PlayerSel::Kind;
  static constexpr Kind kinds[] = {Kind::actor, Kind::active, Kind::left, Kind::right};
  const std::uint32_t n = below(scope.players.empty() ? 4 : 6);
  if (n >= 4) return player_bound(pick(scope.players));
  return player(kinds[n]);
}

ZoneSel Grammar::any_zone(const Scope& scope) {
  switch (below(scope.zones.empty() ? 4 : 6)) {
    case 0:
      return zone("deck:none");
    case 1:
      return zone("pile:none");
    case 2:
      return owned("hand", PlayerSel::Kind::actor);
    case 3:
      return zone(pick(world_.cells));
    default:
      return zone_bound(pick(scope.zones));
  }
}

ZoneSel Grammar::board_zone(const Scope& scope) {
  if (!scope.zones.empty() && below(3) != 0) return zone_bound(pick(scope.zones));
  return zone(pick(world_.cells));
}

DirectionSel Grammar::some_directions() {
  switch (below(3)) {
    case 0:
      return directions({});
    case 1:
      return directions({pick(std::vector<std::string>{"n", "e", "s", "w"})});
    default:
      return directions({"n", "s"});
  }
}

Value Grammar::aggregate(const Scope& scope, int depth) {
  Aggregate node;
  Scope inner = scope;
  const std::string bind = fresh();
  switch (below(4)) {
    case 0:
      node.query = tokens(scope, depth);
      break;
    case 1:
      node.query = zones(scope, depth);
      break;
    case 2: {
      node.op =
          pick(std::vector<AggregateOp>{AggregateOp::sum, AggregateOp::max, AggregateOp::min});
      node.bind = bind;
      node.query = tokens(scope, depth);
      TokenPropRef prop;
      prop.token = bind;
      prop.prop = "rank";
      node.value.push_back(val(prop));
      break;
    }
    default:
      node.op =
          pick(std::vector<AggregateOp>{AggregateOp::sum, AggregateOp::max, AggregateOp::min});
      node.bind = bind;
      node.query = players(scope);
      inner.players.push_back(bind);
      node.value.push_back(integer(inner, depth - 1));
      break;
  }
  return val(std::move(node));
}

Value Grammar::integer(const Scope& scope, int depth) {
  if (world_.faulty && depth > 0 && chance(10)) {
    const ArithOp op = pick(std::vector<ArithOp>{ArithOp::divide, ArithOp::modulo});
    return arith(op, number(5), integer(scope, 0));
  }
  const std::uint32_t kind = below(depth <= 0 ? 6 : 14);
  switch (kind) {
    case 0:
      return number(below(6));
    case 1: {
      GvarRef ref;
      ref.var = named(chance(2) ? "g1" : "g0");
      return val(ref);
    }
    case 2: {
      PvarRef ref;
      ref.player = one_player(scope);
      ref.var = named("p0");
      return val(ref);
    }
    case 3:
      if (!scope.ints.empty()) return bound(pick(scope.ints));
      return val(ActivePlayerRef{});
    case 4: {
      ZoneCountRef ref;
      ref.zone = any_zone(scope);
      return val(ref);
    }
    case 5: {
      ClockRef ref;
      ref.field = pick(std::vector<std::string>{"turn", "round", "turnInRound", "roundStartPlayer",
                                                "playerCount"});
      return val(ref);
    }
    case 6: {
      ZoneVarRef ref;
      ref.zone = any_zone(scope);
      ref.var = named("z0");
      return val(ref);
    }
    case 7:
      if (!scope.tokens.empty()) {
        TokenPropRef ref;
        ref.token = pick(scope.tokens);
        ref.prop = world_.faulty && chance(4) ? "owner" : "rank";  // cards have no owner
        return val(ref);
      }
      return number(-1);
    case 8: {
      const ArithOp op = pick(std::vector<ArithOp>{ArithOp::add, ArithOp::subtract, ArithOp::min,
                                                   ArithOp::max, ArithOp::multiply});
      Value left = integer(scope, depth - 1);
      return arith(op, std::move(left), integer(scope, depth - 1));
    }
    case 9: {
      const ArithOp op = pick(std::vector<ArithOp>{ArithOp::divide, ArithOp::floor_div,
                                                   ArithOp::ceil_div, ArithOp::modulo});
      Value left = integer(scope, depth - 1);
      const Int by = static_cast<Int>(below(3)) + 1;
      return arith(op, std::move(left), number(chance(2) ? -by : by));
    }
    case 10: {
      IfValue node;
      node.when = condition(scope, depth - 1);
      node.then = integer(scope, depth - 1);
      node.otherwise = integer(scope, depth - 1);
      return val(std::move(node));
    }
    case 11: {
      PlayerRef ref;
      ref.player = one_player(scope);
      return val(ref);
    }
    default:
      return chance(5) ? way_or_index(scope, depth - 1) : aggregate(scope, depth - 1);
  }
}

// L-09, L-06: the longest way over some cells, or the number under which a thing is kept.
Value Grammar::way_or_index(const Scope& scope, int depth) {
  if (!scope.tokens.empty() && chance(3)) return val(NumberOf{bound(pick(scope.tokens))});
  if (!scope.zones.empty() && chance(3)) return val(NumberOf{bound(pick(scope.zones))});
  LongestPath way;
  Scope inner = scope;
  inner.zones = {"$zone"};
  if (chance(2)) way.from = board_zone(scope);
  way.where = condition(inner, std::min(depth, 1));
  return val(std::move(way));
}

Condition Grammar::condition(const Scope& scope, int depth) {
  const std::uint32_t kind = below(depth <= 0 ? 3 : 13);
  switch (kind) {
    case 0:
      return cond(true);
    case 1:
    case 2: {
      const auto op = static_cast<CompareOp>(below(6));
      Value left = integer(scope, depth - 1);
      return compare(op, std::move(left), integer(scope, depth - 1));
    }
    case 3: {
      Not node;
      node.arg = condition(scope, depth - 1);
      return cond(std::move(node));
    }
    case 4: {
      AllOf node;
      node.args = {condition(scope, depth - 1), condition(scope, depth - 1)};
      return cond(std::move(node));
    }
    case 5: {
      AnyOf node;
      node.args = {condition(scope, depth - 1), condition(scope, depth - 1)};
      return cond(std::move(node));
    }
    case 6: {
      In node;
      node.item = integer(scope, depth - 1);
      ListLiteral list;
      for (std::uint32_t n = below(4); n > 0; --n) list.items.emplace_back(Int{below(6)});
      node.set = val(list);
      return cond(std::move(node));
    }
    case 7: {
      Exists node;
      node.bind = fresh();
      node.query = tokens(scope, depth - 1);
      Scope inner = scope;
      inner.tokens.push_back(node.bind);
      node.where.push_back(condition(inner, depth - 1));
      return cond(std::move(node));
    }
    case 8: {
      ForAll node;
      node.bind = fresh();
      node.query = zones(scope, depth - 1);
      Scope inner = scope;
      inner.zones.push_back(node.bind);
      node.where = condition(inner, depth - 1);
      return cond(std::move(node));
    }
    case 9: {
      Adjacent node;
      node.left = board_zone(scope);
      node.right = board_zone(scope);
      return cond(std::move(node));
    }
    case 10: {
      Connected node;
      node.from = board_zone(scope);
      node.to = board_zone(scope);
      if (chance(2)) {
        Scope inner = scope;
        inner.zones.push_back("$zone");
        node.via.push_back(condition(inner, depth - 1));
      }
      node.allow_target_outside_via = chance(2);
      if (chance(3)) node.max_depth = below(4);
      return cond(std::move(node));
    }
    case 11: {
      LineOf node;
      if (chance(2)) node.zone.push_back(board_zone(scope));
      node.directions = some_directions();
      node.length = number(below(3) + 1);
      Scope inner = scope;
      inner.zones = {"$zone"};
      node.where = condition(inner, depth - 1);
      return cond(std::move(node));
    }
    default: {
      MarkerShiftAllowed shift;
      shift.space = board_zone(scope);
      shift.marker = "mood";
      shift.delta = number(static_cast<Int>(below(3)) - 1);
      if (chance(2)) return cond(std::move(shift));
      MarkerStateAllowed state;
      state.space = board_zone(scope);
      state.marker = "mood";
      state.state = word(pick(std::vector<std::string>{"calm", "tense", "riot"}));
      return cond(std::move(state));
    }
  }
}

TokenFilter Grammar::filter(const Scope& scope, int depth) {
  TokenFilter out;
  const std::uint32_t kind = below(depth <= 0 ? 6 : 9);
  switch (kind) {
    case 0:
      out.test.prop = "rank";
      out.test.op = chance(2) ? FilterOp::neq : FilterOp::eq;
      out.test.value = integer(scope, 1);
      break;
    case 1:
      out.test.prop = "kind";
      out.test.op = chance(2) ? FilterOp::neq : FilterOp::eq;
      out.test.value = word(chance(2) ? "red" : "blue");
      break;
    case 2: {
      out.test.prop = "owner";  // only pieces have one
      out.test.op = chance(2) ? FilterOp::neq : FilterOp::eq;
      PlayerRef ref;
      ref.player = one_player(scope);
      out.test.value = val(ref);
      break;
    }
    case 3: {
      out.test.prop = "rank";
      out.test.op = chance(2) ? FilterOp::not_in : FilterOp::in;
      ListLiteral list;
      for (std::uint32_t n = below(3) + 1; n > 0; --n) list.items.emplace_back(Int{below(5)});
      out.test.value = val(list);
      break;
    }
    case 4:
      out.test.field = TokenTest::Field::token_type;
      out.test.value = word(chance(2) ? "card" : "piece");
      break;
    case 5:
      out.test.field = TokenTest::Field::zone_prop;
      out.test.prop = "category";
      out.test.op = chance(2) ? FilterOp::neq : FilterOp::eq;
      out.test.value = word(chance(2) ? "town" : "wood");
      break;
    case 6:
      out.kind = TokenFilter::Kind::none_of;
      out.args = {filter(scope, depth - 1)};
      break;
    default:
      out.kind = kind == 7 ? TokenFilter::Kind::all_of : TokenFilter::Kind::any_of;
      out.args = {filter(scope, depth - 1), filter(scope, depth - 1)};
      break;
  }
  return out;
}

Query Grammar::players(const Scope& scope) {
  if (!chance(4)) return qry(PlayersQuery{});
  NextInOrderQuery next;
  next.source = qry(PlayersQuery{});
  PlayerRef from;
  from.player = one_player(scope);
  next.from = val(from);
  next.bind = fresh();
  Scope inner = scope;
  inner.players.push_back(next.bind);
  next.where = condition(inner, 1);
  next.include_from = chance(2);
  return qry(std::move(next));
}

Query Grammar::ints(const Scope& scope) {
  if (chance(3)) {
    IntsInVarRangeQuery node;
    node.var = named("g0");
    node.max.push_back(integer(scope, 1));
    return qry(std::move(node));
  }
  IntsInRangeQuery node;
  node.min = number(below(3));
  node.max = integer(scope, 1);
  if (chance(3)) node.step.push_back(number(below(3) + 1));
  if (chance(4)) node.always_include.push_back(integer(scope, 0));
  if (chance(3)) node.max_results.push_back(number(below(5)));
  return qry(std::move(node));
}

Query Grammar::zones(const Scope& scope, int depth) {
  switch (below(depth <= 0 ? 4 : 9)) {
    case 0: {
      ZonesQuery node;
      node.board_only = true;
      return qry(std::move(node));
    }
    case 1: {
      AdjacentZonesQuery node;
      node.zone = board_zone(scope);
      return qry(std::move(node));
    }
    case 2: {
      StepQuery node;
      node.zone = board_zone(scope);
      node.directions = some_directions();
      return qry(std::move(node));
    }
    case 3: {
      BindingQuery node;
      if (!scope.zone_lists.empty()) {
        node.name = pick(scope.zone_lists);
        return qry(std::move(node));
      }
      AdjacentZonesQuery adjacent;
      adjacent.zone = board_zone(scope);
      return qry(std::move(adjacent));
    }
    case 4: {
      ZonesQuery node;
      node.board_only = true;
      Scope inner = scope;
      inner.zones.push_back("$zone");
      node.condition.push_back(condition(inner, depth - 1));
      return qry(std::move(node));
    }
    case 5: {
      RayQuery node;
      node.zone = board_zone(scope);
      node.directions = some_directions();
      Scope inner = scope;
      inner.zones.push_back("$zone");
      if (chance(2)) node.through.push_back(condition(inner, depth - 1));
      if (!node.through.empty() && chance(2)) node.until.push_back(condition(inner, depth - 1));
      if (chance(3)) node.max_steps.push_back(number(below(3)));
      return qry(std::move(node));
    }
    case 6: {
      ConnectedZonesQuery node;
      node.zone = board_zone(scope);
      Scope inner = scope;
      inner.zones.push_back("$zone");
      if (chance(2)) node.via.push_back(condition(inner, depth - 1));
      node.include_start = chance(2);
      node.allow_target_outside_via = chance(2);
      if (chance(3)) node.max_depth = below(3);
      return qry(std::move(node));
    }
    case 7: {
      TokenZonesQuery node;
      node.source = tokens(scope, depth - 1);
      FilterQuery on_board;  // decks and hands are not board zones
      on_board.source = qry(std::move(node));
      on_board.bind = fresh();
      Exists is_cell;
      ZonesQuery cells;
      cells.board_only = true;
      Compare same;
      ZonePropRef id;
      id.zone = zone_bound("$zone");
      id.prop = "id";
      same.left = val(id);
      same.right = bound(on_board.bind);
      cells.condition.push_back(cond(std::move(same)));
      is_cell.query = qry(std::move(cells));
      on_board.where = cond(std::move(is_cell));
      return qry(std::move(on_board));
    }
    default: {
      FilterQuery node;
      node.bind = fresh();
      node.source = zones(scope, depth - 1);
      Scope inner = scope;
      inner.zones.push_back(node.bind);
      node.where = condition(inner, depth - 1);
      return qry(std::move(node));
    }
  }
}

Query Grammar::tokens(const Scope& scope, int depth) {
  switch (below(depth <= 0 ? 3 : 7)) {
    case 0: {
      TokensInZoneQuery node;
      node.zone = owned("hand", PlayerSel::Kind::actor);
      return qry(std::move(node));
    }
    case 1: {
      TokensInMapSpacesQuery node;
      return qry(std::move(node));
    }
    case 2: {
      TokensInZoneQuery node;
      node.zone = any_zone(scope);
      if (chance(2)) node.filter.push_back(filter(scope));
      return qry(std::move(node));
    }
    case 3: {
      TokensInMapSpacesQuery node;
      if (chance(2)) {
        Scope inner = scope;
        inner.zones.push_back("$zone");
        node.condition.push_back(condition(inner, depth - 1));
      }
      node.filter.push_back(filter(scope));
      return qry(std::move(node));
    }
    case 4: {
      TokensInAdjacentZonesQuery node;
      node.zone = board_zone(scope);
      if (chance(2)) node.filter.push_back(filter(scope));
      return qry(std::move(node));
    }
    case 5: {
      ConcatQuery node;
      node.sources = {tokens(scope, depth - 1), tokens(scope, depth - 1)};
      return qry(std::move(node));
    }
    default: {
      if (!scope.token_lists.empty()) {
        BindingQuery node;
        node.name = pick(scope.token_lists);
        return qry(std::move(node));
      }
      FilterQuery node;
      node.bind = fresh();
      node.source = tokens(scope, depth - 1);
      Scope inner = scope;
      inner.tokens.push_back(node.bind);
      node.where = condition(inner, depth - 1);
      return qry(std::move(node));
    }
  }
}

}  // namespace parlor::generate
