#include "kernel/know/worlds.h"

#include "kernel/kernel.h"
#include "kernel/program/params.h"
#include "kernel/turn/outcome.h"

namespace parlor::kernel {

KeptWorlds& KeptWorlds::of_this_thread() {
  // What is loaded later (Python's module, modules of rules) has little room for each thread.
  thread_local const std::unique_ptr<KeptWorlds> worlds = std::make_unique<KeptWorlds>();
  return *worlds;
}

bool KeptWorlds::knows(const Program& p, const StateBlock& real, const Eyes& eyes) const {
  return serial_ == p.serial && viewer_ == eyes.number() && sees_all_ == eyes.see_all() &&
         profile_ == eyes.profile() && real_.size() == real.size() &&
         std::memcmp(real_.data(), real.data(), real.size()) == 0;
}

bool KeptWorlds::differ_in_tokens_only(const Program& p) const {
  const Header& h = real_.as<Header>();
  return p.secrets.tokens && !p.secrets.clouds && p.secrets.props.empty() &&
         p.secrets.cells.empty() && !p.secrets.course && !p.options.explicit_chance &&
         !p.simultaneous &&
         (h.decision != DecisionKind::action || p.phases[h.phase].instant.is_none());
}

void KeptWorlds::look_at(const KernelGame& game, const StateBlock& real, const Eyes& eyes) {
  const Program& p = game.program();
  if (knows(p, real, eyes)) return;
  serial_ = p.serial;
  viewer_ = eyes.number();
  sees_all_ = eyes.see_all();
  profile_ = eyes.profile();
  real_ = real;
  hides_ = p.secrets.any && !eyes.see_all();
  over_ = real_.as<Header>().decision == DecisionKind::finished;
  tokens_only_ = hides_ && !over_ && differ_in_tokens_only(p);
  checks_ = hides_ && (p.secrets.forks || over_ || p.secrets.clouds);
  if (hides_ && p.secrets.tokens) {
    Lease lease(p);
    lease.machine().attach(real_);
    Rng none;
    Dealer(lease.machine(), eyes, none, plan_).make_plan();
  }
  evidence_ = {};
  if (checks_ && over_)
    evidence_.ended = game.outcome(real_);
  else if (checks_)
    game.find_evidence(real_, eyes, evidence_);
  if (worlds_ != 0) numbers_.fill(0);
  worlds_ = 0;
}

bool KeptWorlds::deal(const KernelGame& game, const Eyes& eyes, StateBlock& world, Rng& rng) {
  const Program& p = game.program();
  if (!hides_) {
    world = real_;
    reseed(p, world.as<Header>().rng, world.as<Header>().seed, rng);
    return true;
  }
  for (int tries = 0; tries < most_worlds; ++tries) {
    Verdict& verdict =
        tokens_only_ ? deal_tokens_only(p, eyes, world, rng) : deal_all(game, eyes, world, rng);
    if (!checks_) return true;
    if (verdict == Verdict::unknown)
      verdict = game.plausible(world, eyes, evidence_) ? Verdict::fits : Verdict::contradicts;
    if (verdict == Verdict::fits) return true;
  }
  game.worlds_given_up_.fetch_add(1, std::memory_order_relaxed);
  if (over_) world = real_;
  return false;
}

// ---- Worlds that are kept

// Where the number of this world stands, or is to stand.
inline std::uint16_t& KeptWorlds::number_of(std::uint64_t dealt) {
  static_assert(places == 512);
  std::size_t at = (dealt * 0x9e3779b97f4a7c15) >> (64 - 9);
  while (numbers_[at] != 0 && kept_[numbers_[at] - 1u].dealt != dealt) at = (at + 1) % places;
  return numbers_[at];
}

KeptWorlds::Verdict& KeptWorlds::keep(std::uint64_t dealt, const StateBlock& world) {
  if (worlds_ == most_kept) return other_;
  std::uint16_t& number = number_of(dealt);
  if (kept_.size() == worlds_) kept_.emplace_back();
  Kept& kept = kept_[worlds_++];
  kept.dealt = dealt;
  kept.block = world;
  kept.verdict = Verdict::unknown;
  number = static_cast<std::uint16_t>(worlds_);
  return kept.verdict;
}

void KeptWorlds::carry_out(const Program& p, const Eyes& eyes, StateBlock& world, Rng& rng) {
  world = real_;
  Lease lease(p);
  Machine& machine = lease.machine();
  machine.attach(world);
  machine.begin_write();
  Dealer(machine, eyes, rng, plan_).carry_out();
  machine.detach();
  if (world.as<Header>().decision == DecisionKind::action)
    std::fill_n(world.as<Header>().instant, instant_words, 0);
}

// The tokens; verdict and world are kept where they are few.
KeptWorlds::Verdict& KeptWorlds::deal_tokens(const Program& p, const Eyes& eyes, StateBlock& world,
                                             Rng& rng) {
  other_ = Verdict::unknown;
  std::uint64_t dealt = 0;
  if (plan_.is_free()) {
    dealt = plan_.assign_free(rng);
  } else {
    int tries = 0;
    while (!plan_.assign(rng) && tries <= most_worlds) ++tries;
    if (tries > most_worlds) return world = real_, other_;  // knowledge that contradicts itself
    if (!plan_.is_short()) return carry_out(p, eyes, world, rng), other_;
    dealt = plan_.assigned();
  }
  if (const std::uint16_t number = number_of(dealt); number != 0) [[likely]] {
    Kept& kept = kept_[number - 1u];
    world = kept.block;
    return kept.verdict;
  }
  if (plan_.is_free()) plan_.take(dealt);
  carry_out(p, eyes, world, rng);
  return keep(dealt, world);
}

KeptWorlds::Verdict& KeptWorlds::deal_tokens_only(const Program& p, const Eyes& eyes,
                                                  StateBlock& world, Rng& rng) {
  Rng luck = real_.as<Header>().rng;
  std::uint64_t seed = real_.as<Header>().seed;
  reseed(p, luck, seed, rng);
  Verdict& verdict = deal_tokens(p, eyes, world, rng);
  world.as<Header>().rng = luck;
  world.as<Header>().seed = seed;
  return verdict;
}

// ---- Worlds that are made anew

KeptWorlds::Verdict& KeptWorlds::deal_all(const KernelGame& game, const Eyes& eyes,
                                          StateBlock& world, Rng& rng) {
  const Program& p = game.program();
  world = real_;
  Lease lease(p);
  Machine& machine = lease.machine();
  machine.attach(world);
  Dealer dealer(machine, eyes, rng, plan_);
  reseed(p, machine.header().rng, machine.header().seed, rng);
  machine.begin_write();
  dealer.deal_tokens();
  dealer.draw_values();
  dealer.draw_variables();
  machine.detach();
  if (p.simultaneous) game.hand_in_anew(world, eyes, rng);
  game.refresh_instant(world);
  return other_ = Verdict::unknown;
}

// ---- Whether a world fits

// What is told in any case must be the same there: the options of whoever looks, that the game goes
// on, how it has ended, and what the rules call certain.
bool KernelGame::plausible(const StateBlock& block, const Eyes& eyes,
                           const Evidence& evidence) const {
  const Program& p = *program_;
  Lease lease(p);
  Machine& machine = lease.machine();
  machine.attach(readable(block));
  const Header& h = machine.header();
  if (evidence.ended) {
    Outcome ended;
    final_outcome(machine, ended);
    return to_json(ended) == to_json(*evidence.ended);
  }
  {
    Machine::Scratch scratch(machine, p.certain_unit.is_none() ? UnitId(0) : p.certain_unit,
                             h.active, h.active);
    for (const NodeId node : p.certain)
      if (machine.test(node) != Truth::yes) return machine.clear_fault(), false;
  }
  for (const ZoneId z : p.zones.ids())
    if (p.zones[z].count_hidden && !machine.fits_stacking(z)) return false;
  if (!p.secrets.forks) return true;
  if (h.decision == DecisionKind::action && machine.would_end()) return false;
  const bool own = h.decision != DecisionKind::chance && h.decider == eyes.player();
  OptionList now;
  list_options(block, now);
  if (!own) return !now.empty();
  return std::ranges::equal(now, evidence.options) &&
         places_offered(block, now, eyes) == evidence.places;
}

// Ids of options about unseen tokens are mere numbers (secrets.cpp); what they show is a place.
Json KernelGame::places_offered(const StateBlock& block, const OptionList& options,
                                const Eyes& eyes) const {
  StateBlock room;
  Lease lease(*program_);
  Machine& machine = lease.machine();
  machine.attach(readable(at_hand(block, room)));
  const bool selects = machine.header().decision == DecisionKind::action;
  const auto by_place = [&](Option option) {
    if (!selects) return !machine.is_confirm(option) && machine.option_value(option).is_token();
    const int action = action_of(option);
    return action < std::ssize(program_->actions) && !program_->actions[action].packed;
  };
  machine.set_asker(&eyes);
  Json out;
  std::vector<std::pair<Option, Json>> counted;  // of one action, from an option on
  std::size_t at = 0;
  for (const Option option : options) {
    if (!by_place(option)) continue;
    if (!selects) {
      out.push_back(machine.json_of(machine.option_value(option)));
      continue;
    }
    std::string action;
    if (!machine.counts_params(option)) {
      out.push_back(machine.move_params(option, action));
      continue;
    }
    while (at < counted.size() && counted[at].first != option) ++at;
    if (at == counted.size()) {
      counted.clear();
      machine.all_params(option, counted);
      for (at = 0; at < counted.size() && counted[at].first != option;) ++at;
    }
    out.push_back(at < counted.size() ? std::move(counted[at].second)
                                      : machine.move_params(option, action));
  }
  return out;
}

void KernelGame::find_evidence(const StateBlock& block, const Eyes& eyes,
                               Evidence& evidence) const {
  const Header& h = block.as<Header>();
  if (h.decision == DecisionKind::chance || h.decider != eyes.player()) return;
  list_options(block, evidence.options);
  evidence.places = places_offered(block, evidence.options, eyes);
}

// ---- For whoever plays

void KernelGame::resample_hidden(StateBlock& block, const Viewer& viewer, Rng& rng) const {
  const Eyes eyes(*program_, profiles_, viewer);
  if (eyes.see_all() || !program_->secrets.any)
    return reseed(*program_, block.as<Header>().rng, block.as<Header>().seed, rng);
  KeptWorlds& worlds = KeptWorlds::of_this_thread();
  worlds.look_at(*this, block, eyes);
  worlds.deal(*this, eyes, block, rng);
}

std::unique_ptr<Worlds> KernelGame::worlds() const {
  return std::make_unique<WorldsOfGame>(*this);
}

void WorldsOfGame::look_at(const StateBlock& real, const Viewer& viewer) {
  eyes_.emplace(game_.eyes_of(viewer));
  kept_.look_at(game_, real, *eyes_);
}

}  // namespace parlor::kernel
