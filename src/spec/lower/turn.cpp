// Setup, phases and who comes next.
#include <algorithm>
#include <fmt/core.h>

#include "spec/lower/construct.h"
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

// What holds for all actions of a phase sees what they bind.
void read_key(Reading& r, const Node& node, const FieldInfo& field, PhaseDef& out) {
  declare_action_bindings(r.cx, out.id, node);
  if (field.name == "defaultPre")
    out.default_pre = read_condition(r.cx, node);
  else
    out.after_effects = read_effects(r.cx, node);
}

void check(Reading& r, PhaseDef& out) {
  Context& cx = r.cx;
  if (!out.simultaneous.value_or(false)) {
    out.simultaneous.reset();
    r.at("then", [&](const Node& n) {
      cx.error(Code::PHASE_SIMULTANEOUS, n,
               "`then` is what happens after the moves of a simultaneous phase")
          .suggestion = "add `simultaneous: true`, or use onExit";
    });
    return;
  }
  r.at("simultaneous", [&](const Node& n) {
    if (turn_order_word(cx) == "cardDriven")
      cx.error(Code::PHASE_SIMULTANEOUS, n, "the order of cards says who acts in this game")
          .suggestion = "leave `simultaneous` out, or choose another turnOrder";
    warn_of_early_end(cx, n, out);
  });
}

// The order of a game whose players come in a fixed one.
void read_key(Reading& r, const Node& node, const FieldInfo&, TurnOrder& out) {
  each_item(r.cx, node, "a list of players", [&](const Node& player) {
    const std::string& name = out.order.emplace_back(
        player.is_integer() ? std::to_string(player.integer) : read_id(r.cx, player, "a player"));
    check_order_entry(r.cx, player, name);
    if (std::ranges::count(out.order, name) > 1)
      r.cx.warning(Code::DUPLICATE_ID, player, fmt::format("`{}` is in the order twice", name));
  });
}

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

void lower_turn_structure(Context& cx) {
  read_section(cx, Section::turnStructure);
  read_section(cx, Section::turnOrder);
  warn_unused_interrupts(cx);
  warn_of_endless_phases(cx);
}

}  // namespace parlor::spec::lower
