// What a trial looked into (legal/trials.h): noted by the interpreter and by compiled code.
#pragma once

#include "kernel/state/zone_set.h"

namespace parlor::kernel {

// As words: what lies in these zones; all zones of these features, one bit for each; and of other
// zones only what the facts say, for each feature first the zones that have to be in it, then those
// that must not. The words are somebody else's, who knows how many zones and features there are.
class Reads {
 public:
  static constexpr int most_facts = 32;
  static constexpr int most_features = 64;

  // There are facts about so many features, in sets of so many words.
  static constexpr int features_with_facts(int words) { return most_facts / (2 * words); }
  static constexpr int features_at(int words) { return words; }
  static constexpr int facts_at(int feature, bool in, int words) {
    return words + 1 + (2 * feature + (in ? 0 : 1)) * words;
  }

  explicit Reads(std::uint64_t* words) : words_(words) {}

  bool has_zone(ZoneId z) const { return (words_[z.value >> 6] >> (z.value & 63) & 1) != 0; }
  void note_zone(int z) const { words_[z >> 6] |= std::uint64_t{1} << (z & 63); }
  void note_zone(ZoneId z) const { note_zone(z.value); }
  template <int W>
  void note_zones(const Zones<W>& some) const {
    for (int i = 0; i < W; ++i) words_[i] |= some.w[i];
  }
  // All zones of a feature.
  template <int W>
  void note_feature(int feature) const {
    if (feature < most_features)
      words_[features_at(W)] |= std::uint64_t{1} << feature;
    else
      note_zones(Zones<W>::all(true));
  }
  // Whether these zones are in a feature was asked, and all were or none. What the trial itself
  // changed there is no fact of the state: zones it writes to are noted whole.
  template <int W>
  void note_members(int feature, const Zones<W>& some, bool in) const {
    if (feature < 0 || feature >= features_with_facts(W)) return note_zones(some);
    std::uint64_t* const known = words_ + facts_at(feature, in, W);
    for (int i = 0; i < W; ++i) known[i] |= some.w[i] & ~words_[i];
  }
  // The same of one zone.
  template <int W>
  void note_member(int feature, int z, bool in) const {
    if (feature < 0 || feature >= features_with_facts(W)) return note_zone(z);
    words_[facts_at(feature, in, W) + (z >> 6)] |= std::uint64_t{1} << (z & 63) & ~words_[z >> 6];
  }

 private:
  std::uint64_t* words_;
};

// What the answer of a walk (walk_reaches) depends on: one way to what was found, or, if there is
// none, every zone that was come to. As long as these are as they are, so is the answer.
template <int W>
struct NotedWalk {
  bool found = false;
  bool has_way = false;  // otherwise `zones` are all that was come to
  int rounds = 0;
  ZoneId end = {};  // of the way
  Zones<W> zones = Zones<W>::all(false);
};

template <int W>
ZoneId first_of(const Zones<W>& zones) {
  ZoneId first(0);
  zones.each([&](ZoneId z) { return first = z, false; });
  return first;
}

template <int W, class Beside>
NotedWalk<W> walk_noting(const std::uint64_t* neighbours, const Beside& beside, ZoneId start,
                         const Zones<W>& through, const Zones<W>& found) {
  constexpr int most_rounds = 64;
  Zones<W> rounds[most_rounds];
  Zones<W> reached = Zones<W>::all(false);
  reached.put(start);
  NotedWalk<W> walk{.zones = reached};
  for (Zones<W> frontier = reached; frontier.any(); ++walk.rounds) {
    if (walk.rounds < most_rounds) rounds[walk.rounds] = frontier;
    const Zones<W> around = beside(frontier) & ~reached;
    if (const Zones<W> goal = around & found; goal.any()) {
      walk.found = true;
      walk.zones = walk.zones | goal;
      if (walk.rounds >= most_rounds) return walk;
      // The way back, through what was come to in each round; the first is the start.
      walk.has_way = true;
      walk.zones = Zones<W>::all(false);
      ZoneId here = walk.end = first_of(goal);
      for (int round = walk.rounds; round > 0; --round) {
        here = first_of(rounds[round] & Zones<W>::load(neighbours + here.index() * W));
        walk.zones.put(here);
      }
      return walk;
    }
    walk.zones = walk.zones | around;
    frontier = around & through;
    reached = reached | frontier;
  }
  return walk;
}

}  // namespace parlor::kernel
