// The one random generator of Parlor: PCG-DXSM with 128 bits of state. It is a plain value, so it
// lives inside game states, is copied with them, and gives the same numbers on every machine.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace parlor {

__extension__ typedef unsigned __int128 Uint128;

class Rng {
 public:
  constexpr Rng() : Rng(std::uint64_t{0}) {}
  constexpr explicit Rng(Uint128 seed)
      : state_(seed ^ make(0x9e3779b97f4a7c15, 0xf39cc0605cedc835)),
        increment_(((seed << 1) ^ Uint128{0xda3e39cb94b95bdb}) | 1) {}
  constexpr explicit Rng(std::uint64_t seed) : Rng(Uint128{seed}) {}

  // 64 uniform bits: the output comes from the current state, then the state advances.
  constexpr std::uint64_t next() {
    const auto high = static_cast<std::uint64_t>(state_ >> 64);
    const auto low = static_cast<std::uint64_t>(state_);
    std::uint64_t word = (high ^ (high >> 32)) * 0xda942042e4dd58b5;
    word ^= word >> 48;
    word *= low | 1;
    state_ = state_ * make(0x2360ed051fc65da4, 0x4385df649fccf645) + increment_;
    return word;
  }

  // Uniform in [low, high], both ends included, without bias. Draws at least one word.
  constexpr std::int64_t between(std::int64_t low, std::int64_t high) {
    const std::uint64_t range =
        static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
    if (range == 0) return static_cast<std::int64_t>(next());  // the whole 64-bit range
    const std::uint64_t excess = (0 - range) % range;          // 2^64 mod range
    std::uint64_t word = next();
    if (excess != 0)
      while (word >= 0 - excess) word = next();
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + word % range);
  }

  // Uniform in [0, size); size must not be 0.
  constexpr std::size_t below(std::size_t size) {
    return static_cast<std::size_t>(between(0, static_cast<std::int64_t>(size) - 1));
  }

  constexpr Uint128 state() const { return state_; }
  constexpr Uint128 increment() const { return increment_; }
  static constexpr Rng from_parts(Uint128 state, Uint128 increment) {
    Rng rng;
    rng.state_ = state;
    rng.increment_ = increment;
    return rng;
  }

  friend constexpr bool operator==(const Rng&, const Rng&) = default;

 private:
  static constexpr Uint128 make(std::uint64_t high, std::uint64_t low) {
    return (Uint128{high} << 64) | low;
  }
  Uint128 state_;
  Uint128 increment_;
};

// Hexadecimal text without prefix, as serialised states hold it.
std::string to_hex(Uint128 value);
tl::expected<Uint128, std::string> parse_hex(std::string_view text);

}  // namespace parlor
