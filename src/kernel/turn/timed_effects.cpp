// Timed effects: how they begin and end, what they make dearer, and whom they hinder.
#include "kernel/run/machine.h"

namespace parlor::kernel {

bool Turns::do_start_effect(const Instr& i) {
  // #owner #target #startsTurn #startsRound #expiresTurn #expiresRound #nextTurnOf #charges
  const Operand* e = &p_->extra[i.a];
  EffectRecord record{};
  record.kind = i.x.value;
  record.created = header().turn;
  const int owner = e[0] >= 0 ? player(e[0]) : -1;
  if (e[1] >= 0 && !failed_) record.target = value(e[1]);
  std::int64_t numbers[4] = {0, 0, never, never};
  for (int k = 0; k < 4 && !failed_; ++k)
    if (e[2 + k] >= 0) integer(e[2 + k], numbers[k]);
  const int until = e[6] >= 0 && !failed_ ? player(e[6]) : -1;
  std::int64_t charges = p_->effect_kinds[i.x].charges;
  if (e[7] >= 0 && !failed_ && integer(e[7], charges)) charges = std::max<std::int64_t>(0, charges);
  if (failed_) return false;
  if (header().effects >= max_effects) {
    fail(Code::EFFECTS_TOO_MANY, i.place, "too many effects are in force",
         Value::integer(max_effects));
    return false;
  }
  if (record.target.tag() == Tag::text) record.target = memory_.keep_text(text_of(record.target));
  if (record.target.tag() == Tag::list || (e[1] >= 0 && record.target.is_none())) {
    fail(Code::RUN_TYPE, i.place, "an effect is aimed at one thing, not at a list", record.target);
    return false;
  }
  const auto fit = [](std::int64_t n) -> std::int32_t {
    return std::clamp<std::int64_t>(n, 0, never);
  };
  record.owner = owner;
  record.until_turn_of = until;
  record.from_turn = fit(numbers[0]);
  record.from_round = fit(numbers[1]);
  record.until_turn = fit(numbers[2]);
  record.until_round = fit(numbers[3]);
  record.charges = charges < 0 ? -1 : fit(charges);
  record.serial = ++header().effect_serial;
  if (listener_ != nullptr)
    report("effectStarted",
           {{"effect", p_->effect_kinds[i.x].id}, {"id", record.serial}, {"owner", owner}});
  // What ended before it began, or has nothing to give, is over at once.
  if (record.until_turn < header().turn || record.until_round < header().round ||
      record.charges == 0) {
    report_effect_end(record);
    return true;
  }
  memory_.at<EffectRecord>(p_->layout.effects)[header().effects++] = record;
  return true;
}

void Turns::report_effect_end(const EffectRecord& record) {
  if (listener_ != nullptr)
    report("effectEnded", {{"effect", p_->effect_kinds[record.kind].id},
                           {"id", record.serial},
                           {"owner", int{record.owner}}});
}

void Turns::end_effects(int kind, int owner, Value target) {
  auto* records = memory_.at<EffectRecord>(p_->layout.effects);
  Header& h = header();
  int kept = 0;
  for (int k = 0; k < h.effects; ++k) {
    const EffectRecord record = records[k];
    const bool gone = record.kind == kind && (owner < 0 || record.owner == owner) &&
                      (target.is_none() || equal_values(record.target, target));
    if (gone) report_effect_end(record);
    if (!gone) records[kept++] = record;
  }
  for (int k = kept; k < h.effects; ++k) records[k] = {};
  h.effects = kept;
}

// After a pass, with the new turn, round and active player: any satisfied condition removes (M-31).
void Turns::expire_effects() {
  auto* records = memory_.at<EffectRecord>(p_->layout.effects);
  Header& h = header();
  int kept = 0;
  for (int k = 0; k < h.effects; ++k) {
    const EffectRecord record = records[k];
    const bool over = record.until_turn <= h.turn || record.until_round <= h.round ||
                      (record.until_turn_of >= 0 && record.until_turn_of == h.active);
    if (over) report_effect_end(record);
    if (!over) records[kept++] = record;
  }
  for (int k = kept; k < h.effects; ++k) records[k] = {};
  h.effects = kept;
}

// Whether an effect is in force for this player: one with an owner binds only the owner, and one
// aimed at a player only that player.
bool Turns::binds(const EffectRecord& record, int player) const {
  const Header& h = memory_.header();
  return record.from_turn <= h.turn && record.from_round <= h.round &&
         (record.owner < 0 || record.owner == player) &&
         (!record.target.is_int() || record.target.payload() == player);
}

// What one effect adds to an action's price in this variable.
std::int64_t Turns::cost_delta(const EffectRecord& record, int action, VarId var) const {
  const EffectKindInfo& kind = p_->effect_kinds[record.kind];
  if (kind.cost_delta.empty() || !kind.prices[action] || !binds(record, actor_)) return 0;
  std::int64_t sum = 0;
  for (const auto& [item, delta] : kind.cost_delta)
    if (item == var) sum += delta;
  return sum;
}

std::int64_t Turns::cost_delta(int action, VarId var) const {
  const auto* records = memory_.at<EffectRecord>(p_->layout.effects);
  std::int64_t sum = 0;
  for (int k = 0; k < memory_.header().effects; ++k) sum += cost_delta(records[k], action, var);
  return sum;
}

// Remembers which effects a price would be different without: those lose a charge (M-32).
void Turns::note_price(int action, VarId var, std::int64_t amount) {
  const auto* records = memory_.at<EffectRecord>(p_->layout.effects);
  const std::int64_t all = amount + cost_delta(action, var);
  for (int k = 0; k < memory_.header().effects; ++k)
    if (const std::int64_t delta = cost_delta(records[k], action, var);
        std::max<std::int64_t>(0, all) != std::max<std::int64_t>(0, all - delta))
      changed_prices_ |= std::uint64_t{1} << k;
}

bool Turns::pay(const Instr& i) {
  std::int64_t amount = 0;
  if (!integer(i.b, amount)) return false;
  if (i.x != 0) changed_prices_ = 0;
  if (p_->uses_effects) note_price(i.c, i.a, amount);
  amount = std::max<std::int64_t>(0, amount + cost_delta(i.c, i.a));
  const std::int64_t have = memory_.pvar(actor_, i.a);
  if (have - amount < p_->pvars[i.a].min)
    return refuse(Code::RUN_STAGE, i.place, "the price cannot be paid", Value::integer(have),
                  Value::integer(amount));
  write_var(1, actor_, i.a, std::min(have - amount, p_->pvars[i.a].max));
  return true;
}

// Takes a charge from each effect that changed the price just paid; without charges it is gone.
void Turns::spend_charges() {
  auto* records = memory_.at<EffectRecord>(p_->layout.effects);
  Header& h = header();
  int kept = 0;
  for (int k = 0; k < h.effects; ++k) {
    EffectRecord record = records[k];
    if (record.charges > 0 && (changed_prices_ >> k & 1) != 0) --record.charges;
    if (record.charges == 0)
      report_effect_end(record);
    else
      records[kept++] = record;
  }
  for (int k = kept; k < h.effects; ++k) records[k] = {};
  h.effects = kept;
  changed_prices_ = 0;
}

int Turns::blocking_effect(int action, int player) const {
  const auto* records = memory_.at<EffectRecord>(p_->layout.effects);
  const Header& h = memory_.header();
  for (int k = 0; k < h.effects; ++k) {
    const EffectRecord& record = records[k];
    if (!binds(record, player)) continue;
    if (p_->effect_kinds[record.kind].blocks[action]) return k;
  }
  return -1;
}

}  // namespace parlor::kernel
