// The one random generator of Parlor: PCG-DXSM with 128 bits of state. It is a plain value, so it
// lives inside game states, is copied with them, and gives the same numbers on every machine.
//
// There is one way to make one: `Rng(seed)`, or `Rng(seed, stream)` for one of many independent
// streams of a seed. Every bit of state and increment depends on every bit of both, so the first
// number is as random as any other and neighbouring seeds have nothing in common (T-01).
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/hash.h"

namespace parlor {

__extension__ typedef unsigned __int128 Uint128;

class Rng {
 public:
  constexpr Rng() : Rng(0) {}
  constexpr explicit Rng(std::uint64_t seed, std::uint64_t stream = 0) : Rng(words(seed, stream)) {}
  // What a new one consists of, for those who make many at once.
  struct Words {
    std::uint64_t state_low, state_high, increment_low, increment_high;
  };
  static constexpr Words words(std::uint64_t seed, std::uint64_t stream = 0) {
    const std::uint64_t a = mix(seed + 0x9e3779b97f4a7c15);
    const std::uint64_t b = mix(stream + 0xd1b54a32d192ed03);
    // No two pairs of seed and stream share a state: a + 2b and 2a + b give back a and b.
    return {mix(2 * a + b + 0xf39cc0605cedc835), mix(a + 2 * b),
            (mix(b ^ 0xbf58476d1ce4e5b9) + a) | 1, mix(a ^ 0xda3e39cb94b95bdb) + b};
  }
  constexpr explicit Rng(const Words& words)
      : state_{words.state_low, words.state_high},
        increment_{words.increment_low, words.increment_high} {}
  // A generator of its own, drawn from this one.
  constexpr Rng child() {
    const std::uint64_t seed = next();
    return Rng(seed, next());
  }

  // 64 uniform bits: the output comes from the current state, then the state advances.
  constexpr std::uint64_t next() {
    std::uint64_t word = (state_.high ^ (state_.high >> 32)) * 0xda942042e4dd58b5;
    word ^= word >> 48;
    word *= state_.low | 1;
    state_ =
        halves(whole(state_) * whole({0x4385df649fccf645, 0x2360ed051fc65da4}) + whole(increment_));
    return word;
  }

  // Uniform in [low, high], both ends included, without bias. Draws at least one word.
  constexpr std::int64_t between(std::int64_t low, std::int64_t high) {
    const std::uint64_t range =
        static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
    if (range == 0) return static_cast<std::int64_t>(next());  // the whole 64-bit range
    std::uint64_t word = next();
    if (word >= 0 - range) [[unlikely]] {                // else it is not among the last ones
      const std::uint64_t excess = (0 - range) % range;  // 2^64 mod range
      while (excess != 0 && word >= 0 - excess) word = next();
    }
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + word % range);
  }

  // Uniform in [0, size); size must not be 0.
  constexpr std::size_t below(std::size_t size) {
    return static_cast<std::size_t>(between(0, static_cast<std::int64_t>(size) - 1));
  }

  constexpr Uint128 state() const { return whole(state_); }
  constexpr Uint128 increment() const { return whole(increment_); }
  static constexpr Rng from_parts(Uint128 state, Uint128 increment) {
    Rng rng;
    rng.state_ = halves(state);
    rng.increment_ = halves(increment);
    return rng;
  }

  friend constexpr bool operator==(const Rng&, const Rng&) = default;

 private:
  // Kept as two words: GCC writes a whole one by way of the stack, in two halves that it reads back
  // as one, and so waits until everything written before has left the processor.
  struct alignas(16) Halves {
    std::uint64_t low = 0, high = 0;
    friend constexpr bool operator==(const Halves&, const Halves&) = default;
  };
  static constexpr Uint128 whole(const Halves& from) {
    return (Uint128{from.high} << 64) | from.low;
  }
  static constexpr Halves halves(Uint128 from) {
    return {static_cast<std::uint64_t>(from), static_cast<std::uint64_t>(from >> 64)};
  }
  Halves state_, increment_;
};

}  // namespace parlor
