// Whom the modules of a game bind, and for how long, put into the rules themselves: what a
// module adds asks first whether it is in force. Its actions are those of the players it binds, its
// hooks hear of their actions, its triggers of their turns; when its turns are over all of it is
// silent. What it added to the state stays, and effects it has started end when they say.
#include <fmt/format.h>

#include "kernel/link/linker.h"

namespace parlor::kernel {

namespace {

using Who = spec::PlayerSel::Kind;

spec::Value number_of(spec::Int n) {
  spec::Value out;
  out.node = n;
  return out;
}

spec::Condition compared(spec::CompareOp op, spec::Value left, spec::Value right) {
  spec::Condition out;
  out.node = spec::Compare{op, std::move(left), std::move(right)};
  return out;
}

// Both, where there are two.
std::optional<spec::Condition> both(std::optional<spec::Condition> first,
                                    std::optional<spec::Condition> second) {
  if (!first) return second;
  if (!second) return first;
  spec::Condition out;
  out.at = second->at;
  out.node = spec::AllOf{{std::move(*first), std::move(*second)}};
  return out;
}

bool belongs(const std::string& name, const spec::ModuleInfo& module) {
  return name.starts_with(module.id + ".");
}

// Actions are refused by a hook, so that they are neither offered nor accepted and it is said why.
void guard_actions(spec::GameDef& def, const spec::ModuleInfo& module) {
  spec::HookDef guard;
  guard.id = module.id + ".in-force";
  guard.point = spec::HookPoint::validate;
  for (const spec::ActionDef& action : def.actions)
    if (belongs(action.id, module)) guard.actions.push_back(action.id);
  if (guard.actions.empty()) return;
  spec::Condition outside;
  outside.node = spec::Not{*module_in_force(module, Who::actor)};
  guard.when = std::move(outside);
  guard.code = code_name(Code::MODULE_NOT_IN_FORCE);
  guard.message = fmt::format("the module {} does not bind this player now", module.id);
  spec::Value turn;
  turn.node = spec::ClockRef{"turn"};
  guard.details.push_back({"turn", std::move(turn)});
  def.hooks.insert(def.hooks.begin(), std::move(guard));
}

}  // namespace

std::optional<spec::Condition> module_in_force(const spec::ModuleInfo& module, Who who) {
  std::optional<spec::Condition> out;
  if (module.turns) {
    spec::Value turn;
    turn.node = spec::ClockRef{"turn"};
    out = compared(spec::CompareOp::less_equal, std::move(turn), number_of(*module.turns));
  }
  if (module.seats.empty()) return out;
  spec::AnyOf bound;
  for (const spec::Int seat : module.seats) {
    spec::PlayerSel player;
    player.kind = who;
    spec::Value actor;
    actor.node = spec::PlayerRef{player};
    bound.args.push_back(compared(spec::CompareOp::equal, std::move(actor), number_of(seat)));
  }
  spec::Condition any;
  any.node = std::move(bound);
  return both(std::move(out), std::move(any));
}

void bind_modules(spec::GameDef& def) {
  for (const spec::ModuleInfo& module : def.modules) {
    if (module.seats.empty() && !module.turns) continue;
    for (spec::HookDef& hook : def.hooks)
      if (hook.module == module.id && hook.point != spec::HookPoint::snapshot &&
          hook.point != spec::HookPoint::called)
        hook.when = both(module_in_force(module, Who::actor), std::move(hook.when));
    for (spec::TriggerDef& trigger : def.triggers)
      if (belongs(trigger.id, module))
        trigger.when = both(module_in_force(module, Who::active), std::move(trigger.when));
  }
  const std::vector<spec::ModuleInfo> modules = def.modules;
  for (const spec::ModuleInfo& module : modules)
    if (!module.seats.empty() || module.turns) guard_actions(def, module);
}

}  // namespace parlor::kernel
