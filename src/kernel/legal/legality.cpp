// Which actions may be taken now: the order of one action (order.def), walked to list what may be
// done, and again when one is begun.
#include "kernel/program/params.h"
#include "kernel/run/machine.h"
#include "kernel/state/zone_set.h"

namespace parlor::kernel {

namespace {
constexpr std::uint64_t action_mask = (std::uint64_t{1} << action_bits) - 1;

// `take(option)` says whether to go on.
template <class Take>
Legality::MoveSink sink_of(Take& take) {
  return {[](void* self, Option option) { return (*static_cast<Take*>(self))(option); }, &take};
}

}  // namespace

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
    const auto& actions = p_.phases[m_.header().phase].actions;
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
    offer_pass(p_.phases[m_.header().phase].actions);
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
      const ActionInfo& info = p_.actions[action];
      if (!info.is_pass || !info.params.empty()) continue;
      unconditional_ = true;
      walk(action, {p_.flow.class_of[action], 0});
      return;
    }
  }

  bool walk(int index, Legality::Variant variant = {}) {
    const ActionInfo& action = p_.actions[index];
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
    return sink_.call(sink_.self, option);
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
                                      : p_.pipelines[m_.pipeline_found()].look_ahead;
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
    const CardInfo& info = p_.flow.card_infos[card];
    for (int k = 0; k < info.moves; ++k) {
      const int move = info.first_move + k;
      if (wanted_ != no_ordinal && static_cast<std::uint64_t>(move) != wanted_) continue;
      m_.set_event(move);
      if (!from(at + 1, id | static_cast<std::uint64_t>(move) << shift, shift)) return false;
    }
    for (int k = 0; k < 4; ++k) m_.slot(SlotId(k)) = {};
    return true;
  }

  bool bind(std::size_t at, std::uint64_t id, int shift) {
    const auto k = static_cast<std::size_t>(action_->order[at].what);
    if (index_ == p_.flow.event_action)
      return k == 0 ? bind_event(at, id, shift) : from(at + 1, id, shift);
    const ParamInfo& param = action_->params[k];
    if (!action_->quick.is_none() && wanted_ == no_ordinal) {
      if (out_ != nullptr) return list_quickly(id);
      if (any_) return m_.any_bit(action_->quick) == Truth::no || find_quickly(id);
    }
    if (k == 0 && !action_->ways_from.is_none() && wanted_ == no_ordinal &&
        (out_ != nullptr || any_)) {
      const bool some = m_.list_ways(*action_, id, action_bits, out_);
      return m_.failed() ? fault() : out_ != nullptr || !some || find_quickly(id);
    }
    const std::size_t mark = out_ != nullptr ? out_->size() : 0;
    const int active = m_.active(), actor = m_.actor();
    const bool last = k + 1 == action_->params.size();
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
    return sink_.call(sink_.self, Option{id});
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

// ---- The steps of the order

Truth Legality::ask(int index, const Step& step) {
  const ActionInfo& action = p_->actions[index];
  const auto what = static_cast<std::size_t>(step.what);
  auto holds = [](bool yes) { return yes ? Truth::yes : Truth::no; };
  switch (step.ask) {
    case Ask::actor: {
      const std::uint32_t actors = players(step.what);
      return failed_ ? Truth::fault : holds(((actors >> mover()) & 1) != 0);
    }
    case Ask::limit: {
      const LimitInfo& limit = action.limits[what];
      return holds(memory_.usage(usage_cell(action, limit)) <
                   static_cast<std::uint64_t>(limit.max));
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
  const auto action = static_cast<std::uint64_t>(p.phases[h.phase].actions[0]);
  const std::size_t before = out.size();
  constexpr int most = instant_words;
  std::uint64_t* const first = &out.grow(std::size_t{most} * 64).data()->id;
  const std::uint64_t* const next =
      write_zones(first, Zones<most>::load(h.instant), action, action_bits);
  out.shrink(before + static_cast<std::size_t>(next - first));
}

static Legality::MoveSink into(OptionList& out) {
  return {[](void* self, Option option) {
            auto& list = *static_cast<OptionList*>(self);
            list.add(option);
            return list.size() < most_options;
          },
          &out};
}

void Legality::list_moves(OptionList& out) {
  if (!p_->flow.cancellations.empty()) {
    Lease lease(*p_);
    OptionList& all = lease.options();
    all.clear();
    list_uncancelled(all);
    const bool open = !all.empty();
    cancel_moves(all);
    for (const Option option : all) out.add(option);
    if (open && all.empty()) Enumerator(*this, into(out)).run_to_pass();
    return;
  }
  list_uncancelled(out);
}

void Legality::list_uncancelled(OptionList& out) {
  if (!p_->phases[header().phase].instant.is_none()) return list_instant(*p_, header(), out);
  Enumerator(*this, into(out)).list_into(out);
}

void Legality::list_action(int action, OptionList& out) {
  Enumerator(*this, into(out)).walk_one(action, &out);
}

bool Legality::can_take(int action) {
  const int active = active_, actor = actor_;
  set_players(header().active, header().active);
  bool found = false;
  Enumerator(*this, {[](void* self, Option) {
                       *static_cast<bool*>(self) = true;
                       return false;
                     },
                     &found})
      .walk_one(action, nullptr);
  set_players(active, actor);
  return found;
}

bool Legality::move_exists() {
  const int active = active_, actor = actor_;
  bool found = false;
  if (const NodeId instant = p_->phases[header().phase].instant; !instant.is_none()) {
    set_players(header().active, header().active);
    found = find_instant(instant);
    set_players(active, actor);
    return found;
  }
  if (!p_->flow.cancellations.empty()) return uncancelled_move_exists();
  Enumerator(*this, {[](void* self, Option) {
                       *static_cast<bool*>(self) = true;
                       return false;
                     },
                     &found})
      .find_any();
  set_players(active, actor);
  return found;
}

// One that no rule of cancellation speaks of will do; only where there is none they are gone
// through.
bool Legality::uncancelled_move_exists() {
  const int active = active_, actor = actor_;
  struct Search {
    Legality& self;
    bool found;
  } search{*this, false};
  Enumerator(*this, {[](void* data, Option option) {
                       auto& [self, found] = *static_cast<Search*>(data);
                       found = std::ranges::none_of(
                           self.p_->flow.cancellations,
                           [&](const auto& rule) { return self.selects(rule.second, option); });
                       return !found;
                     },
                     &search})
      .run();
  if (!search.found) {
    Lease lease(*p_);
    OptionList& left = lease.options();
    left.clear();
    list_moves(left);
    search.found = !left.empty();
  }
  set_players(active, actor);
  return search.found;
}

// Once it is listed, nothing is asked of it again: most actions of most games.
static inline bool settled(const ActionInfo& action) {
  for (const Step& step : action.order)
    if (!step.sure && step.ask != Ask::param) return false;
  return action.before.empty();
}

bool Legality::begin_move(Option option) {
  const auto index = static_cast<std::size_t>(option.id & action_mask);
  if (index >= p_->actions.size()) return false;
  const ActionInfo& action = p_->actions[index];
  if ((option.id & faulted_option) != 0) {
    Enumerator(*this, {[](void*, Option) { return true; }, nullptr})
        .run_to_fault(static_cast<int>(index), Option{option.id & ~faulted_option});
    return false;
  }
  header().decision = DecisionKind::action;
  std::fill_n(header().instant, instant_words, 0);
  if (p_->flow.cards || p_->flow.events) begin_card_move(static_cast<int>(index), option);
  const int active = mover();
  listing_unit_ = action.unit;
  if (static_cast<int>(index) == p_->flow.event_action) {
    const std::uint64_t event = option.id >> (action_bits + p_->variant_bits);
    if (event >= p_->flow.event_moves.size()) return false;
    {
      Scratch scratch(*this, action.unit, active, active);
      set_event(static_cast<int>(event));
      if (!ask_again(static_cast<int>(index))) return false;
    }
    push_frame(p_->flow.event_moves[event].unit, active, active);
    if (failed_) return false;
    set_event(static_cast<int>(event));
  } else if (action.pipelines.empty()) {
    push_frame(action.unit, active, active);
    if (failed_ || !bind_params(static_cast<int>(index), option)) return drop_frames(), false;
    if (!settled(action)) {
      if (!ask_again(static_cast<int>(index))) return drop_frames(), false;
      frames_.back().active = active_;
      frames_.back().actor = actor_;
    }
  } else {
    bool fine = false;
    int executor = active;
    {
      // Conditions of the action live in the slots of its own unit.
      Scratch scratch(*this, action.unit, active, active);
      fine = ask_again(static_cast<int>(index));
      executor = actor_;
    }
    if (!fine) return false;
    push_frame(p_->pipelines[pipeline_].unit, executor, executor);
  }
  if (p_->secrets.shadows && action.pipelines.empty()) note_params(action);
  if (listener_ != nullptr) report_move(static_cast<int>(index));
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

// The values an option stands for, into the slots of the running unit.
bool Legality::bind_params(int index, Option option) {
  const ActionInfo& action = p_->actions[index];
  std::uint64_t code = option.id >> (action_bits + p_->variant_bits);
  if (!action.packed) return action.params.empty() || bind_ordinal(index, option);
  for (const ParamInfo& param : action.params) {
    const Value v = decode(param, code & ((std::uint64_t{1} << param.bits) - 1));
    code >>= param.bits;
    if (!exists(v)) return false;
    slot(param.slot) = v;
  }
  return true;
}

// Finds the tuple with this number again and copies its values into the new frame.
bool Legality::bind_ordinal(int action, Option option) {
  const ActionInfo& info = p_->actions[action];
  const std::int32_t frame = base_;
  bool found = false;
  auto copy = [&](Option) {
    for (const ParamInfo& param : info.params) slots_[frame + param.slot.value] = slot(param.slot);
    found = true;
    return false;
  };
  Enumerator(*this, sink_of(copy)).run_to(action, option);
  load_frame();
  return found;
}

Json Legality::move_params(Option option, std::string& id) {
  const auto index = static_cast<std::size_t>(option.id & action_mask);
  Json params = Json::object();
  if (index >= p_->actions.size()) return params;
  const ActionInfo& action = p_->actions[index];
  id = action.id;
  if (!action.pipelines.empty() || action.params.empty() || (option.id & faulted_option) != 0)
    return params;
  if (static_cast<int>(index) == p_->flow.event_action) {
    const std::uint64_t event = option.id >> (action_bits + p_->variant_bits);
    if (event >= p_->flow.event_moves.size()) return params;
    Scratch scratch(*this, action.unit, header().active, header().active);
    set_event(static_cast<int>(event));
    for (const ParamInfo& param : action.params)
      if (const Value v = slot(param.slot); !v.is_none()) params[param.name] = json_of(v);
    return params;
  }
  const int active = header().active;
  Scratch scratch(*this, action.unit, active, active);
  if (action.packed) {
    std::uint64_t code = option.id >> (action_bits + p_->variant_bits);
    for (const ParamInfo& param : action.params) {
      params[param.name] = json_of(decode(param, code & ((std::uint64_t{1} << param.bits) - 1)));
      code >>= param.bits;
    }
    return params;
  }
  auto copy = [&](Option) { return params = params_json(action), false; };
  Enumerator(*this, sink_of(copy)).run_to(static_cast<int>(index), option);
  forget_move();
  return params;
}

// The values in the slots.
Json Legality::params_json(const ActionInfo& action) {
  Json out = Json::object();
  for (const ParamInfo& param : action.params) out[param.name] = json_of(slot(param.slot));
  return out;
}

bool Legality::counts_params(Option option) const {
  const auto index = static_cast<std::size_t>(option.id & action_mask);
  if (index >= p_->actions.size() || (option.id & faulted_option) != 0) return false;
  const ActionInfo& action = p_->actions[index];
  return !action.packed && !action.params.empty() && action.pipelines.empty() &&
         static_cast<int>(index) != p_->flow.event_action;
}

void Legality::all_params(Option option, std::vector<std::pair<Option, Json>>& out) {
  const auto index = static_cast<std::size_t>(option.id & action_mask);
  const ActionInfo& action = p_->actions[index];
  const int active = header().active;
  Scratch scratch(*this, action.unit, active, active);
  auto add = [&](Option found) { return out.emplace_back(found, params_json(action)), true; };
  Enumerator(*this, sink_of(add)).run_to_all(static_cast<int>(index), option);
  forget_move();
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
