#include "kernel/know/hidden.h"

#include <algorithm>

#include "kernel/kernel.h"
#include "kernel/know/course.h"
#include "kernel/know/past.h"
#include "kernel/turn/outcome.h"

namespace parlor::kernel {

// ---- Tokens

void Dealer::make_plan() {
  DealPlan& plan = plan_;
  plan.places = p_.secrets.places;
  const Knowledge knowledge(memory_);
  plan.unknown.clear();
  plan.may.assign(m_.header().tokens * static_cast<std::size_t>(plan.places), 0);
  for (const TokenId t : memory_.tokens()) {
    if (eyes_.know(memory_, t)) continue;
    plan.unknown.push_back(t);
    for (int place = 0; place < plan.places; ++place)
      plan.may[t.value * plan.places + place] = knowledge.may_be(t, eyes_.number(), place) ? 1 : 0;
  }
  plan.slots.clear();
  plan.all.resize(static_cast<std::size_t>(plan.places));
  for (auto& slots : plan.all) slots.clear();
  const auto add = [&](ZoneId z, int place, TokenId t) {
    plan.all[place].push_back(static_cast<int>(plan.slots.size()));
    plan.slots.push_back({z, place, t, TokenId::none()});
  };
  for (const ZoneId z : p_.zones.ids()) {
    const int place = p_.zones[z].place;
    if (place < 0) continue;
    for (const TokenId t : memory_.tokens_in(z))
      if (!eyes_.know(memory_, t)) add(z, place, t);
  }
  // Out of play there is no order; what others know of it tells those places apart.
  std::vector<TokenId> gone;
  for (const TokenId t : plan.unknown)
    if (memory_.zone_of(t).is_none()) gone.push_back(t);
  std::ranges::stable_sort(gone, {}, [&](TokenId t) { return memory_.sight(t).known; });
  for (const TokenId t : gone) add(ZoneId::none(), p_.secrets.places - 1, t);
}

std::size_t DealPlan::room_for(TokenId t) const {
  std::size_t room = 0;
  for (int place = 0; place < places; ++place)
    if (allowed(t, place)) room += open_[place].size();
  return room;
}

// A free slot where the token may be, each equally likely. If there is none, another token makes
// room, if it can go elsewhere.
bool DealPlan::place_token(TokenId t, int depth, Rng& rng) {
  if (const std::size_t room = room_for(t); room > 0) {
    std::size_t pick = rng.below(room);
    for (int place = 0; place < places; ++place) {
      auto& open = open_[place];
      if (!allowed(t, place)) continue;
      if (pick >= open.size()) {
        pick -= open.size();
        continue;
      }
      slots[open[pick]].next = t;
      open[pick] = open.back();
      open.pop_back();
      return true;
    }
  }
  if (depth == 0) return false;
  for (int place = 0; place < places; ++place) {
    if (!allowed(t, place)) continue;
    for (const int s : all[place]) {
      Slot& slot = slots[s];
      const TokenId other = std::exchange(slot.next, t);
      if (place_token(other, depth - 1, rng)) return true;
      slot.next = other;
    }
  }
  return false;
}

// Tokens with the fewest places first: where the sets of places lie inside each other or apart, so
// that no choice takes anything from those that follow, every way to deal is equally likely.
bool DealPlan::assign(Rng& rng) {
  open_ = all;
  for (Slot& slot : slots) slot.next = {};
  in_turn_.clear();
  for (const TokenId t : unknown) in_turn_.emplace_back(room_for(t), t);
  for (std::size_t k = in_turn_.size(); k > 1; --k)
    std::swap(in_turn_[k - 1], in_turn_[rng.below(k)]);
  // By hand where there are few: std::stable_sort takes memory.
  if (in_turn_.size() > 16) {
    std::ranges::stable_sort(in_turn_, {}, &std::pair<std::size_t, TokenId>::first);
  } else {
    for (std::size_t k = 1; k < in_turn_.size(); ++k)
      for (std::size_t j = k; j > 0 && in_turn_[j].first < in_turn_[j - 1].first; --j)
        std::swap(in_turn_[j], in_turn_[j - 1]);
  }
  return std::ranges::all_of(in_turn_,
                             [&](const auto& next) { return place_token(next.second, 3, rng); });
}

// As the course of play can have left them. False: it does not say.
bool Dealer::assign_by_course() {
  const Placements& all = possible_placements(m_, eyes_);
  if (all.empty()) return false;
  const std::span<const std::int16_t> zones = all.draw(rng_);
  Table<ZoneId, std::vector<TokenId>> lying(p_.zones.size() + 1);  // the last: out of play
  const auto in = [&](ZoneId zone) -> std::vector<TokenId>& {
    return zone.is_none() ? lying.back() : lying[zone];
  };
  for (const TokenId t : plan_.unknown) in(Placements::zone_of(zones[t.index()])).push_back(t);
  for (auto& tokens : lying)
    for (std::size_t k = tokens.size(); k > 1; --k) std::swap(tokens[k - 1], tokens[rng_.below(k)]);
  for (Slot& slot : plan_.slots) {
    if (in(slot.zone).empty()) return false;
    slot.next = in(slot.zone).back();
    in(slot.zone).pop_back();
  }
  return true;
}

void Dealer::move_tokens() {
  // Zones whose count is hidden get any number of what lies in their place.
  for (Slot& slot : plan_.slots) {
    if (slot.zone.is_none() || !p_.zones[slot.zone].count_hidden) continue;
    const auto& zones = p_.secrets.zones_of_place[slot.place];
    slot.zone = zones[rng_.below(zones.size())];
  }
  Table<ZoneId, std::vector<TokenId>> content(p_.zones.size());
  Table<ZoneId, bool> changed(p_.zones.size());
  NewNames names(m_.header().tokens);
  Table<ZoneId, std::vector<TokenId>> pools(p_.zones.size());
  for (const Slot& slot : plan_.slots) {
    names.set(slot.token, slot.next);
    if (p_.options.explicit_chance && !slot.zone.is_none() && memory_.pool(slot.zone) != 0) {
      auto& rest = pools[slot.zone];
      rest.push_back(slot.next);
      names.set_pool(slot.token, rest);
    }
    if (!slot.zone.is_none()) changed[slot.zone] = true;
    if (const ZoneId z = memory_.zone_of(slot.token); !z.is_none()) changed[z] = true;
  }
  for (const ZoneId z : p_.zones.ids()) {
    if (!changed[z]) continue;
    const bool cloud = p_.zones[z].count_hidden;
    auto& order = content[z];
    for (const TokenId t : memory_.tokens_in(z)) {
      const TokenId now = names.by_place(t);
      if (now.is_none() || !cloud) order.push_back(now.is_none() ? t : now);
    }
  }
  for (const Slot& slot : plan_.slots)
    if (!slot.zone.is_none() && p_.zones[slot.zone].count_hidden)
      content[slot.zone].push_back(slot.next);
  for (const Slot& slot : plan_.slots)
    if (slot.zone.is_none()) memory_.take_out(slot.next);
  for (const ZoneId z : p_.zones.ids())
    if (changed[z]) memory_.refill(z, content[z]);
  m_.rename_tokens(names);
}

// What others know of a place, they know of what lies there now. Where they may suspect a token is
// not the viewer's to know: as far as the viewer goes, wherever it may be.
void Dealer::move_knowledge() {
  const Knowledge knowledge(memory_);
  std::vector<TokenSight> old;
  for (const Slot& slot : plan_.slots) old.push_back(memory_.sight(slot.token));
  for (std::size_t s = 0; s < plan_.slots.size(); ++s) {
    const TokenId t = plan_.slots[s].next;
    memory_.write_sight(t, {old[s].known & ~eyes_.bit(), old[s].shown & ~eyes_.bit()});
    const std::uint8_t* mine = memory_.places(t, eyes_.number());
    for (int v = 0; v < p_.secrets.viewers; ++v) {
      if (v == eyes_.number()) continue;
      std::uint8_t* theirs = memory_.places(t, v);
      std::memcpy(theirs, mine, static_cast<std::size_t>(p_.secrets.set_bytes));
      if ((memory_.sight(t).known & Knowledge::bit_of(p_, v)) == 0) continue;
      std::memset(theirs, 0, static_cast<std::size_t>(p_.secrets.set_bytes));
      if (const int place = knowledge.place_of(memory_.zone_of(t)); place >= 0)
        theirs[place >> 3] = static_cast<std::uint8_t>(1 << (place & 7));
    }
  }
}

void Dealer::deal_tokens() {
  if (!p_.secrets.tokens) return;
  make_plan();
  const bool by_course = p_.secrets.course && assign_by_course();
  if (by_course || assign()) carry_out();
}

// False: knowledge that contradicts itself; all is left as it is.
bool Dealer::assign() {
  for (int tries = 0; !plan_.assign(rng_); ++tries)
    if (tries == most_worlds) return false;
  return true;
}

void Dealer::carry_out() {
  move_tokens();
  move_knowledge();
  if (p_.secrets.course) Course(memory_).keep_for(eyes_.number());
  if (p_.options.explicit_chance) m_.settle_pools();
}

// Values of properties that were rolled or chosen and that the viewer has not seen.
void Dealer::draw_values() {
  if (!p_.secrets.tokens) return;
  for (const TokenId t : memory_.tokens()) {
    if (eyes_.know(memory_, t)) continue;
    const TypeInfo& type = p_.types[memory_.token(t).type];
    for (std::size_t k = 0; k < p_.secrets.props.size(); ++k) {
      const ValueRange range = memory_.ranges(t)[k];
      const int prop = p_.secrets.props[k];
      if (range.low > range.high || type.column[prop] < 0) continue;
      const auto drawn = static_cast<std::int32_t>(rng_.between(range.low, range.high));
      const bool text = type.cell[prop] == CellType::symbol;
      const auto& words = p_.secrets.words[prop];
      memory_.write_cell(t, prop, text ? words[drawn] : drawn);
    }
  }
}

void Dealer::draw_variables() {
  for (std::size_t k = 0; k < p_.secrets.cells.size(); ++k) {
    const int cell = p_.secrets.cells[k];
    const VarRange range = memory_.var_range(static_cast<int>(k));
    if (range.low > range.high || ((m_.var_sight(cell) | range.known) & eyes_.bit()) != 0) continue;
    if (eyes_.see_cell(cell)) continue;  // an observer may see more than a spectator
    memory_.write_var_cell(cell, rng_.between(range.low, range.high));
  }
}

void Dealer::reseed() {
  Header& h = m_.header();
  if (!p_.has_chance || p_.options.explicit_chance) return;
  h.rng = rng_.child();
  if (p_.uses_streams) h.seed = rng_.next();
}

// ---- Worlds that are kept

Worlds& Worlds::of_this_thread() {
  thread_local Worlds worlds;
  return worlds;
}

bool Worlds::can_keep(const Program& p, const StateBlock& block) {
  const Header& h = block.as<Header>();
  return p.secrets.tokens && !p.secrets.clouds && p.secrets.props.empty() &&
         p.secrets.cells.empty() && !p.secrets.course && !p.options.explicit_chance &&
         !p.simultaneous &&
         (h.decision != DecisionKind::action || p.phases[h.phase].instant.is_none());
}

bool Worlds::knows(const Program& p, const StateBlock& block, const Eyes& eyes) const {
  return serial_ == p.serial && viewer_ == eyes.number() && profile_ == eyes.profile() &&
         real_.size() == block.size() && std::memcmp(real_.data(), block.data(), block.size()) == 0;
}

std::uint64_t Worlds::key() const {
  std::uint64_t key = 0;
  for (const DealPlan::Slot& slot : plan_.slots) key = key << 10 | (slot.next.index() + 1);
  return key;
}

void Worlds::look_at(const Program& p, const StateBlock& block, const Eyes& eyes) {
  serial_ = p.serial;
  viewer_ = eyes.number();
  profile_ = eyes.profile();
  real_ = block;
  worlds_ = 0;
  Lease lease(p);
  lease.machine().attach(real_);
  Rng none;
  Dealer(lease.machine(), eyes, none, plan_).make_plan();
}

void Worlds::carry_out(const Program& p, StateBlock& block, const Eyes& eyes, Rng& rng) {
  block = real_;
  Lease lease(p);
  Machine& machine = lease.machine();
  machine.attach(block);
  machine.begin_write();
  Dealer(machine, eyes, rng, plan_).carry_out();
  machine.detach();
  if (block.as<Header>().decision == DecisionKind::action)
    std::fill_n(block.as<Header>().instant, instant_words, 0);
}

Worlds::Verdict& Worlds::deal(const Program& p, StateBlock& block, const Eyes& eyes, Rng& rng) {
  Rng luck = real_.as<Header>().rng;
  std::uint64_t seed = real_.as<Header>().seed;
  if (p.has_chance) {
    luck = rng.child();
    if (p.uses_streams) seed = rng.next();
  }
  other_ = Verdict::unknown;
  Verdict* verdict = &other_;
  int tries = 0;
  while (!plan_.assign(rng) && tries <= most_worlds) ++tries;
  if (tries > most_worlds) {
    block = real_;  // knowledge that contradicts itself
  } else {
    // A key is of so many tokens below 1023.
    const bool few = plan_.slots.size() <= most_tokens && real_.as<Header>().tokens < 1023;
    const std::uint64_t wanted = few ? key() : 0;
    std::size_t at = 0;
    while (few && at < worlds_ && kept_[at].key != wanted) ++at;
    if (few && at < worlds_) {
      block = kept_[at].block;
      verdict = &kept_[at].verdict;
    } else {
      carry_out(p, block, eyes, rng);
      if (few && worlds_ < most_kept) {
        if (kept_.size() == worlds_) kept_.emplace_back();
        kept_[worlds_].key = wanted;
        kept_[worlds_].block = block;
        kept_[worlds_].verdict = Verdict::unknown;
        verdict = &kept_[worlds_++].verdict;
      }
    }
  }
  block.as<Header>().rng = luck;
  block.as<Header>().seed = seed;
  return *verdict;
}

// ---- A half-made move

namespace {

// Lists of the arena that something refers to, so that what nothing refers to can be cleared.
class Renamer {
 public:
  Renamer(std::vector<Value>& arena, NewNames& names)
      : arena_(arena), names_(names), used_(arena.size()) {}

  void rename(Value& v) {
    v = names_.meant(v);
    const auto at = static_cast<std::size_t>(v.payload());
    if ((v.tag() != Tag::list && v.tag() != Tag::text) || at >= arena_.size() || used_[at]) return;
    const std::size_t size = arena_[at].bits;
    const std::size_t cells = v.is_list() ? size : (size + 7) / 8;
    const std::size_t end = std::min(arena_.size(), at + 1 + cells);
    for (std::size_t i = at; i < end; ++i) used_[i] = true;
    for (std::size_t i = at + 1; v.is_list() && i < end; ++i) rename(arena_[i]);
  }
  void clear_rest() {
    for (std::size_t i = 0; i < arena_.size(); ++i)
      if (!used_[i]) arena_[i] = {};
  }

 private:
  std::vector<Value>& arena_;
  NewNames& names_;
  std::vector<bool> used_;
};

}  // namespace

void Doubts::rename_tokens(NewNames& names) {
  Renamer renamer(arena_, names);
  for (std::int32_t i = 0; i < slot_top_; ++i) renamer.rename(slots_[i]);
  for (TemplateBinding& binding : templates_) {
    for (Value& key : binding.keys) renamer.rename(key);
    renamer.rename(binding.value);
  }
  for (Happening& event : events_) {
    renamer.rename(event.before);
    renamer.rename(event.after);
  }
  renamer.clear_rest();
  auto* records = memory_.at<EffectRecord>(p_->layout.effects);
  for (int k = 0; k < header().effects; ++k) renamer.rename(records[k].target);
  rename_variables(names);
  whole().rename_submissions(names);
}

// A variable that holds a token is public, as far as its place goes.
void Doubts::rename_variables(NewNames& names) {
  int cell = 0;
  const auto rename = [&](const Vars& vars, int owners) {
    for (int owner = 0; owner < owners; ++owner)
      for (const VarInfo& var : vars) {
        const std::int64_t held = memory_.var_cell(cell);
        if (var.type == spec::VarType::token && held >= 0)
          memory_.write_var_cell(cell, names.meant(Value::token(TokenId(held))).payload());
        ++cell;
      }
  };
  rename(p_->gvars, 1);
  rename(p_->pvars, p_->players);
  rename(p_->zvars, p_->zone_count);
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
    const std::size_t action = option.id & ((std::uint64_t{1} << action_bits) - 1);
    return action < program_->actions.size() && !program_->actions[action].packed;
  };
  machine.set_asker(&eyes);
  Json out;
  for (const Option option : options) {
    if (!by_place(option)) continue;
    std::string action;
    out.push_back(selects ? machine.move_params(option, action)
                          : machine.json_of(machine.option_value(option)));
  }
  return out;
}

namespace {

// The evidence of the state that was looked at last: a search makes worlds of the same one again
// and again.
class LastEvidence {
 public:
  bool is_of(const Program& p, const StateBlock& block, const Eyes& eyes) const {
    return serial_ == p.serial && viewer_ == eyes.number() && profile_ == eyes.profile() &&
           real_.size() == block.size() &&
           std::memcmp(real_.data(), block.data(), block.size()) == 0;
  }
  void look_at(const Program& p, const StateBlock& block, const Eyes& eyes) {
    serial_ = p.serial;
    viewer_ = eyes.number();
    profile_ = eyes.profile();
    real_ = block;
    evidence = {};
  }

  Evidence evidence;

 private:
  std::uint64_t serial_ = 0;  // of the Program; 0: none
  int viewer_ = -1;
  const Profile* profile_ = nullptr;
  StateBlock real_;
};

}  // namespace

void KernelGame::resample_hidden(StateBlock& block, const Viewer& viewer, Rng& rng) const {
  const Program& p = *program_;
  const Eyes eyes(p, profiles_, viewer);
  if (eyes.see_all() || !p.secrets.any) return make_world(block, eyes, rng);
  const Header& h = block.as<Header>();
  const bool over = h.decision == DecisionKind::finished;
  if (!over && Worlds::can_keep(p, block)) return resample_tokens(block, eyes, rng);
  const bool checks = p.secrets.forks || over || p.secrets.clouds;
  thread_local LastEvidence last;
  if (checks && !last.is_of(p, block, eyes)) {
    last.look_at(p, block, eyes);
    if (over)
      last.evidence.ended = outcome(block);
    else
      find_evidence(block, eyes, last.evidence);
  }
  StateBlock real;
  if (checks && over) real = block;
  for (int tries = 0; tries < most_worlds; ++tries) {
    make_world(block, eyes, rng);
    if (!checks || plausible(block, eyes, last.evidence)) return;
  }
  worlds_given_up_.fetch_add(1, std::memory_order_relaxed);
  if (over) block = real;
}

void KernelGame::find_evidence(const StateBlock& block, const Eyes& eyes,
                               Evidence& evidence) const {
  const Header& h = block.as<Header>();
  if (h.decision == DecisionKind::chance || h.decider != eyes.player()) return;
  list_options(block, evidence.options);
  evidence.places = places_offered(block, evidence.options, eyes);
}

// The same where worlds can be kept.
void KernelGame::resample_tokens(StateBlock& block, const Eyes& eyes, Rng& rng) const {
  const Program& p = *program_;
  Worlds& worlds = Worlds::of_this_thread();
  if (!worlds.knows(p, block, eyes)) {
    worlds.look_at(p, block, eyes);
    worlds.evidence = {};
    if (p.secrets.forks) find_evidence(block, eyes, worlds.evidence);
  }
  for (int tries = 0; tries < most_worlds; ++tries) {
    Worlds::Verdict& verdict = worlds.deal(p, block, eyes, rng);
    if (!p.secrets.forks) return;
    if (verdict == Worlds::Verdict::unknown)
      verdict = plausible(block, eyes, worlds.evidence) ? Worlds::Verdict::fits
                                                        : Worlds::Verdict::contradicts;
    if (verdict == Worlds::Verdict::fits) return;
  }
  worlds_given_up_.fetch_add(1, std::memory_order_relaxed);
}

void KernelGame::make_world(StateBlock& block, const Eyes& eyes, Rng& rng) const {
  const Program& p = *program_;
  Lease lease(p);
  Machine& machine = lease.machine();
  machine.attach(block);
  thread_local DealPlan plan;
  Dealer dealer(machine, eyes, rng, plan);
  dealer.reseed();
  if (p.secrets.any && !eyes.see_all()) {
    machine.begin_write();
    dealer.deal_tokens();
    dealer.draw_values();
    dealer.draw_variables();
    machine.detach();
    if (p.simultaneous) hand_in_anew(block, eyes, rng);
    refresh_instant(block);
  }
}

}  // namespace parlor::kernel
