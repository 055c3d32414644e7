// What games begin with: seeds, and the generators of agents that pick without looking. A seed is a
// chain of multiplications, and the first choice waits for the last of them; so this is made for
// many games at once. Game number i always gets the same.
#pragma once

#include <array>
#include <vector>

#include "play/agent.h"

namespace parlor::play {

class Beginnings {
 public:
  // `generators`: of so many seats.
  explicit Beginnings(std::size_t generators) : generators_(generators) {}

  // Goes to this game, whose number is mostly as far from the last one as that from the one before.
  void go_to(Seed of_all, std::uint64_t index) {
    if (index != next_ || of_all != of_all_ || ++lane_ == lanes) [[unlikely]]
      make(of_all, index);
    next_ = index + stride_;
  }
  // Everything of this game comes from these.
  SeedStreams streams() const { return SeedStreams::of_mixed(mixed_[lane_]); }
  // Rng(streams()[seat])
  Rng generator(std::size_t seat) const {
    const Lanes* const words = &generators_[seat][0];
    return Rng(Rng::Words{words[0][lane_], words[1][lane_], words[2][lane_], words[3][lane_]});
  }

 private:
  static constexpr std::size_t lanes = 32;
  using Lanes = std::array<std::uint64_t, lanes>;

  void make(Seed of_all, std::uint64_t index);
  void make_all(SeedStreams of_all, std::uint64_t index);

  Seed of_all_ = 0;
  std::uint64_t next_ = 0, stride_ = 1;
  std::size_t lane_ = lanes - 1;  // of the game that was gone to
  Lanes mixed_{};
  std::vector<std::array<Lanes, 4>> generators_;
};

}  // namespace parlor::play
