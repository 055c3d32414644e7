// The order of one action, in one place. Every action becomes a unit of code that does, in order:
//
//    0  (before) before-validate hooks; then all that decides whether it is legal (order.def)
//    1  remember the phase the action started in
//    2  the price, whose timed effects with charges lose one; then the cost: no trigger hears of it
//    3  the effects, or the stages of the pipeline
//    4  `afterEffects` of the phase the action started in, even if the phase changed meanwhile
//    5  apply hooks
//    6  usage counters
//    7  triggers for everything that happened, then for the action itself
//    8  settle: terminal conditions, then phases, turns and rounds until somebody can move
//    9  after hooks report their events: the state they look at is the one that is kept
//
// Phases, triggers, set-up and the advance of a turn are units as well: link_turns.cpp.
#include <fmt/format.h>
#include <limits>

#include "kernel/link/linker.h"
#include "kernel/module.h"
#include "kernel/program/traits.h"
#include "spec/gamedef/forms.h"

namespace parlor::kernel {

UnitId Linker::begin_unit(std::string name) {
  scope_ = Scope();
  param_slots_ = 0;
  refuses_ = false;
  known_.clear();
  maybe_ = 0;
  template_fronts_.clear();
  current_unit_ = p_.units.push_back({std::move(name), here(), here(), 0});
  return current_unit_;
}

void Linker::end_unit(UnitId unit) {
  UnitInfo& info = p_.units[unit];
  info.end = here();
  info.slots = scope_.slots();
  if (p_.flow.cards)
    for (const auto& [name, slot] : scope_.ever()) info.names.emplace_back(symbol(name), slot);
}

// Ordinary phases first, then interrupts.
const spec::PhaseDef& Linker::phase_def(std::size_t phase) const {
  const std::size_t ordinary = p_.def.phases.size();
  return phase < ordinary ? p_.def.phases[phase] : p_.def.interrupts[phase - ordinary];
}

void Linker::link_actions() {
  for (const spec::ActionDef& def : p_.def.actions) {
    ActionInfo info;
    info.id = def.id;
    info.symbol = symbol(def.id);
    info.place = def.at.index;
    info.in_phase.resize(p_.phases.size());
    for (const std::string& phase : def.phases) {
      const int index = phase_index(phase, def.at.index);
      info.in_phase[index] = true;
      p_.phases[index].actions.push_back(p_.actions.size());
    }
    for (const spec::LimitDef& limit : def.limits) info.limits.push_back(link_limit(limit, def));
    info.is_pass = std::find(def.tags.begin(), def.tags.end(), "pass") != def.tags.end();
    p_.actions.push_back(std::move(info));
  }
  if (p_.actions.size() > 4000) unsupported(0, "more than 4000 actions");
  for (std::size_t i = 0; i < p_.actions.size(); ++i) link_action(i);
  for (std::size_t i = 0; i < p_.def.pipelines.size(); ++i) link_pipeline(i, p_.def.pipelines[i]);
}

LimitInfo Linker::link_limit(const spec::LimitDef& limit, const spec::ActionDef& def) {
  LimitInfo out{.scope = limit.scope, .max = limit.max};
  using Per = LimitCount::Per;
  if (limit.per.empty() && limit.shared.empty() && limit.scope != spec::LimitScope::round)
    return out;
  out.param = position_of(def.params, limit.per, &spec::ParamDef::name);
  const Per per = limit.per.empty()       ? Per::nothing
                  : limit.per == "player" ? Per::player
                                          : Per::zone;
  if (per == Per::zone && out.param < 0)
    unsupported(def.at.index, fmt::format("`{}` has no parameter `{}`", def.id, limit.per));
  // An action's id cannot stand for a name that several share.
  const std::string name = limit.shared.empty() ? "action " + def.id : limit.shared;
  for (std::size_t i = 0; i < p_.limit_counts.size(); ++i) {
    const LimitCount& known = p_.limit_counts[i];
    if (known.shared == name && known.scope == limit.scope && known.per == per) out.count = i;
  }
  if (out.count >= 0) return out;
  const int size = per == Per::nothing ? 1 : per == Per::player ? p_.players : p_.zone_count;
  out.count = append(p_.limit_counts, {name, limit.scope, per, 0, size});
  return out;
}

void Linker::link_params(ActionInfo& action, const spec::ActionDef& def) {
  // Parameters take the first slots, so that conditions which use them can be told from others.
  param_slots_ = std::ssize(def.params);
  scope_.fresh(param_slots_);
  int slot = 0;
  for (const spec::ParamDef& param : def.params) {
    ParamInfo info;
    info.name = param.name;
    info.slot = SlotId(slot++);
    info.domain = query(param.domain);
    info.kind = kind_of(param.domain);
    info.may_repeat = has(p_.nodes[info.domain].op, trait::repeats);
    if (info.kind == ItemKind::integer) {
      if (const auto* range = std::get_if<spec::IntsInVarRangeQuery>(&param.domain.node);
          range != nullptr && range->var.kind == spec::Name::Kind::literal) {
        const auto& vars = range->per_player ? p_.pvars : p_.gvars;
        if (const VarId var = vars.find(&VarInfo::name, range->var.text); !var.is_none()) {
          info.base = vars[var].min;
          info.span = vars[var].max - info.base;
        }
      }
      if (const auto* range = std::get_if<spec::IntsInRangeQuery>(&param.domain.node);
          range != nullptr) {
        const auto* low = std::get_if<spec::Int>(&range->min->node);
        const auto* high = std::get_if<spec::Int>(&range->max->node);
        if (low != nullptr && high != nullptr) {
          info.base = *low;
          info.span = std::max<std::int64_t>(0, *high - *low);
          const bool all =
              range->step.empty() && range->max_results.empty() && range->always_include.empty();
          if (all && info.span >= most_numbers)
            unsupported(param.domain.at.index,
                        fmt::format("`{}` has {} values; a decision has at most {} options",
                                    param.name, info.span + 1, most_options),
                        Code::LIMIT_OPTIONS);
        }
      }
    }
    scope_.declare_at(param.name, info.slot);
    p_.units[current_unit_].params.emplace_back(symbol(param.name), info.slot);
    action.params.push_back(std::move(info));
  }
}

// An event is chosen as a whole: card, deck, side and branch are known together.
void Linker::link_event_params(ActionInfo& action) {
  param_slots_ = 4;
  scope_.fresh(param_slots_);
  for (int k = 0; k < 4; ++k) {
    ParamInfo info;
    info.name = event_params[k];
    info.slot = SlotId(k);
    info.domain = add({.op = Ex::q_empty});  // the card in play is asked instead
    info.kind = ItemKind::symbol;
    scope_.declare_at(info.name, info.slot);
    action.params.push_back(std::move(info));
  }
}

// A first parameter that is a zone set and a second that is a direction the zone may go: planned
// direction by direction.
void Linker::plan_ways(ActionInfo& action, const spec::ActionDef& def) {
  if (!p_.options.plan || def.params.size() != 2) return;
  const Node first = p_.nodes[action.params[0].domain];
  const auto* filter = std::get_if<spec::FilterQuery>(&def.params[1].domain.node);
  const auto* source =
      filter == nullptr ? nullptr : std::get_if<spec::DirectionsQuery>(&filter->source->node);
  if (first.op != Ex::q_bits || source == nullptr) return;
  const auto sets = plan_each_way(source->directions, filter->bind, filter->where,
                                  def.params[0].name, def.at.index);
  if (sets.empty() || sets.size() > 16) return;
  std::vector<std::pair<Symbol, NodeId>> ways;
  for (const auto& [direction, set] : sets) ways.emplace_back(p_.direction_symbols[direction], set);
  action.ways_from = first.a;
  action.ways = std::move(ways);
}

void Linker::pack_params(ActionInfo& action) {
  auto width = [](std::uint64_t most) {
    int bits = 1;
    while (bits < 63 && (most >> bits) != 0) ++bits;
    return bits;
  };
  int total = 0;
  action.packed = true;
  for (ParamInfo& param : action.params) {
    switch (param.kind) {
      case ItemKind::zone:
        param.bits = width(p_.zones.size());
        break;
      case ItemKind::token:
        param.bits = 15;
        break;
      case ItemKind::player:
        param.bits = 4;
        break;
      case ItemKind::boolean:
        param.bits = 1;
        break;
      case ItemKind::symbol:
        param.bits = 20;
        break;
      case ItemKind::integer:
        if (param.span >= 0)
          param.bits = width(param.span);
        else
          action.packed = false;
        break;
      default:
        action.packed = false;
    }
    total += param.bits;
  }
  if (total > 64 - action_bits - 1) action.packed = false;  // the highest bit: faulted_option
}

// The hooks of an action at one point, in the order of modules (rules/hooks.def, M-10). Numbers of
// the rules' hooks are still those of the GameDef.
std::vector<HookRef> Linker::hooks_at(spec::HookPoint point, const std::string& action) {
  std::vector<std::pair<std::pair<spec::Int, std::string>, HookRef>> found;
  const auto rank = [&](const std::string& module) {
    constexpr spec::Int first = std::numeric_limits<spec::Int>::min();
    if (module.empty()) return std::pair{first, module};
    const auto info = std::ranges::find(p_.def.modules, module, &spec::ModuleInfo::id);
    return std::pair{info == p_.def.modules.end() ? 0 : info->order.value_or(0), module};
  };
  for (int i = 0; i < std::ssize(p_.def.hooks); ++i) {
    const spec::HookDef& hook = p_.def.hooks[i];
    const bool concerns =
        hook.actions.empty() ||
        std::find(hook.actions.begin(), hook.actions.end(), action) != hook.actions.end();
    if (concerns && hook.point == point) found.emplace_back(rank(hook.module), HookRef{.hook = i});
  }
  for (int i = 0; i < std::ssize(p_.natives); ++i) {
    const HookPoints has = p_.natives[i]->points();
    const bool asked = (point == spec::HookPoint::before_validate && has.before_validate) ||
                       (point == spec::HookPoint::validate && has.validate) ||
                       (point == spec::HookPoint::apply && has.apply) ||
                       (point == spec::HookPoint::after && has.after) ||
                       (point == spec::HookPoint::snapshot && has.snapshot);
    if (!asked || (!action.empty() && !p_.natives[i]->concerns(action))) continue;
    const std::string id = p_.natives[i]->info().id;
    found.emplace_back(rank(id), HookRef{.native = i, .gate = link_gate(id)});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<HookRef> out;
  for (const auto& [module, ref] : found) out.push_back(ref);
  return out;
}

// Whether a native module binds whoever acts, as an expression without slots.
NodeId Linker::link_gate(const std::string& module) {
  const auto info = std::ranges::find(p_.def.modules, module, &spec::ModuleInfo::id);
  if (info == p_.def.modules.end()) return NodeId::none();
  const auto gate = module_in_force(*info, spec::PlayerSel::Kind::actor);
  return gate ? condition(*gate) : NodeId::none();
}

// What belongs to no action: values that are shown with a state, and effects to be called.
void Linker::link_module_hooks() {
  const std::vector<HookRef> shown = hooks_at(spec::HookPoint::snapshot, {});
  const std::vector<HookRef> heard = hooks_at(spec::HookPoint::before_validate, {});
  const UnitId unit = shown.empty() && heard.empty() ? UnitId::none() : begin_unit("modules");
  p_.modules_unit = unit;
  for (HookRef ref : heard) {
    if (ref.hook >= 0) ref.hook = link_hook(p_.def.hooks[ref.hook]);
    p_.before_anything.push_back(ref);
  }
  for (HookRef ref : shown) {
    std::string module;
    if (ref.hook >= 0) {
      const spec::HookDef& hook = p_.def.hooks[ref.hook];
      module = hook.module;
      ref.hook = link_hook(hook);
    } else {
      module = p_.natives[ref.native]->info().id;
    }
    p_.snapshot_hooks.emplace_back(std::move(module), ref);
  }
  if (!unit.is_none()) end_unit(unit);
  for (const spec::HookDef& hook : p_.def.hooks) {
    if (hook.point != spec::HookPoint::called) continue;
    CalledInfo info;
    info.id = hook.id;
    info.unit = begin_unit("called " + hook.id);
    for (const std::string& name : hook.binds) info.slots.emplace_back(name, scope_.declare(name));
    effects(hook.effects);
    emit({.op = Op::ret, .place = hook.at.index});
    end_unit(info.unit);
    p_.called.push_back(std::move(info));
  }
}

// The hooks that are asked before an action begins.
void Linker::link_hooks(ActionInfo& action, const spec::ActionDef& def) {
  for (const spec::HookPoint point : {spec::HookPoint::before_validate, spec::HookPoint::validate})
    for (HookRef ref : hooks_at(point, def.id)) {
      if (ref.hook >= 0) ref.hook = link_hook(p_.def.hooks[ref.hook]);
      (point == spec::HookPoint::validate ? action.validate : action.before).push_back(ref);
    }
}

int Linker::link_hook(const spec::HookDef& hook) {
  HookInfo info{hook.id,    hook.code, hook.message,
                hook.event, {},        hook.when ? condition(*hook.when) : NodeId::none()};
  for (const spec::PropValue& detail : hook.details)
    info.details.emplace_back(detail.prop, value(detail.value));
  return append(p_.hooks, std::move(info));
}

// What an action costs, by variable, with a 0 for each that some timed effect could make it cost.
std::vector<std::pair<VarId, NodeId>> Linker::link_price(int index) {
  const spec::ActionDef& def = p_.def.actions[index];
  std::vector<std::pair<VarId, NodeId>> out;
  for (const spec::PriceItem& item : def.price) {
    const VarId var = p_.pvars.find(&VarInfo::name, item.var);
    if (var.is_none())
      unsupported(def.at.index, fmt::format("there is no variable of players `{}`", item.var));
    out.emplace_back(std::max(VarId(0), var), value(item.amount));
  }
  for (const EffectKindInfo& kind : p_.effect_kinds)
    for (const auto& [var, delta] : kind.cost_delta)
      if (kind.prices[index] &&
          std::none_of(out.begin(), out.end(), [&](const auto& item) { return item.first == var; }))
        out.emplace_back(var, number(0, def.at.index));
  return out;
}

// Paying, in the slots of the unit being linked. Effects that changed the price lose a charge here,
// so that those the action itself starts do not.
void Linker::emit_price(int index) {
  const spec::ActionDef& def = p_.def.actions[index];
  const auto price = link_price(index);
  for (const auto& [var, amount] : price)
    emit({.op = Op::pay,
          .x = var == price.front().first,
          .a = var,
          .b = amount,
          .c = index,
          .place = def.at.index});
  if (p_.uses_effects && !price.empty()) emit({.op = Op::spend_charges, .place = def.at.index});
  for (const auto& [var, amount] : price) known_.paid(p_.pvars[var].name);
}

// What holds when the action begins, because it was asked just before. Where moves are handed in
// and carried out later it may hold no longer; and what was asked before it was known who carries
// the action out may mean somebody else.
void Linker::note_start(const spec::ActionDef& def) {
  using Who = spec::PlayerSel::Kind;
  const bool own = def.executor.kind == Who::active || def.executor.kind == Who::actor;
  if (!p_.simultaneous) {
    for (const spec::ParamDef& param : def.params)
      if (own) known_.chose(param.domain, param.name);
    if (def.pre) known_.holds(*def.pre);
  }
  known_.start();
}

void Linker::link_action(int index) {
  const spec::ActionDef& def = p_.def.actions[index];
  const UnitId unit = begin_unit("action " + def.id);
  ActionInfo& action = p_.actions[index];
  action.unit = unit;
  if (index == p_.flow.event_action) {
    link_event_params(action);
  } else {
    link_params(action, def);
    pack_params(action);
    plan_ways(action, def);
  }
  link_hooks(action, def);
  link_order_of(action, def);
  note_start(def);

  if (def.phases.size() > 1 || p_.flow.cards)
    emit({.op = Op::remember_phase, .place = def.at.index});
  emit_price(index);
  effects(def.cost);
  if (!def.cost.empty() || !p_.actions[index].price.empty())
    emit({.op = Op::drop_events, .place = def.at.index});
  effects(def.effects);
  if (p_.flow.cards) emit({.op = Op::judge_move, .a = index, .place = def.at.index});
  emit_action_end(index);
  end_unit(unit);
}

void Linker::emit_action_end(int index) {
  const spec::ActionDef& def = p_.def.actions[index];
  const std::uint32_t at = def.at.index;
  for (std::size_t phase = 0; phase < p_.phases.size(); ++phase) {
    const spec::Effects& after = phase_def(phase).after_effects;
    if (!p_.actions[index].in_phase[phase] || after.empty()) continue;
    // An action of one phase started in that phase.
    const int skip =
        def.phases.size() > 1 ? emit({.op = Op::jump_origin, .b = phase, .place = at}) : -1;
    scope_.open(false);
    maybe(after);
    scope_.close();
    if (skip >= 0) p_.code[skip].a = here();
  }
  for (const HookRef ref : hooks_at(spec::HookPoint::apply, def.id)) {
    if (ref.native >= 0) {
      const int past =
          ref.gate.is_none() ? -1 : emit({.op = Op::jump_unless, .b = ref.gate, .place = at});
      emit({.op = Op::native_apply, .a = ref.native, .b = index, .place = at});
      known_.lose_all();
      if (past >= 0) p_.code[past].a = here();
      continue;
    }
    const spec::HookDef& hook = p_.def.hooks[ref.hook];
    const int skip =
        hook.when
            ? emit({.op = Op::jump_unless, .b = condition(*hook.when), .place = hook.at.index})
            : -1;
    scope_.open(false);
    maybe(hook.effects);
    scope_.close();
    if (skip >= 0) p_.code[skip].a = here();
  }
  if (!def.limits.empty()) emit({.op = Op::count_usage, .a = index, .place = at});
  if (!p_.def.triggers.empty()) {
    emit({.op = Op::emit, .x = spec::EventKind::action_resolved, .a = index, .place = at});
    emit({.op = Op::dispatch, .place = at});
  }
  std::vector<HookRef> after = hooks_at(spec::HookPoint::after, def.id);
  for (HookRef& ref : after)
    if (ref.hook >= 0) ref.hook = link_hook(p_.def.hooks[ref.hook]);
  if (p_.flow.cards) emit({.op = Op::end_move, .a = index, .place = at});
  const int list = after.empty() ? -1 : append(p_.after_hooks, std::move(after));
  emit({.op = Op::settle, .a = index, .b = list, .place = at});
}

}  // namespace parlor::kernel
