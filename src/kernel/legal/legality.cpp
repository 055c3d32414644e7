// Which actions may be taken now: the order of one action (order.def), walked to list what may be
// done, and again when one is begun.
#include "kernel/legal/enumerator.h"

namespace parlor::kernel {

// ---- The steps of the order

Truth Legality::ask(int index, const Step& step) {
  const ActionInfo& action = p_->actions[index];
  const int what = step.what;
  auto holds = [](bool yes) { return yes ? Truth::yes : Truth::no; };
  switch (step.ask) {
    case Ask::actor: {
      const std::uint32_t actors = players(step.what);
      return failed_ ? Truth::fault : holds(((actors >> mover()) & 1) != 0);
    }
    case Ask::limit: {
      const LimitInfo& limit = action.limits[what];
      const std::uint64_t most = limit.max;
      return holds(memory_.usage(usage_cell(action, limit)) < most);
    }
    case Ask::blocked:
      return holds(blocking_effect(index, mover()) < 0);
    case Ask::row:
      return move_.action >= 0 ? Truth::yes : ask_row(index);
    case Ask::coup_card:
      return ask_coup_card(index);
    case Ask::pivotal:
      return ask_pivotal(index);
    case Ask::monsoon:
      return ask_monsoon(index, false);
    case Ask::lasting:
      return ask_lasting(index, false);
    case Ask::viable: {
      const bool viable = event_ < 0 || event_is_viable();
      return failed_ ? Truth::fault : holds(viable);
    }
    case Ask::executor: {
      const int executor = player(step.what);
      if (executor < 0) return Truth::fault;
      set_players(executor, executor);
      return Truth::yes;
    }
    case Ask::phase_pre:
      if (step.phase != header().phase) return Truth::yes;
      [[fallthrough]];
    case Ask::pre: {
      const Truth truth = test(step.what);
      return truth == Truth::fault && !action.pipelines.empty() && undecided_binding() ? Truth::yes
                                                                                       : truth;
    }
    case Ask::pipeline:
      return choose_pipeline(action);
    case Ask::hook:
      return hook_allows(index, action.validate[what], nullptr);
    case Ask::price:
      return can_pay(index);
    case Ask::param:
    case Ask::completes:
      break;
  }
  return Truth::yes;
}

// The first pipeline that applies, unless it is certainly illegal or cannot be paid.
Truth Legality::choose_pipeline(const ActionInfo& action) {
  const int executor = actor_;
  for (const int index : action.pipelines) {
    const PipelineInfo& info = p_->pipelines[index];
    Scratch scratch(*this, info.unit, executor, executor);
    auto judge = [&](NodeId node) {
      const Truth truth = node.is_none() ? Truth::yes : test(node);
      return truth == Truth::fault && undecided_binding() ? Truth::yes : truth;
    };
    Truth truth = judge(info.applicability);
    if (truth == Truth::no) continue;
    pipeline_ = index;
    if (truth == Truth::yes) truth = judge(info.legality);
    if (truth == Truth::yes && !info.partial && move_.grant == 0) truth = judge(info.cost);
    return truth;
  }
  return Truth::no;
}

Truth Legality::can_pay(int action) {
  for (const auto& [var, node] : p_->actions[action].price) {
    std::int64_t amount = 0;
    if (!integer(node, amount)) return Truth::fault;
    amount = std::max<std::int64_t>(0, amount + cost_delta(action, var));
    if (memory_.pvar(actor_, var) - amount < p_->pvars[var].min) return Truth::no;
  }
  return Truth::yes;
}

void Legality::each_move(MoveSink sink) {
  const int active = active_, actor = actor_;
  Enumerator(*this, sink).run();
  set_players(active, actor);
}

// The set was computed when the decision was reached.
void list_instant(const Program& p, const Header& h, OptionList& out) {
  const std::uint64_t action = p.phases[h.phase].actions[0];
  const std::size_t before = out.size();
  constexpr int most = instant_words;
  std::uint64_t* const first = &out.grow(std::size_t{most} * 64).data()->id;
  const std::uint64_t* const next =
      write_zones(first, Zones<most>::load(h.instant), action, action_bits);
  out.shrink(before + (next - first));
}

struct IntoList {
  OptionList& list;
  bool operator()(Option option) const {
    list.add(option);
    return list.size() < most_options;
  }
};

void Legality::list_moves(OptionList& out) {
  if (!p_->flow.cancellations.empty()) {
    Lease lease(*p_);
    OptionList& all = lease.options();
    all.clear();
    list_uncancelled(all);
    const bool open = !all.empty();
    cancel_moves(all);
    for (const Option option : all) out.add(option);
    if (open && all.empty()) Enumerator(*this, IntoList{out}).run_to_pass();
    return;
  }
  list_uncancelled(out);
}

void Legality::list_uncancelled(OptionList& out) {
  if (!p_->phases[header().phase].instant.is_none()) return list_instant(*p_, header(), out);
  Enumerator(*this, IntoList{out}).list_into(out);
}

void Legality::list_action(int action, OptionList& out) {
  Enumerator(*this, IntoList{out}).walk_one(action, &out);
}

bool Legality::can_take(int action) {
  const int active = active_, actor = actor_;
  set_players(header().active, header().active);
  bool found = false;
  Enumerator(*this, [&](Option) { return !(found = true); }).walk_one(action, nullptr);
  set_players(active, actor);
  return found;
}

bool Legality::move_exists() {
  const int active = active_, actor = actor_;
  bool found = false;
  const PhaseInfo& phase = p_->phases[header().phase];
  if (phase.always && remarks_ == nullptr) return true;
  if (const NodeId instant = phase.instant; !instant.is_none()) {
    set_players(header().active, header().active);
    found = find_instant(instant);
    set_players(active, actor);
    return found;
  }
  if (!p_->flow.cancellations.empty()) return uncancelled_move_exists();
  Enumerator(*this, [&](Option) { return !(found = true); }).find_any();
  set_players(active, actor);
  return found;
}

// One that no rule of cancellation speaks of will do; only where there is none they are gone
// through.
bool Legality::uncancelled_move_exists() {
  const int active = active_, actor = actor_;
  bool found = false;
  Enumerator(*this, [&](Option option) {
    found = std::ranges::none_of(p_->flow.cancellations,
                                 [&](const auto& rule) { return selects(rule.second, option); });
    return !found;
  }).run();
  if (!found) {
    Lease lease(*p_);
    OptionList& left = lease.options();
    left.clear();
    list_moves(left);
    found = !left.empty();
  }
  set_players(active, actor);
  return found;
}

// Once it is listed, nothing is asked of it again: most actions of most games.
static inline bool settled(const ActionInfo& action) {
  for (const Step& step : action.order)
    if (!step.sure && step.ask != Ask::param) return false;
  return action.before.empty();
}

bool Legality::begin_move(Option option) {
  const int index = action_of(option);
  if (index >= std::ssize(p_->actions)) return false;
  const ActionInfo& action = p_->actions[index];
  if ((option.id & faulted_option) != 0) {
    Enumerator(*this, [](Option) {
      return true;
    }).run_to_fault(index, Option{option.id & ~faulted_option});
    return false;
  }
  header().decision = DecisionKind::action;
  std::fill_n(header().instant, instant_words, 0);
  if (p_->flow.cards || p_->flow.events) begin_card_move(index, option);
  const int active = mover();
  listing_unit_ = action.unit;
  if (index == p_->flow.event_action) {
    const std::uint64_t event = params_of(*p_, option);
    if (event >= p_->flow.event_moves.size()) return false;
    {
      Scratch scratch(*this, action.unit, active, active);
      set_event(event);
      if (!ask_again(index)) return false;
    }
    push_frame(p_->flow.event_moves[event].unit, active, active);
    if (failed_) return false;
    set_event(event);
  } else if (action.pipelines.empty()) {
    push_frame(action.unit, active, active);
    if (failed_ || !bind_params(index, option)) return drop_frames(), false;
    if (!settled(action)) {
      if (!ask_again(index)) return drop_frames(), false;
      frames_.back().active = active_;
      frames_.back().actor = actor_;
    }
  } else {
    bool fine = false;
    int executor = active;
    {
      // Conditions of the action live in the slots of its own unit.
      Scratch scratch(*this, action.unit, active, active);
      fine = ask_again(index);
      executor = actor_;
    }
    if (!fine) return false;
    push_frame(p_->pipelines[pipeline_].unit, executor, executor);
  }
  if (p_->secrets.shadows && action.pipelines.empty()) note_params(action);
  if (listener_ != nullptr) report_move(index);
  return !failed_;
}

// What listing found out is trusted, except where it was a fault. Who carries the action out and by
// which pipeline is asked anew; so are hooks, which must hear of an action that is really made.
bool Legality::ask_again(int index) {
  const ActionInfo& action = p_->actions[index];
  if (!trying() && !run_before_hooks(index)) return false;
  for (const Step& step : action.order) {
    if (step.ask == Ask::param || step.ask == Ask::completes) continue;
    if (step.sure || Enumerator::is_of_card(step.ask) || step.ask == Ask::viable ||
        (trial_ != Trial::none && trial_ != Trial::asking && step.ask != Ask::executor &&
         step.ask != Ask::pipeline))
      continue;
    const Truth truth = step.ask == Ask::hook
                            ? hook_allows(index, action.validate[step.what], &veto_)
                            : ask(index, step);
    if (truth != Truth::yes) return false;
  }
  return true;
}

// What is made is from now on part of the state: for what class, under which grant, by whom.
void Legality::begin_card_move(int action, Option option) {
  FlowRecord& f = flow();
  consider(action, variant_of(option));
  // Only what is still open tells moves apart: otherwise equal states would differ.
  if (f.grants == 0 && f.deferred == 0 && f.captured == 0) f.serial = f.issued = 0;
  ++f.serial;
  f.broken = 0;
  f.move = move_;
  if (move_.grant != 0 && rivals_look_back()) origin_ = memory_.block();
}

}  // namespace parlor::kernel
