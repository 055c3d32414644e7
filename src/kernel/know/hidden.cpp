#include "kernel/know/hidden.h"

#include <algorithm>

#include "kernel/kernel.h"
#include "kernel/know/course.h"
#include "kernel/know/past.h"
#include "kernel/program/params.h"
#include "kernel/turn/outcome.h"

namespace parlor::kernel {

// ---- Tokens

void Dealer::make_plan() {
  const Knowledge knowledge(memory_);
  plan_.begin(p_.secrets.places, m_.header().tokens);
  for (const TokenId t : memory_.tokens()) {
    if (eyes_.know(memory_, t)) continue;
    plan_.unknown.push_back(t);
    for (int place = 0; place < p_.secrets.places; ++place)
      if (knowledge.may_be(t, eyes_.number(), place)) plan_.may_be(t, place);
  }
  for (const ZoneId z : p_.zones.ids()) {
    const int place = p_.zones[z].place;
    if (place < 0) continue;
    for (const TokenId t : memory_.tokens_in(z))
      if (!eyes_.know(memory_, t)) plan_.slots.push_back({z, place, t, TokenId::none()});
  }
  // Out of play there is no order; what others know of it tells those places apart.
  std::vector<TokenId> gone;
  for (const TokenId t : plan_.unknown)
    if (memory_.zone_of(t).is_none()) gone.push_back(t);
  std::ranges::stable_sort(gone, {}, [&](TokenId t) { return memory_.sight(t).known; });
  for (const TokenId t : gone)
    plan_.slots.push_back({ZoneId::none(), p_.secrets.places - 1, t, TokenId::none()});
  plan_.settle();
}

void DealPlan::begin(int places, std::size_t tokens) {
  places_ = places;
  may_.assign(tokens * static_cast<std::size_t>(places), 0);
  unknown.clear();
  slots.clear();
}

void DealPlan::settle() {
  by_place_.clear();
  begins_.clear();
  left_.clear();
  anywhere_ = unknown.size() == slots.size();
  for (int place = 0; place < places_; ++place) {
    begins_.push_back(by_place_.size());
    for (std::size_t s = 0; s < slots.size(); ++s)
      if (slots[s].place == place) by_place_.push_back(static_cast<int>(s));
    left_.push_back(by_place_.size() - begins_.back());
    for (const TokenId t : unknown)
      anywhere_ = anywhere_ && (left_.back() == 0 || allowed(t, place));
  }
  begins_.push_back(by_place_.size());
  if (!is_free()) return;
  std::fill_n(taken_slots_.begin(), factorial(slots.size()), unknown_slots);
  constexpr decltype(assign_free_) by_count[] = {
      &assign_so_many<0>, &assign_so_many<1>, &assign_so_many<2>, &assign_so_many<3>,
      &assign_so_many<4>, &assign_so_many<5>, &assign_so_many<6>};
  static_assert(std::size(by_count) == most_short + 1);
  assign_free_ = by_count[slots.size()];
}

namespace {

// Small numbers as the bytes of a word, from the lowest.
constexpr std::uint64_t byte_at(std::uint64_t word, std::uint64_t at) {
  return word >> (8 * at) & 0xff;
}

// How so many things stand after they were shuffled, by what was drawn for it (`assign_so_many`).
template <std::size_t count>
constexpr auto orders_of() {
  std::array<std::uint64_t, factorial(count)> out{};
  for (std::size_t drawn = 0; drawn < out.size(); ++drawn) {
    std::array<std::size_t, count + 1> others{}, order{};
    for (std::size_t k = 2, left = drawn; k <= count; left /= k++) others[k] = left % k;
    for (std::size_t k = 0; k < count; ++k) order[k] = k;
    for (std::size_t k = count; k > 1; --k) std::swap(order[k - 1], order[others[k]]);
    for (std::size_t k = 0; k < count; ++k) out[drawn] |= std::uint64_t{order[k]} << (8 * k);
  }
  return out;
}
template <std::size_t count>
constexpr auto orders = orders_of<count>();

}  // namespace

// The slots that tokens take one after the other, by what was drawn for it.
std::uint64_t DealPlan::find_slots(std::size_t drawn) {
  std::array<std::size_t, most_short> picks{};
  const std::size_t count = slots.size();
  for (std::size_t k = 1, left = drawn; k <= count; left /= k++) picks[count - k] = left % k;
  reset();
  std::uint64_t out = 0;
  for (std::size_t k = 0; k < count; ++k) {
    std::size_t place = 0, pick = picks[k];
    for (; pick >= left_[place]; ++place) pick -= left_[place];
    out |= static_cast<std::uint64_t>(take_slot(place, pick)) << (8 * k);
  }
  return taken_slots_[drawn] = out;
}

// The same as `assign`. What comes out depends on two numbers: how tokens stand in turn, and which
// slots are taken in turn. So there is no branch that luck decides, and every division is by a
// number that the compiler knows.
template <std::size_t count>
std::uint64_t DealPlan::assign_so_many(DealPlan& plan, Rng& rng) {
  Rng own = rng;  // in registers
  std::size_t shuffled = 0, placed = 0;
#pragma GCC unroll 8
  for (std::size_t k = count; k > 1; --k) shuffled = shuffled * k + own.below(k);
#pragma GCC unroll 8
  for (std::size_t k = count; k > 0; --k) placed = placed * k + own.below(k);
  rng = own;
  const std::uint64_t turns = orders<count>[shuffled];
  std::uint64_t taken = plan.taken_slots_[placed];
  if (taken == unknown_slots) [[unlikely]]
    taken = plan.find_slots(placed);
  std::uint64_t out = 0;
#pragma GCC unroll 8
  for (std::size_t k = 0; k < count; ++k) out |= byte_at(turns, k) << (8 * byte_at(taken, k));
  return out;
}

std::uint64_t DealPlan::assigned() const {
  std::uint64_t out = 0;
  for (const Slot& slot : slots)
    out = out << 8 |
          static_cast<std::uint64_t>(std::ranges::find(unknown, slot.next) - unknown.begin());
  return out;
}

void DealPlan::take(std::uint64_t assigned) {
  for (std::size_t s = 0; s < slots.size(); ++s) slots[s].next = unknown[byte_at(assigned, s)];
}

std::size_t DealPlan::room_for(TokenId t) const {
  std::size_t room = 0;
  for (int place = 0; place < places_; ++place)
    if (allowed(t, place)) room += left_[place];
  return room;
}

// Everything is free.
void DealPlan::reset() {
  free_ = by_place_;
  for (std::size_t place = 0; place < left_.size(); ++place)
    left_[place] = begins_[place + 1] - begins_[place];
}

// The free slot of this number in its place is not free any more.
inline int DealPlan::take_slot(std::size_t place, std::size_t which) {
  int* const free = free_.data() + begins_[place];
  return std::exchange(free[which], free[--left_[place]]);
}

// A free slot where the token may be, each equally likely. If there is none, another token makes
// room, if it can go elsewhere.
bool DealPlan::place_token(TokenId t, int depth, Rng& rng) {
  if (const std::size_t room = room_for(t); room > 0) {
    std::size_t pick = rng.below(room);
    for (int place = 0; place < places_; ++place) {
      if (!allowed(t, place)) continue;
      if (pick < left_[place]) return slots[take_slot(place, pick)].next = t, true;
      pick -= left_[place];
    }
  }
  if (depth == 0) return false;
  for (int place = 0; place < places_; ++place) {
    if (!allowed(t, place)) continue;
    for (std::size_t at = begins_[place]; at < begins_[place + 1]; ++at) {
      Slot& slot = slots[by_place_[at]];
      const TokenId other = std::exchange(slot.next, t);
      if (place_token(other, depth - 1, rng)) return true;
      slot.next = other;
    }
  }
  return false;
}

// The same for one token after the other, where they may be anywhere.
void DealPlan::assign_anywhere(Rng& rng) {
  std::size_t room = slots.size();
  for (const TokenId t : turns_) {
    std::size_t pick = rng.below(room--), place = 0;
    for (; pick >= left_[place]; ++place) pick -= left_[place];
    slots[take_slot(place, pick)].next = t;
  }
}

// Tokens with the fewest places first.
void DealPlan::put_in_turn() {
  in_turn_.clear();
  for (const TokenId t : turns_) in_turn_.emplace_back(room_for(t), t);
  // By hand where there are few: std::stable_sort takes memory.
  if (in_turn_.size() > 16) {
    std::ranges::stable_sort(in_turn_, {}, &std::pair<std::size_t, TokenId>::first);
    return;
  }
  for (std::size_t k = 1; k < in_turn_.size(); ++k)
    for (std::size_t j = k; j > 0 && in_turn_[j].first < in_turn_[j - 1].first; --j)
      std::swap(in_turn_[j], in_turn_[j - 1]);
}

// Tokens with the fewest places first: where the sets of places lie inside each other or apart, so
// that no choice takes anything from those that follow, every way to deal is equally likely.
bool DealPlan::assign(Rng& rng) {
  reset();
  turns_ = unknown;
  for (std::size_t k = turns_.size(); k > 1; --k) std::swap(turns_[k - 1], turns_[rng.below(k)]);
  if (anywhere_) return assign_anywhere(rng), true;
  for (Slot& slot : slots) slot.next = {};
  put_in_turn();
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
      std::memcpy(theirs, mine, p_.secrets.set_bytes);
      if ((memory_.sight(t).known & Knowledge::bit_of(p_, v)) == 0) continue;
      std::memset(theirs, 0, p_.secrets.set_bytes);
      if (const int place = knowledge.place_of(memory_.zone_of(t)); place >= 0)
        theirs[place >> 3] = 1 << (place & 7);
    }
  }
}

// False: knowledge that contradicts itself; all is left as it is.
bool Dealer::assign() {
  for (int tries = 0; !plan_.assign(rng_); ++tries)
    if (tries == most_worlds) return false;
  return true;
}

void Dealer::deal_tokens() {
  if (!p_.secrets.tokens) return;
  const bool by_course = p_.secrets.course && assign_by_course();
  if (by_course || assign()) carry_out();
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
      const std::int32_t drawn = rng_.between(range.low, range.high);
      const bool text = type.cell[prop] == CellType::symbol;
      const auto& words = p_.secrets.words[prop];
      memory_.write_cell(t, prop, text ? words[drawn] : drawn);
    }
  }
}

void Dealer::draw_variables() {
  for (std::size_t k = 0; k < p_.secrets.cells.size(); ++k) {
    const int cell = p_.secrets.cells[k];
    const VarRange range = memory_.var_range(k);
    if (range.low > range.high || ((m_.var_sight(cell) | range.known) & eyes_.bit()) != 0) continue;
    if (eyes_.see_cell(cell)) continue;  // an observer may see more than a spectator
    memory_.write_var_cell(cell, rng_.between(range.low, range.high));
  }
}

void reseed(const Program& p, Rng& luck, std::uint64_t& seed, Rng& rng) {
  if (!p.has_chance || p.options.explicit_chance) return;
  luck = rng.child();
  if (p.uses_streams) seed = rng.next();
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
    const std::size_t at = v.payload();
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

}  // namespace parlor::kernel
