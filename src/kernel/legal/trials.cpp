#include "kernel/legal/trials.h"

#include "kernel/printed/code.h"
#include "kernel/program/params.h"

namespace parlor::kernel {

namespace {

const ZoneRecord* zones_of(const Program& p, const StateBlock& block) {
  return reinterpret_cast<const ZoneRecord*>(block.data() + p.layout.zones);
}
const std::byte* token_of(const Program& p, const StateBlock& block, std::size_t t) {
  return block.data() + p.layout.tokens + t * p.layout.token_size;
}
ZoneId zone_of_token(const std::byte* token) {
  return ZoneId(reinterpret_cast<const TokenRecord*>(token)->zone);
}
const std::uint64_t* words_at(const StateBlock& block, std::size_t offset) {
  return reinterpret_cast<const std::uint64_t*>(block.data() + offset);
}
const SumRecord* sums_of(const Program& p, const StateBlock& block) {
  return reinterpret_cast<const SumRecord*>(block.data() + p.layout.sums);
}
void put(std::uint64_t* zones, ZoneId z) {
  if (!z.is_none()) put_zone(zones, z);
}
bool has(std::uint64_t bits, std::size_t number) {
  return (bits >> (number % 64) & 1) != 0;
}

// Where a budget is near its end, everything is tried.
constexpr std::int64_t enough = std::int64_t{1} << 17;
// What asking for the tokens of a zone takes, besides one for each token.
constexpr std::int64_t work_of_asking = 1;
// Near the limits of what a state can hold it matters how much it holds.
constexpr std::uint32_t many_tokens = 30'000;

}  // namespace

Trials& Trials::of_this_thread() {
  // What is loaded later (Python's module, modules of rules) has little room for each thread.
  thread_local const std::unique_ptr<Trials> trials = std::make_unique<Trials>();
  return *trials;
}

// ---- The state that was listed last, and this one

void Trials::compare(const Program& p, const StateBlock& block) {
  const bool another = serial_ != p.serial;
  if (another) {
    begin(p, block);
  } else {
    look_back(p, block);
    note_changes(p, block);
  }
  const SumRecord* const sums = sums_of(p, state_);
  for (NewPosition& position : tails_) position.begin_at(sums);
  odd_sums_ =
      std::any_of(sums, sums + p.sums.size(), [](const SumRecord& sum) { return sum.odd != 0; });
  if (another || std::ranges::any_of(known_, &KnownNumbers::full)) know_all(p);
  attached_ = false;
}

void Trials::begin(const Program& p, const StateBlock& block) {
  serial_ = p.serial;
  answers_.begin(p);
  tails_.assign(p.units.size(), {});
  for (const ActionInfo& action : p.actions)
    if (action.trial.tail >= 0) tails_[action.unit.index()] = {p, action.trial};
  state_ = block;
  look_back_in_ = p.players;
  looks_back_ = false;
}

namespace {

// So many zones at least are in other features.
int distance(const Program& p, const StateBlock& one, const StateBlock& other) {
  const std::uint64_t *const a = words_at(one, p.layout.features), *const b = words_at(
                                                                       other, p.layout.features);
  const std::size_t words = p.words, all = words * p.features.size();
  int out = 0;
  for (std::size_t w = 0; w < words; ++w) {
    std::uint64_t differ = 0;
    for (std::size_t f = w; f < all; f += words) differ |= a[f] ^ b[f];
    out += std::popcount(differ);
  }
  return out;
}

}  // namespace

// Whoever plays game after game, or searches, comes back to where many lines begin. So what is
// known there is remembered: of the first states after a leap back, one for each player.
void Trials::look_back(const Program& p, const StateBlock& block) {
  constexpr int far = 12;
  if (block.as<Header>().turn > state_.as<Header>().turn || distance(p, state_, block) < far) {
    if (look_back_in_ == 0 || --look_back_in_ != 0) return;
    back_state_ = state_;
    back_ = answers_;
    looks_back_ = true;
  } else if (looks_back_ && distance(p, back_state_, block) < far) {
    state_ = back_state_;
    answers_ = back_;
    look_back_in_ = 0;
  } else {
    look_back_in_ = p.players;
  }
}

// A feature never changes without a zone.
void Trials::note_changes(const Program& p, const StateBlock& block) {
  std::uint64_t* const changed = answers_.changes().data();
  compare_tokens(p, block, changed);
  compare_features(p, block, answers_.changes());
  answers_.change();
  std::memcpy(state_.data(), block.data(), p.layout.tokens);
}

// Which zones hold something else. Where tokens are what they were, so are zones, which are lists
// of them. The state that was listed last gets the tokens of this one.
void Trials::compare_tokens(const Program& p, const StateBlock& block, std::uint64_t* changed) {
  const std::size_t tokens_now = block.as<Header>().tokens,
                    tokens_then = state_.as<Header>().tokens, size = p.layout.token_size,
                    both = std::min(tokens_now, tokens_then), compared = both * size;
  for (std::size_t t = both; t < tokens_then; ++t)
    put(changed, zone_of_token(token_of(p, state_, t)));
  constexpr std::size_t many = 512, few = 64;  // bytes
  const std::byte* const now = token_of(p, block, 0);
  auto* const then = const_cast<std::byte*>(token_of(p, state_, 0));
  for (std::size_t begin = 0; begin < compared; begin += many) {
    const std::size_t end = std::min(compared, begin + many);
    if (std::memcmp(now + begin, then + begin, end - begin) == 0) continue;
    for (std::size_t at = begin; at < end; at += few) {
      const std::size_t bytes = std::min(few, end - at);
      if (std::memcmp(now + at, then + at, bytes) == 0) continue;
      for (std::size_t t = at / size; t * size < at + bytes; ++t)
        compare_token(p, now + t * size, then + t * size, changed);
    }
  }
  for (std::size_t t = both; t < tokens_now; ++t) {
    put(changed, zone_of_token(token_of(p, block, t)));
    know_token(p, token_of(p, block, t));
  }
  state_.resize_unset(block.size());
  const std::size_t first = p.layout.tokens + compared;
  std::memcpy(state_.data() + first, block.data() + first, block.size() - first);
}

void Trials::compare_token(const Program& p, const std::byte* now, std::byte* then,
                           std::uint64_t* changed) {
  const std::size_t size = p.layout.token_size;
  if (std::memcmp(now, then, size) == 0) return;
  put(changed, zone_of_token(now));
  put(changed, zone_of_token(then));
  // Another place among the others makes it no other token.
  constexpr std::size_t links = offsetof(TokenRecord, zone);
  if (std::memcmp(now + links, then + links, size - links) != 0) know_token(p, now);
  std::memcpy(then, now, size);
}

void Trials::compare_features(const Program& p, const StateBlock& block,
                              std::span<std::uint64_t> changed) const {
  const std::uint64_t *now = words_at(block, p.layout.features),
                      *then = words_at(state_, p.layout.features);
  std::uint64_t* fact = changed.data() + Reads::facts_at(0, true, p.words);
  std::uint64_t* const facts_end = changed.data() + changed.size();
  const int features = std::min(Reads::most_features, static_cast<int>(p.features.size()));
  for (int f = 0; f < features; ++f) {
    std::uint64_t any = 0;
    for (std::size_t w = 0; w < p.words; ++w, ++now, ++then) {
      any |= *now ^ *then;
      if (fact == facts_end) continue;
      fact[w] = *then & ~*now;
      fact[p.words + w] = *now & ~*then;
    }
    if (fact != facts_end) fact += 2 * p.words;
    if (any != 0) changed[Reads::features_at(p.words)] |= std::uint64_t{1} << f;
  }
}

void Trials::know_token(const Program& p, const std::byte* token) {
  const auto& record = *reinterpret_cast<const TokenRecord*>(token);
  for (std::size_t k = 0; k < known_.size(); ++k) {
    if (p.seen[k].zone != ZoneId(record.zone) || known_[k].full()) continue;
    const auto* cells = reinterpret_cast<const std::int32_t*>(&record + 1);
    std::int64_t numbers[most_prop_tests] = {};
    std::size_t count = 0;
    for (const int prop : p.seen[k].props) {
      const int column = p.types[record.type].column[prop];
      if (column >= 0 && cells[column] != missing_cell) numbers[count++] = cells[column];
    }
    // A token that lacks one of them is none of those that are counted.
    if (count == p.seen[k].props.size()) known_[k].add(mixed_numbers({numbers, count}));
  }
}

void Trials::know_all(const Program& p) {
  looks_back_ = false;  // its tokens would have to be known, too
  known_.resize(p.seen.size());
  for (KnownNumbers& numbers : known_) numbers.clear();
  for (std::size_t t = 0; t < state_.as<Header>().tokens; ++t)
    know_token(p, token_of(p, state_, t));
}

// ---- What comes last

Machine& Trials::machine_here(const Program& p) {
  if (workspace_ == nullptr) workspace_ = new_workspace();
  Machine& machine = workspace_->machine;
  if (!attached_) {
    machine.use(p);
    machine.attach(state_);
    attached_ = true;
  }
  return machine;
}

// Whether there is no such position in the zone, though what the state keeps of it does not say so.
bool Trials::never_there(const Program& p, const NewPosition& position, std::size_t number,
                         std::int64_t& budget) {
  KnownNumbers& known = known_[position.seen()];
  if (known.full() || known.has(position.mixed(answers_, number))) return false;
  budget -= work_of_asking + zones_of(p, state_)[position.zone().index()].count;
  return true;
}

// Those of sixty-four answers that lead on after what comes last, too.
std::uint64_t Trials::try_tails(const Asked& asked, std::size_t first, std::uint64_t which,
                                std::int64_t& budget) {
  if (which == 0) return 0;
  const NewPosition& position = tails_[asked.action.unit.index()];
  const std::int64_t work = work_of_instruction * std::ssize(asked.action.trial.steps);
  std::uint64_t doubtful = which, open = 0;
  if (position.is_all()) {
    doubtful =
        position.maybe_seen(answers_, first, which,
                            words_at(state_, asked.p.layout.seen) + position.seen() * seen_words);
    open = which & ~doubtful;
    budget -= work * std::popcount(open);
  }
  for (; doubtful != 0; doubtful &= doubtful - 1) {
    const std::uint64_t bit = doubtful & -doubtful;
    const std::size_t number = first + static_cast<std::size_t>(std::countr_zero(bit));
    if (position.is_all() && never_there(asked.p, position, number, budget)) {
      budget -= work;
      open |= bit;
    } else if (try_tail(asked, number, budget) == Way::open) {
      open |= bit;
    }
  }
  return open;
}

// On the state as it is, but with the sums as they would be.
Way Trials::try_tail(const Asked& asked, std::size_t number, std::int64_t& budget) {
  const Program& p = asked.p;
  Machine& machine = machine_here(p);
  Memory& memory = machine.memory();
  memory.touch();
  machine.steps_left = budget;
  const int player = memory.header().active;
  machine.set_players(player, player);
  auto* variables = memory.at<std::int64_t>(p.layout.globals);
  Truth truth = Truth::yes;
  for (const TrialPlan::Step& step : asked.action.trial.steps) {
    machine.steps_left -= work_of_instruction;
    if (step.kind == TrialPlan::Step::Kind::sum) {
      const KeptSum& def = p.sums[step.what];
      const std::int64_t sum = memory.sum(step.what).sum + answers_.gains(step.what)[number];
      machine.slot(step.slot) = Value::integer((step.start * def.whole + sum) % def.modulus);
    } else if (step.kind == TrialPlan::Step::Kind::var) {
      const VarInfo& info = p.gvars[step.what];
      variables[step.what] = std::clamp(machine.slot(step.slot).payload(), info.min, info.max);
    } else if (!surely_new(p, memory, step.what)) {
      truth = machine.test(step.what);
      if (truth != Truth::yes) break;
    }
  }
  budget = machine.steps_left;
  const auto* before = reinterpret_cast<const std::int64_t*>(asked.block.data() + p.layout.globals);
  for (const TrialPlan::Step& step : asked.action.trial.steps)
    if (step.kind == TrialPlan::Step::Kind::var) variables[step.what] = before[step.what];
  if (truth == Truth::no) return Way::dead;
  if (truth == Truth::fault) machine.clear_fault();
  return Way::open;
}

// ---- Trials

// What the trial up to its tail made of the state, and whether it can be kept.
void Trials::note_gains(const Asked& asked, const StateBlock& tried, const Reads& reads,
                        Answer& answer) {
  const Program& p = asked.p;
  for (const ZoneId z : asked.action.trial.zones) answer.holds &= !reads.has_zone(z);
  const SumRecord *const before = sums_of(p, asked.block), *const after = sums_of(p, tried);
  for (std::size_t s = 0; s < p.sums.size(); ++s) {
    const std::int64_t gain = after[s].sum - before[s].sum;
    answer.gains[s] = gain < 0 ? gain + p.sums[s].modulus : gain;
    answer.holds &= after[s].odd == before[s].odd;
  }
}

// By compiled code, on the copy of the state that is kept: of so many options one after the other.
// Nothing is known where that code gave up.
void Trials::try_compiled(const Asked& asked, const Table& table, std::uint64_t which,
                          std::int64_t budget) {
  const Program& p = asked.p;
  const PrintedFunction* const function = asked.program.printed_trials.empty()
                                              ? nullptr
                                              : asked.program.printed_trials[asked.action.unit];
  if (function == nullptr || state_.as<Header>().text_bytes != 0) return;
  const std::byte* const was_at = state_.data();
  const int player = state_.as<Header>().active;
  const bool few = state_.as<Header>().tokens < many_tokens;
  std::int64_t work = 0;
  PrintedHelp help;
  PrintedView view{.base = state_.data(),
                   .work = &work,
                   .active = player,
                   .actor = player,
                   .block = &state_,
                   .var_keys = p.var_keys.data(),
                   .token_keys = p.token_keys.data(),
                   .token_key_count = p.token_keys.size(),
                   .help = &help};
  Answer found[64];
  std::uint64_t answered = 0;
  for (; which != 0; which &= which - 1) {
    const auto place = static_cast<std::size_t>(std::countr_zero(which));
    const Reads reads(answers_.begin_reads(table.first + place));
    help.reads = &reads;
    help.moved = false;
    if (view.base != state_.data()) view.base = state_.data();
    work = budget / at_most_more;
    const int way = function->trial(view, table.option(place).id, -1, Value{});
    if (way != trouble) {
      Answer& answer = found[place];
      answer.work = at_most_more * (budget / at_most_more - work);
      answer.holds = few;
      answer.goes_on = way == to_tail;
      answer.open = way != no;
      answer.compiled = true;
      if (answer.goes_on) note_gains(asked, state_, reads, answer);
      answered |= which & -which;
    }
    if (help.moved) {
      state_ = asked.block;
    } else {  // only new tokens came behind the others
      state_.resize_unset(asked.block.size());
      std::memcpy(state_.data(), asked.block.data(), p.layout.tokens);
    }
  }
  // Not before all were tried: what was just noted in pieces is read in larger ones.
  for (; answered != 0; answered &= answered - 1) {
    const auto place = static_cast<std::size_t>(std::countr_zero(answered));
    answers_.put(table.first + place, found[place]);
  }
  attached_ = attached_ && state_.data() == was_at;
}

Way Trials::try_whole(const Asked& asked, Option option, std::size_t number, std::int64_t& budget) {
  const Program& p = asked.p;
  const TrialPlan& trial = asked.action.trial;
  Lease lease(p);
  Machine& machine = lease.machine();
  lease.block() = asked.block;
  machine.attach(lease.block());
  machine.set_trial(Machine::Trial::looking);
  machine.steps_left = budget;
  std::uint64_t looked_into[KeptAnswers::most_reads] = {};
  const Reads reads(looked_into);
  machine.note_reads(&reads, trial.tail);
  Run run = Run::failed;
  const bool begun = machine.begin_move(option);
  if (begun) {
    for (const ParamInfo& param : asked.action.params)
      if (const Value v = machine.slot(param.slot); v.is_token())
        put(looked_into, machine.memory().zone_of(v.as_token()));
    run = machine.run(Until::nothing_refuses);
  }
  Answer answer{.work = budget - machine.steps_left,
                .gains = {},
                .holds = machine.header().tokens < many_tokens &&
                         (run == Run::done || (machine.failed() && machine.fault().illegal)),
                .goes_on = run == Run::done && trial.tail >= 0 && machine.stands_at(trial.tail),
                .open = false,
                .compiled = false};
  if (answer.goes_on) {
    note_gains(asked, lease.block(), reads, answer);
    machine.note_reads(nullptr, -1);
    run = machine.run(Until::nothing_refuses);
  }
  budget = machine.steps_left;
  Way way = Way::open;
  if (run != Run::done && budget < 0)
    way = Way::unknown, answer.holds &= answer.goes_on;
  else if (run != Run::done && (!machine.failed() || machine.fault().illegal))
    way = Way::dead;
  answer.open = way != Way::dead;
  std::uint64_t* const noted = answers_.begin_reads(number);
  std::copy_n(looked_into, answers_.changes().size(), noted);
  answers_.put(number, answer);
  return way;
}

// ---- Answers

// Those of sixty-four answers that still hold.
std::uint64_t Trials::usable(const Asked& asked, std::size_t first) {
  const KeptAnswers::Known& known = answers_.known(first);
  std::uint64_t bits = known.hold;
  if (asked.compiled == nullptr) bits &= ~known.compiled;
  // What is kept of such sums does not say what they come to.
  if (odd_sums_) bits &= ~known.goes_on;
  return bits;
}

bool Trials::can_reuse(const Asked& asked, std::size_t number, std::int64_t budget) {
  const std::int64_t left = budget - answers_.work(number);
  return has(usable(asked, number), number) && left >= 0 &&
         (left > enough || !has(answers_.known(number).goes_on, number));
}

void Trials::begin_listing(const Program& p, const StateBlock& block, std::uint64_t listing) {
  if (listing_ != listing || serial_ != p.serial) compare(p, block);
  listing_ = listing;
}

Way Trials::look_ahead(const Program& program, const ActionInfo& action, const StateBlock& block,
                       std::uint64_t listing, Option option, std::int64_t& budget, bool* compiled) {
  if (budget <= 0) return Way::unknown;
  // The interpreter notes what it looks into as it evaluates what was written.
  const Program& p = program.as_written();
  begin_listing(p, block, listing);
  const Asked asked{program, p, action, block, compiled};
  const int player = block.as<Header>().active;
  std::size_t number = 0;
  if (action.trial.by_zone) {
    const auto index = static_cast<int>(&action - program.actions.data());
    number = answers_.first_of(index, player) + (option.id >> action_bits) +
             static_cast<std::size_t>(action.params[0].base);
  } else {
    number = answers_.number_of(option, player);
  }
  const std::uint64_t bit = std::uint64_t{1} << (number % 64);
  if (!can_reuse(asked, number, budget)) {
    if (compiled != nullptr)
      try_compiled(asked, {number - number % 64, 0 - number % 64, option.id}, bit, budget);
    if (!can_reuse(asked, number, budget)) return try_whole(asked, option, number, budget);
  }
  const KeptAnswers::Known& known = answers_.known(number);
  if (compiled != nullptr) *compiled |= has(known.compiled, number);
  budget -= answers_.work(number);
  const bool open = has(known.goes_on, number)
                        ? try_tails(asked, number - number % 64, bit, budget) != 0
                        : has(known.open, number);
  return open ? Way::open : Way::dead;
}

// Those of sixty-four options that nothing is known of: they are tried. What holds for this time
// alone is decided `once`. False: the budget does not last.
bool Trials::try_unknown(const Asked& asked, const Table& table, std::uint64_t which,
                         Found& found) {
  if (asked.compiled != nullptr) {
    try_compiled(asked, table, which, found.budget);
    which &= ~usable(asked, table.first);
  }
  for (; which != 0; which &= which - 1) {
    const auto place = static_cast<std::size_t>(std::countr_zero(which));
    if (found.budget <= 0) return false;
    const Way way = try_whole(asked, table.option(place), table.first + place, found.budget);
    if (way == Way::unknown) return false;
    found.once |= which & -which;
    if (way == Way::open) found.open |= which & -which;
  }
  return true;
}

// What these answers take, all of which hold. Compiled code may count more.
std::int64_t Trials::work_of(const Asked& asked, std::size_t first, std::uint64_t which,
                             std::int64_t budget) {
  const std::int64_t all = answers_.known(first).work;
  if (asked.compiled != nullptr && all < budget / 2) return all;
  std::int64_t work = 0;
  for (; which != 0; which &= which - 1)
    work += answers_.work(first + static_cast<std::size_t>(std::countr_zero(which)));
  return work;
}

// Each option may use half of what is left of a budget, or what is left. Where all of them together
// take less than a quarter, it makes no difference in which order they do, and every answer that is
// kept could be used (can_reuse).
bool Trials::look_ahead(const Program& program, const ActionInfo& action, const StateBlock& block,
                        std::uint64_t listing, std::span<std::uint64_t> zones, std::int64_t& budget,
                        bool* compiled) {
  const std::int64_t most = budget / 4 - enough;
  if (most <= 0) return false;
  const Program& p = program.as_written();
  begin_listing(p, block, listing);
  const Asked asked{program, p, action, block, compiled};
  const auto index = static_cast<std::uint64_t>(&action - program.actions.data());
  const std::size_t first = answers_.first_of(static_cast<int>(index), block.as<Header>().active);
  std::uint64_t open[most_words];
  Found found{.budget = most};
  for (std::size_t w = 0; w < zones.size(); ++w) {
    found.once = found.open = 0;
    const Table table{.first = first + w * 64,
                      .zone = w * 64 - static_cast<std::size_t>(action.params[0].base),
                      .id = index};
    const std::uint64_t unknown = zones[w] & ~usable(asked, table.first);
    if (unknown != 0 && !try_unknown(asked, table, unknown, found)) return false;
    const KeptAnswers::Known& about = answers_.known(table.first);
    const std::uint64_t known = zones[w] & ~found.once;
    found.budget -= work_of(asked, table.first, known, found.budget);
    open[w] = found.open | (known & ~about.goes_on & about.open) |
              try_tails(asked, table.first, known & about.goes_on, found.budget);
    if (compiled != nullptr) *compiled |= (known & about.compiled) != 0;
  }
  if (found.budget < 0) return false;
  std::copy_n(open, zones.size(), zones.data());
  budget -= most - found.budget;
  return true;
}

}  // namespace parlor::kernel
