// Walks through the legal moves of one state; legality.cpp lists with it, option_params.cpp finds
// again what an option stands for.
#pragma once

#include "base/position.h"
#include "kernel/program/params.h"
#include "kernel/run/machine.h"
#include "kernel/state/zone_set.h"

namespace parlor::kernel {

// Walks through the legal moves of one state in order: for each action, the steps of its order. A
// step that says no ends the way it was asked on. A step that faults hides nothing: the option is
// offered, and refused with the fault when it is made; where not all parameters are known yet, one
// option without parameters stands for all that might have been.
class Enumerator {
 public:
  Enumerator(Legality& machine, Legality::MoveSink sink)
      : m_(machine), p_(machine.program()), sink_(sink) {
    m_.begin_listing();
  }

  // Listing: options that are a zone set go straight into the list.
  void list_into(OptionList& out) {
    out_ = &out;
    run();
  }
  // Only whether there is one: the option handed to the sink means nothing.
  void find_any() {
    any_ = true;
    run();
  }
  // The same of one action, in games without cards; out: null where it is enough that one is found.
  void walk_one(int action, OptionList* out) {
    out_ = out;
    any_ = out == nullptr;
    walk(action);
  }
  void run() {
    const auto& actions = item_at(p_.phases, m_.header().phase).actions;
    if (!p_.flow.cards) {
      for (const int action : actions)
        if (!walk(action)) return;
      return;
    }
    for (const int action : actions) {
      Legality::Variants variants;
      m_.find_variants(action, variants);
      for (std::size_t v = 0; v < variants.count; ++v)
        if (!walk(action, variants.list[v])) return m_.forget_move();
    }
    if (!offered_) offer_pass(actions);
    m_.forget_move();
  }
  // Where everything that was open is cancelled, too.
  void run_to_pass() {
    offer_pass(item_at(p_.phases, m_.header().phase).actions);
    m_.forget_move();
  }

  // Only the tuple with this number of an action whose parameters do not fit into the id.
  void run_to(int action, Option option) {
    wanted_ = option.id >> (action_bits + p_.variant_bits);
    walk(action, m_.variant_of(option));
  }
  // To every tuple of such an action, whether or not it can be carried through.
  void run_to_all(int action, Option option) {
    wanted_ = all_ordinals;
    walk(action, m_.variant_of(option));
  }
  // Only to the first fault of an action before its parameters are known; the machine keeps it.
  void run_to_fault(int action, Option option) {
    seeks_fault_ = true;
    walk(action, m_.variant_of(option));
  }

  static bool is_of_card(Ask ask) { return ask >= Ask::row && ask <= Ask::lasting; }

 private:
  // A seat that may act but has nothing to do may pass, whatever the card says (F-58).
  void offer_pass(const std::vector<int>& actions) {
    if (m_.interrupted() || m_.blocking_owner(0) >= 0 || m_.candidate(0) < 0 || m_.probes_grant())
      return;
    for (const int action : actions) {
      const ActionInfo& info = item_at(p_.actions, action);
      if (!info.is_pass || !info.params.empty()) continue;
      unconditional_ = true;
      walk(action, {item_at(p_.flow.class_of, action), 0});
      return;
    }
  }

  bool walk(int index, Legality::Variant variant = {}) {
    const ActionInfo& action = item_at(p_.actions, index);
    if (p_.flow.cards) m_.consider(index, variant);
    m_.listing_unit_ = action.unit;
    const int active = m_.mover();
    index_ = index;
    action_ = &action;
    ordinal_ = 0;
    faulted_ = false;
    Legality::Scratch scratch(m_, action.unit, active, active);
    const std::uint64_t id =
        static_cast<std::uint64_t>(index) | (p_.flow.cards ? m_.bits_of(variant) : 0);
    const bool go_on = from(0, id, action_bits + p_.variant_bits);
    if (!faulted_ || !go_on || wanted_ != no_ordinal) return go_on;
    return seeks_fault_ || hand(Option{id | faulted_option});
  }
  bool hand(Option option) {
    offered_ = true;
    return sink_(option);
  }

  bool from(std::size_t at, std::uint64_t id, int shift) {
    for (; at < action_->order.size(); ++at) {
      const Step& step = action_->order[at];
      if (step.ask == Ask::param) return bind(at, id, shift);
      if (step.ask == Ask::completes) {
        if (wanted_ == no_ordinal && !seeks_fault_ && may_refuse() &&
            !m_.completes(Option{id}, action_))
          return true;
        continue;
      }
      if (unconditional_ && is_of_card(step.ask)) continue;
      const Truth truth = m_.ask(index_, step);
      if (truth == Truth::no) return true;
      if (truth == Truth::yes) continue;
      if (!knows_params(at)) return fault();
      m_.clear_fault();
      break;
    }
    if (seeks_fault_) return true;
    if (wanted_ < all_ordinals && id >> (action_bits + p_.variant_bits) != wanted_) return true;
    return hand(Option{id});
  }

  bool may_refuse() const {
    if (m_.is_judged_anyway()) return true;
    return action_->pipelines.empty() ? action_->look_ahead
                                      : item_at(p_.pipelines, m_.pipeline_found()).look_ahead;
  }
  bool knows_params(std::size_t at) const {
    for (; at < action_->order.size(); ++at)
      if (action_->order[at].ask == Ask::param) return false;
    return true;
  }
  bool fault() {
    faulted_ = true;
    if (seeks_fault_) return false;
    m_.clear_fault();
    return true;
  }

  // Each way to play the card, with its four parameters at once.
  bool bind_event(std::size_t at, std::uint64_t id, int shift) {
    const int card = m_.event_card();
    if (card < 0) return true;
    const CardInfo& info = item_at(p_.flow.card_infos, card);
    for (int k = 0; k < info.moves; ++k) {
      const int move = info.first_move + k;
      if (wanted_ != no_ordinal && std::cmp_not_equal(move, wanted_)) continue;
      m_.set_event(move);
      if (!from(at + 1, id | static_cast<std::uint64_t>(move) << shift, shift)) return false;
    }
    for (int k = 0; k < 4; ++k) m_.slot(SlotId(k)) = {};
    return true;
  }

  bool bind(std::size_t at, std::uint64_t id, int shift) {
    const int k = action_->order[at].what;
    if (index_ == p_.flow.event_action)
      return k == 0 ? bind_event(at, id, shift) : from(at + 1, id, shift);
    const ParamInfo& param = item_at(action_->params, k);
    if (!action_->quick.is_none() && wanted_ == no_ordinal) {
      if (out_ != nullptr) return list_quickly(id);
      if (any_) return m_.any_bit(action_->quick) == Truth::no || find_quickly(id);
    }
    if (k == 0 && !action_->ways_from.is_none() && wanted_ == no_ordinal &&
        (out_ != nullptr || any_)) {
      const bool some = m_.list_ways(*action_, id, action_bits, out_);
      return m_.failed() ? fault() : out_ != nullptr || !some || find_quickly(id);
    }
    if (action_->trial.by_zone && out_ != nullptr && wanted_ == no_ordinal &&
        action_->order[at + 1].ask == Ask::completes && m_.list_kept(*action_, id, *out_))
      return true;
    const std::size_t mark = out_ != nullptr ? out_->size() : 0;
    const int active = m_.active(), actor = m_.actor();
    const bool last = k + 1 == std::ssize(action_->params);
    bool go_on = true;
    auto take = [&](Value v) {
      m_.slot(param.slot) = v;
      std::uint64_t with = id;
      if (action_->packed)
        with |= encode(param, v) << shift;
      else if (last)
        with |= ++ordinal_ << (action_bits + p_.variant_bits);
      go_on = from(at + 1, with, shift + param.bits);
      if (action_->executor_named) m_.set_players(active, actor);
      return go_on;
    };
    if (param.may_repeat)
      m_.each_distinct(param.domain, take);
    else
      m_.each(param.domain, take);
    m_.slot(param.slot) = {};
    if (!m_.failed() || !go_on) return go_on;
    // A domain that faults has no values, also not those that were found before it did.
    if (out_ != nullptr) out_->shrink(mark);
    return fault();
  }

  bool list_quickly(std::uint64_t id) {
    m_.list_bits(action_->quick, id, action_bits, action_->params[0].base, *out_);
    return !m_.failed() || fault();
  }
  bool find_quickly(std::uint64_t id) {
    if (m_.failed()) m_.clear_fault();
    return sink_(Option{id});
  }

  bool offered_ = false;        // something was
  bool unconditional_ = false;  // the card is not asked
  static constexpr std::uint64_t no_ordinal = ~std::uint64_t{0}, all_ordinals = no_ordinal - 1;
  Legality& m_;
  const Program& p_;
  Legality::MoveSink sink_;
  const ActionInfo* action_ = nullptr;
  int index_ = 0;
  OptionList* out_ = nullptr;
  bool any_ = false;
  bool seeks_fault_ = false;
  bool faulted_ = false;  // of this action, before its parameters were known
  std::uint64_t ordinal_ = 0;
  std::uint64_t wanted_ = no_ordinal;
};

}  // namespace parlor::kernel
