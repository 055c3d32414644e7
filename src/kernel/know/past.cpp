#include "kernel/know/past.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "kernel/know/course.h"

namespace parlor::kernel {
namespace {

using Zone = std::int16_t;
constexpr std::size_t most_placements = 8192;

// Whether what the rules call certain holds of tokens that lie so; asked on a copy of the state in
// which nothing else lies anywhere.
class Certainty {
 public:
  Certainty(const Program& p, const StateBlock& block)
      : p_(p), lease_(p), content_(p.zones.size()) {
    if (p_.secrets.timeless.empty()) return;
    lease_.block() = block;
    Machine& machine = lease_.machine();
    machine.attach(lease_.block());
    machine.begin_write();
    machine.drop_frames();
    Memory& memory = machine.memory();
    for (const TokenId t : memory.tokens())
      if (!memory.zone_of(t).is_none()) memory.take_out(t);
    for (const ZoneId z : p_.zones.ids()) memory.refill(z, {});
  }

  bool holds(std::span<const Zone> zones) {
    if (p_.secrets.timeless.empty()) return true;
    const std::uint64_t key = hash_bytes(std::as_bytes(zones));
    if (const auto found = answers_.find(key); found != answers_.end()) return found->second;
    const bool out = ask(zones);
    answers_.emplace(key, out);
    return out;
  }

 private:
  bool ask(std::span<const Zone> zones) {
    Machine& machine = lease_.machine();
    Memory& memory = machine.memory();
    for (const auto& of_place : p_.secrets.zones_of_place)
      for (const ZoneId z : of_place) content_[z].clear();
    for (const TokenId t : IdRange<TokenId>(zones.size()))
      if (const ZoneId z = Placements::zone_of(zones[t.index()]); !z.is_none())
        content_[z].push_back(t);
      else if (!memory.zone_of(t).is_none())
        memory.take_out(t);
    for (const auto& of_place : p_.secrets.zones_of_place)
      for (const ZoneId z : of_place) memory.refill(z, content_[z]);
    machine.steps_left = work_of_instruction * p_.options.listing;
    Machine::Scratch scratch(machine, p_.certain_unit, 0, 0);
    for (const NodeId node : p_.secrets.timeless)
      if (machine.test(node) != Truth::yes) return machine.clear_fault(), false;
    return true;
  }

  const Program& p_;
  Lease lease_;
  Table<ZoneId, std::vector<TokenId>> content_;
  std::unordered_map<std::uint64_t, bool> answers_;
};

class Past {
 public:
  Past(Machine& machine, const Eyes& eyes, const Course::Told& course, std::uint64_t key)
      : memory_(machine.memory()),
        p_(machine.program()),
        course_(course),
        eyes_(eyes),
        tokens_(memory_.header().tokens),
        known_(tokens_),
        certainty_(p_, memory_.block()),
        rng_(key) {}

  Placements reconstruct() {
    if (!begin()) return {};
    for (const CourseEvent& event : course_.events) {
      go_on(event);
      if (event.settled != 0)
        keep_if([&](std::span<const Zone> zones) { return certainty_.holds(zones); });
      if (weights_.empty()) return {};
      merge();
      thin_out();
    }
    keep_if([&](std::span<const Zone> zones) { return fits_now(zones); });
    std::partial_sum(weights_.begin(), weights_.end(), weights_.begin());
    return {tokens_, std::move(zones_), std::move(weights_)};
  }

 private:
  Zone code_of(ZoneId zone) const {
    if (zone.is_none()) return Placements::out_of_play;
    return p_.zones[zone].place < 0 ? Placements::in_the_open : Stored<ZoneId>(zone).value;
  }
  std::span<Zone> placement(std::size_t k) { return {zones_.data() + k * tokens_, tokens_}; }

  // ---- How it can have begun

  // How many tokens lay in each zone, and out of play (last): everybody can count them.
  std::vector<int> counts_at_beginning() const {
    std::vector<int> out(p_.zones.size() + 1);
    const auto room = [&](ZoneId zone) -> int& {
      return zone.is_none() ? out.back() : out[zone.index()];
    };
    for (const TokenId t : memory_.tokens()) ++room(memory_.zone_of(t));
    for (const CourseEvent& event : course_.events) {
      if (event.kind == CourseEvent::Kind::moved) {
        --room(event.to);
        ++room(event.from);
      }
      if (event.kind == CourseEvent::Kind::created) --room(event.to);
    }
    return out;
  }

  bool begin() {
    std::vector<int> room = counts_at_beginning();
    std::vector<Zone> zones(tokens_, Placements::not_made);
    std::vector<std::size_t> unknown;
    std::vector<std::vector<Zone>> where(tokens_);
    for (std::size_t t = 0; t < tokens_; ++t) {
      const std::uint8_t* places = memory_.places_before(TokenId(t), eyes_.number());
      for (int place = 0; place < p_.secrets.places; ++place) {
        if ((places[place >> 3] >> (place & 7) & 1) == 0) continue;
        const auto& own = p_.secrets.zones_of_place[place];
        where[t].push_back(own.empty() ? Placements::out_of_play
                                       : Stored<ZoneId>(own.front()).value);
      }
      if (was_made_later(t)) continue;
      known_[t] = (memory_.before(TokenId(t)).known & eyes_.bit()) != 0;
      if (!known_[t]) {
        if (where[t].empty()) return false;
        unknown.push_back(t);
        continue;
      }
      zones[t] = where[t].empty() ? Placements::in_the_open : where[t].front();
      if (zones[t] != Placements::in_the_open) --seats_in(room, zones[t]);
    }
    std::ranges::stable_sort(unknown, {}, [&](std::size_t t) { return where[t].size(); });
    std::size_t leaves = 0;
    if (!deal_all(unknown, where, 0, zones, room, leaves)) deal_some(unknown, where, zones, room);
    return !weights_.empty();
  }
  bool was_made_later(std::size_t t) const {
    return std::ranges::any_of(course_.events, [&](const CourseEvent& event) {
      return event.kind == CourseEvent::Kind::created && event.token == TokenId(t);
    });
  }
  static int& seats_in(std::vector<int>& room, Zone zone) {
    return zone < 0 ? room.back() : room[zone];
  }

  void add_beginning(const std::vector<Zone>& zones) {
    if (course_.settled && !certainty_.holds(zones)) return;
    zones_.insert(zones_.end(), zones.begin(), zones.end());
    weights_.push_back(1);
  }

  // Every way. False: there are too many.
  bool deal_all(const std::vector<std::size_t>& unknown,
                const std::vector<std::vector<Zone>>& where, std::size_t at,
                std::vector<Zone>& zones, std::vector<int>& room, std::size_t& leaves) {
    if (at == unknown.size()) {
      if (++leaves > most_placements) return false;
      add_beginning(zones);
      return true;
    }
    const std::size_t t = unknown[at];
    for (const Zone zone : where[t]) {
      int& free = seats_in(room, zone);
      if (free <= 0) continue;
      --free;
      zones[t] = zone;
      const bool all = deal_all(unknown, where, at + 1, zones, room, leaves);
      ++free;
      if (!all) return false;
    }
    return true;
  }

  // As many as there is room for, at random: tokens with few places first.
  void deal_some(const std::vector<std::size_t>& unknown,
                 const std::vector<std::vector<Zone>>& where, std::vector<Zone>& zones,
                 const std::vector<int>& room) {
    zones_.clear();
    weights_.clear();
    std::vector<std::size_t> order = unknown;
    for (std::size_t tries = 0; tries < 2 * most_placements; ++tries) {
      if (weights_.size() == most_placements / 2) break;
      for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[rng_.below(k)]);
      std::ranges::stable_sort(order, {}, [&](std::size_t t) { return where[t].size(); });
      std::vector<int> left = room;
      const bool dealt = std::ranges::all_of(order, [&](std::size_t t) {
        int all = 0;
        for (const Zone zone : where[t]) all += std::max(0, seats_in(left, zone));
        if (all == 0) return false;
        int pick = rng_.below(all);
        for (const Zone zone : where[t]) {
          int& free = seats_in(left, zone);
          if (pick < free) {
            --free;
            zones[t] = zone;
            break;
          }
          pick -= std::max(0, free);
        }
        return true;
      });
      if (dealt) add_beginning(zones);
    }
  }

  // ---- How it went on

  template <class Keep>
  void keep_if(Keep&& keep) {
    std::size_t kept = 0;
    for (std::size_t k = 0; k < weights_.size(); ++k) {
      if (!keep(placement(k))) continue;
      if (kept != k) std::ranges::copy(placement(k), placement(kept).begin());
      weights_[kept++] = weights_[k];
    }
    weights_.resize(kept);
    zones_.resize(kept * tokens_);
  }

  // Nobody who does not see the zone can tell any more what lies where in it.
  void forget_order(Zone zone) {
    for (std::size_t t = 0; t < tokens_ && !weights_.empty(); ++t)
      if (known_[t] && zones_[t] == zone) known_[t] = false;
  }

  void learn(std::size_t t, Zone from, Zone to) {
    keep_if([&](std::span<Zone> zones) {
      if (zones[t] != from) return false;
      zones[t] = to;
      return true;
    });
    known_[t] = true;
  }

  // One of those that lay there, it is not known which.
  void branch(Zone from, Zone to) {
    std::vector<Zone> zones;
    std::vector<double> weights;
    for (std::size_t k = 0; k < weights_.size(); ++k)
      for (std::size_t t = 0; t < tokens_; ++t) {
        if (known_[t] || placement(k)[t] != from) continue;
        zones.insert(zones.end(), placement(k).begin(), placement(k).end());
        zones[zones.size() - tokens_ + t] = to;
        weights.push_back(weights_[k]);
      }
    zones_ = std::move(zones);
    weights_ = std::move(weights);
  }

  void go_on(const CourseEvent& event) {
    const bool mine = (event.viewers & eyes_.bit()) != 0;
    const Zone from = code_of(event.from), to = code_of(event.to);
    const std::size_t t = TokenId(event.token).index();
    switch (event.kind) {
      case CourseEvent::Kind::moved:
        if (mine && !TokenId(event.token).is_none()) return learn(t, from, to);
        if ((event.traced & eyes_.bit()) == 0) forget_order(from);
        if (from != to) branch(from, to);
        return;
      case CourseEvent::Kind::shuffled:
        if (mine) forget_order(from);
        return;
      case CourseEvent::Kind::revealed:
        if (mine) learn(t, from, from);
        return;
      case CourseEvent::Kind::created:
        for (std::size_t k = 0; k < weights_.size(); ++k) placement(k)[t] = to;
        known_[t] = mine;
        return;
      case CourseEvent::Kind::blurred:
        if (mine) known_[t] = false;
        return;
    }
  }

  bool fits_now(std::span<const Zone> zones) const {
    for (const TokenId t : memory_.tokens())
      if (eyes_.know(memory_, t) && zones[t.index()] != code_of(memory_.zone_of(t))) return false;
    return true;
  }

  // Equal placements, reached in several ways, are one.
  void merge() {
    std::vector<std::size_t> order(weights_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto less = [&](std::size_t a, std::size_t b) {
      return std::ranges::lexicographical_compare(placement(a), placement(b));
    };
    std::ranges::sort(
        order, [&](std::size_t a, std::size_t b) { return less(a, b) || (a < b && !less(b, a)); });
    std::vector<Zone> zones;
    std::vector<double> weights;
    double sum = 0;
    for (const std::size_t k : order) {
      const bool again =
          !weights.empty() && std::equal(zones.end() - tokens_, zones.end(), placement(k).begin());
      if (!again) {
        zones.insert(zones.end(), placement(k).begin(), placement(k).end());
        weights.push_back(0);
      }
      weights.back() += weights_[k];
      sum += weights_[k];
    }
    for (double& weight : weights) weight /= sum;
    zones_ = std::move(zones);
    weights_ = std::move(weights);
  }

  // Of too many some are taken, evenly along their weights.
  void thin_out() {
    if (weights_.size() <= most_placements) return;
    constexpr std::size_t most = most_placements / 2;
    const double step = 1.0 / most;
    double next = step * static_cast<double>(rng_.below(1 << 20)) / (1 << 20), sum = 0;
    std::vector<Zone> zones;
    std::vector<double> weights;
    for (std::size_t k = 0; k < weights_.size(); ++k) {
      sum += weights_[k];
      double taken = 0;
      for (; next < sum; next += step) taken += step;
      if (taken == 0) continue;
      zones.insert(zones.end(), placement(k).begin(), placement(k).end());
      weights.push_back(taken);
    }
    zones_ = std::move(zones);
    weights_ = std::move(weights);
  }

  const Memory& memory_;
  const Program& p_;
  const Course::Told& course_;
  const Eyes& eyes_;
  std::size_t tokens_;
  std::vector<bool> known_;  // tokens whose place in their zone the viewer can tell
  Certainty certainty_;
  Rng rng_;
  std::vector<Zone> zones_;
  std::vector<double> weights_;
};

// Of all that the answer depends on, as the viewer knows it.
std::uint64_t key_of(const Memory& memory, const Eyes& eyes, const Course::Told& course) {
  const Program& p = memory.program();
  const std::uint32_t bit = eyes.bit();
  std::uint64_t key = hash_combine(p.fingerprint, eyes.number());
  const auto take = [&](std::int64_t n) { key = hash_combine(key, n); };
  take(course.settled ? 1 : 0);
  key = hash_bytes(std::as_bytes(std::span(course.events)), key);
  for (const ZoneId z : p.zones.ids()) take(memory.zone(z).count);
  for (const TokenId t : memory.tokens()) {
    take((memory.before(t).known & bit) != 0);
    take(eyes.know(memory, t) ? memory.zone_of(t).value : -2);
    key = hash_bytes({reinterpret_cast<const std::byte*>(memory.places_before(t, eyes.number())),
                      p.secrets.set_bytes},
                     key);
    take(memory.token(t).type);
    for (std::size_t prop = 0; prop < p.props.size(); ++prop)
      if (const int column = p.types[memory.token(t).type].column[prop];
          column >= 0 && p.secrets.column_of_prop[prop] < 0)
        take(memory.cells(t)[column]);
  }
  return key;
}

}  // namespace

std::span<const std::int16_t> Placements::draw(Rng& rng) const {
  constexpr int bits = 53;  // of a double
  const double share = static_cast<double>(rng.next() >> (64 - bits)) / (std::uint64_t{1} << bits);
  const double at = weights.back() * share;
  const auto found = std::upper_bound(weights.begin(), weights.end() - 1, at);
  return {zones.data() + (found - weights.begin()) * tokens, tokens};
}

const Placements& possible_placements(Machine& machine, const Eyes& eyes) {
  struct Kept {
    std::uint64_t key = 0;
    bool any = false;
    Placements all;
  };
  thread_local Kept kept;
  const Course::Told course = Course(machine.memory()).told_to(eyes.number());
  const std::uint64_t key = key_of(machine.memory(), eyes, course);
  if (!kept.any || kept.key != key) {
    kept.all = Past(machine, eyes, course, key).reconstruct();
    kept.key = key;
    kept.any = true;
  }
  return kept.all;
}

}  // namespace parlor::kernel
