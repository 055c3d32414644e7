// Card-driven games: who may act on a card, coup rounds, grants, lasting effects, special
// activities (docs/cards.md). A game without event cards never comes here.
#pragma once

#include "kernel/turn/turns.h"

namespace parlor::kernel {

class Cards : public Turns {
 public:
  // A way in which an action can be taken: for what class, and under which grant (place + 1).
  struct Variant {
    ActionClass action_class = ActionClass::none;
    Small<std::uint8_t> grant = 0;
  };
  static constexpr std::size_t most_variants = 8 + max_grants;
  struct Variants {
    std::array<Variant, most_variants> list;
    std::size_t count = 0;
    void add(Variant v) {
      if (count < most_variants) list[count++] = v;
    }
  };
  std::uint64_t bits_of(Variant v) const {
    return (static_cast<std::uint64_t>(v.action_class) | std::uint64_t{v.grant} << 3)
           << action_bits;
  }
  // The n-th seat that may still act on this card, or the n-th that has to use a grant first; -1:
  // there is none.
  int candidate(int n) const;
  int blocking_owner(int n) const;
  int first_seat(int n) const { return blocking_owner(0) >= 0 ? blocking_owner(n) : candidate(n); }
  bool row_holds() const;  // what the second may do is limited
  const std::vector<ActionClass>* row() const;
  bool in_coup_phase() const {
    return p_->flow.coup_phase[static_cast<std::size_t>(memory_.header().phase)];
  }
  bool interrupted() const { return memory_.header().phase >= p_->ordinary_phases; }
  bool is_coup(TokenId token) const;
  bool coup_counts() const;  // the played card brings a coup round
  bool lookahead_is_coup() const;
  int card_of(TokenId token) const;  // -1: no card of a deck
  int event_card() const;            // the card an event can be played of now
  bool grant_ready(int k) const;
  bool grant_admits(int k, int action, ActionClass& as_class) const;
  // Something is asked of the whole move when it is complete, as far as is known now; or however it
  // is carried out.
  bool move_is_judged() const;
  bool is_judged_anyway() const;
  bool may_carry_activity() const;
  bool is_limited(int action) const;
  bool probes_grant() const { return probing_; }
  bool blocking_grants() const { return blocking_owner(0) >= 0; }
  bool event_is_viable();
  bool rivals_look_back() const;

  // ---- Statements and expressions of this part
  bool step_flow(const Instr& i);
  bool do_card_settle(const Instr& i);
  bool net_allows(ZoneId zone);
  Value flow_value(const Node& n);
  bool is_activity_choice() const;
  bool is_no_activity(Option option);
  void drop_hopeless_activities(OptionList& answers);

 protected:
  bool book_move(const Instr& i);
  void reward_pass(int player);
  bool leave_for_coup();
  void cross_out();
  void cross_in();
  bool instruct();
  bool new_card(const Instr& i);
  bool card_order(bool start);
  bool release_deferred();
  bool end_card_move();
  void override_seat(const OverrideInfo& info);
  bool expire_lasting(const Instr& i);
  bool next_card_phase(const Instr& i);
  bool new_card_turn();
  void enter_coup();
  void update_active();
  void move_card(TokenId token, ZoneId zone);
  bool phase_is_there(int phase) const;
  bool last_coup_round() const;
  bool start_lasting(const Instr& i);
  bool defer(const Instr& i);
  bool issue_grant(const Instr& i);
  bool make_grant(int def, int self, GrantRecord& record);
  bool keep_values(Value v, Value*& next, const Value* end, std::uint32_t place);
  bool grant_usable(const GrantRecord& record, std::span<const Value> values);
  bool steps_before_are_usable(const GrantRecord& record);
  void consume_grant(int k);
  void drop_grant(int k);
  void drop_blocking(int player);
  bool judge_move(const Instr& i);
  bool authorise(const Instr& i);
  bool grant_fits(int k);
  bool fits_whatever(int k) const;
  bool activity_is_settled() const;
  bool sequence_fits(int k, std::span<const ZoneId> zones);
  void zone_candidates(int k, std::vector<ZoneId>& out);
  void capture(int k, std::span<const ZoneId> zones);
  Truth filter_zone(int k, ZoneId zone);
  bool same_group(int a, int b) const;
  std::span<const Value> context_of(int k) const;
  int grant_rank(int k) const;
  template <class Use>
  bool each_rival(Use use) const;
  bool changed_material() const;
  Value grant_value(int k, int index);  // of its context, then its fills
  Value move_binding(Symbol name);
  bool move_will_bind(Symbol name) const;
  std::int64_t amount_of(Value v) const;
  const ActivityInfo* activity_called(Value name) const;
  bool is_hopeless(const ActivityInfo& activity);
  bool choose_activity(const Instr& i);
  bool activity_point(const Instr& i);
  void finish_activity();
  bool constraints_hold(const Instr& i);

  UnitId listing_unit_;     // whose slots are in use while no frame runs
  bool filtering_ = false;  // a grant's filter is being asked
  bool judging_ = false;    // of a complete move
  int filter_base_ = 0;
  UnitId filter_unit_;  // slots of the move the filter looks at
  int filter_grant_ = -1;
  ZoneId filter_zone_ = {};
  bool probing_ = false;            // only what the one grant allows is looked for
  int event_ = -1;                  // event move being asked about
  std::vector<ZoneId> zones_at_;    // candidates of a move
  std::vector<Value> made_values_;  // of a grant that is being made
};

}  // namespace parlor::kernel
