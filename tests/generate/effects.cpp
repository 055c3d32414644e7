// Random effects.
#include "generate/grammar.h"

namespace parlor::generate {

namespace {

// Names made inside `let` and `reduce` stay visible, except their own.
void keep_names(Scope& scope, Scope inner, const std::string& own) {
  for (auto* list : {&inner.ints, &inner.players, &inner.zones, &inner.tokens, &inner.token_lists,
                     &inner.zone_lists})
    std::erase(*list, own);
  scope = std::move(inner);
}

}  // namespace

// Effects that never fail and never ask.
void Grammar::quiet_effect(Effects& out, Scope& scope) {
  switch (below(13)) {
    case 0: {
      AddVar node;
      node.cell = global_cell(chance(2) ? "g1" : "g0");
      node.delta = integer(scope, 2);
      out.push_back(eff(std::move(node)));
      return;
    }
    case 1: {
      AddVar node;
      node.cell = player_cell("p0", one_player(scope));
      node.delta = integer(scope, 2);
      out.push_back(eff(std::move(node)));
      return;
    }
    case 2: {
      SetVar node;
      node.cell = zone_cell("z0", any_zone(scope));
      node.value = integer(scope, 2);
      out.push_back(eff(std::move(node)));
      return;
    }
    case 3: {
      TransferVar node;
      node.from = player_cell("p0", one_player(scope));
      node.to = chance(2) ? global_cell("g0") : player_cell("p0", one_player(scope));
      node.amount = integer(scope, 2);
      if (chance(3)) node.min = integer(scope, 1);
      if (chance(3)) node.max = integer(scope, 1);
      node.actual_bind = fresh();
      scope.ints.push_back(node.actual_bind);
      out.push_back(eff(std::move(node)));
      return;
    }
    case 4: {
      Draw node;
      node.from = chance(3) ? zone("pile:none") : zone("deck:none");
      node.to = owned("hand", chance(2) ? PlayerSel::Kind::right : PlayerSel::Kind::actor);
      ZoneCountRef count;
      count.zone = zone("pile:none");
      node.count = chance(3) ? val(count) : number(below(3));
      out.push_back(eff(std::move(node)));
      return;
    }
    case 5: {
      ShiftMarker node;
      node.space = board_zone(scope);
      node.marker = "mood";
      node.delta = integer(scope, 1);
      out.push_back(eff(std::move(node)));
      return;
    }
    case 6: {
      ShiftGlobalMarker node;
      node.marker = "era";
      node.delta = integer(scope, 1);
      out.push_back(eff(std::move(node)));
      return;
    }
    case 7: {
      Shuffle node;
      node.zone = chance(2) ? zone("deck:none") : owned("hand", PlayerSel::Kind::actor);
      out.push_back(eff(std::move(node)));
      return;
    }
    case 8: {
      MoveAll node;
      node.from = chance(2) ? owned("hand", PlayerSel::Kind::actor) : zone("pile:none");
      node.to = chance(2) ? zone("deck:none") : zone("pile:none");
      if (chance(2)) {
        Scope inner = scope;
        inner.tokens.push_back("$token");
        node.filter = condition(inner, 2);
      }
      out.push_back(eff(std::move(node)));
      return;
    }
    case 9: {
      SetVar node;
      node.cell = global_cell("flag");
      IfValue value;
      value.when = condition(scope, 2);
      value.then = val(true);
      value.otherwise = val(false);
      node.value = val(std::move(value));
      out.push_back(eff(std::move(node)));
      return;
    }
    case 10: {
      Reveal node;
      node.zone = owned("hand", PlayerSel::Kind::actor);
      node.to = player(chance(2) ? PlayerSel::Kind::right : PlayerSel::Kind::all);
      out.push_back(eff(std::move(node)));
      return;
    }
    case 11: {
      Say node;
      node.text = {val(std::string("it is ")), integer(scope, 2), val(std::string(" of "))};
      node.text.push_back(val(PlayerRef{one_player(scope)}));
      if (chance(2)) node.to = player(PlayerSel::Kind::right);
      out.push_back(eff(std::move(node)));
      return;
    }
    default: {
      BindValue node;
      node.bind = fresh();
      node.value = integer(scope, 2);
      scope.ints.push_back(node.bind);
      out.push_back(eff(std::move(node)));
      return;
    }
  }
}

// Effects on tokens; they fail where a cell is full or a token is gone.
void Grammar::token_effect(Effects& out, Scope& scope) {
  if (scope.tokens.empty() || chance(4)) {
    CreateToken node;
    node.type = chance(2) ? "piece" : "card";
    node.zone = node.type == "piece" ? board_zone(scope) : zone("deck:none");
    if (node.type == "piece") {
      PlayerRef ref;
      ref.player = player(PlayerSel::Kind::actor);
      node.props = {{"kind", word("blue")}, {"owner", val(ref)}, {"rank", integer(scope, 1)}};
    } else {
      node.props = {{"kind", word("red")}, {"rank", integer(scope, 1)}};
    }
    out.push_back(eff(std::move(node)));
    return;
  }
  const std::string token = pick(scope.tokens);
  switch (below(5)) {
    case 0:
    case 1: {
      MoveToken node;
      node.token = token;
      node.from = zone_of_token(token);
      node.to = any_zone(scope);
      node.position = static_cast<ZonePosition>(below(3));
      out.push_back(eff(std::move(node)));
      return;
    }
    case 2: {
      SetTokenProp node;
      node.token = token;
      node.prop = chance(2) ? "kind" : "rank";
      node.value = node.prop == "kind" ? word(chance(2) ? "red" : "blue") : integer(scope, 2);
      out.push_back(eff(std::move(node)));
      return;
    }
    case 3: {
      DestroyToken node;
      node.token = token;
      out.push_back(eff(std::move(node)));
      return;
    }
    default: {
      if (scope.zones.empty()) return;
      MoveTokenAdjacent node;
      node.token = token;
      node.from = zone_of_token(token);
      node.direction = zone_bound(pick(scope.zones));
      out.push_back(eff(std::move(node)));
      return;
    }
  }
}

void Grammar::control_effect(Effects& out, Scope& scope, Where where, int depth) {
  switch (below(8)) {
    case 0: {
      If node;
      node.when = condition(scope, 2);
      Scope yes = scope, no = scope;
      node.then = effects(yes, where, depth - 1);
      if (chance(2)) node.otherwise = effects(no, where, depth - 1);
      out.push_back(eff(std::move(node)));
      return;
    }
    case 1: {
      ForEach node;
      node.bind = fresh();
      Scope inner = scope;
      switch (below(3)) {
        case 0:
          node.over = players(scope);
          inner.players.push_back(node.bind);
          break;
        case 1:
          node.over = tokens(scope);
          inner.tokens.push_back(node.bind);
          break;
        default:
          node.over = zones(scope);
          inner.zones.push_back(node.bind);
          break;
      }
      node.effects = effects(inner, where, depth - 1);
      if (chance(3)) node.limit = number(below(4));
      if (chance(3)) {
        node.count_bind = fresh();
        Scope after = scope;
        after.ints.push_back(node.count_bind);
        node.in = effects(after, where, depth - 1);
      }
      out.push_back(eff(std::move(node)));
      return;
    }
    case 2: {
      Let node;
      node.bind = fresh();
      node.value = integer(scope, 2);
      Scope inner = scope;
      inner.ints.push_back(node.bind);
      node.in = effects(inner, where, depth - 1);
      keep_names(scope, std::move(inner), node.bind);
      out.push_back(eff(std::move(node)));
      return;
    }
    case 3: {
      Reduce node;
      node.item_bind = fresh();
      node.acc_bind = fresh();
      node.result_bind = fresh();
      node.over = ints(scope);
      node.initial = integer(scope, 1);
      Scope step = scope;
      step.ints.push_back(node.item_bind);
      step.ints.push_back(node.acc_bind);
      // Without products: a chain of them would leave the safe range.
      node.next =
          arith(chance(2) ? ArithOp::max : ArithOp::add, bound(node.acc_bind), integer(step, 0));
      Scope inner = scope;
      inner.ints.push_back(node.result_bind);
      node.in = effects(inner, where, depth - 1);
      keep_names(scope, std::move(inner), node.result_bind);
      out.push_back(eff(std::move(node)));
      return;
    }
    case 4: {
      While node;
      GvarRef g0;
      g0.var = named("g0");
      node.when = compare(CompareOp::greater, val(g0), number(below(6)));
      AddVar less;
      less.cell = global_cell("g0");
      less.delta = number(-1);
      node.effects.push_back(eff(std::move(less)));
      AddVar more;
      more.cell = player_cell("p0", one_player(scope));
      more.delta = integer(scope, 1);
      node.effects.push_back(eff(std::move(more)));
      node.limit = number(where == Where::quiet ? 20 : 4 + below(8));
      out.push_back(eff(std::move(node)));
      return;
    }
    case 5: {
      RemoveByPriority node;
      Value size = integer(scope, 1);
      node.budget = arith(ArithOp::max, number(0), std::move(size));
      for (std::uint32_t n = 1 + below(2); n > 0; --n) {
        RemovalGroup group;
        group.bind = fresh();
        group.over = tokens(scope);
        group.to = zone("pile:none");
        group.count_bind = fresh();
        node.groups.push_back(std::move(group));
      }
      for (const RemovalGroup& group : node.groups) scope.ints.push_back(group.count_bind);
      node.remaining_bind = fresh();
      scope.ints.push_back(node.remaining_bind);
      Scope inner = scope;
      if (chance(2)) node.in = effects(inner, where, depth - 1);
      out.push_back(eff(std::move(node)));
      return;
    }
    case 6: {
      EvaluateSubset node;
      TokensInZoneQuery hand;
      hand.zone = owned("hand", PlayerSel::Kind::actor);
      node.source = qry(hand);
      ZoneCountRef size;
      size.zone = hand.zone;
      node.subset_size = arith(ArithOp::min, val(size), number(below(3)));
      node.subset_bind = fresh();
      node.result_bind = fresh();
      node.best_subset_bind = fresh();
      Scope inner = scope;
      inner.token_lists.push_back(node.subset_bind);
      BindValue middle;
      middle.bind = fresh();
      Aggregate sum;
      sum.op = AggregateOp::sum;
      sum.bind = fresh();
      BindingQuery subset;
      subset.name = node.subset_bind;
      sum.query = qry(subset);
      Scope item = inner;
      item.tokens.push_back(sum.bind);
      sum.value.push_back(integer(item, 1));
      middle.value = val(std::move(sum));
      node.score = bound(middle.bind);
      node.compute.push_back(eff(std::move(middle)));
      scope.ints.push_back(node.result_bind);
      scope.token_lists.push_back(node.best_subset_bind);
      Scope after = scope;
      if (chance(2)) node.in = effects(after, where, depth - 1);
      out.push_back(eff(std::move(node)));
      return;
    }
    default: {
      RollRandom node;
      node.bind = fresh();
      node.min = number(1);
      node.max = number(1 + below(6));
      Scope inner = scope;
      inner.ints.push_back(node.bind);
      node.in = effects(inner, where, depth - 1);
      out.push_back(eff(std::move(node)));
      return;
    }
  }
}

void Grammar::choice_effect(Effects& out, Scope& scope, int depth) {
  (void)depth;
  if (below(3) != 2) {
    ChooseOne node;
    node.bind = fresh();
    switch (below(4)) {
      case 0:
        node.options = zones(scope);
        scope.zones.push_back(node.bind);
        break;
      case 1:
        node.options = tokens(scope);
        scope.tokens.push_back(node.bind);
        break;
      case 2:
        node.options = ints(scope);
        scope.ints.push_back(node.bind);
        break;
      default:
        node.options = players(scope);
        scope.players.push_back(node.bind);
        break;
    }
    if (chance(4)) node.chooser = one_player(scope);
    // The chooser is looked up before the choice is made.
    if (node.chooser && node.chooser->binding == node.bind) node.chooser.reset();
    out.push_back(eff(std::move(node)));
    return;
  }
  ChooseN node;
  node.bind = fresh();
  node.max = chance(3) ? integer(scope, 1) : number(1 + below(3));
  if (!std::holds_alternative<Int>(node.max.node))
    node.max = arith(ArithOp::max, number(0), std::move(node.max));
  const Int low = below(3);
  node.min = arith(ArithOp::min, number(low), node.max);
  if (chance(3)) node.min = node.max;
  node.ordered = chance(4);
  if (chance(4)) node.chooser = one_player(scope);
  if (chance(2)) {
    node.options = zones(scope);
    scope.zone_lists.push_back(node.bind);
  } else {
    node.options = tokens(scope);
    if (chance(3)) {
      PrioritizedQuery tiers;
      tiers.tiers = {node.options, tokens(scope)};
      if (chance(2)) tiers.qualifier = "kind";
      node.options = qry(std::move(tiers));
    }
    scope.token_lists.push_back(node.bind);
  }
  out.push_back(eff(std::move(node)));
}

void Grammar::turn_effect(Effects& out, Scope& scope) {
  switch (below(4)) {
    case 0:
      out.push_back(eff(AdvancePhase{}));
      return;
    case 1: {
      SetActivePlayer node;
      node.player = one_player(scope);
      out.push_back(eff(std::move(node)));
      return;
    }
    case 2: {
      GotoPhaseExact node;
      node.phase = world_.second_phase ? "second" : "main";
      out.push_back(eff(std::move(node)));
      return;
    }
    default: {
      if (!world_.interrupt) return;
      PushInterruptPhase node;
      node.phase = "pause";
      node.resume_phase = "main";
      out.push_back(eff(std::move(node)));
      return;
    }
  }
}

Effects Grammar::effects(Scope& scope, Where where, int depth) {
  Effects out;
  const std::uint32_t count = 1 + below(depth > 1 ? 4 : 2);
  for (std::uint32_t i = 0; i < count; ++i) {
    if ((where == Where::action || world_.faulty) && chance(12)) {
      Require node;
      node.condition = condition(scope, 2);
      out.push_back(eff(std::move(node)));
      continue;
    }
    switch (below(where == Where::action ? 10 : 4)) {
      case 0:
      case 1:
      case 2:
        quiet_effect(out, scope);
        break;
      case 3:
        if (depth > 0)
          control_effect(out, scope, where, depth);
        else
          quiet_effect(out, scope);
        break;
      case 4:
      case 5:
        token_effect(out, scope);
        break;
      case 6:
        if (depth > 0) control_effect(out, scope, where, depth);
        break;
      default:
        choice_effect(out, scope, depth);
        break;
    }
  }
  if (where == Where::action && depth > 1 && chance(4)) turn_effect(out, scope);
  return out;
}

}  // namespace parlor::generate
