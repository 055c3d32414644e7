// Rounds, timed effects, hooks and what a module says about itself.
#include <algorithm>
#include <fmt/core.h>

#include "spec/lower/construct.h"
#include "spec/lower/lower.h"
#include "spec/lower/sections.h"

namespace parlor::spec::lower {

void check(Reading& r, RoundsDef& out) {
  const std::string_view order = turn_order_word(r.cx);
  if (out.by_phases.value_or(false) && order != "roundRobin" && order != "fixedOrder")
    r.at("byPhases", [&](const Node& n) {
      r.cx.error(Code::TURN_ORDER_GIVEN, n,
                 fmt::format("`turnOrder: {}` has no turns that pass inside a phase", order))
          .suggestion = "use `turnOrder: {type: roundRobin}`";
    });
}

// A hook sees what the actions it is for bind, and what it is called with.
void read_key(Reading& r, const Node& node, const FieldInfo& field, HookDef& out) {
  Context& cx = r.cx;
  if (field.name == "actions") {
    read_plainly(r, node, field, out.actions);
    out.idle = node.items.empty();
    for (const std::string& action : out.actions)
      if (const auto made = cx.action_bindings.find(action); made != cx.action_bindings.end())
        for (const Binding& binding : made->second)
          cx.scope.declare({binding.name, binding.type, {}});
  } else if (field.name == "binds") {
    read_plainly(r, node, field, out.binds);
    for (const std::string& name : out.binds) cx.scope.declare({name, {}, {}});
  } else {
    if (!node.is_map()) wrong_shape(cx, node, "a mapping from names to values");
    for (const Entry& entry : node.entries) {
      const auto step = cx.step(entry.key);
      out.details.push_back({entry.key, read_value(cx, entry.value).value});
    }
  }
}

void read_key(Reading& r, const Node& node, const FieldInfo& field, ModuleInfo& out) {
  if (node.is_integer() || node.is_real())
    out.version = to_text(node);
  else
    read_plainly(r, node, field, out.version);
}

void check(Reading& r, ModuleInfo& out) {
  const bool fine =
      out.id.empty() || (out.id.front() != '-' && std::ranges::all_of(out.id, [](char c) {
                           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
                         }));
  if (!fine)
    r.at("id", [&](const Node& n) {
      r.cx.error(Code::MODULE_ID, n, fmt::format("`{}` cannot be the id of a module", out.id))
          .suggestion = "use lower-case letters, digits and hyphens";
    });
}

void lower_timed_effects(Context& cx) {
  read_section(cx, Section::effects);
  for (const TimedEffectDef& effect : cx.game.timed_effects)
    cx.symbols.timed_effects.push_back(effect.id);
}

void lower_rounds_and_hooks(Context& cx) {
  read_section(cx, Section::rounds);
  read_section(cx, Section::hooks);
  std::erase_if(cx.game.hooks, [](const HookDef& hook) { return hook.idle; });
  const auto step = cx.step("module");
  if (const Node* own = cx.doc.find(Section::module))
    cx.game.modules.push_back(read_record<ModuleInfo>(cx, *own));
  for (const Node& module : cx.doc.modules)
    cx.game.modules.push_back(read_record<ModuleInfo>(cx, module));
}

}  // namespace parlor::spec::lower

namespace parlor::spec {

ModuleInfo lower_module(GameSpecDoc& doc, Diagnostics& diagnostics) {
  GameDef game;
  lower::Context cx{doc, game, diagnostics};
  const auto step = cx.step("module");
  return lower::read_record<ModuleInfo>(cx, doc.modules.front());
}

}  // namespace parlor::spec
