// Which actions may be taken now: gates, conditions, parameters, and the look-ahead that makes sure
// that what is offered can be carried through.
#include <bit>

#include "kernel/machine.h"

namespace parlor::kernel {

namespace {
constexpr std::uint64_t action_mask = (std::uint64_t{1} << action_bits) - 1;

std::uint64_t encode(const ParamInfo& param, Value v) {
  return static_cast<std::uint64_t>(v.payload() - param.base);
}

Value decode(const ParamInfo& param, std::uint64_t code) {
  const std::int64_t n = static_cast<std::int64_t>(code) + param.base;
  switch (param.kind) {
    case ItemKind::token:
      return Value::token(static_cast<std::int32_t>(n));
    case ItemKind::boolean:
      return Value::boolean(n != 0);
    case ItemKind::zone:
    case ItemKind::symbol:
      return Value::symbol(static_cast<Symbol>(n));
    default:
      return Value::integer(n);
  }
}
}  // namespace

// Walks through the legal moves of one state in order.
class Enumerator {
 public:
  Enumerator(Machine& machine, Machine::MoveSink sink)
      : m_(machine), p_(machine.program()), sink_(sink) {}

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
  void run() {
    for (const int action : p_.phases[static_cast<std::size_t>(m_.header().phase)].actions)
      if (!walk(action)) return;
  }

  // Only the tuple with this number of an action whose parameters do not fit into the id.
  void run_to(int action, std::uint64_t ordinal) {
    wanted_ = ordinal;
    walk(action);
  }

 private:
  bool walk(int index) {
    const ActionInfo& action = p_.actions[static_cast<std::size_t>(index)];
    const int active = m_.header().active;
    if (!gates_open(m_, index)) return true;
    int executor = active;
    m_.set_players(active, active);
    if (!action.anybody && !action.executor_uses_params &&
        (executor = m_.player(action.executor)) < 0)
      return m_.clear_fault(), true;
    index_ = index;
    action_ = &action;
    executor_ = executor;
    ordinal_ = 0;
    phase_pre_ = phase_pre_of(action, m_.header().phase);
    if (!action.pipelines.empty()) return walk_template();
    Machine::Scratch scratch(m_, action.unit, executor, executor);
    // What does not depend on parameters is asked once (K-06), the phase first (K-02).
    leaf_phase_pre_ = -1;
    leaf_pre_ = action.pre;
    if (phase_pre_ != nullptr) {
      if (phase_pre_->uses_params)
        leaf_phase_pre_ = phase_pre_->node;
      else if (!holds(phase_pre_->node))
        return true;
    }
    if (leaf_phase_pre_ < 0 && leaf_pre_ >= 0 && !action.pre_uses_params) {
      if (!holds(leaf_pre_)) return true;
      leaf_pre_ = -1;
    }
    if (action.quick >= 0 && out_ != nullptr) {
      m_.list_bits(action.quick, static_cast<std::uint64_t>(index), action_bits,
                   action.params[0].base, *out_);
      m_.clear_fault();
      return true;
    }
    if (action.ways_from >= 0 && wanted_ == no_ordinal && (out_ != nullptr || any_)) {
      const bool some = m_.list_ways(action, static_cast<std::uint64_t>(index), action_bits, out_);
      m_.clear_fault();
      if (out_ != nullptr || !some) return true;
      return sink_.call(sink_.self, Option{static_cast<std::uint64_t>(index)});
    }
    if (action.quick >= 0 && any_) {
      const Truth some = m_.any_bit(action.quick);
      m_.clear_fault();
      return some != Truth::yes ||
             sink_.call(sink_.self, Option{static_cast<std::uint64_t>(index)});
    }
    return bind(0, static_cast<std::uint64_t>(index), action_bits);
  }

  bool walk_template() {
    Machine::Scratch scratch(m_, action_->unit, executor_, executor_);
    if (phase_pre_ != nullptr && !holds(phase_pre_->node)) return true;
    if (action_->pre >= 0 && !holds(action_->pre)) return true;
    const int pipeline = choose_pipeline(m_, *action_, executor_);
    if (pipeline < 0) return true;
    if (!action_->price.empty() && !m_.can_pay(index_)) return true;
    if (!action_->validate.empty() && !m_.hooks_allow(index_)) return true;
    const PipelineInfo& info = p_.pipelines[static_cast<std::size_t>(pipeline)];
    const Option option{static_cast<std::uint64_t>(index_)};
    if (info.look_ahead && wanted_ == no_ordinal && !m_.completes(option)) return true;
    return sink_.call(sink_.self, option);
  }

  bool bind(std::size_t k, std::uint64_t id, int shift) {
    if (k == action_->params.size()) return leaf(id);
    const ParamInfo& param = action_->params[k];
    bool go_on = true;
    auto take = [&](Value v) {
      m_.slot(param.slot) = v;
      go_on =
          bind(k + 1, action_->packed ? id | (encode(param, v) << shift) : id, shift + param.bits);
      return go_on;
    };
    if (param.may_repeat)
      m_.each_distinct(param.domain, take);
    else
      m_.each(param.domain, take);
    m_.slot(param.slot) = {};
    // A domain that cannot be evaluated has no values.
    if (m_.failed()) m_.clear_fault();
    return go_on;
  }

  bool leaf(std::uint64_t id) {
    if (leaf_phase_pre_ >= 0 && !holds(leaf_phase_pre_)) return true;
    if (leaf_pre_ >= 0 && !holds(leaf_pre_)) return true;
    if (action_->executor_uses_params && m_.player(action_->executor) < 0)
      return m_.clear_fault(), true;
    if (!action_->price.empty() && !m_.can_pay(index_)) return true;
    if (!action_->validate.empty() && !m_.hooks_allow(index_)) return true;
    if (!action_->packed && !action_->params.empty()) id |= ++ordinal_ << action_bits;
    if (wanted_ != no_ordinal) return ordinal_ != wanted_ || sink_.call(sink_.self, Option{id});
    if (action_->look_ahead && !m_.completes(Option{id})) return true;
    return sink_.call(sink_.self, Option{id});
  }

  bool holds(int node) {
    const Truth truth = m_.test(node);
    if (truth == Truth::fault) m_.clear_fault();
    return truth == Truth::yes;
  }

  static constexpr std::uint64_t no_ordinal = ~std::uint64_t{0};
  Machine& m_;
  const Program& p_;
  Machine::MoveSink sink_;
  const ActionInfo* action_ = nullptr;
  const PhasePre* phase_pre_ = nullptr;
  int index_ = 0, executor_ = 0, leaf_phase_pre_ = -1, leaf_pre_ = -1;
  OptionList* out_ = nullptr;
  bool any_ = false;
  std::uint64_t ordinal_ = 0;
  std::uint64_t wanted_ = no_ordinal;
};

const PhasePre* phase_pre_of(const ActionInfo& action, int phase) {
  for (const PhasePre& pre : action.phase_pre)
    if (pre.phase == phase) return &pre;
  return nullptr;
}

bool gates_open(Machine& m, int index) {
  const Program& p = m.program();
  const ActionInfo& action = p.actions[static_cast<std::size_t>(index)];
  const int active = m.header().active;
  m.set_players(active, active);
  if (!action.anybody) {
    const std::uint32_t actors = m.players(action.actor);
    m.clear_fault();
    if (((actors >> active) & 1) == 0) return false;
  }
  for (const LimitInfo& limit : action.limits)
    if (m.memory().usage(action.usage + static_cast<int>(limit.scope)) >=
        static_cast<std::uint64_t>(limit.max))
      return false;
  return !action.blockable || !m.move_blocked(index, active);
}

// The first pipeline that applies and is not certainly illegal or unpayable; -1: none. A condition
// that needs a choice not yet made is undecided, and that is not "no" (K-12).
int choose_pipeline(Machine& m, const ActionInfo& action, int executor) {
  const Program& p = m.program();
  auto not_false = [&](int node) {
    if (node < 0) return true;
    const Truth truth = m.test(node);
    if (truth != Truth::fault) return truth == Truth::yes;
    const bool undecided = m.fault().code == Code::RUN_BINDING_MISSING;
    m.clear_fault();
    return undecided;
  };
  for (const int index : action.pipelines) {
    const PipelineInfo& info = p.pipelines[static_cast<std::size_t>(index)];
    Machine::Scratch scratch(m, info.unit, executor, executor);
    if (info.applicability >= 0) {
      const Truth applies = m.test(info.applicability);
      if (applies == Truth::fault) m.clear_fault();
      if (applies != Truth::yes) continue;
    }
    if (!not_false(info.legality)) return -1;
    if (!info.partial && !not_false(info.cost)) return -1;
    return index;
  }
  return -1;
}

bool Machine::can_pay(int action) {
  for (const auto& [var, node] : p_->actions[static_cast<std::size_t>(action)].price) {
    std::int64_t amount = 0;
    if (!integer(node, amount)) return clear_fault(), false;
    amount = std::max<std::int64_t>(0, amount + cost_delta(action, var));
    if (memory_.pvar(actor_, var) - amount < p_->pvars[static_cast<std::size_t>(var)].min)
      return false;
  }
  return true;
}

void Machine::each_move(MoveSink sink) {
  const int active = active_, actor = actor_;
  Enumerator(*this, sink).run();
  set_players(active, actor);
}

// The set was computed when the decision was reached.
void list_instant(const Program& p, const Header& h, OptionList& out) {
  const auto action =
      static_cast<std::uint64_t>(p.phases[static_cast<std::size_t>(h.phase)].actions[0]);
  const std::size_t before = out.size();
  Option* const first = out.grow(static_cast<std::size_t>(p.words) * 64).data();
  Option* next = first;
  for (int w = 0; w < p.words; ++w) {
    const std::uint64_t word = action | static_cast<std::uint64_t>(w) << (action_bits + 6);
    for (std::uint64_t left = h.instant[w]; left != 0; left &= left - 1)
      *next++ = Option{word | static_cast<std::uint64_t>(std::countr_zero(left)) << action_bits};
  }
  out.shrink(before + static_cast<std::size_t>(next - first));
}

void Machine::list_moves(OptionList& out) {
  if (p_->phases[static_cast<std::size_t>(header().phase)].instant >= 0)
    return list_instant(*p_, header(), out);
  Enumerator(*this, {[](void* self, Option option) {
                       static_cast<OptionList*>(self)->add(option);
                       return true;
                     },
                     &out})
      .list_into(out);
}

bool Machine::move_exists() {
  const int active = active_, actor = actor_;
  bool found = false;
  if (const int instant = p_->phases[static_cast<std::size_t>(header().phase)].instant;
      instant >= 0) {
    set_players(header().active, header().active);
    found = find_instant(instant);
    clear_fault();
    set_players(active, actor);
    return found;
  }
  Enumerator(*this, {[](void* self, Option) {
                       *static_cast<bool*>(self) = true;
                       return false;
                     },
                     &found})
      .find_any();
  set_players(active, actor);
  return found;
}

bool Machine::begin_move(Option option) {
  const auto index = static_cast<std::size_t>(option.id & action_mask);
  if (index >= p_->actions.size()) return false;
  const ActionInfo& action = p_->actions[index];
  const int active = header().active;
  set_players(active, active);
  header().decision = DecisionKind::action;
  std::fill_n(header().instant, 4, 0);
  if (!action.pipelines.empty()) {
    const int executor = player(action.executor);
    const int pipeline = executor < 0 ? -1 : choose_pipeline(*this, action, executor);
    if (pipeline < 0) return false;
    push_frame(p_->pipelines[static_cast<std::size_t>(pipeline)].unit, executor, executor);
  } else {
    push_frame(action.unit, active, active);
    if (failed_) return false;
    if (action.packed) {
      std::uint64_t code = option.id >> action_bits;
      for (const ParamInfo& param : action.params) {
        slot(param.slot) = decode(param, code & ((std::uint64_t{1} << param.bits) - 1));
        code >>= param.bits;
      }
    } else if (!action.params.empty() &&
               !bind_ordinal(static_cast<int>(index), option.id >> action_bits)) {
      drop_frames();
      return false;
    }
    if (!action.anybody) {
      const int executor = player(action.executor);
      if (executor < 0) return false;
      frames_.back().active = frames_.back().actor = static_cast<std::uint8_t>(executor);
      load_frame();
    }
  }
  if (!trial_ && !(action.before.empty() && action.validate.empty())) {
    // Conditions of hooks live in the slots of the action's own unit.
    bool fine = false;
    if (action.pipelines.empty()) {
      fine = run_checks(static_cast<int>(index));
    } else {
      Scratch scratch(*this, action.unit, actor_, actor_);
      fine = run_checks(static_cast<int>(index));
    }
    if (!fine) return drop_frames(), false;
  }
  if (p_->secrets.shadows && action.pipelines.empty()) note_params(action);
  if (listener_ != nullptr) report_move(static_cast<int>(index));
  return !failed_;
}

// Finds the tuple with this number again and copies its values into the new frame.
bool Machine::bind_ordinal(int action, std::uint64_t ordinal) {
  struct Copy {
    Machine* m;
    const ActionInfo* info;
    std::int32_t frame;
    bool found = false;
  } copy{this, &p_->actions[static_cast<std::size_t>(action)], base_};
  Enumerator walk(*this, {[](void* self, Option) {
                            auto& c = *static_cast<Copy*>(self);
                            for (const ParamInfo& param : c.info->params)
                              c.m->slots_[c.frame + param.slot] = c.m->slot(param.slot);
                            c.found = true;
                            return false;
                          },
                          &copy});
  walk.run_to(action, ordinal);
  load_frame();
  return copy.found;
}

// Parameters that not everybody may know are told to those who may, and left out for the others.
void Machine::report_move(int index) {
  const ActionInfo& action = p_->actions[static_cast<std::size_t>(index)];
  const int player = header().active;
  Json params = Json::object(), open = Json::object();
  std::uint32_t seen = ~std::uint32_t{0};
  for (std::size_t k = 0; k < action.params.size() && action.pipelines.empty(); ++k) {
    const ParamInfo& param = action.params[k];
    const Value v = slot(param.slot);
    const Secrets& s = p_->secrets;
    const std::uint32_t may =
        choice_seen_by(v, player, s.any && s.closed_params[static_cast<std::size_t>(index)][k],
                       s.any && s.buried_params[static_cast<std::size_t>(index)][k]);
    params[param.name] = json_of(v);
    if (may == ~std::uint32_t{0}) open[param.name] = params[param.name];
    seen &= may;
  }
  report(
      "action", {{"action", action.id}, {"player", player}, {"params", std::move(params)}}, seen,
      {{"action", action.id}, {"player", player}, {"params", std::move(open)}, {"hidden", true}});
}

Json Machine::move_params(Option option, std::string& id) {
  const auto index = static_cast<std::size_t>(option.id & action_mask);
  Json params = Json::object();
  if (index >= p_->actions.size()) return params;
  const ActionInfo& action = p_->actions[index];
  id = action.id;
  if (!action.pipelines.empty() || action.params.empty()) return params;
  const int active = header().active;
  Scratch scratch(*this, action.unit, active, active);
  if (action.packed) {
    std::uint64_t code = option.id >> action_bits;
    for (const ParamInfo& param : action.params) {
      params[param.name] = json_of(decode(param, code & ((std::uint64_t{1} << param.bits) - 1)));
      code >>= param.bits;
    }
    return params;
  }
  struct Copy {
    Machine* m;
    const ActionInfo* info;
    Json* out;
  } copy{this, &action, &params};
  Enumerator walk(*this, {[](void* self, Option) {
                            auto& c = *static_cast<Copy*>(self);
                            for (const ParamInfo& param : c.info->params)
                              (*c.out)[param.name] = c.m->json_of(c.m->slot(param.slot));
                            return false;
                          },
                          &copy});
  walk.run_to(static_cast<int>(index), option.id >> action_bits);
  return params;
}

// ---- Looking ahead

namespace {

// Whether the half-made move in `block` can be finished somehow. Chance must never spoil it: every
// outcome is tried until a sixteenth of the budget is spent, and then only the first of each.
bool can_finish(const Program& program, StateBlock& block, std::int64_t& budget) {
  Lease lease(program);
  lease.machine().attach(block);
  const DecisionKind kind = lease.machine().decision().kind;
  const bool chance = kind == DecisionKind::chance;
  if (lease.machine().can_answer_safely()) return true;
  OptionList& options = lease.options();
  options.clear();
  lease.machine().list_raw(options);
  const std::int64_t all = program.options.look_ahead;
  for (std::size_t i = 0; i < options.size(); ++i) {
    // Confirming comes last in a list, but small sets are the quickest way to an end.
    const bool backwards = kind == DecisionKind::choose_n;
    const Option option = options[backwards ? options.size() - 1 - i : i];
    const bool good = look_ahead(program, block, option, budget);
    if (good != chance || (chance && all - budget > all / 16)) return good;
  }
  return chance && !options.empty();
}

}  // namespace

bool look_ahead(const Program& program, const StateBlock& block, Option option,
                std::int64_t& budget) {
  if (budget <= 0) return false;
  Lease lease(program);
  Machine& machine = lease.machine();
  lease.block() = block;
  machine.attach(lease.block());
  machine.set_trial();
  const bool starts = machine.depth() == 0;
  machine.begin_write();
  machine.steps_left = budget;
  const bool begun = starts ? machine.begin_move(option) : machine.answer(option);
  if (!begun || machine.failed()) return false;
  const Run run = machine.waits() ? Run::yielded : machine.run(Until::move_complete);
  budget = machine.steps_left;
  if (run != Run::yielded) return run == Run::done;
  machine.detach();
  return can_finish(program, lease.block(), budget);
}

bool Machine::completes(Option option) {
  std::int64_t budget = p_->options.look_ahead;
  const bool good = look_ahead(*p_, memory_.block(), option, budget);
  if (good || budget > 0) return good;
  ++look_ahead_exhausted;
  if (listener_ != nullptr && header().decision == DecisionKind::action) {
    const ActionInfo& action = p_->actions[static_cast<std::size_t>(option.id & action_mask)];
    report("lookAheadExhausted",
           {{"code", code_name(Code::RUN_BUDGET)},
            {"action", action.id},
            {"path", place_path(*p_, action.place)},
            {"budget", p_->options.look_ahead}},
           tools_only());
  }
  return false;
}

}  // namespace parlor::kernel
