// Hooks of one action: what native modules see, and the two points before an action begins. The
// others are statements of the action's unit (pipeline.cpp).
#include <cassert>
#include <fmt/format.h>

#include "kernel/module.h"
#include "kernel/run/machine.h"

namespace parlor::kernel {

namespace {

template <class List>
int index_by(const List& list, std::string_view name, std::string List::value_type::*field) {
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list[i].*field == name) return static_cast<int>(i);
  return -1;
}

Rejection failure(const NativeModule& module, const char* what) {
  const std::string id = module.info().id;
  return fault_of(Rejection(Code::HOOK_FAILED, fmt::format("module {} failed: {}", id, what),
                            {{"module", id}}));
}

}  // namespace

// ---- Looking

int StateView::turn() const {
  return machine_->header().turn;
}
int StateView::round() const {
  return machine_->header().round;
}
int StateView::active() const {
  return machine_->header().active;
}
int StateView::players() const {
  return machine_->program().players;
}
const std::string& StateView::phase() const {
  return machine_->program().phases[static_cast<std::size_t>(machine_->header().phase)].id;
}

std::optional<std::int64_t> StateView::global(std::string_view var) const {
  const int index = index_by(machine_->program().gvars, var, &VarInfo::name);
  if (index < 0) return std::nullopt;
  return machine_->memory().gvar(index);
}

std::optional<std::int64_t> StateView::of_player(int player, std::string_view var) const {
  const int index = index_by(machine_->program().pvars, var, &VarInfo::name);
  if (index < 0 || player < 0 || player >= players()) return std::nullopt;
  return machine_->memory().pvar(player, index);
}

std::optional<std::int64_t> StateView::of_zone(std::string_view zone, std::string_view var) const {
  const int index = index_by(machine_->program().zvars, var, &VarInfo::name);
  const int place = index_by(machine_->program().zones, zone, &ZoneInfo::id);
  if (index < 0 || place < 0) return std::nullopt;
  return machine_->memory().zvar(place, index);
}

std::optional<int> StateView::tokens_in(std::string_view zone) const {
  const int place = index_by(machine_->program().zones, zone, &ZoneInfo::id);
  if (place < 0) return std::nullopt;
  return machine_->memory().zone(place).count;
}

const std::string& ActionView::id() const {
  return machine_->program().actions[static_cast<std::size_t>(action_)].id;
}
int ActionView::player() const {
  return machine_->actor();
}

std::optional<Json> ActionView::param(std::string_view name) const {
  const ActionInfo& action = machine_->program().actions[static_cast<std::size_t>(action_)];
  if (!action.pipelines.empty()) return std::nullopt;
  const int index = index_by(action.params, name, &ParamInfo::name);
  if (index < 0) return std::nullopt;
  return machine_->json_of(machine_->slot(action.params[static_cast<std::size_t>(index)].slot));
}

// ---- Before an action begins

// What a validate hook says to the action whose parameters are bound. Where only the answer counts
// (listing), nothing is put into words. A hook that fails is a fault of the rules, never a yes.
Truth Legality::hook_allows(int index, const HookRef& ref, std::optional<Rejection>* why) {
  if (ref.native >= 0) {
    const NativeModule& module = *p_->natives[static_cast<std::size_t>(ref.native)];
    std::optional<Rejection> said;
    try {
      said = module.validate(ActionView(whole(), index, trying() || why == nullptr));
    } catch (const std::exception& error) {
      if (why != nullptr) *why = failure(module, error.what());
      fail(Code::HOOK_FAILED, 0, "a native module failed");
      return Truth::fault;
    }
    if (!said) return Truth::yes;
    if (why != nullptr) *why = std::move(said);
    return Truth::no;
  }
  const HookInfo& hook = p_->hooks[static_cast<std::size_t>(ref.hook)];
  const Truth refuses = hook.when >= 0 ? test(hook.when) : Truth::yes;
  if (refuses == Truth::no) return Truth::yes;
  if (refuses == Truth::fault) return refuses;
  if (why == nullptr) return Truth::no;
  Json details = Json::object();
  for (const auto& [name, node] : hook.details) {
    const Value v = value(node);
    details[name] = failed_ ? Json() : json_of(v);
    clear_fault();  // a detail that cannot be told is not told
  }
  *why = Rejection(hook.code, hook.message, std::move(details));
  return Truth::no;
}

// Before-validate hooks of an action that is really made; false: one failed.
bool Legality::run_before_hooks(int index) {
  for (const HookRef& ref : p_->actions[static_cast<std::size_t>(index)].before) {
    if (ref.native < 0) {
      if (!report_hook(p_->hooks[static_cast<std::size_t>(ref.hook)], index)) return false;
      continue;
    }
    const NativeModule& module = *p_->natives[static_cast<std::size_t>(ref.native)];
    try {
      module.before_validate(ActionView(whole(), index, false));
    } catch (const std::exception& error) {
      veto_ = failure(module, error.what());
      fail(Code::HOOK_FAILED, 0, "a native module failed");
      return false;
    }
  }
  return true;
}

// The event of a before-validate or after hook. False: its condition failed.
bool Legality::report_hook(const HookInfo& hook, int action) {
  if (hook.when >= 0) {
    const Truth when = test(hook.when);
    if (when != Truth::yes) return when == Truth::no;
  }
  if (listener_ != nullptr)
    report(hook.event,
           {{"hook", hook.id},
            {"action", p_->actions[static_cast<std::size_t>(action)].id},
            {"player", int{actor_}}},
           tools_only());
  return true;
}

// ---- While an action is carried out

bool Legality::native_apply(const Instr& i) {
  const NativeModule& module = *p_->natives[static_cast<std::size_t>(i.a)];
  Changes changes;
  try {
    module.apply(ActionView(whole(), i.b, trying()), changes);
  } catch (const std::exception& error) {
    veto_ = failure(module, error.what());
    fail(Code::HOOK_FAILED, i.place, "a native module failed");
    return false;
  }
  for (const Changes::Change& change : changes.all()) {
    const auto& vars = change.player < 0 ? p_->gvars : p_->pvars;
    const int var = index_by(vars, change.var, &VarInfo::name);
    if (var < 0 || change.player >= p_->players) {
      veto_ = failure(module, fmt::format("there is no variable {}", change.var).c_str());
      fail(Code::HOOK_FAILED, i.place, "a native module failed");
      return false;
    }
    const int scope = change.player < 0 ? 0 : 1, owner = std::max(0, change.player);
    const VarInfo& info = vars[static_cast<std::size_t>(var)];
    const std::int64_t now = scope == 0 ? memory_.gvar(var) : memory_.pvar(owner, var);
    write_var(scope, owner, var, std::clamp(now + change.delta, info.min, info.max));
  }
  return true;
}

bool Legality::native_after(const Instr& i) {
  if (trying()) return true;
  const NativeModule& module = *p_->natives[static_cast<std::size_t>(i.a)];
  std::vector<ModuleEvent> events;
  try {
    module.after(ActionView(whole(), i.b, false), events);
  } catch (const std::exception& error) {
    veto_ = failure(module, error.what());
    fail(Code::HOOK_FAILED, i.place, "a native module failed");
    return false;
  }
  // Hooks see everything: where something is hidden, what they tell is only for tools.
  for (ModuleEvent& event : events) report(event.kind, std::move(event.data), tools_only());
  return true;
}

Json Legality::module_snapshots() const {
  Json out = Json::object();
  for (const auto& module : p_->natives) {
    if (!module->points().snapshot) continue;
    const std::string id = module->info().id;
    try {
      Json shown = module->snapshot(StateView(whole()));
      assert(shown == module->snapshot(StateView(whole())) &&
             "a snapshot hook must be deterministic");
      out[id] = std::move(shown);
    } catch (const std::exception& error) {
      out[id] = {{"error", to_json(failure(*module, error.what()))}};
    }
  }
  return out;
}

}  // namespace parlor::kernel
