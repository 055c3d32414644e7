// Runs code: one statement after the other until a decision, the end of the move, or a fault. Here
// are variables, tokens, luck and choices; statements that move the turn on are those of Turns.
#pragma once

#include "kernel/know/doubts.h"

namespace parlor::kernel {

struct PrintedLeft;  // printed/code.h
struct PrintedHelp;
struct PrintedFunction;

class Statements : public Doubts {
 public:
  Run run(Until until);
  // The frames where compiled code left off. False: failed.
  bool go_on_at(const PrintedLeft& left);
  // The statements of a unit from one address to another, with these slots, for compiled code.
  // False: failed, or more than that would have to be done.
  bool do_some(UnitId unit, int pc, int end, int acting, Value* slots);
  // One statement of the running unit, for compiled code that runs in it, which is told what became
  // of it (PrintedCalls::step).
  int step_in_place(int pc);

  // ---- Choices and luck
  void list_choices(OptionList& out);
  bool answer(Option option);  // of a choice or chance decision: binds it, the frame goes on
  void list_raw(OptionList& out) { raw_choices(out); }
  // The same without those that a sum over the selection rules out (bounds.cpp); for a trial also
  // without those that lead where others do. Whether there were some.
  bool list_hopeful(OptionList& out, bool for_trial);
  // Whether a choice has an answer or a `require` holds, in the slots as they are.
  Truth can_be_done(const Instr& i);
  // A chooseN took an item and waits for the next: nothing is to be run.
  bool waits() {
    const bool waiting = yield_again_;
    yield_again_ = false;
    return waiting;
  }
  Value option_value(Option option);
  const std::string* chosen_name() const;  // of the pending choice, if it has one
  // What is selected so far where several things are being chosen.
  std::size_t selected_count() const;
  Value selected_at(std::size_t index) const;
  std::pair<std::int64_t, std::int64_t> selection_limits() {
    const Selection now = selection();
    return {now.min, now.max};
  }
  bool is_confirm(Option option) const;
  Decision decision() const;
  bool can_answer_safely() const;  // nothing after the pending choice may make the move illegal
  // A trial need not know all answers of the choice it comes to as long as the first one leads on:
  // only that one is found. Whether the choice it came to was such a one.
  void set_first_only(bool first_only) { first_only_ = first_only; }
  bool found_first_only() const { return found_first_only_; }
  // Nothing that comes after this code address of the frame's unit may, as far as its loops still
  // go.
  bool safe_behind(const Frame& frame, std::int32_t pc) const {
    const auto at = static_cast<std::size_t>(pc);
    const Program::Safety safety = p_->safe_after[at];
    return safety == Program::Safety::always ||
           (safety == Program::Safety::in_last_round && loops_are_over(frame, p_->loop_at[at]));
  }

  // What happens while a game is set up, everybody knows: nobody has decided anything yet.
  void set_up() { setting_up_ = true; }
  void take_pool(ZoneId zone);
  void settle_pools();  // pools back into their canonical order
  bool write_var(int scope, int owner, VarId var, std::int64_t value);
  // Triggers hear that a variable is another than before, that a token came into a zone.
  void tell_variable(int scope, int owner, VarId var, std::int64_t before, std::int64_t now);
  void tell_arrival(ZoneId zone);
  // At a random position `index` counts from the top; -1: the rng of the state decides.
  bool place(TokenId token, ZoneId zone, spec::ZonePosition position, std::uint32_t at, Taken how,
             std::uint32_t pickers, std::int64_t index = -1);
  bool fits_stacking(ZoneId zone) {
    const bool fits = stacking_ok(zone, 0);
    clear_fault();
    return fits;
  }
  // Who may know what a player chose.
  std::uint32_t choice_seen_by(Value chosen, int player, bool closed, bool buried) const;
  // Which condition is asked about the state the move began with, and which about the one now.
  Truth judge(NodeId node, bool first_state, SlotId decided);

 protected:
  void close_names(std::int64_t mark) {  // marks of a saved move may be anything
    if (mark >= 0 && templates_.size() > static_cast<std::size_t>(mark))
      keep_parameters(static_cast<std::size_t>(mark));
  }
  void keep_parameters(std::size_t mark);

  // Statements; false: failed.
  bool step(const Instr& i);
  bool step_rarer(const Instr& i);
  bool step_token(const Instr& i);
  bool step_control(const Instr& i);
  bool step_names(const Instr& i);
  bool step_marker(const Instr& i);
  bool do_zone_marker(const Instr& i);
  bool do_flip_marker(const Instr& i);
  int new_marker_state(const Instr& i, const LatticeInfo& lattice, int now);
  bool no_such_state(const Instr& i, const LatticeInfo& lattice, Value state);
  void tell_marker(ZoneId z, const LatticeInfo& lattice, int from, int to);
  bool do_set_active(const Instr& i);
  bool do_var(const Instr& i);
  bool do_transfer(const Instr& i);
  bool do_move(const Instr& i);
  bool do_move_all(const Instr& i);
  bool moves_as_one(ZoneId to);
  bool do_destroy(const Instr& i);
  bool do_set_prop(const Instr& i);
  bool do_draw(const Instr& i);
  bool do_shuffle(const Instr& i);
  bool do_create(const Instr& i);
  bool begin_loop(const Instr& i);
  bool do_loop_next(const Instr& i);
  bool next_while(const Instr& i);
  template <bool stretches>
  Run run_code();
  std::optional<Run> run_stretch(const PrintedFunction& function);
  bool nothing_refuses() const;
  bool callers_are_safe() const;
  Value first_result(NodeId node);
  Value all_results(const Instr& i);
  bool compiled_results(const Instr& i, Value& list);
  bool loops_are_over(const Frame& frame, std::int32_t loop) const;
  bool kept_sum(int index, Value& number) const;
  bool do_reduce(const Instr& i);
  bool do_remove_group(const Instr& i);
  bool do_subset(const Instr& i);
  bool begin_subsets(const Instr& i);
  bool next_subset(const Instr& i);
  bool score_subset(const Instr& i);
  bool printed_subsets(const Instr& i);
  bool do_choose(const Instr& i);
  bool do_roll(const Instr& i);
  bool do_reveal(const Instr& i);
  bool do_say(const Instr& i);
  bool match_tokens(ZoneId zone, NodeId filter_node, std::vector<TokenId>& out);
  bool remember_reveal(const Instr& i, ZoneId zone, std::uint32_t who);
  void forget_reveals(const Instr& i, ZoneId zone, std::uint32_t who);
  void report_sight(const Instr& i, ZoneId zone, std::uint32_t who,
                    const std::vector<TokenId>& tokens);
  bool arrived(TokenId token);
  // `shown`: to whom it had been revealed where it was.
  void tell_move(TokenId token, ZoneId from, std::uint32_t seen, std::uint32_t shown);
  std::vector<Value> props_of(TokenId token) const;
  void tell_entry(TokenId token, const std::vector<Value>& before);
  bool stacking_ok(ZoneId zone, std::uint32_t place);
  bool draw_token(TokenId token, ZoneId to, const Instr& i, Taken how);
  void finish_roll(const Instr& i, std::int64_t min, std::int64_t max, std::int64_t result);
  void tell_choice(const Instr& i, Value chosen);
  Value collect_tiers(NodeId node, Value options);
  bool is_selected(const Instr& i, std::size_t mark, std::int64_t index) const;
  // The pending chooseN as it stands.
  struct Selection {
    Value options, selected;  // lists: the items, and numbers of those that are selected
    std::int64_t min, max;
    bool ordered;
  };
  Selection selection();
  bool is_selected(std::size_t index) const;
  bool weigh(const SumBound& bound, Value options, std::int64_t& rest);
  void drop_hopeless(OptionList& answers);
  bool admissible(const Instr& i, std::size_t mark, std::int64_t index);
  std::int64_t reachable(const Instr& i, std::int64_t first);
  void raw_choices(OptionList& out);
  void list_chance(OptionList& out);
  void ask_chance();
  void mix(ZoneId zone, int stream);
  bool unseen(ZoneId zone) const;
  bool awaits_position(TokenId token, ZoneId to) const;
  bool answer_chance(Option option);
  void shuffle_zone(ZoneId zone, int stream);
  void apply_entry_rules(TokenId token, ZoneId zone);
  std::int32_t cell_for(CellType type, Value value);

  std::vector<std::int64_t> weights_, left_;  // of the items of a chooseN
  std::vector<Option> hopeful_;
  std::vector<TokenId> matched_;  // tokens a reveal is about
  bool setting_up_ = false;
  bool first_only_ = false, found_first_only_ = false;
  bool yield_ = false;
  bool complete_ = false;
  bool yield_again_ = false;  // a chooseN took an item and waits for the next
  Until until_ = Until::decision;
};

}  // namespace parlor::kernel
