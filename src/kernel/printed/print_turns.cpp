// Phases, turns and triggers as C++: the units that a move comes to on its way are functions that
// call each other, and where one of them leaves off, all do.
#include <algorithm>

#include "kernel/printed/move_parts.h"

namespace parlor::kernel {

// `steps`: of a settle, see LeftFrame.
void Printer::leave(int pc, const std::string& steps) {
  late_ = true;
  // What a loop goes through is not the machine's.
  if (stretching_ || in_listed_loop(pc_)) {
    line("return trouble;");
    return;
  }
  helped_ = true;
  line("Value* const left = view.help->left->add({}, {}, acting, {}, {});", unit_ - p_.units.data(),
       pc, steps, unit_->slots);
  line("if (left == nullptr) return trouble;");
  hand_over_slots("left");
  catch_up();
  line("*view.work = work;");
  line("v.ref<std::array<std::uint64_t, {}>>({}) = {{}};", instant_words,
       offset_in_header(&Header::instant));
  line("return left_off;");
}

// What a call came to: where it left off, so does this unit, at this address.
void Printer::go_on_after_call(const std::string& result, int pc, const std::string& steps) {
  line("v.base = v.block->data();");
  line("if ({} == trouble) return trouble;", result);
  line("if ({} == left_off) {{", result);
  ++depth_;
  leave(pc, steps);
  --depth_;
  line("}}");
}

void Printer::call_unit(UnitId unit) {
  called_.insert(unit);
  const std::string r = fresh('r');
  line("const int {} = unit_{}(v);", r, unit.value);
  go_on_after_call(r, pc_ + 1);
}

// What happens as the phase that it is now is entered or left.
void Printer::call_phase_unit(UnitId PhaseInfo::*which) {
  const std::string r = fresh('r');
  std::string cases;
  for (std::size_t k = 0; k < p_.phases.size(); ++k) {
    const UnitId unit = p_.phases[k].*which;
    if (unit.is_none()) continue;
    if (trying_) cannot("what happens as phases change");
    if (stretching_) {
      cases += fmt::format("case {}: return trouble; ", k);
      continue;
    }
    called_.insert(unit);
    cases += fmt::format("case {}: {} = unit_{}(v); break; ", k, r, unit.value);
  }
  if (cases.empty()) return;
  if (stretching_) {
    line("switch (v.ref<std::int16_t>({})) {{ {}default: break; }}",
         offset_in_header(&Header::phase), cases);
    return;
  }
  line("int {} = done;", r);
  line("switch (v.ref<std::int16_t>({})) {{ {}default: break; }}", offset_in_header(&Header::phase),
       cases);
  go_on_after_call(r, pc_ + 1);
}

// Whoever sits next has the next turn, and nothing else happens as it passes.
bool Printer::turns_go_by_seats() const {
  return !p_.uses_turn_plan && p_.turn_sequence.empty() && !p_.def.rounds.rotate_start_player &&
         !p_.phased_rounds;
}

// Where one phase is all there is and nothing happens on the way, advancing is this.
bool Printer::turn_is_simple() const {
  return p_.simple_turns && turns_go_by_seats();
}

// Effects may be over when the turn has passed.
void Printer::leave_if_effects() {
  if (!p_.uses_effects) return;
  line("if (v.ref<std::uint8_t>({}) != 0) {{", offset_in_header(&Header::effects));
  ++depth_;
  leave(pc_);
  --depth_;
  line("}}");
}

void Printer::pass_turn() {
  const auto ref = [](const char* type, std::size_t offset) {
    return fmt::format("v.ref<{}>({})", type, offset);
  };
  const bool by_round = std::ranges::any_of(p_.limit_counts, [](const LimitCount& count) {
    return count.scope == spec::LimitScope::round;
  });
  line("{}pass_to_next_seat({{{}, {}, {}, {}, {}}}, {}){}", by_round ? "if (" : "",
       ref("std::uint8_t", offset_in_header(&Header::active)),
       ref("std::uint8_t", offset_in_header(&Header::round_start)),
       ref("std::int32_t", offset_in_header(&Header::turn)),
       ref("std::int32_t", offset_in_header(&Header::round)),
       ref("std::int32_t", offset_in_header(&Header::turn_in_round)), p_.players,
       by_round ? ") {" : ";");
  if (by_round) {
    ++depth_;
    reset_uses(spec::LimitScope::round);
    --depth_;
    line("}}");
  }
  if (p_.phases.size() > 1) line("{} = 0;", ref("std::int16_t", offset_in_header(&Header::phase)));
  reset_uses(spec::LimitScope::phase);
  reset_uses(spec::LimitScope::turn);
}

bool Printer::phase_statement(const Instr& i) {
  const auto now = [](Small<std::int16_t> Header::*which) {
    return fmt::format("v.ref<std::int16_t>({})", offset_in_header(which));
  };
  switch (i.op) {
    case Op::remember_phase:
      line("{} = {};", now(&Header::origin_phase), now(&Header::phase));
      return true;
    case Op::jump_origin:
      line("if ({} != {}) goto at_{};", now(&Header::origin_phase), i.b, i.a);
      return true;
    case Op::skip_if_phase:
      line("if ({} == {}) goto at_{};", now(&Header::phase), i.b, i.a);
      return true;
    case Op::goto_phase:
      line("if ({} != {}) {{", now(&Header::phase), i.a);
      give_up_if(
          fmt::format("{0} >= {2} || {1} < {0}", now(&Header::phase), i.a, p_.ordinary_phases));
      call_phase_unit(&PhaseInfo::exit);
      line("}}");
      return true;
    case Op::set_phase:
      line("{} = {};", now(&Header::phase), i.a);
      reset_uses(spec::LimitScope::phase);
      return true;
    case Op::next_phase:
      line("{{");
      line("  const int phase = {};", now(&Header::phase));
      line("  if (phase + 1 == {}) goto at_{};", p_.ordinary_phases, i.a);
      line("  {} = static_cast<std::int16_t>(phase >= {} ? 0 : phase + 1);", now(&Header::phase),
           p_.ordinary_phases);
      line("}}");
      reset_uses(spec::LimitScope::phase);
      return true;
    case Op::count_usage:
      count_use(p_.actions[i.a]);
      return true;
    case Op::call_enter:
      call_phase_unit(&PhaseInfo::enter);
      return true;
    case Op::call_exit:
      call_phase_unit(&PhaseInfo::exit);
      return true;
    default:
      return false;
  }
}

// Turns and rounds.
bool Printer::turn_statement(const Instr& i) {
  switch (i.op) {
    case Op::advance:
      if (turn_is_simple()) {
        leave_if_effects();
        pass_turn();
      } else if (!p_.simple_turns)
        call_unit(p_.advance_unit);
      else
        return false;
      return true;
    case Op::pass_turn:
      if (!turns_go_by_seats()) return false;
      leave_if_effects();
      pass_turn();
      return true;
    case Op::round_end:
      if (!turns_go_by_seats() || !p_.round_resets.empty()) return false;
      line("if ((v.ref<std::uint8_t>({}) + 1) % {} != v.ref<std::uint8_t>({})) goto at_{};",
           offset_in_header(&Header::active), p_.players, offset_in_header(&Header::round_start),
           i.a);
      return true;
    case Op::round_start:
      line("if (v.ref<std::int32_t>({}) != 1) goto at_{};",
           offset_in_header(&Header::turn_in_round), i.a);
      return true;
    case Op::end_turn:
      if (i.x != 0 || p_.phased_rounds) return false;
      give_up_if(
          fmt::format("v.ref<std::uint8_t>({}) != 0", offset_in_header(&Header::interrupts)));
      call_unit(p_.turn_end_unit);
      return true;
    case Op::ret:
      line("*view.work = work;");
      line("return done;");
      return true;
    case Op::emit:
      return happening(i);
    case Op::drop_events:  // of what happens without anybody hearing of it nothing is kept
      return i.a < 0;
    case Op::dispatch:
      return true;
    default:
      return false;
  }
}

// Something that triggers hear of: where one is set off, the machine goes on. What happens and what
// follows from it stand side by side, so nothing else has happened yet.
bool Printer::happening(const Instr& i) {
  if (code(pc_ + 1).op != Op::dispatch) return false;
  const spec::EventKind kind{i.x};
  for (const int index : p_.triggers_of_event[i.x]) {
    const TriggerInfo& trigger = p_.triggers[index];
    spend(1);
    const bool of_phase =
        kind == spec::EventKind::phase_enter || kind == spec::EventKind::phase_exit;
    if ((of_phase && trigger.phase >= 0 && trigger.phase != i.a) ||
        (kind == spec::EventKind::action_resolved && trigger.action >= 0 && trigger.action != i.a))
      continue;
    const bool printed = outside(trigger.unit, [&] {
      line("{{");
      line("v.active = v.actor = v.ref<std::uint8_t>({});", offset_in_header(&Header::active));
      if (!trigger.slots[0].is_none() && of_phase)
        bound_[trigger.slots[0].value] = {fmt::format("{}", p_.phases[i.a].symbol), Kind::symbol};
      if (!trigger.slots[0].is_none() && kind == spec::EventKind::action_resolved)
        bound_[trigger.slots[0].value] = {fmt::format("{}", p_.actions[i.a].symbol), Kind::symbol};
      std::string fires = !trigger.match.is_none() ? truth(trigger.match.value) : "true";
      if (!trigger.when.is_none()) {
        const std::string first = fresh('b');
        line("bool {} = {};", first, fires);
        line("if ({}) {{", first);
        const std::string when = truth(trigger.when.value);
        line("{} = {};", first, when);
        line("}}");
        fires = first;
      }
      line("v.active = acting;");
      line("v.actor = {};", stretching_ ? "acting_as" : "acting");
      line("if ({}) {{", fires);
    });
    if (!printed) return false;
    if (!stretching_ && runs_whole(trigger.unit))
      call_trigger(trigger, i);
    else
      leave(pc_);
    line("}}");
    line("}}");
  }
  if (stretching_) line("goto at_{};", pc_ + 2);
  return true;
}

// Whether all of a unit is printed: nothing would be gained by calling one that leaves off.
bool Printer::runs_whole(UnitId unit) {
  const auto [known, first] =
      whole_units_.emplace(unit, false);  // those that call themselves are not
  if (first) {
    Printer probe(p_);
    probe.whole_units_ = whole_units_;
    const std::string body = probe.unit_body(unit);
    whole_units_ = probe.whole_units_;
    whole_units_[unit] =
        body != nothing_printed && probe.leave_at_.empty() && body.size() <= longest_called;
  }
  return whole_units_[unit];
}

// What a trigger does, as deep in others that set it off as the rules allow.
void Printer::call_trigger(const TriggerInfo& trigger, const Instr& i) {
  called_.insert(trigger.unit);
  spend(work_of_instruction);
  line("if (trigger_depth <= {}) {{", p_.def.metadata.max_trigger_depth);
  ++depth_;
  line("v.help->trigger_depth = trigger_depth + 1;");
  if (!trigger.slots[0].is_none())
    line("v.help->event = {};", spec::EventKind{i.x} == spec::EventKind::action_resolved
                                    ? p_.actions[i.a].symbol
                                    : p_.phases[i.a].symbol);
  const std::string r = fresh('r');
  line("const int {} = unit_{}(v);", r, trigger.unit.value);
  line("v.base = v.block->data();");
  line("v.help->trigger_depth = 0;");
  late_ = helped_ = true;
  line("if ({} != done) return trouble;", r);
  --depth_;
  line("}} else if (v.help->remarks) {{");  // the machine says that it was cut off
  line("  return trouble;");
  line("}}");
}

}  // namespace parlor::kernel
