// Phases, turns, rounds, and the way to the next decision.
#include "kernel/run/machine.h"

namespace parlor::kernel {

int Turns::usage_cell(const ActionInfo& action, const LimitInfo& limit) const {
  if (limit.count < 0) return action.usage + static_cast<int>(limit.scope);
  const LimitCount& count = p_->limit_counts[limit.count];
  if (count.per == LimitCount::Per::player) return count.first + actor_;
  if (count.per == LimitCount::Per::nothing) return count.first;
  const Value zone = slot(action.params[limit.param].slot);
  return count.first + zone.index();
}

void Turns::reset_counts(spec::LimitScope scope) {
  for (const LimitCount& count : p_->limit_counts)
    for (int cell = count.first; count.scope == scope && cell < count.first + count.size; ++cell)
      if (memory_.usage(cell) != 0) memory_.write_usage(cell, 0);
}

void Turns::reset_usage(bool turn, bool phase) {
  if (p_->usage_cells == 0) return;
  if (phase) reset_counts(spec::LimitScope::phase);
  if (turn) reset_counts(spec::LimitScope::turn);
  for (const ActionInfo& action : p_->actions) {
    if (action.usage < 0) continue;
    if (turn && memory_.usage(action.usage) != 0) memory_.write_usage(action.usage, 0);
    if (phase && memory_.usage(action.usage + 1) != 0) memory_.write_usage(action.usage + 1, 0);
  }
}

bool Turns::change_phase(int phase) {
  header().phase = phase;
  reset_usage(false, true);
  if (listener_ != nullptr) report("phaseEntered", {{"phase", p_->phases[phase].id}});
  return true;
}

// Whose turn comes after this one, and whether a round begins with it (M-20): a round of a fixed
// order is once through it, any other ends when it would be the turn of whoever began it.
inline Turns::Turn Turns::next_turn() const {
  const Header& h = header();
  if (p_->turn_sequence.empty()) {
    const int next = h.active + 1 == p_->players ? 0 : h.active + 1;
    return {next, -1, next == h.round_start};
  }
  const int place = (h.order_index + 1) % std::ssize(p_->turn_sequence);
  const int next = p_->turn_sequence[place];
  return {next < 0 ? int{h.active} : next, place, place == h.round_index};
}

// The same where the rules may have changed something: extra turns first, then the order, without
// those who are passed over. `h` and `plan` become what they are in that turn; true if it begins a
// round.
bool Turns::step_plan(Header& h, TurnPlan& plan) const {
  if (plan.round_ends != 0) {
    plan.round_ends = plan.goes_on_after = 0;
    std::fill(std::begin(plan.extra), std::end(plan.extra), std::uint8_t{0});
    // Behind the last turn of the round: one step further the next one begins.
    while (!(p_->turn_sequence.empty() ? step_seats(h, plan) : step_sequence(h))) {
    }
    if (plan.skips[h.active] == 0) return true;
    --plan.skips[h.active];
    step_plan(h, plan);
    return true;
  }
  if (plan.extra[0] != 0) {
    if (plan.goes_on_after == 0) plan.goes_on_after = h.active + 1;
    h.active = plan.extra[0] - 1;
    std::copy(plan.extra + 1, plan.extra + max_players, plan.extra);
    plan.extra[max_players - 1] = 0;
    return false;
  }
  if (plan.goes_on_after != 0) h.active = plan.goes_on_after - 1;
  plan.goes_on_after = 0;
  bool begins = false;
  for (;;) {
    if (p_->phased_rounds)
      next_seat(h, plan);  // only the rules end the round
    else
      begins |= p_->turn_sequence.empty() ? step_seats(h, plan) : step_sequence(h);
    if (plan.skips[h.active] == 0) return begins;
    --plan.skips[h.active];
  }
}

// Whoever comes next in the order.
void Turns::next_seat(Header& h, const TurnPlan& plan) const {
  if (!p_->turn_sequence.empty()) {
    h.order_index = (h.order_index + 1) % std::ssize(p_->turn_sequence);
    const int next = p_->turn_sequence[h.order_index];
    if (next >= 0) h.active = next;
    return;
  }
  const int player = h.active;
  h.active = (player + 1) % p_->players;
  for (int i = 0; i < p_->players; ++i)
    if (plan.order[i] == player + 1) h.active = plan.order[(i + 1) % p_->players] - 1;
}

bool Turns::step_sequence(Header& h) const {
  next_seat(h, {});
  if (h.order_index != h.round_index) return false;
  if (p_->def.rounds.rotate_start_player) {
    next_seat(h, {});
    h.round_start = h.active;
    h.round_index = h.order_index;
  }
  return true;
}

bool Turns::step_seats(Header& h, TurnPlan& plan) const {
  next_seat(h, plan);
  if (h.active != h.round_start) return false;
  if (p_->def.rounds.rotate_start_player) next_seat(h, plan);
  begin_planned_round(h, plan);
  return true;
}

// What was said about the next round holds from now on.
void Turns::begin_planned_round(Header& h, TurnPlan& plan) {
  if (plan.next_order[0] != 0) {
    std::copy(plan.next_order, plan.next_order + max_players, plan.order);
    std::fill(plan.next_order, plan.next_order + max_players, std::uint8_t{0});
    h.active = plan.order[0] - 1;
  }
  if (plan.next_start != 0) h.active = plan.next_start - 1;
  plan.next_start = 0;
  h.round_start = h.active;
}

bool Turns::next_begins_round() const {
  if (!p_->uses_turn_plan) return next_turn().begins_round;
  Header h = header();
  TurnPlan plan = memory_.turn_plan();
  return step_plan(h, plan);
}

bool Turns::step_order(const Instr& i) {
  Header& h = header();
  if (i.op == Op::set_order) return set_order(i);
  const int who = player(i.a);
  if (who < 0) return false;
  TurnPlan& plan = memory_.turn_plan();
  const int numbered = who + 1;
  if (i.op == Op::set_start) {
    plan.next_start = numbered;
  } else if (i.op == Op::skip_turn) {
    if (plan.skips[who] < UINT8_MAX) ++plan.skips[who];
  } else {
    const auto free = std::find(std::begin(plan.extra), std::end(plan.extra), std::uint8_t{0});
    if (free == std::end(plan.extra)) {
      fail(Code::RUN_LIMIT, i.place, "too many extra turns are to come",
           Value::integer(max_players));
      return false;
    }
    *free = numbered;
  }
  if (listener_ != nullptr)
    report(i.op == Op::set_start   ? "startPlayer"
           : i.op == Op::skip_turn ? "turnSkipped"
                                   : "extraTurn",
           {{"player", who}, {"turn", h.turn}});
  return true;
}

bool Turns::set_order(const Instr& i) {
  TurnPlan& plan = memory_.turn_plan();
  std::int64_t by[max_players] = {};
  std::uint8_t order[max_players] = {};
  const int actor = actor_;
  for (int place = 0; place < p_->players; ++place) {
    const int who = plan.order[0] != 0 ? plan.order[place] - 1 : place;
    actor_ = who;
    if (!integer(i.a, by[who])) break;
    order[place] = who + 1;
  }
  actor_ = actor;
  if (failed_) return false;
  // One after the other to its place behind equals: few players, and nothing is allocated.
  for (int place = 1; place < p_->players; ++place)
    for (int at = place; at > 0; --at) {
      const std::int64_t here = by[order[at] - 1], before = by[order[at - 1] - 1];
      if (i.x != 0 ? here <= before : here >= before) break;
      std::swap(order[at], order[at - 1]);
    }
  std::copy(order, order + max_players, plan.next_order);
  if (listener_ != nullptr) {
    Json told = Json::array();
    for (int place = 0; place < p_->players; ++place) told.push_back(order[place] - 1);
    report("turnOrder", {{"players", std::move(told)}});
  }
  return true;
}

inline void Turns::take_turn(const Turn& turn) {
  header().active = turn.player;
  if (turn.place >= 0) header().order_index = turn.place;
}

void Turns::do_pass_turn() {
  Header& h = header();
  const bool planned = p_->uses_turn_plan;
  bool begins_round = false;
  if (!planned && p_->turn_sequence.empty()) {
    begins_round = pass_to_next_seat(
        {h.active.value, h.round_start, h.turn, h.round, h.turn_in_round}, p_->players);
  } else {
    const Turn next = planned ? Turn{0, -1, step_plan(h, memory_.turn_plan())} : next_turn();
    if (!planned) take_turn(next);
    begins_round = next.begins_round;
    ++h.turn;
    if (begins_round) ++h.round;
    h.turn_in_round = begins_round ? 1 : h.turn_in_round + 1;
  }
  if (begins_round) {
    if (!p_->limit_counts.empty()) reset_counts(spec::LimitScope::round);
    if (p_->def.rounds.rotate_start_player && !planned) {  // the next in the order begins the round
      take_turn(next_turn());
      h.round_start = h.active;
      h.round_index = h.order_index;
    }
  }
  const bool same_phase = p_->phased_rounds && !begins_round;
  if (!same_phase) h.phase = 0;
  reset_usage(true, !same_phase);
  if (h.effects != 0) expire_effects();
  if (listener_ != nullptr)
    report("turnStarted", {{"turn", h.turn}, {"round", h.round}, {"player", int{h.active}}});
  if (listener_ != nullptr && p_->phases.size() > 1 && !same_phase)
    report("phaseEntered", {{"phase", p_->phases[0].id}});
}

// ---- Interrupts

bool Turns::push_interrupt(const Instr& i) {
  Header& h = header();
  if (h.interrupts >= max_interrupts) {
    fail(Code::RUN_PHASE, i.place, "interrupts are nested too deeply");
    return false;
  }
  auto* stack = memory_.at<std::int16_t>(p_->layout.interrupts);
  stack[2 * h.interrupts] = i.a;
  stack[2 * h.interrupts + 1] = i.b;
  ++h.interrupts;
  return change_phase(i.a);
}

bool Turns::pop_interrupt(const Instr& i) {
  Header& h = header();
  if (h.interrupts == 0) {
    fail(Code::RUN_PHASE, i.place, "there is no interrupt to leave");
    return false;
  }
  auto* stack = memory_.at<std::int16_t>(p_->layout.interrupts);
  --h.interrupts;
  const int resume = stack[2 * h.interrupts + 1];
  stack[2 * h.interrupts] = stack[2 * h.interrupts + 1] = 0;
  return change_phase(resume);
}

// ---- Statements about phases, turns and rounds

// Leaves the phase; the next instruction enters the other one.
bool Turns::leave_phase_for(const Instr& i) {
  const Header& h = header();
  if (h.phase == i.a) return true;
  if (h.phase >= p_->ordinary_phases || i.a < h.phase) {
    fail(Code::RUN_PHASE, i.place, "gotoPhaseExact leads only forward among the ordinary phases",
         value_of_text(p_->phases[h.phase].id), value_of_text(p_->phases[i.a].id));
    return false;
  }
  call_unit(p_->phases[h.phase].exit);
  return !failed_;
}

// Where the turn that passes now ends the round: variables that last a round begin anew.
void Turns::end_round(const Instr& i) {
  if (!next_begins_round()) {
    frames_.back().pc = i.a;
    return;
  }
  for (const auto& [scope, var] : p_->round_resets) {
    const auto& vars = p_->vars(scope);
    const int owners = scope == 0 ? 1 : scope == 1 ? p_->players : p_->zone_count;
    for (int owner = 0; owner < owners; ++owner) {
      write_var(scope, owner, var, vars[var].init);
      write_range(memory_.cell_of(scope, owner, var), {vars[var].init, vars[var].init});
    }
  }
  if (listener_ != nullptr) report("roundEnded", {{"round", header().round}});
}

bool Turns::next_phase(const Instr& i) {
  const int phase = header().phase;
  if (phase >= p_->ordinary_phases) return change_phase(0);
  if (phase + 1 < p_->ordinary_phases) return change_phase(phase + 1);
  frames_.back().pc = i.a;
  return true;
}

bool Turns::end_turn(const Instr& i) {
  Header& h = header();
  if (i.x != 0) memory_.turn_plan().round_ends = 1;
  auto* stack = memory_.at<std::int16_t>(p_->layout.interrupts);
  if (p_->phased_rounds && h.interrupts > 0) h.phase = stack[1];  // what it interrupted
  std::fill(stack, stack + 2 * h.interrupts, std::int16_t{0});
  h.interrupts = 0;
  push_frame(p_->turn_end_unit, h.active, h.active);
  return !failed_;
}

void Turns::count_usage(const ActionInfo& action) {
  const int own = action.usage;
  for (int k = 0; own >= 0 && k < 3; ++k) memory_.write_usage(own + k, memory_.usage(own + k) + 1);
  for (const LimitInfo& limit : action.limits) {
    if (limit.count < 0) continue;
    const int cell = usage_cell(action, limit);
    memory_.write_usage(cell, memory_.usage(cell) + 1);
  }
}

// Those that come up less often: phases that the rules go to, prices and timed effects.
bool Turns::step_phase(const Instr& i) {
  switch (i.op) {
    case Op::goto_phase:
      return leave_phase_for(i);
    case Op::set_phase:
      return change_phase(i.a);
    case Op::skip_if_phase:
      if (header().phase == i.b) frames_.back().pc = i.a;
      return true;
    case Op::push_interrupt:
      return push_interrupt(i);
    case Op::pop_interrupt:
      return pop_interrupt(i);
    case Op::pay:
      return pay(i);
    case Op::spend_charges:
      spend_charges();
      return true;
    case Op::start_effect:
      return do_start_effect(i);
    case Op::end_effect: {
      const int owner = i.a >= 0 ? player(i.a) : -1;
      const Value target = i.b >= 0 && !failed_ ? value(i.b) : Value{};
      if (failed_) return false;
      end_effects(i.x, owner, target);
      return true;
    }
    default:
      return whole().step_flow(i);
  }
}

bool Turns::step_turn(const Instr& i) {
  Header& h = header();
  switch (i.op) {
    case Op::call_exit:
      call_unit(p_->phases[h.phase].exit);
      return !failed_;
    case Op::call_enter:
      call_unit(p_->phases[h.phase].enter);
      return !failed_;
    case Op::next_phase:
      return next_phase(i);
    case Op::emit:
      happen({i.x.value, 0, i.a, -1, {}, {}});
      return true;
    case Op::mark_events:
      slot(i.a) = Value::integer(std::ssize(events_));
      return true;
    case Op::drop_events:
      events_.resize(i.a >= 0 ? slot(i.a).payload() : frames_.back().event_mark.value);
      return true;
    case Op::round_end:
      end_round(i);
      return true;
    case Op::round_start:
      if (h.turn_in_round != 1) frames_.back().pc = i.a;
      return true;
    case Op::first_round:
      h.round_start = h.active;
      if (p_->uses_turn_plan) begin_planned_round(h, memory_.turn_plan());
      return true;
    case Op::end_turn:
      return end_turn(i);
    case Op::extra_turn:
    case Op::skip_turn:
    case Op::set_start:
    case Op::set_order:
      return step_order(i);
    case Op::end_together:
      if (h.phase != i.b || slot(i.c).payload() != h.turn) frames_.back().pc = i.a;
      return true;
    case Op::pass_turn:
      do_pass_turn();
      return true;
    case Op::remember_phase:
      h.origin_phase = h.phase;
      return true;
    case Op::jump_origin:
      if (h.origin_phase != i.b) frames_.back().pc = i.a;
      return true;
    case Op::count_usage:
      count_usage(p_->actions[i.a]);
      return true;
    case Op::native_apply:
      return whole().native_apply(i);
    default:
      return step_phase(i);
  }
}

// ---- The way to the next decision (17.4).

// The state the move leads to is there: whoever hooks in after it looks at that, and nothing of the
// move is left.
bool Turns::end_move(const Instr& i) {
  const bool fine = i.b < 0 || whole().run_after_hooks(i);
  drop_frames();
  return fine && !failed_;
}

bool Turns::decide_now(const Instr& i) {
  Header& h = header();
  h.decision = DecisionKind::action;
  h.decider = h.active;
  return end_move(i);
}

bool Turns::finish_without_moves(const Instr& i) {
  header().decision = DecisionKind::finished;
  header().ended_by = -1;
  if (listener_ != nullptr) report("finished", {{"reason", "noLegalMoves"}});
  return end_move(i);
}

// In a simultaneous phase whoever can hands in a move, the first of them first; whose turn it is
// is kept until all have happened.
bool Turns::somebody_moves() {
  Header& h = header();
  const std::uint8_t turn_of = h.active;
  for (int player = 0; player < p_->players; ++player) {
    h.active = player;
    const bool moves = whole().move_exists();
    if (failed_) break;
    if (!moves) continue;
    memory_.turn_plan().turn_of = turn_of;
    return true;
  }
  h.active = turn_of;
  return false;
}

// Settles, once more after each step. The frame's event_index counts the steps.
bool Turns::do_settle(const Instr& i) {
  if (until_ != Until::decision) {
    complete_ = true;
    return i.b < 0 || whole().run_after_hooks(i);
  }
  if (p_->flow.cards) return whole().do_card_settle(i);
  if (p_->flow.events) {
    flow().move = move_ = {};
    flow().serial = 0;
  }
  if (check_terminal()) return end_move(i);
  if (failed_) return false;
  Header& h = header();
  const bool together = !p_->phases[h.phase].then.is_none();
  const bool can_move = together ? somebody_moves() : whole().move_exists();
  if (failed_) return false;
  if (can_move) return decide_now(i);
  whole().remark_skipped_phase();
  // Where the phases are those of the round the turn passes first: the phase is over when nobody
  // can move in it any more.
  const bool by_phases = p_->phased_rounds;
  const int circle = p_->players + (by_phases ? 1 : 0);
  const int limit = 2 * circle * std::ssize(p_->phases) + 1;
  Frame& frame = frames_.back();
  if (++frame.trigger_index > limit) return finish_without_moves(i);
  const bool passes =
      by_phases && !together && h.phase < p_->ordinary_phases && frame.trigger_index % circle != 0;
  --frame.pc;
  push_frame(passes ? p_->turn_end_unit : p_->advance_unit, h.active, h.active);
  return !failed_;
}

}  // namespace parlor::kernel
