#include "kernel/legal/trials.h"

#include "kernel/printed/code.h"

namespace parlor::kernel {

namespace {

const std::byte* token_of(const Program& p, const StateBlock& block, std::size_t t) {
  return block.data() + p.layout.tokens + t * p.layout.token_size;
}
ZoneId zone_of_token(const Program& p, const StateBlock& block, std::size_t t) {
  return ZoneId(reinterpret_cast<const TokenRecord*>(token_of(p, block, t))->zone);
}
void put(std::uint64_t* zones, ZoneId z) {
  if (!z.is_none()) put_zone(zones, z);
}

// Which of so many records are others in two states. Most are the same: many are compared at once.
template <class F>
void each_changed(const std::byte* now, const std::byte* then, std::size_t records,
                  std::size_t size, F&& f) {
  constexpr std::size_t at_once = 16;
  const auto same = [&](std::size_t first, std::size_t count) {
    return std::memcmp(now + first * size, then + first * size, count * size) == 0;
  };
  for (std::size_t first = 0; first < records; first += at_once) {
    const std::size_t count = std::min(at_once, records - first);
    if (same(first, count)) continue;
    for (std::size_t k = first; k < first + count; ++k)
      if (!same(k, 1)) f(k);
  }
}

// Where the condition says that no token of a zone has the numbers of some variables, and it is
// kept what the zone holds: the count. Nothing: it says something else.
const Node* asks_for_new(const Program& p, NodeId condition) {
  const auto node = [&](NodeId n) -> const Node& { return p.nodes[n]; };
  const Node& equal = node(condition);
  if (equal.op != Ex::equal) return nullptr;
  const Node &count = node(equal.a), &none = node(equal.b);
  if (count.op != Ex::count || count.b < 0 || none.op != Ex::constant ||
      p.constants[none.a] != Value::integer(0))
    return nullptr;
  const PropFilter filter = p.prop_filters[node(count.a).b];
  for (int i = 0; i < filter.count; ++i) {
    const Node& wanted = node(p.prop_tests[static_cast<std::size_t>(filter.first + i)].value);
    if (wanted.op != Ex::gvar || p.gvars[wanted.a].boolean) return nullptr;
  }
  return &count;
}
// The variable with the i-th of these numbers.
VarId variable_of(const Program& p, const Node& count, int i) {
  const PropFilter filter = p.prop_filters[p.nodes[count.a].b];
  return p.nodes[p.prop_tests[static_cast<std::size_t>(filter.first + i)].value].a;
}

// Whether what is kept of the zone says that there is no such token.
bool surely_new(const Program& p, const Memory& memory, NodeId condition) {
  const Node* const count = asks_for_new(p, condition);
  if (count == nullptr) return false;
  std::int64_t numbers[most_prop_tests];
  const int size = p.prop_filters[p.nodes[count->a].b].count;
  for (int i = 0; i < size; ++i) {
    numbers[i] = memory.gvar(variable_of(p, *count, i));
    if (numbers[i] <= INT32_MIN || numbers[i] > INT32_MAX) return false;
  }
  const std::size_t bit = seen_bit({numbers, static_cast<std::size_t>(size)});
  return (memory.seen(count->b)[bit / 64] >> (bit % 64) & 1) == 0;
}

}  // namespace

Trials& Trials::of_this_thread() {
  thread_local Trials trials;
  return trials;
}

void Trials::forget(const Program& p) {
  const std::size_t rows = static_cast<std::size_t>(p.words) * 64;
  readers_.clear(rows);
  askers_.clear(rows);
  feature_readers_.clear(64);
  answers_.clear();
  places_.assign(2 * most_answers, 0);
}

// What is another than in the state that was compared last.
Reads Trials::find_changes(const Program& p, const StateBlock& block) {
  Reads out;
  std::uint64_t* const changed = out.zones;
  each_changed(block.data() + p.layout.zones, state_.data() + p.layout.zones, p.zones.size(),
               sizeof(ZoneRecord), [&](std::size_t z) { put_zone(changed, ZoneId(z)); });
  const std::size_t tokens_now = block.as<Header>().tokens,
                    tokens_then = state_.as<Header>().tokens,
                    both = std::min(tokens_now, tokens_then);
  each_changed(token_of(p, block, 0), token_of(p, state_, 0), both, p.layout.token_size,
               [&](std::size_t t) {
                 put(changed, zone_of_token(p, block, t));
                 put(changed, zone_of_token(p, state_, t));
                 know_token(p, block, t);
               });
  for (std::size_t t = both; t < tokens_now; ++t) {
    put(changed, zone_of_token(p, block, t));
    know_token(p, block, t);
  }
  for (std::size_t t = both; t < tokens_then; ++t) put(changed, zone_of_token(p, state_, t));
  const std::size_t feature_bytes = static_cast<std::size_t>(p.words) * sizeof(std::uint64_t);
  for (std::size_t f = 0; f < std::min<std::size_t>(64, p.features.size()); ++f) {
    const std::size_t at = p.layout.features + f * feature_bytes;
    if (std::memcmp(block.data() + at, state_.data() + at, feature_bytes) != 0)
      out.features |= std::uint64_t{1} << f;
  }
  return out;
}

bool Trials::facts_hold(const Program& p, const Reads& reads, const StateBlock& block) {
  const int features =
      std::min<int>(static_cast<int>(p.features.size()), Reads::most_facts / (2 * p.words));
  const std::uint64_t* facts = reads.facts;
  const auto* in = reinterpret_cast<const std::uint64_t*>(block.data() + p.layout.features);
  std::uint64_t broken = 0;
  for (int f = 0; f < features; ++f, facts += p.words)
    for (int w = 0; w < p.words; ++w, ++facts, ++in)
      broken |= (facts[0] & ~*in) | (facts[p.words] & *in);
  return broken == 0;
}

// What an answer looked into, or no longer.
void Trials::mark(const Program& p, const Answer& answer, bool on) {
  const auto number = static_cast<std::size_t>(&answer - answers_.data()),
             words = static_cast<std::size_t>(p.words);
  readers_.mark({answer.reads.zones, words}, number, on);
  askers_.mark({answer.reads.asked, words}, number, on);
  feature_readers_.mark({&answer.reads.features, 1}, number, on);
}

// Answers that looked into something that changed hold no longer, unless they only asked for facts
// that are still so. A feature never changes without a zone.
void Trials::drop_changed(const Program& p, const StateBlock& block, const Reads& changed) {
  const auto words = static_cast<std::size_t>(p.words), used = (answers_.size() + 63) / 64;
  std::uint64_t broken[most_answers / 64] = {}, asked[most_answers / 64] = {};
  readers_.gather({changed.zones, words}, {broken, used});
  askers_.gather({changed.zones, words}, {asked, used});
  feature_readers_.gather({&changed.features, 1}, {broken, used});
  for (std::size_t w = 0; w < used; ++w)
    for (std::uint64_t left = broken[w] | asked[w]; left != 0; left &= left - 1) {
      const auto bit = static_cast<std::size_t>(std::countr_zero(left));
      Answer& answer = answers_[w * 64 + bit];
      if (answer.holds && ((broken[w] >> bit & 1) != 0 || !facts_hold(p, answer.reads, block)))
        answer.holds = false;
    }
}

void Trials::compare(const Program& p, const StateBlock& block) {
  const bool another = serial_ != p.serial;
  ask_work_ = -1;
  if (another) {
    serial_ = p.serial;
    forget(p);
    tails_.assign(p.units.size(), {});
    for (const ActionInfo& action : p.actions)
      if (action.trial.tail >= 0) tails_[action.unit.index()] = new_position(p, action);
  } else {
    drop_changed(p, block, find_changes(p, block));
  }
  state_ = block;
  const auto* sums = reinterpret_cast<const SumRecord*>(state_.data() + p.layout.sums);
  for (NewPosition& position : tails_)
    for (NewPosition::Number& number : position.numbers)
      number.now = (number.first + sums[number.sum].sum) % number.modulus;
  if (another || std::ranges::any_of(known_, &KnownNumbers::full)) know_all(p);
  if (workspace_ == nullptr) workspace_ = new_workspace();
  workspace_->machine.use(p);
  workspace_->machine.attach(state_);
}

Trials::Answer& Trials::answer_for(const Program& p, Option option, int player) {
  const std::uint64_t mask = places_.size() - 1;
  std::uint64_t at = (option.id * 31 + static_cast<std::uint64_t>(player)) * 0x9e3779b97f4a7c15u;
  for (at >>= 40;; ++at) {
    std::uint16_t& place = places_[at & mask];
    if (place == 0) {
      if (answers_.size() == most_answers) {
        forget(p);
        continue;
      }
      answers_.emplace_back();
      answers_.back().option = option.id;
      answers_.back().player = player;
      place = static_cast<std::uint16_t>(answers_.size());
    }
    if (Answer& answer = answers_[place - 1u];
        answer.option == option.id && answer.player == player)
      return answer;
  }
}

// Where a budget is near its end, or what is kept of sums does not suffice, everything is tried.
bool Trials::can_reuse(const Program& p, const Answer& answer, std::int64_t budget) const {
  constexpr std::int64_t enough = std::int64_t{1} << 17;
  if (!answer.holds || answer.work > budget) return false;
  if (!answer.goes_on) return true;
  const auto* sums = reinterpret_cast<const SumRecord*>(state_.data() + p.layout.sums);
  for (std::size_t s = 0; s < p.sums.size(); ++s)
    if (sums[s].odd + answer.odd[s] != 0) return false;
  return budget - answer.work > enough;
}

// ---- Positions that were there before

Trials::NewPosition Trials::new_position(const Program& p, const ActionInfo& action) {
  using Kind = TrialPlan::Step::Kind;
  const auto& steps = action.trial.steps;
  const Node* const count = steps.empty() || steps.back().kind != Kind::ask
                                ? nullptr
                                : asks_for_new(p, steps.back().what);
  if (count == nullptr) return {};
  NewPosition out;
  out.seen = count->b;
  for (int i = 0; i < p.prop_filters[p.nodes[count->a].b].count; ++i) {
    const VarInfo& info = p.gvars[variable_of(p, *count, i)];
    NewPosition::Number number{.min = info.min, .max = info.max};
    SlotId slot;
    for (std::size_t k = steps.size() - 1; k-- > 0;) {
      const TrialPlan::Step& step = steps[k];
      if (step.kind == Kind::ask) return {};
      if (step.kind == Kind::var && slot.is_none() && step.what == variable_of(p, *count, i))
        slot = step.slot;
      if (step.kind != Kind::sum || slot.is_none() || step.slot != slot || number.sum >= 0)
        continue;
      const KeptSum& def = p.sums[static_cast<std::size_t>(step.what)];
      number.sum = step.what;
      number.first = step.start * def.whole % def.modulus;
      number.modulus = def.modulus;
    }
    if (number.sum < 0) return {};
    out.numbers.push_back(number);
  }
  return out;
}

void Trials::know_token(const Program& p, const StateBlock& block, std::size_t t) {
  const ZoneId z = zone_of_token(p, block, t);
  for (std::size_t k = 0; k < known_.size(); ++k) {
    if (p.seen[k].zone != z || known_[k].full()) continue;
    const auto& record = *reinterpret_cast<const TokenRecord*>(token_of(p, block, t));
    const auto* cells = reinterpret_cast<const std::int32_t*>(&record + 1);
    std::int64_t numbers[most_prop_tests];
    std::size_t count = 0;
    for (const int prop : p.seen[k].props) {
      const int column = p.types[record.type].column[static_cast<std::size_t>(prop)];
      if (column >= 0 && cells[column] != missing_cell) numbers[count++] = cells[column];
    }
    // A token that lacks one of them is none of those that are counted.
    if (count == p.seen[k].props.size()) known_[k].add(mixed_numbers({numbers, count}));
  }
}

void Trials::know_all(const Program& p) {
  known_.resize(p.seen.size());
  for (KnownNumbers& numbers : known_) numbers.clear();
  for (std::size_t t = 0; t < state_.as<Header>().tokens; ++t) know_token(p, state_, t);
}

// Whether the position that the option leads to was surely never there, and what asking for it
// takes from the budget. False: it has to be asked for.
bool Trials::surely_new(const Program& p, const ActionInfo& action, const Answer& answer,
                        std::int64_t& budget) {
  const NewPosition& position = tails_[action.unit.index()];
  if (position.numbers.empty()) return false;
  std::int64_t numbers[most_prop_tests];
  for (std::size_t i = 0; i < position.numbers.size(); ++i) {
    const NewPosition::Number& number = position.numbers[i];
    std::int64_t n = number.now + answer.sums[number.sum];
    if (n >= number.modulus) n -= number.modulus;
    numbers[i] = std::clamp(n, number.min, number.max);
    if (numbers[i] > INT32_MAX) return false;
  }
  const std::uint64_t mixed = mixed_numbers({numbers, position.numbers.size()});
  const std::size_t bit = seen_bit(mixed), seen = static_cast<std::size_t>(position.seen);
  const auto* words =
      reinterpret_cast<const std::uint64_t*>(state_.data() + p.layout.seen) + seen * seen_words;
  const bool maybe = (words[bit / 64] >> (bit % 64) & 1) != 0;
  if (maybe && (ask_work_ < 0 || known_[seen].full() || known_[seen].has(mixed))) return false;
  budget -=
      answer.work + work_of_instruction * static_cast<std::int64_t>(action.trial.steps.size());
  if (maybe) budget -= ask_work_;
  return true;
}

// What comes last, on the state as it is, but with the sums as they would be.
Way Trials::try_tail(const Program& p, const ActionInfo& action, const StateBlock& block,
                     const Answer& answer, std::int64_t& budget) {
  if (surely_new(p, action, answer, budget)) return Way::open;
  Machine& machine = workspace_->machine;
  Memory& memory = machine.memory();
  memory.touch();
  machine.steps_left = budget - answer.work;
  const int player = memory.header().active;
  machine.set_players(player, player);
  auto* variables = memory.at<std::int64_t>(p.layout.globals);
  Truth truth = Truth::yes;
  for (const TrialPlan::Step& step : action.trial.steps) {
    machine.steps_left -= work_of_instruction;
    if (step.kind == TrialPlan::Step::Kind::sum) {
      const KeptSum& def = p.sums[step.what];
      const std::int64_t sum = memory.sum(step.what).sum + answer.sums[step.what];
      machine.slot(step.slot) = Value::integer((step.start * def.whole + sum) % def.modulus);
    } else if (step.kind == TrialPlan::Step::Kind::var) {
      const VarInfo& info = p.gvars[step.what];
      variables[step.what] = std::clamp(machine.slot(step.slot).payload(), info.min, info.max);
    } else if (kernel::surely_new(p, memory, step.what)) {
      continue;
    } else {
      const std::int64_t work = machine.steps_left;
      truth = machine.test(step.what);
      // All that lies there is counted, whatever is found.
      if (!tails_[action.unit.index()].numbers.empty()) ask_work_ = work - machine.steps_left;
      if (truth != Truth::yes) break;
    }
  }
  budget = machine.steps_left;
  const auto* before = reinterpret_cast<const std::int64_t*>(block.data() + p.layout.globals);
  for (const TrialPlan::Step& step : action.trial.steps)
    if (step.kind == TrialPlan::Step::Kind::var) variables[step.what] = before[step.what];
  if (truth == Truth::no) return Way::dead;
  if (truth == Truth::fault) machine.clear_fault();
  return Way::open;
}

// What the trial up to its tail made of the state.
void Trials::note_gains(const Program& p, const StateBlock& block, const StateBlock& tried,
                        const ActionInfo& action, Answer& answer) {
  for (const ZoneId z : action.trial.zones) answer.holds &= !has_zone(answer.reads.zones, z);
  const auto* before = reinterpret_cast<const SumRecord*>(block.data() + p.layout.sums);
  const auto* after = reinterpret_cast<const SumRecord*>(tried.data() + p.layout.sums);
  for (std::size_t s = 0; s < p.sums.size(); ++s) {
    const std::int64_t gain = after[s].sum - before[s].sum;
    answer.sums[s] = gain < 0 ? gain + p.sums[s].modulus : gain;
    answer.odd[s] = after[s].odd - before[s].odd;
  }
}

namespace {

// Near the limits of what a state can hold it matters how much it holds.
constexpr std::uint32_t many_tokens = 30'000;

}  // namespace

// By compiled code, on the copy of the state that is kept: false, and nothing is known, where that
// code gave up.
bool Trials::try_compiled(const Program& running, const ActionInfo& action, const StateBlock& block,
                          Answer& answer, std::int64_t budget) {
  const PrintedFunction* const function =
      running.printed_trials.empty() ? nullptr : running.printed_trials[action.unit];
  if (function == nullptr || state_.as<Header>().text_bytes != 0) return false;
  const Program& p = running.as_written();
  const std::byte* const was_at = state_.data();
  std::int64_t work = budget / at_most_more;
  mark(p, answer, false);
  answer.reads = {};
  PrintedHelp help{.reads = &answer.reads};
  PrintedView view{.base = state_.data(),
                   .work = &work,
                   .active = answer.player,
                   .actor = answer.player,
                   .block = &state_,
                   .var_keys = p.var_keys.data(),
                   .token_keys = p.token_keys.data(),
                   .token_key_count = p.token_keys.size(),
                   .help = &help};
  const int way = function->trial(view, answer.option, -1, Value{});
  mark(p, answer, true);
  if (way != trouble) {
    answer.compiled = true;
    answer.work = at_most_more * (budget / at_most_more - work);
    answer.goes_on = way == to_tail;
    answer.way = way == no ? Way::dead : Way::open;
    answer.holds = state_.as<Header>().tokens < many_tokens;
    if (answer.goes_on) note_gains(p, block, state_, action, answer);
  }
  if (help.moved) {
    state_ = block;
  } else {  // only new tokens came behind the others
    state_.resize_unset(block.size());
    std::memcpy(state_.data(), block.data(), p.layout.tokens);
  }
  if (state_.data() != was_at) workspace_->machine.attach(state_);
  return way != trouble;
}

Way Trials::try_whole(const Program& p, const ActionInfo& action, const StateBlock& block,
                      Answer& answer, std::int64_t& budget) {
  Lease lease(p);
  Machine& machine = lease.machine();
  lease.block() = block;
  machine.attach(lease.block());
  machine.set_trial(Machine::Trial::looking);
  machine.steps_left = budget;
  mark(p, answer, false);
  answer.reads = {};
  answer.compiled = false;
  machine.note_reads(&answer.reads, action.trial.tail);
  Run run = Run::failed;
  const bool begun = machine.begin_move(Option{answer.option});
  if (begun) {
    for (const ParamInfo& param : action.params)
      if (const Value v = machine.slot(param.slot); v.is_token())
        put(answer.reads.zones, machine.memory().zone_of(v.as_token()));
    run = machine.run(Until::nothing_refuses);
  }
  mark(p, answer, true);
  answer.goes_on =
      run == Run::done && action.trial.tail >= 0 && machine.stands_at(action.trial.tail);
  answer.work = budget - machine.steps_left;
  answer.holds = machine.header().tokens < many_tokens &&
                 (run == Run::done || (machine.failed() && machine.fault().illegal));
  if (answer.goes_on) {
    note_gains(p, block, lease.block(), action, answer);
    machine.note_reads(nullptr, -1);
    run = machine.run(Until::nothing_refuses);
  }
  budget = machine.steps_left;
  answer.way = Way::open;
  if (run == Run::done) return Way::open;
  if (budget < 0) return answer.holds &= answer.goes_on, Way::unknown;
  const Way way = machine.failed() && !machine.fault().illegal ? Way::open : Way::dead;
  if (!answer.goes_on) answer.way = way;
  return way;
}

Way Trials::look_ahead(const Program& program, const ActionInfo& action, const StateBlock& block,
                       std::uint64_t listing, Option option, std::int64_t& budget, bool* compiled) {
  if (budget <= 0) return Way::unknown;
  // The interpreter notes what it looks into as it evaluates what was written.
  const Program& p = program.as_written();
  if (listing_ != listing || serial_ != p.serial) compare(p, block);
  listing_ = listing;
  Answer& answer = answer_for(p, option, block.as<Header>().active);
  if (answer.compiled && compiled == nullptr) answer.holds = false;
  if (!can_reuse(p, answer, budget) &&
      (compiled == nullptr || !try_compiled(program, action, block, answer, budget) ||
       !can_reuse(p, answer, budget)))
    return try_whole(p, action, block, answer, budget);
  if (compiled != nullptr) *compiled |= answer.compiled;
  if (answer.goes_on) return try_tail(p, action, block, answer, budget);
  budget -= answer.work;
  return answer.way;
}

}  // namespace parlor::kernel
