// Phases, turns, rounds, events and triggers: sections 17 and 21, and M-20 to M-22.
#include "reference/run.h"

namespace parlor::reference {

using namespace spec;

namespace {
constexpr int deepest_nesting = 64;
constexpr int most_card_steps = 5000;
}  // namespace

void Run::reset_phase_usage() {
  w.counts["phase"].clear();
  for (auto& [action, usage] : w.usage) usage.phase = 0;
}

void Run::dispatch(const Happening& event, Int depth) {
  for (const TriggerDef& trigger : def().triggers) {
    const auto differs = [](const auto& wanted, const auto& got) {
      return wanted && *wanted != got;
    };
    if (trigger.event != event.kind || differs(trigger.phase, event.phase) ||
        differs(trigger.action, event.action) || differs(trigger.zone, event.zone) ||
        differs(trigger.var, event.var))
      continue;
    if (trigger.scope &&
        event.scope != (*trigger.scope == VarCell::Scope::global       ? "global"
                        : *trigger.scope == VarCell::Scope::per_player ? "perPlayer"
                                                                       : "zone"))
      continue;
    if (trigger.player && (!event.player || *event.player != *trigger.player)) continue;

    Context c = neutral();
    switch (event.kind) {
      case EventKind::phase_enter:
      case EventKind::phase_exit:
        c.names["$phase"] = event.phase;
        break;
      case EventKind::action_resolved:
        c.names["$action"] = event.action;
        break;
      case EventKind::token_entered:
        c.names["$zone"] = event.zone;
        break;
      case EventKind::var_changed:
        c.names["$scope"] = event.scope;
        c.names["$var"] = event.var;
        c.names["$oldValue"] = event.old_value;
        c.names["$newValue"] = event.new_value;
        if (event.player) c.names["$player"] = *event.player;
        if (!event.zone.empty()) c.names["$zone"] = event.zone;
        break;
      default:
        break;
    }
    if (trigger.match && !holds(*trigger.match, c)) continue;
    if (trigger.when && !holds(*trigger.when, c)) continue;
    if (depth > def().metadata.max_trigger_depth) continue;

    std::vector<Happening> waiting = std::move(events_);
    events_.clear();
    ++in_trigger_;
    effects(trigger.effects, c);
    --in_trigger_;
    const std::vector<Happening> caused = std::move(events_);
    events_ = std::move(waiting);
    for (const Happening& next : caused) dispatch(next, depth + 1);
  }
}

void Run::happen(EventKind kind, const std::string& phase) {
  if (++nesting_ > deepest_nesting)
    throw RuntimeError("EFFECT_BUDGET_EXCEEDED", "phases in phases");
  std::vector<Happening> waiting = std::move(events_);
  events_.clear();
  if (kind == EventKind::phase_enter || kind == EventKind::phase_exit) {
    Context c = neutral();
    const PhaseDef* where = rules_.phase(phase);
    effects(kind == EventKind::phase_enter ? where->on_enter : where->on_exit, c);
  }
  if (kind == EventKind::round_end) reset_round_variables();
  const std::vector<Happening> caused = std::move(events_);
  events_.clear();
  for (const Happening& event : caused) dispatch(event, 0);
  Happening event;
  event.kind = kind;
  event.phase = phase;
  dispatch(event, 0);
  events_ = std::move(waiting);
  --nesting_;
}

int Run::next_player() {
  const TurnOrder& order = def().turn_order;
  if (order.kind != TurnOrderKind::fixed_order) {
    const auto at = std::find(w.order.begin(), w.order.end(), w.active);
    if (at == w.order.end()) return (w.active + 1) % rules_.players;
    return at + 1 == w.order.end() ? w.order.front() : *(at + 1);
  }
  w.order_index = (w.order_index + 1) % order.order.size();
  const std::string& entry = order.order[w.order_index];
  for (int p = 0; p < rules_.players; ++p) {
    const auto index = static_cast<std::size_t>(p);
    if (entry == std::to_string(p) || (index < def().seats.size() && entry == def().seats[index]))
      return p;
  }
  return w.active;
}

// Back to their first values, as any write: whoever watches them hears of it (section 4).
void Run::reset_round_variables() {
  const auto reset = [&](VarCell::Scope scope, const VarDef& var, int player,
                         const std::string& zone) {
    VarCell target;
    target.scope = scope;
    target.var.text = var.name;
    if (scope == VarCell::Scope::per_player) {
      target.player.emplace();
      target.player->kind = PlayerSel::Kind::id;
      target.player->id = player;
    }
    if (scope == VarCell::Scope::zone) {
      target.zone.emplace();
      target.zone->text = zone;
    }
    write(cell(target, neutral()),
          var.type == VarType::boolean ? Val(var.init != 0) : Val(var.init));
  };
  for (const std::string& name : def().rounds.reset_each_round) {
    for (const VarDef& var : def().global_vars)
      if (var.name == name) reset(VarCell::Scope::global, var, 0, "");
    for (const VarDef& var : def().per_player_vars)
      for (int p = 0; p < rules_.players; ++p)
        if (var.name == name) reset(VarCell::Scope::per_player, var, p, "");
    for (const VarDef& var : def().zone_vars)
      for (const auto& [zone, tokens] : w.zones)
        if (var.name == name) reset(VarCell::Scope::zone, var, 0, zone);
  }
}

void Run::set_turn_order(const SetTurnOrder& e, const Context& c) {
  w.next_order = turn_order();
  std::map<int, Int> by;
  for (const int p : w.next_order) {
    const Int worth = integer(e.by, Context{c.active, p, c.names});
    by[p] = e.descending ? -worth : worth;
  }
  std::stable_sort(w.next_order.begin(), w.next_order.end(),
                   [&](int a, int b) { return by[a] < by[b]; });
}

void Run::begin_planned_round() {
  if (!w.next_order.empty()) {
    w.order = std::exchange(w.next_order, {});
    w.active = w.order.front();
  }
  if (w.next_start) w.active = *std::exchange(w.next_start, std::nullopt);
  w.round_start = w.active;
}

// On to whoever has the next turn; true if it begins a round. A round of a fixed order is once
// through it; others end when it is the starter's turn again.
bool Run::pass_turn() {
  const bool fixed = def().turn_order.kind == TurnOrderKind::fixed_order;
  const bool ends = std::exchange(w.round_ends, false);
  if (ends) {
    w.extra_turns.clear();
    w.goes_on_after.reset();
  }
  if (!w.extra_turns.empty()) {
    if (!w.goes_on_after) w.goes_on_after = w.active;
    w.active = w.extra_turns.front();
    w.extra_turns.erase(w.extra_turns.begin());
    return false;
  }
  if (w.goes_on_after) w.active = *std::exchange(w.goes_on_after, std::nullopt);
  bool wraps = false;
  while (true) {
    w.active = next_player();
    const bool back = fixed ? w.order_index == w.round_index : w.active == w.round_start;
    const bool here = back && (ends || !by_phases());
    if (here && def().rounds.rotate_start_player) {
      w.active = next_player();
      w.round_start = w.active;
      w.round_index = w.order_index;
    }
    if (here && !fixed) begin_planned_round();
    wraps |= here;
    if (ends && !wraps) continue;
    if (w.skips[w.active] == 0) return wraps;
    --w.skips[w.active];
  }
}

// Out of all phases and interrupts, to the next turn.
void Run::leave_turn() {
  const bool leaves = !by_phases() || w.round_ends;  // else the phase goes on in the next turn
  if (leaves) happen(EventKind::phase_exit, w.phase);
  if (by_phases() && !w.interrupts.empty()) w.phase = w.interrupts.front().resume;
  w.interrupts.clear();
  end_turn();
  happen(EventKind::turn_start);
  if (leaves) happen(EventKind::phase_enter, w.phase);
}

// The turn passes to the next player; at a wrap, so does the round (M-22).
void Run::end_turn() {
  happen(EventKind::turn_end);
  // Whether the round ends is known before its triggers run; they may still say who begins.
  World ahead = w;
  const bool wraps = pass_turn();
  w = std::move(ahead);
  if (wraps) happen(EventKind::round_end);
  const bool begins = pass_turn();
  if (begins) {
    ++w.round;
    w.turn_in_round = 1;
    w.counts["round"].clear();
  } else {
    ++w.turn_in_round;
  }
  ++w.turn;
  w.counts["turn"].clear();
  for (auto& [action, usage] : w.usage) usage.turn = 0;
  if (begins || !by_phases()) {
    reset_phase_usage();
    w.phase = def().phases[0].id;
  }
  expire_effects();
  if (begins) happen(EventKind::round_start);
}

void Run::advance_phase() {
  if (rules_.flow) return advance_card_phase();
  const std::vector<PhaseDef>& phases = def().phases;
  const auto at = std::find_if(phases.begin(), phases.end(),
                               [&](const PhaseDef& p) { return p.id == w.phase; });
  happen(EventKind::phase_exit, w.phase);
  if (at != phases.end() && at + 1 == phases.end()) {
    w.round_ends = w.round_ends || by_phases();
    end_turn();
    happen(EventKind::turn_start);
  } else {
    w.phase = at == phases.end() ? phases[0].id : (at + 1)->id;
    reset_phase_usage();
  }
  happen(EventKind::phase_enter, w.phase);
}

void Run::go_to_phase(const std::string& phase) {
  const auto index = [&](const std::string& id) {
    const auto found = std::find_if(def().phases.begin(), def().phases.end(),
                                    [&](const PhaseDef& p) { return p.id == id; });
    if (found == def().phases.end())
      throw RuntimeError("EFFECT_RUNTIME", id + " is not an ordinary phase");
    return found - def().phases.begin();
  };
  const auto to = index(phase), from = index(w.phase);
  if (to == from) return;
  if (to < from) throw RuntimeError("EFFECT_RUNTIME", phase + " lies behind");
  happen(EventKind::phase_exit, w.phase);
  w.phase = phase;
  reset_phase_usage();
  happen(EventKind::phase_enter, phase);
}

void Run::push_interrupt(const std::string& phase, const std::string& resume) {
  happen(EventKind::phase_exit, w.phase);
  w.interrupts.push_back({phase, resume});
  w.phase = phase;
  reset_phase_usage();
  happen(EventKind::phase_enter, phase);
}

void Run::pop_interrupt() {
  if (w.interrupts.empty()) throw RuntimeError("EFFECT_RUNTIME", "no interrupt to end");
  happen(EventKind::phase_exit, w.phase);
  if (w.interrupts.empty()) throw RuntimeError("EFFECT_RUNTIME", "no interrupt to end");
  w.phase = w.interrupts.back().resume;
  w.interrupts.pop_back();
  reset_phase_usage();
  happen(EventKind::phase_enter, w.phase);
}

void Run::start() {
  for (const VarDef& var : def().global_vars)
    w.globals[var.name] = var.type == VarType::boolean ? Val(var.init != 0) : Val(var.init);
  w.players.resize(static_cast<std::size_t>(rules_.players));
  for (const VarDef& var : def().per_player_vars)
    for (auto& vars : w.players)
      vars[var.name] = var.type == VarType::boolean ? Val(var.init != 0) : Val(var.init);
  for (const auto& [id, zone] : rules_.zones) {
    w.zones[id];
    for (const VarDef& var : def().zone_vars) w.zone_vars[id][var.name] = var.init;
  }
  for (const MarkerLattice& marker : def().global_marker_lattices)
    w.global_markers[marker.id] = marker.default_state;
  for (const SpaceMarker& m : def().space_markers) w.markers[m.space][m.marker] = m.state;
  w.phase = def().phases[0].id;
  if (def().turn_order.kind == TurnOrderKind::fixed_order) {
    const std::string& first = def().turn_order.order[0];
    for (int p = 0; p < rules_.players; ++p) {
      const auto index = static_cast<std::size_t>(p);
      if (first == std::to_string(p) || (index < def().seats.size() && first == def().seats[index]))
        w.active = p;
    }
  }
  w.round_start = w.active;
  Context c = neutral();
  effects(def().setup, c);
  events_.clear();  // nobody hears what happens during set-up
  begin_planned_round();
  if (rules_.flow) reveal_cards();
  happen(EventKind::round_start);
  happen(EventKind::turn_start);
  happen(EventKind::phase_enter, w.phase);
  if (rules_.flow) {  // F-01: nothing is advanced as long as there is a decision
    w.table.order = fresh_order();
    w.table.eligible = {w.table.order.begin(), w.table.order.end()};
    choose_active();
    if (!legal_moves(rules_, w, true).empty()) return;
  }
  advance_to_decision_point();
}

const Ending* Run::ending() {
  const Context c = neutral();
  for (const Ending& ending : rules_.endings) {
    const auto& phases = ending.phases;
    if (!phases.empty() && std::find(phases.begin(), phases.end(), w.phase) == phases.end())
      continue;
    if (holds(*ending.when, c)) return &ending;
  }
  return nullptr;
}

// The seat with the best margin; ties by the declared order, then by name.
int Run::leader(const Context& c) {
  const Terminal& terminal = def().terminal;
  std::optional<std::tuple<Int, std::ptrdiff_t, std::string>> best;
  for (const Margin& margin : terminal.margins) {
    const Int value = integer(margin.value, c);
    const auto& order = terminal.tie_break_order;
    const auto rank = std::find(order.begin(), order.end(), margin.seat) - order.begin();
    const std::tuple entry{terminal.ranking_ascending ? value : -value, rank, margin.seat};
    if (!best || entry < *best) best = entry;
  }
  const auto seat = std::find(def().seats.begin(), def().seats.end(), std::get<2>(*best));
  return static_cast<int>(seat - def().seats.begin());
}

// What a player and whoever is in a team with them have together.
Int Run::shared_integer(const Value& value, int player) {
  Int out = 0;
  for (int p = 0; p < rules_.players; ++p)
    if (rules_.together(p, player)) out += integer(value, Context{w.active, p, {}});
  return out;
}

// Whoever is active, or in a simultaneous phase anybody: the first who can becomes active (L-02).
bool Run::somebody_can_move() {
  if (!rules_.phase(w.phase)->simultaneous.value_or(false))
    return !legal_moves(rules_, w, true).empty();
  const int turn_of = w.active;
  for (int p = 0; p < rules_.players; ++p) {
    w.active = p;
    if (legal_moves(rules_, w, true).empty()) continue;
    w.turn_of = turn_of;
    return true;
  }
  w.active = turn_of;
  return false;
}

// After the moves of a simultaneous phase: what comes then, and the end of the phase unless the
// rules have left it.
void Run::finish_together(const std::string& phase, Int turn) {
  if (w.phase == phase && w.turn == turn) w.active = w.turn_of;
  Context c = neutral();
  effects(rules_.phase(phase)->then, c);
  dispatch_collected();
  if (w.phase == phase && w.turn == turn) advance_phase();
  advance_to_decision_point();
}

void Run::advance_to_decision_point() {
  const auto phases = static_cast<int>(def().phases.size() + def().interrupts.size());
  const int circle = rules_.players + (by_phases() ? 1 : 0);
  const int most = 2 * circle * phases + 1;
  for (int steps = 0;; ++steps) {
    if (given_ && !has_unused_answers()) throw FarEnough{};
    if (const Ending* over = ending()) {
      // What the end is worth must be known when it comes.
      const Context c = neutral();
      if (over->seat && !def().terminal.margins.empty()) leader(c);
      if (over->player) one_player(*over->player, c);
      if (over->winners)
        for (int p = 0; p < rules_.players; ++p) holds(*over->winners, Context{w.active, p, {}});
      if (over->result == ResultKind::score)
        for (int p = 0; p < rules_.players; ++p)
          integer(def().terminal.scoring.value().value, Context{w.active, p, {}});
      return;
    }
    if (rules_.flow) prefer_owner_of_grant();
    const bool valid = !rules_.flow || phase_is_valid();
    if (valid && somebody_can_move()) return;
    if (rules_.flow ? steps < most_card_steps && advance_card_turn() : steps < most) {
      const bool together = rules_.phase(w.phase)->simultaneous.value_or(false);
      if (by_phases() && !together && w.interrupts.empty() && (steps + 1) % circle != 0)
        leave_turn();
      else if (!rules_.flow)
        advance_phase();
      continue;
    }
    w.stuck = true;
    return;
  }
}

}  // namespace parlor::reference
