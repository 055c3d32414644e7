// Setup, phases and who comes next.
#include <algorithm>
#include <fmt/core.h>

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

// The bindings of all actions of a phase: its defaults see those of the one being played.
void declare_action_bindings(Context& cx, const std::string& phase) {
  declare_move_bindings(cx);
  std::map<std::string, Type> merged;
  for (const ActionDef& action : cx.game.actions) {
    if (std::ranges::find(action.phases, phase) == action.phases.end()) continue;
    const auto found = cx.action_bindings.find(action.id);
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
  fields.maybe("actionDefaults", [&](const Node& defaults) {
    Fields inner{cx, defaults, "actionDefaults"};
    inner.maybe("pre", [&](const Node& n) {
      cx.scope = {};
      declare_action_bindings(cx, out.id);
      out.default_pre = read_condition(cx, n);
    });
    inner.maybe("afterEffects", [&](const Node& n) {
      cx.scope = {};
      declare_action_bindings(cx, out.id);
      out.after_effects = read_effects(cx, n);
    });
  });
  cx.scope = {};
  return out;
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
  d.suggestion = fmt::format("use {}", quoted_list(names));
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
}

}  // namespace parlor::spec::lower
