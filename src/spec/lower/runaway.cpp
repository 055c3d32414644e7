#include "spec/lower/runaway.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/core.h>

namespace parlor::spec::lower {
namespace {

// What the effects of a trigger always bring about, of that which triggers wait for.
struct Consequences {
  std::vector<std::string> entered;    // full ids of zones
  std::vector<const AddVar*> counted;  // by an amount that is not 0

  void enter(const ZoneSel& zone) {
    if (zone.kind == ZoneSel::Kind::exact) entered.push_back(zone.text);
  }
  void look_at(const Effects& effects) {
    for (const Effect& effect : effects) std::visit([&](const auto& e) { note(e); }, effect.node);
  }

  template <class T>
  void note(const T&) {}
  void note(const CreateToken& e) { enter(e.zone); }
  void note(const MoveToken& e) { enter(e.to); }
  void note(const MoveAll& e) {
    if (!e.filter) enter(e.to);
  }
  void note(const Draw& e) { enter(e.to); }
  void note(const AddVar& e) {
    const auto* delta = std::get_if<Int>(&e.delta.node);
    if (delta != nullptr && *delta != 0 && e.cell.var.kind == Name::Kind::literal)
      counted.push_back(&e);
  }
  void note(const Let& e) { look_at(e.in); }
  // All tokens of a zone: whoever came there is one of them.
  void note(const ForEach& e) {
    const auto* all = std::get_if<TokensInZoneQuery>(&e.over.node);
    if (all != nullptr && all->filter.empty()) look_at(e.effects);
  }
};

// A variable that has reached its bound changes no more, and nothing is set off.
bool has_room(const GameDef& game, const AddVar& change) {
  const auto& vars = change.cell.scope == VarCell::Scope::global       ? game.global_vars
                     : change.cell.scope == VarCell::Scope::per_player ? game.per_player_vars
                                                                       : game.zone_vars;
  const auto found = std::ranges::find(vars, change.cell.var.text, &VarDef::name);
  if (found == vars.end()) return false;
  const Int steps = (found->max - found->min) / std::abs(std::get<Int>(change.delta.node));
  return steps > game.metadata.max_trigger_depth;
}

bool sets_off(const GameDef& game, const Consequences& what, const TriggerDef& next) {
  if (next.match || next.when) return false;
  if (next.event == EventKind::token_entered)
    return next.zone ? std::ranges::find(what.entered, *next.zone) != what.entered.end()
                     : !what.entered.empty();
  if (next.event != EventKind::var_changed || next.player) return false;
  return std::ranges::any_of(what.counted, [&](const AddVar* change) {
    return (!next.scope || *next.scope == change->cell.scope) &&
           (!next.var || *next.var == change->cell.var.text) && has_room(game, *change);
  });
}

std::string told(const TriggerDef& trigger) {
  if (trigger.event == EventKind::var_changed)
    return trigger.var ? fmt::format("`{}` changes", *trigger.var) : "a variable changes";
  if (!trigger.zone) return "a token enters a zone";
  const std::string& zone = *trigger.zone;
  return fmt::format("a token enters `{}`",
                     zone.ends_with(":none") ? zone.substr(0, zone.size() - 5) : zone);
}

// The shortest way from a trigger back to itself over later ones only, so that a circle is found
// once, from its first trigger.
std::vector<std::size_t> way_back(const std::vector<std::vector<std::size_t>>& next,
                                  std::size_t start) {
  std::vector<std::vector<std::size_t>> ways{{start}};
  std::vector<bool> seen(next.size());
  for (std::size_t i = 0; i < ways.size(); ++i) {
    const std::vector<std::size_t> way = ways[i];
    for (const std::size_t to : next[way.back()]) {
      if (to == start) return way;
      if (to < start || seen[to]) continue;
      seen[to] = true;
      ways.push_back(way);
      ways.back().push_back(to);
    }
  }
  return {};
}

}  // namespace

std::vector<TriggerLoop> find_trigger_loops(const GameDef& game) {
  std::vector<std::vector<std::size_t>> next;
  for (const TriggerDef& trigger : game.triggers) {
    Consequences what;
    if (!trigger.match && !trigger.when) what.look_at(trigger.effects);
    auto& list = next.emplace_back();
    for (std::size_t i = 0; i < game.triggers.size(); ++i)
      if (sets_off(game, what, game.triggers[i])) list.push_back(i);
  }
  std::vector<TriggerLoop> out;
  for (std::size_t i = 0; i < next.size(); ++i) {
    TriggerLoop loop{way_back(next, i), {}};
    if (loop.triggers.empty()) continue;
    for (const std::size_t each : loop.triggers) loop.told += told(game.triggers[each]) + " → ";
    loop.told += told(game.triggers[i]);
    out.push_back(std::move(loop));
  }
  return out;
}

}  // namespace parlor::spec::lower
