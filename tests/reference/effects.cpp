// Effects on variables, markers and visibility, and the list that runs them: sections 15 and 16.
#include "reference/run.h"

namespace parlor::reference {

using namespace spec;

namespace {

// A guard against rules that never stop; no test game comes near it.
constexpr Int most_operations = 200'000;

std::size_t state_index(const MarkerLattice& lattice, const std::string& state) {
  const auto found = std::find(lattice.states.begin(), lattice.states.end(), state);
  if (found == lattice.states.end())
    throw RuntimeError("EFFECT_RUNTIME", lattice.id + " has no state " + state);
  return static_cast<std::size_t>(found - lattice.states.begin());
}

const std::string& shifted(const MarkerLattice& lattice, const std::string& state, Int delta) {
  const Int last = static_cast<Int>(lattice.states.size()) - 1;
  const Int to = std::clamp(static_cast<Int>(state_index(lattice, state)) + delta, Int{0}, last);
  return lattice.states[static_cast<std::size_t>(to)];
}

// Filters are compared structurally, the arguments of and/or in any order.
std::string filter_text(const TokenFilter& filter) {
  if (filter.kind == TokenFilter::Kind::test) {
    const TokenTest& t = filter.test;
    return std::to_string(static_cast<int>(t.field)) + "|" + t.prop + "|" +
           std::to_string(static_cast<int>(t.op)) + "|" + canonical(spec::to_json(t.value));
  }
  std::vector<std::string> parts;
  for (const TokenFilter& arg : filter.args) parts.push_back(filter_text(arg));
  std::sort(parts.begin(), parts.end());
  std::string out = std::to_string(static_cast<int>(filter.kind)) + "(";
  for (const std::string& part : parts) out += part + ",";
  return out + ")";
}

}  // namespace

void Run::effects(const Effects& list, Context& c) {
  for (const Effect& e : list) {
    if (++operations_ > most_operations)
      throw RuntimeError("EFFECT_BUDGET_EXCEEDED", "too many effects");
    effect(e, c);
  }
}

Run::Cell Run::cell(const VarCell& node, const Context& c) {
  Cell out;
  out.event.kind = EventKind::var_changed;
  out.event.var = name(node.var, c);
  const std::vector<VarDef>* defs = nullptr;
  std::map<std::string, Val>* values = nullptr;
  switch (node.scope) {
    case VarCell::Scope::global:
      defs = &def().global_vars;
      values = &w.globals;
      out.event.scope = "global";
      break;
    case VarCell::Scope::per_player: {
      const int player = one_player(node.player.value(), c);
      defs = &def().per_player_vars;
      values = &w.players.at(static_cast<std::size_t>(player));
      out.event.scope = "perPlayer";
      out.event.player = player;
      break;
    }
    case VarCell::Scope::zone: {
      const std::string zone = one_zone(node.zone.value(), c);
      defs = &def().zone_vars;
      values = &w.zone_vars.at(zone);
      out.event.scope = "zone";
      out.event.zone = zone;
      break;
    }
  }
  for (const VarDef& var : *defs)
    if (var.name == out.event.var) out.def = &var;
  if (!out.def) throw RuntimeError("EFFECT_RUNTIME", "no variable " + out.event.var);
  out.at = &values->at(out.event.var);
  return out;
}

void Run::write(const Cell& cell, const Val& value) {
  Val next = value;
  if (cell.def->type == VarType::boolean) {
    if (!std::holds_alternative<bool>(value.v))
      throw RuntimeError("EFFECT_RUNTIME", cell.def->name + " takes only booleans");
  } else {
    const auto* i = std::get_if<Int>(&value.v);
    if (!i) throw RuntimeError("EFFECT_RUNTIME", cell.def->name + " takes only ints");
    next = std::clamp(*i, cell.def->min, cell.def->max);
  }
  if (next == *cell.at) return;
  Happening event = cell.event;
  event.old_value = *cell.at;
  event.new_value = next;
  *cell.at = next;
  events_.push_back(event);
}

void Run::transfer(const TransferVar& e, Context& c) {
  const Int amount = integer(e.amount, c);
  const Cell from = cell(e.from, c);
  const Cell to = cell(e.to, c);
  if (from.def->type == VarType::boolean || to.def->type == VarType::boolean)
    throw RuntimeError("EFFECT_RUNTIME", "a transfer is of ints");
  const Int have = std::get<Int>(from.at->v);
  const Int there = std::get<Int>(to.at->v);
  const Int available = std::max(Int{0}, have - from.def->min);
  const Int room = std::max(Int{0}, to.def->max - there);
  Int actual = std::min({std::max(Int{0}, amount), available, room});
  if (e.min && actual < std::max(Int{0}, integer(*e.min, c))) actual = std::min(available, room);
  if (e.max) actual = std::min(actual, std::max(Int{0}, integer(*e.max, c)));
  if (!e.actual_bind.empty()) c.names[fill_in(e.actual_bind, c)] = actual;
  if (actual == 0 || from.at == to.at) return;
  write(from, have - actual);
  write(to, there + actual);
}

void Run::flip(const FlipGlobalMarker& e, Context& c) {
  const MarkerLattice& marker = global_lattice(text(e.marker, c));
  const std::string a = text(e.state_a, c);
  const std::string b = text(e.state_b, c);
  state_index(marker, a);
  state_index(marker, b);
  std::string& state = w.global_markers.at(marker.id);
  if (a == b || (state != a && state != b))
    throw RuntimeError("EFFECT_RUNTIME", marker.id + " cannot be flipped");
  state = state == a ? b : a;
}

namespace {

RevealGrant grant_for(const std::vector<int>& observers, int players,
                      const std::optional<TokenFilter>& filter) {
  RevealGrant grant;
  grant.all = static_cast<int>(observers.size()) == players;
  if (!grant.all) grant.observers = observers;
  if (filter) grant.filter = filter_text(*filter);
  return grant;
}

}  // namespace

void Run::start_reveal(const Reveal& e, Context& c) {
  const RevealGrant grant = grant_for(players(e.to, c), rules_.players, e.filter);
  std::vector<RevealGrant>& grants = w.reveals[one_zone(e.zone, c)];
  if (std::find(grants.begin(), grants.end(), grant) == grants.end()) grants.push_back(grant);
}

void Run::end_reveal(const Conceal& e, Context& c) {
  const RevealGrant like =
      grant_for(e.from ? players(*e.from, c) : std::vector<int>{}, rules_.players, e.filter);
  std::erase_if(w.reveals[one_zone(e.zone, c)], [&](const RevealGrant& grant) {
    const bool same_players =
        !e.from || (grant.all == like.all && grant.observers == like.observers);
    return same_players && (!e.filter || grant.filter == like.filter);
  });
}

template <class T>
void Run::perform(const T& e, Context& c) {
  if constexpr (std::is_same_v<T, SetVar>) {
    const Val x = value(e.value, c);  // before the target is looked up
    write(cell(e.cell, c), x);
  } else if constexpr (std::is_same_v<T, AddVar>) {
    const Int delta = integer(e.delta, c);
    const Cell target = cell(e.cell, c);
    if (target.def->type == VarType::boolean)
      throw RuntimeError("EFFECT_RUNTIME", "cannot add to a boolean");
    write(target, std::get<Int>(target.at->v) + delta);
  } else if constexpr (std::is_same_v<T, TransferVar>) {
    transfer(e, c);
  } else if constexpr (std::is_same_v<T, ResetVar>) {
    const Cell target = cell(e.cell, c);
    const bool truth = target.def->type == VarType::boolean;
    write(target, truth ? Val(target.def->init != 0) : Val(target.def->init));
  } else if constexpr (std::is_same_v<T, SetActivePlayer>) {
    w.active = one_player(e.player, c);
  } else if constexpr (std::is_same_v<T, MoveToken>) {
    const std::string from = one_zone(e.from, c);
    move_token(token_id(e.token, c), from, one_zone(e.to, c), e.position);
  } else if constexpr (std::is_same_v<T, MoveTokenAdjacent>) {
    if (!e.direction) throw RuntimeError("SPATIAL_DESTINATION_REQUIRED", "no destination");
    const std::string from = one_zone(e.from, c);
    const std::string to = one_zone(*e.direction, c);
    const auto& near = rules_.neighbours(from);
    if (std::find(near.begin(), near.end(), to) == near.end())
      throw RuntimeError("SPATIAL_DESTINATION_NOT_ADJACENT", to);
    move_token(token_id(e.token, c), from, to, ZonePosition::top);
  } else if constexpr (std::is_same_v<T, MoveAll>) {
    move_all(e, c);
  } else if constexpr (std::is_same_v<T, Draw>) {
    draw(e, c);
  } else if constexpr (std::is_same_v<T, Shuffle>) {
    shuffle_zone(one_zone(e.zone, c), c);
  } else if constexpr (std::is_same_v<T, CreateToken>) {
    create_token(e, c);
  } else if constexpr (std::is_same_v<T, DestroyToken>) {
    const Spot spot = find_token(token_id(e.token, c));
    auto& tokens = w.zones.at(spot.zone);
    tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(spot.index));
  } else if constexpr (std::is_same_v<T, SetTokenProp>) {
    set_token_prop(e, c);
  } else if constexpr (std::is_same_v<T, Reveal>) {
    start_reveal(e, c);
  } else if constexpr (std::is_same_v<T, Conceal>) {
    end_reveal(e, c);
  } else if constexpr (std::is_same_v<T, Say>) {
    for (const Value& part : e.text) value(part, c);  // nothing changes
    if (e.to) players(*e.to, c);
  } else if constexpr (std::is_same_v<T, If>) {
    effects(holds(e.when, c) ? e.then : e.otherwise, c);
  } else if constexpr (std::is_same_v<T, Require>) {
    if (!holds(e.condition, c)) throw Illegal("what is required does not hold");
  } else if constexpr (std::is_same_v<T, Let>) {
    let(e, c);
  } else if constexpr (std::is_same_v<T, BindValue>) {
    Val x = value(e.value, c);
    c.names[fill_in(e.bind, c)] = std::move(x);
  } else if constexpr (std::is_same_v<T, ForEach>) {
    for_each(e, c);
  } else if constexpr (std::is_same_v<T, While>) {
    while_loop(e, c);
  } else if constexpr (std::is_same_v<T, Reduce>) {
    reduce(e, c);
  } else if constexpr (std::is_same_v<T, RemoveByPriority>) {
    remove_by_priority(e, c);
  } else if constexpr (std::is_same_v<T, EvaluateSubset>) {
    evaluate_subset(e, c);
  } else if constexpr (std::is_same_v<T, ChooseOne>) {
    choose_one(e, c);
  } else if constexpr (std::is_same_v<T, ChooseN>) {
    choose_n(e, c);
  } else if constexpr (std::is_same_v<T, RollRandom>) {
    roll(e, c);
  } else if constexpr (std::is_same_v<T, SetMarker>) {
    const MarkerLattice& marker = lattice(e.marker);
    const std::string space = one_zone(e.space, c);
    const std::string state = text(e.state, c);
    if (!state_allowed(marker, space, state, c))
      throw RuntimeError("EFFECT_RUNTIME", e.marker + " cannot be " + state + " in " + space);
    w.markers[space][e.marker] = state;
  } else if constexpr (std::is_same_v<T, ShiftMarker>) {
    const MarkerLattice& marker = lattice(e.marker);
    const std::string space = one_zone(e.space, c);
    const std::string old = marker_state(marker, space);
    const std::string next = shifted(marker, old, integer(e.delta, c));
    if (next != old && state_allowed(marker, space, next, c)) w.markers[space][e.marker] = next;
  } else if constexpr (std::is_same_v<T, SetGlobalMarker>) {
    const MarkerLattice& marker = global_lattice(e.marker);
    const std::string state = text(e.state, c);
    state_index(marker, state);
    w.global_markers.at(e.marker) = state;
  } else if constexpr (std::is_same_v<T, ShiftGlobalMarker>) {
    const MarkerLattice& marker = global_lattice(e.marker);
    std::string& state = w.global_markers.at(e.marker);
    state = shifted(marker, state, integer(e.delta, c));
  } else if constexpr (std::is_same_v<T, FlipGlobalMarker>) {
    flip(e, c);
  } else if constexpr (std::is_same_v<T, GotoPhaseExact>) {
    go_to_phase(e.phase);
  } else if constexpr (std::is_same_v<T, AdvancePhase>) {
    advance_phase();
  } else if constexpr (std::is_same_v<T, EndTurn> || std::is_same_v<T, EndRound>) {
    w.round_ends = std::is_same_v<T, EndRound>;
    leave_turn();
  } else if constexpr (std::is_same_v<T, ExtraTurn>) {
    w.extra_turns.push_back(one_player(e.player, c));
  } else if constexpr (std::is_same_v<T, SkipTurn>) {
    ++w.skips[one_player(e.player, c)];
  } else if constexpr (std::is_same_v<T, SetStartPlayer>) {
    w.next_start = one_player(e.player, c);
  } else if constexpr (std::is_same_v<T, SetTurnOrder>) {
    set_turn_order(e, c);
  } else if constexpr (std::is_same_v<T, PushInterruptPhase>) {
    push_interrupt(e.phase, e.resume_phase);
  } else if constexpr (std::is_same_v<T, PopInterruptPhase>) {
    pop_interrupt();
  } else if constexpr (std::is_same_v<T, StartEffect>) {
    start_effect(e, c);
  } else if constexpr (std::is_same_v<T, EndEffect>) {
    end_effect(e, c);
  } else {
    static_assert(std::is_same_v<T, GrantFreeOperation>);
    if (rules_.flow) issue(e.grant, c.active, c, true);
  }
}

void Run::effect(const Effect& e, Context& c) {
  std::visit([&](const auto& node) { perform(node, c); }, e.node);
}

}  // namespace parlor::reference
