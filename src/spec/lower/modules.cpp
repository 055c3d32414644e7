// Rounds, timed effects, hooks and what a module says about itself.
#include <algorithm>
#include <fmt/core.h>

#include "spec/lower/construct.h"
#include "spec/lower/lower.h"
#include "spec/lower/sections.h"

namespace parlor::spec::lower {

// Only what players have can be paid with.
void check(Reading& r, TimedEffectDef& out) {
  const auto& known = r.cx.symbols.per_player_vars;
  if (out.cost_delta.empty()) return;
  r.at("costDelta", [&](const Node& node) {
    for (const Entry& entry : node.entries)
      if (!known.contains(entry.key))
        r.cx.unknown(Code::VAR_UNKNOWN,
                     Node::of_string(entry.key, {entry.key_place, node.origin.expansion}),
                     "variable of players", entry.key, names_of(known));
  });
}

namespace {

RoundsDef read_rounds(Context& cx, const Node& node) {
  RoundsDef out;
  Fields fields{cx, node, "rounds"};
  fields.maybe("rotateStartPlayer", [&](const Node& n) {
    out.rotate_start_player = read_bool(cx, n, "rotateStartPlayer");
  });
  fields.maybe("byPhases", [&](const Node& n) {
    out.by_phases = read_bool(cx, n, "byPhases");
    const std::string_view order = turn_order_word(cx);
    if (*out.by_phases && order != "roundRobin" && order != "fixedOrder")
      cx.error(Code::TURN_ORDER_GIVEN, n,
               fmt::format("`turnOrder: {}` has no turns that pass inside a phase", order))
          .suggestion = "use `turnOrder: {type: roundRobin}`";
  });
  fields.maybe("resetEachRound", [&](const Node& n) {
    each_item(cx, n, "a list of variables", [&](const Node& var) {
      std::string name = read_id(cx, var, "the name of a variable");
      Table<VarType> known = cx.symbols.global_vars;
      known.insert(cx.symbols.per_player_vars.begin(), cx.symbols.per_player_vars.end());
      known.insert(cx.symbols.zone_vars.begin(), cx.symbols.zone_vars.end());
      if (!name.empty() && !known.contains(name))
        cx.unknown(Code::VAR_UNKNOWN, var, "variable", name, names_of(known));
      out.reset_each_round.push_back(std::move(name));
    });
  });
  return out;
}

void read_named_values(Context& cx, const Node& node, std::vector<PropValue>& out) {
  if (!node.is_map()) wrong_shape(cx, node, "a mapping from names to values");
  for (const Entry& entry : node.entries) {
    const auto step = cx.step(entry.key);
    out.push_back({entry.key, read_value(cx, entry.value).value});
  }
}

void read_reject(Context& cx, const Node& node, HookDef& out) {
  Fields fields{cx, node, "reject"};
  fields.need("code", [&](const Node& n) { out.code = read_id(cx, n, "the code of a rejection"); });
  fields.maybe("message", [&](const Node& n) { out.message = read_string(cx, n, "a message"); });
  fields.maybe("details", [&](const Node& n) { read_named_values(cx, n, out.details); });
}

HookDef read_hook(Context& cx, const Node& node) {
  HookDef out;
  out.at = cx.place(node);
  cx.scope = {};
  declare_move_bindings(cx);
  Fields fields{cx, node, "a hook"};
  fields.need("id", [&](const Node& n) { out.id = read_id(cx, n, "the id of a hook"); });
  fields.maybe("module", [&](const Node& n) { out.module = read_id(cx, n, "the id of a module"); });
  fields.need("at", [&](const Node& n) {
    out.point = read_word<HookPoint>(cx, n, "hook point",
                                     {
#define HOOK(name, word, help) {word, HookPoint::name},
#include "rules/hooks.def"
                                     },
                                     out.point);
  });
  fields.maybe("actions", [&](const Node& n) {
    each_item(cx, n, "a list of actions",
              [&](const Node& action) { out.actions.push_back(read_action(cx, action)); });
  });
  for (const std::string& action : out.actions)
    if (const auto made = cx.action_bindings.find(action); made != cx.action_bindings.end())
      for (const Binding& binding : made->second)
        cx.scope.declare({binding.name, binding.type, {}});
  if (out.point == HookPoint::called)
    fields.maybe("binds", [&](const Node& n) {
      out.binds = read_strings(cx, n, "a list of names that begin with $");
      for (const std::string& name : out.binds) cx.scope.declare({name, {}, {}});
    });
  else if (out.point != HookPoint::snapshot)
    fields.maybe("when", [&](const Node& n) { out.when = read_condition(cx, n); });
  if (out.point == HookPoint::snapshot)
    fields.need("show", [&](const Node& n) { read_named_values(cx, n, out.details); });
  if (out.point == HookPoint::validate)
    fields.need("reject", [&](const Node& n) { read_reject(cx, n, out); });
  if (out.point == HookPoint::apply || out.point == HookPoint::called)
    fields.need("effects", [&](const Node& n) { out.effects = read_effects(cx, n); });
  const auto event = [&](const Node& n) { out.event = read_id(cx, n, "the name of an event"); };
  if (out.point == HookPoint::after || out.point == HookPoint::before_validate)
    fields.need("event", event);
  return out;
}

ModuleInfo read_module(Context& cx, const Node& node) {
  ModuleInfo out;
  Fields fields{cx, node, "a module"};
  fields.need("id", [&](const Node& n) {
    out.id = read_id(cx, n, "the id of a module");
    const bool fine =
        !out.id.empty() && out.id.front() != '-' && std::ranges::all_of(out.id, [](char c) {
          return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
        });
    if (!fine && !out.id.empty())
      cx.error(Code::MODULE_ID, n, fmt::format("`{}` cannot be the id of a module", out.id))
          .suggestion = "use lower-case letters, digits and hyphens";
  });
  fields.maybe("version", [&](const Node& n) {
    out.version = n.is_integer() || n.is_real() ? to_text(n) : read_string(cx, n, "a version");
  });
  fields.maybe("name", [&](const Node& n) { out.name = read_string(cx, n, "a name"); });
  fields.maybe("description",
               [&](const Node& n) { out.description = read_string(cx, n, "a description"); });
  fields.maybe("category", [&](const Node& n) { out.category = read_string(cx, n, "a category"); });
  fields.maybe("order", [&](const Node& n) { out.order = read_int(cx, n, "an order"); });
  fields.maybe("requires",
               [&](const Node& n) { out.requires_ids = read_strings(cx, n, "a list of modules"); });
  fields.maybe("incompatibleWith", [&](const Node& n) {
    out.incompatible_with = read_strings(cx, n, "a list of modules");
  });
  return out;
}

}  // namespace

void lower_timed_effects(Context& cx) {
  UniqueIds ids{cx, "timed effect"};
  each_of_section(cx, Section::effects, [&](const Node& node) {
    TimedEffectDef effect = read_record<TimedEffectDef>(cx, node);
    if (const Node* id = node.find("id"); id && !ids.add(effect.id, *id)) return;
    cx.symbols.timed_effects.push_back(effect.id);
    cx.game.timed_effects.push_back(std::move(effect));
  });
}

void lower_rounds_and_hooks(Context& cx) {
  if (const Node* rounds = cx.doc.find(Section::rounds)) {
    const auto step = cx.step("rounds");
    cx.game.rounds = read_rounds(cx, *rounds);
  }
  UniqueIds ids{cx, "hook"};
  each_of_section(cx, Section::hooks, [&](const Node& node) {
    HookDef hook = read_hook(cx, node);
    if (const Node* id = node.find("id"); id && !ids.add(hook.id, *id)) return;
    // For no action at all: it never runs.
    if (const Node* actions = node.find("actions"); actions && actions->items.empty()) return;
    cx.game.hooks.push_back(std::move(hook));
  });
  cx.scope = {};
  const auto step = cx.step("module");
  if (const Node* own = cx.doc.find(Section::module))
    cx.game.modules.push_back(read_module(cx, *own));
  for (const Node& module : cx.doc.modules) cx.game.modules.push_back(read_module(cx, module));
}

}  // namespace parlor::spec::lower

namespace parlor::spec {

ModuleInfo lower_module(GameSpecDoc& doc, Diagnostics& diagnostics) {
  GameDef game;
  lower::Context cx{doc, game, diagnostics};
  const auto step = cx.step("module");
  return lower::read_module(cx, doc.modules.front());
}

}  // namespace parlor::spec
