// Looking ahead: whether what is offered can be carried through, found out on copies.
#include "kernel/legal/trials.h"
#include "kernel/program/params.h"

namespace parlor::kernel {

namespace {

// Where the half-made move in `block` can lead. A choice has to have one way out, and so has
// chance: what nobody is lucky enough to finish is no move, but bad luck does not make one illegal.
// The first answers, so many, are known to lead nowhere.
Way can_finish(const Program& program, StateBlock& block, std::int64_t& budget, bool compiled,
               SelectionWatch* watch, std::size_t known_dead) {
  Lease lease(program);
  Machine& machine = lease.machine();
  machine.attach(block);
  machine.set_watch(watch);
  if (machine.can_answer_safely()) return Way::open;
  const bool backwards = machine.decision().kind == DecisionKind::choose_n;
  OptionList& options = lease.options();
  options.clear();
  machine.steps_left = budget;
  if (machine.list_hopeful(options, true)) known_dead = 0;  // the first is another one
  budget = machine.steps_left;
  if (machine.failed()) return budget < 0 ? Way::unknown : Way::open;
  Way best = Way::dead;
  for (std::size_t i = known_dead; i < options.size(); ++i) {
    // Confirming comes last in a list, but small sets are the quickest way to an end.
    const Option option = options[backwards ? options.size() - 1 - i : i];
    SelectionWatch selection{watch};
    const bool whole = backwards && machine.is_confirm(option);
    const Way way =
        look_ahead(program, block, option, budget, compiled, whole ? &selection : watch);
    if (way == Way::open) return way;
    if (way == Way::unknown) best = way;
    if (whole && way == Way::dead && !selection.noticed) break;  // and so is every larger one
  }
  return best == Way::dead && machine.header().by_luck != 0 ? Way::open : best;
}

}  // namespace

namespace {

// `first_only`: of the choice the move comes to, only the first answer is tried. False afterwards:
// it was all there is to try.
Way try_option(const Program& program, const StateBlock& block, Option option, std::int64_t& budget,
               bool compiled, SelectionWatch* watch, bool& first_only, std::size_t known_dead) {
  Lease lease(program);
  Machine& machine = lease.machine();
  lease.block() = block;
  machine.attach(lease.block());
  machine.set_trial(Machine::Trial::looking);
  machine.set_watch(watch);
  machine.set_first_only(first_only);
  if (compiled) machine.use_compiled_stretches();
  const bool starts = machine.depth() == 0;
  machine.begin_write();
  machine.steps_left = budget;
  const bool begun = starts ? machine.begin_move(option) : machine.answer(option);
  Run run = Run::failed;
  bool waits = false;
  if (begun) run = (waits = machine.waits()) ? Run::yielded : machine.run(Until::nothing_refuses);
  budget = machine.steps_left;
  first_only = run == Run::yielded && !waits && machine.found_first_only();
  if (run == Run::done) return Way::open;
  if (run == Run::yielded) {
    machine.detach();
    return can_finish(program, lease.block(), budget, compiled, watch, known_dead);
  }
  if (budget < 0) return Way::unknown;
  // A fault hides nothing, and neither does an order that luck could have made another.
  const bool fault = machine.failed() && !machine.fault().illegal;
  return fault || machine.header().by_luck != 0 ? Way::open : Way::dead;
}

}  // namespace

// Most choices lead on with their first answer, so the others are found only where it does not.
Way look_ahead(const Program& program, const StateBlock& block, Option option, std::int64_t& budget,
               bool compiled, SelectionWatch* watch) {
  if (budget <= 0) return Way::unknown;
  bool first_only = true;
  const Way way = try_option(program, block, option, budget, compiled, watch, first_only, 0);
  if (way != Way::dead || !first_only) return way;
  if (budget <= 0) return Way::unknown;
  first_only = false;
  return try_option(program, block, option, budget, compiled, watch, first_only, 1);
}

// Where all that may refuse looks at nothing that the move changes before, it is asked as things
// stand. Parameters are in the slots. False: that does not decide it. What would be refused may
// fault before it comes to that, and a fault hides nothing.
bool Legality::ask_at_start(const ActionInfo& action, Way& way) {
  const bool staged = !action.pipelines.empty();
  const UnitId index = staged ? p_->pipelines[pipeline_].unit : action.unit;
  const UnitInfo& unit = p_->units[index];
  if (unit.refuses_at_start.empty() || is_judged_anyway()) return false;
  const auto ask_all = [&] {
    for (const int pc : unit.refuses_at_start) {
      const Truth truth = can_be_done(p_->code[pc]);
      if (truth == Truth::yes) continue;
      clear_fault();
      return truth;
    }
    return Truth::yes;
  };
  const auto in_own_slots = [&] {
    Scratch scratch(*this, index, active_, actor_);
    return ask_all();
  };
  const Truth truth = staged ? in_own_slots() : ask_all();
  way = truth == Truth::no ? Way::dead : Way::open;
  // A special activity may come before and make possible what is not.
  return truth != Truth::no || (unit.sure_until_then && !may_carry_activity());
}

void Legality::begin_listing() {
  listing_ = Trials::next_listing();
  look_ahead_left_ = work_of_instruction * p_->options.look_ahead;
  undecided_ = 0;
  dead_ends_.clear();
}

// The budget is one for a whole list. Each option may use half of what is left of it, so that one
// hard question does not leave the others without an answer.
bool Legality::completes(Option option, const ActionInfo* begun) {
  constexpr std::int64_t least = 2'000 * work_of_instruction;
  const std::int64_t share =
      std::min({work_of_instruction * p_->options.look_ahead, std::max(look_ahead_left_ / 2, least),
                std::max<std::int64_t>(0, steps_left)});
  std::int64_t budget = share;
  Way way = Way::unknown;
  if (begun != nullptr && ask_at_start(*begun, way)) {
    if (way == Way::dead && dead_ends_.size() < 8) dead_ends_.push_back(option);
    return way == Way::open;
  }
  if (begun != nullptr && begun->trial.local)
    way = Trials::of_this_thread().look_ahead(*p_, *begun, memory_.block(), listing_, option,
                                              budget, compiled_trials_ ? &overcharged_ : nullptr);
  else if (!compiled_trials_ || p_->printed_trials.empty() ||
           !try_compiled(option, begun, budget, way)) {
    const bool compiled = compiled_trials_ && !p_->printed_stretches.empty();
    overcharged_ = overcharged_ || compiled;
    way = look_ahead(*p_, memory_.block(), option, budget, compiled);
  }
  in_doubt_ = in_doubt_ || way == Way::unknown;
  look_ahead_left_ -= share - budget;
  steps_left -= share - budget;
  if (way == Way::dead && dead_ends_.size() < 8) dead_ends_.push_back(option);
  if (way != Way::unknown) return way == Way::open;
  ++undecided_;
  if (remarks_ != nullptr && header().decision == DecisionKind::action) {
    const ActionInfo& action = p_->actions[action_of(option)];
    remark("lookAheadExhausted", {{"code", code_name(Code::RUN_BUDGET)},
                                  {"action", action.id},
                                  {"path", place_path(*p_, action.place)},
                                  {"budget", p_->options.look_ahead}});
  }
  return true;
}

bool Legality::completes_by(Option option, const ActionInfo& action, int pipeline, int active,
                            int actor) {
  Scratch scratch(*this, action.unit, active, actor);
  pipeline_ = pipeline;
  return completes(option, &action);
}

std::int64_t Legality::spent_on_trials() const {
  return work_of_instruction * p_->options.look_ahead - look_ahead_left_;
}

// The option of an action with one parameter that is the first zone of a word.
static Option with_first_zone(const ActionInfo& action, std::uint64_t id, std::size_t word,
                              std::uint64_t zones) {
  const ZoneId z(static_cast<int>(word * 64) + std::countr_zero(zones));
  return Option{id | encode(action.params[0], Value::zone(z)) << action_bits};
}

bool Legality::list_kept(const ActionInfo& action, std::uint64_t id, OptionList& out) {
  const ParamInfo& param = action.params[0];
  if (param.may_repeat) return false;
  const std::int64_t work = steps_left;
  std::uint64_t zones[most_words] = {};
  int last = -1;
  bool in_order = true;
  each(param.domain, [&](Value v) {
    in_order = in_order && v.is_symbol() && v.payload() > last && v.payload() < p_->zone_count;
    if (!in_order) return false;
    last = v.index();
    put_zone(zones, v.as_zone());
    return true;
  });
  const std::span<std::uint64_t> all(zones, static_cast<std::size_t>(p_->words));
  if (!in_order || failed() || !complete(action, id, all)) {
    if (failed()) clear_fault();
    steps_left = work;
    return false;
  }
  for (std::size_t w = 0; w < all.size(); ++w)
    for (std::uint64_t left = all[w]; left != 0; left &= left - 1)
      out.add(with_first_zone(action, id, w, left));
  return true;
}

// Those of a set of zones that lead nowhere are taken out of it. False: they have to be asked about
// one by one.
bool Legality::complete(const ActionInfo& action, std::uint64_t id,
                        std::span<std::uint64_t> zones) {
  if (!p_->units[action.unit].refuses_at_start.empty()) return false;
  const std::int64_t share =
      std::min({work_of_instruction * p_->options.look_ahead, look_ahead_left_, steps_left});
  std::int64_t budget = share;
  std::uint64_t open[most_words];
  std::copy(zones.begin(), zones.end(), open);
  const std::span<std::uint64_t> all(open, zones.size());
  if (!Trials::of_this_thread().look_ahead(*p_, action, memory_.block(), listing_, all, budget,
                                           compiled_trials_ ? &overcharged_ : nullptr))
    return false;
  look_ahead_left_ -= share - budget;
  steps_left -= share - budget;
  for (std::size_t w = 0; w < zones.size(); ++w)
    for (std::uint64_t dead = zones[w] & ~open[w]; dead != 0 && dead_ends_.size() < 8;
         dead &= dead - 1)
      dead_ends_.push_back(with_first_zone(action, id, w, dead));
  std::ranges::copy(all, zones.begin());
  return true;
}

// A phase is left because what could be begun in it cannot be carried through. Told with the
// reasons (T-24): otherwise nobody would know why it was passed over.
void Legality::remark_skipped_phase() {
  if (remarks_ == nullptr || dead_ends_.empty()) return;
  Json actions = Json::array();
  for (const Option option : std::vector<Option>(dead_ends_)) {
    std::string action;
    Json params = move_params(option, action);
    const auto why = why_dead(p_->as_written(), memory_.block(), option);
    actions.push_back({{"action", action},
                       {"params", std::move(params)},
                       {"code", why ? why->code : code_name(Code::ACTION_DEAD_END)},
                       {"reason", why ? why->message : ""}});
  }
  const PhaseInfo& phase = p_->phases[header().phase];
  remark("phaseSkipped",
         {{"phase", phase.id}, {"player", int{header().active}}, {"actions", std::move(actions)}});
}

}  // namespace parlor::kernel
