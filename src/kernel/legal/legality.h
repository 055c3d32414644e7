// What may be done now: the options of an action selection, how one begins, what modules say to it,
// whether it can be carried through. The order in which an action is asked about is order.def.
#pragma once

#include "kernel/turn/cards.h"

namespace parlor::kernel {

class Changes;
struct Asked;

// Where an option leads, tried on a copy: choices and luck can bring the move to its end, or to a
// fault of the rules, which hides nothing; every way ends in something illegal; or the budget ran
// out before either was found.
enum class Way : std::uint8_t { open, dead, unknown };

class Legality : public Cards {
 public:
  using MoveSink = FunctionRef<bool(Option)>;
  // Every legal option of an action selection, in order; stops when the sink says false.
  void each_move(MoveSink sink);
  void list_moves(OptionList& out);
  bool move_exists();
  // The same of one action alone, in games without cards, for compiled code.
  void list_action(int action, OptionList& out);
  bool can_take(int action);
  // Whether an option can be carried through by the pipeline that was found for it.
  bool completes_by(Option option, const ActionInfo& action, int pipeline, int active, int actor);
  std::int64_t spent_on_trials() const;  // in the current listing
  // Enters the action of an option into a new frame. False: no such option.
  bool begin_move(Option option);
  // One step of an action's order, in the slots of the action's unit. `pipeline` and `executor`
  // leave what they found for those that follow.
  Truth ask(int action, const Step& step);
  int pipeline_found() const { return pipeline_; }
  Json move_params(Option option, std::string& action);
  // Whether an option counts the ways to give its action parameters, since they do not fit into its
  // id; then each of them, in order, with its option: what `move_params` of one after the other
  // would find, counting from the first every time.
  bool counts_params(Option option) const;
  void all_params(Option option, std::vector<std::pair<Option, Json>>& out);
  // Whether choices and luck can lead to the end of the move, tried on a copy. What the budget of
  // one listing does not suffice to find out counts as yes, and is counted. `begun`: the action the
  // option begins; what was found out about it before is asked first (trials.h).
  bool completes(Option option, const ActionInfo* begun = nullptr);
  // Lists all options of an action whose only parameter is a zone and of which nothing else is
  // asked behind it (TrialPlan::by_zone), by answers that are kept. False: they have to be gone
  // through one by one, and nothing was done.
  bool list_kept(const ActionInfo& action, std::uint64_t id, OptionList& out);
  void begin_listing();
  std::uint64_t undecided() const { return undecided_; }
  // From now on compiled code is asked first whether an option can be carried through. It counts
  // more work than the interpreter would: where that may have made a difference, the work is in
  // doubt, and whoever asked does everything again without.
  void use_compiled_trials() {
    use_compiled_stretches();
    compiled_trials_ =
        compiled_stretches_ || !p_->printed_trials.empty() || !p_->printed_items.empty();
  }
  // The same of nothing but code that is run (run/stretches.cpp).
  void use_compiled_stretches() { compiled_stretches_ = !p_->printed_stretches.empty(); }
  bool runs_stretches() const {
    return compiled_stretches_ && listener_ == nullptr && reads_ == nullptr && !setting_up_;
  }
  // Whether it is asked for what loops go through and choices are made from, too.
  bool asks_compiled() const { return compiled_trials_ && move_.grant == 0; }
  void count_compiled() { overcharged_ = true; }
  bool work_in_doubt() const { return overcharged_ && (in_doubt_ || steps_left < 0); }
  void remark_skipped_phase();

  // ---- Cards
  void find_variants(int action, Variants& out) const;
  Variant variant_of(Option option) const;
  std::string grant_told(int action, Variant variant) const;
  // From now on expressions belong to this move.
  void consider(int action, Variant variant);
  void set_event(int move);  // its parameters into the first slots
  // An option that another one cancels, which is open itself (F-55).
  struct Cancelled {
    Option option, by;
  };
  // Removes what is cancelled, rule by rule; tells what went, if somebody asks.
  void cancel_moves(OptionList& options, std::vector<Cancelled>* told = nullptr);
  std::vector<Cancelled> cancelled_moves();
  Value option_param(Option option, const std::string& name);
  bool selects(const SelectorInfo& selector, Option option);
  Value param_named(const std::string& name);
  Truth ask_monsoon(int action, bool whole);
  Truth ask_lasting(int action, bool whole);
  UnitId unit_of_slots() const;

  // ---- Hooks (hooks.cpp)
  // Whether a validate hook lets the action pass; `why`, if given, gets what it said.
  Truth hook_allows(int action, const HookRef& hook, std::optional<Rejection>* why);
  // What a hook said when it refused the action, if one did.
  std::optional<Rejection>& veto() { return veto_; }
  Json module_snapshots(bool everything);
  // A request for an action, as it was sent.
  void hear_refused(const Asked& asked);
  bool native_apply(const Instr& i);
  bool run_after_hooks(const Instr& settle);  // false: one failed

 protected:
  friend class Enumerator;

  Json params_json(const ActionInfo& action);
  bool has_value(Symbol wanted);
  Truth ask_row(int action) const;
  Truth ask_pivotal(int action);
  Truth ask_coup_card(int action) const;
  bool run_before_hooks(int action);
  bool report_hook(const HookInfo& hook, const std::string& action);
  Truth binds_actor(const HookRef& ref);
  bool call_effects(const NativeModule& module, const Changes& changes, std::uint32_t place);
  bool native_after(int module, int action, std::uint32_t place);
  Truth can_pay(int action);
  Truth choose_pipeline(const ActionInfo& action);
  bool bind_params(int action, Option option);
  bool try_compiled(Option option, const ActionInfo* begun, std::int64_t& budget, Way& way);
  bool complete(const ActionInfo& action, std::uint64_t id, std::span<std::uint64_t> zones);
  bool ask_at_start(const ActionInfo& action, Way& way);
  bool ask_again(int action);
  bool bind_ordinal(int action, Option option);
  void begin_card_move(int action, Option option);
  void list_uncancelled(OptionList& out);
  bool uncancelled_move_exists();
  void report_move(int action);

  std::optional<Rejection> veto_;
  std::uint64_t listing_ = 0;
  std::int64_t look_ahead_left_ = 0;  // of the budget of one listing
  std::uint64_t undecided_ = 0;       // options of one listing that this did not suffice for
  std::vector<Option> dead_ends_;     // some options of one listing that lead nowhere
  int pipeline_ = -1;                 // what Ask::pipeline found
  bool compiled_trials_ = false, compiled_stretches_ = false;
  bool overcharged_ = false, in_doubt_ = false;
};

}  // namespace parlor::kernel
