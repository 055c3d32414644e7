// What a card lets a seat do: in which ways an action can be taken, and the steps of its order that
// cards are asked about (F-50 … F-58).
#include "kernel/program/params.h"
#include "kernel/run/machine.h"
#include "spec/gamedef/enum_names.h"

namespace parlor::kernel {

namespace {

// Whether a row that holds `wanted` lets an action of this class be made (F-51, G-32).
bool can_be_taken_for(ActionClass mapped, ActionClass wanted) {
  switch (mapped) {
    case ActionClass::operation:
      return wanted == ActionClass::operation || wanted == ActionClass::limited_operation ||
             wanted == ActionClass::operation_plus_special_activity;
    case ActionClass::special_activity:
      return wanted == ActionClass::operation_plus_special_activity;
    case ActionClass::none:
      return wanted != ActionClass::event && wanted != ActionClass::pass;
    default:
      return wanted == mapped;
  }
}

Truth truth(bool yes) {
  return yes ? Truth::yes : Truth::no;
}

}  // namespace

std::string_view class_name(ActionClass action_class) {
  return spec::enum_name(action_class);
}

// ---- Variants

Machine::Variant Legality::variant_of(Option option) const {
  if (p_->variant_bits == 0) return {};
  const std::uint64_t bits = option.id >> action_bits;
  return {static_cast<ActionClass>(bits & 7), bits >> 3 & 63};
}

void Legality::consider(int action, Variant variant) {
  const Header& h = memory_.header();
  move_ = {};
  move_.action = action;
  move_.action_class = variant.action_class;
  move_.owner = move_.as = h.active;
  if (variant.grant == 0 || variant.grant > memory_.flow().grants) return;
  move_.grant = variant.grant;
  move_.owner = memory_.grant(variant.grant - 1).seat;
  move_.as = memory_.grant(variant.grant - 1).as;
}

// First the ways in which it can be taken as an ordinary move, then those a grant gives. Whoever
// has to use a grant can do nothing else (G-31).
void Legality::find_variants(int action, Variants& out) const {
  const ActionClass mapped = p_->flow.class_of[action];
  const Header& h = memory_.header();
  const FlowRecord& f = memory_.flow();
  bool blocked = probing_;
  for (int k = 0; k < f.grants && !blocked; ++k)
    blocked = memory_.grant(k).seat == h.active && grant_ready(k) &&
              p_->flow.grants[memory_.grant(k).def].blocks();
  blocked = blocked && (probing_ || !interrupted());
  const std::vector<ActionClass>* second = row();
  if (!blocked) {
    if (second == nullptr || mapped == ActionClass::pass || p_->actions[action].id == "pass") {
      out.add({mapped, 0});
      if (second == nullptr && mapped == ActionClass::operation && !interrupted() &&
          !in_coup_phase() && !p_->flow.activities[action].empty())
        out.add({ActionClass::operation_plus_special_activity, 0});
    } else {
      for (const ActionClass c : *second)
        if (can_be_taken_for(mapped, c)) out.add({c, 0});
    }
  }
  if (interrupted() && !probing_) return;  // grants wait until an interrupt is over
  for (int best = 7; best >= 0; --best)
    for (int k = 0; k < f.grants; ++k) {
      if (grant_rank(k) != best || memory_.grant(k).seat != h.active || !grant_ready(k)) continue;
      const GrantInfo& info = p_->flow.grants[memory_.grant(k).def];
      if (blocked && !probing_ && !info.blocks()) continue;
      ActionClass c{};
      if (!grant_admits(k, action, c)) continue;
      // The option matrix binds what need not be done (G-32).
      if (!blocked && second != nullptr &&
          std::ranges::none_of(*second, [&](ActionClass o) { return can_be_taken_for(mapped, o); }))
        continue;
      bool known = false;
      for (std::size_t v = 0; v < out.count && !known; ++v)
        known = out.list[v].grant != 0 && out.list[v].action_class == c &&
                same_group(out.list[v].grant - 1, k);
      if (!known) out.add({c, k + 1});
    }
}

// The name of the grant an option is made under, where another grant gives an option that looks the
// same; grants of one name are numbered in the order of issue (G-07).
std::string Legality::grant_told(int action, Variant variant) const {
  if (variant.grant == 0 || variant.grant > memory_.flow().grants) return "";
  Variants all;
  find_variants(action, all);
  int alike = 0;
  for (std::size_t v = 0; v < all.count; ++v)
    alike += all.list[v].grant != 0 && all.list[v].action_class == variant.action_class;
  if (alike < 2) return "";
  const auto name = [&](int k) -> const std::string& {
    return p_->flow.grants[memory_.grant(k).def].name;
  };
  int number = 1;
  for (int k = 0; k < variant.grant - 1; ++k) number += name(k) == name(variant.grant - 1);
  const std::string& own = name(variant.grant - 1);
  return number == 1 ? own : own + "#" + std::to_string(number);
}

// ---- Steps of the order

// No variant was found: only `why` asks, without one.
Truth Legality::ask_row(int action) const {
  Variants variants;
  find_variants(action, variants);
  return truth(variants.count != 0);
}

// A coup card in play outside its phases: only events (F-05, F-32, G-38).
Truth Legality::ask_coup_card(int action) const {
  const FlowInfo& info = p_->flow;
  if (interrupted() || in_coup_phase() || !info.course || !is_coup(memory_.first(info.played)))
    return Truth::yes;
  return truth(info.class_of[action] == ActionClass::event);
}

Truth Legality::ask_pivotal(int) {
  const FlowInfo& info = p_->flow;
  const FlowRecord& f = flow();
  if (info.pivotal_before_acts && f.acts != 0) return Truth::no;
  if (info.ranks && f.acts == 0) {
    const int first = candidate(0), second = candidate(1);
    const auto better = [&](int a, int b) {
      const int one = info.rank_of[a], other = info.rank_of[b];
      if (one != other) return one < other;
      const auto& seats = p_->def.seats;
      return std::max(a, b) < std::ssize(seats) && seats[a] < seats[b];
    };
    const int best = second < 0 || (first >= 0 && better(first, second)) ? first : second;
    if (best != header().active) return Truth::no;
  }
  const bool coup_next = lookahead_is_coup();
  const bool forbidden =
      coup_next && (info.pivotal_not_before_coup || (info.monsoons && info.monsoon_blocks_pivotal));
  return truth(!forbidden || (info.pivotal_override >= 0 && has_value(info.pivotal_override)));
}

// How much a parameter is: a number, or how many; -1: neither.
std::int64_t Cards::amount_of(Value v) const {
  if (v.is_list()) return stored_size(v);
  return v.is_int() ? v.payload() : -1;
}

// `whole`: the move is complete, and what was chosen on the way is known (F-56).
Truth Legality::ask_monsoon(int action, bool whole) {
  const FlowInfo& info = p_->flow;
  if (!info.monsoons || !lookahead_is_coup()) return Truth::yes;
  if (move_.grant != 0 && info.grants[memory_.grant(move_.grant - 1).def].during_monsoon)
    return Truth::yes;
  const auto rule = std::ranges::find(info.monsoon, action, &MonsoonInfo::action);
  if (rule == info.monsoon.end()) return Truth::yes;
  if (rule->override_token >= 0 && has_value(rule->override_token)) return Truth::yes;
  const bool chooses = !p_->actions[action].pipelines.empty();
  if (!rule->limits && !rule->totals) {
    // What lifts it may still be chosen.
    if (rule->override_token >= 0 && chooses && !whole) return Truth::yes;
    return Truth::no;
  }
  if (rule->limits) {
    const std::int64_t amount = amount_of(param_named(rule->limit.name));
    if (amount < 0 || amount > rule->limit.max) return Truth::no;
  }
  std::int64_t sum = 0;
  for (const std::string& name : rule->names)
    sum += std::max<std::int64_t>(0, amount_of(param_named(name)));
  return truth(!rule->totals || sum <= rule->most);
}

Truth Legality::ask_lasting(int action, bool whole) {
  const FlowRecord& f = flow();
  if (move_.grant != 0) return Truth::yes;
  const ActionClass mapped = p_->flow.class_of[action];
  for (int k = 0; k < f.lasting; ++k)
    for (const RestrictionInfo& r : p_->flow.lasting[memory_.lasting(k).def].restrictions) {
      if (r.action >= 0 && r.action != action) continue;
      if (r.action_class != ActionClass::none && r.action_class != mapped) continue;
      if (r.blocked && !whole) return Truth::no;
      if (r.limits && amount_of(param_named(r.limit.name)) > r.limit.max) return Truth::no;
    }
  return Truth::yes;
}

// ---- Parameters of a move, by name

UnitId Legality::unit_of_slots() const {
  return !frames_.empty() && frames_.back().slot_base == base_ ? frames_.back().unit
                                                               : listing_unit_;
}

Value Legality::param_named(const std::string& name) {
  const UnitId unit = unit_of_slots();
  if (unit.is_none()) return {};
  Value found;
  for (const auto& [symbol, at] : p_->units[unit].params) {
    const std::string_view text = p_->name(symbol);
    if (text != name && (!text.starts_with('$') || text.substr(1) != name)) continue;
    if (const Value v = slot(at); !v.is_none()) found = v;
  }
  return found;
}

bool Legality::has_value(Symbol wanted) {
  const UnitId unit = unit_of_slots();
  if (unit.is_none()) return false;
  for (const auto& [symbol, at] : p_->units[unit].params) {
    const Value v = slot(at);
    if (v == Value::symbol(wanted)) return true;
    for (std::size_t k = 0; v.is_list() && k < stored_size(v); ++k)
      if (list_at(v, k) == Value::symbol(wanted)) return true;
  }
  return false;
}

void Legality::set_event(int move) {
  event_ = move;
  const EventMove& m = p_->flow.event_moves[move];
  const CardInfo& card = p_->flow.card_infos[m.card];
  slot(SlotId(0)) = Value::symbol(card.symbol);
  slot(SlotId(1)) = Value::symbol(p_->flow.decks[card.deck].symbol);
  slot(SlotId(2)) = Value::symbol(p_->flow.side_words[m.shaded ? 1 : 0]);
  slot(SlotId(3)) = m.branch >= 0 ? Value::symbol(m.branch) : Value{};
}

// ---- Cancellation

// What an option says of a parameter, by its name without `$`; none: nothing.
Value Legality::option_param(Option option, const std::string& name) {
  const int index = action_of(option);
  const ActionInfo& action = p_->actions[index];
  if (!action.pipelines.empty()) return {};
  for (std::size_t k = 0; k < action.params.size(); ++k) {
    const std::string& own = action.params[k].name;
    if (own != name && (!own.starts_with('$') || own.compare(1, std::string::npos, name) != 0))
      continue;
    // The values of an option stand in the slots of its action's unit.
    Scratch scratch(*this, action.unit, memory_.header().active, memory_.header().active);
    if (index == p_->flow.event_action)
      set_event(params_of(*p_, option));
    else if (!bind_params(index, option))
      return {};
    return slot(action.params[k].slot);
  }
  return {};
}

bool Legality::selects(const SelectorInfo& s, Option option) {
  const int action = action_of(option);
  if (s.action >= 0 && s.action != action) return false;
  ActionClass own = p_->flow.class_of[action];
  if (own == ActionClass::none) own = variant_of(option).action_class;
  if (s.action_class != ActionClass::none && s.action_class != own) return false;
  if (!s.card.empty() || !s.tags_all.empty() || !s.tags_any.empty()) {
    const Value id = option_param(option, event_params[0]);
    const auto card = std::ranges::find_if(
        p_->flow.card_infos, [&](const CardInfo& c) { return id == Value::symbol(c.symbol); });
    if (card == p_->flow.card_infos.end() || (!s.card.empty() && card->id != s.card)) return false;
    const auto has = [&](const std::string& tag) {
      return std::ranges::find(card->tags, tag) != card->tags.end();
    };
    if (!std::ranges::all_of(s.tags_all, has)) return false;
    if (!s.tags_any.empty() && std::ranges::none_of(s.tags_any, has)) return false;
  }
  return std::ranges::all_of(s.params, [&](const auto& wanted) {
    return equal_values(option_param(option, wanted.first), wanted.second);
  });
}

void Legality::cancel_moves(OptionList& options, std::vector<Cancelled>* told) {
  for (const auto& [winner, canceled] : p_->flow.cancellations) {
    const auto wins =
        std::ranges::find_if(options, [&](Option option) { return selects(winner, option); });
    if (wins == options.end()) continue;
    const Option by = *wins;
    Lease lease(*p_);
    OptionList& left = lease.options();
    left.clear();
    for (const Option option : options)
      if (!selects(canceled, option))
        left.add(option);
      else if (told != nullptr)
        told->push_back({option, by});
    options.clear();
    for (const Option option : left) options.add(option);
  }
}

std::vector<Legality::Cancelled> Legality::cancelled_moves() {
  std::vector<Cancelled> out;
  if (p_->flow.cancellations.empty()) return out;
  Lease lease(*p_);
  OptionList& all = lease.options();
  all.clear();
  list_uncancelled(all);
  cancel_moves(all, &out);
  return out;
}

}  // namespace parlor::kernel
