// Which triggers an event sets off, and what they are told of it.
#include <fmt/core.h>

#include "kernel/run/machine.h"
#include "kernel/tell/explain.h"

namespace parlor::kernel {
namespace {

// A chain of triggers has no end, or a later one than the rules allow. Whoever wrote it must hear
// of it: players only see that something did not happen.
Json cut_off(const Program& program, const TriggerInfo& trigger) {
  const auto depth = program.def.metadata.max_trigger_depth;
  Json out = to_json(
      at_place(program, Code::TRIGGER_DEPTH_EXCEEDED,
               fmt::format("triggers that set each other off were cut off at a depth of {}", depth),
               trigger.place));
  out.update({{"trigger", trigger.id}, {"depth", depth}});
  return out;
}

}  // namespace

bool Turns::trigger_matches(const TriggerInfo& trigger, const Happening& event) const {
  switch (trigger.event) {
    case spec::EventKind::phase_enter:
    case spec::EventKind::phase_exit:
      return trigger.phase < 0 || trigger.phase == event.subject;
    case spec::EventKind::action_resolved:
      return trigger.action < 0 || trigger.action == event.subject;
    case spec::EventKind::token_entered:
      return trigger.zone.is_none() || trigger.zone == ZoneId(event.subject);
    case spec::EventKind::var_changed:
      return (trigger.scope < 0 || trigger.scope == event.scope) &&
             (trigger.var < 0 || trigger.var == event.subject) &&
             (trigger.player < 0 || (event.scope == 1 && trigger.player == event.owner));
    default:
      return true;
  }
}

void Turns::bind_event(const TriggerInfo& trigger, const Happening& event) {
  auto put = [&](int which, Value v) {
    if (!trigger.slots[which].is_none()) slot(trigger.slots[which]) = v;
  };
  static constexpr const char* scopes[] = {"global", "perPlayer", "zone"};
  switch (trigger.event) {
    case spec::EventKind::phase_enter:
    case spec::EventKind::phase_exit:
      put(0, Value::symbol(p_->phases[event.subject].symbol));
      break;
    case spec::EventKind::action_resolved:
      put(0, Value::symbol(p_->actions[event.subject].symbol));
      break;
    case spec::EventKind::token_entered:
      put(0, Value::zone(ZoneId(event.subject)));
      break;
    case spec::EventKind::var_changed:
      put(1, value_of_text(scopes[event.scope]));
      put(2, Value::symbol(event.subject));
      if (event.scope == 1) put(3, Value::integer(event.owner));
      if (event.scope == 2) put(0, Value::zone(ZoneId(event.owner)));
      put(4, event.before);
      put(5, event.after);
      break;
    default:
      break;
  }
}

bool Turns::do_dispatch() {
  {
    Frame& frame = frames_.back();
    if (frame.event_index < 0) {
      frame.event_index = frame.event_mark;
      frame.trigger_index = 0;
    }
  }
  for (;;) {
    Frame& frame = frames_.back();
    if (frame.event_index >= std::ssize(events_)) break;
    const Happening event = events_[frame.event_index];
    const auto& list = p_->triggers_of_event[event.kind];
    if (frame.trigger_index >= std::ssize(list)) {
      ++frame.event_index;
      frame.trigger_index = 0;
      continue;
    }
    const TriggerInfo& trigger = p_->triggers[list[frame.trigger_index++]];
    if (!spend(1, trigger.place)) return false;
    if (!trigger_matches(trigger, event)) continue;
    const int active = header().active;
    const int depth = frame.depth + 1;
    if (!trigger.match.is_none() || !trigger.when.is_none()) {
      Scratch scratch(*this, trigger.unit, active, active);
      bind_event(trigger, event);
      Truth fires = !trigger.match.is_none() ? test(trigger.match) : Truth::yes;
      if (fires == Truth::yes && !trigger.when.is_none()) fires = test(trigger.when);
      if (fires == Truth::fault) return false;
      if (fires == Truth::no) continue;
    }
    if (depth > p_->def.metadata.max_trigger_depth + 1) {
      if (remarks_ != nullptr) remark("triggerTruncated", cut_off(*p_, trigger));
      continue;
    }
    if (listener_ != nullptr) report("triggerFired", {{"trigger", trigger.id}}, tools_only());
    --frames_.back().pc;  // come back here afterwards
    push_frame(trigger.unit, active, active);
    if (failed_) return false;
    frames_.back().depth = depth;
    bind_event(trigger, event);
    return true;
  }
  events_.resize(frames_.back().event_mark);
  frames_.back().event_index = -1;
  return true;
}

}  // namespace parlor::kernel
