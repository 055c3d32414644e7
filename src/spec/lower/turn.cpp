// Setup, phases and who comes next.
#include <algorithm>
#include <fmt/core.h>

#include "spec/gamedef/forms.h"
#include "spec/lower/events.h"
#include "spec/lower/sections.h"

namespace parlor::spec::lower {
namespace {

void declare_phases(Context& cx, const Node& turn, std::string_view key,
                    std::vector<std::string>& out, UniqueIds& ids) {
  const Node* list = turn.find(key);
  if (list == nullptr || !list->is_list()) return;
  const auto step = cx.step(key);
  each_item(cx, *list, "a list of phases", [&](const Node& phase) {
    // A bare word is a mistake, but not one to hold against those who mention the phase.
    const Node* id = phase.is_string() ? &phase : phase.find("id");
    if (id == nullptr || !id->is_string()) return;
    const auto inner = cx.step("id");
    if (ids.add(id->text, *id)) out.push_back(id->text);
  });
}

bool mentions_binding(const Node& node, std::string_view name) {
  return node.is(name) ||
         std::ranges::any_of(node.items,
                             [&](const Node& item) { return mentions_binding(item, name); }) ||
         std::ranges::any_of(
             node.entries, [&](const Entry& entry) { return mentions_binding(entry.value, name); });
}
bool binds(const Node& node, std::string_view name) {
  const Node* bind = node.find("bind");
  return (bind != nullptr && bind->is(name)) ||
         std::ranges::any_of(node.items, [&](const Node& item) { return binds(item, name); }) ||
         std::ranges::any_of(node.entries,
                             [&](const Entry& entry) { return binds(entry.value, name); });
}

// The bindings of all actions of a phase: its defaults (`node`) see those of the one being played.
void declare_action_bindings(Context& cx, const std::string& phase, const Node& node) {
  declare_move_bindings(cx);
  std::map<std::string, Type> merged;
  for (const ActionDef& action : cx.game.actions) {
    if (std::ranges::find(action.phases, phase) == action.phases.end()) continue;
    const auto found = cx.action_bindings.find(action.id);
    const auto made = [&](const std::string& name) {
      return found != cx.action_bindings.end() &&
             std::ranges::find(found->second, name, &Binding::name) != found->second.end();
    };
    for (const ActionDef& other : cx.game.actions)
      if (const auto theirs = cx.action_bindings.find(other.id);
          theirs != cx.action_bindings.end() &&
          std::ranges::find(other.phases, phase) != other.phases.end())
        for (const Binding& binding : theirs->second)
          if (!binding.name.starts_with("$__") && !made(binding.name) &&
              mentions_binding(node, binding.name) && !binds(node, binding.name))
            cx.warning(Code::DEFAULTS_BINDING, node,
                       fmt::format("`{}` makes no `{}`, which the defaults of the phase `{}` read",
                                   action.id, binding.name, phase));
    if (found == cx.action_bindings.end()) continue;
    for (const Binding& binding : found->second) {
      if (binding.name.starts_with("$__")) continue;  // a macro's own: nobody can mention it
      const auto [at, fresh] = merged.emplace(binding.name, binding.type);
      if (!fresh) at->second = either(at->second, binding.type);
    }
  }
  // Without a place: hiding one of these is no mistake.
  for (auto& [name, type] : merged) cx.scope.declare({name, std::move(type), {}});
}

// What ends a phase in a move would end it before everybody's move has happened.
void warn_of_early_end(Context& cx, const Node& node, const PhaseDef& phase) {
  for (const ActionDef& action : cx.game.actions) {
    if (std::ranges::find(action.phases, phase.id) == action.phases.end()) continue;
    if (!mentions<AdvancePhase>(action.effects) && !mentions<GotoPhaseExact>(action.effects) &&
        !mentions<EndTurn>(action.effects) && !mentions<PushInterruptPhase>(action.effects))
      continue;
    cx.warning(Code::PHASE_SIMULTANEOUS, node,
               fmt::format("`{}` leaves the phase `{}`, which ends by itself once all moves have "
                           "happened: those of players who come later are lost",
                           action.id, phase.id))
        .suggestion = "take it out of the action, or put it into `then`";
  }
}

PhaseDef read_phase_def(Context& cx, const Node& node) {
  PhaseDef out;
  Fields fields{cx, node, "a phase"};
  fields.need("id", [&](const Node& n) { out.id = read_id(cx, n, "the id of a phase"); });
  fields.maybe("onEnter", [&](const Node& n) {
    cx.scope = {};
    out.on_enter = read_effects(cx, n);
  });
  fields.maybe("onExit", [&](const Node& n) {
    cx.scope = {};
    out.on_exit = read_effects(cx, n);
  });
  fields.maybe("simultaneous", [&](const Node& n) {
    if (!n.is_boolean()) return void(wrong_shape(cx, n, "true or false"));
    if (n.boolean) out.simultaneous = true;
    if (n.boolean && turn_order_word(cx) == "cardDriven")
      cx.error(Code::PHASE_SIMULTANEOUS, n, "the order of cards says who acts in this game")
          .suggestion = "leave `simultaneous` out, or choose another turnOrder";
    if (n.boolean) warn_of_early_end(cx, n, out);
  });
  fields.maybe("then", [&](const Node& n) {
    cx.scope = {};
    out.then = read_effects(cx, n);
    if (!out.simultaneous)
      cx.error(Code::PHASE_SIMULTANEOUS, n,
               "`then` is what happens after the moves of a simultaneous phase")
          .suggestion = "add `simultaneous: true`, or use onExit";
  });
  fields.maybe("actionDefaults", [&](const Node& defaults) {
    Fields inner{cx, defaults, "actionDefaults"};
    inner.maybe("pre", [&](const Node& n) {
      cx.scope = {};
      declare_action_bindings(cx, out.id, n);
      out.default_pre = read_condition(cx, n);
    });
    inner.maybe("afterEffects", [&](const Node& n) {
      cx.scope = {};
      declare_action_bindings(cx, out.id, n);
      out.after_effects = read_effects(cx, n);
    });
  });
  cx.scope = {};
  return out;
}

template <class... Leaves>
bool leaves_phase(const Effects& effects) {
  return (mentions<Leaves>(effects) || ...);
}
bool leaves_phase(const Effects& effects) {
  return leaves_phase<AdvancePhase, GotoPhaseExact, EndTurn, EndRound, PushInterruptPhase,
                      PopInterruptPhase, SetActivePlayer>(effects);
}

// A phase with an action that is always possible, and nothing that would ever leave it.
void warn_of_endless_phases(Context& cx) {
  const GameDef& game = cx.game;
  if (cx.errors() > 0) return;  // what could not be read may end it
  if (game.metadata.max_players < 2 || game.turn_order.kind == TurnOrderKind::card_driven ||
      game.turn_order.kind == TurnOrderKind::simultaneous || !game.hooks.empty())
    return;
  for (const TriggerDef& trigger : game.triggers)
    if (leaves_phase(trigger.effects)) return;
  for (const PhaseDef& phase : game.phases) {
    if (phase.simultaneous || phase.default_pre || leaves_phase(phase.after_effects)) continue;
    const ActionDef* always = nullptr;
    bool ends = false;
    for (const ActionDef& action : game.actions) {
      if (std::ranges::find(action.phases, phase.id) == action.phases.end()) continue;
      const bool piped = std::ranges::find(game.pipelines, action.id, &PipelineDef::action) !=
                         game.pipelines.end();
      ends |= piped || leaves_phase(action.effects) || leaves_phase(action.cost);
      if (!action.pre && action.params.empty() && action.limits.empty() && action.price.empty() &&
          action.cost.empty() && !mentions<Require>(action.effects) &&
          !mentions<ChooseOne>(action.effects) && !mentions<ChooseN>(action.effects))
        always = &action;
    }
    if (ends || always == nullptr) continue;
    const Node* turn = cx.doc.find(Section::turnStructure);
    const Node* list = turn != nullptr ? turn->find("phases") : nullptr;
    for (std::size_t i = 0; list != nullptr && i < list->items.size(); ++i)
      if (const Node* id = list->items[i].find("id"); id != nullptr && id->is(phase.id))
        cx.warning(Code::PHASE_ENDLESS, *id,
                   fmt::format("nothing ends the phase `{}`: `{}` is always possible in it, and "
                               "nobody else will ever have a turn",
                               phase.id, always->id))
            .suggestion = "add `end phase` to an action, or say when it is no longer possible";
  }
}

// An entry of a fixed order is a player's number or a seat.
void check_order_entry(Context& cx, const Node& node, const std::string& entry) {
  if (entry.empty() || std::ranges::find(cx.symbols.seats, entry) != cx.symbols.seats.end()) return;
  const bool digits =
      entry.size() < 10 && entry.find_first_not_of("0123456789") == std::string::npos;
  if (digits && std::stoll(entry) < cx.symbols.max_players) return;
  std::vector<std::string> names = cx.symbols.seats;
  if (names.empty())
    for (Int player = 0; player < cx.symbols.max_players; ++player)
      names.push_back(std::to_string(player));
  Diagnostic& d =
      cx.error(Code::PLAYER_UNKNOWN, node, fmt::format("there is no player `{}`", entry));
  d.suggestion = fmt::format("use {}", name_list(names, "or"));
}

TurnOrder read_turn_order(Context& cx, const Node& node) {
  TurnOrder out;
  Fields fields{cx, node, "turnOrder"};
  fields.need("type", [&](const Node& n) {
    out.kind = read_word<TurnOrderKind>(cx, n, "turn order",
                                        {{"roundRobin", TurnOrderKind::round_robin},
                                         {"fixedOrder", TurnOrderKind::fixed_order},
                                         {"simultaneous", TurnOrderKind::simultaneous},
                                         {"cardDriven", TurnOrderKind::card_driven}},
                                        out.kind);
  });
  if (out.kind == TurnOrderKind::fixed_order)
    fields.need("order", [&](const Node& n) {
      each_item(cx, n, "a list of players", [&](const Node& player) {
        out.order.push_back(player.is_integer() ? std::to_string(player.integer)
                                                : read_id(cx, player, "a player"));
        check_order_entry(cx, player, out.order.back());
        if (std::ranges::count(out.order, out.order.back()) > 1)
          cx.warning(Code::DUPLICATE_ID, player,
                     fmt::format("`{}` is in the order twice", out.order.back()));
      });
      if (n.is_list() && n.items.empty()) cx.error(Code::LIST_EMPTY, n, "the order is empty");
    });
  if (out.kind == TurnOrderKind::card_driven)
    fields.need("config", [&](const Node& n) { out.cards = read_card_driven(cx, n); });
  return out;
}

void warn_unused_interrupts(Context& cx) {
  const Node* turn = cx.doc.find(Section::turnStructure);
  const Node* list = turn ? turn->find("interrupts") : nullptr;
  if (list == nullptr || !list->is_list()) return;
  const auto step = cx.step("turnStructure.interrupts");
  each_item(cx, *list, "a list", [&](const Node& phase) {
    const Node* id = phase.find("id");
    if (id == nullptr || !id->is_string() || cx.pushed_interrupts.contains(id->text)) return;
    cx.warning(Code::INTERRUPT_UNUSED, *id,
               fmt::format("nothing ever enters the phase `{}`", id->text))
        .suggestion = "enter it with pushInterruptPhase, or remove it";
  });
}

}  // namespace

std::string_view turn_order_word(const Context& cx) {
  const Node* order = cx.doc.find(Section::turnOrder);
  const Node* type = order != nullptr ? order->find("type") : nullptr;
  return type != nullptr && type->is_string() ? std::string_view{type->text} : "roundRobin";
}

void declare_turn_structure(Context& cx) {
  const Node* turn = cx.doc.find(Section::turnStructure);
  if (turn == nullptr) return;
  const auto step = cx.step("turnStructure");
  UniqueIds ids{cx, "phase"};
  declare_phases(cx, *turn, "phases", cx.symbols.phases, ids);
  declare_phases(cx, *turn, "interrupts", cx.symbols.interrupts, ids);
}

void lower_setup(Context& cx) {
  const Node* setup = cx.doc.find(Section::setup);
  if (setup == nullptr) return;
  const auto step = cx.step("setup");
  cx.scope = {};
  cx.game.setup = read_effects(cx, *setup);
}

void lower_turn_structure(Context& cx) {
  if (const Node* turn = cx.doc.find(Section::turnStructure)) {
    const auto step = cx.step("turnStructure");
    Fields fields{cx, *turn, "turnStructure"};
    const auto read_all = [&](const Node& list, std::vector<PhaseDef>& out) {
      each_item(cx, list, "a list of phases",
                [&](const Node& phase) { out.push_back(read_phase_def(cx, phase)); });
    };
    fields.need("phases", [&](const Node& n) {
      read_all(n, cx.game.phases);
      if (n.is_list() && n.items.empty())
        cx.error(Code::LIST_EMPTY, n, "a game needs at least one phase");
    });
    fields.maybe("interrupts", [&](const Node& n) { read_all(n, cx.game.interrupts); });
  }
  if (const Node* order = cx.doc.find(Section::turnOrder)) {
    const auto step = cx.step("turnOrder");
    cx.game.turn_order = read_turn_order(cx, *order);
  }
  warn_unused_interrupts(cx);
  warn_of_endless_phases(cx);
}

}  // namespace parlor::spec::lower
