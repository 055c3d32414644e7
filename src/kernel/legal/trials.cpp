#include "kernel/legal/trials.h"

namespace parlor::kernel {

namespace {

const ZoneRecord* zones_of(const Program& p, const StateBlock& block) {
  return reinterpret_cast<const ZoneRecord*>(block.data() + p.layout.zones);
}
const std::byte* token_of(const Program& p, const StateBlock& block, std::size_t t) {
  return block.data() + p.layout.tokens + t * p.layout.token_size;
}
int zone_of_token(const Program& p, const StateBlock& block, std::size_t t) {
  return reinterpret_cast<const TokenRecord*>(token_of(p, block, t))->zone;
}
void put(std::uint64_t* zones, int z) {
  if (z >= 0) zones[z >> 6] |= std::uint64_t{1} << (z & 63);
}
bool has(const std::uint64_t* zones, int z) {
  return (zones[z >> 6] >> (z & 63) & 1) != 0;
}

// Whether the condition says that no token of a zone has certain numbers, and what is kept of the
// zone (SeenFilter) says so too.
bool surely_new(const Program& p, const Memory& memory, NodeId condition) {
  const auto node = [&](NodeId n) -> const Node& { return p.nodes[n]; };
  const Node& equal = node(condition);
  if (equal.op != Ex::equal) return false;
  const Node &count = node(equal.a), &none = node(equal.b);
  if (count.op != Ex::count || count.b < 0 || none.op != Ex::constant ||
      p.constants[none.a] != Value::integer(0))
    return false;
  const PropFilter filter = p.prop_filters[node(count.a).b];
  std::int64_t numbers[most_prop_tests];
  for (int i = 0; i < filter.count; ++i) {
    const Node& wanted = node(p.prop_tests[static_cast<std::size_t>(filter.first + i)].value);
    if (wanted.op != Ex::gvar || p.gvars[wanted.a].boolean) return false;
    numbers[i] = memory.gvar(wanted.a);
    if (numbers[i] <= INT32_MIN || numbers[i] > INT32_MAX) return false;
  }
  const std::size_t bit = seen_bit({numbers, static_cast<std::size_t>(filter.count)});
  return (memory.seen(count.b)[bit / 64] >> (bit % 64) & 1) == 0;
}

}  // namespace

Trials& Trials::of_this_thread() {
  thread_local Trials trials;
  return trials;
}

void Trials::forget() {
  answers_.clear();
  places_.assign(2 * most_answers, 0);
}

// What is another than in the state that was compared last.
Reads Trials::find_changes(const Program& p, const StateBlock& block) const {
  Reads out;
  std::uint64_t* const changed = out.zones;
  const ZoneRecord *now = zones_of(p, block), *then = zones_of(p, state_);
  for (int z = 0; z < p.zone_count; ++z)
    if (now[z].head != then[z].head || now[z].tail != then[z].tail || now[z].count != then[z].count)
      put(changed, z);
  const std::size_t tokens_now = block.as<Header>().tokens,
                    tokens_then = state_.as<Header>().tokens,
                    both = std::min(tokens_now, tokens_then), size = p.layout.token_size;
  constexpr std::size_t at_once = 16;
  for (std::size_t first = 0; first < both; first += at_once) {
    const std::size_t count = std::min(at_once, both - first);
    if (std::memcmp(token_of(p, block, first), token_of(p, state_, first), count * size) == 0)
      continue;
    for (std::size_t t = first; t < first + count; ++t) {
      if (std::memcmp(token_of(p, block, t), token_of(p, state_, t), size) == 0) continue;
      put(changed, zone_of_token(p, block, t));
      put(changed, zone_of_token(p, state_, t));
    }
  }
  for (std::size_t t = both; t < tokens_now; ++t) put(changed, zone_of_token(p, block, t));
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

void Trials::compare(const Program& p, const StateBlock& block) {
  if (serial_ != p.serial) {
    serial_ = p.serial;
    forget();
  } else {
    const Reads changed = find_changes(p, block);
    std::uint64_t any = 0;  // a feature never changes without a zone
    for (int w = 0; w < p.words; ++w) any |= changed.zones[w];
    if (any != 0)
      for (Answer& answer : answers_) {
        std::uint64_t touched = answer.reads.features & changed.features, asked = 0;
        for (int w = 0; w < p.words; ++w) {
          touched |= answer.reads.zones[w] & changed.zones[w];
          asked |= answer.reads.asked[w] & changed.zones[w];
        }
        if (touched != 0 || (asked != 0 && !facts_hold(p, answer.reads, block)))
          answer.holds = false;
      }
  }
  state_ = block;
  if (workspace_ == nullptr) workspace_ = new_workspace();
  workspace_->machine.use(p);
  workspace_->machine.attach(state_);
}

Trials::Answer& Trials::answer_for(Option option, int player) {
  const std::uint64_t mask = places_.size() - 1;
  std::uint64_t at = (option.id * 31 + static_cast<std::uint64_t>(player)) * 0x9e3779b97f4a7c15u;
  for (at >>= 40;; ++at) {
    std::uint16_t& place = places_[at & mask];
    if (place == 0) {
      if (answers_.size() == most_answers) {
        forget();
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

// What comes last, on the state as it is, but with the sums as they would be.
Way Trials::try_tail(const Program& p, const ActionInfo& action, const StateBlock& block,
                     const Answer& answer, std::int64_t& budget) {
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
    } else if (surely_new(p, memory, step.what)) {
      continue;
    } else if (truth = machine.test(step.what); truth != Truth::yes) {
      break;
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

Way Trials::try_whole(const Program& p, const ActionInfo& action, const StateBlock& block,
                      Answer& answer, std::int64_t& budget) {
  Lease lease(p);
  Machine& machine = lease.machine();
  lease.block() = block;
  machine.attach(lease.block());
  machine.set_trial(Machine::Trial::looking);
  machine.steps_left = budget;
  answer.reads = {};
  machine.note_reads(&answer.reads, action.trial.tail);
  Run run = Run::failed;
  const bool begun = machine.begin_move(Option{answer.option});
  if (begun) {
    for (const ParamInfo& param : action.params)
      if (const Value v = machine.slot(param.slot); v.is_token())
        put(answer.reads.zones, machine.memory().token(v.index()).zone);
    run = machine.run(Until::nothing_refuses);
  }
  answer.goes_on =
      run == Run::done && action.trial.tail >= 0 && machine.stands_at(action.trial.tail);
  answer.work = budget - machine.steps_left;
  // Near the limits of what a state can hold it matters how much it holds.
  constexpr std::uint32_t many_tokens = 30'000;
  answer.holds = machine.header().tokens < many_tokens &&
                 (run == Run::done || (machine.failed() && machine.fault().illegal));
  if (answer.goes_on) {
    for (const int z : action.trial.zones) answer.holds &= !has(answer.reads.zones, z);
    const auto* before = reinterpret_cast<const SumRecord*>(block.data() + p.layout.sums);
    for (std::size_t s = 0; s < p.sums.size(); ++s) {
      const SumRecord& record = machine.memory().sum(static_cast<int>(s));
      const std::int64_t gain = record.sum - before[s].sum;
      answer.sums[s] = gain < 0 ? gain + p.sums[s].modulus : gain;
      answer.odd[s] = record.odd - before[s].odd;
    }
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
                       std::uint64_t listing, Option option, std::int64_t& budget) {
  if (budget <= 0) return Way::unknown;
  // Compiled code does not say what it looks into.
  const Program& p = program.as_written();
  if (listing_ != listing || serial_ != p.serial) compare(p, block);
  listing_ = listing;
  Answer& answer = answer_for(option, block.as<Header>().active);
  if (!can_reuse(p, answer, budget)) return try_whole(p, action, block, answer, budget);
  if (answer.goes_on) return try_tail(p, action, block, answer, budget);
  budget -= answer.work;
  return answer.way;
}

}  // namespace parlor::kernel
