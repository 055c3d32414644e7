// Hooks of one action: what native modules see, and the two points before an action begins. The
// others are statements of the action's unit (pipeline.cpp).
#include <cassert>
#include <fmt/format.h>

#include "kernel/module.h"
#include "kernel/run/machine.h"

namespace parlor::kernel {

namespace {

Rejection failure(const NativeModule& module, const char* what) {
  const std::string id = module.info().id;
  return fault_of(Rejection(Code::HOOK_FAILED, fmt::format("module {} failed: {}", id, what),
                            {{"module", id}}));
}

// A refused action stays refused, whatever a module thinks of it.
void tell_native(const NativeModule& module, const ActionView& action) {
  if (!module.concerns(action.id())) return;
  try {
    module.before_validate(action);
  } catch (const std::exception&) {
  }
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
  return machine_->program().phases[machine_->header().phase].id;
}

std::optional<std::int64_t> StateView::global(std::string_view var) const {
  const VarId index = machine_->program().gvars.find(&VarInfo::name, var);
  if (index.is_none()) return std::nullopt;
  return machine_->memory().gvar(index);
}

std::optional<std::int64_t> StateView::of_player(int player, std::string_view var) const {
  const VarId index = machine_->program().pvars.find(&VarInfo::name, var);
  if (index.is_none() || player < 0 || player >= players()) return std::nullopt;
  return machine_->memory().pvar(player, index);
}

std::optional<std::int64_t> StateView::of_zone(std::string_view zone, std::string_view var) const {
  const VarId index = machine_->program().zvars.find(&VarInfo::name, var);
  const ZoneId place = machine_->program().zones.find(&ZoneInfo::id, zone);
  if (index.is_none() || place.is_none()) return std::nullopt;
  return machine_->memory().zvar(place, index);
}

std::optional<int> StateView::tokens_in(std::string_view zone) const {
  const ZoneId place = machine_->program().zones.find(&ZoneInfo::id, zone);
  if (place.is_none()) return std::nullopt;
  return machine_->memory().zone(place).count;
}

const std::string& ActionView::id() const {
  if (action_ < 0) return asked_->name;
  return machine_->program().actions[action_].id;
}
int ActionView::player() const {
  return machine_->actor();
}
bool ActionView::known() const {
  return action_ >= 0;
}

std::optional<Json> ActionView::param(std::string_view name) const {
  if (asked_ != nullptr) {
    const auto given = asked_->params.find(name);
    return given == asked_->params.end() ? std::nullopt : std::optional<Json>(*given);
  }
  const ActionInfo& action = machine_->program().actions[action_];
  if (!action.pipelines.empty()) return std::nullopt;
  const int index = position_of(action.params, name, &ParamInfo::name);
  if (index < 0) return std::nullopt;
  return machine_->json_of(machine_->slot(action.params[index].slot));
}

// ---- Before an action begins

Truth Legality::binds_actor(const HookRef& ref) {
  return ref.gate.is_none() ? Truth::yes : test(ref.gate);
}

// What a validate hook says to the action whose parameters are bound. Where only the answer counts
// (listing), nothing is put into words. A hook that fails is a fault of the rules, never a yes.
Truth Legality::hook_allows(int index, const HookRef& ref, std::optional<Rejection>* why) {
  if (ref.native >= 0) {
    if (const Truth bound = binds_actor(ref); bound != Truth::yes)
      return bound == Truth::no ? Truth::yes : bound;
    const NativeModule& module = *p_->natives[ref.native];
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
  const HookInfo& hook = p_->hooks[ref.hook];
  const Truth refuses = !hook.when.is_none() ? test(hook.when) : Truth::yes;
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
  for (const HookRef& ref : p_->actions[index].before) {
    if (const Truth bound = binds_actor(ref); bound != Truth::yes) {
      if (bound == Truth::fault) return false;
      continue;
    }
    if (ref.native < 0) {
      if (!report_hook(p_->hooks[ref.hook], p_->actions[index].id)) return false;
      continue;
    }
    const NativeModule& module = *p_->natives[ref.native];
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
bool Legality::report_hook(const HookInfo& hook, const std::string& action) {
  if (!hook.when.is_none()) {
    const Truth when = test(hook.when);
    if (when != Truth::yes) return when == Truth::no;
  }
  if (listener_ != nullptr)
    report(hook.event, {{"hook", hook.id}, {"action", action}, {"player", int{actor_}}},
           tools_only());
  return true;
}

// ---- While an action is carried out

bool Legality::native_apply(const Instr& i) {
  const NativeModule& module = *p_->natives[i.a];
  Changes changes;
  try {
    module.apply(ActionView(whole(), i.b, trying()), changes);
  } catch (const std::exception& error) {
    veto_ = failure(module, error.what());
    fail(Code::HOOK_FAILED, i.place, "a native module failed");
    return false;
  }
  for (const Changes::Change& change : changes.all()) {
    const int scope = change.player < 0 ? 0 : 1, owner = std::max(0, change.player);
    const Vars& vars = p_->vars(scope);
    const VarId var = vars.find(&VarInfo::name, change.var);
    if (var.is_none() || change.player >= p_->players) {
      veto_ = failure(module, fmt::format("there is no variable {}", change.var).c_str());
      fail(Code::HOOK_FAILED, i.place, "a native module failed");
      return false;
    }
    const VarInfo& info = vars[var];
    const std::int64_t now = scope == 0 ? memory_.gvar(var) : memory_.pvar(owner, var);
    write_var(scope, owner, var, std::clamp(now + change.delta, info.min, info.max));
  }
  return call_effects(module, changes, i.place);
}

// Puts what a module asked for on top of what runs, the first last, so that it comes first.
bool Legality::call_effects(const NativeModule& module, const Changes& changes,
                            std::uint32_t place) {
  const int active = active_, actor = actor_;
  for (auto call = changes.calls().rbegin(); call != changes.calls().rend(); ++call) {
    const auto info = std::ranges::find(p_->called, call->effects, &CalledInfo::id);
    if (info == p_->called.end()) {
      veto_ = failure(module, fmt::format("nobody declares the effects {}", call->effects).c_str());
      fail(Code::HOOK_FAILED, place, "a native module failed");
      return false;
    }
    std::vector<Value> given;
    for (const auto& [name, at] : info->slots)
      given.push_back(call->values.contains(name) ? value_of_json(call->values[name]) : Value{});
    push_frame(info->unit, active, actor);
    if (failed_) return false;
    for (std::size_t k = 0; k < given.size(); ++k) slot(info->slots[k].second) = given[k];
  }
  return true;
}

// After hooks of a move that was really made, in the slots of its unit.
bool Legality::run_after_hooks(const Instr& settle) {
  if (settle.b < 0 || trying()) return true;
  for (const HookRef& ref : p_->after_hooks[settle.b]) {
    const Truth bound = binds_actor(ref);
    if (bound == Truth::no) continue;
    const bool fine =
        bound == Truth::yes &&
        (ref.native >= 0 ? native_after(ref.native, settle.a, settle.place)
                         : report_hook(p_->hooks[ref.hook], p_->actions[settle.a].id));
    if (!fine) return false;
  }
  return true;
}

bool Legality::native_after(int native, int action, std::uint32_t place) {
  const NativeModule& module = *p_->natives[native];
  std::vector<ModuleEvent> events;
  try {
    module.after(ActionView(whole(), action, false), events);
  } catch (const std::exception& error) {
    veto_ = failure(module, error.what());
    fail(Code::HOOK_FAILED, place, "a native module failed");
    return false;
  }
  // Hooks see everything: where something is hidden, what they tell is only for tools.
  for (ModuleEvent& event : events) report(event.kind, std::move(event.data), tools_only());
  return true;
}

// What modules show of a state, by module. Values of the rules that the asker may not know are left
// out; native modules see everything, so what they show is for those who do, or where nothing is
// hidden.
Json Legality::module_snapshots(bool everything) {
  Json out = Json::object();
  if (p_->snapshot_hooks.empty()) return out;
  const Scratch scratch(*this, p_->modules_unit, header().active, header().active);
  for (const auto& [id, ref] : p_->snapshot_hooks) {
    if (ref.hook >= 0) {
      Json& shown = out[id.empty() ? p_->def.metadata.id : id];
      for (const auto& [name, node] : p_->hooks[ref.hook].details) {
        if (!everything && hidden_from_asker(node)) continue;
        const Value v = value(node);
        shown[name] = failed_ ? Json() : json_of(v);
        clear_fault();  // what cannot be told is not told
      }
      continue;
    }
    if (!everything && p_->secrets.any) continue;
    const NativeModule& module = *p_->natives[ref.native];
    try {
      Json shown = module.snapshot(StateView(whole()));
      assert(shown == module.snapshot(StateView(whole())) &&
             "a snapshot hook must be deterministic");
      if (out.contains(id) && shown.is_object())
        out[id].update(shown);
      else
        out[id] = std::move(shown);
    } catch (const std::exception& error) {
      out[id] = {{"error", to_json(failure(module, error.what()))}};
    }
  }
  return out;
}

// Somebody asked for an action that is refused: those who look before anything is judged hear of it
// all the same.
void Legality::hear_refused(const Asked& asked) {
  const int index = position_of(p_->actions, asked.name, &ActionInfo::id);
  const std::vector<HookRef>& hooks = index >= 0 ? p_->actions[index].before : p_->before_anything;
  if (hooks.empty()) return;
  const UnitId unit = index >= 0 ? p_->actions[index].unit : p_->modules_unit;
  const Scratch scratch(*this, unit, header().active, header().active);
  for (const HookRef& ref : hooks) {
    if (binds_actor(ref) == Truth::yes) {
      if (ref.native >= 0)
        tell_native(*p_->natives[ref.native], ActionView(whole(), index, asked));
      else
        report_hook(p_->hooks[ref.hook], asked.name);
    }
    clear_fault();  // a condition that needs what was not given says nothing
  }
}

}  // namespace parlor::kernel
