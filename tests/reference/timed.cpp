// Timed effects: M-30 to M-33.
#include "reference/run.h"

namespace parlor::reference {

using namespace spec;

namespace {

constexpr std::size_t most_effects = 64;

const TimedEffectDef& definition(const GameDef& def, const std::string& id) {
  for (const TimedEffectDef& effect : def.timed_effects)
    if (effect.id == id) return effect;
  throw RuntimeError("MISSING_VAR", "no timed effect " + id);
}

bool lists(const std::vector<std::string>& list, const std::string& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

bool begun(const TimedEffect& effect, const World& w) {
  return effect.from_turn <= w.turn && effect.from_round <= w.round;
}

// One with an owner binds only the owner, one aimed at a player only that player.
bool binds(const TimedEffect& effect, const World& w, int player) {
  const auto* target = effect.target ? std::get_if<Int>(&effect.target->v) : nullptr;
  return begun(effect, w) && (!effect.owner || *effect.owner == player) &&
         (!target || *target == player);
}

Int delta_of(const GameDef& def, const TimedEffect& effect, const ActionDef& action,
             const std::string& var) {
  const TimedEffectDef& kind = definition(def, effect.kind);
  const bool concerned =
      kind.cost_actions.empty() ? !action.price.empty() : lists(kind.cost_actions, action.id);
  Int sum = 0;
  for (const NamedModifier& delta : kind.cost_delta)
    if (concerned && delta.name == var) sum += delta.value;
  return sum;
}

}  // namespace

void Run::start_effect(const StartEffect& e, const Context& c) {
  TimedEffect made;
  made.kind = e.effect;
  if (e.owner) made.owner = one_player(*e.owner, c);
  if (e.target) made.target = value(*e.target, c);
  if (made.target && std::holds_alternative<List>(made.target->v))
    throw RuntimeError("TYPE_MISMATCH", "an effect aimed at a list");
  if (e.starts_at_turn) made.from_turn = integer(*e.starts_at_turn, c);
  if (e.starts_at_round) made.from_round = integer(*e.starts_at_round, c);
  if (e.expires_at_turn) made.until_turn = integer(*e.expires_at_turn, c);
  if (e.expires_at_round) made.until_round = integer(*e.expires_at_round, c);
  if (e.expires_at_next_turn_of) made.until_turn_of = one_player(*e.expires_at_next_turn_of, c);
  made.charges = definition(def(), e.effect).charges;
  if (e.charges) made.charges = integer(*e.charges, c);
  if (w.effects.size() >= most_effects) throw RuntimeError("EFFECT_RUNTIME", "too many effects");
  // T-35: what ended before it began, or has nothing to give, is over at once.
  const bool over = (made.until_turn && *made.until_turn < w.turn) ||
                    (made.until_round && *made.until_round < w.round) ||
                    (made.charges && *made.charges <= 0);
  if (!over) w.effects.push_back(std::move(made));
}

void Run::end_effect(const EndEffect& e, const Context& c) {
  const std::optional<int> owner = e.owner ? std::optional(one_player(*e.owner, c)) : std::nullopt;
  const std::optional<Val> target = e.target ? std::optional(value(*e.target, c)) : std::nullopt;
  std::erase_if(w.effects, [&](const TimedEffect& effect) {
    return effect.kind == e.effect && (!owner || effect.owner == owner) &&
           (!target || effect.target == target);
  });
}

// After a pass, with the new turn, round and active player: any satisfied condition removes (M-31).
void Run::expire_effects() {
  std::erase_if(w.effects, [&](const TimedEffect& effect) {
    return (effect.until_turn && *effect.until_turn <= w.turn) ||
           (effect.until_round && *effect.until_round <= w.round) ||
           (effect.until_turn_of && *effect.until_turn_of == w.active);
  });
}

List Run::active_effects(const ActiveEffectsQuery& node, const Context& c) {
  std::vector<int> owners;
  if (!node.owner.empty()) owners = players(node.owner[0], c);
  const std::optional<Val> target =
      node.target.empty() ? std::nullopt : std::optional(value(node.target[0], c));
  List out;
  for (const TimedEffect& effect : w.effects) {
    if (!begun(effect, w) || (!node.effect.empty() && effect.kind != node.effect)) continue;
    if (!node.owner.empty() &&
        (!effect.owner || std::find(owners.begin(), owners.end(), *effect.owner) == owners.end()))
      continue;
    if (target && effect.target != target) continue;
    out.emplace_back(effect.kind);
  }
  return out;
}

Val Run::effect_modifier(const EffectModifierRef& node, const Context& c) {
  const std::optional<Val> target =
      node.target.empty() ? std::nullopt : std::optional(value(node.target[0], c));
  Int sum = 0;
  for (const TimedEffect& effect : w.effects) {
    if (!begun(effect, w) || (target && effect.target && effect.target != target)) continue;
    for (const NamedModifier& modifier : definition(def(), effect.kind).modifiers)
      if (modifier.name == node.name) sum += modifier.value;
  }
  return sum;
}

bool Run::blocked(const ActionDef& action) const {
  return std::any_of(w.effects.begin(), w.effects.end(), [&](const TimedEffect& effect) {
    return binds(effect, w, w.active) &&
           lists(definition(def(), effect.kind).block_actions, action.id);
  });
}

// What an action costs its executor: its price, and what effects in force add, never below zero.
std::vector<Run::Price> Run::prices(const ActionDef& action, const Context& c) {
  std::vector<Price> out;
  for (const PriceItem& item : action.price) out.push_back({item.var, integer(item.amount, c), {}});
  for (const TimedEffectDef& kind : def().timed_effects)
    for (const NamedModifier& delta : kind.cost_delta)
      if (std::none_of(out.begin(), out.end(),
                       [&](const Price& price) { return price.var == delta.name; }))
        out.push_back({delta.name, 0, {}});
  for (Price& price : out) {
    for (const TimedEffect& effect : w.effects)
      if (binds(effect, w, c.actor)) price.amount += delta_of(def(), effect, action, price.var);
    for (std::size_t i = 0; i < w.effects.size(); ++i) {
      if (!binds(w.effects[i], w, c.actor)) continue;
      const Int without = price.amount - delta_of(def(), w.effects[i], action, price.var);
      if (std::max(Int{0}, price.amount) != std::max(Int{0}, without))
        price.changed_by.push_back(i);
    }
    price.amount = std::max(Int{0}, price.amount);
  }
  return out;
}

bool Run::affordable(const ActionDef& action, const Context& c) {
  for (const Price& price : prices(action, c)) {
    const auto var = std::find_if(def().per_player_vars.begin(), def().per_player_vars.end(),
                                  [&](const VarDef& v) { return v.name == price.var; });
    const Val have = w.players.at(static_cast<std::size_t>(c.actor)).at(price.var);
    if (std::get<Int>(have.v) - price.amount < var->min) return false;
  }
  return true;
}

// Each effect that changed a price loses a charge; without charges it is gone (M-32).
void Run::pay(const ActionDef& action, const Context& c) {
  std::vector<bool> used(w.effects.size());
  for (const Price& price : prices(action, c)) {
    Val& have = w.players.at(static_cast<std::size_t>(c.actor)).at(price.var);
    have = std::get<Int>(have.v) - price.amount;
    for (const std::size_t i : price.changed_by) used[i] = true;
  }
  std::vector<TimedEffect> left;
  for (std::size_t i = 0; i < w.effects.size(); ++i) {
    TimedEffect& effect = w.effects[i];
    if (used[i] && effect.charges) --*effect.charges;
    if (!effect.charges || *effect.charges > 0) left.push_back(std::move(effect));
  }
  w.effects = std::move(left);
}

}  // namespace parlor::reference
