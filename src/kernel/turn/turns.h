// Phases, turns and rounds, triggers, timed effects and what they do to prices, and the end of a
// game.
#pragma once

#include "kernel/run/statements.h"

namespace parlor::kernel {

class Turns : public Statements {
 public:
  bool check_terminal();  // true: the game is over, recorded in the header
  bool would_end();       // some terminal condition holds
  // The first effect in force, by place, that keeps a player from an action; -1: none does.
  int blocking_effect(int action, int player) const;
  // The counter of a limit, for who executes the action and what its parameters are.
  int usage_cell(const ActionInfo& action, const LimitInfo& limit) const;
  // What the effects in force add to the price of an action in this variable.
  std::int64_t cost_delta(int action, VarId var) const;

  // ---- Statements of this part
  bool step_turn(const Instr& i);
  bool do_dispatch();
  bool do_settle(const Instr& i);
  void do_pass_turn();
  void rename_submissions(NewNames& names);

 protected:
  bool do_start_effect(const Instr& i);
  void report_effect_end(const EffectRecord& record);
  struct Turn {
    int player;
    int place;  // in a fixed order; -1: there is none
    bool begins_round;
  };
  Turn next_turn() const;
  void take_turn(const Turn& turn);
  bool step_plan(Header& h, TurnPlan& plan) const;
  bool step_seats(Header& h, TurnPlan& plan) const;
  bool step_sequence(Header& h) const;
  void next_seat(Header& h, const TurnPlan& plan) const;
  static void begin_planned_round(Header& h, TurnPlan& plan);
  bool next_begins_round() const;
  bool step_order(const Instr& i);
  bool set_order(const Instr& i);
  bool somebody_moves();
  bool decide_now(const Instr& i);
  bool finish_without_moves(const Instr& i);
  bool end_move(const Instr& i);
  bool leave_phase_for(const Instr& i);
  bool push_interrupt(const Instr& i);
  bool pop_interrupt(const Instr& i);
  bool step_phase(const Instr& i);
  bool next_phase(const Instr& i);
  bool end_turn(const Instr& i);
  void count_usage(const ActionInfo& action);
  void end_round(const Instr& i);
  bool pay(const Instr& i);
  void spend_charges();
  bool change_phase(int phase);
  void reset_usage(bool turn, bool phase);
  void reset_counts(spec::LimitScope scope);
  void end_effects(int kind, int owner, Value target);
  void expire_effects();
  bool binds(const EffectRecord& record, int player) const;
  std::int64_t cost_delta(const EffectRecord& record, int action, VarId var) const;
  void note_price(int action, VarId var, std::int64_t amount);
  bool trigger_matches(const TriggerInfo& trigger, const Happening& event) const;
  void bind_event(const TriggerInfo& trigger, const Happening& event);

  std::uint64_t changed_prices_ = 0;  // effects, by place, that changed the price being paid
};

}  // namespace parlor::kernel
