// Phases, triggers, the end of the game, its set-up and the way from one turn to the next become
// units of code. The order of one action is pipeline.cpp.
#include <fmt/format.h>

#include "kernel/link/linker.h"
#include "spec/gamedef/forms.h"

namespace parlor::kernel {

void Linker::link_phases() {
  const bool triggers = !p_.def.triggers.empty();
  for (std::size_t phase = 0; phase < p_.phases.size(); ++phase) {
    const spec::PhaseDef& def = phase_def(phase);
    for (const bool enter : {true, false}) {
      if (!triggers && (enter ? def.on_enter : def.on_exit).empty()) continue;  // nothing to run
      const UnitId unit = begin_unit(fmt::format("{} {}", enter ? "enter" : "exit", def.id));
      effects(enter ? def.on_enter : def.on_exit);
      if (triggers) {
        const auto kind = enter ? spec::EventKind::phase_enter : spec::EventKind::phase_exit;
        emit({.op = Op::emit, .x = kind, .a = phase});
        emit({.op = Op::dispatch});
      }
      emit({.op = Op::ret});
      end_unit(unit);
      (enter ? p_.phases[phase].enter : p_.phases[phase].exit) = unit;
    }
  }
}

// What comes once the moves of a simultaneous phase have happened: its `then`, and the phase ends
// unless the rules have left it.
void Linker::link_together() {
  for (std::size_t phase = 0; phase < p_.phases.size(); ++phase) {
    const spec::PhaseDef& def = phase_def(phase);
    if (!def.simultaneous.value_or(false)) continue;
    const UnitId unit = begin_unit("then " + def.id);
    const SlotId turn = scope_.fresh(1);
    effects(def.then);
    if (!p_.def.triggers.empty()) emit({.op = Op::dispatch});
    const int left = emit({.op = Op::end_together, .b = phase, .c = turn});
    emit({.op = Op::advance});
    p_.code[left].a = here();
    emit({.op = Op::settle});
    end_unit(unit);
    p_.phases[phase].then = unit;
  }
}

void Linker::link_triggers() {
  p_.triggers_of_event.resize(static_cast<std::size_t>(spec::EventKind::var_changed) + 1);
  for (const spec::TriggerDef& def : p_.def.triggers) {
    TriggerInfo info;
    info.id = def.id;
    info.event = def.event;
    info.place = def.at.index;
    if (def.phase) info.phase = phase_index(*def.phase, def.at.index);
    if (def.zone) info.zone = p_.zone_named(*def.zone);
    if (def.zone && info.zone.is_none()) info.zone = p_.zones.next();  // one that never is
    if (def.var) info.var = symbol(*def.var);
    if (def.scope) info.scope = static_cast<int>(*def.scope);
    if (def.player) info.player = *def.player;
    if (def.action) {
      info.action = position_of(p_.actions, *def.action, &ActionInfo::id);
      if (info.action < 0) info.action = std::ssize(p_.actions);  // one that never is
    }
    info.unit = begin_unit("trigger " + def.id);
    switch (def.event) {
      case spec::EventKind::phase_enter:
      case spec::EventKind::phase_exit:
        info.slots[0] = scope_.declare("$phase");
        break;
      case spec::EventKind::action_resolved:
        info.slots[0] = scope_.declare("$action");
        break;
      case spec::EventKind::token_entered:
        info.slots[0] = scope_.declare("$zone");
        break;
      case spec::EventKind::var_changed: {
        const char* names[] = {"$zone", "$scope", "$var", "$player", "$oldValue", "$newValue"};
        for (int i = 0; i < 6; ++i) info.slots[i] = scope_.declare(names[i]);
        p_.emits_var_events = true;
        break;
      }
      default:
        break;
    }
    if (def.event == spec::EventKind::token_entered) p_.emits_token_events = true;
    for (const char* name : {"global", "perPlayer", "zone"}) symbol(name);
    if (def.match) info.match = condition(*def.match);
    if (def.when) info.when = condition(*def.when);
    effects(def.effects);
    emit({.op = Op::dispatch, .place = def.at.index});
    emit({.op = Op::ret, .place = def.at.index});
    end_unit(info.unit);
    p_.triggers_of_event[static_cast<std::size_t>(def.event)].push_back(
        append(p_.triggers, std::move(info)));
  }
}

void Linker::link_terminal() {
  const spec::Terminal& def = p_.def.terminal;
  const UnitId unit = begin_unit("terminal");
  p_.terminal_unit = unit;
  auto seat_player = [&](const std::string& seat) { return position_of(p_.def.seats, seat); };
  for (const char* timing : {"duringCoup", "finalCoup"})
    for (const spec::Checkpoint& checkpoint : def.checkpoints) {
      if (checkpoint.timing != timing) continue;
      TerminalInfo info;
      info.id = checkpoint.id;
      info.result = spec::ResultKind::win;
      info.seat_player = seat_player(checkpoint.seat);
      info.by_margins = !def.margins.empty();
      info.in_any_phase = checkpoint.phases.empty();
      info.in_phase.resize(p_.phases.size());
      for (const std::string& phase : checkpoint.phases)
        info.in_phase[phase_index(phase, 0)] = true;
      info.when = condition(checkpoint.when);
      p_.terminals.push_back(std::move(info));
    }
  for (const spec::TerminalCondition& c : def.conditions) {
    TerminalInfo info;
    info.id = c.id;
    info.when = condition(c.when);
    info.result = c.result;
    if (c.player) info.player = player(*c.player, c.when.at.index);
    if (c.winners) info.winners = condition(*c.winners);
    p_.terminals.push_back(std::move(info));
  }
  for (const spec::Margin& margin : def.margins)
    p_.margins.push_back({seat_player(margin.seat), margin.seat, value(margin.value)});
  if (def.scoring) {
    p_.score = value(def.scoring->value);
    const Node& n = p_.nodes[p_.score];
    if (n.op == Ex::pvar && p_.nodes[n.b].op == Ex::p_actor && !p_.pvars[n.a].boolean)
      p_.score_var = n.a;
  }
  if (def.scoring)
    for (const spec::TieBreak& next : def.scoring->tie_breaks)
      p_.tie_breaks.emplace_back(value(next.value), next.highest);
  end_unit(unit);
}

// One step of the turn (17.3), with the round's events where M-22 puts them.
void Linker::link_advance() {
  const bool triggers = !p_.def.triggers.empty();
  auto fire = [&](spec::EventKind kind) {
    if (!triggers) return;
    emit({.op = Op::emit, .x = kind, .a = 0});
    emit({.op = Op::dispatch});
  };
  if (p_.flow.cards) return link_card_advance();
  p_.advance_unit = begin_unit("advance");
  emit({.op = Op::call_exit});
  const int next = emit({.op = Op::next_phase});
  emit({.op = Op::call_enter});
  emit({.op = Op::ret});
  p_.code[next].a = here();
  const bool by_phases = p_.phased_rounds;
  const auto emit_end_of_turn = [&] {
    fire(spec::EventKind::turn_end);
    if (!p_.flow.expire_unit.is_none()) emit({.op = Op::call, .x = 1, .a = p_.flow.expire_unit});
    const int same_round = emit({.op = Op::round_end});
    fire(spec::EventKind::round_end);
    p_.code[same_round].a = here();
    emit({.op = Op::pass_turn});
    const int no_round = emit({.op = Op::round_start});
    fire(spec::EventKind::round_start);
    if (by_phases) {  // the phase goes on in the next turn of the same round
      fire(spec::EventKind::turn_start);
      emit({.op = Op::call_enter});
      emit({.op = Op::ret});
    }
    p_.code[no_round].a = here();
    fire(spec::EventKind::turn_start);
    if (!by_phases) emit({.op = Op::call_enter});
    emit({.op = Op::ret});
  };
  if (by_phases) {  // after the last phase the round is over
    emit({.op = Op::end_turn, .x = 1});
    emit({.op = Op::ret});
  } else {
    emit_end_of_turn();
  }
  end_unit(p_.advance_unit);
  if (by_phases || spec::mentions<spec::EndTurn>(p_.def) ||
      spec::mentions<spec::EndRound>(p_.def)) {
    p_.turn_end_unit = begin_unit("end of turn");
    emit_end_of_turn();
    end_unit(p_.turn_end_unit);
  }

  p_.settle_unit = begin_unit("settle");
  emit({.op = Op::settle});
  end_unit(p_.settle_unit);
}

// The same with cards: which phases there are depends on the card (F-34, F-36, F-39).
void Linker::link_card_advance() {
  auto fire = [&](spec::EventKind kind) {
    if (p_.def.triggers.empty()) return;
    emit({.op = Op::emit, .x = kind, .a = 0});
    emit({.op = Op::dispatch});
  };
  p_.advance_unit = begin_unit("advance");
  emit({.op = Op::call_exit});
  const int next = emit({.op = Op::next_card_phase});
  emit({.op = Op::call_enter});
  emit({.op = Op::ret});
  p_.code[next].a = here();
  fire(spec::EventKind::turn_end);
  emit({.op = Op::call, .a = p_.flow.boundary_unit});
  emit({.op = Op::call, .a = p_.flow.expire_unit});
  emit({.op = Op::new_card_turn});
  fire(spec::EventKind::turn_start);
  emit({.op = Op::call_enter});
  emit({.op = Op::ret});
  end_unit(p_.advance_unit);

  p_.settle_unit = begin_unit("settle");
  emit({.op = Op::settle});
  end_unit(p_.settle_unit);
}

void Linker::link_setup() {
  p_.setup_unit = begin_unit("setup");
  effects(p_.def.setup);
  emit({.op = Op::drop_events});
  if (p_.flow.cards)
    for (const ZoneId slot : {p_.flow.played, p_.flow.lookahead}) emit_reveal(slot);
  emit({.op = Op::first_round});
  if (!p_.def.triggers.empty()) {
    emit({.op = Op::emit, .x = spec::EventKind::round_start, .a = 0});
    emit({.op = Op::emit, .x = spec::EventKind::turn_start, .a = 0});
    emit({.op = Op::dispatch});
  }
  emit({.op = Op::call_enter});
  if (p_.flow.cards) emit({.op = Op::start_flow});
  emit({.op = Op::settle, .x = 1});  // 1: the game starts
  end_unit(p_.setup_unit);
}

}  // namespace parlor::kernel
